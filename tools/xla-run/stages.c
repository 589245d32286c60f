//===- stages.c - What happens on the way ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-run/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

/// Later stages are added to the last row.
#define MAX_STAGES 64

typedef struct Stage {
  char name[48];
  double seconds;
} Stage;

struct XlaRunStages {
  const XlaRunOptions *options;
  double last, first;
  int count, dumped;
  Stage stages[MAX_STAGES];
  bool failed;
};

double xlaRunNow(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

XlaRunStages *xlaRunStagesCreate(const XlaRunOptions *options) {
  XlaRunStages *stages = calloc(1, sizeof *stages);
  if (!stages)
    return NULL;
  stages->options = options;
  stages->first = stages->last = xlaRunNow();
  return stages;
}

void xlaRunStagesDestroy(XlaRunStages *stages) { free(stages); }

static void write(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, file);
}

static void printModule(MlirOperation module, FILE *file) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOperationPrintWithFlags(module, flags, write, file);
  mlirOpPrintingFlagsDestroy(flags);
  fputc('\n', file);
}

/// DIR/NN-stage.mlir, with what a file's name cannot have replaced.
static void dump(XlaRunStages *stages, const char *stage,
                 MlirOperation module) {
  char path[4096], word[48];
  const char *folder = stages->options->dump;
  if (mkdir(folder, 0777) && errno != EEXIST) {
    xlaToolError(XlaToolCodeWrong, "%s: %s", folder, strerror(errno));
    stages->failed = true;
    return;
  }
  snprintf(word, sizeof word, "%s", stage);
  for (char *c = word; *c; ++c)
    if (*c == '/' || *c == ' ')
      *c = '-';
  snprintf(path, sizeof path, "%s/%02d-%s.mlir", folder, stages->dumped++,
           word);
  FILE *file = fopen(path, "w");
  if (file)
    printModule(module, file);
  if (!file || ferror(file) || fclose(file)) {
    xlaToolError(XlaToolCodeWrong, "%s: %s", path, strerror(errno));
    stages->failed = true;
  }
}

void xlaRunStagesRecord(const char *stage, MlirOperation module,
                        void *userData) {
  XlaRunStages *stages = userData;
  double now = xlaRunNow();
  const XlaToolValues *after = &stages->options->printAfter;
  if (stages->count < MAX_STAGES)
    snprintf(stages->stages[stages->count++].name, sizeof(Stage){0}.name, "%s",
             stage);
  stages->stages[stages->count - 1].seconds += now - stages->last;
  if (!mlirOperationIsNull(module)) {
    for (int i = 0; i < after->count; ++i)
      if (!strcmp(after->items[i], stage)) {
        fprintf(stderr, "// after %s\n", stage);
        printModule(module, stderr);
      }
    // After an error the folder is not tried again.
    if (stages->options->dump && !stages->failed)
      dump(stages, stage, module);
  }
  stages->last = xlaRunNow();
}

void xlaRunStagesRestart(XlaRunStages *stages) { stages->last = xlaRunNow(); }

static XlaToolCode unknownStage(const XlaRunStages *stages, const char *name) {
  char known[1024] = "";
  size_t length = 0;
  for (int i = 0; i < stages->count && length + 64 < sizeof known; ++i)
    length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                               i ? ", " : "", stages->stages[i].name);
  return xlaToolError(XlaToolCodeWrong,
                      "there was no stage \"%.60s\"; there "
                      "were: %s",
                      name, known);
}

static void printStats(const XlaRunStages *stages) {
  struct rusage usage;
  fprintf(stderr, "%-32s %12s\n", "stage", "ms");
  for (int i = 0; i < stages->count; ++i)
    fprintf(stderr, "%-32s %12.3f\n", stages->stages[i].name,
            1e3 * stages->stages[i].seconds);
  fprintf(stderr, "%-32s %12.3f\n", "total",
          1e3 * (xlaRunNow() - stages->first));
  if (!getrusage(RUSAGE_SELF, &usage))
    fprintf(stderr, "%-32s %12.3f\n", "peak memory, MiB",
            (double)usage.ru_maxrss / 1024);
}

XlaToolCode xlaRunStagesFinish(XlaRunStages *stages) {
  const XlaToolValues *after = &stages->options->printAfter;
  if (stages->options->stats)
    printStats(stages);
  for (int i = 0; i < after->count; ++i) {
    int at = 0;
    while (at < stages->count &&
           strcmp(stages->stages[at].name, after->items[i]) != 0)
      ++at;
    if (at == stages->count)
      return unknownStage(stages, after->items[i]);
  }
  return stages->failed ? XlaToolCodeWrong : XlaToolCodeOk;
}

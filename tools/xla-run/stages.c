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

/// Further rows and stages are left out.
#define MAX_ROWS 200

typedef struct Row {
  char name[48];
  double number;
  const char *unit;
} Row;

struct XlaRunStages {
  const XlaRunOptions *options;
  double last, first;
  int nRows, nShown;
  Row rows[MAX_ROWS];
  char shown[MAX_ROWS][48]; ///< names of stages
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

bool xlaRunStagesAreSeen(const XlaRunStages *stages) {
  return stages->options->dump || stages->options->printAfter.count;
}

//===----------------------------------------------------------------------===//
// Programs after stages
//===----------------------------------------------------------------------===//

/// Writes DIR/NN-stage.suffix, with what a file's name cannot have replaced.
static void dump(XlaRunStages *stages, const char *stage, const char *suffix,
                 const char *data, size_t size) {
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
  snprintf(path, sizeof path, "%s/%02d-%s%s", folder, stages->nShown, word,
           suffix);
  FILE *file = fopen(path, "wb");
  bool written = file && fwrite(data, 1, size, file) == size;
  if (file && fclose(file))
    written = false;
  if (!written) {
    xlaToolError(XlaToolCodeWrong, "%s: %s", path, strerror(errno));
    stages->failed = true;
  }
}

void xlaRunStagesShow(const char *stage, const char *suffix, const char *data,
                      size_t size, void *userData) {
  XlaRunStages *stages = userData;
  const XlaToolValues *after = &stages->options->printAfter;
  for (int i = 0; i < after->count; ++i)
    if (!strcmp(after->items[i], stage)) {
      fprintf(stderr, "// after %s\n", stage);
      fwrite(data, 1, size, stderr);
      fputc('\n', stderr);
    }
  // After an error the folder is not tried again.
  if (stages->options->dump && !stages->failed)
    dump(stages, stage, suffix, data, size);
  if (stages->nShown < MAX_ROWS)
    snprintf(stages->shown[stages->nShown++], sizeof *stages->shown, "%s",
             stage);
}

static void append(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, file);
}

static void showModule(XlaRunStages *stages, const char *stage,
                       MlirOperation module) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  if (!file)
    return;
  mlirOperationPrint(module, append, file);
  fputc('\n', file);
  if (!fclose(file))
    xlaRunStagesShow(stage, ".mlir", text, size, stages);
  free(text);
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

void xlaRunStagesAddRow(XlaRunStages *stages, const char *name, double number,
                        const char *unit) {
  if (stages->nRows == MAX_ROWS)
    return;
  Row *row = &stages->rows[stages->nRows++];
  snprintf(row->name, sizeof row->name, "%s", name);
  row->number = number;
  row->unit = unit;
}

void xlaRunStagesRecord(const char *stage, MlirOperation module,
                        void *userData) {
  XlaRunStages *stages = userData;
  xlaRunStagesAddRow(stages, stage, 1e3 * (xlaRunNow() - stages->last), "ms");
  if (xlaRunStagesAreSeen(stages))
    showModule(stages, stage, module);
  stages->last = xlaRunNow();
}

static XlaToolCode unknownStage(const XlaRunStages *stages, const char *name) {
  char known[1024] = "";
  size_t length = 0;
  for (int i = 0; i < stages->nShown && length + 64 < sizeof known; ++i)
    length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                               i ? ", " : "", stages->shown[i]);
  return xlaToolError(XlaToolCodeWrong,
                      "there was no stage \"%.60s\"; there were: %s", name,
                      known);
}

static void printRow(const char *name, double number, const char *unit) {
  fprintf(stderr, "%-32s %14.*f %s\n", name, strcmp(unit, "ms") ? 0 : 3, number,
          unit);
}

static void printStats(const XlaRunStages *stages) {
  struct rusage usage;
  for (int i = 0; i < stages->nRows; ++i)
    printRow(stages->rows[i].name, stages->rows[i].number,
             stages->rows[i].unit);
  printRow("total", 1e3 * (xlaRunNow() - stages->first), "ms");
  if (!getrusage(RUSAGE_SELF, &usage))
    printRow("peak memory", 1024 * (double)usage.ru_maxrss, "bytes");
}

XlaToolCode xlaRunStagesFinish(XlaRunStages *stages, bool failed) {
  const XlaToolValues *after = &stages->options->printAfter;
  if (stages->options->stats)
    printStats(stages);
  for (int i = 0; i < after->count && !failed; ++i) {
    int at = 0;
    while (at < stages->nShown &&
           strcmp(stages->shown[at], after->items[i]) != 0)
      ++at;
    if (at == stages->nShown)
      return unknownStage(stages, after->items[i]);
  }
  return stages->failed ? XlaToolCodeWrong : XlaToolCodeOk;
}

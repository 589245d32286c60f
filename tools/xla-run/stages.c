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

/// Further rows and stages are left out.
#define MAX_ROWS 200
#define MAX_STAGES 40

typedef struct Row {
  char name[48];
  double number;
  const char *unit;
} Row;

struct XlaRunStages {
  const XlaRunOptions *options;
  double last, first;
  const char *device; ///< NULL: none yet
  bool quiet;
  const void *reported; ///< the last program that was
  int nRows, nShown;
  int nDumped;
  Row rows[MAX_ROWS];
  char shown[MAX_STAGES][48]; ///< names of stages, each once
  bool failed;
};

XlaRunStages *xlaRunStagesCreate(const XlaRunOptions *options) {
  XlaRunStages *stages = calloc(1, sizeof *stages);
  if (!stages)
    return NULL;
  stages->options = options;
  stages->first = stages->last = xlaToolNow();
  return stages;
}

void xlaRunStagesDestroy(XlaRunStages *stages) { free(stages); }

void xlaRunStagesSetDevice(XlaRunStages *stages, const char *device) {
  stages->device = device;
  stages->reported = NULL;
}

void xlaRunStagesSetQuiet(XlaRunStages *stages, bool quiet) {
  stages->quiet = quiet;
}

XlaFusionReport xlaRunStagesTakeReport(XlaRunStages *stages,
                                       const void *program) {
  if (stages->quiet || stages->reported == program)
    return XlaFusionReportNone;
  stages->reported = program;
  return stages->options->report;
}

bool xlaRunStagesAreSeen(const XlaRunStages *stages) {
  return !stages->quiet &&
         (stages->options->dump || stages->options->printAfter.count);
}

//===----------------------------------------------------------------------===//
// Programs after stages
//===----------------------------------------------------------------------===//

static void fail(XlaRunStages *stages, const char *path) {
  xlaToolError(XlaToolCodeWrong, "%s: %s", path, strerror(errno));
  stages->failed = true;
}

/// The folder for what happens now: DIR, or DIR/DEVICE. Made if need be.
static bool makeFolder(XlaRunStages *stages, char path[2048]) {
  int length = snprintf(path, 2048, "%s", stages->options->dump);
  bool made = !mkdir(path, 0777) || errno == EEXIST;
  if (made && stages->device && length < 2048) {
    snprintf(path + length, 2048 - (size_t)length, "/%s", stages->device);
    made = !mkdir(path, 0777) || errno == EEXIST;
  }
  if (!made)
    fail(stages, path);
  return made;
}

/// Writes FOLDER/NN-stage.suffix, with what a file's name cannot have replaced.
static void dump(XlaRunStages *stages, const char *stage, const char *suffix,
                 const char *data, size_t size) {
  char folder[2048], path[2200], word[48];
  if (!makeFolder(stages, folder))
    return;
  snprintf(word, sizeof word, "%s", stage);
  for (char *c = word; *c; ++c)
    if (*c == '/' || *c == ' ')
      *c = '-';
  snprintf(path, sizeof path, "%s/%02d-%s%s", folder, stages->nDumped++, word,
           suffix);
  FILE *file = fopen(path, "wb");
  bool written = file && fwrite(data, 1, size, file) == size;
  if (file && fclose(file))
    written = false;
  if (!written)
    fail(stages, path);
}

static void print(const XlaRunStages *stages, const char *stage,
                  const char *data, size_t size) {
  const char *device = stages->device;
  fprintf(stderr, "// after %s%s%s\n", stage, device ? " for " : "",
          device ? device : "");
  if (memchr(data, 0, size))
    fprintf(stderr, "// %zu bytes that are no text; --dump writes them", size);
  else
    fwrite(data, 1, size, stderr);
  fputc('\n', stderr);
}

static bool isShown(const XlaRunStages *stages, const char *stage) {
  for (int i = 0; i < stages->nShown; ++i)
    if (!strcmp(stages->shown[i], stage))
      return true;
  return false;
}

void xlaRunStagesShow(const char *stage, const char *suffix, const char *data,
                      size_t size, void *userData) {
  XlaRunStages *stages = userData;
  const XlaToolValues *after = &stages->options->printAfter;
  if (stages->quiet)
    return;
  for (int i = 0; i < after->count; ++i)
    if (!strcmp(after->items[i], stage))
      print(stages, stage, data, size);
  // After an error the folder is not tried again.
  if (stages->options->dump && !stages->failed)
    dump(stages, stage, suffix, data, size);
  if (stages->nShown < MAX_STAGES && !isShown(stages, stage))
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
  if (stages->quiet || stages->nRows == MAX_ROWS)
    return;
  Row *row = &stages->rows[stages->nRows++];
  snprintf(row->name, sizeof row->name, "%s", name);
  row->number = number;
  row->unit = unit;
}

void xlaRunStagesRecord(const char *stage, MlirOperation module,
                        void *userData) {
  XlaRunStages *stages = userData;
  xlaRunStagesAddRow(stages, stage, 1e3 * (xlaToolNow() - stages->last), "ms");
  if (xlaRunStagesAreSeen(stages))
    showModule(stages, stage, module);
  stages->last = xlaToolNow();
}

static XlaToolCode missingStage(const XlaRunStages *stages, const char *name) {
  char known[1024] = "";
  size_t length = 0;
  for (int i = 0; i < stages->nShown && length + 64 < sizeof known; ++i)
    length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                               i ? ", " : "", stages->shown[i]);
  return xlaToolError(XlaToolCodeWrong,
                      "the program had no stage \"%.60s\", only: %s", name,
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
  printRow("total", 1e3 * (xlaToolNow() - stages->first), "ms");
  if (!getrusage(RUSAGE_SELF, &usage))
    printRow("peak memory", 1024 * (double)usage.ru_maxrss, "bytes");
}

XlaToolCode xlaRunStagesFinish(XlaRunStages *stages, bool failed) {
  const XlaToolValues *after = &stages->options->printAfter;
  if (stages->options->stats)
    printStats(stages);
  for (int i = 0; i < after->count && !failed; ++i)
    if (!isShown(stages, after->items[i]))
      return missingStage(stages, after->items[i]);
  return stages->failed ? XlaToolCodeWrong : XlaToolCodeOk;
}

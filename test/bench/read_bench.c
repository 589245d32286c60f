//===- read_bench.c - Speed of reading programs ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// read_bench [-n RUNS] [-c] FILE..: a line for each file, whose form its
// content tells: bytes, operations, and the least seconds of RUNS (3 without)
// that reading took, verifying what was read, and copying it by
// mlirOperationClone; and the megabytes in use at most, and those without a
// program. The copy is what MLIR takes to make as many operations, without
// reading anything. -c copies large constants, which refer to the file's bytes
// otherwise.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/formats/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Run {
  MlirStringRef name, bytes;
  XlaModuleFormat format;
  long operations;
  double read, verify, clone;
  bool copies, isRead;
} Run;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void least(double *time, double since) {
  double taken = now() - since;
  if (*time == 0 || taken < *time)
    *time = taken;
}

static MlirWalkResult count(MlirOperation op, void *userData) {
  long *n = userData;
  (void)op;
  ++*n;
  return MlirWalkResultAdvance;
}

/// In a context of its own: one that has read it before knows all attributes.
static void readOnce(void *data) {
  Run *run = data;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  xlaModuleDialectsRegister(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextSetAllowUnregisteredDialects(context, true);
  MlirModule module;
  double start = now();
  XlaModuleReadOptions options = {.refersToBytes = !run->copies};
  run->isRead = xlaModuleReadWith(context, run->bytes, run->name, run->format,
                                  &options, &module) == XlaImportResultOk;
  least(&run->read, start);
  if (run->isRead) {
    MlirOperation top = mlirModuleGetOperation(module);
    run->operations = 0;
    mlirOperationWalk(top, count, &run->operations, MlirWalkPreOrder);
    start = now();
    run->isRead = mlirOperationVerify(top);
    least(&run->verify, start);
    start = now();
    MlirOperation copy = mlirOperationClone(top);
    least(&run->clone, start);
    mlirOperationDestroy(copy);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
}

/// With a 0 behind them, as MLIR's lexer wants it.
static char *readFile(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *bytes = NULL;
  if (!file)
    return NULL;
  long end = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
  if (end >= 0 && !fseek(file, 0, SEEK_SET)) {
    *size = (size_t)end;
    bytes = malloc(*size + 1);
  }
  if (bytes && fread(bytes, 1, *size, file) != *size) {
    free(bytes);
    bytes = NULL;
  }
  if (bytes)
    bytes[*size] = '\0';
  fclose(file);
  return bytes;
}

/// The most kilobytes that were in use; getrusage has what the parent had, too.
static long peakMemory(void) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[200];
  long peak = 0;
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "VmHWM: %ld", &peak) == 1)
      break;
  if (file)
    fclose(file);
  return peak;
}

/// What reading takes without a program: libraries, dialects.
static long baseMemory(void) {
  Run run = {.name = mlirStringRefCreateFromCString("empty"),
             .bytes = mlirStringRefCreateFromCString("module {}\n"),
             .format = XlaModuleFormatMlirText};
  mlirExtRunOnStack(XLA_STACK_BYTES, readOnce, &run);
  return peakMemory();
}

static bool bench(const char *path, int runs, bool copies) {
  size_t size;
  long base = baseMemory();
  char *bytes = readFile(path, &size);
  if (!bytes) {
    fprintf(stderr, "%s cannot be read\n", path);
    return false;
  }
  Run run = {.name = mlirStringRefCreateFromCString(path),
             .bytes = mlirStringRefCreate(bytes, size),
             .copies = copies};
  run.format = xlaModuleDetectFormat(run.bytes);
  run.isRead = true;
  for (int i = 0; i < runs && run.isRead; ++i)
    run.isRead =
        mlirExtRunOnStack(XLA_STACK_BYTES, readOnce, &run) && run.isRead;
  free(bytes);
  if (run.isRead)
    printf("%s: %zu bytes, %ld operations, read %.4f s, %.1f MB/s, verified "
           "%.4f s, copied %.4f s, %ld MB, %ld without it\n",
           path, size, run.operations, run.read, 1e-6 * (double)size / run.read,
           run.verify, run.clone, peakMemory() / 1024, base / 1024);
  return run.isRead;
}

int main(int argc, char **argv) {
  int first = 1, runs = 3;
  bool copies = false;
  if (argc > 2 && !strcmp(argv[1], "-n")) {
    runs = atoi(argv[2]);
    first = 3;
  }
  if (argc > first && !strcmp(argv[first], "-c")) {
    copies = true;
    ++first;
  }
  bool areRead = first < argc;
  for (int i = first; i < argc; ++i)
    areRead &= bench(argv[i], runs, copies);
  return areRead ? EXIT_SUCCESS : EXIT_FAILURE;
}

//===- peaks.c - The machine's limits -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/codegen.h"
#include "xlac/tools/xla-bench/bench.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Of one array; beyond any cache, together with the other.
#define COPY_BYTES ((size_t)256 << 20)
#define REPETITIONS 7
#define MAX_THREADS 256
/// Independent sums: enough for two units with a latency of 4 to 5 cycles.
#define SUMS 12

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// A part of the work, which each thread does REPETITIONS times.
typedef struct Part {
  void (*work)(const struct Part *part);
  pthread_barrier_t *barrier;
  int index, count;
  char *to, *from;                           // copy
  void (*multiply)(intptr_t n, float *sums); // multiply-add
  intptr_t n;
  double best; // seconds, in part 0
} Part;

static void *runPart(void *user) {
  Part *part = user;
  part->best = 1e30;
  for (int i = 0; i < REPETITIONS; ++i) {
    pthread_barrier_wait(part->barrier);
    double begin = xlaToolNow();
    part->work(part);
    pthread_barrier_wait(part->barrier);
    double seconds = xlaToolNow() - begin;
    if (seconds < part->best)
      part->best = seconds;
  }
  return NULL;
}

/// Seconds of the fastest repetition; 0 if threads cannot be started.
static double runOnThreads(const Part *model, int threads) {
  pthread_t ids[MAX_THREADS];
  Part parts[MAX_THREADS];
  pthread_barrier_t barrier;
  if (pthread_barrier_init(&barrier, NULL, (unsigned)threads))
    return 0;
  int started = 0;
  for (int i = threads - 1; i >= 0; --i) {
    parts[i] = *model;
    parts[i].barrier = &barrier;
    parts[i].index = i;
    parts[i].count = threads;
    if (i == 0)
      runPart(&parts[0]);
    else if (pthread_create(&ids[i], NULL, runPart, &parts[i]))
      break; // the others would wait for ever
    else
      ++started;
  }
  if (started != threads - 1)
    return 0;
  for (int i = 1; i < threads; ++i)
    pthread_join(ids[i], NULL);
  pthread_barrier_destroy(&barrier);
  return parts[0].best;
}

//===----------------------------------------------------------------------===//
// Copying
//===----------------------------------------------------------------------===//

static void copyPart(const Part *part) {
  size_t size = COPY_BYTES / (size_t)part->count / 64 * 64;
  size_t offset = size * (size_t)part->index;
  memcpy(part->to + offset, part->from + offset, size);
}

/// memcpy of large blocks writes past the caches, so nothing is read that is
/// then overwritten.
static double measureCopy(int threads) {
  char *to = malloc(COPY_BYTES), *from = malloc(COPY_BYTES);
  double seconds = 0;
  if (to && from) {
    memset(from, 1, COPY_BYTES);
    memset(to, 2, COPY_BYTES);
    Part part = {.work = copyPart, .to = to, .from = from};
    seconds = runOnThreads(&part, threads);
  }
  free(to);
  free(from);
  return seconds > 0 ? 2e-9 * (double)COPY_BYTES / seconds : 0;
}

//===----------------------------------------------------------------------===//
// Multiply-adds
//===----------------------------------------------------------------------===//

static void multiplyPart(const Part *part) {
  float sums[SUMS * 16] __attribute__((aligned(64))) = {0};
  part->multiply(part->n, sums);
}

/// A loop over fused multiply-adds of `lanes` f32, as text.
static void writeMultiply(char *text, size_t size, int lanes) {
  FILE *file = fmemopen(text, size, "w");
  if (!file)
    return;
  fprintf(file,
          "func.func @multiply(%%n: index, %%m: memref<%dxf32>) {\n"
          "  %%c0 = arith.constant 0 : index\n"
          "  %%c1 = arith.constant 1 : index\n"
          "  %%x = vector.load %%m[%%c0] : memref<%dxf32>, vector<%dxf32>\n"
          "  %%r:%d = scf.for %%i = %%c0 to %%n step %%c1 iter_args(",
          SUMS * lanes, SUMS * lanes, lanes, SUMS);
  for (int i = 0; i < SUMS; ++i)
    fprintf(file, "%s%%s%d = %%x", i ? ", " : "", i);
  fprintf(file, ") -> (");
  for (int i = 0; i < SUMS; ++i)
    fprintf(file, "%svector<%dxf32>", i ? ", " : "", lanes);
  fprintf(file, ") {\n");
  for (int i = 0; i < SUMS; ++i)
    fprintf(file, "    %%t%d = vector.fma %%s%d, %%x, %%x : vector<%dxf32>\n",
            i, i, lanes);
  fprintf(file, "    scf.yield ");
  for (int i = 0; i < SUMS; ++i)
    fprintf(file, "%s%%t%d", i ? ", " : "", i);
  fprintf(file, " : ");
  for (int i = 0; i < SUMS; ++i)
    fprintf(file, "%svector<%dxf32>", i ? ", " : "", lanes);
  fprintf(file, "\n  }\n");
  for (int i = 0; i < SUMS; ++i)
    fprintf(file,
            "  %%p%d = arith.constant %d : index\n"
            "  vector.store %%r#%d, %%m[%%p%d] : memref<%dxf32>, "
            "vector<%dxf32>\n",
            i, i * lanes, i, i, SUMS * lanes, lanes);
  fprintf(file, "  return\n}\n");
  fclose(file);
}

static XlaToolCode measureMultiply(MlirContext context,
                                   const XlaCpuTarget *target, int threads,
                                   double *gflops) {
  char text[8192] = "";
  int lanes = target->vectorBits / 32;
  if (lanes > 16 || !target->hasFma) {
    *gflops = 0;
    return XlaToolCodeOk;
  }
  writeMultiply(text, sizeof text, lanes);
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  XlaCpuCode *code = NULL;
  if (mlirModuleIsNull(module))
    return xlaToolError(XlaToolCodeFailed, "--peaks: internal error");
  MlirLogicalResult result =
      xlaCpuCompileModule(module, target, NULL, NULL, &code);
  mlirModuleDestroy(module);
  if (mlirLogicalResultIsFailure(result))
    return XlaToolCodeFailed;
  Part part = {.work = multiplyPart,
               .multiply = (void (*)(intptr_t, float *))xlaCpuCodeLookup(
                   code, "multiply"),
               .n = 4000000};
  double seconds = part.multiply ? runOnThreads(&part, threads) : 0;
  *gflops = seconds > 0
                ? 2e-9 * SUMS * lanes * (double)part.n * threads / seconds
                : 0;
  xlaCpuCodeDestroy(code);
  return XlaToolCodeOk;
}

XlaToolCode xlaBenchMeasurePeaks(MlirContext context,
                                 const XlaCpuTarget *target,
                                 XlaBenchPeaks *peaks) {
  peaks->threads =
      target->threads < MAX_THREADS ? target->threads : MAX_THREADS;
  peaks->copyGBs = measureCopy(peaks->threads);
  return measureMultiply(context, target, peaks->threads, &peaks->fmaGFlops);
}

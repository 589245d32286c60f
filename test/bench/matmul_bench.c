//===- matmul_bench.c - Speed and compile time of matrix products ---------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// matmul_bench [MxNxK[t][:type]]..: GFLOP/s (the best of many runs) and the
// time from IR to machine code, on one thread and on two. `t` reads the rhs as
// [n, k]. With OPENBLAS=libopenblas.so.0 in the environment, that library's
// sgemm runs beside it (set OPENBLAS_CORETYPE=SkylakeX on new AMD processors).
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/matmul.h"
#include "xlac/test/lowering/cpu/cpu_fixture.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Shape {
  long long m, n, k;
  bool transposed;
  char type[8];
} Shape;

typedef void (*Function)(void *, void *, void *, void *);
typedef void (*Sgemm)(int, int, int, int, int, int, float, const float *, int,
                      const float *, int, float, float *, int);

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void *aligned(size_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  void *data = aligned_alloc(64, bytes ? bytes : 64);
  if (!data)
    abort();
  memset(data, 0, bytes);
  return data;
}

static void describe(CpuFixture *fixture, const Shape *s, XlaCpuMatmul *op) {
  char lhs[64], rhs[64], result[64];
  const char *sum = !strcmp(s->type, "f64") ? "f64" : "f32";
  snprintf(lhs, sizeof lhs, "memref<%lldx%lldx%s>", s->m, s->k, s->type);
  snprintf(rhs, sizeof rhs, "memref<%lldx%lldx%s>", s->transposed ? s->n : s->k,
           s->transposed ? s->k : s->n, s->type);
  snprintf(result, sizeof result, "memref<%lldx%lldx%s>", s->m, s->n, sum);
  XlaContraction contraction = {
      .batch = {0, 1, {{0}}},
      .rows = {1, s->m, {{s->m, s->k, 0, s->n, {0}}}},
      .columns = {1, s->n, {{s->n, 0, s->transposed ? s->k : 1, 1, {0}}}},
      .terms = {1, s->k, {{s->k, 1, s->transposed ? 1 : s->n, 0, {0}}}}};
  if (!xlaCpuMatmulInit(op, &contraction, xlaIrParseType(fixture->context, lhs),
                        xlaIrParseType(fixture->context, rhs),
                        xlaIrParseType(fixture->context, result))) {
    fputs("no product of matrices for the CPU\n", stderr);
    exit(1);
  }
}

/// DUMP=DIRECTORY keeps the stages of the last product.
static void dump(XlaCpuStage stage, const char *data, size_t size, void *user) {
  char path[512];
  snprintf(path, sizeof path, "%s/matmul.%s%s", getenv("DUMP"),
           xlaCpuStageName(stage), xlaCpuStageSuffix(stage));
  FILE *file = fopen(path, "w");
  if (!file)
    return;
  fwrite(data, 1, size, file);
  fclose(file);
}

static XlaCpuCode *compile(CpuFixture *fixture, const XlaCpuMatmul *op,
                           XlaCpuCodegenStats *stats, double *milliseconds) {
  MlirLocation location = mlirLocationUnknownGet(fixture->context);
  double start = now();
  MlirModule module = mlirModuleCreateEmpty(location);
  MlirBlock body = mlirModuleGetBody(module);
  xlaCpuMatmulEmit(op, fixture->target, body, location, "matmul");
  // The product's function is the last one.
  for (MlirOperation f = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(f); f = mlirOperationGetNextInBlock(f))
    if (mlirOperationIsNull(mlirOperationGetNextInBlock(f)))
      mlirOperationRemoveAttributeByName(
          f, mlirStringRefCreateFromCString("sym_visibility"));
  XlaCpuCode *code;
  XlaCpuCodegenOptions options = {.observed = ~0u,
                                  .observe = getenv("DUMP") ? dump : NULL};
  MlirLogicalResult result =
      xlaCpuCompileModule(module, fixture->target, &options, stats, &code);
  if (mlirLogicalResultIsFailure(result)) {
    fprintf(stderr, "%s\n", fixture->error);
    exit(1);
  }
  *milliseconds = (now() - start) * 1e3;
  mlirModuleDestroy(module);
  return code;
}

typedef struct Run {
  Function function;
  Sgemm sgemm;
  const Shape *shape;
  void *lhs, *rhs, *result, *scratch;
} Run;

static void call(const Run *run) {
  const Shape *s = run->shape;
  if (run->sgemm)
    run->sgemm(101, 111, s->transposed ? 112 : 111, (int)s->m, (int)s->n,
               (int)s->k, 1, run->lhs, (int)s->k, run->rhs,
               (int)(s->transposed ? s->k : s->n), 0, run->result, (int)s->n);
  else
    run->function(run->lhs, run->rhs, run->result, run->scratch);
}

/// Seconds of one call: the best of batches of at least 50 us, for half a
/// second.
static double best(const Run *run) {
  call(run);
  double start = now(), least = INFINITY;
  int repeat = 1;
  while (now() - start < 0.5) {
    double begin = now();
    for (int i = 0; i < repeat; ++i)
      call(run);
    double one = (now() - begin) / repeat;
    least = one < least ? one : least;
    if (one * repeat < 50e-6)
      repeat *= 2;
  }
  return least;
}

static void measure(const Shape *s, int threads) {
  CpuFixture fixture;
  cpuFixtureInit(&fixture, &(XlaCpuTargetOptions){.threads = threads});
  XlaCpuMatmul op;
  describe(&fixture, s, &op);
  XlaCpuCodegenStats stats, fastest = {0};
  double milliseconds = INFINITY;
  XlaCpuCode *code = NULL;
  for (int i = 0; i < 8; ++i) {
    double time;
    xlaCpuCodeDestroy(code);
    code = compile(&fixture, &op, &stats, &time);
    if (time < milliseconds) {
      milliseconds = time;
      fastest = stats;
    }
  }
  Run run = {.function = (Function)xlaCpuCodeLookup(code, "matmul"),
             .shape = s,
             .lhs = aligned((size_t)(s->m * s->k) * 8),
             .rhs = aligned((size_t)(s->k * s->n) * 8),
             .result = aligned((size_t)(s->m * s->n) * 8),
             .scratch = aligned(
                 (size_t)xlaCpuMatmulScratchBytes(&op, fixture.target))};
  double flops = 2. * (double)s->m * (double)s->n * (double)s->k;
  printf("%5lldx%lldx%lld%s %s, %d threads: %7.1f GFLOP/s", s->m, s->n, s->k,
         s->transposed ? "t" : "", s->type,
         xlaCpuMatmulThreads(&op, fixture.target), flops / best(&run) * 1e-9);
  const char *library = getenv("OPENBLAS");
  void *blas = library ? dlopen(library, RTLD_NOW) : NULL;
  if (blas && !strcmp(s->type, "f32")) {
    void (*setThreads)(int) =
        (void (*)(int))dlsym(blas, "openblas_set_num_threads");
    setThreads(threads);
    run.sgemm = (Sgemm)dlsym(blas, "cblas_sgemm");
    printf(", OpenBLAS %7.1f", flops / best(&run) * 1e-9);
  }
  printf("; compiled in %.1f ms (mlir %.1f, translate %.1f, optimize %.1f, "
         "codegen %.1f, link %.1f; %zu bytes)\n",
         milliseconds, fastest.mathMs + fastest.mlirMs, fastest.translateMs,
         fastest.optimizeMs, fastest.codegenMs, fastest.linkMs,
         fastest.objectBytes);
  free(run.lhs);
  free(run.rhs);
  free(run.result);
  free(run.scratch);
  xlaCpuCodeDestroy(code);
  cpuFixtureDestroy(&fixture);
}

static bool parse(const char *text, Shape *shape) {
  int end = 0;
  memset(shape, 0, sizeof *shape);
  strcpy(shape->type, "f32");
  if (sscanf(text, "%lldx%lldx%lld%n", &shape->m, &shape->n, &shape->k, &end) <
      3)
    return false;
  if (text[end] == 't') {
    shape->transposed = true;
    ++end;
  }
  return !text[end] || sscanf(text + end, ":%7s", shape->type) == 1;
}

int main(int argc, char **argv) {
  static const char *const usual[] = {
      "32x32x32",       "128x128x128",    "256x256x256", "1024x1024x1024",
      "2048x2048x2048", "1000x777x513",   "1x4096x4096", "1x4096x4096t",
      "4096x1x4096",    "1024x1024x1024t"};
  int count = argc > 1 ? argc - 1 : (int)(sizeof usual / sizeof *usual);
  for (int threads = 1; threads <= 2; ++threads)
    for (int i = 0; i < count; ++i) {
      Shape shape;
      const char *text = argc > 1 ? argv[1 + i] : usual[i];
      if (!parse(text, &shape)) {
        fprintf(stderr, "not a shape: %s\n", text);
        return 1;
      }
      measure(&shape, threads);
    }
  return 0;
}

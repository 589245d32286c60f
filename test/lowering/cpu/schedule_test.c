//===- schedule_test.c - Scheduled kernels against plain loops ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels are written as text from a description (sizes, iterators, maps,
// element type, op), scheduled, compiled and run; a loop over the description
// gives the expected values. Inputs are small integers, so that every type
// holds every result exactly and any order of a sum gives the same.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/cpu/cpu_fixture.h"
#include "xlac/test/support/unit.h"

#include "xlac/lowering/cpu/schedule/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MaxRank = 6, MaxIns = 3, Guard = 64, BatchSize = 32 };

typedef enum Type { I8, I16, I32, I64, F16, BF16, F32, F64, TypeCount } Type;
static const char *const typeNames[] = {"i8",  "i16",  "i32", "i64",
                                        "f16", "bf16", "f32", "f64"};
static const size_t typeSizes[] = {1, 2, 4, 8, 2, 2, 4, 8};

static bool isFloat(Type type) { return type >= F16; }

static double get(Type type, const void *p, size_t i) {
  switch (type) {
  case I8:
    return ((const int8_t *)p)[i];
  case I16:
    return ((const int16_t *)p)[i];
  case I32:
    return ((const int32_t *)p)[i];
  case I64:
    return (double)((const int64_t *)p)[i];
  case F16:
    return (double)((const _Float16 *)p)[i];
  case BF16: {
    uint32_t bits = (uint32_t)((const uint16_t *)p)[i] << 16;
    float value;
    memcpy(&value, &bits, 4);
    return value;
  }
  case F32:
    return ((const float *)p)[i];
  case F64:
    return ((const double *)p)[i];
  case TypeCount:
    break;
  }
  return 0;
}

static void set(Type type, void *p, size_t i, double v) {
  switch (type) {
  case I8:
    ((int8_t *)p)[i] = (int8_t)v;
    return;
  case I16:
    ((int16_t *)p)[i] = (int16_t)v;
    return;
  case I32:
    ((int32_t *)p)[i] = (int32_t)v;
    return;
  case I64:
    ((int64_t *)p)[i] = (int64_t)v;
    return;
  case F16:
    ((_Float16 *)p)[i] = (_Float16)v;
    return;
  case BF16: {
    float value = (float)v; // exact: small integers
    uint32_t bits;
    memcpy(&bits, &value, 4);
    ((uint16_t *)p)[i] = (uint16_t)(bits >> 16);
    return;
  }
  case F32:
    ((float *)p)[i] = (float)v;
    return;
  case F64:
    ((double *)p)[i] = v;
    return;
  case TypeCount:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

typedef enum Op { Add, Sub, Max, DivIndex, Compare, OpCount } Op;

/// Dimensions of an operand, as positions in the iteration space.
typedef struct Map {
  int rank, dims[MaxRank];
} Map;

typedef struct Kernel {
  int rank, nIns;
  int64_t sizes[MaxRank];
  bool reduced[MaxRank];
  Map ins[MaxIns], out;
  Type type, outType;
  Op op;
  /// Inputs are subviews, `pad` elements into each dimension and with `step`
  /// between elements. pad 0: no subview.
  int64_t pad, step;
} Kernel;

/// Size of dimension `d` of the buffer that an input is a view of.
static int64_t parentSize(const Kernel *k, int d) {
  return k->pad ? k->sizes[d] * k->step + 2 * k->pad : k->sizes[d];
}

static int64_t volume(const Kernel *k, const Map *map) {
  int64_t n = 1;
  for (int i = 0; i < map->rank; ++i)
    n *= k->sizes[map->dims[i]];
  return n;
}

static int64_t paddedVolume(const Kernel *k, const Map *map) {
  int64_t n = 1;
  for (int i = 0; i < map->rank; ++i)
    n *= parentSize(k, map->dims[i]);
  return n;
}

static bool reduces(const Kernel *k) {
  for (int d = 0; d < k->rank; ++d)
    if (k->reduced[d])
      return true;
  return false;
}

typedef struct Text {
  char *data;
  size_t size, capacity;
} Text;

static void put(Text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void put(Text *text, const char *format, ...) {
  va_list args;
  if (text->capacity - text->size < 4096) {
    text->capacity = 2 * text->capacity + 8192;
    text->data = realloc(text->data, text->capacity);
    assert_non_null(text->data);
  }
  va_start(args, format);
  text->size += (size_t)vsnprintf(text->data + text->size,
                                  text->capacity - text->size, format, args);
  va_end(args);
}

static void putMap(Text *text, const Kernel *k, const Map *map) {
  put(text, "affine_map<(");
  for (int d = 0; d < k->rank; ++d)
    put(text, "%sd%d", d ? "," : "", d);
  put(text, ")->(");
  for (int i = 0; i < map->rank; ++i)
    put(text, "%sd%d", i ? "," : "", map->dims[i]);
  put(text, ")>");
}

static void putShape(Text *text, const Kernel *k, const Map *map, bool parent,
                     Type type) {
  for (int i = 0; i < map->rank; ++i)
    put(text, "%ldx",
        (long)(parent ? parentSize(k, map->dims[i]) : k->sizes[map->dims[i]]));
  put(text, "%s", typeNames[type]);
}

static void putViewType(Text *text, const Kernel *k, const Map *map,
                        Type type) {
  int64_t strides[MaxRank], stride = 1, offset = 0;
  for (int i = map->rank; i-- > 0;) {
    strides[i] = stride * k->step;
    offset += k->pad * stride;
    stride *= parentSize(k, map->dims[i]);
  }
  put(text, "memref<");
  putShape(text, k, map, false, type);
  if (k->pad && map->rank) {
    put(text, ", strided<[");
    for (int i = 0; i < map->rank; ++i)
      put(text, "%s%ld", i ? "," : "", (long)strides[i]);
    put(text, "], offset: %ld>", (long)offset);
  }
  put(text, ">");
}

static void putList(Text *text, int n, const char *before, int64_t value,
                    const Kernel *k, const Map *map) {
  put(text, "%s[", before);
  for (int i = 0; i < n; ++i)
    put(text, "%s%ld", i ? "," : "",
        (long)(map ? k->sizes[map->dims[i]] : value));
  put(text, "]");
}

/// %r = op(%x0, %x1 ..) of type k->type, then to outType. Small floats compute
/// in f32.
static void putBody(Text *text, const Kernel *k, bool reduce) {
  bool isSmall = k->type == F16 || k->type == BF16;
  bool narrows = isSmall && k->op != Compare;
  const char *t = isSmall ? "f32" : typeNames[k->type];
  const char *a = isSmall ? "%w0" : "%x0", *result = narrows ? "%s" : "%r";
  const char *b = reduce        ? isSmall ? "%wo" : "%o"
                  : k->nIns > 1 ? isSmall ? "%w1" : "%x1"
                                : a;
  for (int i = 0; isSmall && i < k->nIns; ++i)
    put(text, "  %%w%d = arith.extf %%x%d : %s to f32\n", i, i,
        typeNames[k->type]);
  if (isSmall && reduce)
    put(text, "  %%wo = arith.extf %%o : %s to f32\n", typeNames[k->type]);
  if (k->op == Compare)
    put(text,
        "  %%c = arith.%s, %s, %s : %s\n"
        "  %%r = arith.extui %%c : i1 to i8\n",
        isFloat(k->type) ? "cmpf olt" : "cmpi slt", a, b, t);
  else if (k->op == DivIndex)
    // Traps on a lane that the program does not have.
    put(text,
        "  %%i = linalg.index %d : index\n  %%one = arith.constant 1 : index\n"
        "  %%i1 = arith.addi %%i, %%one : index\n"
        "  %%i2 = arith.index_cast %%i1 : index to i64\n"
        "  %%k = arith.constant 1000 : i64\n"
        "  %%q = arith.divsi %%k, %%i2 : i64\n"
        "  %%q1 = arith.remsi %%q, %%k2 : i64\n"
        "  %%q2 = arith.trunci %%q1 : i64 to i32\n"
        "  %s = arith.%s %%q2 : i32 to %s\n",
        k->rank - 1, result,
        isFloat(k->type) ? "sitofp"
        : k->type == I32 ? "bitcast"
        : k->type == I64 ? "extsi"
                         : "trunci",
        t);
  else if (k->op == Max)
    put(text, "  %s = arith.max%s %s, %s : %s\n", result,
        isFloat(k->type) ? "imumf" : "si", a, b, t);
  else
    put(text, "  %s = arith.%s%s %s, %s : %s\n", result,
        k->op == Add ? "add" : "sub", isFloat(k->type) ? "f" : "i", a, b, t);
  if (narrows)
    put(text, "  %%r = arith.truncf %%s : f32 to %s\n", typeNames[k->type]);
  put(text, "  linalg.yield %%r : %s\n", typeNames[k->outType]);
}

static void putGeneric(Text *text, const Kernel *k) {
  bool reduce = reduces(k);
  put(text, "linalg.generic {indexing_maps = [");
  for (int i = 0; i < k->nIns; ++i) {
    putMap(text, k, &k->ins[i]);
    put(text, ",");
  }
  putMap(text, k, &k->out);
  put(text, "], iterator_types = [");
  for (int d = 0; d < k->rank; ++d)
    put(text, "%s\"%s\"", d ? "," : "",
        k->reduced[d] ? "reduction" : "parallel");
  put(text, "]} ");
  for (int i = 0; i < k->nIns; ++i)
    put(text, "%s%%%s%d", i ? "," : "ins(", k->pad ? "v" : "in", i);
  for (int i = 0; i < k->nIns; ++i) {
    put(text, i ? "," : ":");
    putViewType(text, k, &k->ins[i], k->type);
  }
  put(text, ") outs(%%out: memref<");
  putShape(text, k, &k->out, false, k->outType);
  put(text, ">) {\n^bb0(");
  for (int i = 0; i < k->nIns; ++i)
    put(text, "%%x%d: %s,", i, typeNames[k->type]);
  put(text, "%%o: %s):\n", typeNames[k->outType]);
  putBody(text, k, reduce);
  put(text, "}\n");
}

static void putKernel(Text *text, const Kernel *k, int number) {
  put(text, "func.func @k%d(", number);
  for (int i = 0; i < k->nIns; ++i) {
    put(text, "%%in%d: memref<", i);
    putShape(text, k, &k->ins[i], true, k->type);
    put(text, ">, ");
  }
  put(text, "%%out: memref<");
  putShape(text, k, &k->out, false, k->outType);
  put(text, ">) attributes {xla.kind = \"%s\"} {\n",
      reduces(k) ? "reduce" : "loop");
  put(text, "%%k2 = arith.constant 7 : i64\n");
  for (int i = 0; k->pad && i < k->nIns; ++i) {
    put(text, "%%v%d = memref.subview %%in%d", i, i);
    putList(text, k->ins[i].rank, "", k->pad, k, NULL);
    putList(text, k->ins[i].rank, "", 0, k, &k->ins[i]);
    putList(text, k->ins[i].rank, "", k->step, k, NULL);
    put(text, " : memref<");
    putShape(text, k, &k->ins[i], true, k->type);
    put(text, "> to ");
    putViewType(text, k, &k->ins[i], k->type);
    put(text, "\n");
  }
  if (reduces(k)) {
    const char *t = typeNames[k->outType];
    put(text, "%%init = arith.constant %s : %s\n",
        isFloat(k->outType) ? "-3.0" : "-3", t);
    put(text, "linalg.fill ins(%%init: %s) outs(%%out: memref<", t);
    putShape(text, k, &k->out, false, k->outType);
    put(text, ">)\n");
  }
  putGeneric(text, k);
  put(text, "return\n}\n");
}

//===----------------------------------------------------------------------===//
// Expected values
//===----------------------------------------------------------------------===//

static size_t offsetOf(const Kernel *k, const Map *map, const int64_t *at,
                       bool parent) {
  int64_t offset = 0;
  for (int i = 0; i < map->rank; ++i) {
    int d = map->dims[i];
    offset = parent && k->pad
                 ? offset * parentSize(k, d) + at[d] * k->step + k->pad
                 : offset * k->sizes[d] + at[d];
  }
  return (size_t)offset;
}

static double apply(const Kernel *k, double a, double b, const int64_t *at) {
  switch (k->op) {
  case Add:
    return a + b;
  case Sub:
    return a - b;
  case Max:
    return a > b ? a : b;
  case DivIndex:
    return (double)(1000 / (at[k->rank - 1] + 1) % 7);
  case Compare:
    return a < b;
  case OpCount:
    break;
  }
  return 0;
}

static void expect(const Kernel *k, void *const *ins, double *out) {
  bool reduce = reduces(k);
  int64_t at[MaxRank] = {0}, points = 1;
  for (int64_t i = 0, n = volume(k, &k->out); i < n; ++i)
    out[i] = -3;
  for (int d = 0; d < k->rank; ++d)
    points *= k->sizes[d];
  for (int64_t p = 0; p < points; ++p) {
    double x[2] = {0, 0};
    for (int i = 0; i < k->nIns && i < 2; ++i)
      x[i] = get(k->type, ins[i], offsetOf(k, &k->ins[i], at, true));
    double *o = &out[offsetOf(k, &k->out, at, false)];
    *o = apply(k, x[0], reduce ? *o : k->nIns > 1 ? x[1] : x[0], at);
    for (int d = k->rank; d-- > 0;) {
      if (++at[d] < k->sizes[d])
        break;
      at[d] = 0;
    }
  }
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static uint32_t randomState = 12345;
static int randomBelow(int n) {
  randomState = randomState * 1664525u + 1013904223u;
  return (int)((randomState >> 8) % (uint32_t)n);
}

typedef void (*Fn1)(void *);
typedef void (*Fn2)(void *, void *);
typedef void (*Fn3)(void *, void *, void *);
typedef void (*Fn4)(void *, void *, void *, void *);

static void call(void *function, int n, void *const *p) {
  if (n == 1)
    ((Fn1)function)(p[0]);
  else if (n == 2)
    ((Fn2)function)(p[0], p[1]);
  else if (n == 3)
    ((Fn3)function)(p[0], p[1], p[2]);
  else
    ((Fn4)function)(p[0], p[1], p[2], p[3]);
}

static void describe(const Kernel *k, const char *what) {
  Text text = {0};
  putKernel(&text, k, 0);
  fprintf(stderr, "%s\n%s\n", what, text.data);
  free(text.data);
}

static void check(const Kernel *k, void *function) {
  void *buffers[MaxIns + 1];
  int64_t n = volume(k, &k->out);
  size_t size = typeSizes[k->outType];
  for (int i = 0; i < k->nIns; ++i) {
    int64_t elements = paddedVolume(k, &k->ins[i]);
    buffers[i] = malloc((size_t)elements * typeSizes[k->type] + 1);
    assert_non_null(buffers[i]);
    for (int64_t e = 0; e < elements; ++e)
      set(k->type, buffers[i], (size_t)e, randomBelow(3) - 1);
  }
  unsigned char *out = malloc((size_t)n * size + 2 * Guard);
  double *expected = malloc(((size_t)n + 1) * sizeof *expected);
  assert_non_null(out);
  assert_non_null(expected);
  memset(out, 0xA5, (size_t)n * size + 2 * Guard);
  buffers[k->nIns] = out + Guard;
  expect(k, buffers, expected);
  call(function, k->nIns + 1, buffers);
  for (int64_t i = 0; i < n; ++i)
    if (get(k->outType, out + Guard, (size_t)i) != expected[i]) {
      describe(k, "wrong result of");
      fail_msg("element %ld is %g, expected %g", (long)i,
               get(k->outType, out + Guard, (size_t)i), expected[i]);
    }
  for (size_t i = 0; i < Guard; ++i)
    if (out[i] != 0xA5 || out[Guard + (size_t)n * size + i] != 0xA5) {
      describe(k, "out of bounds store of");
      fail();
    }
  for (int i = 0; i < k->nIns; ++i)
    free(buffers[i]);
  free(out);
  free(expected);
}

typedef struct Batch {
  CpuFixture *fixture;
  XlaCpuScheduleOptions options;
  Kernel kernels[BatchSize];
  int count, total;
} Batch;

static XlaCpuCode *compile(CpuFixture *fixture, const char *text,
                           const XlaCpuScheduleOptions *options) {
  *fixture->error = 0;
  MlirModule module = mlirModuleCreateParse(
      fixture->context, mlirStringRefCreateFromCString(text));
  XlaCpuCode *code = NULL;
  if (mlirModuleIsNull(module))
    return NULL;
  MlirOperation op = mlirModuleGetOperation(module);
  if (mlirLogicalResultIsSuccess(xlaCpuScheduleKernels(op, options)) &&
      mlirOperationVerify(op))
    xlaCpuCompileModule(module, fixture->target, NULL, NULL, &code);
  mlirModuleDestroy(module);
  return code;
}

static void flush(Batch *batch) {
  Text text = {0};
  for (int i = 0; i < batch->count; ++i)
    putKernel(&text, &batch->kernels[i], i);
  if (!batch->count)
    return;
  XlaCpuCode *code = compile(batch->fixture, text.data, &batch->options);
  if (!code)
    fail_msg("%s in\n%s", batch->fixture->error, text.data);
  for (int i = 0; i < batch->count; ++i) {
    char name[16];
    snprintf(name, sizeof name, "k%d", i);
    check(&batch->kernels[i], xlaCpuCodeLookup(code, name));
  }
  xlaCpuCodeDestroy(code);
  free(text.data);
  batch->total += batch->count;
  batch->count = 0;
}

static void add(Batch *batch, const Kernel *kernel) {
  batch->kernels[batch->count++] = *kernel;
  if (batch->count == BatchSize)
    flush(batch);
}

static Batch *newBatch(void **state, int bits, int threads) {
  Batch *batch = calloc(1, sizeof *batch);
  assert_non_null(batch);
  batch->fixture = *state;
  batch->options = xlaCpuScheduleOptionsDefault();
  batch->options.vectorBits = bits;
  batch->options.threads = threads;
  batch->options.serialNanoseconds = 1000; // also small kernels on several
  return batch;
}

static void finish(Batch *batch) {
  flush(batch);
  assert_true(batch->total > 0);
  free(batch);
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static const int64_t lengths[] = {0, 1, 2, 3, 15, 16, 17, 33, 100, 1000};
enum { nLengths = sizeof lengths / sizeof *lengths };

static Map identity(int rank) {
  Map map = {.rank = rank};
  for (int d = 0; d < rank; ++d)
    map.dims[d] = d;
  return map;
}

static void testVectorLengths(void **state) {
  Batch *batch = newBatch(state, 512, 1);
  for (int l = 0; l < nLengths; ++l)
    for (Type type = I8; type < TypeCount; ++type)
      for (int op = Add; op < OpCount; ++op) {
        Kernel k = {.rank = 1,
                    .nIns = 2,
                    .sizes = {lengths[l]},
                    .ins = {identity(1), identity(1)},
                    .out = identity(1),
                    .type = type,
                    .outType = op == Compare ? I8 : type,
                    .op = (Op)op};
        add(batch, &k);
      }
  finish(batch);
}

/// A random projected permutation of the first `rank` dimensions.
static Map randomMap(int rank, bool whole) {
  Map map = identity(rank);
  for (int i = rank - 1; i > 0; --i) {
    int j = randomBelow(i + 1), dim = map.dims[i];
    map.dims[i] = map.dims[j];
    map.dims[j] = dim;
  }
  if (!whole)
    map.rank = randomBelow(rank + 1);
  return map;
}

static int64_t randomSize(int rank) {
  static const int64_t small[] = {1, 2, 3, 4, 5, 7, 16, 17, 33};
  if (rank <= 2) // an argument like memref<0x3xf32> cannot be passed
    return lengths[rank == 1 ? randomBelow(nLengths)
                             : 1 + randomBelow(nLengths - 1)];
  return small[randomBelow(rank <= 3 ? 9 : rank == 4 ? 6 : 4)];
}

static void randomElementwise(Batch *batch, int count) {
  for (int n = 0; n < count; ++n) {
    Kernel k = {.rank = randomBelow(MaxRank + 1), .nIns = 2};
    for (int d = 0; d < k.rank; ++d)
      k.sizes[d] = randomSize(k.rank);
    k.type = (Type)randomBelow(TypeCount);
    k.op = (Op)randomBelow(OpCount);
    if (k.op == DivIndex && k.rank == 0)
      k.op = Add;
    k.outType = k.op == Compare ? I8 : k.type;
    k.ins[0] = randomMap(k.rank, randomBelow(3) > 0);
    k.ins[1] = randomMap(k.rank, randomBelow(2) > 0);
    k.out = randomBelow(2) ? identity(k.rank) : randomMap(k.rank, true);
    k.pad = randomBelow(3) == 0;
    k.step = 1 + randomBelow(5);
    add(batch, &k);
  }
}

static void testBroadcastsAndPermutations(void **state) {
  Batch *batch = newBatch(state, 512, 1);
  randomElementwise(batch, 400);
  finish(batch);
}

static void testNarrowVectors(void **state) {
  Batch *batch = newBatch(state, 128, 1);
  randomElementwise(batch, 60);
  batch->options.vectorBits = 256;
  flush(batch);
  randomElementwise(batch, 60);
  finish(batch);
}

static void randomReductions(Batch *batch, int count) {
  for (int n = 0; n < count; ++n) {
    Kernel k = {.rank = 1 + randomBelow(5), .nIns = 1};
    for (int d = 0; d < k.rank; ++d) {
      k.sizes[d] = randomSize(k.rank);
      k.reduced[d] = randomBelow(2);
    }
    k.reduced[randomBelow(k.rank)] = true;
    k.type = k.outType = (Type)randomBelow(TypeCount);
    // Sub: x - acc has no known neutral element and is not commutative.
    k.op = (Op)randomBelow(3);
    int64_t reduced = 1;
    for (int d = 0; d < k.rank; ++d)
      reduced *= k.reduced[d] ? k.sizes[d] : 1;
    if (reduced > 1000 && (k.type == I8 || k.type == F16 || k.type == BF16))
      k.op = Max; // sums that the type may not hold
    k.ins[0] = randomMap(k.rank, true);
    Map order = randomMap(k.rank, true);
    for (int i = 0; i < k.rank; ++i)
      if (!k.reduced[order.dims[i]])
        k.out.dims[k.out.rank++] = order.dims[i];
    k.pad = randomBelow(3) == 0;
    k.step = 1 + randomBelow(5);
    add(batch, &k);
  }
}

static void testReductions(void **state) {
  Batch *batch = newBatch(state, 512, 1);
  randomReductions(batch, 600);
  finish(batch);
}

static void testReductionOfEveryDimSubset(void **state) {
  Batch *batch = newBatch(state, 512, 1);
  for (int rank = 1; rank <= 4; ++rank)
    for (int subset = 1; subset < 1 << rank; ++subset) {
      Kernel k = {.rank = rank,
                  .nIns = 1,
                  .ins = {identity(rank)},
                  .type = F32,
                  .outType = F32,
                  .op = Add};
      for (int d = 0; d < rank; ++d) {
        k.sizes[d] = rank <= 2 ? 100 + d : 5 + 12 * (d == rank - 1);
        k.reduced[d] = subset >> d & 1;
        if (!k.reduced[d])
          k.out.dims[k.out.rank++] = d;
      }
      add(batch, &k);
    }
  finish(batch);
}

static void testThreads(void **state) {
  Batch *batch = newBatch(state, 512, 3);
  static const int64_t shapes[][2] = {{100000, 1}, {100001, 1}, {1000, 130},
                                      {2, 65537},  {65537, 3},  {5, 40000}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
    for (int variant = 0; variant < 4; ++variant) {
      Kernel k = {.rank = 2,
                  .nIns = 1,
                  .ins = {identity(2)},
                  .sizes = {shapes[s][0], shapes[s][1]},
                  .out = identity(2),
                  .type = F32,
                  .outType = F32,
                  .op = Max};
      k.reduced[0] = variant & 1;
      k.reduced[1] = variant >> 1;
      k.out.rank = 0;
      for (int d = 0; d < 2; ++d)
        if (!k.reduced[d])
          k.out.dims[k.out.rank++] = d;
      if (!variant) {
        k.ins[1] = k.ins[0];
        k.ins[1].rank = 1;
        k.nIns = 2;
      }
      add(batch, &k);
    }
  finish(batch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testVectorLengths),
      cmocka_unit_test(testBroadcastsAndPermutations),
      cmocka_unit_test(testNarrowVectors),
      cmocka_unit_test(testReductions),
      cmocka_unit_test(testReductionOfEveryDimSubset),
      cmocka_unit_test(testThreads),
  };
  return cmocka_run_group_tests(tests, cpuFixtureSetUp, cpuFixtureTearDown);
}

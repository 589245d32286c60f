//===- matmul_test.c - Matrix products against a plain loop ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands, result and scratch end at a page that must not be touched, so that
// reading or writing past the end is a crash.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/matmul.h"
#include "xlac/test/lowering/cpu/cpu_fixture.h"
#include "xlac/test/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

//===----------------------------------------------------------------------===//
// Guarded memory
//===----------------------------------------------------------------------===//

typedef struct Guarded {
  char *map, *data;
  size_t mapped, size;
} Guarded;

static Guarded guarded(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t body = (size + page - 1) / page * page;
  Guarded g = {.mapped = body + page, .size = size};
  g.map = mmap(NULL, g.mapped, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(g.map != MAP_FAILED);
  assert_int_equal(mprotect(g.map + body, page, PROT_NONE), 0);
  g.data = g.map + body - size;
  return g;
}

static void release(Guarded *g) { munmap(g->map, g->mapped); }

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

typedef enum Kind { F64, F32, F16, BF16, I8, U8, I32, I64 } Kind;

static const struct {
  const char *name;
  size_t bytes;
  double epsilon; ///< of the sums: 0 is exact
} kinds[] = {[F64] = {"f64", 8, 0x1p-52}, [F32] = {"f32", 4, 0x1p-23},
             [F16] = {"f16", 2, 0x1p-23}, [BF16] = {"bf16", 2, 0x1p-23},
             [I8] = {"i8", 1, 0},         [U8] = {"i8", 1, 0},
             [I32] = {"i32", 4, 0},       [I64] = {"i64", 8, 0}};

static double get(Kind kind, const char *data, int64_t i) {
  switch (kind) {
  case F64:
    return ((const double *)data)[i];
  case F32:
    return ((const float *)data)[i];
  case F16:
    return (double)((const _Float16 *)data)[i];
  case BF16: {
    uint32_t bits = (uint32_t)((const uint16_t *)data)[i] << 16;
    float value;
    memcpy(&value, &bits, 4);
    return value;
  }
  case I8:
    return ((const int8_t *)data)[i];
  case U8:
    return ((const uint8_t *)data)[i];
  case I32:
    return ((const int32_t *)data)[i];
  case I64:
    return (double)((const int64_t *)data)[i];
  }
  return 0;
}

/// A value that `kind` holds exactly.
static void setRandom(Kind kind, char *data, int64_t i, uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  int32_t r = (int32_t)(*seed >> 40); // 24 bits
  switch (kind) {
  case F64:
    ((double *)data)[i] = r * 0x1p-23 - 1;
    return;
  case F32:
    ((float *)data)[i] = (float)(r * 0x1p-23 - 1);
    return;
  case F16:
    ((_Float16 *)data)[i] = (_Float16)((r & 1023) * 0x1p-9 - 1);
    return;
  case BF16:
    ((uint16_t *)data)[i] = (uint16_t)(0x3e00 + (r & 0x80ff));
    return;
  case I8:
  case U8:
    data[i] = (char)r;
    return;
  case I32:
    ((int32_t *)data)[i] = r % 1000 - 500;
    return;
  case I64:
    ((int64_t *)data)[i] = r - (1 << 23);
    return;
  }
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

typedef enum Layout { ROWS, COLUMNS, PADDED, STRIDED } Layout;

typedef struct Case {
  int64_t batch, m, n, k;
  Kind lhs, rhs, result;
  Layout lhsLayout, rhsLayout;
  bool epilogue;
} Case;

/// A [batch, rows, columns] operand: its type and strides.
typedef struct Operand {
  char type[160];
  int64_t stride[3], elements;
} Operand;

static Operand operand(const Case *c, int64_t rows, int64_t columns,
                       Layout layout, Kind kind) {
  Operand o;
  int64_t inner = layout == STRIDED ? 3 : 1;
  int64_t row = layout == COLUMNS ? 1
                : layout == ROWS  ? columns
                                  : columns * inner + 5;
  int64_t column = layout == COLUMNS ? rows : inner;
  o.stride[1] = row;
  o.stride[2] = column;
  o.stride[0] = layout == COLUMNS ? rows * columns : rows * row;
  o.elements = c->batch && rows && columns
                   ? (c->batch - 1) * o.stride[0] + (rows - 1) * row +
                         (columns - 1) * column + 1
                   : 0;
  snprintf(o.type, sizeof o.type,
           "memref<%lldx%lldx%lldx%s, strided<[%lld, %lld, %lld]>>",
           (long long)c->batch, (long long)rows, (long long)columns,
           kinds[kind].name, (long long)o.stride[0], (long long)row,
           (long long)column);
  return o;
}

/// 0, 1, 2, ..
static MlirValue laneNumbers(XlaIr *ir, MlirType type) {
  int64_t lanes = mlirShapedTypeGetDimSize(type, 0);
  MlirType index = mlirVectorTypeGet(1, &lanes, mlirIndexTypeGet(ir->context));
  MlirType i64 =
      mlirVectorTypeGet(1, &lanes, mlirIntegerTypeGet(ir->context, 64));
  MlirValue steps = xlaIrOp(ir, "vector.step", index, 0, NULL, 0, NULL);
  return xlaIrCast(ir, "arith.sitofp",
                   xlaIrCast(ir, "arith.index_cast", steps, i64), type);
}

/// relu(sums + bias[column] + 100 * batch + row); `user`: lanes are rows.
static MlirValue biasAndRelu(XlaIr *ir, MlirValue sums, MlirValue batch,
                             MlirValue row, MlirValue column, MlirValue valid,
                             const MlirValue *extras, void *user) {
  MlirType type = mlirValueGetType(sums);
  MlirType element = xlaIrElementType(type);
  MlirType i64 = mlirIntegerTypeGet(ir->context, 64);
  MlirValue padding = xlaIrConstantFloat(ir, element, 0);
  const int32_t segments[] = {1, 1, 1, 0};
  XlaIrAttr attrs[] = {
      {"permutation_map",
       xlaIrParseAttr(ir->context, "affine_map<(d0)->(d0)>")},
      {"in_bounds", xlaIrParseAttr(ir->context, "[false]")},
      {"operandSegmentSizes", mlirDenseI32ArrayGet(ir->context, 4, segments)}};
  MlirValue first = xlaIrConstantIndex(ir, 0);
  MlirValue bias =
      user ? xlaIrCast(ir, "vector.broadcast",
                       xlaIrLoad(ir, extras[0], 1, &first), type)
           : xlaIrOp(ir, "vector.transfer_read", type, 3,
                     (MlirValue[]){extras[0], column, padding}, 3, attrs);
  MlirValue hundred = xlaIrConstantIndex(ir, 100);
  MlirValue number = xlaIrBinary(ir, "arith.muli", batch, hundred);
  number = xlaIrBinary(ir, "arith.addi", number, row);
  number = xlaIrCast(ir, "arith.index_cast", number, i64);
  number = xlaIrCast(ir, "arith.sitofp", number, element);
  number = xlaIrCast(ir, "vector.broadcast", number, type);
  if (user)
    number = xlaIrBinary(ir, "arith.addf", number, laneNumbers(ir, type));
  sums = xlaIrBinary(ir, "arith.addf", sums, bias);
  sums = xlaIrBinary(ir, "arith.addf", sums, number);
  return xlaIrBinary(ir, "arith.maximumf", sums,
                     xlaIrConstantFloat(ir, type, 0));
}

static double sumBound(const Case *c) {
  double epsilon = kinds[c->result].epsilon;
  return epsilon * (double)(c->k + 8);
}

/// The result's own rounding.
static double rounding(Kind kind) {
  return kind == F16 ? 0x1p-11 : kind == BF16 ? 0x1p-8 : 0;
}

typedef struct Data {
  Guarded lhs, rhs, result, scratch, bias;
} Data;

static void checkElement(const Case *c, const Operand *a, const Operand *b,
                         const Data *data, int64_t batch, int64_t i,
                         int64_t j) {
  double sum = 0, magnitude = 0;
  __int128 exact = 0;
  for (int64_t k = 0; k < c->k; ++k) {
    double x = get(c->lhs, data->lhs.data,
                   batch * a->stride[0] + i * a->stride[1] + k * a->stride[2]);
    double y = get(c->rhs, data->rhs.data,
                   batch * b->stride[0] + k * b->stride[1] + j * b->stride[2]);
    sum += x * y;
    magnitude += fabs(x * y);
    if (c->result >= I8)
      exact += (__int128)x * (__int128)y;
  }
  if (c->epilogue) {
    double bias = ((float *)data->bias.data)[j];
    sum += bias + 100. * (double)batch + (double)i;
    magnitude += fabs(bias) + 100. * (double)batch + (double)i;
    sum = sum > 0 ? sum : 0;
  }
  double got = get(c->result, data->result.data, (batch * c->m + i) * c->n + j);
  if (c->result >= I8) {
    int64_t expected = c->result == I64   ? (int64_t)exact
                       : c->result == I32 ? (int32_t)exact
                       : c->result == I8  ? (int8_t)exact
                                          : (uint8_t)exact;
    if (got == (double)expected)
      return;
    sum = (double)expected;
  } else if (fabs(got - sum) <= sumBound(c) * magnitude +
                                    rounding(c->result) * fabs(sum) +
                                    (rounding(c->result) ? 0x1p-24 : 0)) {
    return;
  }
  fail_msg(
      "%lldx%lldx%lldx%lld %s x %s -> %s, layouts %d %d: element %lld %lld "
      "%lld is %.9g, not %.9g",
      (long long)c->batch, (long long)c->m, (long long)c->n, (long long)c->k,
      kinds[c->lhs].name, kinds[c->rhs].name, kinds[c->result].name,
      c->lhsLayout, c->rhsLayout, (long long)batch, (long long)i, (long long)j,
      got, sum);
}

static void runCase(const Case *c, void *function, int64_t scratchBytes) {
  Operand a = operand(c, c->m, c->k, c->lhsLayout, c->lhs);
  Operand b = operand(c, c->k, c->n, c->rhsLayout, c->rhs);
  int64_t results = c->batch * c->m * c->n;
  Data data = {guarded((size_t)a.elements * kinds[c->lhs].bytes),
               guarded((size_t)b.elements * kinds[c->rhs].bytes),
               guarded((size_t)results * kinds[c->result].bytes),
               guarded((size_t)scratchBytes),
               guarded((size_t)c->n * sizeof(float))};
  uint64_t seed = (uint64_t)(c->m * 1000003 + c->n * 1009 + c->k);
  for (int64_t i = 0; i < a.elements; ++i)
    setRandom(c->lhs, data.lhs.data, i, &seed);
  for (int64_t i = 0; i < b.elements; ++i)
    setRandom(c->rhs, data.rhs.data, i, &seed);
  for (int64_t i = 0; i < c->n; ++i)
    setRandom(F32, data.bias.data, i, &seed);
  // NaNs: neither old results nor old scratch may be read.
  memset(data.result.data, 0xff, data.result.size);
  memset(data.scratch.data, 0xff, data.scratch.size);
  void (*f)(void *, void *, void *, void *, void *) = function;
  f(data.lhs.data, data.rhs.data, data.result.data, data.scratch.data,
    data.bias.data);
  for (int64_t batch = 0; batch < c->batch; ++batch)
    for (int64_t i = 0; i < c->m; ++i)
      for (int64_t j = 0; j < c->n; ++j)
        checkElement(c, &a, &b, &data, batch, i, j);
  release(&data.lhs);
  release(&data.rhs);
  release(&data.result);
  release(&data.scratch);
  release(&data.bias);
}

static XlaContractionDims dims(int64_t size, int64_t lhs, int64_t rhs,
                               int64_t result) {
  return (XlaContractionDims){size != 1, size, {{size, lhs, rhs, result, {0}}}};
}

/// Makes function @c<index> of the module public.
static void emitCase(CpuFixture *fixture, MlirBlock body, const Case *c,
                     int index, int64_t *scratchBytes) {
  MlirLocation location = mlirLocationUnknownGet(fixture->context);
  Operand a = operand(c, c->m, c->k, c->lhsLayout, c->lhs);
  Operand b = operand(c, c->k, c->n, c->rhsLayout, c->rhs);
  Operand r = operand(c, c->m, c->n, ROWS, c->result);
  XlaContraction contraction = {
      .batch = dims(c->batch, a.stride[0], b.stride[0], r.stride[0]),
      .rows = dims(c->m, a.stride[1], 0, r.stride[1]),
      .columns = dims(c->n, 0, b.stride[2], r.stride[2]),
      .terms = dims(c->k, a.stride[2], b.stride[1], 0),
      .lhsUnsigned = c->lhs == U8,
      .rhsUnsigned = c->rhs == U8};
  XlaCpuMatmul matmul;
  assert_true(xlaCpuMatmulInit(&matmul, &contraction,
                               xlaIrParseType(fixture->context, a.type),
                               xlaIrParseType(fixture->context, b.type),
                               xlaIrParseType(fixture->context, r.type)));
  char bias[48];
  snprintf(bias, sizeof bias, "memref<%lldxf32>", (long long)c->n);
  MlirType extra = xlaIrParseType(fixture->context, bias);
  if (c->epilogue) {
    matmul.epilogue = biasAndRelu;
    matmul.user = xlaCpuMatmulIsTransposed(&matmul) ? &matmul : NULL;
    matmul.nExtras = 1;
    matmul.extras = &extra;
  }
  *scratchBytes = xlaCpuMatmulScratchBytes(&matmul, fixture->target);
  char name[32];
  snprintf(name, sizeof name, "c%d", index);
  xlaCpuMatmulEmit(&matmul, fixture->target, body, location, name);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute symbol = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString("sym_name"));
    if (mlirStringRefEqual(mlirStringAttrGetValue(symbol),
                           mlirStringRefCreateFromCString(name)))
      mlirOperationRemoveAttributeByName(
          op, mlirStringRefCreateFromCString("sym_visibility"));
  }
}

/// All cases in one module, as a program would have them.
static void runCases(CpuFixture *fixture, const Case *cases, int count) {
  MlirModule module =
      mlirModuleCreateEmpty(mlirLocationUnknownGet(fixture->context));
  int64_t *scratch = calloc((size_t)count, sizeof *scratch);
  for (int i = 0; i < count; ++i)
    emitCase(fixture, mlirModuleGetBody(module), &cases[i], i, &scratch[i]);
  XlaCpuCode *code;
  *fixture->error = 0;
  if (!mlirOperationVerify(mlirModuleGetOperation(module)))
    fail_msg("%s", fixture->error);
  XlaCpuCodegenOptions options = {.verify = true};
  MlirLogicalResult result =
      xlaCpuCompileModule(module, fixture->target, &options, NULL, &code);
  if (mlirLogicalResultIsFailure(result))
    fail_msg("%s", fixture->error);
  mlirModuleDestroy(module);
  for (int i = 0; i < count; ++i) {
    char name[32];
    snprintf(name, sizeof name, "c%d", i);
    void *function = xlaCpuCodeLookup(code, name);
    assert_non_null(function);
    runCase(&cases[i], function, scratch[i]);
  }
  xlaCpuCodeDestroy(code);
  free(scratch);
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static int setUp(void **state) {
  static CpuFixture fixture;
  cpuFixtureInit(&fixture, &(XlaCpuTargetOptions){.threads = 3,
                                                  .serialNanoseconds = 1000});
  *state = &fixture;
  return 0;
}

static int tearDown(void **state) {
  cpuFixtureDestroy(*state);
  return 0;
}

static void sizesFromOneToSeventy(void **state) {
  static const int64_t sizes[] = {1, 3, 7, 8, 17, 33, 64, 70};
  enum { n = sizeof sizes / sizeof *sizes };
  Case *cases = calloc(n * n * n, sizeof *cases);
  for (int i = 0; i < n * n * n; ++i)
    cases[i] = (Case){.batch = 1,
                      .m = sizes[i % n],
                      .n = sizes[i / n % n],
                      .k = sizes[i / n / n],
                      .lhs = F32,
                      .rhs = F32,
                      .result = F32};
  // A few hundred functions a module keep LLVM's memory small.
  for (int i = 0; i < n * n * n; i += 128)
    runCases(*state, cases + i, 128);
  free(cases);
}

static void layouts(void **state) {
  static const int64_t shapes[][3] = {
      {65, 70, 33},   {1, 70, 65},  {70, 1, 65}, {33, 17, 300},
      {200, 90, 700}, {9, 300, 20}, {1, 1, 500}, {3, 5, 1}};
  enum { nShapes = sizeof shapes / sizeof *shapes };
  Case cases[nShapes * 16];
  for (int i = 0; i < nShapes * 16; ++i)
    cases[i] = (Case){.batch = 1,
                      .m = shapes[i / 16][0],
                      .n = shapes[i / 16][1],
                      .k = shapes[i / 16][2],
                      .lhs = F32,
                      .rhs = F32,
                      .result = F32,
                      .lhsLayout = (Layout)(i % 4),
                      .rhsLayout = (Layout)(i / 4 % 4)};
  runCases(*state, cases, nShapes * 16);
}

static void elementTypes(void **state) {
  static const Kind types[][3] = {
      {F64, F64, F64},   {F32, F32, F64},   {F16, F16, F16},
      {F16, F16, F32},   {BF16, BF16, F32}, {BF16, BF16, BF16},
      {F32, BF16, BF16}, {F32, F32, F16},   {I8, I8, I32},
      {U8, I8, I32},     {U8, U8, U8},      {I8, I8, I8},
      {I32, I32, I32},   {I64, I64, I64},   {I8, I64, I64},
      {I64, I64, I32}};
  static const int64_t shapes[][3] = {{37, 45, 40},   {1, 45, 40}, {40, 1, 45},
                                      {70, 40, 1300}, {5, 100, 9}, {3, 2, 0},
                                      {2, 75, 21},    {4, 40, 13}};
  enum { nTypes = sizeof types / sizeof *types, nShapes = 8 };
  for (int t = 0; t < nTypes; ++t) {
    Case cases[nShapes * 4];
    for (int i = 0; i < nShapes * 4; ++i)
      cases[i] = (Case){.batch = 1,
                        .m = shapes[i / 4][0],
                        .n = shapes[i / 4][1],
                        .k = shapes[i / 4][2],
                        .lhs = types[t][0],
                        .rhs = types[t][1],
                        .result = types[t][2],
                        .lhsLayout = i & 1 ? COLUMNS : ROWS,
                        .rhsLayout = i & 2 ? COLUMNS : ROWS};
    runCases(*state, cases, nShapes * 4);
  }
}

/// Types that are multiplied in pairs where the target can, and others of the
/// same lhs in the same module: k of all parities, every layout.
static void pairs(void **state) {
  CpuFixture *fixture = *state;
  bool isFast = fixture->target->hasBf16Pairs;
  static const Kind types[][3] = {
      {BF16, BF16, F32}, {BF16, BF16, BF16}, {BF16, F32, F32}, {I8, U8, I32},
      {U8, I8, I32},     {I8, I8, U8},       {I8, I32, I32},   {I8, I64, I64}};
  static const int64_t shapes[][3] = {
      {33, 45, 37}, {70, 40, 2051}, {9, 17, 1}, {16, 64, 64}};
  enum { nTypes = sizeof types / sizeof *types, n = nTypes * 16 };
  Case cases[n];
  for (int shape = 0; shape < 4; ++shape) {
    for (int i = 0; i < n; ++i)
      cases[i] = (Case){.batch = 1,
                        .m = shapes[shape][0],
                        .n = shapes[shape][1],
                        .k = shapes[shape][2],
                        .lhs = types[i / 16][0],
                        .rhs = types[i / 16][1],
                        .result = types[i / 16][2],
                        .lhsLayout = (Layout)(i % 4),
                        .rhsLayout = (Layout)(i / 4 % 4)};
    runCases(*state, cases, n);
    // The same where the instruction is there, but slow.
    if (isFast || fixture->target->vectorBits < 512 ||
        !strstr(fixture->target->features, "+avx512bf16"))
      continue;
    fixture->target->hasBf16Pairs = true;
    runCases(*state, cases, n);
    fixture->target->hasBf16Pairs = false;
  }
}

static void batchesAndThreads(void **state) {
  static const int64_t shapes[][4] = {
      {5, 9, 17, 21},    {2, 70, 130, 80},   {3, 64, 64, 64},  {7, 1, 100, 50},
      {1, 300, 310, 90}, {1, 400, 20, 90},   {1, 1, 3000, 40}, {1, 3000, 1, 40},
      {8, 33, 40, 50},   {1, 120, 1100, 600}};
  enum { nShapes = sizeof shapes / sizeof *shapes };
  Case cases[nShapes * 4];
  for (int i = 0; i < nShapes * 4; ++i)
    cases[i] = (Case){.batch = shapes[i / 4][0],
                      .m = shapes[i / 4][1],
                      .n = shapes[i / 4][2],
                      .k = shapes[i / 4][3],
                      .lhs = F32,
                      .rhs = F32,
                      .result = F32,
                      .lhsLayout = i & 1 ? COLUMNS : ROWS,
                      .rhsLayout = i & 2 ? PADDED : ROWS};
  runCases(*state, cases, nShapes * 4);
}

static void emptyDimensions(void **state) {
  Case cases[16];
  for (int i = 0; i < 16; ++i)
    cases[i] = (Case){.batch = i & 1 ? 0 : 2,
                      .m = i & 2 ? 0 : 3,
                      .n = i & 4 ? 0 : 5,
                      .k = i & 8 ? 4 : 0,
                      .lhs = F32,
                      .rhs = F32,
                      .result = F32};
  runCases(*state, cases, 16);
  for (int i = 0; i < 16; ++i)
    cases[i].m = cases[i].m ? 1 : 0;
  runCases(*state, cases, 16);
}

static void epilogues(void **state) {
  static const int64_t shapes[][4] = {
      {2, 9, 17, 21},  {1, 70, 130, 80}, {1, 130, 70, 2000}, {1, 1, 100, 50},
      {1, 100, 1, 50}, {3, 4, 40, 0},    {2, 4, 2100, 70},   {1, 300, 310, 700},
      {1, 8, 32, 8},   {2, 1, 3000, 40}, {1, 3000, 1, 40}};
  static const Kind results[] = {F32, BF16, F16};
  for (int r = 0; r < 3; ++r) {
    Case cases[11];
    for (int i = 0; i < 11; ++i)
      cases[i] = (Case){.batch = shapes[i][0],
                        .m = shapes[i][1],
                        .n = shapes[i][2],
                        .k = shapes[i][3],
                        .lhs = F32,
                        .rhs = F32,
                        .result = results[r],
                        .epilogue = true};
    runCases(*state, cases, 11);
  }
}

/// The tiles of narrower registers; every AVX-512 host runs them.
static void narrowerRegisters(void **state) {
  static const char *const cpus[] = {"x86-64-v3", "x86-64"};
  if (((CpuFixture *)*state)->target->vectorBits != 512)
    skip();
  for (int cpu = 0; cpu < 2; ++cpu) {
    CpuFixture fixture;
    cpuFixtureInit(&fixture, &(XlaCpuTargetOptions){.cpu = cpus[cpu],
                                                    .threads = 2,
                                                    .serialNanoseconds = 1000});
    Case cases[32];
    static const int64_t shapes[][3] = {
        {37, 53, 40}, {1, 45, 40}, {130, 120, 600}, {2, 2, 2}};
    for (int i = 0; i < 32; ++i)
      cases[i] = (Case){.batch = 1,
                        .m = shapes[i / 8][0],
                        .n = shapes[i / 8][1],
                        .k = shapes[i / 8][2],
                        .lhs = i & 4 ? F64 : F32,
                        .rhs = i & 4 ? F64 : F32,
                        .result = i & 4 ? F64 : F32,
                        .lhsLayout = i & 1 ? COLUMNS : ROWS,
                        .rhsLayout = i & 2 ? COLUMNS : ROWS};
    runCases(&fixture, cases, 32);
    cpuFixtureDestroy(&fixture);
  }
}

static bool isTaken(CpuFixture *fixture, const XlaContraction *contraction,
                    const char *lhs, const char *rhs, const char *result) {
  XlaCpuMatmul matmul;
  return xlaCpuMatmulInit(&matmul, contraction,
                          xlaIrParseType(fixture->context, lhs),
                          xlaIrParseType(fixture->context, rhs),
                          xlaIrParseType(fixture->context, result));
}

static void refusals(void **state) {
  CpuFixture *fixture = *state;
  const XlaContraction plain = {.batch = dims(1, 0, 0, 0),
                                .rows = dims(4, 5, 0, 7),
                                .columns = dims(7, 0, 1, 1),
                                .terms = dims(5, 1, 7, 0)};
  XlaContraction other = plain;
  assert_true(isTaken(fixture, &plain, "memref<4x5xf32>", "memref<5x7xf32>",
                      "memref<4x7xf32>"));
  assert_false(isTaken(fixture, &plain, "memref<4x5xf64>", "memref<5x7xf32>",
                       "memref<4x7xf32>"));
  assert_false(isTaken(fixture, &plain, "memref<4x5xi32>", "memref<5x7xf32>",
                       "memref<4x7xf32>"));
  // Columns of the result lie apart.
  other.rows = dims(4, 5, 0, 1);
  other.columns = dims(7, 0, 1, 4);
  assert_false(isTaken(fixture, &other, "memref<4x5xf32>", "memref<5x7xf32>",
                       "memref<4x7xf32, strided<[1, 4]>>"));
  // Columns of the rhs are not one dimension in memory.
  other = plain;
  other.columns =
      (XlaContractionDims){2, 14, {{7, 0, 1, 2, {0}}, {2, 0, 7, 1, {0}}}};
  assert_false(isTaken(fixture, &other, "memref<4x5xf32>",
                       "memref<5x7x2xf32, strided<[14, 1, 7]>>",
                       "memref<4x7x2xf32>"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(emptyDimensions),
      cmocka_unit_test(layouts),
      cmocka_unit_test(elementTypes),
      cmocka_unit_test(pairs),
      cmocka_unit_test(batchesAndThreads),
      cmocka_unit_test(epilogues),
      cmocka_unit_test(narrowerRegisters),
      cmocka_unit_test(sizesFromOneToSeventy),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}

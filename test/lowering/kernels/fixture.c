//===- fixture.c - Kernels against the reference evaluator ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/kernels/fixture.h"
#include "xlac/test/support/unit.h"

#include "xlac/dialect/dialect.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/ir.h"
#include "xlac/lowering/linalg/kernel.h"
#include "xlac/test/lowering/kernels/runner.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maxArguments = 80, guardBytes = 128 };

const XlaElementType kernelTypes[] = {
    XlaElementTypePred, XlaElementTypeS8,     XlaElementTypeS16,
    XlaElementTypeS32,  XlaElementTypeS64,    XlaElementTypeU8,
    XlaElementTypeU16,  XlaElementTypeU32,    XlaElementTypeU64,
    XlaElementTypeF16,  XlaElementTypeBF16,   XlaElementTypeF32,
    XlaElementTypeF64,  XlaElementTypeInvalid};

static uint64_t randomState = 88172645463325252u;

static uint64_t randomBits(void) {
  uint64_t x = randomState;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  randomState = x;
  return x * 0x2545F4914F6CDD1Du;
}

uint64_t kernelRandom(uint64_t n) { return (randomBits() >> 11) % n; }

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void kernelBatchPut(KernelBatch *batch, const char *format, ...) {
  for (;;) {
    va_list args;
    va_start(args, format);
    size_t room = batch->capacity - batch->size;
    int n = vsnprintf(batch->text ? batch->text + batch->size : NULL, room,
                      format, args);
    va_end(args);
    if ((size_t)n < room) {
      batch->size += (size_t)n;
      return;
    }
    batch->capacity = 2 * batch->capacity + (size_t)n + 1024;
    batch->text = realloc(batch->text, batch->capacity);
    assert_non_null(batch->text);
  }
}

void kernelBatchBegin(KernelBatch *batch, KernelCheck check) {
  if (batch->nCases == batch->capacityCases) {
    batch->capacityCases = 2 * batch->capacityCases + 16;
    batch->cases = realloc(batch->cases,
                           (size_t)batch->capacityCases * sizeof *batch->cases);
    assert_non_null(batch->cases);
  }
  kernelBatchPut(batch, "\n");
  batch->cases[batch->nCases].check = check;
  batch->cases[batch->nCases].text = batch->size;
  kernelBatchPut(batch, "func.func @f%d", batch->nCases++);
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static const double floatSpecials[] = {
    0.0,    -0.0,  1.0,    -1.0,    INFINITY,  -INFINITY, NAN,    0.5,
    -0.5,   1.5,   2.5,    -2.5,    3.0,       -3.0,      1e-3,   -1e-3,
    127.0,  128.0, -128.5, 255.5,   65504.0,   -65520.0,  1e6,    2147483647.0,
    -2.2e9, 4.3e9, 9.3e18, -9.3e18, 1.9e19,    1e-40,     -1e-40, 3.4e38,
    6e-8,   88.0,  -88.5,  1e300,   0.49999997};
enum { nFloatSpecials = sizeof floatSpecials / sizeof *floatSpecials };

static const int64_t integerSpecials[] = {
    0,          1,
    -1,         2,
    -2,         3,
    5,          7,
    8,          -8,
    15,         16,
    31,         32,
    63,         64,
    100,        127,
    128,        -128,
    255,        32767,
    -32768,     65535,
    INT32_MAX,  INT32_MIN,
    UINT32_MAX, INT64_MAX,
    INT64_MIN,  INT64_MIN + 1,
    16777217,   INT64_C(0x0123456789abcdef)};
enum { nIntegerSpecials = sizeof integerSpecials / sizeof *integerSpecials };

static XlaScalar special(bool isFloat, int64_t i) {
  return isFloat ? (XlaScalar){.f = {floatSpecials[i % nFloatSpecials], 0}}
                 : (XlaScalar){.s = integerSpecials[i % nIntegerSpecials]};
}

static void fillElement(KernelFill fill, int argument, int64_t i,
                        XlaLiteral *literal) {
  XlaElementType type = xlaLiteralGetShape(literal)->elementType;
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  char *data = xlaLiteralGetMutableData(literal);
  bool isFloat = xlaElementTypeIsFloat(type);
  int64_t n = isFloat ? nFloatSpecials : nIntegerSpecials;
  uint64_t bits = fill == KernelFillAll ? (uint64_t)i : randomBits();
  if (type == XlaElementTypePred) {
    data[i] = (char)(fill == KernelFillSpecial && i < 4 ? i >> argument & 1
                                                        : bits >> 60 & 1);
  } else if (fill == KernelFillSpecial && i < n * n) {
    xlaLiteralSet(literal, i, special(isFloat, argument % 2 ? i / n : i % n));
  } else if (fill == KernelFillSmall) {
    int64_t value = (int64_t)(bits >> 33) % 5 - 2;
    if (info->typeClass == XlaTypeClassUnsigned)
      value += 2;
    xlaLiteralSet(literal, i,
                  isFloat ? (XlaScalar){.f = {(double)value, 0}}
                          : (XlaScalar){.s = value});
  } else if (fill == KernelFillUnit) {
    double value = (double)(bits >> 11) * 0x1p-53 * 8 - 4;
    xlaLiteralSet(literal, i,
                  isFloat ? (XlaScalar){.f = {value, 0}}
                          : (XlaScalar){.s = (int64_t)(value * 2.3)});
  } else {
    memcpy(data + i * info->bytes, &bits, (size_t)info->bytes);
  }
}

static XlaLiteral *makeInput(MlirType type, KernelFill fill, int argument) {
  XlaShape shape;
  assert_true(xlaShapeFromMlir(type, &shape, NULL));
  XlaLiteral *literal = xlaLiteralCreateArray(&shape);
  assert_non_null(literal);
  for (int64_t i = 0; i < xlaLiteralGetElementCount(literal); ++i)
    fillElement(fill, argument, i, literal);
  return literal;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// Floats as integers in their order.
static int64_t orderOf(const XlaElementTypeInfo *info, const void *bytes) {
  uint64_t raw = 0;
  memcpy(&raw, bytes, (size_t)info->bytes);
  uint64_t top = UINT64_C(1) << (info->bits - 1);
  return raw & top ? -(int64_t)(raw & ~top) : (int64_t)raw;
}

static bool elementMatches(const KernelCheck *check, XlaElementType type,
                           const void *expected, const void *actual) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  if (!memcmp(expected, actual, (size_t)info->bytes))
    return true;
  if (!xlaElementTypeIsFloat(type) || check->bits)
    return false;
  double e = xlaScalarLoad(type, expected).f.re;
  double a = xlaScalarLoad(type, actual).f.re;
  if (isnan(e) || isnan(a))
    return isnan(e) && isnan(a);
  if (check->absolute > 0 && fabs(e - a) <= check->absolute)
    return true;
  int64_t of = orderOf(info, expected), other = orderOf(info, actual);
  uint64_t distance = of > other ? (uint64_t)of - (uint64_t)other
                                 : (uint64_t)other - (uint64_t)of;
  return check->ulps > 0 && (double)distance <= check->ulps;
}

static void caseText(const KernelBatch *batch, int i, char *text, size_t size) {
  size_t end = i + 1 < batch->nCases ? batch->cases[i + 1].text : batch->size;
  size_t length = end - batch->cases[i].text;
  snprintf(text, size, "%.*s", (int)length, batch->text + batch->cases[i].text);
}

static void mismatch(const KernelBatch *batch, int i, const char *how,
                     const XlaLiteral *const *inputs, intptr_t nInputs,
                     const XlaLiteral *expected, const void *actual,
                     int64_t position) {
  char text[3000];
  const XlaShape *shape = xlaLiteralGetShape(expected);
  int bytes = xlaElementTypeGetInfo(shape->elementType)->bytes;
  caseText(batch, i, text, sizeof text);
  print_message("%s\n", text);
  for (intptr_t k = 0; k < nInputs; ++k) {
    XlaElementType type = xlaLiteralGetShape(inputs[k])->elementType;
    if (position >= xlaLiteralGetElementCount(inputs[k]))
      continue;
    XlaScalar x = xlaLiteralGet(inputs[k], position);
    print_message("operand %d here: %a = %.9g, as integer %lld\n", (int)k,
                  xlaElementTypeIsFloat(type) ? x.f.re : 0,
                  xlaElementTypeIsFloat(type) ? x.f.re : 0, (long long)x.s);
  }
  XlaScalar e = xlaLiteralGet(expected, position);
  XlaScalar a = xlaScalarLoad(shape->elementType,
                              (const char *)actual + position * bytes);
  bool isFloat = xlaElementTypeIsFloat(shape->elementType);
  fail_msg("%s, element %lld: expected %a %lld, got %a %lld", how,
           (long long)position, isFloat ? e.f.re : 0, (long long)e.s,
           isFloat ? a.f.re : 0, (long long)a.s);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// A copy of `size` bytes between guards.
static char *guarded(const void *data, size_t size) {
  char *buffer = aligned_alloc(64, (2 * guardBytes + size + 63) / 64 * 64);
  assert_non_null(buffer);
  memset(buffer, 0x5a, 2 * guardBytes + size);
  if (data && size)
    memcpy(buffer + guardBytes, data, size);
  return buffer;
}

static bool guardsHold(const char *buffer, size_t size) {
  for (size_t i = 0; i < guardBytes; ++i)
    if (buffer[i] != 0x5a || buffer[guardBytes + size + i] != 0x5a)
      return false;
  return true;
}

typedef struct Run {
  KernelBatch *batch;
  int index;
  MlirOperation op;
  KernelRunner *runner;
  intptr_t n, m;
  XlaLiteral *inputs[maxArguments], *expected[maxArguments];
} Run;

/// `operand` and `result`, unless negative, share a buffer.
static void runOnce(const Run *run, intptr_t operand, intptr_t result) {
  char *buffers[maxArguments] = {NULL};
  void *pointers[maxArguments] = {NULL};
  size_t sizes[maxArguments] = {0};
  bool isUpdate = xlaOpGetKind(run->op) == XlaOpKindDynamicUpdateSlice;
  for (intptr_t i = 0; i < run->n + run->m; ++i) {
    bool isInput = i < run->n;
    const XlaLiteral *literal =
        isInput ? run->inputs[i] : run->expected[i - run->n];
    const void *initial = isInput    ? xlaLiteralGetData(literal)
                          : isUpdate ? xlaLiteralGetData(run->inputs[0])
                                     : NULL;
    bool isShared = !isInput && i - run->n == result;
    sizes[i] = xlaLiteralGetByteCount(literal);
    buffers[i] = guarded(initial, sizes[i]);
    char *used = isShared ? buffers[operand] : buffers[i];
    if (!used)
      fail(); // for analyzers: guarded() gives memory or fails itself
    else
      pointers[i] = used + guardBytes;
  }
  kernelRunnerRun(run->runner, run->index, run->n + run->m, run->n, pointers,
                  sizes);
  for (intptr_t i = 0; i < run->n + run->m && pointers[i]; ++i) {
    bool isInput = i < run->n;
    const XlaLiteral *literal =
        isInput ? run->inputs[i] : run->expected[i - run->n];
    size_t size = xlaLiteralGetByteCount(literal);
    char text[3000];
    caseText(run->batch, run->index, text, sizeof text);
    if (!guardsHold(buffers[i], size))
      fail_msg("%s\nwrote outside of argument %d", text, (int)i);
    if (isInput && i != operand &&
        memcmp(pointers[i], xlaLiteralGetData(literal), size))
      fail_msg("%s\nwrote to operand %d", text, (int)i);
    if (isInput)
      continue;
    XlaElementType type = xlaLiteralGetShape(literal)->elementType;
    int bytes = xlaElementTypeGetInfo(type)->bytes;
    for (int64_t k = 0; k < xlaLiteralGetElementCount(literal); ++k)
      if (!elementMatches(&run->batch->cases[run->index].check, type,
                          (const char *)xlaLiteralGetData(literal) + k * bytes,
                          (char *)pointers[i] + k * bytes))
        mismatch(run->batch, run->index,
                 operand < 0 ? "wrong result" : "wrong result in place",
                 (const XlaLiteral *const *)run->inputs, run->n, literal,
                 pointers[i], k);
  }
  for (intptr_t i = 0; i < run->n + run->m; ++i)
    free(buffers[i]);
}

static void runCase(KernelBatch *batch, int index, XlaEvaluator *evaluator,
                    MlirOperation function, MlirOperation op,
                    KernelRunner *runner) {
  Run run = {batch,
             index,
             op,
             runner,
             mlirOperationGetNumOperands(op),
             mlirOperationGetNumResults(op),
             {NULL},
             {NULL}};
  const KernelCheck *check = &batch->cases[index].check;
  assert_true(run.n + run.m <= maxArguments);
  for (intptr_t i = 0; i < run.n; ++i)
    run.inputs[i] = makeInput(mlirValueGetType(mlirOperationGetOperand(op, i)),
                              check->fill, (int)i);
  if (mlirLogicalResultIsFailure(xlaEvaluatorRun(
          evaluator, function, run.n, (const XlaLiteral *const *)run.inputs,
          run.m, run.expected)))
    fail_msg("the evaluator failed");
  runOnce(&run, -1, -1);
  for (intptr_t i = 0; i < run.n; ++i)
    for (intptr_t r = 0; r < run.m; ++r)
      if (xlaKernelCanAlias(op, i, r)) {
        runOnce(&run, i, r);
        ++batch->nAliased;
      }
  for (intptr_t i = 0; i < run.n; ++i)
    xlaLiteralRelease(run.inputs[i]);
  for (intptr_t i = 0; i < run.m; ++i)
    xlaLiteralRelease(run.expected[i]);
}

/// The kernel of the function's first operation, public so that it is found.
static MlirOperation emitKernel(KernelBatch *batch, int index,
                                CpuFixture *fixture, MlirOperation function,
                                MlirModule kernels) {
  char name[32], text[3000];
  MlirOperation kernel;
  MlirOperation op = mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
  snprintf(name, sizeof name, "kernel%d", index);
  caseText(batch, index, text, sizeof text);
  if (mlirLogicalResultIsFailure(
          kernelRunnerEmit(fixture, op, kernels, name, &kernel)))
    fail_msg("%s\nhas no kernel", text);
  mlirOperationRemoveAttributeByName(
      kernel, mlirStringRefCreateFromCString("sym_visibility"));
  if (!mlirOperationVerify(kernel)) {
    mlirOperationDump(kernel);
    fail_msg("%s\nhas an invalid kernel", text);
  }
  return op;
}

void kernelBatchRun(KernelBatch *batch) {
  CpuFixture fixture;
  cpuFixtureInit(&fixture, &(XlaCpuTargetOptions){.threads = 2,
                                                  .serialNanoseconds = 1000});
  xlaDialectRegister(fixture.registry);
  mlirContextAppendDialectRegistry(fixture.context, fixture.registry);
  mlirContextLoadAllAvailableDialects(fixture.context);
  MlirModule module = mlirModuleCreateParse(
      fixture.context, mlirStringRefCreate(batch->text, batch->size));
  if (mlirModuleIsNull(module))
    fail_msg("the cases do not parse: %s\n%s", fixture.error, batch->text);
  MlirModule kernels =
      mlirModuleCreateEmpty(mlirLocationUnknownGet(fixture.context));
  MlirOperation *ops = calloc((size_t)batch->nCases, sizeof *ops);
  assert_non_null(ops);
  MlirOperation function =
      mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (int i = 0; i < batch->nCases;
       ++i, function = mlirOperationGetNextInBlock(function))
    ops[i] = emitKernel(batch, i, &fixture, function, kernels);
  batch->nAliased = 0;
  KernelRunner *runner = kernelRunnerCreate(&fixture, kernels);
  XlaEvaluator *evaluator = xlaEvaluatorCreate(
      mlirModuleGetOperation(module), &(XlaEvaluatorOptions){.maxBytes = 0});
  assert_non_null(evaluator);
  function = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (int i = 0; i < batch->nCases;
       ++i, function = mlirOperationGetNextInBlock(function)) {
    runCase(batch, i, evaluator, function, ops[i], runner);
  }
  xlaEvaluatorDestroy(evaluator);
  kernelRunnerDestroy(runner);
  mlirModuleDestroy(kernels);
  mlirModuleDestroy(module);
  cpuFixtureDestroy(&fixture);
  free(ops);
  free(batch->text);
  free(batch->cases);
  int nAliased = batch->nAliased;
  memset(batch, 0, sizeof *batch);
  batch->nAliased = nAliased;
}

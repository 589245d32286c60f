//===- half_built_test.c - Verifying operations that are not whole --------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers see operations that passes and programs left in any state: without
// operands, with operands that are gone, with regions that do not end, with
// attributes of any kind. All they may do is say so.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/unit.h"

#include "xlac/dialect/dialect.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/op_examples.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/Dialect/Func.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  variants = 400,
  damages = 100,
  maxOperands = 5,
  maxRegions = 3,
  maxAttrs = 48
};

static const char *const types[] = {
    "tensor<f32>",
    "tensor<4xf32>",
    "tensor<2x3xf32>",
    "tensor<2x3x4xf32>",
    "tensor<1x4x4x1xf32>",
    "tensor<0xf32>",
    "tensor<i1>",
    "tensor<4xi1>",
    "tensor<i32>",
    "tensor<4xi64>",
    "tensor<2xui64>",
    "tensor<4xcomplex<f32>>",
    "tensor<4xf8E5M2>",
    "tensor<?xf32, #xla.array<bounds = [4]>>",
    "tensor<2x3xf32, #xla.array<minor_to_major = [0, 1]>>",
    "tuple<tensor<f32>, tensor<ui32>>",
    "tuple<tensor<4xf32>, tensor<ui32>, !xla.token>",
    "tuple<>",
    "!xla.token",
    // None of the dialect's.
    "tensor<?xf32>",
    "tensor<*xf32>",
    "tensor<4xindex>",
    "tensor<4611686018427387904x4xf32>",
    "f32",
    "none",
    "vector<4xf32>",
    "memref<4xf32>",
    "(f32) -> f32",
};
enum { nTypes = sizeof types / sizeof *types };

static const char *const attributes[] = {
    "true",
    "0 : i64",
    "1 : i32",
    "-1 : i64",
    "9223372036854775807 : i64",
    "5 : i128",
    "array<i64>",
    "array<i64: 0>",
    "array<i64: 1, 0>",
    "array<i64: 1, 1, 1>",
    "array<i64: -1, 70>",
    "array<i64: 9223372036854775807, 9223372036854775807>",
    "array<i32: 0>",
    "[]",
    "[0, 1]",
    "[0 : i128]",
    "[[0, 1], [2]]",
    "[[]]",
    "[\"DEFAULT\"]",
    "dense<1> : tensor<2xi64>",
    "dense<1> : tensor<2x2xi64>",
    "dense<[0, 1]> : tensor<2xi32>",
    "dense<0> : tensor<0xi64>",
    "dense<1.0> : tensor<f32>",
    "dense<true> : tensor<4xi1>",
    "dense<1> : vector<2xi64>",
    "dense_resource<gone> : tensor<4xf32>",
    "sparse<[[0]], [1.0]> : tensor<4xf32>",
    "1.0e-3 : f32",
    "\"\"",
    "\"LT\"",
    "\"HIGHEST\"",
    "@f",
    "@f::@g",
    "unit",
    "{a = 1}",
    "tensor<f32>",
};
enum { nAttributes = sizeof attributes / sizeof *attributes };

typedef struct Fixture {
  MlirContext context;
  MlirModule module;
  MlirBlock body; ///< of the module
  MlirType types[nTypes];
  MlirAttribute attributes[nAttributes];
  MlirValue values[nTypes]; ///< arguments of a block
  uint64_t random;
} Fixture;

static int draw(Fixture *f, int n) {
  f->random = f->random * 6364136223846793005u + 1442695040888963407u;
  return (int)((f->random >> 33) % (uint64_t)n);
}

static MlirLogicalResult swallow(MlirDiagnostic diagnostic, void *user) {
  (void)diagnostic;
  (void)user;
  return mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static MlirType drawType(Fixture *f) { return f->types[draw(f, nTypes)]; }

/// Values of one type more often than not: then more rules are reached.
static void drawValues(Fixture *f, int n, const MlirValue *values, int nValues,
                       MlirValue *drawn) {
  int common = draw(f, nValues);
  for (int i = 0; i < n; ++i)
    drawn[i] = values[draw(f, 3) ? common : draw(f, nValues)];
}

/// A word that the attribute may be, of "A|B|C".
static MlirAttribute drawWord(Fixture *f, const char *choices) {
  size_t at = 0;
  for (int skip = draw(f, 4); skip && strchr(choices + at, '|'); --skip)
    at = (size_t)(strchr(choices + at, '|') - choices) + 1;
  return mlirStringAttrGet(
      f->context,
      mlirStringRefCreate(choices + at, strcspn(choices + at, "|")));
}

static bool isRight(const MlirExtOpAttribute *entry, MlirAttribute attr) {
  switch ((XlaAttrKind)entry->kind) {
  case XlaAttrKindBool:
    return mlirAttributeIsABool(attr);
  case XlaAttrKindI64:
    return mlirAttributeIsAInteger(attr);
  case XlaAttrKindI64Array:
    return mlirAttributeIsADenseI64Array(attr);
  case XlaAttrKindElements:
    return mlirAttributeIsAElements(attr);
  case XlaAttrKindSymbol:
    return mlirAttributeIsAFlatSymbolRef(attr);
  case XlaAttrKindGroups:
    return mlirAttributeIsAArray(attr);
  case XlaAttrKindString:
    return mlirAttributeIsAString(attr);
  case XlaAttrKindAny:
  case XlaAttrKindEnum:
    break;
  }
  return true;
}

static MlirAttribute drawAttribute(Fixture *f,
                                   const MlirExtOpAttribute *entry) {
  if (entry->choices && draw(f, 8))
    return drawWord(f, entry->choices);
  int i = draw(f, nAttributes);
  for (int tries = draw(f, 8) * nAttributes;
       tries && !isRight(entry, f->attributes[i]); --tries)
    i = (i + 1) % nAttributes;
  return f->attributes[i];
}

static void setAttributes(Fixture *f, MlirOperation op,
                          const MlirExtOpAttribute *entry) {
  bool whole = draw(f, 2);
  for (; entry && entry->name; ++entry)
    if (whole || draw(f, 4))
      mlirOperationSetInherentAttributeByName(
          op, mlirStringRefCreateFromCString(entry->name),
          drawAttribute(f, entry));
}

/// An operand that some pass removed the owner of.
static void loseOperand(Fixture *f, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  if (!n || draw(f, 8))
    return;
  XlaIr ir = xlaIrAtEnd(f->context, mlirOperationGetLocation(op), f->body);
  MlirValue value = xlaIrOp(&ir, "xla.iota", drawType(f), 0, NULL, 0, NULL);
  MlirOperation owner = mlirOpResultGetOwner(value);
  mlirOperationSetOperand(op, draw(f, (int)n), value);
  mlirExtOperationDropUses(owner);
  mlirOperationDestroy(owner);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static MlirOperation makeOp(Fixture *f, XlaOpKind kind, int nValues,
                            const MlirValue *values, int depth);

static void endBlock(Fixture *f, MlirBlock block, int nValues,
                     const MlirValue *values) {
  MlirValue returned[maxOperands];
  int n = draw(f, 4);
  drawValues(f, n, values, nValues, returned);
  XlaIr ir = xlaIrAtEnd(f->context, mlirLocationUnknownGet(f->context), block);
  const char *names[] = {"xla.return", "xla.return", "xla.return",
                         "func.return", "xla.abs"};
  const char *name = names[draw(f, 5)];
  MlirOperation op =
      xlaIrCreate(&ir, name, n, returned, !strcmp(name, "xla.abs"), f->types, 0,
                  NULL, 0, NULL);
  loseOperand(f, op);
}

/// A region of no blocks, of an empty one, one without a terminator, or a whole
/// one, or of two.
static MlirRegion makeRegion(Fixture *f, int depth) {
  MlirRegion region = mlirRegionCreate();
  MlirLocation location = mlirLocationUnknownGet(f->context);
  int nBlocks = draw(f, 8) ? 1 : draw(f, 3);
  for (int b = 0; b < nBlocks; ++b) {
    MlirType arguments[maxOperands];
    MlirLocation locations[maxOperands];
    MlirValue values[nTypes + maxOperands];
    int n = draw(f, maxOperands), common = draw(f, nTypes);
    for (int i = 0; i < n; ++i) {
      arguments[i] = draw(f, 4) ? f->types[common] : drawType(f);
      locations[i] = location;
    }
    MlirBlock block = mlirBlockCreate(n, arguments, locations);
    mlirRegionAppendOwnedBlock(region, block);
    memcpy(values, f->values, sizeof f->values);
    for (int i = 0; i < n; ++i)
      values[nTypes + i] = mlirBlockGetArgument(block, i);
    if (depth && !draw(f, 3)) {
      XlaOpKind kind = (XlaOpKind)(1 + draw(f, XlaOpKindCount - 1));
      mlirBlockAppendOwnedOperation(
          block, makeOp(f, kind, nTypes + n, values, depth - 1));
    }
    bool argumentsAlone = n && draw(f, 4);
    if (draw(f, 10))
      endBlock(f, block, argumentsAlone ? n : nTypes + n,
               argumentsAlone ? values + nTypes : values);
  }
  return region;
}

static int drawCount(Fixture *f, int least, int most, int limit) {
  if (!draw(f, 6))
    return draw(f, limit + 1);
  int upper = most < 0 || most > limit ? limit : most;
  int lower = least < 0 ? 0 : least > upper ? upper : least;
  return lower + draw(f, upper - lower + 1);
}

static MlirOperation makeOp(Fixture *f, XlaOpKind kind, int nValues,
                            const MlirValue *values, int depth) {
  const XlaOpInfo *info = xlaOpGetInfo(kind);
  MlirValue operands[maxOperands];
  MlirType results[maxOperands];
  MlirRegion regions[maxRegions];
  char name[64];
  snprintf(name, sizeof name, "xla.%s", info->name);
  int nOperands =
      drawCount(f, info->minOperands, info->maxOperands, maxOperands);
  int nResults = drawCount(f, info->results, info->results, maxOperands);
  int nRegions = drawCount(f, info->regions, info->regions, maxRegions);
  drawValues(f, nOperands, values, nValues, operands);
  for (int i = 0; i < nResults; ++i)
    results[i] = nOperands && draw(f, 2)
                     ? mlirValueGetType(operands[draw(f, nOperands)])
                     : drawType(f);
  for (int i = 0; i < nRegions; ++i)
    regions[i] = makeRegion(f, depth);
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString(name), mlirLocationUnknownGet(f->context));
  mlirOperationStateAddOperands(&state, nOperands, operands);
  mlirOperationStateAddResults(&state, nResults, results);
  mlirOperationStateAddOwnedRegions(&state, nRegions, regions);
  MlirOperation op = mlirOperationCreate(&state);
  setAttributes(f, op, info->attributes);
  loseOperand(f, op);
  return op;
}

/// One operation among others, verified alone and as part of a program.
static bool verifyOne(Fixture *f, XlaOpKind kind) {
  MlirOperation op = makeOp(f, kind, nTypes, f->values, 1);
  mlirBlockAppendOwnedOperation(f->body, op);
  bool alone = mlirLogicalResultIsSuccess(xlaOpVerify(op));
  bool whole = mlirOperationVerify(op);
  assert_true(alone || !whole);
  mlirOperationDestroy(op);
  return whole;
}

static void nothingCrashes(void **state) {
  Fixture *f = *state;
  int right = 0;
  for (XlaOpKind kind = XlaOpKindInvalid + 1; kind < XlaOpKindCount; ++kind)
    for (int i = 0; i < variants; ++i) {
      f->random = (uint64_t)kind * variants + (uint64_t)i;
      draw(f, 2);
      right += verifyOne(f, kind);
    }
  // Rules that none gets past hide those behind them.
  assert_true(right > 100);
}

//===----------------------------------------------------------------------===//
// Whole operations, damaged
//===----------------------------------------------------------------------===//

static void damageOperands(Fixture *f, MlirOperation op, MlirOperation other) {
  MlirValue operands[64];
  intptr_t n = mlirOperationGetNumOperands(op);
  intptr_t nOther = mlirOperationGetNumResults(other);
  if (!n || n > 64)
    return;
  for (intptr_t i = 0; i < n; ++i)
    operands[i] = mlirOperationGetOperand(op, i);
  int at = draw(f, (int)n);
  if (nOther)
    operands[at] = mlirOperationGetResult(other, draw(f, (int)nOther));
  else
    operands[at] = operands[0];
  for (intptr_t i = 0; i < n; ++i)
    if (mlirValueIsNull(operands[i]))
      return;
  mlirOperationSetOperands(op, draw(f, 2) ? n : n - 1, operands);
}

static void damageRegion(Fixture *f, MlirOperation op) {
  intptr_t n = mlirOperationGetNumRegions(op);
  if (!n)
    return;
  MlirRegion region = mlirOperationGetRegion(op, draw(f, (int)n));
  MlirBlock block = mlirRegionGetFirstBlock(region);
  if (mlirBlockIsNull(block))
    return;
  MlirOperation end = mlirBlockGetTerminator(block);
  intptr_t nArguments = mlirBlockGetNumArguments(block);
  switch (draw(f, 6)) {
  case 0:
    if (!mlirOperationIsNull(end))
      mlirOperationDestroy(end);
    break;
  case 1:
    mlirRegionAppendOwnedBlock(region, mlirBlockCreate(0, NULL, NULL));
    break;
  case 2:
    mlirBlockAddArgument(block, drawType(f), mlirOperationGetLocation(op));
    break;
  case 3:
    if (nArguments)
      mlirValueSetType(mlirBlockGetArgument(block, draw(f, (int)nArguments)),
                       drawType(f));
    break;
  case 4:
    if (!mlirOperationIsNull(end))
      loseOperand(f, end);
    break;
  case 5: {
    MlirRegion gone = mlirRegionCreate();
    mlirRegionTakeBody(gone, region);
    mlirRegionDestroy(gone);
  }
  }
}

static void damage(Fixture *f, MlirOperation op, MlirOperation other) {
  const MlirExtOpAttribute *entry = xlaOpGetInfo(xlaOpGetKind(op))->attributes;
  intptr_t nResults = mlirOperationGetNumResults(op);
  switch (draw(f, 5)) {
  case 0:
    damageOperands(f, op, other);
    break;
  case 1:
    loseOperand(f, op);
    break;
  case 2:
    if (nResults)
      mlirValueSetType(mlirOperationGetResult(op, draw(f, (int)nResults)),
                       drawType(f));
    break;
  case 3:
    for (; entry && entry->name; ++entry)
      if (!draw(f, 3))
        mlirOperationSetInherentAttributeByName(
            op, mlirStringRefCreateFromCString(entry->name),
            drawAttribute(f, entry));
    break;
  case 4:
    damageRegion(f, op);
  }
}

static bool isOurs(MlirOperation op) {
  return xlaOpGetKind(op) != XlaOpKindInvalid;
}

/// Damages one operation; all are verified, also those around and inside.
static void damageOne(Fixture *f, const char *example) {
  MlirModule module = mlirModuleCreateParse(
      f->context, mlirStringRefCreateFromCString(example));
  assert_false(mlirModuleIsNull(module));
  MlirOperation top = mlirModuleGetOperation(module);
  XlaIrOps ops = xlaIrCollect(top, MlirWalkPreOrder, isOurs);
  assert_true(ops.n > 0);
  damage(f, ops.ops[draw(f, (int)ops.n)], ops.ops[draw(f, (int)ops.n)]);
  free(ops.ops);
  ops = xlaIrCollect(top, MlirWalkPreOrder, isOurs);
  bool alone = true;
  for (intptr_t i = 0; i < ops.n; ++i)
    alone &= mlirLogicalResultIsSuccess(xlaOpVerify(ops.ops[i]));
  bool whole = mlirOperationVerify(top);
  assert_true(alone || !whole);
  free(ops.ops);
  mlirModuleDestroy(module);
}

static void damagedExamplesAreRefused(void **state) {
  Fixture *f = *state;
  for (XlaOpKind kind = XlaOpKindInvalid + 1; kind < XlaOpKindCount; ++kind) {
    const char *example = xlaOpGetExample(kind);
    for (int i = 0; example && i < damages; ++i) {
      f->random = (uint64_t)kind * damages + (uint64_t)i;
      draw(f, 2);
      damageOne(f, example);
    }
  }
}

static int setUp(void **state) {
  static Fixture f;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__func__(), registry);
  xlaDialectRegister(registry);
  f.context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(f.context);
  mlirContextAttachDiagnosticHandler(f.context, swallow, NULL, NULL);
  f.module = mlirModuleCreateEmpty(mlirLocationUnknownGet(f.context));
  MlirLocation locations[nTypes];
  for (int i = 0; i < nTypes; ++i) {
    locations[i] = mlirLocationUnknownGet(f.context);
    f.types[i] = xlaIrParseType(f.context, types[i]);
    if (mlirTypeIsNull(f.types[i]))
      return fprintf(stderr, "%s is no type\n", types[i]), 1;
  }
  for (int i = 0; i < nAttributes; ++i) {
    f.attributes[i] = xlaIrParseAttr(f.context, attributes[i]);
    if (mlirAttributeIsNull(f.attributes[i]))
      return fprintf(stderr, "%s is no attribute\n", attributes[i]), 1;
  }
  MlirBlock outer = mlirBlockCreate(nTypes, f.types, locations);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, outer);
  XlaIr ir = xlaIrAtEnd(f.context, locations[0], mlirModuleGetBody(f.module));
  MlirType type = mlirFunctionTypeGet(f.context, nTypes, f.types, 0, NULL);
  XlaIrAttr attrs[] = {{"sym_name", xlaIrStringAttr(f.context, "f")},
                       {"function_type", mlirTypeAttrGet(type)}};
  xlaIrCreate(&ir, "func.func", 0, NULL, 0, NULL, 2, attrs, 1, &region);
  for (int i = 0; i < nTypes; ++i)
    f.values[i] = mlirBlockGetArgument(outer, i);
  f.body = outer;
  *state = &f;
  return 0;
}

static int tearDown(void **state) {
  Fixture *f = *state;
  mlirModuleDestroy(f->module);
  mlirContextDestroy(f->context);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothingCrashes),
      cmocka_unit_test(damagedExamplesAreRefused)};
  return cmocka_run_group_tests(tests, setUp, tearDown);
}

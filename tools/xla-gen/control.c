//===- control.c - Random loops, branches, calls and tuples ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-gen/gen.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>

enum { maxDepth = 3, maxCarried = 3 };

static MlirType typeOf(XlaGenValue x) { return mlirValueGetType(x.value); }

/// A few operations that cost the program's budget.
static void someStatements(XlaGen *gen, int most) {
  xlaGenStatements(gen, xlaGenBelow(gen, most + 1));
}

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

static MlirValue packed(XlaGen *gen, int n, const XlaGenValue *parts) {
  MlirValue values[maxCarried + 1];
  for (int i = 0; i < n; ++i)
    values[i] = parts[i].value;
  MlirOperation op =
      xlaGenRaw(gen, XlaOpKindTuple, n, values, 0, NULL, 0, NULL, 0, NULL);
  return mlirOperationGetResult(op, 0);
}

static XlaGenValue part(XlaGen *gen, MlirValue tuple, int index) {
  XlaIrAttr attr = xlaGenInteger(gen, "index", index);
  MlirOperation op = xlaGenRaw(gen, XlaOpKindGetTupleElement, 1, &tuple, 1,
                               &attr, 0, NULL, 0, NULL);
  XlaGenValue value = xlaGenValueOf(mlirOperationGetResult(op, 0));
  xlaGenAdd(gen, value);
  return value;
}

bool xlaGenTuple(XlaGen *gen, XlaOpKind kind) {
  if (gen->scalars)
    return false;
  XlaGenValue x = xlaGenPick(gen, ~0u), y = xlaGenPick(gen, ~0u);
  XlaGenValue values[] = {x, y};
  if (kind == XlaOpKindOptimizationBarrier)
    return xlaGenOp(gen, kind, 1 + xlaGenBelow(gen, 2), values, 0, NULL, 0,
                    NULL, NULL, NULL);
  MlirValue tuple = packed(gen, 2, values);
  if (gen->options->own && xlaGenBelow(gen, 2)) {
    XlaShape pred = xlaGenScalar(XlaElementTypePred);
    values[0] = xlaGenOfShape(gen, &x.shape);
    MlirValue operands[] = {xlaGenOfShape(gen, &pred).value, tuple,
                            packed(gen, 2, values)};
    tuple = mlirOperationGetResult(
        xlaGenRaw(gen, XlaOpKindSelect, 3, operands, 0, NULL, 0, NULL, 0, NULL),
        0);
  }
  part(gen, tuple, xlaGenBelow(gen, 2));
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// What a loop carries: the counter, then arrays, in one tuple if `isPacked`.
typedef struct Loop {
  int n;
  XlaGenValue inits[maxCarried + 1];
  bool isPacked;
  int nTypes;
  MlirType types[maxCarried + 1];
} Loop;

/// Enters a region whose arguments are what the loop carries.
static XlaGenScope enterLoop(XlaGen *gen, const Loop *loop,
                             XlaGenValue *carried) {
  XlaGenScope scope = xlaGenEnter(gen, loop->nTypes, loop->types, false);
  MlirBlock block = gen->ir.block;
  for (int i = 0; i < loop->n; ++i)
    carried[i] = loop->isPacked ? part(gen, mlirBlockGetArgument(block, 0), i)
                                : xlaGenValueOf(mlirBlockGetArgument(block, i));
  return scope;
}

static MlirRegion condition(XlaGen *gen, const Loop *loop, int limit) {
  XlaGenValue carried[maxCarried + 1];
  XlaGenScope scope = enterLoop(gen, loop, carried);
  XlaShape index = xlaGenScalar(XlaElementTypeS32);
  MlirValue operands[] = {carried[0].value,
                          xlaGenNumber(gen, &index, limit).value};
  XlaIrAttr attr = {"comparison_direction",
                    xlaIrStringAttr(gen->ir.context, "LT")};
  MlirOperation op =
      xlaGenRaw(gen, XlaOpKindCompare, 2, operands, 1, &attr, 0, NULL, 0, NULL);
  MlirValue result = mlirOperationGetResult(op, 0);
  return xlaGenLeave(gen, &scope, 1, &result);
}

static MlirRegion body(XlaGen *gen, const Loop *loop) {
  XlaGenValue carried[maxCarried + 1];
  XlaGenScope scope = enterLoop(gen, loop, carried);
  someStatements(gen, 5);
  for (int i = 1; i < loop->n; ++i)
    carried[i] = xlaGenOfShape(gen, &loop->inits[i].shape);
  XlaShape index = xlaGenScalar(XlaElementTypeS32);
  MlirValue sum[] = {carried[0].value, xlaGenNumber(gen, &index, 1).value};
  carried[0].value = mlirOperationGetResult(
      xlaGenRaw(gen, XlaOpKindAdd, 2, sum, 0, NULL, 0, NULL, 0, NULL), 0);
  MlirValue results[maxCarried + 1];
  for (int i = 0; i < loop->n; ++i)
    results[i] = carried[i].value;
  if (loop->isPacked)
    results[0] = packed(gen, loop->n, carried);
  return xlaGenLeave(gen, &scope, loop->nTypes, results);
}

/// Counts up to 3 with other values.
static bool whileLoop(XlaGen *gen) {
  Loop loop = {.n = 2 + xlaGenBelow(gen, maxCarried),
               .isPacked = gen->options->own && xlaGenBelow(gen, 2)};
  XlaShape index = xlaGenScalar(XlaElementTypeS32);
  loop.inits[0] = xlaGenNumber(gen, &index, 0);
  for (int i = 1; i < loop.n; ++i)
    loop.inits[i] = xlaGenPick(gen, ~0u);
  MlirValue operands[maxCarried + 1];
  loop.nTypes = loop.isPacked ? 1 : loop.n;
  for (int i = 0; i < loop.n; ++i)
    operands[i] = loop.inits[i].value;
  if (loop.isPacked)
    operands[0] = packed(gen, loop.n, loop.inits);
  for (int i = 0; i < loop.nTypes; ++i)
    loop.types[i] = mlirValueGetType(operands[i]);
  MlirRegion regions[2] = {condition(gen, &loop, xlaGenBelow(gen, 4))};
  regions[1] = body(gen, &loop);
  MlirOperation op = xlaGenRaw(gen, XlaOpKindWhile, loop.nTypes, operands, 0,
                               NULL, 2, regions, 0, NULL);
  if (mlirOperationIsNull(op))
    return false;
  for (int i = 1; i < loop.n; ++i)
    if (loop.isPacked)
      part(gen, mlirOperationGetResult(op, 0), i);
    else
      xlaGenAdd(gen, xlaGenValueOf(mlirOperationGetResult(op, i)));
  return true;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// if, case, or conditional, of one or two results.
static bool branches(XlaGen *gen, XlaOpKind kind) {
  bool byIndex = kind == XlaOpKindCase ||
                 (kind == XlaOpKindConditional && xlaGenBelow(gen, 2));
  bool passes = kind == XlaOpKindConditional;
  int n = byIndex ? 1 + xlaGenBelow(gen, 3) : 2;
  XlaShape selector =
      xlaGenScalar(byIndex ? XlaElementTypeS32 : XlaElementTypePred);
  MlirValue operands[4] = {xlaGenOfShape(gen, &selector).value};
  MlirType passed[3];
  for (int i = 0; passes && i < n; ++i) {
    operands[1 + i] = xlaGenPick(gen, ~0u).value;
    passed[i] = mlirValueGetType(operands[1 + i]);
  }
  XlaGenValue wanted[2] = {xlaGenPick(gen, ~0u), xlaGenPick(gen, ~0u)};
  int nResults = 1 + xlaGenBelow(gen, 2);
  bool isPacked = gen->options->own && xlaGenBelow(gen, 2);
  MlirRegion regions[3];
  for (int i = 0; i < n; ++i) {
    XlaGenScope scope = xlaGenEnter(gen, passes, passed + i, false);
    someStatements(gen, 4);
    XlaGenValue results[2];
    MlirValue values[2];
    for (int k = 0; k < nResults; ++k) {
      results[k] = xlaGenOfShape(gen, &wanted[k].shape);
      values[k] = results[k].value;
    }
    if (isPacked)
      values[0] = packed(gen, nResults, results);
    regions[i] = xlaGenLeave(gen, &scope, isPacked ? 1 : nResults, values);
  }
  MlirOperation op = xlaGenRaw(gen, kind, passes ? 1 + n : 1, operands, 0, NULL,
                               n, regions, 0, NULL);
  if (mlirOperationIsNull(op))
    return false;
  for (int k = 0; k < nResults; ++k)
    if (isPacked)
      part(gen, mlirOperationGetResult(op, 0), k);
    else
      xlaGenAdd(gen, xlaGenValueOf(mlirOperationGetResult(op, k)));
  return true;
}

bool xlaGenControlFlow(XlaGen *gen, XlaOpKind kind) {
  if (gen->depth >= maxDepth || gen->scalars)
    return false;
  return kind == XlaOpKindWhile ? whileLoop(gen) : branches(gen, kind);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static bool customCall(XlaGen *gen, XlaGenValue x) {
  XlaIrAttr attrs[] = {
      {"call_target_name", xlaIrStringAttr(gen->ir.context, "log")},
      {"has_side_effect", mlirBoolAttrGet(gen->ir.context, 1)}};
  MlirType type = typeOf(x);
  MlirOperation op = xlaGenRaw(gen, XlaOpKindCustomCall, 1, &x.value, 2, attrs,
                               0, NULL, 1, &type);
  if (mlirOperationIsNull(op))
    return false;
  xlaGenAdd(gen, xlaGenValueOf(mlirOperationGetResult(op, 0)));
  return true;
}

/// A function of `n` arguments with one result, whose type it gives.
static MlirType function(XlaGen *gen, const char *name, int n,
                         const MlirType *types) {
  XlaGenScope scope = xlaGenEnter(gen, n, types, true);
  bool scalars = gen->scalars;
  if (scalars)
    xlaGenOfFamily(gen, XlaFamilyElementwise);
  else
    someStatements(gen, 4);
  MlirValue result = gen->values[gen->nValues - 1].value;
  MlirType type = mlirValueGetType(result);
  xlaIrCreate(&gen->ir, "func.return", 1, &result, 0, NULL, 0, NULL, 0, NULL);
  gen->ir = scope.ir;
  gen->nValues = scope.nValues;
  gen->first = scope.first;
  --gen->depth;
  MlirContext context = gen->ir.context;
  XlaIrAttr attrs[] = {{"sym_name", xlaIrStringAttr(context, name)},
                       {"sym_visibility", xlaIrStringAttr(context, "private")},
                       {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(
                                             context, n, types, 1, &type))}};
  XlaIr module = xlaIrIn(gen->ir, gen->module);
  xlaIrCreate(&module, "func.func", 0, NULL, 0, NULL, 3, attrs, 1,
              &scope.region);
  return type;
}

bool xlaGenCall(XlaGen *gen, XlaOpKind kind) {
  XlaGenValue operands[2] = {xlaGenPick(gen, ~0u), xlaGenPick(gen, ~0u)};
  if (kind == XlaOpKindCustomCall)
    return gen->options->own && !gen->scalars && customCall(gen, operands[0]);
  if (gen->depth >= maxDepth)
    return false;
  char name[64];
  snprintf(name, sizeof name, "p%llu_f%d", (unsigned long long)gen->seed,
           gen->functions++);
  int n = 1 + xlaGenBelow(gen, 2);
  MlirType types[2];
  MlirValue values[2];
  for (int i = 0; i < n; ++i) {
    values[i] = operands[i].value;
    types[i] = typeOf(operands[i]);
  }
  MlirType type = function(gen, name, n, types);
  XlaIrAttr callee = {
      "callee", mlirFlatSymbolRefAttrGet(gen->ir.context,
                                         mlirStringRefCreateFromCString(name))};
  const char *op = xlaGenBelow(gen, 2) ? "xla.call" : "func.call";
  for (int times = 1 + !xlaGenBelow(gen, 4); times > 0; --times) {
    MlirValue result = xlaIrOp(&gen->ir, op, type, n, values, 1, &callee);
    xlaGenAdd(gen, xlaGenValueOf(result));
  }
  return true;
}

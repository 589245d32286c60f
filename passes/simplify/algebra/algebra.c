//===- algebra.c - Algebraic rules ----------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk in program order, so that the operands of an operation have been
// simplified before it. What a rule makes is visited next, before the walk goes
// on. Operations that lose all their users stay, as the walk holds on to them.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/passes.h"
#include "xlac/passes/simplify/algebra/internal.h"

#include "xlac/dialect/result_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Walk {
  const Algebra *algebra;
  int64_t *fired;
  int64_t budget; ///< of applications: rules could undo each other
  bool failed;    ///< memory ran out
} Walk;

/// Whether a row is for elements of `type`. Floats that lack NaN or a sign have
/// the rows for everything alone.
static bool isForType(const XlaAlgebraRow *row, XlaElementType type) {
  static const unsigned any = XlaTypeClassPred | XlaTypeClassSigned |
                              XlaTypeClassUnsigned | XlaTypeClassFloat |
                              XlaTypeClassComplex;
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  bool isOdd = info->flavor == XlaFloatFlavorE8m0 ||
               info->flavor == XlaFloatFlavorFinite;
  return isOdd ? row->classes == any : row->classes & info->typeClass;
}

/// The element type that rows are for; Invalid if there is no array.
static XlaElementType typeOf(MlirOperation op, XlaOpKind kind) {
  XlaShape shape;
  intptr_t n = mlirOperationGetNumOperands(op);
  intptr_t i = kind == XlaOpKindReduce ? 0 : n - 1;
  return n && xlaAlgebraShape(mlirOperationGetOperand(op, i), &shape)
             ? shape.elementType
             : XlaElementTypeInvalid;
}

static void replace(Walk *walk, MlirOperation op, XlaAlgebraRule rule,
                    const MlirValue *values) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), values[i]);
  mlirOperationDestroy(op);
  --walk->budget;
  if (walk->fired)
    ++walk->fired[rule];
}

static bool applyFunctions(Walk *walk, MlirOperation op, XlaOpKind kind) {
  const Algebra *algebra = walk->algebra;
  int n = algebra->functions[kind].n;
  MlirValue few[4], *values = few;
  if (!n)
    return false;
  bool branches = xlaOpGetInfo(kind)->family == XlaFamilyControlFlow ||
                  kind == XlaOpKindGetTupleElement;
  XlaElementType type = branches ? XlaElementTypeInvalid : typeOf(op, kind);
  if (!branches && type == XlaElementTypeInvalid)
    return false;
  size_t nResults = (size_t)mlirOperationGetNumResults(op);
  if (nResults > sizeof few / sizeof *few)
    values = malloc(nResults * sizeof *values);
  walk->failed |= !values;
  bool done = false;
  XlaIr ir = xlaIrBefore(op);
  for (int i = 0; values && !done && i < n; ++i) {
    XlaAlgebraRule rule = algebra->functions[kind].rules[i];
    done = (branches || isForType(xlaAlgebraGetRow(rule), type)) &&
           xlaAlgebraGetFunction(rule)(&ir, op, values);
    if (done)
      replace(walk, op, rule, values);
  }
  if (values != few)
    free(values);
  return done;
}

static bool applyTexts(Walk *walk, MlirOperation op, XlaOpKind kind) {
  const Algebra *algebra = walk->algebra;
  AlgebraMatch match = {.algebra = algebra, .root = op};
  XlaElementType type;
  if (algebra->first[kind] < 0 ||
      !xlaAlgebraShape(mlirOperationGetResult(op, 0), &match.shape) ||
      (type = typeOf(op, kind)) == XlaElementTypeInvalid)
    return false;
  for (int rule = algebra->first[kind]; rule >= 0;
       rule = algebra->trees[rule].next) {
    if (!isForType(xlaAlgebraGetRow((XlaAlgebraRule)rule), type) ||
        !xlaAlgebraMatches(&match, (XlaAlgebraRule)rule))
      continue;
    XlaIr ir = xlaIrBefore(op);
    MlirValue value = xlaAlgebraReplace(&match, (XlaAlgebraRule)rule, &ir);
    if (mlirValueIsNull(value))
      continue;
    replace(walk, op, (XlaAlgebraRule)rule, &value);
    return true;
  }
  return false;
}

static void visitBlock(Walk *walk, MlirBlock block);

/// Branches that are left are visited where they come to stand.
static bool visit(Walk *walk, MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindInvalid || walk->budget <= 0)
    return false;
  bool isLoop = kind == XlaOpKindWhile;
  if (!isLoop && applyFunctions(walk, op, kind))
    return true;
  if (xlaOpGetInfo(kind)->family == XlaFamilyControlFlow ||
      kind == XlaOpKindSort)
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      for (MlirBlock block =
               mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
           !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
        visitBlock(walk, block);
  if (isLoop)
    return applyFunctions(walk, op, kind);
  return applyTexts(walk, op, kind);
}

static void visitBlock(Walk *walk, MlirBlock block) {
  MlirOperation last = {NULL}; // the last that stays
  for (;;) {
    MlirOperation op = mlirOperationIsNull(last)
                           ? mlirBlockGetFirstOperation(block)
                           : mlirOperationGetNextInBlock(last);
    if (mlirOperationIsNull(op))
      return;
    if (!visit(walk, op))
      last = op;
  }
}

static MlirWalkResult count(MlirOperation op, void *data) {
  (void)op;
  ++*(int64_t *)data;
  return MlirWalkResultAdvance;
}

MlirLogicalResult xlaSimplifyAlgebra(MlirOperation function,
                                     int64_t fired[XlaAlgebraRuleCount]) {
  int64_t nOps = 0;
  mlirOperationWalk(function, count, &nOps, MlirWalkPreOrder);
  Walk walk = {xlaAlgebraGet(), fired, 1000 + 8 * nOps, false};
  MlirRegion body = mlirOperationGetRegion(function, 0);
  for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    visitBlock(&walk, block);
  return walk.failed ? xlaOpNoMemory(function) : success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Removes what nothing uses, from the last to the first operation.
static MlirLogicalResult removeDead(MlirOperation function) {
  XlaIrOps all = xlaIrCollect(function, MlirWalkPreOrder, NULL);
  for (intptr_t i = all.n - 1; i >= 0; --i) {
    MlirOperation op = all.ops[i];
    XlaOpKind kind = xlaOpGetKind(op);
    bool used = !mlirOperationGetNumResults(op) || kind == XlaOpKindInvalid ||
                !(xlaOpGetInfo(kind)->traits & MlirExtOpTraitPure);
    for (intptr_t r = 0; !used && r < mlirOperationGetNumResults(op); ++r)
      used = !mlirOpOperandIsNull(
          mlirValueGetFirstUse(mlirOperationGetResult(op, r)));
    if (!used)
      mlirOperationDestroy(op);
  }
  free(all.ops);
  return all.failed ? xlaOpNoMemory(function) : success();
}

MlirLogicalResult xlaPassSimplifyAlgebra(MlirOperation module,
                                         MlirExtPassOptionValues options,
                                         void *userData) {
  (void)options;
  (void)userData;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (xlaIrIsOp(op, "func.func") &&
        (failed(xlaSimplifyAlgebra(op, NULL)) || failed(removeDead(op))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Documentation
//===----------------------------------------------------------------------===//

static void put(MlirStringCallback callback, void *userData, const char *text) {
  callback(mlirStringRefCreateFromCString(text), userData);
}

static void putClasses(MlirStringCallback callback, void *userData,
                       unsigned classes) {
  static const struct {
    unsigned bit;
    const char *letter;
  } names[] = {{XlaTypeClassPred, "p"},
               {XlaTypeClassSigned, "s"},
               {XlaTypeClassUnsigned, "u"},
               {XlaTypeClassFloat, "f"},
               {XlaTypeClassComplex, "c"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (classes & names[i].bit)
      put(callback, userData, names[i].letter);
}

void xlaAlgebraListMarkdown(MlirStringCallback callback, void *userData) {
  put(callback, userData,
      "# Algebraic rules\n\n"
      "From the table passes/simplify/algebra/algebra.def; `xla-opt "
      "--xla-simplify-algebra` "
      "applies them.\n\n"
      "They hold bit for bit, for infinities, signs of zero, subnormal numbers "
      "and integers that wrap too. Only NaN is one value to them: which of its "
      "bit patterns an arithmetic operation gives is left open.\n\n"
      "`k`, `m` and `n` are arrays that repeat a constant, other letters any "
      "array; `ones` has all bits set, `min` and `max` are the least and the "
      "greatest value, of floats infinities; `eq` to `lt` are comparisons, "
      "`total_eq` to `total_lt` those in the total order. Operands that "
      "commute are tried in both "
      "orders. `once`: nothing else uses what the operands compute.\n\n"
      "The second column has the classes of elements: pred, signed, unsigned, "
      "float, complex. f4e2m1fn, f6e2m3fn, f6e3m2fn and f8e8m0fnu, which lack "
      "NaN or a sign, have the rules for all classes alone.\n\n"
      "| rule | elements | why, or why not for others | name |\n"
      "|---|---|---|---|\n");
  for (int rule = 0; rule < XlaAlgebraRuleCount; ++rule) {
    const XlaAlgebraRow *row = xlaAlgebraGetRow((XlaAlgebraRule)rule);
    put(callback, userData, "| `");
    put(callback, userData, row->text);
    put(callback, userData, "` | ");
    putClasses(callback, userData, row->classes);
    put(callback, userData, " | ");
    put(callback, userData, row->why);
    put(callback, userData, " | ");
    put(callback, userData, row->name);
    put(callback, userData, " |\n");
  }
}

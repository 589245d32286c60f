//===- legalize.c - The form of programs that lowering takes --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/legalize.h"
#include "xlac/dialect/entry.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/passes/complex/split.h"
#include "xlac/passes/dynamic/sizes.h"
#include "xlac/passes/expand/alias.h"
#include "xlac/passes/expand/computations.h"
#include "xlac/passes/expand/dot_rows.h"
#include "xlac/passes/expand/expand.h"
#include "xlac/passes/expand/rng.h"
#include "xlac/passes/expand/sort_few.h"
#include "xlac/passes/flatten.h"
#include "xlac/passes/narrow/widen.h"
#include "xlac/passes/passes.h"
#include "xlac/passes/simplify/algebra/algebra.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static MlirLogicalResult checkType(MlirOperation op, MlirType type) {
  XlaShape shape;
  const char *reason;
  if (xlaShapeFromMlirBounded(type, &shape, NULL) && shape.dynamic)
    return xlaOpUnsupported(
        op, "legal",
        "has a value of type %s, whose size is known only when "
        "the program runs: not supported yet in compiled "
        "programs",
        XLA_TYPE_TEXT(type));
  if (!xlaShapeFromMlir(type, &shape, &reason))
    return xlaOpUnsupported(op, "legal", "has a value of type %s, which %s",
                            XLA_TYPE_TEXT(type), reason);
  if (!mlirTypeEqual(type, xlaTypeWithoutLayout(type)))
    return xlaOpError(op, "legal", "has a value of type %s with an encoding",
                      XLA_TYPE_TEXT(type));
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult checkElementwise(MlirOperation op) {
  XlaShape result, operand;
  xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 0)), &result,
                   NULL);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, i)), &operand,
                     NULL);
    if (!xlaShapeDimsEqual(&operand, &result))
      return xlaOpError(op, "legal",
                        "operand %lld is %s, the result %s: broadcasts are "
                        "to be explicit",
                        (long long)i, XLA_SHAPE_TEXT(&operand),
                        XLA_SHAPE_TEXT(&result));
  }
  return mlirLogicalResultSuccess();
}

/// What xla-legalize replaces by other operations.
static bool isReplaced(XlaOpKind kind) {
  static const XlaOpKind replaced[] = {
      XlaOpKindCall,        XlaOpKindTuple,     XlaOpKindGetTupleElement,
      XlaOpKindIf,          XlaOpKindDot,       XlaOpKindMap,
      XlaOpKindConditional, XlaOpKindBroadcast, XlaOpKindCollapse,
  };
  for (size_t i = 0; i < sizeof replaced / sizeof *replaced; ++i)
    if (replaced[i] == kind)
      return true;
  return false;
}

static MlirLogicalResult checkOp(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindInvalid && !xlaIrIsOp(op, "func.return"))
    return xlaOpError(op, "legal", "is not an operation of xla");
  if (isReplaced(kind) ||
      (kind == XlaOpKindCase && mlirOperationGetNumOperands(op) > 1))
    return xlaOpError(op, "legal", "is not in the form that lowering takes");
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (mlirLogicalResultIsFailure(
            checkType(op, mlirValueGetType(mlirOperationGetOperand(op, i)))))
      return mlirLogicalResultFailure();
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (mlirLogicalResultIsFailure(
            checkType(op, mlirValueGetType(mlirOperationGetResult(op, i)))))
      return mlirLogicalResultFailure();
  if (kind != XlaOpKindInvalid &&
      xlaOpGetInfo(kind)->family == XlaFamilyElementwise)
    return checkElementwise(op);
  return mlirLogicalResultSuccess();
}

typedef struct Check {
  MlirOperation function;
  MlirLogicalResult result;
} Check;

static MlirWalkResult check(MlirOperation op, void *data) {
  Check *c = data;
  if (mlirOperationEqual(op, c->function))
    return MlirWalkResultAdvance;
  c->result = checkOp(op);
  return mlirLogicalResultIsFailure(c->result) ? MlirWalkResultInterrupt
                                               : MlirWalkResultAdvance;
}

MlirLogicalResult xlaLegalVerify(MlirOperation function) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  if (mlirBlockIsNull(block) ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(block)))
    return xlaOpError(function, "legal", "must have one block");
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    if (mlirLogicalResultIsFailure(checkType(
            function, mlirValueGetType(mlirBlockGetArgument(block, i)))))
      return mlirLogicalResultFailure();
  Check c = {function, mlirLogicalResultSuccess()};
  mlirOperationWalk(function, check, &c, MlirWalkPreOrder);
  return c.result;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static MlirBlock bodyOf(MlirOperation module) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
}

MlirOperation xlaFindEntry(MlirOperation module, MlirStringRef entry) {
  MlirStringRef wanted =
      entry.length ? entry : mlirStringRefCreateFromCString("main");
  int count;
  MlirOperation found = xlaModuleFindEntry(module, entry, &count);
  if (!mlirOperationIsNull(found))
    return found;
  xlaOpInvalid(module, NULL,
               "has no function @%.*s to start from, but %d other public "
               "functions",
               (int)wanted.length, wanted.data, count);
  return (MlirOperation){NULL};
}

/// Functions that the entry calls, or what it calls.
typedef struct Reached {
  MlirSymbolTable symbols;
  XlaPointerMap marks;
  MlirOperation *functions; // as many as there is room for
  intptr_t size, visited;
  bool failed;
} Reached;

static void reach(Reached *r, MlirOperation function) {
  if (mlirOperationIsNull(function) || !xlaIrIsOp(function, "func.func") ||
      xlaPointerMapGet(&r->marks, function.ptr))
    return;
  r->failed |= !xlaPointerMapSet(&r->marks, function.ptr, 1);
  r->functions[r->size++] = function;
}

static MlirWalkResult reachCallee(MlirOperation op, void *user) {
  Reached *r = user;
  MlirAttribute callee = xlaOpGetAttr(op, "callee");
  if (!mlirAttributeIsNull(callee) && mlirAttributeIsAFlatSymbolRef(callee))
    reach(r, mlirSymbolTableLookup(r->symbols,
                                   mlirFlatSymbolRefAttrGetValue(callee)));
  return r->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// What the program does not call may be of no form that compiles.
static MlirLogicalResult eraseUnreached(MlirOperation module,
                                        MlirOperation entry) {
  intptr_t n = 0;
  MlirOperation op, next;
  for (op = mlirBlockGetFirstOperation(bodyOf(module));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    ++n;
  Reached r = {.symbols = mlirSymbolTableCreate(module),
               .functions = malloc((size_t)n * sizeof *r.functions)};
  r.failed = !r.functions;
  if (!r.failed)
    reach(&r, entry);
  while (!r.failed && r.visited < r.size)
    mlirOperationWalk(r.functions[r.visited++], reachCallee, &r,
                      MlirWalkPreOrder);
  for (op = mlirBlockGetFirstOperation(bodyOf(module));
       !r.failed && !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (xlaIrIsOp(op, "func.func") && !xlaPointerMapGet(&r.marks, op.ptr))
      mlirOperationDestroy(op);
  }
  mlirSymbolTableDestroy(r.symbols);
  xlaPointerMapClear(&r.marks);
  free(r.functions);
  return r.failed ? xlaOpNoMemory(module) : mlirLogicalResultSuccess();
}

static void eraseOthers(MlirOperation module, MlirOperation function) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(bodyOf(module));
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (xlaIrIsOp(op, "func.func") && !mlirOperationEqual(op, function))
      mlirOperationDestroy(op);
  }
}

/// Sizes that all follow from constants are static; if any does not, all become
/// values, as arrays with both would have to be padded in between.
static MlirLogicalResult makeStatic(MlirOperation function) {
  if (!xlaHasDynamicSizes(function))
    return mlirLogicalResultSuccess();
  MlirOperation copy = mlirOperationClone(function);
  MlirLogicalResult result = xlaResolveSizes(function);
  if (!mlirLogicalResultIsFailure(result) && xlaHasDynamicSizes(function)) {
    mlirRegionTakeBody(mlirOperationGetRegion(function, 0),
                       mlirOperationGetRegion(copy, 0));
    result = xlaBoundSizes(function);
  }
  mlirOperationDestroy(copy);
  return result;
}

/// What goes in and out has static types.
static MlirLogicalResult checkSignature(MlirOperation function) {
  MlirType type = mlirTypeAttrGetValue(xlaOpGetAttr(function, "function_type"));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    if (mlirLogicalResultIsFailure(
            checkType(function, mlirFunctionTypeGetInput(type, i))))
      return mlirLogicalResultFailure();
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i)
    if (mlirLogicalResultIsFailure(
            checkType(function, mlirFunctionTypeGetResult(type, i))))
      return mlirLogicalResultFailure();
  return mlirLogicalResultSuccess();
}

/// `userData` may point to the entry's name, in place of the option.
MlirLogicalResult xlaPassLegalize(MlirOperation module,
                                  MlirExtPassOptionValues options,
                                  void *userData) {
  const MlirStringRef *given = userData;
  MlirOperation function = xlaFindEntry(
      module, given ? *given : mlirExtPassOptionGetString(options, 0));
  if (mlirOperationIsNull(function) ||
      mlirLogicalResultIsFailure(eraseUnreached(module, function)) ||
      mlirLogicalResultIsFailure(xlaAliasExpand(module)) ||
      mlirLogicalResultIsFailure(xlaFlattenFunction(module, function)))
    return mlirLogicalResultFailure();
  if (!xlaExpandBranches(function))
    return xlaOpNoMemory(function);
  if (mlirLogicalResultIsFailure(makeStatic(function)) ||
      mlirLogicalResultIsFailure(xlaAliasExpand(function)) ||
      mlirLogicalResultIsFailure(checkSignature(function)) ||
      mlirLogicalResultIsFailure(xlaExpandComputations(function)) ||
      mlirLogicalResultIsFailure(xlaSplitComplex(function)) ||
      mlirLogicalResultIsFailure(xlaWidenNarrow(function)) ||
      mlirLogicalResultIsFailure(xlaSortFew(function)))
    return mlirLogicalResultFailure();
  eraseOthers(module, function);
  if (mlirLogicalResultIsFailure(xlaExpand(function)) ||
      mlirLogicalResultIsFailure(xlaRngDraw(function)) ||
      mlirLogicalResultIsFailure(xlaRngExpand(function)))
    return mlirLogicalResultFailure();
  xlaExpandDotRows(function);
  xlaPassExplicitBroadcast(function, options, NULL);
  xlaSimplify(function);
  if (mlirLogicalResultIsFailure(xlaSimplifyAlgebra(function, NULL)))
    return mlirLogicalResultFailure();
  xlaSimplify(function); // what rules leave behind
  return xlaLegalVerify(function);
}

/// xla-simplify alone, on all functions.
MlirLogicalResult xlaPassSimplify(MlirOperation module,
                                  MlirExtPassOptionValues options,
                                  void *userData) {
  (void)options;
  (void)userData;
  for (MlirOperation op = mlirBlockGetFirstOperation(bodyOf(module));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (xlaIrIsOp(op, "func.func"))
      xlaSimplify(op);
  return mlirLogicalResultSuccess();
}

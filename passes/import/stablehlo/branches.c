//===- branches.c - Branches for other platforms --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// jax.export writes a program of several platforms with a stablehlo.case where
// they differ. Its index is a constant once the program is compiled for one of
// them, or follows from one through conversions and other cases. What the
// branches of others call need not be known here, so that these go before
// anything is read in them.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/literal.h"
#include "xlac/dialect/shape.h"
#include "xlac/passes/import/stablehlo.h"

static bool isNamed(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            mlirStringRefCreateFromCString(name));
}

static MlirWalkResult findCall(MlirOperation op, void *data) {
  bool *isFound = data;
  *isFound |= isNamed(op, "stablehlo.custom_call");
  return *isFound ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool hasCall(MlirRegion region) {
  bool isFound = false;
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      mlirOperationWalk(op, findCall, &isFound, MlirWalkPreOrder);
  return isFound;
}

/// The branch that index `value` takes: the last one, if there is none.
static MlirRegion branchAt(MlirOperation op, int64_t value) {
  intptr_t n = mlirOperationGetNumRegions(op);
  return mlirOperationGetRegion(op, value < 0 || value >= n ? n - 1 : value);
}

/// What ends a region of one block.
static bool findReturn(MlirRegion region, MlirOperation *end) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  *end = (MlirOperation){NULL};
  if (mlirBlockIsNull(block) ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(block)))
    return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    *end = op;
  return !mlirOperationIsNull(*end) && isNamed(*end, "stablehlo.return");
}

static bool isCase(MlirOperation op) {
  return isNamed(op, "stablehlo.case") &&
         mlirOperationGetNumOperands(op) == 1 &&
         mlirOperationGetNumRegions(op) > 0;
}

/// Whether `type` is that of one integer.
static bool isInteger(MlirType type, XlaElementType *element) {
  XlaShape shape;
  if (!xlaShapeFromMlir(type, &shape, NULL) || shape.rank)
    return false;
  *element = shape.elementType;
  return xlaElementTypeIsInteger(shape.elementType);
}

static bool isConstant(MlirOperation op, int64_t *number) {
  MlirAttribute attr = xlaOpGetAttr(op, "value");
  XlaElementType element;
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAElements(attr) ||
      !isInteger(mlirAttributeGetType(attr), &element))
    return false;
  XlaLiteral *literal = xlaLiteralFromAttribute(attr);
  if (literal)
    *number = xlaLiteralGet(literal, 0).s;
  xlaLiteralRelease(literal);
  return literal != NULL;
}

/// What a conversion to an integer of `type` makes of `number`.
static bool convert(MlirType type, int64_t *number) {
  XlaElementType element;
  if (!isInteger(type, &element))
    return false;
  *number = xlaScalarRound(element, (XlaScalar){.s = *number}).s;
  return true;
}

/// The integer that a value is known to be. Follows at most `depth` operations.
static bool isKnown(MlirValue value, int depth, int64_t *number) {
  MlirOperation end;
  if (!depth || !mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (isNamed(op, "stablehlo.constant"))
    return isConstant(op, number);
  if (isNamed(op, "stablehlo.convert") && mlirOperationGetNumOperands(op) == 1)
    return isKnown(mlirOperationGetOperand(op, 0), depth - 1, number) &&
           convert(mlirValueGetType(value), number);
  intptr_t index = mlirOpResultGetResultNumber(value);
  return isCase(op) &&
         isKnown(mlirOperationGetOperand(op, 0), depth - 1, number) &&
         findReturn(branchAt(op, *number), &end) &&
         index < mlirOperationGetNumOperands(end) &&
         isKnown(mlirOperationGetOperand(end, index), depth - 1, number);
}

/// Puts the branch that is taken in the place of a case, where others call
/// functions.
static MlirWalkResult take(MlirOperation op, void *data) {
  enum { maxDepth = 8 };
  int64_t number;
  MlirOperation end;
  bool calls = false;
  (void)data;
  if (!isCase(op) ||
      !isKnown(mlirOperationGetOperand(op, 0), maxDepth, &number))
    return MlirWalkResultAdvance;
  MlirRegion taken = branchAt(op, number);
  intptr_t nResults = mlirOperationGetNumResults(op);
  if (!findReturn(taken, &end) ||
      mlirOperationGetNumOperands(end) != nResults ||
      mlirBlockGetNumArguments(mlirOperationGetBlock(end)))
    return MlirWalkResultAdvance; // the verifier says what is wrong
  for (intptr_t i = 0; i < nResults; ++i)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(end, i)),
                       mlirValueGetType(mlirOperationGetResult(op, i))))
      return MlirWalkResultAdvance;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirRegionEqual(mlirOperationGetRegion(op, r), taken))
      calls |= hasCall(mlirOperationGetRegion(op, r));
  if (!calls)
    return MlirWalkResultAdvance;
  xlaIrReplaceByBlock(op, mlirOperationGetBlock(end));
  return MlirWalkResultSkip;
}

void xlaImportTakeBranches(MlirOperation module) {
  // Branches inside of others first.
  mlirOperationWalk(module, take, NULL, MlirWalkPostOrder);
}

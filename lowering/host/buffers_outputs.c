//===- buffers_outputs.c - Buffers of results -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program returns is written into the caller's memory at once where its
// producer can, and over what the caller may lose.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/host/buffers_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"

bool xlaBufferIsDonated(MlirOperation function, intptr_t argument) {
  MlirAttribute all = xlaOpGetAttr(function, "arg_attrs");
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all) ||
      argument >= mlirArrayAttrGetNumElements(all))
    return false;
  return !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
      mlirArrayAttrGetElement(all, argument),
      mlirStringRefCreateFromCString(XLA_DONATED)));
}

/// The initial value that can lie where the result `value` of a loop does, so
/// that entering the loop copies nothing; null if there is none.
static MlirValue initialValue(XlaBufferAssigner *p, MlirValue value,
                              MlirBlock block) {
  MlirOperation op = mlirOpResultGetOwner(value);
  intptr_t k = mlirOpResultGetResultNumber(value);
  if (xlaOpGetKind(op) != XlaOpKindWhile || !xlaBufferDiesInLoop(p, op, k))
    return (MlirValue){NULL};
  MlirValue root = xlaBufferGetRoot(mlirOperationGetOperand(op, k));
  bool fits =
      mlirValueIsABlockArgument(root) || xlaBufferIsPlaceable(p, root, block);
  return fits ? root : (MlirValue){NULL};
}

typedef enum Sharing {
  SharingNone,
  SharingMemory, ///< the argument is not read any more
  SharingValue,  ///< what is written stands over the argument's elements
} Sharing;

/// How the memory of `argument` can take the output whose root is `value`.
static Sharing canShare(XlaBufferAssigner *p, MlirValue argument,
                        MlirValue value, MlirBlock block) {
  if (mlirValueIsABlockArgument(value))
    return mlirValueEqual(argument, value) ? SharingValue : SharingNone;
  for (MlirValue before = value;
       before.ptr && !mlirValueIsABlockArgument(before);
       before = initialValue(p, before, block)) {
    value = before;
    if (mlirValueEqual(initialValue(p, value, block), argument))
      return SharingValue;
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  intptr_t last = xlaPointerMapGet(&p->lastUse, argument.ptr);
  if (last < xlaPointerMapGet(&p->begin, op.ptr))
    return SharingMemory;
  if (xlaBufferIsControlFlow(op) ||
      !xlaBufferDiesAt(p, argument, op, mlirOpResultGetResultNumber(value)))
    return SharingNone;
  return SharingValue;
}

/// Lets `value`, which the function returns, and what loops make it of be
/// written into output `index` at once.
static intptr_t assignOutput(XlaBufferAssigner *p, MlirValue value,
                             intptr_t index, MlirBlock block) {
  intptr_t buffer =
      xlaBufferAdd(p, XlaBufferKindOutput, xlaBufferGetBytes(value), index, 0);
  while (!p->failed && value.ptr && !mlirValueIsABlockArgument(value)) {
    MlirValue before = initialValue(p, value, block);
    xlaBufferPlace(p, value, buffer);
    value = before;
  }
  return buffer;
}

/// The donated argument, not given to an output yet, that fits output `value`
/// best; -1 if there is none.
static intptr_t findDonated(XlaBufferAssigner *p, MlirOperation function,
                            MlirValue value, Sharing least) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    if (xlaBufferIsDonated(function, i) &&
        xlaBufferGetNumber(p, argument) < 0 &&
        xlaBufferGetBytes(argument) == xlaBufferGetBytes(value) &&
        canShare(p, argument, value, block) >= least)
      return i;
  }
  return -1;
}

static void assignOutputs(XlaBufferAssigner *p, MlirOperation function,
                          Sharing least) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  MlirOperation terminator = mlirBlockGetTerminator(block);
  for (intptr_t i = 0;
       i < mlirOperationGetNumOperands(terminator) && !p->failed; ++i) {
    MlirValue value = xlaBufferGetRoot(mlirOperationGetOperand(terminator, i));
    bool isArgument = mlirValueIsABlockArgument(value);
    if (isArgument ? xlaBufferGetNumber(p, value) >= 0
                   : !xlaBufferIsPlaceable(p, value, block))
      continue;
    intptr_t donated = -1;
    if (least != SharingNone)
      donated = findDonated(p, function, value, least);
    if (donated < 0 && (isArgument || least != SharingNone))
      continue;
    intptr_t buffer = assignOutput(p, value, i, block);
    if (donated < 0 || p->failed)
      continue;
    ++p->assignment->nCopiesAvoided;
    xlaBufferPlace(p, mlirBlockGetArgument(block, donated), buffer);
  }
}

void xlaBufferAssignOutputs(XlaBufferAssigner *p, MlirOperation function) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  assignOutputs(p, function, SharingValue);
  assignOutputs(p, function, SharingMemory);
  assignOutputs(p, function, SharingNone);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block) && !p->failed; ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    if (xlaBufferGetNumber(p, argument) >= 0)
      continue;
    intptr_t buffer =
        xlaBufferAdd(p, XlaBufferKindInput, xlaBufferGetBytes(argument), i, 0);
    if (!p->failed)
      xlaBufferPlace(p, argument, buffer);
  }
}

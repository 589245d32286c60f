//===- defaults.c - Attributes that say what their absence means ----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/op.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static bool isText(MlirAttribute value, const char *text) {
  return mlirAttributeIsAString(value) &&
         mlirStringRefEqual(mlirStringAttrGetValue(value),
                            mlirStringRefCreateFromCString(text));
}

static bool isFalse(MlirAttribute value) {
  return mlirAttributeIsABool(value) && !mlirBoolAttrGetValue(value);
}

static bool isDefault(MlirAttribute value) { return isText(value, "DEFAULT"); }

/// Whether `is` holds for each element of [..].
static bool isAll(MlirAttribute value, bool (*is)(MlirAttribute element)) {
  if (!mlirAttributeIsAArray(value))
    return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(value); ++i)
    if (!is(mlirArrayAttrGetElement(value, i)))
      return false;
  return true;
}

/// A list in any of the forms that booleans have.
static bool isAllFalse(MlirAttribute value) {
  if (mlirAttributeIsADenseBoolArray(value)) {
    for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(value); ++i)
      if (mlirDenseBoolArrayGetElement(value, i))
        return false;
    return true;
  }
  return mlirAttributeIsADenseElements(value)
             ? mlirDenseElementsAttrIsSplat(value) &&
                   !mlirDenseElementsAttrGetBoolSplatValue(value)
             : isAll(value, isFalse);
}

static bool isEmpty(MlirAttribute value) {
  if (mlirAttributeIsAArray(value))
    return mlirArrayAttrGetNumElements(value) == 0;
  if (mlirAttributeIsADenseI64Array(value))
    return mlirDenseArrayGetNumElements(value) == 0;
  if (mlirAttributeIsADenseElements(value))
    return mlirElementsAttrGetNumElements(value) == 0;
  return isText(value, "");
}

/// An integer, or a list of it.
static bool isNumbers(MlirOperation op, const MlirExtOpAttribute *entry,
                      int64_t number) {
  XlaI64List list;
  if (entry->kind != XlaAttrKindI64Array)
    return xlaOpGetI64(op, entry->name, 0) == number;
  xlaOpGetList(op, entry->name, &list);
  for (int i = 0; i < list.size; ++i)
    if (list.values[i] != number)
      return false;
  return true;
}

static bool isLast(MlirOperation op, const MlirExtOpAttribute *entry) {
  int64_t dimension = xlaOpGetI64(op, entry->name, -1);
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  return dimension == -1 || dimension == mlirShapedTypeGetRank(type) - 1;
}

/// Whether `op`, which has been verified, means the same without `value`.
static bool isAbsent(MlirOperation op, const MlirExtOpAttribute *entry,
                     MlirAttribute value) {
  switch ((XlaAttrAbsent)entry->absent) {
  case XlaAttrAbsentUnstated:
    return false;
  case XlaAttrAbsentFalse:
    return isFalse(value) || isAllFalse(value);
  case XlaAttrAbsentZeros:
    return isNumbers(op, entry, 0);
  case XlaAttrAbsentOnes:
    return isNumbers(op, entry, 1);
  case XlaAttrAbsentLast:
    return isLast(op, entry);
  case XlaAttrAbsentEmpty:
    return isEmpty(value);
  case XlaAttrAbsentDefault:
    return isAll(value, isDefault);
  case XlaAttrAbsentAny:
    return true;
  }
  return false;
}

/// The attribute of `op` that its absence may stand for; null if there is none.
static MlirAttribute statedOf(MlirOperation op,
                              const MlirExtOpAttribute *entry) {
  return entry->absent ? xlaOpGetAttr(op, entry->name) : mlirAttributeGetNull();
}

static MlirWalkResult leaveOut(MlirOperation op, void *result) {
  const MlirExtOpAttribute *entries =
      xlaOpGetInfo(xlaOpGetKind(op))->attributes;
  bool verified = false;
  for (const MlirExtOpAttribute *at = entries; at && at->name; ++at) {
    MlirAttribute value = statedOf(op, at);
    if (mlirAttributeIsNull(value))
      continue;
    if (!verified && mlirLogicalResultIsFailure(xlaOpVerify(op))) {
      *(MlirLogicalResult *)result = mlirLogicalResultFailure();
      return MlirWalkResultInterrupt;
    }
    verified = true;
    if (isAbsent(op, at, value))
      mlirOperationRemoveAttributeByName(
          op, mlirStringRefCreateFromCString(at->name));
  }
  return MlirWalkResultAdvance;
}

MlirLogicalResult xlaOpLeaveOutDefaults(MlirOperation op) {
  MlirLogicalResult result = mlirLogicalResultSuccess();
  mlirOperationWalk(op, leaveOut, &result, MlirWalkPreOrder);
  return result;
}

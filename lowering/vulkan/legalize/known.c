//===- known.c - Values that drivers may compute --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drivers fold what depends on constants alone. They also unroll loops: what
// begins as a constant is one in the first iteration.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/legalize/legalize.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

/// Of ops whose results are known, while zeros are hidden.
static const char known[] = "xla.known";

static MlirStringRef nameOfMark(void) {
  return mlirStringRefCreateFromCString(known);
}

/// Arguments of scf.for are the induction variable, which begins as operand 0,
/// and the values that it carries, which begin as operand 3 and on.
static bool beginsKnown(V argument) {
  intptr_t i = mlirBlockArgumentGetArgNumber(argument);
  MlirOperation loop =
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(argument));
  return xlaIrIsOp(loop, "scf.for") &&
         xlaVulkanIsKnown(mlirOperationGetOperand(loop, i ? i + 2 : 0));
}

bool xlaVulkanIsKnown(V value) {
  if (mlirValueIsABlockArgument(value))
    return beginsKnown(value);
  MlirOperation op = mlirOpResultGetOwner(value);
  return xlaIrIsOp(op, "arith.constant") ||
         !mlirAttributeIsNull(
             mlirOperationGetDiscardableAttributeByName(op, nameOfMark()));
}

/// That its results depend on nothing but operands.
static bool isComputation(MlirOperation op) {
  static const char *const dialects[] = {"arith.", "math.", "vector.", "scf."};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i) {
    size_t length = strlen(dialects[i]);
    if (name.length > length && !memcmp(name.data, dialects[i], length))
      return true;
  }
  return false;
}

/// Of a select, the value that is not taken may be anything.
static bool selectsKnown(MlirOperation op) {
  return xlaVulkanIsKnown(mlirOperationGetOperand(op, 0)) &&
         (xlaVulkanIsKnown(mlirOperationGetOperand(op, 1)) ||
          xlaVulkanIsKnown(mlirOperationGetOperand(op, 2)));
}

static bool computesKnown(MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  if (!n || !mlirOperationGetNumResults(op) || !isComputation(op))
    return false;
  for (intptr_t i = 0; i < n; ++i)
    if (!xlaVulkanIsKnown(mlirOperationGetOperand(op, i)))
      return false;
  return true;
}

void xlaVulkanMarkKnown(MlirOperation op) {
  if (xlaIrIsOp(op, "arith.select") ? selectsKnown(op) : computesKnown(op))
    mlirOperationSetDiscardableAttributeByName(
        op, nameOfMark(), mlirUnitAttrGet(mlirOperationGetContext(op)));
}

void xlaVulkanUnmarkKnown(MlirOperation op) {
  mlirOperationRemoveDiscardableAttributeByName(op, nameOfMark());
}

//===- device.c - Types that a device lacks -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/op.h"
#include "xlac/lowering/vulkan/spirv.h"

static XlaElementType elementOf(MlirValue value) {
  XlaShape shape;
  return xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL)
             ? shape.elementType
             : XlaElementTypeInvalid;
}

/// Values inside of fusions are not stored.
static bool isStored(MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  return !parent.ptr || xlaOpGetKind(parent) != XlaOpKindFusion;
}

const char *xlaVulkanWhyNotType(XlaElementType type, bool isInMemory,
                                const XlaVulkanInfo *info) {
  if (type == XlaElementTypeInvalid)
    return NULL;
  const XlaElementTypeInfo *element = xlaElementTypeGetInfo(type);
  if (xlaElementTypeIsFloat(type) && element->bits == 64 && !info->f64)
    return "64-bit floats (shaderFloat64)";
  // Floats are taken apart in integers of their width.
  if (element->bits == 64 && !info->i64)
    return "64-bit integers (shaderInt64)";
  if (isInMemory && element->bytes == 1 && !info->storage8)
    return "8-bit values in memory (storageBuffer8BitAccess)";
  if (isInMemory && element->bytes == 2 && !info->storage16)
    return "16-bit values in memory (storageBuffer16BitAccess)";
  return NULL;
}

const char *xlaVulkanWhyNotOp(MlirOperation op, const XlaVulkanInfo *info) {
  bool isInMemory = isStored(op);
  const char *why = NULL;
  for (intptr_t i = 0; !why && i < mlirOperationGetNumOperands(op); ++i)
    why = xlaVulkanWhyNotType(elementOf(mlirOperationGetOperand(op, i)),
                              isInMemory, info);
  for (intptr_t i = 0; !why && i < mlirOperationGetNumResults(op); ++i)
    why = xlaVulkanWhyNotType(elementOf(mlirOperationGetResult(op, i)),
                              isInMemory, info);
  return why;
}

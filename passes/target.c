//===- target.c - The machine that a module is for ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/target.h"

#include "mlir-c/BuiltinAttributes.h"

MlirAttribute xlaTargetGetDevice(MlirOperation module) {
  MlirAttribute target = mlirOperationGetAttributeByName(
      module, mlirStringRefCreateFromCString(XLA_TARGET_ATTRIBUTE));
  if (mlirAttributeIsNull(target) || !mlirAttributeIsADictionary(target))
    return (MlirAttribute){NULL};
  return mlirDictionaryAttrGetElementByName(
      target, mlirStringRefCreateFromCString("device"));
}

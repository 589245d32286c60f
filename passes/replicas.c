//===- replicas.c - How many processes a program is for -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/replicas.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>

int64_t xlaModuleGetCount(MlirOperation module, const char *name) {
  MlirAttribute value = mlirOperationGetDiscardableAttributeByName(
      module, mlirStringRefCreateFromCString(name));
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAInteger(value) ||
      mlirAttributeIsABool(value))
    return 1;
  MlirType type = mlirAttributeGetType(value);
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) > 64)
    return 1;
  int64_t count = mlirIntegerTypeIsUnsigned(type)
                      ? (int64_t)mlirIntegerAttrGetValueUInt(value)
                  : mlirIntegerTypeIsSigned(type)
                      ? mlirIntegerAttrGetValueSInt(value)
                      : mlirIntegerAttrGetValueInt(value);
  return count > 0 ? count : 1;
}

void xlaModuleSetCount(MlirOperation module, const char *name, int64_t count) {
  if (count < 2 || count > INT32_MAX)
    return;
  MlirContext context = mlirOperationGetContext(module);
  mlirOperationSetDiscardableAttributeByName(
      module, mlirStringRefCreateFromCString(name),
      mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), count));
}

void xlaModuleRemoveCounts(MlirOperation module, const char *prefix) {
  static const char *const names[] = {"num_replicas", "num_partitions"};
  for (int i = 0; i < 2; ++i) {
    char name[40];
    snprintf(name, sizeof name, "%s%s", prefix, names[i]);
    mlirOperationRemoveDiscardableAttributeByName(
        module, mlirStringRefCreateFromCString(name));
  }
}

void xlaModuleRenameCounts(MlirOperation module, const char *from,
                           const char *to) {
  static const char *const names[] = {"num_replicas", "num_partitions"};
  for (int i = 0; i < 2; ++i) {
    char name[40];
    snprintf(name, sizeof name, "%s%s", from, names[i]);
    int64_t count = xlaModuleGetCount(module, name);
    mlirOperationRemoveDiscardableAttributeByName(
        module, mlirStringRefCreateFromCString(name));
    snprintf(name, sizeof name, "%s%s", to, names[i]);
    xlaModuleSetCount(module, name, count);
  }
}

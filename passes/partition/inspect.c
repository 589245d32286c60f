//===- inspect.c - Calls that ask how an array lies -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/expand.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

static MlirStringRef stringOf(MlirOperation op, const char *name) {
  MlirAttribute found =
      mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
  return !mlirAttributeIsNull(found) && mlirAttributeIsAString(found)
             ? mlirStringAttrGetValue(found)
             : (MlirStringRef){"", 0};
}

bool xlaExpandIsInspection(MlirOperation op) {
  return xlaIrIsOp(op, "stablehlo.custom_call") &&
         mlirStringRefEqual(
             stringOf(op, "call_target_name"),
             mlirStringRefCreateFromCString(XLA_INSPECT_SHARDING));
}

/// As text, to be freed; NULL without memory.
static char *write(const XlaExpansion *x, const XlaSharding *sharding) {
  if (x->nManual)
    return strdup("{manual}");
  return sharding ? xlaShardingWrite(sharding) : strdup("{replicated}");
}

/// Takes `sharding`.
static bool add(XlaPartition *partition, MlirStringRef config, char *sharding) {
  size_t n = (size_t)partition->nInspected;
  XlaInspected *grown =
      realloc(partition->inspected, (n + 1) * sizeof *partition->inspected);
  char *kept = strndup(config.data, config.length);
  if (grown)
    partition->inspected = grown;
  if (!grown || !kept || !sharding) {
    free(kept);
    free(sharding);
    return false;
  }
  grown[n] = (XlaInspected){kept, sharding};
  ++partition->nInspected;
  return true;
}

bool xlaExpandInspect(XlaExpansion *x, MlirOperation op) {
  if (mlirOperationGetNumOperands(op) != 1 ||
      mlirOperationGetNumResults(op) != 0)
    return xlaExpandInvalid(x, op, "has not one operand and no results");
  XlaExpandValue *value = xlaExpandGet(x, op, mlirOperationGetOperand(op, 0));
  if (!value)
    return false;
  return add(x->partition, stringOf(op, "backend_config"),
             write(x, value->sharding)) ||
         xlaExpandNoMemory(x, op);
}

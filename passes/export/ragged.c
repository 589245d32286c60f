//===- ragged.c - ragged_all_to_all leaves --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The import makes a function of it, whose calls become the custom call that
// JAX writes.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/export/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/ops/groups.h"
#include "xlac/passes/import/stablehlo/custom_call.h"

#include <stdlib.h>

static MlirAttribute configOf(MlirOperation function) {
  return mlirOperationGetDiscardableAttributeByName(
      function, mlirStringRefCreateFromCString(XLA_RAGGED_ALL_TO_ALL));
}

static MlirAttribute entry(MlirAttribute config, const char *name) {
  return mlirDictionaryAttrGetElementByName(
      config, mlirStringRefCreateFromCString(name));
}

/// What the function that `op` calls says it is; null if it does not say that.
static MlirAttribute calleeConfig(MlirOperation module, MlirOperation op) {
  MlirAttribute none = mlirAttributeGetNull();
  MlirAttribute callee = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("callee"));
  if (mlirAttributeIsNull(callee) || !mlirAttributeIsAFlatSymbolRef(callee))
    return none;
  MlirOperation function =
      xlaModuleFindFunction(module, mlirFlatSymbolRefAttrGetValue(callee));
  return mlirOperationIsNull(function) ? none : configOf(function);
}

/// The groups as JAX has them, a matrix; of all replicas if none are named.
/// Null if it is not known how many there are, or without memory.
static MlirAttribute matrixOf(MlirContext context, MlirAttribute config) {
  XlaGroups groups;
  MlirAttribute matrix = mlirAttributeGetNull();
  MlirAttribute size = entry(config, "group_size");
  int64_t rows = 1, columns = 0;
  bool isRead = xlaGroupsRead(entry(config, "replica_groups"), &groups);
  bool isNamed = isRead && groups.count > 0;
  if (isNamed) {
    rows = groups.count;
    columns = groups.starts[1];
  } else if (!mlirAttributeIsNull(size) && mlirAttributeIsAInteger(size)) {
    columns = mlirIntegerAttrGetValueInt(size);
  }
  for (int64_t g = 0; isNamed && g < rows; ++g)
    isRead &= groups.starts[g + 1] - groups.starts[g] == columns;
  int64_t *ids = isRead && columns > 0 && columns <= XLA_MAX_GROUP_IDS
                     ? malloc((size_t)(rows * columns) * sizeof *ids)
                     : NULL;
  if (ids) {
    for (int64_t i = 0; i < rows * columns; ++i)
      ids[i] = isNamed ? groups.ids[i] : i;
    MlirType type = mlirRankedTensorTypeGet(2, (int64_t[]){rows, columns},
                                            mlirIntegerTypeGet(context, 64),
                                            mlirAttributeGetNull());
    matrix = mlirDenseElementsAttrInt64Get(type, rows * columns, ids);
  }
  free(ids);
  xlaGroupsDestroy(&groups);
  return matrix;
}

static XlaImportResult writeCall(MlirOperation op, MlirAttribute config) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute groups = matrixOf(context, config);
  MlirAttribute channel = entry(config, "channel_id");
  if (mlirAttributeIsNull(groups))
    return xlaExportRefuse(op, "it has no replica_groups of one size, and does "
                               "not say how many replicas there are");
  // Without a channel XLA crashes; that of number 0 is none.
  if (mlirAttributeIsNull(channel))
    channel = xlaIrI64Attr(context, 0);
  XlaIrAttr entries[] = {{"replica_groups", groups}, {"channel_id", channel}};
  XlaIrAttr attrs[] = {
      {"call_target_name", xlaIrStringAttr(context, "ragged_all_to_all")},
      {"backend_config", xlaIrDictionaryAttr(context, 2, entries)}};
  XlaIr ir = xlaIrBefore(op);
  MlirValue operands[6];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    operands[i] = mlirOperationGetOperand(op, i);
  MlirValue value = xlaIrOp(
      &ir, "xla.custom_call", mlirValueGetType(mlirOperationGetResult(op, 0)),
      mlirOperationGetNumOperands(op), operands, 2, attrs);
  xlaExportPut(op, &value);
  return XlaImportResultOk;
}

static bool isCall(MlirOperation op) {
  return xlaIrIsOp(op, "func.call") || xlaOpGetKind(op) == XlaOpKindCall;
}

/// Of functions whose calls have all become others.
static void removeFunctions(MlirOperation module) {
  MlirOperation next, op = mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(
                          mlirOperationGetRegion(module, 0)));
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (xlaIrIsOp(op, "func.func") && !mlirAttributeIsNull(configOf(op)) &&
        xlaOpAttrIs(op, "sym_visibility", "private"))
      mlirOperationDestroy(op);
  }
}

XlaImportResult xlaExportRagged(MlirOperation module) {
  XlaIrOps calls = xlaIrCollect(module, MlirWalkPreOrder, isCall);
  XlaImportResult result =
      calls.failed ? xlaExportNoMemory(module) : XlaImportResultOk;
  bool hasAny = false, isWhole = true;
  for (intptr_t i = 0; i < calls.n && result == XlaImportResultOk; ++i) {
    MlirAttribute callee = calleeConfig(module, calls.ops[i]);
    if (mlirAttributeIsNull(callee))
      continue;
    if (xlaIsRaggedAllToAll(calls.ops[i], callee)) {
      result = writeCall(calls.ops[i], callee);
      hasAny = true;
    } else {
      isWhole = false;
    }
  }
  if (result == XlaImportResultOk && hasAny && isWhole)
    removeFunctions(module);
  free(calls.ops);
  return result;
}

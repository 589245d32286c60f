//===- composites.c - Operations of CHLO in artifacts ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Artifacts have no operations of CHLO. As jax.export does, each becomes a
// composite of its name, version 1, whose decomposition is a function of
// operations of StableHLO; the import makes the operation of it again.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/export/stablehlo.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/passes/expand/expand.h"
#include "xlac/passes/expand/top_k.h"
#include "xlac/passes/export/internal.h"

#include <stdio.h>
#include <stdlib.h>

/// Decompositions that exist, of `op` and all that are like it.
typedef struct Decomposition {
  MlirOperation op; ///< the one in the function
  MlirAttribute symbol;
  intptr_t next; ///< 1 + the place of another of the same type, or 0
} Decomposition;

typedef struct Decompositions {
  MlirOperation module;
  Decomposition *items;
  intptr_t n;
  MlirSymbolTable symbols;
  XlaPointerMap places; ///< by operand types, of the last one, from 1
} Decompositions;

static bool isOfChlo(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindTopK ||
         (xlaOpGetInfo(kind)->dialect == XlaOpDialectChlo &&
          xlaExpandHas(kind));
}

static MlirType operandType(MlirOperation op) {
  return mlirValueGetType(mlirOperationGetOperand(op, 0));
}

/// Of operations on one type.
static bool areAlike(MlirOperation a, MlirOperation b) {
  return xlaOpGetKind(a) == xlaOpGetKind(b) &&
         xlaOpGetI64(a, "k", 0) == xlaOpGetI64(b, "k", 0);
}

/// A function that does to its argument what `op` does to its operand, in
/// `*decomposition`.
static void decompose(Decompositions *all, MlirOperation op,
                      Decomposition *decomposition) {
  MlirLocation location = mlirOperationGetLocation(op);
  MlirContext context = mlirOperationGetContext(op);
  MlirType input = operandType(op), results[2];
  MlirValue values[2];
  intptr_t n = mlirOperationGetNumResults(op);
  MlirBlock block = mlirBlockCreate(1, &input, &location);
  MlirRegion body = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(body, block);
  MlirOperation inner = mlirOperationClone(op);
  mlirOperationSetOperand(inner, 0, mlirBlockGetArgument(block, 0));
  mlirBlockAppendOwnedOperation(block, inner);
  for (intptr_t i = 0; i < n; ++i) {
    values[i] = mlirOperationGetResult(inner, i);
    results[i] = mlirValueGetType(values[i]);
  }
  XlaIr ir = xlaIrIn(xlaIrBefore(op), block);
  xlaIrCreate(&ir, "func.return", n, values, 0, NULL, 0, NULL, 0, NULL);
  char name[128]; // as JAX's decompositions have
  snprintf(name, sizeof name, "chlo.%s.impl",
           xlaOpGetInfo(xlaOpGetKind(op))->name);
  MlirType type = mlirFunctionTypeGet(context, 1, &input, n, results);
  XlaIrAttr attrs[] = {
      {"function_type", mlirTypeAttrGet(type)},
      {"sym_name", xlaIrStringAttr(context, name)},
      {"sym_visibility", xlaIrStringAttr(context, "private")},
  };
  XlaIr top = xlaIrIn(
      ir, mlirRegionGetFirstBlock(mlirOperationGetRegion(all->module, 0)));
  MlirOperation function =
      xlaIrCreate(&top, "func.func", 0, NULL, 0, NULL, 3, attrs, 1, &body);
  // Gets another name if there is such a function.
  MlirAttribute symbol = mlirSymbolTableInsert(all->symbols, function);
  decomposition->op = inner;
  decomposition->symbol =
      mlirFlatSymbolRefAttrGet(context, mlirStringAttrGetValue(symbol));
}

static const Decomposition *decompositionOf(Decompositions *all,
                                            MlirOperation op) {
  const void *type = operandType(op).ptr;
  intptr_t last = xlaPointerMapGet(&all->places, type);
  for (intptr_t i = last; i; i = all->items[i - 1].next)
    if (areAlike(all->items[i - 1].op, op))
      return &all->items[i - 1];
  Decomposition *made = &all->items[all->n++];
  made->next = last;
  decompose(all, op, made);
  // Without memory the next one gets a function of its own.
  xlaPointerMapSet(&all->places, type, all->n);
  return made;
}

/// Puts a composite in the place of `op`.
static void compose(Decompositions *all, MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  XlaOpKind kind = xlaOpGetKind(op);
  char name[128];
  snprintf(name, sizeof name, "chlo.%s", xlaOpGetInfo(kind)->name);
  XlaIrAttr k = {"k", xlaIrI64Attr(context, xlaOpGetI64(op, "k", 0))};
  XlaIrAttr attrs[] = {
      {"decomposition", decompositionOf(all, op)->symbol},
      {"name", xlaIrStringAttr(context, name)},
      {"version", mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), 1)},
      {"composite_attributes", xlaIrDictionaryAttr(context, 1, &k)},
  };
  MlirValue x = mlirOperationGetOperand(op, 0);
  MlirType types[2];
  intptr_t n = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  XlaIr ir = xlaIrBefore(op);
  MlirOperation made =
      xlaIrCreate(&ir, "stablehlo.composite", 1, &x, n, types,
                  kind == XlaOpKindTopK ? 4 : 3, attrs, 0, NULL);
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetResult(made, i));
  mlirOperationDestroy(op);
}

MlirLogicalResult xlaExportExpandChlo(MlirOperation module) {
  bool wanted[XlaOpKindCount] = {false};
  for (XlaOpKind kind = 1; kind < XlaOpKindCount; ++kind)
    wanted[kind] =
        xlaOpGetInfo(kind)->dialect == XlaOpDialectChlo && xlaExpandHas(kind);
  MlirLogicalResult result = xlaExpandKinds(module, wanted);
  return mlirLogicalResultIsFailure(result) ? result : xlaTopKSortAll(module);
}

XlaImportResult xlaExportComposites(MlirOperation module) {
  XlaIrOps found = xlaIrCollect(module, MlirWalkPreOrder, isOfChlo);
  Decompositions all = {.module = module,
                        .symbols = mlirSymbolTableCreate(module),
                        .items =
                            malloc(((size_t)found.n + 1) * sizeof *all.items)};
  bool enough = !found.failed && all.items;
  for (intptr_t i = 0; enough && i < found.n; ++i)
    compose(&all, found.ops[i]);
  mlirSymbolTableDestroy(all.symbols);
  xlaPointerMapClear(&all.places);
  free(all.items);
  free(found.ops);
  if (!enough)
    return xlaExportNoMemory(module);
  return mlirLogicalResultIsFailure(xlaExportExpandChlo(module))
             ? XlaImportResultUnsupported
             : XlaImportResultOk;
}

//===- build.c - Operations of the linalg dialect -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/build.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

static XlaIrAttr segments(MlirContext context, intptr_t nIns, intptr_t nOuts) {
  const int32_t sizes[2] = {(int32_t)nIns, (int32_t)nOuts};
  return (XlaIrAttr){"operandSegmentSizes",
                     mlirDenseI32ArrayGet(context, 2, sizes)};
}

MlirOperation xlaLinalgFill(XlaIr *ir, MlirValue value, MlirValue memref) {
  MlirType types[2] = {mlirValueGetType(value), mlirValueGetType(value)};
  MlirBlock block =
      mlirBlockCreate(2, types, (MlirLocation[]){ir->location, ir->location});
  XlaIr body = xlaIrIn(*ir, block);
  MlirValue element = mlirBlockGetArgument(block, 0);
  xlaIrCreate(&body, "linalg.yield", 1, &element, 0, NULL, 0, NULL, 0, NULL);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  XlaIrAttr attr = segments(ir->context, 1, 1);
  return xlaIrCreate(ir, "linalg.fill", 2, (MlirValue[]){value, memref}, 0,
                     NULL, 1, &attr, 1, &region);
}

MlirAttribute xlaLinalgIterators(MlirContext context, intptr_t nLoops,
                                 const bool *isReduction) {
  MlirAttribute kinds[2] = {
      xlaIrParseAttr(context, "#linalg.iterator_type<parallel>"),
      xlaIrParseAttr(context, "#linalg.iterator_type<reduction>")};
  MlirAttribute *all = malloc(((size_t)nLoops + 1) * sizeof *all);
  if (!all)
    return mlirAttributeGetNull();
  for (intptr_t i = 0; i < nLoops; ++i)
    all[i] = kinds[isReduction && isReduction[i]];
  MlirAttribute result = mlirArrayAttrGet(context, nLoops, all);
  free(all);
  return result;
}

static MlirAttribute mapsAttr(MlirContext context, intptr_t n,
                              const MlirAffineMap *maps) {
  MlirAttribute *all = malloc(((size_t)n + 1) * sizeof *all);
  if (!all)
    return mlirAttributeGetNull();
  for (intptr_t i = 0; i < n; ++i)
    all[i] = mlirAffineMapAttrGet(maps[i]);
  MlirAttribute result = mlirArrayAttrGet(context, n, all);
  free(all);
  return result;
}

MlirOperation xlaLinalgGeneric(XlaIr *ir, intptr_t nIns, intptr_t nOuts,
                               const MlirValue *operands,
                               const MlirAffineMap *maps, intptr_t nLoops,
                               const bool *isReduction, MlirBlock body) {
  XlaIrAttr attrs[3] = {
      {"indexing_maps", mapsAttr(ir->context, nIns + nOuts, maps)},
      {"iterator_types", xlaLinalgIterators(ir->context, nLoops, isReduction)},
      segments(ir->context, nIns, nOuts)};
  if (mlirAttributeIsNull(attrs[0].value) ||
      mlirAttributeIsNull(attrs[1].value)) {
    mlirBlockDestroy(body);
    return (MlirOperation){NULL};
  }
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  return xlaIrCreate(ir, "linalg.generic", nIns + nOuts, operands, 0, NULL, 3,
                     attrs, 1, &region);
}

MlirValue xlaLinalgAlloc(XlaIr *ir, MlirType type) {
  XlaIrAttr attr = segments(ir->context, 0, 0);
  return xlaIrOp(ir, "memref.alloc", type, 0, NULL, 1, &attr);
}

MlirValue xlaLinalgOpenTasks(XlaIr *ir, int64_t count, bool isParallel,
                             XlaIr *body) {
  MlirValue bounds[] = {xlaIrConstantIndex(ir, 0),
                        xlaIrConstantIndex(ir, count),
                        xlaIrConstantIndex(ir, 1)};
  if (!isParallel)
    return mlirBlockGetArgument(
        mlirRegionGetFirstBlock(mlirOperationGetRegion(
            xlaIrFor(ir, bounds[0], bounds[1], bounds[2], 0, NULL, body), 0)),
        0);
  MlirType index = mlirIndexTypeGet(ir->context);
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(1, &index, &ir->location);
  mlirRegionAppendOwnedBlock(region, block);
  XlaIrAttr sizes = {
      "operandSegmentSizes",
      mlirDenseI32ArrayGet(ir->context, 4, (int32_t[]){1, 1, 1, 0})};
  xlaIrCreate(ir, "scf.parallel", 3, bounds, 0, NULL, 1, &sizes, 1, &region);
  *body = xlaIrIn(*ir, block);
  return mlirBlockGetArgument(block, 0);
}

void xlaLinalgCloseTasks(XlaIr *body, bool isParallel) {
  if (isParallel)
    xlaIrCreate(body, "scf.reduce", 0, NULL, 0, NULL, 0, NULL, 0, NULL);
  else
    xlaIrYield(body, 0, NULL);
}

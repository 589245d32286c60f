//===- top_k.c - The largest elements as a sort ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/expand.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

/// The comparator of values and positions: larger values first, of floats NaN
/// before infinity.
static MlirRegion largerFirst(MlirContext context, MlirLocation location,
                              XlaElementType element, MlirType positions) {
  XlaShape scalar = {.elementType = element};
  MlirType value = xlaShapeToMlir(&scalar, context);
  MlirType position = mlirRankedTensorTypeGet(
      0, NULL, xlaIrElementType(positions), mlirAttributeGetNull());
  MlirType types[] = {value, value, position, position};
  MlirLocation locations[] = {location, location, location, location};
  MlirBlock block = mlirBlockCreate(4, types, locations);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  XlaIr ir = xlaIrAtEnd(context, location, block);
  MlirValue operands[] = {mlirBlockGetArgument(block, 0),
                          mlirBlockGetArgument(block, 1)};
  XlaIrAttr attrs[] = {
      {"comparison_direction", xlaIrStringAttr(context, "GT")},
      {"compare_type", xlaIrStringAttr(context, "TOTALORDER")}};
  scalar.elementType = XlaElementTypePred;
  MlirValue before =
      xlaIrOp(&ir, "xla.compare", xlaShapeToMlir(&scalar, context), 2, operands,
              xlaElementTypeIsFloat(element) ? 2 : 1, attrs);
  xlaIrCreate(&ir, "xla.return", 1, &before, 0, NULL, 0, NULL, 0, NULL);
  return region;
}

MlirLogicalResult xlaExpandTopK(XlaIr *ir, MlirOperation op,
                                MlirValue *results) {
  MlirValue x = mlirOperationGetOperand(op, 0);
  XlaShape shape = xlaArrayShape(x), places = shape;
  int last = shape.rank - 1;
  places.elementType = XlaElementTypeS32;
  MlirType types[] = {mlirValueGetType(x),
                      xlaShapeToMlir(&places, ir->context)};
  MlirValue iota =
      xlaArrayIota(ir, XlaElementTypeS32, shape.rank, shape.dims, last);
  MlirRegion region =
      largerFirst(ir->context, ir->location, shape.elementType, types[1]);
  XlaIrAttr attrs[] = {{"dimension", xlaIrI64Attr(ir->context, last)},
                       {"is_stable", mlirBoolAttrGet(ir->context, 1)}};
  MlirOperation sort = xlaIrCreate(ir, "xla.sort", 2, (MlirValue[]){x, iota}, 2,
                                   types, 2, attrs, 1, &region);
  int64_t starts[XLA_MAX_RANK] = {0}, limits[XLA_MAX_RANK];
  memcpy(limits, shape.dims, sizeof limits);
  limits[last] = xlaOpGetI64(op, "k", 0);
  for (int i = 0; i < 2; ++i)
    results[i] = xlaArraySlice(ir, mlirOperationGetResult(sort, i), starts,
                               limits, NULL);
  return success();
}

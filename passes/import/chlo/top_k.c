//===- top_k.c - The k largest elements -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/chlo/internal.h"

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

/// The k largest elements along the last dimension and where they are: sorted
/// together, then sliced.
bool xlaChloExpandTopK(MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute k = mlirDictionaryAttrGetElementByName(
      mlirExtOperationGetInherentAttributes(op),
      mlirStringRefCreateFromCString("k"));
  XlaShape shape, places;
  if (mlirOperationGetNumOperands(op) != 1 ||
      mlirOperationGetNumResults(op) != 2 || mlirAttributeIsNull(k) ||
      !mlirAttributeIsAInteger(k))
    return false;
  MlirValue x = mlirOperationGetOperand(op, 0);
  if (!xlaShapeFromMlir(mlirValueGetType(x), &shape, NULL) || !shape.rank ||
      xlaElementTypeIsComplex(shape.elementType) ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 1)),
                        &places, NULL))
    return false;
  XlaElementType position = places.elementType;
  places = shape;
  places.elementType = position;
  XlaIr ir = xlaIrBefore(op);
  int last = shape.rank - 1;
  MlirType types[] = {mlirValueGetType(x), xlaShapeToMlir(&places, context)};
  MlirValue iota =
      xlaIrOp(&ir, "xla.iota", types[1], 0, NULL, 1,
              &(XlaIrAttr){"iota_dimension", xlaIrI64Attr(context, last)});
  MlirRegion region =
      largerFirst(context, ir.location, shape.elementType, types[1]);
  XlaIrAttr sortAttrs[] = {{"dimension", xlaIrI64Attr(context, last)},
                           {"is_stable", mlirBoolAttrGet(context, 1)}};
  MlirOperation sort = xlaIrCreate(&ir, "xla.sort", 2, (MlirValue[]){x, iota},
                                   2, types, 2, sortAttrs, 1, &region);
  int64_t starts[XLA_MAX_RANK] = {0}, limits[XLA_MAX_RANK];
  memcpy(limits, shape.dims, sizeof limits);
  limits[last] = mlirIntegerAttrGetValueInt(k);
  XlaIrAttr sliceAttrs[] = {
      {"start_indices", mlirDenseI64ArrayGet(context, shape.rank, starts)},
      {"limit_indices", mlirDenseI64ArrayGet(context, shape.rank, limits)}};
  for (int i = 0; i < 2; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    MlirValue sorted = mlirOperationGetResult(sort, i);
    mlirValueReplaceAllUsesOfWith(result, xlaIrOp(&ir, "xla.slice",
                                                  mlirValueGetType(result), 1,
                                                  &sorted, 2, sliceAttrs));
  }
  mlirOperationDestroy(op);
  return true;
}

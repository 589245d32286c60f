//===- ops.c - Operations that StableHLO has in another form --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/export/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/ops/dot.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/expand/alias.h"
#include "xlac/passes/expand/computations.h"

#include <stdlib.h>

static MlirType typeOf(MlirOperation op, intptr_t i) {
  return mlirValueGetType(mlirOperationGetResult(op, i));
}

static XlaElementType elementOf(MlirValue value) {
  return xlaElementTypeFromMlir(
      mlirShapedTypeGetElementType(mlirValueGetType(value)));
}

static XlaIrAttr i64Array(MlirContext context, const char *name,
                          const XlaI64List *list) {
  return (XlaIrAttr){name,
                     mlirDenseI64ArrayGet(context, list->size, list->values)};
}

//===----------------------------------------------------------------------===//
// Products and arrays
//===----------------------------------------------------------------------===//

XlaImportResult xlaExportDot(MlirOperation op) {
  XlaDotDimensions dims;
  XlaIr ir = xlaIrBefore(op);
  MlirValue operands[] = {mlirOperationGetOperand(op, 0),
                          mlirOperationGetOperand(op, 1)};
  xlaDotGetDimensions(op, &dims);
  XlaIrAttr attrs[] = {
      i64Array(ir.context, "lhs_contracting_dimensions", &dims.lhs.contracting),
      i64Array(ir.context, "rhs_contracting_dimensions", &dims.rhs.contracting),
      {"precision_config", xlaOpGetAttr(op, "precision_config")}};
  MlirValue product =
      xlaIrOp(&ir, "xla.dot_general", typeOf(op, 0), 2, operands,
              mlirAttributeIsNull(attrs[2].value) ? 2 : 3, attrs);
  xlaExportPut(op, &product);
  return XlaImportResultOk;
}

XlaImportResult xlaExportAlias(MlirOperation op) {
  if (xlaTypeIsDynamic(typeOf(op, 0)))
    return xlaExportRefuse(op, "of dynamic sizes: a reshape does not say which "
                               "dimensions it joins");
  return failed(xlaAliasExpandOne(op)) ? XlaImportResultUnsupported
                                       : XlaImportResultOk;
}

/// The elements that leave at the end of dimension `d`, before the others.
static MlirValue roll(XlaIr *ir, MlirValue x, int64_t shift, int64_t d) {
  XlaShape shape = xlaArrayShape(x);
  int64_t size = shape.dims[d], starts[XLA_MAX_RANK] = {0};
  int64_t limits[XLA_MAX_RANK];
  for (int i = 0; i < shape.rank; ++i)
    limits[i] = shape.dims[i];
  shift = size ? (shift % size + size) % size : 0;
  if (!shift)
    return x;
  starts[d] = size - shift;
  MlirValue parts[2] = {xlaArraySlice(ir, x, starts, limits, NULL)};
  starts[d] = 0;
  limits[d] = size - shift;
  parts[1] = xlaArraySlice(ir, x, starts, limits, NULL);
  return xlaArrayConcatenate(ir, 2, parts, d);
}

XlaImportResult xlaExportRoll(MlirOperation op) {
  XlaI64List shifts, dimensions;
  MlirValue x = mlirOperationGetOperand(op, 0);
  if (xlaTypeIsDynamic(typeOf(op, 0)))
    return xlaExportRefuse(op, "of dynamic sizes");
  XlaIr ir = xlaIrBefore(op);
  xlaOpGetList(op, "shifts", &shifts);
  xlaOpGetList(op, "dimensions", &dimensions);
  for (int i = 0; i < dimensions.size; ++i)
    x = roll(&ir, x, shifts.values[i], dimensions.values[i]);
  xlaExportPut(op, &x);
  return XlaImportResultOk;
}

/// Starts that are one vector, as scalars.
XlaImportResult xlaExportDynamicSlice(MlirOperation op) {
  bool updates = xlaOpGetKind(op) == XlaOpKindDynamicUpdateSlice;
  intptr_t nArrays = updates ? 2 : 1;
  MlirValue starts[XLA_MAX_RANK], operands[2];
  XlaI64List sizes;
  for (intptr_t i = 0; i < nArrays; ++i)
    operands[i] = mlirOperationGetOperand(op, i);
  if (mlirOperationGetNumOperands(op) != nArrays + 1 ||
      xlaArrayShape(mlirOperationGetOperand(op, nArrays)).rank != 1)
    return XlaImportResultOk;
  XlaIr ir = xlaIrBefore(op);
  MlirValue vector = mlirOperationGetOperand(op, nArrays);
  XlaShape shape = xlaArrayShape(vector);
  for (int64_t i = 0; i < shape.dims[0]; ++i) {
    int64_t limit = i + 1;
    starts[i] = xlaArrayReshape(
        &ir, xlaArraySlice(&ir, vector, &i, &limit, NULL), 0, NULL);
  }
  MlirValue all[XLA_MAX_RANK + 2];
  intptr_t n = 0;
  for (intptr_t i = 0; i < nArrays; ++i)
    all[n++] = operands[i];
  for (int64_t i = 0; i < shape.dims[0]; ++i)
    all[n++] = starts[i];
  xlaOpGetList(op, "slice_sizes", &sizes);
  XlaIrAttr attr = i64Array(ir.context, "slice_sizes", &sizes);
  MlirValue result =
      xlaIrOp(&ir, updates ? "xla.dynamic_update_slice" : "xla.dynamic_slice",
              typeOf(op, 0), n, all, updates ? 0 : 1, &attr);
  xlaExportPut(op, &result);
  return XlaImportResultOk;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// StableHLO has no sign of unsigned integers.
XlaImportResult xlaExportSign(MlirOperation op) {
  MlirValue x = mlirOperationGetOperand(op, 0);
  if (xlaElementTypeGetInfo(elementOf(x))->typeClass != XlaTypeClassUnsigned)
    return XlaImportResultOk;
  if (xlaTypeIsDynamic(typeOf(op, 0)))
    return xlaExportRefuse(op, "of unsigned integers of dynamic sizes");
  XlaIr ir = xlaIrBefore(op);
  MlirValue sign = xlaArrayConvert(
      &ir, xlaArrayCompare(&ir, "NE", x, xlaArrayInteger(&ir, x, 0)),
      elementOf(x));
  xlaExportPut(op, &sign);
  return XlaImportResultOk;
}

/// Without mantissa bits NaN becomes infinity there, and stays NaN here.
XlaImportResult xlaExportReducePrecision(MlirOperation op) {
  MlirValue x = mlirOperationGetOperand(op, 0);
  if (xlaOpGetI64(op, "mantissa_bits", 1))
    return XlaImportResultOk;
  if (xlaTypeIsDynamic(typeOf(op, 0)))
    return xlaExportRefuse(op, "of dynamic sizes without mantissa bits");
  XlaIr ir = xlaIrBefore(op);
  XlaIrAttr attrs[] = {{"exponent_bits", xlaOpGetAttr(op, "exponent_bits")},
                       {"mantissa_bits", xlaOpGetAttr(op, "mantissa_bits")}};
  MlirValue value =
      xlaIrOp(&ir, "xla.reduce_precision", typeOf(op, 0), 1, &x, 2, attrs);
  value = xlaArraySelect(&ir, xlaArrayCompare(&ir, "NE", x, x), x, value);
  xlaExportPut(op, &value);
  return XlaImportResultOk;
}

static MlirRegion regionReturning(XlaIr ir, MlirValue value) {
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  ir = xlaIrIn(ir, block);
  xlaIrCreate(&ir, "xla.return", 1, &value, 0, NULL, 0, NULL, 0, NULL);
  return region;
}

XlaImportResult xlaExportSelect(MlirOperation op) {
  MlirValue pred = mlirOperationGetOperand(op, 0);
  MlirType type = typeOf(op, 0);
  if (mlirTypeIsARankedTensor(type))
    return XlaImportResultOk;
  XlaIr ir = xlaIrBefore(op);
  MlirRegion branches[2] = {
      regionReturning(ir, mlirOperationGetOperand(op, 1)),
      regionReturning(ir, mlirOperationGetOperand(op, 2))};
  MlirOperation made =
      xlaIrCreate(&ir, "xla.if", 1, &pred, 1, &type, 0, NULL, 2, branches);
  MlirValue value = mlirOperationGetResult(made, 0);
  xlaExportPut(op, &value);
  return XlaImportResultOk;
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

/// Smallest first: NaN after everything, -NaN before.
static MlirRegion ascending(XlaIr *ir, MlirOperation op) {
  XlaElementType type = elementOf(mlirOperationGetOperand(op, 0));
  XlaShape scalar = {.elementType = type},
           pred = {.elementType = XlaElementTypePred};
  MlirType types[] = {xlaShapeToMlir(&scalar, ir->context),
                      xlaShapeToMlir(&scalar, ir->context)};
  MlirLocation locations[] = {ir->location, ir->location};
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(2, types, locations);
  mlirRegionAppendOwnedBlock(region, block);
  XlaIr body = xlaIrIn(*ir, block);
  MlirValue pair[] = {mlirBlockGetArgument(block, 0),
                      mlirBlockGetArgument(block, 1)};
  XlaIrAttr attrs[] = {
      {"comparison_direction", xlaIrStringAttr(ir->context, "LT")},
      {"compare_type", xlaIrStringAttr(ir->context, "TOTALORDER")}};
  MlirValue less =
      xlaIrOp(&body, "xla.compare", xlaShapeToMlir(&pred, ir->context), 2, pair,
              xlaElementTypeIsFloat(type) ? 2 : 1, attrs);
  xlaIrCreate(&body, "xla.return", 1, &less, 0, NULL, 0, NULL, 0, NULL);
  return region;
}

XlaImportResult xlaExportSort(MlirOperation op) {
  if (mlirOperationGetNumRegions(op))
    return XlaImportResultOk;
  XlaIr ir = xlaIrBefore(op);
  XlaIrAttr attrs[2];
  intptr_t n = 0;
  MlirValue x = mlirOperationGetOperand(op, 0);
  MlirType type = typeOf(op, 0);
  MlirRegion order = ascending(&ir, op);
  static const char *const names[] = {"dimension", "is_stable"};
  for (int i = 0; i < 2; ++i)
    if (!mlirAttributeIsNull(xlaOpGetAttr(op, names[i])))
      attrs[n++] = (XlaIrAttr){names[i], xlaOpGetAttr(op, names[i])};
  MlirOperation made =
      xlaIrCreate(&ir, "xla.sort", 1, &x, 1, &type, n, attrs, 1, &order);
  MlirValue value = mlirOperationGetResult(made, 0);
  xlaExportPut(op, &value);
  return XlaImportResultOk;
}

XlaImportResult xlaExportScan(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (xlaTypeIsDynamic(typeOf(op, i)))
      return xlaExportRefuse(op, "of dynamic sizes");
  return failed(xlaScanInLoop(op)) ? XlaImportResultUnsupported
                                   : XlaImportResultOk;
}

//===----------------------------------------------------------------------===//
// Regions that become part of what is around them
//===----------------------------------------------------------------------===//

/// Branches use the values themselves, if they get any.
XlaImportResult xlaExportConditional(MlirOperation op) {
  intptr_t nRegions = mlirOperationGetNumRegions(op);
  intptr_t nResults = mlirOperationGetNumResults(op);
  MlirRegion *regions = malloc(((size_t)nRegions + 1) * sizeof *regions);
  MlirType *types = malloc(((size_t)nResults + 1) * sizeof *types);
  MlirValue *values = malloc(((size_t)nResults + 1) * sizeof *values);
  bool enough = regions && types && values;
  if (enough) {
    XlaIr ir = xlaIrBefore(op);
    MlirValue index = mlirOperationGetOperand(op, 0);
    for (intptr_t i = 0; i < nRegions; ++i) {
      MlirRegion region = mlirOperationGetRegion(op, i);
      MlirBlock block = mlirRegionGetFirstBlock(region);
      if (mlirBlockGetNumArguments(block)) {
        mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(block, 0),
                                      mlirOperationGetOperand(op, 1 + i));
        mlirBlockEraseArgument(block, 0);
      }
      regions[i] = mlirRegionCreate();
      mlirRegionTakeBody(regions[i], region);
    }
    for (intptr_t i = 0; i < nResults; ++i)
      types[i] = typeOf(op, i);
    MlirOperation made = xlaIrCreate(
        &ir, elementOf(index) == XlaElementTypePred ? "xla.if" : "xla.case", 1,
        &index, nResults, types, 0, NULL, nRegions, regions);
    for (intptr_t i = 0; i < nResults; ++i)
      values[i] = mlirOperationGetResult(made, i);
    xlaExportPut(op, values);
  }
  free(regions);
  free(types);
  free(values);
  return enough ? XlaImportResultOk : xlaExportNoMemory(op);
}

/// The operations of its region, which uses nothing from outside.
XlaImportResult xlaExportFusion(MlirOperation op) {
  xlaIrReplaceByBlock(op,
                      mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
  return XlaImportResultOk;
}

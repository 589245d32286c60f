//===- random.c - Random numbers as StableHLO has them --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/export/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/arrays.h"

/// The sizes of `shape` as a constant.
static MlirValue sizesOf(XlaIr *ir, const XlaShape *shape) {
  XlaShape list = {
      .elementType = XlaElementTypeS64, .rank = 1, .dims = {shape->rank}};
  MlirType type = xlaShapeToMlir(&list, ir->context);
  XlaIrAttr value = {
      "value", mlirDenseElementsAttrInt64Get(type, shape->rank, shape->dims)};
  return xlaIrOp(ir, "xla.constant", type, 0, NULL, 1, &value);
}

XlaImportResult xlaExportRng(MlirOperation op) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  XlaShape shape;
  if (!xlaShapeFromMlir(type, &shape, NULL))
    return xlaExportRefuse(op, "of dynamic sizes");
  XlaIr ir = xlaIrBefore(op);
  MlirValue operands[] = {mlirOperationGetOperand(op, 0),
                          mlirOperationGetOperand(op, 1), sizesOf(&ir, &shape)};
  XlaIrAttr attr = {
      "rng_distribution",
      xlaIrParseAttr(ir.context, xlaOpGetKind(op) == XlaOpKindRngUniform
                                     ? "#stablehlo<rng_distribution UNIFORM>"
                                     : "#stablehlo<rng_distribution NORMAL>")};
  if (mlirAttributeIsNull(attr.value))
    return xlaExportNoMemory(op);
  MlirValue numbers =
      xlaIrOp(&ir, "stablehlo.rng", type, 3, operands, 1, &attr);
  xlaExportPut(op, &numbers);
  return XlaImportResultOk;
}

/// A state of u32 has the words of one of u64, low ones first.
XlaImportResult xlaExportRngBitGenerator(MlirOperation op) {
  MlirValue state = mlirOperationGetOperand(op, 0);
  XlaShape words = xlaArrayShape(state);
  if (words.elementType != XlaElementTypeU32)
    return XlaImportResultOk;
  XlaIr ir = xlaIrBefore(op);
  const int64_t pairs[] = {words.dims[0] / 2, 2};
  XlaShape wide = {
      .elementType = XlaElementTypeU64, .rank = 1, .dims = {pairs[0]}};
  XlaShape split = {
      .elementType = XlaElementTypeU32, .rank = 2, .dims = {pairs[0], 2}};
  MlirType type = xlaShapeToMlir(&wide, ir.context);
  MlirType types[] = {type, mlirValueGetType(mlirOperationGetResult(op, 1))};
  state = xlaIrCast(&ir, "xla.bitcast_convert",
                    xlaArrayReshape(&ir, state, 2, pairs), type);
  XlaIrAttr attr = {"rng_algorithm", xlaOpGetAttr(op, "rng_algorithm")};
  MlirOperation made = xlaIrCreate(&ir, "xla.rng_bit_generator", 1, &state, 2,
                                   types, 1, &attr, 0, NULL);
  MlirValue next =
      xlaIrCast(&ir, "xla.bitcast_convert", mlirOperationGetResult(made, 0),
                xlaShapeToMlir(&split, ir.context));
  MlirValue values[] = {xlaArrayReshape(&ir, next, 1, words.dims),
                        mlirOperationGetResult(made, 1)};
  xlaExportPut(op, values);
  return XlaImportResultOk;
}

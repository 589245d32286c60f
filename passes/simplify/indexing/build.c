//===- build.c - Operations of chains -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/scalar.h"
#include "xlac/passes/simplify/indexing/indexing.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

static XlaIrAttr list(const XlaIr *ir, const char *name, int n,
                      const int64_t *values) {
  return (XlaIrAttr){name, mlirDenseI64ArrayGet(ir->context, n, values)};
}

bool xlaMoveSplatBytes(MlirOperation op, char bytes[16]) {
  MlirAttribute attr = xlaOpGetAttr(op, "value");
  XlaShape shape;
  if (!mlirAttributeIsADenseElements(attr) ||
      !mlirDenseElementsAttrIsSplat(attr) ||
      !xlaMoveShape(mlirOperationGetResult(op, 0), &shape))
    return false;
  memset(bytes, 0, 16);
  if (shape.elementType == XlaElementTypePred)
    bytes[0] = mlirDenseElementsAttrGetBoolSplatValue(attr);
  else
    memcpy(bytes, mlirDenseElementsAttrGetRawData(attr),
           (size_t)xlaElementTypeGetInfo(shape.elementType)->bytes);
  return true;
}

static MlirValue constant(XlaIr *ir, const char bytes[16],
                          const XlaShape *shape) {
  MlirType type = xlaShapeToMlir(shape, ir->context);
  MlirAttribute value =
      shape->elementType == XlaElementTypePred
          ? mlirDenseElementsAttrBoolSplatGet(type, bytes[0])
          : mlirDenseElementsAttrRawBufferGet(
                type, (size_t)xlaElementTypeGetInfo(shape->elementType)->bytes,
                bytes);
  if (mlirAttributeIsNull(value))
    return (MlirValue){NULL};
  return xlaIrOp(ir, "xla.constant", type, 0, NULL, 1,
                 &(XlaIrAttr){"value", value});
}

/// The element of a splat, or of an iota at `step->a[0]`.
static MlirValue buildConstant(XlaIr *ir, MlirValue source,
                               const MoveStep *step) {
  char bytes[16] = {0};
  if (!step->n)
    xlaMoveSplatBytes(mlirOpResultGetOwner(source), bytes);
  else
    xlaScalarStore(step->to.elementType, bytes,
                   xlaScalarConvert(XlaElementTypeS64, step->to.elementType,
                                    (XlaScalar){.s = step->a[0]}));
  return constant(ir, bytes, &step->to);
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wswitch-enum"
static MlirValue buildStep(XlaIr *ir, MlirValue value, MlirValue fill,
                           const MoveStep *step) {
  MlirType type = xlaShapeToMlir(&step->to, ir->context);
  MlirValue operands[] = {value, fill};
  int rank = step->to.rank;
  switch (step->kind) {
  case XlaOpKindConstant:
    return buildConstant(ir, value, step);
  case XlaOpKindIota:
    return xlaIrOp(
        ir, "xla.iota", type, 0, NULL, 1,
        &(XlaIrAttr){"iota_dimension", xlaIrI64Attr(ir->context, step->a[0])});
  case XlaOpKindReshape:
    return xlaIrCast(ir, "xla.reshape", value, type);
  case XlaOpKindBitcastConvert:
    return xlaIrCast(ir, "xla.bitcast_convert", value, type);
  case XlaOpKindSlice: {
    bool strided = false;
    for (int i = 0; i < rank; ++i)
      strided |= step->c[i] != 1;
    XlaIrAttr attrs[] = {list(ir, "start_indices", rank, step->a),
                         list(ir, "limit_indices", rank, step->b),
                         list(ir, "strides", rank, step->c)};
    return xlaIrOp(ir, "xla.slice", type, 1, &value, strided ? 3 : 2, attrs);
  }
  case XlaOpKindReverse: {
    XlaIrAttr attr = list(ir, "dimensions", step->n, step->a);
    return xlaIrOp(ir, "xla.reverse", type, 1, &value, 1, &attr);
  }
  case XlaOpKindTranspose: {
    XlaIrAttr attr = list(ir, "permutation", step->n, step->a);
    return xlaIrOp(ir, "xla.transpose", type, 1, &value, 1, &attr);
  }
  case XlaOpKindBroadcastInDim: {
    XlaIrAttr attr = list(ir, "broadcast_dimensions", step->n, step->a);
    return xlaIrOp(ir, "xla.broadcast_in_dim", type, 1, &value, 1, &attr);
  }
  default: {
    XlaIrAttr attrs[] = {list(ir, "edge_padding_low", rank, step->a),
                         list(ir, "edge_padding_high", rank, step->b),
                         list(ir, "interior_padding", rank, step->c)};
    return xlaIrOp(ir, "xla.pad", type, 2, operands, 3, attrs);
  }
  }
}
#pragma clang diagnostic pop

MlirValue xlaMoveChainBuild(const MoveChain *chain, XlaIr *ir) {
  MlirValue value = chain->source;
  for (int i = 0; i < chain->n && !mlirValueIsNull(value); ++i)
    value = buildStep(ir, value, chain->fill, &chain->steps[i]);
  return value;
}

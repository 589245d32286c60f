//===- build.c - Operations of chains -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/scalar/scalar.h"
#include "xlac/passes/simplify/indexing/indexing.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdio.h>
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

static bool takesOneList(const XlaOpInfo *info) {
  return info->attributes && info->attributes[0].name &&
         !info->attributes[1].name;
}

static bool isStrided(const MoveStep *step) {
  for (int i = 0; i < step->to.rank; ++i)
    if (step->c[i] != 1)
      return true;
  return false;
}

/// The operations have their lists in the table's order: `a` of `n` numbers, or
/// `a`, `b` and `c` of one for every dimension.
static MlirValue buildStep(XlaIr *ir, MlirValue value, MlirValue fill,
                           const MoveStep *step) {
  const XlaOpInfo *info = xlaOpGetInfo(step->kind);
  const int64_t *const lists[] = {step->a, step->b, step->c};
  MlirType type = xlaShapeToMlir(&step->to, ir->context);
  MlirValue operands[] = {value, fill};
  XlaIrAttr attrs[3];
  char name[64];
  int n = 0;
  if (step->kind == XlaOpKindConstant)
    return buildConstant(ir, value, step);
  snprintf(name, sizeof name, "xla.%s", info->name);
  if (step->kind == XlaOpKindIota) {
    attrs[n++] =
        (XlaIrAttr){"iota_dimension", xlaIrI64Attr(ir->context, step->a[0])};
  } else {
    int length = takesOneList(info) ? step->n : step->to.rank;
    for (; n < 3 && info->attributes && info->attributes[n].name; ++n)
      attrs[n] = list(ir, info->attributes[n].name, length, lists[n]);
    if (step->kind == XlaOpKindSlice && !isStrided(step))
      --n;
  }
  return xlaIrOp(ir, name, type, info->maxOperands, operands, n, attrs);
}

MlirValue xlaMoveChainBuild(const MoveChain *chain, XlaIr *ir) {
  MlirValue value = chain->source;
  for (int i = 0; i < chain->n && !mlirValueIsNull(value); ++i)
    value = buildStep(ir, value, chain->fill, &chain->steps[i]);
  return value;
}

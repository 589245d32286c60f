//===- dynamic.c - Dynamic slices at known places -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/literal.h"
#include "xlac/passes/simplify/indexing/indexing.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

static const MlirValue unchanged = {NULL};

//===----------------------------------------------------------------------===//
// Starts
//===----------------------------------------------------------------------===//

/// The constant that defines `value`, of at most `XLA_MAX_RANK` elements; NULL
/// if none does. To be released.
static XlaLiteral *literalOf(MlirValue value) {
  MlirOperation op = xlaMoveDefinedBy(value, XlaOpKindConstant);
  XlaShape shape;
  int64_t count;
  if (!op.ptr || !xlaMoveShape(value, &shape) ||
      !xlaShapeGetElementCount(&shape, &count) || count > XLA_MAX_RANK)
    return NULL;
  return xlaLiteralFromAttribute(xlaOpGetAttr(op, "value"));
}

static int64_t clamped(const XlaLiteral *literal, int i, int64_t most) {
  XlaElementType type = xlaLiteralGetShape(literal)->elementType;
  XlaScalar value = xlaLiteralGet(literal, i);
  if (xlaElementTypeGetInfo(type)->typeClass == XlaTypeClassUnsigned)
    return value.u < (uint64_t)most ? (int64_t)value.u : most;
  return value.s < 0 ? 0 : value.s < most ? value.s : most;
}

/// Where start `i` of those from operand `first` on is, between 0 and `most`;
/// false if it is no constant.
static bool startOf(MlirOperation op, intptr_t first, int i, int64_t most,
                    int64_t *start) {
  XlaShape shape;
  MlirValue value = mlirOperationGetOperand(op, first);
  bool isVector = xlaMoveShape(value, &shape) && shape.rank == 1;
  *start = 0;
  if (most == 0)
    return true;
  if (!isVector)
    value = mlirOperationGetOperand(op, first + i);
  XlaLiteral *literal = literalOf(value);
  if (!literal)
    return false;
  *start = clamped(literal, isVector ? i : 0, most);
  xlaLiteralRelease(literal);
  return true;
}

static bool startsOf(MlirOperation op, intptr_t first, const XlaShape *whole,
                     const XlaShape *part, int64_t *starts) {
  for (int i = 0; i < whole->rank; ++i)
    if (!startOf(op, first, i, whole->dims[i] - part->dims[i], &starts[i]))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// One slice in another
//===----------------------------------------------------------------------===//

/// Along one dimension, two slices of which one moves are one: that is all of
/// the other or begins at 0 with room for all starts of it.
typedef struct Nest {
  MlirOperation outer, inner;
  XlaShape whole, middle, part;
} Nest;

static bool readNest(MlirOperation op, Nest *nest) {
  MlirValue operand = mlirOperationGetOperand(op, 0);
  nest->outer = op;
  nest->inner = xlaMoveDefinedBy(operand, XlaOpKindDynamicSlice);
  if (!nest->inner.ptr || xlaMoveUses(operand) > 1 ||
      !mlirBlockEqual(mlirOperationGetBlock(op),
                      mlirOperationGetBlock(nest->inner)))
    return false;
  intptr_t n = mlirOperationGetNumOperands(op);
  if (!xlaMoveShape(mlirOperationGetOperand(nest->inner, 0), &nest->whole) ||
      !xlaMoveShape(operand, &nest->middle) ||
      !xlaMoveShape(mlirOperationGetResult(op, 0), &nest->part) ||
      n != nest->whole.rank + 1 || n < 2 ||
      mlirOperationGetNumOperands(nest->inner) != n)
    return false;
  XlaShape a, b;
  return xlaMoveShape(mlirOperationGetOperand(op, 1), &a) && a.rank == 0 &&
         xlaMoveShape(mlirOperationGetOperand(nest->inner, 1), &b) &&
         b.rank == 0 && a.elementType == b.elementType;
}

static MlirValue scalar(XlaIr *ir, MlirType type, int64_t value) {
  XlaShape shape;
  char bytes[16] = {0};
  xlaShapeFromMlir(type, &shape, NULL);
  xlaScalarStore(shape.elementType, bytes, (XlaScalar){.s = value});
  MlirAttribute attr = mlirDenseElementsAttrRawBufferGet(
      type, (size_t)xlaElementTypeGetInfo(shape.elementType)->bytes, bytes);
  return xlaIrOp(ir, "xla.constant", type, 0, NULL, 1,
                 &(XlaIrAttr){"value", attr});
}

/// `start` where it is clamped in [0, most] of itself.
static MlirValue clamp(XlaIr *ir, MlirValue start, int64_t most) {
  MlirType type = mlirValueGetType(start);
  MlirValue operands[] = {scalar(ir, type, 0), start, scalar(ir, type, most)};
  return xlaIrOp(ir, "xla.clamp", type, 3, operands, 0, NULL);
}

/// The start of both along dimension `i`: each is clamped as it was, and the
/// sum is then inside the whole.
static MlirValue addStarts(const Nest *nest, int i, XlaIr *ir) {
  MlirValue first = mlirOperationGetOperand(nest->inner, i + 1),
            second = mlirOperationGetOperand(nest->outer, i + 1);
  int64_t most = nest->whole.dims[i] - nest->middle.dims[i],
          more = nest->middle.dims[i] - nest->part.dims[i];
  if (more == 0)
    return first;
  if (most == 0)
    return second;
  return xlaIrBinary(ir, "xla.add", clamp(ir, first, most),
                     clamp(ir, second, more));
}

/// Numbers up to the size must fit the type of the starts.
static bool fits(const Nest *nest) {
  XlaShape start;
  xlaMoveShape(mlirOperationGetOperand(nest->outer, 1), &start);
  int bits = xlaElementTypeGetInfo(start.elementType)->bits;
  for (int i = 0; i < nest->whole.rank && bits < 64; ++i)
    if (nest->whole.dims[i] >= INT64_C(1) << (bits - 1))
      return false;
  return bits >= 8;
}

static MlirValue joinSlices(MlirOperation op) {
  Nest nest;
  MlirValue operands[XLA_MAX_RANK + 1];
  if (!readNest(op, &nest) || !fits(&nest))
    return unchanged;
  XlaIr ir = xlaIrBefore(op);
  operands[0] = mlirOperationGetOperand(nest.inner, 0);
  for (int i = 0; i < nest.whole.rank; ++i)
    operands[i + 1] = addStarts(&nest, i, &ir);
  return xlaIrOp(&ir, "xla.dynamic_slice",
                 mlirValueGetType(mlirOperationGetResult(op, 0)),
                 nest.whole.rank + 1, operands, 1,
                 &(XlaIrAttr){"slice_sizes",
                              mlirDenseI64ArrayGet(ir.context, nest.part.rank,
                                                   nest.part.dims)});
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

MlirValue xlaMoveDynamicSlice(MlirOperation op) {
  MoveChain *chain = malloc(sizeof *chain);
  MlirValue source = mlirOperationGetOperand(op, 0), value = unchanged;
  XlaShape from, to;
  XlaIr ir = xlaIrBefore(op);
  if (!chain || !xlaMoveShape(source, &from) ||
      !xlaMoveShape(mlirOperationGetResult(op, 0), &to)) {
    free(chain);
    return unchanged;
  }
  xlaMoveChainBegin(chain, source);
  MoveStep *step = xlaMoveChainAdd(chain, XlaOpKindSlice, &to);
  if (xlaShapeDimsEqual(&from, &to)) {
    value = source;
  } else if (startsOf(op, 1, &from, &to, step->a)) {
    for (int i = 0; i < to.rank; ++i) {
      step->b[i] = step->a[i] + to.dims[i];
      step->c[i] = 1;
    }
    value = xlaMoveChainBuild(chain, &ir);
  }
  free(chain);
  return mlirValueIsNull(value) ? joinSlices(op) : value;
}

/// The scalar that all elements of `value` are; null if none is known.
static MlirValue repeated(MlirValue value, XlaIr *ir, MoveChain *chain) {
  MlirOperation broadcast = xlaMoveDefinedBy(value, XlaOpKindBroadcastInDim),
                constant = xlaMoveDefinedBy(value, XlaOpKindConstant);
  XlaShape shape;
  char bytes[16];
  if (broadcast.ptr) {
    value = mlirOperationGetOperand(broadcast, 0);
    return xlaMoveShape(value, &shape) && shape.rank == 0 ? value : unchanged;
  }
  if (!constant.ptr || !xlaMoveSplatBytes(constant, bytes) ||
      !xlaMoveShape(value, &shape))
    return unchanged;
  shape.rank = 0;
  xlaMoveChainBegin(chain, value);
  xlaMoveChainAdd(chain, XlaOpKindConstant, &shape);
  return xlaMoveChainBuild(chain, ir);
}

/// An update of everything, and one of what is all the same: a pad.
MlirValue xlaMoveDynamicUpdate(MlirOperation op) {
  MlirValue operand = mlirOperationGetOperand(op, 0),
            update = mlirOperationGetOperand(op, 1), value = unchanged;
  MoveChain *chain = malloc(sizeof *chain);
  XlaShape from, to;
  int64_t starts[XLA_MAX_RANK];
  if (chain && xlaMoveShape(update, &from) && xlaMoveShape(operand, &to)) {
    XlaIr ir = xlaIrBefore(op);
    if (xlaShapeDimsEqual(&from, &to)) {
      value = update;
    } else if (startsOf(op, 2, &to, &from, starts)) {
      MlirValue fill = repeated(operand, &ir, chain);
      xlaMoveChainBegin(chain, update);
      chain->fill = fill;
      MoveStep *pad = xlaMoveChainAdd(chain, XlaOpKindPad, &to);
      for (int i = 0; i < to.rank; ++i) {
        pad->a[i] = starts[i];
        pad->b[i] = to.dims[i] - from.dims[i] - starts[i];
        pad->c[i] = 0;
      }
      if (!mlirValueIsNull(fill))
        value = xlaMoveChainBuild(chain, &ir);
    }
  }
  free(chain);
  return value;
}

//===- emit_bitcast.c - The same bytes as another array -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bitcast of HLO takes the memory of its operand, as the operand's layout
// says, for that of its result: the only place where layouts count. It becomes
// a transpose into the order of memory, a reshape or bitcast of row-major
// arrays, and a transpose back.
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/emit.h"
#include "xlac/passes/arrays.h"

#include <string.h>

/// The dimensions from major to minor.
static void majorToMinor(const XlaHloShape *shape, int64_t *order) {
  for (int i = 0; i < shape->rank; ++i)
    order[i] =
        shape->minorToMajor ? shape->minorToMajor[shape->rank - 1 - i] : i;
}

/// The sizes in that order.
static XlaShape inMemory(const XlaHloShape *shape, const int64_t *order) {
  XlaShape memory = xlaHloShapeGetArray(shape);
  for (int i = 0; i < shape->rank; ++i)
    memory.dims[i] = shape->dims[order[i]];
  return memory;
}

static MlirValue transpose(XlaIr *ir, MlirValue value, int rank,
                           const int64_t *permutation) {
  for (int i = 0; i < rank; ++i)
    if (permutation[i] != i)
      return xlaArrayTranspose(ir, value, permutation);
  return value;
}

/// The row-major array `value` of shape `from` as one of `to`.
static MlirValue reinterpret(XlaIr *ir, MlirValue value, const XlaShape *from,
                             const XlaShape *to) {
  if (from->elementType == to->elementType)
    return xlaShapeDimsEqual(from, to)
               ? value
               : xlaArrayReshape(ir, value, to->rank, to->dims);
  return xlaIrCast(ir, "xla.bitcast", value, xlaShapeToMlir(to, ir->context));
}

bool xlaHloEmitBitcast(XlaHloOp *op) {
  const XlaHloShape *from = xlaHloOperand(op, 0)->shape, *to = op->shape;
  int64_t fromOrder[XLA_MAX_RANK], toOrder[XLA_MAX_RANK];
  int64_t composed[XLA_MAX_RANK], inverse[XLA_MAX_RANK], n[2];
  if (from->kind != XlaHloShapeKindArray || to->kind != XlaHloShapeKindArray)
    return xlaHloOpInvalid(op, "takes and gives an array");
  const XlaElementTypeInfo *a = xlaElementTypeGetInfo(from->elementType);
  const XlaElementTypeInfo *b = xlaElementTypeGetInfo(to->elementType);
  if (from->isTiled || to->isTiled || from->dynamic || to->dynamic)
    return xlaHloOpRefuse(op, "is not supported yet: tiles or dynamic sizes");
  // Elements below a byte may be packed or not.
  if (a != b && (a->bits < 8 || b->bits < 8))
    return xlaHloOpRefuse(op, "is not supported yet: %s as %s", a->name,
                          b->name);
  majorToMinor(from, fromOrder);
  majorToMinor(to, toOrder);
  XlaShape source = inMemory(from, fromOrder), target = inMemory(to, toOrder);
  if (!xlaShapeGetElementCount(&source, &n[0]) ||
      !xlaShapeGetElementCount(&target, &n[1]) ||
      n[0] * a->bytes != n[1] * b->bytes)
    return xlaHloOpInvalid(op, "must give as many bytes as it takes");
  for (int i = 0; i < to->rank; ++i)
    inverse[toOrder[i]] = i;
  MlirValue value = op->operands[0];
  if (a == b && xlaShapeDimsEqual(&source, &target)) {
    for (int i = 0; i < to->rank; ++i)
      composed[i] = fromOrder[inverse[i]];
    value = transpose(&op->ir, value, to->rank, composed);
    return xlaHloPut(op, 1, &value);
  }
  value = transpose(&op->ir, value, from->rank, fromOrder);
  value = reinterpret(&op->ir, value, &source, &target);
  value = transpose(&op->ir, value, to->rank, inverse);
  return xlaHloPut(op, 1, &value);
}

//===- emit_numbers.c - Scales, and random rounding, from HLO -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/emit.h"
#include "xlac/passes/arrays.h"

#include <math.h>

static const XlaElementTypeInfo *infoOf(const XlaShape *shape) {
  return xlaElementTypeGetInfo(shape->elementType);
}

//===----------------------------------------------------------------------===//
// Products of scaled blocks
//===----------------------------------------------------------------------===//

/// `scale` in the dimensions of an operand: each of its elements is that of a
/// block, or of all of a dimension. False if there is no such block.
static bool spread(XlaIr *ir, MlirValue *scale, const XlaShape *operand) {
  XlaShape shape = xlaArrayShape(*scale);
  int64_t split[2 * XLA_MAX_RANK], places[XLA_MAX_RANK];
  if (!shape.rank) {
    *scale = xlaArrayBroadcast(ir, *scale, operand->rank, operand->dims, NULL);
    return true;
  }
  if (shape.rank != operand->rank || 2 * shape.rank > XLA_MAX_RANK)
    return false;
  for (int d = 0; d < shape.rank; ++d) {
    int64_t blocks = shape.dims[d], size = operand->dims[d];
    if (blocks ? size % blocks != 0 : size != 0)
      return false;
    split[2 * d] = blocks;
    split[2 * d + 1] = blocks ? size / blocks : 1;
    places[d] = 2 * (int64_t)d;
  }
  *scale = xlaArrayBroadcast(ir, *scale, 2 * shape.rank, split, places);
  *scale = xlaArrayReshape(ir, *scale, operand->rank, operand->dims);
  return true;
}

/// Operands of few bits and their scales have products that f32 holds.
bool xlaHloEmitScaledDot(XlaHloOp *op) {
  static const char *const sides[] = {"lhs", "rhs"};
  XlaHloAttrs attrs;
  MlirValue factors[2];
  if (op->nOperands != 4 || op->nResults != 1)
    return xlaHloOpInvalid(op, "takes four arrays and gives one");
  if (!xlaHloAttributes(op, XlaOpKindDotGeneral, 0, NULL, &attrs))
    return false;
  for (int i = 0; i < 2; ++i) {
    XlaShape shape, scales;
    if (!xlaShapeFromMlir(mlirValueGetType(op->operands[i]), &shape, NULL) ||
        !xlaShapeFromMlir(mlirValueGetType(op->operands[2 + i]), &scales, NULL))
      return xlaHloOpRefuse(op, "is not supported yet: other than arrays, or "
                                "dynamic sizes");
    if (!xlaElementTypeIsFloat(shape.elementType) ||
        !xlaElementTypeIsFloat(scales.elementType))
      return xlaHloOpInvalid(op, "takes floats");
    XlaElementType wide =
        infoOf(&shape)->bits > 32 || infoOf(&scales)->bits > 32
            ? XlaElementTypeF64
            : XlaElementTypeF32;
    MlirValue scale = xlaArrayConvert(&op->ir, op->operands[2 + i], wide);
    if (!spread(&op->ir, &scale, &shape))
      return xlaHloOpInvalid(op,
                             "has scales of %s that are not those of "
                             "blocks of it",
                             sides[i]);
    factors[i] =
        xlaIrBinary(&op->ir, "xla.multiply",
                    xlaArrayConvert(&op->ir, op->operands[i], wide), scale);
  }
  return xlaHloPutResults(
      op, xlaHloCreate(op, XlaOpKindDotGeneral, 2, factors, &attrs, 0, NULL));
}

//===----------------------------------------------------------------------===//
// Random rounding
//===----------------------------------------------------------------------===//

static MlirValue number(XlaIr *ir, MlirValue like, double value) {
  XlaElementType type = xlaArrayShape(like).elementType;
  return xlaArraySplat(ir, xlaArrayNumber(ir, type, value), like);
}

/// The integer before the point of `x`, or the one further from 0, with the
/// probability of what is behind the point, of which `random` decides.
static MlirValue roundRandomly(XlaIr *ir, MlirValue x, MlirValue random,
                               XlaElementType result) {
  XlaShape bits = xlaArrayShape(random);
  int width = (int)xlaElementTypeGetInfo(result)->bits;
  double most = ldexp(1, width - 1);
  MlirValue size = xlaIrUnary(ir, "xla.abs", x);
  MlirValue whole = xlaIrUnary(ir, "xla.floor", size);
  MlirValue behind = xlaIrBinary(ir, "xla.subtract", size, whole);
  MlirValue fixed = xlaArrayConvert(
      ir,
      xlaIrBinary(ir, "xla.multiply", behind,
                  number(ir, behind, ldexp(1, (int)infoOf(&bits)->bits))),
      bits.elementType);
  MlirValue up =
      xlaArrayConvert(ir, xlaArrayCompare(ir, "LT", random, fixed), result);
  MlirValue inner = xlaArrayConvert(ir, whole, result);
  MlirValue rounded = xlaIrBinary(ir, "xla.add", inner, up);
  // Integers wrap around: the least is one further from 0 than the largest.
  MlirValue largest =
      xlaArrayInteger(ir, rounded, ((uint64_t)1 << (width - 1)) - 1);
  MlirValue least = xlaArrayInteger(ir, rounded, (uint64_t)1 << (width - 1));
  MlirValue positive = xlaArraySelect(
      ir, xlaArrayCompare(ir, "EQ", inner, largest), inner, rounded);
  MlirValue zero = number(ir, x, 0);
  MlirValue signedOne =
      xlaArraySelect(ir, xlaArrayCompare(ir, "LT", x, zero),
                     xlaIrUnary(ir, "xla.negate", rounded), positive);
  MlirValue capped =
      xlaArraySelect(ir, xlaArrayCompare(ir, "GE", x, number(ir, x, most - 1)),
                     largest, signedOne);
  MlirValue held = xlaArraySelect(
      ir, xlaArrayCompare(ir, "LE", x, number(ir, x, -most)), least, capped);
  return xlaArraySelect(ir, xlaArrayCompare(ir, "NE", x, x),
                        xlaArrayInteger(ir, held, 0), held);
}

static bool isOf(const XlaShape *shape, XlaTypeClass typeClass, int minBits) {
  return infoOf(shape)->typeClass == typeClass &&
         infoOf(shape)->bits >= minBits;
}

bool xlaHloEmitStochasticConvert(XlaHloOp *op) {
  XlaShape from, bits, to;
  if (op->nOperands != 2 || op->nResults != 1 ||
      !xlaShapeFromMlir(mlirValueGetType(op->operands[0]), &from, NULL) ||
      !xlaShapeFromMlir(mlirValueGetType(op->operands[1]), &bits, NULL) ||
      !xlaShapeFromMlir(op->types[0], &to, NULL))
    return xlaHloOpRefuse(op, "is not supported yet: other than two arrays, "
                              "or dynamic sizes");
  if (!isOf(&from, XlaTypeClassFloat, 16) ||
      !isOf(&bits, XlaTypeClassUnsigned, infoOf(&from)->bits) ||
      !isOf(&to, XlaTypeClassSigned, 8) ||
      infoOf(&bits)->bits != infoOf(&from)->bits ||
      !xlaShapeDimsEqual(&from, &bits) || !xlaShapeDimsEqual(&from, &to))
    return xlaHloOpInvalid(op, "takes floats of 16 bits and more, and unsigned "
                               "integers of as many bits, and gives signed "
                               "ones, all in the same dimensions");
  XlaElementType wide =
      infoOf(&from)->bits == 64 ? XlaElementTypeF64 : XlaElementTypeF32;
  MlirValue result =
      roundRandomly(&op->ir, xlaArrayConvert(&op->ir, op->operands[0], wide),
                    op->operands[1], to.elementType);
  return xlaHloPut(op, 1, &result);
}

//===----------------------------------------------------------------------===//
// Random states
//===----------------------------------------------------------------------===//

/// Which states they are is XLA's choice: all that matters is that no two are
/// the same.
bool xlaHloEmitRngState(XlaHloOp *op) {
  XlaShape shape;
  if (op->nResults != 1 || !xlaShapeFromMlir(op->types[0], &shape, NULL) ||
      shape.elementType != XlaElementTypeU64)
    return xlaHloOpInvalid(op,
                           "gives an array of unsigned integers of 64 bits");
  MlirValue least = xlaArrayNumber(&op->ir, XlaElementTypeU64, 0);
  MlirValue bounds[] = {least, xlaIrUnary(&op->ir, "xla.not", least)};
  return xlaHloPutResults(
      op, xlaHloCreate(op, XlaOpKindRngUniform, 2, bounds, NULL, 0, NULL));
}

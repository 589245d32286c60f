//===- parts.c - Parts of shaders of matrix products ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/matmul/emit.h"

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

MlirAffineExpr xlaMatmulConstant(const MatmulEmitter *e, int64_t value) {
  return xlaAffineConstant(&e->nest, value);
}

MlirAffineExpr xlaMatmulName(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr a) {
  int64_t constant;
  return xlaExprIsConstant(a, &constant) ? a : xlaAffineName(&e->nest, ir, a);
}

/// An operation of `a` and a constant at the top level, as a dimension.
static MlirAffineExpr binary(MatmulEmitter *e, XlaIr *ir, const char *op,
                             MlirAffineExpr a, int64_t b) {
  MlirValue value = xlaAffineApply(&e->nest, ir, a);
  return xlaAffineDim(&e->nest,
                      xlaIrBinary(ir, op, value, xlaIrConstantIndex(ir, b)));
}

MlirAffineExpr xlaMatmulDivide(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr a,
                               int64_t b) {
  int64_t constant;
  return e->isInside || b == 1 || xlaExprIsConstant(a, &constant)
             ? xlaExprOver(a, b)
             : binary(e, ir, "arith.divui", a, b);
}

MlirAffineExpr xlaMatmulRemainder(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr a,
                                  int64_t b) {
  int64_t constant;
  return e->isInside || b == 1 || xlaExprIsConstant(a, &constant)
             ? xlaExprModulo(a, b)
             : binary(e, ir, "arith.remui", a, b);
}

MlirAffineExpr xlaMatmulAtMost(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr a,
                               int64_t b) {
  int64_t constant;
  if (xlaExprIsConstant(a, &constant))
    return constant < b ? a : xlaMatmulConstant(e, b);
  if (e->isInside)
    return a;
  return b ? binary(e, ir, "arith.minui", a, b) : xlaMatmulConstant(e, 0);
}

MlirAffineExpr xlaMatmulUnit(MatmulEmitter *e, XlaIr *ir,
                             const MatmulTiles *tiles, const MatmulPart *part,
                             int64_t i) {
  MlirAffineExpr unit = xlaExprShift(part->first, i * part->step);
  return tiles->size < tiles->tile
             ? xlaMatmulAtMost(e, ir, unit, tiles->size - 1)
             : unit;
}

int xlaMatmulIsOwn(const MatmulTiles *tiles, const MatmulPart *part, int64_t i,
                   MlirAffineExpr *exprs) {
  MlirAffineExpr unit = xlaExprShift(part->first, i * part->step);
  int n = 0;
  if (tiles->size < tiles->tile)
    exprs[n++] = xlaAffineBelow(unit, tiles->size);
  else if (tiles->size % tiles->tile)
    exprs[n++] = xlaExprAdd(unit, xlaExprScale(tiles->start, -1));
  return n;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

MlirType xlaMatmulSumType(const XlaVulkanMatmul *op) {
  MlirContext context = mlirTypeGetContext(op->result);
  if (mlirTypeIsAF16(op->result) || mlirTypeIsABF16(op->result))
    return mlirF32TypeGet(context);
  if (mlirTypeIsAInteger(op->result) &&
      mlirIntegerTypeGetWidth(op->result) < 32)
    return mlirIntegerTypeGet(context, 32);
  return op->result;
}

static unsigned bitsOf(MlirType type) {
  return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type)
                                  : mlirFloatTypeGetWidth(type);
}

static MlirValue resize(XlaIr *ir, MlirValue value, MlirType to,
                        bool isUnsigned) {
  MlirType from = mlirValueGetType(value);
  unsigned have = bitsOf(from), want = bitsOf(to);
  if (have == want)
    return value;
  bool isFloat = mlirTypeIsAFloat(from), isWider = want > have;
  const char *name = isFloat      ? isWider ? "arith.extf" : "arith.truncf"
                     : !isWider   ? "arith.trunci"
                     : isUnsigned ? "arith.extui"
                                  : "arith.extsi";
  return xlaIrCast(ir, name, value, to);
}

/// Element `i` of a unit in an integer `word` that holds several, the first in
/// the low bits.
static MlirValue unpack(XlaIr *ir, MlirValue word, int64_t i, MlirType element,
                        MlirType sum) {
  MlirType type = mlirValueGetType(word);
  unsigned bits = bitsOf(element);
  MlirType integer = mlirIntegerTypeGet(ir->context, bits);
  if (i)
    word = xlaIrBinary(ir, "arith.shrui", word,
                       xlaIrConstantInt(ir, type, i * bits));
  if (mlirTypeIsABF16(element) && mlirTypeIsAF32(sum)) { // its upper half
    MlirType i32 = mlirIntegerTypeGet(ir->context, 32);
    word = resize(ir, word, i32, true);
    word = xlaIrBinary(ir, "arith.shli", word, xlaIrConstantInt(ir, i32, 16));
    return xlaIrCast(ir, "arith.bitcast", word, sum);
  }
  word = resize(ir, word, integer, true);
  return mlirTypeIsAFloat(element)
             ? xlaIrCast(ir, "arith.bitcast", word, element)
             : word;
}

MlirType xlaMatmulWordType(const MatmulEmitter *e, MlirType element,
                           int64_t *n) {
  MlirContext context = mlirTypeGetContext(element);
  unsigned bits = bitsOf(element);
  bool isWide = e->info->i64 && (bits < 32 || e->tiling->usesPairs);
  *n = 4;
  if (bits == 32 && !isWide)
    return element;
  unsigned word = isWide && bits > 8 ? 64 : 32;
  *n = bits * 4 / word;
  return mlirIntegerTypeGet(context, word);
}

/// A whole element of the memref, which may be a vector.
static MlirValue load(const MatmulEmitter *e, XlaIr *ir, MlirValue memref,
                      MlirAffineExpr at) {
  return xlaAffineLoad(&e->nest, ir, xlaIrElementType(mlirValueGetType(memref)),
                       memref, at);
}

MlirValue xlaMatmulLoadSum(const MatmulEmitter *e, XlaIr *ir, MlirValue memory,
                           MlirAffineExpr at) {
  return load(e, ir, memory, at);
}

void xlaMatmulStoreSum(const MatmulEmitter *e, XlaIr *ir, MlirValue sum,
                       MlirValue memory, MlirAffineExpr at) {
  xlaAffineStore(&e->nest, ir, sum, memory, at);
}

/// The elements of a unit as they lie in memory, `n` of them.
static void loadUnit(const MatmulEmitter *e, XlaIr *ir, MatmulArray array,
                     MlirAffineExpr position, MlirType element,
                     MlirType unpacked, MlirValue *elements) {
  MlirValue unit = load(e, ir, e->memref[array], position);
  if (e->unit[array] == 1) {
    elements[0] = unit;
    return;
  }
  int64_t nWords;
  MlirType word = xlaMatmulWordType(e, element, &nWords);
  for (int64_t w = 0; w < nWords; ++w) {
    XlaIrAttr attr = {"static_position",
                      mlirDenseI64ArrayGet(ir->context, 1, &w)};
    MlirValue part =
        nWords == 1 ? unit
                    : xlaIrOp(ir, "vector.extract", word, 1, &unit, 1, &attr);
    for (int64_t i = 0; i < 4 / nWords; ++i)
      elements[w * (4 / nWords) + i] =
          nWords == 4 ? part : unpack(ir, part, i, element, unpacked);
  }
}

void xlaMatmulLoadInput(const MatmulEmitter *e, XlaIr *ir, MatmulArray array,
                        MatmulArray side, const MatmulPlace *place,
                        MlirValue *elements) {
  const XlaVulkanMatmulInput *input = &e->op->inputs[array - MatmulInput];
  const XlaContractionDim *along = xlaMatmulAlong(e, side);
  int n = e->unit[side];
  if (e->unit[array] == n) {
    loadUnit(e, ir, array, place->at[array], input->element, input->element,
             elements);
    return;
  }
  int64_t stride = xlaMatmulStride(along, array);
  for (int i = 0; i < n; ++i)
    elements[i] = i && !stride
                      ? elements[0]
                      : load(e, ir, e->memref[array],
                             xlaExprShift(place->at[array], i * stride));
}

void xlaMatmulLoad(MatmulEmitter *e, XlaIr *ir, MatmulArray side,
                   const MatmulPlace *place, intptr_t unit,
                   MlirValue *elements) {
  bool isLhs = side == MatmulLhs;
  bool isUnsigned =
      isLhs ? e->op->contraction.lhsUnsigned : e->op->contraction.rhsUnsigned;
  if (e->op->parts[side].ptr)
    xlaMatmulCompute(e, ir, side, place, unit, elements);
  else
    loadUnit(e, ir, side, place->at[side], isLhs ? e->op->lhs : e->op->rhs,
             e->sum, elements);
  for (int i = 0; i < e->unit[side]; ++i)
    elements[i] = resize(ir, elements[i], e->sum, isUnsigned);
}

MlirValue xlaMatmulFma(const MatmulEmitter *e, XlaIr *ir, MlirValue a,
                       MlirValue b, MlirValue c) {
  MlirValue operands[3] = {a, b, c};
  if (mlirTypeIsAFloat(e->sum))
    return xlaIrOp(ir, "math.fma", e->sum, 3, operands, 0, NULL);
  return xlaIrBinary(ir, "arith.addi", xlaIrBinary(ir, "arith.muli", a, b), c);
}

MlirValue xlaMatmulSum(const MatmulEmitter *e, XlaIr *ir, MlirValue a,
                       MlirValue b) {
  return xlaIrBinary(ir, mlirTypeIsAFloat(e->sum) ? "arith.addf" : "arith.addi",
                     a, b);
}

MlirValue xlaMatmulZero(const MatmulEmitter *e, XlaIr *ir) {
  return mlirTypeIsAFloat(e->sum) ? xlaIrConstantFloat(ir, e->sum, 0)
                                  : xlaIrConstantInt(ir, e->sum, 0);
}

MlirValue xlaMatmulToResult(const MatmulEmitter *e, XlaIr *ir, MlirValue sum) {
  return resize(ir, sum, e->op->result, false);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

XlaAffineBound xlaMatmulEnd(const MatmulEmitter *e, int64_t n) {
  bool isHidden = e->tiling->usesLoops && n <= XLA_MATMUL_LONGEST;
  return xlaAffineBound(isHidden
                            ? xlaExprShift(e->longest, n - XLA_MATMUL_LONGEST)
                            : xlaMatmulConstant(e, n));
}

typedef struct Loop {
  XlaAffineBound upper;
  int64_t step;
  intptr_t n;
  MatmulBody body;
  void *user;
} Loop;

static void plainLoop(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr lower,
                      const Loop *loop, MlirValue *sums) {
  XlaIr inner;
  MlirAffineExpr index;
  bool isInside = e->isInside;
  MlirOperation op =
      xlaAffineFor(&e->nest, ir, xlaAffineBound(lower), loop->upper, loop->step,
                   (int)loop->n, sums, &inner, &index);
  for (intptr_t i = 0; i < loop->n; ++i)
    sums[i] = mlirBlockGetArgument(inner.block, 1 + i);
  e->isInside = true;
  loop->body(e, &inner, index, sums, loop->user);
  e->isInside = isInside;
  xlaAffineClose(&e->nest, &inner, (int)loop->n, sums);
  for (intptr_t i = 0; i < loop->n; ++i)
    sums[i] = mlirOperationGetResult(op, i);
}

/// An iteration of the outer loop: up to XLA_VULKAN_MAX_TRIPS of the inner one.
static void innerLoop(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr index,
                      MlirValue *sums, void *user) {
  Loop inner = *(const Loop *)user;
  inner.upper = xlaAffineBoundAnd(
      inner.upper, xlaExprShift(index, inner.step * XLA_VULKAN_MAX_TRIPS));
  plainLoop(e, ir, index, &inner, sums);
}

void xlaMatmulLoop(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr lower,
                   XlaAffineBound upper, int64_t step, int64_t trips,
                   intptr_t n, MlirValue *sums, MatmulBody body, void *user) {
  Loop loop = {upper, step, n, body, user};
  Loop outer = {upper, step * XLA_VULKAN_MAX_TRIPS, n, innerLoop, &loop};
  plainLoop(e, ir, lower, trips <= XLA_VULKAN_MAX_TRIPS ? &loop : &outer, sums);
}

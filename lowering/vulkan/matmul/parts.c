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

MlirValue xlaMatmulAdd(XlaIr *ir, MlirValue a, MlirValue b) {
  if (mlirValueIsNull(a))
    return b;
  return mlirValueIsNull(b) ? a : xlaIrBinary(ir, "arith.addi", a, b);
}

MlirValue xlaMatmulAddConstant(XlaIr *ir, MlirValue a, int64_t b) {
  return b ? xlaMatmulAdd(ir, a, xlaIrConstantIndex(ir, b)) : a;
}

MlirValue xlaMatmulTimes(XlaIr *ir, MlirValue a, int64_t b) {
  if (mlirValueIsNull(a) || !b)
    return (MlirValue){NULL};
  return b == 1 ? a
                : xlaIrBinary(ir, "arith.muli", a, xlaIrConstantIndex(ir, b));
}

MlirValue xlaMatmulDivide(XlaIr *ir, MlirValue a, int64_t b) {
  if (mlirValueIsNull(a))
    return a;
  return b == 1 ? a
                : xlaIrBinary(ir, "arith.divui", a, xlaIrConstantIndex(ir, b));
}

MlirValue xlaMatmulRemainder(XlaIr *ir, MlirValue a, int64_t b) {
  if (mlirValueIsNull(a) || b == 1)
    return (MlirValue){NULL};
  return xlaIrBinary(ir, "arith.remui", a, xlaIrConstantIndex(ir, b));
}

MlirValue xlaMatmulAtMost(XlaIr *ir, MlirValue a, int64_t b) {
  if (mlirValueIsNull(a) || !b)
    return (MlirValue){NULL};
  return xlaIrBinary(ir, "arith.minui", a, xlaIrConstantIndex(ir, b));
}

MlirValue xlaMatmulIndex(XlaIr *ir, MlirValue a) {
  return mlirValueIsNull(a) ? xlaIrConstantIndex(ir, 0) : a;
}

int64_t xlaMatmulStride(const XlaContractionDim *dim, MatmulArray array) {
  return array == MatmulLhs   ? dim->lhs
         : array == MatmulRhs ? dim->rhs
                              : dim->result;
}

MlirValue xlaMatmulPosition(const MatmulEmitter *e, XlaIr *ir,
                            const XlaContractionDims *dims, MatmulArray array,
                            MlirValue index, int width) {
  MlirValue sum = {NULL};
  for (intptr_t i = dims->n; i-- > 0;) {
    bool isInner = i == dims->n - 1;
    int64_t size = dims->dims[i].size / (isInner ? width : 1);
    int64_t stride = xlaMatmulStride(&dims->dims[i], array);
    MlirValue digit = i ? xlaMatmulRemainder(ir, index, size) : index;
    if (i)
      index = xlaMatmulDivide(ir, index, size);
    stride = stride * (isInner ? width : 1) / e->unit[array];
    sum = xlaMatmulAdd(ir, sum, xlaMatmulTimes(ir, digit, stride));
  }
  return sum;
}

MlirValue xlaMatmulUnit(XlaIr *ir, const MatmulTiles *tiles,
                        const MatmulPart *part, int64_t i) {
  MlirValue unit = xlaMatmulAddConstant(ir, part->first, i * part->step);
  return tiles->size < tiles->tile ? xlaMatmulAtMost(ir, unit, tiles->size - 1)
                                   : unit;
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

void xlaMatmulLoad(const MatmulEmitter *e, XlaIr *ir, MatmulArray array,
                   MlirValue position, MlirValue *elements) {
  position = xlaMatmulIndex(ir, position);
  MlirValue unit = xlaIrLoad(ir, e->memref[array], 1, &position);
  MlirType element = array == MatmulLhs ? e->op->lhs : e->op->rhs;
  bool isUnsigned = array == MatmulLhs ? e->op->contraction.lhsUnsigned
                                       : e->op->contraction.rhsUnsigned;
  if (e->unit[array] == 1) {
    elements[0] = resize(ir, unit, e->sum, isUnsigned);
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
    for (int64_t i = 0; i < 4 / nWords; ++i) {
      MlirValue one = nWords == 4 ? part : unpack(ir, part, i, element, e->sum);
      elements[w * (4 / nWords) + i] = resize(ir, one, e->sum, isUnsigned);
    }
  }
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

MlirValue xlaMatmulEnd(MatmulEmitter *e, XlaIr *ir, int64_t n) {
  enum { longest = 64 }; // no driver unrolls more
  if (!e->tiling->usesLoops || n > longest)
    return xlaIrConstantIndex(ir, n);
  MlirValue more = xlaMatmulAddConstant(ir, xlaVulkanGroupId(ir, 0), n);
  return xlaMatmulAtMost(ir, more, n);
}

typedef struct Nest {
  MlirValue upper;
  int64_t step;
  MatmulBody body;
  void *user;
} Nest;

static void plainLoop(MatmulEmitter *e, XlaIr *ir, MlirValue lower,
                      const Nest *nest, int64_t step, intptr_t n,
                      MlirValue *sums, MatmulBody body, void *user) {
  XlaIr inner;
  MlirOperation loop = xlaIrFor(ir, xlaMatmulIndex(ir, lower), nest->upper,
                                xlaIrConstantIndex(ir, step), n, sums, &inner);
  for (intptr_t i = 0; i < n; ++i)
    sums[i] = mlirBlockGetArgument(inner.block, 1 + i);
  body(e, &inner, mlirBlockGetArgument(inner.block, 0), sums, user);
  xlaIrYield(&inner, n, sums);
  for (intptr_t i = 0; i < n; ++i)
    sums[i] = mlirOperationGetResult(loop, i);
}

typedef struct Outer {
  Nest nest;
  intptr_t n;
} Outer;

/// An iteration of the outer loop: up to XLA_VULKAN_MAX_TRIPS of the inner one.
static void innerLoop(MatmulEmitter *e, XlaIr *ir, MlirValue index,
                      MlirValue *sums, void *user) {
  Outer *outer = user;
  Nest nest = outer->nest;
  MlirValue end =
      xlaMatmulAddConstant(ir, index, nest.step * XLA_VULKAN_MAX_TRIPS);
  nest.upper = xlaIrBinary(ir, "arith.minui", end, nest.upper);
  plainLoop(e, ir, index, &nest, nest.step, outer->n, sums, nest.body,
            nest.user);
}

void xlaMatmulLoop(MatmulEmitter *e, XlaIr *ir, MlirValue lower,
                   MlirValue upper, int64_t step, int64_t trips, intptr_t n,
                   MlirValue *sums, MatmulBody body, void *user) {
  Outer outer = {{upper, step, body, user}, n};
  if (trips <= XLA_VULKAN_MAX_TRIPS)
    plainLoop(e, ir, lower, &outer.nest, step, n, sums, body, user);
  else
    plainLoop(e, ir, lower, &outer.nest, step * XLA_VULKAN_MAX_TRIPS, n, sums,
              innerLoop, &outer);
}

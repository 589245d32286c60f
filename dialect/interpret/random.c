//===- random.c - Random bits ---------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/random.h"

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/scalar/op.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

//===----------------------------------------------------------------------===//
// Generators
//===----------------------------------------------------------------------===//

void xlaThreeFry(const uint32_t key[2], uint32_t words[2]) {
  const uint32_t keys[3] = {key[0], key[1],
                            XLA_THREE_FRY_PARITY ^ key[0] ^ key[1]};
  uint32_t a = words[0] + keys[0], b = words[1] + keys[1];
  for (int group = 1; group <= xlaThreeFryGroups; ++group) {
    for (int i = 0; i < 4; ++i) {
      int rotation = xlaThreeFryRotations[(group - 1) % 2 * 4 + i];
      a += b;
      b = (b << rotation | b >> (32 - rotation)) ^ a;
    }
    a += keys[group % 3];
    b += keys[(group + 1) % 3] + (uint32_t)group;
  }
  words[0] = a;
  words[1] = b;
}

void xlaPhilox(const uint32_t key[2], uint32_t words[4]) {
  uint32_t k[2] = {key[0], key[1]};
  for (int round = 0; round < xlaPhiloxRounds; ++round) {
    uint64_t p = (uint64_t)words[0] * xlaPhiloxFactors[0];
    uint64_t q = (uint64_t)words[2] * xlaPhiloxFactors[1];
    words[0] = (uint32_t)(q >> 32) ^ words[1] ^ k[0];
    words[1] = (uint32_t)q;
    words[2] = (uint32_t)(p >> 32) ^ words[3] ^ k[1];
    words[3] = (uint32_t)p;
    k[0] += xlaPhiloxWeyl[0];
    k[1] += xlaPhiloxWeyl[1];
  }
}

bool xlaRngIsThreeFry(MlirOperation op) {
  return xlaOpAttrIs(op, "rng_algorithm", "THREE_FRY");
}

XlaRngSplit xlaRngSplitShape(const XlaShape *shape) {
  XlaRngSplit split = {.dim = 0, .half = *shape};
  if (!shape->rank) {
    split.half.rank = 1;
    split.half.dims[0] = 1;
    return split;
  }
  int even = 0;
  while (even < shape->rank && shape->dims[even] % 2)
    ++even;
  if (even < shape->rank)
    split.dim = even;
  else
    for (int d = 1; d < shape->rank; ++d)
      if (shape->dims[d] > shape->dims[split.dim])
        split.dim = d;
  split.half.dims[split.dim] = (shape->dims[split.dim] + 1) / 2;
  return split;
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// A state as 64-bit words: the key, then the counter.
typedef struct State {
  int size;
  uint64_t words[3];
} State;

static State readState(const XlaLiteral *literal) {
  int64_t n = xlaLiteralGetElementCount(literal);
  State state = {.size = n == 3 ? 3 : 2};
  if (n == 4)
    for (int i = 0; i < 4; ++i)
      state.words[i / 2] |= xlaLiteralGet(literal, i).u << (i % 2 * 32);
  else
    for (int i = 0; i < state.size; ++i)
      state.words[i] = xlaLiteralGet(literal, i).u;
  return state;
}

static void writeState(XlaLiteral *literal, const State *state) {
  int64_t n = xlaLiteralGetElementCount(literal);
  for (int i = 0; i < n; ++i) {
    uint64_t word = state->words[n == 4 ? i / 2 : i];
    xlaLiteralSet(literal, i,
                  (XlaScalar){.u = n == 4 ? word >> (i % 2 * 32) : word});
  }
}

/// Gives an element the low bits of `bits`, which for a float are no number
/// but its encoding.
static void writeBits(XlaLiteral *literal, int64_t at, uint64_t bits) {
  const XlaShape *shape = xlaLiteralGetShape(literal);
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape->elementType);
  char *bytes = xlaLiteralGetMutableData(literal);
  if (xlaElementTypeIsInteger(shape->elementType))
    xlaLiteralSet(literal, at, (XlaScalar){.u = bits});
  else
    for (int i = 0; i < info->bytes; ++i)
      bytes[at * info->bytes + i] = (char)(bits >> (8 * i));
}

static void fillPhilox(XlaLiteral *result, State *state, bool wide) {
  uint64_t low = state->words[1], high = state->words[2];
  if (state->size == 2)
    high = state->words[0];
  const uint32_t key[2] = {(uint32_t)state->words[0],
                           (uint32_t)(state->words[0] >> 32)};
  int64_t n = xlaLiteralGetElementCount(result), perBlock = wide ? 2 : 4;
  for (int64_t at = 0; at < n; at += perBlock) {
    uint32_t words[4] = {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high,
                         (uint32_t)(high >> 32)};
    xlaPhilox(key, words);
    for (int64_t i = 0; i < perBlock && at + i < n; ++i)
      writeBits(result, at + i,
                wide ? words[2 * i] | (uint64_t)words[2 * i + 1] << 32
                     : words[i]);
    high += !++low;
  }
  state->words[1] = low;
  if (state->size == 3)
    state->words[2] = high;
}

static void fillThreeFry(XlaLiteral *result, State *state, bool wide) {
  const XlaShape *shape = xlaLiteralGetShape(result);
  const uint32_t key[2] = {(uint32_t)state->words[0],
                           (uint32_t)(state->words[0] >> 32)};
  XlaRngSplit split = xlaRngSplitShape(shape);
  int64_t pairs, inner = 1;
  xlaShapeGetElementCount(wide ? shape : &split.half, &pairs);
  for (int d = split.dim + 1; pairs && d < shape->rank; ++d)
    inner *= shape->dims[d];
  int64_t size = shape->rank ? shape->dims[split.dim] : 1;
  for (int64_t i = 0; i < pairs; ++i) {
    uint64_t counter = state->words[1] + (uint64_t)i;
    uint32_t words[2] = {(uint32_t)counter, (uint32_t)(counter >> 32)};
    xlaThreeFry(key, words);
    if (wide) {
      writeBits(result, i, words[0] | (uint64_t)words[1] << 32);
      continue;
    }
    int64_t half = split.half.dims[split.dim];
    int64_t outer = i / (half * inner), at = i / inner % half * 2;
    int64_t to = (outer * size + at) * inner + i % inner;
    writeBits(result, to, words[0]);
    if (at + 1 < size)
      writeBits(result, to + inner, words[1]);
  }
  state->words[1] += (uint64_t)pairs;
}

static MlirLogicalResult generateBits(XlaEvaluator *evaluator, MlirOperation op,
                                      const XlaLiteral *initial,
                                      XlaLiteral **results) {
  for (int i = 0; i < 2; ++i)
    if (!(results[i] = xlaEvaluatorCreateResult(evaluator, op, i)))
      return failure();
  State state = readState(initial);
  bool wide = xlaElementTypeGetInfo(xlaLiteralGetShape(results[1])->elementType)
                  ->bits == 64;
  if (xlaRngIsThreeFry(op))
    fillThreeFry(results[1], &state, wide);
  else
    fillPhilox(results[1], &state, wide);
  writeState(results[0], &state);
  return success();
}

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//

uint64_t xlaRngGetSeed(MlirOperation op) {
  MlirOperation parent = op;
  while (!mlirOperationIsNull(parent)) {
    op = parent;
    parent = mlirOperationGetParentOperation(op);
  }
  MlirAttribute seed = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString(XLA_SEED_ATTRIBUTE));
  return !mlirAttributeIsNull(seed) && mlirAttributeIsAInteger(seed)
             ? (uint64_t)mlirIntegerAttrGetValueInt(seed)
             : 0;
}

int64_t xlaRngWordCount(XlaOpKind kind, const XlaShape *shape) {
  int64_t count;
  if (!xlaShapeGetElementCount(shape, &count))
    return 0;
  return kind == XlaOpKindRngNormal && shape->elementType == XlaElementTypeF64
             ? 2 * count
             : count;
}

/// The words of one operation.
typedef struct Words {
  uint32_t key[2];
  uint64_t first; // block
} Words;

static uint64_t wordAt(const Words *words, int64_t at) {
  uint64_t counter = words->first + (uint64_t)at / 2;
  uint32_t block[4] = {(uint32_t)counter, (uint32_t)(counter >> 32), 0, 0};
  xlaPhilox(words->key, block);
  return block[at % 2 * 2] | (uint64_t)block[at % 2 * 2 + 1] << 32;
}

/// Arithmetic on elements of a float type, each result rounded.
static XlaScalar apply(XlaOpKind kind, XlaElementType type, XlaScalar x,
                       XlaScalar y) {
  return xlaScalarRound(type, xlaScalarBinary(kind, type, x, y));
}

static XlaScalar real(double value) { return (XlaScalar){.f = {value, 0}}; }

/// The upper bits of a word as a number in [0, 1): exact.
static XlaScalar fraction(XlaElementType type, uint64_t word) {
  return real(type == XlaElementTypeF64
                  ? (double)(word >> 11) * 0x1p-53
                  : (double)((uint32_t)word >> 8) * 0x1p-24);
}

static XlaScalar uniformFloat(XlaElementType type, XlaScalar a, XlaScalar b,
                              uint64_t word) {
  XlaElementType wide =
      type == XlaElementTypeF64 ? XlaElementTypeF64 : XlaElementTypeF32;
  XlaScalar r = fraction(wide, word);
  XlaScalar left = apply(XlaOpKindMultiply, wide, a,
                         apply(XlaOpKindSubtract, wide, real(1), r));
  XlaScalar right = apply(XlaOpKindMultiply, wide, b, r);
  XlaScalar sum = apply(XlaOpKindAdd, wide, left, right);
  sum = apply(XlaOpKindMaximum, type, xlaScalarRound(type, sum), a);
  return sum.f.re >= b.f.re ? a : sum;
}

static XlaScalar uniform(XlaElementType type, XlaScalar a, XlaScalar b,
                         uint64_t word) {
  XlaTypeClass class = xlaElementTypeGetInfo(type)->typeClass;
  if (class == XlaTypeClassFloat)
    return uniformFloat(type, a, b, word);
  bool empty = class == XlaTypeClassSigned ? b.s <= a.s : b.u <= a.u;
  if (empty || class == XlaTypeClassPred)
    return a;
  return xlaScalarRound(type, (XlaScalar){.u = a.u + word % (b.u - a.u)});
}

static XlaScalar normal(XlaElementType type, XlaScalar mu, XlaScalar sigma,
                        uint64_t first, uint64_t second) {
  bool wide = type == XlaElementTypeF64;
  XlaElementType t = wide ? XlaElementTypeF64 : XlaElementTypeF32;
  XlaScalar u = xlaScalarRound(
      t, real(wide ? (double)(first >> 11) : (double)(uint32_t)first));
  u = apply(XlaOpKindAdd, t, u, real(0.5));
  u = apply(XlaOpKindMultiply, t, u, real(wide ? 0x1p-53 : 0x1p-32));
  XlaScalar v = fraction(t, wide ? second : first >> 32);
  XlaScalar angle = apply(XlaOpKindMultiply, t, v,
                          xlaScalarRound(t, real(6.283185307179586)));
  XlaScalar radius =
      apply(XlaOpKindMultiply, t, real(-2), xlaScalarUnary(XlaOpKindLog, t, u));
  XlaScalar z =
      apply(XlaOpKindMultiply, t, xlaScalarUnary(XlaOpKindSqrt, t, radius),
            xlaScalarUnary(XlaOpKindCosine, t, angle));
  z = apply(XlaOpKindAdd, t, mu, apply(XlaOpKindMultiply, t, sigma, z));
  return xlaScalarRound(type, z);
}

static MlirLogicalResult draw(XlaEvaluator *evaluator, MlirOperation op,
                              XlaOpKind kind, const XlaLiteral *const *operands,
                              XlaLiteral **results) {
  XlaLiteral *result = results[0] = xlaEvaluatorCreateResult(evaluator, op, 0);
  if (!result)
    return failure();
  const XlaShape *shape = xlaLiteralGetShape(result);
  uint64_t seed = xlaRngGetSeed(op);
  uint64_t blocks = xlaRngBlockCount(xlaRngWordCount(kind, shape));
  Words words = {{(uint32_t)seed, (uint32_t)(seed >> 32)},
                 xlaEvaluatorDraw(evaluator, blocks)};
  XlaScalar a = xlaLiteralGet(operands[0], 0);
  XlaScalar b = xlaLiteralGet(operands[1], 0);
  bool wide = shape->elementType == XlaElementTypeF64;
  for (int64_t i = 0, n = xlaLiteralGetElementCount(result); i < n; ++i) {
    uint64_t word = wordAt(&words, i);
    xlaLiteralSet(result, i,
                  kind == XlaOpKindRngUniform
                      ? uniform(shape->elementType, a, b, word)
                      : normal(shape->elementType, a, b, word,
                               wide ? wordAt(&words, n + i) : 0));
  }
  return success();
}

MlirLogicalResult xlaRandomEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                    XlaOpKind kind,
                                    const XlaLiteral *const *operands,
                                    XlaLiteral **results) {
  return kind == XlaOpKindRngBitGenerator
             ? generateBits(evaluator, op, operands[0], results)
             : draw(evaluator, op, kind, operands, results);
}

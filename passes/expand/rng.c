//===- rng.c - Random bits as elementwise operations ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters are an iota, scrambled in words of 32 bits; the words of a block are
// then laid side by side. Scalars are combined with arrays as they are:
// xla-explicit-broadcast runs afterwards.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/rng.h"

#include "xlac/dialect/interpret/random.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static MlirType typeOf(XlaIr *ir, XlaElementType element, int rank,
                       const int64_t *dims) {
  XlaShape shape = {.elementType = element, .rank = rank};
  for (int d = 0; d < rank; ++d)
    shape.dims[d] = dims[d];
  return xlaShapeToMlir(&shape, ir->context);
}

static MlirType typeLike(XlaIr *ir, MlirValue value, XlaElementType element) {
  XlaShape shape;
  xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL);
  return typeOf(ir, element, shape.rank, shape.dims);
}

static MlirValue constant(XlaIr *ir, XlaElementType element, uint64_t value) {
  MlirType type = typeOf(ir, element, 0, NULL);
  MlirType elementType = mlirShapedTypeGetElementType(type);
  MlirAttribute splat = mlirDenseElementsAttrSplatGet(
      type, mlirIntegerAttrGet(elementType, (int64_t)value));
  return xlaIrOp(ir, "xla.constant", type, 0, NULL, 1,
                 &(XlaIrAttr){"value", splat});
}

/// The wider operand comes first: its type is the result's.
static MlirValue binary(XlaIr *ir, const char *name, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, name, a, b);
}

static MlirValue plus(XlaIr *ir, MlirValue a, MlirValue b) {
  return binary(ir, "xla.add", a, b);
}

static MlirValue xor(XlaIr *ir, MlirValue a, MlirValue b) {
  return binary(ir, "xla.xor", a, b);
}

static MlirValue lowWord(XlaIr *ir, MlirValue wide) {
  return xlaIrCast(ir, "xla.convert", wide,
                   typeLike(ir, wide, XlaElementTypeU32));
}

static MlirValue highWord(XlaIr *ir, MlirValue wide) {
  return lowWord(ir, binary(ir, "xla.shift_right_logical", wide,
                            constant(ir, XlaElementTypeU64, 32)));
}

static MlirValue widen(XlaIr *ir, MlirValue word) {
  return xlaIrCast(ir, "xla.convert", word,
                   typeLike(ir, word, XlaElementTypeU64));
}

static MlirValue join(XlaIr *ir, MlirValue low, MlirValue high) {
  MlirValue shifted = binary(ir, "xla.shift_left", widen(ir, high),
                             constant(ir, XlaElementTypeU64, 32));
  return binary(ir, "xla.or", widen(ir, low), shifted);
}

static MlirValue rotate(XlaIr *ir, MlirValue word, int distance) {
  MlirValue left = binary(ir, "xla.shift_left", word,
                          constant(ir, XlaElementTypeU32, (uint64_t)distance));
  MlirValue right =
      binary(ir, "xla.shift_right_logical", word,
             constant(ir, XlaElementTypeU32, (uint64_t)(32 - distance)));
  return binary(ir, "xla.or", left, right);
}

//===----------------------------------------------------------------------===//
// Moving words
//===----------------------------------------------------------------------===//

static MlirValue reshape(XlaIr *ir, MlirValue value, int rank,
                         const int64_t *dims) {
  XlaShape shape;
  xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL);
  return xlaIrCast(ir, "xla.reshape", value,
                   typeOf(ir, shape.elementType, rank, dims));
}

/// The first `dims` of an array of the same rank.
static MlirValue sliceTo(XlaIr *ir, MlirValue value, int rank,
                         const int64_t *starts, const int64_t *limits) {
  int64_t dims[XLA_MAX_RANK + 1];
  XlaShape shape;
  xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL);
  for (int d = 0; d < rank; ++d)
    dims[d] = limits[d] - starts[d];
  XlaIrAttr attrs[] = {
      {"start_indices", mlirDenseI64ArrayGet(ir->context, rank, starts)},
      {"limit_indices", mlirDenseI64ArrayGet(ir->context, rank, limits)}};
  return xlaIrOp(ir, "xla.slice", typeOf(ir, shape.elementType, rank, dims), 1,
                 &value, 2, attrs);
}

static MlirValue element(XlaIr *ir, MlirValue vector, int64_t at) {
  int64_t limit = at + 1;
  return reshape(ir, sliceTo(ir, vector, 1, &at, &limit), 0, NULL);
}

static MlirValue concatenate(XlaIr *ir, int n, const MlirValue *parts,
                             int dimension) {
  XlaShape shape, part;
  xlaShapeFromMlir(mlirValueGetType(parts[0]), &shape, NULL);
  for (int i = 1; i < n; ++i) {
    xlaShapeFromMlir(mlirValueGetType(parts[i]), &part, NULL);
    shape.dims[dimension] += part.dims[dimension];
  }
  return xlaIrOp(
      ir, "xla.concatenate", xlaShapeToMlir(&shape, ir->context), n, parts, 1,
      &(XlaIrAttr){"dimension", xlaIrI64Attr(ir->context, dimension)});
}

/// Arrays of one shape side by side in a new dimension at `dimension`.
static MlirValue stack(XlaIr *ir, int n, const MlirValue *parts,
                       int dimension) {
  MlirValue grown[4];
  for (int i = 0; i < n; ++i) {
    XlaShape shape;
    xlaShapeFromMlir(mlirValueGetType(parts[i]), &shape, NULL);
    for (int d = shape.rank++; d > dimension; --d)
      shape.dims[d] = shape.dims[d - 1];
    shape.dims[dimension] = 1;
    grown[i] = reshape(ir, parts[i], shape.rank, shape.dims);
  }
  return concatenate(ir, n, grown, dimension);
}

/// 0, 1, 2 .. in row-major order, added to the scalar `start`.
static MlirValue countFrom(XlaIr *ir, MlirValue start, int64_t n) {
  MlirValue iota =
      xlaIrOp(ir, "xla.iota", typeOf(ir, XlaElementTypeU64, 1, &n), 0, NULL, 1,
              &(XlaIrAttr){"iota_dimension", xlaIrI64Attr(ir->context, 0)});
  return plus(ir, iota, start);
}

//===----------------------------------------------------------------------===//
// Generators
//===----------------------------------------------------------------------===//

/// An xla.rng_bit_generator in expansion: the state as scalars of 64 bits.
typedef struct Expansion {
  XlaIr ir;
  int size;
  MlirValue state[3];
  XlaShape bits; // the result
  bool wide;
  int64_t count;
} Expansion;

void xlaRngThreeFry(XlaIr *ir, const MlirValue key[2], MlirValue words[2]) {
  MlirValue keys[3] = {key[0], key[1]};
  keys[2] = xor(ir, xor(ir, keys[0], keys[1]),
                constant(ir, XlaElementTypeU32, XLA_THREE_FRY_PARITY));
  MlirValue a = plus(ir, words[0], keys[0]), b = plus(ir, words[1], keys[1]);
  for (int group = 1; group <= xlaThreeFryGroups; ++group) {
    for (int i = 0; i < 4; ++i) {
      a = plus(ir, a, b);
      b = xor(ir, a,
              rotate(ir, b, xlaThreeFryRotations[(group - 1) % 2 * 4 + i]));
    }
    a = plus(ir, a, keys[group % 3]);
    b = plus(ir, b,
             plus(ir, keys[(group + 1) % 3],
                  constant(ir, XlaElementTypeU32, (uint64_t)group)));
  }
  words[0] = a;
  words[1] = b;
}

static void philoxRound(XlaIr *ir, MlirValue words[4], const MlirValue key[2]) {
  MlirValue products[2];
  for (int i = 0; i < 2; ++i)
    products[i] = binary(ir, "xla.multiply", widen(ir, words[2 * i]),
                         constant(ir, XlaElementTypeU64, xlaPhiloxFactors[i]));
  MlirValue first =
      xor(ir, xor(ir, highWord(ir, products[1]), words[1]), key[0]);
  MlirValue third =
      xor(ir, xor(ir, highWord(ir, products[0]), words[3]), key[1]);
  words[0] = first;
  words[1] = lowWord(ir, products[1]);
  words[2] = third;
  words[3] = lowWord(ir, products[0]);
}

static void philox(Expansion *e, MlirValue words[4]) {
  XlaIr *ir = &e->ir;
  MlirValue key[2] = {lowWord(ir, e->state[0]), highWord(ir, e->state[0])};
  for (int round = 0; round < xlaPhiloxRounds; ++round) {
    philoxRound(ir, words, key);
    for (int i = 0; i < 2; ++i)
      key[i] =
          plus(ir, key[i], constant(ir, XlaElementTypeU32, xlaPhiloxWeyl[i]));
  }
}

/// `high`, one more where `low`, of which it is the upper half, ran over below
/// `start`.
static MlirValue carry(XlaIr *ir, MlirValue low, MlirValue start,
                       MlirValue high) {
  MlirValue operands[2] = {low, start};
  MlirValue over = xlaIrOp(
      ir, "xla.compare", typeLike(ir, low, XlaElementTypePred), 2, operands, 1,
      &(XlaIrAttr){"comparison_direction", xlaIrStringAttr(ir->context, "LT")});
  return plus(
      ir,
      xlaIrCast(ir, "xla.convert", over, typeLike(ir, over, XlaElementTypeU64)),
      high);
}

/// All numbers in one dimension, and the state after them.
static MlirValue generatePhilox(Expansion *e) {
  XlaIr *ir = &e->ir;
  int64_t perBlock = e->wide ? 2 : 4;
  int64_t blocks = e->count / perBlock + (e->count % perBlock != 0);
  MlirValue start = e->state[1];
  MlirValue high = e->state[e->size == 3 ? 2 : 0];
  MlirValue low = countFrom(ir, start, blocks);
  MlirValue highs = carry(ir, low, start, high);
  MlirValue words[4] = {lowWord(ir, low), highWord(ir, low), lowWord(ir, highs),
                        highWord(ir, highs)};
  philox(e, words);
  e->state[1] =
      plus(ir, start, constant(ir, XlaElementTypeU64, (uint64_t)blocks));
  if (e->size == 3)
    e->state[2] = carry(ir, e->state[1], start, high);
  if (e->wide)
    for (int i = 0; i < 2; ++i)
      words[i] = join(ir, words[2 * i], words[2 * i + 1]);
  MlirValue all = stack(ir, (int)perBlock, words, 1);
  int64_t zero = 0, total = blocks * perBlock;
  all = reshape(ir, all, 1, &total);
  return total == e->count ? all : sliceTo(ir, all, 1, &zero, &e->count);
}

/// All numbers in the result's order, and the state after them.
static MlirValue generateThreeFry(Expansion *e) {
  XlaIr *ir = &e->ir;
  XlaRngSplit split = xlaRngSplitShape(&e->bits);
  int64_t pairs = e->count;
  if (!e->wide)
    xlaShapeGetElementCount(&split.half, &pairs);
  MlirValue counter = countFrom(ir, e->state[1], pairs);
  MlirValue words[2] = {lowWord(ir, counter), highWord(ir, counter)};
  MlirValue key[2] = {lowWord(ir, e->state[0]), highWord(ir, e->state[0])};
  xlaRngThreeFry(ir, key, words);
  e->state[1] =
      plus(ir, e->state[1], constant(ir, XlaElementTypeU64, (uint64_t)pairs));
  if (e->wide)
    return join(ir, words[0], words[1]);
  if (!e->bits.rank)
    return words[0];
  // The pairs' words side by side, in three dimensions around the split one.
  int64_t half[3] = {1, split.half.dims[split.dim], 1};
  for (int d = 0; d < e->bits.rank; ++d)
    if (d != split.dim)
      half[d < split.dim ? 0 : 2] *= e->bits.dims[d];
  for (int i = 0; i < 2; ++i)
    words[i] = reshape(ir, words[i], 3, half);
  MlirValue all = stack(ir, 2, words, 2);
  int64_t zeros[3] = {0};
  half[1] *= 2;
  all = reshape(ir, all, 3, half);
  if (half[1] == e->bits.dims[split.dim])
    return all;
  half[1] = e->bits.dims[split.dim];
  return sliceTo(ir, all, 3, zeros, half);
}

/// No numbers: what is left of an array of them is its shape.
static MlirValue generateNone(Expansion *e) {
  return countFrom(&e->ir, e->state[1], 0);
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

static void readState(Expansion *e, MlirValue state) {
  XlaIr *ir = &e->ir;
  int64_t size = mlirShapedTypeGetDimSize(mlirValueGetType(state), 0);
  e->size = size == 3 ? 3 : 2;
  for (int i = 0; i < e->size; ++i)
    e->state[i] = size == 4 ? join(ir, element(ir, state, 2 * i),
                                   element(ir, state, 2 * i + 1))
                            : element(ir, state, i);
}

static MlirValue writeState(Expansion *e, bool inWords) {
  XlaIr *ir = &e->ir;
  MlirValue parts[4];
  int64_t one = 1;
  int n = inWords ? 4 : e->size;
  for (int i = 0; i < n; ++i) {
    MlirValue part = inWords ? e->state[i / 2] : e->state[i];
    if (inWords)
      part = i % 2 ? highWord(ir, part) : lowWord(ir, part);
    parts[i] = reshape(ir, part, 1, &one);
  }
  return concatenate(ir, n, parts, 0);
}

static XlaElementType unsignedOf(int bits) {
  return bits == 64   ? XlaElementTypeU64
         : bits == 16 ? XlaElementTypeU16
                      : XlaElementTypeU32;
}

/// The numbers in the result's type: its low bits, which for a float are not
/// its value.
static MlirValue asResult(Expansion *e, MlirValue numbers) {
  XlaIr *ir = &e->ir;
  MlirType type = xlaShapeToMlir(&e->bits, ir->context);
  numbers = reshape(ir, numbers, e->bits.rank, e->bits.dims);
  if (xlaElementTypeIsInteger(e->bits.elementType))
    return xlaIrCast(ir, "xla.convert", numbers, type);
  int bits = xlaElementTypeGetInfo(e->bits.elementType)->bits;
  numbers = xlaIrCast(ir, "xla.convert", numbers,
                      typeLike(ir, numbers, unsignedOf(bits)));
  return xlaIrCast(ir, "xla.bitcast_convert", numbers, type);
}

static void expand(MlirOperation op) {
  Expansion e = {.ir = xlaIrBefore(op)};
  MlirValue state = mlirOperationGetOperand(op, 0);
  xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 1)), &e.bits,
                   NULL);
  xlaShapeGetElementCount(&e.bits, &e.count);
  e.wide = xlaElementTypeGetInfo(e.bits.elementType)->bits == 64;
  readState(&e, state);
  MlirValue numbers = !e.count               ? generateNone(&e)
                      : xlaRngIsThreeFry(op) ? generateThreeFry(&e)
                                             : generatePhilox(&e);
  MlirValue results[2] = {
      writeState(&e, mlirShapedTypeGetDimSize(mlirValueGetType(state), 0) == 4),
      asResult(&e, numbers)};
  for (int i = 0; i < 2; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), results[i]);
  mlirOperationDestroy(op);
}

static bool isGenerator(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindRngBitGenerator;
}

MlirLogicalResult xlaRngExpand(MlirOperation function) {
  XlaIrOps found = xlaIrCollect(function, MlirWalkPreOrder, isGenerator);
  for (intptr_t i = 0; !found.failed && i < found.n; ++i)
    expand(found.ops[i]);
  free(found.ops);
  return found.failed ? xlaOpNoMemory(function) : success();
}

//===- range.c - What integers may be -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices mostly come of iotas, and what checks them against the bounds of an
// array is the same for all then.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/simplify/algebra/internal.h"

enum {
  mostVisits = 48,     // operations that are looked at for one range
  mostConstants = 4096 // elements of a constant that are read
};

/// What is known of a value: of pred, 0 and 1.
typedef AlgebraRange Range;

typedef struct Search {
  int visits; ///< that are left
} Search;

static bool find(Search *search, MlirValue value, Range *range);

static Range join(Range a, Range b) {
  return (Range){a.least < b.least ? a.least : b.least,
                 a.most > b.most ? a.most : b.most};
}

/// All values of a type; false if they are no integers, or not all int64_t.
static bool rangeOfType(XlaElementType type, Range *range) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  bool isSigned = info->typeClass == XlaTypeClassSigned;
  if (info->typeClass == XlaTypeClassPred) {
    *range = (Range){0, 1};
    return true;
  }
  if (!isSigned && info->typeClass != XlaTypeClassUnsigned)
    return false;
  int bits = info->bits - isSigned;
  range->most = bits < 64 ? (int64_t)(~UINT64_C(0) >> (64 - bits)) : INT64_MAX;
  range->least = isSigned ? -range->most - 1 : 0;
  return bits < 64;
}

static bool contains(Range all, Range part) {
  return all.least <= part.least && part.most <= all.most;
}

//===----------------------------------------------------------------------===//
// Where values begin
//===----------------------------------------------------------------------===//

/// Unsigned numbers beyond int64_t are unknown.
static bool asInteger(XlaElementType type, XlaScalar value, int64_t *integer) {
  bool isSigned = xlaElementTypeGetInfo(type)->typeClass == XlaTypeClassSigned;
  *integer = value.s;
  return isSigned || value.u <= INT64_MAX;
}

static bool ofConstant(MlirOperation op, MlirValue value, Range *range) {
  AlgebraSplat splat;
  if (xlaAlgebraIsSplat(value, &splat)) {
    bool known = asInteger(splat.type, splat.value, &range->least);
    range->most = range->least;
    return known;
  }
  XlaShape shape;
  int64_t count;
  MlirAttribute attr = xlaOpGetAttr(op, "value");
  if (!xlaAlgebraShape(value, &shape) ||
      !xlaShapeGetElementCount(&shape, &count) || !count ||
      count > mostConstants || !mlirAttributeIsADenseElements(attr) ||
      mlirDenseElementsAttrIsSplat(attr))
    return false;
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape.elementType);
  if (info->bits < 8)
    return false;
  const char *bytes = mlirDenseElementsAttrGetRawData(attr);
  for (int64_t i = 0; i < count; ++i) {
    int64_t one;
    if (!asInteger(shape.elementType,
                   xlaScalarLoad(shape.elementType, bytes + i * info->bytes),
                   &one))
      return false;
    *range = i ? join(*range, (Range){one, one}) : (Range){one, one};
  }
  return true;
}

static bool ofIota(MlirOperation op, MlirValue value, Range *range) {
  XlaShape shape;
  if (!xlaAlgebraShape(value, &shape))
    return false;
  int64_t n = shape.dims[xlaOpGetI64(op, "iota_dimension", 0)];
  *range = (Range){0, n ? n - 1 : 0};
  return true;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The range of all operands from the `first` on: of what moves or chooses
/// elements.
static bool ofAll(Search *search, MlirOperation op, intptr_t first,
                  intptr_t end, Range *range) {
  for (intptr_t i = first; i < end; ++i) {
    Range one;
    if (!find(search, mlirOperationGetOperand(op, i), &one))
      return false;
    *range = i > first ? join(*range, one) : one;
  }
  return end > first;
}

static bool sum(Range a, Range b, Range *range) {
  return !__builtin_add_overflow(a.least, b.least, &range->least) &&
         !__builtin_add_overflow(a.most, b.most, &range->most);
}

static bool difference(Range a, Range b, Range *range) {
  return !__builtin_sub_overflow(a.least, b.most, &range->least) &&
         !__builtin_sub_overflow(a.most, b.least, &range->most);
}

static bool product(Range a, Range b, Range *range) {
  int64_t x[2] = {a.least, a.most}, y[2] = {b.least, b.most};
  for (int i = 0; i < 4; ++i) {
    int64_t one;
    if (__builtin_mul_overflow(x[i / 2], y[i % 2], &one))
      return false;
    *range = i ? join(*range, (Range){one, one}) : (Range){one, one};
  }
  return true;
}

/// Rounded to zero; a divisor that is 0 would give all bits set.
static bool quotient(Range a, Range b, Range *range) {
  if (b.least < 1)
    return false;
  *range = (Range){a.least < 0 ? a.least / b.least : a.least / b.most,
                   a.most < 0 ? a.most / b.most : a.most / b.least};
  return true;
}

/// With the sign of the first.
static bool remainder(Range a, Range b, Range *range) {
  if (b.least < 1)
    return false;
  int64_t most = b.most - 1;
  *range = (Range){a.least >= 0      ? 0
                   : a.least > -most ? a.least
                                     : -most,
                   a.most <= 0     ? 0
                   : a.most < most ? a.most
                                   : most};
  return true;
}

/// Bits that one has not are not set.
static bool conjunction(Range a, Range b, Range *range) {
  if (a.least < 0 && b.least < 0)
    return false;
  int64_t most = a.least < 0                      ? b.most
                 : b.least < 0 || a.most < b.most ? a.most
                                                  : b.most;
  *range = (Range){0, most};
  return true;
}

static bool shifted(Range a, Range by, int bits, Range *range) {
  if (by.least < 0 || by.most >= bits || a.least < 0)
    return false;
  *range = (Range){a.least >> by.most, a.most >> by.least};
  return true;
}

/// Of two operands; false where the result may wrap.
static bool ofBinary(Search *search, MlirOperation op, XlaOpKind kind,
                     Range *range) {
  Range a, b;
  MlirValue first = mlirOperationGetOperand(op, 0);
  if (!find(search, first, &a) ||
      !find(search, mlirOperationGetOperand(op, 1), &b))
    return false;
  switch ((int)kind) {
  case XlaOpKindAdd:
    return sum(a, b, range);
  case XlaOpKindSubtract:
    return difference(a, b, range);
  case XlaOpKindMultiply:
    return product(a, b, range);
  case XlaOpKindDivide:
    return quotient(a, b, range);
  case XlaOpKindRemainder:
    return remainder(a, b, range);
  case XlaOpKindAnd:
    return conjunction(a, b, range);
  case XlaOpKindShiftRightLogical:
    return shifted(a, b, xlaElementTypeGetInfo(xlaAlgebraElements(first))->bits,
                   range);
  case XlaOpKindMaximum:
    *range = (Range){a.least > b.least ? a.least : b.least,
                     a.most > b.most ? a.most : b.most};
    return true;
  case XlaOpKindMinimum:
    *range = (Range){a.least < b.least ? a.least : b.least,
                     a.most < b.most ? a.most : b.most};
    return true;
  default:
    return false;
  }
}

/// Where the bounds cross, the upper one counts.
static bool ofClamp(Search *search, MlirOperation op, Range *range) {
  Range at[3];
  for (intptr_t i = 0; i < 3; ++i)
    if (!find(search, mlirOperationGetOperand(op, i), &at[i]))
      return false;
  Range low = {at[1].least > at[0].least ? at[1].least : at[0].least,
               at[1].most > at[0].most ? at[1].most : at[0].most};
  *range = (Range){low.least < at[2].least ? low.least : at[2].least,
                   low.most < at[2].most ? low.most : at[2].most};
  return true;
}

/// Whether a value of a region is an argument, or chosen from those.
static bool isChosen(Search *search, MlirBlock block, MlirValue value,
                     intptr_t at, intptr_t n) {
  if (mlirValueIsABlockArgument(value))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(value), block) &&
           mlirBlockArgumentGetArgNumber(value) % n == at;
  if (--search->visits < 0)
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind != XlaOpKindSelect && kind != XlaOpKindMaximum &&
      kind != XlaOpKindMinimum)
    return false;
  intptr_t first = kind == XlaOpKindSelect;
  for (intptr_t i = first; i < first + 2; ++i)
    if (!isChosen(search, block, mlirOperationGetOperand(op, i), at, n))
      return false;
  return true;
}

/// Result `at` of a reduction that gives one of what it takes: the places of
/// greatest elements.
static bool ofReduce(Search *search, MlirOperation op, intptr_t at,
                     Range *range) {
  intptr_t n = mlirOperationGetNumResults(op);
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirValue chosen = mlirOperationGetOperand(mlirBlockGetTerminator(block), at);
  Range first, start;
  if (!isChosen(search, block, chosen, at, n) ||
      !find(search, mlirOperationGetOperand(op, at), &first) ||
      !find(search, mlirOperationGetOperand(op, n + at), &start))
    return false;
  *range = join(first, start);
  return true;
}

/// Which of the most elements the places are.
static bool ofTopK(MlirOperation op, intptr_t at, Range *range) {
  XlaShape shape;
  if (at != 1 || !xlaAlgebraShape(mlirOperationGetOperand(op, 0), &shape) ||
      !shape.rank || !shape.dims[shape.rank - 1])
    return false;
  *range = (Range){0, shape.dims[shape.rank - 1] - 1};
  return true;
}

/// As far as the operation says; it may still wrap.
static bool ofOperation(Search *search, MlirValue value, Range *range) {
  MlirOperation op = mlirOpResultGetOwner(value);
  intptr_t at = mlirOpResultGetResultNumber(value);
  XlaOpKind kind = xlaOpGetKind(op);
  switch ((int)kind) {
  case XlaOpKindConstant:
    return ofConstant(op, value, range);
  case XlaOpKindIota:
    return ofIota(op, value, range);
  case XlaOpKindConvert:
  case XlaOpKindBroadcastInDim:
  case XlaOpKindReshape:
  case XlaOpKindTranspose:
  case XlaOpKindReverse:
  case XlaOpKindSlice:
  case XlaOpKindDynamicSlice:
  case XlaOpKindGather:
    return ofAll(search, op, 0, 1, range);
  case XlaOpKindPad:
  case XlaOpKindDynamicUpdateSlice:
    return ofAll(search, op, 0, 2, range);
  case XlaOpKindConcatenate:
    return ofAll(search, op, 0, mlirOperationGetNumOperands(op), range);
  case XlaOpKindSelect:
    return ofAll(search, op, 1, 3, range);
  case XlaOpKindSort:
    return ofAll(search, op, at, at + 1, range);
  case XlaOpKindClamp:
    return ofClamp(search, op, range);
  case XlaOpKindReduce:
    return ofReduce(search, op, at, range);
  case XlaOpKindTopK:
    return ofTopK(op, at, range);
  default:
    return mlirOperationGetNumOperands(op) == 2 &&
           ofBinary(search, op, kind, range);
  }
}

static bool find(Search *search, MlirValue value, Range *range) {
  Range all, found;
  bool isKnown = rangeOfType(xlaAlgebraElements(value), &all);
  if (!isKnown && !xlaElementTypeIsInteger(xlaAlgebraElements(value)))
    return false;
  if (!mlirValueIsABlockArgument(value) && --search->visits >= 0 &&
      ofOperation(search, value, &found) && contains(all, found)) {
    *range = found;
    return true;
  }
  *range = all;
  return isKnown;
}

bool xlaAlgebraRange(MlirValue value, AlgebraRange *range) {
  Search search = {mostVisits};
  return find(&search, value, range);
}

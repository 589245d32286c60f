//===- online.c - Sums that are scaled when a maximum grows ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With the maximum m of some keys, weights exp(x - m) and their sums are those
// of any other maximum times a factor (Milakov and Gimelshein, Online
// normalizer calculation for softmax). So they need not wait for that of all
// keys, if nothing else is done with them: what a value is to m is followed
// through the bodies of statements.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/attention/plan.h"

#include <string.h>

/// How a value depends on the maximum.
typedef enum Kind {
  KindOther,
  KindOwn,        ///< not at all
  KindMaximum,    ///< it is the maximum
  KindDifference, ///< what is reduced by it, less the maximum
  KindScaled,     ///< has the factor exp(-maximum)
  KindSum,        ///< the same, a sum of all elements
  KindQuotient,   ///< divided by such a sum: free of the factor
} Kind;

enum { maxSteps = 2000 }; // through a body

typedef struct Search {
  const XlaVulkanAttention *plan;
  int maximum; ///< a statement
  int divisor; ///< a buffer, or -1
  Kind kinds[XLA_ROW_BUFFERS];
  int statement; ///< whose body is looked at
  int steps;     ///< so far
} Search;

//===----------------------------------------------------------------------===//
// Equal expressions
//===----------------------------------------------------------------------===//

/// A value in the body of a statement.
typedef struct Place {
  int statement;
  MlirValue value;
} Place;

static const XlaSchedStatement *statementOf(const Search *search, Place place) {
  return &search->plan->rows.statements[place.statement].statement;
}

/// Whether dimension `d` of `a` and dimension `e` of `b` count the same.
static bool isSameDim(const Search *search, Place a, int d, Place b, int e) {
  const XlaVulkanAttention *plan = search->plan;
  if (d < 0 || e < 0)
    return d < 0 && e < 0;
  return plan->rows.statements[a.statement].unit[d] ==
             plan->rows.statements[b.statement].unit[e] &&
         plan->steps[a.statement].inner[d] ==
             plan->steps[b.statement].inner[e] &&
         statementOf(search, a)->sizes[d] == statementOf(search, b)->sizes[e];
}

static const XlaSchedAccess *accessOf(const Search *search, Place place) {
  return &statementOf(search, place)
              ->accesses[mlirBlockArgumentGetArgNumber(place.value)];
}

/// Whether both are the same element of an array.
static bool isSameAccess(const Search *search, Place a, Place b) {
  const XlaSchedAccess *x = accessOf(search, a), *y = accessOf(search, b);
  int n = statementOf(search, a)->nDims;
  if (!mlirValueEqual(x->root, y->root) || x->offset != y->offset ||
      n != statementOf(search, b)->nDims)
    return false;
  // Of an intermediate an element is that of the row and of the vector.
  if (xlaAttentionBufferOf(&search->plan->rows, x->root) >= 0)
    return true;
  for (int d = 0; d < n; ++d)
    if (x->strides[d] != y->strides[d] || !isSameDim(search, a, d, b, d))
      return false;
  return true;
}

static bool hasSameAttributes(MlirOperation a, MlirOperation b) {
  intptr_t n = mlirOperationGetNumAttributes(a);
  if (n != mlirOperationGetNumAttributes(b))
    return false;
  for (intptr_t i = 0; i < n; ++i) {
    MlirNamedAttribute x = mlirOperationGetAttribute(a, i);
    MlirNamedAttribute y = mlirOperationGetAttribute(b, i);
    if (!mlirIdentifierEqual(x.name, y.name) ||
        !mlirAttributeEqual(x.attribute, y.attribute))
      return false;
  }
  return true;
}

static bool isSame(Search *search, Place a, Place b) {
  bool isArgument = mlirValueIsABlockArgument(a.value);
  if (++search->steps > maxSteps ||
      isArgument != mlirValueIsABlockArgument(b.value))
    return false;
  if (isArgument)
    return isSameAccess(search, a, b);
  MlirOperation x = mlirOpResultGetOwner(a.value);
  MlirOperation y = mlirOpResultGetOwner(b.value);
  if (!mlirIdentifierEqual(mlirOperationGetName(x), mlirOperationGetName(y)) ||
      mlirOperationGetNumOperands(x) != mlirOperationGetNumOperands(y) ||
      !mlirTypeEqual(mlirValueGetType(a.value), mlirValueGetType(b.value)))
    return false;
  if (xlaIrIsOp(x, "linalg.index"))
    return isSameDim(search, a, xlaSchedIndexDim(statementOf(search, a), x), b,
                     xlaSchedIndexDim(statementOf(search, b), y));
  if (!hasSameAttributes(x, y))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(x); ++i)
    if (!isSame(search, (Place){a.statement, mlirOperationGetOperand(x, i)},
                (Place){b.statement, mlirOperationGetOperand(y, i)}))
      return false;
  return true;
}

/// Whether `value` is what the maximum is of.
static bool isReduced(Search *search, MlirValue value) {
  MlirValue reduced =
      xlaVulkanAttentionReduced(&search->plan->steps[search->maximum]);
  return isSame(search, (Place){search->statement, value},
                (Place){search->maximum, reduced});
}

//===----------------------------------------------------------------------===//
// Kinds of values
//===----------------------------------------------------------------------===//

static Kind kindOf(Search *search, MlirValue value);

static Kind kindOfOperand(Search *search, MlirOperation op, intptr_t i) {
  return kindOf(search, mlirOperationGetOperand(op, i));
}

static Kind kindOfArgument(const Search *search, MlirValue value) {
  Place place = {search->statement, value};
  int buffer =
      xlaAttentionBufferOf(&search->plan->rows, accessOf(search, place)->root);
  return buffer < 0 ? KindOwn : search->kinds[buffer];
}

static bool areOwn(Search *search, MlirOperation op, intptr_t first) {
  for (intptr_t i = first; i < mlirOperationGetNumOperands(op); ++i)
    if (kindOfOperand(search, op, i) != KindOwn)
      return false;
  return true;
}

static bool isZero(MlirValue value) {
  if (!mlirValueIsAOpResult(value) ||
      !xlaIrIsOp(mlirOpResultGetOwner(value), "arith.constant"))
    return false;
  MlirAttribute attribute = mlirOperationGetAttributeByName(
      mlirOpResultGetOwner(value), mlirStringRefCreateFromCString("value"));
  return mlirAttributeIsAFloat(attribute) &&
         mlirFloatAttrGetValueDouble(attribute) == 0;
}

/// Of a quotient: by what does not depend, or by the sum.
static Kind kindOfQuotient(Search *search, MlirOperation op) {
  Kind by = kindOfOperand(search, op, 1);
  if (kindOfOperand(search, op, 0) != KindScaled)
    return KindOther;
  if (by != KindSum)
    return by == KindOwn ? KindScaled : KindOther;
  MlirValue sum = mlirOperationGetOperand(op, 1);
  while (mlirValueIsAOpResult(sum)) // conversions
    sum = mlirOperationGetOperand(mlirOpResultGetOwner(sum), 0);
  Place place = {search->statement, sum};
  int buffer =
      xlaAttentionBufferOf(&search->plan->rows, accessOf(search, place)->root);
  if (search->divisor >= 0 && search->divisor != buffer)
    return KindOther;
  search->divisor = buffer;
  return KindQuotient;
}

/// Of a selection between elements that have the factor, and zeros.
static Kind kindOfSelection(Search *search, MlirOperation op) {
  bool isScaled = false;
  if (kindOfOperand(search, op, 0) != KindOwn)
    return KindOther;
  for (intptr_t i = 1; i < 3; ++i) {
    bool has = kindOfOperand(search, op, i) == KindScaled;
    isScaled |= has;
    if (!has && !isZero(mlirOperationGetOperand(op, i)))
      return KindOther;
  }
  return isScaled ? KindScaled : KindOther;
}

static Kind kindOfOperation(Search *search, MlirOperation op) {
  if (areOwn(search, op, 0))
    return KindOwn;
  if (xlaIrIsOp(op, "arith.subf"))
    return kindOfOperand(search, op, 1) == KindMaximum &&
                   isReduced(search, mlirOperationGetOperand(op, 0))
               ? KindDifference
               : KindOther;
  if (xlaIrIsOp(op, "math.exp"))
    return kindOfOperand(search, op, 0) == KindDifference ? KindScaled
                                                          : KindOther;
  if (xlaIrIsOp(op, "arith.extf"))
    return kindOfOperand(search, op, 0);
  if (xlaIrIsOp(op, "arith.truncf")) { // of differences it depends on these
    Kind kind = kindOfOperand(search, op, 0);
    return kind == KindScaled || kind == KindQuotient ? kind : KindOther;
  }
  if (xlaIrIsOp(op, "arith.mulf")) {
    Kind a = kindOfOperand(search, op, 0), b = kindOfOperand(search, op, 1);
    return (a == KindScaled && b == KindOwn) ||
                   (a == KindOwn && b == KindScaled)
               ? KindScaled
               : KindOther;
  }
  if (xlaIrIsOp(op, "arith.divf"))
    return kindOfQuotient(search, op);
  return xlaIrIsOp(op, "arith.select") ? kindOfSelection(search, op)
                                       : KindOther;
}

static Kind kindOf(Search *search, MlirValue value) {
  if (++search->steps > maxSteps)
    return KindOther;
  return mlirValueIsABlockArgument(value)
             ? kindOfArgument(search, value)
             : kindOfOperation(search, mlirOpResultGetOwner(value));
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

static bool isAdded(const XlaVulkanRowStep *step) {
  return !strcmp(step->reducer.combiner, "arith.addf") && isZero(step->begin);
}

static Kind kindOfStatement(Search *search, int i) {
  const XlaVulkanRowStep *step = &search->plan->steps[i];
  const XlaSchedStatement *statement =
      &search->plan->rows.statements[i].statement;
  search->statement = i;
  search->steps = 0;
  if (i == search->maximum)
    return KindMaximum;
  if (step->kind != XlaVulkanRowReduction)
    return kindOf(search, mlirOperationGetOperand(
                              mlirBlockGetTerminator(statement->body), 0));
  Kind kind = kindOf(search, xlaVulkanAttentionReduced(step));
  return kind == KindScaled && isAdded(step) ? KindSum : KindOther;
}

/// Whether all that is between the products is known for every part of the keys
/// when the maximum of these is.
static bool canScale(Search *search) {
  const XlaVulkanAttention *plan = search->plan;
  for (int b = 0; b < plan->rows.nBuffers; ++b)
    search->kinds[b] = KindOwn;
  for (int i = 0; i < plan->rows.nStatements; ++i) {
    const XlaVulkanRowStep *step = &plan->steps[i];
    if (plan->rows.statements[i].phase != 1 || step->output < 0 ||
        step->kind == XlaVulkanRowFill)
      continue;
    search->kinds[step->output] = kindOfStatement(search, i);
    // A reduction that waits for another one can only be a sum with the factor.
    if (step->kind == XlaVulkanRowReduction && step->pass > 0 &&
        search->kinds[step->output] != KindSum)
      return false;
  }
  Kind weights = search->kinds[plan->rows.weights];
  return weights == KindScaled || weights == KindQuotient;
}

static bool isMaximum(const XlaVulkanRowStep *step) {
  return step->kind == XlaVulkanRowReduction && step->pass == 0 &&
         !strcmp(step->reducer.combiner, "arith.maximumf") &&
         mlirFloatTypeGetWidth(step->reducer.carried) >= 32;
}

void xlaVulkanAttentionScale(XlaVulkanAttention *plan) {
  for (int i = 0; plan->nPasses > 1 && i < plan->rows.nStatements; ++i) {
    Search search = {.plan = plan, .maximum = i, .divisor = -1};
    if (!isMaximum(&plan->steps[i]) || !canScale(&search))
      continue;
    plan->maximum = i;
    plan->divisor =
        search.kinds[plan->rows.weights] == KindQuotient ? search.divisor : -1;
    plan->nPasses = 1;
    for (int k = 0; k < plan->rows.nStatements; ++k) {
      XlaVulkanRowStep *step = &plan->steps[k];
      step->isScaled =
          step->output >= 0 && search.kinds[step->output] == KindSum;
      step->pass = 0;
    }
  }
}

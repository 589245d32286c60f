//===- match.c - Applying rules of text -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/simplify/algebra/internal.h"

#include "xlac/dialect/interpret/scalar/op.h"

#include <stdio.h>
#include <string.h>

static const char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};

static const AlgebraTerm *termAt(const AlgebraMatch *match, int term) {
  return &match->algebra->terms[term];
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Bit i of `swaps`: the operands of commuting operation i are exchanged.
typedef struct Matcher {
  AlgebraMatch *match;
  unsigned swaps;
} Matcher;

static bool matchTerm(const Matcher *matcher, int number, MlirValue value);

static bool bindConstant(AlgebraBinding *binding, MlirValue value) {
  AlgebraSplat splat;
  if (!xlaAlgebraIsSplat(value, &splat))
    return false;
  if (binding->isBound)
    return binding->splat.type == splat.type &&
           xlaAlgebraSame(splat.type, binding->splat.value, splat.value);
  *binding = (AlgebraBinding){true, true, value, splat};
  return true;
}

/// Arrays of the root's dimensions, so that one can take another's place.
static bool bindValue(const AlgebraMatch *match, AlgebraBinding *binding,
                      MlirValue value) {
  XlaShape shape;
  if (binding->isBound)
    return mlirValueEqual(binding->value, value);
  if (!xlaAlgebraShape(value, &shape) ||
      !xlaShapeDimsEqual(&shape, &match->shape))
    return false;
  *binding = (AlgebraBinding){.isBound = true, .value = value};
  return true;
}

static bool matchNumber(AlgebraNumber number, MlirValue value) {
  AlgebraSplat splat;
  XlaScalar wanted;
  return xlaAlgebraIsSplat(value, &splat) &&
         xlaAlgebraNumber(number, splat.type, &wanted) &&
         xlaAlgebraSame(splat.type, splat.value, wanted);
}

static bool matchOp(const Matcher *matcher, const AlgebraTerm *term,
                    MlirOperation op) {
  if (term->op == XlaOpKindCompare &&
      (!xlaOpAttrIs(op, "comparison_direction", directions[term->comparison]) ||
       xlaOpAttrIs(op, "compare_type", "TOTALORDER") != term->totalOrder))
    return false;
  bool swap = term->commutes && matcher->swaps >> term->swap & 1;
  for (int i = 0; i < term->nOperands; ++i)
    if (!matchTerm(matcher, term->operands[i],
                   mlirOperationGetOperand(op, swap ? 1 - i : i)))
      return false;
  return true;
}

static bool matchTerm(const Matcher *matcher, int number, MlirValue value) {
  AlgebraMatch *match = matcher->match;
  const AlgebraTerm *term = termAt(match, number);
  switch (term->kind) {
  case AlgebraTermValue:
    return bindValue(match, &match->letters[term->letter - 'a'], value);
  case AlgebraTermConstant:
    return bindConstant(&match->letters[term->letter - 'a'], value);
  case AlgebraTermNumber:
    return matchNumber(term->number, value);
  case AlgebraTermOp:
    break;
  }
  MlirOperation op = xlaAlgebraDefinedBy(value, term->op);
  XlaShape shape;
  return !mlirOperationIsNull(op) && xlaAlgebraShape(value, &shape) &&
         xlaShapeDimsEqual(&shape, &match->shape) && matchOp(matcher, term, op);
}

static bool conditionsHold(const AlgebraMatch *match, const AlgebraTree *tree) {
  for (int i = 0; i < tree->nConditions; ++i)
    if (!tree->conditions[i].holds(match, tree->conditions[i].letter))
      return false;
  return true;
}

bool xlaAlgebraMatches(AlgebraMatch *match, XlaAlgebraRule rule) {
  const AlgebraTree *tree = &match->algebra->trees[rule];
  for (unsigned swaps = 0; swaps < 1u << tree->nCommuting; ++swaps) {
    Matcher matcher = {match, swaps};
    memset(match->letters, 0, sizeof match->letters);
    if (matchOp(&matcher, termAt(match, tree->pattern), match->root) &&
        conditionsHold(match, tree))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Replacing
//===----------------------------------------------------------------------===//

/// A value, or an element to be repeated.
typedef struct Made {
  MlirValue value;
  AlgebraSplat splat; ///< if `value` is null
} Made;

typedef struct Maker {
  const AlgebraMatch *match;
  XlaIr *ir;
} Maker;

static bool makeTerm(const Maker *maker, int number, XlaElementType expected,
                     Made *made);

static MlirValue materialize(const Maker *maker, const Made *made) {
  return mlirValueIsNull(made->value)
             ? xlaAlgebraRepeat(maker->ir, &maker->match->shape, &made->splat)
             : made->value;
}

static XlaElementType typeOf(const Made *made) {
  XlaShape shape;
  if (mlirValueIsNull(made->value))
    return made->splat.type;
  xlaShapeFromMlir(mlirValueGetType(made->value), &shape, NULL);
  return shape.elementType;
}

/// Numbers have the type of another operand, or what is expected.
static bool makeOperands(const Maker *maker, const AlgebraTerm *term,
                         XlaElementType expected, Made *operands) {
  bool isKnown = false;
  for (int numbers = 0; numbers < 2; ++numbers)
    for (int i = 0; i < term->nOperands; ++i) {
      const AlgebraTerm *operand = termAt(maker->match, term->operands[i]);
      if ((operand->kind == AlgebraTermNumber) != (numbers == 1))
        continue;
      if (!makeTerm(maker, term->operands[i], expected, &operands[i]))
        return false;
      if (!isKnown && term->op != XlaOpKindSelect)
        expected = typeOf(&operands[i]);
      isKnown = true;
    }
  return true;
}

static bool buildOp(const Maker *maker, const AlgebraTerm *term,
                    const Made *operands, XlaElementType result, Made *made) {
  MlirValue values[3];
  char name[48];
  for (int i = 0; i < term->nOperands; ++i) {
    values[i] = materialize(maker, &operands[i]);
    if (mlirValueIsNull(values[i]))
      return false;
  }
  XlaShape shape = maker->match->shape;
  shape.elementType = result;
  snprintf(name, sizeof name, "xla.%s", xlaOpGetInfo(term->op)->name);
  XlaIrAttr direction = {
      "comparison_direction",
      xlaIrStringAttr(maker->ir->context, directions[term->comparison])};
  made->value =
      xlaIrOp(maker->ir, name, xlaShapeToMlir(&shape, maker->ir->context),
              term->nOperands, values, term->op == XlaOpKindCompare ? 1 : 0,
              &direction);
  return true;
}

static void computeOp(const AlgebraTerm *term, const Made *operands,
                      XlaElementType result, Made *made) {
  XlaScalar x[3];
  for (int i = 0; i < term->nOperands; ++i)
    x[i] = operands[i].splat.value;
  XlaScalarOp op = xlaScalarOpMake(term->op, operands[0].splat.type, result);
  op.comparison = term->comparison;
  made->splat =
      (AlgebraSplat){result, xlaScalarRound(result, xlaScalarOpApply(&op, x))};
}

/// Operations have the type that is expected, but for comparisons.
static bool makeOp(const Maker *maker, const AlgebraTerm *term,
                   XlaElementType expected, Made *made) {
  Made operands[3] = {0};
  if (!makeOperands(maker, term, expected, operands))
    return false;
  XlaElementType result =
      term->op == XlaOpKindCompare ? XlaElementTypePred : expected;
  for (int i = 0; i < term->nOperands; ++i)
    if (!mlirValueIsNull(operands[i].value))
      return buildOp(maker, term, operands, result, made);
  computeOp(term, operands, result, made);
  return true;
}

static bool makeTerm(const Maker *maker, int number, XlaElementType expected,
                     Made *made) {
  const AlgebraTerm *term = termAt(maker->match, number);
  if (term->kind == AlgebraTermOp)
    return makeOp(maker, term, expected, made);
  if (term->kind == AlgebraTermNumber) {
    made->splat.type = expected;
    return xlaAlgebraNumber(term->number, expected, &made->splat.value);
  }
  const AlgebraBinding *binding = &maker->match->letters[term->letter - 'a'];
  if (binding->isSplat)
    made->splat = binding->splat;
  else
    made->value = binding->value;
  return true;
}

MlirValue xlaAlgebraReplace(const AlgebraMatch *match, XlaAlgebraRule rule,
                            XlaIr *ir) {
  Maker maker = {match, ir};
  Made made = {0};
  MlirValue none = {NULL};
  if (!makeTerm(&maker, match->algebra->trees[rule].replacement,
                match->shape.elementType, &made) ||
      typeOf(&made) != match->shape.elementType)
    return none;
  return materialize(&maker, &made);
}

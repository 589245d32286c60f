//===- parse_expr.c - Expressions of indexing maps from text --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/parse.h"

#include <ctype.h>
#include <string.h>

enum {
  maxNesting = 200, // of parentheses
  maxOperations = 10000,
};

XlaMapName *xlaMapParserFindName(XlaMapParser *p, const char *text,
                                 size_t length) {
  for (int i = 0; i < p->nNames; ++i)
    if (!p->names[i].extremum && p->names[i].length == length &&
        !memcmp(p->names[i].text, text, length))
      return &p->names[i];
  return NULL;
}

static bool countOperation(XlaMapParser *p) {
  return ++p->nOperations <= maxOperations ||
         xlaMapParserFail(p, "more than %d operations", maxOperations);
}

/// The min or max that `expr` is, or NULL.
static const XlaMapName *extremumOf(const XlaMapParser *p,
                                    MlirAffineExpr expr) {
  for (int i = p->nDims; i < p->nNames; ++i)
    if (p->names[i].extremum && p->names[i].expr.ptr == expr.ptr)
      return &p->names[i];
  return NULL;
}

/// Puts what a min or max among the operands is taken of in its place: of the
/// same kind beside them, of the other one behind a single one.
static bool joinOperands(XlaMapParser *p, XlaMapName *name) {
  const bool isMin = name->extremum == XlaExtremumMin;
  const XlaExtremum nested = isMin ? XlaExtremumMinOfMax : XlaExtremumMaxOfMin;
  MlirAffineExpr own[XLA_MAX_EXTREMUM_OPERANDS];
  const XlaMapName *other = NULL;
  int n = 0;
  bool fits = true, isDeep = false;
  for (int i = 0; i < name->nOperands; ++i) {
    const XlaMapName *inner = extremumOf(p, name->operands[i]);
    int more = !inner                              ? 1
               : inner->extremum == name->extremum ? inner->nOperands
                                                   : 0;
    isDeep |= inner && !more && (other || inner->extremum > XlaExtremumMax);
    other = inner && !more ? inner : other;
    fits &= n + more <= XLA_MAX_EXTREMUM_OPERANDS;
    for (int k = 0; k < more && fits; ++k)
      own[n++] = inner ? inner->operands[k] : name->operands[i];
  }
  if (other && fits) {
    isDeep |= n != 1;
    fits = n + other->nOperands <= XLA_MAX_EXTREMUM_OPERANDS;
    for (int k = 0; k < other->nOperands && fits; ++k)
      own[n++] = other->operands[k];
    name->extremum = nested;
  }
  if (isDeep)
    return xlaMapParserFail(
        p, "min and max nest only as min(.., max(..)) and max(.., "
           "min(..))");
  if (!fits)
    return xlaMapParserFail(p, "more than %d operands",
                            XLA_MAX_EXTREMUM_OPERANDS);
  memcpy(name->operands, own, (size_t)n * sizeof *own);
  name->nOperands = n;
  return true;
}

/// Operands have no min and max, as parts of them, and no runtime variables.
static bool checkOperand(XlaMapParser *p, MlirAffineExpr operand) {
  bool used[xlaMapMaxVariables] = {false};
  if (extremumOf(p, operand))
    return true;
  xlaExprMarkUsed(operand, NULL, used);
  for (int i = 0; i < p->nSymbols; ++i)
    if (used[i] && p->names[p->nDims + i].isRuntime)
      return xlaMapParserFail(
          p, "operands of min and max must not depend on runtime "
             "variables, or on others by arithmetic");
  return true;
}

/// The same min or max, as there is one variable for it, or a new one.
static bool introduce(XlaMapParser *p, XlaMapName *name, MlirAffineExpr *expr) {
  for (int i = p->nDims; i < p->nNames; ++i) {
    const XlaMapName *known = &p->names[i];
    if (known->extremum == name->extremum &&
        known->nOperands == name->nOperands &&
        !memcmp(known->operands, name->operands,
                (size_t)name->nOperands * sizeof *name->operands)) {
      *expr = known->expr;
      return true;
    }
  }
  if (p->nNames == xlaMapMaxVariables)
    return xlaMapParserFail(p, "more than %d variables", xlaMapMaxVariables);
  name->isRuntime = true;
  *expr = name->expr = mlirAffineSymbolExprGet(p->context, p->nSymbols++);
  p->names[p->nNames++] = *name;
  return true;
}

/// What follows `min(` and `max(`.
static bool parseExtremum(XlaMapParser *p, bool isMin, MlirAffineExpr *expr) {
  XlaMapName name = {.text = "",
                     .extremum = isMin ? XlaExtremumMin : XlaExtremumMax};
  do {
    if (name.nOperands == XLA_MAX_EXTREMUM_OPERANDS)
      return xlaMapParserFail(p, "more than %d operands",
                              XLA_MAX_EXTREMUM_OPERANDS);
    MlirAffineExpr *operand = &name.operands[name.nOperands++];
    if (!countOperation(p) || !xlaMapParserSum(p, operand) ||
        !checkOperand(p, *operand))
      return false;
  } while (xlaMapParserTake(p, ","));
  if (!xlaMapParserExpect(p, ")") || !joinOperands(p, &name))
    return false;
  if (name.nOperands > 1)
    return introduce(p, &name, expr);
  *expr = name.operands[0];
  return true;
}

static bool parseFactor(XlaMapParser *p, MlirAffineExpr *expr) {
  const char *text;
  size_t length;
  int64_t value;
  bool isNegative = xlaMapParserTake(p, "-");
  xlaMapParserSkipSpace(p);
  if (p->at < p->end && isdigit((unsigned char)*p->at)) {
    if (!xlaMapParserDigits(p, isNegative, &value))
      return false;
    *expr = mlirAffineConstantExprGet(p->context, value);
    return true;
  }
  if (++p->nesting > maxNesting)
    return xlaMapParserFail(
        p, "more than %d parentheses and signs in each other", maxNesting);
  if (xlaMapParserTake(p, "-")) {
    --p->at;
    if (!parseFactor(p, expr))
      return false;
  } else if (xlaMapParserTake(p, "(")) {
    if (!xlaMapParserSum(p, expr) || !xlaMapParserExpect(p, ")"))
      return false;
  } else {
    if (!xlaMapParserWord(p, &text, &length))
      return false;
    const XlaMapName *name = xlaMapParserFindName(p, text, length);
    bool isMin = length == 3 && !memcmp(text, "min", 3);
    bool isMax = length == 3 && !memcmp(text, "max", 3);
    bool isExtremum = !name && (isMin || isMax) && xlaMapParserTake(p, "(");
    if (isExtremum && !parseExtremum(p, isMin, expr))
      return false;
    p->at = name || isExtremum ? p->at : text;
    if (!name && !isExtremum)
      return xlaMapParserFail(p, "there is no variable '%.*s'",
                              (int)(length < 64 ? length : 64), text);
    if (name)
      *expr = name->expr;
  }
  --p->nesting;
  if (isNegative)
    *expr =
        mlirAffineMulExprGet(*expr, mlirAffineConstantExprGet(p->context, -1));
  return true;
}

/// Divisors that are constants must not be 0, moduli be positive.
static bool checkDivisor(XlaMapParser *p, MlirAffineExpr divisor, bool isMod) {
  int64_t value;
  if (!mlirAffineExprIsSymbolicOrConstant(divisor))
    return xlaMapParserFail(p, "a divisor must not have dimensions");
  if (!xlaExprIsConstant(divisor, &value))
    return true;
  if (value == 0)
    return xlaMapParserFail(p, "division by 0");
  return value > 0 || !isMod ||
         xlaMapParserFail(p, "a modulus must be positive");
}

/// MLIR multiplies constants without a look at what does not fit.
static bool checkProduct(XlaMapParser *p, MlirAffineExpr lhs,
                         MlirAffineExpr rhs) {
  XlaRules rules = {.context = p->context};
  XlaLinear sum = {0};
  int64_t factor = 1;
  if (!xlaExprIsConstant(rhs, &factor) && xlaExprIsConstant(lhs, &factor))
    lhs = rhs;
  xlaLinearAddExpr(&rules, &sum, lhs, factor);
  xlaRulesFree(&rules);
  return !rules.failed ||
         xlaMapParserFail(p, "a product does not fit into 64 bits");
}

static bool parseProduct(XlaMapParser *p, MlirAffineExpr *expr) {
  if (!parseFactor(p, expr))
    return false;
  for (;;) {
    MlirAffineExpr rhs;
    static const char *const ops[] = {"*", "floordiv", "ceildiv", "mod"};
    int op = 0;
    while (op < 4 && !xlaMapParserTake(p, ops[op]))
      ++op;
    if (op == 4)
      return true;
    if (!countOperation(p) || !parseFactor(p, &rhs))
      return false;
    if (op == 0 && !mlirAffineExprIsSymbolicOrConstant(*expr) &&
        !mlirAffineExprIsSymbolicOrConstant(rhs))
      return xlaMapParserFail(
          p, "a product must not have dimensions on both sides");
    if (op > 0 && !checkDivisor(p, rhs, op == 3))
      return false;
    if (op == 0 && !checkProduct(p, *expr, rhs))
      return false;
    *expr = op == 0   ? mlirAffineMulExprGet(*expr, rhs)
            : op == 1 ? mlirAffineFloorDivExprGet(*expr, rhs)
            : op == 2 ? mlirAffineCeilDivExprGet(*expr, rhs)
                      : mlirAffineModExprGet(*expr, rhs);
  }
}

bool xlaMapParserSum(XlaMapParser *p, MlirAffineExpr *expr) {
  if (!parseProduct(p, expr))
    return false;
  for (;;) {
    MlirAffineExpr rhs;
    xlaMapParserSkipSpace(p);
    // "->" is none of ours.
    bool minus = p->at < p->end && *p->at == '-' &&
                 !(p->at + 1 < p->end && p->at[1] == '>');
    if (minus)
      ++p->at;
    else if (!xlaMapParserTake(p, "+"))
      return true;
    if (!countOperation(p) || !parseProduct(p, &rhs))
      return false;
    if (minus)
      rhs =
          mlirAffineMulExprGet(rhs, mlirAffineConstantExprGet(p->context, -1));
    *expr = mlirAffineAddExprGet(*expr, rhs);
  }
}

/// ( expr, .. )
bool xlaMapParserResults(XlaMapParser *p, MlirAffineExpr *results, int *n) {
  *n = 0;
  if (!xlaMapParserExpect(p, "("))
    return false;
  if (xlaMapParserTake(p, ")"))
    return true;
  do {
    if (*n == xlaMapMaxResults)
      return xlaMapParserFail(p, "more than %d results", xlaMapMaxResults);
    if (!xlaMapParserSum(p, &results[(*n)++]))
      return false;
  } while (xlaMapParserTake(p, ","));
  return xlaMapParserExpect(p, ")");
}

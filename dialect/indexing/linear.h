//===- linear.h - Expressions as sums of multiples ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to dialect/indexing. The form in which expressions are simplified: a
// constant and terms factor * monomial, where a monomial is a variable, a
// quotient, a remainder, or a product of monomials. Monomials are MLIR's
// expressions, which are equal where their addresses are.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_LINEAR_H
#define XLAC_DIALECT_INDEXING_LINEAR_H

#include "xlac/dialect/indexing/interval.h"
#include "xlac/dialect/pointer_map.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XlaTerm {
  MlirAffineExpr monomial;
  int64_t factor; ///< not 0
} XlaTerm;

/// The sum of a constant and terms with different monomials. Its memory belongs
/// to the rules that it was made with.
typedef struct XlaLinear {
  int64_t constant;
  int n, capacity;
  XlaTerm *terms;
} XlaLinear;

typedef struct XlaLinearBlock XlaLinearBlock;

/// `sum` lies in `bounds`.
typedef struct XlaBoundedSum {
  XlaLinear sum; ///< without a constant
  XlaInterval bounds;
} XlaBoundedSum;

/// More that is known of sums is not looked at.
#define XLA_MAX_BOUNDED_SUMS 16

/// What simplification knows, and its memory. Zero-initialise, fill in the
/// first part, and free with xlaRulesFree.
typedef struct XlaRules {
  MlirContext context;
  const XlaInterval *dims, *symbols; ///< not empty
  bool keepPoints;                   ///< variables of one value stay variables

  bool failed; ///< arithmetic overflowed, or there was no memory
  int depth;
  bool isJoining; ///< terms of a sum; those of others are left
  int nBounded;
  XlaBoundedSum bounded[XLA_MAX_BOUNDED_SUMS];
  XlaLinearBlock *blocks;
  XlaPointerMap simplified; ///< from expressions to expressions
  XlaPointerMap ranges; ///< from monomials to positions in `intervals`, from 1
  XlaInterval *intervals;
  intptr_t nIntervals, intervalCapacity;
} XlaRules;

void xlaRulesFree(XlaRules *rules);

/// `expr`, of the variables that the rules are of, lies in `bounds`: known from
/// now on, before anything else is asked, if there is room.
void xlaRulesBound(XlaRules *rules, MlirAffineExpr expr, XlaInterval bounds);

/// The forms of expressions.
typedef enum XlaExprKind {
  XlaExprKindDim,
  XlaExprKindSymbol,
  XlaExprKindFloorDiv,
  XlaExprKindMod,
  XlaExprKindMul,
  XlaExprKindCeilDiv,
  XlaExprKindAdd,
  XlaExprKindConstant,
} XlaExprKind;

XlaExprKind xlaExprGetKind(MlirAffineExpr expr);
bool xlaExprIsConstant(MlirAffineExpr expr, int64_t *value);
/// Whether it is `kind` by a positive constant: `*lhs` and `*divisor`.
bool xlaExprIsBy(MlirAffineExpr expr, XlaExprKind kind, MlirAffineExpr *lhs,
                 int64_t *divisor);

/// A total order that depends on nothing but the forms: -1, 0 or 1.
int xlaExprCompare(MlirAffineExpr a, MlirAffineExpr b);
/// Sets the entries of the dimensions and of the symbols that `expr` reads;
/// either array may be NULL.
void xlaExprMarkUsed(MlirAffineExpr expr, bool *dims, bool *symbols);

/// The value where the variables have these. False where arithmetic overflows
/// or divides by 0 (map.c).
bool xlaExprEvaluate(MlirAffineExpr expr, const int64_t *dims,
                     const int64_t *symbols, int64_t *value);

/// a + b, a + b, a * b, a floordiv b, a mod b.
MlirAffineExpr xlaExprAdd(MlirAffineExpr a, MlirAffineExpr b);
MlirAffineExpr xlaExprShift(MlirAffineExpr a, int64_t b);
MlirAffineExpr xlaExprScale(MlirAffineExpr a, int64_t b);
MlirAffineExpr xlaExprOver(MlirAffineExpr a, int64_t b);
MlirAffineExpr xlaExprModulo(MlirAffineExpr a, int64_t b);
/// `expr` with expressions in place of its dimensions and symbols, by number;
/// NULL leaves them.
MlirAffineExpr xlaExprReplace(MlirAffineExpr expr, const MlirAffineExpr *dims,
                              const MlirAffineExpr *symbols);
/// The same for the results of a map; null if there is no memory.
MlirAffineMap xlaAffineMapReplace(MlirAffineMap map, const MlirAffineExpr *dims,
                                  const MlirAffineExpr *symbols, intptr_t nDims,
                                  intptr_t nSymbols);

/// Sets `rules->failed` on overflow and without memory, as all that follow.
void xlaLinearAddConstant(XlaRules *rules, XlaLinear *sum, int64_t value);
void xlaLinearAddTerm(XlaRules *rules, XlaLinear *sum, MlirAffineExpr monomial,
                      int64_t factor);
/// sum += factor * other.
void xlaLinearAdd(XlaRules *rules, XlaLinear *sum, const XlaLinear *other,
                  int64_t factor);
/// sum += factor * expr, whose monomials are taken as they are.
void xlaLinearAddExpr(XlaRules *rules, XlaLinear *sum, MlirAffineExpr expr,
                      int64_t factor);
/// The factor of `monomial`, or 0.
int64_t xlaLinearGet(const XlaLinear *sum, MlirAffineExpr monomial);

/// The expression, with its terms in canonical order: those with dimensions
/// first, then by form and variables; the constant last.
MlirAffineExpr xlaLinearToExpr(XlaRules *rules, const XlaLinear *sum);

/// The position of the term that comes first in that order; 0 without terms.
int xlaLinearFirst(const XlaLinear *sum);

/// Where the values lie, by the bounds of variables and of sums.
XlaInterval xlaLinearRange(XlaRules *rules, const XlaLinear *sum);
XlaInterval xlaExprRange(XlaRules *rules, MlirAffineExpr expr);
/// The same, without what is known of sums of several of its terms.
XlaInterval xlaLinearTermsRange(XlaRules *rules, const XlaLinear *sum);

/// result += sum floordiv divisor, result += sum mod divisor, simplified; the
/// divisor is positive (simplify_expr.c).
void xlaLinearFloorDiv(XlaRules *rules, const XlaLinear *sum, int64_t divisor,
                       XlaLinear *result);
void xlaLinearMod(XlaRules *rules, const XlaLinear *sum, int64_t divisor,
                  XlaLinear *result);
/// Joins terms that are parts of one (simplify_sum.c); if `modulus` is not 0
/// the sum may become another one by its multiples. False if there are none.
bool xlaLinearJoin(XlaRules *rules, XlaLinear *sum, int64_t modulus);

/// `expr` simplified by all rules (simplify_expr.c); `expr` itself if they
/// fail.
MlirAffineExpr xlaRulesSimplify(XlaRules *rules, MlirAffineExpr expr);
/// The same as a sum; false if it failed.
bool xlaRulesSimplifyToSum(XlaRules *rules, MlirAffineExpr expr,
                           XlaLinear *sum);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_LINEAR_H

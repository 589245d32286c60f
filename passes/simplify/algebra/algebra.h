//===- algebra.h - Algebraic rules --------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules are rows of algebra.def. They are exact: what replaces an operation has
// the same bits for all inputs, infinities, signs of zero, subnormal numbers
// and integers that wrap included. Only NaN is one value to them: which of its
// bit patterns an arithmetic operation gives is left open.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_SIMPLIFY_ALGEBRA_ALGEBRA_H
#define XLAC_PASSES_SIMPLIFY_ALGEBRA_ALGEBRA_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The rows of algebra.def.
typedef enum XlaAlgebraRule {
#define XLA_RULE(name, ...) XlaAlgebraRule_##name,
#define XLA_RULE_C(name, ...) XlaAlgebraRule_##name,
#include "xlac/passes/simplify/algebra/algebra.def"
  XlaAlgebraRuleCount
} XlaAlgebraRule;

/// A row, as it is written there.
typedef struct XlaAlgebraRow {
  const char *name; ///< "add_zero"
  const char *text; ///< "add(x, 0) = x"
  unsigned classes; ///< of XlaTypeClass: what operands may be
  const char *why;  ///< it is exact, or is not for other classes
  /// NULL, or what a function rewrites: names, "*" for all that is elementwise.
  /// `text` is for readers then.
  const char *operations;
} XlaAlgebraRow;

const XlaAlgebraRow *xlaAlgebraGetRow(XlaAlgebraRule rule);

/// Applies the rules in `function`, down into loops and branches but not into
/// the computations of reduce, sort and the like. The time is linear in the
/// number of operations. `fired`, which may be NULL, counts how often each rule
/// was applied. Operations that nothing uses any more stay where they are.
/// Fails with a diagnostic if memory runs out.
MlirLogicalResult xlaSimplifyAlgebra(MlirOperation function,
                                     int64_t fired[XlaAlgebraRuleCount]);

/// The page docs/rules.md.
void xlaAlgebraListMarkdown(MlirStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_SIMPLIFY_ALGEBRA_ALGEBRA_H

//===- internal.h - Algebraic rules as trees ----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the text of a rule says:
//
//   rule:       pattern = replacement [if condition {and condition}]
//   term:       letter | number | operation(term, ..)
//   condition:  word(letter) or word
//   operation:  the name of an elementwise operation; eq ne ge gt le lt are
//               comparisons, total_eq .. those in the total order, of patterns
//   letter:     k, m and n stand for arrays that repeat a constant, others for
//               any array; the same letter, the same value
//   number:     0 -0 1 -1 2; min and max, of floats infinities; ones, all bits
//               set; true and false
//
// An operation on constants in a replacement is computed. The replacement has
// the type of what it replaces, or the rule does not apply.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_SIMPLIFY_ALGEBRA_INTERNAL_H
#define XLAC_PASSES_SIMPLIFY_ALGEBRA_INTERNAL_H

#include "xlac/dialect/interpret/scalar/scalar.h"
#include "xlac/dialect/ir.h"
#include "xlac/passes/simplify/algebra/algebra.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum AlgebraTermKind {
  AlgebraTermValue,
  AlgebraTermConstant,
  AlgebraTermNumber,
  AlgebraTermOp,
} AlgebraTermKind;

typedef enum AlgebraNumber {
  AlgebraNumberZero,
  AlgebraNumberNegativeZero,
  AlgebraNumberOne,
  AlgebraNumberMinusOne,
  AlgebraNumberTwo,
  AlgebraNumberMin,
  AlgebraNumberMax,
  AlgebraNumberOnes,
  AlgebraNumberTrue,
  AlgebraNumberFalse,
} AlgebraNumber;

/// A node of a pattern or a replacement. Operands are numbers of terms.
typedef struct AlgebraTerm {
  AlgebraTermKind kind;
  char letter; ///< Value, Constant
  AlgebraNumber number;
  XlaOpKind op;
  bool commutes;
  int swap; ///< if it commutes: its number among those of the pattern
  XlaComparison comparison; ///< of xla.compare
  bool totalOrder;
  int nOperands;
  int operands[3];
} AlgebraTerm;

typedef struct AlgebraMatch AlgebraMatch;

/// A condition on what a letter stands for (0: on the whole).
typedef struct AlgebraCondition {
  bool (*holds)(const AlgebraMatch *match, char letter);
  char letter;
} AlgebraCondition;

enum {
  algebraMaxConditions = 3,
  algebraMaxTerms = 1536,
  algebraMaxFunctions = 8
};

/// A rule of text; `next` is that for the same operation as its root, or -1.
typedef struct AlgebraTree {
  int pattern, replacement; ///< terms
  int nCommuting;           ///< operations in the pattern whose operands swap
  int nConditions;
  AlgebraCondition conditions[algebraMaxConditions];
  int next;
} AlgebraTree;

/// All rules, by the kind of their root.
typedef struct Algebra {
  int nTerms;
  AlgebraTerm terms[algebraMaxTerms];
  AlgebraTree trees[XlaAlgebraRuleCount];
  int first[XlaOpKindCount]; ///< rule of text, or -1
  struct {
    int n;
    XlaAlgebraRule rules[algebraMaxFunctions];
  } functions[XlaOpKindCount];
} Algebra;

/// The table, which the first call reads: that takes longer than all else of a
/// small program here.
const Algebra *xlaAlgebraGet(void);

//===----------------------------------------------------------------------===//
// Numbers and repeated constants
//===----------------------------------------------------------------------===//

/// An element that an array repeats.
typedef struct AlgebraSplat {
  XlaElementType type;
  XlaScalar value;
} AlgebraSplat;

/// `number` as an element of `type`. False if there is none.
bool xlaAlgebraNumber(AlgebraNumber number, XlaElementType type,
                      XlaScalar *value);
/// Whether two elements have the same bits; NaN is like NaN.
bool xlaAlgebraSame(XlaElementType type, XlaScalar a, XlaScalar b);
/// Whether `value` is a constant of one repeated element, or broadcast or
/// reshaped from one, and has elements.
bool xlaAlgebraIsSplat(MlirValue value, AlgebraSplat *splat);
/// Bounds of the elements of an array, as 64 bits with a sign; of pred 0 and 1.
typedef struct AlgebraRange {
  int64_t least, most;
} AlgebraRange;
/// What the elements of integers or pred are between, as far as a few of the
/// operations that they come of tell; in empty arrays anything. False if that
/// is not known, or is not all int64_t.
bool xlaAlgebraRange(MlirValue value, AlgebraRange *range);
/// The constant of `shape`'s dimensions that repeats it; null for no elements.
MlirValue xlaAlgebraRepeat(XlaIr *ir, const XlaShape *shape,
                           const AlgebraSplat *splat);
/// The element that leaves others as they are, bit by bit, under `kind`: 0 for
/// add. False if there is none, or it is not one of the operations below.
bool xlaAlgebraNeutral(XlaOpKind kind, XlaElementType type, XlaScalar *value);
/// Whether a reduction adds floats to 0: no element of it is -0.
bool xlaAlgebraIsSumFrom0(MlirOperation reduce);

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// What a letter stands for.
typedef struct AlgebraBinding {
  bool isBound, isSplat;
  MlirValue value;
  AlgebraSplat splat;
} AlgebraBinding;

/// A rule being tried on an operation.
struct AlgebraMatch {
  const Algebra *algebra;
  MlirOperation root;
  XlaShape shape; ///< of the root's result
  AlgebraBinding letters[26];
};

/// The shape of `value`, an array of static sizes without a layout; false for
/// others.
bool xlaAlgebraShape(MlirValue value, XlaShape *shape);
/// The type of the elements of an array; Invalid for what is none.
XlaElementType xlaAlgebraElements(MlirValue value);
/// The operation of `kind` that defines `value`, or null.
MlirOperation xlaAlgebraDefinedBy(MlirValue value, XlaOpKind kind);

/// Whether `rule`, one of text, applies to `root`; `match` has algebra, root
/// and shape.
bool xlaAlgebraMatches(AlgebraMatch *match, XlaAlgebraRule rule);
/// What replaces the root then; null if it would have another type.
MlirValue xlaAlgebraReplace(const AlgebraMatch *match, XlaAlgebraRule rule,
                            XlaIr *ir);
/// The condition `word`; NULL if there is none.
bool (*xlaAlgebraCondition(const char *word,
                           size_t length))(const AlgebraMatch *match,
                                           char letter);

//===----------------------------------------------------------------------===//
// Rules that are functions
//===----------------------------------------------------------------------===//

/// Builds what takes the places of the results of `op` before it, and says
/// whether there is any. `op` is destroyed afterwards.
typedef bool (*AlgebraRewrite)(XlaIr *ir, MlirOperation op, MlirValue *results);

/// The functions in algebra.def.
#define XLA_RULE(...)
#define XLA_RULE_C(name, function, ...)                                        \
  bool function(XlaIr *ir, MlirOperation op, MlirValue *results);
#include "xlac/passes/simplify/algebra/algebra.def"

/// The function of a row that is one, or NULL.
AlgebraRewrite xlaAlgebraGetFunction(XlaAlgebraRule rule);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_SIMPLIFY_ALGEBRA_INTERNAL_H

//===- index_expr.h - Indices that bodies compute -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. General indices consist of expressions: their
// dimensions are the loops of the generic's space, their symbols the places at
// which dynamic slices begin, and what other expressions have been given a name
// because they are long. All have bounds, by which expressions are simplified
// and 32 bits found to be enough.
//
// An element that is read need not exist: of pad and concatenate all operands
// are read, each at the position that it would have, and one is chosen. What
// the others compute does not matter, and their loads are kept inside of their
// arrays.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_INDEX_EXPR_H
#define XLAC_LOWERING_LINALG_INDEX_EXPR_H

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/map.h"
#include "xlac/dialect/ir.h"
#include "xlac/lowering/affine/build.h"
#include "xlac/lowering/linalg/index.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where the window of dynamic slices begins, computed once a kernel: element
/// `place` of `value` (-1: the scalar itself), within [0, most]. Or, without a
/// value, the variable of a loop around generics.
typedef struct XlaStart {
  MlirValue value;
  int64_t place, most;
  MlirValue index; ///< in the function; null in analysis
} XlaStart;

/// A symbol of the expressions of one generic.
typedef struct XlaIndexExprSymbol {
  MlirAffineExpr expr; ///< null: a start
  intptr_t start;      ///< in the kernel's list
} XlaIndexExprSymbol;

/// What a generic knows of its expressions.
typedef struct XlaIndexExprs {
  XlaRules rules;
  XlaInterval loops[XLA_MAX_RANK];
  intptr_t nSymbols, capacity;
  XlaIndexExprSymbol *symbols;
  XlaInterval *bounds;        ///< of symbols
  XlaPointerMap narrow, wide; ///< values of expressions, in 32 and 64 bits
  XlaPointerMap indices;      ///< those of loops and symbols, as indices
} XlaIndexExprs;

typedef struct XlaGeneric XlaGeneric;

/// Begins anew, for the generic's present space.
void xlaIndexExprsInit(XlaGeneric *generic);
void xlaIndexExprsFree(XlaGeneric *generic);

/// The expression in canonical form, or a symbol for it.
MlirAffineExpr xlaIndexExprSimplify(XlaGeneric *generic, MlirAffineExpr expr);
XlaInterval xlaIndexExprRange(XlaGeneric *generic, MlirAffineExpr expr);
/// Symbol for the start of a dynamic slice. Null, after a diagnostic, where it
/// cannot be computed.
MlirAffineExpr xlaIndexExprStart(XlaGeneric *generic, MlirValue value,
                                 int64_t place, int64_t most);
/// Symbol for `variable`, an index of loops around the generic, within [0,
/// most]. Null, after a diagnostic, without memory.
MlirAffineExpr xlaIndexExprVariable(XlaGeneric *generic, MlirValue variable,
                                    int64_t most);
/// The value, at the end of the generic's body: an i32 where that holds all
/// that leads to it, else an i64.
MlirValue xlaIndexExprEmit(XlaGeneric *generic, MlirAffineExpr expr);
/// The same as an index.
MlirValue xlaIndexExprEmitIndex(XlaGeneric *generic, MlirAffineExpr expr);
/// The expression as one of `nest`, whose dimensions are loops and symbols as
/// indices: linalg.index, what affine.apply gives, and starts.
MlirAffineExpr xlaIndexExprPlace(XlaGeneric *generic, XlaAffineNest *nest,
                                 MlirAffineExpr expr);
/// Whether it lies in `bounds`, as an i1.
MlirValue xlaIndexExprEmitInside(XlaGeneric *generic, MlirAffineExpr expr,
                                 XlaInterval bounds);

/// Whether an element is read from an operand.
typedef enum XlaGuard {
  XlaGuardFailed, ///< there was a diagnostic, or no memory
  XlaGuardNever,
  XlaGuardAlways,
  XlaGuardSometimes,
} XlaGuard;

/// Where operand `operand` of `op` is read when the result is read at `result`:
/// operations on scalars, views, pad's first operand, concatenate and
/// dynamic_slice. `*inside` is an i1 where the answer is sometimes (null in
/// analysis).
XlaGuard xlaGenericGuard(XlaGeneric *generic, MlirOperation op,
                         intptr_t operand, const XlaIndex *result,
                         XlaIndex *index, MlirValue *inside);

/// Whether pad `op` is padding, and no more, in the space as it is.
bool xlaGenericIsPadding(const XlaGeneric *generic, MlirOperation op);
/// Whether an array has no elements.
bool xlaGenericIsEmpty(const XlaShape *shape);
/// Whether a bound of the range is not known.
static inline bool xlaGenericIsOpen(XlaInterval range) {
  return range.lower == INT64_MIN || range.upper == INT64_MAX;
}

/// Looks for a cut of a loop after which the condition holds, or not, in one of
/// the parts, and sets `generic->cut`. Only expressions that are linear in the
/// loops have one.
bool xlaGenericFindCut(XlaGeneric *generic,
                       const XlaIndexingConstraint *condition);
/// Whether in another space the index is of the special form, or simpler. Sets
/// `generic->needsSplit` or `generic->needsCut`, as far as the generic may.
bool xlaGenericNeedsSpace(XlaGeneric *generic, const XlaIndex *index);

/// The view of a memref of shape `shape` at an index that is linear in the
/// loops, and its map. Null otherwise.
MlirValue xlaGenericView(XlaGeneric *generic, MlirValue memref,
                         const XlaShape *shape, const XlaIndex *index,
                         MlirAffineMap *map);

/// Whether such an index is linear in the loops alone, and inside of the shape.
bool xlaGenericIsLinear(XlaGeneric *generic, const XlaShape *shape,
                        const XlaIndex *index);

/// Reads a buffer of shape `shape` (perhaps a reshape of the memref's) at a
/// general index: as a view where the place is linear in the loops and always
/// inside, else by affine.load, or memref.load where it need not exist.
bool xlaGenericReadGeneral(XlaGeneric *generic, MlirValue memref,
                           const XlaShape *shape, const XlaIndex *index,
                           MlirValue *scalar);

/// The elements of pad and of concatenate.
bool xlaGenericReadChoice(XlaGeneric *generic, MlirOperation op,
                          const XlaIndex *index, MlirValue *scalar);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LINALG_INDEX_EXPR_H

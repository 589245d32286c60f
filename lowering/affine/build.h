//===- build.h - Operations of the affine dialect -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. Indices and bounds of a nest are affine
// expressions whose dimension k is value k of the nest: the induction variable
// of a loop, or what xlaAffineDim and xlaAffineName have added, in the order in
// which they came. An operation gets those that it uses as operands.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_AFFINE_BUILD_H
#define XLAC_LOWERING_AFFINE_BUILD_H

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  XLA_AFFINE_MAX_BOUNDS = 4,
  XLA_AFFINE_MAX_LOOPS = 640, ///< and other dimensions, at one place
};

/// The loops around the present place, and the other dimensions between them.
/// Zero-initialise but for the context.
typedef struct XlaAffineNest {
  MlirContext context;
  int nLoops;
  MlirValue loops[XLA_AFFINE_MAX_LOOPS];
  bool isName[XLA_AFFINE_MAX_LOOPS];
  bool isFull; ///< there were more than these: what was written is wrong
} XlaAffineNest;

/// A lower bound is the largest of its expressions, an upper bound the least.
typedef struct XlaAffineBound {
  int n;
  MlirAffineExpr exprs[XLA_AFFINE_MAX_BOUNDS];
} XlaAffineBound;

MlirAffineExpr xlaAffineConstant(const XlaAffineNest *nest, int64_t value);
XlaAffineBound xlaAffineBound(MlirAffineExpr expr);
XlaAffineBound xlaAffineBoundConstant(const XlaAffineNest *nest, int64_t value);
/// The bound, but no more (of lower ones: no less) than `expr` as well.
XlaAffineBound xlaAffineBoundAnd(XlaAffineBound bound, MlirAffineExpr expr);
/// The bound moved by `expr`.
XlaAffineBound xlaAffineBoundShift(XlaAffineBound bound, MlirAffineExpr expr);

/// Opens an affine.for with `nCarried` carried values. `body` receives an
/// insertion point inside, where they are the block's arguments from 1 on, and
/// `*iv` the induction variable.
MlirOperation xlaAffineFor(XlaAffineNest *nest, XlaIr *ir, XlaAffineBound lower,
                           XlaAffineBound upper, int64_t step, int nCarried,
                           const MlirValue *carried, XlaIr *body,
                           MlirAffineExpr *iv);
/// Opens an affine.parallel over [0, n).
XlaIr xlaAffineParallel(XlaAffineNest *nest, XlaIr *ir, int64_t n,
                        MlirAffineExpr *iv);
/// Closes the innermost of these, whose body ends at `body`, with its next
/// carried values.
void xlaAffineClose(XlaAffineNest *nest, XlaIr *body, int nCarried,
                    const MlirValue *carried);
/// At least 0 where `expr` is below `n`, for the conditions that follow.
MlirAffineExpr xlaAffineBelow(MlirAffineExpr expr, int64_t n);
/// A value of the function's top level, or what affine.apply gave, as a
/// dimension, until the innermost loop is closed.
MlirAffineExpr xlaAffineDim(XlaAffineNest *nest, MlirValue value);
/// affine.if without results: where all of `n` expressions are at least 0.
/// `otherwise` may be NULL. Both are closed already.
void xlaAffineIf(const XlaAffineNest *nest, XlaIr *ir, int n,
                 const MlirAffineExpr *exprs, XlaIr *then, XlaIr *otherwise);

/// The same with results; both blocks are open, for xlaAffineYield.
MlirOperation xlaAffineBranch(const XlaAffineNest *nest, XlaIr *ir, int n,
                              const MlirAffineExpr *exprs, intptr_t nResults,
                              const MlirType *types, XlaIr *then,
                              XlaIr *otherwise);
/// Closes a block that xlaAffineBranch opened.
void xlaAffineYield(XlaIr *ir, intptr_t n, const MlirValue *values);

/// The expression as a dimension of its own, computed once, until the innermost
/// loop is closed.
MlirAffineExpr xlaAffineName(XlaAffineNest *nest, XlaIr *ir, MlirAffineExpr at);
/// affine.apply: the expression as an index.
MlirValue xlaAffineApply(const XlaAffineNest *nest, XlaIr *ir,
                         MlirAffineExpr at);
/// affine.min: the least of the bound's expressions as an index.
MlirValue xlaAffineMin(const XlaAffineNest *nest, XlaIr *ir,
                       XlaAffineBound bound);
/// Element `at` of a memref of one dimension: affine.load, or of a vector of
/// its elements those from there on, affine.vector_load; and back.
MlirValue xlaAffineLoad(const XlaAffineNest *nest, XlaIr *ir, MlirType type,
                        MlirValue memref, MlirAffineExpr at);
void xlaAffineStore(const XlaAffineNest *nest, XlaIr *ir, MlirValue value,
                    MlirValue memref, MlirAffineExpr at);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_AFFINE_BUILD_H

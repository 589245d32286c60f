//===- index.h - Where in an iteration space a value is read ------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's iteration space consists of *loops* of at least two
// iterations. Each dimension of a value is read at
//
//   offset + stride * (its loops as the digits of one number, major first)
//
// and every loop occurs in at most one dimension, so that the access is a
// projected permutation of a strided view. Loops are factors of the dimensions
// of what the kernel computes: a reshape from 6 to 2x3 splits a loop of 6.
//
// Where no such index exists, it is *general*: an expression a dimension, of
// the loops (as its dimensions) and of what a generic computes besides (as its
// symbols: see index_expr.h).
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_INDEX_H
#define XLAC_LOWERING_LINALG_INDEX_H

#include "xlac/dialect/op.h"

#include "mlir-c/AffineExpr.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where a value of rank `rank` is read, dimension by dimension, as above.
typedef struct XlaIndex {
  int rank, nLoops;
  /// Position in `loops` of each dimension's first one.
  int first[XLA_MAX_RANK + 1];
  int loops[XLA_MAX_RANK];
  int64_t offset[XLA_MAX_RANK], stride[XLA_MAX_RANK];
  /// Then `exprs` says where, and all above but the rank is 0.
  bool isGeneral;
  MlirAffineExpr exprs[XLA_MAX_RANK];
} XlaIndex;

/// The loops of a kernel, by number.
typedef struct XlaSpace {
  int nLoops;
  int64_t sizes[XLA_MAX_RANK];
  XlaIndex root; ///< the domain's own index, or that of a box in it
} XlaSpace;

/// The space of an array of shape `domain` without empty dimensions: a loop a
/// dimension but for those of size 1.
void xlaSpaceInit(XlaSpace *space, const XlaShape *domain);
/// The space of blocks of rows, dimension 0, of such an array: `blocks` of
/// them, one every `step` rows from `first` on, of `rows` each. Loop 0 is that
/// of blocks, loop 1 that of a block's rows; the root is general.
void xlaSpaceInitBlocks(XlaSpace *space, MlirContext context,
                        const XlaShape *domain, int64_t first, int64_t blocks,
                        int64_t step, int64_t rows);
/// Splits `loop` in two, the inner one of size `inner`. False if there are too
/// many, or the root is general.
bool xlaSpaceSplit(XlaSpace *space, int loop, int64_t inner);
/// Takes the iterations of `loop` below `at`, or from there on. Loops may then
/// have one iteration.
void xlaSpaceCut(XlaSpace *space, MlirContext context, int loop, int64_t at,
                 bool isUpper);

/// Takes every `step`th iteration of `loop`, from `first` on.
void xlaSpaceStep(XlaSpace *space, MlirContext context, int loop, int64_t first,
                  int64_t step);

bool xlaIndexEqual(const XlaIndex *a, const XlaIndex *b);
void xlaIndexBegin(XlaIndex *index);
/// Appends dimension `dim` of `from`, of one form with `index`.
void xlaIndexAppend(XlaIndex *index, const XlaIndex *from, int dim);
/// Appends a dimension that is read at 0.
void xlaIndexAppendZero(XlaIndex *index);
/// Appends a dimension to an index that is general, or still empty.
void xlaIndexAppendExpr(XlaIndex *index, MlirAffineExpr expr);

/// Where dimension `d` is read, of either form.
MlirAffineExpr xlaIndexGetExpr(MlirContext context, const XlaSpace *space,
                               const XlaIndex *index, int d);
/// A general index in the other form, if there is one; expressions are sums of
/// multiples. False leaves it.
bool xlaIndexSpecialize(const XlaSpace *space, XlaIndex *index);

/// The loop to split, and the size of its inner part.
typedef struct XlaIndexSplit {
  int loop;
  int64_t inner;
} XlaIndexSplit;

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LINALG_INDEX_H

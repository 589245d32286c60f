//===- sort.h - Sorting lines -------------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. What the ways to sort share.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_SORT_H
#define XLAC_LOWERING_LINALG_SORT_H

#include "xlac/lowering/linalg/generic.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A sort in the making.
typedef struct XlaSort {
  XlaKernel *kernel;
  MlirOperation top; ///< before the loops: what they share goes there
  const MlirValue *results;
  intptr_t n;
  XlaShape shape; ///< of operand 0
  int dimension;
  /// The index of the line that is sorted, with a place for the position along
  /// `dimension`.
  MlirValue line[XLA_MAX_RANK];
  MlirValue part; ///< of the line, or null
  /// Memory of each operand: as long as a line, or as the operand.
  MlirValue spare[XLA_KERNEL_MAX_IN_ORDER];
} XlaSort;

/// Loops over the lines and, unless there are none, over the parts of each, at
/// the end of the kernel; gives the point inside. `nest` has room for
/// XLA_MAX_RANK + 1.
XlaIr xlaSortOpenLines(XlaSort *sort, int64_t parts, XlaIr *nest);
void xlaSortCloseLines(const XlaSort *sort, XlaIr *nest);

/// The memrefs of the operands: null of one that is computed.
void xlaSortInputs(const XlaSort *sort, MlirValue *memrefs);

/// Element `position` of the line in `from[i]`, in memory's type; if that is
/// null, of operand i. Null after a diagnostic.
MlirValue xlaSortLoad(XlaSort *sort, XlaIr *ir, const MlirValue *from,
                      intptr_t i, MlirValue position);
void xlaSortStore(XlaSort *sort, XlaIr *ir, const MlirValue *to, intptr_t i,
                  MlirValue position, MlirValue value);

/// xla.compare of two scalars of `element`, floats in total order.
MlirValue xlaSortCompare(XlaIr *ir, XlaElementType element,
                         const char *direction, const MlirValue *args);
/// Whether the elements `right` are to be before `left`, both as in memory;
/// null after a diagnostic.
MlirValue xlaSortIsBefore(const XlaSort *sort, XlaIr *ir,
                          const MlirValue *right, const MlirValue *left);

/// One step of a merge, to position `k`: the first of what is left at `next[0]`
/// (below `middle`) and at `next[1]` (below `high`), which become their
/// successors. False after a diagnostic.
bool xlaSortMergeOne(XlaSort *sort, XlaIr *ir, const MlirValue *from,
                     const MlirValue *to, MlirValue k, MlirValue middle,
                     MlirValue high, MlirValue next[2]);

//===----------------------------------------------------------------------===//
// Merges that are cut (sort_merge_path.c)
//===----------------------------------------------------------------------===//

enum {
  XLA_SORT_LOG_RUN = 2, ///< of the elements that are sorted in registers
  XLA_SORT_RUN = 1 << XLA_SORT_LOG_RUN
};

/// Merges of runs of XLA_SORT_RUN elements and more, pass by pass; what merges
/// a pair of runs is cut into parts of 2^logPart elements.
typedef struct XlaSortPath {
  XlaSort *sort;
  int64_t size; ///< of a line
  int nPasses, logPart;
  MlirValue pass; ///< memref<1xi32>: the pass, or one less; null if known
} XlaSortPath;

/// A pair of runs, [low, middle) and [middle, high), and two points of the path
/// through it: so many elements of both, of them so many of the left.
typedef struct XlaSortPair {
  MlirValue low, middle, high;
  MlirValue both[2], left[2];
} XlaSortPair;

/// Sorts the run from `begin` on, which may reach behind the line's end. False
/// after a diagnostic.
bool xlaSortRun(XlaSortPath *path, XlaIr *ir, const MlirValue *from,
                const MlirValue *to, MlirValue begin);
/// The pair of runs of `width` that `position` lies in, a power of two; between
/// its ends.
void xlaSortOpenPair(XlaSortPath *path, XlaIr *ir, MlirValue width,
                     MlirValue position, XlaSortPair *pair);
/// Finds where the part from `position` on begins and ends on the path, in pass
/// `pass`, of runs of XLA_SORT_RUN << pass elements. False after a diagnostic.
bool xlaSortFindPart(XlaSortPath *path, XlaIr *ir, const MlirValue *from,
                     MlirValue pass, MlirValue width, MlirValue position,
                     XlaSortPair *pair);

/// The whole sort on processors: blocks that stay in caches, then merges that
/// are cut (sort_blocks.c). False after a diagnostic.
bool xlaSortByBlocks(XlaSort *sort);

/// The whole sort in loop nests of which the outer loops run at once
/// (sort_merge_path.c). False after a diagnostic.
bool xlaSortByMergePath(XlaSort *sort);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LINALG_SORT_H

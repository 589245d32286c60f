//===- sort.h - Sorting lines -------------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. What the two ways to sort share.
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
  const MlirValue *results;
  intptr_t n;
  XlaShape shape; ///< of operand 0
  int dimension;
  /// The index of the line that is sorted, with a place for the position along
  /// `dimension`.
  MlirValue line[XLA_MAX_RANK];
  MlirValue part; ///< of the line, or null
  /// Memory of each operand: as long as a line, or as the operand.
  MlirValue spare[XLA_MAX_LIST];
} XlaSort;

/// Loops over the lines and, unless there are none, over the parts of each, at
/// the end of the kernel; gives the point inside. `nest` has room for
/// XLA_MAX_RANK + 1.
XlaIr xlaSortOpenLines(XlaSort *sort, int64_t parts, XlaIr *nest);
void xlaSortCloseLines(const XlaSort *sort, XlaIr *nest);

/// Element `position` of the line in `from[i]`, in memory's type.
MlirValue xlaSortLoad(XlaSort *sort, XlaIr *ir, const MlirValue *from,
                      intptr_t i, MlirValue position);
void xlaSortStore(XlaSort *sort, XlaIr *ir, const MlirValue *to, intptr_t i,
                  MlirValue position, MlirValue value);

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

/// The whole sort in loop nests of which the outer loops run at once
/// (sort_merge_path.c). False after a diagnostic.
bool xlaSortByMergePath(XlaSort *sort);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LINALG_SORT_H

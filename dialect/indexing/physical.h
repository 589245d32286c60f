//===- physical.h - Indexing maps of arrays in memory -------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of operations are logical: indices count in the order of dimension
// numbers, whatever the layout (layout.h). A physical index counts in the order
// in which dimensions lie in memory, the one that changes slowest first, up to
// the padded sizes.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_PHYSICAL_H
#define XLAC_DIALECT_INDEXING_PHYSICAL_H

#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/dialect/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/// From physical indices of an array to logical ones, defined where they are
/// not in the padding; and from logical ones to physical ones. `layout` is one
/// that xlaLayoutCheck accepts for `shape`. NULL if there is no memory.
XlaIndexingMap *xlaLayoutGetPhysicalToLogical(MlirContext context,
                                              const XlaShape *shape,
                                              const XlaLayout *layout);
XlaIndexingMap *xlaLayoutGetLogicalToPhysical(MlirContext context,
                                              const XlaShape *shape,
                                              const XlaLayout *layout);

/// From elements in memory of a value of type `result` to elements in memory of
/// what is read, `from`; runtime variables are at physical places then, too.
/// `to->maps` is to be freed in any case. False if there is no memory.
bool xlaOperandMapsToPhysical(const XlaOperandMaps *from, MlirType result,
                              XlaOperandMaps *to);

/// A bitcast as a transpose of the operand, a reshape, and a transpose of that:
/// the operand's dimensions in the order of its memory, then the result's in
/// the order of its own.
typedef struct XlaBitcastSteps {
  int operandRank, resultRank;
  int64_t operandPermutation[XLA_MAX_RANK]; ///< of the first transpose
  int64_t operandSizes[XLA_MAX_RANK];       ///< its result's
  int64_t resultSizes[XLA_MAX_RANK];        ///< of the reshape's result
  int64_t resultPermutation[XLA_MAX_RANK];  ///< of the second transpose
} XlaBitcastSteps;

/// The steps of a bitcast between arrays of these types. False where there is
/// more to it: padding, or elements of other widths.
bool xlaBitcastDecompose(MlirType operand, MlirType result,
                         XlaBitcastSteps *steps);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_PHYSICAL_H

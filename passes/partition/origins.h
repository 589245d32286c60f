//===- origins.h - Which dimensions of operands those of results are -*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes/partition.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_PARTITION_ORIGINS_H
#define XLAC_PASSES_PARTITION_ORIGINS_H

#include "xlac/passes/import/stablehlo/text.h"
#include "xlac/passes/partition/shardings_of.h"

/// Which dimension of which operand a dimension of a result is; NULL: of none.
typedef struct XlaOrigins {
  int rank;
  const XlaSharding *operands[XLA_MAX_RANK];
  int dimensions[XLA_MAX_RANK];
  /// Where the same devices would cut two dimensions, the one that comes first.
  int64_t order[XLA_MAX_RANK];
} XlaOrigins;

/// How a value lies, as far as it is known; else NULL.
const XlaSharding *xlaShardingOf(XlaExpansion *x, MlirValue value);

/// Whether results of an operation that stands for a function are not traced
/// through that.
bool xlaOriginsAreOwn(MlirOperation op);

/// Groups of dimensions of a reshape with as many elements. Of the first of a
/// group, other than of size 1, parts are so many elements in a row of the
/// first of the result's: `dimensions` has its number; others stay as they are.
void xlaOriginsOfReshape(const XlaShape *from, const XlaShape *to,
                         int *dimensions);

/// The lists of an attribute `#stablehlo.dot<..>` and the like, empty where
/// they are left out; false if it is none.
bool xlaOriginsReadStruct(MlirOperation op, const char *name,
                          XlaStructValues *values);

/// Those of result `i` of an operation of StableHLO without regions that it
/// hands values to; `origins` begins as zeros.
void xlaOriginsOfResult(XlaExpansion *x, MlirOperation op, intptr_t i,
                        XlaOrigins *origins);

#endif // XLAC_PASSES_PARTITION_ORIGINS_H

//===- collective_internal.h - What collectives share -------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_COLLECTIVE_INTERNAL_H
#define XLAC_DIALECT_OPS_COLLECTIVE_INTERNAL_H

#include "xlac/dialect/ops/groups.h"

/// The labels of what all operations with replica_groups have in common; NULL
/// where an operation has no such rule.
typedef struct XlaCollectiveRules {
  XlaOpKind kind;
  const char *unique;      ///< no number twice
  const char *count;       ///< as many numbers as there are to count
  const char *range;       ///< numbers are 0 and up, without gaps
  const char *channel;     ///< use_global_device_ids needs a channel
  const char *size;        ///< groups have one size, which is shard_count
  const char *computation; ///< of the region
  const char *result;      ///< sizes of results follow from those of groups
} XlaCollectiveRules;

/// The row of `kind`; NULL for operations without replica_groups.
const XlaCollectiveRules *xlaCollectiveRulesGet(XlaOpKind kind);

#endif // XLAC_DIALECT_OPS_COLLECTIVE_INTERNAL_H

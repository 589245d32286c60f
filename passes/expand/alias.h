//===- alias.h - Operations in terms of others --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_ALIAS_H
#define XLAC_PASSES_EXPAND_ALIAS_H

#include "xlac/dialect/op.h"

/// Puts broadcast_in_dim, reshape, transpose and bitcast_convert in the places
/// of all xla.broadcast, xla.collapse and xla.bitcast in `root`. Layouts must
/// still be there: bitcast depends on them. What stays are bitcasts between
/// elements that do not fill their bytes and these (narrow/widen.h). Fails
/// after a diagnostic, without memory.
MlirLogicalResult xlaAliasExpand(MlirOperation root);
/// The same of one of these operations, whose sizes are static if it is a
/// collapse.
MlirLogicalResult xlaAliasExpandOne(MlirOperation op);

#endif // XLAC_PASSES_EXPAND_ALIAS_H

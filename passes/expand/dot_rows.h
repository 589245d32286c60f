//===- dot_rows.h - Products without free dimensions --------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_DOT_ROWS_H
#define XLAC_PASSES_EXPAND_DOT_ROWS_H

#include "xlac/dialect/op.h"

/// Writes xla.dot_general of `function` as a product element by element and a
/// sum where neither operand has free dimensions, but for those of size 1, and
/// both have their dimensions in one order: rows are summed then, in which
/// nothing is loaded twice, with what else is computed of them. Those of
/// elements whose sums are kept in a wider type stay. Products of floats over
/// one element become those of repeated elements, to which 0 is added.
void xlaExpandDotRows(MlirOperation function);

#endif // XLAC_PASSES_EXPAND_DOT_ROWS_H

//===- gathers.h - Gathers in their simplest form -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specification 001 has indexing maps of simplified gathers alone. Such a
// gather
//
//   takes its indices as a matrix, a vector of coordinates in each row
//   (index_vector_dim = 1), which are those of the operand's first dimensions
//   (start_index_map = [0, 1, ..]);
//   keeps all dimensions of the slices, behind that of the rows
//   (collapsed_slice_dims = [], offset_dims = [1, 2, ..]);
//   and has no batching dimensions.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_SIMPLIFY_GATHERS_H
#define XLAC_PASSES_SIMPLIFY_GATHERS_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether an xla.gather has that form.
bool xlaGatherIsSimple(MlirOperation gather);

/// Writes an xla.gather before itself as transposes and reshapes, a gather of
/// that form, and transposes and reshapes of its result; batching dimensions
/// become coordinates. The value that takes the place of its result: the result
/// itself if the gather is simple already, or cannot be: of dynamic sizes, of
/// arrays of XLA_MAX_RANK dimensions, or of slices that collapse from nothing.
MlirValue xlaGatherSimplify(MlirOperation gather);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_SIMPLIFY_GATHERS_H

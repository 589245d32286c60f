//===- specialize.h - Programs for inputs of given sizes ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A StableHLO function may take arrays of which neither size nor bound is
// known, `tensor<?x4xf32>`: jax.export writes them for symbolic dimensions.
// What it computes of sizes (get_dimension_size, and arithmetic on it) follows
// from the types of its arguments. Once these are static, it folds, and with it
// the shapes that dynamic_reshape, dynamic_broadcast_in_dim .. take as
// operands; the types of all results then follow in the program's order.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_SPECIALIZE_H
#define XLAC_PASSES_IMPORT_SPECIALIZE_H

#include "xlac/passes/import/stablehlo.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most operations that calls may become, and the most that they may nest.
enum { XLA_SPECIALIZE_MAX_OPS = 1 << 20, XLA_SPECIALIZE_MAX_DEPTH = 256 };

/// Whether an argument of `function`, a func.func, has a dimension with neither
/// size nor bound, so that it has to be specialized before it can be verified,
/// run or compiled. Results alone do not count: they follow.
bool xlaFunctionIsUnbounded(MlirOperation function);

/// Makes `module`, which is in StableHLO as xlaStableHloParse gives it, a
/// program of xla in which arguments of `function` without sizes have those of
/// the `n` types `inputs`, the arrays at hand; of other arguments these are not
/// looked at. Calls from it are replaced by their
/// callees; other functions with dimensions of unknown size are removed.
/// Diagnostics are emitted on failure, after which the module is to be thrown
/// away: Invalid if `inputs` are not the function's, or an assertion of the
/// program on sizes fails, Unsupported at every operation whose shape does not
/// follow from the sizes of the inputs. Does not verify.
XlaImportResult xlaSpecialize(MlirOperation module, MlirOperation function,
                              intptr_t n, const MlirType *inputs);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_IMPORT_SPECIALIZE_H

//===- stablehlo.h - Programs as StableHLO ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inverse of xlac/passes/import/stablehlo.h (the pass
// xla-export-stablehlo): every operation of xla becomes the one of StableHLO or
// CHLO that has its name, with attributes in StableHLO's forms, and what these
// dialects lack is written as operations that they have, with the same results.
//
// | xla                                 | StableHLO                          |
// |-------------------------------------|------------------------------------|
// | operands that are broadcast         | broadcast_in_dim                   |
// | lists of integers                   | `array<i64: ..>`                   |
// | `"LT"`                              | `#stablehlo<comparison_direction LT>`
// | | attributes of gather, dot_general ..| `#stablehlo.gather<..>` | |
// replica_groups                      | a dense matrix                     | |
// channel_id                          | `#stablehlo.channel_handle<..>`    | |
// `!xla.token`                        | `!stablehlo.token`                 | |
// `#xla.array<bounds = [8, ?]>`       | `#stablehlo.bounds<8, ?>`          | |
// layouts                             | dropped: results are the same      | |
// `xla.donated`                       | `jax.buffer_donor`                 | |
// `xla.donated` = a result's number   | `tf.aliasing_output`               | |
// other attributes `xla.*`            | dropped                            |
//
// passes/export/ops.def has the operations that become others.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPORT_STABLEHLO_H
#define XLAC_PASSES_EXPORT_STABLEHLO_H

#include "mlir-c/IR.h"
#include "xlac/passes/import/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Rewrites `module`, which has been verified, in place; its context must allow
/// unregistered dialects where StableHLO is not registered. On failure there
/// were diagnostics at the operations, and the module is to be thrown away:
/// Unsupported if StableHLO cannot say what an operation does.
XlaImportResult xlaExportStableHlo(MlirOperation module);

/// Makes composites of the operations in `module` that are CHLO's, as artifacts
/// have them: of a function with the formula, of top_k with a sort. Failures
/// are those of xlaExportStableHlo, which is to follow.
XlaImportResult xlaExportComposites(MlirOperation module);

/// Writes the operations in `module` that are CHLO's as StableHLO has them.
MlirLogicalResult xlaExportExpandChlo(MlirOperation module);

/// Writes the part of docs/stablehlo.md about what leaves.
void xlaStableHloListExports(MlirStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_EXPORT_STABLEHLO_H

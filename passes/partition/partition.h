//===- partition.h - Programs of several devices ---------------- -*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program for several devices becomes one program for all of them, which runs
// on one. It takes the parts that the devices have of each argument, and gives
// those that they are to have of each result.
//
// What stands outside of a manual computation (shard_map) is about whole
// arrays. Where no device needs what others have, as of operations on elements,
// each makes its parts of them: it is there once for each device, on parts.
// Else it is there once, and parts are concatenated before it and sliced behind
// it. What stands inside is there once for each device whose operands
// differ from those of the devices before. An operation between devices is one
// on their values: an all_reduce adds them, a collective_permute hands them on.
// So nothing waits for anything, and every device that runs programs runs
// these.
//
//   func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m,
//   [{"i"}]>}) -> tensor<8xf32> {
//     %y = stablehlo.add %x, %x : tensor<8xf32>
//     return %y : tensor<8xf32>
//   }
//
// on 2 devices takes 2 x tensor<4xf32>, and gives as many. Where it is not said
// how a result lies, it lies as what it is made of does, or each device has all
// of it.
//
// Shardings are those of Shardy (sdy.sharding, sdy.mesh) and of XLA's
// partitioner (mhlo.sharding, custom calls "Sharding"). Custom calls, too, may
// be the bounds of a manual computation (xlaPartitionIsBound).
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_PARTITION_PARTITION_H
#define XLAC_PASSES_PARTITION_PARTITION_H

#include "mlir-c/IR.h"
#include "xlac/passes/import/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A program has at most so many devices.
#define XLA_MAX_DEVICES 1024

/// A custom call of this target, of one operand and no results, asks how that
/// lies; its backend_config says what asks.
#define XLA_INSPECT_SHARDING "xlac_inspect_sharding"

/// A custom call without results whose mhlo.frontend_attributes have this name,
/// "true", is made for the part that each device has of its operands.
#define XLA_CALL_PARTS "xlac.parts"

/// Whether custom calls of this target begin or end a manual computation:
/// "SPMDFullToShardShape" and its inverse, of one array, and
/// "xla.sdy.GlobalToLocalShape" and its inverse, of all.
bool xlaPartitionIsBound(MlirStringRef target);

typedef struct XlaInspected {
  char *config;
  /// As below, or "{manual}" in a manual computation, which has parts only.
  char *sharding;
} XlaInspected;

/// What became of arguments and results. Device d is replica d / partitions,
/// partition d % partitions.
typedef struct XlaPartition {
  int nDevices;
  /// Of each device. Argument i of device d is number d * nInputs + i of the
  /// program.
  intptr_t nInputs, nOutputs;
  /// The result of the program that is result i of device d, at d * nOutputs +
  /// i: several devices may have the same one.
  intptr_t *outputs;
  /// As XLA writes them, "{devices=[2,1]0,1}".
  char **inputShardings, **outputShardings;
  bool isLocal; ///< the program of all is that of each one on its parts
  XlaInspected *inspected; ///< in the order of the program
  intptr_t nInspected;
} XlaPartition;

/// Whether a module of StableHLO says something that only xlaPartition heeds.
bool xlaPartitionIsNeeded(MlirOperation module);

/// Rewrites `function` of a module of StableHLO, as it is read, for `replicas`
/// times `partitions` devices, in place. `*partition` is to be destroyed; NULL
/// unless Ok. Arrays of unknown size stay such: xlaSpecialize makes them static
/// for the sizes of parts, or finds that these are not of one size. Unsupported
/// after a diagnostic for parts that are not of one size, recursion, and what
/// goes to the host; Invalid for shardings that do not fit.
XlaImportResult xlaPartition(MlirOperation module, MlirOperation function,
                             int replicas, int partitions,
                             XlaPartition **partition);
/// The same, but where the program is that of each device on its parts
/// (`isLocal`) the function becomes what one device does, with operations
/// between devices in it.
XlaImportResult xlaPartitionShown(MlirOperation module, MlirOperation function,
                                  int replicas, int partitions,
                                  XlaPartition **partition);
/// The same as xlaPartition of every function of a module that has manual
/// computations and may be called from elsewhere, for as many devices as
/// `mhlo.num_replicas` and `mhlo.num_partitions` say, or the largest mesh has;
/// it takes and gives whole arrays, of several replicas those of one after
/// those of the other. Ok of other modules, which stay as they are.
XlaImportResult xlaPartitionWhole(MlirOperation module);
/// NULL is allowed.
void xlaPartitionDestroy(XlaPartition *partition);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_PARTITION_PARTITION_H

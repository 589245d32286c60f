//===- replicas.h - How many processes a program is for -----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs may say how many replicas and partitions they are made for, in
// attributes of the module: `xla.num_replicas` and `xla.num_partitions`, jax's
// `mhlo.num_replicas` .., HLO's `replica_count` .. . 1 is not said.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_REPLICAS_H
#define XLAC_PASSES_REPLICAS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The number in the attribute `name` of `module`; 1 if there is none, or it is
/// no positive number.
int64_t xlaModuleGetCount(MlirOperation module, const char *name);
/// Sets it, if it is more than 1.
void xlaModuleSetCount(MlirOperation module, const char *name, int64_t count);
/// Says under the names `to` what is said under the names `from`: "xla.",
/// "mhlo.".
void xlaModuleRenameCounts(MlirOperation module, const char *from,
                           const char *to);
/// Drops what is said under the names `prefix`.
void xlaModuleRemoveCounts(MlirOperation module, const char *prefix);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_REPLICAS_H

//===- broadcast.h - Broadcasts as operations ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_BROADCAST_H
#define XLAC_PASSES_EXPAND_BROADCAST_H

#include "mlir-c/IR.h"

/// Puts xla.broadcast_in_dim before `op`, an elementwise operation, for each of
/// its operands that has other dimensions than its result. Operations of
/// dynamic sizes stay as they are.
void xlaBroadcastOperands(MlirOperation op);

#endif // XLAC_PASSES_EXPAND_BROADCAST_H

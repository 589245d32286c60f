//===- transfer_internal.h - Uses of transfers' contexts ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_TRANSFER_INTERNAL_H
#define XLAC_DIALECT_OPS_TRANSFER_INTERNAL_H

#include "xlac/dialect/op.h"

/// The context that xla.send and xla.recv give is used by one xla.send_done,
/// xla.recv_done, and nothing else. Of other operations nothing is checked.
MlirLogicalResult xlaTransferCheckUses(MlirOperation op);

/// That `op` is a transfer to or from the host.
MlirLogicalResult xlaHostTransferUnsupported(MlirOperation op);

#endif // XLAC_DIALECT_OPS_TRANSFER_INTERNAL_H

//===- scan.h - Scans ---------------------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scan along a line is a thread's, or a lane's, work. Where lines are few
// they are cut into blocks: these are scanned at once, then their totals, which
// are combined with the elements of the blocks behind. How blocks are cut
// depends on shapes and the kind of device alone, so that results do not depend
// on threads.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_SCAN_H
#define XLAC_PASSES_EXPAND_SCAN_H

#include "xlac/passes/arrays.h"
#include "xlac/passes/fuse/device.h"

#include "mlir-c/Support.h"

/// Builds xla.associative_scan of `n` arrays with a copy of the first region of
/// `owner`. False without memory.
bool xlaScanCreate(XlaIr *ir, MlirOperation owner, const MlirValue *operands,
                   intptr_t n, int dimension, bool isReverse,
                   MlirValue *results);

/// Cuts the scans below `op` whose lines are long and few for `device` into
/// blocks; their computations are elementwise, others stay. Fails with a
/// diagnostic.
MlirLogicalResult xlaScanSplit(MlirOperation op, const XlaFusionDevice *device);

#endif // XLAC_PASSES_EXPAND_SCAN_H

//===- buffers.h - Rows of intermediates --------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering/cpu/attention.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_ATTENTION_BUFFERS_H
#define XLAC_LOWERING_CPU_ATTENTION_BUFFERS_H

#include "xlac/lowering/cpu/attention/plan.h"

/// Adds an intermediate with these dimensions, none of size 1, of which `inner`
/// is still to be found. Gives its number, or -1: there are too many.
int xlaCpuRowAddBuffer(XlaCpuAttention *plan, MlirValue root, int nDims,
                       const XlaCpuRowDim *dims, int phase);

#endif // XLAC_LOWERING_CPU_ATTENTION_BUFFERS_H

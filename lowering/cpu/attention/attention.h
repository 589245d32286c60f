//===- attention.h - Two products with rows between them ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of kind "attention" whose first product has a row of scores for each
// query, of which other statements make weights, row by row, that the second
// product multiplies with values: softmax(q k^T) v. A tile of queries is
// computed from beginning to end by one thread:
//
//   scores   = the tile's rows of q times k, in the thread's memory
//   weights  = row by row what is between the products, in place where it can
//   result   = weights times v, and what follows, row by row
//
// so that no more than a tile of scores is ever in memory. Products are nests
// of matmul/gemm.h for the rows of a tile; what is done with a row is a
// function of its own, which goes through the schedule of all kernels.
//
// Internal to lowering/cpu.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_ATTENTION_ATTENTION_H
#define XLAC_LOWERING_CPU_ATTENTION_ATTENTION_H

#include "xlac/lowering/cpu/schedule/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Gives such a function its scratch memory (scratch.h) if it is of the form
/// above, and says so in `*isTiled`; else it stays as it is, for the schedule
/// of rows. Failure comes with a diagnostic.
MlirLogicalResult xlaCpuAttentionReserve(MlirOperation function,
                                         const XlaCpuTarget *target,
                                         int64_t *scratchBytes, bool *isTiled);

/// Replaces what is in such a function with scratch memory by tiles, and
/// appends what these call to `module`. Failure comes with a diagnostic.
MlirLogicalResult xlaCpuAttentionEmit(MlirOperation function, MlirModule module,
                                      const XlaCpuScheduleOptions *options);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_ATTENTION_ATTENTION_H

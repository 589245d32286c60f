//===- plan.h - Attention as tiles of rows ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering/cpu/attention.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_ATTENTION_PLAN_H
#define XLAC_LOWERING_CPU_ATTENTION_PLAN_H

#include "xlac/lowering/affine/attention/attention.h"
#include "xlac/lowering/cpu/attention/attention.h"
#include "xlac/lowering/cpu/matmul/gemm.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where rows of an intermediate lie: one of it at a time is in a thread's
/// memory.
typedef struct XlaCpuRowMemory {
  bool inTile;           ///< all rows of a tile are in memory at once
  int inPlaceOf;         ///< -1, or whose memory it has
  int64_t pitch, offset; ///< inTile: elements of a row; bytes
} XlaCpuRowMemory;

typedef struct XlaCpuAttention {
  XlaAttention rows;
  XlaCpuMatmul matmuls[2]; ///< the products of a tile
  XlaCpuGemmTiling tilings[2];
  XlaCpuRowMemory memory[XLA_ROW_BUFFERS];
  // The tiles
  int64_t tileRows, tilesOfBatch, tasks, chunk;
  int threads;
  double nanoseconds;              ///< of one core, about
  int64_t productBytes, slabBytes; ///< of a thread
} XlaCpuAttention;

/// Chooses the tiles; false if there are none.
bool xlaCpuAttentionTile(XlaCpuAttention *plan, const XlaCpuTarget *target);
/// The buffer whose memory it has.
int xlaCpuRowMemoryOf(const XlaCpuAttention *plan, int buffer);

/// What a row function is called with, in order: the number of the row, rows of
/// buffers, and memory from outside.
typedef struct XlaCpuRowArguments {
  int nBuffers;
  int buffers[XLA_ROW_BUFFERS];
  int nOutside;
  MlirValue outside[XLA_SCHED_MAX_OPERANDS];
} XlaCpuRowArguments;

/// The type of the memory of a row.
MlirType xlaCpuRowType(const XlaRowBuffer *buffer);
/// Makes the function of a phase, of which it takes the statements' bodies.
/// Failure comes with a diagnostic.
MlirLogicalResult xlaCpuRowFunction(XlaCpuAttention *plan, int phase,
                                    MlirBlock module, const char *name,
                                    const XlaCpuScheduleOptions *options,
                                    XlaCpuRowArguments *arguments);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_ATTENTION_PLAN_H

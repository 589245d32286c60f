//===- plan.h - Attention as tiles of rows ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering/cpu/attention. Rows are those of the scores: number
// b * queries + q for query q of batch element b. Each dimension of a statement
// or an intermediate is *shared*, a digit of that number, or lies within a row.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_ATTENTION_PLAN_H
#define XLAC_LOWERING_CPU_ATTENTION_PLAN_H

#include "xlac/lowering/affine/contraction.h"
#include "xlac/lowering/cpu/attention/attention.h"
#include "xlac/lowering/cpu/matmul/gemm.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { XLA_CPU_ROW_BUFFERS = 32, XLA_CPU_ROW_PHASES = 3 };

/// A dimension of an intermediate.
typedef struct XlaCpuRowDim {
  int64_t stride, size; ///< in the memory that the kernel has for it
  int64_t unit;         ///< a step is so many rows; 0: within a row
  int64_t inner;        ///< then a step is so many elements of a row
} XlaCpuRowDim;

/// An intermediate: a row of it at a time is in a thread's memory.
typedef struct XlaCpuRowBuffer {
  MlirValue root;
  MlirType element;
  int nDims; ///< none of which could be one with another
  XlaCpuRowDim dims[XLA_SCHED_MAX_DIMS];
  int64_t length;            ///< elements of a row
  int firstPhase, lastPhase; ///< of the statements that use it
  bool inTile;               ///< all rows of a tile are in memory at once
  int inPlaceOf;             ///< -1, or whose memory it has
  int64_t pitch, offset;     ///< inTile: elements of a row; bytes
} XlaCpuRowBuffer;

/// A statement beside the products. Phase 0 lies before them, 1 between them, 2
/// behind.
typedef struct XlaCpuRowStatement {
  XlaSchedStatement statement;
  int phase;
  bool isKnown; ///< the rest
  int64_t unit[XLA_SCHED_MAX_DIMS];
} XlaCpuRowStatement;

/// A product with queries as its rows.
typedef struct XlaCpuRowProduct {
  XlaContractionKernel kernel;
  XlaContraction contraction; ///< rows exchanged with columns, if need be
  MlirValue lhs, rhs;         ///< the same of the operands
  int64_t units[XLA_SCHED_MAX_DIMS]; ///< of the dimensions of its batch, rows
  XlaCpuMatmul matmul;               ///< of a tile
  XlaCpuGemmTiling tiling;
} XlaCpuRowProduct;

typedef struct XlaCpuAttention {
  MlirOperation function;
  MlirBlock block;
  XlaCpuRowProduct products[2];
  int nStatements;
  XlaCpuRowStatement *statements;
  int nBuffers;
  XlaCpuRowBuffer buffers[XLA_CPU_ROW_BUFFERS];
  int lhs, scores, weights, result; ///< buffers; -1: it is an argument
  int64_t queries, batches, keys;
  // The tiles
  int64_t tileRows, tilesOfBatch, tasks, chunk;
  int threads;
  double nanoseconds;              ///< of one core, about
  int64_t productBytes, slabBytes; ///< of a thread
  bool failed;                     ///< there was a diagnostic
} XlaCpuAttention;

/// Reads a kernel: false if it is of another form, or `failed`. Free it in any
/// case. NULL without memory.
XlaCpuAttention *xlaCpuAttentionCreate(void);
bool xlaCpuAttentionRead(XlaCpuAttention *plan, MlirOperation function);
/// Chooses the tiles; false if there are none.
bool xlaCpuAttentionTile(XlaCpuAttention *plan, const XlaCpuTarget *target);
void xlaCpuAttentionDestroy(XlaCpuAttention *plan);

/// The intermediate that lies in `root`, or -1.
int xlaCpuRowBufferOf(const XlaCpuAttention *plan, MlirValue root);
/// Whether a dimension of that stride and size is one of the buffer's, or a
/// digit of one, and which.
bool xlaCpuRowFindDim(const XlaCpuRowBuffer *buffer, int64_t stride,
                      int64_t size, XlaCpuRowDim *dim);
/// The buffer whose memory it has.
int xlaCpuRowMemoryOf(const XlaCpuAttention *plan, int buffer);

/// What a row function is called with, in order: the number of the row, rows of
/// buffers, and memory from outside.
typedef struct XlaCpuRowArguments {
  int nBuffers;
  int buffers[XLA_CPU_ROW_BUFFERS];
  int nOutside;
  MlirValue outside[XLA_SCHED_MAX_OPERANDS];
} XlaCpuRowArguments;

/// Whether there are statements of a phase.
bool xlaCpuRowHasPhase(const XlaCpuAttention *plan, int phase);
/// The type of the memory of a row.
MlirType xlaCpuRowType(const XlaCpuRowBuffer *buffer);
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

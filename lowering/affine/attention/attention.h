//===- attention.h - Attention as rows ----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of kind "attention" whose first product has a row of scores for each
// query, of which other statements make weights, row by row, that the second
// product multiplies with values: softmax(q k^T) v. Both devices read it here,
// and compute tiles of rows from beginning to end, each in its own way.
//
// Rows are those of the scores: number b * queries + q for query q of batch
// element b. Each dimension of a statement or an intermediate is *shared*, a
// digit of that number, or lies within a row. Internal to lowering.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_AFFINE_ATTENTION_ATTENTION_H
#define XLAC_LOWERING_AFFINE_ATTENTION_ATTENTION_H

#include "xlac/lowering/affine/contraction.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { XLA_ROW_BUFFERS = 32, XLA_ROW_PHASES = 3 };

/// A dimension of an intermediate.
typedef struct XlaRowDim {
  int64_t stride, size; ///< in the memory that the kernel has for it
  int64_t unit;         ///< a step is so many rows; 0: within a row
  int64_t inner;        ///< then a step is so many elements of a row
} XlaRowDim;

/// An intermediate.
typedef struct XlaRowBuffer {
  MlirValue root;
  MlirType element;
  int nDims; ///< none of which could be one with another
  XlaRowDim dims[XLA_SCHED_MAX_DIMS];
  int64_t length;            ///< elements of a row
  int firstPhase, lastPhase; ///< of the statements that use it
} XlaRowBuffer;

/// A statement beside the products. Phase 0 lies before them, 1 between them, 2
/// behind.
typedef struct XlaRowStatement {
  XlaSchedStatement statement;
  int phase;
  bool isKnown; ///< the rest
  int64_t unit[XLA_SCHED_MAX_DIMS];
} XlaRowStatement;

/// A product with queries as its rows.
typedef struct XlaRowProduct {
  XlaContractionKernel kernel;
  XlaContraction contraction; ///< rows exchanged with columns, if need be
  MlirValue lhs, rhs;         ///< the same of the operands
  int64_t units[XLA_SCHED_MAX_DIMS]; ///< of the dimensions of its batch, rows
} XlaRowProduct;

typedef struct XlaAttention {
  MlirOperation function;
  MlirBlock block;
  XlaRowProduct products[2];
  int nStatements;
  XlaRowStatement *statements;
  int nBuffers;
  XlaRowBuffer buffers[XLA_ROW_BUFFERS];
  int lhs, scores, weights, result; ///< buffers; -1: it is an argument
  int64_t queries, batches, keys;
  bool failed; ///< there was a diagnostic
} XlaAttention;

/// Whether a function is a kernel of kind "attention".
bool xlaAttentionIsKernel(MlirOperation function);
/// Reads a kernel into what is all zeros: false if it is of another form, or
/// `failed`. Free it in any case.
bool xlaAttentionRead(XlaAttention *attention, MlirOperation function);
void xlaAttentionFree(XlaAttention *attention);

/// Whether there are statements of a phase.
bool xlaAttentionHasPhase(const XlaAttention *attention, int phase);
/// The intermediate that lies in `root`, or -1.
int xlaAttentionBufferOf(const XlaAttention *attention, MlirValue root);
/// Whether a dimension of that stride and size is one of the buffer's, or a
/// digit of one, and which.
bool xlaRowFindDim(const XlaRowBuffer *buffer, int64_t stride, int64_t size,
                   XlaRowDim *dim);

/// For read.c: adds an intermediate with these dimensions, none of size 1, of
/// which `inner` is still to be found. Gives its number, or -1: there are too
/// many.
int xlaAttentionAddBuffer(XlaAttention *attention, MlirValue root, int nDims,
                          const XlaRowDim *dims, int phase);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_AFFINE_ATTENTION_ATTENTION_H

//===- attention.h - Products with rows between them --------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to xla-fuse: what attention.c is made of.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_FUSE_ATTENTION_H
#define XLAC_PASSES_FUSE_ATTENTION_H

#include "xlac/passes/fuse/fit.h"

enum { fuseMaxViews = 16 };

/// The clusters that become one, and reshapes between them.
typedef struct FuseAttention {
  FuseGraph *graph;
  int dots[2];
  int weightsSide;                  ///< the operand of the second product
  int scores, rows, product, after; ///< clusters; -1: none
  int nViews, views[fuseMaxViews];
  XlaShape result;   ///< of the second product
  int64_t tiledRows; ///< of nRows, along the dimension that tiles go along
  int64_t batches, nRows, keys, width, values;
  int64_t *taken; ///< of each node, elements that a row of the result needs
} FuseAttention;

/// Whether a node is computed where all of these are.
bool xlaFuseIsAttentionPart(const FuseAttention *a, int node);

//===----------------------------------------------------------------------===//
// attention_tiles.c, masks.c
//===----------------------------------------------------------------------===//

/// Reads both products: false if they are not of matrices of floats.
bool xlaFuseReadMatrices(FuseAttention *a);
/// Whether a row of the result takes a row of the scores, and of queries.
bool xlaFuseTakesRowOfScores(FuseAttention *a);
/// Whether one kernel takes no longer than three.
bool xlaFuseAttentionPays(const FuseAttention *a);
/// Makes what attention reads of arrays of positions, such as causal masks,
/// copies.
void xlaFuseCopyMasks(FuseGraph *graph);

#endif // XLAC_PASSES_FUSE_ATTENTION_H

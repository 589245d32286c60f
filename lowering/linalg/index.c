//===- index.c - Where in an iteration space a value is read --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/index.h"
#include "xlac/dialect/indexing/linear.h"

#include <string.h>

void xlaIndexBegin(XlaIndex *index) { memset(index, 0, sizeof *index); }

void xlaIndexAppendZero(XlaIndex *index) {
  index->offset[index->rank] = 0;
  index->stride[index->rank] = 1;
  index->first[++index->rank] = index->nLoops;
}

void xlaIndexAppendExpr(XlaIndex *index, MlirAffineExpr expr) {
  index->isGeneral = true;
  index->exprs[index->rank++] = expr;
}

void xlaIndexAppend(XlaIndex *index, const XlaIndex *from, int dim) {
  if (from->isGeneral) {
    xlaIndexAppendExpr(index, from->exprs[dim]);
    return;
  }
  for (int i = from->first[dim]; i < from->first[dim + 1]; ++i)
    index->loops[index->nLoops++] = from->loops[i];
  index->offset[index->rank] = from->offset[dim];
  index->stride[index->rank] = from->stride[dim];
  index->first[++index->rank] = index->nLoops;
}

bool xlaIndexEqual(const XlaIndex *a, const XlaIndex *b) {
  if (a->isGeneral && b->isGeneral && a->rank == b->rank)
    return !memcmp(a->exprs, b->exprs, (size_t)a->rank * sizeof *a->exprs);
  return a->isGeneral == b->isGeneral && a->rank == b->rank &&
         a->nLoops == b->nLoops &&
         !memcmp(a->first, b->first, (size_t)(a->rank + 1) * sizeof(int)) &&
         !memcmp(a->loops, b->loops, (size_t)a->nLoops * sizeof(int)) &&
         !memcmp(a->offset, b->offset, (size_t)a->rank * sizeof(int64_t)) &&
         !memcmp(a->stride, b->stride, (size_t)a->rank * sizeof(int64_t));
}

void xlaSpaceInit(XlaSpace *space, const XlaShape *domain) {
  memset(space, 0, sizeof *space);
  for (int d = 0; d < domain->rank; ++d) {
    if (domain->dims[d] != 1) {
      space->sizes[space->nLoops] = domain->dims[d];
      space->root.loops[space->root.nLoops++] = space->nLoops++;
    }
    xlaIndexAppendZero(&space->root);
  }
}

void xlaSpaceInitBlocks(XlaSpace *space, MlirContext context,
                        const XlaShape *domain, int64_t first, int64_t blocks,
                        int64_t step, int64_t rows) {
  memset(space, 0, sizeof *space);
  space->nLoops = 2;
  space->sizes[0] = blocks;
  space->sizes[1] = rows;
  MlirAffineExpr block = mlirAffineDimExprGet(context, 0),
                 row = mlirAffineDimExprGet(context, 1);
  xlaIndexAppendExpr(
      &space->root,
      xlaExprShift(xlaExprAdd(xlaExprScale(block, step), row), first));
  for (int d = 1; d < domain->rank; ++d) {
    bool isLoop = domain->dims[d] != 1;
    xlaIndexAppendExpr(&space->root,
                       isLoop ? mlirAffineDimExprGet(context, space->nLoops)
                              : mlirAffineConstantExprGet(context, 0));
    if (isLoop)
      space->sizes[space->nLoops++] = domain->dims[d];
  }
}

bool xlaSpaceSplit(XlaSpace *space, int loop, int64_t inner) {
  XlaIndex *root = &space->root;
  int n = space->nLoops;
  if (n == XLA_MAX_RANK || root->isGeneral)
    return false;
  size_t after = (size_t)(n - loop - 1) * sizeof *space->sizes;
  memmove(space->sizes + loop + 2, space->sizes + loop + 1, after);
  space->sizes[loop] /= inner;
  space->sizes[loop + 1] = inner;
  space->nLoops = root->nLoops = n + 1;
  // The root's loops are in order.
  root->loops[n] = n;
  for (int d = 0; d <= root->rank; ++d)
    root->first[d] += root->first[d] > loop;
  return true;
}

//===----------------------------------------------------------------------===//
// General indices
//===----------------------------------------------------------------------===//

MlirAffineExpr xlaIndexGetExpr(MlirContext context, const XlaSpace *space,
                               const XlaIndex *index, int d) {
  if (index->isGeneral)
    return index->exprs[d];
  MlirAffineExpr sum = mlirAffineConstantExprGet(context, index->offset[d]);
  int64_t stride = index->stride[d];
  for (int i = index->first[d + 1] - 1; i >= index->first[d]; --i) {
    MlirAffineExpr loop = mlirAffineDimExprGet(context, index->loops[i]);
    sum = xlaExprAdd(sum, xlaExprScale(loop, stride));
    stride *= space->sizes[index->loops[i]];
  }
  return sum;
}

/// Where the root's dimension begins with `loop`, or -1.
static int dimensionLedBy(const XlaIndex *root, int loop) {
  for (int d = 0; d < root->rank && !root->isGeneral; ++d)
    if (root->first[d] < root->first[d + 1] &&
        root->loops[root->first[d]] == loop)
      return d;
  return -1;
}

/// Puts `first` + `step` times the loop in place of the loop in a general root.
static void replaceLoop(XlaSpace *space, MlirContext context, int loop,
                        int64_t first, int64_t step) {
  XlaIndex general;
  MlirAffineExpr loops[XLA_MAX_RANK];
  xlaIndexBegin(&general);
  for (int i = 0; i < space->nLoops; ++i)
    loops[i] = mlirAffineDimExprGet(context, i);
  loops[loop] = xlaExprShift(xlaExprScale(loops[loop], step), first);
  for (int d = 0; d < space->root.rank; ++d)
    xlaIndexAppendExpr(
        &general,
        xlaExprReplace(xlaIndexGetExpr(context, space, &space->root, d), loops,
                       NULL));
  space->root = general;
}

void xlaSpaceCut(XlaSpace *space, MlirContext context, int loop, int64_t at,
                 bool isUpper) {
  XlaIndex *root = &space->root;
  int leading = dimensionLedBy(root, loop);
  int64_t step = leading < 0 ? 0 : root->stride[leading];
  for (int i = leading < 0 ? 0 : root->first[leading] + 1;
       leading >= 0 && i < root->first[leading + 1]; ++i)
    step *= space->sizes[root->loops[i]];
  if (leading < 0)
    replaceLoop(space, context, loop, isUpper ? at : 0, 1);
  else
    root->offset[leading] += isUpper ? at * step : 0;
  space->sizes[loop] = isUpper ? space->sizes[loop] - at : at;
}

void xlaSpaceStep(XlaSpace *space, MlirContext context, int loop, int64_t first,
                  int64_t step) {
  XlaIndex *root = &space->root;
  int leading = dimensionLedBy(root, loop);
  if (leading < 0 || root->first[leading + 1] - root->first[leading] > 1) {
    replaceLoop(space, context, loop, first, step);
  } else {
    root->offset[leading] += first * root->stride[leading];
    root->stride[leading] *= step;
  }
  space->sizes[loop] = (space->sizes[loop] - first + step - 1) / step;
}

/// The loops of a sum of multiples and their factors; -1 if it is none, or has
/// more than `capacity`.
static int termsOf(MlirAffineExpr expr, int capacity, int *loops,
                   int64_t *factors, int64_t *offset) {
  int n = 0;
  *offset = 0;
  for (bool isLast = false; !isLast;) {
    isLast = xlaExprGetKind(expr) != XlaExprKindAdd;
    MlirAffineExpr term = isLast ? expr : mlirAffineBinaryOpExprGetRHS(expr);
    int64_t factor = 1, value;
    if (!isLast)
      expr = mlirAffineBinaryOpExprGetLHS(expr);
    if (xlaExprIsConstant(term, &value)) {
      *offset += value;
      continue;
    }
    if (xlaExprGetKind(term) == XlaExprKindMul &&
        xlaExprIsConstant(mlirAffineBinaryOpExprGetRHS(term), &factor))
      term = mlirAffineBinaryOpExprGetLHS(term);
    if (xlaExprGetKind(term) != XlaExprKindDim || n == capacity)
      return -1;
    loops[n] = (int)mlirAffineDimExprGetPosition(term);
    factors[n++] = factor;
  }
  return n;
}

/// Sorts terms by their factors, large ones first.
static void sortTerms(int n, int *loops, int64_t *factors) {
  for (int i = 1; i < n; ++i)
    for (int k = i; k > 0 && factors[k] > factors[k - 1]; --k) {
      int loop = loops[k];
      int64_t factor = factors[k];
      loops[k] = loops[k - 1];
      factors[k] = factors[k - 1];
      loops[k - 1] = loop;
      factors[k - 1] = factor;
    }
}

bool xlaIndexSpecialize(const XlaSpace *space, XlaIndex *index) {
  XlaIndex special;
  bool used[XLA_MAX_RANK] = {false};
  xlaIndexBegin(&special);
  if (!index->isGeneral)
    return true;
  for (int d = 0; d < index->rank; ++d) {
    int *loops = special.loops + special.nLoops;
    int64_t factors[XLA_MAX_RANK];
    int n = termsOf(index->exprs[d], XLA_MAX_RANK - special.nLoops, loops,
                    factors, &special.offset[d]);
    if (n < 0)
      return false;
    sortTerms(n, loops, factors);
    int64_t stride = special.stride[d] = n ? factors[n - 1] : 1;
    for (int i = n - 1; i >= 0; --i) {
      if (factors[i] != stride || stride < 1 || used[loops[i]])
        return false;
      used[loops[i]] = true;
      stride *= space->sizes[loops[i]];
    }
    special.nLoops += n;
    special.first[++special.rank] = special.nLoops;
  }
  *index = special;
  return true;
}

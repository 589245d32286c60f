//===- epilogue_read.c - Which statements are epilogues -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/epilogue.h"

#include "xlac/lowering/affine/statement.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static void addLoop(XlaCpuEpilogueLoops *group, XlaCpuEpilogueLoop loop) {
  int at = group->n++;
  for (; at > 0 && group->loops[at - 1].unit < loop.unit; --at)
    group->loops[at] = group->loops[at - 1];
  group->loops[at] = loop;
}

/// Gives a dimension, of which a step is `stride` elements of the product, to
/// columns, rows and batch: where it reaches from one of these into the next it
/// is cut.
static bool addDim(XlaCpuEpilogue *e, int dim, int64_t stride,
                   const int64_t *ends) {
  int64_t size = e->statement.sizes[dim], scale = 1, begin = 1;
  bool isWhole = true;
  for (int group = 2; group >= 0 && size > 1; begin = ends[group--]) {
    int64_t end = ends[group];
    if (stride >= end)
      continue;
    int64_t here = size;
    if (size > end / stride) {
      here = end / stride;
      isWhole = false;
      if (end % stride || size % here)
        return false;
    }
    addLoop(&e->groups[group],
            (XlaCpuEpilogueLoop){stride / begin, here, dim, scale, isWhole});
    size /= here;
    stride *= here;
    scale *= here;
  }
  return size == 1;
}

/// Do the loops count each position once?
static bool isDense(const XlaCpuEpilogueLoops *group, int64_t size) {
  int64_t unit = 1;
  for (int i = group->n; i-- > 0; unit *= group->loops[i].size)
    if (group->loops[i].unit != unit)
      return false;
  return unit == size;
}

/// A dimension with an index in the body must not have been cut.
static bool areIndexedWhole(const XlaCpuEpilogue *e) {
  for (int g = 0; g < 3; ++g)
    for (int i = 0; i < e->groups[g].n; ++i)
      if (e->statement.indexed[e->groups[g].loops[i].dim] &&
          !e->groups[g].loops[i].isWhole)
        return false;
  return true;
}

static bool findLoops(XlaCpuEpilogue *e, const XlaSchedAccess *product,
                      const XlaCpuMatmul *matmul) {
  int64_t batches = 1;
  for (intptr_t i = 0; i < matmul->batchRank; ++i)
    batches *= matmul->batch[i];
  const int64_t ends[3] = {batches * matmul->m * matmul->n,
                           matmul->m * matmul->n, matmul->n};
  for (int d = 0; d < e->statement.nDims; ++d)
    if (product->strides[d] < 1 || !addDim(e, d, product->strides[d], ends))
      return false;
  return isDense(&e->groups[0], batches) && isDense(&e->groups[1], matmul->m) &&
         isDense(&e->groups[2], matmul->n) && areIndexedWhole(e);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static bool isSamePlace(const XlaSchedStatement *statement,
                        const XlaSchedAccess *a, const XlaSchedAccess *b) {
  return a->offset == b->offset && !a->dynamicOffset && !b->dynamicOffset &&
         !memcmp(a->strides, b->strides,
                 (size_t)statement->nDims * sizeof *a->strides);
}

static bool addExtra(XlaCpuEpilogue *e, MlirValue root) {
  for (intptr_t i = 0; i < e->nExtras; ++i)
    if (mlirValueEqual(e->extras[i], root))
      return true;
  if (!xlaContractionIsMemory(root) || e->nExtras == XLA_CPU_MATMUL_MAX_EXTRAS)
    return false;
  e->extras[e->nExtras++] = root;
  return true;
}

/// Accesses are the product's own, or of buffers; outputs lie as it does.
static bool checkAccesses(XlaCpuEpilogue *e, const XlaSchedAccess *product) {
  for (int i = 0; i < e->statement.nIns + e->statement.nOuts; ++i) {
    const XlaSchedAccess *access = &e->statement.accesses[i];
    bool isOut = i >= e->statement.nIns;
    bool isProduct = mlirValueEqual(access->root, e->product);
    if (access->dynamicOffset ||
        ((isOut || isProduct) &&
         !isSamePlace(&e->statement, access, product)) ||
        (isOut && (isProduct || !mlirValueIsABlockArgument(access->root))) ||
        (!isProduct && !(isOut && i - e->statement.nIns == e->main) &&
         !addExtra(e, access->root)))
      return false;
  }
  return true;
}

bool xlaCpuEpilogueRead(XlaCpuEpilogue *e, MlirOperation generic,
                        MlirValue product, const XlaCpuMatmul *matmul) {
  *e = (XlaCpuEpilogue){
      .main = mlirValueIsABlockArgument(product) ? -1 : 0,
      .product = product,
      .sum = mlirShapedTypeGetElementType(mlirValueGetType(product)),
      .alongRows = xlaCpuMatmulIsTransposed(matmul)};
  if (!xlaIrIsOp(generic, "linalg.generic"))
    return false;
  e->failed =
      mlirLogicalResultIsFailure(xlaSchedStatementRead(generic, &e->statement));
  if (e->failed || e->statement.isEmpty ||
      !xlaContractionIsArithmetic(&e->statement))
    return false;
  const XlaSchedAccess *access = e->statement.accesses;
  int i = 0;
  while (i < e->statement.nIns && !mlirValueEqual(access[i].root, product))
    ++i;
  return i < e->statement.nIns && access[i].offset == 0 &&
         findLoops(e, &access[i], matmul) && checkAccesses(e, &access[i]);
}

void xlaCpuEpilogueFree(XlaCpuEpilogue *e) { free(e->statement.accesses); }

MlirValue xlaCpuEpilogueResult(const XlaCpuEpilogue *e) {
  return e->main < 0 ? e->product
                     : e->statement.accesses[e->statement.nIns + e->main].root;
}

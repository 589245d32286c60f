//===- places.c - Where elements of a matrix product lie ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/matmul/emit.h"

int64_t xlaMatmulStride(const XlaContractionDim *dim, MatmulArray array) {
  return array == MatmulLhs      ? dim->lhs
         : array == MatmulRhs    ? dim->rhs
         : array == MatmulResult ? dim->result
                                 : dim->inputs[array - MatmulInput];
}

static bool isOf(const XlaVulkanMatmulInput *input, MatmulArray side) {
  return (int)input->side == (int)side;
}

int xlaMatmulArrays(const MatmulEmitter *e, MatmulArray side,
                    MatmulArray arrays[XLA_MATMUL_MAX_ARRAYS]) {
  int n = 0;
  if (side == MatmulResult ? e->memref[MatmulResult].ptr != NULL
                           : !e->op->parts[side].ptr)
    arrays[n++] = side;
  for (int i = 0; i < e->op->nInputs; ++i)
    if (isOf(&e->op->inputs[i], side) &&
        (side != MatmulResult || xlaMatmulHasEpilogue(e)))
      arrays[n++] = (MatmulArray)(MatmulInput + i);
  return n;
}

MatmulArray xlaMatmulMainArray(const XlaVulkanMatmul *op, MatmulArray side) {
  MatmulArray array = side;
  int64_t most = 0;
  for (int i = 0; i < op->nInputs; ++i)
    if (isOf(&op->inputs[i], side) && op->inputs[i].count > most) {
      array = (MatmulArray)(MatmulInput + i);
      most = op->inputs[i].count;
    }
  return array;
}

MatmulPlace xlaMatmulPosition(MatmulEmitter *e, XlaIr *ir,
                              const XlaContractionDims *dims, MatmulArray side,
                              MlirAffineExpr index, int width) {
  MatmulArray arrays[XLA_MATMUL_MAX_ARRAYS];
  int n = xlaMatmulArrays(e, side, arrays);
  MatmulPlace place;
  for (int a = 0; a < n; ++a)
    place.at[arrays[a]] = xlaMatmulConstant(e, 0);
  for (intptr_t i = dims->n; i-- > 0;) {
    bool isInner = i == dims->n - 1;
    int64_t size = dims->dims[i].size / (isInner ? width : 1);
    MlirAffineExpr digit = i ? xlaMatmulRemainder(e, ir, index, size) : index;
    if (i)
      index = xlaMatmulDivide(e, ir, index, size);
    for (int a = 0; a < n; ++a) {
      int64_t stride = xlaMatmulStride(&dims->dims[i], arrays[a]) *
                       (isInner ? width : 1) / e->unit[arrays[a]];
      place.at[arrays[a]] =
          xlaExprAdd(place.at[arrays[a]], xlaExprScale(digit, stride));
    }
  }
  return place;
}

MatmulPlace xlaMatmulAdd(const MatmulEmitter *e, MatmulArray side,
                         const MatmulPlace *a, const MatmulPlace *b) {
  MatmulArray arrays[XLA_MATMUL_MAX_ARRAYS];
  int n = xlaMatmulArrays(e, side, arrays);
  MatmulPlace sum;
  for (int i = 0; i < n; ++i)
    sum.at[arrays[i]] = xlaExprAdd(a->at[arrays[i]], b->at[arrays[i]]);
  return sum;
}

MatmulPlace xlaMatmulStep(const MatmulEmitter *e, MatmulArray side,
                          const XlaContractionDim *dim, MlirAffineExpr index,
                          int64_t scale, int64_t shift) {
  MatmulArray arrays[XLA_MATMUL_MAX_ARRAYS];
  int n = xlaMatmulArrays(e, side, arrays);
  MatmulPlace place;
  for (int i = 0; i < n; ++i) {
    int64_t stride = dim ? xlaMatmulStride(dim, arrays[i]) : 0;
    int unit = e->unit[arrays[i]];
    place.at[arrays[i]] = xlaExprShift(
        xlaExprScale(index, scale * stride / unit), shift * stride / unit);
  }
  return place;
}

MatmulPlace xlaMatmulNamePlace(MatmulEmitter *e, XlaIr *ir, MatmulArray side,
                               const MatmulPlace *place) {
  MatmulArray arrays[XLA_MATMUL_MAX_ARRAYS];
  int n = xlaMatmulArrays(e, side, arrays);
  MatmulPlace named;
  for (int i = 0; i < n; ++i)
    named.at[arrays[i]] = xlaMatmulName(e, ir, place->at[arrays[i]]);
  return named;
}

const XlaContractionDim *xlaMatmulAlong(const MatmulEmitter *e,
                                        MatmulArray side) {
  const XlaContraction *all = &e->op->contraction;
  const XlaContractionDims *dims =
      side == MatmulResult ? &all->columns
      : (side == MatmulLhs ? e->tiling->lhsVector : e->tiling->rhsVector) ==
              XlaVulkanVectorTerms
          ? &all->terms
      : side == MatmulLhs ? &all->rows
                          : &all->columns;
  return dims->n ? &dims->dims[dims->n - 1] : NULL;
}

bool xlaMatmulHasEpilogue(const MatmulEmitter *e) {
  return e->op->parts[MatmulResult].ptr &&
         (e->tiling->chunks == 1 || e->isOfChunks);
}

bool xlaMatmulIsInPlace(const MatmulEmitter *e) {
  const XlaContraction *all = &e->op->contraction;
  const XlaContractionDims *lists[] = {&all->batch, &all->rows, &all->columns};
  for (int i = 0; xlaMatmulHasEpilogue(e) && i < e->op->nInputs; ++i) {
    const XlaVulkanMatmulInput *input = &e->op->inputs[i];
    bool isSame = isOf(input, MatmulResult) && input->output < 0;
    for (int l = 0; l < 3; ++l)
      for (intptr_t d = 0; d < lists[l]->n; ++d)
        isSame &= lists[l]->dims[d].inputs[i] == lists[l]->dims[d].result;
    if (isSame)
      return true;
  }
  return false;
}

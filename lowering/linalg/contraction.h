//===- contraction.h - What a contraction sums ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dot_general on memrefs as result[b,m,n] = sum over k of
// lhs[b,m,k] * rhs[b,k,n], where each of b, m, n and k stands for as few
// dimensions with strides as the layouts allow: usually one, or none.
// Transposed operands are no special case. Device-neutral: emitters of matrix
// products start here.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_CONTRACTION_H
#define XLAC_LOWERING_LINALG_CONTRACTION_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { XLA_CONTRACTION_MAX_RANK = 32 };

/// A dimension, and how many elements a step along it moves in each array: 0 in
/// an array that has no such dimension.
typedef struct XlaContractionDim {
  int64_t size, lhs, rhs, result;
} XlaContractionDim;

/// Dimensions of one kind, the slowest first. None has size 1, and no two
/// neighbours could be one dimension.
typedef struct XlaContractionDims {
  intptr_t n;
  int64_t size; ///< the product of the sizes; 1 if there are none
  XlaContractionDim dims[XLA_CONTRACTION_MAX_RANK];
} XlaContractionDims;

/// Of the result they are in row-major order: batch, rows, columns. `terms` is
/// what is summed over, in the order that lhs has in memory.
typedef struct XlaContraction {
  XlaContractionDims batch, rows, columns, terms;
} XlaContraction;

/// Dimension numbers of xla.dot_general.
typedef struct XlaContractionNumbers {
  intptr_t nBatch;
  const int64_t *lhsBatch, *rhsBatch;
  intptr_t nContracting;
  const int64_t *lhsContracting, *rhsContracting;
} XlaContractionNumbers;

/// Describes dot_general on memrefs of static shape, strides and offset 0, with
/// any element types; the result's dimensions are batch, then lhs, then rhs.
/// With `location` null it only answers; else a failure is diagnosed there.
MlirLogicalResult xlaContractionInit(XlaContraction *contraction, MlirType lhs,
                                     MlirType rhs, MlirType result,
                                     const XlaContractionNumbers *numbers,
                                     MlirLocation location);

/// What the attributes of a kernel of kind "contraction" say (kernel.h).
typedef struct XlaContractionKernel {
  bool isPart;        ///< of a fusion
  intptr_t lhs, rhs;  ///< numbers of arguments
  MlirOperation loop; ///< of a fusion: what writes the product; null: nothing
  MlirValue product;  ///< argument or memref.alloc with the product; or null
  bool lhsUnsigned, rhsUnsigned, isPred;
  XlaContractionNumbers numbers; ///< point into `lists`
  int64_t lists[4][XLA_CONTRACTION_MAX_RANK];
} XlaContractionKernel;

/// Reads them; false if `function` is no such kernel. Do not copy the result.
bool xlaContractionReadKernel(XlaContractionKernel *kernel,
                              MlirOperation function);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LINALG_CONTRACTION_H

//===- contraction.h - Which statements are contractions --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contraction is a linalg.generic that adds products of two inputs,
//
//   result[b,m,n] = result[b,m,n] + sum over k of lhs[b,m,k] * rhs[b,k,n]
//
// where each of b, m, n and k stands for as few dimensions with strides as the
// layouts allow: usually one, or none. Transposed operands are no special case.
// What widens the inputs in the body says how integers extend. The devices'
// emitters of matrix products start here. Internal to lowering.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_AFFINE_CONTRACTION_H
#define XLAC_LOWERING_AFFINE_CONTRACTION_H

#include "xlac/lowering/affine/statement.h"

#ifdef __cplusplus
extern "C" {
#endif

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
  XlaContractionDim dims[XLA_SCHED_MAX_DIMS];
} XlaContractionDims;

/// Of the result they are in the order of the loops: batch, rows, columns.
/// `terms` is what is summed over, in the order that lhs has in memory.
typedef struct XlaContraction {
  XlaContractionDims batch, rows, columns, terms;
  bool lhsUnsigned, rhsUnsigned; ///< how narrow integers extend
} XlaContraction;

/// Reads a statement; false if it is no contraction, or accesses do not begin
/// with the first element of their buffers.
bool xlaContractionRead(XlaContraction *contraction,
                        const XlaSchedStatement *statement);

/// A contraction in a kernel, with what belongs to it.
typedef struct XlaContractionKernel {
  XlaContraction contraction;
  MlirOperation fill; ///< linalg.fill of what is summed into, with zeros
  MlirOperation sum;  ///< the contraction
  /// The linalg.generic that rounds the sums, which lie in a memref.alloc that
  /// nothing else uses; or null.
  MlirOperation round;
  MlirValue lhs, rhs; ///< memrefs
  MlirValue sums;     ///< what is summed into
  MlirValue product;  ///< what holds the result in the end
  bool failed; ///< an operation could not be read: there was a diagnostic
} XlaContractionKernel;

/// Whether a function is a kernel of kind "contraction".
bool xlaContractionIsKernel(MlirOperation function);
/// The contraction of such a function; false if there is none.
bool xlaContractionFind(XlaContractionKernel *kernel, MlirOperation function);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_AFFINE_CONTRACTION_H

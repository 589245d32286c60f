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
// A kernel may have *parts* around it, generics of arithmetic: a prologue
// computes an operand into memory that nothing else uses, an epilogue works on
// the product. What they read are the contraction's *inputs*, with strides
// along its dimensions as the operands have.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_AFFINE_CONTRACTION_H
#define XLAC_LOWERING_AFFINE_CONTRACTION_H

#include "xlac/lowering/affine/statement.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { XLA_CONTRACTION_MAX_INPUTS = 12 };

/// A dimension, and how many elements a step along it moves in each array: 0 in
/// an array that has no such dimension.
typedef struct XlaContractionDim {
  int64_t size, lhs, rhs, result;
  int64_t inputs[XLA_CONTRACTION_MAX_INPUTS];
} XlaContractionDim;

/// Dimensions of one kind, the slowest first. None has size 1, and no two
/// neighbours could be one dimension, in all of the arrays.
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

/// Where a part belongs: to an operand, or to the product.
typedef enum XlaContractionSide {
  XlaContractionLhs,
  XlaContractionRhs,
  XlaContractionProduct,
  XlaContractionSides
} XlaContractionSide;

/// A linalg.generic beside a contraction, which has an iteration for each
/// element of an operand or of the product.
typedef struct XlaContractionPart {
  MlirOperation op; ///< or null
  MlirBlock body;
  XlaSchedStatement statement;
  int64_t elements; ///< iterations
} XlaContractionPart;

/// What a part reads, other than the product, by argument `argument` of its
/// body; or writes, where that is an output.
typedef struct XlaContractionInput {
  XlaContractionSide side;
  int argument;
  MlirValue root;
  MlirType element;
  int64_t offset;
} XlaContractionInput;

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
  XlaContractionPart parts[XlaContractionSides];
} XlaContractionKernel;

/// Whether a function is a kernel of kind "contraction".
bool xlaContractionIsKernel(MlirOperation function);
/// The contraction of such a function, and its parts; false if there is none.
/// Free it with xlaContractionFree in any case.
bool xlaContractionFind(XlaContractionKernel *kernel, MlirOperation function);
void xlaContractionFree(XlaContractionKernel *kernel);
/// Whether `op` is a contraction, with a fill before it: `kernel` then has all
/// but parts, and needs not be freed.
bool xlaContractionAt(XlaContractionKernel *kernel, MlirOperation op);
/// Leaves a part to others: what it computes comes from memory.
void xlaContractionDrop(XlaContractionKernel *kernel, XlaContractionSide side);

/// A contraction with the inputs and further outputs of the kernel's parts.
typedef struct XlaContractionInputs {
  XlaContraction contraction; ///< has strides of `inputs`
  int n;
  XlaContractionInput inputs[XLA_CONTRACTION_MAX_INPUTS];
} XlaContractionInputs;

/// False where strides do not show an input's places, or there are too many.
bool xlaContractionReadInputs(const XlaContractionKernel *kernel,
                              XlaContractionInputs *inputs);

//===----------------------------------------------------------------------===//
// For contraction.c, contraction_parts.c and what is like a part
//===----------------------------------------------------------------------===//

/// Finds the parts around `kernel->sum`; false after a diagnostic.
bool xlaContractionFindParts(XlaContractionKernel *kernel);
/// Whether an operation writes nothing, and may stand between others.
bool xlaContractionIsBetween(MlirOperation op);
/// Whether nothing but `n` operations uses the value.
bool xlaContractionIsOnlyUsedBy(MlirValue value, int n,
                                const MlirOperation *ops);
/// Whether the body is arithmetic on the elements it gets, and only writes its
/// outputs.
bool xlaContractionIsArithmetic(const XlaSchedStatement *statement);
/// Whether a buffer is there before the kernel runs.
bool xlaContractionIsMemory(MlirValue root);
/// Loop `d` of a sum.
XlaContractionDim xlaContractionDimOf(const XlaSchedStatement *sum, int d);
/// Gives the dimensions of the loops, in order, to the lists; false if they are
/// none of a contraction.
bool xlaContractionSortDims(XlaContraction *contraction,
                            const XlaContractionDim *dims,
                            const bool *reduction, int n);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_AFFINE_CONTRACTION_H

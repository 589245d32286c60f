//===- builder_control.h - Tuples, products, computations in programs *- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by builder.h, which tells how builders are used.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_BUILDER_CONTROL_H
#define XLAC_DIALECT_BUILDER_CONTROL_H

#include "xlac/dialect/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

/// One value of several, of none too. 000: Tuple.
XlaOp xlaBuilderTuple(XlaBuilder *b, const XlaOp *elements, intptr_t n);
/// 000: GetTupleElement.
XlaOp xlaBuilderGetTupleElement(XlaBuilder *b, XlaOp tuple, int64_t index);
/// The operand, which no optimization moves anything across. 000:
/// OptimizationBarrier.
XlaOp xlaBuilderOptimizationBarrier(XlaBuilder *b, XlaOp operand);

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// How exact products of an operand are asked to be. They are computed as the
/// element types say; a device may do more, never less.
typedef enum XlaPrecision {
  XlaPrecisionDefault,
  XlaPrecisionHigh,
  XlaPrecisionHighest
} XlaPrecision;
/// The precisions of both operands for all that Dot, DotGeneral and the Conv
/// functions build from now on.
void xlaBuilderSetPrecision(XlaBuilder *b, XlaPrecision lhs, XlaPrecision rhs);
/// In which element type these add up, and give, their products from now on;
/// XlaElementTypeInvalid: in that of lhs, as at the beginning.
void xlaBuilderSetPreferredElementType(XlaBuilder *b, XlaElementType type);

/// Products of vectors and matrices; sums run over the last dimension of lhs
/// and the last but one (of vectors the only one) of rhs. 000: Dot.
XlaOp xlaBuilderDot(XlaBuilder *b, XlaOp lhs, XlaOp rhs);
/// Which dimensions are summed over, and which are batches. Lists go in pairs:
/// entry i of lhs with entry i of rhs.
typedef struct XlaDotDimensionNumbers {
  const int64_t *lhsContracting, *rhsContracting;
  intptr_t nContracting;
  const int64_t *lhsBatch, *rhsBatch;
  intptr_t nBatch;
} XlaDotDimensionNumbers;
/// The result has the batch dimensions, then what is left of lhs, then of rhs.
/// 000: DotGeneral.
XlaOp xlaBuilderDotGeneral(XlaBuilder *b, XlaOp lhs, XlaOp rhs,
                           const XlaDotDimensionNumbers *numbers);

//===----------------------------------------------------------------------===//
// Computations over elements
//===----------------------------------------------------------------------===//

/// Combines the elements along `dimensions`, in any order, with `computation`:
/// of type (T0 .. Tn-1, T0 .. Tn-1) -> T0 for one operand, -> (T0 .. Tn-1) for
/// more; first the n accumulated values, then the n elements. Gives an array,
/// for several operands a tuple of them. `initValues` are n scalars. 000:
/// Reduce; n = 1 is the form of 002.
XlaOp xlaBuilderReduce(XlaBuilder *b, const XlaOp *operands,
                       const XlaOp *initValues, intptr_t n,
                       const XlaComputation *computation,
                       const int64_t *dimensions, intptr_t nDimensions);
/// The same along all dimensions of one operand.
XlaOp xlaBuilderReduceAll(XlaBuilder *b, XlaOp operand, XlaOp initValue,
                          const XlaComputation *computation);
/// `computation` applied to the scalars at every index of the n operands, which
/// have the same dimensions, all of which `dimensions` lists in order. After
/// those scalars it gets the `staticOperands` whole (002; `NULL, 0` if there
/// are none). 000: Map.
XlaOp xlaBuilderMap(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                    const XlaComputation *computation,
                    const int64_t *dimensions, intptr_t nDimensions,
                    const XlaOp *staticOperands, intptr_t nStatic);

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// `body`, T -> T, repeated from `init` on while `condition`, T -> pred, holds.
/// T may be a tuple. 000: While.
XlaOp xlaBuilderWhile(XlaBuilder *b, const XlaComputation *condition,
                      const XlaComputation *body, XlaOp init);
/// One of two computations, of one parameter each and the same result. 000:
/// Conditional.
XlaOp xlaBuilderConditional(XlaBuilder *b, XlaOp pred, XlaOp trueOperand,
                            const XlaComputation *trueComputation,
                            XlaOp falseOperand,
                            const XlaComputation *falseComputation);
/// Computation number `branchIndex`, an s32, of n; the last if there is no such
/// number. 000: Conditional(branch_index, ..).
XlaOp xlaBuilderSwitch(XlaBuilder *b, XlaOp branchIndex,
                       const XlaComputation *const *branchComputations,
                       const XlaOp *branchOperands, intptr_t n);
/// The result of a computation, which becomes a function of the module. 000:
/// Call.
XlaOp xlaBuilderCall(XlaBuilder *b, const XlaComputation *computation,
                     const XlaOp *operands, intptr_t n);
/// What foreign code named `target` gives, of type `type`: see
/// XlaCustomCallHook in evaluator.h. 000: CustomCall.
XlaOp xlaBuilderCustomCall(XlaBuilder *b, const char *target,
                           const XlaOp *operands, intptr_t n, MlirType type);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_BUILDER_CONTROL_H

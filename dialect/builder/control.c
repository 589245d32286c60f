//===- control.c - Building operations with computations ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuples, contractions, and what takes computations: as regions, or calls.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/builder/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

XlaOp xlaBuilderTuple(XlaBuilder *b, const XlaOp *elements, intptr_t n) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindTuple);
  xlaDraftOperands(&draft, "elements", elements, n);
  return xlaDraftFinish(&draft);
}

/// The element of a tuple that xla.tuple makes; null for others.
static MlirValue knownElement(MlirValue tuple, int64_t index) {
  if (!mlirValueIsAOpResult(tuple))
    return (MlirValue){NULL};
  MlirOperation op = mlirOpResultGetOwner(tuple);
  if (xlaOpGetKind(op) != XlaOpKindTuple || index < 0 ||
      index >= mlirOperationGetNumOperands(op))
    return (MlirValue){NULL};
  return mlirOperationGetOperand(op, (intptr_t)index);
}

XlaOp xlaBuilderGetTupleElement(XlaBuilder *b, XlaOp tuple, int64_t index) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindGetTupleElement);
  xlaDraftOperand(&draft, tuple);
  xlaDraftInt(&draft, "index", index);
  MlirValue known = draft.nOperands ? knownElement(draft.operands[0], index)
                                    : (MlirValue){NULL};
  if (mlirValueIsNull(known))
    return xlaDraftFinish(&draft);
  xlaDraftDestroy(&draft);
  return xlaBuilderAddValue(b, known);
}

XlaOp xlaBuilderOptimizationBarrier(XlaBuilder *b, XlaOp operand) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindOptimizationBarrier);
  xlaDraftOperand(&draft, operand);
  return xlaDraftFinish(&draft);
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

void xlaBuilderSetPrecision(XlaBuilder *b, XlaPrecision lhs, XlaPrecision rhs) {
  const XlaPrecision given[] = {lhs, rhs};
  if (!xlaBuilderBegin(b, __func__))
    return;
  for (int i = 0; i < 2; ++i)
    if (given[i] < XlaPrecisionDefault || given[i] > XlaPrecisionHighest)
      xlaBuilderFail(b, "%d is no precision", (int)given[i]);
    else
      b->precisions[i] = given[i];
}

void xlaBuilderSetPreferredElementType(XlaBuilder *b, XlaElementType type) {
  if (!xlaBuilderBegin(b, __func__))
    return;
  if (type < XlaElementTypeInvalid || type >= XlaElementTypeCount)
    xlaBuilderFail(b, "%d is no element type", (int)type);
  else
    b->productsType = type;
}

void xlaDraftProducts(XlaDraft *draft) {
  static const char *const words[] = {"DEFAULT", "HIGH", "HIGHEST"};
  XlaBuilder *b = draft->b;
  if (!b)
    return;
  MlirAttribute precisions[2];
  for (int i = 0; i < 2; ++i)
    precisions[i] = xlaIrStringAttr(b->context, words[b->precisions[i]]);
  if (b->precisions[0] || b->precisions[1])
    xlaDraftAttr(draft, "precision_config",
                 mlirArrayAttrGet(b->context, 2, precisions));
  // Only the element type of what is stated counts.
  XlaShape stated = {.elementType = b->productsType};
  if (b->productsType)
    xlaDraftResultShape(draft, &stated);
}

XlaOp xlaBuilderDot(XlaBuilder *b, XlaOp lhs, XlaOp rhs) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindDot);
  xlaDraftOperand(&draft, lhs);
  xlaDraftOperand(&draft, rhs);
  xlaDraftProducts(&draft);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderDotGeneral(XlaBuilder *b, XlaOp lhs, XlaOp rhs,
                           const XlaDotDimensionNumbers *numbers) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindDotGeneral);
  xlaDraftOperand(&draft, lhs);
  xlaDraftOperand(&draft, rhs);
  if (draft.b && !numbers)
    xlaBuilderFail(b, "the dimension numbers are NULL");
  if (draft.b && numbers) {
    xlaDraftInts(&draft, "lhs_batching_dimensions", numbers->lhsBatch,
                 numbers->nBatch);
    xlaDraftInts(&draft, "rhs_batching_dimensions", numbers->rhsBatch,
                 numbers->nBatch);
    xlaDraftInts(&draft, "lhs_contracting_dimensions", numbers->lhsContracting,
                 numbers->nContracting);
    xlaDraftInts(&draft, "rhs_contracting_dimensions", numbers->rhsContracting,
                 numbers->nContracting);
  }
  xlaDraftProducts(&draft);
  return xlaDraftFinish(&draft);
}

//===----------------------------------------------------------------------===//
// Over elements
//===----------------------------------------------------------------------===//

static XlaOp reduce(XlaBuilder *b, const char *function, const XlaOp *operands,
                    const XlaOp *initValues, intptr_t n,
                    const XlaComputation *computation,
                    const int64_t *dimensions, intptr_t nDimensions) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, XlaOpKindReduce);
  xlaDraftOperands(&draft, "operands", operands, n);
  xlaDraftOperands(&draft, "initValues", initValues, n);
  xlaDraftInts(&draft, "dimensions", dimensions, nDimensions);
  xlaDraftRegion(&draft, computation, true);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderReduce(XlaBuilder *b, const XlaOp *operands,
                       const XlaOp *initValues, intptr_t n,
                       const XlaComputation *computation,
                       const int64_t *dimensions, intptr_t nDimensions) {
  return reduce(b, __func__, operands, initValues, n, computation, dimensions,
                nDimensions);
}

XlaOp xlaBuilderReduceAll(XlaBuilder *b, XlaOp operand, XlaOp initValue,
                          const XlaComputation *computation) {
  XlaShape shape;
  int64_t dimensions[XLA_MAX_RANK];
  if (!xlaBuilderBegin(b, __func__) ||
      !xlaBuilderOperandBounded(b, operand, &shape))
    return (XlaOp){0};
  for (int d = 0; d < shape.rank; ++d)
    dimensions[d] = d;
  return reduce(b, __func__, &operand, &initValue, 1, computation, dimensions,
                shape.rank);
}

XlaOp xlaBuilderMap(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                    const XlaComputation *computation,
                    const int64_t *dimensions, intptr_t nDimensions,
                    const XlaOp *staticOperands, intptr_t nStatic) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindMap);
  xlaDraftOperands(&draft, "operands", operands, n);
  xlaDraftOperands(&draft, "staticOperands", staticOperands, nStatic);
  xlaDraftInts(&draft, "dimensions", dimensions, nDimensions);
  xlaDraftRegion(&draft, computation, false);
  return xlaDraftFinish(&draft);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

XlaOp xlaBuilderWhile(XlaBuilder *b, const XlaComputation *condition,
                      const XlaComputation *body, XlaOp init) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindWhile);
  xlaDraftOperand(&draft, init);
  xlaDraftRegion(&draft, condition, false);
  xlaDraftRegion(&draft, body, false);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderConditional(XlaBuilder *b, XlaOp pred, XlaOp trueOperand,
                            const XlaComputation *trueComputation,
                            XlaOp falseOperand,
                            const XlaComputation *falseComputation) {
  XlaDraft draft;
  XlaShape shape;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindConditional);
  xlaDraftOperand(&draft, pred);
  if (draft.b && xlaBuilderOperandShape(b, pred, &shape) &&
      shape.elementType != XlaElementTypePred)
    xlaBuilderFail(b, "pred is %s", XLA_SHAPE_TEXT(&shape));
  xlaDraftOperand(&draft, trueOperand);
  xlaDraftOperand(&draft, falseOperand);
  xlaDraftRegion(&draft, trueComputation, false);
  xlaDraftRegion(&draft, falseComputation, false);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderSwitch(XlaBuilder *b, XlaOp branchIndex,
                       const XlaComputation *const *branchComputations,
                       const XlaOp *branchOperands, intptr_t n) {
  XlaDraft draft;
  XlaShape shape;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindConditional);
  xlaDraftOperand(&draft, branchIndex);
  if (draft.b && xlaBuilderOperandShape(b, branchIndex, &shape) &&
      shape.elementType != XlaElementTypeS32)
    xlaBuilderFail(b, "branchIndex is %s, must be tensor<i32>",
                   XLA_SHAPE_TEXT(&shape));
  xlaDraftOperands(&draft, "branchOperands", branchOperands, n);
  if (draft.b &&
      xlaBuilderCheckList(b, "branchComputations", branchComputations, n))
    for (intptr_t i = 0; i < n; ++i)
      xlaDraftRegion(&draft, branchComputations[i], false);
  return xlaDraftFinish(&draft);
}

/// Whether the operands of `draft` are what `computation` takes.
static void checkArguments(XlaDraft *draft, const XlaComputation *computation) {
  XlaBuilder *b = draft->b;
  intptr_t n = xlaComputationGetNumParameters(computation);
  if (draft->nOperands != n)
    xlaBuilderFail(b, "'%.100s' takes %lld arguments, gets %lld",
                   computation->name, (long long)n,
                   (long long)draft->nOperands);
  for (intptr_t i = 0; i < n && !b->failed; ++i) {
    MlirType wanted = xlaComputationGetParameterType(computation, i);
    MlirType given = mlirValueGetType(draft->operands[i]);
    if (!xlaTypeEqualIgnoringLayout(wanted, given))
      xlaBuilderFail(b, "argument %lld of '%.100s' is %s, gets %s",
                     (long long)i, computation->name, XLA_TYPE_TEXT(wanted),
                     XLA_TYPE_TEXT(given));
  }
}

XlaOp xlaBuilderCall(XlaBuilder *b, const XlaComputation *computation,
                     const XlaOp *operands, intptr_t n) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindCall);
  xlaDraftOperands(&draft, "operands", operands, n);
  if (!draft.b || b->failed || !xlaBuilderCheckComputation(b, computation))
    return xlaDraftFinish(&draft);
  checkArguments(&draft, computation);
  const char *symbol =
      b->failed ? NULL : xlaCalleesAdd(&b->callees, computation);
  if (symbol) {
    xlaDraftAttr(&draft, "callee",
                 mlirFlatSymbolRefAttrGet(
                     b->context, mlirStringRefCreateFromCString(symbol)));
    xlaDraftResult(&draft, xlaComputationGetResultType(computation));
    b->nOperations += computation->nOperations;
    if (b->depth < computation->depth)
      b->depth = computation->depth;
  } else {
    xlaBuilderFail(b, "out of memory");
  }
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderCustomCall(XlaBuilder *b, const char *target,
                           const XlaOp *operands, intptr_t n, MlirType type) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindCustomCall);
  xlaDraftOperands(&draft, "operands", operands, n);
  xlaDraftString(&draft, "call_target_name", target ? target : "");
  xlaDraftResult(&draft, type);
  return xlaDraftFinish(&draft);
}

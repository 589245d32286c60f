//===- dot.c - Contractions -----------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over batch, rows, columns and the contracted dimensions, with the sum
// in a register: the meaning of the kernel, for whatever a device's own emitter
// does not take. f16 and bf16 are summed in f32 and rounded once.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/dot.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct Dot {
  XlaKernel *kernel;
  MlirOperation op;
  XlaDotDimensions dims;
  XlaShape lhs, rhs, result;
  XlaElementType sum;  ///< of the accumulator
  bool isEmpty;        ///< sums of no terms
  MlirValue zero, one; ///< indices
  MlirValue lhsIndex[XLA_MAX_RANK], rhsIndex[XLA_MAX_RANK];
  MlirValue resultIndex[XLA_MAX_RANK];
} Dot;

static XlaElementType sumType(XlaElementType result) {
  return result == XlaElementTypeF16 || result == XlaElementTypeBF16
             ? XlaElementTypeF32
             : result;
}

static MlirValue loadOperand(Dot *dot, XlaIr *ir, intptr_t operand,
                             const XlaShape *shape, const MlirValue *index) {
  MlirValue value = mlirOperationGetOperand(dot->op, operand);
  MlirValue memref = xlaKernelGetBuffer(dot->kernel, value)->memref;
  MlirValue element = xlaIrLoad(ir, memref, shape->rank, index);
  element = xlaScalarFromMemory(ir, shape->elementType, element);
  return xlaLowerConvert(ir, shape->elementType, dot->sum, element);
}

static MlirValue binary(Dot *dot, XlaIr *ir, XlaOpKind kind, MlirValue a,
                        MlirValue b) {
  MlirValue operands[2] = {a, b};
  switch (xlaElementTypeGetInfo(dot->sum)->typeClass) {
  case XlaTypeClassPred:
    return xlaLowerPred(ir, kind, operands);
  case XlaTypeClassFloat:
    return xlaLowerFloat(ir, kind, operands);
  case XlaTypeClassSigned:
  case XlaTypeClassUnsigned:
  case XlaTypeClassComplex:
    break;
  }
  return xlaLowerInteger(ir, kind, dot->sum, operands);
}

/// The sum over contracted dimensions from the `k`-th on, added to `sum`.
static MlirValue contract(Dot *dot, XlaIr *ir, int k, MlirValue sum) {
  if (k == dot->dims.lhs.contracting.size) {
    MlirValue a = loadOperand(dot, ir, 0, &dot->lhs, dot->lhsIndex);
    MlirValue b = loadOperand(dot, ir, 1, &dot->rhs, dot->rhsIndex);
    return binary(dot, ir, XlaOpKindAdd, sum,
                  binary(dot, ir, XlaOpKindMultiply, a, b));
  }
  int64_t l = dot->dims.lhs.contracting.values[k];
  int64_t r = dot->dims.rhs.contracting.values[k];
  XlaIr body;
  MlirOperation loop =
      xlaIrFor(ir, dot->zero, xlaIrConstantIndex(ir, dot->lhs.dims[l]),
               dot->one, 1, &sum, &body);
  dot->lhsIndex[l] = dot->rhsIndex[r] = mlirBlockGetArgument(body.block, 0);
  MlirValue next =
      contract(dot, &body, k + 1, mlirBlockGetArgument(body.block, 1));
  xlaIrYield(&body, 1, &next);
  return mlirOperationGetResult(loop, 0);
}

static void storeSum(Dot *dot, XlaIr *ir, MlirValue result) {
  MlirType type = xlaScalarRegisterType(dot->sum, ir->context);
  MlirValue zero = mlirTypeIsAFloat(type) ? xlaIrConstantFloat(ir, type, 0)
                                          : xlaIrConstantInt(ir, type, 0);
  MlirValue sum = dot->isEmpty ? zero : contract(dot, ir, 0, zero);
  XlaElementType element = dot->result.elementType;
  sum = xlaScalarToMemory(ir, element,
                          xlaLowerConvert(ir, dot->sum, element, sum));
  xlaIrStore(ir, sum, result, dot->result.rank, dot->resultIndex);
}

/// Loops over the result's dimensions from `d` on.
static void visitResult(Dot *dot, XlaIr *ir, int d, MlirValue result) {
  const XlaDotSide *lhs = &dot->dims.lhs, *rhs = &dot->dims.rhs;
  XlaIr body;
  if (d == dot->result.rank) {
    storeSum(dot, ir, result);
    return;
  }
  xlaIrFor(ir, dot->zero, xlaIrConstantIndex(ir, dot->result.dims[d]), dot->one,
           0, NULL, &body);
  MlirValue i = dot->resultIndex[d] = mlirBlockGetArgument(body.block, 0);
  int row = d - lhs->batch.size, column = row - lhs->free.size;
  if (row < 0) {
    dot->lhsIndex[lhs->batch.values[d]] = i;
    dot->rhsIndex[rhs->batch.values[d]] = i;
  } else if (column < 0) {
    dot->lhsIndex[lhs->free.values[row]] = i;
  } else {
    dot->rhsIndex[rhs->free.values[column]] = i;
  }
  visitResult(dot, &body, d + 1, result);
  xlaIrYield(&body, 0, NULL);
}

static void setList(MlirOperation function, const char *name,
                    const XlaI64List *list) {
  mlirOperationSetDiscardableAttributeByName(
      function, mlirStringRefCreateFromCString(name),
      mlirDenseI64ArrayGet(mlirOperationGetContext(function), list->size,
                           list->values));
}

static void setUnit(MlirOperation function, const char *name) {
  mlirOperationSetDiscardableAttributeByName(
      function, mlirStringRefCreateFromCString(name),
      mlirUnitAttrGet(mlirOperationGetContext(function)));
}

static void setUnsigned(MlirOperation function, const char *name,
                        XlaElementType type) {
  XlaTypeClass class = xlaElementTypeGetInfo(type)->typeClass;
  if (class == XlaTypeClassUnsigned || class == XlaTypeClassPred)
    setUnit(function, name);
}

static void describe(const Dot *dot, MlirOperation function) {
  setList(function, "xla.lhs_batch", &dot->dims.lhs.batch);
  setList(function, "xla.rhs_batch", &dot->dims.rhs.batch);
  setList(function, "xla.lhs_contracting", &dot->dims.lhs.contracting);
  setList(function, "xla.rhs_contracting", &dot->dims.rhs.contracting);
  setUnsigned(function, "xla.lhs_unsigned", dot->lhs.elementType);
  setUnsigned(function, "xla.rhs_unsigned", dot->rhs.elementType);
  if (dot->result.elementType == XlaElementTypePred)
    setUnit(function, "xla.is_pred");
}

/// The loops of a product that is part of its kernel, in one operation.
static void visitMarked(Dot *dot, XlaIr *ir, MlirValue result) {
  XlaIr body;
  MlirOperation once =
      xlaIrFor(ir, dot->zero, dot->one, dot->one, 0, NULL, &body);
  setUnit(once, "xla.contraction");
  visitResult(dot, &body, 0, result);
  xlaIrYield(&body, 0, NULL);
}

/// Arguments of the function that are summed; false if an operand is none.
static bool setOperands(const Dot *dot, MlirOperation function) {
  XlaI64List list = {.size = 2};
  for (int side = 0; side < 2; ++side) {
    MlirValue value = mlirOperationGetOperand(dot->op, side);
    const XlaKernelBuffer *buffer = xlaKernelGetBuffer(dot->kernel, value);
    if (!mlirValueIsABlockArgument(buffer->memref))
      return false;
    list.values[side] = mlirBlockArgumentGetArgNumber(buffer->memref);
  }
  setList(function, "xla.operands", &list);
  return true;
}

static bool isContraction(MlirOperation function) {
  MlirAttribute kind = mlirOperationGetAttributeByName(
      function, mlirStringRefCreateFromCString("xla.kind"));
  return mlirStringRefEqual(mlirStringAttrGetValue(kind),
                            mlirStringRefCreateFromCString("contraction"));
}

MlirLogicalResult xlaDotEmit(XlaKernel *kernel, MlirOperation op,
                             MlirOperation function, MlirValue result) {
  XlaIr *ir = &kernel->ir;
  Dot dot = {.kernel = kernel,
             .op = op,
             .lhs = xlaKernelShapeOf(mlirOperationGetOperand(op, 0)),
             .rhs = xlaKernelShapeOf(mlirOperationGetOperand(op, 1)),
             .result = xlaKernelShapeOf(mlirOperationGetResult(op, 0))};
  bool isPart = !mlirOperationEqual(op, kernel->op);
  dot.sum = sumType(dot.result.elementType);
  xlaDotGetDimensions(op, &dot.dims);
  if (isContraction(function) && (!isPart || setOperands(&dot, function)))
    describe(&dot, function);
  for (int i = 0; i < dot.dims.lhs.contracting.size; ++i)
    dot.isEmpty |= !dot.lhs.dims[dot.dims.lhs.contracting.values[i]];
  int64_t count = 0;
  xlaShapeGetElementCount(&dot.result, &count);
  if (!count)
    return mlirLogicalResultSuccess();
  dot.zero = xlaIrConstantIndex(ir, 0);
  dot.one = xlaIrConstantIndex(ir, 1);
  if (isPart)
    visitMarked(&dot, ir, result);
  else
    visitResult(&dot, ir, 0, result);
  return mlirLogicalResultSuccess();
}

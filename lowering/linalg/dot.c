//===- dot.c - Contractions -----------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fill with zeros and a generic over batch, rows, columns and the contracted
// dimensions, in which layouts are maps and element types are what widens the
// inputs. f16 and bf16 are summed in f32, in memory that schedules keep in
// registers, and rounded once.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/dot.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/BuiltinTypes.h"

typedef struct Dot {
  XlaKernel *kernel;
  MlirOperation op;
  XlaDotDimensions dims;
  XlaShape lhs, rhs, result;
  XlaElementType sum; ///< of the accumulator
  int nLoops;         ///< those of the result, and the contracted ones
} Dot;

static XlaElementType sumType(XlaElementType result) {
  return result == XlaElementTypeF16 || result == XlaElementTypeBF16
             ? XlaElementTypeF32
             : result;
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

static MlirValue binary(const Dot *dot, XlaIr *ir, XlaOpKind kind, MlirValue a,
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

static MlirValue zero(const Dot *dot, XlaIr *ir) {
  MlirType type = xlaScalarRegisterType(dot->sum, ir->context);
  return mlirTypeIsAFloat(type) ? xlaIrConstantFloat(ir, type, 0)
                                : xlaIrConstantInt(ir, type, 0);
}

/// A block with an argument for an element of each memref.
static MlirBlock beginBody(XlaIr *ir, intptr_t n, const MlirValue *memrefs,
                           XlaIr *body) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  for (intptr_t i = 0; i < n; ++i)
    mlirBlockAddArgument(block, xlaIrElementType(mlirValueGetType(memrefs[i])),
                         ir->location);
  *body = xlaIrIn(*ir, block);
  return block;
}

static MlirValue readInput(const Dot *dot, XlaIr *ir, intptr_t i,
                           XlaElementType type) {
  MlirValue element = mlirBlockGetArgument(ir->block, i);
  element = xlaScalarFromMemory(ir, type, element);
  return xlaLowerConvert(ir, type, dot->sum, element);
}

static void yield(XlaIr *ir, MlirValue value) {
  xlaIrCreate(ir, "linalg.yield", 1, &value, 0, NULL, 0, NULL, 0, NULL);
}

/// sum + lhs * rhs; where nothing is contracted outputs are not read.
static MlirBlock sumBody(const Dot *dot, const MlirValue *memrefs) {
  XlaIr body;
  MlirBlock block = beginBody(&dot->kernel->ir, 3, memrefs, &body);
  MlirValue a = readInput(dot, &body, 0, dot->lhs.elementType);
  MlirValue b = readInput(dot, &body, 1, dot->rhs.elementType);
  MlirValue sum =
      dot->dims.lhs.contracting.size
          ? xlaScalarFromMemory(&body, dot->sum, mlirBlockGetArgument(block, 2))
          : zero(dot, &body);
  sum = binary(dot, &body, XlaOpKindAdd, sum,
               binary(dot, &body, XlaOpKindMultiply, a, b));
  yield(&body, xlaScalarToMemory(&body, dot->sum, sum));
  return block;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The loop that goes over each dimension of an operand.
static MlirAffineMap mapOf(const Dot *dot, const XlaDotSide *side, int rank,
                           int firstFree) {
  MlirContext context = dot->kernel->ir.context;
  MlirAffineExpr exprs[XLA_MAX_RANK];
  for (int i = 0; i < side->batch.size; ++i)
    exprs[side->batch.values[i]] = mlirAffineDimExprGet(context, i);
  for (int i = 0; i < side->free.size; ++i)
    exprs[side->free.values[i]] = mlirAffineDimExprGet(context, firstFree + i);
  for (int i = 0; i < side->contracting.size; ++i)
    exprs[side->contracting.values[i]] =
        mlirAffineDimExprGet(context, dot->result.rank + i);
  return mlirAffineMapGet(context, dot->nLoops, 0, rank, exprs);
}

static MlirLogicalResult check(const Dot *dot, MlirOperation written) {
  return mlirOperationIsNull(written) ? xlaKernelNoMemory(dot->kernel)
                                      : mlirLogicalResultSuccess();
}

static MlirLogicalResult emitSums(const Dot *dot, MlirValue sums) {
  const XlaDotSide *lhs = &dot->dims.lhs, *rhs = &dot->dims.rhs;
  MlirContext context = dot->kernel->ir.context;
  MlirValue operands[3] = {{NULL}, {NULL}, sums};
  MlirAffineExpr exprs[XLA_MAX_RANK];
  bool isReduction[2 * XLA_MAX_RANK] = {false};
  for (int i = 0; i < 2; ++i)
    operands[i] =
        xlaKernelGetBuffer(dot->kernel, mlirOperationGetOperand(dot->op, i))
            ->memref;
  for (int d = 0; d < dot->result.rank; ++d)
    exprs[d] = mlirAffineDimExprGet(context, d);
  for (int d = dot->result.rank; d < dot->nLoops; ++d)
    isReduction[d] = true;
  MlirAffineMap maps[3] = {
      mapOf(dot, lhs, dot->lhs.rank, lhs->batch.size),
      mapOf(dot, rhs, dot->rhs.rank, lhs->batch.size + lhs->free.size),
      mlirAffineMapGet(context, dot->nLoops, 0, dot->result.rank, exprs)};
  return check(dot, xlaLinalgGeneric(&dot->kernel->ir, 2, 1, operands, maps,
                                     dot->nLoops, isReduction,
                                     sumBody(dot, operands)));
}

/// result = sums, rounded.
static MlirLogicalResult emitRounding(const Dot *dot, MlirValue sums,
                                      MlirValue result) {
  XlaIr *ir = &dot->kernel->ir, body;
  MlirValue operands[2] = {sums, result};
  MlirBlock block = beginBody(ir, 2, operands, &body);
  yield(&body, xlaLowerConvert(&body, dot->sum, dot->result.elementType,
                               mlirBlockGetArgument(block, 0)));
  MlirAffineMap map =
      mlirAffineMapMultiDimIdentityGet(ir->context, dot->result.rank);
  return check(dot,
               xlaLinalgGeneric(ir, 1, 1, operands, (MlirAffineMap[]){map, map},
                                dot->result.rank, NULL, block));
}

static MlirValue allocateSums(const Dot *dot) {
  MlirContext context = dot->kernel->ir.context;
  return xlaLinalgAlloc(
      &dot->kernel->ir,
      mlirMemRefTypeGet(xlaScalarMemoryType(dot->sum, context),
                        dot->result.rank, dot->result.dims,
                        mlirAttributeGetNull(), mlirAttributeGetNull()));
}

MlirLogicalResult xlaDotEmit(XlaKernel *kernel, MlirOperation op,
                             MlirValue result) {
  XlaIr *ir = &kernel->ir;
  Dot dot = {.kernel = kernel,
             .op = op,
             .lhs = xlaKernelShapeOf(mlirOperationGetOperand(op, 0)),
             .rhs = xlaKernelShapeOf(mlirOperationGetOperand(op, 1)),
             .result = xlaKernelShapeOf(mlirOperationGetResult(op, 0))};
  dot.sum = sumType(dot.result.elementType);
  xlaDotGetDimensions(op, &dot.dims);
  const XlaI64List *contracting = &dot.dims.lhs.contracting;
  dot.nLoops = dot.result.rank + contracting->size;
  bool isEmpty = false;
  for (int i = 0; i < contracting->size; ++i)
    isEmpty |= !dot.lhs.dims[contracting->values[i]];
  if (dot.nLoops > XLA_MAX_RANK)
    return xlaOpUnsupported(op, NULL,
                            "has %d dimensions with those that it contracts, "
                            "more than the %d that are lowered",
                            dot.nLoops, XLA_MAX_RANK);
  MlirValue sums =
      dot.sum == dot.result.elementType ? result : allocateSums(&dot);
  if (contracting->size)
    xlaLinalgFill(ir, xlaScalarToMemory(ir, dot.sum, zero(&dot, ir)), sums);
  MlirLogicalResult written =
      isEmpty ? mlirLogicalResultSuccess() : emitSums(&dot, sums);
  return mlirLogicalResultIsSuccess(written) && !mlirValueEqual(sums, result)
             ? emitRounding(&dot, sums, result)
             : written;
}

//===- contraction.c - Which statements are contractions ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/contraction.h"
#include "xlac/lowering/affine/combiner.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

/// Appends a dimension inside of those so far, as one with the last where every
/// step of that is a whole run of this.
static void append(XlaContractionDims *list, XlaContractionDim dim) {
  XlaContractionDim *last = list->n ? &list->dims[list->n - 1] : NULL;
  list->size *= dim.size;
  bool merges = last && last->lhs == dim.lhs * dim.size &&
                last->rhs == dim.rhs * dim.size &&
                last->result == dim.result * dim.size;
  for (int i = 0; merges && i < XLA_CONTRACTION_MAX_INPUTS; ++i)
    merges = last->inputs[i] == dim.inputs[i] * dim.size;
  if (merges) {
    dim.size *= last->size;
    *last = dim;
  } else {
    list->dims[list->n++] = dim;
  }
}

/// The dimensions of the sums in the order that the lhs has in memory, so that
/// they merge whatever order the loops have.
static void appendTerms(XlaContractionDims *terms, XlaContractionDim *dims,
                        int n) {
  for (int i = 1; i < n; ++i)
    for (int k = i; k > 0 && dims[k - 1].lhs < dims[k].lhs; --k) {
      XlaContractionDim dim = dims[k];
      dims[k] = dims[k - 1];
      dims[k - 1] = dim;
    }
  for (int i = 0; i < n; ++i)
    append(terms, dims[i]);
}

static void clear(XlaContraction *contraction) {
  contraction->batch.n = contraction->rows.n = 0;
  contraction->columns.n = contraction->terms.n = 0;
  contraction->batch.size = contraction->rows.size = 1;
  contraction->columns.size = contraction->terms.size = 1;
}

bool xlaContractionSortDims(XlaContraction *contraction,
                            const XlaContractionDim *dims,
                            const bool *reduction, int n) {
  XlaContractionDim terms[XLA_SCHED_MAX_DIMS];
  int nTerms = 0;
  clear(contraction);
  for (int d = 0; d < n; ++d) {
    const XlaContractionDim *dim = &dims[d];
    if (reduction[d]) {
      if (!dim->lhs || !dim->rhs)
        return false;
      terms[nTerms++] = *dim;
    } else if (!dim->result || (!dim->lhs && !dim->rhs)) {
      return false;
    } else {
      append(!dim->lhs   ? &contraction->columns
             : !dim->rhs ? &contraction->rows
                         : &contraction->batch,
             *dim);
    }
  }
  appendTerms(&contraction->terms, terms, nTerms);
  return true;
}

XlaContractionDim xlaContractionDimOf(const XlaSchedStatement *sum, int d) {
  return (XlaContractionDim){.size = sum->sizes[d],
                             .lhs = sum->accesses[0].strides[d],
                             .rhs = sum->accesses[1].strides[d],
                             .result = sum->accesses[2].strides[d]};
}

static bool readDims(XlaContraction *contraction,
                     const XlaSchedStatement *statement) {
  XlaContractionDim dims[XLA_SCHED_MAX_DIMS];
  for (int d = 0; d < statement->nDims; ++d)
    dims[d] = xlaContractionDimOf(statement, d);
  return xlaContractionSortDims(contraction, dims, statement->reduction,
                                statement->nDims);
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

static MlirOperation definingOp(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                     : (MlirOperation){NULL};
}

/// To the type of the sums. Sums of integers are exact modulo their width, so
/// that operands may be narrowed as well.
static bool isConversion(MlirOperation op) {
  return op.ptr &&
         (xlaIrIsOp(op, "arith.extsi") || xlaIrIsOp(op, "arith.extui") ||
          xlaIrIsOp(op, "arith.extf") || xlaIrIsOp(op, "arith.trunci"));
}

static bool isBit(MlirType type) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

/// The input that is `value` when converted, or -1. A pred is a bit of a byte
/// before it is converted.
static intptr_t inputOf(const XlaSchedStatement *statement, MlirValue value,
                        bool *isUnsigned) {
  MlirOperation op = definingOp(value);
  *isUnsigned = op.ptr && xlaIrIsOp(op, "arith.extui");
  if (isConversion(op)) {
    value = mlirOperationGetOperand(op, 0);
    op = definingOp(value);
    if (*isUnsigned && isBit(mlirValueGetType(value)) && op.ptr &&
        xlaIrIsOp(op, "arith.trunci"))
      value = mlirOperationGetOperand(op, 0);
  }
  return mlirValueIsABlockArgument(value) &&
                 mlirBlockEqual(mlirBlockArgumentGetOwner(value),
                                statement->body)
             ? mlirBlockArgumentGetArgNumber(value)
             : -1;
}

/// Whether the body adds the product of both inputs to the accumulator.
static bool readBody(XlaContraction *contraction,
                     const XlaSchedStatement *statement) {
  XlaSchedReducer reducer;
  bool isUnsigned[2];
  if (!xlaSchedReducersRead(statement, &reducer) || reducer.widen)
    return false;
  MlirOperation add = definingOp(reducer.carriedOut);
  bool isFloat = xlaIrIsOp(add, "arith.addf");
  if (!isFloat && !xlaIrIsOp(add, "arith.addi"))
    return false;
  int other =
      mlirValueEqual(mlirOperationGetOperand(add, 0), reducer.carriedIn);
  MlirOperation mul = definingOp(mlirOperationGetOperand(add, other));
  if (!mul.ptr || !xlaIrIsOp(mul, isFloat ? "arith.mulf" : "arith.muli"))
    return false;
  intptr_t first =
      inputOf(statement, mlirOperationGetOperand(mul, 0), &isUnsigned[0]);
  intptr_t second =
      inputOf(statement, mlirOperationGetOperand(mul, 1), &isUnsigned[1]);
  contraction->lhsUnsigned = isUnsigned[first != 0];
  contraction->rhsUnsigned = isUnsigned[first == 0];
  return first + second == 1 && first * second == 0;
}

bool xlaContractionRead(XlaContraction *contraction,
                        const XlaSchedStatement *statement) {
  clear(contraction);
  if (statement->isEmpty || !statement->body.ptr || statement->nIns != 2 ||
      statement->nOuts != 1)
    return false;
  for (int i = 0; i < 3; ++i)
    if (statement->accesses[i].offset || statement->accesses[i].dynamicOffset)
      return false;
  return readBody(contraction, statement) && readDims(contraction, statement);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

bool xlaContractionIsBetween(MlirOperation op) {
  return xlaIrIsOp(op, "arith.constant") || xlaIrIsOp(op, "memref.alloc") ||
         xlaIrIsOp(op, "memref.get_global") || xlaIrIsOp(op, "memref.view") ||
         xlaIrIsOp(op, "memref.reinterpret_cast");
}

static MlirOperation previous(MlirOperation op) {
  MlirOperation found = {NULL};
  for (MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
       !mlirOperationEqual(at, op); at = mlirOperationGetNextInBlock(at))
    if (!xlaContractionIsBetween(at))
      found = at;
  return found;
}

static bool isZero(MlirValue value) {
  MlirOperation op = definingOp(value);
  int64_t integer;
  if (xlaIrReadInt(value, &integer))
    return integer == 0;
  if (!op.ptr || !xlaIrIsOp(op, "arith.constant"))
    return false;
  MlirAttribute attr = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("value"));
  double number =
      mlirAttributeIsAFloat(attr) ? mlirFloatAttrGetValueDouble(attr) : 1;
  return number == 0 && !signbit(number);
}

/// Finds what belongs to the sum.
static bool findFill(XlaContractionKernel *kernel) {
  kernel->fill = previous(kernel->sum);
  return kernel->fill.ptr && xlaIrIsOp(kernel->fill, "linalg.fill") &&
         mlirValueEqual(mlirOperationGetOperand(kernel->fill, 1),
                        kernel->sums) &&
         isZero(mlirOperationGetOperand(kernel->fill, 0));
}

bool xlaContractionIsOnlyUsedBy(MlirValue value, int n,
                                const MlirOperation *ops) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    int i = 0;
    while (i < n && !mlirOperationEqual(ops[i], mlirOpOperandGetOwner(use)))
      ++i;
    if (i == n)
      return false;
  }
  return true;
}

/// Is `op` a generic with one input, all of which it rounds to its output?
static bool isRounding(MlirOperation op, MlirValue sums) {
  MlirOperation source = definingOp(sums);
  if (!op.ptr || !xlaIrIsOp(op, "linalg.generic") || !source.ptr ||
      !xlaIrIsOp(source, "memref.alloc") ||
      mlirOperationGetNumOperands(op) != 2 ||
      !mlirValueEqual(mlirOperationGetOperand(op, 0), sums))
    return false;
  MlirAttribute maps = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("indexing_maps"));
  for (int i = 0; i < 2; ++i)
    if (!mlirAffineMapIsIdentity(
            mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i))))
      return false;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirOperation first = mlirBlockGetFirstOperation(body);
  return xlaIrIsOp(first, "arith.truncf") &&
         mlirValueEqual(mlirOperationGetOperand(first, 0),
                        mlirBlockGetArgument(body, 0)) &&
         mlirValueEqual(
             mlirOperationGetResult(first, 0),
             mlirOperationGetOperand(mlirBlockGetTerminator(body), 0));
}

static void findRounding(XlaContractionKernel *kernel) {
  MlirOperation next = mlirOperationGetNextInBlock(kernel->sum);
  while (next.ptr && xlaContractionIsBetween(next))
    next = mlirOperationGetNextInBlock(next);
  MlirOperation ops[3] = {kernel->fill, kernel->sum, next};
  kernel->product = kernel->sums;
  kernel->round = (MlirOperation){NULL};
  if (!isRounding(next, kernel->sums) ||
      !xlaContractionIsOnlyUsedBy(kernel->sums, 3, ops))
    return;
  kernel->round = next;
  kernel->product = mlirOperationGetOperand(next, 1);
}

static bool readSum(XlaContractionKernel *kernel, MlirOperation op) {
  XlaSchedStatement statement;
  MlirAttribute maps = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("indexing_maps"));
  if (!xlaIrIsOp(op, "linalg.generic") ||
      mlirArrayAttrGetNumElements(maps) != 3 ||
      mlirAffineMapGetNumDims(mlirAffineMapAttrGetValue(
          mlirArrayAttrGetElement(maps, 0))) > XLA_SCHED_MAX_DIMS)
    return false;
  kernel->failed =
      mlirLogicalResultIsFailure(xlaSchedStatementRead(op, &statement));
  bool isRead =
      !kernel->failed && xlaContractionRead(&kernel->contraction, &statement);
  free(statement.accesses);
  return isRead;
}

bool xlaContractionIsKernel(MlirOperation function) {
  MlirAttribute kind = mlirOperationGetAttributeByName(
      function, mlirStringRefCreateFromCString("xla.kind"));
  return !mlirAttributeIsNull(kind) && mlirAttributeIsAString(kind) &&
         mlirStringRefEqual(mlirStringAttrGetValue(kind),
                            mlirStringRefCreateFromCString("contraction"));
}

bool xlaContractionAt(XlaContractionKernel *kernel, MlirOperation op) {
  memset(kernel, 0, sizeof *kernel);
  if (!readSum(kernel, op))
    return false;
  kernel->sum = op;
  kernel->lhs = mlirOperationGetOperand(op, 0);
  kernel->rhs = mlirOperationGetOperand(op, 1);
  kernel->sums = mlirOperationGetOperand(op, 2);
  if (!findFill(kernel)) {
    kernel->sum = (MlirOperation){NULL};
    return false;
  }
  findRounding(kernel);
  return true;
}

bool xlaContractionFind(XlaContractionKernel *kernel, MlirOperation function) {
  memset(kernel, 0, sizeof *kernel);
  if (!xlaContractionIsKernel(function))
    return false;
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (xlaContractionAt(kernel, op))
      return xlaContractionFindParts(kernel);
    if (kernel->failed)
      return false;
  }
  return false;
}

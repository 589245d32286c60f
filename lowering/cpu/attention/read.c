//===- read.c - Which kernels are attention -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first product says what rows are. From there statements are followed:
// what a dimension is in one of the arrays that it indexes, it is in all.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/attention/buffers.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

XlaCpuAttention *xlaCpuAttentionCreate(void) {
  return calloc(1, sizeof(XlaCpuAttention));
}

void xlaCpuAttentionDestroy(XlaCpuAttention *plan) {
  for (int i = 0; plan && i < plan->nStatements; ++i)
    free(plan->statements[i].statement.accesses);
  if (plan)
    free(plan->statements);
  free(plan);
}

bool xlaCpuAttentionIsKernel(MlirOperation function) {
  MlirAttribute kind = mlirOperationGetAttributeByName(
      function, mlirStringRefCreateFromCString("xla.kind"));
  return !mlirAttributeIsNull(kind) && mlirAttributeIsAString(kind) &&
         mlirStringRefEqual(mlirStringAttrGetValue(kind),
                            mlirStringRefCreateFromCString("attention"));
}

bool xlaCpuRowHasPhase(const XlaCpuAttention *plan, int phase) {
  for (int i = 0; i < plan->nStatements; ++i)
    if (plan->statements[i].phase == phase)
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool isOfProduct(const XlaCpuRowProduct *product, MlirOperation op) {
  const XlaContractionKernel *kernel = &product->kernel;
  return mlirOperationEqual(kernel->fill, op) ||
         mlirOperationEqual(kernel->sum, op) ||
         (kernel->round.ptr && mlirOperationEqual(kernel->round, op));
}

/// The two products; false if there are others.
static bool findProducts(XlaCpuAttention *plan) {
  int n = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(plan->block); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    XlaContractionKernel kernel;
    bool isProduct =
        xlaIrIsOp(op, "linalg.generic") && xlaContractionAt(&kernel, op);
    plan->failed |= xlaIrIsOp(op, "linalg.generic") && kernel.failed;
    if (plan->failed || (isProduct && n == 2))
      return false;
    if (!isProduct)
      continue;
    plan->products[n].kernel = kernel;
    plan->products[n].contraction = kernel.contraction;
    plan->products[n].lhs = kernel.lhs;
    plan->products[n++].rhs = kernel.rhs;
  }
  return n == 2;
}

/// Whether a body is arithmetic on what it gets, and on constants.
static bool isRowBody(const XlaSchedStatement *statement) {
  if (!statement->body.ptr)
    return xlaIrReadInt(mlirOperationGetOperand(statement->op, 0),
                        &(int64_t){0}) ||
           (mlirValueIsAOpResult(mlirOperationGetOperand(statement->op, 0)) &&
            xlaIrIsOp(
                mlirOpResultGetOwner(mlirOperationGetOperand(statement->op, 0)),
                "arith.constant"));
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (!xlaSchedIsLaneOp(op) && !xlaIrIsOp(op, "linalg.yield"))
      return false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue value = mlirOperationGetOperand(op, i);
      bool isOutside = !mlirBlockEqual(xlaIrBlockOf(value), statement->body);
      if (isOutside &&
          (mlirValueIsABlockArgument(value) ||
           !xlaIrIsOp(mlirOpResultGetOwner(value), "arith.constant")))
        return false;
    }
  }
  return true;
}

static bool addStatement(XlaCpuAttention *plan, MlirOperation op, int phase) {
  XlaCpuRowStatement *row = &plan->statements[plan->nStatements];
  *row = (XlaCpuRowStatement){.phase = phase};
  plan->failed =
      mlirLogicalResultIsFailure(xlaSchedStatementRead(op, &row->statement));
  ++plan->nStatements; // has accesses to free in any case
  return !plan->failed && !row->statement.isEmpty && !row->statement.nScanned &&
         isRowBody(&row->statement);
}

/// The other statements, and nothing else.
static bool findStatements(XlaCpuAttention *plan) {
  int count = 0, phase = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(plan->block); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    ++count;
  plan->statements = calloc((size_t)count + 1, sizeof *plan->statements);
  if (!plan->statements)
    return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(plan->block); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    for (int i = 0; i < 2; ++i)
      phase += mlirOperationEqual(op, plan->products[i].kernel.sum);
    if (isOfProduct(&plan->products[0], op) ||
        isOfProduct(&plan->products[1], op) || xlaContractionIsBetween(op) ||
        xlaIrIsOp(op, "func.return"))
      continue;
    if (!xlaSchedIsStatement(op) || !addStatement(plan, op, phase))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static void exchange(XlaContractionDims *list) {
  for (intptr_t i = 0; i < list->n; ++i) {
    int64_t lhs = list->dims[i].lhs;
    list->dims[i].lhs = list->dims[i].rhs;
    list->dims[i].rhs = lhs;
  }
}

/// C^T = B^T A^T.
static void transpose(XlaCpuRowProduct *product) {
  XlaContraction *contraction = &product->contraction;
  XlaContractionDims rows = contraction->rows;
  MlirValue lhs = product->lhs;
  bool isUnsigned = contraction->lhsUnsigned;
  product->lhs = product->rhs;
  product->rhs = lhs;
  contraction->lhsUnsigned = contraction->rhsUnsigned;
  contraction->rhsUnsigned = isUnsigned;
  contraction->rows = contraction->columns;
  contraction->columns = rows;
  exchange(&contraction->batch);
  exchange(&contraction->rows);
  exchange(&contraction->columns);
  exchange(&contraction->terms);
}

/// Whether it is there before the kernel runs.
static bool isOutside(MlirValue root) {
  return mlirValueIsABlockArgument(root) ||
         xlaIrIsOp(mlirOpResultGetOwner(root), "memref.get_global");
}

static bool isMatrix(const XlaContraction *contraction) {
  return contraction->rows.n <= 1 && contraction->columns.n <= 1 &&
         contraction->terms.n == 1;
}

/// The intermediate that a product has for its result, or for its lhs.
static int addProduct(XlaCpuAttention *plan, const XlaCpuRowProduct *product,
                      bool isLhs, int phase) {
  const XlaContraction *contraction = &product->contraction;
  const XlaContractionDims *inner =
      isLhs ? &contraction->terms : &contraction->columns;
  XlaCpuRowDim dims[XLA_SCHED_MAX_DIMS + 2];
  int n = 0;
  for (intptr_t i = 0; i < contraction->batch.n; ++i) {
    const XlaContractionDim *dim = &contraction->batch.dims[i];
    dims[n++] = (XlaCpuRowDim){isLhs ? dim->lhs : dim->result, dim->size,
                               product->units[i], 0};
  }
  for (intptr_t i = 0; i < contraction->rows.n; ++i) {
    const XlaContractionDim *dim = &contraction->rows.dims[i];
    dims[n++] = (XlaCpuRowDim){isLhs ? dim->lhs : dim->result, dim->size, 1, 0};
  }
  for (intptr_t i = 0; i < inner->n; ++i)
    dims[n++] =
        (XlaCpuRowDim){isLhs ? inner->dims[i].lhs : inner->dims[i].result,
                       inner->dims[i].size, 0, 0};
  MlirValue memory = isLhs ? product->lhs : product->kernel.product;
  return n > XLA_SCHED_MAX_DIMS
             ? -1
             : xlaCpuRowAddBuffer(plan, xlaSchedRoot(memory), n, dims, phase);
}

/// Numbers rows by the first product, of queries and keys.
static bool beginRows(XlaCpuAttention *plan) {
  XlaCpuRowProduct *product = &plan->products[0];
  const XlaContraction *contraction = &product->contraction;
  if (!isMatrix(contraction) || !isOutside(xlaSchedRoot(product->rhs)) ||
      isOutside(xlaSchedRoot(product->kernel.product)))
    return false;
  plan->queries = contraction->rows.size;
  plan->keys = contraction->columns.size;
  plan->batches = contraction->batch.size;
  int64_t unit = plan->queries;
  for (intptr_t i = contraction->batch.n; i-- > 0;) {
    product->units[i] = unit;
    unit *= contraction->batch.dims[i].size;
  }
  plan->scores = addProduct(plan, product, false, 1);
  plan->lhs = isOutside(xlaSchedRoot(product->lhs))
                  ? -1
                  : addProduct(plan, product, true, 0);
  return plan->scores >= 0 &&
         (plan->lhs >= 0 || isOutside(xlaSchedRoot(product->lhs)));
}

/// Finds the rows of the second product in those of its operand of weights.
static bool numberRows(const XlaCpuAttention *plan, XlaCpuRowProduct *product) {
  const XlaContraction *contraction = &product->contraction;
  int weights = xlaCpuRowBufferOf(plan, xlaSchedRoot(product->lhs));
  int64_t rows = plan->queries;
  XlaCpuRowDim dim;
  if (weights < 0 || !isMatrix(contraction) ||
      !isOutside(xlaSchedRoot(product->rhs)) ||
      contraction->rows.size != plan->queries ||
      contraction->terms.size != plan->buffers[weights].length)
    return false;
  const XlaCpuRowBuffer *buffer = &plan->buffers[weights];
  if (!xlaCpuRowFindDim(buffer, contraction->terms.dims[0].lhs,
                        contraction->terms.size, &dim) ||
      dim.unit || dim.inner != 1)
    return false;
  if (contraction->rows.n &&
      (!xlaCpuRowFindDim(buffer, contraction->rows.dims[0].lhs, plan->queries,
                         &dim) ||
       dim.unit != 1))
    return false;
  for (intptr_t i = 0; i < contraction->batch.n; ++i) {
    if (!xlaCpuRowFindDim(buffer, contraction->batch.dims[i].lhs,
                          contraction->batch.dims[i].size, &dim) ||
        !dim.unit || dim.unit % plan->queries)
      return false;
    product->units[i] = dim.unit;
    rows *= contraction->batch.dims[i].size;
  }
  return rows == plan->queries * plan->batches;
}

/// The product of weights and values.
static bool endRows(XlaCpuAttention *plan) {
  XlaCpuRowProduct *product = &plan->products[1];
  if (xlaCpuRowBufferOf(plan, xlaSchedRoot(product->lhs)) < 0)
    transpose(product);
  if (!numberRows(plan, product))
    return false;
  plan->weights = xlaCpuRowBufferOf(plan, xlaSchedRoot(product->lhs));
  plan->result = -1;
  if (isOutside(xlaSchedRoot(product->kernel.product)))
    return !product->contraction.columns.n ||
           product->contraction.columns.dims[0].result == 1;
  plan->result = addProduct(plan, product, false, 2);
  return plan->result >= 0;
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

/// What a dimension is in the known intermediates that it indexes: false if in
/// none, or not the same in all.
static bool findUnit(XlaCpuAttention *plan, const XlaSchedStatement *statement,
                     int d, int64_t *unit) {
  bool isFound = false;
  for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
    const XlaSchedAccess *access = &statement->accesses[i];
    int buffer = xlaCpuRowBufferOf(plan, access->root);
    XlaCpuRowDim dim;
    if (buffer < 0 || !access->strides[d])
      continue;
    if (!xlaCpuRowFindDim(&plan->buffers[buffer], access->strides[d],
                          statement->sizes[d], &dim) ||
        (isFound && dim.unit != *unit))
      return false;
    *unit = dim.unit;
    isFound = true;
  }
  return isFound;
}

/// Adds an intermediate that a statement writes, or looks at its uses.
static bool addAccess(XlaCpuAttention *plan, XlaCpuRowStatement *row,
                      const XlaSchedAccess *access, bool isWritten) {
  const XlaSchedStatement *statement = &row->statement;
  XlaCpuRowDim dims[XLA_SCHED_MAX_DIMS];
  int n = 0, buffer = xlaCpuRowBufferOf(plan, access->root);
  if (access->dynamicOffset)
    return false;
  if (isOutside(access->root))
    return true;
  for (int d = 0; d < statement->nDims; ++d)
    if (access->strides[d])
      dims[n++] = (XlaCpuRowDim){access->strides[d], statement->sizes[d],
                                 row->unit[d], 0};
  if (buffer < 0 && isWritten)
    buffer = xlaCpuRowAddBuffer(plan, access->root, n, dims, row->phase);
  if (buffer < 0 || access->offset)
    return false;
  if (row->phase < plan->buffers[buffer].firstPhase)
    plan->buffers[buffer].firstPhase = row->phase;
  if (row->phase > plan->buffers[buffer].lastPhase)
    plan->buffers[buffer].lastPhase = row->phase;
  return true;
}

/// Rows write what is outside at places of their own.
static bool isSeparate(const XlaCpuAttention *plan,
                       const XlaCpuRowStatement *row) {
  int64_t rows = 1;
  for (int d = 0; d < row->statement.nDims; ++d)
    rows *= row->unit[d] ? row->statement.sizes[d] : 1;
  return rows == plan->queries * plan->batches;
}

/// What is written outside is not read again: the schedule takes views at
/// places that are known when a function runs for different memory.
static bool isOnlyAccess(const XlaCpuAttention *plan, MlirValue root) {
  int count = 0;
  for (int i = 0; i < plan->nStatements; ++i) {
    const XlaSchedStatement *statement = &plan->statements[i].statement;
    for (int k = 0; k < statement->nIns + statement->nOuts; ++k)
      count += mlirValueEqual(statement->accesses[k].root, root);
  }
  return count == 1;
}

static bool finishStatement(XlaCpuAttention *plan, XlaCpuRowStatement *row) {
  const XlaSchedStatement *statement = &row->statement;
  for (int d = 0; d < statement->nDims; ++d)
    if (row->unit[d] && statement->reduction[d])
      return false;
  for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
    const XlaSchedAccess *access = &statement->accesses[i];
    bool isWritten = i >= statement->nIns;
    if (!addAccess(plan, row, access, isWritten) ||
        (isWritten && isOutside(access->root) &&
         (!isSeparate(plan, row) || !isOnlyAccess(plan, access->root))))
      return false;
  }
  return row->isKnown = true;
}

/// Follows statements as long as one becomes known; false if one is of another
/// form.
static bool follow(XlaCpuAttention *plan) {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (int i = 0; i < plan->nStatements; ++i) {
      XlaCpuRowStatement *row = &plan->statements[i];
      bool isFound = !row->isKnown;
      for (int d = 0; isFound && d < row->statement.nDims; ++d)
        isFound = findUnit(plan, &row->statement, d, &row->unit[d]);
      // A fill of a scalar says nothing: what uses it does.
      isFound &= row->statement.nDims || row->statement.body.ptr ||
                 xlaCpuRowBufferOf(plan, row->statement.accesses->root) >= 0;
      if (isFound && !finishStatement(plan, row))
        return false;
      isChanged |= isFound;
    }
  }
  return true;
}

/// Whether it is what was found in all of its arrays.
static bool isRight(XlaCpuAttention *plan, const XlaCpuRowStatement *row) {
  const XlaSchedStatement *statement = &row->statement;
  int64_t unit;
  if (!row->isKnown)
    return false;
  for (int d = 0; d < statement->nDims; ++d)
    if (!findUnit(plan, statement, d, &unit) || unit != row->unit[d])
      return false;
  return true;
}

static bool areRight(XlaCpuAttention *plan) {
  for (int i = 0; i < plan->nStatements; ++i)
    if (!isRight(plan, &plan->statements[i]))
      return false;
  return true;
}

bool xlaCpuAttentionRead(XlaCpuAttention *plan, MlirOperation function) {
  plan->function = function;
  plan->block = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  return findProducts(plan) && findStatements(plan) && beginRows(plan) &&
         follow(plan) && endRows(plan) && follow(plan) && areRight(plan);
}

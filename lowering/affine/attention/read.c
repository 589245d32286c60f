//===- read.c - Which kernels are attention -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first product says what rows are. From there statements are followed:
// what a dimension is in one of the arrays that it indexes, it is in all.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/attention/attention.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

void xlaAttentionFree(XlaAttention *attention) {
  for (int i = 0; i < attention->nStatements; ++i)
    free(attention->statements[i].statement.accesses);
  free(attention->statements);
}

bool xlaAttentionIsKernel(MlirOperation function) {
  MlirAttribute kind = mlirOperationGetAttributeByName(
      function, mlirStringRefCreateFromCString("xla.kind"));
  return !mlirAttributeIsNull(kind) && mlirAttributeIsAString(kind) &&
         mlirStringRefEqual(mlirStringAttrGetValue(kind),
                            mlirStringRefCreateFromCString("attention"));
}

bool xlaAttentionHasPhase(const XlaAttention *attention, int phase) {
  for (int i = 0; i < attention->nStatements; ++i)
    if (attention->statements[i].phase == phase)
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool isOfProduct(const XlaRowProduct *product, MlirOperation op) {
  const XlaContractionKernel *kernel = &product->kernel;
  return mlirOperationEqual(kernel->fill, op) ||
         mlirOperationEqual(kernel->sum, op) ||
         (kernel->round.ptr && mlirOperationEqual(kernel->round, op));
}

/// The two products; false if there are others.
static bool findProducts(XlaAttention *attention) {
  int n = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(attention->block); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    XlaContractionKernel kernel;
    bool isProduct =
        xlaIrIsOp(op, "linalg.generic") && xlaContractionAt(&kernel, op);
    attention->failed |= xlaIrIsOp(op, "linalg.generic") && kernel.failed;
    if (attention->failed || (isProduct && n == 2))
      return false;
    if (!isProduct)
      continue;
    attention->products[n].kernel = kernel;
    attention->products[n].contraction = kernel.contraction;
    attention->products[n].lhs = kernel.lhs;
    attention->products[n++].rhs = kernel.rhs;
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

static bool addStatement(XlaAttention *attention, MlirOperation op, int phase) {
  XlaRowStatement *row = &attention->statements[attention->nStatements];
  *row = (XlaRowStatement){.phase = phase};
  attention->failed =
      mlirLogicalResultIsFailure(xlaSchedStatementRead(op, &row->statement));
  ++attention->nStatements; // has accesses to free in any case
  return !attention->failed && !row->statement.isEmpty &&
         !row->statement.nScanned && isRowBody(&row->statement);
}

/// The other statements, and nothing else.
static bool findStatements(XlaAttention *attention) {
  int count = 0, phase = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(attention->block); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    ++count;
  attention->statements =
      calloc((size_t)count + 1, sizeof *attention->statements);
  if (!attention->statements)
    return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(attention->block); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    for (int i = 0; i < 2; ++i)
      phase += mlirOperationEqual(op, attention->products[i].kernel.sum);
    if (isOfProduct(&attention->products[0], op) ||
        isOfProduct(&attention->products[1], op) ||
        xlaContractionIsBetween(op) || xlaIrIsOp(op, "func.return"))
      continue;
    if (!xlaSchedIsStatement(op) || !addStatement(attention, op, phase))
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
static void transpose(XlaRowProduct *product) {
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

static bool isMatrix(const XlaContraction *contraction) {
  return contraction->columns.n <= 1 && contraction->terms.n == 1;
}

/// Makes all dimensions of rows but one those of a batch, along which the other
/// operand is the same: groups of queries that share keys.
static bool keepRows(XlaRowProduct *product, intptr_t kept) {
  XlaContraction *contraction = &product->contraction;
  XlaContractionDims *rows = &contraction->rows, *batch = &contraction->batch;
  if (rows->n <= 1)
    return true;
  if (batch->n + rows->n - 1 > XLA_SCHED_MAX_DIMS)
    return false;
  XlaContractionDim dim = rows->dims[kept];
  for (intptr_t i = 0; i < rows->n; ++i)
    if (i != kept) {
      batch->dims[batch->n] = rows->dims[i];
      batch->dims[batch->n++].rhs = 0;
      batch->size *= rows->dims[i].size;
    }
  rows->dims[0] = dim;
  rows->n = 1;
  rows->size = dim.size;
  return true;
}

/// The dimension of rows that tiles go along: rows are numbered in the order of
/// memory.
static intptr_t chooseRows(const XlaContractionDims *rows) {
  intptr_t last = 0;
  for (intptr_t i = 1; i < rows->n; ++i)
    last = rows->dims[i].result < rows->dims[last].result ? i : last;
  return last;
}

/// The intermediate that a product has for its result, or for its lhs.
static int addProduct(XlaAttention *attention, const XlaRowProduct *product,
                      bool isLhs, int phase) {
  const XlaContraction *contraction = &product->contraction;
  const XlaContractionDims *inner =
      isLhs ? &contraction->terms : &contraction->columns;
  XlaRowDim dims[XLA_SCHED_MAX_DIMS + 2];
  int n = 0;
  for (intptr_t i = 0; i < contraction->batch.n; ++i) {
    const XlaContractionDim *dim = &contraction->batch.dims[i];
    dims[n++] = (XlaRowDim){isLhs ? dim->lhs : dim->result, dim->size,
                            product->units[i], 0};
  }
  for (intptr_t i = 0; i < contraction->rows.n; ++i) {
    const XlaContractionDim *dim = &contraction->rows.dims[i];
    dims[n++] = (XlaRowDim){isLhs ? dim->lhs : dim->result, dim->size, 1, 0};
  }
  for (intptr_t i = 0; i < inner->n; ++i)
    dims[n++] = (XlaRowDim){isLhs ? inner->dims[i].lhs : inner->dims[i].result,
                            inner->dims[i].size, 0, 0};
  MlirValue memory = isLhs ? product->lhs : product->kernel.product;
  return n > XLA_SCHED_MAX_DIMS
             ? -1
             : xlaAttentionAddBuffer(attention, xlaSchedRoot(memory), n, dims,
                                     phase);
}

/// Dimensions of a batch, those of the result that move fastest last: rows are
/// numbered in the order of memory.
static void sortBatch(XlaContractionDims *batch) {
  for (intptr_t i = 1; i < batch->n; ++i)
    for (intptr_t k = i;
         k > 0 && batch->dims[k - 1].result < batch->dims[k].result; --k) {
      XlaContractionDim dim = batch->dims[k];
      batch->dims[k] = batch->dims[k - 1];
      batch->dims[k - 1] = dim;
    }
}

/// Numbers rows by the first product, of queries and keys.
static bool beginRows(XlaAttention *attention) {
  XlaRowProduct *product = &attention->products[0];
  XlaContraction *contraction = &product->contraction;
  if (!isMatrix(contraction) ||
      !keepRows(product, chooseRows(&contraction->rows)) ||
      !xlaContractionIsMemory(xlaSchedRoot(product->rhs)) ||
      xlaContractionIsMemory(xlaSchedRoot(product->kernel.product)))
    return false;
  sortBatch(&contraction->batch);
  attention->queries = contraction->rows.size;
  attention->keys = contraction->columns.size;
  attention->batches = contraction->batch.size;
  int64_t unit = attention->queries;
  for (intptr_t i = contraction->batch.n; i-- > 0;) {
    product->units[i] = unit;
    unit *= contraction->batch.dims[i].size;
  }
  attention->scores = addProduct(attention, product, false, 1);
  attention->lhs = xlaContractionIsMemory(xlaSchedRoot(product->lhs))
                       ? -1
                       : addProduct(attention, product, true, 0);
  return attention->scores >= 0 &&
         (attention->lhs >= 0 ||
          xlaContractionIsMemory(xlaSchedRoot(product->lhs)));
}

/// Which dimension of the second product's rows is that of the tiles, after it
/// is cut there where it has several batch elements; 0 if none is.
static intptr_t findRows(const XlaAttention *attention,
                         const XlaRowBuffer *weights,
                         XlaContractionDims *rows) {
  int64_t queries = attention->queries;
  for (intptr_t i = 0; i < rows->n; ++i) {
    XlaContractionDim *dim = &rows->dims[i];
    XlaRowDim found;
    if (dim->size % queries ||
        !xlaRowFindDim(weights, dim->lhs, queries, &found) || found.unit != 1)
      continue;
    if (dim->size > queries && rows->n < XLA_SCHED_MAX_DIMS) {
      rows->dims[rows->n] = *dim;
      rows->dims[rows->n].size /= queries;
      rows->dims[rows->n].lhs *= queries;
      rows->dims[rows->n++].result *= queries;
      dim->size = queries;
    }
    return i;
  }
  return 0;
}

/// Finds the rows of the second product in those of its operand of weights.
static bool numberRows(const XlaAttention *attention, XlaRowProduct *product) {
  XlaContraction *contraction = &product->contraction;
  int weights = xlaAttentionBufferOf(attention, xlaSchedRoot(product->lhs));
  int64_t rows = attention->queries;
  XlaRowDim dim;
  if (weights < 0 || !isMatrix(contraction) ||
      !keepRows(product, findRows(attention, &attention->buffers[weights],
                                  &contraction->rows)) ||
      !xlaContractionIsMemory(xlaSchedRoot(product->rhs)) ||
      contraction->rows.size != attention->queries ||
      contraction->terms.size != attention->buffers[weights].length)
    return false;
  const XlaRowBuffer *buffer = &attention->buffers[weights];
  if (!xlaRowFindDim(buffer, contraction->terms.dims[0].lhs,
                     contraction->terms.size, &dim) ||
      dim.unit || dim.inner != 1)
    return false;
  if (contraction->rows.n &&
      (!xlaRowFindDim(buffer, contraction->rows.dims[0].lhs, attention->queries,
                      &dim) ||
       dim.unit != 1))
    return false;
  for (intptr_t i = 0; i < contraction->batch.n; ++i) {
    if (!xlaRowFindDim(buffer, contraction->batch.dims[i].lhs,
                       contraction->batch.dims[i].size, &dim) ||
        !dim.unit || dim.unit % attention->queries)
      return false;
    product->units[i] = dim.unit;
    rows *= contraction->batch.dims[i].size;
  }
  return rows == attention->queries * attention->batches;
}

/// The product of weights and values.
static bool endRows(XlaAttention *attention) {
  XlaRowProduct *product = &attention->products[1];
  if (xlaAttentionBufferOf(attention, xlaSchedRoot(product->lhs)) < 0)
    transpose(product);
  if (!numberRows(attention, product))
    return false;
  attention->weights =
      xlaAttentionBufferOf(attention, xlaSchedRoot(product->lhs));
  attention->result = -1;
  if (xlaContractionIsMemory(xlaSchedRoot(product->kernel.product)))
    return true;
  attention->result = addProduct(attention, product, false, 2);
  return attention->result >= 0;
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

/// What a dimension is in the known intermediates that it indexes: false if in
/// none, or not the same in all.
static bool findUnit(XlaAttention *attention,
                     const XlaSchedStatement *statement, int d, int64_t *unit) {
  bool isFound = false;
  for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
    const XlaSchedAccess *access = &statement->accesses[i];
    int buffer = xlaAttentionBufferOf(attention, access->root);
    XlaRowDim dim;
    if (buffer < 0 || !access->strides[d])
      continue;
    if (!xlaRowFindDim(&attention->buffers[buffer], access->strides[d],
                       statement->sizes[d], &dim) ||
        (isFound && dim.unit != *unit))
      return false;
    *unit = dim.unit;
    isFound = true;
  }
  return isFound;
}

/// Adds an intermediate that a statement writes, or looks at its uses.
static bool addAccess(XlaAttention *attention, XlaRowStatement *row,
                      const XlaSchedAccess *access, bool isWritten) {
  const XlaSchedStatement *statement = &row->statement;
  XlaRowDim dims[XLA_SCHED_MAX_DIMS];
  int n = 0, buffer = xlaAttentionBufferOf(attention, access->root);
  if (access->dynamicOffset)
    return false;
  if (xlaContractionIsMemory(access->root))
    return true;
  for (int d = 0; d < statement->nDims; ++d)
    if (access->strides[d])
      dims[n++] =
          (XlaRowDim){access->strides[d], statement->sizes[d], row->unit[d], 0};
  if (buffer < 0 && isWritten)
    buffer =
        xlaAttentionAddBuffer(attention, access->root, n, dims, row->phase);
  if (buffer < 0 || access->offset)
    return false;
  if (row->phase < attention->buffers[buffer].firstPhase)
    attention->buffers[buffer].firstPhase = row->phase;
  if (row->phase > attention->buffers[buffer].lastPhase)
    attention->buffers[buffer].lastPhase = row->phase;
  return true;
}

/// Rows write what is outside at places of their own.
static bool isSeparate(const XlaAttention *attention,
                       const XlaRowStatement *row) {
  int64_t rows = 1;
  for (int d = 0; d < row->statement.nDims; ++d)
    rows *= row->unit[d] ? row->statement.sizes[d] : 1;
  return rows == attention->queries * attention->batches;
}

/// What is written outside is not read again: the schedule takes views at
/// places that are known when a function runs for different memory.
static bool isOnlyAccess(const XlaAttention *attention, MlirValue root) {
  int count = 0;
  for (int i = 0; i < attention->nStatements; ++i) {
    const XlaSchedStatement *statement = &attention->statements[i].statement;
    for (int k = 0; k < statement->nIns + statement->nOuts; ++k)
      count += mlirValueEqual(statement->accesses[k].root, root);
  }
  return count == 1;
}

static bool finishStatement(XlaAttention *attention, XlaRowStatement *row) {
  const XlaSchedStatement *statement = &row->statement;
  for (int d = 0; d < statement->nDims; ++d)
    if (row->unit[d] && statement->reduction[d])
      return false;
  for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
    const XlaSchedAccess *access = &statement->accesses[i];
    bool isWritten = i >= statement->nIns;
    if (!addAccess(attention, row, access, isWritten) ||
        (isWritten && xlaContractionIsMemory(access->root) &&
         (!isSeparate(attention, row) ||
          !isOnlyAccess(attention, access->root))))
      return false;
  }
  return row->isKnown = true;
}

/// Whether what a statement reads is known, or was there before.
static bool isReadable(const XlaAttention *attention,
                       const XlaSchedStatement *statement) {
  for (int i = 0; i < statement->nIns; ++i) {
    MlirValue root = statement->accesses[i].root;
    if (!xlaContractionIsMemory(root) &&
        xlaAttentionBufferOf(attention, root) < 0)
      return false;
  }
  return true;
}

/// Follows statements as long as one becomes known; false if one is of another
/// form.
static bool follow(XlaAttention *attention) {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (int i = 0; i < attention->nStatements; ++i) {
      XlaRowStatement *row = &attention->statements[i];
      bool isFound = !row->isKnown && isReadable(attention, &row->statement);
      for (int d = 0; isFound && d < row->statement.nDims; ++d)
        isFound = findUnit(attention, &row->statement, d, &row->unit[d]);
      // A fill of a scalar says nothing: what uses it does.
      isFound &=
          row->statement.nDims || row->statement.body.ptr ||
          xlaAttentionBufferOf(attention, row->statement.accesses->root) >= 0;
      if (isFound && !finishStatement(attention, row))
        return false;
      isChanged |= isFound;
    }
  }
  return true;
}

/// Whether it is what was found in all of its arrays.
static bool isRight(XlaAttention *attention, const XlaRowStatement *row) {
  const XlaSchedStatement *statement = &row->statement;
  int64_t unit;
  if (!row->isKnown)
    return false;
  for (int d = 0; d < statement->nDims; ++d)
    if (!findUnit(attention, statement, d, &unit) || unit != row->unit[d])
      return false;
  return true;
}

static bool areRight(XlaAttention *attention) {
  for (int i = 0; i < attention->nStatements; ++i)
    if (!isRight(attention, &attention->statements[i]))
      return false;
  return true;
}

bool xlaAttentionRead(XlaAttention *attention, MlirOperation function) {
  attention->function = function;
  attention->block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  return findProducts(attention) && findStatements(attention) &&
         beginRows(attention) && follow(attention) && endRows(attention) &&
         follow(attention) && areRight(attention);
}

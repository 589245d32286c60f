//===- rows.c - Elements of rows in a shader ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is between the products is computed where it is needed, element by
// element, from what is in registers.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/attention/emit.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

MlirAffineExpr xlaAttentionConstant(const AttentionEmitter *e, int64_t value) {
  return xlaAffineConstant(&e->e.nest, value);
}

/// Numbers are not negative: unsigned operations are cheaper than affine's.
static MlirAffineExpr binary(AttentionEmitter *e, const char *op,
                             MlirAffineExpr a, int64_t b) {
  XlaIr *ir = &e->e.ir;
  MlirValue value = xlaAffineApply(&e->e.nest, ir, a);
  return xlaAffineDim(&e->e.nest,
                      xlaIrBinary(ir, op, value, xlaIrConstantIndex(ir, b)));
}

MlirAffineExpr xlaAttentionDivide(AttentionEmitter *e, MlirAffineExpr a,
                                  int64_t b) {
  int64_t constant;
  return b == 1 || xlaExprIsConstant(a, &constant)
             ? xlaExprOver(a, b)
             : binary(e, "arith.divui", a, b);
}

MlirAffineExpr xlaAttentionRemainder(AttentionEmitter *e, MlirAffineExpr a,
                                     int64_t b) {
  int64_t constant;
  return b == 1 || xlaExprIsConstant(a, &constant)
             ? xlaExprModulo(a, b)
             : binary(e, "arith.remui", a, b);
}

MlirAffineExpr xlaAttentionAtMost(AttentionEmitter *e, MlirAffineExpr a,
                                  int64_t b) {
  int64_t constant;
  if (xlaExprIsConstant(a, &constant))
    return constant < b ? a : xlaAttentionConstant(e, b);
  return b ? binary(e, "arith.minui", a, b) : xlaAttentionConstant(e, 0);
}

MlirValue xlaAttentionConvert(XlaIr *ir, MlirValue value, MlirType type) {
  MlirType from = mlirValueGetType(value);
  if (mlirTypeEqual(from, type))
    return value;
  unsigned have = mlirFloatTypeGetWidth(from);
  unsigned want = mlirFloatTypeGetWidth(type);
  return xlaIrCast(ir, have < want ? "arith.extf" : "arith.truncf", value,
                   type);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void xlaAttentionSetRow(AttentionEmitter *e, MlirAffineExpr row, int thread,
                        AttentionRow *made) {
  const XlaAttention *rows = &e->plan->rows;
  MlirAffineExpr query = xlaExprAdd(e->firstQuery, row);
  if (rows->queries % xlaVulkanAttentionRows(e->plan))
    query = xlaAttentionAtMost(e, query, rows->queries - 1);
  made->query = query;
  made->number = xlaExprAdd(xlaExprScale(e->batch, rows->queries), query);
  made->thread = thread;
}

/// What the digit is of: the batch element, where `*of` becomes NULL, the query
/// or the row's number.
static MlirAffineExpr sourceOf(const AttentionEmitter *e,
                               const AttentionRow **of, int64_t *unit,
                               int64_t size, int64_t *count) {
  const XlaAttention *rows = &e->plan->rows;
  const AttentionRow *row = *of;
  *count = rows->queries;
  if (*unit % rows->queries == 0) {
    *unit /= rows->queries;
    *count = rows->batches;
    *of = NULL;
    return e->batch;
  }
  if (rows->queries % (*unit * size) == 0)
    return row->query;
  *count = rows->queries * rows->batches;
  return row->number;
}

static MlirAffineExpr digitOf(AttentionEmitter *e, const AttentionRow *row,
                              int64_t unit, int64_t size) {
  const AttentionRow *of = row;
  int64_t units = unit, count;
  MlirAffineExpr value = sourceOf(e, &of, &units, size, &count);
  for (int i = 0; i < e->nDigits; ++i) {
    const AttentionDigit *digit = &e->digits[i];
    if (digit->row == of && digit->unit == unit && digit->size == size)
      return digit->value;
  }
  value = xlaAttentionDivide(e, value, units);
  if (units * size < count)
    value = xlaAttentionRemainder(e, value, size);
  if (of && of->thread < 0) // rows of copies come and go
    return value;
  if (e->nDigits < maxDigits)
    e->digits[e->nDigits++] = (AttentionDigit){of, unit, size, value};
  else
    xlaVulkanEmitFail(&e->e, e->e.ir.location, XLA_STATUS_UNIMPLEMENTED,
                      "attention has more dimensions than a shader of it");
  return value;
}

void xlaAttentionSetDigits(AttentionEmitter *e, const AttentionRow *row,
                           int first, int last) {
  const XlaAttention *rows = &e->plan->rows;
  for (int i = 0; i < rows->nStatements; ++i) {
    const XlaRowStatement *statement = &rows->statements[i];
    for (int d = 0; d < statement->statement.nDims; ++d)
      if (statement->unit[d] && statement->phase >= first &&
          statement->phase <= last)
        digitOf(e, row, statement->unit[d], statement->statement.sizes[d]);
  }
}

MlirAffineExpr xlaAttentionPlace(AttentionEmitter *e, int product, int array,
                                 const AttentionRow *row) {
  const XlaRowProduct *p = &e->plan->rows.products[product];
  const XlaContractionDims *rows = &p->contraction.rows;
  MlirAffineExpr place = xlaAttentionConstant(e, 0);
  for (intptr_t i = 0; i < p->contraction.batch.n; ++i) {
    const XlaContractionDim *dim = &p->contraction.batch.dims[i];
    int64_t stride = array == 0   ? dim->lhs
                     : array == 1 ? dim->rhs
                                  : dim->result;
    MlirAffineExpr digit = digitOf(e, row, p->units[i], dim->size);
    place = xlaExprAdd(place, xlaExprScale(digit, stride));
  }
  if (row && rows->n)
    place =
        xlaExprAdd(place, xlaExprScale(row->query, array ? rows->dims[0].result
                                                         : rows->dims[0].lhs));
  return place;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Dimension `d` of statement `i` for an element of a row.
static MlirAffineExpr indexOf(AttentionEmitter *e, int i,
                              const AttentionRow *row, MlirAffineExpr element,
                              int d) {
  const XlaRowStatement *statement = &e->plan->rows.statements[i];
  int64_t size = statement->statement.sizes[d];
  if (statement->unit[d])
    return digitOf(e, row, statement->unit[d], size);
  int64_t inner = e->plan->steps[i].inner[d], elements = 1;
  for (int k = 0; k < statement->statement.nDims; ++k)
    elements *= statement->unit[k] ? 1 : statement->statement.sizes[k];
  MlirAffineExpr index = xlaExprOver(element, inner);
  return inner * size < elements ? xlaExprModulo(index, size) : index;
}

static MlirAffineExpr placeOf(AttentionEmitter *e, int i,
                              const XlaSchedAccess *access,
                              const AttentionRow *row, MlirAffineExpr element) {
  const XlaSchedStatement *statement = &e->plan->rows.statements[i].statement;
  MlirAffineExpr place = xlaAttentionConstant(e, access->offset);
  for (int d = 0; d < statement->nDims; ++d)
    if (access->strides[d])
      place = xlaExprAdd(place, xlaExprScale(indexOf(e, i, row, element, d),
                                             access->strides[d]));
  return place;
}

MlirAffineExpr xlaAttentionStoredAt(AttentionEmitter *e, int i,
                                    const AttentionRow *row,
                                    MlirAffineExpr element) {
  const XlaSchedStatement *statement = &e->plan->rows.statements[i].statement;
  return placeOf(e, i, &statement->accesses[statement->nIns], row, element);
}

void xlaAttentionForget(AttentionEmitter *e) {
  memset(e->known, 0, sizeof e->known);
}

MlirValue xlaAttentionValue(AttentionEmitter *e, int buffer,
                            const AttentionRow *row, int point,
                            MlirAffineExpr element) {
  bool isScalar = e->plan->rows.buffers[buffer].length == 1;
  if (isScalar && row->thread >= 0 && e->rowValues[buffer][row->thread].ptr)
    return e->rowValues[buffer][row->thread];
  int at = isScalar && row->thread >= 0 ? row->thread : point;
  if (!e->known[buffer][at].ptr) {
    MlirValue value =
        xlaAttentionCompute(e, e->plan->writers[buffer], row, point, element);
    e->known[buffer][at] = value;
  }
  return e->known[buffer][at];
}

/// The index of a dimension, in its own type and in 32 bits.
static void computeIndex(AttentionEmitter *e, int i, MlirOperation op,
                         const AttentionRow *row, MlirAffineExpr element) {
  const XlaSchedStatement *statement = &e->plan->rows.statements[i].statement;
  int d = xlaSchedIndexDim(statement, op);
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirAffineExpr at =
      d < 0 ? xlaAttentionConstant(e, 0) : indexOf(e, i, row, element, d);
  MlirValue index = xlaAffineApply(&e->e.nest, &e->e.ir, at);
  int64_t last = d < 0 ? 0 : statement->sizes[d] - 1;
  xlaVulkanBind(&e->e, result, index);
  if (last <= INT32_MAX)
    xlaVulkanSetNarrow(&e->e, result,
                       xlaIrCast(&e->e.ir, "arith.index_cast", index,
                                 mlirIntegerTypeGet(e->e.ir.context, 32)),
                       0, last);
}

/// Binds what the body reads.
static void readOperands(AttentionEmitter *e, int i, const AttentionRow *row,
                         int point, MlirAffineExpr element) {
  const XlaAttention *rows = &e->plan->rows;
  const XlaSchedStatement *statement = &rows->statements[i].statement;
  MlirValue values[XLA_SCHED_MAX_OPERANDS];
  // Others use the same map.
  for (int k = 0; k < statement->nIns; ++k) {
    const XlaSchedAccess *access = &statement->accesses[k];
    int buffer = xlaAttentionBufferOf(rows, access->root);
    values[k] = (MlirValue){NULL};
    if (!xlaSchedIsRead(statement, k))
      continue;
    if (buffer >= 0)
      values[k] = xlaAttentionValue(e, buffer, row, point, element);
    else
      xlaVulkanLoadLanes(&e->e, access->root, 1,
                         placeOf(e, i, access, row, element), &values[k]);
  }
  for (int k = 0; k < statement->nIns; ++k)
    if (values[k].ptr)
      xlaVulkanBind(&e->e, mlirBlockGetArgument(statement->body, k), values[k]);
}

MlirValue xlaAttentionCompute(AttentionEmitter *e, int i,
                              const AttentionRow *row, int point,
                              MlirAffineExpr element) {
  const XlaSchedStatement *statement = &e->plan->rows.statements[i].statement;
  const XlaVulkanRowStep *step = &e->plan->steps[i];
  MlirOperation yield = mlirBlockGetTerminator(statement->body);
  MlirOperation combiner = {NULL};
  bool isReduction = step->kind == XlaVulkanRowReduction;
  if (isReduction)
    combiner = mlirOpResultGetOwner(step->reducer.carriedOut);
  readOperands(e, i, row, point, element);
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body);
       !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op)) {
    if (isReduction && (mlirOperationEqual(op, combiner) ||
                        xlaSchedIsConversion(statement, &step->reducer, op)))
      continue;
    if (xlaIrIsOp(op, "linalg.index"))
      computeIndex(e, i, op, row, element);
    else
      xlaVulkanClone(&e->e, op);
  }
  return xlaVulkanValue(&e->e, isReduction ? xlaVulkanAttentionReduced(step)
                                           : mlirOperationGetOperand(yield, 0));
}

//===----------------------------------------------------------------------===//
// Threads of a row
//===----------------------------------------------------------------------===//

/// What a value is exchanged as: 16-bit floats are no types of workgroup
/// memory.
static MlirType exchanged(MlirType type) {
  return mlirTypeIsAF16(type) || mlirTypeIsABF16(type)
             ? mlirF32TypeGet(mlirTypeGetContext(type))
             : type;
}

static MlirValue back(XlaIr *ir, MlirValue value, MlirType type) {
  return mlirTypeIsAFloat(type) ? xlaAttentionConvert(ir, value, type) : value;
}

/// Combined with those of the other threads of the row.
static MlirValue shuffled(AttentionEmitter *e, const XlaSchedReducer *reducer,
                          MlirValue value) {
  XlaIr *ir = &e->e.ir;
  MlirType type = mlirValueGetType(value), wide = exchanged(type);
  uint32_t columns = (uint32_t)e->plan->tiling.columnThreads;
  for (uint32_t mask = 1; mask < columns; mask *= 2) {
    MlirValue other = xlaVulkanSubgroupShuffle(ir, back(ir, value, wide), mask,
                                               e->info->subgroupSize);
    value = xlaSchedCombine(ir, reducer, value, back(ir, other, type));
  }
  return value;
}

static MlirValue partialOf(AttentionEmitter *e, MlirType type) {
  for (int i = 0; i < e->nPartial; ++i)
    if (mlirTypeEqual(xlaIrElementType(mlirValueGetType(e->partial[i])), type))
      return e->partial[i];
  XlaIr top = e->e.top;
  return e->partial[e->nPartial++] = xlaVulkanAlloc(
             &top, "Workgroup", type,
             xlaVulkanAttentionRows(e->plan) * e->plan->tiling.columnThreads);
}

void xlaAttentionAcross(AttentionEmitter *e, const XlaSchedReducer *reducer,
                        MlirValue *values) {
  const XlaVulkanAttentionTiling *tiling = &e->plan->tiling;
  const XlaAffineNest *nest = &e->e.nest;
  XlaIr *ir = &e->e.ir;
  MlirType type = mlirValueGetType(values[0]), wide = exchanged(type);
  MlirAffineExpr first[XLA_ATTENTION_MAX_ROWS];
  if (tiling->columnThreads == 1)
    return;
  if (xlaVulkanAttentionShuffles(tiling, e->info)) {
    for (int m = 0; m < tiling->tileRows; ++m)
      values[m] = shuffled(e, reducer, values[m]);
    return;
  }
  MlirValue memory = partialOf(e, wide);
  for (int m = 0; m < tiling->tileRows; ++m) {
    first[m] =
        xlaExprScale(xlaExprShift(xlaExprScale(e->other, tiling->tileRows), m),
                     tiling->columnThreads);
    xlaAffineStore(nest, ir, back(ir, values[m], wide), memory,
                   xlaExprAdd(first[m], e->column));
  }
  xlaAttentionWait(e);
  for (int m = 0; m < tiling->tileRows; ++m)
    for (int i = 0; i < tiling->columnThreads; ++i) {
      MlirValue part =
          xlaAffineLoad(nest, ir, wide, memory, xlaExprShift(first[m], i));
      part = back(ir, part, type);
      values[m] = i ? xlaSchedCombine(ir, reducer, values[m], part) : part;
    }
  xlaAttentionWait(e);
}

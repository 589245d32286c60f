//===- rows.c - What is done with a row -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The statements of a phase, as they are for one row: without the dimensions
// that are digits of its number, which are known when the function runs.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/attention/plan.h"

#include "xlac/dialect/error.h"
#include "xlac/lowering/cpu/pointer.h"
#include "xlac/lowering/linalg/build.h"
#include "xlac/lowering/linalg/generic.h"

#include "mlir-c/BuiltinAttributes.h"

/// The function under construction.
typedef struct Rows {
  XlaCpuAttention *plan;
  int phase;
  XlaIr ir;
  MlirValue row; ///< its number
  const XlaCpuRowArguments *arguments;
  MlirValue memory[XLA_ROW_BUFFERS]; ///< of the buffers; null: not yet
} Rows;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

MlirType xlaCpuRowType(const XlaRowBuffer *buffer) {
  return mlirMemRefTypeGet(buffer->element, buffer->length > 1, &buffer->length,
                           mlirAttributeGetNull(), mlirAttributeGetNull());
}

static void addBuffer(XlaCpuRowArguments *arguments, int buffer) {
  for (int i = 0; i < arguments->nBuffers; ++i)
    if (arguments->buffers[i] == buffer)
      return;
  arguments->buffers[arguments->nBuffers++] = buffer;
}

static bool addOutside(XlaCpuRowArguments *arguments, MlirValue root) {
  for (int i = 0; i < arguments->nOutside; ++i)
    if (mlirValueEqual(arguments->outside[i], root))
      return true;
  if (arguments->nOutside == XLA_SCHED_MAX_OPERANDS)
    return false;
  arguments->outside[arguments->nOutside++] = root;
  return true;
}

static bool findArguments(const XlaCpuAttention *plan, int phase,
                          XlaCpuRowArguments *arguments) {
  *arguments = (XlaCpuRowArguments){.nBuffers = 0};
  for (int i = 0; i < plan->rows.nStatements; ++i) {
    const XlaSchedStatement *statement = &plan->rows.statements[i].statement;
    if (plan->rows.statements[i].phase != phase)
      continue;
    for (int k = 0; k < statement->nIns + statement->nOuts; ++k) {
      int buffer =
          xlaAttentionBufferOf(&plan->rows, statement->accesses[k].root);
      if (buffer >= 0 && plan->memory[buffer].inTile)
        addBuffer(arguments, xlaCpuRowMemoryOf(plan, buffer));
      else if (buffer < 0 &&
               !addOutside(arguments, statement->accesses[k].root))
        return false;
    }
  }
  return true;
}

static bool begin(Rows *rows, MlirBlock module, MlirLocation location,
                  const char *name) {
  const XlaCpuRowArguments *arguments = rows->arguments;
  MlirContext context = mlirOperationGetContext(rows->plan->rows.function);
  MlirType types[1 + XLA_ROW_BUFFERS + XLA_SCHED_MAX_OPERANDS] = {
      mlirIndexTypeGet(context)};
  int n = 1;
  for (int i = 0; i < arguments->nBuffers; ++i)
    types[n++] =
        xlaCpuRowType(&rows->plan->rows.buffers[arguments->buffers[i]]);
  for (int i = 0; i < arguments->nOutside; ++i)
    types[n++] = mlirValueGetType(arguments->outside[i]);
  if (!xlaCpuBeginFunction(module, location, name, n, types, &rows->ir))
    return false;
  rows->row = mlirBlockGetArgument(rows->ir.block, 0);
  for (int i = 0; i < arguments->nBuffers; ++i)
    rows->memory[arguments->buffers[i]] =
        mlirBlockGetArgument(rows->ir.block, 1 + i);
  return true;
}

static MlirValue outsideOf(const Rows *rows, MlirValue root) {
  const XlaCpuRowArguments *arguments = rows->arguments;
  int i = 0;
  while (!mlirValueEqual(arguments->outside[i], root))
    ++i;
  return mlirBlockGetArgument(rows->ir.block, 1 + arguments->nBuffers + i);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The digit of the row's number that dimension `d` is.
static MlirValue digitOf(Rows *rows, const XlaRowStatement *statement, int d) {
  XlaIr *ir = &rows->ir;
  int64_t all = rows->plan->rows.queries * rows->plan->rows.batches;
  int64_t unit = statement->unit[d], size = statement->statement.sizes[d];
  MlirValue digit = rows->row;
  if (unit > 1)
    digit = xlaCpuDiv(ir, digit, xlaIrConstantIndex(ir, unit));
  if (unit * size < all)
    digit = xlaCpuRem(ir, digit, xlaIrConstantIndex(ir, size));
  return digit;
}

static MlirValue memoryOf(Rows *rows, int buffer) {
  int memory = xlaCpuRowMemoryOf(rows->plan, buffer);
  if (!rows->memory[memory].ptr)
    rows->memory[memory] = xlaLinalgAlloc(
        &rows->ir, xlaCpuRowType(&rows->plan->rows.buffers[memory]));
  return rows->memory[memory];
}

/// What a statement accesses of a row, with a dimension for each that is not
/// shared, and the map to these.
static MlirValue viewOf(Rows *rows, const XlaRowStatement *statement,
                        const XlaSchedAccess *access, int nLoops,
                        MlirAffineMap *map) {
  XlaIr *ir = &rows->ir;
  int buffer = xlaAttentionBufferOf(&rows->plan->rows, access->root), n = 0,
      loop = 0;
  int64_t sizes[XLA_SCHED_MAX_DIMS], strides[XLA_SCHED_MAX_DIMS];
  MlirAffineExpr exprs[XLA_SCHED_MAX_DIMS];
  MlirValue start = {NULL};
  for (int d = 0; d < statement->statement.nDims; ++d) {
    int64_t stride = access->strides[d];
    XlaRowDim dim = {.inner = stride};
    if (statement->unit[d] && buffer < 0 && stride) {
      MlirValue part = xlaCpuMul(ir, digitOf(rows, statement, d),
                                 xlaIrConstantIndex(ir, stride));
      start = start.ptr ? xlaCpuAdd(ir, start, part) : part;
    }
    if (statement->unit[d])
      continue;
    if (stride) {
      if (buffer >= 0)
        xlaRowFindDim(&rows->plan->rows.buffers[buffer], stride,
                      statement->statement.sizes[d], &dim);
      sizes[n] = statement->statement.sizes[d];
      strides[n] = dim.inner;
      exprs[n++] = mlirAffineDimExprGet(ir->context, loop);
    }
    ++loop;
  }
  *map = mlirAffineMapGet(ir->context, nLoops, 0, n, exprs);
  if (buffer < 0) {
    if (start.ptr && access->offset)
      start = xlaCpuAdd(ir, start, xlaIrConstantIndex(ir, access->offset));
    return xlaKernelReinterpret(ir, outsideOf(rows, access->root), start,
                                access->offset, n, sizes, strides);
  }
  MlirValue memory = memoryOf(rows, buffer);
  bool isWhole = n == (rows->plan->rows.buffers[buffer].length > 1) &&
                 (!n || (strides[0] == 1 &&
                         sizes[0] == rows->plan->rows.buffers[buffer].length));
  return isWhole ? memory
                 : xlaKernelReinterpret(ir, memory, (MlirValue){NULL}, 0, n,
                                        sizes, strides);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// A copy of a constant from the kernel.
static MlirValue constantOf(XlaIr *ir, MlirValue value) {
  MlirOperation copy = mlirOperationClone(mlirOpResultGetOwner(value));
  mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, copy);
  return mlirOperationGetResult(copy, 0);
}

/// Gives linalg.index its number among the loops that are left.
static void renumber(Rows *rows, const XlaRowStatement *statement,
                     MlirOperation op) {
  int d = xlaSchedIndexDim(&statement->statement, op), loop = 0;
  if (d < 0 || statement->unit[d]) {
    MlirValue number =
        d < 0 ? xlaIrConstantIndex(&rows->ir, 0) : digitOf(rows, statement, d);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), number);
    mlirOperationDestroy(op);
    return;
  }
  for (int k = 0; k < d; ++k)
    loop += !statement->unit[k];
  mlirOperationSetInherentAttributeByName(op,
                                          mlirStringRefCreateFromCString("dim"),
                                          xlaIrI64Attr(rows->ir.context, loop));
}

/// The statement's body, which uses nothing of the kernel.
static MlirBlock takeBody(Rows *rows, const XlaRowStatement *statement) {
  MlirBlock body = statement->statement.body;
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue value = mlirOperationGetOperand(op, i);
      if (!mlirBlockEqual(xlaIrBlockOf(value), body) &&
          !mlirBlockEqual(xlaIrBlockOf(value), rows->ir.block))
        mlirOperationSetOperand(op, i, constantOf(&rows->ir, value));
    }
    if (xlaIrIsOp(op, "linalg.index"))
      renumber(rows, statement, op);
  }
  mlirBlockDetach(body);
  return body;
}

static bool emitStatement(Rows *rows, const XlaRowStatement *statement) {
  const XlaSchedStatement *s = &statement->statement;
  MlirValue operands[XLA_SCHED_MAX_OPERANDS];
  MlirAffineMap maps[XLA_SCHED_MAX_OPERANDS];
  bool isReduction[XLA_SCHED_MAX_DIMS];
  int nLoops = 0;
  for (int d = 0; d < s->nDims; ++d)
    if (!statement->unit[d])
      isReduction[nLoops++] = s->reduction[d];
  for (int i = 0; i < s->nIns + s->nOuts; ++i)
    operands[i] = viewOf(rows, statement, &s->accesses[i], nLoops, &maps[i]);
  if (!s->body.ptr) {
    MlirValue value = constantOf(&rows->ir, mlirOperationGetOperand(s->op, 0));
    return xlaLinalgFill(&rows->ir, value, operands[0]).ptr;
  }
  return xlaLinalgGeneric(&rows->ir, s->nIns, s->nOuts, operands, maps, nLoops,
                          isReduction, takeBody(rows, statement))
      .ptr;
}

MlirLogicalResult xlaCpuRowFunction(XlaCpuAttention *plan, int phase,
                                    MlirBlock module, const char *name,
                                    const XlaCpuScheduleOptions *options,
                                    XlaCpuRowArguments *arguments) {
  MlirLocation location = mlirOperationGetLocation(plan->rows.function);
  Rows rows = {.plan = plan, .phase = phase, .arguments = arguments};
  if (!findArguments(plan, phase, arguments) ||
      !begin(&rows, module, location, name))
    return xlaErrorNoMemory(location);
  xlaCpuReturn(&rows.ir);
  MlirOperation end = mlirBlockGetFirstOperation(rows.ir.block);
  rows.ir.before = end;
  for (int i = 0; i < plan->rows.nStatements; ++i)
    if (plan->rows.statements[i].phase == phase &&
        !emitStatement(&rows, &plan->rows.statements[i]))
      return xlaErrorNoMemory(location);
  XlaCpuScheduleOptions ofOne = *options;
  ofOne.threads = 1; // it is called by all
  return xlaCpuScheduleFunction(mlirBlockGetParentOperation(rows.ir.block),
                                &ofOne);
}

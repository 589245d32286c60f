//===- top_k.c - The largest elements of lines, by selection --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results are the largest elements so far, in order. Hardly any of a long
// line is larger than the last of them; what is moves the smaller ones on. A
// line is a thread's.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/build.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"
#include "xlac/lowering/linalg/sort.h"

enum { minWork = 1 << 15 }; // elements that are worth a second thread

typedef struct TopK {
  XlaElementType element;
  MlirValue operand, values, positions; ///< memory
  int rank;
  int64_t size, k, lines;
  MlirValue line[XLA_MAX_RANK];
} TopK;

static MlirValue number(XlaIr *ir, int64_t value) {
  return xlaIrConstantIndex(ir, value);
}

static MlirValue argumentOf(MlirOperation loop, intptr_t i) {
  return mlirBlockGetArgument(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0)), i);
}

static MlirValue load(TopK *t, XlaIr *ir, MlirValue from, MlirValue at) {
  t->line[t->rank - 1] = at;
  return xlaIrLoad(ir, from, t->rank, t->line);
}

static void store(TopK *t, XlaIr *ir, MlirValue value, MlirValue to,
                  MlirValue at) {
  t->line[t->rank - 1] = at;
  xlaIrStore(ir, value, to, t->rank, t->line);
}

/// Whether `a` is larger, both as in memory.
static MlirValue isLarger(const TopK *t, XlaIr *ir, MlirValue a, MlirValue b) {
  MlirValue args[2] = {xlaScalarFromMemory(ir, t->element, a),
                       xlaScalarFromMemory(ir, t->element, b)};
  return xlaSortCompare(ir, t->element, "GT", args);
}

/// Takes `element`, a value and its position, into the first `count` results:
/// it gets the place of the first smaller one, all behind move on. What falls
/// out of the end takes its place in `element`.
static bool insert(TopK *t, XlaIr *ir, MlirValue count, MlirValue element[2]) {
  XlaIr body;
  MlirType i1 = mlirIntegerTypeGet(ir->context, 1);
  MlirValue carried[3] = {element[0], element[1], xlaIrConstantInt(ir, i1, 0)};
  MlirOperation loop =
      xlaIrFor(ir, number(ir, 0), count, number(ir, 1), 3, carried, &body);
  MlirValue at = argumentOf(loop, 0);
  MlirValue value = load(t, &body, t->values, at);
  MlirValue position = load(t, &body, t->positions, at);
  for (int i = 0; i < 3; ++i)
    carried[i] = argumentOf(loop, 1 + i);
  MlirValue larger = isLarger(t, &body, carried[0], value);
  if (mlirValueIsNull(larger))
    return false;
  MlirValue moves = xlaIrBinary(&body, "arith.ori", carried[2], larger);
  store(t, &body, xlaIrSelect(&body, moves, carried[0], value), t->values, at);
  store(t, &body, xlaIrSelect(&body, moves, carried[1], position), t->positions,
        at);
  MlirValue next[3] = {xlaIrSelect(&body, moves, value, carried[0]),
                       xlaIrSelect(&body, moves, position, carried[1]), moves};
  xlaIrYield(&body, 3, next);
  for (int i = 0; i < 2; ++i)
    element[i] = mlirOperationGetResult(loop, i);
  return true;
}

static void loadElement(TopK *t, XlaIr *ir, MlirValue at,
                        MlirValue element[2]) {
  element[0] = load(t, ir, t->operand, at);
  element[1] = xlaIrCast(ir, "arith.index_cast", at,
                         mlirIntegerTypeGet(ir->context, 32));
}

static bool selectLine(TopK *t, XlaIr *ir) {
  XlaIr body, then;
  MlirValue element[2], k = number(ir, t->k), one = number(ir, 1);
  // The first ones are sorted by insertion.
  MlirValue at =
      argumentOf(xlaIrFor(ir, number(ir, 0), k, one, 0, NULL, &body), 0);
  loadElement(t, &body, at, element);
  if (!insert(t, &body, at, element))
    return false;
  store(t, &body, element[0], t->values, at);
  store(t, &body, element[1], t->positions, at);
  xlaIrYield(&body, 0, NULL);
  at = argumentOf(xlaIrFor(ir, k, number(ir, t->size), one, 0, NULL, &body), 0);
  loadElement(t, &body, at, element);
  MlirValue last = load(t, &body, t->values, number(&body, t->k - 1));
  MlirValue larger = isLarger(t, &body, element[0], last);
  if (mlirValueIsNull(larger))
    return false;
  xlaIrIf(&body, larger, &then, NULL);
  bool done = insert(t, &then, number(&then, t->k), element);
  xlaIrYield(&body, 0, NULL);
  return done;
}

/// The lines, on threads if that is worth it.
static bool selectLines(TopK *t, XlaKernel *kernel, const XlaShape *shape) {
  XlaIr *ir = &kernel->ir, body;
  const XlaKernelDevice *device = kernel->device;
  bool isParallel = device && device->threads > 1 && t->lines > 1 &&
                    t->lines * t->size >= minWork;
  MlirValue line = xlaLinalgOpenTasks(ir, t->lines, isParallel, &body);
  for (int d = t->rank - 2; d >= 0; --d) {
    MlirValue size = number(&body, shape->dims[d]);
    t->line[d] = xlaIrBinary(&body, "arith.remui", line, size);
    line = xlaIrBinary(&body, "arith.divui", line, size);
  }
  bool done = selectLine(t, &body);
  xlaLinalgCloseTasks(&body, isParallel);
  return done;
}

MlirLogicalResult xlaTopKEmit(XlaKernel *kernel, const MlirValue *results) {
  MlirValue operand = mlirOperationGetOperand(kernel->op, 0);
  XlaShape shape = xlaKernelShapeOf(operand);
  int64_t count = 0;
  if (kernel->device && kernel->device->runsAtOnce)
    return xlaOpError(kernel->op, NULL, "should have been written as a sort");
  TopK t = {.element = shape.elementType,
            .operand = xlaKernelGetBuffer(kernel, operand)->memref,
            .values = results[0],
            .positions = results[1],
            .rank = shape.rank,
            .size = shape.dims[shape.rank - 1],
            .k = xlaOpGetI64(kernel->op, "k", 0),
            .lines = 1};
  for (int d = 0; d + 1 < shape.rank; ++d)
    t.lines *= shape.dims[d];
  xlaShapeGetElementCount(&shape, &count);
  if (!count || !t.k)
    return mlirLogicalResultSuccess();
  return selectLines(&t, kernel, &shape) ? mlirLogicalResultSuccess()
                                         : mlirLogicalResultFailure();
}

//===- triangular.c - Blocks of triangular matrices -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors and solutions of small matrices, into which passes/expand cuts large
// ones. Each matrix of a batch, and each right side of a system, is computed on
// its own, in the order of the rows. Where elements of a row lie together, a
// device with vectors takes several columns at once.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/build.h"
#include "xlac/lowering/linalg/kernel_ops.h"

#include "mlir-c/BuiltinTypes.h"
#include <math.h>

enum {
  maxVectors = 4, // registers that the elements of a row are computed in
  minWork = 10000 // products that are worth a second thread
};

/// Matrices of a batch in memory; element (i, j) is at [j, i] if `swapped`.
typedef struct Matrices {
  MlirValue memref;
  bool swapped;
} Matrices;

/// A kernel in the making: `n` rows and columns in each of `batch` matrices.
typedef struct Triangular {
  XlaKernel *kernel;
  int64_t batch, n;
  MlirType element;
  Matrices a, result;
  int64_t lanes;    ///< of a vector of the device
  int64_t width;    ///< columns at once
  MlirValue matrix; ///< the number of the batch's
} Triangular;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static MlirValue argumentOf(MlirOperation loop, intptr_t i) {
  return mlirBlockGetArgument(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0)), i);
}

static MlirValue number(XlaIr *ir, int64_t value) {
  return xlaIrConstantIndex(ir, value);
}

static MlirOperation loopFrom(XlaIr *ir, MlirValue lower, MlirValue upper,
                              int64_t step, intptr_t n, const MlirValue *inits,
                              XlaIr *body) {
  return xlaIrFor(ir, lower, upper, number(ir, step), n, inits, body);
}

/// Independent tasks (`batch` times `count`) in the making.
typedef struct Tasks {
  bool isParallel;
  XlaIr outer, inner;
} Tasks;

/// The tasks of threads: as many as there are numbers below batch * count.
static void openThreads(Triangular *t, Tasks *tasks, int64_t count,
                        MlirValue *second) {
  MlirValue task =
      xlaLinalgOpenTasks(&t->kernel->ir, t->batch * count, true, &tasks->inner);
  MlirValue n = number(&tasks->inner, count);
  t->matrix = xlaIrBinary(&tasks->inner, "arith.divui", task, n);
  *second = xlaIrBinary(&tasks->inner, "arith.remui", task, n);
}

/// Opens loops over the matrices and over `count` parts of each, of `work`
/// products. Devices without vectors make threads of loops themselves.
static Tasks openTasks(Triangular *t, int64_t count, int64_t work,
                       MlirValue *second) {
  const XlaKernelDevice *device = t->kernel->device;
  int64_t all;
  Tasks tasks = {.isParallel =
                     device && device->threads > 1 && t->batch * count > 1 &&
                     (__builtin_mul_overflow(t->batch * count, work, &all) ||
                      all > minWork)};
  if (tasks.isParallel) {
    openThreads(t, &tasks, count, second);
    return tasks;
  }
  XlaIr *ir = &t->kernel->ir;
  t->matrix = argumentOf(loopFrom(ir, number(ir, 0), number(ir, t->batch), 1, 0,
                                  NULL, &tasks.outer),
                         0);
  ir = &tasks.outer;
  *second = argumentOf(
      loopFrom(ir, number(ir, 0), number(ir, count), 1, 0, NULL, &tasks.inner),
      0);
  return tasks;
}

static void closeTasks(Tasks *tasks) {
  if (tasks->isParallel) {
    xlaLinalgCloseTasks(&tasks->inner, true);
    return;
  }
  xlaIrYield(&tasks->inner, 0, NULL);
  xlaIrYield(&tasks->outer, 0, NULL);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static MlirType typeOf(const Triangular *t) {
  return t->width > 1 ? mlirVectorTypeGet(1, &t->width, t->element)
                      : t->element;
}

static MlirValue loadOne(const Triangular *t, XlaIr *ir, const Matrices *from,
                         MlirValue i, MlirValue j) {
  MlirValue at[] = {t->matrix, from->swapped ? j : i, from->swapped ? i : j};
  return xlaIrLoad(ir, from->memref, 3, at);
}

static void storeOne(const Triangular *t, XlaIr *ir, MlirValue value,
                     MlirValue i, MlirValue j) {
  const Matrices *to = &t->result;
  MlirValue at[] = {t->matrix, to->swapped ? j : i, to->swapped ? i : j};
  xlaIrStore(ir, value, to->memref, 3, at);
}

/// An element in the place of all `width`.
static MlirValue loadSpread(const Triangular *t, XlaIr *ir,
                            const Matrices *from, MlirValue i, MlirValue j) {
  MlirValue scalar = loadOne(t, ir, from, i, j);
  return t->width > 1 ? xlaIrCast(ir, "vector.broadcast", scalar, typeOf(t))
                      : scalar;
}

/// `width` elements of row `i`, from column `j` on.
static MlirValue load(const Triangular *t, XlaIr *ir, const Matrices *from,
                      MlirValue i, MlirValue j) {
  MlirValue operands[] = {from->memref, t->matrix, i, j};
  return t->width > 1
             ? xlaIrOp(ir, "vector.load", typeOf(t), 4, operands, 0, NULL)
             : loadOne(t, ir, from, i, j);
}

static void store(const Triangular *t, XlaIr *ir, MlirValue value, MlirValue i,
                  MlirValue j) {
  MlirValue operands[] = {value, t->result.memref, t->matrix, i, j};
  if (t->width > 1)
    xlaIrCreate(ir, "vector.store", 5, operands, 0, NULL, 0, NULL, 0, NULL);
  else
    storeOne(t, ir, value, i, j);
}

/// sum - x * y
static MlirValue subtractProduct(const Triangular *t, XlaIr *ir, MlirValue sum,
                                 MlirValue x, MlirValue y) {
  const XlaKernelDevice *device = t->kernel->device;
  if (!device || !device->hasFma)
    return xlaIrBinary(ir, "arith.subf", sum,
                       xlaIrBinary(ir, "arith.mulf", x, y));
  MlirValue operands[] = {xlaIrUnary(ir, "arith.negf", x), y, sum};
  return xlaIrOp(ir, "math.fma", mlirValueGetType(sum), 3, operands, 0, NULL);
}

/// The most lanes, powers of two, that rows of `size` are full of.
static int64_t widthFor(const Triangular *t, int64_t size) {
  int64_t width = t->lanes;
  while (size % width)
    width /= 2;
  return width;
}

//===----------------------------------------------------------------------===//
// Cholesky
//===----------------------------------------------------------------------===//

/// What u^T * u leaves of the elements at columns `c` of row `j`.
static void reduceRow(const Triangular *t, XlaIr *ir, MlirValue j,
                      MlirValue c) {
  XlaIr body;
  MlirValue sum = load(t, ir, &t->a, j, c);
  MlirOperation loop = loopFrom(ir, number(ir, 0), j, 1, 1, &sum, &body);
  MlirValue k = argumentOf(loop, 0);
  MlirValue factor = loadSpread(t, &body, &t->result, k, j);
  MlirValue next = subtractProduct(t, &body, argumentOf(loop, 1), factor,
                                   load(t, &body, &t->result, k, c));
  xlaIrYield(&body, 1, &next);
  store(t, ir, mlirOperationGetResult(loop, 0), j, c);
}

/// Row `j` of u, once the sums are there; gives its pivot.
static MlirValue finishRow(const Triangular *t, XlaIr *ir, MlirValue j,
                           MlirValue first) {
  XlaIr body;
  MlirValue n = number(ir, t->n), zero = number(ir, 0);
  MlirValue pivot = loadOne(t, ir, &t->result, j, j);
  MlirValue root = xlaIrUnary(ir, "math.sqrt", pivot);
  MlirValue roots =
      t->width > 1 ? xlaIrCast(ir, "vector.broadcast", root, typeOf(t)) : root;
  MlirOperation loop = loopFrom(ir, first, n, t->width, 0, NULL, &body);
  MlirValue c = argumentOf(loop, 0);
  MlirValue sums = load(t, &body, &t->result, j, c);
  store(t, &body, xlaIrBinary(&body, "arith.divf", sums, roots), j, c);
  xlaIrYield(&body, 0, NULL);
  MlirValue none = xlaIrConstantFloat(ir, t->element, 0);
  MlirValue isSound = xlaIrBinary(
      ir, "arith.andi", xlaIrCmpF(ir, "ogt", pivot, none),
      xlaIrCmpF(ir, "olt", pivot,
                xlaIrConstantFloat(ir, t->element, (double)INFINITY)));
  MlirValue nan = xlaIrConstantFloat(ir, t->element, (double)NAN);
  storeOne(t, ir, xlaIrSelect(ir, isSound, root, nan), j, j);
  loop = loopFrom(ir, zero, j, 1, 0, NULL, &body);
  storeOne(t, &body, none, j, argumentOf(loop, 0));
  xlaIrYield(&body, 0, NULL);
  return pivot;
}

/// Makes all of a matrix NaN.
static void spoil(const Triangular *t, XlaIr *ir) {
  XlaIr row, body;
  MlirValue zero = number(ir, 0), n = number(ir, t->n);
  MlirOperation rows = loopFrom(ir, zero, n, 1, 0, NULL, &row);
  MlirOperation columns = loopFrom(&row, zero, n, 1, 0, NULL, &body);
  storeOne(t, &body, xlaIrConstantFloat(&body, t->element, (double)NAN),
           argumentOf(rows, 0), argumentOf(columns, 0));
  xlaIrYield(&body, 0, NULL);
  xlaIrYield(&row, 0, NULL);
}

/// u with u^T * u = a, row by row.
static void factor(const Triangular *t, XlaIr *ir) {
  XlaIr row, body, then;
  MlirValue n = number(ir, t->n);
  MlirValue spoiled = xlaIrConstantFloat(ir, t->element, 0);
  MlirOperation rows = loopFrom(ir, number(ir, 0), n, 1, 1, &spoiled, &row);
  MlirValue j = argumentOf(rows, 0);
  MlirValue width = number(&row, t->width);
  MlirValue first = xlaIrBinary(&row, "arith.subi", j,
                                xlaIrBinary(&row, "arith.remui", j, width));
  MlirOperation columns = loopFrom(&row, first, n, t->width, 0, NULL, &body);
  reduceRow(t, &body, j, argumentOf(columns, 0));
  xlaIrYield(&body, 0, NULL);
  MlirValue pivot = finishRow(t, &row, j, first);
  MlirValue isDefinite =
      xlaIrCmpF(&row, "oge", pivot, xlaIrConstantFloat(&row, t->element, 0));
  MlirValue next = xlaIrSelect(&row, isDefinite, argumentOf(rows, 1),
                               xlaIrConstantFloat(&row, t->element, 1));
  xlaIrYield(&row, 1, &next);
  MlirValue zero = xlaIrConstantFloat(ir, t->element, 0);
  xlaIrIf(ir, xlaIrCmpF(ir, "ogt", mlirOperationGetResult(rows, 0), zero),
          &then, NULL);
  spoil(t, &then);
}

static void emitCholesky(Triangular *t) {
  MlirValue only;
  bool isLower = xlaOpIsTrue(t->kernel->op, "lower");
  t->a.swapped = t->result.swapped = isLower;
  t->width = isLower ? 1 : widthFor(t, t->n);
  Tasks tasks =
      openTasks(t, 1, t->n * t->n * t->n / 6 / t->width + t->n * 20, &only);
  factor(t, &tasks.inner);
  closeTasks(&tasks);
}

//===----------------------------------------------------------------------===//
// Triangular systems
//===----------------------------------------------------------------------===//

/// A system c x = b, whose right sides are columns.
typedef struct System {
  Matrices b;
  bool isLower; ///< c
  bool hasUnits;
} System;

/// Row `step` in the order in which unknowns become known.
static MlirValue rowAt(const Triangular *t, const System *system, XlaIr *ir,
                       MlirValue step) {
  return system->isLower
             ? step
             : xlaIrBinary(ir, "arith.subi", number(ir, t->n - 1), step);
}

/// The unknowns of right sides `column` on. The loop over rows carries their
/// number, for it is none over threads.
static void substitute(const Triangular *t, const System *system, XlaIr *ir,
                       MlirValue column) {
  XlaIr row, body;
  MlirValue i = rowAt(t, system, ir, number(ir, 0));
  MlirOperation rows =
      loopFrom(ir, number(ir, 0), number(ir, t->n), 1, 1, &i, &row);
  i = argumentOf(rows, 1);
  MlirValue sum = load(t, &row, &system->b, i, column);
  MlirOperation loop =
      loopFrom(&row, number(&row, 0), argumentOf(rows, 0), 1, 1, &sum, &body);
  MlirValue k = rowAt(t, system, &body, argumentOf(loop, 0));
  MlirValue factor = loadSpread(t, &body, &t->a, i, k);
  MlirValue next = subtractProduct(t, &body, argumentOf(loop, 1), factor,
                                   load(t, &body, &t->result, k, column));
  xlaIrYield(&body, 1, &next);
  sum = mlirOperationGetResult(loop, 0);
  if (!system->hasUnits)
    sum =
        xlaIrBinary(&row, "arith.divf", sum, loadSpread(t, &row, &t->a, i, i));
  store(t, &row, sum, i, column);
  next = xlaIrBinary(&row, system->isLower ? "arith.addi" : "arith.subi", i,
                     number(&row, 1));
  xlaIrYield(&row, 1, &next);
}

/// As many of the right sides from `from` on as there are whole `width`s.
static int64_t solveSome(Triangular *t, const System *system, int64_t width,
                         int64_t from, int64_t size) {
  MlirValue part;
  int64_t count = (size - from) / width;
  if (!count)
    return from;
  t->width = width;
  Tasks tasks = openTasks(
      t, count, t->n * t->n / 2 * (width > t->lanes ? maxVectors : 1), &part);
  XlaIr *ir = &tasks.inner;
  MlirValue column =
      xlaIrBinary(ir, "arith.addi", number(ir, from),
                  xlaIrBinary(ir, "arith.muli", part, number(ir, width)));
  substitute(t, system, ir, column);
  closeTasks(&tasks);
  return from + count * width;
}

static void emitSolve(Triangular *t, const XlaShape *b) {
  MlirOperation op = t->kernel->op;
  bool isLeft = xlaOpIsTrue(op, "left_side");
  MlirValue right = mlirOperationGetOperand(op, 1);
  System system = {.b = {xlaKernelGetBuffer(t->kernel, right)->memref, !isLeft},
                   .hasUnits = xlaOpIsTrue(op, "unit_diagonal")};
  t->result.swapped = !isLeft;
  // x * op(a) = b is op(a)^T * x^T = b^T.
  t->a.swapped = isLeft != xlaOpAttrIs(op, "transpose_a", "NO_TRANSPOSE");
  system.isLower = xlaOpIsTrue(op, "lower") != t->a.swapped;
  int64_t size = b->dims[isLeft ? 2 : 1], done = 0;
  if (isLeft && t->lanes > 1) {
    done = solveSome(t, &system, maxVectors * t->lanes, done, size);
    done = solveSome(t, &system, t->lanes, done, size);
  }
  solveSome(t, &system, 1, done, size);
}

MlirLogicalResult xlaTriangularEmit(XlaKernel *kernel,
                                    const MlirValue *results) {
  MlirValue a = mlirOperationGetOperand(kernel->op, 0);
  XlaShape shape = xlaKernelShapeOf(a);
  XlaShape result = xlaKernelShapeOf(mlirOperationGetResult(kernel->op, 0));
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape.elementType);
  int64_t count = 0;
  if (shape.rank != 3 || info->bits < 32)
    return xlaOpError(kernel->op, NULL,
                      "should have been written as blocks of f32 or f64 in "
                      "one batch");
  xlaShapeGetElementCount(&result, &count);
  if (!count)
    return mlirLogicalResultSuccess();
  Triangular t = {.kernel = kernel,
                  .batch = shape.dims[0],
                  .n = shape.dims[2],
                  .a = {xlaKernelGetBuffer(kernel, a)->memref, false},
                  .result = {results[0], false},
                  .lanes = 1};
  t.element = xlaIrElementType(mlirValueGetType(t.a.memref));
  if (kernel->device && kernel->device->vectorBits)
    t.lanes = kernel->device->vectorBits / info->bits;
  if (xlaOpGetKind(kernel->op) == XlaOpKindCholesky)
    emitCholesky(&t);
  else
    emitSolve(&t, &result);
  return mlirLogicalResultSuccess();
}

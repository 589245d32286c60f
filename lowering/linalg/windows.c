//===- windows.c - What is read at windows --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/windows.h"
#include "xlac/lowering/affine/statement.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"
#include "xlac/lowering/linalg/windows_internal.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

enum { maxBoxes = 32 }; // of a value in one band

bool xlaKernelHasWindows(const XlaKernel *kernel) {
  return kernel->device &&
         (kernel->device->windowBytes || kernel->device->tileBytes) &&
         xlaOpAttrIs(kernel->op, "kind", "window");
}

XlaWindowsPart xlaWindowsResults(const XlaWindows *w) {
  return (XlaWindowsPart){.n = w->last->n,
                          .values = w->last->values,
                          .shape = xlaKernelShapeOf(w->last->values[0])};
}

XlaWindowsPart xlaWindowsKept(const XlaWindows *w, intptr_t i) {
  const XlaKernelRows *rows = &w->steps->kernel->rows[i];
  return (XlaWindowsPart){.n = 1,
                          .values = &rows->value,
                          .shape = xlaKernelShapeOf(rows->value),
                          .kept = rows};
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

MlirLogicalResult xlaWindowsEmitBox(const XlaWindows *w, XlaGeneric *generic,
                                    const XlaWindowsPart *part) {
  size_t n = (size_t)part->n;
  MlirAffineMap *maps = calloc(n, sizeof *maps);
  MlirValue *outputs = calloc(n, sizeof *outputs);
  MlirValue *yields = calloc(n, sizeof *yields);
  const XlaIndex *root = &generic->space.root;
  bool done = maps && outputs && yields;
  if (!done)
    xlaKernelNoMemory(generic->kernel);
  for (intptr_t i = 0; done && i < part->n; ++i) {
    XlaShape shape = xlaKernelShapeOf(part->values[i]);
    MlirValue scalar = xlaGenericScalar(generic, part->values[i], root);
    done = !mlirValueIsNull(scalar);
    if (!done)
      break;
    yields[i] = xlaScalarToMemory(&generic->ir, shape.elementType, scalar);
    outputs[i] =
        part->kept
            ? xlaGenericRowsView(generic, part->kept, &shape, root, &maps[i])
            : xlaGenericView(generic, w->results[w->last->results[i]], &shape,
                             root, &maps[i]);
  }
  MlirLogicalResult result =
      done ? xlaGenericEnd(generic, part->n, outputs, maps, yields, NULL, false)
           : mlirLogicalResultFailure();
  free(yields);
  free(outputs);
  free(maps);
  return result;
}

/// Begins a generic over a box; blocks are not cut.
static MlirLogicalResult beginBox(XlaKernel *kernel, const XlaSpace *box,
                                  bool mayCut, const XlaWindowsPart *part,
                                  XlaGeneric *generic) {
  MlirLogicalResult result = xlaGenericBeginBox(
      generic, kernel, box, mayCut ? XlaGenericCutsAll : XlaGenericCutsNone,
      NULL, part->n, part->values);
  bool isWhole = !generic->needsCut || generic->cut.loop != xlaWindowsBlockLoop;
  if (mlirLogicalResultIsFailure(result) || (isWhole && !generic->pad.ptr))
    return result;
  xlaGenericFree(generic);
  return xlaGenericBeginBox(generic, kernel, box, XlaGenericCutsNone, NULL,
                            part->n, part->values);
}

/// Forgets what has been measured for a box that is cut.
static void measureAgain(XlaKernel *kernel, const XlaKernelRows *before) {
  for (intptr_t i = 0; i < kernel->nRows; ++i)
    kernel->rows[i] = before[i];
}

MlirLogicalResult xlaWindowsVisit(XlaWindows *w, const XlaWindowsPart *part,
                                  const XlaSpace *space, bool emits,
                                  int64_t *cut) {
  XlaKernel *kernel = w->steps->kernel;
  MlirContext context = mlirOperationGetContext(kernel->op);
  XlaSpace *boxes = malloc(maxBoxes * sizeof *boxes);
  XlaKernelRows *before = malloc(((size_t)kernel->nRows + 1) * sizeof *before);
  MlirLogicalResult result = mlirLogicalResultSuccess();
  int n = 1, nDone = 0;
  if (!boxes || !before) {
    free(before);
    free(boxes);
    return xlaKernelNoMemory(kernel);
  }
  boxes[0] = *space;
  while (n && mlirLogicalResultIsSuccess(result)) {
    XlaGeneric generic;
    for (intptr_t i = 0; i < kernel->nRows; ++i)
      before[i] = kernel->rows[i];
    result =
        beginBox(kernel, &boxes[n - 1], n + nDone < maxBoxes, part, &generic);
    if (mlirLogicalResultIsSuccess(result) && generic.needsCut) {
      XlaGenericCut at = generic.cut;
      boxes[n - 1] = boxes[n] = generic.space;
      xlaSpaceCut(&boxes[n - 1], context, at.loop, at.at, true);
      xlaSpaceCut(&boxes[n++], context, at.loop, at.at, false);
      measureAgain(kernel, before);
      if (cut && at.loop == xlaWindowsRowLoop) {
        *cut = at.at;
        n = 0;
      }
    } else {
      --n;
      ++nDone;
      if (mlirLogicalResultIsSuccess(result) && emits)
        result = xlaWindowsEmitBox(w, &generic, part);
    }
    xlaGenericFree(&generic);
  }
  free(before);
  free(boxes);
  return result;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Rows of a block of the band's: as many as there is memory for, of some work,
/// so that rows around it count little, and such that few are left.
static int64_t chooseRows(const XlaWindows *w, int64_t n) {
  enum { work = 2048, longRow = 64, perAround = 8, perThread = 4 };
  const XlaKernel *kernel = w->steps->kernel;
  XlaShape shape = xlaWindowsResults(w).shape;
  int64_t left = kernel->device->windowBytes, row = 1, around = 0;
  int64_t tasks =
      perThread * (kernel->device->threads > 1 ? kernel->device->threads : 1);
  int64_t length = 1;
  bool isUneven = false;
  for (int d = 1; d < shape.rank; ++d)
    length *= shape.dims[d];
  for (intptr_t i = 0; i < kernel->nRows; ++i) {
    if (!w->keeps[i] || !xlaWindowsIsRead(w, i))
      continue;
    XlaShape kept = xlaKernelShapeOf(kernel->rows[i].value);
    int64_t more = w->upper[i] - w->lower[i];
    row += xlaWindowRowBytes(&kept);
    left -= more * xlaWindowRowBytes(&kept);
    around = more > around ? more : around;
    isUneven |= kernel->rows[i].isUneven;
  }
  if (isUneven)
    return n;
  int64_t most = left > row ? left / row : 1, rows = perAround * around;
  if (rows < (work + length - 1) / length && (around || length < longRow))
    rows = (work + length - 1) / length;
  if (rows > n / tasks) // but for what is around them
    rows = n / tasks > 2 * around ? n / tasks : 2 * around;
  rows = rows > most ? most : rows;
  rows = rows > n ? n : rows;
  rows = rows < 1 ? 1 : rows;
  int64_t best = rows;
  for (int64_t size = rows; size > rows - rows / 4; --size)
    if (n % size < n % best)
      best = size;
  return best;
}

bool xlaWindowsAllocate(XlaWindows *w, XlaKernelRows *rows) {
  XlaKernel *kernel = w->steps->kernel;
  XlaShape shape = xlaKernelShapeOf(rows->value);
  XlaShape all = xlaKernelRowsShape(rows, &shape);
  const char *reason;
  MlirType type = xlaKernelMemRefType(
      xlaShapeToMlir(&all, mlirOperationGetContext(kernel->op)), &reason);
  if (mlirTypeIsNull(type)) {
    xlaOpUnsupported(kernel->op, NULL, "has an intermediate value %s: %s",
                     XLA_SHAPE_TEXT(&shape), reason);
    return false;
  }
  rows->memory = xlaLinalgAlloc(&kernel->ir, type);
  mlirOperationSetDiscardableAttributeByName(
      mlirOpResultGetOwner(rows->memory),
      mlirStringRefCreateFromCString(rows->tile ? XLA_SCHED_WORKGROUP
                                                : XLA_SCHED_BLOCKS),
      rows->tile ? mlirUnitAttrGet(kernel->ir.context)
                 : xlaIrI64Attr(kernel->ir.context, rows->blocks));
  return true;
}

static MlirLogicalResult emitPart(XlaWindows *w, const XlaWindowsPart *part,
                                  int64_t first, int64_t blocks, int64_t step,
                                  int64_t rows) {
  XlaSpace space;
  xlaSpaceInitBlocks(&space, mlirOperationGetContext(w->steps->kernel->op),
                     &part->shape, first, blocks, step, rows);
  return xlaWindowsVisit(w, part, &space, true, NULL);
}

/// `blocks` blocks of `size` rows from `from` on.
static MlirLogicalResult emitBlocks(XlaWindows *w, int64_t from, int64_t blocks,
                                    int64_t size) {
  XlaKernel *kernel = w->steps->kernel;
  MlirLogicalResult result = mlirLogicalResultSuccess();
  for (intptr_t i = 0; i < kernel->nRows; ++i)
    kernel->rows[i].memory = (MlirValue){NULL};
  for (intptr_t i = 0; i < kernel->nRows && mlirLogicalResultIsSuccess(result);
       ++i) {
    XlaKernelRows rows = kernel->rows[i];
    if (!w->keeps[i] || !xlaWindowsIsRead(w, i))
      continue;
    rows.first = from + w->lower[i];
    rows.blocks = blocks;
    rows.step = size;
    rows.rows = size + w->upper[i] - w->lower[i];
    if (!xlaWindowsAllocate(w, &rows))
      return mlirLogicalResultFailure();
    XlaWindowsPart part = xlaWindowsKept(w, i);
    part.kept = &rows;
    result = emitPart(w, &part, rows.first, blocks, size, rows.rows);
    kernel->rows[i] = rows; // from now on it is read there
  }
  XlaWindowsPart results = xlaWindowsResults(w);
  if (mlirLogicalResultIsSuccess(result))
    result = emitPart(w, &results, from, blocks, size, size);
  return result;
}

static MlirLogicalResult emitBand(XlaWindows *w, int64_t from, int64_t to) {
  int64_t cut = 0;
  ++w->nBands;
  MlirLogicalResult result = xlaWindowsMeasure(w, from, to, &cut);
  if (mlirLogicalResultIsSuccess(result) && cut) {
    result = emitBand(w, from, cut);
    return mlirLogicalResultIsSuccess(result) ? emitBand(w, cut, to) : result;
  }
  if (mlirLogicalResultIsFailure(result))
    return result;
  int64_t n = to - from, size = chooseRows(w, n);
  result = emitBlocks(w, from, n / size, size);
  return mlirLogicalResultIsSuccess(result) && n % size
             ? emitBlocks(w, to - n % size, 1, n % size)
             : result;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Whether an operation moves what operation `i` of the fusion computes.
static bool isMoved(const XlaKernelSteps *steps, intptr_t i) {
  for (intptr_t k = i + 1; k < steps->nOps; ++k)
    for (intptr_t o = 0; !xlaIsInlined(steps->ops[k]) &&
                         o < mlirOperationGetNumOperands(steps->ops[k]);
         ++o)
      if (xlaKernelStepsOpIndex(steps,
                                mlirOperationGetOperand(steps->ops[k], o)) == i)
        return true;
  return false;
}

/// What may be kept: costs more than reading it again, and is moved.
static bool mayKeep(const XlaKernelSteps *steps, intptr_t i) {
  MlirOperation op = steps->ops[i];
  if (!xlaIsInlined(op) || mlirOperationGetNumResults(op) != 1 ||
      steps->costs[i] < xlaWindowMinCost || !isMoved(steps, i))
    return false;
  XlaShape shape = xlaKernelShapeOf(mlirOperationGetResult(op, 0));
  int64_t count = 0;
  bool hasRows = steps->kernel->device->tileBytes || shape.dims[0] > 1;
  return shape.rank && shape.rank < XLA_MAX_RANK / 2 && hasRows &&
         xlaShapeGetElementCount(&shape, &count) && count > 1;
}

static void findRows(XlaWindows *w) {
  XlaKernelSteps *steps = w->steps;
  XlaKernel *kernel = steps->kernel;
  for (intptr_t i = 0; i < steps->nOps; ++i)
    if (mayKeep(steps, i))
      kernel->rows[kernel->nRows++] =
          (XlaKernelRows){.value = mlirOperationGetResult(steps->ops[i], 0)};
}

MlirLogicalResult xlaKernelWindowsEmit(XlaKernelSteps *steps,
                                       const MlirValue *results) {
  XlaKernel *kernel = steps->kernel;
  const XlaKernelStep *last = &steps->all[0];
  XlaShape shape = xlaKernelShapeOf(steps->values[0]);
  int64_t count = 0;
  bool isOne = steps->n == 1 && !last->reduce.ptr && !last->dot.ptr &&
               !last->update.ptr && last->n > 0;
  bool hasTiles = kernel->device->tileBytes > 0;
  if (!isOne || !shape.rank || (!hasTiles && shape.dims[0] < 2) ||
      !xlaShapeGetElementCount(&shape, &count) || count < 2)
    return xlaKernelStepsEmit(steps, results);
  size_t n = (size_t)steps->nOps + 1;
  XlaWindows w = {.steps = steps,
                  .last = last,
                  .results = results,
                  .keeps = calloc(n, sizeof *w.keeps),
                  .lower = calloc(n, sizeof *w.lower),
                  .upper = calloc(n, sizeof *w.upper)};
  kernel->rows = calloc(n, sizeof *kernel->rows);
  MlirLogicalResult result;
  if (!w.keeps || !w.lower || !w.upper || !kernel->rows)
    result = xlaKernelNoMemory(kernel);
  else {
    findRows(&w);
    result = !kernel->nRows ? xlaKernelStepsEmit(steps, results)
             : hasTiles     ? xlaWindowsEmitTiles(&w)
                            : emitBand(&w, 0, shape.dims[0]);
  }
  free(w.keeps);
  free(w.lower);
  free(w.upper);
  free(kernel->rows);
  kernel->rows = NULL;
  kernel->nRows = 0;
  return result;
}

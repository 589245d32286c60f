//===- windows.c - What is read at windows --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/windows.h"
#include "xlac/lowering/affine/statement.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

enum {
  blockLoop,
  rowLoop,
  maxBoxes = 32, // of a value in one band
  maxBands = 24,
};

/// A window kernel in the making.
typedef struct Windows {
  XlaKernelSteps *steps;
  const XlaKernelStep *last; ///< all that the kernel returns
  const MlirValue *results;
  bool *keeps;            ///< of each of the kernel's rows, in the band at hand
  int64_t *lower, *upper; ///< of each: rows from the result's to those read
  int nBands;
} Windows;

/// Rows of one value, or of all results.
typedef struct Part {
  intptr_t n;
  const MlirValue *values;
  XlaShape shape;
  const XlaKernelRows *kept; ///< where it goes; NULL: to the results
} Part;

bool xlaKernelHasWindows(const XlaKernel *kernel) {
  return kernel->device && kernel->device->windowBytes &&
         xlaOpAttrIs(kernel->op, "kind", "window");
}

static XlaKernel *kernelOf(const Windows *w) { return w->steps->kernel; }

static Part resultsOf(const Windows *w) {
  return (Part){.n = w->last->n,
                .values = w->last->values,
                .shape = xlaKernelShapeOf(w->last->values[0])};
}

static Part keptOf(const Windows *w, intptr_t i) {
  const XlaKernelRows *rows = &kernelOf(w)->rows[i];
  return (Part){.n = 1,
                .values = &rows->value,
                .shape = xlaKernelShapeOf(rows->value),
                .kept = rows};
}

static int64_t rowBytes(const XlaShape *shape) {
  int64_t bytes = xlaElementTypeGetInfo(shape->elementType)->bytes;
  for (int d = 1; d < shape->rank; ++d)
    if (__builtin_mul_overflow(bytes, shape->dims[d], &bytes))
      return INT64_MAX;
  return bytes;
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// The linalg op of a generic that has begun.
static MlirLogicalResult emitBox(const Windows *w, XlaGeneric *generic,
                                 const Part *part) {
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
                                  bool mayCut, const Part *part,
                                  XlaGeneric *generic) {
  MlirLogicalResult result = xlaGenericBeginBox(
      generic, kernel, box, mayCut ? XlaGenericCutsAll : XlaGenericCutsNone,
      NULL, part->n, part->values);
  bool isWhole = !generic->needsCut || generic->cut.loop != blockLoop;
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

/// Visits the boxes of a space, and writes them if `emits`. Otherwise `*cut`,
/// if not NULL, becomes the first iteration of the rows behind which a box ends
/// that has to end there, or stays 0.
static MlirLogicalResult visitBoxes(Windows *w, const Part *part,
                                    const XlaSpace *space, bool emits,
                                    int64_t *cut) {
  XlaKernel *kernel = kernelOf(w);
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
      if (cut && at.loop == rowLoop) {
        *cut = at.at;
        n = 0;
      }
    } else {
      --n;
      ++nDone;
      if (mlirLogicalResultIsSuccess(result) && emits)
        result = emitBox(w, &generic, part);
    }
    xlaGenericFree(&generic);
  }
  free(before);
  free(boxes);
  return result;
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

static bool isRead(const Windows *w, intptr_t i) {
  return w->lower[i] <= w->upper[i];
}

/// Adds the rows that `part`, from row `from` to row `to`, reads; it is read
/// itself at rows from `lower` to `upper` on from the result's. `*cut` becomes
/// the row before which one has to be cut, or 0.
static MlirLogicalResult measure(Windows *w, const Part *part, int64_t from,
                                 int64_t to, int64_t lower, int64_t upper,
                                 int64_t *cut) {
  XlaKernel *kernel = kernelOf(w);
  XlaSpace space;
  int64_t at = 0;
  for (intptr_t i = 0; i < kernel->nRows; ++i) {
    kernel->rows[i].isMeasured = w->keeps[i] && part->kept != &kernel->rows[i];
    kernel->rows[i].lower = INT64_MAX;
    kernel->rows[i].upper = INT64_MIN;
  }
  xlaSpaceInitBlocks(&space, mlirOperationGetContext(kernel->op), &part->shape,
                     from, 1, 1, to - from);
  MlirLogicalResult result =
      visitBoxes(w, part, &space, false, cut ? &at : NULL);
  if (cut)
    *cut = at ? from + at : 0;
  for (intptr_t i = 0; i < kernel->nRows; ++i) {
    const XlaKernelRows *rows = &kernel->rows[i];
    if (rows->lower > rows->upper)
      continue;
    if (lower + rows->lower < w->lower[i])
      w->lower[i] = lower + rows->lower;
    if (upper + rows->upper > w->upper[i])
      w->upper[i] = upper + rows->upper;
  }
  return result;
}

/// Whether the rows of value `i` are too many for `n` rows of results: those
/// around them, which other blocks compute as well, count.
static bool isTooLarge(const Windows *w, intptr_t i, int64_t n) {
  enum { perRow = 4, few = 16 };
  XlaShape shape = xlaKernelShapeOf(kernelOf(w)->rows[i].value);
  int64_t around = w->upper[i] - w->lower[i], bytes;
  int64_t rows = around + (kernelOf(w)->rows[i].isUneven ? n : 1);
  return around > perRow * n + few ||
         __builtin_mul_overflow(2 * rows, rowBytes(&shape), &bytes) ||
         bytes > kernelOf(w)->device->windowBytes;
}

/// A row within the band at which all that reads across row `at` of value `i`
/// begins or ends, or 0.
static int64_t cutOf(const Windows *w, intptr_t i, int64_t at, int64_t from,
                     int64_t to) {
  int64_t below = at - w->upper[i], above = at - w->lower[i];
  return below > from && below < to   ? below
         : above > from && above < to ? above
                                      : 0;
}

/// What a pass over a band found.
typedef struct Found {
  MlirLogicalResult result;
  int64_t cut; ///< the band is two, or 0
  bool again;  ///< less is kept than it assumed
} Found;

static Found measureKept(Windows *w, intptr_t i, int64_t from, int64_t to) {
  Part part = keptOf(w, i);
  int64_t lower = w->lower[i], upper = w->upper[i], at = 0;
  Found found = {mlirLogicalResultSuccess(), 0, false};
  if (part.kept->isFar || isTooLarge(w, i, to - from)) {
    w->keeps[i] = false;
    found.again = true;
    return found;
  }
  found.result = measure(w, &part, from + lower, to + upper, lower, upper, &at);
  if (at)
    found.cut = cutOf(w, i, at, from, to);
  bool isMixed = at && (!found.cut || w->nBands >= maxBands);
  if (isMixed && mlirLogicalResultIsSuccess(found.result)) {
    found.cut = 0;
    found.result =
        measure(w, &part, from + lower, to + upper, lower, upper, NULL);
  }
  return found;
}

static Found measureOnce(Windows *w, int64_t from, int64_t to) {
  XlaKernel *kernel = kernelOf(w);
  Part results = resultsOf(w);
  Found found = {mlirLogicalResultSuccess(), 0, false};
  for (intptr_t i = 0; i < kernel->nRows; ++i) {
    kernel->rows[i].isFar = kernel->rows[i].isUneven = false;
    kernel->rows[i].memory = (MlirValue){NULL};
    w->lower[i] = INT64_MAX;
    w->upper[i] = INT64_MIN;
  }
  found.result = measure(w, &results, from, to, 0, 0,
                         w->nBands < maxBands ? &found.cut : NULL);
  for (intptr_t i = kernel->nRows; i-- > 0;)
    if (mlirLogicalResultIsSuccess(found.result) && !found.cut &&
        !found.again && w->keeps[i] && isRead(w, i))
      found = measureKept(w, i, from, to);
  return found;
}

/// Finds which rows of what the band's rows need, or where it is to be cut.
static MlirLogicalResult measureBand(Windows *w, int64_t from, int64_t to,
                                     int64_t *cut) {
  XlaKernel *kernel = kernelOf(w);
  for (intptr_t i = 0; i < kernel->nRows; ++i)
    w->keeps[i] = true;
  Found found;
  do
    found = measureOnce(w, from, to);
  while (found.again && mlirLogicalResultIsSuccess(found.result));
  for (intptr_t i = 0; i < kernel->nRows; ++i)
    kernel->rows[i].isMeasured = false;
  *cut = found.cut;
  return found.result;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Rows of a block of the band's: as many as there is memory for, of some work,
/// so that rows around it count little, and such that few are left.
static int64_t chooseRows(const Windows *w, int64_t n) {
  enum { work = 2048, longRow = 64, perAround = 8, tasks = 16 };
  const XlaKernel *kernel = kernelOf(w);
  XlaShape shape = resultsOf(w).shape;
  int64_t left = kernel->device->windowBytes, row = 1, around = 0;
  int64_t length = 1;
  bool isUneven = false;
  for (int d = 1; d < shape.rank; ++d)
    length *= shape.dims[d];
  for (intptr_t i = 0; i < kernel->nRows; ++i) {
    if (!w->keeps[i] || !isRead(w, i))
      continue;
    XlaShape kept = xlaKernelShapeOf(kernel->rows[i].value);
    int64_t more = w->upper[i] - w->lower[i];
    row += rowBytes(&kept);
    left -= more * rowBytes(&kept);
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

/// Memory for the rows that have been described.
static bool allocate(Windows *w, XlaKernelRows *rows) {
  XlaKernel *kernel = kernelOf(w);
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
      mlirStringRefCreateFromCString(XLA_SCHED_BLOCKS),
      xlaIrI64Attr(kernel->ir.context, rows->blocks));
  return true;
}

static MlirLogicalResult emitPart(Windows *w, const Part *part, int64_t first,
                                  int64_t blocks, int64_t step, int64_t rows) {
  XlaSpace space;
  xlaSpaceInitBlocks(&space, mlirOperationGetContext(kernelOf(w)->op),
                     &part->shape, first, blocks, step, rows);
  return visitBoxes(w, part, &space, true, NULL);
}

/// `blocks` blocks of `size` rows from `from` on.
static MlirLogicalResult emitBlocks(Windows *w, int64_t from, int64_t blocks,
                                    int64_t size) {
  XlaKernel *kernel = kernelOf(w);
  MlirLogicalResult result = mlirLogicalResultSuccess();
  for (intptr_t i = 0; i < kernel->nRows; ++i)
    kernel->rows[i].memory = (MlirValue){NULL};
  for (intptr_t i = 0; i < kernel->nRows && mlirLogicalResultIsSuccess(result);
       ++i) {
    XlaKernelRows rows = kernel->rows[i];
    if (!w->keeps[i] || !isRead(w, i))
      continue;
    rows.first = from + w->lower[i];
    rows.blocks = blocks;
    rows.step = size;
    rows.rows = size + w->upper[i] - w->lower[i];
    if (!allocate(w, &rows))
      return mlirLogicalResultFailure();
    Part part = keptOf(w, i);
    part.kept = &rows;
    result = emitPart(w, &part, rows.first, blocks, size, rows.rows);
    kernel->rows[i] = rows; // from now on it is read there
  }
  Part results = resultsOf(w);
  if (mlirLogicalResultIsSuccess(result))
    result = emitPart(w, &results, from, blocks, size, size);
  return result;
}

static MlirLogicalResult emitBand(Windows *w, int64_t from, int64_t to) {
  int64_t cut = 0;
  ++w->nBands;
  MlirLogicalResult result = measureBand(w, from, to, &cut);
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
  enum { minCost = 3 };
  MlirOperation op = steps->ops[i];
  if (!xlaIsInlined(op) || mlirOperationGetNumResults(op) != 1 ||
      steps->costs[i] < minCost || !isMoved(steps, i))
    return false;
  XlaShape shape = xlaKernelShapeOf(mlirOperationGetResult(op, 0));
  int64_t count = 0;
  return shape.rank && shape.rank < XLA_MAX_RANK / 2 && shape.dims[0] > 1 &&
         xlaShapeGetElementCount(&shape, &count) && count;
}

static void findRows(Windows *w) {
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
  if (!isOne || !shape.rank || shape.dims[0] < 2 ||
      !xlaShapeGetElementCount(&shape, &count) || !count)
    return xlaKernelStepsEmit(steps, results);
  size_t n = (size_t)steps->nOps + 1;
  Windows w = {.steps = steps,
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
    result = kernel->nRows ? emitBand(&w, 0, shape.dims[0])
                           : xlaKernelStepsEmit(steps, results);
  }
  free(w.keeps);
  free(w.lower);
  free(w.upper);
  free(kernel->rows);
  kernel->rows = NULL;
  kernel->nRows = 0;
  return result;
}

//===- tiles.c - Windows in the memory of workgroups ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A workgroup computes a tile of the results:
//
//   for each tile, a workgroup
//     the tile of the first value, with what is around it -> its memory
//     ..
//     the tile of the results
//
// The edges of the array, and of concatenates and pads, are no boundaries here:
// what lies beyond them is computed as well, of elements that there are, and
// chosen by nobody (index_expr.h).
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/windows_internal.h"
#include "xlac/passes/fuse/windows.h"

#include "mlir-c/IntegerSet.h"

#include <stdlib.h>
#include <string.h>

/// Chooses the tile; false if what is kept does not fit, or there is none.
static bool choose(const XlaWindows *w, const XlaTileWindow *windows,
                   XlaWindowTile *tile) {
  const XlaKernel *kernel = w->steps->kernel;
  XlaShape results = xlaWindowsResults(w).shape;
  XlaWindowKept *kept = calloc((size_t)kernel->nRows + 1, sizeof *kept);
  int n = 0;
  for (intptr_t i = 0; kept && i < kernel->nRows; ++i) {
    if (!w->keeps[i])
      continue;
    XlaShape shape = xlaWindowsKept(w, i).shape;
    for (int d = 0; d < shape.rank; ++d)
      kept[n].around[d] = windows[i].upper[d] - windows[i].lower[d];
    kept[n++].elementBytes = xlaWindowKeptBytes(shape.elementType);
  }
  bool isChosen = n && xlaWindowChooseTile(&results, n, kept,
                                           kernel->device->tileBytes, tile);
  free(kept);
  return isChosen;
}

/// The loops over tiles come first in all spaces.
static XlaKernelTile numberLoops(const XlaShape *results,
                                 const XlaWindowTile *chosen) {
  XlaKernelTile tile = {.rank = results->rank};
  for (int d = 0; d < results->rank; ++d) {
    tile.sizes[d] = chosen->sizes[d];
    tile.loops[d] =
        xlaCeilDiv(results->dims[d], chosen->sizes[d]) > 1 ? tile.nLoops++ : -1;
  }
  return tile;
}

/// The tiles of an array of `shape` that `kept` describes, also of the results.
static XlaSpace spaceOf(const XlaKernel *kernel, const XlaShape *results,
                        const XlaShape *shape, const XlaKernelRows *kept) {
  MlirContext context = mlirOperationGetContext(kernel->op);
  const XlaKernelTile *tile = kept->tile;
  XlaSpace space = {.nLoops = tile->nLoops};
  for (int d = 0; d < tile->rank; ++d) {
    MlirAffineExpr at = mlirAffineConstantExprGet(context, kept->low[d]);
    if (tile->loops[d] >= 0) {
      space.sizes[tile->loops[d]] =
          xlaCeilDiv(results->dims[d], tile->sizes[d]);
      at =
          xlaExprAdd(xlaExprScale(mlirAffineDimExprGet(context, tile->loops[d]),
                                  tile->sizes[d]),
                     at);
    }
    if (kept->sizes[d] > 1) {
      at = xlaExprAdd(at, mlirAffineDimExprGet(context, space.nLoops));
      space.sizes[space.nLoops++] = kept->sizes[d];
    }
    if (kept->wraps[d])
      at = xlaExprModulo(at, shape->dims[d]);
    xlaIndexAppendExpr(&space.root, at);
  }
  return space;
}

/// The iterations that the results have, where the last tiles reach beyond.
static MlirAttribute withinOf(const XlaKernel *kernel, const XlaShape *results,
                              const XlaKernelTile *tile,
                              const XlaSpace *space) {
  MlirContext context = mlirOperationGetContext(kernel->op);
  MlirAffineExpr left[XLA_MAX_RANK];
  bool isEquality[XLA_MAX_RANK] = {false};
  intptr_t n = 0;
  for (int d = 0; d < results->rank; ++d)
    if (results->dims[d] % tile->sizes[d])
      left[n++] = xlaAffineBelow(
          xlaIndexGetExpr(context, space, &space->root, d), results->dims[d]);
  return n ? mlirIntegerSetAttrGet(mlirIntegerSetGet(context, space->nLoops, 0,
                                                     n, left, isEquality))
           : (MlirAttribute){NULL};
}

static MlirLogicalResult emitPart(const XlaWindows *w,
                                  const XlaWindowsPart *part,
                                  const XlaKernelTile *tile,
                                  const XlaSpace *space, MlirAttribute within) {
  XlaGeneric generic;
  MlirLogicalResult result =
      xlaGenericBeginBox(&generic, w->steps->kernel, space, XlaGenericCutsNone,
                         NULL, part->n, part->values);
  generic.tile = tile;
  generic.within = within;
  if (mlirLogicalResultIsSuccess(result))
    result = xlaWindowsEmitBox(w, &generic, part);
  xlaGenericFree(&generic);
  return result;
}

/// What is kept of value `i`; false where what wraps would be there twice.
static bool describe(const XlaWindows *w, intptr_t i,
                     const XlaTileWindow *window, const XlaKernelTile *tile,
                     XlaKernelRows *rows) {
  XlaShape shape = xlaWindowsKept(w, i).shape;
  *rows = w->steps->kernel->rows[i];
  rows->tile = tile;
  memcpy(rows->low, window->lower, sizeof rows->low);
  memcpy(rows->wraps, window->wraps, sizeof rows->wraps);
  for (int d = 0; d < tile->rank; ++d) {
    rows->sizes[d] = tile->sizes[d] + window->upper[d] - window->lower[d];
    if (rows->wraps[d] && rows->sizes[d] > shape.dims[d])
      return false;
  }
  return true;
}

static bool fits(const XlaWindows *w, const XlaTileWindow *windows,
                 const XlaKernelTile *tile) {
  XlaKernelRows rows;
  for (intptr_t i = 0; i < w->steps->kernel->nRows; ++i)
    if (w->keeps[i] && !describe(w, i, &windows[i], tile, &rows))
      return false;
  return true;
}

static MlirLogicalResult emitTiles(XlaWindows *w, const XlaTileWindow *windows,
                                   const XlaKernelTile *tile) {
  XlaKernel *kernel = w->steps->kernel;
  XlaWindowsPart results = xlaWindowsResults(w);
  MlirLogicalResult result = mlirLogicalResultSuccess();
  XlaKernelRows rows;
  XlaSpace space;
  for (intptr_t i = 0; i < kernel->nRows && mlirLogicalResultIsSuccess(result);
       ++i) {
    if (!w->keeps[i])
      continue;
    describe(w, i, &windows[i], tile, &rows);
    if (!xlaWindowsAllocate(w, &rows))
      return mlirLogicalResultFailure();
    XlaWindowsPart part = xlaWindowsKept(w, i);
    part.kept = &rows;
    space = spaceOf(kernel, &results.shape, &part.shape, &rows);
    result = emitPart(w, &part, tile, &space, (MlirAttribute){NULL});
    kernel->rows[i] = rows; // from now on it is read there
  }
  rows = (XlaKernelRows){.tile = tile};
  memcpy(rows.sizes, tile->sizes, sizeof rows.sizes);
  space = spaceOf(kernel, &results.shape, &results.shape, &rows);
  return mlirLogicalResultIsSuccess(result)
             ? emitPart(w, &results, tile, &space,
                        withinOf(kernel, &results.shape, tile, &space))
             : result;
}

MlirLogicalResult xlaWindowsEmitTiles(XlaWindows *w) {
  XlaTileWindow *windows =
      calloc((size_t)w->steps->kernel->nRows + 1, sizeof *windows);
  XlaWindowTile chosen;
  if (!windows)
    return xlaKernelNoMemory(w->steps->kernel);
  MlirLogicalResult result = xlaWindowsMeasureTiles(w, windows);
  if (mlirLogicalResultIsSuccess(result)) {
    XlaShape results = xlaWindowsResults(w).shape;
    XlaKernelTile tile = {.rank = 0};
    bool isTiled = choose(w, windows, &chosen);
    if (isTiled)
      tile = numberLoops(&results, &chosen);
    result = isTiled && fits(w, windows, &tile)
                 ? emitTiles(w, windows, &tile)
                 : xlaKernelStepsEmit(w->steps, w->results);
  }
  free(windows);
  return result;
}

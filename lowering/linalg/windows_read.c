//===- windows_read.c - Rows that are kept --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/scalar.h"
#include "xlac/lowering/linalg/windows.h"

#include <string.h>

XlaKernelRows *xlaKernelRowsOf(const XlaGeneric *generic, MlirValue value) {
  const XlaKernel *kernel = generic->kernel;
  if (generic->isOutside || generic->isStart || !generic->space.root.isGeneral)
    return NULL;
  for (intptr_t i = 0; i < kernel->nRows; ++i)
    if (mlirValueEqual(kernel->rows[i].value, value))
      return kernel->rows[i].isMeasured || kernel->rows[i].memory.ptr
                 ? &kernel->rows[i]
                 : NULL;
  return NULL;
}

XlaShape xlaKernelRowsShape(const XlaKernelRows *rows, const XlaShape *shape) {
  XlaShape all = {.elementType = shape->elementType, .rank = shape->rank + 1};
  if (rows->tile) {
    all.rank = shape->rank;
    memcpy(all.dims, rows->sizes, sizeof all.dims);
    return all;
  }
  all.dims[0] = rows->blocks;
  all.dims[1] = rows->rows;
  for (int d = 1; d < shape->rank; ++d)
    all.dims[d + 1] = shape->dims[d];
  return all;
}

/// The same element, in the tile of the workgroup at hand.
static XlaIndex indexInTile(const XlaGeneric *generic,
                            const XlaKernelRows *rows, const XlaShape *shape,
                            const XlaIndex *index) {
  MlirContext context = mlirOperationGetContext(generic->kernel->op);
  const XlaKernelTile *tile = rows->tile;
  XlaIndex in;
  xlaIndexBegin(&in);
  for (int d = 0; d < index->rank; ++d) {
    MlirAffineExpr at = xlaIndexGetExpr(context, &generic->space, index, d);
    if (tile->loops[d] >= 0)
      at = xlaExprAdd(
          at, xlaExprScale(mlirAffineDimExprGet(context, tile->loops[d]),
                           -tile->sizes[d]));
    at = xlaExprShift(at, -rows->low[d]);
    xlaIndexAppendExpr(&in,
                       rows->wraps[d] ? xlaExprModulo(at, shape->dims[d]) : at);
  }
  return in;
}

/// The same element, by the number of its block.
static XlaIndex indexInBlocks(const XlaGeneric *generic,
                              const XlaKernelRows *rows, const XlaShape *shape,
                              const XlaIndex *index) {
  if (rows->tile)
    return indexInTile(generic, rows, shape, index);
  MlirContext context = mlirOperationGetContext(generic->kernel->op);
  MlirAffineExpr block = mlirAffineDimExprGet(context, 0);
  XlaIndex all;
  xlaIndexBegin(&all);
  xlaIndexAppendExpr(&all, block);
  for (int d = 0; d < index->rank; ++d) {
    MlirAffineExpr at = xlaIndexGetExpr(context, &generic->space, index, d);
    if (!d)
      at = xlaExprShift(xlaExprAdd(at, xlaExprScale(block, -rows->step)),
                        -rows->first);
    xlaIndexAppendExpr(&all, at);
  }
  return all;
}

/// Notes the rows from that of the loops to those that are read.
static void measure(XlaGeneric *generic, XlaKernelRows *rows,
                    const XlaShape *shape, const XlaIndex *index) {
  MlirContext context = mlirOperationGetContext(generic->kernel->op);
  MlirAffineExpr from = xlaIndexExprSimplify(
      generic, xlaExprAdd(xlaIndexGetExpr(context, &generic->space, index, 0),
                          xlaExprScale(xlaIndexGetExpr(context, &generic->space,
                                                       &generic->space.root, 0),
                                       -1)));
  XlaInterval range = {INT64_MIN, INT64_MAX};
  if (from.ptr)
    range = xlaIndexExprRange(generic, from);
  if (xlaGenericIsOpen(range) || !xlaGenericIsLinear(generic, shape, index)) {
    rows->isFar = true;
    return;
  }
  rows->isUneven |= mlirAffineExprIsFunctionOfDim(from, 1);
  rows->lower = range.lower < rows->lower ? range.lower : rows->lower;
  rows->upper = range.upper > rows->upper ? range.upper : rows->upper;
}

bool xlaGenericHasRows(XlaGeneric *generic, XlaKernelRows *rows,
                       const XlaShape *shape, const XlaIndex *index) {
  if (rows->tile) // all that is read is there
    return true;
  if (rows->isMeasured) {
    measure(generic, rows, shape, index);
    return true;
  }
  XlaShape all = xlaKernelRowsShape(rows, shape);
  XlaIndex at = indexInBlocks(generic, rows, shape, index);
  // Each block has its own, at the same places.
  for (int d = 1; d < at.rank && rows->blocks > 1; ++d) {
    MlirAffineExpr expr = xlaIndexExprSimplify(generic, at.exprs[d]);
    if (!expr.ptr || mlirAffineExprIsFunctionOfDim(expr, 0))
      return false;
  }
  return xlaGenericIsLinear(generic, &all, &at);
}

MlirValue xlaGenericRowsView(XlaGeneric *generic, const XlaKernelRows *rows,
                             const XlaShape *shape, const XlaIndex *index,
                             MlirAffineMap *map) {
  XlaShape all = xlaKernelRowsShape(rows, shape);
  XlaIndex at = indexInBlocks(generic, rows, shape, index);
  return xlaGenericView(generic, rows->memory, &all, &at, map);
}

bool xlaGenericReadRows(XlaGeneric *generic, const XlaKernelRows *rows,
                        const XlaShape *shape, const XlaIndex *index,
                        MlirValue *scalar) {
  MlirAffineMap map;
  if (rows->tile) {
    XlaShape all = xlaKernelRowsShape(rows, shape);
    XlaIndex at = indexInTile(generic, rows, shape, index);
    return xlaGenericReadGeneral(generic, rows->memory, &all, &at, scalar);
  }
  if (!generic->block.ptr)
    return true;
  MlirValue view = xlaGenericRowsView(generic, rows, shape, index, &map);
  MlirValue element =
      mlirValueIsNull(view) ? view : xlaGenericAddInput(generic, view, map);
  if (mlirValueIsNull(element))
    return false;
  *scalar = xlaScalarFromMemory(&generic->ir, shape->elementType, element);
  return true;
}

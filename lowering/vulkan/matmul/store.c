//===- store.c - Where sums of matrix products go -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of the slices of a workgroup are added, then a tile is stored. In loops
// (tiling->usesLoops) the tile lies in private memory; else it stays in
// registers and every store is an instruction of its own.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/matmul/emit.h"

enum { maxTile = XLA_VULKAN_MATMUL_MAX_TILE };

static bool usesLoops(const MatmulEmitter *e) {
  return !mlirValueIsNull(e->tile);
}

static int64_t elementsOf(const MatmulEmitter *e) {
  return (int64_t)e->tiling->tileRows * e->tiling->tileColumns;
}

static void loopTo(MatmulEmitter *e, XlaIr *ir, int64_t n, MatmulBody body,
                   void *user) {
  xlaMatmulLoop(e, ir, xlaMatmulConstant(e, 0), xlaMatmulEnd(e, n), 1, n, 0,
                NULL, body, user);
}

static void spill(MatmulEmitter *e, XlaIr *ir, const MlirValue *sums) {
  for (int64_t i = 0; i < elementsOf(e); ++i)
    xlaMatmulStoreSum(e, ir, sums[i], e->tile, xlaMatmulConstant(e, i));
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Sums of the slices of a workgroup, added in order by its first slice.
typedef struct Slices {
  MlirValue memory;
  int64_t stride;         ///< from an element of the tile to the next
  intptr_t n;             ///< elements
  MlirAffineExpr element; ///< in loops, the present one
} Slices;

static MlirAffineExpr slicePosition(const MatmulEmitter *e,
                                    MlirAffineExpr slice,
                                    MlirAffineExpr element,
                                    const Slices *slices) {
  MlirAffineExpr at = xlaExprScale(slice, e->tiling->columnThreads);
  at = xlaExprAdd(at, e->column);
  return xlaExprAdd(at, xlaExprScale(element, slices->stride));
}

static MlirValue loadSlice(const MatmulEmitter *e, XlaIr *ir,
                           MlirAffineExpr slice, MlirAffineExpr element,
                           const Slices *slices) {
  return xlaMatmulLoadSum(e, ir, slices->memory,
                          slicePosition(e, slice, element, slices));
}

static void addSlice(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr slice,
                     MlirValue *sums, void *user) {
  const Slices *slices = user;
  for (intptr_t i = 0; i < slices->n; ++i)
    sums[i] =
        xlaMatmulSum(e, ir, sums[i],
                     loadSlice(e, ir, slice, xlaMatmulConstant(e, i), slices));
}

static void addOne(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr slice,
                   MlirValue *sum, void *user) {
  const Slices *slices = user;
  *sum = xlaMatmulSum(e, ir, *sum,
                      loadSlice(e, ir, slice, slices->element, slices));
}

static void shareElement(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr element,
                         MlirValue *none, void *user) {
  (void)none;
  const Slices *slices = user;
  xlaMatmulStoreSum(e, ir, xlaMatmulLoadSum(e, ir, e->tile, element),
                    slices->memory,
                    slicePosition(e, e->other, element, slices));
}

/// Slices from the second on, added to `n` sums.
static void addOthers(MatmulEmitter *e, XlaIr *ir, intptr_t n, MlirValue *sums,
                      MatmulBody body, Slices *slices) {
  int64_t end = e->tiling->otherThreads;
  xlaMatmulLoop(e, ir, xlaMatmulConstant(e, 1),
                xlaAffineBoundConstant(&e->nest, end), 1, end, n, sums, body,
                slices);
}

static void addElement(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr element,
                       MlirValue *none, void *user) {
  (void)none;
  Slices slices = *(const Slices *)user;
  slices.element = element;
  MlirValue sum = xlaMatmulLoadSum(e, ir, e->tile, element);
  addOthers(e, ir, 1, &sum, addOne, &slices);
  xlaMatmulStoreSum(e, ir, sum, e->tile, element);
}

/// Leaves `ir` where only the first slice goes on.
static void addSlices(MatmulEmitter *e, XlaIr *ir, MlirValue *sums) {
  const XlaVulkanMatmulTiling *tiling = e->tiling;
  Slices slices = {.stride =
                       (int64_t)tiling->columnThreads * tiling->otherThreads,
                   .n = elementsOf(e)};
  slices.memory =
      xlaVulkanAlloc(ir, "Workgroup", e->sum, slices.stride * slices.n);
  if (usesLoops(e))
    loopTo(e, ir, slices.n, shareElement, &slices);
  for (intptr_t i = 0; i < slices.n && !usesLoops(e); ++i)
    xlaMatmulStoreSum(
        e, ir, sums[i], slices.memory,
        slicePosition(e, e->other, xlaMatmulConstant(e, i), &slices));
  xlaVulkanBarrier(ir);
  XlaIr then;
  MlirAffineExpr isFirst = xlaAffineBelow(e->other, 1);
  xlaAffineIf(&e->nest, ir, 1, &isFirst, &then, NULL);
  *ir = then;
  e->isInside = true;
  if (usesLoops(e))
    loopTo(e, ir, slices.n, addElement, &slices);
  else
    addOthers(e, ir, slices.n, sums, addSlice, &slices);
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// Rows or units of columns of a tile: where they are, and what is at least 0
/// where no other thread has them.
typedef struct Lines {
  MatmulPlace place;
  int nOwn;
  MlirAffineExpr own[2];
} Lines;

static void storeRow(MatmulEmitter *e, XlaIr *ir, const Lines *row,
                     const Lines *columns, const MlirValue *sums) {
  int width = e->columns.width, unit = e->unit[MatmulResult];
  const XlaContractionDims *dims = e->columns.dims;
  const XlaContractionDim *last = dims->n ? &dims->dims[dims->n - 1] : NULL;
  bool isInPlace = xlaMatmulIsInPlace(e);
  for (int64_t n = 0; n < e->tiling->tileColumns; n += unit) {
    const Lines *column = &columns[n / width];
    MlirAffineExpr own[5] = {e->extra};
    int nOwn = e->extra.ptr != NULL;
    XlaIr then = *ir;
    for (int i = 0; i < row->nOwn; ++i)
      own[nOwn++] = row->own[i];
    for (int i = 0; i < column->nOwn; ++i)
      own[nOwn++] = column->own[i];
    if (isInPlace && nOwn)
      xlaAffineIf(&e->nest, ir, nOwn, own, &then, NULL);
    MlirValue values[4];
    for (int i = 0; i < unit; ++i)
      values[i] = e->tiling->chunks > 1
                      ? sums[n + i]
                      : xlaMatmulToResult(e, &then, sums[n + i]);
    MatmulPlace at = xlaMatmulStep(e, MatmulResult, last,
                                   xlaMatmulConstant(e, 0), 0, n % width);
    at = xlaMatmulAdd(e, MatmulResult, &at, &column->place);
    at = xlaMatmulAdd(e, MatmulResult, &at, &row->place);
    xlaMatmulStoreUnit(e, &then, &at, values);
  }
}

/// Where row `m` of the tile lies in the result.
static Lines rowAt(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr m) {
  const MatmulTiles *rows = &e->rows;
  const XlaContractionDims *dims = rows->dims;
  MatmulPart part = {rows->first, 1};
  Lines row;
  if (e->tiling->staging == XlaVulkanStagingWorkgroup)
    part.first =
        xlaExprAdd(part.first, xlaExprScale(e->other, e->tiling->tileRows));
  part.first = xlaExprAdd(part.first, xlaMatmulDivide(e, ir, m, rows->width));
  row.nOwn = xlaMatmulIsOwn(rows, &part, 0, row.own);
  row.place =
      xlaMatmulPosition(e, ir, dims, MatmulResult,
                        xlaMatmulUnit(e, ir, rows, &part, 0), rows->width);
  MatmulPlace inside =
      xlaMatmulStep(e, MatmulResult, dims->n ? &dims->dims[dims->n - 1] : NULL,
                    xlaMatmulRemainder(e, ir, m, rows->width), 1, 0);
  row.place = xlaMatmulAdd(e, MatmulResult, &row.place, &inside);
  row.place = xlaMatmulAdd(e, MatmulResult, &row.place, &e->base[MatmulResult]);
  return row;
}

/// `user`: the units of columns.
static void storeSpilled(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr m,
                         MlirValue *none, void *user) {
  (void)none;
  int64_t n = e->tiling->tileColumns;
  MlirValue sums[maxTile];
  MlirAffineExpr first = xlaExprScale(m, n);
  for (int64_t i = 0; i < n; ++i)
    sums[i] = xlaMatmulLoadSum(e, ir, e->tile, xlaExprShift(first, i));
  Lines row = rowAt(e, ir, m);
  row.place = xlaMatmulNamePlace(e, ir, MatmulResult, &row.place);
  storeRow(e, ir, &row, user, sums);
}

void xlaMatmulStore(MatmulEmitter *e, XlaIr *ir, MlirValue *sums) {
  const XlaVulkanMatmulTiling *tiling = e->tiling;
  const MatmulTiles *rows = &e->rows, *columns = &e->columns;
  Lines units[maxTile];
  MatmulPart across = {xlaExprAdd(columns->first, e->column),
                       tiling->columnThreads};
  for (int64_t i = 0; i < tiling->tileColumns / columns->width; ++i) {
    MlirAffineExpr unit = xlaMatmulUnit(e, ir, columns, &across, i);
    MatmulPlace place = xlaMatmulPosition(e, ir, columns->dims, MatmulResult,
                                          unit, columns->width);
    units[i].place = xlaMatmulNamePlace(e, ir, MatmulResult, &place);
    units[i].nOwn = xlaMatmulIsOwn(columns, &across, i, units[i].own);
  }
  if (usesLoops(e))
    spill(e, ir, sums);
  if (tiling->staging != XlaVulkanStagingWorkgroup && tiling->otherThreads > 1)
    addSlices(e, ir, sums);
  if (usesLoops(e)) {
    // A tile of more rows than there are has the last of them several times.
    int64_t n = rows->size * rows->width;
    loopTo(e, ir, n < tiling->tileRows ? n : tiling->tileRows, storeSpilled,
           units);
    return;
  }
  for (int64_t m = 0; m < tiling->tileRows; ++m) {
    Lines row = rowAt(e, ir, xlaMatmulConstant(e, m));
    storeRow(e, ir, &row, units, sums + m * tiling->tileColumns);
  }
}

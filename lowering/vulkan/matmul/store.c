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
  xlaMatmulLoop(e, ir, (MlirValue){NULL}, xlaMatmulEnd(e, ir, n), 1, n, 0, NULL,
                body, user);
}

static void spill(MatmulEmitter *e, XlaIr *ir, const MlirValue *sums) {
  for (int64_t i = 0; i < elementsOf(e); ++i) {
    MlirValue at = xlaIrConstantIndex(ir, i);
    xlaIrStore(ir, sums[i], e->tile, 1, &at);
  }
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Sums of the slices of a workgroup, added in order by its first slice.
typedef struct Slices {
  MlirValue memory;
  int64_t stride;    ///< from an element of the tile to the next
  intptr_t n;        ///< elements
  MlirValue element; ///< in loops, the present one
} Slices;

static MlirValue slicePosition(MatmulEmitter *e, XlaIr *ir, MlirValue slice,
                               MlirValue element, const Slices *slices) {
  MlirValue at = xlaMatmulTimes(ir, slice, e->tiling->columnThreads);
  at = xlaMatmulAdd(ir, at, e->column);
  at = xlaMatmulAdd(ir, at, xlaMatmulTimes(ir, element, slices->stride));
  return xlaMatmulIndex(ir, at);
}

static MlirValue elementNumber(XlaIr *ir, int64_t i) {
  return xlaMatmulAddConstant(ir, (MlirValue){NULL}, i);
}

static void addSlice(MatmulEmitter *e, XlaIr *ir, MlirValue slice,
                     MlirValue *sums, void *user) {
  const Slices *slices = user;
  for (intptr_t i = 0; i < slices->n; ++i) {
    MlirValue at = slicePosition(e, ir, slice, elementNumber(ir, i), slices);
    sums[i] =
        xlaMatmulSum(e, ir, sums[i], xlaIrLoad(ir, slices->memory, 1, &at));
  }
}

static void addOne(MatmulEmitter *e, XlaIr *ir, MlirValue slice, MlirValue *sum,
                   void *user) {
  const Slices *slices = user;
  MlirValue at = slicePosition(e, ir, slice, slices->element, slices);
  *sum = xlaMatmulSum(e, ir, *sum, xlaIrLoad(ir, slices->memory, 1, &at));
}

static void shareElement(MatmulEmitter *e, XlaIr *ir, MlirValue element,
                         MlirValue *none, void *user) {
  (void)none;
  const Slices *slices = user;
  MlirValue at = slicePosition(e, ir, e->other, element, slices);
  xlaIrStore(ir, xlaIrLoad(ir, e->tile, 1, &element), slices->memory, 1, &at);
}

static void addElement(MatmulEmitter *e, XlaIr *ir, MlirValue element,
                       MlirValue *none, void *user) {
  (void)none;
  Slices slices = *(const Slices *)user;
  slices.element = element;
  MlirValue sum = xlaIrLoad(ir, e->tile, 1, &element);
  xlaMatmulLoop(e, ir, xlaIrConstantIndex(ir, 1),
                xlaIrConstantIndex(ir, e->tiling->otherThreads), 1,
                e->tiling->otherThreads, 1, &sum, addOne, &slices);
  xlaIrStore(ir, sum, e->tile, 1, &element);
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
  for (intptr_t i = 0; i < slices.n && !usesLoops(e); ++i) {
    MlirValue at =
        slicePosition(e, ir, e->other, elementNumber(ir, i), &slices);
    xlaIrStore(ir, sums[i], slices.memory, 1, &at);
  }
  xlaVulkanBarrier(ir);
  XlaIr then;
  xlaIrIf(ir, xlaIrCmpI(ir, "eq", e->other, xlaIrConstantIndex(ir, 0)), &then,
          NULL);
  *ir = then;
  if (usesLoops(e))
    loopTo(e, ir, slices.n, addElement, &slices);
  else
    xlaMatmulLoop(e, ir, xlaIrConstantIndex(ir, 1),
                  xlaIrConstantIndex(ir, tiling->otherThreads), 1,
                  tiling->otherThreads, slices.n, sums, addSlice, &slices);
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// Stores the elements of a unit, from column `part` of a unit of columns on.
static void storeUnit(MatmulEmitter *e, XlaIr *ir, MlirValue position,
                      const MlirValue *values) {
  MlirType element = mlirValueGetType(values[0]);
  MlirValue value = values[0];
  position = xlaMatmulIndex(ir, position);
  if (e->unit[MatmulResult] > 1) {
    const int64_t four = 4;
    value = xlaIrOp(ir, "vector.from_elements",
                    mlirVectorTypeGet(1, &four, element), 4, values, 0, NULL);
  }
  xlaIrStore(ir, value, e->memref[MatmulResult], 1, &position);
}

static void storeRow(MatmulEmitter *e, XlaIr *ir, MlirValue row,
                     const MlirValue *columns, const MlirValue *sums) {
  int width = e->columns.width, unit = e->unit[MatmulResult];
  const XlaContractionDims *dims = e->columns.dims;
  int64_t stride = dims->n ? dims->dims[dims->n - 1].result : 0;
  for (int64_t n = 0; n < e->tiling->tileColumns; n += unit) {
    MlirValue values[4];
    for (int i = 0; i < unit; ++i)
      values[i] = e->tiling->chunks > 1 ? sums[n + i]
                                        : xlaMatmulToResult(e, ir, sums[n + i]);
    MlirValue at = xlaMatmulAdd(ir, row, columns[n / width]);
    storeUnit(e, ir, xlaMatmulAddConstant(ir, at, n % width * stride / unit),
              values);
  }
}

/// Where row `m` of the tile lies in the result.
static MlirValue rowPosition(MatmulEmitter *e, XlaIr *ir, MlirValue m) {
  const MatmulTiles *rows = &e->rows;
  const XlaContractionDims *dims = rows->dims;
  int64_t stride = dims->n ? dims->dims[dims->n - 1].result : 0;
  MatmulPart part = {rows->first, 1};
  if (e->tiling->staging == XlaVulkanStagingWorkgroup)
    part.first = xlaMatmulAdd(
        ir, part.first, xlaMatmulTimes(ir, e->other, e->tiling->tileRows));
  part.first =
      xlaMatmulAdd(ir, part.first, xlaMatmulDivide(ir, m, rows->width));
  MlirValue row =
      xlaMatmulPosition(e, ir, dims, MatmulResult,
                        xlaMatmulUnit(ir, rows, &part, 0), rows->width);
  MlirValue inside = xlaMatmulRemainder(ir, m, rows->width);
  row = xlaMatmulAdd(
      ir, row, xlaMatmulTimes(ir, inside, stride / e->unit[MatmulResult]));
  return xlaMatmulAdd(ir, e->base[MatmulResult], row);
}

/// `user`: where the units of columns lie.
static void storeSpilled(MatmulEmitter *e, XlaIr *ir, MlirValue m,
                         MlirValue *none, void *user) {
  (void)none;
  int64_t n = e->tiling->tileColumns;
  MlirValue sums[maxTile], first = xlaMatmulTimes(ir, m, n);
  for (int64_t i = 0; i < n; ++i) {
    MlirValue at = xlaMatmulIndex(ir, xlaMatmulAddConstant(ir, first, i));
    sums[i] = xlaIrLoad(ir, e->tile, 1, &at);
  }
  storeRow(e, ir, rowPosition(e, ir, m), user, sums);
}

void xlaMatmulStore(MatmulEmitter *e, XlaIr *ir, MlirValue *sums) {
  const XlaVulkanMatmulTiling *tiling = e->tiling;
  const MatmulTiles *columns = &e->columns;
  if (usesLoops(e))
    spill(e, ir, sums);
  if (tiling->staging != XlaVulkanStagingWorkgroup && tiling->otherThreads > 1)
    addSlices(e, ir, sums);
  MlirValue units[maxTile];
  MatmulPart across = {xlaMatmulAdd(ir, columns->first, e->column),
                       tiling->columnThreads};
  for (int64_t i = 0; i < tiling->tileColumns / columns->width; ++i)
    units[i] = xlaMatmulPosition(e, ir, columns->dims, MatmulResult,
                                 xlaMatmulUnit(ir, columns, &across, i),
                                 columns->width);
  if (usesLoops(e)) {
    loopTo(e, ir, tiling->tileRows, storeSpilled, units);
    return;
  }
  for (int64_t m = 0; m < tiling->tileRows; ++m)
    storeRow(e, ir, rowPosition(e, ir, elementNumber(ir, m)), units,
             sums + m * tiling->tileColumns);
}

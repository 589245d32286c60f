//===- top_k.c - The largest elements -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many are a sort. Few are selected, of few long lines in blocks: the largest
// of each block, then the largest of these.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/top_k.h"

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/expand.h"
#include "xlac/passes/fuse/device.h"
#include "xlac/passes/passes.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

enum {
  mostSelected = 64,
  block = 1 << 14,
  fewLines = 64, ///< that are not cut into blocks
};

//===----------------------------------------------------------------------===//
// As a sort
//===----------------------------------------------------------------------===//

static MlirValue compare(XlaIr *ir, MlirValue a, MlirValue b, bool isFloat) {
  XlaShape pred = {.elementType = XlaElementTypePred};
  XlaIrAttr attrs[] = {
      {"comparison_direction", xlaIrStringAttr(ir->context, "GT")},
      {"compare_type", xlaIrStringAttr(ir->context, "TOTALORDER")}};
  return xlaIrOp(ir, "xla.compare", xlaShapeToMlir(&pred, ir->context), 2,
                 (MlirValue[]){a, b}, isFloat ? 2 : 1, attrs);
}

/// The comparator of `n` operands of these types: values, positions and, if
/// `n` is 3, whether they are there. Larger values first, of floats NaN before
/// infinity; what is not there after all.
static MlirRegion largerFirst(const XlaIr *at, intptr_t n,
                              const MlirType *operands) {
  MlirType types[6];
  MlirLocation locations[6];
  for (intptr_t i = 0; i < 2 * n; ++i) {
    types[i] = mlirRankedTensorTypeGet(
        0, NULL, xlaIrElementType(operands[i / 2]), mlirAttributeGetNull());
    locations[i] = at->location;
  }
  MlirBlock block = mlirBlockCreate(2 * n, types, locations);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  XlaIr ir = xlaIrAtEnd(at->context, at->location, block);
  XlaShape value;
  xlaShapeFromMlir(types[0], &value, NULL);
  MlirValue before = compare(&ir, mlirBlockGetArgument(block, 0),
                             mlirBlockGetArgument(block, 1),
                             xlaElementTypeIsFloat(value.elementType));
  if (n == 3) {
    MlirValue a = mlirBlockGetArgument(block, 4);
    MlirValue b = xlaIrUnary(&ir, "xla.not", mlirBlockGetArgument(block, 5));
    before =
        xlaIrBinary(&ir, "xla.and", a, xlaIrBinary(&ir, "xla.or", b, before));
  }
  xlaIrCreate(&ir, "xla.return", 1, &before, 0, NULL, 0, NULL, 0, NULL);
  return region;
}

void xlaTopKSort(XlaIr *ir, MlirValue x, MlirValue isThere, int64_t k,
                 MlirValue results[2]) {
  XlaShape shape = xlaArrayShape(x);
  int last = shape.rank - 1;
  intptr_t n = mlirValueIsNull(isThere) ? 2 : 3;
  MlirValue operands[] = {
      x, xlaArrayIota(ir, XlaElementTypeS32, shape.rank, shape.dims, last),
      isThere};
  MlirType types[3];
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(operands[i]);
  MlirRegion region = largerFirst(ir, n, types);
  XlaIrAttr attrs[] = {{"dimension", xlaIrI64Attr(ir->context, last)},
                       {"is_stable", mlirBoolAttrGet(ir->context, 1)}};
  MlirOperation sort =
      xlaIrCreate(ir, "xla.sort", n, operands, n, types, 2, attrs, 1, &region);
  int64_t starts[XLA_MAX_RANK] = {0}, limits[XLA_MAX_RANK];
  memcpy(limits, shape.dims, sizeof limits);
  limits[last] = k;
  for (int i = 0; i < 2; ++i)
    results[i] = xlaArraySlice(ir, mlirOperationGetResult(sort, i), starts,
                               limits, NULL);
}

//===----------------------------------------------------------------------===//
// By selection
//===----------------------------------------------------------------------===//

static void selectMost(XlaIr *ir, MlirValue x, int64_t k, MlirValue *results) {
  XlaShape shape = xlaArrayShape(x);
  if (k > shape.dims[shape.rank - 1])
    k = shape.dims[shape.rank - 1];
  shape.dims[shape.rank - 1] = k;
  MlirType types[2] = {xlaShapeToMlir(&shape, ir->context)};
  shape.elementType = XlaElementTypeS32;
  types[1] = xlaShapeToMlir(&shape, ir->context);
  XlaIrAttr attr = {"k", xlaIrI64Attr(ir->context, k)};
  MlirOperation op =
      xlaIrCreate(ir, "xla.top_k", 1, &x, 2, types, 1, &attr, 0, NULL);
  for (int i = 0; i < 2; ++i)
    results[i] = mlirOperationGetResult(op, i);
}

static MlirValue columns(XlaIr *ir, MlirValue x, int64_t from, int64_t to) {
  int64_t starts[2] = {0, from}, limits[2] = {xlaArrayShape(x).dims[0], to};
  return xlaArraySlice(ir, x, starts, limits, NULL);
}

/// The largest of each block of `x`, a matrix, and where they are in its rows.
static void selectInBlocks(XlaIr *ir, MlirValue x, int64_t k,
                           MlirValue candidates[2]) {
  XlaShape shape = xlaArrayShape(x);
  int64_t lines = shape.dims[0], size = shape.dims[1], n = size / block;
  int64_t rest = size - n * block;
  const int64_t split[3] = {lines, n, block}, merged[2] = {lines, n * k};
  MlirValue most[2];
  selectMost(ir, xlaArrayReshape(ir, columns(ir, x, 0, n * block), 3, split), k,
             most);
  XlaShape made = xlaArrayShape(most[1]);
  MlirValue begin =
      xlaArrayIota(ir, XlaElementTypeS32, made.rank, made.dims, 1);
  begin =
      xlaIrBinary(ir, "xla.multiply", begin, xlaArrayInteger(ir, begin, block));
  most[1] = xlaIrBinary(ir, "xla.add", most[1], begin);
  for (int i = 0; i < 2; ++i)
    candidates[i] = xlaArrayReshape(ir, most[i], 2, merged);
  if (!rest)
    return;
  selectMost(ir, columns(ir, x, n * block, size), k, most);
  most[1] = xlaIrBinary(ir, "xla.add", most[1],
                        xlaArrayInteger(ir, most[1], (uint64_t)(n * block)));
  for (int i = 0; i < 2; ++i)
    candidates[i] =
        xlaArrayConcatenate(ir, 2, (MlirValue[]){candidates[i], most[i]}, 1);
}

/// Rows of `x` at the places that those of `places` name.
static MlirValue takeInRows(XlaIr *ir, MlirValue x, MlirValue places) {
  XlaShape from = xlaArrayShape(x), to = xlaArrayShape(places);
  int64_t all = from.dims[0] * from.dims[1], count = to.dims[0] * to.dims[1];
  MlirValue row = xlaArrayIota(ir, XlaElementTypeS32, to.rank, to.dims, 0);
  row = xlaIrBinary(ir, "xla.multiply", row,
                    xlaArrayInteger(ir, row, (uint64_t)from.dims[1]));
  MlirValue at = xlaIrBinary(ir, "xla.add", row, places);
  MlirValue taken = xlaArrayTake(ir, xlaArrayReshape(ir, x, 1, &all),
                                 xlaArrayReshape(ir, at, 1, &count), 0);
  return xlaArrayReshape(ir, taken, 2, to.dims);
}

MlirLogicalResult xlaExpandTopK(XlaIr *ir, MlirOperation op,
                                MlirValue *results) {
  MlirValue x = mlirOperationGetOperand(op, 0);
  XlaShape shape = xlaArrayShape(x), result = shape;
  int last = shape.rank - 1;
  int64_t k = xlaOpGetI64(op, "k", 0), lines = 1, size = shape.dims[last];
  for (int d = 0; d < last; ++d)
    lines *= shape.dims[d];
  if (k > mostSelected || size < 2 * k || !lines) {
    xlaTopKSort(ir, x, (MlirValue){NULL}, k, results);
    return success();
  }
  if (lines >= fewLines || size < 2 * block) {
    selectMost(ir, x, k, results);
    return success();
  }
  const int64_t matrix[2] = {lines, size};
  MlirValue candidates[2], most[2];
  selectInBlocks(ir, xlaArrayReshape(ir, x, 2, matrix), k, candidates);
  selectMost(ir, candidates[0], k, most);
  most[1] = takeInRows(ir, candidates[1], most[1]);
  result.dims[last] = k;
  for (int i = 0; i < 2; ++i)
    results[i] = xlaArrayReshape(ir, most[i], result.rank, result.dims);
  return success();
}

//===----------------------------------------------------------------------===//
// Devices that do not select
//===----------------------------------------------------------------------===//

static bool isTopK(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindTopK;
}

MlirLogicalResult xlaTopKSortAll(MlirOperation op) {
  XlaIrOps found = xlaIrCollect(op, MlirWalkPostOrder, isTopK);
  MlirLogicalResult result = found.failed ? xlaOpNoMemory(op) : success();
  for (intptr_t i = 0; !failed(result) && i < found.n; ++i) {
    MlirValue results[2];
    XlaIr ir = xlaIrBefore(found.ops[i]);
    xlaTopKSort(&ir, mlirOperationGetOperand(found.ops[i], 0),
                (MlirValue){NULL}, xlaOpGetI64(found.ops[i], "k", 0), results);
    for (int k = 0; k < 2; ++k)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(found.ops[i], k),
                                    results[k]);
    mlirOperationDestroy(found.ops[i]);
  }
  free(found.ops);
  return result;
}

MlirLogicalResult xlaPassSortTopK(MlirOperation module,
                                  MlirExtPassOptionValues options,
                                  void *userData) {
  (void)options;
  (void)userData;
  return xlaFusionDeviceOfTarget(module)->runsAtOnce ? xlaTopKSortAll(module)
                                                     : success();
}

//===- top_k.c - The largest elements -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many are a sort. Few are selected. Long lines are cut into groups: each of
// the k largest elements is in one of the k groups whose largest elements are
// the largest, so that only those are searched.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/top_k.h"

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/expand.h"
#include "xlac/passes/fuse/device.h"
#include "xlac/passes/passes.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  mostSelected = 64,
  leastGroup = 16,     ///< elements
  leastGrouped = 4096, ///< elements of a line
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

/// Lines, the rows of a matrix, in groups.
typedef struct Groups {
  MlirValue x; ///< [lines * count, size]
  int64_t lines, length, count, size;
} Groups;

/// Elements of a group: about as many as there are groups for each of the k
/// that are searched.
static int64_t groupSize(int64_t length, int64_t k) {
  int64_t size = 1;
  while (4 * size * size <= length / k)
    size *= 2;
  return length < leastGrouped || size < leastGroup ? 0 : size;
}

/// Integers in the order of `x`: of floats NaN is beyond infinity, and 0 more
/// than -0, as comparators of sorts have it.
static MlirValue keysOf(XlaIr *ir, MlirValue x) {
  XlaElementType type = xlaArrayShape(x).elementType;
  int bits = xlaElementTypeGetInfo(type)->bits;
  if (!xlaElementTypeIsFloat(type))
    return x;
  XlaElementType integer = xlaElementTypeOfBits(bits, true);
  MlirValue key = xlaArrayCast(ir, "xla.bitcast_convert", x, integer);
  MlirValue others = xlaArrayInteger(ir, key, (UINT64_C(1) << (bits - 1)) - 1);
  return xlaArraySelect(
      ir, xlaArrayCompare(ir, "LT", key, xlaArrayInteger(ir, key, 0)),
      xlaIrBinary(ir, "xla.xor", key, others), key);
}

static double leastOf(XlaElementType type) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  return info->typeClass == XlaTypeClassSigned ? -ldexp(1, info->bits - 1) : 0;
}

/// Keys of `x`, [.., size] of groups; what fills the last group up, at
/// `positions` behind the line, has the least.
static MlirValue groupKeys(XlaIr *ir, const Groups *groups, MlirValue x,
                           MlirValue positions) {
  MlirValue keys = keysOf(ir, x);
  if (groups->count * groups->size == groups->length)
    return keys;
  MlirValue isThere =
      xlaArrayCompare(ir, "LT", positions,
                      xlaArrayInteger(ir, positions, (uint64_t)groups->length));
  XlaElementType type = xlaArrayShape(keys).elementType;
  return xlaArraySelect(
      ir, isThere, keys,
      xlaArraySplat(ir, xlaArrayNumber(ir, type, leastOf(type)), keys));
}

/// Positions in lines of the elements of groups, [lines, n], as [lines, n,
/// size].
static MlirValue positionsIn(XlaIr *ir, const Groups *groups,
                             MlirValue numbers) {
  XlaShape shape = xlaArrayShape(numbers);
  const int64_t dims[3] = {shape.dims[0], shape.dims[1], groups->size};
  const int64_t along[2] = {0, 1};
  MlirValue begin =
      xlaIrBinary(ir, "xla.multiply", numbers,
                  xlaArrayInteger(ir, numbers, (uint64_t)groups->size));
  return xlaIrBinary(ir, "xla.add",
                     xlaArrayBroadcast(ir, begin, 3, dims, along),
                     xlaArrayIota(ir, XlaElementTypeS32, 3, dims, 2));
}

/// The numbers, ascending, of the `k` groups whose largest elements are the
/// largest.
static MlirValue findGroups(XlaIr *ir, const Groups *groups, int64_t k) {
  const int64_t dims[3] = {groups->lines, groups->count, groups->size};
  MlirValue all = xlaArrayIota(ir, XlaElementTypeS32, 2, dims, 1);
  MlirValue keys =
      groupKeys(ir, groups, xlaArrayReshape(ir, groups->x, 3, dims),
                positionsIn(ir, groups, all));
  XlaElementType type = xlaArrayShape(keys).elementType;
  MlirValue most = xlaArrayReduce(ir, "xla.maximum", keys,
                                  xlaArrayNumber(ir, type, leastOf(type)), 4);
  MlirValue found[2], sorted[2];
  selectMost(ir, most, k, found);
  // Of equal elements the first ones count, so groups stay in their order.
  selectMost(ir, xlaIrUnary(ir, "xla.negate", found[1]), k, sorted);
  return xlaIrUnary(ir, "xla.negate", sorted[0]);
}

/// The rows of a matrix with lines * n rows that `numbers`, [lines, n'], name
/// in each line.
static MlirValue takeGroups(XlaIr *ir, const Groups *groups,
                            MlirValue numbers) {
  XlaShape shape = xlaArrayShape(numbers);
  int64_t count = shape.dims[0] * shape.dims[1];
  const int64_t dims[3] = {shape.dims[0], shape.dims[1], groups->size};
  MlirValue row = xlaArrayIota(ir, XlaElementTypeS32, 2, shape.dims, 0);
  row = xlaIrBinary(ir, "xla.multiply", row,
                    xlaArrayInteger(ir, row, (uint64_t)groups->count));
  MlirValue at =
      xlaArrayReshape(ir, xlaIrBinary(ir, "xla.add", row, numbers), 1, &count);
  return xlaArrayReshape(ir, xlaArrayTake(ir, groups->x, at, 0), 3, dims);
}

/// The positions of the `k` largest elements of each row of `x`.
static MlirValue selectInGroups(XlaIr *ir, MlirValue x, int64_t k,
                                int64_t size) {
  XlaShape shape = xlaArrayShape(x);
  Groups groups = {.lines = shape.dims[0],
                   .length = shape.dims[1],
                   .count = (shape.dims[1] + size - 1) / size,
                   .size = size};
  int64_t none[2] = {0}, more[2] = {0, groups.count * size - groups.length};
  const int64_t rows[2] = {groups.lines * groups.count, size};
  groups.x = xlaArrayReshape(
      ir,
      xlaArrayPad(ir, x, xlaArrayNumber(ir, shape.elementType, 0), none, more,
                  none),
      2, rows);
  MlirValue numbers = findGroups(ir, &groups, k), found[2];
  MlirValue positions = positionsIn(ir, &groups, numbers);
  const int64_t candidates[2] = {groups.lines, k * size};
  MlirValue keys =
      groupKeys(ir, &groups, takeGroups(ir, &groups, numbers), positions);
  selectMost(ir, xlaArrayReshape(ir, keys, 2, candidates), k, found);
  return takeInRows(ir, xlaArrayReshape(ir, positions, 2, candidates),
                    found[1]);
}

/// Whether keys have the order of the type, and positions 32 bits.
static bool areGrouped(const XlaShape *shape, int64_t lines) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape->elementType);
  int64_t size = shape->dims[shape->rank - 1];
  return info->bits >= (xlaElementTypeIsFloat(shape->elementType) ? 16 : 8) &&
         lines <= INT32_MAX / 2 / size;
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
  int64_t group = k ? groupSize(size, k) : 0;
  if (!group || !areGrouped(&shape, lines)) {
    selectMost(ir, x, k, results);
    return success();
  }
  const int64_t matrix[2] = {lines, size};
  x = xlaArrayReshape(ir, x, 2, matrix);
  MlirValue most[2];
  most[1] = selectInGroups(ir, x, k, group);
  most[0] = takeInRows(ir, x, most[1]);
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

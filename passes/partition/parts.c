//===- parts.c - Parts of arrays, and arrays of parts ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/expand.h"
#include "xlac/passes/partition/unknown.h"

#include <stdlib.h>
#include <string.h>

static MlirAttribute listAttr(MlirContext context, int n,
                              const int64_t *values) {
  return mlirDenseI64ArrayGet(context, n, values);
}

static MlirType withDims(MlirType type, int rank, const int64_t *dims) {
  return mlirRankedTensorTypeGet(rank, dims, mlirShapedTypeGetElementType(type),
                                 (MlirAttribute){NULL});
}

static MlirValue slice(XlaIr *ir, MlirValue value, int rank,
                       const int64_t *starts, const int64_t *limits) {
  int64_t sizes[XLA_MAX_RANK], strides[XLA_MAX_RANK];
  MlirType type = mlirValueGetType(value);
  bool isWhole = true;
  for (int d = 0; d < rank; ++d) {
    sizes[d] = limits[d] - starts[d];
    strides[d] = 1;
    isWhole &= sizes[d] == mlirShapedTypeGetDimSize(type, d);
  }
  if (isWhole)
    return value;
  XlaIrAttr attributes[] = {
      {"limit_indices", listAttr(ir->context, rank, limits)},
      {"start_indices", listAttr(ir->context, rank, starts)},
      {"strides", listAttr(ir->context, rank, strides)}};
  return xlaIrOp(ir, "xla.slice", withDims(type, rank, sizes), 1, &value, 3,
                 attributes);
}

MlirValue xlaExpandSlice(XlaIr *ir, MlirValue value, const XlaSharding *s,
                         const int *coordinates) {
  int64_t starts[XLA_MAX_RANK], limits[XLA_MAX_RANK];
  MlirType type = mlirValueGetType(value);
  if (xlaExpandIsUnknown(type))
    return xlaExpandSliceUnknown(ir, value, s->rank, s->tiles, coordinates);
  for (int d = 0; d < s->rank; ++d) {
    int64_t size = mlirShapedTypeGetDimSize(type, d) / s->tiles[d];
    starts[d] = coordinates[d] * size;
    limits[d] = starts[d] + size;
  }
  return slice(ir, value, s->rank, starts, limits);
}

MlirValue xlaExpandPartAlong(XlaIr *ir, MlirValue value, int64_t dimension,
                             int64_t nParts, int part) {
  int64_t starts[XLA_MAX_RANK] = {0}, limits[XLA_MAX_RANK];
  MlirType type = mlirValueGetType(value);
  int rank = (int)mlirShapedTypeGetRank(type);
  if (xlaExpandIsUnknown(type)) {
    int64_t tiles[XLA_MAX_RANK];
    int coordinates[XLA_MAX_RANK] = {0};
    for (int d = 0; d < rank; ++d)
      tiles[d] = 1;
    tiles[dimension] = nParts;
    coordinates[dimension] = part;
    xlaExpandCheckDivides(ir, value, rank, tiles);
    return xlaExpandSliceUnknown(ir, value, rank, tiles, coordinates);
  }
  for (int d = 0; d < rank; ++d)
    limits[d] = mlirShapedTypeGetDimSize(type, d);
  int64_t size = limits[dimension] / nParts;
  starts[dimension] = part * size;
  limits[dimension] = starts[dimension] + size;
  return slice(ir, value, rank, starts, limits);
}

MlirValue xlaExpandConcatenate(XlaIr *ir, intptr_t n, const MlirValue *values,
                               int64_t dimension) {
  if (n == 1)
    return values[0];
  if (xlaExpandIsUnknown(mlirValueGetType(values[0])))
    return xlaExpandConcatenateUnknown(ir, n, values, dimension);
  int64_t dims[XLA_MAX_RANK];
  MlirType type = mlirValueGetType(values[0]);
  int rank = (int)mlirShapedTypeGetRank(type);
  for (int d = 0; d < rank; ++d)
    dims[d] = mlirShapedTypeGetDimSize(type, d);
  for (intptr_t i = 1; i < n; ++i)
    dims[dimension] +=
        mlirShapedTypeGetDimSize(mlirValueGetType(values[i]), dimension);
  XlaIrAttr attr = {"dimension", xlaIrI64Attr(ir->context, dimension)};
  return xlaIrOp(ir, "xla.concatenate", withDims(type, rank, dims), n, values,
                 1, &attr);
}

MlirValue xlaExpandSelect(XlaIr *ir, MlirValue predicate, MlirValue a,
                          MlirValue b) {
  MlirValue operands[] = {predicate, a, b};
  return mlirValueEqual(a, b)
             ? a
             : xlaExpandElementwise(ir, "select", mlirValueGetType(a), 3,
                                    operands);
}

static MlirAttribute numberOf(MlirType element, int64_t number) {
  if (mlirTypeIsAFloat(element))
    return mlirFloatAttrDoubleGet(mlirTypeGetContext(element), element,
                                  (double)number);
  return mlirIntegerAttrGet(element, number);
}

MlirValue xlaExpandNumber(XlaIr *ir, MlirType type, int64_t number) {
  MlirType element = mlirShapedTypeGetElementType(type);
  MlirAttribute value;
  if (mlirTypeIsAComplex(element)) { // only zeros, which are zero bytes
    static const char zeros[2 * sizeof(double)] = {0};
    size_t bits = mlirFloatTypeGetWidth(mlirComplexTypeGetElementType(element));
    value = mlirDenseElementsAttrRawBufferGet(type, 2 * bits / 8, zeros);
  } else {
    value = mlirDenseElementsAttrSplatGet(type, numberOf(element, number));
  }
  XlaIrAttr attr = {"value", value};
  return xlaIrOp(ir, "xla.constant", type, 0, NULL, 1, &attr);
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

static const int *coordinatesOf(const XlaSharding *s, int partition) {
  return s->coordinates + (size_t)partition * (size_t)s->rank;
}

/// What a device has of `value`. Of a sum that is there already the first
/// addend is all of it.
static MlirValue partOf(XlaIr *ir, MlirValue value, const XlaSharding *s,
                        int partition) {
  MlirValue part = xlaExpandSlice(ir, value, s, coordinatesOf(s, partition));
  if (!s->addend[partition])
    return part;
  return xlaExpandIsUnknown(mlirValueGetType(part))
             ? xlaExpandZerosLike(ir, part)
             : xlaExpandNumber(ir, mlirValueGetType(part), 0);
}

bool xlaExpandDivide(const XlaSharding *s, MlirType type, int64_t *dims) {
  if (xlaExpandRank(type) != s->rank)
    return false;
  for (int d = 0; d < s->rank; ++d) {
    dims[d] = mlirShapedTypeGetDimSize(type, d);
    if (mlirShapedTypeIsDynamicDim(type, d))
      continue;
    if (dims[d] % s->tiles[d])
      return false;
    dims[d] /= s->tiles[d];
  }
  return true;
}

bool xlaExpandSplit(XlaExpansion *x, MlirOperation op, XlaIr *ir,
                    const XlaExpandValue *value, const XlaSharding *s,
                    MlirValue *parts) {
  MlirType type = mlirValueGetType(value->values[0]);
  if (value->parts && value->sharding && xlaShardingEqual(value->sharding, s)) {
    memcpy(parts, value->parts, (size_t)x->nDevices * sizeof *parts);
    return true;
  }
  if (xlaShardingIsReplicated(s)) { // also what is no array
    memcpy(parts, value->values, (size_t)x->nDevices * sizeof *parts);
    return true;
  }
  int64_t dims[XLA_MAX_RANK];
  if (!xlaExpandDivide(s, type, dims))
    return xlaExpandUnsupported(x, op,
                                "has an array whose parts on the devices "
                                "are not of one size");
  if (xlaExpandIsUnknown(type))
    for (int i = 0; i < x->nDevices; ++i)
      if (xlaExpandFirstAlike(1, (const MlirValue *const[]){value->values},
                              i) == i)
        xlaExpandCheckDivides(ir, value->values[i], s->rank, s->tiles);
  for (int i = 0; i < x->nDevices; ++i) {
    int partition = i % x->partitions, k = 0;
    while (k < i && !(xlaExpandSame(value->values[k], value->values[i]) &&
                      xlaShardingIsSamePart(s, k % x->partitions, partition)))
      ++k;
    parts[i] = k < i ? parts[k] : partOf(ir, value->values[i], s, partition);
  }
  return true;
}

/// The array of `nTiles` parts, which are overwritten.
static MlirValue joinParts(XlaIr *ir, const XlaSharding *s, MlirValue *parts,
                           int64_t nTiles) {
  for (int d = s->rank - 1; d >= 0; --d) {
    int64_t n = s->tiles[d];
    nTiles /= n;
    for (int64_t i = 0; n > 1 && i < nTiles; ++i)
      parts[i] = xlaExpandConcatenate(ir, n, parts + i * n, d);
  }
  return parts[0];
}

/// The parts that device `device` sees, in order, of one addend after the
/// other; false if one is missing.
static bool collectParts(const XlaExpansion *x, const XlaSharding *s,
                         int device, const MlirValue *parts, int64_t nTiles,
                         MlirValue *collected) {
  int replica = device / x->partitions;
  int copy = s->copy[device % x->partitions];
  for (int64_t t = 0; t < s->nAddends * nTiles; ++t) {
    int coordinates[XLA_MAX_RANK];
    int64_t rest = t % nTiles;
    for (int d = s->rank - 1; d >= 0; --d) {
      coordinates[d] = (int)(rest % s->tiles[d]);
      rest /= s->tiles[d];
    }
    int found = xlaShardingFind(s, coordinates, (int)(t / nTiles), copy);
    if (found < 0)
      return false;
    collected[t] = parts[replica * x->partitions + found];
  }
  return true;
}

/// The sum of arrays of `nTiles` parts, which are overwritten.
static MlirValue sumParts(XlaIr *ir, const XlaSharding *s, MlirValue *parts,
                          int64_t nTiles) {
  MlirValue sum = joinParts(ir, s, parts, nTiles);
  for (int i = 1; i < s->nAddends; ++i)
    sum = xlaExpandElementwise(
        ir, "add", mlirValueGetType(sum), 2,
        (MlirValue[]){sum, joinParts(ir, s, parts + i * nTiles, nTiles)});
  return sum;
}

bool xlaExpandJoin(XlaExpansion *x, MlirOperation op, XlaIr *ir,
                   const MlirValue *parts, const XlaSharding *s,
                   MlirValue *whole) {
  int64_t nTiles = 1;
  for (int d = 0; d < s->rank; ++d)
    nTiles *= s->tiles[d];
  size_t n = (size_t)(nTiles * s->nAddends), nDevices = (size_t)x->nDevices;
  if (n > 1 && xlaExpandRank(mlirValueGetType(parts[0])) != s->rank)
    return xlaExpandInvalid(x, op,
                            "has a sharding of another rank than its array");
  MlirValue *seen = xlaExpandAllocate(x, n * nDevices, sizeof *seen);
  MlirValue *scratch = xlaExpandAllocate(x, n, sizeof *scratch);
  if (!seen || !scratch)
    return false;
  for (size_t i = 0; i < nDevices; ++i) {
    size_t k = 0;
    if (!collectParts(x, s, (int)i, parts, nTiles, seen + i * n))
      return xlaExpandInvalid(x, op, "has a sharding that leaves a part out");
    while (k < i && memcmp(seen + k * n, seen + i * n, n * sizeof *seen) != 0)
      ++k;
    memcpy(scratch, seen + i * n, n * sizeof *seen);
    whole[i] = k < i ? whole[k] : sumParts(ir, s, scratch, nTiles);
  }
  return true;
}

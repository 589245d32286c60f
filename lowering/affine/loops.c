//===- loops.c - The loops of clusters ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/nest.h"

#include <stdlib.h>
#include <string.h>

void xlaSchedNestBegin(XlaSchedNest *nest) {
  nest->vecShared = -1;
  nest->lanes = nest->threads = nest->width = 1;
  nest->around = 1;
}

void xlaSchedNestFree(XlaSchedNest *nest) {
  xlaSchedClustersFree(&nest->clusters);
  free(nest->known);
  xlaPointerMapClear(&nest->levels);
}

//===----------------------------------------------------------------------===//
// Points and lanes
//===----------------------------------------------------------------------===//

int xlaSchedPoints(const XlaSchedUnroll *unroll) {
  int points = 1;
  for (int i = 0; i < unroll->n; ++i)
    points *= unroll->factors[i];
  return points;
}

MlirValue xlaSchedAt(const XlaSchedPack *pack, int p, int points) {
  return pack->values[p / (points / pack->n)];
}

int xlaSchedWeight(const XlaSchedUnroll *unroll, int i) {
  int weight = 1;
  for (int k = unroll->n - 1; k > i; --k)
    weight *= unroll->factors[k];
  return weight;
}

int xlaSchedDigit(const XlaSchedUnroll *unroll, int p, int i) {
  return p / xlaSchedWeight(unroll, i) % unroll->factors[i];
}

int xlaSchedLaneDim(const XlaSchedNest *nest,
                    const XlaSchedStatement *statement) {
  return nest->vecShared >= 0                      ? nest->vecShared
         : statement->nDims > nest->group->nShared ? statement->nDims - 1
                                                   : -1;
}

int64_t xlaSchedPiece(const XlaSchedNest *nest, int64_t rest) {
  int64_t piece = 1;
  if (!nest->onlyPowers)
    return rest;
  while (2 * piece <= rest)
    piece *= 2;
  return piece;
}

MlirType xlaSchedLaneType(const XlaSchedNest *nest, MlirType type) {
  return nest->lanes == 1 ? type : mlirVectorTypeGet(1, &nest->lanes, type);
}

MlirValue xlaSchedSplat(XlaSchedNest *nest, MlirValue value, int level) {
  MlirType type = mlirValueGetType(value);
  if (nest->lanes == 1 || mlirTypeIsAVector(type))
    return value;
  return xlaIrCast(&nest->at[level], "vector.broadcast", value,
                   xlaSchedLaneType(nest, type));
}

int xlaSchedLevelOf(const XlaSchedNest *nest, int d) {
  return d >= nest->group->nShared ? 2 : d == nest->vecShared ? 1 : 0;
}

//===----------------------------------------------------------------------===//
// One loop
//===----------------------------------------------------------------------===//

XlaAffineBound xlaSchedBound(const XlaSchedNest *nest, int64_t value) {
  return xlaAffineBoundConstant(nest->affine, value);
}

/// What goes to `point` at other levels than 2 comes before `op`, which was
/// written there.
static void keepBefore(XlaSchedNest *nest, const XlaIr *point,
                       MlirOperation op) {
  for (int level = 0; level < 2; ++level)
    if (mlirBlockEqual(nest->at[level].block, point->block) &&
        nest->at[level].before.ptr == point->before.ptr)
      nest->at[level].before = op;
}

MlirOperation xlaSchedFor(XlaSchedNest *nest, XlaAffineBound lower,
                          XlaAffineBound upper, int64_t step, int nCarried,
                          MlirValue *carry, MlirAffineExpr *iv) {
  XlaIr point = nest->at[2], writing = point, body;
  MlirOperation loop = xlaAffineFor(nest->affine, &writing, lower, upper, step,
                                    nCarried, carry, &body, iv);
  keepBefore(nest, &point, loop);
  nest->at[2] = body;
  for (int i = 0; i < nCarried; ++i)
    carry[i] = mlirBlockGetArgument(body.block, 1 + i);
  return loop;
}

void xlaSchedLeave(XlaSchedNest *nest, XlaIr outside) {
  xlaAffineClose(nest->affine, &nest->at[2], 0, NULL);
  nest->at[2] = outside;
}

void xlaSchedClose(XlaSchedNest *nest, MlirOperation loop, XlaIr outside,
                   int nCarried, MlirValue *carry) {
  xlaAffineClose(nest->affine, &nest->at[2], nCarried, carry);
  for (int i = 0; i < nCarried; ++i)
    carry[i] = mlirOperationGetResult(loop, i);
  nest->at[2] = outside;
  xlaSchedForget(nest, 2);
}

/// Counts iterations up to where it does not matter any more.
static int64_t saturated(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) || product > INT32_MAX
             ? INT32_MAX
             : product;
}

//===----------------------------------------------------------------------===//
// A cluster's loops, from the outermost inner dimension to the bodies
//===----------------------------------------------------------------------===//

static const XlaSchedStatement *
statementAt(const XlaSchedNest *nest, const XlaSchedCluster *cluster, int k) {
  return &nest->group->statements[cluster->statements[k]];
}

/// Accumulators of all shared points.
static int accumulators(const XlaSchedNest *nest,
                        const XlaSchedCluster *cluster) {
  return cluster->nCarried * xlaSchedPoints(&nest->shared);
}

/// Values that loops carry here: none outside of a reduction's own.
static int nCarriedOf(const XlaSchedNest *nest, const XlaSchedCluster *cluster,
                      const MlirValue *carry) {
  return carry ? accumulators(nest, cluster) : 0;
}

static void reduction(XlaSchedNest *nest, const XlaSchedCluster *cluster);
static void loop(XlaSchedNest *nest, const XlaSchedCluster *cluster, int d,
                 int64_t trips, int64_t step, MlirValue *carry);

/// The dimensions in front of a reduction's own, from `d` on.
static void outer(XlaSchedNest *nest, const XlaSchedCluster *cluster, int d) {
  if (d == nest->group->nShared + cluster->nOuter)
    reduction(nest, cluster);
  else if (!nest->failed)
    loop(nest, cluster, d, statementAt(nest, cluster, 0)->sizes[d], 1, NULL);
}

static void inside(XlaSchedNest *nest, const XlaSchedCluster *cluster, int d,
                   MlirValue *carry) {
  if (carry)
    xlaSchedInner(nest, cluster, d, carry);
  else
    outer(nest, cluster, d);
}

static void bodies(XlaSchedNest *nest, const XlaSchedCluster *cluster,
                   MlirValue *carry) {
  int n = 0;
  for (int k = 0; k < cluster->nStatements && !nest->failed; ++k) {
    const XlaSchedStatement *statement = statementAt(nest, cluster, k);
    bool reduces = xlaSchedReduces(statement);
    xlaSchedBody(nest, statement, reduces ? cluster->reducers + n : NULL,
                 reduces ? carry + n : NULL, cluster->nCarried);
    n += xlaSchedAccumulators(statement);
  }
}

static MlirAttribute i64s(MlirContext context, int64_t value) {
  MlirAttribute element = xlaIrI64Attr(context, value);
  return mlirArrayAttrGet(context, 1, &element);
}

/// The first `lanes` lanes of `wide`.
static MlirValue firstLanes(XlaIr *ir, MlirValue wide, int64_t lanes) {
  MlirType element = xlaIrElementType(mlirValueGetType(wide));
  if (lanes == 1)
    return xlaIrOp(
        ir, "vector.extract", element, 1, &wide, 1,
        &(XlaIrAttr){"static_position",
                     mlirDenseI64ArrayGet(ir->context, 1, (int64_t[]){0})});
  XlaIrAttr attrs[] = {{"offsets", i64s(ir->context, 0)},
                       {"sizes", i64s(ir->context, lanes)},
                       {"strides", i64s(ir->context, 1)}};
  return xlaIrOp(ir, "vector.extract_strided_slice",
                 mlirVectorTypeGet(1, &lanes, element), 1, &wide, 3, attrs);
}

static MlirValue setFirstLanes(XlaIr *ir, MlirValue wide, MlirValue narrow) {
  MlirValue operands[] = {narrow, wide};
  if (!mlirTypeIsAVector(mlirValueGetType(narrow)))
    return xlaIrOp(
        ir, "vector.insert", mlirValueGetType(wide), 2, operands, 1,
        &(XlaIrAttr){"static_position",
                     mlirDenseI64ArrayGet(ir->context, 1, (int64_t[]){0})});
  XlaIrAttr attrs[] = {{"offsets", i64s(ir->context, 0)},
                       {"strides", i64s(ir->context, 1)}};
  return xlaIrOp(ir, "vector.insert_strided_slice", mlirValueGetType(wide), 2,
                 operands, 2, attrs);
}

/// The lanes left over at the end of a row, with that many accumulators.
static void restOfLanes(XlaSchedNest *nest, const XlaSchedCluster *cluster,
                        int d, int64_t rest, MlirValue *carry) {
  int64_t lanes = nest->lanes;
  int n = accumulators(nest, cluster);
  MlirValue *wide = malloc(((size_t)n + 1) * sizeof *wide);
  if (!wide) {
    nest->failed = true;
    return;
  }
  nest->lanes = rest;
  for (int i = 0; i < n; ++i) {
    wide[i] = carry[i];
    carry[i] = firstLanes(&nest->at[2], wide[i], rest);
  }
  xlaSchedInner(nest, cluster, d + 1, carry);
  for (int i = 0; i < n; ++i)
    carry[i] = setFirstLanes(&nest->at[2], wide[i], carry[i]);
  free(wide);
  xlaSchedForget(nest, 2);
  nest->lanes = lanes;
}

/// What is left of a dimension that threads take turns at, for the first of
/// them.
static void restOfThreads(XlaSchedNest *nest, const XlaSchedCluster *cluster,
                          int d, int64_t from, MlirValue *carry) {
  int n = accumulators(nest, cluster);
  int64_t size = statementAt(nest, cluster, 0)->sizes[d];
  XlaIr outside = nest->at[2], writing = outside, then, otherwise;
  MlirAffineExpr index =
      xlaExprShift(xlaExprScale(nest->thread, nest->width), from);
  MlirAffineExpr left = xlaAffineBelow(index, size);
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  MlirValue *next = malloc(((size_t)n + 1) * sizeof *next);
  if (types && next) {
    for (int i = 0; i < n; ++i) {
      types[i] = mlirValueGetType(carry[i]);
      next[i] = carry[i];
    }
    MlirOperation op = xlaAffineBranch(nest->affine, &writing, 1, &left, n,
                                       types, &then, &otherwise);
    keepBefore(nest, &outside, op);
    nest->at[2] = then;
    nest->iv[d] = index;
    xlaSchedInner(nest, cluster, d + 1, next);
    xlaAffineYield(&nest->at[2], n, next);
    xlaAffineYield(&otherwise, n, carry);
    for (int i = 0; i < n; ++i)
      carry[i] = mlirOperationGetResult(op, i);
  }
  nest->failed |= !types || !next;
  nest->at[2] = outside;
  xlaSchedForget(nest, 2);
  free(types);
  free(next);
}

/// Dimension `d` in `trips` turns of `step`, which a thread has its own part
/// of, where loops are short: as several that are nested if need be. Each unit
/// of an outer one are `maxTrips` of the next.
static void turns(XlaSchedNest *nest, const XlaSchedCluster *cluster, int d,
                  int64_t trips, int64_t step, MlirValue *carry) {
  enum { most = 8 }; // levels, as trips have less than 64 bits
  int64_t max = nest->device->maxTrips, units[most] = {trips};
  int n = nCarriedOf(nest, cluster, carry), top = 0;
  XlaIr outside[most];
  MlirOperation loops[most];
  MlirAffineExpr turn, at = xlaAffineConstant(nest->affine, 0);
  for (; units[top] > max && top < most - 1; ++top)
    units[top + 1] = (units[top] - 1) / max + 1;
  for (int k = top; k >= 0; --k) {
    XlaAffineBound upper = xlaSchedBound(nest, k < top ? max : units[k]);
    MlirAffineExpr first = xlaExprScale(at, max);
    if (k < top && units[k] % max)
      upper = xlaAffineBoundAnd(
          upper, xlaExprShift(xlaExprScale(first, -1), units[k]));
    outside[k] = nest->at[2];
    loops[k] =
        xlaSchedFor(nest, xlaSchedBound(nest, 0), upper, 1, n, carry, &turn);
    at = k < top ? xlaExprAdd(first, turn) : turn;
  }
  nest->iv[d] = xlaExprScale(at, step);
  if (nest->threads > 1 && step > 1)
    nest->iv[d] =
        xlaExprAdd(nest->iv[d], xlaExprScale(nest->thread, nest->width));
  inside(nest, cluster, d + 1, carry);
  for (int k = 0; k <= top; ++k)
    xlaSchedClose(nest, loops[k], outside[k], n, carry);
}

static void loop(XlaSchedNest *nest, const XlaSchedCluster *cluster, int d,
                 int64_t trips, int64_t step, MlirValue *carry) {
  XlaIr outside = nest->at[2];
  bool isBlock = nest->innerUpper.n && d == nest->group->nShared;
  int64_t around = nest->around;
  int n = nCarriedOf(nest, cluster, carry);
  if (nest->device->accepts && !nest->device->accepts(nest, trips)) {
    nest->failed = true;
    return;
  }
  nest->around = saturated(around, trips);
  nest->iterations += nest->around;
  if (nest->device->maxTrips) {
    turns(nest, cluster, d, trips, step, carry);
  } else {
    MlirOperation op = xlaSchedFor(
        nest, isBlock ? nest->innerLower : xlaSchedBound(nest, 0),
        isBlock ? nest->innerUpper : xlaSchedBound(nest, trips * step), step, n,
        carry, &nest->iv[d]);
    inside(nest, cluster, d + 1, carry);
    xlaSchedClose(nest, op, outside, n, carry);
  }
  nest->around = around;
}

void xlaSchedInner(XlaSchedNest *nest, const XlaSchedCluster *cluster, int d,
                   MlirValue *carry) {
  const XlaSchedStatement *statement = statementAt(nest, cluster, 0);
  if (d == statement->nDims) {
    bodies(nest, cluster, carry);
    return;
  }
  if (nest->failed ||
      (nest->device->loop && nest->device->loop(nest, cluster, d, carry)))
    return;
  bool isLane = d == xlaSchedLaneDim(nest, statement);
  int64_t step = isLane ? nest->lanes * nest->width * nest->threads : 1;
  int64_t size = statement->sizes[d], trips = size / step;
  if (trips > 1) {
    loop(nest, cluster, d, trips, step, carry);
  } else if (trips == 1) {
    nest->iv[d] = xlaAffineConstant(nest->affine, 0);
    if (isLane && nest->threads > 1)
      nest->iv[d] = xlaExprScale(nest->thread, nest->width);
    xlaSchedInner(nest, cluster, d + 1, carry);
    xlaSchedForget(nest, 2);
  }
  if (isLane && nest->threads > 1 && size % step)
    restOfThreads(nest, cluster, d, trips * step, carry);
  for (int64_t at = trips * step, piece; nest->threads == 1 && at < size;
       at += piece) {
    piece = xlaSchedPiece(nest, size - at);
    nest->iv[d] = xlaAffineConstant(nest->affine, at);
    restOfLanes(nest, cluster, d, piece, carry);
  }
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// Does each lane, or thread, begin with the neutral element?
static bool isAcross(const XlaSchedNest *nest) {
  return nest->threads > 1 || (nest->vecShared < 0 && nest->lanes > 1);
}

/// Reads what the outputs hold, widened to the type that is carried.
static void readInitial(XlaSchedNest *nest, const XlaSchedCluster *cluster,
                        MlirValue *initial) {
  int points = xlaSchedPoints(&nest->shared), n = 0;
  for (int k = 0; k < cluster->nStatements; ++k) {
    const XlaSchedStatement *statement = statementAt(nest, cluster, k);
    for (int o = 0; o < xlaSchedAccumulators(statement); ++o, ++n) {
      XlaSchedPack pack = xlaSchedRead(
          nest, statement, &statement->accesses[statement->nIns + o]);
      for (int p = 0; p < points; ++p) {
        MlirValue value = pack.values[p];
        if (nest->vecShared >= 0)
          value = xlaSchedSplat(nest, value, pack.level);
        initial[p * cluster->nCarried + n] =
            xlaSchedWiden(&nest->at[2], &cluster->reducers[n], value);
      }
    }
  }
}

static void writeFinal(XlaSchedNest *nest, const XlaSchedCluster *cluster,
                       const MlirValue *values) {
  int points = xlaSchedPoints(&nest->shared), n = 0;
  for (int k = 0; k < cluster->nStatements; ++k) {
    const XlaSchedStatement *statement = statementAt(nest, cluster, k);
    for (int o = 0; o < xlaSchedAccumulators(statement); ++o, ++n) {
      const XlaSchedAccess *access = &statement->accesses[statement->nIns + o];
      XlaSchedPack pack = {.n = points};
      for (int p = 0; p < points; ++p)
        pack.values[p] =
            xlaSchedNarrow(&nest->at[2], &cluster->reducers[n], access->element,
                           values[p * cluster->nCarried + n]);
      pack.isVector = mlirTypeIsAVector(mlirValueGetType(pack.values[0]));
      xlaSchedWrite(nest, statement, access, &pack);
    }
  }
}

/// The reduction's own loops, around accumulators that begin with `values` and
/// end there.
static void accumulate(XlaSchedNest *nest, const XlaSchedCluster *cluster,
                       MlirValue *values) {
  int n = accumulators(nest, cluster);
  bool across = isAcross(nest);
  MlirValue *carry = malloc(((size_t)n + 1) * sizeof *carry);
  if (!carry) {
    nest->failed = true;
    return;
  }
  for (int i = 0; i < n; ++i) {
    const XlaSchedReducer *reducer = &cluster->reducers[i % cluster->nCarried];
    carry[i] = across
                   ? xlaSchedNeutral(&nest->at[2], reducer,
                                     xlaSchedLaneType(nest, reducer->carried))
                   : values[i];
  }
  xlaSchedInner(nest, cluster, nest->group->nShared + cluster->nOuter, carry);
  for (int i = 0; i < n; ++i) {
    const XlaSchedReducer *reducer = &cluster->reducers[i % cluster->nCarried];
    values[i] =
        across ? xlaSchedCombine(&nest->at[2], reducer, values[i],
                                 nest->device->across(nest, reducer, carry[i]))
               : carry[i];
  }
  free(carry);
}

/// A cluster's results at one place of the dimensions in front of those that it
/// reduces; without reductions all of its loops.
static void reduction(XlaSchedNest *nest, const XlaSchedCluster *cluster) {
  const XlaSchedStatement *statement = statementAt(nest, cluster, 0);
  MlirValue *values =
      malloc(((size_t)accumulators(nest, cluster) + 1) * sizeof *values);
  if (!values) {
    nest->failed = true;
    return;
  }
  readInitial(nest, cluster, values);
  if (statement->nDims > nest->group->nShared && nest->width > 1) {
    int last = nest->points.n++;
    nest->points.dims[last] = statement->nDims - 1;
    nest->points.factors[last] = nest->width;
  }
  if (!nest->device->reduce || !nest->device->reduce(nest, cluster, values))
    accumulate(nest, cluster, values);
  nest->points = nest->shared;
  writeFinal(nest, cluster, values);
  free(values);
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

static void emitCluster(XlaSchedNest *nest, const XlaSchedCluster *cluster) {
  int64_t lanes = nest->lanes;
  int width = nest->width;
  XlaIr at[3] = {nest->at[0], nest->at[1], nest->at[2]};
  nest->cluster = cluster;
  nest->device->begin(nest, cluster);
  xlaSchedSynchronize(nest, cluster);
  outer(nest, cluster, nest->group->nShared);
  nest->lanes = lanes;
  nest->width = width;
  memcpy(nest->at, at, sizeof at);
  xlaSchedForget(nest, 2);
}

void xlaSchedClustersEmit(XlaSchedNest *nest, int from, int to) {
  nest->points = nest->shared;
  for (int i = from; i < to && !nest->failed; ++i)
    emitCluster(nest, &nest->clusters.all[i]);
}

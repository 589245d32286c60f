//===- schedule_loops.c - The loops of a cluster
//---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule_emit.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// One loop
//===----------------------------------------------------------------------===//

static bool samePoint(const XlaIr *a, const XlaIr *b) {
  return mlirBlockEqual(a->block, b->block) && a->before.ptr == b->before.ptr;
}

MlirOperation xlaSchedFor(XlaSchedEmit *e, MlirValue lower, MlirValue upper,
                          int64_t step, int nCarried, MlirValue *carry) {
  XlaIr point = e->at[2], body;
  MlirValue by = xlaIrConstantIndex(&e->at[0], step);
  MlirOperation loop =
      xlaIrFor(&point, lower, upper, by, nCarried, carry, &body);
  for (int level = 0; level < 2; ++level)
    if (samePoint(&e->at[level], &point))
      e->at[level].before = loop;
  e->at[2] = body;
  for (int i = 0; i < nCarried; ++i)
    carry[i] = mlirBlockGetArgument(body.block, 1 + i);
  return loop;
}

/// Closes `loop` and goes on behind it with its results.
static void closeFor(XlaSchedEmit *e, MlirOperation loop, XlaIr outside,
                     int nCarried, MlirValue *carry) {
  xlaIrYield(&e->at[2], nCarried, carry);
  for (int i = 0; i < nCarried; ++i)
    carry[i] = mlirOperationGetResult(loop, i);
  e->at[2] = outside;
  xlaSchedForget(e, 2);
}

//===----------------------------------------------------------------------===//
// A cluster's loops, from the outermost inner dimension to the bodies
//===----------------------------------------------------------------------===//

static XlaSchedStage *firstStage(XlaSchedEmit *e, const XlaSchedCluster *c) {
  return &e->group->stages[c->stages[0]];
}

static bool isReduction(const XlaSchedStage *stage) {
  for (int d = 0; d < stage->nDims; ++d)
    if (stage->reduction[d])
      return true;
  return false;
}

static void emitBodies(XlaSchedEmit *e, const XlaSchedCluster *c,
                       MlirValue *carry) {
  int n = 0;
  for (int k = 0; k < c->nStages; ++k) {
    const XlaSchedStage *stage = &e->group->stages[c->stages[k]];
    if (isReduction(stage)) {
      xlaSchedBody(e, stage, c->reducers + n, carry + n);
      n += stage->nOuts;
    } else {
      xlaSchedBody(e, stage, NULL, NULL);
    }
  }
}

static MlirAttribute i64s(MlirContext context, int64_t value) {
  MlirAttribute element = xlaIrI64Attr(context, value);
  return mlirArrayAttrGet(context, 1, &element);
}

/// The first `lanes` lanes of `wide`.
static MlirValue firstLanes(XlaIr *ir, MlirValue wide, int64_t lanes) {
  MlirType type =
      mlirVectorTypeGet(1, &lanes, xlaIrElementType(mlirValueGetType(wide)));
  XlaIrAttr attrs[] = {{"offsets", i64s(ir->context, 0)},
                       {"sizes", i64s(ir->context, lanes)},
                       {"strides", i64s(ir->context, 1)}};
  return xlaIrOp(ir, "vector.extract_strided_slice", type, 1, &wide, 3, attrs);
}

static MlirValue setFirstLanes(XlaIr *ir, MlirValue wide, MlirValue narrow) {
  XlaIrAttr attrs[] = {{"offsets", i64s(ir->context, 0)},
                       {"strides", i64s(ir->context, 1)}};
  return xlaIrOp(ir, "vector.insert_strided_slice", mlirValueGetType(wide), 2,
                 (MlirValue[]){narrow, wide}, 2, attrs);
}

static void emitInner(XlaSchedEmit *e, const XlaSchedCluster *c, int d,
                      MlirValue *carry);

/// The lanes left over at the end of a row, with that many accumulators.
static void emitRest(XlaSchedEmit *e, const XlaSchedCluster *c, int d,
                     int64_t rest, MlirValue *carry) {
  int64_t lanes = e->lanes;
  MlirValue *wide = malloc(((size_t)c->nCarried + 1) * sizeof *wide);
  if (!wide)
    return;
  memcpy(wide, carry, (size_t)c->nCarried * sizeof *wide);
  e->lanes = rest;
  for (int i = 0; i < c->nCarried; ++i)
    carry[i] =
        rest == 1
            ? xlaIrOp(&e->at[2], "vector.extract",
                      xlaIrElementType(mlirValueGetType(wide[i])), 1, &wide[i],
                      1,
                      &(XlaIrAttr){"static_position",
                                   mlirDenseI64ArrayGet(e->at[2].context, 1,
                                                        (int64_t[]){0})})
            : firstLanes(&e->at[2], wide[i], rest);
  emitInner(e, c, d + 1, carry);
  for (int i = 0; i < c->nCarried; ++i)
    carry[i] =
        rest == 1
            ? xlaIrOp(&e->at[2], "vector.insert", mlirValueGetType(wide[i]), 2,
                      (MlirValue[]){carry[i], wide[i]}, 1,
                      &(XlaIrAttr){"static_position",
                                   mlirDenseI64ArrayGet(e->at[2].context, 1,
                                                        (int64_t[]){0})})
            : setFirstLanes(&e->at[2], wide[i], carry[i]);
  free(wide);
  xlaSchedForget(e, 2);
  e->lanes = lanes;
}

static void emitInner(XlaSchedEmit *e, const XlaSchedCluster *c, int d,
                      MlirValue *carry) {
  const XlaSchedStage *stage = firstStage(e, c);
  if (d == stage->nDims) {
    emitBodies(e, c, carry);
    return;
  }
  bool isLane = xlaSchedIsLaneDim(e, stage, d);
  int64_t step = isLane ? e->lanes : 1, n = stage->sizes[d];
  int64_t trips = n / step;
  XlaIr outside = e->at[2];
  if (trips > 1) {
    MlirValue lower = xlaIrConstantIndex(&e->at[0], 0);
    MlirValue upper = xlaIrConstantIndex(&e->at[0], trips * step);
    MlirOperation loop = xlaSchedFor(e, lower, upper, step, c->nCarried, carry);
    e->iv[d] = mlirBlockGetArgument(e->at[2].block, 0);
    emitInner(e, c, d + 1, carry);
    closeFor(e, loop, outside, c->nCarried, carry);
  } else {
    e->iv[d] = xlaIrConstantIndex(&e->at[2], 0);
    emitInner(e, c, d + 1, carry);
    xlaSchedForget(e, 2);
  }
  if (n % step != 0) {
    e->iv[d] = xlaIrConstantIndex(&e->at[2], trips * step);
    emitRest(e, c, d, n % step, carry);
  }
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// Calls for each accumulator of the cluster, with its stage and access.
#define FOR_EACH_CARRIED(e, c, n, stage, access)                               \
  for (int k_ = 0, n = 0; k_ < (c)->nStages; ++k_)                             \
    for (const XlaSchedStage *stage = &(e)->group->stages[(c)->stages[k_]];    \
         stage; stage = NULL)                                                  \
      for (int o_ = 0; isReduction(stage) && o_ < stage->nOuts; ++o_, ++n)     \
        for (const XlaSchedAccess *access =                                    \
                 &stage->accesses[stage->nIns + o_];                           \
             access; access = NULL)

/// Reads what the outputs hold, widened to the type that is carried.
static void loadInitial(XlaSchedEmit *e, const XlaSchedCluster *c,
                        MlirValue *initial) {
  FOR_EACH_CARRIED(e, c, n, stage, access) {
    XlaSchedLane lane = xlaSchedLoad(e, stage, access);
    MlirValue value = e->vecShared >= 0 ? xlaSchedSplat(e, lane) : lane.value;
    initial[n] = xlaSchedWiden(&e->at[2], &c->reducers[n], value);
  }
}

static void storeFinal(XlaSchedEmit *e, const XlaSchedCluster *c,
                       const MlirValue *values) {
  FOR_EACH_CARRIED(e, c, n, stage, access) {
    MlirValue value =
        xlaSchedNarrow(&e->at[2], &c->reducers[n], access->element, values[n]);
    xlaSchedStore(e, stage, access,
                  (XlaSchedLane){value, e->vecShared >= 0 ? 1 : 0,
                                 mlirTypeIsAVector(mlirValueGetType(value))});
  }
}

/// The reduction loops of one point of the rows: accumulators from the first to
/// the last. In row mode each lane starts from the neutral element.
static void emitAccumulated(XlaSchedEmit *e, const XlaSchedCluster *c,
                            MlirValue *values) {
  int first = e->group->nShared + c->nOuter;
  bool across = e->vecShared < 0 && e->lanes > 1;
  MlirValue *carry = malloc(((size_t)c->nCarried + 1) * sizeof *carry);
  if (!carry)
    return;
  for (int i = 0; i < c->nCarried; ++i)
    carry[i] =
        across ? xlaSchedNeutral(&e->at[2], &c->reducers[i],
                                 xlaSchedLaneType(e, c->reducers[i].carried))
               : values[i];
  emitInner(e, c, first, carry);
  for (int i = 0; i < c->nCarried; ++i) {
    const XlaSchedReducer *reducer = &c->reducers[i];
    values[i] =
        across ? xlaSchedCombine(&e->at[2], reducer, values[i],
                                 xlaSchedAcross(&e->at[2], reducer, carry[i]))
               : carry[i];
  }
  free(carry);
}

/// Loops over the points in front of a reduction's own dimensions.
static void emitOuter(XlaSchedEmit *e, const XlaSchedCluster *c, int d,
                      MlirValue *values) {
  int64_t size = firstStage(e, c)->sizes[d];
  if (d < e->group->nShared + c->nOuter) {
    XlaIr outside = e->at[2];
    MlirOperation loop =
        xlaSchedFor(e, xlaIrConstantIndex(&e->at[0], 0),
                    xlaIrConstantIndex(&e->at[0], size), 1, 0, NULL);
    e->iv[d] = mlirBlockGetArgument(e->at[2].block, 0);
    emitOuter(e, c, d + 1, values);
    closeFor(e, loop, outside, 0, NULL);
    return;
  }
  loadInitial(e, c, values);
  emitAccumulated(e, c, values);
  storeFinal(e, c, values);
}

static void emitCluster(XlaSchedEmit *e, const XlaSchedCluster *c) {
  MlirValue *values = malloc(((size_t)c->nCarried + 1) * sizeof *values);
  int64_t lanes = e->lanes;
  XlaIr saved[3] = {e->at[0], e->at[1], e->at[2]};
  if (!values)
    return;
  const XlaSchedStage *stage = firstStage(e, c);
  if (e->vecShared < 0) {
    int64_t length = stage->nDims > e->group->nShared + c->nOuter
                         ? stage->sizes[stage->nDims - 1]
                         : 1;
    e->lanes = xlaSchedLanes(e, c->stages, c->nStages);
    for (int i = 0; i < c->nCarried; ++i)
      if (!c->reducers[i].combiner)
        e->lanes = 1;
    e->lanes = e->lanes < length ? e->lanes : length;
  }
  emitOuter(e, c, e->group->nShared, values);
  e->lanes = lanes;
  for (int level = 0; level < 3; ++level)
    e->at[level] = saved[level];
  free(values);
}

void xlaSchedClusters(XlaSchedEmit *e) {
  for (int i = 0; i < e->nClusters; ++i) {
    emitCluster(e, &e->clusters[i]);
    xlaSchedForget(e, 2);
  }
}

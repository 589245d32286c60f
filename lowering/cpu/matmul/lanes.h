//===- lanes.h - Bodies on vectors --------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a linalg.generic, which is on scalars, for several of its
// iterations at once: what epilogues and prologues of products share. Lanes
// follow each other along one of the product's dimensions, which may be several
// loops of the generic.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_MATMUL_LANES_H
#define XLAC_LOWERING_CPU_MATMUL_LANES_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/lowering/affine/statement.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /// Loops of one dimension: each may be cut where others end.
  XLA_CPU_WALK_MAX_LOOPS = 3 * XLA_SCHED_MAX_DIMS,
};

/// How an array is read along one dimension of the product: position `at` is
/// iteration `at / unit % size` of each loop.
typedef struct XlaCpuWalk {
  int n; ///< the slowest first
  struct {
    int64_t unit, size, stride;
    bool isOutermost;
  } loops[XLA_CPU_WALK_MAX_LOOPS];
} XlaCpuWalk;

/// Adds the next loop inside: left out where the array does not move along it,
/// one with the last where it goes on like that.
void xlaCpuWalkAdd(XlaCpuWalk *walk, int64_t unit, int64_t size, int64_t stride,
                   bool isOutermost);
/// `at / unit % size`, of an index or a vector of these; the outermost loop
/// needs no remainder.
MlirValue xlaCpuWalkDigit(XlaIr *ir, MlirValue at, int64_t unit, int64_t size,
                          bool isOutermost);
/// How far the array is read from where position 0 is; null if that does not
/// depend on the position.
MlirValue xlaCpuWalkDistance(XlaIr *ir, const XlaCpuWalk *walk, MlirValue at);

/// The body for one vector.
typedef struct XlaCpuLanes {
  XlaIr *ir;
  int64_t n;            ///< 0: a scalar
  MlirValue first;      ///< position of lane 0
  MlirValue mask;       ///< of the lanes that count; null: all
  XlaPointerMap values; ///< of the body: MlirValue.ptr each
  bool failed;          ///< memory ran out
} XlaCpuLanes;

MlirType xlaCpuLanesType(const XlaCpuLanes *lanes, MlirType element);
/// A scalar in all lanes; vectors as they are.
MlirValue xlaCpuLanesSplat(const XlaCpuLanes *lanes, MlirValue value);
/// Positions of all lanes.
MlirValue xlaCpuLanesPositions(const XlaCpuLanes *lanes);
/// What stands for a value of the body.
void xlaCpuLanesSet(XlaCpuLanes *lanes, MlirValue key, MlirValue value);
MlirValue xlaCpuLanesGet(const XlaCpuLanes *lanes, MlirValue key);
/// An operation of the body, on vectors where any operand is one.
void xlaCpuLanesClone(XlaCpuLanes *lanes, MlirOperation op);
/// Elements of all lanes, read from `pointer` on, to which the lanes' own
/// distances are added: one for all where these are 0.
MlirValue xlaCpuLanesLoad(const XlaCpuLanes *lanes, MlirValue pointer,
                          MlirType element, const XlaCpuWalk *walk);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_MATMUL_LANES_H

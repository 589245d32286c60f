//===- emit.h - State while writing a group's loop nest -----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to lowering/cpu. The nest of a group, from the outside in:
//
//   threads      affine.parallel over chunks
//   rows         shared dimensions                           values of level 0
//   tile         column mode: the last shared dimension, vectorized   level 1
//   clusters     one after another: statements that share their inner loops
//     inner      the remaining dimensions; in row mode the last of them is
//                vectorized                                           level 2
//
// In *row mode* lanes run along an inner dimension (softmax over the last
// dimension), in *column mode* along a shared one (elementwise ops, sums over
// leading dimensions). A value is either one scalar for all lanes or a vector,
// and is computed at the outermost level that its operands allow.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_SCHEDULE_EMIT_H
#define XLAC_LOWERING_CPU_SCHEDULE_EMIT_H

#include "xlac/lowering/affine/build.h"
#include "xlac/lowering/affine/cluster.h"
#include "xlac/lowering/affine/group.h"
#include "xlac/lowering/cpu/schedule/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A value in the nest.
typedef struct XlaSchedLane {
  MlirValue value;
  int level;
  bool isVector;
} XlaSchedLane;

/// An intermediate that lives in the nest.
typedef struct XlaSchedScratch {
  MlirValue root;
  MlirType element;
  bool needsMemory;
  int64_t divisor; ///< of the inner strides
  int64_t extent;  ///< elements of one lane
  int64_t scale;   ///< lanes side by side
  MlirValue memory;
} XlaSchedScratch;

/// A memory element whose value is at hand.
typedef struct XlaSchedKnown {
  const XlaSchedAccess *access;
  int nDims;
  XlaSchedLane lane;
} XlaSchedKnown;

/// What the loops of a group are; nothing changes it once it is chosen.
typedef struct XlaSchedule {
  const char *lanesReason, *threadsReason;
  /// The shared dimension along which inputs lie contiguous that the lanes
  /// cross, the last but one then; or -1.
  int transposed;
  /// Of a side of the tiles then, and what chunks are of: rows (0), the
  /// transposed dimension (1) or that of the lanes (2).
  int64_t tile;
  int tiledPart;
  int nRows;             ///< row dimensions
  int64_t rows;          ///< their product
  int64_t chunk, chunks; ///< rows or lanes of a chunk; 1 chunk: serial
  int64_t threads;       ///< worth starting
  bool splitsLanes;      ///< chunks of the lane dimension rather than of rows
  int64_t split;         ///< chunks of a reduction when there is only one row
  double nanoseconds;    ///< estimated, of one core
} XlaSchedule;

typedef struct XlaSchedEmit {
  const XlaCpuScheduleOptions *options;
  XlaSchedGroup *group;
  XlaSchedule schedule;
  XlaSchedClusters clusters;
  XlaSchedScratch *scratches;
  int nScratches;
  int vecShared;   ///< vectorized shared dimension, or -1 in row mode
  int64_t lanes;   ///< of the code being written; 1: scalars
  bool onlyPowers; ///< lanes in powers of two only, see xlaSchedPiece
  int fromCluster, toCluster; ///< what xlaSchedClusters writes
  /// Bounds of the first inner dimension where it is walked block by block.
  XlaAffineBound innerLower, innerUpper;
  XlaIr entry; ///< where memory outside of all loops is made
  XlaIr at[3]; ///< where values of each level go
  XlaAffineNest nest;
  MlirAffineExpr
      iv[XLA_SCHED_MAX_DIMS]; ///< of the present statements' dimensions
  XlaSchedKnown *known;
  int nKnown, capKnown;
  struct {
    MlirValue root, flat;
  } *flats;
  int nFlats;
  /// Inputs that are transposed tile by tile (transpose.c); row-major tiles of
  /// tileStride elements a row from tileU, tileV on.
  struct {
    const XlaSchedAccess *access;
    MlirValue memory;
    int64_t size; ///< elements of `memory`, where tilesInner
  } *tiles;
  int nTiles;
  bool tilesInner; ///< tiles of u = the last inner dimension (loops.c)
  int64_t tileStride;
  MlirAffineExpr tileU, tileV;
  bool failed; ///< memory ran out, code is missing
} XlaSchedEmit;

/// The statement's dimension that lanes run along, or -1.
int xlaSchedLaneDim(const XlaSchedEmit *e, const XlaSchedStatement *statement);

/// Element `access` of `statement` at the present indices, loaded unless known.
XlaSchedLane xlaSchedLoad(XlaSchedEmit *e, const XlaSchedStatement *statement,
                          const XlaSchedAccess *access);
/// Stores `lane` and remembers it. Elided where only the nest would see it.
void xlaSchedStore(XlaSchedEmit *e, const XlaSchedStatement *statement,
                   const XlaSchedAccess *access, XlaSchedLane lane);
/// The one-dimensional view of the buffer that `access` lies in.
MlirValue xlaSchedFlat(XlaSchedEmit *e, const XlaSchedAccess *access);
/// Forgets what was computed at `level` or further inside.
void xlaSchedForget(XlaSchedEmit *e, int level);

/// `lane` as a vector of the present lanes, when those are more than one.
MlirValue xlaSchedSplat(XlaSchedEmit *e, XlaSchedLane lane);
/// `type`, or a vector of `type` over the present lanes.
MlirType xlaSchedLaneType(const XlaSchedEmit *e, MlirType type);

/// Clones the body of `statement` for the present lanes. `carry` holds the
/// reduction's accumulators (as XlaSchedReducer describes them) and receives
/// their next values; for parallel statements the results are stored.
void xlaSchedBody(XlaSchedEmit *e, const XlaSchedStatement *statement,
                  const XlaSchedReducer *reducers, MlirValue *carry);
/// Can the body be cloned with vector types, for lanes along dimension `dim` of
/// the statement?
bool xlaSchedBodyVectorizes(const XlaSchedStatement *statement, int dim);
/// Whether a value of the body is seen to be the same for all lanes along
/// dimension `dim`.
bool xlaSchedIsIndependent(const XlaSchedStatement *statement, MlirValue value,
                           int dim);

/// Writes clusters [fromCluster, toCluster) at the present row and tile.
void xlaSchedClusters(XlaSchedEmit *e);
/// Lanes for statements of the group: widest type, cost of the bodies.
int64_t xlaSchedLanes(const XlaSchedEmit *e, const int *statements,
                      int nStatements);
/// With the cluster's lanes in `e`: is it the reduction that `schedule.split`
/// is meant for?
bool xlaSchedIsSplit(const XlaSchedEmit *e, const XlaSchedCluster *c);
/// Lanes of a cluster: in row mode its own.
int64_t xlaSchedClusterLanes(const XlaSchedEmit *e, const XlaSchedCluster *c);
/// Elements of the last inner dimension in a tile.
int64_t xlaSchedInnerTileSize(const XlaSchedStatement *statement);
/// Does a statement of `c` read across the lanes along its last dimension?
bool xlaSchedReadsAcross(const XlaSchedEmit *e, const XlaSchedCluster *c);
/// Fills the tiles of `c` with elements [u0, u0 + nu) of the last dimension.
void xlaSchedFillInnerTiles(XlaSchedEmit *e, const XlaSchedCluster *c,
                            MlirAffineExpr u0, XlaAffineBound nu);
/// Lanes of the next piece of `rest`: all of it, or with bf16 the largest power
/// of two, because LLVM 22 fails on many bf16 vectors of other lengths.
int64_t xlaSchedPiece(const XlaSchedEmit *e, int64_t rest);
/// Does the group touch bf16?
bool xlaSchedTouchesBf16(const XlaSchedGroup *group);
/// Estimated nanoseconds of one core for the whole group.
double xlaSchedCost(const XlaSchedGroup *group, int vectorBits);

/// Opens a loop at the innermost level; `carry` becomes the carried values, and
/// `*iv` the induction variable. Levels that lead up to the loop are moved
/// before it.
MlirOperation xlaSchedFor(XlaSchedEmit *e, XlaAffineBound lower,
                          XlaAffineBound upper, int64_t step, int nCarried,
                          MlirValue *carry, MlirAffineExpr *iv);
/// Closes a loop without carried values and goes on at `outside`.
void xlaSchedLeave(XlaSchedEmit *e, XlaIr outside);
XlaAffineBound xlaSchedBound(const XlaSchedEmit *e, int64_t value);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_SCHEDULE_EMIT_H

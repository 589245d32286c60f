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

#include "xlac/lowering/affine/nest.h"
#include "xlac/lowering/cpu/schedule/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An intermediate that lives in the nest.
typedef struct XlaSchedScratch {
  MlirValue root;
  MlirType element;
  bool needsMemory;
  int64_t base;    ///< where the first element lies of an iteration
  int64_t divisor; ///< of the inner strides, and of what lies before others
  int64_t extent;  ///< elements of one lane
  int64_t scale;   ///< lanes side by side
  bool isWide;     ///< of all lanes that there are, not of one tile
  MlirValue memory;
} XlaSchedScratch;

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
  int column; ///< the cluster that is written block by block (columns.c), or -1
  int nRows;  ///< row dimensions
  int64_t rows;          ///< their product
  int64_t chunk, chunks; ///< rows or lanes of a chunk; 1 chunk: serial
  int64_t threads;       ///< worth starting
  bool splitsLanes;      ///< chunks of the lane dimension rather than of rows
  /// Chunks of a reduction when there is only one row, or few columns; as many
  /// whatever the threads are, so that sums are the same.
  int64_t split;
  double nanoseconds; ///< estimated, of one core
} XlaSchedule;

typedef struct XlaSchedEmit {
  XlaSchedNest n; ///< first: the device's functions get it
  const XlaCpuScheduleOptions *options;
  XlaSchedule schedule;
  XlaSchedScratch *scratches;
  int nScratches;
  int fromCluster, toCluster; ///< what is written
  XlaIr entry;                ///< where memory outside of all loops is made
  XlaAffineNest nest;
  XlaPointerMap values; ///< of bodies
  struct {
    MlirValue root, flat;
  } *flats;
  int nFlats;
  /// Arrays that are transposed tile by tile (transpose.c); row-major tiles of
  /// tileStride elements a row from tileU, tileV on.
  struct {
    const XlaSchedAccess *access;
    MlirValue memory;
    int64_t size;  ///< elements of `memory`, where tilesInner
    bool isOutput; ///< the same
  } *tiles;
  int nTiles;
  bool tilesInner; ///< tiles of u = the last inner dimension (loops.c)
  int64_t tileStride;
  MlirAffineExpr tileU, tileV;
} XlaSchedEmit;

/// What the processor does in its own way (body.c).
extern const XlaSchedDevice xlaSchedCpu;

/// Parts of that: elements by vectors (memory.c),
void xlaSchedLoad(XlaSchedNest *n, const XlaSchedStatement *statement,
                  const XlaSchedAccess *access, XlaSchedPack *pack);
void xlaSchedStore(XlaSchedNest *n, const XlaSchedStatement *statement,
                   const XlaSchedAccess *access, const XlaSchedPack *pack);
bool xlaSchedIsRegister(const XlaSchedNest *n, const XlaSchedCluster *cluster,
                        const XlaSchedAccess *access);
/// the last dimension in tiles, for what runs across the lanes, and the
/// first one that is reduced in chunks on threads (loops.c).
bool xlaSchedTiled(XlaSchedNest *nest, const XlaSchedCluster *c, int d,
                   MlirValue *carry);
bool xlaSchedSplit(XlaSchedNest *nest, const XlaSchedCluster *c,
                   MlirValue *values);
/// The one-dimensional view of the buffer that `access` lies in.
MlirValue xlaSchedFlat(XlaSchedEmit *e, const XlaSchedAccess *access);
/// Can the body be cloned with vector types, for lanes along dimension `dim` of
/// the statement?
bool xlaSchedBodyVectorizes(const XlaSchedStatement *statement, int dim);
/// How many loads of the body, at places that it computes, are of consecutive
/// elements for lanes along dimension `dim`.
int xlaSchedVectorLoads(const XlaSchedStatement *statement, int dim);
/// Whether a value of the body is seen to be the same for all lanes along
/// dimension `dim`.
bool xlaSchedIsIndependent(const XlaSchedStatement *statement, MlirValue value,
                           int dim);

/// Whether lanes along `dim` may load from the positions of an affine.load,
/// whatever these are: of indices alone, small enough, and in a body that costs
/// more than finding them (gather.c).
bool xlaSchedIsAffineGather(const XlaSchedStatement *statement,
                            MlirOperation load, int dim);
/// The elements there.
MlirValue xlaSchedAffineGather(XlaSchedNest *n,
                               const XlaSchedStatement *statement,
                               MlirOperation load);

/// Lanes for statements of the group: widest type, cost of the bodies.
int64_t xlaSchedLanes(const XlaSchedEmit *e, const int *statements,
                      int nStatements);
/// With the cluster's lanes in `e`: is it the reduction that `schedule.split`
/// is meant for?
bool xlaSchedIsSplit(const XlaSchedEmit *e, const XlaSchedCluster *c);
/// The same of any of the group's clusters.
bool xlaSchedSumsParts(const XlaSchedEmit *e);
/// Lanes of a cluster: in row mode its own.
int64_t xlaSchedClusterLanes(const XlaSchedEmit *e, const XlaSchedCluster *c);
/// Elements of the last inner dimension in a tile.
int64_t xlaSchedInnerTileSize(const XlaSchedStatement *statement);
/// Has a statement of `c` tiles of what runs across the lanes along its last
/// dimension?
bool xlaSchedRunsAcross(const XlaSchedEmit *e, const XlaSchedCluster *c);
/// Fills the tiles of inputs of `c` with elements [u0, u0 + nu) of the last
/// dimension, or writes those of outputs to where these go.
void xlaSchedMoveInnerTiles(XlaSchedEmit *e, const XlaSchedCluster *c,
                            bool isOutput, MlirAffineExpr u0,
                            XlaAffineBound nu);
/// Elements of memory of an intermediate, 0: it lives in registers.
int64_t xlaSchedScratchSize(const XlaSchedEmit *e,
                            const XlaSchedScratch *scratch);
/// Does the group touch bf16?
bool xlaSchedTouchesBf16(const XlaSchedGroup *group);
/// Estimated nanoseconds of one core for the whole group.
double xlaSchedCost(const XlaSchedGroup *group,
                    const XlaCpuScheduleOptions *options);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_SCHEDULE_EMIT_H

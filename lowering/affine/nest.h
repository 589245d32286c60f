//===- nest.h - The loops of a group ------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to lowering. Writes what the clusters of a group do at one place of
// the shared dimensions: loops over the inner ones with accumulators, and
// elements of memory that stay in registers from one statement to the next. A
// device writes the loops around that, and says how elements are accessed and
// bodies computed.
//
// Of one dimension several elements are taken at once, the last inner one
// (lanes along rows) or a shared one:
//   lanes     of a vector, computed by one operation
//   points    each computed by operations of its own
//   threads   of a row, which take turns
// and of shared dimensions several points.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_AFFINE_NEST_H
#define XLAC_LOWERING_AFFINE_NEST_H

#include "xlac/dialect/pointer_map.h"
#include "xlac/lowering/affine/build.h"
#include "xlac/lowering/affine/cluster.h"
#include "xlac/lowering/affine/group.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { XLA_SCHED_MAX_POINTS = 16, XLA_SCHED_MAX_UNROLLS = 3 };

/// Dimensions of which `factor` consecutive values are taken, each by code of
/// its own. A point is a number whose digits, the last dimension's minor, say
/// which.
typedef struct XlaSchedUnroll {
  int n;
  int dims[XLA_SCHED_MAX_UNROLLS], factors[XLA_SCHED_MAX_UNROLLS];
} XlaSchedUnroll;

int xlaSchedPoints(const XlaSchedUnroll *unroll);
/// Digit `i` of point `p`.
int xlaSchedDigit(const XlaSchedUnroll *unroll, int p, int i);
/// Distance of points whose digit `i` differs by one.
int xlaSchedWeight(const XlaSchedUnroll *unroll, int i);

/// What an operand is at the points, or at those of the shared dimensions only
/// (`n` tells): a scalar for all lanes each, or a vector.
typedef struct XlaSchedPack {
  int n;
  int level; ///< where it is computed: see XlaSchedNest
  bool isVector;
  MlirValue values[XLA_SCHED_MAX_POINTS];
} XlaSchedPack;

/// The value at point `p` of `points`.
MlirValue xlaSchedAt(const XlaSchedPack *pack, int p, int points);

/// Elements of memory whose values are at hand.
typedef struct XlaSchedKnown {
  const XlaSchedStatement *statement;
  const XlaSchedAccess *access;
  XlaSchedPack pack;
  bool isDirty; ///< not in memory yet
} XlaSchedKnown;

typedef struct XlaSchedNest XlaSchedNest;

/// What devices do in ways of their own.
typedef struct XlaSchedDevice {
  /// Turns of a loop, at most; 0: any number. Devices with a limit have loops
  /// that count turns.
  int64_t maxTrips;
  /// Sets `lanes` and `width` for a cluster.
  void (*begin)(XlaSchedNest *nest, const XlaSchedCluster *cluster);
  /// May a loop have so many turns? False after a diagnostic. NULL: yes.
  bool (*accepts)(XlaSchedNest *nest, int64_t trips);
  /// Elements of `access` at the present points, from memory; all of the pack.
  void (*load)(XlaSchedNest *nest, const XlaSchedStatement *statement,
               const XlaSchedAccess *access, XlaSchedPack *pack);
  /// Back, at level 2.
  void (*store)(XlaSchedNest *nest, const XlaSchedStatement *statement,
                const XlaSchedAccess *access, const XlaSchedPack *pack);
  /// Is what `cluster` (NULL: anything) writes there never read from memory?
  bool (*isRegister)(const XlaSchedNest *nest, const XlaSchedCluster *cluster,
                     const XlaSchedAccess *access);
  /// Computes an operation of a body for point `p` and binds its results. All
  /// that it uses is known at `level` or further outside.
  void (*compute)(XlaSchedNest *nest, const XlaSchedStatement *statement,
                  MlirOperation op, int p, int level);
  /// Element `at` of a buffer that a body reads, at level 2, or those from
  /// there on for all lanes.
  MlirValue (*element)(XlaSchedNest *nest, MlirValue memref, MlirAffineExpr at,
                       bool isVector);
  /// What all lanes load by an affine.load whose position moves with them, in a
  /// way of its own; null: elements from the first lane's on. NULL: never.
  MlirValue (*gather)(XlaSchedNest *nest, const XlaSchedStatement *statement,
                      MlirOperation load);
  /// What a value of a body, or one from outside of it, is here.
  MlirValue (*value)(XlaSchedNest *nest, MlirValue value);
  /// The accumulators of all lanes and threads in one.
  MlirValue (*across)(XlaSchedNest *nest, const XlaSchedReducer *reducer,
                      MlirValue value);
  /// Writes the loop over dimension `d` in a way of its own; false: no. NULL:
  /// never.
  bool (*loop)(XlaSchedNest *nest, const XlaSchedCluster *cluster, int d,
               MlirValue *carry);
  /// Writes a whole reduction in a way of its own; false: no. NULL: never.
  bool (*reduce)(XlaSchedNest *nest, const XlaSchedCluster *cluster,
                 MlirValue *values);
} XlaSchedDevice;

/// The nest of a group. Values belong to a *level*: 0 is constant at one place
/// of the shared dimensions but for lanes, 1 at one place, and 2 changes
/// inside.
struct XlaSchedNest {
  const XlaSchedDevice *device;
  XlaSchedGroup *group;
  XlaSchedClusters clusters;
  const XlaSchedCluster *cluster; ///< being written
  XlaAffineNest *affine;
  XlaIr at[3]; ///< where values of each level go
  /// Of the present statements' dimensions; null: of size 1.
  MlirAffineExpr iv[XLA_SCHED_MAX_DIMS];
  int vecShared;         ///< shared dimension that lanes run along, or -1
  int64_t lanes;         ///< of the code being written; 1: scalars
  int width;             ///< points of the last inner dimension
  int64_t threads;       ///< of a row
  MlirAffineExpr thread; ///< its number
  XlaSchedUnroll shared; ///< points of shared dimensions
  XlaSchedUnroll points; ///< of the code being written: shared, then inner
  /// Bounds of the first inner dimension where it is walked block by block;
  /// else without expressions.
  XlaAffineBound innerLower, innerUpper;
  bool onlyPowers; ///< lanes in powers of two only, see xlaSchedPiece
  int64_t around, iterations; ///< of the loops here, and of all; saturated
  bool flushesAll;            ///< also what only this group could read
  XlaSchedKnown *known;
  int nKnown, knownCapacity;
  XlaPointerMap *values; ///< of bodies: what they are here, as MlirValue's ptr
  XlaPointerMap levels;  ///< and their levels, from 1
  bool failed;           ///< memory ran out, or a diagnostic was emitted
};

/// Only `device`, `group`, `affine` and `values` need to be set, others later.
void xlaSchedNestBegin(XlaSchedNest *nest);
void xlaSchedNestFree(XlaSchedNest *nest);

/// The statement's dimension that lanes and inner points run along, or -1.
int xlaSchedLaneDim(const XlaSchedNest *nest,
                    const XlaSchedStatement *statement);
/// The level of a value that changes with dimension `d`.
int xlaSchedLevelOf(const XlaSchedNest *nest, int d);
/// `type`, or a vector of `type` over the present lanes.
MlirType xlaSchedLaneType(const XlaSchedNest *nest, MlirType type);
/// `value`, computed at `level`, as a vector of the present lanes, when those
/// are more than one.
MlirValue xlaSchedSplat(XlaSchedNest *nest, MlirValue value, int level);
/// Lanes of the next piece of `rest`: all of it, or with bf16 the largest power
/// of two, because LLVM 22 fails on many bf16 vectors of other lengths.
int64_t xlaSchedPiece(const XlaSchedNest *nest, int64_t rest);

//===----------------------------------------------------------------------===//
// Loops (loops.c)
//===----------------------------------------------------------------------===//

/// Writes clusters [from, to) at the present place of the shared dimensions.
void xlaSchedClustersEmit(XlaSchedNest *nest, int from, int to);
/// The loops of `cluster` from dimension `d` on, within the scope of its
/// accumulators, which `carry` holds.
void xlaSchedInner(XlaSchedNest *nest, const XlaSchedCluster *cluster, int d,
                   MlirValue *carry);
/// Opens a loop at level 2; `carry` becomes the carried values, and `*iv` the
/// induction variable. Levels that lead up to the loop are moved before it.
MlirOperation xlaSchedFor(XlaSchedNest *nest, XlaAffineBound lower,
                          XlaAffineBound upper, int64_t step, int nCarried,
                          MlirValue *carry, MlirAffineExpr *iv);
/// Closes `loop`, goes on at `outside` behind it with its results, and forgets
/// what was known inside.
void xlaSchedClose(XlaSchedNest *nest, MlirOperation loop, XlaIr outside,
                   int nCarried, MlirValue *carry);
/// Closes a loop without carried values and goes on at `outside`.
void xlaSchedLeave(XlaSchedNest *nest, XlaIr outside);
XlaAffineBound xlaSchedBound(const XlaSchedNest *nest, int64_t value);

//===----------------------------------------------------------------------===//
// Bodies (body.c)
//===----------------------------------------------------------------------===//

/// One statement at the present points. `carry` holds a reduction's
/// accumulators, as `reducers` describe them, for each shared point, `stride`
/// values apart, and receives their next values. Other results are written.
void xlaSchedBody(XlaSchedNest *nest, const XlaSchedStatement *statement,
                  const XlaSchedReducer *reducers, MlirValue *carry,
                  int stride);
/// Computes an operation of a body for point `p`: those of affine (element.c),
/// and others as the device does.
void xlaSchedCompute(XlaSchedNest *nest, const XlaSchedStatement *statement,
                     MlirOperation op, int p, int level);
/// The only result of the map of an affine.load or apply, dimension i of which
/// is operand i of the map.
MlirAffineExpr xlaSchedPosition(MlirOperation op);
/// Does the position of an affine.load change along dimension `dim`?
bool xlaSchedStepsWith(const XlaSchedStatement *statement, MlirOperation load,
                       int dim);
/// What a linalg.index is at point `p`.
MlirAffineExpr xlaSchedIndexAt(const XlaSchedNest *nest,
                               const XlaSchedStatement *statement,
                               MlirOperation index, int p);
/// The value `key` of a body is `value` from here on, which is computed at
/// `level`.
void xlaSchedBind(XlaSchedNest *nest, MlirValue key, MlirValue value,
                  int level);
/// The level of a body's value; 0 of one from outside.
int xlaSchedLevel(const XlaSchedNest *nest, MlirValue key);

//===----------------------------------------------------------------------===//
// Elements at hand (known.c)
//===----------------------------------------------------------------------===//

/// Element `access` of `statement` at the present points, loaded unless known.
XlaSchedPack xlaSchedRead(XlaSchedNest *nest,
                          const XlaSchedStatement *statement,
                          const XlaSchedAccess *access);
/// Remembers `pack`. What depends on inner dimensions is stored at once, unless
/// nothing reads it from memory; the rest when xlaSchedFlush comes.
void xlaSchedWrite(XlaSchedNest *nest, const XlaSchedStatement *statement,
                   const XlaSchedAccess *access, const XlaSchedPack *pack);
/// Brings memory up to date before the loops of `cluster`, for what they access
/// in other ways, and forgets what they overwrite.
void xlaSchedSynchronize(XlaSchedNest *nest, const XlaSchedCluster *cluster);
/// Stores what is not in memory yet, but for what only this group could read,
/// unless the nest flushesAll.
void xlaSchedFlush(XlaSchedNest *nest);
/// Forgets what was computed at `level` or further inside.
void xlaSchedForget(XlaSchedNest *nest, int level);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_AFFINE_NEST_H

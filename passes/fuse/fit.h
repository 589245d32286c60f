//===- fit.h - Whether a cluster would compute a node -------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to xla-fuse: what fit.c is made of.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_FUSE_FIT_H
#define XLAC_PASSES_FUSE_FIT_H

#include "xlac/passes/fuse/fuse.h"

static inline bool xlaFuseIsFull(const FuseCluster *cluster,
                                 const FuseNode *node) {
  return xlaShapeDimsEqual(&cluster->space, &node->shape);
}

//===----------------------------------------------------------------------===//
// rows.c
//===----------------------------------------------------------------------===//

/// The product of dimensions, saturated.
int64_t xlaFuseElements(const int64_t *dims, int rank);
/// Broadcasts along the reduced dimensions are repetition within a row.
bool xlaFuseBroadcastsRows(const FuseCluster *cluster, const FuseNode *node);
/// One row that is everything runs on one thread.
bool xlaFuseRowsAreWorthIt(const XlaShape *space, uint32_t reduced);
/// Whether there are rows enough for all threads, or work for one only.
bool xlaFuseHasTasks(const XlaShape *space, uint32_t reduced);
/// Whether a kernel may go over its rows more than once. Those of last
/// dimensions lie contiguous; others shall stay in cache.
bool xlaFuseCanReadRowsAgain(const XlaShape *space, uint32_t reduced);
/// Makes `as` the cluster that it is with a node of rows: those of the
/// reduction that comes later in this walk will follow. False if it cannot be
/// one.
bool xlaFuseTakeRows(const FuseGraph *graph, const FuseNode *node,
                     FuseCluster *as);

//===----------------------------------------------------------------------===//
// places.c
//===----------------------------------------------------------------------===//

/// Where `edge.user`, a member of `cluster`, needs operand `edge.operand`; with
/// the map, owned by the caller, of what is mapped.
FusePlace xlaFusePlaceOfEdge(const FuseGraph *graph, const FuseCluster *cluster,
                             FuseEdge edge, XlaIndexingMap **map);
/// Where the cluster, seen as `as`, needs the node: FuseReasonPlaces where that
/// differs.
FuseReason xlaFuseFindPlace(const FuseGraph *graph, int position, int cluster,
                            const FuseCluster *as, FusePlace *place,
                            XlaIndexingMap **map);

//===----------------------------------------------------------------------===//
// mapped.c
//===----------------------------------------------------------------------===//

/// A member at the places that the map takes the space to.
FuseReason xlaFuseMappedFits(const FuseGraph *graph, const FuseNode *node,
                             const XlaIndexingMap *map, FuseCluster *as);
/// Whether a product's kernel can have such a member, for what works on its
/// result: a part of an array, or what takes no longer than memory.
bool xlaFuseFollowsProduct(const FuseGraph *graph, const FuseNode *node,
                           const XlaIndexingMap *map);
/// Of a node that is computed at `points` places.
FuseTimes xlaFuseRepetitionTimes(const FuseGraph *graph, const FuseNode *node,
                                 int64_t points);

//===----------------------------------------------------------------------===//
// product.c, indices.c
//===----------------------------------------------------------------------===//

enum { fuseMaxWeight = 256 };

/// The elements of an array.
double xlaFuseElementsOf(MlirValue value);
/// The cost of an element with all that leads to it from memory, with loads of
/// more than one array; more than fuseMaxWeight if that does not, or also leads
/// elsewhere. `anywhere`: it is computed at any place; `once`: what several use
/// is computed once, as indices are; `cluster`: NULL, or one that gathers by it
/// and works on what costs nothing therefore.
int xlaFuseWeightOf(const FuseGraph *graph, int position, bool anywhere,
                    bool once, const FuseCluster *cluster);
/// Whether the cluster works on the node at all elements of its space, which
/// are the node's: it is computed there in any case.
bool xlaFuseIsWorkedOn(const FuseGraph *graph, int position,
                       const FuseCluster *cluster);

//===----------------------------------------------------------------------===//
// fit.c
//===----------------------------------------------------------------------===//

/// Whether the node is worked on by a product's epilogue.
bool xlaFuseUsesDot(const FuseGraph *graph, const FuseNode *node);
/// Whether a cluster can have an operation that moves data.
FuseReason xlaFuseMovementFits(const FuseNode *node, FuseCluster *as);

#endif // XLAC_PASSES_FUSE_FIT_H

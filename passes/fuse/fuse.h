//===- fuse.h - Forming fusions: what the parts share -------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pass xla-fuse works on one block at a time, in three steps: graph.c
// reads the block into nodes and edges, assign.c gives nodes to clusters,
// asking fit.c where a cluster would compute a node, and others merge clusters
// (merge.c, siblings.c, readers.c, attention.c, windows.c), build.c puts the
// block into an order that suits the clusters and makes an xla.fusion of each.
// All three take time linear in the block's operations and uses (the ordering:
// n log n). fuse.c calls them; report.c tells what was decided.
//
// The elements of a cluster are its *space*. A member is computed at *places*:
//
//   full    at every element of the space, at the same index
//   row     where reductions are members: at the dimensions that these keep
//   mapped  at the elements that an indexing map takes the space to, because
//           operations that move data (slices, reshapes, broadcasts, ..) lie
//           between it and the space
//   operand of a matrix product, indices of a gather, indices and updates of
//           a scatter, what a sort reads: at their elements (product.c)
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_FUSE_FUSE_H
#define XLAC_PASSES_FUSE_FUSE_H

#include "xlac/dialect/indexing/map.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/passes/prepare.h"

/// A use of a node's result. `operand` is -1 where the user has it in a region.
typedef struct FuseEdge {
  int user, operand;
} FuseEdge;

/// What became of a node, or why it is not where its users are.
typedef enum FuseReason {
  FuseReasonFused,
  FuseReasonCopied,
  FuseReasonKind,      ///< is a kernel of its own
  FuseReasonUser,      ///< a user is no part of a fusion
  FuseReasonUsers,     ///< several fusions use it
  FuseReasonCycle,     ///< one of them also waits for another
  FuseReasonBarrier,   ///< an optimization_barrier lies between
  FuseReasonSize,      ///< the kernel would be too large
  FuseReasonPlaces,    ///< users need it at several places
  FuseReasonPlace,     ///< it is needed where the kernel's loops do not go
  FuseReasonStrides,   ///< no view with strides shows those places
  FuseReasonRecompute, ///< it would be computed too often
  FuseReasonRows,      ///< the kernel reduces rows of another form
  FuseReasonGather,    ///< kernels that gather have no rows and pieces
  FuseReasonProduct,   ///< the kernel is a matrix product
} FuseReason;

/// Where a member needs an operand.
typedef enum FusePlace {
  FusePlaceNone, ///< from memory only
  FusePlaceFull,
  FusePlaceRow,
  FusePlaceMapped,
  FusePlaceLhs, ///< where a product has its operand
  FusePlaceRhs,
  FusePlaceIndices, ///< where a gather has its indices, or a slice begins
  FusePlaceUpdates, ///< where a scatter has its updates, or a sort reads
} FusePlace;

typedef struct FuseNode {
  MlirOperation op;
  XlaOpKind kind;
  bool elementwise; ///< of that family, with an array as its result
  bool moves;       ///< its result's elements are some of its operands'
  bool effects;     ///< keeps its place among others with effects
  bool copied;      ///< every cluster that uses it computes it itself
  int64_t copies;   ///< at so many places in the one that does; 0: not known
  int starts;       ///< copied for where slices start: the longest way there
  bool reducible;   ///< a reduction that may be fused
  bool scatters;    ///< a scatter that may be
  bool sorts;       ///< a sort that may be
  uint32_t reduced; ///< reducible: the dimensions, as bits; 0 of a scan
  int segment;      ///< barriers before it
  int size;         ///< of its code, about: instructions on a vector
  FuseReason reason;
  /// Where tiles of workgroups do not keep it (windows.c), so many elements
  /// they would compute for each that there is; -1: no tile fits. Else 0.
  double tiled;
  XlaIndexingMap *map; ///< of a mapped member: from the space to its elements
  FusePlace place;     ///< of a member that is computed for an operand of a
                       ///< product, gather or scatter: which; else None
  int rowSource;       ///< 1 + the reduction it is a row-wise function of
  int firstEdge, nEdges;
  int nextEffect; ///< the next node with effects after one, or -1
  int cluster;    ///< -1: none. Read through xlaFuseClusterOf
  int next;       ///< in the cluster's list of members; -1: last
  int mark;       ///< of the last search that came by
  XlaShape shape; ///< of result 0, or rank -1 if that is no array
} FuseNode;

/// What becomes one fusion. `space` has the dimensions of its elements; with
/// reductions of the dimensions `reduced`, members are either of that shape or
/// row-shaped, without those dimensions.
typedef struct FuseCluster {
  XlaShape space;
  uint32_t reduced;
  bool closed; ///< a single reduction, or an update, that takes no users and no
               ///< rows
  bool transposed;
  bool mapped;      ///< has members at other places, or that move data
  bool pieces;      ///< has concatenations or pads: parts of the space differ
  int64_t rowBytes; ///< of a row of all that it keeps for readers of several
                    ///< places of it (windows.c), or 0
  /// Elements beside a block's, or a tile's, that are kept as well, along each
  /// dimension; of blocks rows alone.
  int64_t around[XLA_MAX_RANK];
  int64_t keptBytes; ///< of an element of all that it keeps
  bool awaitsDot;    ///< works on the result of a dot_general that may join
  bool gathers;      ///< has a gather: only loops
  bool contraction;  ///< has a dot_general, with what leads to it and follows
  bool attention;    ///< has two, with rows between them (attention.c)
  int product;       ///< that; of contractions
  int update;        ///< 1 + the dynamic_update_slice, scatter or sort that it
                     ///< ends with, or 0
  bool toAll;        ///< that is a scatter to all elements of the space, with
                     ///< what computes its inputs and works on its results
  int nReductions;
  int repeated; ///< cost of what is computed at more places than it has
  int buffers;  ///< operands and results, or more
  int segment;
  int first, last; ///< positions of members
  int head, nMembers, size;
  int mark;       ///< of the last search that came by
  int mergedInto; ///< -1, or the cluster that took this one's members
} FuseCluster;

/// What is against one cluster of two products with rows between them.
typedef enum FuseAttentionReason {
  FuseAttentionFused,
  FuseAttentionUsed,     ///< others use what lies between
  FuseAttentionMatrices, ///< the products are not of matrices of floats
  FuseAttentionRows,     ///< a row of the result needs more than one of scores
  FuseAttentionSize,     ///< the kernel would be too large
  FuseAttentionCost,     ///< it would take longer
} FuseAttentionReason;
/// Two products with rows between them that are not one kernel.
typedef struct FuseApartProducts {
  int scores, result; ///< nodes
  FuseAttentionReason reason;
} FuseApartProducts;

typedef struct FuseGraph {
  MlirBlock block;
  int nNodes, nEdges, nClusters;
  FuseNode *nodes;
  FuseEdge *edges;
  FuseCluster *clusters;   ///< room for one a node
  XlaPointerMap positions; ///< of operations, + 1
  /// Of each position one before it that spans of clusters, from their first
  /// to their last member, connect with it; itself where there is none.
  int *connected;
  int mark;
  const XlaFusionDevice *device;
  bool epilogues;  ///< operations on what contractions give and take join them
  bool formed;     ///< clusters are: what they write is memory for others
  bool copiesFull; ///< computes what clusters need at all of their space and at
                   ///< parts of it for each place, if that takes no longer
  int nCopiedFull; ///< nodes of which that is, or would be, so
  XlaFusionReport telling;
  /// If that tells anything: what xlaFuseAttention left apart.
  FuseApartProducts *apart;
  int nApart;
  bool told; ///< of another block before
} FuseGraph;

enum {
  fuseMaxMembers = 256, // of a cluster: compile time of one kernel
  fuseMaxSize = 1024,   // the same; larger code does not run faster
  fuseMaxCopyDepth = 8, // of copies that are computed from each other
  // The same between two members of a cluster.
  fuseMaxOwnCopies = 2,
  fuseMaxWindowCopies = 5, // the same where a cluster keeps rows
};

/// Reads `block`, whose operations with regions in `effects` (0 or 1 by
/// address) have effects inside. False if there is no memory.
bool xlaFuseGraphCreate(FuseGraph *graph, MlirBlock block,
                        const XlaPointerMap *effects);
void xlaFuseGraphDestroy(FuseGraph *graph);

/// The node of an operation of the block, or -1.
int xlaFuseNodeOf(const FuseGraph *graph, MlirOperation op);
/// The node that defines `value`, or -1.
int xlaFuseDefiningNode(const FuseGraph *graph, MlirValue value);
/// The cluster of a node after merging, or -1.
int xlaFuseClusterOf(const FuseGraph *graph, int node);
/// Whether a node only moves data, and no other is in its cluster.
bool xlaFuseIsAlone(const FuseGraph *graph, int node);
/// Operations whose operands are read in the order of other loops take what
/// they do not get from members from memory.
bool xlaFuseReadsArguments(XlaOpKind kind);
/// Whether `cluster` computes `value`, of a copied node or a splat constant,
/// instead of reading it.
bool xlaFuseTakesCopy(const FuseGraph *graph, const FuseCluster *cluster,
                      MlirValue value);
/// Whether it is a constant that repeats one element.
bool xlaFuseIsSplat(MlirValue value);
/// Makes fusions of the large constants of one value that operations of `block`
/// read (constants.c).
void xlaFuseConstants(MlirBlock block);
/// Whether `shape` has the dimensions of `space` but for those `reduced`.
bool xlaFuseIsRowShape(const XlaShape *space, uint32_t reduced,
                       const XlaShape *shape);
/// Operands with an element for each of the result's, other than constants.
int xlaFuseCountArrays(const FuseGraph *graph, const FuseNode *node);
/// Whether shapes of as many elements differ only in dimensions of size 1.
bool xlaFuseHasSameDims(const XlaShape *from, const XlaShape *to);
/// Whether a reshape only adds or leaves out such.
bool xlaFuseKeepsDims(const FuseNode *node);
/// The shape of operand 0.
void xlaFuseInputShape(const FuseNode *node, XlaShape *shape);

//===----------------------------------------------------------------------===//
// fit.c, mapped.c
//===----------------------------------------------------------------------===//

/// A node as a member of a cluster.
typedef struct FuseFit {
  FuseCluster as;      ///< the cluster with it
  XlaIndexingMap *map; ///< of a mapped member; owned
  FusePlace place;     ///< of FuseNode
} FuseFit;

/// Whether node `position` can be a member of `cluster`, and how: Fused or what
/// is against it. `asResult`: users outside need all of it.
FuseReason xlaFuseFit(const FuseGraph *graph, int position, int cluster,
                      bool asResult, FuseFit *fit);
/// At how many places the cluster, the only one that uses the node, would
/// compute it, where that is known and takes no longer than a kernel that
/// writes it: else 0. `*isFull`: these include all of the space.
int64_t xlaFuseCopies(const FuseGraph *graph, int position, int cluster,
                      bool *isFull);
/// What a cluster can begin with. What moves data does so for the sake of what
/// computes its operands; reshapes are views of memory.
bool xlaFuseCanFound(const FuseNode *node);
/// A new cluster for the node, which must be one that can begin a cluster.
FuseCluster xlaFuseFound(const FuseGraph *graph, int position);
/// Whether a cluster computes copied `value` for operand `operand` of its
/// product, instead of reading it.
bool xlaFuseTakesOperand(const FuseGraph *graph, const FuseCluster *cluster,
                         MlirValue value, intptr_t operand);
/// Whether a cluster computes what its member `edge.user` has as operand
/// `edge.operand`, a copied node or splat constant, instead of reading it.
bool xlaFuseTakes(const FuseGraph *graph, const FuseCluster *cluster,
                  FuseEdge edge);
/// The same of an operand of what it computes for itself, for `place`.
bool xlaFuseTakesFor(const FuseGraph *graph, const FuseCluster *cluster,
                     MlirValue value, FusePlace place);
/// What operation `user` of a cluster has its operands for: of its product, the
/// place of each; else that of the member.
FusePlace xlaFusePlaceFor(const FuseGraph *graph, const FuseCluster *cluster,
                          FuseEdge edge);

//===----------------------------------------------------------------------===//
// product.c, indices.c
//===----------------------------------------------------------------------===//

/// What computing something again would take, in nanoseconds, and what a kernel
/// takes that writes it, with those that read it from there.
typedef struct FuseTimes {
  double again, memory;
} FuseTimes;
/// Whether a node may be computed with operand `side` of `dot`, and the times.
bool xlaFusePrologueTimes(const FuseGraph *graph, int position,
                          MlirOperation dot, int side, FuseTimes *times);
/// The same, and that is no slower than a kernel that writes it.
bool xlaFuseIsPrologue(const FuseGraph *graph, int position, MlirOperation dot,
                       int side);
/// Whether a node may be computed where gathers of the cluster take it for an
/// index: Fused or what is against it. The times are 0 where they do not
/// matter.
FuseReason xlaFuseIndicesFit(const FuseGraph *graph, int position,
                             const FuseCluster *cluster, FuseTimes *times);
/// The same where a scatter takes it for its indices (operand n of 2 n + 1) or
/// for updates.
FuseReason xlaFuseScatterFits(const FuseGraph *graph, int position,
                              MlirOperation scatter, bool isIndices);
/// Whether a scatter can be computed at all elements of its inputs, instead of
/// in place.
bool xlaFuseScattersToAll(const FuseGraph *graph, const FuseNode *node);
/// Whether a node may be computed where a sort reads it, once.
FuseReason xlaFuseSortFits(const FuseGraph *graph, int position);
/// Whether a scatter that may be fused takes its operand from memory in any
/// case.
bool xlaFuseScatterReads(const FuseGraph *graph, FuseEdge edge);
/// Whether a product or a gather needs the node in memory.
bool xlaFuseFeedsProduct(const FuseGraph *graph, int position);

//===----------------------------------------------------------------------===//
// assign.c, cycles.c, merge.c, siblings.c, readers.c
//===----------------------------------------------------------------------===//

/// A search for cycles.
typedef struct FuseSearch {
  FuseGraph *graph;
  int target; ///< cluster
  int budget;
  int *stack; ///< room for all nodes
  int size;
} FuseSearch;

/// Whether what `from` leads to includes the target cluster, or the budget does
/// not suffice to know. Searches with the same mark share what they have seen.
bool xlaFuseReaches(FuseSearch *search, int from);
/// Positions that the cluster spans are connected from now on.
void xlaFuseConnect(FuseGraph *graph, const FuseCluster *cluster);
/// Whether the two can be one cluster if they do not depend on each other:
/// Fused or what is against it.
FuseReason xlaFuseMergeFits(const FuseGraph *graph, const FuseCluster *a,
                            const FuseCluster *b);
/// Appends the members of cluster `from` to `into`, in the order of positions.
void xlaFuseMerge(FuseGraph *graph, int into, int from);
/// Whether going over `space` reads most of an array: else little is saved.
bool xlaFuseReadsMost(const XlaShape *array, const XlaShape *space);
/// What is against making one cluster of two that read the same array: Fused if
/// nothing is, Cycle where one waits for the other, which is asked for if
/// nothing else is against it, or `always`.
FuseReason xlaFuseSiblingFits(FuseSearch *search, int into, int from,
                              bool always);
/// Makes one cluster of those that read the same array and can be one.
void xlaFuseSiblings(FuseSearch *search);
/// Makes one cluster of two where one reads what the other computes, at the
/// same places (readers.c).
void xlaFuseReaders(FuseSearch *search);
/// Makes one cluster of two products with rows between them (attention.c).
void xlaFuseAttention(FuseSearch *search);
/// Makes one cluster of two where one reads what the other computes at several
/// places, on devices that keep rows (windows.c).
void xlaFuseWindows(FuseSearch *search);
/// Gives a node without a cluster, whose users have theirs, to one: Fused or
/// what is against it.
FuseReason xlaFuseAssign(FuseSearch *search, int position);
/// What moves data from what other kernels write to a product, or to the
/// indices of gathers, joins them: which kernels those are is known only when
/// all nodes have been assigned.
void xlaFuseJoinReaders(FuseGraph *graph);
/// Reshapes of what comes from memory are views, for which no kernel is needed.
void xlaFusePutOutReshapes(FuseGraph *graph);

enum { fuseSearchBudget = 512 }; // edges seen by one search for a cycle

//===----------------------------------------------------------------------===//
// build.c, report.c
//===----------------------------------------------------------------------===//

/// Puts fusions in place of the clusters. False if there is no memory or
/// clusters wait for each other; the block is then unfinished.
bool xlaFuseBuild(FuseGraph *graph);

typedef struct FuseReport FuseReport;

/// Begins to tell what was decided, before the block is built. NULL if there is
/// no memory. The graph must outlive it.
FuseReport *xlaFuseReportBegin(FuseSearch *search);
/// Writes it to stderr, with the kernels of the block if that is built, and
/// frees it. NULL is no report. Whether there was something to tell.
bool xlaFuseReportEnd(FuseReport *report, bool isBuilt);

#endif // XLAC_PASSES_FUSE_FUSE_H

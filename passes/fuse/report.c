//===- report.c - What fusion decided -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line an operation; the bytes that kernels read and write: an input once, or
// the part of it that a slice takes, a result once; and an estimate of the
// time, for each kernel that of memory or of arithmetic, whichever is longer,
// and its launch. Reshapes are views and constants are part of the code.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/passes/fuse/fuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What is against fusing, and what a program can do about it, or null.
typedef struct Reason {
  const char *obstacle, *remedy;
} Reason;

static Reason textOf(FuseReason reason) {
  switch (reason) {
  case FuseReasonFused:
    return (Reason){"fused", NULL};
  case FuseReasonCopied:
    return (Reason){"computed by each that uses it", NULL};
  case FuseReasonKind:
    return (Reason){"it is a kernel of its own, or a view", NULL};
  case FuseReasonUser:
    return (Reason){"a user outside of fusions takes it from memory", NULL};
  case FuseReasonUsers:
    return (Reason){"several fusions, which cannot be one, use it",
                    "bring its users into one shape"};
  case FuseReasonCycle:
    return (Reason){
        "the fusion of a user also waits for what another user computes",
        "compute it once for each of the two"};
  case FuseReasonBarrier:
    return (Reason){"an optimization_barrier lies between them",
                    "take the barrier out"};
  case FuseReasonSize:
    return (Reason){"the kernel would be too large",
                    "say by an optimization_barrier where to cut it"};
  case FuseReasonPlaces:
    return (Reason){"users need its elements at different places",
                    "slice or transpose what it is computed from instead"};
  case FuseReasonPlace:
    return (Reason){"its user takes operands from memory", NULL};
  case FuseReasonStrides:
    return (Reason){
        "its elements would be read in an order that costs more than memory",
        "transpose or reshape what it is computed from instead"};
  case FuseReasonRecompute:
    return (Reason){"each element would be computed too often",
                    "broadcast later, or combine what is small first"};
  case FuseReasonRows:
    return (Reason){"the kernel works on rows of another form",
                    "reduce the same last dimensions in both"};
  case FuseReasonGather:
    return (Reason){
        "a kernel that gathers has neither rows nor pieces of arrays",
        "compute before the gather, on what it takes from"};
  case FuseReasonProduct:
    return (Reason){"the kernel is a matrix product",
                    "compute on its result element by element, in its shape"};
  }
  return (Reason){"", NULL};
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static int64_t bytesOf(MlirValue value) {
  XlaShape shape;
  int64_t count;
  if (!xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL) ||
      !xlaShapeGetElementCount(&shape, &count))
    return 0;
  return count * xlaElementTypeGetInfo(shape.elementType)->bytes;
}

/// Whether its result is memory of its operand.
static bool isView(const FuseNode *node) {
  return node->kind == XlaOpKindReshape || node->kind == XlaOpKindBitcast ||
         node->kind == XlaOpKindBitcastConvert ||
         node->kind == XlaOpKindOptimizationBarrier;
}

static bool isKernel(const FuseNode *node) {
  return node->kind != XlaOpKindInvalid && node->kind != XlaOpKindConstant &&
         !isView(node) &&
         xlaOpGetInfo(node->kind)->family != XlaFamilyControlFlow &&
         mlirOperationGetNumResults(node->op) > 0;
}

/// What `node` reads of an operand: of one that it moves, what it moves.
static int64_t readBytes(const FuseNode *node, MlirValue operand) {
  int64_t all = bytesOf(operand);
  int64_t moved = bytesOf(mlirOperationGetResult(node->op, 0));
  return node->moves && moved < all ? moved : all;
}

static int64_t writtenBytes(const FuseNode *node) {
  int64_t bytes = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(node->op); ++i)
    bytes += bytesOf(mlirOperationGetResult(node->op, i));
  return bytes;
}

static bool isConstant(MlirValue value) {
  return mlirValueIsAOpResult(value) &&
         xlaOpGetKind(mlirOpResultGetOwner(value)) == XlaOpKindConstant;
}

/// Whether an operand before `i` is the same.
static bool isRepeated(const FuseNode *node, intptr_t i) {
  MlirValue operand = mlirOperationGetOperand(node->op, i);
  for (intptr_t k = 0; k < i; ++k)
    if (mlirValueEqual(mlirOperationGetOperand(node->op, k), operand))
      return true;
  return false;
}

/// Bytes of a node that is a kernel.
static int64_t kernelBytes(const FuseNode *node) {
  int64_t bytes = writtenBytes(node);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(node->op); ++i) {
    MlirValue operand = mlirOperationGetOperand(node->op, i);
    if (!isConstant(operand) && !isRepeated(node, i))
      bytes += readBytes(node, operand);
  }
  return bytes;
}

/// Additions that take as long as the node.
static double opsOf(const FuseNode *node) {
  XlaShape shape = node->shape;
  int64_t count = 0;
  if (node->reducible)
    xlaFuseInputShape(node, &shape);
  if (shape.rank >= 0)
    xlaShapeGetElementCount(&shape, &count);
  return (double)count * xlaOpGetInfo(node->kind)->cost;
}

/// Kernels with what they take.
typedef struct Total {
  int kernels;
  int64_t bytes;
  double ns;
} Total;

static void addKernel(const FuseGraph *graph, int64_t bytes, double ops,
                      Total *total) {
  const XlaFusionDevice *device = graph->device;
  double memory = (double)bytes * device->perByte, work = ops * device->perOp;
  ++total->kernels;
  total->bytes += bytes;
  total->ns += device->perKernel + (memory > work ? memory : work);
}

static bool isUsedOutside(const FuseGraph *graph, const FuseNode *node,
                          int cluster) {
  for (int e = 0; e < node->nEdges; ++e)
    if (xlaFuseClusterOf(graph, graph->edges[node->firstEdge + e].user) !=
        cluster)
      return true;
  return false;
}

/// What a cluster reads through operand `i` of `node`: of what it copies, the
/// operands. `seen` has the values that were counted, by the cluster.
static int64_t inputBytes(const FuseGraph *graph, int cluster,
                          const FuseNode *node, intptr_t i,
                          XlaPointerMap *seen) {
  MlirValue operand = mlirOperationGetOperand(node->op, i);
  int from = xlaFuseDefiningNode(graph, operand);
  if (isConstant(operand) ||
      (from >= 0 && xlaFuseClusterOf(graph, from) == cluster) ||
      xlaPointerMapGet(seen, operand.ptr) == cluster + 1)
    return 0;
  // Without memory an input may be counted twice.
  (void)xlaPointerMapSet(seen, operand.ptr, cluster + 1);
  if (from < 0 || !xlaFuseTakesCopy(graph, &graph->clusters[cluster], operand))
    return readBytes(node, operand);
  int64_t bytes = 0;
  const FuseNode *copy = &graph->nodes[from];
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(copy->op); ++k)
    bytes += inputBytes(graph, cluster, copy, k, seen);
  return bytes;
}

static void addCluster(const FuseGraph *graph, int cluster, XlaPointerMap *seen,
                       Total *total) {
  int64_t bytes = 0;
  double ops = 0;
  for (int m = graph->clusters[cluster].head; m >= 0;
       m = graph->nodes[m].next) {
    const FuseNode *node = &graph->nodes[m];
    ops += opsOf(node);
    if (isUsedOutside(graph, node, cluster))
      bytes += writtenBytes(node);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(node->op); ++i)
      bytes += inputBytes(graph, cluster, node, i, seen);
  }
  addKernel(graph, bytes, ops, total);
}

/// Whether all clusters that use `node`, or what they compute for themselves of
/// it, take `value`; within `budget` uses.
static bool isTaken(const FuseGraph *graph, const FuseNode *node,
                    MlirValue value, const bool *vanished, int *budget) {
  for (int e = 0; e < node->nEdges; ++e) {
    int user = graph->edges[node->firstEdge + e].user;
    int cluster = xlaFuseClusterOf(graph, user);
    if (--*budget < 0 ||
        (cluster >= 0
             ? !xlaFuseTakesCopy(graph, &graph->clusters[cluster], value)
             : !vanished[user] || !isTaken(graph, &graph->nodes[user], value,
                                           vanished, budget)))
      return false;
  }
  return true;
}

/// Whether all users compute it, or are computed by theirs; `vanished` says so
/// of the nodes behind it.
static bool vanishes(const FuseGraph *graph, const FuseNode *node,
                     const bool *vanished) {
  int budget = 512;
  return node->copied &&
         isTaken(graph, node, mlirOperationGetResult(node->op, 0), vanished,
                 &budget);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printPlace(MlirOperation op) {
  MlirLocation location = mlirOperationGetLocation(op);
  if (mlirLocationIsAFileLineColRange(location)) {
    MlirStringRef file =
        mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
    fprintf(stderr, "%.*s:%d:%d: ", (int)file.length, file.data,
            mlirLocationFileLineColRangeGetStartLine(location),
            mlirLocationFileLineColRangeGetStartColumn(location));
  }
}

/// A kernel that reads the result, or a view of it, from memory.
static bool readsResult(const FuseGraph *graph, int user, int cluster) {
  int other = xlaFuseClusterOf(graph, user);
  const FuseNode *node = &graph->nodes[user];
  return other < 0 ? isKernel(node) || isView(node) : other != cluster;
}

/// The time, in nanoseconds, that the result takes on its way through memory:
/// it is written, and read by each kernel that has not read it. What is a
/// result of the program in any case takes none.
static double throughMemory(const FuseGraph *graph, int position,
                            bool isFused) {
  const FuseNode *node = &graph->nodes[position];
  int cluster = xlaFuseClusterOf(graph, position), readers = 0, last = -1;
  bool isKept = false;
  for (int e = 0; e < node->nEdges; ++e) {
    int user = graph->edges[node->firstEdge + e].user;
    int to = xlaFuseClusterOf(graph, user);
    bool reads = readsResult(graph, user, cluster);
    isKept |= to < 0 && !reads;
    if (!reads || (to >= 0 && to == last))
      continue;
    last = to;
    ++readers;
  }
  double ns = (double)writtenBytes(node) * graph->device->perByte;
  if (isFused) // and read by its own kernel
    return isKept || readers ? ns : 2 * ns + graph->device->perKernel;
  return readers * ns + (isKept ? 0 : ns + graph->device->perKernel);
}

/// The user that the reason is about.
static const FuseNode *userOf(const FuseGraph *graph, int position,
                              FuseReason reason) {
  const FuseNode *node = &graph->nodes[position], *first = NULL;
  int cluster = xlaFuseClusterOf(graph, position);
  for (int e = 0; e < node->nEdges; ++e) {
    int at = graph->edges[node->firstEdge + e].user;
    const FuseNode *user = &graph->nodes[at];
    int other = xlaFuseClusterOf(graph, at);
    if (reason == FuseReasonFused     ? other == cluster
        : reason == FuseReasonUser    ? other < 0 && !user->copied
        : reason == FuseReasonProduct ? user->kind == XlaOpKindDotGeneral
                                      : other != cluster)
      return user;
    first = first ? first : user;
  }
  return reason == FuseReasonFused ? NULL : first;
}

/// What to change, or null.
static const char *remedyOf(const FuseGraph *graph, const FuseNode *node,
                            const FuseNode *user, FuseReason reason) {
  if (node->kind == XlaOpKindDotGeneral && !graph->epilogues)
    return "use --xla-fuse=contraction-epilogue=true";
  bool fromMemory = reason == FuseReasonUser || reason == FuseReasonPlace;
  if (fromMemory && user && user->kind == XlaOpKindDotGeneral)
    return textOf(FuseReasonProduct).remedy;
  if (fromMemory && user && isView(user))
    return "compute on what the view is of";
  return textOf(reason).remedy;
}

static const char *nameOf(const FuseNode *user) {
  if (!user)
    return "anything";
  return user->kind == XlaOpKindInvalid ? "the end of the program"
                                        : xlaOpGetInfo(user->kind)->name;
}

static void printOp(const FuseGraph *graph, int position) {
  const FuseNode *node = &graph->nodes[position];
  FuseReason reason = node->reason;
  if (reason == FuseReasonFused && xlaFuseClusterOf(graph, position) < 0)
    reason = FuseReasonKind; // a reshape that was put out
  printPlace(node->op);
  fprintf(stderr, "%s of %s: ", xlaOpGetInfo(node->kind)->name,
          XLA_TYPE_TEXT(mlirValueGetType(mlirOperationGetResult(node->op, 0))));
  const FuseNode *user = userOf(graph, position, reason);
  const char *obstacle = textOf(reason).obstacle;
  const char *remedy = remedyOf(graph, node, user, reason);
  double us = throughMemory(graph, position, reason == FuseReasonFused) / 1000;
  if (reason == FuseReasonUser && user && user->kind == XlaOpKindInvalid)
    obstacle = "it is a result";
  if (reason == FuseReasonCopied) {
    fprintf(stderr, "%s\n", obstacle);
  } else if (reason == FuseReasonFused) {
    fprintf(stderr, "fused with %s, which saves %.1f us\n", nameOf(user), us);
  } else {
    fprintf(stderr, "not fused with %s: %s", nameOf(user), obstacle);
    if (us > 0)
      fprintf(stderr, ", which costs %.1f us", us);
    if (remedy)
      fprintf(stderr, "; to change that: %s", remedy);
    else if (user && user->kind != XlaOpKindInvalid)
      fputs("; nothing changes that", stderr);
    fputs("\n", stderr);
  }
}

//===----------------------------------------------------------------------===//
// Siblings
//===----------------------------------------------------------------------===//

static Reason siblingText(FuseReason reason) {
  if (reason == FuseReasonPlaces)
    return (Reason){"they go over elements in other shapes",
                    "bring them into one shape"};
  if (reason == FuseReasonRows)
    return (Reason){"they go over rows of other forms",
                    "reduce the same dimensions in both"};
  if (reason == FuseReasonStrides)
    return (Reason){"one of them reads it transposed", NULL};
  if (reason == FuseReasonGather)
    return (Reason){"one of them gathers", NULL};
  return textOf(reason);
}

static void printNode(const FuseNode *node) {
  fprintf(stderr, "%s of %s", xlaOpGetInfo(node->kind)->name,
          XLA_TYPE_TEXT(mlirValueGetType(mlirOperationGetResult(node->op, 0))));
}

void xlaFuseReportSiblings(const FuseGraph *graph, int a, int b,
                           MlirValue value, FuseReason reason) {
  Reason text = siblingText(reason);
  double ns = (double)bytesOf(value) * graph->device->perByte +
              graph->device->perKernel;
  printPlace(graph->nodes[b].op);
  printNode(&graph->nodes[b]);
  fputs(" and ", stderr);
  printNode(&graph->nodes[a]);
  if (reason == FuseReasonFused)
    fprintf(stderr,
            ": read the same array in one kernel, which saves %.1f us\n",
            ns / 1000);
  else
    fprintf(
        stderr,
        ": read the same array in two kernels: %s, which costs %.1f us%s%s\n",
        text.obstacle, ns / 1000, text.remedy ? "; to change that: " : "",
        text.remedy ? text.remedy : "");
}

static Reason attentionText(FuseAttentionReason reason) {
  switch (reason) {
  case FuseAttentionFused:
    break;
  case FuseAttentionUsed:
    return (Reason){"others use what lies between them",
                    "compute that again for these"};
  case FuseAttentionMatrices:
    return (Reason){"they are not one product of matrices of floats for each "
                    "element of a batch",
                    "make each have one dimension of rows and one of columns"};
  case FuseAttentionRows:
    return (Reason){"a row of the result needs more than a row of the scores",
                    "reduce along what the second one contracts"};
  case FuseAttentionSize:
    return (Reason){"the kernel would be too large", NULL};
  case FuseAttentionCost:
    return (Reason){"it has too few rows", NULL};
  }
  return (Reason){"", NULL};
}

void xlaFuseReportAttention(const FuseGraph *graph, int scores, int result,
                            FuseAttentionReason reason) {
  Reason text = attentionText(reason);
  const FuseNode *node = &graph->nodes[scores];
  // They are written and read, and weights of their size.
  double ns = 4 * (double)writtenBytes(node) * graph->device->perByte +
              2 * graph->device->perKernel;
  printPlace(graph->nodes[result].op);
  printNode(&graph->nodes[result]);
  fputs(" and ", stderr);
  printNode(node);
  if (reason == FuseAttentionFused)
    fprintf(stderr,
            ": one kernel, which has a tile of rows at a time of what lies "
            "between them, which saves %.1f us\n",
            ns / 1000);
  else
    fprintf(stderr,
            ": not one kernel for tiles of rows: %s, which costs %.1f us%s%s\n",
            text.obstacle, ns / 1000, text.remedy ? "; to change that: " : "",
            text.remedy ? text.remedy : "");
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void xlaFuseReport(const FuseGraph *graph) {
  Total before = {0}, after = {0};
  XlaPointerMap seen = {0};
  bool *vanished = calloc((size_t)graph->nNodes + 1, sizeof *vanished);
  for (int i = graph->nNodes - 1; i >= 0 && vanished; --i)
    vanished[i] = vanishes(graph, &graph->nodes[i], vanished);
  for (int i = 0; i < graph->nNodes; ++i) {
    const FuseNode *node = &graph->nodes[i];
    int cluster = xlaFuseClusterOf(graph, i);
    if (cluster >= 0 && graph->clusters[cluster].head == i)
      addCluster(graph, cluster, &seen, &after);
    if (!isKernel(node))
      continue;
    addKernel(graph, kernelBytes(node), opsOf(node), &before);
    if (cluster < 0 && !(vanished && vanished[i]))
      addKernel(graph, kernelBytes(node), opsOf(node), &after);
    if (node->nEdges)
      printOp(graph, i);
  }
  xlaPointerMapClear(&seen);
  free(vanished);
  if (before.kernels)
    fprintf(stderr,
            "%d operations in %d kernels; bytes read and written: %lld, "
            "unfused %lld; on %s about %.1f us, unfused %.1f\n",
            before.kernels, after.kernels, (long long)after.bytes,
            (long long)before.bytes, graph->device->name, after.ns / 1e3,
            before.ns / 1e3);
}

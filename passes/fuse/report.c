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
#include <string.h>

static const char *textOf(FuseReason reason) {
  switch (reason) {
  case FuseReasonFused:
    return "fused";
  case FuseReasonCopied:
    return "computed by each that uses it";
  case FuseReasonKind:
    return "it is a kernel of its own, or a view";
  case FuseReasonUser:
    return "a user outside of fusions takes it from memory";
  case FuseReasonUsers:
    return "several fusions, which cannot be one, use it";
  case FuseReasonCycle:
    return "the fusion of a user also waits for what another user computes";
  case FuseReasonBarrier:
    return "an optimization_barrier lies between them";
  case FuseReasonSize:
    return "the kernel would be too large";
  case FuseReasonPlaces:
    return "users need its elements at different places";
  case FuseReasonPlace:
    return "its user takes operands from memory";
  case FuseReasonStrides:
    return "its elements would be read in an order that costs more than memory";
  case FuseReasonRecompute:
    return "each element would be computed too often";
  case FuseReasonRows:
    return "the kernel works on rows of another form";
  case FuseReasonGather:
    return "a kernel that gathers only computes what is cheap";
  case FuseReasonProduct:
    return "the kernel is a matrix product";
  }
  return "";
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

static bool isKernel(const FuseNode *node) {
  return node->kind != XlaOpKindInvalid && node->kind != XlaOpKindConstant &&
         node->kind != XlaOpKindReshape &&
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

/// Whether all users compute it.
static bool vanishes(const FuseGraph *graph, const FuseNode *node) {
  for (int e = 0; e < node->nEdges && node->copied; ++e) {
    int cluster =
        xlaFuseClusterOf(graph, graph->edges[node->firstEdge + e].user);
    if (cluster < 0 || !xlaFuseTakesCopy(graph, &graph->clusters[cluster],
                                         mlirOperationGetResult(node->op, 0)))
      return false;
  }
  return node->copied;
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

static void printOp(const FuseGraph *graph, int position) {
  const FuseNode *node = &graph->nodes[position];
  FuseReason reason = node->reason;
  int cluster = xlaFuseClusterOf(graph, position);
  const FuseNode *user = NULL;
  for (int e = 0; e < node->nEdges && !user; ++e) {
    const FuseNode *n = &graph->nodes[graph->edges[node->firstEdge + e].user];
    bool isInside =
        xlaFuseClusterOf(graph, graph->edges[node->firstEdge + e].user) ==
        cluster;
    if (reason != FuseReasonFused || isInside)
      user = n;
  }
  if (reason == FuseReasonFused && cluster < 0)
    reason = FuseReasonKind; // a reshape that was put out
  printPlace(node->op);
  fprintf(stderr, "%s of %s: ", xlaOpGetInfo(node->kind)->name,
          XLA_TYPE_TEXT(mlirValueGetType(mlirOperationGetResult(node->op, 0))));
  const char *name = user ? user->kind == XlaOpKindInvalid
                                ? "the end of the program"
                                : xlaOpGetInfo(user->kind)->name
                          : "anything";
  if (reason == FuseReasonCopied)
    fprintf(stderr, "%s\n", textOf(reason));
  else if (reason == FuseReasonFused)
    fprintf(stderr, "fused with %s\n", name);
  else
    fprintf(stderr, "not fused with %s: %s\n", name, textOf(reason));
}

void xlaFuseReport(const FuseGraph *graph) {
  Total before = {0}, after = {0};
  XlaPointerMap seen = {0};
  for (int i = 0; i < graph->nNodes; ++i) {
    const FuseNode *node = &graph->nodes[i];
    int cluster = xlaFuseClusterOf(graph, i);
    if (cluster >= 0 && graph->clusters[cluster].head == i)
      addCluster(graph, cluster, &seen, &after);
    if (!isKernel(node))
      continue;
    addKernel(graph, kernelBytes(node), opsOf(node), &before);
    if (cluster < 0 && !vanishes(graph, node))
      addKernel(graph, kernelBytes(node), opsOf(node), &after);
    if (node->nEdges)
      printOp(graph, i);
  }
  xlaPointerMapClear(&seen);
  if (before.kernels)
    fprintf(stderr,
            "%d operations in %d kernels; bytes read and written: %lld, "
            "unfused %lld; on %s about %.1f us, unfused %.1f\n",
            before.kernels, after.kernels, (long long)after.bytes,
            (long long)before.bytes, graph->device->name, after.ns / 1e3,
            before.ns / 1e3);
}

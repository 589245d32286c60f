//===- report_verbose.c - What became of each operation -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/passes/fuse/report.h"

#include <stdio.h>

static void printPlace(MlirOperation op) {
  XlaPlace at = xlaPlaceGet(mlirOperationGetLocation(op));
  if (at.line)
    fprintf(stderr, "%.*s:%d:%d: ", (int)at.file.length, at.file.data, at.line,
            at.column);
}

/// A user in the node's own cluster, or in no matter which if `isFused` is
/// false; the end of a block is none.
static const FuseNode *userOf(const FuseGraph *graph, int position,
                              bool isFused) {
  const FuseNode *node = &graph->nodes[position];
  int cluster = xlaFuseClusterOf(graph, position);
  for (int e = 0; e < node->nEdges; ++e) {
    int at = graph->edges[node->firstEdge + e].user;
    bool isOwn = cluster >= 0 && xlaFuseClusterOf(graph, at) == cluster;
    if (isOwn == isFused && graph->nodes[at].kind != XlaOpKindInvalid)
      return &graph->nodes[at];
  }
  return NULL;
}

/// Time that the result would take on its way through memory: written, read,
/// and perhaps a kernel more.
static double savedBy(const FuseGraph *graph, int position) {
  const FuseNode *node = &graph->nodes[position];
  double ns =
      (double)xlaFuseReportBytesOf(mlirOperationGetResult(node->op, 0)) *
      graph->device->perByte;
  int cluster = xlaFuseClusterOf(graph, position);
  for (int e = 0; e < node->nEdges; ++e)
    if (xlaFuseClusterOf(graph, graph->edges[node->firstEdge + e].user) !=
        cluster)
      return ns; // it is written in any case
  return 2 * ns + graph->device->perKernel;
}

static void printOperation(const FuseGraph *graph, int position) {
  const FuseNode *node = &graph->nodes[position];
  bool isFused =
      node->reason == FuseReasonFused && xlaFuseClusterOf(graph, position) >= 0;
  const FuseNode *user = userOf(graph, position, isFused);
  if (!user) // nothing but the end of the program has it
    return;
  printPlace(node->op);
  fprintf(stderr, "%s of %s: ", xlaOpGetInfo(node->kind)->name,
          XLA_TYPE_TEXT(mlirValueGetType(mlirOperationGetResult(node->op, 0))));
  const char *name = xlaOpGetInfo(user->kind)->name;
  FuseText text;
  if (node->reason == FuseReasonCopied)
    fprintf(stderr, "computed by each that uses it, of %d\n", node->nEdges);
  else if (isFused)
    fprintf(stderr, "fused with %s, which saves %s\n", name,
            xlaFuseReportTimeText(savedBy(graph, position), &text));
  else
    fprintf(stderr, "not fused with %s: %s\n", name,
            xlaFuseReportWords(node->reason == FuseReasonFused
                                   ? FuseReasonKind // a reshape put out
                                   : node->reason)
                .obstacle);
}

void xlaFuseReportPrintOperations(const FuseGraph *graph) {
  for (int i = 0; i < graph->nNodes; ++i)
    if (xlaFuseReportIsKernel(graph->nodes[i].op))
      printOperation(graph, i);
}

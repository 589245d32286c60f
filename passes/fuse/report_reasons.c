//===- report_reasons.c - Why arrays go through memory --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is against computing a node in a kernel that reads its result is asked
// of the finished clusters. Which kernels do read it, the built block says.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/passes/fuse/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

enum {
  maxVia = 4,     // views and copied nodes one behind the other
  maxReaders = 64 // of a node
};

static bool isUsedBeside(const FuseGraph *graph, int from, int cluster) {
  const FuseNode *node = &graph->nodes[from];
  for (int e = 0; e < node->nEdges; ++e)
    if (xlaFuseClusterOf(graph, graph->edges[node->firstEdge + e].user) !=
        cluster)
      return true;
  return false;
}

/// Why two kernels that could both compute it are not one.
static FuseReason askOfKernels(const FuseGraph *graph, int from, int to) {
  if (from < 0 || graph->clusters[from].attention ||
      graph->clusters[to].attention)
    return FuseReasonUsers;
  FuseReason reason =
      xlaFuseMergeFits(graph, &graph->clusters[from], &graph->clusters[to]);
  return reason == FuseReasonRows || reason == FuseReasonSize ? reason
                                                              : FuseReasonUsers;
}

static FuseReason ask(const FuseGraph *graph, int from, int user, int via) {
  const FuseNode *node = &graph->nodes[from];
  int cluster = xlaFuseClusterOf(graph, user);
  FuseFit fit;
  if (via >= 0 || cluster < 0)
    return FuseReasonUser;
  if (node->reason == FuseReasonKind)
    return node->reason;
  bool isOnly = !isUsedBeside(graph, from, cluster);
  bool isTold =
      node->reason != FuseReasonFused && node->reason != FuseReasonCopied;
  if (isOnly && isTold)
    return node->reason;
  FuseReason reason = xlaFuseFit(graph, from, cluster, !isOnly, &fit);
  if (reason != FuseReasonFused)
    return reason;
  xlaIndexingMapRelease(fit.map);
  return isTold && node->reason != FuseReasonUsers
             ? node->reason
             : askOfKernels(graph, xlaFuseClusterOf(graph, from), cluster);
}

static void addWhy(FuseReport *report, int from, int user, int via) {
  const FuseGraph *graph = report->graph;
  int cluster = xlaFuseClusterOf(graph, user);
  int known = 0;
  for (int i = report->nWhys - 1; i >= 0 && report->whys[i].from == from; --i) {
    int other = report->whys[i].user;
    if (other == user ||
        (cluster >= 0 && xlaFuseClusterOf(graph, other) == cluster) ||
        ++known >= maxReaders)
      return;
  }
  if (!(report->nWhys & (report->nWhys + 1))) { // room for twice as many
    FuseWhy *grown = realloc(report->whys, (2 * ((size_t)report->nWhys + 1)) *
                                               sizeof *report->whys);
    report->failed |= !grown;
    if (!grown)
      return;
    report->whys = grown;
  }
  report->whys[report->nWhys++] =
      (FuseWhy){from, user, via, ask(graph, from, user, via)};
}

/// What reads node `at`, which is `from` or shows its elements; within `budget`
/// uses.
static void follow(FuseReport *report, int from, int at, int via, int depth,
                   int *budget) {
  const FuseGraph *graph = report->graph;
  int own = xlaFuseClusterOf(graph, from);
  const FuseNode *node = &graph->nodes[at];
  for (int e = 0; e < node->nEdges && --*budget >= 0; ++e) {
    int user = graph->edges[node->firstEdge + e].user;
    int cluster = xlaFuseClusterOf(graph, user);
    const FuseNode *u = &graph->nodes[user];
    bool isView = cluster < 0 && xlaFuseReportIsView(u->op);
    if (cluster >= 0 && cluster == own)
      continue;
    if (u->kind != XlaOpKindInvalid && !isView)
      addWhy(report, from, user, via);
    if ((isView || u->copied) && depth)
      follow(report, from, user, via < 0 ? user : via, depth - 1, budget);
  }
}

void xlaFuseReportAsk(FuseReport *report) {
  const FuseGraph *graph = report->graph;
  for (int i = 0; i < graph->nNodes && !report->failed; ++i) {
    int budget = 4 * maxReaders;
    if (xlaFuseReportIsKernel(graph->nodes[i].op))
      follow(report, i, i, -1, maxVia, &budget);
  }
}

//===----------------------------------------------------------------------===//
// Boundaries
//===----------------------------------------------------------------------===//

enum { maxShown = 16 }; // kernels that read an array

typedef struct Readers {
  int kernels[maxShown], n; ///< numbers
  bool isKept;              ///< the block ends with it, or a loop has it
} Readers;

static void findReaders(const FuseReport *report, MlirValue value, int depth,
                        Readers *readers) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    int number = xlaFuseReportKernelOf(report, user), i = 0;
    if (!number && xlaFuseReportIsView(user) && depth) {
      findReaders(report, mlirOperationGetResult(user, 0), depth - 1, readers);
      continue;
    }
    readers->isKept |= !number;
    while (i < readers->n && readers->kernels[i] != number)
      ++i;
    if (number && i == readers->n && i < maxShown)
      readers->kernels[readers->n++] = number;
  }
}

/// In rising order: uses are listed from last to first.
static void sortReaders(Readers *readers) {
  for (int i = 1; i < readers->n; ++i)
    for (int k = i; k && readers->kernels[k - 1] > readers->kernels[k]; --k) {
      int kernel = readers->kernels[k];
      readers->kernels[k] = readers->kernels[k - 1];
      readers->kernels[k - 1] = kernel;
    }
}

/// The first of those that are about a node: they are in the order of nodes.
static int firstWhy(const FuseReport *report, int from) {
  int low = 0, high = report->nWhys;
  while (low < high) {
    int middle = (low + high) / 2;
    if (report->whys[middle].from < from)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Why result `root` of one kernel is not computed in another.
static const FuseWhy *findWhy(const FuseReport *report, MlirOperation root,
                              int reader) {
  const FuseGraph *graph = report->graph;
  int from = xlaFuseNodeOf(graph, root);
  // An address may be that of an operation that is not there any more.
  if (from < 0 || !mlirOperationEqual(graph->nodes[from].op, root))
    return NULL;
  const FuseWhy *first = &report->whys[firstWhy(report, from)];
  const FuseWhy *end = report->whys + report->nWhys;
  for (const FuseWhy *why = first; why < end && why->from == from; ++why)
    if (xlaFuseReportKernelOf(report, graph->nodes[why->user].op) == reader)
      return why;
  // What a kernel computes for itself is not there any more.
  return first < end && first->from == from ? first : NULL;
}

static void printArray(const FuseReport *report, MlirOperation root,
                       MlirValue value, const Readers *readers) {
  int64_t bytes = xlaFuseReportBytesOf(value);
  double passes = readers->n + !readers->isKept;
  fputs(": ", stderr);
  xlaFuseReportPrintOp(report, root);
  fprintf(stderr, " of %s, %s, %s through memory\n",
          XLA_TYPE_TEXT(mlirValueGetType(value)), FUSE_BYTES(bytes),
          FUSE_TIME((double)bytes * passes * report->graph->device->perByte));
}

static bool isSame(const FuseParagraph *a, const FuseParagraph *b) {
  return !strcmp(a->obstacle, b->obstacle) && !strcmp(a->remedy, b->remedy);
}

/// One line a reason, before which the kernels stand if they have several.
static void printReasons(const FuseReport *report, int writer,
                         MlirOperation root, const Readers *readers) {
  FuseParagraph told[maxShown];
  for (int i = 0; i < readers->n; ++i) {
    const FuseWhy *why = findWhy(report, root, readers->kernels[i]);
    told[i] = (FuseParagraph){{0}, {0}};
    if (why)
      xlaFuseReportExplain(report->graph, why, report->kernels[writer - 1].op,
                           report->kernels[readers->kernels[i] - 1].op,
                           &told[i]);
    else
      snprintf(told[i].obstacle, sizeof told[i].obstacle,
               "it was a kernel of its own before");
  }
  for (int i = 0; i < readers->n; ++i) {
    bool isFirst = true, isAll = true;
    for (int k = 0; k < readers->n; ++k) {
      isFirst &= !isSame(&told[k], &told[i]) || k >= i;
      isAll &= isSame(&told[k], &told[i]);
    }
    if (!isFirst)
      continue;
    fputs("    ", stderr);
    for (int k = i; k < readers->n && !isAll; ++k)
      if (isSame(&told[k], &told[i]))
        fprintf(stderr, "%s%d", k == i ? "" : ", ", readers->kernels[k]);
    fprintf(stderr, "%s%s; %s%s\n", isAll ? "" : ": ", told[i].obstacle,
            *told[i].remedy ? "to change that: " : "nothing to change",
            told[i].remedy);
  }
}

/// What computes a result of a kernel.
static MlirOperation rootOf(MlirOperation kernel, intptr_t i) {
  if (xlaOpGetKind(kernel) != XlaOpKindFusion)
    return kernel;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(kernel, 0));
  MlirValue value = mlirOperationGetOperand(mlirBlockGetTerminator(body), i);
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : kernel;
}

void xlaFuseReportPrintBoundaries(const FuseReport *report) {
  for (int k = 0; k < report->nKernels; ++k) {
    MlirOperation op = report->kernels[k].op;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
      MlirValue value = mlirOperationGetResult(op, i);
      MlirOperation root = rootOf(op, i);
      Readers readers = {.n = 0};
      findReaders(report, value, maxVia, &readers);
      if (!readers.n)
        continue;
      sortReaders(&readers);
      fprintf(stderr, "kernel %d -> ", k + 1);
      for (int r = 0; r < readers.n; ++r)
        fprintf(stderr, "%s%d", r ? ", " : "", readers.kernels[r]);
      printArray(report, root, value, &readers);
      printReasons(report, k + 1, root, &readers);
    }
  }
}

//===- report_siblings.c - Kernels that read the same ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/passes/fuse/report.h"

#include <stdio.h>
#include <stdlib.h>

enum {
  maxUsers = 64, // of an array that are looked at
  maxGroups = 4, // of users of an array that could be one kernel
};

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

/// Operations that use an array, one a cluster.
typedef struct Users {
  int nodes[fuseMaxSiblings], operands[fuseMaxSiblings], n;
} Users;

static bool isSameAttr(MlirOperation a, MlirOperation b, const char *name) {
  return mlirAttributeEqual(xlaOpGetAttr(a, name), xlaOpGetAttr(b, name));
}

static XlaElementType elementTypeOf(MlirValue value) {
  XlaShape shape = {0};
  xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL);
  return shape.elementType;
}

/// Whether two products have an array as the same operand, and could be one.
static bool isSameOperand(const FuseGraph *graph, const Users *users, int i,
                          int k) {
  MlirOperation a = graph->nodes[users->nodes[i]].op;
  MlirOperation b = graph->nodes[users->nodes[k]].op;
  int side = users->operands[i];
  return side == users->operands[k] &&
         elementTypeOf(mlirOperationGetOperand(a, !side)) ==
             elementTypeOf(mlirOperationGetOperand(b, !side)) &&
         elementTypeOf(mlirOperationGetResult(a, 0)) ==
             elementTypeOf(mlirOperationGetResult(b, 0)) &&
         isSameAttr(a, b, "lhs_batching_dimensions") &&
         isSameAttr(a, b, "lhs_contracting_dimensions") &&
         isSameAttr(a, b, "rhs_batching_dimensions") &&
         isSameAttr(a, b, "rhs_contracting_dimensions");
}

/// Whether a user goes over all of an array.
static bool readsAll(const FuseGraph *graph, const FuseNode *user,
                     const XlaShape *array, bool products) {
  if (products)
    return user->kind == XlaOpKindDotGeneral;
  int cluster = xlaFuseClusterOf(graph, (int)(user - graph->nodes));
  bool isPart = user->kind == XlaOpKindSlice ||
                user->kind == XlaOpKindDynamicSlice ||
                user->kind == XlaOpKindGather ||
                user->kind == XlaOpKindDynamicUpdateSlice || user->scatters;
  return !isPart && !user->copied && !user->place &&
         !graph->clusters[cluster].contraction &&
         !graph->clusters[cluster].update &&
         xlaFuseReadsMost(array, &graph->clusters[cluster].space);
}

/// Whether a user, the last one that was written to a group, belongs to it.
static bool belongs(const FuseGraph *graph, FuseSearch *search,
                    const Users *group, bool products) {
  int n = group->n, cluster = xlaFuseClusterOf(graph, group->nodes[n]);
  for (int i = 0; i < n; ++i) {
    int other = xlaFuseClusterOf(graph, group->nodes[i]);
    if (other == cluster ||
        xlaFuseSiblingFits(search, other, cluster, true) == FuseReasonCycle ||
        (products && !isSameOperand(graph, group, i, n)))
      return false;
  }
  return true;
}

/// Adds a user to the first group that it belongs to.
static void addUser(FuseReport *report, FuseSearch *search, MlirOpOperand use,
                    const XlaShape *array, bool products, Users *groups) {
  const FuseGraph *graph = report->graph;
  int user = xlaFuseNodeOf(graph, mlirOpOperandGetOwner(use));
  if (user < 0 || xlaFuseClusterOf(graph, user) < 0 ||
      !readsAll(graph, &graph->nodes[user], array, products))
    return;
  for (int g = 0; g < maxGroups; ++g) {
    Users *group = &groups[g];
    if (group->n == fuseMaxSiblings)
      continue;
    group->nodes[group->n] = user;
    group->operands[group->n] = (int)mlirOpOperandGetOperandNumber(use);
    if (belongs(graph, search, group, products)) {
      ++group->n;
      return;
    }
  }
}

static FuseReason reasonOf(const FuseReport *report, FuseSearch *search,
                           const Users *users) {
  FuseReason reason = FuseReasonFused;
  for (int i = 1; i < users->n && reason == FuseReasonFused; ++i)
    reason = xlaFuseSiblingFits(
        search, xlaFuseClusterOf(report->graph, users->nodes[0]),
        xlaFuseClusterOf(report->graph, users->nodes[i]), true);
  return reason;
}

static void addApart(FuseReport *report, const FuseApart *apart) {
  FuseApart *grown =
      realloc(report->aparts, ((size_t)report->nAparts + 1) * sizeof *grown);
  report->failed |= !grown;
  if (!grown)
    return;
  report->aparts = grown;
  grown[report->nAparts++] = *apart;
}

/// Uses are listed from last to first.
static void addGroup(FuseReport *report, FuseSearch *search, MlirValue value,
                     const Users *users, bool products) {
  if (users->n < 2)
    return;
  FuseApart apart = {.bytes = xlaFuseReportBytesOf(value),
                     .n = users->n,
                     .products = products,
                     .reason = reasonOf(report, search, users)};
  if (mlirValueIsABlockArgument(value))
    apart.argument = mlirBlockArgumentGetArgNumber(value);
  else
    apart.owner = mlirOpResultGetOwner(value);
  for (int i = 0; i < users->n; ++i)
    apart.readers[i] = users->nodes[users->n - 1 - i];
  addApart(report, &apart);
}

static void askOf(FuseReport *report, FuseSearch *search, MlirValue value,
                  bool products) {
  XlaShape array;
  Users groups[maxGroups] = {{.n = 0}};
  int left = maxUsers;
  if (xlaFuseIsSplat(value) ||
      !xlaShapeFromMlir(mlirValueGetType(value), &array, NULL))
    return;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use) && left--; use = mlirOpOperandGetNextUse(use))
    addUser(report, search, use, &array, products, groups);
  for (int g = 0; g < maxGroups; ++g)
    addGroup(report, search, value, &groups[g], products);
}

void xlaFuseReportAskSiblings(FuseReport *report, FuseSearch *search) {
  const FuseGraph *graph = report->graph;
  for (int products = 0; products < 2; ++products) {
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(graph->block); ++i)
      askOf(report, search, mlirBlockGetArgument(graph->block, i), products);
    for (int i = 0; i < graph->nNodes; ++i)
      for (intptr_t r = 0; r < mlirOperationGetNumResults(graph->nodes[i].op) &&
                           !graph->nodes[i].copied;
           ++r)
        askOf(report, search, mlirOperationGetResult(graph->nodes[i].op, r),
              products);
  }
}

//===----------------------------------------------------------------------===//
// Telling
//===----------------------------------------------------------------------===//

static FuseWords wordsOf(const FuseApart *apart) {
  if (apart->products)
    return (FuseWords){"each is a product of its own",
                       "concatenate their other operands: one product, of "
                       "whose result each is a slice"};
  switch ((int)apart->reason) {
  case FuseReasonPlaces:
    return (FuseWords){"they go over elements in other shapes",
                       "bring them into one shape"};
  case FuseReasonRows:
    return (FuseWords){"they go over rows of other forms",
                       "reduce the same dimensions in all"};
  case FuseReasonStrides:
    return (FuseWords){"one of them reads it transposed", NULL};
  case FuseReasonGather:
    return (FuseWords){"one of them gathers", NULL};
  case FuseReasonSize:
    return (FuseWords){"one kernel would be too large", NULL};
  case FuseReasonFused:
    return (FuseWords){"each waits for others", NULL};
  default:
    return xlaFuseReportWords(apart->reason);
  }
}

static void printApart(const FuseReport *report, const FuseApart *apart) {
  const FuseGraph *graph = report->graph;
  FuseWords words = wordsOf(apart);
  fputs("kernels ", stderr);
  for (int i = 0; i < apart->n; ++i)
    fprintf(stderr, "%s%d", i ? i + 1 < apart->n ? ", " : " and " : "",
            xlaFuseReportKernelOf(report, graph->nodes[apart->readers[i]].op));
  fputs(" (", stderr);
  for (int i = 0; i < apart->n; ++i) {
    fputs(i ? ", " : "", stderr);
    xlaFuseReportPrintOp(report, graph->nodes[apart->readers[i]].op);
  }
  fputs(") each read ", stderr);
  if (mlirOperationIsNull(apart->owner))
    fprintf(stderr, "argument %d", (int)apart->argument);
  else
    xlaFuseReportPrintOp(report, apart->owner);
  fprintf(
      stderr, ", %s: %d reads where 1 would do, %s more\n    %s; %s%s\n",
      FUSE_BYTES(apart->bytes), apart->n,
      FUSE_TIME((double)apart->bytes * (apart->n - 1) * graph->device->perByte),
      words.obstacle, words.remedy ? "to change that: " : "nothing to change",
      words.remedy ? words.remedy : "");
}

void xlaFuseReportPrintSiblings(const FuseReport *report) {
  for (int i = 0; i < report->nAparts; ++i)
    printApart(report, &report->aparts[i]);
}

//===- fuse.c - The pass that forms fusions -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of a block become nodes of a graph, nodes are given to clusters,
// and clusters become fusions. Some ways to write a program are tried, and the
// one with less kernels stays.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/passes/fuse/fit.h"
#include "xlac/passes/fuse/outline.h"
#include "xlac/passes/fuse/short_rows.h"
#include "xlac/passes/passes.h"
#include "xlac/passes/prepare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What to fuse for.
typedef struct Walk {
  const XlaFusionDevice *device;
  XlaPointerMap effects; // operations with regions that have effects
  XlaFusionReport telling;
  bool epilogues, told, failed;
  bool copiesFull; ///< in this block
} Walk;

/// Reads the block, and gives its operations to clusters. False if there is no
/// memory.
static bool form(FuseSearch *search, MlirBlock block, const Walk *walk) {
  FuseGraph *graph = search->graph;
  bool done = xlaFuseGraphCreate(graph, block, &walk->effects);
  graph->epilogues = walk->epilogues;
  graph->device = walk->device;
  graph->telling = walk->telling;
  graph->told = walk->told;
  graph->copiesFull = walk->copiesFull;
  search->stack =
      done ? malloc(((size_t)graph->nNodes + 1) * sizeof *search->stack) : NULL;
  if (!search->stack)
    return false;
  for (int i = graph->nNodes - 1; i >= 0; --i)
    graph->nodes[i].reason = xlaFuseAssign(search, i);
  xlaFuseSiblings(search);
  xlaFuseJoinReaders(graph);
  xlaFusePutOutReshapes(graph);
  xlaFuseAttention(search);
  xlaFuseReaders(search);
  xlaFuseWindows(search);
  return true;
}

static void clear(FuseSearch *search) {
  free(search->stack);
  xlaFuseGraphDestroy(search->graph);
}

static bool formAgain(FuseSearch *search, MlirBlock block, const Walk *walk) {
  clear(search);
  return form(search, block, walk);
}

static int countClusters(const FuseGraph *graph) {
  int count = 0;
  for (int c = 0; c < graph->nClusters; ++c)
    count += graph->clusters[c].mergedInto < 0 && graph->clusters[c].head >= 0;
  return count;
}

/// Computes what kernels need in full and in parts for each where that makes
/// for less kernels: what leads to it may be too far away.
static bool copyFull(FuseSearch *search, MlirBlock block, Walk *walk) {
  int before = countClusters(search->graph);
  if (!search->graph->nCopiedFull)
    return true;
  walk->copiesFull = true;
  bool done = formAgain(search, block, walk);
  if (!done || countClusters(search->graph) < before)
    return done;
  walk->copiesFull = false;
  return formAgain(search, block, walk);
}

/// Writes reductions of short rows as what loops compute where that makes for
/// less kernels.
static bool spreadShortRows(FuseSearch *search, MlirBlock block,
                            const Walk *walk) {
  FuseShortRow *rows;
  int before = countClusters(search->graph);
  bool done = xlaFuseShortRowsWrite(search->graph, &rows);
  if (!rows)
    return done;
  done = formAgain(search, block, walk) && done;
  bool isKept = !done || countClusters(search->graph) < before;
  xlaFuseShortRowsEnd(rows, isKept);
  return isKept ? done : formAgain(search, block, walk);
}

static bool fuseBlock(MlirBlock block, Walk *walk) {
  FuseGraph graph;
  // The last operation may be one that MLIR does not know.
  if (mlirOperationIsNull(mlirBlockGetTerminator(block)))
    return true;
  FuseSearch search = {.graph = &graph};
  walk->copiesFull = false;
  bool done = form(&search, block, walk) && copyFull(&search, block, walk) &&
              spreadShortRows(&search, block, walk);
  if (done) {
    FuseReport *report = walk->telling ? xlaFuseReportBegin(&search) : NULL;
    done = xlaFuseBuild(&graph);
    if (done)
      xlaFuseConstants(block);
    walk->told |= xlaFuseReportEnd(report, done);
  }
  clear(&search);
  return done;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Functions and control flow; other regions are computations on scalars.
static bool hasProgram(MlirOperation op, XlaOpKind kind) {
  return kind == XlaOpKindInvalid
             ? xlaIrIsOp(op, "func.func")
             : xlaOpGetInfo(kind)->family == XlaFamilyControlFlow;
}

static bool hasEffects(const Walk *walk, MlirOperation op, XlaOpKind kind) {
  const unsigned none = MlirExtOpTraitPure | MlirExtOpTraitRecursiveEffects;
  return kind == XlaOpKindInvalid || !(xlaOpGetInfo(kind)->traits & none) ||
         xlaPointerMapGet(&walk->effects, op.ptr);
}

/// Inner operations come first, so that the effects of what contains them are
/// known.
static MlirWalkResult visit(MlirOperation op, void *data) {
  Walk *walk = data;
  XlaOpKind kind = xlaOpGetKind(op);
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (!mlirOperationIsNull(parent) && hasEffects(walk, op, kind))
    walk->failed |= !xlaPointerMapSet(&walk->effects, parent.ptr, 1);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         hasProgram(op, kind) && !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      walk->failed |= !fuseBlock(block, walk);
  return walk->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// The option's value; `report` alone has none.
static bool tellingOf(MlirStringRef text, XlaFusionReport *telling) {
  static const struct {
    const char *text;
    XlaFusionReport telling;
  } values[] = {
      {"off", XlaFusionReportNone},     {"false", XlaFusionReportNone},
      {"", XlaFusionReportKernels},     {"report", XlaFusionReportKernels},
      {"true", XlaFusionReportKernels}, {"verbose", XlaFusionReportOperations},
  };
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i)
    if (mlirStringRefEqual(text,
                           mlirStringRefCreateFromCString(values[i].text))) {
      *telling = values[i].telling;
      return true;
    }
  return false;
}

/// `userData` may point to XlaFusionOptions in place of the options.
MlirLogicalResult xlaPassFuse(MlirOperation module,
                              MlirExtPassOptionValues options, void *userData) {
  const XlaFusionOptions *given = userData;
  Walk walk = {.device = given ? given->device : NULL,
               .epilogues = given && given->epilogues,
               .telling = given ? given->report : XlaFusionReportNone};
  if (!given) {
    MlirStringRef report = mlirExtPassOptionGetString(options, 1);
    MlirStringRef device = mlirExtPassOptionGetString(options, 2);
    char name[16] = "";
    snprintf(name, sizeof name, "%.*s", (int)device.length, device.data);
    walk.epilogues = mlirExtPassOptionGetBool(options, 0);
    walk.device = device.length ? xlaFusionDeviceGet(name)
                                : xlaFusionDeviceOfTarget(module);
    if (!tellingOf(report, &walk.telling))
      return xlaOpInvalid(
          module, NULL,
          "is to be fused with report=%.*s, but there are off, report and "
          "verbose",
          (int)report.length, report.data);
    if (!walk.device)
      return xlaOpInvalid(
          module, NULL,
          "is to be fused for device '%.*s', but there are cpu, "
          "llvmpipe and gpu",
          (int)device.length, device.data);
  }
  mlirOperationWalk(module, visit, &walk, MlirWalkPostOrder);
  xlaPointerMapClear(&walk.effects);
  return walk.failed ? xlaOpError(module, NULL,
                                  "could not be fused: no memory, or "
                                  "fusions that wait for each other")
                     : xlaOutlineComputations(module);
}

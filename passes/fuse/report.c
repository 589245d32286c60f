//===- report.c - What fusion decided -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of the block's kernels, a paragraph for each array that goes from one
// to another, those that read the same, and totals. A kernel takes the time of
// its memory or that of its arithmetic, whichever is longer, and its launch.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/report.h"
#include "xlac/dialect/ir.h"

#include <stdio.h>
#include <stdlib.h>

static double timeOf(const FuseReport *report, const FuseKernel *kernel) {
  return report->graph->device->perKernel +
         (kernel->memory > kernel->work ? kernel->memory : kernel->work);
}

//===----------------------------------------------------------------------===//
// Before the block is built
//===----------------------------------------------------------------------===//

/// What the operations would take, each by itself.
static void measureBefore(FuseReport *report) {
  const FuseGraph *graph = report->graph;
  for (int i = 0; i < graph->nNodes; ++i) {
    MlirOperation op = graph->nodes[i].op;
    XlaPlace at = xlaPlaceGet(mlirOperationGetLocation(op));
    if (!report->file && at.line) {
      report->file = at.file.data;
      report->fileLength = at.file.length;
    }
    report->fusions += graph->nodes[i].kind == XlaOpKindFusion;
    report->calls +=
        graph->nodes[i].kind == XlaOpKindCall || xlaIrIsOp(op, "func.call");
    if (!xlaFuseReportIsKernel(op))
      continue;
    FuseKernel kernel = xlaFuseReportMeasure(graph->device, op);
    ++report->operations;
    report->bytesBefore += kernel.in + kernel.out;
    report->nsBefore += timeOf(report, &kernel);
  }
}

FuseReport *xlaFuseReportBegin(FuseSearch *search) {
  FuseReport *report = calloc(1, sizeof *report);
  FuseGraph *graph = search->graph;
  if (!report)
    return NULL;
  report->graph = graph;
  measureBefore(report);
  if (graph->telling == XlaFusionReportOperations)
    xlaFuseReportPrintOperations(graph);
  graph->formed = false; // as it was when decisions were made
  xlaFuseReportAsk(report);
  graph->formed = true;
  xlaFuseReportAskSiblings(report, search);
  return report;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// "@main", or "@main, region 1 of while 12:3".
static void printHeading(const FuseReport *report) {
  MlirBlock block = report->graph->block;
  MlirOperation parent = mlirBlockGetParentOperation(block), function = parent;
  while (!mlirOperationIsNull(function) && !xlaIrIsOp(function, "func.func"))
    function = mlirOperationGetParentOperation(function);
  if (mlirOperationIsNull(function))
    return;
  MlirStringRef name =
      mlirStringAttrGetValue(xlaOpGetAttr(function, "sym_name"));
  if (report->graph->told ||
      report->graph->telling == XlaFusionReportOperations)
    fputc('\n', stderr);
  fprintf(stderr, "@%.*s", (int)name.length, name.data);
  if (!mlirOperationEqual(function, parent)) {
    MlirRegion region = mlirBlockGetParentRegion(block);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(parent); ++r)
      if (mlirRegionEqual(mlirOperationGetRegion(parent, r), region))
        fprintf(stderr, ", region %d of ", (int)r);
    xlaFuseReportPrintOp(report, parent);
  }
  // Text that was no file when it was read is called "-".
  bool isFile =
      report->file && (report->fileLength != 1 || report->file[0] != '-');
  fprintf(stderr, ": kernels for %s; places are lines and columns of %.*s\n",
          report->graph->device->name, isFile ? (int)report->fileLength : 11,
          isFile ? report->file : "the program");
}

/// What says that the block is not as a user would ask about it.
static void warn(const FuseReport *report) {
  if (report->fusions)
    fprintf(stderr,
            "warning: %d fusion%s here before: the report does not say what "
            "was decided about what %s\n",
            report->fusions, report->fusions > 1 ? "s were" : " was",
            report->fusions > 1 ? "they hold" : "it holds");
  if (report->calls)
    fprintf(stderr,
            "warning: %d call%s of functions: nothing is fused across them; "
            "--xla-prepare-for-lowering=report puts in what they call first\n",
            report->calls, report->calls > 1 ? "s" : "");
}

static void printTotals(const FuseReport *report) {
  const XlaFusionDevice *device = report->graph->device;
  int64_t bytes = 0;
  double ns = 0;
  for (int i = 0; i < report->nKernels; ++i) {
    bytes += report->kernels[i].in + report->kernels[i].out;
    ns += timeOf(report, &report->kernels[i]);
  }
  fprintf(stderr,
          "%d operation%s in %d kernel%s; bytes read and written: %lld, each "
          "operation by itself %lld; about %s, by themselves %s\n",
          report->operations, report->operations == 1 ? "" : "s",
          report->nKernels, report->nKernels == 1 ? "" : "s", (long long)bytes,
          (long long)report->bytesBefore, FUSE_TIME(ns),
          FUSE_TIME(report->nsBefore));
  fprintf(stderr,
          "estimated for %s: %.0f GB/s of memory, %.0f billion operations and "
          "%.0f GFLOP/s of products, %s to start a kernel\n",
          device->name, 1 / device->perByte, 1 / device->perOp,
          2 / device->perTerm, FUSE_TIME(device->perKernel));
}

bool xlaFuseReportEnd(FuseReport *report, bool isBuilt) {
  if (!report)
    return false;
  if (isBuilt)
    xlaFuseReportFindKernels(report);
  if (report->failed)
    fputs("warning: no memory for all of the report\n", stderr);
  bool tells = report->nKernels > 0;
  if (tells) {
    printHeading(report);
    warn(report);
    xlaFuseReportPrintKernels(report);
    xlaFuseReportPrintBoundaries(report);
    xlaFuseReportPrintSiblings(report);
    xlaFuseReportPrintAttention(report);
    printTotals(report);
  }
  free(report->whys);
  free(report->aparts);
  free(report->kernels);
  xlaPointerMapClear(&report->numbers);
  free(report);
  return tells;
}

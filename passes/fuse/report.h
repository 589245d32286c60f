//===- report.h - What fusion decided, told -----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to xla-fuse. What is against fusing is asked while the graph is
// there (report_reasons.c, report_siblings.c); kernels are read from the block
// as it was built (report_kernels.c), so that they are those which are lowered.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_FUSE_REPORT_H
#define XLAC_PASSES_FUSE_REPORT_H

#include "xlac/dialect/place.h"
#include "xlac/passes/fuse/fit.h"

/// Why a node's result goes through memory to what `user` is part of.
typedef struct FuseWhy {
  int from, user; ///< nodes; `user` reads it, perhaps by way of `via`
  int via;        ///< the first view or copied node between, or -1
  FuseReason reason;
} FuseWhy;

enum { fuseMaxSiblings = 8 };

/// Kernels that read the same elements of an array, but are not one.
typedef struct FuseApart {
  MlirOperation owner;          ///< what computes the array; null: an argument
  intptr_t argument;            ///< that
  int64_t bytes;                ///< of the array
  int readers[fuseMaxSiblings]; ///< nodes, one a kernel
  int n;
  bool products; ///< they are products, which have it as the same operand
  FuseReason reason;
} FuseApart;

typedef struct FuseKernel {
  MlirOperation op;    ///< in the block
  int64_t in, out;     ///< bytes read and written
  double ops;          ///< additions that take as long
  double terms;        ///< multiplications and additions of products
  double memory, work; ///< times in ns
} FuseKernel;

/// Of one block.
struct FuseReport {
  const FuseGraph *graph;
  int operations;     ///< that would be kernels by themselves
  int fusions, calls; ///< that were there before
  int64_t bytesBefore;
  double nsBefore;
  FuseWhy *whys;
  int nWhys;
  FuseApart *aparts;
  int nAparts;
  FuseKernel *kernels; ///< in the block's order
  int nKernels;
  XlaPointerMap numbers; ///< of kernels' operations, + 1
  const char *file;      ///< of most places; not terminated
  size_t fileLength;
  bool failed; ///< no memory: the report is not whole
};

//===----------------------------------------------------------------------===//
// report_kernels.c
//===----------------------------------------------------------------------===//

/// Whether its result is memory of its operand.
bool xlaFuseReportIsView(MlirOperation op);
/// Whether an operation of a block becomes a kernel.
bool xlaFuseReportIsKernel(MlirOperation op);
/// Bytes and arithmetic of an operation that is a kernel, on the device.
FuseKernel xlaFuseReportMeasure(const XlaFusionDevice *device,
                                MlirOperation op);
/// Finds the kernels of the block, after it was built.
void xlaFuseReportFindKernels(FuseReport *report);
/// The number of the kernel that `op` is or lies in, from 1 on; 0: none.
int xlaFuseReportKernelOf(const FuseReport *report, MlirOperation op);
void xlaFuseReportPrintKernels(const FuseReport *report);
int64_t xlaFuseReportBytesOf(MlirValue value);

//===----------------------------------------------------------------------===//
// report_text.c
//===----------------------------------------------------------------------===//

/// A text of a few characters, as "1.5 KiB" or "2.0 ms".
typedef struct FuseText {
  char chars[32];
} FuseText;

#define FUSE_BYTES(bytes) xlaFuseReportBytesText(bytes, &(FuseText){{0}})
#define FUSE_TIME(ns) xlaFuseReportTimeText(ns, &(FuseText){{0}})

const char *xlaFuseReportBytesText(int64_t bytes, FuseText *text);
const char *xlaFuseReportTimeText(double ns, FuseText *text);
/// "add 40:11", with the file's name if that is not the report's.
void xlaFuseReportPrintOp(const FuseReport *report, MlirOperation op);

/// What is against fusing, and what a program can do about it, or null.
typedef struct FuseWords {
  const char *obstacle, *remedy;
} FuseWords;

FuseWords xlaFuseReportWords(FuseReason reason);

//===----------------------------------------------------------------------===//
// report_words.c
//===----------------------------------------------------------------------===//

/// What is said of a way through memory.
typedef struct FuseParagraph {
  char obstacle[200], remedy[120]; ///< the second empty: nothing to change
} FuseParagraph;

/// Says why `writer`, a kernel, does not compute its result in `reader`.
void xlaFuseReportExplain(const FuseGraph *graph, const FuseWhy *why,
                          MlirOperation writer, MlirOperation reader,
                          FuseParagraph *p);

//===----------------------------------------------------------------------===//
// report_reasons.c, report_siblings.c, report_verbose.c
//===----------------------------------------------------------------------===//

/// Asks why results go through memory, before the block is built.
void xlaFuseReportAsk(FuseReport *report);
/// A paragraph for each array that goes from kernel to kernel.
void xlaFuseReportPrintBoundaries(const FuseReport *report);

/// Asks which kernels read the same elements, before the block is built.
void xlaFuseReportAskSiblings(FuseReport *report, FuseSearch *search);
void xlaFuseReportPrintSiblings(const FuseReport *report);

/// A paragraph for each two products with rows between them that are not one
/// kernel (report_attention.c).
void xlaFuseReportPrintAttention(const FuseReport *report);

/// A line an operation, before the block is built.
void xlaFuseReportPrintOperations(const FuseGraph *graph);

#endif // XLAC_PASSES_FUSE_REPORT_H

//===- report_text.c - Words of the report of fusion ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/report.h"

#include <stdio.h>

const char *xlaFuseReportBytesText(int64_t bytes, FuseText *text) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = (double)bytes;
  int unit = 0;
  for (; value >= 1024 && unit < 4; ++unit)
    value /= 1024;
  snprintf(text->chars, sizeof text->chars, unit ? "%.1f %s" : "%.0f %s", value,
           units[unit]);
  return text->chars;
}

const char *xlaFuseReportTimeText(double ns, FuseText *text) {
  if (ns < 1e6)
    snprintf(text->chars, sizeof text->chars, ns < 1e4 ? "%.2f us" : "%.1f us",
             ns / 1e3);
  else
    snprintf(text->chars, sizeof text->chars, "%.2f ms", ns / 1e6);
  return text->chars;
}

void xlaFuseReportPrintOp(const FuseReport *report, MlirOperation op) {
  XlaPlace position = xlaPlaceGet(mlirOperationGetLocation(op));
  MlirStringRef file = mlirStringRefCreate(report->file, report->fileLength);
  XlaOpKind kind = xlaOpGetKind(op);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (kind == XlaOpKindInvalid)
    fprintf(stderr, "%.*s", (int)name.length, name.data);
  else
    fputs(xlaOpGetInfo(kind)->name, stderr);
  if (!position.line)
    return;
  fputc(' ', stderr);
  if (!mlirStringRefEqual(position.file, file))
    fprintf(stderr, "%.*s:", (int)position.file.length, position.file.data);
  fprintf(stderr, "%d:%d", position.line, position.column);
}

FuseWords xlaFuseReportWords(FuseReason reason) {
  switch (reason) {
  case FuseReasonFused:
    return (FuseWords){"fused", NULL};
  case FuseReasonCopied:
    return (FuseWords){"computed by each that uses it", NULL};
  case FuseReasonKind:
    return (FuseWords){"it is a kernel of its own or a view", NULL};
  case FuseReasonUser:
    return (FuseWords){"what reads it takes operands from memory", NULL};
  case FuseReasonUsers:
    return (FuseWords){
        "several kernels use it: one of them computes it for the others", NULL};
  case FuseReasonCycle:
    return (FuseWords){
        "the kernel that reads it also waits for another that reads it",
        "compute it once for each of the two"};
  case FuseReasonBarrier:
    return (FuseWords){"an optimization_barrier lies between them",
                       "take the barrier out"};
  case FuseReasonSize:
    return (FuseWords){"the kernel would be too large",
                       "say by an optimization_barrier where to cut it"};
  case FuseReasonPlaces:
    return (FuseWords){
        "the kernel that reads it needs each element at several places, and "
        "would compute it again at each",
        "slice, pad or shift what it is computed from, and compute behind "
        "that, "
        "if it is cheap"};
  case FuseReasonPlace:
    return (FuseWords){"what reads it takes operands from memory", NULL};
  case FuseReasonStrides:
    return (FuseWords){
        "its elements would be read in an order that costs more than memory",
        "move what it is computed from, and compute behind that"};
  case FuseReasonRecompute:
    return (FuseWords){"each element would be computed too often",
                       "broadcast later, or combine what is small first"};
  case FuseReasonRows:
    return (FuseWords){"the two go over rows of different forms",
                       "reduce the same dimensions in both"};
  case FuseReasonGather:
    return (FuseWords){"a kernel that gathers has no pieces of arrays", NULL};
  case FuseReasonProduct:
    return (FuseWords){
        "beside its result a product's kernel reads arrays, and "
        "parts of them that slices, reshapes and broadcasts show",
        NULL};
  }
  return (FuseWords){"", NULL};
}

//===- report_table.c - The table of kernels ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/passes/fuse/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Texts of a kernel's row.
typedef struct Row {
  char kind[24], at[48], work[96], from[48];
  int operations;
} Row;

/// Appends to a text of `size`; what there is no room for is left out.
__attribute__((format(printf, 3, 4))) static void
append(char *text, size_t size, const char *format, ...) {
  size_t length = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + length, size - length, format, arguments);
  va_end(arguments);
}

static MlirBlock bodyOf(MlirOperation fusion) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(fusion, 0));
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Places in the report's file, of which only so many are kept.
typedef struct Places {
  XlaPlace at[256];
  int n;
} Places;

static int compare(const void *a, const void *b) {
  const XlaPlace *x = a, *y = b;
  return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                            : (x->column > y->column) - (x->column < y->column);
}

static void addPlace(const FuseReport *report, MlirOperation op,
                     Places *places) {
  const int room = sizeof places->at / sizeof *places->at;
  XlaPlace at = xlaPlaceGet(mlirOperationGetLocation(op));
  MlirStringRef file = mlirStringRefCreate(report->file, report->fileLength);
  if (at.line && mlirStringRefEqual(at.file, file) && places->n < room)
    places->at[places->n++] = at;
}

/// Ranges of places: what lies far apart has been in other functions.
static void writePlaces(Places *places, Row *row) {
  enum { far = 20 }; // lines
  qsort(places->at, (size_t)places->n, sizeof *places->at, compare);
  for (int i = 0, end; i < places->n; i = end) {
    const XlaPlace *first = &places->at[i];
    for (end = i + 1; end < places->n &&
                      places->at[end].line <= places->at[end - 1].line + far;)
      ++end;
    const XlaPlace *last = &places->at[end - 1];
    append(row->at, sizeof row->at, "%s%d:%d", i ? ", " : "", first->line,
           first->column);
    if (compare(first, last))
      append(row->at, sizeof row->at, "-%d:%d", last->line, last->column);
  }
  if (!places->n)
    append(row->at, sizeof row->at, "-");
}

//===----------------------------------------------------------------------===//
// What it computes
//===----------------------------------------------------------------------===//

/// What a kernel is told by: all but cheap arithmetic and moved data.
static bool isMain(XlaOpKind kind) {
  const XlaOpInfo *info = xlaOpGetInfo(kind);
  return kind != XlaOpKindConstant && kind != XlaOpKindReturn &&
         (info->cost > XLA_OP_COSTLY ||
          (info->family != XlaFamilyElementwise &&
           info->moves != XlaOpMovesView &&
           info->moves != XlaOpMovesDynamicView && kind != XlaOpKindIota));
}

enum { maxMain = 4 };

/// Kinds with how many there are of each.
typedef struct Mains {
  XlaOpKind kinds[maxMain];
  int counts[maxMain], n;
} Mains;

static void addMain(Mains *mains, XlaOpKind kind) {
  int i = 0;
  while (i < mains->n && mains->kinds[i] != kind)
    ++i;
  if (i == maxMain)
    return;
  mains->kinds[i] = kind;
  mains->counts[i] = i < mains->n ? mains->counts[i] + 1 : 1;
  mains->n += i == mains->n;
}

static void writeWork(MlirOperation op, const Mains *mains, Row *row) {
  for (int i = 0; i < mains->n; ++i) {
    append(row->work, sizeof row->work, "%s%s", i ? ", " : "",
           xlaOpGetInfo(mains->kinds[i])->name);
    if (mains->counts[i] > 1)
      append(row->work, sizeof row->work, " x%d", mains->counts[i]);
  }
  append(row->work, sizeof row->work, " of %s",
         XLA_TYPE_TEXT(mlirValueGetType(mlirOperationGetResult(op, 0))));
}

/// Those that compute its results, in the end, are among the main ones.
static void describeFusion(const FuseReport *report, MlirOperation op,
                           Row *row) {
  MlirStringRef kind = mlirStringAttrGetValue(xlaOpGetAttr(op, "kind"));
  MlirOperation end = mlirBlockGetTerminator(bodyOf(op));
  Mains mains = {0};
  Places places = {.n = 0};
  append(row->kind, sizeof row->kind, "%.*s", (int)kind.length, kind.data);
  for (MlirOperation inner = mlirBlockGetFirstOperation(bodyOf(op));
       !mlirOperationEqual(inner, end);
       inner = mlirOperationGetNextInBlock(inner)) {
    XlaOpKind k = xlaOpGetKind(inner);
    if (k == XlaOpKindConstant)
      continue;
    addPlace(report, inner, &places);
    ++row->operations;
    if (isMain(k) && mains.n < maxMain - 1)
      addMain(&mains, k);
  }
  MlirOperation last = mlirOpResultGetOwner(mlirOperationGetOperand(end, 0));
  if (!isMain(xlaOpGetKind(last)))
    addMain(&mains, xlaOpGetKind(last));
  writePlaces(&places, row);
  writeWork(op, &mains, row);
}

static void describe(const FuseReport *report, MlirOperation op, Row *row) {
  if (xlaOpGetKind(op) == XlaOpKindFusion) {
    describeFusion(report, op, row);
    return;
  }
  Mains mains = {0};
  Places places = {.n = 0};
  addPlace(report, op, &places);
  addMain(&mains, xlaOpGetKind(op));
  append(row->kind, sizeof row->kind, "-");
  row->operations = 1;
  writePlaces(&places, row);
  writeWork(op, &mains, row);
}

//===----------------------------------------------------------------------===//
// What it reads
//===----------------------------------------------------------------------===//

/// The kernel that wrote an array, seen through views; 0: it is an input, -1:
/// a constant.
static int writerOf(const FuseReport *report, MlirValue value) {
  while (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    int number = xlaFuseReportKernelOf(report, op);
    if (xlaOpGetKind(op) == XlaOpKindConstant)
      return -1;
    if (number || !xlaFuseReportIsView(op))
      return number;
    value = mlirOperationGetOperand(op, 0);
  }
  return 0;
}

static void describeReads(const FuseReport *report, MlirOperation op,
                          Row *row) {
  bool *reads = calloc((size_t)report->nKernels + 1, sizeof *reads);
  for (intptr_t i = 0; reads && i < mlirOperationGetNumOperands(op); ++i) {
    int writer = writerOf(report, mlirOperationGetOperand(op, i));
    if (writer >= 0)
      reads[writer] = true;
  }
  for (int k = 0; reads && k <= report->nKernels; ++k) {
    if (!reads[k])
      continue;
    append(row->from, sizeof row->from, *row->from ? ", " : "");
    if (k)
      append(row->from, sizeof row->from, "%d", k);
    else
      append(row->from, sizeof row->from, "inputs");
  }
  if (!*row->from)
    append(row->from, sizeof row->from, "-");
  free(reads);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// Widths of the columns of texts.
typedef struct Widths {
  int kind, at, work, from;
} Widths;

static void include(int *width, const char *text) {
  int length = (int)strlen(text);
  *width = *width < length ? length : *width;
}

static void printRow(const FuseReport *report, int i, const Row *row,
                     const Widths *w) {
  const FuseKernel *k = &report->kernels[i];
  fprintf(stderr, "%6d  %-*s  %-*s  %3d  %-*s  %-*s  %9s  %9s  %10s  %10s\n",
          i + 1, w->kind, row->kind, w->at, row->at, row->operations, w->work,
          row->work, w->from, row->from, FUSE_BYTES(k->in), FUSE_BYTES(k->out),
          FUSE_TIME(k->memory), FUSE_TIME(k->work));
}

void xlaFuseReportPrintKernels(const FuseReport *report) {
  Row *rows = calloc((size_t)report->nKernels + 1, sizeof *rows);
  Widths w = {4, 2, 8, 10};
  if (!rows)
    return;
  for (int i = 0; i < report->nKernels; ++i) {
    describe(report, report->kernels[i].op, &rows[i]);
    describeReads(report, report->kernels[i].op, &rows[i]);
    include(&w.kind, rows[i].kind);
    include(&w.at, rows[i].at);
    include(&w.work, rows[i].work);
    include(&w.from, rows[i].from);
  }
  fprintf(stderr, "kernel  %-*s  %-*s  ops  %-*s  %-*s  %9s  %9s  %10s  %10s\n",
          w.kind, "kind", w.at, "at", w.work, "computes", w.from, "reads from",
          "reads", "writes", "memory", "arithmetic");
  for (int i = 0; i < report->nKernels; ++i)
    printRow(report, i, &rows[i], &w);
  free(rows);
}

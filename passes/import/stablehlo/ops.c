//===- ops.c - The operations of StableHLO --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/passes/import/stablehlo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum RowKind {
  RowKindHook,
  RowKindRefused,
} RowKind;

typedef struct Row {
  const char *name;
  size_t length; ///< of the name, which every operation is compared with
  const char *becomes;
  RowKind kind;
  XlaImportResult (*import)(MlirOperation op);
} Row;

static const Row rows[] = {
#define XLA_IMPORT_OP(name, Hook, becomes)                                     \
  {name, sizeof(name) - 1, becomes, RowKindHook, xlaImport##Hook},
#define XLA_IMPORT_SIZED(name, becomes)                                        \
  {name, sizeof(name) - 1, becomes, RowKindHook, xlaImportSized},
#define XLA_IMPORT_CHLO(name, becomes)                                         \
  {name, sizeof(name) - 1, becomes, RowKindHook, xlaImportChlo},
#define XLA_IMPORT_REFUSED(name, why)                                          \
  {name, sizeof(name) - 1, why, RowKindRefused, NULL},
#include "xlac/passes/import/stablehlo/ops.def"
};

enum { rowCount = sizeof rows / sizeof *rows };

/// What follows the dot in `name`.
static MlirStringRef withoutDialect(MlirStringRef name) {
  const char *dot = memchr(name.data, '.', name.length);
  size_t skipped = dot ? (size_t)(dot - name.data) + 1 : name.length;
  return mlirStringRefCreate(name.data + skipped, name.length - skipped);
}

XlaImportResult xlaImportForeign(MlirOperation op, MlirStringRef name) {
  const Row *row = rows;
  while (row < rows + rowCount && (row->length != name.length ||
                                   memcmp(row->name, name.data, name.length)))
    ++row;
  if (row < rows + rowCount && row->kind == RowKindHook)
    return row->import(op);
  if (row < rows + rowCount && row->kind == RowKindRefused) {
    xlaOpError(op, NULL, "is not supported yet: %s", row->becomes);
    return XlaImportResultUnsupported;
  }
  MlirStringRef rest = withoutDialect(name);
  bool isChlo = rest.data - name.data == sizeof "chlo." - 1 &&
                !memcmp(name.data, "chlo.", sizeof "chlo." - 1);
  XlaOpKind kind = xlaOpKindFromName(rest.data, rest.length);
  if (kind != XlaOpKindInvalid &&
      (!isChlo || xlaOpGetInfo(kind)->dialect == XlaOpDialectChlo))
    return xlaImportAs(op, kind);
  xlaOpError(op, NULL, "is not supported yet");
  return XlaImportResultUnsupported;
}

//===----------------------------------------------------------------------===//
// Documentation
//===----------------------------------------------------------------------===//

static const char head[] =
    "# StableHLO\n"
    "\n"
    "Programs in StableHLO are read by `xla-run` and `xla-bench` as jax prints "
    "them, by\n"
    "`jax.jit(f).lower(x).as_text()`, with or without locations, or in MLIR's "
    "generic form. `xla-opt` reads\n"
    "them and prints them in the same way; `--mlir-print-op-generic` prints "
    "the "
    "generic form, and\n"
    "`--xla-import-stablehlo` makes them programs in the dialect xla. This "
    "table, which\n"
    "`xla-opt --list-stablehlo=markdown` writes, has all operations of "
    "StableHLO and of CHLO, and what\n"
    "becomes of them. Where the last column says that an operation is refused, "
    "the message is at the\n"
    "operation, with the reason, and the exit code 3. Programs of several "
    "devices run on one, on whole arrays:\n"
    "what Shardy's operations (`sdy`) say of where things are is dropped, "
    "`named_computation` becomes what is in it,\n"
    "and `manual_computation`, like XLA's older `SPMDFullToShardShape`, what "
    "each device does with its part, side by side,\n"
    "which `xla-opt f.mlir --xla-partition` shows.\n"
    "\n"
    "Attributes keep their names, but for structures, whose keys become "
    "attributes. Annotations\n"
    "(`mhlo.*`, `jax.*`, `tf.*`, `sdy.*`), hints, and what StableHLO does not "
    "define are dropped; so is\n"
    "`result_accuracy` where results are that precise, and refused where they "
    "are not. An `algorithm`\n"
    "that results are as precise as is kept by XLA's name for it.\n"
    "Elements may be of all types in [types.md](types.md), not quantized "
    "ones.\n"
    "\n"
    "Functions may take arrays of unknown size, `tensor<?x4xf32>`, as "
    "`jax.export` writes them for symbolic\n"
    "dimensions: the program becomes that for the sizes of the inputs at hand, "
    "see\n"
    "[types.md](types.md). What of the table follows "
    "from constants then follows from sizes, too.\n"
    "\n"
    "| operation | becomes |\n"
    "|---|---|\n";

/// A line of the table.
typedef struct Line {
  char name[64], becomes[640];
} Line;

/// StableHLO before CHLO.
static int compareLines(const void *a, const void *b) {
  const char *x = ((const Line *)a)->name, *y = ((const Line *)b)->name;
  return *x != *y ? *y - *x : strcmp(x, y);
}

/// Those of ops.def beside this file, and of the dialect's table those that are
/// not there. Returns how many.
static int makeLines(Line lines[rowCount + XlaOpKindCount]) {
  static const char *const dialects[] = {
      [XlaOpDialectNone] = NULL,
      [XlaOpDialectStablehlo] = "stablehlo",
      [XlaOpDialectChlo] = "chlo",
  };
  int n = 0;
  for (const Row *row = rows; row < rows + rowCount; ++row, ++n) {
    snprintf(lines[n].name, sizeof lines[n].name, "%s", row->name);
    snprintf(lines[n].becomes, sizeof lines[n].becomes, "%s%s",
             row->kind == RowKindRefused ? "refused: " : "", row->becomes);
  }
  for (XlaOpKind kind = 1; kind < XlaOpKindCount; ++kind) {
    const XlaOpInfo *info = xlaOpGetInfo(kind);
    Line *line = &lines[n];
    if (!dialects[info->dialect])
      continue;
    snprintf(line->name, sizeof line->name, "%s.%s", dialects[info->dialect],
             info->name);
    snprintf(line->becomes, sizeof line->becomes, "`xla.%s`", info->name);
    int known = 0;
    while (known < n && strcmp(lines[known].name, line->name) != 0)
      ++known;
    n += known == n;
  }
  qsort(lines, (size_t)n, sizeof *lines, compareLines);
  return n;
}

void xlaStableHloListOps(MlirStringCallback callback, void *userData) {
  Line *lines = malloc((rowCount + XlaOpKindCount) * sizeof *lines);
  if (!lines)
    return;
  callback(mlirStringRefCreateFromCString(head), userData);
  int n = makeLines(lines);
  for (int i = 0; i < n; ++i) {
    char text[800];
    snprintf(text, sizeof text, "| `%s` | %s |\n", lines[i].name,
             lines[i].becomes);
    callback(mlirStringRefCreateFromCString(text), userData);
  }
  free(lines);
}

/// What the operation of xla does that `becomes` begins with, if it does.
static void describeTarget(const char *becomes, MlirStringCallback callback,
                           void *userData) {
  const char *begin = strncmp(becomes, "`xla.", 5) == 0 ? becomes + 1 : NULL;
  const char *end = begin ? strchr(begin, '`') : NULL;
  if (!end)
    return;
  callback(mlirStringRefCreateFromCString(": "), userData);
  xlaDialectDescribeOp(mlirStringRefCreate(begin, (size_t)(end - begin)),
                       callback, userData);
}

void xlaStableHloDescribeOp(MlirStringRef name, MlirStringCallback callback,
                            void *userData) {
  Line *lines = malloc((rowCount + XlaOpKindCount) * sizeof *lines);
  int n = lines ? makeLines(lines) : 0;
  for (int i = 0; i < n; ++i) {
    if (!mlirStringRefEqual(name,
                            mlirStringRefCreateFromCString(lines[i].name)))
      continue;
    callback(mlirStringRefCreateFromCString("becomes "), userData);
    callback(mlirStringRefCreateFromCString(lines[i].becomes), userData);
    describeTarget(lines[i].becomes, callback, userData);
    callback(mlirStringRefCreateFromCString("\n"), userData);
    break;
  }
  free(lines);
}

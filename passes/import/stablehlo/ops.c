//===- ops.c - The operations of StableHLO --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"

#include <stdio.h>
#include <string.h>

typedef enum RowKind {
  RowKindSame,
  RowKindHook,
  RowKindRefused,
} RowKind;

typedef struct Row {
  const char *name, *becomes;
  RowKind kind;
  XlaImportResult (*import)(MlirOperation op);
} Row;

static const Row rows[] = {
#define XLA_IMPORT_SAME(name, becomes) {name, becomes, RowKindSame, NULL},
#define XLA_IMPORT_OP(name, Hook, becomes)                                     \
  {name, becomes, RowKindHook, xlaImport##Hook},
#define XLA_IMPORT_SIZED(name, becomes)                                        \
  {name, becomes, RowKindHook, xlaImportSized},
#define XLA_IMPORT_CHLO(name, becomes)                                         \
  {name, becomes, RowKindHook, xlaImportChlo},
#define XLA_IMPORT_REFUSED(name, why) {name, why, RowKindRefused, NULL},
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
  while (row < rows + rowCount && (strlen(row->name) != name.length ||
                                   memcmp(row->name, name.data, name.length)))
    ++row;
  if (row < rows + rowCount && row->kind == RowKindHook)
    return row->import(op);
  if (row < rows + rowCount && row->kind == RowKindRefused) {
    xlaOpError(op, NULL, "is not supported yet: %s", row->becomes);
    return XlaImportResultUnsupported;
  }
  bool isChlo = name.length > 5 && !memcmp(name.data, "chlo.", 5);
  MlirStringRef rest = withoutDialect(name);
  XlaOpKind kind = isChlo && row == rows + rowCount
                       ? XlaOpKindInvalid
                       : xlaOpKindFromName(rest.data, rest.length);
  if (kind != XlaOpKindInvalid)
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
    "Programs in StableHLO, in MLIR's generic form, are read by `xla-run`, "
    "`xla-bench` and\n"
    "`xla-opt --xla-import-stablehlo`. This table, which `xla-opt "
    "--list-stablehlo=markdown` writes, has all\n"
    "operations of StableHLO and of CHLO, and what becomes of them. Where the "
    "last column says that an\n"
    "operation is refused, the message is at the operation, with the reason, "
    "and the exit code 3.\n"
    "\n"
    "Attributes keep their names, but for structures, whose keys become "
    "attributes. Annotations\n"
    "(`mhlo.*`, `jax.*`, `tf.*`, `sdy.*`) and hints are dropped; so are "
    "`algorithm` and `result_accuracy`\n"
    "where results are that precise, and refused where they are not. Elements "
    "may be of all types in\n"
    "[types.md](types.md), not quantized ones.\n"
    "\n"
    "| operation | becomes |\n"
    "|---|---|\n";

void xlaStableHloListOps(MlirStringCallback callback, void *userData) {
  callback(mlirStringRefCreateFromCString(head), userData);
  for (const Row *row = rows; row < rows + rowCount; ++row) {
    char text[512];
    snprintf(text, sizeof text, "| `%s` | %s%s |\n", row->name,
             row->kind == RowKindRefused ? "refused: " : "", row->becomes);
    callback(mlirStringRefCreateFromCString(text), userData);
  }
}

//===- diagnostics.h - Messages about programs --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_DIAGNOSTICS_H
#define XLAC_TOOLS_COMMON_DIAGNOSTICS_H

#include "mlir-c/Diagnostics.h"
#include "xlac/tools/common/program.h"

/// Diagnostics of `program`'s context go to stderr as `file:line:column: error:
/// message`, followed by the line of the program and a mark at the column.
/// `program` must stay where it is while its context lives.
void xlaDiagnosticsAttach(const XlaProgram *program);

/// Prints `file:line:column: ` of a location on stderr, or `file: ` if it has
/// no line.
void xlaDiagnosticsPrintLocation(const XlaProgram *program,
                                 MlirLocation location);

/// "line:column: message" of a diagnostic, or its message where it has no line,
/// in as much of `text` as there is.
void xlaDiagnosticsText(MlirDiagnostic diagnostic, char *text, size_t size);

/// A line that stands above what a device says of a program.
typedef struct XlaDiagnosticsHeading {
  MlirContext context;
  MlirDiagnosticHandlerID handler;
  const char *device; ///< borrowed
  bool printed;
} XlaDiagnosticsHeading;

/// Before the first error from here to xlaDiagnosticsHeadingEnd, a line says
/// that `device` is left out, or failed, by the kind of that error. `heading`
/// must stay where it is in between.
void xlaDiagnosticsHeadingBegin(const XlaProgram *program, const char *device,
                                XlaDiagnosticsHeading *heading);
void xlaDiagnosticsHeadingEnd(XlaDiagnosticsHeading *heading);

#endif // XLAC_TOOLS_COMMON_DIAGNOSTICS_H

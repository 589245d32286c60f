//===- diagnostics.h - Messages about programs --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_DIAGNOSTICS_H
#define XLAC_TOOLS_COMMON_DIAGNOSTICS_H

#include "xlac/tools/common/program.h"

/// Diagnostics of `program`'s context go to stderr as `file:line:column: error:
/// message`, followed by the line of the program and a mark at the column.
/// `program` must stay where it is while its context lives.
void xlaDiagnosticsAttach(const XlaProgram *program);

/// Prints `file:line:column: ` of a location on stderr, or `file: ` if it has
/// no line.
void xlaDiagnosticsPrintLocation(const XlaProgram *program,
                                 MlirLocation location);

#endif // XLAC_TOOLS_COMMON_DIAGNOSTICS_H

//===- input.h - What the tools share ----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_INPUT_H
#define XLAC_TOOLS_COMMON_INPUT_H

#include "xlac/dialect/mlir-c-ext/ext.h"

/// Once at the start of a tool's main: crash reports name this project, and no
/// file that is opened later takes the place of a standard stream that is
/// closed: those cannot be read or written.
void xlaToolsInit(void);
/// The exit code at the end of main: `code`, or Wrong after a message if that
/// is Ok but not all of standard output could be written.
int xlaToolsEnd(int code);

/// All dialects and passes of MLIR and of the folders dialect and passes, the
/// passes by name. To be destroyed.
MlirDialectRegistry xlaToolsRegister(void);
/// The dialects that programs are written in: no others, whose parsers would
/// have to survive any text. To be destroyed by the caller.
MlirDialectRegistry xlaToolsProgramDialects(void);

/// Reads the file at `path` and checks it: an MlirExtInputRead.
MlirLogicalResult xlaToolsReadInput(const char *path, char **text,
                                    size_t *length);

/// Refuses what MLIR's readers do not survive, with a message
/// `file:line:column: error: ..` on stderr: text with a hazard
/// (xlaTextFindHazard), and bytecode that xlaToolsCheckBytecode refuses.
MlirLogicalResult xlaToolsCheckInput(MlirStringRef text, MlirStringRef file);

/// Blanks the places `loc(unknown)` of operations and arguments in a program's
/// text, so that their places in it are theirs.
void xlaToolsOmitUnknownPlaces(char *text, size_t length);
/// Has xlaToolsReadInput leave them, as what prints places must.
void xlaToolsKeepUnknownPlaces(void);

/// Reads `bytecode` in a process of its own, and refuses it with a message if
/// that process crashes, takes more memory than any program of that size needs,
/// or fails without a word: MLIR's reader trusts what it reads. Bytecode with
/// an ordinary error is accepted here; reading it again gives the error.
MlirLogicalResult xlaToolsCheckBytecode(MlirStringRef bytecode,
                                        MlirStringRef file);

#endif // XLAC_TOOLS_COMMON_INPUT_H

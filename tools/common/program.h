//===- program.h - Reading programs -------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program is read from a file or from standard input; what it is written in
// is told by its content (formats/module.h). Everything below must run on a
// stack of XLA_STACK_BYTES (mlirExtRunOnStack), because parsing and walking
// recurse.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_PROGRAM_H
#define XLAC_TOOLS_COMMON_PROGRAM_H

#include "mlir-c/IR.h"
#include "xlac/formats/module.h"
#include "xlac/tools/common/exit.h"
#include "xlac/tools/common/inputs.h"
#include "xlac/tools/common/options.h"
#include <stdbool.h>
#include <stddef.h>

/// A program that was read.
typedef struct XlaProgram {
  const char *name; ///< for messages: the path, or "<stdin>"
  char *text;       ///< as read, 64-byte aligned, with a NUL behind it
  size_t length;
  bool isMapped; ///< `text` is the file's pages: there is no NUL
  XlaModuleFormat format;
  MlirContext context;
  MlirModule module;
  XlaInputs inputs; ///< that were named, if `hasInputs`
  bool hasInputs;
} XlaProgram;

/// The exit code of what reading or writing a program ended in.
XlaToolCode xlaProgramCodeOf(XlaImportResult result);

/// Called after a step of reading or compiling with the module as it then is.
typedef void (*XlaProgramStage)(const char *stage, MlirOperation module,
                                void *userData);

/// Reads, parses, imports and verifies the program at `path` ("-": standard
/// input). `stage`, which may be NULL, is called for "parse", and for "import"
/// if the program was StableHLO. Diagnostics go to stderr as
/// `file:line:column: error: ..`, for as long as the program lives; if
/// `verbose`, remarks on attributes that are ignored, too.
/// Returns Wrong if there is no such program or it is not valid, Failed if it
/// uses what is not supported. `*program` is to be destroyed in every case.
XlaToolCode xlaProgramRead(const char *path, bool verbose,
                           XlaProgramStage stage, void *userData,
                           XlaProgram *program);
/// The same, to run the function `entry`, as xlaProgramFindEntry takes it, on
/// `inputs`: if it takes arrays of unknown size, the program becomes that for
/// the sizes of `inputs`, which must begin with a value for each up to the last
/// such array. Wrong if they do not, or are not of the function's types. Large
/// constants may refer to the file as it was read.
XlaToolCode xlaProgramReadFor(const char *path, bool verbose, const char *entry,
                              const XlaToolValues *inputs,
                              XlaProgramStage stage, void *userData,
                              XlaProgram *program);
/// The same with `options` for xlaModuleReadWith.
XlaToolCode xlaProgramReadWith(const char *path, bool verbose,
                               const char *entry, const XlaToolValues *inputs,
                               const XlaModuleReadOptions *options,
                               XlaProgramStage stage, void *userData,
                               XlaProgram *program);
/// Reads the program in `*text`, allocated by malloc, which is in any form, and
/// puts MLIR's bytecode of it in its place, for tools that read by MLIR's own
/// means. `name` is that of its file.
XlaToolCode xlaProgramToBytecode(const char *name, char **text, size_t *length);
void xlaProgramDestroy(XlaProgram *program);
/// What `given` says of the inputs, in the order of the arguments, when the
/// program was read for it.
const XlaToolValues *xlaProgramGetInputs(const XlaProgram *program,
                                         const XlaToolValues *given);
/// Seeds the random numbers that the program draws, in place of what it says.
void xlaProgramSetSeed(XlaProgram *program, uint64_t seed);

/// The function `name`, or, if `name` is NULL, `main`, or else the only public
/// function. Prints a line on failure.
XlaToolCode xlaProgramFindEntry(const XlaProgram *program, const char *name,
                                MlirOperation *function);

/// Functions one after the other: the first if `previous` is null; null after
/// the last. Declarations are left out.
MlirOperation xlaProgramNextFunction(const XlaProgram *program,
                                     MlirOperation previous);
MlirStringRef xlaFunctionGetName(MlirOperation function);
/// The type of the function, as stated; null if there is none.
MlirType xlaFunctionGetType(MlirOperation function);

#endif // XLAC_TOOLS_COMMON_PROGRAM_H

//===- module.h - Programs as people have them --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program comes in one of several forms, which are told apart by content:
//
// | form                                         | begins with             |
// |----------------------------------------------|-------------------------|
// | MLIR text: xla, StableHLO                    | anything else           |
// | MLIR bytecode of this LLVM                   | `MLïR`, then `MLIR22.`  |
// | portable artifact of StableHLO               | `MLïR`, `StableHLO_v`   |
// | jax.export's file around an artifact         | a flatbuffer with one   |
// | HLO text, as compiled.as_text() gives it     | `HloModule`, perhaps    |
// |                                              | after comments          |
// | HLO protocol buffers, as XLA's dumps are     | a field of HloModule    |
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_MODULE_H
#define XLAC_FORMATS_MODULE_H

#include "mlir-c/IR.h"
#include "xlac/passes/import/result.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum XlaModuleFormat {
  XlaModuleFormatMlirText,
  XlaModuleFormatMlirBytecode,
  XlaModuleFormatForeignBytecode, ///< of another MLIR: refused
  XlaModuleFormatArtifact,
  XlaModuleFormatExported,
  XlaModuleFormatHloText,
  XlaModuleFormatHloProto,
  XlaModuleFormatUnknown, ///< neither text nor one of these
} XlaModuleFormat;

/// The form of `bytes`, by how they begin. That they are valid is not said.
XlaModuleFormat xlaModuleDetectFormat(MlirStringRef bytes);

/// "a portable artifact" ..: how messages name a form.
const char *xlaModuleFormatName(XlaModuleFormat format);

/// How the first bytes tell it from others, for people.
const char *xlaModuleFormatMark(XlaModuleFormat format);
/// Whether xlaModuleRead reads it.
bool xlaModuleFormatIsRead(XlaModuleFormat format);

/// Adds to `registry` the dialects that programs are written in: xla,
/// StableHLO's (stablehlo, chlo, sdy), func, and no others, whose parsers would
/// have to survive any text.
void xlaModuleDialectsRegister(MlirDialectRegistry registry);

#define XLA_MODULE_LARGE_CONSTANT (256 << 10)

/// How programs are read; zero-initialise it.
typedef struct XlaModuleReadOptions {
  bool keepsFusions; ///< of HLO, as xla.fusion, in place of their operations
  /// The bytes outlive the context: constants of an artifact that take
  /// XLA_MODULE_LARGE_CONSTANT bytes or more are not copied, but refer to them
  /// as `dense_resource`.
  bool refersToBytes;
  /// And they are pages of a file as they are there: what has copied a constant
  /// may give its pages back (mlirExtDenseIsMapped).
  bool areMapped;
} XlaModuleReadOptions;

/// The same as xlaModuleRead, with options.
XlaImportResult xlaModuleReadWith(MlirContext context, MlirStringRef bytes,
                                  MlirStringRef name, XlaModuleFormat format,
                                  const XlaModuleReadOptions *options,
                                  MlirModule *module);

/// Reads a program of `format`. `name` is that of its file, for locations. The
/// dialects that it may be in are loaded; for StableHLO's checks (`check.*`)
/// the context has to allow unregistered ones.
/// Ok: `*module` is the program as it was written, not verified where it is not
/// xla's: in StableHLO for xlaImportStableHlo or xlaSpecialize, or in xla. It
/// is to be destroyed. Invalid, or Unsupported: `*module` is null, and there
/// was a diagnostic in `context`, with line and column in `bytes` where these
/// are text. `bytes` may come from strangers, but for MLIR's own bytecode,
/// whose reader is MLIR's and trusts it. Must run on a stack of
/// XLA_STACK_BYTES.
XlaImportResult xlaModuleRead(MlirContext context, MlirStringRef bytes,
                              MlirStringRef name, XlaModuleFormat format,
                              MlirModule *module);

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

typedef enum XlaModuleWriteFormat {
  XlaModuleWriteFormatStablehlo,        ///< text, as short as MLIR prints it
  XlaModuleWriteFormatStablehloGeneric, ///< text that every MLIR reads
  XlaModuleWriteFormatStablehloLocated, ///< the same with locations
  XlaModuleWriteFormatArtifact,         ///< a portable artifact of StableHLO
  XlaModuleWriteFormatHlo,              ///< HLO text
  XlaModuleWriteFormatXla,              ///< text of this dialect
  XlaModuleWriteFormatBytecode,         ///< MLIR's, of this dialect
  XlaModuleWriteFormatCount
} XlaModuleWriteFormat;

/// "stablehlo", "stablehlo-generic", "stablehlo-located", "artifact", "hlo",
/// "xla", "bytecode".
const char *xlaModuleWriteFormatName(XlaModuleWriteFormat format);
/// What it is, and how it begins, in a line for people.
const char *xlaModuleWriteFormatMeaning(XlaModuleWriteFormat format);

/// Writes `module`, which is in xla and has been verified, and stays as it is,
/// as `format`, by calls of `callback`. Text of StableHLO is as the MLIR of
/// jaxlib reads it, which writes dense constants of booleans with a byte an
/// element. Unsupported, after a diagnostic at an operation: the format cannot
/// say what that does, or there is no memory. Invalid: HLO wants an entry, and
/// no function that calls itself. Nothing was written then. Must run on a stack
/// of XLA_STACK_BYTES.
XlaImportResult xlaModuleWrite(MlirModule module, XlaModuleWriteFormat format,
                               MlirStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif // XLAC_FORMATS_MODULE_H

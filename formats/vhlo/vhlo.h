//===- vhlo.h - Portable artifacts of StableHLO ---------------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An artifact is MLIR's bytecode (mlir.llvm.org/docs/BytecodeFormat) of a
// program in VHLO, a dialect of versioned copies of StableHLO's operations.
// Reading one gives the StableHLO that the newest version of its operations
// stands for, as MLIR's generic text of that program would:
//
// | VHLO                                   | StableHLO                       |
// |----------------------------------------|---------------------------------|
// | `vhlo.add_v1`, `vhlo.tan_v2`           | `stablehlo.add`, `.tan`         |
// | `vhlo.func_v1`, call, return           | `func.func` ..                  |
// | `#vhlo.tensor_v1<dense<1> ..>`         | `dense<1>`, or `array<i64: 1>`  |
// | `#vhlo<precision_v1 HIGH>`             | `#stablehlo<precision HIGH>`    |
// | `lhs_contracting_dimensions`, ..       | `#stablehlo.dot<..>`            |
// | attributes that say what is usual      | none                            |
//
// ops.def has all operations with their attributes, codes.def the codes of
// attributes and types. Versions 0 to 6 of the bytecode are read. Writing is
// the same in the other direction, for version XLA_VHLO_VERSION (ops.h) of
// StableHLO and version 6 of the bytecode.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_VHLO_VHLO_H
#define XLAC_FORMATS_VHLO_VHLO_H

#include "xlac/formats/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reads the artifact in `bytes`, a part of those of `source`, into `*module`,
/// which is to be destroyed. It verifies as far as its operations are
/// registered. Null after a diagnostic, with `source->result` saying of which
/// kind. Takes time and memory in proportion to the artifact, whatever it says.
/// Must run on a stack of XLA_STACK_BYTES.
bool xlaVhloRead(XlaByteSource *source, MlirStringRef bytes,
                 MlirModule *module);

/// Writes `module`, a builtin.module of StableHLO as xlaExportStableHlo makes
/// it, which stays as it is, as an artifact, by calls of `callback`; large
/// constants are given from where they are.
/// Unsupported, after a diagnostic at an operation that artifacts have not
/// (those of CHLO, Shardy and MLIR's dialects but func), or that has attributes
/// or types that they have not, or if there is no memory; nothing was written
/// then. Takes memory in proportion to the artifact. Must run on a stack of
/// XLA_STACK_BYTES.
XlaImportResult xlaVhloWrite(MlirOperation module, MlirStringCallback callback,
                             void *userData);

#ifdef __cplusplus
}
#endif

#endif // XLAC_FORMATS_VHLO_VHLO_H

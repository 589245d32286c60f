//===- hlo.h - Programs in HLO ------------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HLO is what XLA's compilers work on, before and after their passes. Its text,
// and its protocol buffers, are read into one form (ast.h), which becomes a
// module of the dialect xla:
//
// | HLO                                  | xla                               |
// |--------------------------------------|-----------------------------------|
// | the computation ENTRY                | `func.func @main`                 |
// | a computation that one operation     | that operation's region, or, of   |
// | calls                                | fusions, operations in its place, |
// |                                      | or that of xla.fusion             |
// | a computation that several call      | the same if it is small, else a   |
// |                                      | function                          |
// | tuples                               | several values; nested ones in    |
// |                                      | results of @main are xla.tuple    |
// | layouts                              | those of parameters and results   |
// |                                      | of ENTRY are in their types;      |
// |                                      | bitcast is what they make of it   |
// | copy, domain, add-dependency         | the operand                       |
// | x-start, x-update, x-done            | x, where it starts                |
// | metadata, instruction names          | locations                         |
// | computations of the parts that       | the program of all devices, of    |
// | devices have, before partitioning    | whole arrays (partition.h)        |
// | input_output_alias, buffer_donor     | `xla.donated`                     |
// | an instruction in an operand's place | an operation before its user      |
// | a result without a shape             | what the operation gives (infer.c)|
//
// opcodes.def has all opcodes, and attributes.def all attributes; one that is
// in neither is an error, not ignored.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_HLO_HLO_H
#define XLAC_FORMATS_HLO_HLO_H

#include "mlir-c/IR.h"
#include "xlac/passes/import/result.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Reads HLO text: `HloModule` and computations, or computations alone. Ok:
/// `*module` is a verified module in xla, to be destroyed. Else it is null, and
/// there was a diagnostic in `context`, at a line and column of the file
/// `name`. Text may come from strangers; time and memory are linear in its
/// length. Must run on a stack of XLA_STACK_BYTES. Fusions are xla.fusion if
/// `keepsFusions`, else their operations.
XlaImportResult xlaHloTextRead(MlirContext context, MlirStringRef text,
                               MlirStringRef name, bool keepsFusions,
                               MlirModule *module);

/// The same of protocol buffers in their wire format: an HloModuleProto, or an
/// HloProto or HloSnapshot that has one. Locations are the names of
/// instructions.
XlaImportResult xlaHloProtoRead(MlirContext context, MlirStringRef bytes,
                                MlirStringRef name, bool keepsFusions,
                                MlirModule *module);

/// Writes docs/hlo.md: what becomes of which opcode.
void xlaHloListOps(MlirStringCallback callback, void *userData);

/// Whether bytes begin as such a protocol buffer does.
bool xlaHloIsProto(MlirStringRef bytes);

#ifdef __cplusplus
}
#endif

#endif // XLAC_FORMATS_HLO_HLO_H

//===- dialect.h - The dialect xla --------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_DIALECT_H
#define XLAC_DIALECT_DIALECT_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Adds the dialect `xla` to `registry`: the operations of ops.def,
/// `!xla.token` and `#xla.array<minor_to_major = [..], padded_dimensions =
/// [..], padding_value = .., bounds = [..]>`.
void xlaDialectRegister(MlirDialectRegistry registry);

/// A line an operation: name, arity, attributes and meaning.
void xlaDialectListOps(MlirStringCallback callback, void *userData);
/// The page docs/ops.md: a table and examples a family, and the rules of the
/// verifier; from ops.def.
void xlaDialectListOpsMarkdown(MlirStringCallback callback, void *userData);
/// What docs/ops.md has of the operation `name` ("xla.add"), for editors; gives
/// `callback` nothing if there is none.
void xlaDialectDescribeOp(MlirStringRef name, MlirStringCallback callback,
                          void *userData);
/// A table of families and of what takes them, as README.md has it.
void xlaDialectListStatus(MlirStringCallback callback, void *userData);

/// Nesting of brackets deeper than this is refused: MLIR's parser recurses.
#define XLA_MAX_NESTING 1000
/// What aliases (`!t = tuple<!s, !s>`) may expand to, in names and numbers.
#define XLA_MAX_ALIAS_SIZE 1000000

/// What of `text` MLIR's parser and printer would not survive, or not in
/// bounded time and memory, as one line for a message; NULL if there is
/// nothing. Gives the line and column (from 1) where it stands.
/// The message is static. Runs in time linear in the text. Bytecode is
/// accepted.
const char *xlaTextFindHazard(MlirStringRef text, int64_t *line,
                              int64_t *column);
/// The stack for parsing and walking text without hazards, in bytes.
#define XLA_STACK_BYTES (64u << 20)

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_DIALECT_H

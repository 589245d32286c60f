//===- lsp_text.h - What editors are told of texts ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_MLIR_C_EXT_LSP_TEXT_H
#define XLAC_DIALECT_MLIR_C_EXT_LSP_TEXT_H

#include "ext.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

namespace xlac {

/// `text` of a line, from 0 on, up to a character of UTF-16, as editors count;
/// empty if there is no such line.
llvm::StringRef lineUpTo(llvm::StringRef text, int64_t line, int64_t character);

/// The words that `hooks` know for the place of a completion, as its answer.
llvm::json::Array completionsAt(const MlirExtLspHooks &hooks,
                                llvm::StringRef line);

/// Puts the operations of `text` that begin in the lines of each symbol of
/// `symbols`, a documentSymbol's answer, below that: `%0 = xla.add` is called
/// xla.add, with %0 as its detail. No more than 10,000 of them.
void addOperations(llvm::StringRef text, llvm::json::Array &symbols);

} // namespace xlac

#endif // XLAC_DIALECT_MLIR_C_EXT_LSP_TEXT_H

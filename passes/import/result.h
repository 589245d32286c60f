//===- result.h - How reading a program ends ----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_RESULT_H
#define XLAC_PASSES_IMPORT_RESULT_H

/// How an import ended. There was a diagnostic if not Ok.
typedef enum XlaImportResult {
  XlaImportResultOk,
  XlaImportResultInvalid,     ///< the program is wrong
  XlaImportResultUnsupported, ///< valid perhaps, but the dialect lacks it
} XlaImportResult;

#endif // XLAC_PASSES_IMPORT_RESULT_H

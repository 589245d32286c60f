//===- indexed_windows.h - Places of windows ----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For gather and scatter, see ops/indexed_windows.h.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_INDEXED_WINDOWS_H
#define XLAC_DIALECT_INTERPRET_INDEXED_WINDOWS_H

#include "xlac/dialect/literal.h"
#include "xlac/dialect/ops/indexed_windows.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reads where a window starts: `batch` has an index for each of
/// `windows->batch`, `start` gets a coordinate for each dimension of the
/// operand. Coordinates that do not fit (of ui64) become the largest that do;
/// nothing is clamped otherwise.
void xlaIndexedWindowsGetStart(const XlaIndexedWindows *windows,
                               const XlaLiteral *indices, int operandRank,
                               const int64_t *batch, int64_t *start);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_INDEXED_WINDOWS_H

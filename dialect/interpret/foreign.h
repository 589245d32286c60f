//===- foreign.h - Custom calls of C functions --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The targets of xla.custom_call may be C functions of a shared library:
//
//   void target(void *out, const void **in);
//
// (specification 000, CustomCall). in[i] is operand i, out the result: the
// elements of an array, dense and row-major, 16-byte aligned. A pred is a byte
// 0 or 1, an element below a byte takes one. A tuple is an array of pointers
// to its elements, in order; several results are as one tuple of them, and
// without results out is NULL, as tokens are. Results start as zeros.
//
// A function must not have side effects nor keep the pointers, and may be
// called by several threads. It is native code, which nothing restrains: only
// whoever runs a program names libraries, never the program itself.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_FOREIGN_H
#define XLAC_DIALECT_INTERPRET_FOREIGN_H

#include "xlac/dialect/literal.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XlaForeignLibrary XlaForeignLibrary;

/// Opens the shared library at `path`; a path without a slash names a file of
/// the current folder. NULL after writing to `why`.
XlaForeignLibrary *xlaForeignLibraryOpen(const char *path, char why[512]);
void xlaForeignLibraryClose(XlaForeignLibrary *library);

/// Whether the library exports a function of this name.
bool xlaForeignLibraryHas(const XlaForeignLibrary *library,
                          MlirStringRef target);

/// Runs a custom call by the function `target`, which the library has. An
/// XlaCustomCallHook whose userData is the library.
MlirLogicalResult xlaForeignLibraryCall(MlirOperation op, MlirStringRef target,
                                        intptr_t nOperands,
                                        const XlaLiteral *const *operands,
                                        intptr_t nResults, XlaLiteral **results,
                                        void *library);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_FOREIGN_H

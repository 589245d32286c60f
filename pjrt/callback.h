//===- callback.h - Programs call the host ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A custom call of the target XLA_PJRT_CALLBACK calls the one function that the
// Python package sets, with the number in its backend_config. A program has no
// address in it: what the number stands for, the function knows.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PJRT_CALLBACK_H
#define XLAC_PJRT_CALLBACK_H

#include "xlac/dialect/interpret/evaluator.h"

#define XLA_PJRT_CALLBACK "xlac_python_callback"

/// Gets the arrays of operands and of results, dense and row-major, with their
/// sizes in bytes, and those of the operands' dimensions; writes results.
/// Nonzero on failure, with a text of at most `size` bytes, which ends with a
/// 0, in `error`.
typedef int (*XlaPythonCallback)(uint64_t number, intptr_t nOperands,
                                 const void *const *operands,
                                 const size_t *operandSizes,
                                 const int64_t *const *operandDims,
                                 intptr_t nResults, void *const *results,
                                 const size_t *resultSizes, char *error,
                                 size_t size);
/// For all programs of the process. It may be called by any thread.
void xlaPythonSetCallback(XlaPythonCallback callback);

/// Calls the function that the text of a number stands for with the bytes of a
/// text, as its one operand. False on failure, with the same text of an error.
bool xlaPjrtTell(const char *number, const char *text, char *error,
                 size_t size);

/// An XlaCustomCallHook.
MlirLogicalResult xlaPjrtCallback(MlirOperation op, MlirStringRef target,
                                  intptr_t nOperands,
                                  const XlaLiteral *const *operands,
                                  intptr_t nResults, XlaLiteral **results,
                                  void *user);

#endif // XLAC_PJRT_CALLBACK_H

//===- loop.h - Building loops ------------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_LOOP_H
#define XLAC_PASSES_LOOP_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/shape.h"

/// A number, and what an operation of 256 operands combines and gives.
enum { XLA_LOOP_MAX_STATE = 513 };

/// The type of a number that counts to `count`: s32, s64 where that ends
/// before.
XlaElementType xlaLoopCounter(int64_t count);

/// A loop over values that change: how it goes on, for `user`.
typedef struct XlaLoop {
  int n; ///< values, XLA_LOOP_MAX_STATE at most
  /// NULL: value 0, an integer, is less than `count`.
  MlirValue (*condition)(XlaIr *ir, const MlirValue *state, void *user);
  void (*body)(XlaIr *ir, MlirValue *state, void *user); ///< sets the next ones
  void *user;
  int64_t count;
} XlaLoop;

/// Writes xla.while; `state` gets its results.
void xlaLoopRun(XlaIr *ir, const XlaLoop *loop, MlirValue *state);

/// Writes xla.case: `values`, `n` of them and XLA_LOOP_MAX_STATE at most, are
/// what `then` makes of them where `pred`, a scalar, holds.
void xlaLoopBranch(XlaIr *ir, MlirValue pred, int n, MlirValue *values,
                   void (*then)(XlaIr *ir, MlirValue *values, void *user),
                   void *user);

#endif // XLAC_PASSES_LOOP_H

//===- op_examples.h - How operations are written ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OP_EXAMPLES_H
#define XLAC_DIALECT_OP_EXAMPLES_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A function that shows the syntax of an operation, and runs; NULL where that
/// of another operation of its family shows it. Every operation that is not
/// elementwise is in one.
const char *xlaOpGetExample(XlaOpKind kind);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OP_EXAMPLES_H

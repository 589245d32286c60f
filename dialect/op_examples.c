//===- op_examples.c - How operations are written -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/op_examples.h"

static const char *const examples[XlaOpKindCount] = {
#define XLA_EXAMPLE(Enum, text) [XlaOpKind##Enum] = (text),
#include "xlac/dialect/ops.def"
};

const char *xlaOpGetExample(XlaOpKind kind) { return examples[kind]; }

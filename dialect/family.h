//===- family.h - The hooks of the families -----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pair of hooks a family of ops.def; see op.h for what they do. A family's
// files have its name: dialect/ops/reduce.c infers, dialect/interpret/reduce.c
// evaluates.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_FAMILY_H
#define XLAC_DIALECT_FAMILY_H

#include "xlac/dialect/op.h"

#define XLA_FAMILY(Family, ...)                                                \
  MlirLogicalResult xla##Family##Infer(XlaOpView *view);                       \
  MlirLogicalResult xla##Family##Evaluate(                                     \
      XlaEvaluator *evaluator, MlirOperation op, XlaOpKind kind,               \
      const XlaLiteral *const *operands, XlaLiteral **results);
#include "xlac/dialect/families.def"

#endif // XLAC_DIALECT_FAMILY_H

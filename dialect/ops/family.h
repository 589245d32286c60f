//===- family.h - The hooks of the families -----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pair of hooks a family of ops.def; see op.h for what they do. A family's
// file has its name: elementwise.c, movement.c, reduce.c ..
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_FAMILY_H
#define XLAC_DIALECT_OPS_FAMILY_H

#include "xlac/dialect/op.h"

#define XLA_FAMILY(Family)                                                     \
  MlirLogicalResult xla##Family##Infer(XlaOpView *view);                       \
  MlirLogicalResult xla##Family##Evaluate(                                     \
      XlaEvaluator *evaluator, MlirOperation op, XlaOpKind kind,               \
      const XlaLiteral *const *operands, XlaLiteral **results);

XLA_FAMILY(Elementwise)
XLA_FAMILY(Alias)
XLA_FAMILY(Bitcast)
XLA_FAMILY(Constant)
XLA_FAMILY(Movement)
XLA_FAMILY(BitcastConvert)
XLA_FAMILY(DynamicSlice)
XLA_FAMILY(DimensionSize)
XLA_FAMILY(Gather)
XLA_FAMILY(Scatter)
XLA_FAMILY(Sort)
XLA_FAMILY(Dot)
XLA_FAMILY(Convolution)
XLA_FAMILY(ReduceWindow)
XLA_FAMILY(SelectAndScatter)
XLA_FAMILY(BatchNorm)
XLA_FAMILY(Reduce)
XLA_FAMILY(Fft)
XLA_FAMILY(Random)
XLA_FAMILY(Triangular)
XLA_FAMILY(ControlFlow)
XLA_FAMILY(Call)
XLA_FAMILY(Tuple)
XLA_FAMILY(Collective)
XLA_FAMILY(Transfer)
XLA_FAMILY(Fusion)

#undef XLA_FAMILY

#endif // XLAC_DIALECT_OPS_FAMILY_H

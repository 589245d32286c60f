//===- dynamic.h - Sizes that are known when a program runs -------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dynamic dimension has a bound in its type and a size in its literal: there
// is no padding that operations would have to ignore (specification 000,
// SetDimensionSize). The sizes of results follow from those of operands as
// their bounds do from the operands' bounds, so the hook that infers types is
// run again, with the sizes as bounds; what it refuses is an error of the run.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_DYNAMIC_H
#define XLAC_DIALECT_DYNAMIC_H

#include "xlac/dialect/literal.h"
#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether operations of `kind` take operands with dynamic dimensions.
bool xlaOpTakesDynamic(XlaOpKind kind);
/// Whether the sizes of `op`'s results depend on those of dynamic operands.
bool xlaOpHasDynamicSizes(MlirOperation op, XlaOpKind kind);
/// The shapes of the results of such an operation for these operands. A
/// diagnostic at `op` if they do not go together.
MlirLogicalResult xlaOpInferSizes(MlirOperation op, XlaOpKind kind,
                                  const XlaLiteral *const *operands,
                                  XlaShape *results);

/// The same for operands of these shapes, which the program states as
/// `declared`.
MlirLogicalResult xlaOpInferSizesOf(MlirOperation op, XlaOpKind kind,
                                    const MlirType *declared,
                                    const XlaShape *operands,
                                    XlaShape *results);
/// Whether results of `kind` have the types of values that it passes on.
bool xlaOpPassesSizesOn(XlaOpKind kind);

/// Whether `literal` is a value of `type`: dynamic dimensions have any size up
/// to the bound.
bool xlaLiteralFits(const XlaLiteral *literal, MlirType type);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_DYNAMIC_H

//===- retype.h - Functions on arrays of other types --------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes. Devices do not compute with every element type. Values of
// those that they do not know are written as arrays of others from the
// beginning of a program to its end; what goes in and out keeps its type.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_RETYPE_H
#define XLAC_PASSES_RETYPE_H

#include "xlac/dialect/literal.h"
#include "xlac/passes/flatten_internal.h"

/// Whether `op` takes or gives values of such types.
bool xlaRetypeTouches(MlirOperation op, bool (*isType)(MlirType type));

/// Writes `op`, whose regions use nothing from outside, on values of the types
/// that it has: foreign code and other replicas take them as they lie in
/// memory. So does what devices do not compute, which may be folded yet, or not
/// be used.
MlirLogicalResult xlaRetypeKeep(XlaFlatten *r, MlirOperation op, XlaIr *ir);

/// The elements of a constant for the caller to release, of which a splat has
/// one. NULL without memory.
XlaLiteral *xlaRetypeReadConstant(MlirOperation constant, bool *isSplat);
/// A constant in place of `old`, of the elements `value`.
MlirValue xlaRetypeConstant(XlaIr *ir, MlirOperation old, MlirAttribute value,
                            bool isSplat);

/// Rewrites `function`, which is flat (flatten.h), has static sizes, and keeps
/// its signature.
MlirLogicalResult xlaRetypeFunction(MlirOperation function,
                                    const XlaRetype *retype);

#endif // XLAC_PASSES_RETYPE_H

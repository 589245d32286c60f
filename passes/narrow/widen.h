//===- widen.h - Functions without narrow types -------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_NARROW_WIDEN_H
#define XLAC_PASSES_NARROW_WIDEN_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "xlac/dialect/element_type.h"

/// Computes with types that devices know in place of floats of up to 8 bits and
/// integers of less, in the body of `function`, which is flat (flatten.h) and
/// has static sizes. Its signature stays; what goes in and out is taken for
/// arrays of bytes by xla.bitcast. On failure a diagnostic has been emitted.
MlirLogicalResult xlaWidenNarrow(MlirOperation function);

/// Whether devices do not know `type`; what it is stored as then, and computed
/// with.
bool xlaElementTypeIsNarrow(XlaElementType type);
XlaElementType xlaNarrowStored(XlaElementType type);
XlaElementType xlaNarrowComputed(XlaElementType type);

#endif // XLAC_PASSES_NARROW_WIDEN_H

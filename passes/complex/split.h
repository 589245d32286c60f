//===- split.h - Functions without complex numbers ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_COMPLEX_SPLIT_H
#define XLAC_PASSES_COMPLEX_SPLIT_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

/// Computes on real and imaginary parts in place of complex numbers: each array
/// of them becomes two in the body of `function`, which is flat (flatten.h) and
/// has static sizes. Its signature stays; what goes in and out is converted by
/// xla.bitcast_convert from and to pairs. On failure a diagnostic has been
/// emitted.
MlirLogicalResult xlaSplitComplex(MlirOperation function);

#endif // XLAC_PASSES_COMPLEX_SPLIT_H

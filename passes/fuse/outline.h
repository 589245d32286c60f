//===- outline.h - Outer values of computations become operands -*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_FUSE_OUTLINE_H
#define XLAC_PASSES_FUSE_OUTLINE_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A reduction, sort or scatter whose region uses values from outside is put
/// into an xla.fusion of that kind which takes them as operands: a kernel sees
/// nothing but its arguments. Part of xla-fuse, for what was not fused. Fails
/// with a diagnostic if there is no memory.
MlirLogicalResult xlaOutlineComputations(MlirOperation module);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_FUSE_OUTLINE_H

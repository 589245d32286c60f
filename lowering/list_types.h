//===- list_types.h - What devices do with element types --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LIST_TYPES_H
#define XLAC_LOWERING_LIST_TYPES_H

#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The last part of docs/types.md, in markdown: each element type with what
/// devices store it as, compute with, and need for it, then what compiled
/// programs refuse (refusals.def).
void xlaListTypes(MlirStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LIST_TYPES_H

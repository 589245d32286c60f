//===- windows.h - What is kept of windows ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What xla-fuse and the lowering of fusions of kind window agree on.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_FUSE_WINDOWS_H
#define XLAC_PASSES_FUSE_WINDOWS_H

#include "xlac/dialect/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The cost of an element that is kept, at least: reading less again is not
/// dearer.
enum { xlaWindowMinCost = 3 };

/// The bytes of a row of dimension 0; INT64_MAX if they are more.
int64_t xlaWindowRowBytes(const XlaShape *shape);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_FUSE_WINDOWS_H

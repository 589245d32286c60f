//===- bitcast.h - Sizes of bitcasts ------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_BITCAST_H
#define XLAC_DIALECT_OPS_BITCAST_H

#include "xlac/dialect/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The bytes of the image of an array of `type` and `shape`. Layouts have been
/// checked with their types.
int64_t xlaBitcastGetImageBytes(MlirType type, const XlaShape *shape);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OPS_BITCAST_H

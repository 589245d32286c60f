//===- place.h - What a location comes down to --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_PLACE_H
#define XLAC_DIALECT_PLACE_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The name and the place in a file that a location tells first, as a person
/// looks for it: within names, callees and what is fused. Strings live as long
/// as the context; lines and columns count from 1.
typedef struct XlaPlace {
  MlirStringRef name; ///< empty: there is none
  MlirStringRef file; ///< empty: there is no place
  int line, column;
} XlaPlace;

XlaPlace xlaPlaceGet(MlirLocation location);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_PLACE_H

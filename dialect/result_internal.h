//===- result_internal.h - Short words for MlirLogicalResult ------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For sources only: the names are short and have no prefix, so no other header
// includes this one.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_RESULT_INTERNAL_H
#define XLAC_DIALECT_RESULT_INTERNAL_H

#include "mlir-c/Support.h"

static inline MlirLogicalResult success(void) {
  return mlirLogicalResultSuccess();
}
static inline MlirLogicalResult failure(void) {
  return mlirLogicalResultFailure();
}
static inline bool failed(MlirLogicalResult result) {
  return mlirLogicalResultIsFailure(result);
}

#endif // XLAC_DIALECT_RESULT_INTERNAL_H

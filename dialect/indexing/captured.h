//===- captured.h - What regions use from outside ------------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_CAPTURED_H
#define XLAC_DIALECT_INDEXING_CAPTURED_H

#include "mlir-c/IR.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Values.
typedef struct XlaValues {
  intptr_t n, capacity;
  MlirValue *values; ///< owned
} XlaValues;

/// The values from outside that the regions of `op` use, each once, in the
/// order of their first use. False if there is no memory; `values->values` is
/// to be freed in any case.
bool xlaOpGetCaptured(MlirOperation op, XlaValues *values);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_CAPTURED_H

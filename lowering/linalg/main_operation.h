//===- main_operation.h - Fusions of one sort or scatter ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. A fusion of kind sort or scatter has one such
// operation, its *main* one, and what computes that one's operands. A scatter
// may be in the midst of others: then the kernel goes over all elements of its
// inputs, instead of over the windows.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_MAIN_OPERATION_H
#define XLAC_LOWERING_LINALG_MAIN_OPERATION_H

#include "mlir-c/IR.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The only operation of a fusion that is of its kind, or null.
MlirOperation xlaMainOperation(MlirOperation fusion);
/// Whether the fusion gives back the results of its main operation, `op`, as
/// they are; a scatter's inputs are arguments then.
bool xlaMainOperationIsLast(MlirOperation fusion, MlirOperation op);
/// Whether a fusion of kind scatter goes over all elements of the inputs.
bool xlaMainScattersToAll(MlirOperation fusion);
/// Whether such a fusion reads `argument`, of the shape of a result, only where
/// it writes that.
bool xlaMainReadsInPlace(MlirOperation fusion, MlirValue argument);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LINALG_MAIN_OPERATION_H

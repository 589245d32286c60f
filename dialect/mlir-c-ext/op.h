//===- op.h - Operations from tables ----------------------------*- C++ -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_MLIR_C_EXT_OP_H
#define XLAC_DIALECT_MLIR_C_EXT_OP_H

#include "ext.h"

namespace mlir {
class Dialect;
class Operation;
class Type;
} // namespace mlir

namespace mlir_ext {

/// Registers the operation that `def` describes with `dialect`.
void registerOp(mlir::Dialect *dialect, const MlirExtOpDefinition *def);

/// The dialect's typesAgree, for an operation of a table.
bool typesAgree(mlir::Operation *op, mlir::Type a, mlir::Type b);

} // namespace mlir_ext

#endif // XLAC_DIALECT_MLIR_C_EXT_OP_H

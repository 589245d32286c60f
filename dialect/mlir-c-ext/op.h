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
class Attribute;
class Dialect;
class OpAsmParser;
class OpAsmPrinter;
class Operation;
class Type;
struct OperationState;
} // namespace mlir

namespace mlir_ext {

/// Registers the operation that `def` describes with `dialect`. `fullNames` is
/// the dialect's.
void registerOp(mlir::Dialect *dialect, const MlirExtOpDefinition *def,
                bool fullNames);

/// The definition of an operation of a table that names values, else NULL.
const MlirExtOpDefinition *definitionOf(mlir::Operation *op);

/// Reads an operation by its definition's `parse`. False after an error.
bool parseOp(const MlirExtOpDefinition *def, mlir::OpAsmParser &parser,
             mlir::OperationState &state);

/// Prints a resource of mlirExtUncopiedDenseGet as `dense<"0x..">`, piece by
/// piece; false if `value` is none.
bool printUncopied(mlir::OpAsmPrinter &printer, mlir::Attribute value);

/// Whether mlirExtDialectKeepOps was called for a dialect of a table.
bool isKept(mlir::Dialect *dialect);

/// The dialect's typesAgree, for an operation of a table.
bool typesAgree(mlir::Operation *op, mlir::Type a, mlir::Type b);

} // namespace mlir_ext

#endif // XLAC_DIALECT_MLIR_C_EXT_OP_H

//===- interfaces.h - Interfaces of operations from tables ------*- C++ -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_MLIR_C_EXT_INTERFACES_H
#define XLAC_DIALECT_MLIR_C_EXT_INTERFACES_H

#include "ext.h"

#include "mlir/IR/OperationSupport.h"

namespace mlir_ext {

/// The interface models that the definition's traits and hooks ask for;
/// `fullNames` is the dialect's.
mlir::detail::InterfaceMap interfacesOf(const MlirExtOpDefinition *def,
                                        bool fullNames);

} // namespace mlir_ext

#endif // XLAC_DIALECT_MLIR_C_EXT_INTERFACES_H

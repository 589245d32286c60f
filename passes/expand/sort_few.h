//===- sort_few.h - Sorts of many operands ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_SORT_FEW_H
#define XLAC_PASSES_EXPAND_SORT_FEW_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

/// Sorts of few operands in place of those of many that are not compared; none
/// of many empty arrays. Fails, with a diagnostic, without memory.
MlirLogicalResult xlaSortFew(MlirOperation function);
/// How many operands of a sort its comparator asks for; 0 without one.
intptr_t xlaSortCountCompared(MlirOperation sort);

#endif // XLAC_PASSES_EXPAND_SORT_FEW_H

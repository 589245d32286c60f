//===- minimize_internal.h - Steps that make programs smaller ----*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_XLA_GEN_MINIMIZE_INTERNAL_H
#define XLAC_TOOLS_XLA_GEN_MINIMIZE_INTERNAL_H

#include "xlac/dialect/ir.h"

/// A way to make modules smaller: `count` gives the number of places where it
/// can be done, `apply` does it at those from `from` below `to`, and says
/// whether it changed anything. The places of equal modules are the same.
typedef struct XlaGenStep {
  const char *name;
  intptr_t (*count)(MlirOperation module);
  bool (*apply)(MlirOperation module, intptr_t from, intptr_t to);
  bool one; ///< at one place at a time, and only where the text gets shorter
} XlaGenStep;

/// The steps, ended by one without a name.
extern const XlaGenStep xlaGenSteps[];

/// Removes what is not used: operations but custom calls, private functions.
void xlaGenRemoveUnused(MlirOperation module);

#endif // XLAC_TOOLS_XLA_GEN_MINIMIZE_INTERNAL_H

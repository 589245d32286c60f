//===- expand.h - Operations as several others --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_EXPAND_H
#define XLAC_PASSES_EXPAND_EXPAND_H

#include "xlac/dialect/op.h"
#include "xlac/passes/arrays.h"

/// Writes operations of `function` for which lowering has no kernels as others
/// for which it has: those of expand.def, of the elementwise ones those that
/// devices take as formulas; on constants they are folded. What would take too
/// much memory or too many operations that way is left as it is, after a
/// diagnostic that it is not supported; the result is a failure then.
MlirLogicalResult xlaExpand(MlirOperation function);

/// The same for the operations in `wanted` alone, of which more are possible:
/// the elementwise ones of expand.def. What has no formula for its type of
/// elements stays.
MlirLogicalResult xlaExpandKinds(MlirOperation function,
                                 const bool wanted[XlaOpKindCount]);
/// Whether there is a way to expand `kind`, for some element type.
bool xlaExpandHas(XlaOpKind kind);

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

/// A function a row of expand.def: `results` gets what takes the results'
/// places. It may take regions of `op`.
#define XLA_EXPANDER(Operation, Function)                                      \
  MlirLogicalResult xlaExpand##Function(XlaIr *ir, MlirOperation op,           \
                                        MlirValue *results);
#include "xlac/passes/expand/expand.def"

/// By a formula of expand.def, which there is for its type: see below.
MlirLogicalResult xlaExpandFormula(XlaIr *ir, MlirOperation op,
                                   MlirValue *results);

/// A row of expand.def.
typedef struct XlaExpansion {
  XlaOpKind kind;
  unsigned classes; ///< of XlaTypeClass
  int units;        ///< in the last place; 0: exact
  const char *formula;
} XlaExpansion;

/// The row for operations of `kind` on elements of `type`;
/// XlaElementTypeInvalid stands for any. NULL if there is none.
const XlaExpansion *xlaExpansionFind(XlaOpKind kind, XlaElementType type);

#endif // XLAC_PASSES_EXPAND_EXPAND_H

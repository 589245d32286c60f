//===- names.h - Names of variables -------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to dialect/indexing.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_NAMES_H
#define XLAC_DIALECT_INDEXING_NAMES_H

#include "xlac/dialect/indexing/map.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XlaVariableName {
  char text[XLA_MAX_VARIABLE_NAME + 24];
} XlaVariableName;

/// The name of variable `v`, dimensions first, or what it is called without
/// one.
XlaVariableName xlaVariableGetName(const XlaIndexingMapParts *parts,
                                   intptr_t v);

/// Sends the text of `expr`, of the variables of `parts`, to `callback`
/// (print.c).
void xlaExprPrint(const XlaIndexingMapParts *parts, MlirAffineExpr expr,
                  MlirStringCallback callback, void *userData);

/// Takes away names that are there before, and gives some to variables without
/// that would be called as one with a name. False if none is left.
bool xlaNamesMakeUnique(const XlaIndexingMapParts *parts,
                        MlirIdentifier *names);

/// The name of `from`'s variable `v` becomes that of the dimension or symbol
/// `expr`, if it is one, in `names` of a map with `nDims` dimensions.
void xlaNameMove(const XlaIndexingMapParts *from, intptr_t v,
                 MlirAffineExpr expr, intptr_t nDims, MlirIdentifier *names);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_NAMES_H

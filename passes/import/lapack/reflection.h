//===- reflection.h - Householder's reflections -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes/import/lapack. H = 1 - tau v v^H, one a matrix of a batch,
// as LAPACK's larfg gives it: v is 0 above row k, 1 in it.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_LAPACK_REFLECTION_H
#define XLAC_PASSES_IMPORT_LAPACK_REFLECTION_H

#include "xlac/dialect/ir.h"

typedef struct XlaReflection {
  MlirValue below;    ///< what v has below row k, [b, m]; 0 elsewhere
  MlirValue tau;      ///< [b]
  MlirValue diagonal; ///< row k of the column that H^H gives, [b]
} XlaReflection;

/// The one that makes `column`, [b, m], zero below row `k`, s32.
XlaReflection xlaReflectionFind(XlaIr *ir, MlirValue column, MlirValue k);
/// v, [b, m]
MlirValue xlaReflectionVector(XlaIr *ir, const XlaReflection *reflection,
                              MlirValue k);
/// `a`, [b, m, n], with the number in row `k` of `column`, s32, and the vector
/// below it.
MlirValue xlaReflectionStore(XlaIr *ir, const XlaReflection *reflection,
                             MlirValue a, MlirValue column, MlirValue k);
/// `factors`, [b, n], with tau at place `column`.
MlirValue xlaReflectionSetFactor(XlaIr *ir, const XlaReflection *reflection,
                                 MlirValue factors, MlirValue column);
/// H^H a = a - conj(tau) v (v^H a), and a H = a - (a v) tau v^H.
MlirValue xlaReflectionApply(XlaIr *ir, MlirValue a, MlirValue v,
                             MlirValue tau);
MlirValue xlaReflectionApplyRight(XlaIr *ir, MlirValue a, MlirValue v,
                                  MlirValue tau);

#endif // XLAC_PASSES_IMPORT_LAPACK_REFLECTION_H

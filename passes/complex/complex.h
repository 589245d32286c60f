//===- complex.h - Complex numbers as pairs of real ones ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes. Devices have no complex numbers: an array of them is two
// arrays, of the real and of the imaginary parts, from the beginning of a
// program to its end. What goes in and out lies in memory as pairs.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_COMPLEX_COMPLEX_H
#define XLAC_PASSES_COMPLEX_COMPLEX_H

#include "xlac/passes/arrays.h"
#include "xlac/passes/flatten_internal.h"

typedef struct XlaComplex {
  MlirValue re, im;
} XlaComplex;

/// Whether values of `type` are arrays of complex numbers.
bool xlaTypeIsComplex(MlirType type);
/// The type of the parts of `type`, which has static sizes.
MlirType xlaComplexPartType(MlirType type);

/// An array with the two parts along a last dimension, and back.
MlirValue xlaComplexPairs(XlaIr *ir, XlaComplex parts);
XlaComplex xlaComplexFromPairs(XlaIr *ir, MlirValue pairs);
/// The parts of `array`, read from its pairs.
XlaComplex xlaComplexSplit(XlaIr *ir, MlirValue array);
/// The pairs of `parts` in one array, of `type`.
MlirValue xlaComplexJoin(XlaIr *ir, XlaComplex parts, MlirType type);

/// An elementwise operation with a row in complex.def, on operands of equal
/// shape. `im` of the result is null where it is real. False: there is no row.
bool xlaComplexElementwise(XlaIr *ir, XlaOpKind kind,
                           const XlaComplex *operands, XlaComplex *result);

/// xla.cholesky and xla.triangular_solve `op` of parts.
XlaComplex xlaComplexCholesky(XlaIr *ir, MlirOperation op, XlaComplex a);
XlaComplex xlaComplexTriangularSolve(XlaIr *ir, MlirOperation op, XlaComplex a,
                                     XlaComplex b);

/// Whether `op` is to be written by xlaComplexEmit. What passes values on, and
/// what has regions that say what is done with them, takes parts like other
/// arrays.
bool xlaComplexIsSplit(MlirOperation op);
/// Writes `op` on parts.
MlirLogicalResult xlaComplexEmit(XlaFlatten *r, MlirOperation op, XlaIr *ir);

#endif // XLAC_PASSES_COMPLEX_COMPLEX_H

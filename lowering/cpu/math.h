//===- math.h - Transcendental functions as inline polynomials -*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// math.exp and its kind become arithmetic that vectorises and fuses, instead of
// a call of libm for each element.
//
// lowering/math/functions.def says how accurate they are.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_MATH_H
#define XLAC_LOWERING_CPU_MATH_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "xlac/lowering/cpu/target.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Replaces, in and below `root`, the functions of lowering/math/functions.def
/// on scalars and vectors of f16, bf16, f32 and f64, and divisions of vectors
/// of integers. Call it after vectorisation: sin, cos and tan branch for huge
/// arguments. Fails, with a diagnostic, where there is no memory.
MlirLogicalResult xlaCpuExpandMath(MlirOperation root,
                                   const XlaCpuTarget *target);

/// Whether `op` is a quotient or remainder of integers (divide.c).
bool xlaCpuIsDivision(MlirOperation op);
/// Its value by floats, before `op`; null where it stays: scalars, 64 bits,
/// constant divisors.
MlirValue xlaCpuDivide(MlirOperation op);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_MATH_H

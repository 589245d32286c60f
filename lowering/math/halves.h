//===- halves.h - f16 and bf16 carried as integers ---------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neither device can be trusted with floats of 16 bits. SPIR-V has no bf16, and
// how a driver rounds to f16 is its own choice. On processors without the
// instructions LLVM turns conversions into calls of functions that the
// process may lack, and where AVX512_BF16 has one for bf16, it flushes
// denormals. So their bits are carried as i16, arithmetic is done in f32, and
// conversions are integer arithmetic.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_MATH_HALVES_H
#define XLAC_LOWERING_MATH_HALVES_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XlaHalves {
  bool keepsF16; ///< f16 is the device's own: only bf16 is carried
  bool isShader; ///< see ops.h
} XlaHalves;

/// Rewrites everything in and below `root`: types of values, functions,
/// constants, globals and addresses. Operands of llvm.call_intrinsic keep the
/// types that the instruction has. Fails with a diagnostic at an op on halves
/// that is neither movement nor in the dialects arith and math, and at
/// conversions from f64, which would round twice.
MlirLogicalResult xlaCarryHalves(MlirOperation root, XlaHalves options);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_MATH_HALVES_H

//===- scalar.h - Elementwise operations on scalar values ---------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One element of an elementwise operation as arith and math ops. Values in
// registers have signless types: pred is i1, u8 is i8, floats are themselves.
// In memory pred is i8.
//
// Results are those of the reference evaluator (dialect/interpret/scalar/op.h),
// also where arith's own operations are undefined or poison: division by zero,
// shifts by the width or more, conversions out of range. Floats below f32 are
// computed in f32 and rounded after every operation.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_SCALAR_H
#define XLAC_LOWERING_LINALG_SCALAR_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The type of an element in a register; null for types that compiled devices
/// do not take (complex, below a byte, 8-bit floats).
MlirType xlaScalarRegisterType(XlaElementType type, MlirContext context);
/// The type of an element in memory: i8 for pred, else the register's.
MlirType xlaScalarMemoryType(XlaElementType type, MlirContext context);
/// Between memory and register: arith.trunci and arith.extui for pred.
MlirValue xlaScalarFromMemory(XlaIr *ir, XlaElementType type, MlirValue x);
MlirValue xlaScalarToMemory(XlaIr *ir, XlaElementType type, MlirValue x);

/// Element `position` of an array constant, as arith.constant.
MlirValue xlaLowerConstant(XlaIr *ir, const XlaLiteral *literal,
                           int64_t position);

/// The result of `op`, an elementwise operation or a bitcast_convert between
/// types of one width, for elements `operands` in registers. A null value after
/// a diagnostic at `op` if it is not defined for compiled devices.
MlirValue xlaLowerScalar(XlaIr *ir, MlirOperation op,
                         const MlirValue *operands);

/// `x` converted as xla.convert does.
MlirValue xlaLowerConvert(XlaIr *ir, XlaElementType from, XlaElementType to,
                          MlirValue x);

/// Parts of xlaLowerScalar, each for one class of operations and in a file of
/// its own. `operands` have the class's type; a null value is returned for
/// kinds that the class lacks, without a diagnostic.
MlirValue xlaLowerInteger(XlaIr *ir, XlaOpKind kind, XlaElementType type,
                          const MlirValue *operands);
/// f32 and f64.
MlirValue xlaLowerFloat(XlaIr *ir, XlaOpKind kind, const MlirValue *operands);
MlirValue xlaLowerPred(XlaIr *ir, XlaOpKind kind, const MlirValue *operands);
/// Rounds a float of `type` to a format of so many bits, by its own bits.
MlirValue xlaLowerReducePrecision(XlaIr *ir, XlaElementType type, MlirValue x,
                                  int64_t exponentBits, int64_t mantissaBits);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LINALG_SCALAR_H

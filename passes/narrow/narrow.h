//===- narrow.h - Element types that devices do not know ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes. Devices know no floats of up to 8 bits and no integers of
// less: the narrow types. An array of them is stored as one of bytes, the bits
// of a float as u8, the value of an integer as s8 or u8. What computes does so
// with f32, or with these integers, and gives bytes again.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_NARROW_NARROW_H
#define XLAC_PASSES_NARROW_NARROW_H

#include "xlac/passes/arrays.h"
#include "xlac/passes/flatten_internal.h"
#include "xlac/passes/narrow/widen.h"

bool xlaTypeIsNarrow(MlirType type);
/// `array` with other elements.
MlirType xlaNarrowWith(MlirType array, XlaElementType element);

/// Stored elements of `type` from bytes whose upper bits may be anything.
MlirValue xlaNarrowLowerBits(XlaIr *ir, XlaElementType type, MlirValue bytes);

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// The values, in f32, of the bits of floats of `type`, in u8; and the bits of
/// the nearest ones.
MlirValue xlaNarrowDecode(XlaIr *ir, XlaElementType type, MlirValue bits);
MlirValue xlaNarrowEncode(XlaIr *ir, XlaElementType type, MlirValue values);
/// The bits of floats of `type` rounded to fewer ones, as xla.reduce_precision
/// does it.
MlirValue xlaNarrowReducePrecision(XlaIr *ir, XlaElementType type,
                                   MlirValue bits, int64_t exponentBits,
                                   int64_t mantissaBits);
/// f64, or integers, in f32, rounded so that xlaNarrowEncode of it rounds as it
/// would have from the operand.
MlirValue xlaNarrowRoundToOdd(XlaIr *ir, MlirValue values);

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// What is left of integers, in s8 or u8, in as many bits as `type` has.
MlirValue xlaNarrowWrap(XlaIr *ir, XlaElementType type, MlirValue values);
/// An operation on integers of `type` that sees their bits, on stored ones;
/// null for every other.
MlirValue xlaNarrowBitwise(XlaIr *ir, XlaOpKind kind, XlaElementType type,
                           const MlirValue *operands);

/// The bits of arrays as xla.bitcast_convert sees them, to a narrow type or
/// from one, between stored arrays. `result` is the result's shape, of the type
/// itself. False if there are too many dimensions.
bool xlaNarrowBitcastConvert(XlaIr *ir, MlirValue stored, XlaElementType type,
                             const XlaShape *result, MlirValue *made);

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Whether `op` is to be written by xlaNarrowEmit. What passes values on takes
/// stored ones.
bool xlaNarrowIsWritten(MlirOperation op);
MlirLogicalResult xlaNarrowEmit(XlaFlatten *r, MlirOperation op, XlaIr *ir);

#endif // XLAC_PASSES_NARROW_NARROW_H

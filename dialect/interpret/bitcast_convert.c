//===- bitcast_convert.c - Conversions of bits, evaluated -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"

#include <string.h>

/// The low `bits` bits, of up to 64.
static uint64_t lowBits(uint64_t raw, int bits) {
  return bits >= 64 ? raw : raw & ((UINT64_C(1) << bits) - 1);
}

/// Element `i` as raw bits, for types of up to 64.
static uint64_t getBits(const XlaLiteral *literal, int64_t i, int bits,
                        int bytes) {
  uint64_t raw = 0;
  memcpy(&raw, (const char *)xlaLiteralGetData(literal) + i * bytes,
         (size_t)bytes);
  return lowBits(raw, bits);
}

/// Signed elements below a byte fill it with their sign, as everywhere in
/// literals; the others with zeros.
static void setBits(XlaLiteral *literal, int64_t i, uint64_t raw,
                    const XlaElementTypeInfo *info) {
  if (info->typeClass == XlaTypeClassSigned && info->bits < 8 &&
      raw >> (info->bits - 1) & 1)
    raw |= ~UINT64_C(0) << info->bits;
  memcpy((char *)xlaLiteralGetMutableData(literal) + i * info->bytes, &raw,
         (size_t)info->bytes);
}

/// One of the types is narrower than a byte. Complex c128 is split or joined
/// as two halves, so that 64 bits hold what is moved at a time.
static void repack(const XlaLiteral *operand, XlaLiteral *result) {
  const XlaElementTypeInfo *from =
      xlaElementTypeGetInfo(xlaLiteralGetShape(operand)->elementType);
  const XlaElementTypeInfo *to =
      xlaElementTypeGetInfo(xlaLiteralGetShape(result)->elementType);
  XlaElementTypeInfo a = *from, b = *to;
  int64_t nFrom = xlaLiteralGetElementCount(operand);
  if (a.bits == 128) {
    a.bits = 64, a.bytes = 8;
    nFrom *= 2;
  }
  if (b.bits == 128)
    b.bits = 64, b.bytes = 8;
  // The narrow type takes 1 to 6 bits.
  int bits = (a.bits < b.bits ? a.bits : b.bits) & 7;
  if (a.bits >= b.bits) {
    int ratio = a.bits / b.bits;
    for (int64_t i = 0; i < nFrom; ++i) {
      uint64_t raw = getBits(operand, i, a.bits, a.bytes);
      for (int k = 0; k < ratio; ++k, raw >>= bits)
        setBits(result, i * ratio + k, lowBits(raw, bits), &b);
    }
    return;
  }
  int ratio = b.bits / a.bits;
  for (int64_t i = 0; i < nFrom / ratio; ++i) {
    uint64_t raw = 0;
    for (int k = ratio - 1; k >= 0; --k)
      raw = raw << bits | getBits(operand, i * ratio + k, bits, a.bytes);
    setBits(result, i, raw, &b);
  }
}

MlirLogicalResult xlaBitcastConvertEvaluate(XlaEvaluator *evaluator,
                                            MlirOperation op, XlaOpKind kind,
                                            const XlaLiteral *const *operands,
                                            XlaLiteral **results) {
  XlaLiteral *result = xlaEvaluatorCreateResult(evaluator, op, 0);
  if (!result)
    return mlirLogicalResultFailure();
  results[0] = result;
  int from =
      xlaElementTypeGetInfo(xlaLiteralGetShape(operands[0])->elementType)->bits;
  int to = xlaElementTypeGetInfo(xlaLiteralGetShape(result)->elementType)->bits;
  if (from >= 8 && to >= 8)
    memcpy(xlaLiteralGetMutableData(result), xlaLiteralGetData(operands[0]),
           xlaLiteralGetByteCount(result));
  else
    repack(operands[0], result);
  return mlirLogicalResultSuccess();
}

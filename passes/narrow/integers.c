//===- integers.c - Integers and bits of less than a byte -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stored integer has its value in 8 bits: sums and products are those of 8
// bits, wrapped. What looks at bits is given those that the type has.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/narrow/narrow.h"

#include <string.h>

static MlirValue with(XlaIr *ir, const char *name, MlirValue a, uint64_t b) {
  return xlaIrBinary(ir, name, a, xlaArrayInteger(ir, a, b));
}

static uint64_t onesOf(int bits) { return (1u << bits) - 1; }

MlirValue xlaNarrowWrap(XlaIr *ir, XlaElementType type, MlirValue values) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  if (info->typeClass == XlaTypeClassUnsigned)
    return with(ir, "xla.and", values, onesOf(info->bits));
  uint64_t unused = 8 - (uint64_t)info->bits;
  return with(ir, "xla.shift_right_arithmetic",
              with(ir, "xla.shift_left", values, unused), unused);
}

//===----------------------------------------------------------------------===//
// Operations on bits
//===----------------------------------------------------------------------===//

/// The top bit of 8 is that of the type; the lower ones are shifted out again.
static MlirValue shiftRightArithmetic(XlaIr *ir, int bits,
                                      const MlirValue *operands) {
  uint64_t unused = 8 - (uint64_t)bits;
  MlirValue shifted =
      xlaIrBinary(ir, "xla.shift_right_arithmetic",
                  with(ir, "xla.shift_left", operands[0], unused), operands[1]);
  return with(ir, "xla.shift_right_logical", shifted, unused);
}

MlirValue xlaNarrowBitwise(XlaIr *ir, XlaOpKind kind, XlaElementType type,
                           const MlirValue *operands) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  MlirValue none = {NULL};
  if (!xlaElementTypeIsInteger(type))
    return none;
  if (kind == XlaOpKindShiftRightArithmetic &&
      info->typeClass == XlaTypeClassUnsigned)
    return shiftRightArithmetic(ir, info->bits, operands);
  if (kind != XlaOpKindCountLeadingZeros && kind != XlaOpKindPopcnt &&
      kind != XlaOpKindShiftRightLogical)
    return none;
  MlirValue bits = with(ir, "xla.and", operands[0], onesOf(info->bits));
  if (kind == XlaOpKindShiftRightLogical)
    return xlaIrBinary(ir, "xla.shift_right_logical", bits, operands[1]);
  if (kind == XlaOpKindPopcnt)
    return xlaIrUnary(ir, "xla.popcnt", bits);
  return with(ir, "xla.subtract",
              xlaIrUnary(ir, "xla.count_leading_zeros", bits),
              8 - (uint64_t)info->bits);
}

//===----------------------------------------------------------------------===//
// bitcast_convert
//===----------------------------------------------------------------------===//

/// Elements of u8 with the bits of stored ones, upper bits 0. Of other types
/// several in a last dimension, unless they have 8 bits.
static MlirValue toBits(XlaIr *ir, MlirValue stored,
                        const XlaElementTypeInfo *info) {
  XlaShape shape = xlaArrayShape(stored);
  if (info->typeClass == XlaTypeClassPred)
    return xlaArrayConvert(ir, stored, XlaElementTypeU8);
  if (shape.elementType == XlaElementTypeU8)
    return stored;
  shape.elementType = XlaElementTypeU8;
  if (info->bits > 8)
    shape.dims[shape.rank++] = info->bits / 8;
  MlirValue bits = xlaIrCast(ir, "xla.bitcast_convert", stored,
                             xlaShapeToMlir(&shape, ir->context));
  return info->bits < 8 ? with(ir, "xla.and", bits, onesOf(info->bits)) : bits;
}

static MlirValue fromBits(XlaIr *ir, MlirValue bits, XlaElementType type,
                          const XlaShape *result) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  XlaShape shape = *result;
  if (info->bits > 8)
    shape.dims[shape.rank++] = info->bits / 8;
  bits = xlaArrayReshape(ir, bits, shape.rank, shape.dims);
  if (info->typeClass == XlaTypeClassPred)
    return xlaArrayConvert(ir, bits, XlaElementTypePred);
  shape = *result;
  shape.elementType = xlaTypeIsNarrow(xlaShapeToMlir(result, ir->context))
                          ? xlaNarrowStored(type)
                          : type;
  if (shape.elementType == XlaElementTypeU8)
    return bits;
  MlirValue made = xlaIrCast(ir, "xla.bitcast_convert", bits,
                             xlaShapeToMlir(&shape, ir->context));
  return info->bits < 8 && info->typeClass == XlaTypeClassSigned
             ? xlaNarrowWrap(ir, type, made)
             : made;
}

/// `ratio` elements of `to` bits for each of more, in a last dimension.
static MlirValue part(XlaIr *ir, MlirValue bits, int to, int ratio) {
  XlaShape shape = xlaArrayShape(bits);
  int64_t all[XLA_MAX_RANK];
  for (int d = 0; d < shape.rank; ++d)
    all[d] = d;
  int last = shape.rank++;
  shape.dims[last] = ratio;
  MlirValue by =
      with(ir, "xla.multiply",
           xlaArrayIota(ir, XlaElementTypeU8, shape.rank, shape.dims, last),
           (uint64_t)to);
  MlirValue spread = xlaArrayBroadcast(ir, bits, shape.rank, shape.dims, all);
  return with(ir, "xla.and",
              xlaIrBinary(ir, "xla.shift_right_logical", spread, by),
              onesOf(to));
}

/// One element for `ratio` of `from` bits, which are the last dimension.
static MlirValue join(XlaIr *ir, MlirValue bits, int from, int ratio) {
  XlaShape shape = xlaArrayShape(bits);
  int64_t starts[XLA_MAX_RANK] = {0};
  int last = shape.rank - 1;
  MlirValue joined = {NULL};
  for (int k = 0; k < ratio; ++k) {
    starts[last] = k;
    shape.dims[last] = k + 1;
    MlirValue piece =
        xlaArrayReshape(ir, xlaArraySlice(ir, bits, starts, shape.dims, NULL),
                        last, shape.dims);
    piece = with(ir, "xla.shift_left", piece, (uint64_t)(k * from));
    joined = k ? xlaIrBinary(ir, "xla.or", joined, piece) : piece;
  }
  return joined;
}

bool xlaNarrowBitcastConvert(XlaIr *ir, MlirValue stored, XlaElementType type,
                             const XlaShape *result, MlirValue *made) {
  const XlaElementTypeInfo *from = xlaElementTypeGetInfo(type),
                           *to = xlaElementTypeGetInfo(result->elementType);
  XlaShape shape = xlaArrayShape(stored);
  if (shape.rank + 2 > XLA_MAX_RANK || result->rank + 2 > XLA_MAX_RANK)
    return false;
  MlirValue bits = toBits(ir, stored, from);
  int a = from->bits > 8 ? 8 : from->bits, b = to->bits > 8 ? 8 : to->bits;
  if (a > b) {
    bits = part(ir, bits, b, a / b);
  } else if (a < b) {
    // A byte at a time of the operand's last dimension.
    int ratio = b / a, last = shape.rank - 1;
    shape.dims[last] /= ratio;
    shape.dims[shape.rank++] = ratio;
    bits =
        join(ir, xlaArrayReshape(ir, bits, shape.rank, shape.dims), a, ratio);
  }
  *made = fromBits(ir, bits, result->elementType, result);
  return true;
}

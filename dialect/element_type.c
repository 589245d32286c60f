//===- element_type.c - The element types of arrays -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/element_type.h"

#include "mlir-c/BuiltinTypes.h"

#include <math.h>
#include <string.h>

static const XlaElementTypeInfo infos[XlaElementTypeCount] = {
    [XlaElementTypeInvalid] = {"invalid", "none", 0, 0, 0, 0, 0, 0, 0},
#define XLA_ELEMENT_TYPE(Enum, name, mlirName, Class, bits, bytes, exponent,   \
                         mantissa, bias, Flavor)                               \
  [XlaElementType##Enum] = {name,     mlirName, XlaTypeClass##Class,           \
                            bits,     bytes,    exponent,                      \
                            mantissa, bias,     XlaFloatFlavor##Flavor},
#include "xlac/dialect/element_type.def"
};

const XlaElementTypeInfo *xlaElementTypeGetInfo(XlaElementType type) {
  return &infos[type];
}

static XlaElementType integerType(MlirType type) {
  XlaTypeClass wanted = mlirIntegerTypeIsUnsigned(type)   ? XlaTypeClassUnsigned
                        : mlirIntegerTypeIsSignless(type) ? XlaTypeClassSigned
                                                          : 0;
  unsigned width = mlirIntegerTypeGetWidth(type);
  if (width == 1 && wanted == XlaTypeClassSigned)
    return XlaElementTypePred;
  for (XlaElementType t = XlaElementTypeS2; t <= XlaElementTypeU64; ++t)
    if (infos[t].typeClass == wanted && (unsigned)infos[t].bits == width)
      return t;
  return XlaElementTypeInvalid;
}

typedef struct FloatType {
  XlaElementType type;
  bool (*isA)(MlirType);
  MlirType (*get)(MlirContext);
} FloatType;

// F32 comes first: it is asked for most.
static const FloatType floatTypes[] = {
    {XlaElementTypeF32, mlirTypeIsAF32, mlirF32TypeGet},
    {XlaElementTypeF64, mlirTypeIsAF64, mlirF64TypeGet},
    {XlaElementTypeF16, mlirTypeIsAF16, mlirF16TypeGet},
    {XlaElementTypeBF16, mlirTypeIsABF16, mlirBF16TypeGet},
    {XlaElementTypeF4E2M1FN, mlirTypeIsAFloat4E2M1FN, mlirFloat4E2M1FNTypeGet},
    {XlaElementTypeF6E2M3FN, mlirTypeIsAFloat6E2M3FN, mlirFloat6E2M3FNTypeGet},
    {XlaElementTypeF6E3M2FN, mlirTypeIsAFloat6E3M2FN, mlirFloat6E3M2FNTypeGet},
    {XlaElementTypeF8E3M4, mlirTypeIsAFloat8E3M4, mlirFloat8E3M4TypeGet},
    {XlaElementTypeF8E4M3, mlirTypeIsAFloat8E4M3, mlirFloat8E4M3TypeGet},
    {XlaElementTypeF8E4M3FN, mlirTypeIsAFloat8E4M3FN, mlirFloat8E4M3FNTypeGet},
    {XlaElementTypeF8E4M3FNUZ, mlirTypeIsAFloat8E4M3FNUZ,
     mlirFloat8E4M3FNUZTypeGet},
    {XlaElementTypeF8E4M3B11FNUZ, mlirTypeIsAFloat8E4M3B11FNUZ,
     mlirFloat8E4M3B11FNUZTypeGet},
    {XlaElementTypeF8E5M2, mlirTypeIsAFloat8E5M2, mlirFloat8E5M2TypeGet},
    {XlaElementTypeF8E5M2FNUZ, mlirTypeIsAFloat8E5M2FNUZ,
     mlirFloat8E5M2FNUZTypeGet},
    {XlaElementTypeF8E8M0FNU, mlirTypeIsAFloat8E8M0FNU,
     mlirFloat8E8M0FNUTypeGet},
};
enum { floatTypeCount = sizeof floatTypes / sizeof *floatTypes };

XlaElementType xlaElementTypeFromMlir(MlirType type) {
  if (mlirTypeIsAInteger(type))
    return integerType(type);
  if (mlirTypeIsAComplex(type)) {
    MlirType part = mlirComplexTypeGetElementType(type);
    return mlirTypeIsAF32(part)   ? XlaElementTypeC64
           : mlirTypeIsAF64(part) ? XlaElementTypeC128
                                  : XlaElementTypeInvalid;
  }
  for (int i = 0; i < floatTypeCount; ++i)
    if (floatTypes[i].isA(type))
      return floatTypes[i].type;
  return XlaElementTypeInvalid;
}

MlirType xlaElementTypeToMlir(XlaElementType type, MlirContext context) {
  const XlaElementTypeInfo *info = &infos[type];
  if (info->typeClass == XlaTypeClassUnsigned)
    return mlirIntegerTypeUnsignedGet(context, (unsigned)info->bits);
  if (info->typeClass == XlaTypeClassSigned ||
      info->typeClass == XlaTypeClassPred)
    return mlirIntegerTypeGet(context, (unsigned)info->bits);
  if (info->typeClass == XlaTypeClassComplex)
    return mlirComplexTypeGet(
        xlaElementTypeToMlir(xlaElementTypeReal(type), context));
  for (int i = 0; i < floatTypeCount; ++i)
    if (floatTypes[i].type == type)
      return floatTypes[i].get(context);
  return (MlirType){NULL};
}

XlaElementType xlaElementTypeFromName(const char *name, size_t length) {
  for (XlaElementType t = XlaElementTypeInvalid + 1; t < XlaElementTypeCount;
       ++t)
    if ((strlen(infos[t].name) == length &&
         !strncmp(infos[t].name, name, length)) ||
        (strlen(infos[t].mlirName) == length &&
         !strncmp(infos[t].mlirName, name, length)))
      return t;
  return XlaElementTypeInvalid;
}

bool xlaElementTypeIsInteger(XlaElementType type) {
  return infos[type].typeClass == XlaTypeClassSigned ||
         infos[type].typeClass == XlaTypeClassUnsigned;
}

bool xlaElementTypeIsFloat(XlaElementType type) {
  return infos[type].typeClass == XlaTypeClassFloat;
}

bool xlaElementTypeIsComplex(XlaElementType type) {
  return infos[type].typeClass == XlaTypeClassComplex;
}

bool xlaElementTypeIsPromotable(XlaElementType from, XlaElementType to) {
  const XlaElementTypeInfo *a = xlaElementTypeGetInfo(from);
  const XlaElementTypeInfo *b = xlaElementTypeGetInfo(to);
  return a->bits <= b->bits &&
         (a->typeClass == b->typeClass ||
          (xlaElementTypeIsInteger(from) && xlaElementTypeIsInteger(to)));
}

XlaElementType xlaElementTypeOfBits(int bits, bool isSigned) {
  XlaTypeClass wanted = isSigned ? XlaTypeClassSigned : XlaTypeClassUnsigned;
  for (int type = 1; type < XlaElementTypeCount; ++type) {
    const XlaElementTypeInfo *info =
        xlaElementTypeGetInfo((XlaElementType)type);
    if (info->bits == bits && info->typeClass == wanted)
      return (XlaElementType)type;
  }
  return XlaElementTypeInvalid;
}

XlaElementType xlaElementTypeReal(XlaElementType type) {
  return type == XlaElementTypeC64    ? XlaElementTypeF32
         : type == XlaElementTypeC128 ? XlaElementTypeF64
                                      : type;
}

//===----------------------------------------------------------------------===//
// Float formats of up to 32 bits
//===----------------------------------------------------------------------===//

/// A NaN whose payload starts with these `width` bits, and the other way round.
/// Conversions of the machine would set the quiet bit.
static double nanFromPayload(bool negative, uint64_t payload, int width) {
  uint64_t bits = (uint64_t)negative << 63 | UINT64_C(0x7ff) << 52 |
                  payload << (52 - width);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// A payload that does not fit becomes the quiet bit alone.
static uint32_t nanPayload(double nan, int width) {
  uint64_t bits;
  memcpy(&bits, &nan, sizeof bits);
  uint32_t payload =
      (uint32_t)((bits & ((UINT64_C(1) << 52) - 1)) >> (52 - width));
  return payload ? payload : 1u << (width - 1);
}

double xlaFloatDecode(const XlaElementTypeInfo *info, uint32_t bits) {
  if (info->flavor == XlaFloatFlavorE8m0)
    return bits == 255 ? NAN : ldexp(1.0, (int)bits - info->bias);
  int width = info->exponentBits + info->mantissaBits;
  uint32_t magnitude = bits & ((1u << width) - 1);
  bool negative = bits >> width & 1;
  uint32_t mantissa = magnitude & ((1u << info->mantissaBits) - 1);
  int exponent = (int)(magnitude >> info->mantissaBits);
  int top = (1 << info->exponentBits) - 1;
  if (info->flavor == XlaFloatFlavorIeee && exponent == top)
    return mantissa ? nanFromPayload(negative, mantissa, info->mantissaBits)
                    : (negative ? -INFINITY : INFINITY);
  if (info->flavor == XlaFloatFlavorFn && magnitude == (1u << width) - 1)
    return copysign(NAN, negative ? -1.0 : 1.0);
  if (info->flavor == XlaFloatFlavorFnuz && negative && !magnitude)
    return NAN;
  double value = exponent
                     ? ldexp(mantissa + (double)(1u << info->mantissaBits),
                             exponent - info->bias - info->mantissaBits)
                     : ldexp(mantissa, 1 - info->bias - info->mantissaBits);
  return negative ? -value : value;
}

/// The pattern that stands for what is too large, or for an infinity.
static uint32_t overflowMagnitude(const XlaElementTypeInfo *info) {
  int width = info->exponentBits + info->mantissaBits;
  uint32_t ones = (1u << width) - 1;
  if (info->flavor == XlaFloatFlavorIeee)
    return ones >> info->mantissaBits << info->mantissaBits; // infinity
  return ones; // Fn: NaN. Finite: the largest value. Fnuz: see the caller.
}

/// There is no zero, no sign and no infinity: those are NaN. Halves go up.
static uint32_t encodeE8m0(double value) {
  if (isnan(value) || value <= 0 || isinf(value))
    return 255;
  if (value < 0x1p-127)
    return 0;
  int exponent;
  double fraction = frexp(value, &exponent); // in [0.5, 1)
  int biased = exponent - 1 + 127 + (fraction >= 0.75);
  return biased > 254 ? 255 : (uint32_t)biased;
}

uint32_t xlaFloatEncode(const XlaElementTypeInfo *info, double value) {
  if (info->flavor == XlaFloatFlavorE8m0)
    return encodeE8m0(value);
  int width = info->exponentBits + info->mantissaBits;
  uint32_t sign = signbit(value) ? 1u << width : 0;
  if (isnan(value)) {
    if (info->flavor == XlaFloatFlavorFnuz)
      return 1u << width;
    if (info->flavor == XlaFloatFlavorIeee)
      return sign | overflowMagnitude(info) |
             nanPayload(value, info->mantissaBits);
    if (info->flavor == XlaFloatFlavorFn)
      return sign | overflowMagnitude(info);
    return 1u << width; // no NaN in the format: negative zero
  }
  double magnitude = fabs(value);
  uint32_t bits;
  uint32_t largest =
      overflowMagnitude(info) -
      (info->flavor == XlaFloatFlavorIeee || info->flavor == XlaFloatFlavorFn);
  if (isinf(magnitude)) {
    bits = largest + 1;
  } else if (magnitude == 0) {
    bits = 0;
  } else {
    int exponent;
    frexp(magnitude, &exponent);
    int least = 1 - info->bias; // the exponent of the subnormals
    int e = exponent - 1 > least ? exponent - 1 : least;
    // An integer count of units in the last place; a carry moves the exponent.
    double units = nearbyint(ldexp(magnitude, info->mantissaBits - e));
    double total = units + ldexp(e - least, info->mantissaBits);
    bits = total > largest ? largest + 1 : (uint32_t)total;
  }
  if (bits > largest && info->flavor == XlaFloatFlavorFinite)
    bits = largest;
  if (bits > largest && info->flavor == XlaFloatFlavorFnuz)
    return 1u << width;
  if (!bits && info->flavor == XlaFloatFlavorFnuz)
    return 0;
  return sign | bits;
}

//===----------------------------------------------------------------------===//
// Elements in memory
//===----------------------------------------------------------------------===//

static int64_t signExtend(uint64_t bits, int width) {
  return (int64_t)(bits << (64 - width)) >> (64 - width);
}

XlaScalar xlaScalarLoad(XlaElementType type, const void *bytes) {
  const XlaElementTypeInfo *info = &infos[type];
  XlaScalar value = {.f = {0, 0}};
  if (info->typeClass == XlaTypeClassComplex) {
    XlaElementType part = xlaElementTypeReal(type);
    const char *second = (const char *)bytes + info->bytes / 2;
    value.f.re = xlaScalarLoad(part, bytes).f.re;
    value.f.im = xlaScalarLoad(part, second).f.re;
    return value;
  }
  if (type == XlaElementTypeF64) {
    memcpy(&value.f.re, bytes, 8);
    return value;
  }
  if (type == XlaElementTypeF32) {
    float single;
    memcpy(&single, bytes, 4);
    if (isnan(single)) {
      uint32_t raw;
      memcpy(&raw, bytes, 4);
      value.f.re = nanFromPayload(raw >> 31, raw & 0x7fffff, 23);
    } else {
      value.f.re = single;
    }
    return value;
  }
  uint64_t raw = 0; // little endian, as every target of this project
  memcpy(&raw, bytes, (size_t)info->bytes);
  if (info->typeClass == XlaTypeClassFloat)
    value.f.re = xlaFloatDecode(info, (uint32_t)raw);
  else if (info->typeClass == XlaTypeClassSigned)
    value.s = signExtend(raw, info->bits);
  else if (type == XlaElementTypePred)
    value.u = raw != 0;
  else
    value.u = info->bits == 64 ? raw : raw & ((1ull << info->bits) - 1);
  return value;
}

void xlaScalarStore(XlaElementType type, void *bytes, XlaScalar value) {
  const XlaElementTypeInfo *info = &infos[type];
  if (info->typeClass == XlaTypeClassComplex) {
    XlaElementType part = xlaElementTypeReal(type);
    xlaScalarStore(part, bytes, (XlaScalar){.f = {value.f.re, 0}});
    xlaScalarStore(part, (char *)bytes + info->bytes / 2,
                   (XlaScalar){.f = {value.f.im, 0}});
    return;
  }
  if (type == XlaElementTypeF64) {
    memcpy(bytes, &value.f.re, 8);
    return;
  }
  if (type == XlaElementTypeF32) {
    float single = (float)value.f.re;
    uint32_t nan = (signbit(value.f.re) ? 0xff800000u : 0x7f800000u);
    if (isnan(value.f.re)) {
      nan |= nanPayload(value.f.re, 23);
      memcpy(bytes, &nan, 4);
    } else {
      memcpy(bytes, &single, 4);
    }
    return;
  }
  uint64_t raw;
  if (info->typeClass == XlaTypeClassFloat)
    raw = xlaFloatEncode(info, value.f.re);
  else if (type == XlaElementTypePred)
    raw = value.u != 0;
  else if (info->typeClass == XlaTypeClassSigned)
    raw = (uint64_t)signExtend(value.u, info->bits);
  else
    raw = info->bits == 64 ? value.u : value.u & ((1ull << info->bits) - 1);
  memcpy(bytes, &raw, (size_t)info->bytes);
}

XlaScalar xlaScalarRound(XlaElementType type, XlaScalar value) {
  const XlaElementTypeInfo *info = &infos[type];
  XlaScalar rounded = {.f = {0, 0}};
  // The frequent types without going through memory.
  if (info->typeClass == XlaTypeClassSigned) {
    rounded.s = signExtend(value.u, info->bits);
    return rounded;
  }
  if (type == XlaElementTypeF64 ||
      (type == XlaElementTypeF32 && !isnan(value.f.re))) {
    rounded.f.re = type == XlaElementTypeF64 ? value.f.re : (float)value.f.re;
    return rounded;
  }
  char bytes[16];
  xlaScalarStore(type, bytes, value);
  return xlaScalarLoad(type, bytes);
}

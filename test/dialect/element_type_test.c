//===- element_type_test.c - Every pattern of the small floats ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decoding and encoding of all patterns of up to 16 bits, and rounding around
// the middle between all neighbours. The largest and smallest values of each
// format are those that its specification names.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/element_type.h"

#include "xlac/test/support/unit.h"

#include <math.h>
#include <stdio.h>

typedef struct Format {
  XlaElementType type;
  double largest, least; // finite, and subnormal (or normal if there are none)
  int nans, infinities;  // patterns
  double beyond;         // what 2 * largest becomes
} Format;

static const Format formats[] = {
    {XlaElementTypeF4E2M1FN, 6, 0.5, 0, 0, 6},
    {XlaElementTypeF6E2M3FN, 7.5, 0.125, 0, 0, 7.5},
    {XlaElementTypeF6E3M2FN, 28, 0.0625, 0, 0, 28},
    {XlaElementTypeF8E3M4, 15.5, 0x1p-6, 30, 2, INFINITY},
    {XlaElementTypeF8E4M3, 240, 0x1p-9, 14, 2, INFINITY},
    {XlaElementTypeF8E4M3FN, 448, 0x1p-9, 2, 0, NAN},
    {XlaElementTypeF8E4M3FNUZ, 240, 0x1p-10, 1, 0, NAN},
    {XlaElementTypeF8E4M3B11FNUZ, 30, 0x1p-13, 1, 0, NAN},
    {XlaElementTypeF8E5M2, 57344, 0x1p-16, 6, 2, INFINITY},
    {XlaElementTypeF8E5M2FNUZ, 57344, 0x1p-17, 1, 0, NAN},
    {XlaElementTypeF8E8M0FNU, 0x1p127, 0x1p-127, 1, 0, NAN},
    {XlaElementTypeF16, 65504, 0x1p-24, 2046, 2, INFINITY},
    {XlaElementTypeBF16, 0x1.fep127, 0x1p-133, 254, 2, INFINITY},
};
enum { formatCount = sizeof formats / sizeof *formats };

static bool same(double a, double b) {
  return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

static void everyPattern(void **state) {
  (void)state;
  for (int k = 0; k < formatCount; ++k) {
    const Format *format = &formats[k];
    const XlaElementTypeInfo *info = xlaElementTypeGetInfo(format->type);
    double largest = 0, least = INFINITY;
    int nans = 0, infinities = 0;
    for (uint32_t bits = 0; bits < 1u << info->bits; ++bits) {
      double value = xlaFloatDecode(info, bits);
      nans += isnan(value);
      infinities += isinf(value) != 0;
      if (isfinite(value)) {
        largest = fmax(largest, value);
        least = value > 0 ? fmin(least, value) : least;
      }
      if (isnan(value))
        assert_true(isnan(xlaFloatDecode(info, xlaFloatEncode(info, value))));
      else
        assert_int_equal(xlaFloatEncode(info, value), bits);
    }
    assert_true(largest == format->largest);
    assert_true(least == format->least);
    assert_int_equal(nans, format->nans);
    assert_int_equal(infinities, format->infinities);
  }
}

/// Values between the patterns `bits` and the next, which hold neighbours.
static void checkBetween(const XlaElementTypeInfo *info, uint32_t bits) {
  double low = xlaFloatDecode(info, bits);
  double high = xlaFloatDecode(info, bits + 1);
  double middle = low + (high - low) / 2;
  assert_true(low < high);
  bool up = info->flavor == XlaFloatFlavorE8m0 || bits & 1;
  assert_int_equal(xlaFloatEncode(info, middle), bits + up);
  assert_int_equal(xlaFloatEncode(info, nextafter(middle, 0)), bits);
  assert_int_equal(xlaFloatEncode(info, nextafter(middle, INFINITY)), bits + 1);
}

static void roundingToNearest(void **state) {
  (void)state;
  for (int k = 0; k < formatCount; ++k) {
    const XlaElementTypeInfo *info = xlaElementTypeGetInfo(formats[k].type);
    uint32_t last = xlaFloatEncode(info, formats[k].largest);
    uint32_t sign = 1u << (info->exponentBits + info->mantissaBits);
    for (uint32_t bits = 0; bits < last; ++bits) {
      checkBetween(info, bits);
      double value = xlaFloatDecode(info, bits + 1);
      if (info->flavor != XlaFloatFlavorE8m0)
        assert_int_equal(xlaFloatEncode(info, -value), (bits + 1) | sign);
    }
  }
}

static void outOfRange(void **state) {
  (void)state;
  for (int k = 0; k < formatCount; ++k) {
    const Format *format = &formats[k];
    const XlaElementTypeInfo *info = xlaElementTypeGetInfo(format->type);
    double step =
        format->largest -
        xlaFloatDecode(info, xlaFloatEncode(info, format->largest) - 1);
    double half = format->largest + step / 2;
    if (info->flavor == XlaFloatFlavorE8m0)
      half = 1.5 * format->largest;
    // The tie itself depends on the last bit of the mantissa.
    double below =
        xlaFloatDecode(info, xlaFloatEncode(info, nextafter(half, 0)));
    double above = xlaFloatDecode(info, xlaFloatEncode(info, half * 1.001));
    double twice =
        xlaFloatDecode(info, xlaFloatEncode(info, 2 * format->largest));
    double infinity = xlaFloatDecode(info, xlaFloatEncode(info, INFINITY));
    assert_true(same(below, format->largest));
    assert_true(same(above, format->beyond));
    assert_true(same(twice, format->beyond));
    assert_true(same(infinity, format->beyond));
  }
}

static void noZeroNoSign(void **state) {
  (void)state;
  const XlaElementTypeInfo *info =
      xlaElementTypeGetInfo(XlaElementTypeF8E8M0FNU);
  assert_int_equal(xlaFloatEncode(info, 0.0), 255);
  assert_int_equal(xlaFloatEncode(info, -1.0), 255);
  assert_int_equal(xlaFloatEncode(info, 0x1p-140), 0);
}

static void wrapping(void **state) {
  (void)state;
  for (XlaElementType t = XlaElementTypeS2; t <= XlaElementTypeU64; ++t) {
    const XlaElementTypeInfo *info = xlaElementTypeGetInfo(t);
    XlaScalar ones = xlaScalarRound(t, (XlaScalar){.u = UINT64_MAX});
    XlaScalar top =
        xlaScalarRound(t, (XlaScalar){.u = UINT64_C(1) << (info->bits - 1)});
    uint64_t half = UINT64_C(1) << (info->bits - 1);
    if (info->typeClass == XlaTypeClassSigned) {
      assert_true(ones.s == -1);
      assert_true(top.u == 0 - half);
    } else {
      assert_true(ones.u == half - 1 + half);
      assert_true(top.u == half);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everyPattern), cmocka_unit_test(roundingToNearest),
      cmocka_unit_test(outOfRange),   cmocka_unit_test(noZeroNoSign),
      cmocka_unit_test(wrapping),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

//===- butterfly.c - Transforms of a few numbers --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of 2 and 4 numbers they are sums; of an odd prime, products of cosines with
// the sums of a number and its opposite, and of sines with the differences; of
// all others, transforms of two factors.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fft/fft.h"

static MlirValue plus(XlaIr *ir, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, "xla.add", a, b);
}

static MlirValue minus(XlaIr *ir, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, "xla.subtract", a, b);
}

static MlirValue negate(XlaIr *ir, MlirValue a) {
  return xlaIrUnary(ir, "xla.negate", a);
}

static XlaComplex sum(XlaIr *ir, XlaComplex a, XlaComplex b) {
  return (XlaComplex){plus(ir, a.re, b.re), plus(ir, a.im, b.im)};
}

static XlaComplex difference(XlaIr *ir, XlaComplex a, XlaComplex b) {
  return (XlaComplex){minus(ir, a.re, b.re), minus(ir, a.im, b.im)};
}

/// a - i b and a + i b.
static void turned(XlaIr *ir, XlaComplex a, XlaComplex b, XlaComplex *minusI,
                   XlaComplex *plusI) {
  *minusI = (XlaComplex){plus(ir, a.re, b.im), minus(ir, a.im, b.re)};
  *plusI = (XlaComplex){minus(ir, a.re, b.im), plus(ir, a.im, b.re)};
}

/// x e^(-2 pi i k / n).
static XlaComplex rotate(XlaIr *ir, XlaComplex x, int64_t k, int64_t n) {
  k %= n;
  XlaFourier root = xlaFourierRoot(k, n);
  if (!k)
    return x;
  if (4 * k == n)
    return (XlaComplex){x.im, negate(ir, x.re)};
  if (2 * k == n)
    return (XlaComplex){negate(ir, x.re), negate(ir, x.im)};
  if (4 * k == 3 * n)
    return (XlaComplex){negate(ir, x.im), x.re};
  // c - c i, and -c - c i.
  if (8 * k == n)
    return (XlaComplex){xlaFftScale(ir, plus(ir, x.re, x.im), root.re),
                        xlaFftScale(ir, minus(ir, x.im, x.re), root.re)};
  if (8 * k == 3 * n)
    return (XlaComplex){xlaFftScale(ir, minus(ir, x.im, x.re), root.im * -1),
                        xlaFftScale(ir, plus(ir, x.re, x.im), root.im)};
  return (XlaComplex){
      minus(ir, xlaFftScale(ir, x.re, root.re), xlaFftScale(ir, x.im, root.im)),
      plus(ir, xlaFftScale(ir, x.re, root.im), xlaFftScale(ir, x.im, root.re))};
}

static void two(XlaIr *ir, XlaComplex *x) {
  XlaComplex a = x[0], b = x[1];
  x[0] = sum(ir, a, b);
  x[1] = difference(ir, a, b);
}

static void four(XlaIr *ir, XlaComplex *x) {
  XlaComplex p = sum(ir, x[0], x[2]), q = difference(ir, x[0], x[2]);
  XlaComplex r = sum(ir, x[1], x[3]), s = difference(ir, x[1], x[3]);
  x[0] = sum(ir, p, r);
  x[2] = difference(ir, p, r);
  turned(ir, q, s, &x[1], &x[3]);
}

static void oddPrime(XlaIr *ir, int64_t n, XlaComplex *x) {
  XlaComplex even[xlaFftMaxRadix], odd[xlaFftMaxRadix], first = x[0];
  for (int64_t j = 1; j <= n / 2; ++j) {
    even[j] = sum(ir, x[j], x[n - j]);
    odd[j] = difference(ir, x[j], x[n - j]);
    x[0] = sum(ir, x[0], even[j]);
  }
  for (int64_t k = 1; k <= n / 2; ++k) {
    XlaComplex a = first, b = {{NULL}, {NULL}};
    for (int64_t j = 1; j <= n / 2; ++j) {
      XlaFourier root = xlaFourierRoot(j * k % n, n);
      a = sum(ir, a,
              (XlaComplex){xlaFftScale(ir, even[j].re, root.re),
                           xlaFftScale(ir, even[j].im, root.re)});
      XlaComplex term = {xlaFftScale(ir, odd[j].re, -root.im),
                         xlaFftScale(ir, odd[j].im, -root.im)};
      b = b.re.ptr ? sum(ir, b, term) : term;
    }
    turned(ir, a, b, &x[k], &x[n - k]);
  }
}

static int64_t leastFactor(int64_t n) {
  int64_t factor = 2;
  while (n % factor)
    ++factor;
  return factor;
}

/// Of every `rows`-th number first, then of those at the same place of each.
static void composite(XlaIr *ir, int64_t n, int64_t rows, XlaComplex *x) {
  int64_t columns = n / rows;
  XlaComplex all[xlaFftMaxRadix], column[xlaFftMaxRadix];
  for (int64_t j = 0; j < rows; ++j) {
    for (int64_t i = 0; i < columns; ++i)
      all[j * columns + i] = x[i * rows + j];
    xlaFftButterfly(ir, columns, all + j * columns);
  }
  for (int64_t k = 0; k < columns; ++k) {
    for (int64_t j = 0; j < rows; ++j)
      column[j] = rotate(ir, all[j * columns + k], j * k, n);
    xlaFftButterfly(ir, rows, column);
    for (int64_t j = 0; j < rows; ++j)
      x[k + columns * j] = column[j];
  }
}

void xlaFftButterfly(XlaIr *ir, int64_t n, XlaComplex *x) {
  if (n == 1)
    return;
  int64_t factor = n % 4 || n == 8 ? leastFactor(n) : 4;
  if (n == 2)
    two(ir, x);
  else if (n == 4)
    four(ir, x);
  else if (factor == n)
    oddPrime(ir, n, x);
  else
    composite(ir, n, factor, x);
}

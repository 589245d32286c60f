//===- fourier.c - Roots of unity and small transforms --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/fourier.h"

#include <math.h>
#include <string.h>

XlaFourier xlaFourierRoot(int64_t k, int64_t n) {
  double eighths = 8.0 * (double)k / (double)n;
  int octant = (int)eighths;
  // The distance from the nearest multiple of pi / 2, exactly.
  int64_t quarter = (octant + 1) / 2;
  double angle = (4.0 * (double)k - (double)quarter * (double)n) / (double)n *
                 1.57079632679489661923;
  double c = cos(angle), s = sin(angle);
  switch (quarter % 4) {
  case 0:
    return (XlaFourier){c, -s};
  case 1:
    return (XlaFourier){-s, -c};
  case 2:
    return (XlaFourier){-c, s};
  default:
    return (XlaFourier){s, c};
  }
}

void xlaFourierRoots(XlaFourier *roots, int64_t n) {
  for (int64_t k = 0; k < n; ++k)
    roots[k] = xlaFourierRoot(k, n);
}

static void swap(XlaFourier *a, XlaFourier *b) {
  XlaFourier t = *a;
  *a = *b;
  *b = t;
}

void xlaFourierPower(XlaFourier *x, const XlaFourier *roots, int64_t n) {
  for (int64_t i = 0, j = 0; i < n; ++i) {
    if (i < j)
      swap(&x[i], &x[j]);
    int64_t bit = n / 2;
    for (; bit && (j & bit); bit /= 2)
      j ^= bit;
    j |= bit;
  }
  for (int64_t half = 1; half < n; half *= 2)
    for (int64_t start = 0; start < n; start += 2 * half)
      for (int64_t k = 0; k < half; ++k) {
        XlaFourier a = x[start + k];
        XlaFourier b = x[start + half + k];
        if (k)
          b = xlaFourierMultiply(b, roots[k * (n / half / 2)]);
        x[start + k] = (XlaFourier){a.re + b.re, a.im + b.im};
        x[start + half + k] = (XlaFourier){a.re - b.re, a.im - b.im};
      }
}

int64_t xlaFourierChirpSize(int64_t n) {
  int64_t size = 1;
  while (size < 2 * n - 1)
    size *= 2;
  return size;
}

void xlaFourierChirp(XlaFourier *chirp, XlaFourier *image,
                     const XlaFourier *roots, int64_t n, int64_t size) {
  int64_t square = 0;
  memset(image, 0, (size_t)size * sizeof *image);
  for (int64_t k = 0; k < n; ++k) {
    chirp[k] = xlaFourierRoot(square, 2 * n);
    XlaFourier conjugate = {chirp[k].re, -chirp[k].im};
    image[k] = conjugate;
    if (k)
      image[size - k] = conjugate;
    square = (square + 2 * k + 1) % (2 * n);
  }
  xlaFourierPower(image, roots, size);
}

//===- fourier.h - Roots of unity and small transforms ------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What evaluation and the tables of compiled transforms are computed with, in
// double precision. A length with large prime factors is a convolution of a
// power of two (L. Bluestein, A Linear Filtering Approach to the Computation of
// Discrete Fourier Transform, 1970).
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_FOURIER_H
#define XLAC_DIALECT_INTERPRET_FOURIER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XlaFourier {
  double re, im;
} XlaFourier;

static inline XlaFourier xlaFourierMultiply(XlaFourier x, XlaFourier y) {
  return (XlaFourier){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

/// e^(-2 pi i k / n) for 0 <= k < n, from an angle of at most pi / 4.
XlaFourier xlaFourierRoot(int64_t k, int64_t n);
/// All of them: n numbers.
void xlaFourierRoots(XlaFourier *roots, int64_t n);

/// Transforms `n` numbers in place; n is a power of two, and `roots` are its.
void xlaFourierPower(XlaFourier *x, const XlaFourier *roots, int64_t n);

/// The least power of two of a convolution that transforms `n` numbers.
int64_t xlaFourierChirpSize(int64_t n);
/// A transform as a convolution of `size`: numbers times the `n` factors
/// `chirp` and zeros after them, transformed, times the `size` factors `image`,
/// transformed backwards, times `chirp` again. `roots` are those of `size`.
void xlaFourierChirp(XlaFourier *chirp, XlaFourier *image,
                     const XlaFourier *roots, int64_t n, int64_t size);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_FOURIER_H

//===- fft.h - Fourier transforms as other operations -------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes. Lengths of small prime factors are transformed in stages,
// one for each factor of up to 31: a fusion that adds up so many numbers, at
// many places at once, and multiplies by roots of unity from a table. Stages
// leave the numbers in order (T. Stockham, High-speed convolution and
// correlation, 1966): a digit of the index goes from the front to the back of
// those that are transformed already. All other lengths are a convolution, of
// two transforms of a power of two (dialect/interpret/fourier.h).
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_FFT_FFT_H
#define XLAC_PASSES_FFT_FFT_H

#include "xlac/dialect/interpret/fourier.h"
#include "xlac/passes/complex/complex.h"

/// Writes `op`, an xla.fft. The imaginary parts of real numbers, taken or
/// given, are null. On failure a diagnostic has been emitted.
MlirLogicalResult xlaFftExpand(XlaIr *ir, MlirOperation op, XlaComplex operand,
                               XlaComplex *result);

/// An operation that is being written.
typedef struct XlaFft {
  XlaIr *ir;
  MlirOperation op;
  XlaElementType type; ///< of parts
  bool isInverse;
  bool fromParts; ///< each plane is an array that the first stage reads
  bool toPlanes;  ///< what follows reads the planes of the last stage
} XlaFft;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// An xla.fusion under construction.
typedef struct XlaFftKernel {
  XlaIr *ir; ///< where it goes
  XlaIr body;
  MlirRegion region;
  intptr_t n;
  MlirValue operands[5], arguments[5];
} XlaFftKernel;

/// Begins one that computes with `operands`, of which null ones are left out:
/// then their arguments are null.
void xlaFftKernelBegin(XlaFftKernel *kernel, XlaIr *ir, intptr_t n,
                       const MlirValue *operands);
/// Ends it, with the values that it gives.
void xlaFftKernelEnd(XlaFftKernel *kernel, intptr_t n, const MlirValue *values,
                     MlirValue *results);

/// Array `array` at `at` of dimension `d`, without that dimension.
MlirValue xlaFftAt(XlaIr *ir, MlirValue array, int d, int64_t at);
/// Elements `from` .. `to` of dimension `d`.
MlirValue xlaFftRange(XlaIr *ir, MlirValue array, int d, int64_t from,
                      int64_t to);
/// `array` times a number.
MlirValue xlaFftScale(XlaIr *ir, MlirValue array, double factor);
XlaComplex xlaFftMultiply(XlaIr *ir, XlaComplex x, XlaComplex y);
/// Transforms `n` numbers at each place, in place.
void xlaFftButterfly(XlaIr *ir, int64_t n, XlaComplex *x);

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

enum {
  xlaFftMaxRadix = 31, ///< numbers of a stage, if they are a prime number
  xlaFftMaxLast = 16,  ///< of the last one
  xlaFftMaxStages = 64
};

typedef struct XlaFftRadices {
  int n;
  int64_t all[xlaFftMaxStages];
} XlaFftRadices;

/// The stages of a length; false if it has a large prime factor.
bool xlaFftFactor(int64_t n, XlaFftRadices *radices);
/// The first of two factors of about the same size, both products of stages.
int64_t xlaFftHalve(const XlaFftRadices *radices);
/// Refuses a length of which the tables would be too large.
MlirLogicalResult xlaFftCheckLength(const XlaFft *fft, int64_t n);
/// Room for `n` numbers; NULL after a diagnostic.
XlaFourier *xlaFftNewNumbers(const XlaFft *fft, int64_t n);
/// A constant of numbers in two planes, of the real and of the imaginary parts.
/// Frees `numbers`, and is null after a diagnostic, also where those are NULL.
MlirValue xlaFftTable(const XlaFft *fft, int64_t rows, int64_t columns,
                      XlaFourier *numbers);
/// The roots e^(-2 pi i k p / n) in row k, column p.
MlirValue xlaFftRoots(const XlaFft *fft, int64_t rows, int64_t columns,
                      int64_t n);

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// Lines from this length on are cut in two dimensions, unless others lie
/// beside them.
enum { xlaFftShortest = 256 };

/// An array [outer, n, radix, 2, inner] in the middle of a transform: the
/// second dimension is yet to be transformed, `radix` is what the last stage
/// did, and what was done before leads `inner`. The first stage may get the
/// planes apart, and the last one may give them one after the other: arrays
/// [outer, n, inner] and [outer, 2, radix, inner].
typedef struct XlaFftLines {
  MlirValue array; ///< null where there are parts
  XlaComplex parts;
  int64_t outer, n, radix, inner;
} XlaFftLines;

/// What else is done to the numbers of lines: they are multiplied by tables,
/// [2, n, width], before and after (null: by 1), and by `scale` after. The last
/// dimension of lines begins with `width` in the tables.
typedef struct XlaFftFactors {
  MlirValue before, after;
  int64_t width;
  double scale;
} XlaFftFactors;

/// One stage. False after a diagnostic.
bool xlaFftStage(const XlaFft *fft, XlaFftLines *lines, int64_t radix,
                 const XlaFftFactors *factors);

/// Transforms dimension 2 of an array [outer, 2, n, inner], and multiplies by
/// `scale`. Null after a diagnostic.
MlirValue xlaFftTransform(const XlaFft *fft, MlirValue planes, double scale);

/// Arrays [outer, 2, n / 2, inner] of transforms of which the numbers are pairs
/// of real ones, to the n / 2 + 1 numbers of those, and the other way, before
/// the inverse transform. `n` is even. Null after a diagnostic.
MlirValue xlaFftFromPairs(const XlaFft *fft, MlirValue planes, int64_t n);
MlirValue xlaFftToPairs(const XlaFft *fft, MlirValue planes, int64_t n);
/// The other numbers of n real ones, which are conjugates; any `n`.
MlirValue xlaFftComplete(const XlaFft *fft, MlirValue planes, int64_t n);

#endif // XLAC_PASSES_FFT_FFT_H

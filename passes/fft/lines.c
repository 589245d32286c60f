//===- lines.c - Fourier transforms of one dimension ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fft/fft.h"

#include <stdlib.h>

enum { fewInner = 16 }; ///< numbers beside each other that fill vectors

static MlirValue null(void) { return (MlirValue){NULL}; }

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// All stages of a length; false after a diagnostic.
static bool transform(const XlaFft *fft, XlaFftLines *lines,
                      const XlaFftRadices *radices,
                      const XlaFftFactors *factors) {
  for (int i = 0; i < radices->n; ++i) {
    bool isFirst = !i, isLast = i == radices->n - 1;
    XlaFftFactors now = {.before = isFirst ? factors->before : null(),
                         .after = isLast ? factors->after : null(),
                         .width = 1,
                         .scale = isLast ? factors->scale : 1};
    if (now.before.ptr || now.after.ptr)
      now.width = factors->width;
    if (!xlaFftStage(fft, lines, radices->all[i], &now))
      return false;
  }
  return true;
}

/// The dimension that is to be transformed in front of the planes.
static XlaFftLines enter(const XlaFft *fft, MlirValue planes) {
  XlaShape shape = xlaArrayShape(planes);
  const int64_t *d = shape.dims;
  XlaFftLines lines = {.outer = d[0], .n = d[2], .radix = 1, .inner = d[3]};
  if (fft->fromParts) {
    lines.parts = (XlaComplex){xlaFftAt(fft->ir, planes, 1, 0),
                               xlaFftAt(fft->ir, planes, 1, 1)};
    return lines;
  }
  planes = xlaArrayTranspose(fft->ir, planes, (int64_t[4]){0, 2, 1, 3});
  lines.array =
      xlaArrayReshape(fft->ir, planes, 5, (int64_t[5]){d[0], d[2], 1, 2, d[3]});
  return lines;
}

/// [outer, 2, n, inner] again.
static MlirValue leave(const XlaFft *fft, const XlaFftLines *lines, int64_t n) {
  int64_t before = n / lines->radix, inner = lines->inner / before;
  MlirValue array = lines->array;
  if (!fft->toPlanes) {
    array = xlaArrayReshape(
        fft->ir, array, 5,
        (int64_t[5]){lines->outer, lines->radix, 2, before, inner});
    array = xlaArrayTranspose(fft->ir, array, (int64_t[5]){0, 2, 1, 3, 4});
  }
  return xlaArrayReshape(fft->ir, array, 4,
                         (int64_t[4]){lines->outer, 2, n, inner});
}

static MlirValue direct(const XlaFft *fft, MlirValue planes, int64_t n,
                        const XlaFftFactors *factors) {
  XlaFftRadices radices;
  XlaFftLines lines = enter(fft, planes);
  xlaFftFactor(n, &radices);
  return transform(fft, &lines, &radices, factors) ? leave(fft, &lines, n)
                                                   : null();
}

//===----------------------------------------------------------------------===//
// Long lines
//===----------------------------------------------------------------------===//

/// Lines of first * second numbers as an array of two dimensions, that one
/// after the other is transformed, so that numbers lie beside those that are
/// transformed at the same time.
static MlirValue inTwoSteps(const XlaFft *fft, MlirValue planes, int64_t first,
                            int64_t second, const XlaFftFactors *factors) {
  XlaShape shape = xlaArrayShape(planes);
  int64_t outer = shape.dims[0], inner = shape.dims[3], n = first * second;
  MlirValue roots = xlaFftRoots(fft, first, second, n);
  XlaFftFactors to = {factors->before, roots, second, 1};
  XlaFftFactors from = {null(), factors->after, first, factors->scale};
  XlaFft one = *fft, other = *fft;
  one.toPlanes = other.fromParts = false;
  if (!roots.ptr)
    return null();
  planes = xlaArrayReshape(fft->ir, planes, 4,
                           (int64_t[4]){outer, 2, first, second * inner});
  planes = direct(&one, planes, first, &to);
  if (!planes.ptr)
    return null();
  // Index k + first * l of the result comes of the k-th of the first step.
  planes = xlaArrayReshape(fft->ir, planes, 5,
                           (int64_t[5]){outer, 2, first, second, inner});
  planes = xlaArrayTranspose(fft->ir, planes, (int64_t[5]){0, 1, 3, 2, 4});
  planes = xlaArrayReshape(fft->ir, planes, 4,
                           (int64_t[4]){outer, 2, second, first * inner});
  planes = direct(&other, planes, second, &from);
  return planes.ptr ? xlaArrayReshape(fft->ir, planes, 4,
                                      (int64_t[4]){outer, 2, n, inner})
                    : null();
}

static MlirValue smooth(const XlaFft *fft, MlirValue planes,
                        const XlaFftRadices *radices,
                        const XlaFftFactors *factors) {
  XlaShape shape = xlaArrayShape(planes);
  int64_t n = shape.dims[2], first = xlaFftHalve(radices);
  return shape.dims[3] < fewInner && n >= xlaFftShortest && first < n
             ? inTwoSteps(fft, planes, first, n / first, factors)
             : direct(fft, planes, n, factors);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

typedef struct Chirp {
  MlirValue chirp, image, last; ///< tables; null after a diagnostic
} Chirp;

static Chirp chirpOf(const XlaFft *fft, int64_t n, int64_t size) {
  XlaFourier *chirp = xlaFftNewNumbers(fft, size), *last = NULL, *roots = NULL,
             *image = NULL;
  if (chirp && (last = xlaFftNewNumbers(fft, size)) &&
      (roots = xlaFftNewNumbers(fft, size)))
    image = xlaFftNewNumbers(fft, size);
  if (image) {
    xlaFourierRoots(roots, size);
    xlaFourierChirp(chirp, image, roots, n, size);
    for (int64_t k = 0; k < size; ++k) {
      if (k >= n)
        chirp[k] = (XlaFourier){0, 0};
      // Inverse transforms exchange the parts of what they scale.
      last[k] = (XlaFourier){chirp[k].re, -chirp[k].im};
    }
  }
  free(roots);
  if (!image) {
    free(chirp);
    free(last);
    return (Chirp){null(), null(), null()};
  }
  return (Chirp){xlaFftTable(fft, size, 1, chirp),
                 xlaFftTable(fft, size, 1, image),
                 xlaFftTable(fft, size, 1, last)};
}

static MlirValue convolve(const XlaFft *fft, MlirValue planes, double scale) {
  XlaShape shape = xlaArrayShape(planes);
  int64_t n = shape.dims[2], size = xlaFourierChirpSize(n);
  Chirp tables = chirpOf(fft, n, size);
  if (!tables.chirp.ptr || !tables.image.ptr || !tables.last.ptr)
    return null();
  XlaFftRadices radices;
  XlaFft there = *fft, back = *fft;
  there.fromParts = there.toPlanes = back.fromParts = false;
  back.isInverse = !fft->isInverse;
  xlaFftFactor(size, &radices);
  int64_t none[4] = {0}, high[4] = {0, 0, size - n, 0};
  planes = xlaArrayPad(fft->ir, planes, xlaArrayNumber(fft->ir, fft->type, 0),
                       none, high, none);
  planes = smooth(&there, planes, &radices,
                  &(XlaFftFactors){tables.chirp, tables.image, 1, 1});
  if (planes.ptr)
    planes =
        smooth(&back, planes, &radices,
               &(XlaFftFactors){null(), tables.last, 1, scale / (double)size});
  return planes.ptr ? xlaFftRange(fft->ir, planes, 2, 0, n) : null();
}

MlirValue xlaFftTransform(const XlaFft *fft, MlirValue planes, double scale) {
  XlaFftRadices radices;
  int64_t n = xlaArrayShape(planes).dims[2];
  return xlaFftFactor(n, &radices)
             ? smooth(fft, planes, &radices,
                      &(XlaFftFactors){null(), null(), 1, scale})
             : convolve(fft, planes, scale);
}

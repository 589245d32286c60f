//===- real.c - Fourier transforms of real numbers ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An even number of real ones is transformed as half as many complex numbers:
// those at even and at odd places are the parts of each. What comes of them is
// the sum of what comes of each, and conjugates tell them apart.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fft/fft.h"

static MlirValue null(void) { return (MlirValue){NULL}; }

static XlaComplex planesOf(XlaIr *ir, MlirValue planes) {
  return (XlaComplex){xlaFftAt(ir, planes, 1, 0), xlaFftAt(ir, planes, 1, 1)};
}

/// Numbers `from` .. `to` of [outer, n, inner].
static XlaComplex range(XlaIr *ir, XlaComplex x, int64_t from, int64_t to) {
  return (XlaComplex){xlaFftRange(ir, x.re, 1, from, to),
                      xlaFftRange(ir, x.im, 1, from, to)};
}

static MlirValue reversed(XlaIr *ir, MlirValue array) {
  return xlaIrOp(
      ir, "xla.reverse", mlirValueGetType(array), 1, &array, 1,
      &(XlaIrAttr){"dimensions",
                   mlirDenseI64ArrayGet(ir->context, 1, (int64_t[1]){1})});
}

/// The conjugates, in the other order.
static XlaComplex mirrored(XlaIr *ir, XlaComplex x) {
  return (XlaComplex){reversed(ir, x.re),
                      xlaIrUnary(ir, "xla.negate", reversed(ir, x.im))};
}

static XlaComplex each(XlaIr *ir, const char *name, XlaComplex x,
                       XlaComplex y) {
  return (XlaComplex){xlaIrBinary(ir, name, x.re, y.re),
                      xlaIrBinary(ir, name, x.im, y.im)};
}

static XlaComplex halved(XlaIr *ir, XlaComplex x) {
  return (XlaComplex){xlaFftScale(ir, x.re, 0.5), xlaFftScale(ir, x.im, 0.5)};
}

/// The roots 1 .. n / 2 - 1 in the shape of `like`, [outer, n / 2 - 1, inner].
static XlaComplex rootsLike(XlaIr *ir, MlirValue table, MlirValue like) {
  XlaShape shape = xlaArrayShape(like);
  MlirValue parts[2];
  for (int part = 0; part < 2; ++part) {
    MlirValue row = xlaArrayReshape(ir, xlaFftAt(ir, table, 0, part), 1,
                                    (int64_t[1]){shape.dims[1]});
    parts[part] = xlaArrayBroadcast(ir, row, 3, shape.dims, (int64_t[1]){1});
  }
  return (XlaComplex){parts[0], parts[1]};
}

static MlirValue rootsOf(const XlaFft *fft, int64_t n) {
  XlaFourier *roots = xlaFftNewNumbers(fft, n / 2 - 1);
  for (int64_t k = 1; roots && k < n / 2; ++k)
    roots[k - 1] = xlaFourierRoot(k, n);
  return xlaFftTable(fft, n / 2 - 1, 1, roots);
}

static MlirValue zerosLike(XlaIr *ir, MlirValue array) {
  XlaElementType type = xlaArrayShape(array).elementType;
  return xlaArraySplat(ir, xlaArrayNumber(ir, type, 0), array);
}

/// Three arrays one after the other, the middle one of which may be null.
static MlirValue join(XlaIr *ir, MlirValue a, MlirValue b, MlirValue c) {
  MlirValue all[3] = {a, b, c};
  if (b.ptr)
    return xlaArrayConcatenate(ir, c.ptr ? 3 : 2, all, 1);
  return c.ptr ? xlaArrayConcatenate(ir, 2, (MlirValue[2]){a, c}, 1) : a;
}

/// [outer, 2, n, inner] of two arrays [outer, n, inner].
static MlirValue stack(XlaIr *ir, const MlirValue parts[2]) {
  XlaShape shape = xlaArrayShape(parts[0]);
  int64_t dims[4] = {shape.dims[0], 1, shape.dims[1], shape.dims[2]};
  return xlaArrayConcatenate(
      ir, 2,
      (MlirValue[2]){xlaArrayReshape(ir, parts[0], 4, dims),
                     xlaArrayReshape(ir, parts[1], 4, dims)},
      1);
}

/// Begins a kernel of planes and, if there are numbers in the middle, of roots.
static bool begin(const XlaFft *fft, XlaFftKernel *kernel, MlirValue planes,
                  int64_t n) {
  MlirValue roots = null();
  if (n > 2 && !(roots = rootsOf(fft, n)).ptr)
    return false;
  xlaFftKernelBegin(kernel, fft->ir, 2, (MlirValue[2]){planes, roots});
  return true;
}

MlirValue xlaFftFromPairs(const XlaFft *fft, MlirValue planes, int64_t n) {
  XlaFftKernel kernel;
  if (!begin(fft, &kernel, planes, n))
    return null();
  XlaIr *ir = &kernel.body;
  XlaComplex z = planesOf(ir, kernel.arguments[0]);
  XlaComplex first = range(ir, z, 0, 1), middle = {null(), null()};
  if (n > 2) {
    XlaComplex a = range(ir, z, 1, n / 2), b = mirrored(ir, a);
    XlaComplex even = halved(ir, each(ir, "xla.add", a, b));
    XlaComplex odd = halved(ir, each(ir, "xla.subtract", a, b));
    // The odd ones are multiples of i.
    odd = xlaFftMultiply(
        ir, rootsLike(ir, kernel.arguments[1], odd.re),
        (XlaComplex){odd.im, xlaIrUnary(ir, "xla.negate", odd.re)});
    middle = each(ir, "xla.add", even, odd);
  }
  MlirValue zero = zerosLike(ir, first.re);
  MlirValue parts[2] = {
      join(ir, xlaIrBinary(ir, "xla.add", first.re, first.im), middle.re,
           xlaIrBinary(ir, "xla.subtract", first.re, first.im)),
      join(ir, zero, middle.im, zero)};
  xlaFftKernelEnd(&kernel, 2, parts, parts);
  return stack(fft->ir, parts);
}

MlirValue xlaFftToPairs(const XlaFft *fft, MlirValue planes, int64_t n) {
  XlaFftKernel kernel;
  if (!begin(fft, &kernel, planes, n))
    return null();
  XlaIr *ir = &kernel.body;
  XlaComplex x = planesOf(ir, kernel.arguments[0]);
  MlirValue first = xlaFftRange(ir, x.re, 1, 0, 1),
            last = xlaFftRange(ir, x.re, 1, n / 2, n / 2 + 1);
  // These two are real, whatever is given.
  XlaComplex ends =
      halved(ir, (XlaComplex){xlaIrBinary(ir, "xla.add", first, last),
                              xlaIrBinary(ir, "xla.subtract", first, last)});
  XlaComplex middle = {null(), null()};
  if (n > 2) {
    XlaComplex a = range(ir, x, 1, n / 2), b = mirrored(ir, a);
    XlaComplex root = rootsLike(ir, kernel.arguments[1], a.re);
    XlaComplex even = each(ir, "xla.add", a, b);
    XlaComplex odd = xlaFftMultiply(
        ir, each(ir, "xla.subtract", a, b),
        (XlaComplex){root.re, xlaIrUnary(ir, "xla.negate", root.im)});
    // The odd ones times i.
    middle = halved(
        ir, each(ir, "xla.add", even,
                 (XlaComplex){xlaIrUnary(ir, "xla.negate", odd.im), odd.re}));
  }
  MlirValue parts[2] = {join(ir, ends.re, middle.re, null()),
                        join(ir, ends.im, middle.im, null())};
  xlaFftKernelEnd(&kernel, 2, parts, parts);
  return stack(fft->ir, parts);
}

MlirValue xlaFftComplete(const XlaFft *fft, MlirValue planes, int64_t n) {
  XlaIr *ir = fft->ir;
  XlaComplex x = planesOf(ir, planes), others = {null(), null()};
  int64_t half = xlaArrayShape(x.re).dims[1];
  if (n > half)
    others = mirrored(ir, range(ir, x, 1, n - half + 1));
  // The first one is real, whatever is given.
  MlirValue zero = zerosLike(ir, xlaFftRange(ir, x.im, 1, 0, 1));
  MlirValue parts[2] = {
      join(ir, x.re, others.re, null()),
      join(ir, zero, half > 1 ? xlaFftRange(ir, x.im, 1, 1, half) : null(),
           others.im)};
  return stack(ir, parts);
}

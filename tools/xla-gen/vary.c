//===- vary.c - Liberties of implementations ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variations 1 and 2 round all results up, or down; 3 flushes denormals and
// turns the signs of NaNs and zeros; 4 reduces in the opposite order; the
// others take each of these liberties by chance, round each element up or down,
// and begin reductions anywhere.
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/accuracy.h"
#include "xlac/tools/xla-gen/gen.h"

#include <math.h>
#include <string.h>

bool xlaGenTakes(XlaGen *gen, XlaGenLiberty liberty) {
  int variation = gen->plain ? 0 : gen->options->variation;
  if (variation > 4)
    return liberty == XlaGenLibertyRounding ||
           (xlaGenNext(&gen->varyRandom) >> 40 & 1);
  switch (liberty) {
  case XlaGenLibertyRounding:
    return variation == 1 || variation == 2;
  case XlaGenLibertyFlush:
  case XlaGenLibertySigns:
    return variation == 3;
  case XlaGenLibertyOrder:
    return variation == 4;
  }
  return false;
}

static XlaGenValue made(MlirValue value) { return xlaGenValueOf(value); }

static XlaGenValue binary(XlaGen *gen, const char *name, XlaGenValue x,
                          XlaGenValue y) {
  return made(xlaIrBinary(&gen->ir, name, x.value, y.value));
}

static XlaGenValue compare(XlaGen *gen, const char *direction, XlaGenValue x,
                           XlaGenValue y) {
  MlirValue operands[] = {x.value, y.value};
  XlaShape shape = x.shape;
  shape.elementType = XlaElementTypePred;
  XlaIrAttr attr = {"comparison_direction",
                    xlaIrStringAttr(gen->ir.context, direction)};
  return made(xlaIrOp(&gen->ir, "xla.compare",
                      xlaShapeToMlir(&shape, gen->ir.context), 2, operands, 1,
                      &attr));
}

static XlaGenValue choose(XlaGen *gen, XlaGenValue pred, XlaGenValue x,
                          XlaGenValue y) {
  MlirValue operands[] = {pred.value, x.value, y.value};
  return made(xlaIrOp(&gen->ir, "xla.select", mlirValueGetType(x.value), 3,
                      operands, 0, NULL));
}

static XlaGenValue negated(XlaGen *gen, XlaGenValue x) {
  return made(xlaIrUnary(&gen->ir, "xla.negate", x.value));
}

/// Of `like`'s shape, repeated along all dimensions but the last.
static XlaGenValue repeated(XlaGen *gen, XlaGenValue x, const XlaShape *like) {
  if (like->rank < 2)
    return x;
  int64_t last = like->rank - 1;
  XlaIrAttr attr = xlaGenList(gen, "broadcast_dimensions", 1, &last);
  return made(xlaIrOp(&gen->ir, "xla.broadcast_in_dim",
                      xlaShapeToMlir(like, gen->ir.context), 1, &x.value, 1,
                      &attr));
}

static bool hasFloats(const XlaShape *shape, bool complexToo) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape->elementType);
  return info->exponentBits && info->flavor != XlaFloatFlavorE8m0 &&
         (complexToo || info->typeClass == XlaTypeClassFloat);
}

XlaGenValue xlaGenVaryRounding(XlaGen *gen, XlaGenValue x, double ulps) {
  if (ulps <= 0 || !hasFloats(&x.shape, true) ||
      !xlaGenTakes(gen, XlaGenLibertyRounding))
    return x;
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(x.shape.elementType);
  XlaShape shape = xlaGenScalar(x.shape.elementType);
  if (x.shape.rank)
    shape.dims[shape.rank++] = x.shape.dims[x.shape.rank - 1];
  XlaLiteral *factors = xlaLiteralCreateArray(&shape);
  double step = ldexp(ulps, -info->mantissaBits);
  for (int64_t i = 0; i < xlaLiteralGetElementCount(factors); ++i) {
    uint64_t random = xlaGenNext(&gen->varyRandom);
    double sign = gen->options->variation == 1   ? 1
                  : gen->options->variation == 2 ? -1
                  : random >> 60 & 1             ? 1
                                                 : -1;
    double turned = random >> 61 & 1 ? 1 : -1;
    bool isComplex = info->typeClass == XlaTypeClassComplex;
    // Functions are closer by far most of the time.
    double size =
        gen->options->variation > 4 ? (double)(random >> 32 & 255) / 255 : 1;
    size = size * step < ldexp(1.0, -info->mantissaBits)
               ? ldexp(1.0, -info->mantissaBits)
               : size * step;
    xlaLiteralSet(
        factors, i,
        (XlaScalar){.f = {1 + sign * size, isComplex ? turned * size : 0}});
  }
  MlirAttribute attr = xlaLiteralToAttribute(factors, gen->ir.context);
  xlaLiteralRelease(factors);
  XlaGenValue factor =
      made(xlaIrOp(&gen->ir, "xla.constant", mlirAttributeGetType(attr), 0,
                   NULL, 1, &(XlaIrAttr){"value", attr}));
  factor = repeated(gen, factor, &x.shape);
  XlaGenValue product = binary(gen, "xla.multiply", x, factor);
  if (info->typeClass != XlaTypeClassComplex)
    return product;
  // Infinities times a complex number become NaN.
  XlaGenValue zero = binary(gen, "xla.subtract", x, x);
  return choose(gen, compare(gen, "EQ", zero, zero), product, x);
}

/// Zeros of the same sign in place of denormals.
static XlaGenValue flushed(XlaGen *gen, XlaGenValue x) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(x.shape.elementType);
  if (xlaElementTypeIsComplex(x.shape.elementType)) {
    XlaShape part = x.shape;
    part.elementType = xlaElementTypeReal(part.elementType);
    MlirType type = xlaShapeToMlir(&part, gen->ir.context);
    MlirValue parts[2];
    for (int i = 0; i < 2; ++i)
      parts[i] =
          flushed(gen, made(xlaIrOp(&gen->ir, i ? "xla.imag" : "xla.real", type,
                                    1, &x.value, 0, NULL)))
              .value;
    return made(xlaIrOp(&gen->ir, "xla.complex", mlirValueGetType(x.value), 2,
                        parts, 0, NULL));
  }
  XlaGenValue least = xlaGenNumber(gen, &x.shape, ldexp(1.0, 1 - info->bias));
  XlaGenValue zero = xlaGenNumber(gen, &x.shape, 0);
  XlaGenValue size = made(xlaIrUnary(&gen->ir, "xla.abs", x.value));
  return choose(gen, compare(gen, "LT", size, least),
                binary(gen, "xla.multiply", x, zero), x);
}

XlaGenValue xlaGenVaryZero(XlaGen *gen, XlaGenValue x) {
  if (!hasFloats(&x.shape, true) || !xlaGenTakes(gen, XlaGenLibertySigns))
    return x;
  XlaGenValue zero = xlaGenNumber(gen, &x.shape, 0);
  return choose(gen, compare(gen, "EQ", x, zero), negated(gen, x), x);
}

XlaGenValue xlaGenWithoutNan(XlaGen *gen, XlaGenValue x, XlaGenValue other) {
  return choose(gen, compare(gen, "NE", x, x), other, x);
}

unsigned xlaGenOrder(XlaGen *gen) {
  if (!xlaGenTakes(gen, XlaGenLibertyOrder))
    return 0;
  return gen->options->variation == 4
             ? 1
             : (unsigned)(xlaGenNext(&gen->varyRandom) >> 33) | 1;
}

/// `x` from element `first` along `dim` on, and then those before it.
static XlaGenValue rotated(XlaGen *gen, XlaGenValue x, int64_t dim,
                           int64_t first) {
  MlirValue parts[2];
  for (int i = 0; i < 2; ++i) {
    XlaShape shape = x.shape;
    int64_t ones[XLA_MAX_RANK], from[XLA_MAX_RANK] = {0}, to[XLA_MAX_RANK];
    for (int d = 0; d < shape.rank; ++d) {
      ones[d] = 1;
      to[d] = shape.dims[d];
    }
    *(i ? &to[dim] : &from[dim]) = first;
    shape.dims[dim] = to[dim] - from[dim];
    XlaIrAttr attrs[] = {xlaGenList(gen, "start_indices", shape.rank, from),
                         xlaGenList(gen, "limit_indices", shape.rank, to),
                         xlaGenList(gen, "strides", shape.rank, ones)};
    parts[i] =
        xlaIrOp(&gen->ir, "xla.slice", xlaShapeToMlir(&shape, gen->ir.context),
                1, &x.value, 3, attrs);
  }
  XlaIrAttr attr = xlaGenInteger(gen, "dimension", dim);
  return made(xlaIrOp(&gen->ir, "xla.concatenate", mlirValueGetType(x.value), 2,
                      parts, 1, &attr));
}

XlaGenValue xlaGenOrdered(XlaGen *gen, XlaGenValue x, int nDims,
                          const int64_t *dims, unsigned order) {
  if (!order || !nDims || !hasFloats(&x.shape, true))
    return x;
  XlaIrAttr attr = xlaGenList(gen, "dimensions", nDims, dims);
  x = made(xlaIrOp(&gen->ir, "xla.reverse", mlirValueGetType(x.value), 1,
                   &x.value, 1, &attr));
  for (int i = 0; i < nDims; ++i) {
    int64_t n = x.shape.dims[dims[i]], first = n ? (order >> 1) % n : 0;
    if (first)
      x = rotated(gen, x, dims[i], first);
  }
  return x;
}

/// Whether an operation computes with floats, and so may flush denormals and
/// make NaNs; the others move their bits.
static bool computes(XlaOpKind kind, const XlaShape *shape) {
  const XlaOpInfo *info = xlaOpGetInfo(kind);
  return hasFloats(shape, true) && kind != XlaOpKindSelect &&
         kind != XlaOpKindReal && kind != XlaOpKindImag &&
         kind != XlaOpKindComplex && info->moves == XlaOpMovesNo &&
         info->family != XlaFamilyTuple && info->family != XlaFamilySort;
}

XlaGenValue xlaGenVaryOperand(XlaGen *gen, XlaOpKind kind, XlaGenValue x) {
  if (!computes(kind, &x.shape) || !xlaGenTakes(gen, XlaGenLibertyFlush))
    return x;
  return flushed(gen, x);
}

/// NaNs with other bits in place of the NaNs of `x`: of the other sign, or the
/// one that processors make.
static XlaGenValue otherNan(XlaGen *gen, XlaGenValue x) {
  bool isCanonical =
      gen->options->variation > 4 && (xlaGenNext(&gen->varyRandom) >> 40 & 1);
  XlaGenValue nan = isCanonical ? xlaGenNumber(gen, &x.shape, NAN) : x;
  return negated(gen, nan);
}

XlaGenValue xlaGenVaryResult(XlaGen *gen, XlaOpKind kind, XlaElementType from,
                             XlaGenValue x) {
  if (!computes(kind, &x.shape))
    return x;
  double ulps = xlaAccuracyUlps(kind, from);
  x = xlaGenVaryRounding(gen, x, ulps);
  if (xlaGenTakes(gen, XlaGenLibertyFlush))
    x = flushed(gen, x);
  if (xlaGenTakes(gen, XlaGenLibertySigns))
    x = choose(gen, compare(gen, "NE", x, x), otherNan(gen, x), x);
  return ulps > 0 ? xlaGenVaryZero(gen, x) : x;
}

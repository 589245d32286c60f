//===- random.c - Random numbers, shapes and elements ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-gen/gen.h"

#include <math.h>

uint64_t xlaGenNext(uint64_t *state) { // splitmix64
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static int64_t below(uint64_t *state, int64_t n) {
  return n > 0 ? (int64_t)((xlaGenNext(state) >> 1) % (uint64_t)n) : 0;
}

int xlaGenBelow(XlaGen *gen, int64_t n) { return (int)below(&gen->random, n); }

int64_t xlaGenExtent(XlaGen *gen) {
  static const int64_t extents[] = {1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 16, 17, 33};
  int n = sizeof extents / sizeof *extents;
  if (gen->options->nExtents && xlaGenBelow(gen, 12))
    return gen->options->extents[xlaGenBelow(gen, gen->options->nExtents)];
  if (gen->extent && xlaGenBelow(gen, 3))
    return xlaGenBelow(gen, 3) ? gen->extent : 1;
  return xlaGenBelow(gen, 50) ? extents[xlaGenBelow(gen, n)] : 0;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static bool isAllowed(const XlaGen *gen, XlaElementType type,
                      unsigned classes) {
  return gen->types[type] && xlaElementTypeGetInfo(type)->typeClass & classes;
}

XlaElementType xlaGenElementType(XlaGen *gen, unsigned classes) {
  for (int tries = 0; gen->nPalette && tries < 6; ++tries) {
    XlaElementType type = gen->palette[xlaGenBelow(gen, gen->nPalette)];
    if (isAllowed(gen, type, classes))
      return type;
  }
  int n = 0;
  for (XlaElementType type = 1; type < XlaElementTypeCount; ++type)
    n += isAllowed(gen, type, classes);
  int chosen = xlaGenBelow(gen, n);
  for (XlaElementType type = 1; type < XlaElementTypeCount; ++type)
    if (isAllowed(gen, type, classes) && !chosen--)
      return type;
  return XlaElementTypeInvalid;
}

XlaShape xlaGenScalar(XlaElementType type) {
  return (XlaShape){.elementType = type};
}

bool xlaGenFits(const XlaGen *gen, const XlaShape *shape) {
  int64_t count;
  return shape->rank <= xlaGenMaxRank + 1 &&
         xlaShapeGetElementCount(shape, &count) &&
         count <= gen->options->maxElements;
}

XlaShape xlaGenShape(XlaGen *gen, XlaElementType type) {
  XlaShape shape = xlaGenScalar(type);
  if (gen->scalars)
    return shape;
  do {
    shape.rank = xlaGenBelow(gen, 4) ? xlaGenBelow(gen, 4)
                                     : xlaGenBelow(gen, xlaGenMaxRank + 1);
    for (int i = 0; i < shape.rank; ++i)
      shape.dims[i] = xlaGenExtent(gen);
    if (shape.rank && !xlaGenBelow(gen, 12)) // a long one
      shape.dims[xlaGenBelow(gen, shape.rank)] = 1 + xlaGenBelow(gen, 400);
  } while (!xlaGenFits(gen, &shape));
  return shape;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

enum { nManners = 6 };

static double randomReal(uint64_t *state) { // in [-1, 1)
  return (double)(int64_t)xlaGenNext(state) * 0x1p-63;
}

/// A float of the format: mantissa and exponent of any size in `far` ones.
static double randomFloat(uint64_t *state, const XlaElementTypeInfo *info,
                          bool far) {
  int range = 1 << (info->exponentBits - 1);
  int exponent = far ? (int)below(state, 2 * range) - range : 0;
  return ldexp(randomReal(state), exponent);
}

static double specialFloat(uint64_t *state, const XlaElementTypeInfo *info) {
  int least = 1 - info->bias;
  const double values[] = {
      0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -2.5, 2.0, 100.5, INFINITY,
      -INFINITY, NAN, -NAN,
      // the largest and smallest normal ones, denormals, neighbours of 1
      ldexp(2.0 - ldexp(1.0, -info->mantissaBits), info->bias),
      -ldexp(2.0 - ldexp(1.0, -info->mantissaBits), info->bias),
      ldexp(1.0, least), -ldexp(1.0, least),
      ldexp(1.0, least - info->mantissaBits), ldexp(-0.75, least),
      1.0 + ldexp(1.0, -info->mantissaBits),
      1.0 - ldexp(0.5, -info->mantissaBits)};
  return values[below(state, sizeof values / sizeof *values)];
}

static double element(uint64_t *state, const XlaElementTypeInfo *info,
                      int manner) {
  switch (manner) {
  case 0: // small integers
    return (double)(below(state, 9) - 4);
  case 1: // few bits
    return (double)(below(state, 129) - 64) / 8;
  case 2: // most operations stay in range
    return 4 * randomReal(state);
  case 3:
    return below(state, 8) ? 4 * randomReal(state) : specialFloat(state, info);
  case 4:
    return randomFloat(state, info, true);
  default:
    return below(state, 3) ? randomFloat(state, info, below(state, 2))
                           : specialFloat(state, info);
  }
}

static int64_t integer(uint64_t *state, const XlaElementTypeInfo *info,
                       int manner) {
  int64_t any = (int64_t)xlaGenNext(state);
  bool isSigned = info->typeClass == XlaTypeClassSigned;
  switch (manner) {
  case 0:
  case 1:
    return below(state, 9) - (isSigned ? 4 : 0);
  case 2:
    return below(state, 200) - (isSigned ? 100 : 0);
  case 3: { // extremes, and numbers around the width
    const int64_t values[] = {0,
                              1,
                              -1,
                              2,
                              info->bits - 1,
                              info->bits,
                              info->bits + 1,
                              (int64_t)(UINT64_C(1) << (info->bits - 1)),
                              (int64_t)((UINT64_C(1) << (info->bits - 1)) - 1)};
    return values[below(state, 9)];
  }
  case 4:
    return any >> below(state, info->bits);
  default:
    return any;
  }
}

XlaLiteral *xlaGenLiteral(uint64_t *state, const XlaShape *shape, int manner) {
  XlaLiteral *literal = xlaLiteralCreateArray(shape);
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape->elementType);
  manner = (int)((unsigned)manner % nManners);
  for (int64_t i = 0; literal && i < xlaLiteralGetElementCount(literal); ++i) {
    XlaScalar value = {.u = 0};
    if (info->typeClass == XlaTypeClassPred) {
      value.u = (uint64_t)below(state, 2);
    } else if (info->exponentBits) {
      value.f.re = element(state, info, manner);
      value.f.im = info->typeClass == XlaTypeClassComplex
                       ? element(state, info, manner)
                       : 0.0;
    } else {
      value.s = integer(state, info, manner);
    }
    xlaLiteralSet(literal, i, value);
  }
  return literal;
}

XlaLiteral *xlaGenInput(uint64_t seed, int index, const XlaShape *shape) {
  uint64_t state = seed * 0xD1342543DE82EF95u + (uint64_t)index;
  int manner = (int)below(&state, nManners);
  return xlaGenLiteral(&state, shape, manner);
}

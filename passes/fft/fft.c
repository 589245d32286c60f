//===- fft.c - Fourier transforms as other operations ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the dimensions, numbers are arrays [2, outer, n, inner] of both
// planes, where n is what is transformed.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fft/fft.h"

#include "xlac/dialect/ops/fft.h"
#include "xlac/dialect/result_internal.h"

enum {
  fewInner = 16,   ///< numbers beside each other that fill vectors
  fewOuter = 16,   ///< and lines
  mostOuter = 32,  ///< lines beside each other, unless their number is prime
  cacheWay = 4096, ///< bytes after which caches have no other place
};

static MlirValue null(void) { return (MlirValue){NULL}; }

/// The sizes before dimension `d`, of it, and after it.
static void cut(const XlaShape *shape, int d, int64_t sizes[3]) {
  sizes[0] = sizes[1] = sizes[2] = 1;
  for (int i = 0; i < shape->rank; ++i)
    sizes[(i >= d) + (i > d)] *= shape->dims[i];
}

/// What is done along a dimension.
typedef enum Way {
  WayComplex,
  WayFromPairs, ///< of pairs of real numbers
  WayToPairs,
  WayFromReal, ///< an odd number of them
  WayToReal,
} Way;

/// [outer, 2, n, inner], transformed; `n` is the number of real ones.
static MlirValue transform(const XlaFft *fft, MlirValue planes, Way way,
                           int64_t n) {
  double scale = fft->isInverse ? 1 / (double)n : 1;
  XlaFft lines = *fft;
  lines.fromParts = way == WayToPairs || way == WayToReal;
  lines.toPlanes = way == WayFromPairs || way == WayFromReal;
  // With half as many numbers, half as much is left to scale.
  if (way == WayToPairs) {
    planes = xlaFftToPairs(fft, planes, n);
    scale *= 2;
  }
  if (way == WayToReal)
    planes = xlaFftComplete(fft, planes, n);
  if (planes.ptr)
    planes = xlaFftTransform(&lines, planes, scale);
  if (planes.ptr && way == WayFromPairs)
    planes = xlaFftFromPairs(fft, planes, n);
  if (planes.ptr && way == WayFromReal)
    planes = xlaFftRange(fft->ir, planes, 2, 0, n / 2 + 1);
  return planes;
}

/// How many of `outer` lines that lie apart are laid beside each other: not
/// all, as what a stage reads would lie farther apart then than caches can
/// hold.
static int64_t groupOf(int64_t outer) {
  for (int64_t group = fewOuter; group <= mostOuter; ++group)
    if (!(outer % group))
      return group;
  return outer;
}

/// Whether lines of `n` numbers are laid beside each other to fill vectors.
/// Those that lie a multiple of `cacheWay` apart would meet in few places of
/// the caches, as their numbers do: they are cut (lines.c).
static bool isGrouped(const XlaFft *fft, const int64_t sizes[3], int64_t n) {
  int64_t outer = sizes[0], inner = sizes[2];
  int64_t apart = n * inner * 2 * xlaElementTypeGetInfo(fft->type)->bytes;
  return inner < fewInner && outer >= fewOuter &&
         (n < xlaFftShortest || apart % cacheWay);
}

/// Planes [groups, 2, n, group, inner] after a transform: of `groups` times
/// `group` lines, and what lies beside each number.
typedef struct Grouped {
  MlirValue planes;
  int64_t groups, group, n, inner;
} Grouped;

/// Transforms dimension `d` of `shape`, which changes with it. Many lines that
/// lie apart are laid beside each other.
static Grouped along(const XlaFft *fft, MlirValue planes, XlaShape *shape,
                     int d, Way way, int64_t n) {
  int64_t sizes[3];
  cut(shape, d, sizes);
  int64_t outer = sizes[0], inner = sizes[2];
  bool isPairs = way == WayFromPairs || way == WayToPairs;
  bool isMany = isGrouped(fft, sizes, isPairs ? n / 2 : n);
  int64_t group = isMany ? groupOf(outer) : 1, groups = outer / group;
  planes = xlaArrayReshape(fft->ir, planes, 5,
                           (int64_t[5]){2, groups, group, sizes[1], inner});
  planes = xlaArrayTranspose(fft->ir, planes, (int64_t[5]){1, 0, 3, 2, 4});
  planes = xlaArrayReshape(fft->ir, planes, 4,
                           (int64_t[4]){groups, 2, sizes[1], group * inner});
  planes = transform(fft, planes, way, n);
  if (planes.ptr)
    shape->dims[d] = xlaArrayShape(planes).dims[2];
  return (Grouped){planes, groups, group, shape->dims[d], inner};
}

/// The planes one after the other, each in the order of the array.
static MlirValue inOrder(XlaIr *ir, const Grouped *lines) {
  int64_t dims[5] = {lines->groups, 2, lines->n, lines->group, lines->inner};
  return xlaArrayTranspose(ir, xlaArrayReshape(ir, lines->planes, 5, dims),
                           (int64_t[5]){1, 0, 3, 2, 4});
}

//===----------------------------------------------------------------------===//
// Planes and parts
//===----------------------------------------------------------------------===//

static MlirValue joinParts(XlaIr *ir, XlaComplex x) {
  MlirValue pairs = xlaComplexPairs(ir, x);
  int rank = xlaArrayShape(pairs).rank;
  int64_t permutation[XLA_MAX_RANK];
  for (int d = 0; d < rank; ++d)
    permutation[d] = d ? d - 1 : rank - 1;
  return xlaArrayTranspose(ir, pairs, permutation);
}

/// Each plane in the order of the array, of `shape`. Planes that are arrays of
/// their own are brought in order one by one, others together: processors read
/// what lies apart faster than they write pairs of it.
static XlaComplex splitPlanes(XlaIr *ir, const Grouped *lines, bool areParts,
                              const XlaShape *shape) {
  int64_t dims[4] = {lines->groups, lines->n, lines->group, lines->inner};
  int64_t size = dims[0] * dims[1] * dims[2] * dims[3];
  MlirValue parts[2], all = {NULL};
  if (!areParts)
    all = xlaArrayReshape(ir, inOrder(ir, lines), 2, (int64_t[2]){2, size});
  for (int part = 0; part < 2; ++part) {
    MlirValue plane;
    if (areParts) {
      plane =
          xlaArrayReshape(ir, xlaFftAt(ir, lines->planes, 1, part), 4, dims);
      plane = xlaArrayTranspose(ir, plane, (int64_t[4]){0, 2, 1, 3});
    } else {
      plane = xlaFftAt(ir, all, 0, part);
    }
    parts[part] = xlaArrayReshape(ir, plane, shape->rank, shape->dims);
  }
  return (XlaComplex){parts[0], parts[1]};
}

/// Real numbers as complex ones, `*shape` of them, and how they are
/// transformed.
static MlirValue fromReal(XlaIr *ir, MlirValue array, XlaShape *shape,
                          Way *way) {
  XlaComplex x = {array, null()};
  int last = shape->rank - 1;
  *way = shape->dims[last] % 2 ? WayFromReal : WayFromPairs;
  if (*way == WayFromPairs) {
    XlaShape pairs = *shape;
    shape->dims[last] /= 2;
    pairs.dims[last] /= 2;
    pairs.dims[pairs.rank++] = 2;
    x = xlaComplexFromPairs(ir,
                            xlaArrayReshape(ir, array, pairs.rank, pairs.dims));
  } else {
    x.im = xlaArraySplat(ir, xlaArrayNumber(ir, shape->elementType, 0), array);
  }
  return joinParts(ir, x);
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

static XlaShape resultShape(MlirOperation op) {
  XlaShape shape;
  xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 0)), &shape,
                   NULL);
  shape.elementType = xlaElementTypeReal(shape.elementType);
  return shape;
}

static XlaComplex nothing(XlaIr *ir, const XlaShape *shape, bool isReal) {
  MlirValue zeros =
      xlaArrayBroadcast(ir, xlaArrayNumber(ir, shape->elementType, 0),
                        shape->rank, shape->dims, NULL);
  return (XlaComplex){zeros, isReal ? null() : zeros};
}

/// Transforms a dimension of an array after another. The last dimension of real
/// numbers comes first, of results that are real it comes last.
static bool transformAll(const XlaFft *fft, XlaFftType type,
                         const XlaI64List *lengths, XlaComplex operand,
                         XlaComplex *result) {
  XlaIr *ir = fft->ir;
  XlaShape shape = xlaArrayShape(operand.re), to = resultShape(fft->op);
  int last = shape.rank - 1, first = shape.rank - lengths->size;
  int64_t n = lengths->values[lengths->size - 1];
  bool isFromReal = type == XlaFftTypeRfft, isToReal = type == XlaFftTypeIrfft;
  Way way = n % 2 ? WayToReal : WayToPairs;
  MlirValue planes = isFromReal ? fromReal(ir, operand.re, &shape, &way)
                                : joinParts(ir, operand);
  Grouped lines = {.planes = planes};
  for (int i = first; i <= last && lines.planes.ptr; ++i) {
    int d = isFromReal ? (i == first ? last : i - 1) : i;
    if (i > first)
      planes = inOrder(ir, &lines);
    bool isReal = (isFromReal || isToReal) && d == last;
    lines = along(fft, planes, &shape, d, isReal ? way : WayComplex,
                  isReal ? n : shape.dims[d]);
  }
  if (!lines.planes.ptr)
    return false;
  bool areParts = way == WayFromPairs && first == last;
  *result = splitPlanes(ir, &lines, areParts, &shape);
  if (isToReal)
    *result =
        (XlaComplex){n % 2 ? result->re
                           : xlaArrayReshape(ir, xlaComplexPairs(ir, *result),
                                             to.rank, to.dims),
                     null()};
  return true;
}

MlirLogicalResult xlaFftExpand(XlaIr *ir, MlirOperation op, XlaComplex operand,
                               XlaComplex *result) {
  XlaFftType type = xlaFftReadType(xlaOpGetAttr(op, "fft_type"));
  XlaShape to = resultShape(op);
  XlaI64List lengths;
  int64_t count;
  xlaOpGetList(op, "fft_length", &lengths);
  if (!xlaShapeGetElementCount(&to, &count) || !count) {
    *result = nothing(ir, &to, type == XlaFftTypeIrfft);
    return success();
  }
  XlaFft fft = {.ir = ir,
                .op = op,
                .type = to.elementType,
                .isInverse = type == XlaFftTypeIfft || type == XlaFftTypeIrfft};
  for (int i = 0; i < lengths.size; ++i)
    if (failed(xlaFftCheckLength(&fft, lengths.values[i])))
      return failure();
  return transformAll(&fft, type, &lengths, operand, result) ? success()
                                                             : failure();
}

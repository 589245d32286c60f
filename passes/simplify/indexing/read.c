//===- read.c - Strided reads as chains -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A read at strides is a reshape of the source to dimensions in which each
// digit has one of its own, a slice and a reverse of those, a transpose, a
// broadcast, and a reshape to the result; most of them do nothing. How the
// source is cut into dimensions is a choice: three are tried.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/simplify/indexing/indexing.h"

#include <stdlib.h>
#include <string.h>

/// The ways to cut.
typedef enum Cut {
  CutResult, ///< digits are as the result's dimensions have them
  CutSource, ///< digits are split where the source's dimensions begin
  CutFlat,   ///< digits are as long as they can be
  CutCount,
} Cut;

typedef struct Source {
  XlaShape from;
  int64_t count; ///< elements of `from`
  int64_t offset;
  int n; ///< digits in the order of the result
  XlaReadDigit digits[XlaMaxReadDigits];
  /// Dimensions of the source by the elements that a step in them crosses, in
  /// falling order.
  int nDims;
  int64_t strides[XLA_MAX_RANK];
  int digit[XLA_MAX_RANK]; ///< that moves in a dimension, or -1
} Source;

static int64_t magnitude(int64_t a) { return a < 0 ? -a : a; }

//===----------------------------------------------------------------------===//
// Digits and dimensions
//===----------------------------------------------------------------------===//

/// Neighbours that move as one digit become one.
static void mergeDigits(Source *source) {
  int n = 0;
  for (int i = 0; i < source->n; ++i) {
    XlaReadDigit digit = source->digits[i],
                 *last = n ? &source->digits[n - 1] : NULL;
    if (last && digit.stride && last->stride == digit.size * digit.stride)
      *last = (XlaReadDigit){last->size * digit.size, digit.stride};
    else
      source->digits[n++] = digit;
  }
  source->n = n;
}

/// Whether a dimension of stride `f` begins inside the digit.
static bool isInside(const XlaReadDigit *digit, int64_t f) {
  int64_t step = magnitude(digit->stride);
  return step && step < f && f < step * digit->size;
}

/// Splits all digits that `f` is inside of. False if one cannot be split.
static bool splitDigits(Source *source, int64_t f) {
  for (int i = 0; i < source->n; ++i) {
    XlaReadDigit *digit = &source->digits[i];
    int64_t step = magnitude(digit->stride);
    if (!isInside(digit, f))
      continue;
    int64_t inner = f / step;
    if (f % step || digit->size % inner || source->n == XlaMaxReadDigits)
      return false;
    memmove(digit + 1, digit, (size_t)(source->n - i) * sizeof *digit);
    digit[0] = (XlaReadDigit){digit->size / inner, digit->stride < 0 ? -f : f};
    digit[1].size = inner;
    ++source->n;
    ++i;
  }
  return true;
}

/// The source's dimensions, as far as the way to cut keeps them.
static void cutSource(Source *source, Cut cut) {
  int64_t stride = source->count;
  source->nDims = 0;
  for (int d = 0; d < source->from.rank; ++d) {
    if (source->from.dims[d] == 1)
      continue;
    stride /= source->from.dims[d];
    bool kept = stride == 1 || cut != CutFlat;
    if (cut == CutSource)
      kept = splitDigits(source, stride);
    for (int i = 0; i < source->n && cut == CutResult; ++i)
      kept &= !isInside(&source->digits[i], stride);
    if (kept || stride == 1)
      source->strides[source->nDims++] = stride;
  }
}

/// Adds a dimension of stride `f` before dimension `at`.
static bool addDimension(Source *source, int at, int64_t f) {
  int64_t above = at ? source->strides[at - 1] : source->count;
  if (source->nDims == XLA_MAX_RANK || above % f || f % source->strides[at] ||
      above == f || f == source->strides[at])
    return false;
  memmove(source->strides + at + 1, source->strides + at,
          (size_t)(source->nDims - at) * sizeof *source->strides);
  source->strides[at] = f;
  ++source->nDims;
  return true;
}

/// Gives each digit a dimension; two in one dimension cut it. 1: done, 0: a
/// dimension was added, -1: there is no such way.
static int assignDigits(Source *source) {
  for (int d = 0; d < source->nDims; ++d)
    source->digit[d] = -1;
  for (int i = 0; i < source->n; ++i) {
    int64_t step = magnitude(source->digits[i].stride);
    int d = 0;
    if (!step)
      continue;
    while (d < source->nDims && source->strides[d] > step)
      ++d;
    if (d == source->nDims || step % source->strides[d])
      return -1;
    if (source->digit[d] >= 0) {
      int64_t other = magnitude(source->digits[source->digit[d]].stride);
      return addDimension(source, d, other > step ? other : step) ? 0 : -1;
    }
    source->digit[d] = i;
  }
  return 1;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static int64_t sizeOf(const Source *source, int d) {
  return (d ? source->strides[d - 1] : source->count) / source->strides[d];
}

/// Where dimension `d` of the source is in `shape`, the source in another
/// shape: its dimensions of size 1 are no dimensions of the source.
static void findPlaces(const Source *source, const XlaShape *shape,
                       int *places) {
  int n = 0;
  for (int i = 0; i < shape->rank && n < source->nDims; ++i)
    if (shape->dims[i] != 1)
      places[n++] = i;
}

/// Whether the source's dimensions are the source's own.
static bool keepsShape(const Source *source) {
  int n = 0;
  for (int i = 0; i < source->from.rank; ++i) {
    if (source->from.dims[i] == 1)
      continue;
    if (n == source->nDims || sizeOf(source, n) != source->from.dims[i])
      return false;
    ++n;
  }
  return n == source->nDims;
}

/// A slice to what the digits read, and a reverse. `shape` is the source with
/// the source's dimensions, and then the result's.
static bool addSlice(const Source *source, XlaShape *shape, MoveChain *chain) {
  int places[XLA_MAX_RANK];
  int64_t offset = source->offset;
  MoveStep slice = {.kind = XlaOpKindSlice}, reverse = {.n = 0};
  bool isAll = true;
  findPlaces(source, shape, places);
  for (int i = 0; i < source->n; ++i)
    if (source->digits[i].stride < 0)
      offset += source->digits[i].stride * (source->digits[i].size - 1);
  if (offset < 0)
    return false;
  for (int i = 0; i < shape->rank; ++i) {
    slice.a[i] = 0;
    slice.b[i] = shape->dims[i];
    slice.c[i] = 1;
  }
  for (int d = 0; d < source->nDims; ++d) {
    const XlaReadDigit *digit =
        source->digit[d] < 0 ? NULL : &source->digits[source->digit[d]];
    int64_t size = digit ? digit->size : 1, from = offset / source->strides[d];
    int64_t step = digit ? magnitude(digit->stride) / source->strides[d] : 1;
    int64_t last = from + step * (size - 1);
    int at = places[d];
    offset %= source->strides[d];
    if (last >= shape->dims[at])
      return false;
    isAll &= size == shape->dims[at];
    slice.a[at] = from;
    slice.b[at] = last + 1;
    slice.c[at] = step;
    shape->dims[at] = size;
    if (digit && digit->stride < 0)
      reverse.a[reverse.n++] = at;
  }
  MoveStep *step;
  if (!isAll) {
    if (!(step = xlaMoveChainAdd(chain, XlaOpKindSlice, shape)))
      return false;
    memcpy(step->a, slice.a, sizeof step->a);
    memcpy(step->b, slice.b, sizeof step->b);
    memcpy(step->c, slice.c, sizeof step->c);
  }
  if (reverse.n) {
    if (!(step = xlaMoveChainAdd(chain, XlaOpKindReverse, shape)))
      return false;
    step->n = reverse.n;
    memcpy(step->a, reverse.a, sizeof step->a);
  }
  return true;
}

/// From digits in the order of the source to digits in that of the result.
static bool addTranspose(const Source *source, XlaShape *shape,
                         MoveChain *chain) {
  int place[XlaMaxReadDigits], n = 0;
  int64_t permutation[XLA_MAX_RANK];
  bool moves = false;
  for (int d = 0; d < source->nDims; ++d)
    if (source->digit[d] >= 0)
      place[source->digit[d]] = n++;
  n = 0;
  for (int i = 0; i < source->n; ++i)
    if (source->digits[i].stride) {
      moves |= place[i] != n;
      shape->dims[n] = source->digits[i].size;
      permutation[n++] = place[i];
    }
  if (!moves)
    return true;
  MoveStep *step = xlaMoveChainAdd(chain, XlaOpKindTranspose, shape);
  if (!step)
    return false;
  step->n = n;
  memcpy(step->a, permutation, (size_t)n * sizeof *permutation);
  return true;
}

static bool addBroadcast(const Source *source, XlaShape *shape,
                         MoveChain *chain) {
  int64_t dims[XLA_MAX_RANK];
  int n = 0;
  if (source->n > XLA_MAX_RANK)
    return false;
  for (int i = 0; i < source->n; ++i)
    if (source->digits[i].stride)
      dims[n++] = i;
  if (n == source->n)
    return true;
  shape->rank = source->n;
  for (int i = 0; i < source->n; ++i)
    shape->dims[i] = source->digits[i].size;
  MoveStep *step = xlaMoveChainAdd(chain, XlaOpKindBroadcastInDim, shape);
  if (!step)
    return false;
  step->n = n;
  memcpy(step->a, dims, (size_t)n * sizeof *dims);
  return true;
}

/// The chain of one way to cut; its source is known.
static bool tryCut(const XlaShape *from, const XlaStridedRead *read, Cut cut,
                   const XlaShape *to, MoveChain *chain) {
  Source source = {
      .from = *from, .count = 1, .offset = read->offset, .n = read->n};
  XlaShape shape = *from, squeezed = {.elementType = from->elementType};
  int assigned = 0;
  memcpy(source.digits, read->digits, (size_t)read->n * sizeof *read->digits);
  for (int d = 0; d < from->rank; ++d)
    source.count *= from->dims[d];
  if (cut != CutResult)
    mergeDigits(&source);
  cutSource(&source, cut);
  while (!assigned)
    assigned = assignDigits(&source);
  if (assigned < 0)
    return false;
  if (!keepsShape(&source)) {
    shape.rank = source.nDims;
    for (int d = 0; d < source.nDims; ++d)
      shape.dims[d] = sizeOf(&source, d);
    if (!xlaMoveChainReshape(chain, from, &shape))
      return false;
  }
  if (!addSlice(&source, &shape, chain))
    return false;
  for (int i = 0; i < shape.rank; ++i)
    if (shape.dims[i] != 1)
      squeezed.dims[squeezed.rank++] = shape.dims[i];
  int before = chain->n;
  MoveStep last = before ? chain->steps[before - 1] : (MoveStep){.n = 0};
  if (!xlaMoveChainReshape(chain, from, &squeezed))
    return false;
  int here = chain->n;
  if (!addTranspose(&source, &squeezed, chain) ||
      !addBroadcast(&source, &squeezed, chain))
    return false;
  if (chain->n == here) { // without the reshape in between
    chain->n = before;
    if (before)
      chain->steps[before - 1] = last;
  }
  return xlaMoveChainReshape(chain, from, to);
}

bool xlaMoveChainOfRead(const XlaShape *from, const XlaStridedRead *read,
                        const XlaShape *to, MoveChain *chain) {
  MoveChain *other = malloc(sizeof *other);
  bool found = false;
  for (Cut cut = 0; cut < CutCount && other; ++cut) {
    xlaMoveChainBegin(other, chain->source);
    if (!tryCut(from, read, cut, to, other))
      continue;
    MoveCost cost = xlaMoveChainGetCost(other);
    if (!found || xlaMoveIsCheaper(cost, xlaMoveChainGetCost(chain)))
      *chain = *other;
    found = true;
    if (cost.work <= 1)
      break;
  }
  free(other);
  return found;
}

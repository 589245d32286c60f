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

typedef struct Cutting {
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
} Cutting;

static int64_t magnitude(int64_t a) { return a < 0 ? -a : a; }

//===----------------------------------------------------------------------===//
// Digits and dimensions
//===----------------------------------------------------------------------===//

/// Neighbours that move as one digit become one.
static void mergeDigits(Cutting *cutting) {
  int n = 0;
  for (int i = 0; i < cutting->n; ++i) {
    XlaReadDigit digit = cutting->digits[i],
                 *last = n ? &cutting->digits[n - 1] : NULL;
    if (last && digit.stride && last->stride == digit.size * digit.stride)
      *last = (XlaReadDigit){last->size * digit.size, digit.stride};
    else
      cutting->digits[n++] = digit;
  }
  cutting->n = n;
}

/// Whether a dimension of stride `f` begins inside the digit.
static bool isInside(const XlaReadDigit *digit, int64_t f) {
  int64_t step = magnitude(digit->stride);
  return step && step < f && f < step * digit->size;
}

/// Splits all digits that `f` is inside of. False if one cannot be split.
static bool splitDigits(Cutting *cutting, int64_t f) {
  for (int i = 0; i < cutting->n; ++i) {
    XlaReadDigit *digit = &cutting->digits[i];
    int64_t step = magnitude(digit->stride);
    if (!isInside(digit, f))
      continue;
    int64_t inner = f / step;
    if (f % step || digit->size % inner || cutting->n == XlaMaxReadDigits)
      return false;
    memmove(digit + 1, digit, (size_t)(cutting->n - i) * sizeof *digit);
    digit[0] = (XlaReadDigit){digit->size / inner, digit->stride < 0 ? -f : f};
    digit[1].size = inner;
    ++cutting->n;
    ++i;
  }
  return true;
}

/// The source's dimensions, as far as the way to cut keeps them.
static void cutSource(Cutting *cutting, Cut cut) {
  int64_t stride = cutting->count;
  cutting->nDims = 0;
  for (int d = 0; d < cutting->from.rank; ++d) {
    if (cutting->from.dims[d] == 1)
      continue;
    stride /= cutting->from.dims[d];
    bool kept = stride == 1 || cut != CutFlat;
    if (cut == CutSource)
      kept = splitDigits(cutting, stride);
    for (int i = 0; i < cutting->n && cut == CutResult; ++i)
      kept &= !isInside(&cutting->digits[i], stride);
    if (kept || stride == 1)
      cutting->strides[cutting->nDims++] = stride;
  }
}

/// Adds a dimension of stride `f` before dimension `at`.
static bool addDimension(Cutting *cutting, int at, int64_t f) {
  int64_t above = at ? cutting->strides[at - 1] : cutting->count;
  if (cutting->nDims == XLA_MAX_RANK || above % f || f % cutting->strides[at] ||
      above == f || f == cutting->strides[at])
    return false;
  memmove(cutting->strides + at + 1, cutting->strides + at,
          (size_t)(cutting->nDims - at) * sizeof *cutting->strides);
  cutting->strides[at] = f;
  ++cutting->nDims;
  return true;
}

/// Gives each digit a dimension; two in one dimension cut it. 1: done, 0: a
/// dimension was added, -1: there is no such way.
static int assignDigits(Cutting *cutting) {
  for (int d = 0; d < cutting->nDims; ++d)
    cutting->digit[d] = -1;
  for (int i = 0; i < cutting->n; ++i) {
    int64_t step = magnitude(cutting->digits[i].stride);
    int d = 0;
    if (!step)
      continue;
    while (d < cutting->nDims && cutting->strides[d] > step)
      ++d;
    if (d == cutting->nDims || step % cutting->strides[d])
      return -1;
    if (cutting->digit[d] >= 0) {
      int64_t other = magnitude(cutting->digits[cutting->digit[d]].stride);
      return addDimension(cutting, d, other > step ? other : step) ? 0 : -1;
    }
    cutting->digit[d] = i;
  }
  return 1;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static int64_t sizeOf(const Cutting *cutting, int d) {
  return (d ? cutting->strides[d - 1] : cutting->count) / cutting->strides[d];
}

/// Where dimension `d` of the cutting is in `shape`, the source in another
/// shape: its dimensions of size 1 are no dimensions of the cutting.
static void findPlaces(const Cutting *cutting, const XlaShape *shape,
                       int *places) {
  int n = 0;
  for (int i = 0; i < shape->rank && n < cutting->nDims; ++i)
    if (shape->dims[i] != 1)
      places[n++] = i;
}

/// Whether the dimensions that were cut are the source's own.
static bool keepsShape(const Cutting *cutting) {
  int n = 0;
  for (int i = 0; i < cutting->from.rank; ++i) {
    if (cutting->from.dims[i] == 1)
      continue;
    if (n == cutting->nDims || sizeOf(cutting, n) != cutting->from.dims[i])
      return false;
    ++n;
  }
  return n == cutting->nDims;
}

/// A slice to what the digits read, and a reverse. `shape` is the source with
/// the source's dimensions, and then the result's.
static bool addSlice(const Cutting *cutting, XlaShape *shape,
                     MoveChain *chain) {
  int places[XLA_MAX_RANK];
  int64_t offset = cutting->offset;
  MoveStep slice = {.kind = XlaOpKindSlice}, reverse = {.n = 0};
  bool isAll = true;
  findPlaces(cutting, shape, places);
  for (int i = 0; i < cutting->n; ++i)
    if (cutting->digits[i].stride < 0)
      offset += cutting->digits[i].stride * (cutting->digits[i].size - 1);
  if (offset < 0)
    return false;
  for (int i = 0; i < shape->rank; ++i) {
    slice.a[i] = 0;
    slice.b[i] = shape->dims[i];
    slice.c[i] = 1;
  }
  for (int d = 0; d < cutting->nDims; ++d) {
    const XlaReadDigit *digit =
        cutting->digit[d] < 0 ? NULL : &cutting->digits[cutting->digit[d]];
    int64_t size = digit ? digit->size : 1, from = offset / cutting->strides[d];
    int64_t step = digit ? magnitude(digit->stride) / cutting->strides[d] : 1;
    int64_t last = from + step * (size - 1);
    int at = places[d];
    offset %= cutting->strides[d];
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
static bool addTranspose(const Cutting *cutting, XlaShape *shape,
                         MoveChain *chain) {
  int place[XlaMaxReadDigits], n = 0;
  int64_t permutation[XLA_MAX_RANK];
  bool moves = false;
  for (int d = 0; d < cutting->nDims; ++d)
    if (cutting->digit[d] >= 0)
      place[cutting->digit[d]] = n++;
  n = 0;
  for (int i = 0; i < cutting->n; ++i)
    if (cutting->digits[i].stride) {
      moves |= place[i] != n;
      shape->dims[n] = cutting->digits[i].size;
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

static bool addBroadcast(const Cutting *cutting, XlaShape *shape,
                         MoveChain *chain) {
  int64_t dims[XLA_MAX_RANK];
  int n = 0;
  if (cutting->n > XLA_MAX_RANK)
    return false;
  for (int i = 0; i < cutting->n; ++i)
    if (cutting->digits[i].stride)
      dims[n++] = i;
  if (n == cutting->n)
    return true;
  shape->rank = cutting->n;
  for (int i = 0; i < cutting->n; ++i)
    shape->dims[i] = cutting->digits[i].size;
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
  Cutting cutting = {
      .from = *from, .count = 1, .offset = read->offset, .n = read->n};
  XlaShape shape = *from, squeezed = {.elementType = from->elementType};
  int assigned = 0;
  memcpy(cutting.digits, read->digits, (size_t)read->n * sizeof *read->digits);
  for (int d = 0; d < from->rank; ++d)
    cutting.count *= from->dims[d];
  if (cut != CutResult)
    mergeDigits(&cutting);
  cutSource(&cutting, cut);
  while (!assigned)
    assigned = assignDigits(&cutting);
  if (assigned < 0)
    return false;
  if (!keepsShape(&cutting)) {
    shape.rank = cutting.nDims;
    for (int d = 0; d < cutting.nDims; ++d)
      shape.dims[d] = sizeOf(&cutting, d);
    if (!xlaMoveChainReshape(chain, from, &shape))
      return false;
  }
  if (!addSlice(&cutting, &shape, chain))
    return false;
  for (int i = 0; i < shape.rank; ++i)
    if (shape.dims[i] != 1)
      squeezed.dims[squeezed.rank++] = shape.dims[i];
  int before = chain->n;
  MoveStep last = before ? chain->steps[before - 1] : (MoveStep){.n = 0};
  if (!xlaMoveChainReshape(chain, from, &squeezed))
    return false;
  int here = chain->n;
  if (!addTranspose(&cutting, &squeezed, chain) ||
      !addBroadcast(&cutting, &squeezed, chain))
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

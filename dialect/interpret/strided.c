//===- strided.c - Copying between strided boxes --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/strided.h"

#include <string.h>

void xlaStridesInit(const XlaShape *shape, int64_t *strides) {
  int64_t stride = 1;
  for (int i = 0; i < shape->rank; ++i)
    if (shape->dims[i] == 0)
      stride = 0;
  for (int i = shape->rank - 1; i >= 0; --i) {
    strides[i] = stride;
    if (stride)
      stride *= shape->dims[i];
  }
}

/// Leaves out dimensions of size 1 and joins neighbours that advance together.
/// False if the box is empty.
static bool simplify(const XlaStridedBox *box, XlaStridedBox *out) {
  *out =
      (XlaStridedBox){.fromOffset = box->fromOffset, .toOffset = box->toOffset};
  for (int i = 0; i < box->rank; ++i) {
    int64_t dim = box->dims[i];
    if (dim == 0)
      return false;
    if (dim == 1)
      continue;
    int64_t from = box->fromStrides[i], to = box->toStrides[i];
    int last = out->rank - 1;
    int64_t fromSpan, toSpan;
    // Strides of a box that lies inside an array cannot overflow here unless
    // they do not match anyway.
    if (last >= 0 && !__builtin_mul_overflow(from, dim, &fromSpan) &&
        !__builtin_mul_overflow(to, dim, &toSpan) &&
        out->fromStrides[last] == fromSpan && out->toStrides[last] == toSpan) {
      out->dims[last] *= dim;
    } else {
      last = out->rank++;
      out->dims[last] = dim;
    }
    out->fromStrides[last] = from;
    out->toStrides[last] = to;
  }
  return true;
}

#define COPY_ELEMENTS(size)                                                    \
  for (int64_t i = 0; i < n; ++i)                                              \
    memcpy(to + i * toStep, from + i * fromStep, size);                        \
  break

/// Copies `n` elements; steps are bytes. The sizes are spelled out so that each
/// loop has a constant one.
static void copyRow(char *to, int64_t toStep, const char *from,
                    int64_t fromStep, int64_t n, int size) {
  if (toStep == size && fromStep == size) {
    memcpy(to, from, (size_t)n * (size_t)size);
    return;
  }
  switch (size) {
  case 1:
    COPY_ELEMENTS(1);
  case 2:
    COPY_ELEMENTS(2);
  case 4:
    COPY_ELEMENTS(4);
  case 8:
    COPY_ELEMENTS(8);
  default:
    COPY_ELEMENTS((size_t)size);
  }
}
#undef COPY_ELEMENTS

void xlaStridedCopy(XlaLiteral *to, const XlaLiteral *from,
                    const XlaStridedBox *box) {
  XlaStridedBox b;
  if (!simplify(box, &b))
    return;
  int size = xlaElementTypeGetInfo(xlaLiteralGetShape(to)->elementType)->bytes;
  char *toData = xlaLiteralGetMutableData(to);
  const char *fromData = xlaLiteralGetData(from);
  int inner = b.rank - 1;
  int64_t n = b.rank ? b.dims[inner] : 1;
  int64_t toStep = b.rank ? b.toStrides[inner] * size : size;
  int64_t fromStep = b.rank ? b.fromStrides[inner] * size : size;
  int64_t index[XLA_MAX_RANK] = {0};
  int64_t toAt = b.toOffset, fromAt = b.fromOffset;
  for (;;) {
    copyRow(toData + toAt * size, toStep, fromData + fromAt * size, fromStep, n,
            size);
    int d = inner - 1;
    for (; d >= 0 && ++index[d] == b.dims[d]; --d) {
      index[d] = 0;
      toAt -= b.toStrides[d] * (b.dims[d] - 1);
      fromAt -= b.fromStrides[d] * (b.dims[d] - 1);
    }
    if (d < 0)
      return;
    toAt += b.toStrides[d];
    fromAt += b.fromStrides[d];
  }
}

void xlaStridedCopyWindow(XlaLiteral *to, const XlaLiteral *from, bool insert,
                          const int64_t *starts) {
  const XlaShape *window = xlaLiteralGetShape(insert ? from : to);
  XlaStridedBox box = {.rank = window->rank};
  memcpy(box.dims, window->dims, sizeof box.dims);
  xlaStridesInit(xlaLiteralGetShape(from), box.fromStrides);
  xlaStridesInit(xlaLiteralGetShape(to), box.toStrides);
  for (int i = 0; i < box.rank; ++i) {
    if (insert)
      box.toOffset += starts[i] * box.toStrides[i];
    else
      box.fromOffset += starts[i] * box.fromStrides[i];
  }
  xlaStridedCopy(to, from, &box);
}

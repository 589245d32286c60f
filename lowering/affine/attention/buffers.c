//===- buffers.c - Rows of intermediates ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/attention/attention.h"

int xlaAttentionBufferOf(const XlaAttention *attention, MlirValue root) {
  for (int i = 0; i < attention->nBuffers; ++i)
    if (mlirValueEqual(attention->buffers[i].root, root))
      return i;
  return -1;
}

bool xlaRowFindDim(const XlaRowBuffer *buffer, int64_t stride, int64_t size,
                   XlaRowDim *found) {
  for (int i = 0; i < buffer->nDims; ++i) {
    const XlaRowDim *dim = &buffer->dims[i];
    int64_t steps = stride / dim->stride;
    if (!steps || stride % dim->stride || steps > dim->size / size ||
        dim->size % (steps * size))
      continue;
    *found = (XlaRowDim){stride, size, dim->unit * steps, dim->inner * steps};
    return true;
  }
  return false;
}

/// Whether `b`, which moves faster, is the lower part of a dimension with `a`.
static bool isContinued(const XlaRowDim *a, const XlaRowDim *b) {
  return a->stride == b->stride * b->size && !a->unit == !b->unit &&
         a->unit == b->unit * b->size && a->inner == b->inner * b->size;
}

/// Puts dimensions in order, and makes one of those that are.
static void normalize(XlaRowBuffer *buffer) {
  XlaRowDim *dims = buffer->dims;
  int n = 0;
  for (int i = 1; i < buffer->nDims; ++i)
    for (int k = i; k > 0 && dims[k - 1].stride < dims[k].stride; --k) {
      XlaRowDim dim = dims[k];
      dims[k] = dims[k - 1];
      dims[k - 1] = dim;
    }
  for (int i = 0; i < buffer->nDims; ++i) {
    XlaRowDim dim = dims[i];
    if (n && isContinued(&dims[n - 1], &dim)) {
      dim.size *= dims[n - 1].size;
      dims[n - 1] = dim;
    } else {
      dims[n++] = dim;
    }
  }
  buffer->nDims = n;
}

int xlaAttentionAddBuffer(XlaAttention *attention, MlirValue root, int nDims,
                          const XlaRowDim *dims, int phase) {
  if (attention->nBuffers == XLA_ROW_BUFFERS)
    return -1;
  XlaRowBuffer *buffer = &attention->buffers[attention->nBuffers];
  *buffer = (XlaRowBuffer){
      .root = root,
      .element = mlirShapedTypeGetElementType(mlirValueGetType(root)),
      .nDims = nDims,
      .length = 1,
      .firstPhase = phase,
      .lastPhase = phase};
  for (int d = 0; d < nDims; ++d) {
    buffer->dims[d] = dims[d];
    if (dims[d].unit)
      buffer->dims[d].inner = 0;
    else
      buffer->length *= dims[d].size;
  }
  // Within a row elements are in the order that they have in memory.
  for (int d = 0; d < nDims; ++d) {
    int64_t inner = 1;
    for (int k = 0; k < nDims; ++k)
      if (!dims[k].unit && dims[k].stride < dims[d].stride)
        inner *= dims[k].size;
    if (!dims[d].unit)
      buffer->dims[d].inner = inner;
  }
  normalize(buffer);
  return attention->nBuffers++;
}

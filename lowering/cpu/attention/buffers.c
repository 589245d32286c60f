//===- buffers.c - Rows of intermediates ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/attention/buffers.h"

int xlaCpuRowBufferOf(const XlaCpuAttention *plan, MlirValue root) {
  for (int i = 0; i < plan->nBuffers; ++i)
    if (mlirValueEqual(plan->buffers[i].root, root))
      return i;
  return -1;
}

int xlaCpuRowMemoryOf(const XlaCpuAttention *plan, int buffer) {
  int other = plan->buffers[buffer].inPlaceOf;
  return other < 0 ? buffer : other;
}

MlirType xlaCpuRowType(const XlaCpuRowBuffer *buffer) {
  return mlirMemRefTypeGet(buffer->element, buffer->length > 1, &buffer->length,
                           mlirAttributeGetNull(), mlirAttributeGetNull());
}

bool xlaCpuRowFindDim(const XlaCpuRowBuffer *buffer, int64_t stride,
                      int64_t size, XlaCpuRowDim *found) {
  for (int i = 0; i < buffer->nDims; ++i) {
    const XlaCpuRowDim *dim = &buffer->dims[i];
    int64_t steps = stride / dim->stride;
    if (!steps || stride % dim->stride || steps > dim->size / size ||
        dim->size % (steps * size))
      continue;
    *found =
        (XlaCpuRowDim){stride, size, dim->unit * steps, dim->inner * steps};
    return true;
  }
  return false;
}

/// Whether `b`, which moves faster, is the lower part of a dimension with `a`.
static bool isContinued(const XlaCpuRowDim *a, const XlaCpuRowDim *b) {
  return a->stride == b->stride * b->size && !a->unit == !b->unit &&
         a->unit == b->unit * b->size && a->inner == b->inner * b->size;
}

/// Puts dimensions in order, and makes one of those that are.
static void normalize(XlaCpuRowBuffer *buffer) {
  XlaCpuRowDim *dims = buffer->dims;
  int n = 0;
  for (int i = 1; i < buffer->nDims; ++i)
    for (int k = i; k > 0 && dims[k - 1].stride < dims[k].stride; --k) {
      XlaCpuRowDim dim = dims[k];
      dims[k] = dims[k - 1];
      dims[k - 1] = dim;
    }
  for (int i = 0; i < buffer->nDims; ++i) {
    XlaCpuRowDim dim = dims[i];
    if (n && isContinued(&dims[n - 1], &dim)) {
      dim.size *= dims[n - 1].size;
      dims[n - 1] = dim;
    } else {
      dims[n++] = dim;
    }
  }
  buffer->nDims = n;
}

int xlaCpuRowAddBuffer(XlaCpuAttention *plan, MlirValue root, int nDims,
                       const XlaCpuRowDim *dims, int phase) {
  if (plan->nBuffers == XLA_CPU_ROW_BUFFERS)
    return -1;
  XlaCpuRowBuffer *buffer = &plan->buffers[plan->nBuffers];
  *buffer = (XlaCpuRowBuffer){
      .root = root,
      .element = mlirShapedTypeGetElementType(mlirValueGetType(root)),
      .nDims = nDims,
      .length = 1,
      .firstPhase = phase,
      .lastPhase = phase,
      .inPlaceOf = -1};
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
  return plan->nBuffers++;
}

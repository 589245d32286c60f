//===- indexed_windows.c - Places of windows ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/indexed_windows.h"

#include <string.h>

void xlaIndexedWindowsGetStart(const XlaIndexedWindows *windows,
                               const XlaLiteral *indices, int operandRank,
                               const int64_t *batch, int64_t *start) {
  const XlaShape *shape = xlaLiteralGetShape(indices);
  bool isUnsigned = xlaElementTypeGetInfo(shape->elementType)->typeClass ==
                    XlaTypeClassUnsigned;
  int64_t linear = 0, vectorStride = 0, stride = 1;
  for (int d = shape->rank - 1, k = windows->indexBatch.size; d >= 0; --d) {
    if (d == windows->vectorDim)
      vectorStride = stride;
    else
      linear += batch[--k] * stride;
    stride *= shape->dims[d];
  }
  memset(start, 0, (size_t)operandRank * sizeof *start);
  for (int i = 0; i < windows->startMap.size; ++i) {
    XlaScalar value = xlaLiteralGet(indices, linear + i * vectorStride);
    start[windows->startMap.values[i]] =
        isUnsigned && value.u > INT64_MAX ? INT64_MAX : value.s;
  }
  for (int i = 0; i < windows->batching.size; ++i) {
    int64_t d = windows->indexBatching.values[i];
    start[windows->batching.values[i]] =
        batch[d > windows->vectorDim ? d - 1 : d];
  }
}

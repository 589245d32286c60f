//===- taps.c - The elements of windows -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/taps.h"

double xlaTapsCount(const XlaWindow *window) {
  double taps = 1;
  for (int d = 0; d < window->rank; ++d)
    taps *= (double)window->sizes[d];
  return taps;
}

/// Elements from a tap's first one to its last.
static int64_t spanOf(const XlaWindow *window, int d) {
  return (window->counts[d] - 1) * window->strides[d] + 1;
}

MlirValue xlaTapsSlice(XlaIr *ir, const XlaWindow *window, MlirValue padded,
                       const int64_t *index) {
  int64_t starts[XLA_MAX_RANK], limits[XLA_MAX_RANK];
  for (int d = 0; d < window->rank; ++d) {
    starts[d] = index[d] * window->windowDilations[d];
    limits[d] = starts[d] + spanOf(window, d);
  }
  return xlaArraySlice(ir, padded, starts, limits, window->strides);
}

void xlaTapsIndex(XlaIr *ir, int rank, const int64_t *sizes, MlirValue number,
                  MlirValue *index) {
  for (int d = rank - 1; d >= 0; --d) {
    MlirValue size = xlaArrayInteger(ir, number, (uint64_t)sizes[d]);
    index[d] = xlaIrBinary(ir, "xla.remainder", number, size);
    number = xlaIrBinary(ir, "xla.divide", number, size);
  }
}

MlirValue xlaTapsDynamicSlice(XlaIr *ir, const XlaWindow *window,
                              MlirValue padded, const MlirValue *index) {
  MlirValue starts[XLA_MAX_RANK];
  int64_t none[XLA_MAX_RANK] = {0}, spans[XLA_MAX_RANK];
  for (int d = 0; d < window->rank; ++d) {
    MlirValue hole =
        xlaArrayInteger(ir, index[d], (uint64_t)window->windowDilations[d]);
    starts[d] = xlaIrBinary(ir, "xla.multiply", index[d], hole);
    spans[d] = spanOf(window, d);
  }
  MlirValue part = xlaArrayDynamicSlice(ir, padded, starts, spans);
  return xlaArraySlice(ir, part, none, spans, window->strides);
}

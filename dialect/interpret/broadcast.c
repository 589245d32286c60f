//===- broadcast.c - Walks over broadcast operands ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/broadcast.h"

#include "xlac/dialect/ops/broadcast.h"

#include <string.h>

void xlaBroadcastInit(XlaBroadcast *broadcast, const XlaShape *result,
                      int nOperands, const XlaLiteral *const *operands,
                      const XlaI64List *dimensions) {
  memset(broadcast, 0, sizeof *broadcast);
  broadcast->nOperands = nOperands;
  broadcast->rank = result->rank;
  memcpy(broadcast->dims, result->dims, sizeof result->dims);
  for (int k = 0; k < nOperands; ++k) {
    const XlaShape *shape = xlaLiteralGetShape(operands[k]);
    int64_t map[XLA_MAX_RANK], stride = 1;
    xlaBroadcastGetMap(shape, result, dimensions, map);
    for (int i = shape->rank - 1; i >= 0; --i) {
      if (shape->dims[i] != 1)
        broadcast->strides[k][map[i]] = stride;
      stride *= shape->dims[i];
    }
  }
}

void xlaBroadcastNext(XlaBroadcast *broadcast) {
  for (int d = broadcast->rank - 1; d >= 0; --d) {
    bool wraps = ++broadcast->index[d] == broadcast->dims[d];
    for (int k = 0; k < broadcast->nOperands; ++k)
      broadcast->offsets[k] +=
          broadcast->strides[k][d] * (wraps ? 1 - broadcast->dims[d] : 1);
    if (!wraps)
      return;
    broadcast->index[d] = 0;
  }
}

//===- scatter.c - Scatters of arrays with sizes --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows that do not lie inside the inputs are skipped. So an index beyond
// what is there, or one that is not there itself, becomes -1.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/dynamic/bounded_internal.h"

#include "xlac/dialect/result_internal.h"

typedef struct Scatter {
  XlaBoundedOp *b;
  XlaIndexedWindows windows;
  intptr_t n; // inputs
  XlaBounded input, indices, update;
} Scatter;

/// Sizes of inputs agree, and so do those of updates and of indices.
static MlirLogicalResult agreeAll(Scatter *s) {
  XlaBoundedOp *b = s->b;
  for (int d = 0; d < s->input.shape.rank; ++d)
    if (failed(xlaBoundedAgree(b, s->n, d, "scatter_c1", &s->input.sizes[d])))
      return failure();
  for (intptr_t i = 1; i < s->n; ++i) {
    XlaBounded other = xlaBoundedOperand(b, s->n + 1 + i);
    for (int d = 0; d < other.shape.rank; ++d)
      if (failed(xlaBoundedCheck(
              b, XlaBoundedEqual, xlaBoundedSize(&b->ir, &s->update, d),
              xlaBoundedSize(&b->ir, &other, d), "scatter_c3",
              "dimension %d of update 0 is %%d, of update "
              "%lld %%d",
              d, (long long)i)))
        return failure();
  }
  for (int i = 0; i < s->windows.batch.size; ++i) {
    int64_t d = s->windows.batch.values[i];
    int64_t k = s->windows.indexBatch.values[i];
    if ((s->update.sizes[d].ptr || s->indices.sizes[k].ptr) &&
        failed(xlaBoundedCheck(
            b, XlaBoundedEqual, xlaBoundedSize(&b->ir, &s->update, d),
            xlaBoundedSize(&b->ir, &s->indices, k), "scatter_c4",
            "dimension %lld of update 0 is %%d, dimension "
            "%lld of scatter_indices %%d",
            (long long)d, (long long)k)))
      return failure();
  }
  return success();
}

static bool isSupported(const Scatter *s) {
  if (!s->windows.startMap.size)
    return false;
  for (int i = 0; i < s->windows.offset.size; ++i)
    if (s->update.sizes[s->windows.offset.values[i]].ptr)
      return false;
  return true;
}

/// The size of a window in dimension `d` of the inputs; 0 if it has none.
static int64_t windowSize(const Scatter *s, int64_t d) {
  for (int i = 0; i < s->windows.offset.size; ++i)
    if (s->windows.window.values[i] == d)
      return s->update.shape.dims[s->windows.offset.values[i]];
  return 0;
}

/// The most that each coordinate may be, in an array like `indices`.
static MlirLogicalResult limitsOf(Scatter *s, MlirValue indices,
                                  MlirValue *limits) {
  XlaBoundedOp *b = s->b;
  XlaShape shape = xlaArrayShape(indices);
  MlirValue parts[XLA_MAX_RANK];
  int64_t one = 1, d = s->windows.vectorDim;
  for (int k = 0; k < s->windows.startMap.size; ++k) {
    int64_t to = s->windows.startMap.values[k], size = windowSize(s, to);
    MlirValue most = xlaBoundedSize(&b->ir, &s->input, to);
    if (size && failed(xlaBoundedCheck(
                    b, XlaBoundedAtMost, xlaBoundedNumber(&b->ir, size), most,
                    "scatter_c4",
                    "a window has %%d elements in dimension %lld of "
                    "input 0, which has %%d",
                    (long long)to)))
      return failure();
    most =
        xlaArrayConvert(&b->ir, xlaBoundedAdd(&b->ir, most, size ? -size : -1),
                        shape.elementType);
    parts[k] = d < shape.rank ? xlaArrayReshape(&b->ir, most, 1, &one) : most;
  }
  MlirValue all =
      d < shape.rank
          ? xlaArrayConcatenate(&b->ir, s->windows.startMap.size, parts, 0)
          : parts[0];
  *limits = xlaArrayBroadcast(&b->ir, all, shape.rank, shape.dims, &d);
  return success();
}

MlirLogicalResult xlaBoundedScatter(XlaBoundedOp *b) {
  Scatter s = {.b = b, .n = mlirOperationGetNumOperands(b->op) / 2};
  s.input = xlaBoundedOperand(b, 0);
  s.indices = xlaBoundedOperand(b, s.n);
  s.update = xlaBoundedOperand(b, s.n + 1);
  xlaIndexedWindowsGet(b->op, &s.windows);
  if (!isSupported(&s))
    return xlaBoundedUnsupported(b->op, " in such a scatter");
  if (failed(agreeAll(&s)) ||
      failed(xlaBoundedWindowsAgree(b, &s.windows, &s.input, &s.indices)))
    return failure();
  MlirOperation made = xlaBoundedClone(b);
  XlaIr *ir = &b->ir;
  bool isWide = xlaElementTypeGetInfo(s.indices.shape.elementType)->bits >= 32;
  XlaElementType type =
      s.indices.shape.elementType == XlaElementTypeS32 || !isWide
          ? XlaElementTypeS32
          : XlaElementTypeS64;
  MlirValue limits, indices = xlaArrayConvert(ir, s.indices.array, type);
  if (failed(limitsOf(&s, indices, &limits)))
    return failure();
  MlirValue isInside = xlaBoundedCompare(ir, "LE", indices, limits);
  MlirValue isThere = xlaBoundedMask(ir, &s.indices, s.indices.shape.dynamic);
  if (isThere.ptr)
    isInside = xlaIrBinary(ir, "xla.and", isInside, isThere);
  MlirValue none =
      xlaArrayBroadcast(ir, xlaArrayNumber(ir, type, -1), s.indices.shape.rank,
                        s.indices.shape.dims, NULL);
  mlirOperationSetOperand(made, s.n,
                          xlaIrOp(ir, "xla.select", mlirValueGetType(indices),
                                  3, (MlirValue[]){isInside, indices, none}, 0,
                                  NULL));
  mlirOperationMoveBefore(made, b->op);
  for (intptr_t i = 0; i < s.n; ++i) {
    XlaBounded result = s.input;
    result.shape = xlaBoundedResultShape(b, i);
    result.array = mlirOperationGetResult(made, i);
    if (failed(xlaBoundedSetResult(b, i, &result)))
      return failure();
  }
  return success();
}

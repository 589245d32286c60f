//===- scatter_copies.c - Scatters whose order does not matter ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where updates to a small array are combined by an operation that may take
// them in any order, each thread has a copy of the results for its part of the
// windows. An operation that an element may meet twice, as a minimum, begins
// with the inputs in all of them; a sum of integers begins with 0.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/build.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"
#include "xlac/lowering/linalg/scatter.h"

#include "mlir-c/BuiltinTypes.h"

enum {
  updatesPerElement = 8, ///< of a copy, which is written and read once more
  mostCopies = 32,
};

/// Whether copies may begin with the inputs, or else, `*isSum`, with 0.
static bool mayHaveCopies(const XlaScatterLoops *scatter, bool *isSum) {
  XlaOpKind kind =
      xlaRegionGetOnly(mlirOperationGetRegion(scatter->kernel->op, 0), NULL);
  XlaElementType type = xlaScatterResultType(scatter, 0);
  bool isInteger =
      !xlaElementTypeIsFloat(type) && !xlaElementTypeIsComplex(type);
  *isSum = kind == XlaOpKindAdd && isInteger && type != XlaElementTypePred;
  return *isSum || kind == XlaOpKindMaximum || kind == XlaOpKindMinimum ||
         (isInteger && (kind == XlaOpKindAnd || kind == XlaOpKindOr));
}

int64_t xlaScatterCountCopies(const XlaScatterLoops *scatter, int64_t *d) {
  const XlaKernelDevice *device = scatter->kernel->device;
  const XlaI64List *batch = &scatter->windows.batch;
  int64_t elements, updates, windows = 0;
  bool isSum;
  if (!device || device->threads < 2 || scatter->n != 1 ||
      scatter->input.rank >= XLA_MAX_RANK ||
      !xlaShapeGetElementCount(&scatter->input, &elements) ||
      !xlaShapeGetElementCount(&scatter->update, &updates) ||
      !mayHaveCopies(scatter, &isSum))
    return 1;
  for (int i = 0; i < batch->size; ++i)
    if (scatter->update.dims[batch->values[i]] > windows)
      windows = scatter->update.dims[ *d = batch->values[i]];
  int64_t count = updates / updatesPerElement / elements;
  if (count > windows)
    count = windows;
  if (count > device->threads)
    count = device->threads;
  return count > mostCopies ? mostCopies : count;
}

/// Loops over all elements of the results, at `at`; nest[rank] is in them all.
static void openElements(const XlaScatterLoops *scatter, XlaIr *ir,
                         MlirValue *at, XlaIr *nest) {
  nest[0] = *ir;
  for (int d = 0; d < scatter->input.rank; ++d)
    at[d] = xlaScatterOpenLoop(&nest[d], scatter->input.dims[d]);
}

void xlaScatterOpenCopies(XlaScatterLoops *scatter, int64_t count) {
  int64_t dims[XLA_MAX_RANK + 1] = {count};
  int rank = scatter->input.rank;
  for (int d = 0; d < rank; ++d)
    dims[d + 1] = scatter->input.dims[d];
  MlirType element =
      mlirShapedTypeGetElementType(mlirValueGetType(scatter->results[0]));
  scatter->copies = xlaLinalgAlloc(
      &scatter->top, mlirMemRefTypeContiguousGet(element, rank + 1, dims,
                                                 mlirAttributeGetNull()));
}

void xlaScatterBeginCopy(XlaScatterLoops *scatter, XlaIr *ir,
                         MlirValue number) {
  XlaIr nest[XLA_MAX_RANK + 1];
  MlirValue at[XLA_MAX_RANK + 1] = {number};
  int rank = scatter->input.rank;
  bool isSum;
  mayHaveCopies(scatter, &isSum);
  openElements(scatter, ir, at + 1, nest);
  XlaIr *body = &nest[rank];
  MlirType element =
      mlirShapedTypeGetElementType(mlirValueGetType(scatter->results[0]));
  MlirValue first = isSum ? xlaIrConstantInt(body, element, 0)
                          : xlaIrLoad(body, scatter->results[0], rank, at + 1);
  xlaIrStore(body, first, scatter->copies, rank + 1, at);
  xlaScatterCloseLoops(nest, rank);
  scatter->copy = number;
}

MlirLogicalResult xlaScatterCloseCopies(XlaScatterLoops *scatter,
                                        int64_t count) {
  XlaIr nest[XLA_MAX_RANK + 1];
  MlirValue at[XLA_MAX_RANK], args[2];
  int rank = scatter->input.rank;
  openElements(scatter, &scatter->top, at, nest);
  XlaIr *body = &nest[rank];
  MlirLogicalResult done = mlirLogicalResultSuccess();
  scatter->copy = (MlirValue){NULL};
  xlaScatterLoadResults(scatter, body, at, &args[0]);
  for (int64_t i = 0; i < count && mlirLogicalResultIsSuccess(done); ++i) {
    scatter->copy = xlaIrConstantIndex(body, i);
    xlaScatterLoadResults(scatter, body, at, &args[1]);
    done = xlaScatterApply(scatter, body, args, &args[0]);
  }
  scatter->copy = (MlirValue){NULL};
  if (mlirLogicalResultIsSuccess(done))
    xlaScatterStoreResults(scatter, body, at, &args[0]);
  xlaScatterCloseLoops(nest, rank);
  return done;
}

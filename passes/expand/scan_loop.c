//===- scan_loop.c - Scans in a loop over the elements --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/computations.h"

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/flatten.h"
#include "xlac/passes/loop.h"

typedef struct ScanLoop {
  MlirRegion region;
  intptr_t n;
  MlirValue elements[XLA_LOOP_MAX_STATE]; // vectors
  int64_t size, stride;                   // of a line, and of its elements
  bool isReverse;
  MlirValue base; // of the line
} ScanLoop;

static MlirValue binary(XlaIr *ir, const char *name, MlirValue a, int64_t b) {
  return xlaIrBinary(ir, name, a, xlaArrayInteger(ir, a, (uint64_t)b));
}

/// Where the element that is scanned after `k` others lies.
static MlirValue placeOf(XlaIr *ir, const ScanLoop *loop, MlirValue k) {
  if (loop->isReverse)
    k = xlaIrBinary(ir, "xla.subtract",
                    xlaArrayInteger(ir, k, (uint64_t)(loop->size - 1)), k);
  return xlaIrBinary(ir, "xla.add", loop->base,
                     binary(ir, "xla.multiply", k, loop->stride));
}

/// `state` is how many elements of the line are scanned, what they are
/// combined to, and the results as vectors.
static void scanElement(XlaIr *ir, MlirValue *state, void *user) {
  const ScanLoop *loop = user;
  intptr_t n = loop->n;
  MlirValue arguments[XLA_LOOP_MAX_STATE];
  MlirValue *sums = state + 1, *results = sums + n;
  MlirValue at = placeOf(ir, loop, state[0]);
  for (intptr_t i = 0; i < n; ++i) {
    arguments[loop->isReverse ? n + i : i] = sums[i];
    arguments[loop->isReverse ? i : n + i] =
        xlaArrayElement(ir, loop->elements[i], &at);
  }
  xlaRegionCopyBody(ir, loop->region, arguments, sums);
  for (intptr_t i = 0; i < n; ++i)
    results[i] = xlaArraySetElement(ir, results[i], sums[i], &at);
  state[0] = binary(ir, "xla.add", state[0], 1);
}

/// `state` is the number of the line, and the results as vectors.
static void scanLine(XlaIr *ir, MlirValue *state, void *user) {
  ScanLoop *loop = user;
  intptr_t n = loop->n;
  XlaLoop elements = {2 * (int)n + 1, NULL, scanElement, loop, loop->size};
  MlirValue inner[XLA_LOOP_MAX_STATE] = {xlaArrayInteger(ir, state[0], 1)};
  MlirValue *sums = inner + 1, *results = sums + n;
  MlirValue block = binary(ir, "xla.divide", state[0], loop->stride);
  loop->base =
      xlaIrBinary(ir, "xla.add",
                  binary(ir, "xla.multiply", block, loop->size * loop->stride),
                  binary(ir, "xla.remainder", state[0], loop->stride));
  MlirValue at = placeOf(ir, loop, xlaArrayInteger(ir, state[0], 0));
  for (intptr_t i = 0; i < n; ++i) {
    sums[i] = xlaArrayElement(ir, loop->elements[i], &at);
    results[i] = xlaArraySetElement(ir, state[1 + i], sums[i], &at);
  }
  xlaLoopRun(ir, &elements, inner);
  for (intptr_t i = 0; i < n; ++i)
    state[1 + i] = results[i];
  state[0] = binary(ir, "xla.add", state[0], 1);
}

MlirLogicalResult xlaScanInLoop(MlirOperation op) {
  XlaIr ir = xlaIrBefore(op);
  XlaShape shape = xlaArrayShape(mlirOperationGetOperand(op, 0));
  int64_t count, dimension = xlaOpGetI64(op, "dimension", 0);
  ScanLoop loop = {.region = mlirOperationGetRegion(op, 0),
                   .n = mlirOperationGetNumOperands(op),
                   .size = shape.dims[dimension],
                   .stride = 1,
                   .isReverse = xlaOpIsTrue(op, "reverse")};
  XlaLoop lines = {(int)loop.n + 1, NULL, scanLine, &loop, 0};
  MlirValue state[XLA_LOOP_MAX_STATE];
  const int most = (XLA_LOOP_MAX_STATE - 1) / 2;
  if (loop.n > most)
    return xlaOpUnsupported(
        op, NULL, "scans %lld operands, more than the %d that are lowered",
        (long long)loop.n, most);
  xlaShapeGetElementCount(&shape, &count);
  for (int d = (int)dimension + 1; d < shape.rank; ++d)
    loop.stride *= shape.dims[d];
  state[0] = xlaArrayNumber(&ir, xlaLoopCounter(count), 0);
  for (intptr_t i = 0; i < loop.n; ++i)
    state[1 + i] = loop.elements[i] =
        xlaArrayReshape(&ir, mlirOperationGetOperand(op, i), 1, &count);
  if (count) {
    lines.count = count / loop.size;
    xlaLoopRun(&ir, &lines, state);
  }
  for (intptr_t i = 0; i < loop.n; ++i)
    mlirValueReplaceAllUsesOfWith(
        mlirOperationGetResult(op, i),
        xlaArrayReshape(&ir, state[1 + i], shape.rank, shape.dims));
  mlirOperationDestroy(op);
  return success();
}

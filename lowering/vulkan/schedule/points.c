//===- points.c - Bodies of statements at several points ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/points.h"

#include <stdlib.h>
#include <string.h>

/// What was written there last.
static const XlaVulkanLocal *findLocal(const XlaVulkanWalk *walk,
                                       const XlaSchedStatement *statement,
                                       const XlaSchedAccess *access) {
  for (int i = walk->nLocals; i-- > 0;)
    if (xlaSchedSameAccess(walk->locals[i].access,
                           walk->locals[i].statement->nDims, access,
                           statement->nDims))
      return &walk->locals[i];
  return NULL;
}

/// Elements of access `i` at all points.
static void readPoints(XlaVulkanWalk *walk, const XlaSchedStatement *statement,
                       int i, MlirValue *values) {
  XlaVulkanGroup *g = walk->g;
  const XlaSchedAccess *access = &statement->accesses[i];
  XlaVulkanKnown *known = xlaVulkanFindKnown(g, statement, access);
  const XlaVulkanLocal *local = findLocal(walk, statement, access);
  int points = xlaVulkanPoints(&walk->unroll);
  int inner = points / xlaVulkanPoints(&g->shared);
  if (local) {
    memcpy(values, local->values, (size_t)points * sizeof *values);
    return;
  }
  if (!known) {
    xlaVulkanLoadPoints(g, statement, access, &walk->unroll, values);
    return;
  }
  for (int p = 0; p < points; ++p)
    values[p] = known->values[p / inner];
}

static void bind(XlaVulkanEmit *e, MlirValue key, MlirValue value) {
  if (!xlaVulkanMapSet(&e->map, key, value))
    xlaVulkanEmitNoMemory(e);
}

/// The dimensions at point `p` that the body reads, by the op's own numbers;
/// null where dropped.
static void setIndices(XlaVulkanWalk *walk, const XlaSchedStatement *statement,
                       int p, MlirValue *indices, int64_t *sizes,
                       int nIndices) {
  XlaVulkanGroup *g = walk->g;
  memset(indices, 0, (size_t)nIndices * sizeof *indices);
  for (int d = 0; d < nIndices; ++d)
    sizes[d] = 1;
  for (int d = 0; d < statement->nDims; ++d) {
    sizes[statement->original[d]] = statement->sizes[d];
    if (!statement->indexed[d])
      continue;
    MlirAffineExpr index = g->iv[d];
    for (int i = 0; i < walk->unroll.n; ++i)
      if (walk->unroll.dims[i] == d)
        index = xlaExprShift(index, xlaVulkanDigit(&walk->unroll, p, i));
    indices[statement->original[d]] =
        xlaAffineApply(&g->e.nest, &g->e.ir, index);
  }
  g->e.indices = indices;
  g->e.indexSizes = sizes;
}

/// If `op` combines an accumulator that is not there yet, its result is what
/// would be combined with it.
static bool isFirst(XlaVulkanEmit *e, MlirOperation op, int nOuts,
                    const XlaSchedReducer *reducers,
                    const MlirValue *accumulators) {
  for (int o = 0; reducers && o < nOuts; ++o) {
    MlirValue out = reducers[o].carriedOut;
    if (!mlirValueIsNull(accumulators[o]) ||
        !mlirOperationEqual(op, mlirOpResultGetOwner(out)))
      continue;
    int other =
        mlirValueEqual(mlirOperationGetOperand(op, 0), reducers[o].carriedIn);
    bind(e, out, xlaVulkanValue(e, mlirOperationGetOperand(op, other)));
    return true;
  }
  return false;
}

/// Clones the body but for what widens accumulators that are wide already.
static void cloneBody(XlaVulkanWalk *walk, const XlaSchedStatement *statement,
                      const XlaSchedReducer *reducers,
                      const MlirValue *accumulators) {
  XlaVulkanEmit *e = &walk->g->e;
  MlirOperation end = mlirBlockGetTerminator(statement->body);
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body);
       !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op)) {
    bool isWidening = false;
    for (int o = 0; reducers && o < statement->nOuts; ++o)
      isWidening |=
          reducers[o].widen &&
          mlirValueEqual(mlirOperationGetResult(op, 0), reducers[o].carriedIn);
    if (!isWidening &&
        !isFirst(e, op, statement->nOuts, reducers, accumulators))
      xlaVulkanClone(e, op);
  }
}

/// The body at point `p`. `inputs` has MAX_POINTS values an operand; `outputs`
/// are the block's last arguments and receive what it yields.
static void bodyAt(XlaVulkanWalk *walk, const XlaSchedStatement *statement,
                   const XlaSchedReducer *reducers, int p,
                   const MlirValue *inputs, MlirValue *outputs) {
  XlaVulkanEmit *e = &walk->g->e;
  MlirValue indices[XLA_SCHED_MAX_DIMS];
  int64_t sizes[XLA_SCHED_MAX_DIMS];
  setIndices(walk, statement, p, indices, sizes, XLA_SCHED_MAX_DIMS);
  for (int i = 0; i < statement->nIns; ++i)
    if (xlaSchedIsRead(statement, i))
      bind(e, mlirBlockGetArgument(statement->body, i),
           inputs[i * XLA_VULKAN_MAX_POINTS + p]);
  for (int o = 0; o < statement->nOuts; ++o)
    if (reducers && !mlirValueIsNull(outputs[o]))
      bind(e, reducers[o].carriedIn, outputs[o]);
    else if (!reducers && xlaSchedIsRead(statement, statement->nIns + o))
      bind(e, mlirBlockGetArgument(statement->body, statement->nIns + o),
           outputs[o]);
  cloneBody(walk, statement, reducers, outputs);
  MlirOperation yield = mlirBlockGetTerminator(statement->body);
  for (int o = 0; o < statement->nOuts; ++o)
    outputs[o] =
        xlaVulkanValue(e, reducers ? reducers[o].carriedOut
                                   : mlirOperationGetOperand(yield, o));
}

void *xlaVulkanAllocate(XlaVulkanWalk *walk, size_t n, size_t size) {
  void *memory = calloc(n + 1, size);
  if (!memory)
    xlaVulkanEmitNoMemory(&walk->g->e);
  return memory;
}

void xlaVulkanBodies(XlaVulkanWalk *walk, const XlaSchedStatement *statement,
                     MlirValue *results, MlirValue *carry, int nAccumulators,
                     int stride, const XlaSchedReducer *reducers) {
  int points = xlaVulkanPoints(&walk->unroll), nOuts = statement->nOuts;
  int inner = points / nAccumulators;
  size_t n = (size_t)(statement->nIns + nOuts);
  MlirValue *inputs =
      xlaVulkanAllocate(walk, n * XLA_VULKAN_MAX_POINTS, sizeof *inputs);
  MlirValue *outputs = xlaVulkanAllocate(walk, (size_t)nOuts, sizeof *outputs);
  if (!inputs || !outputs) {
    free(inputs);
    free(outputs);
    return;
  }
  for (int i = 0; i < statement->nIns + (carry ? 0 : nOuts); ++i)
    if (xlaSchedIsRead(statement, i))
      readPoints(walk, statement, i,
                 inputs + (size_t)i * XLA_VULKAN_MAX_POINTS);
  for (int p = 0; p < points && !walk->g->e.failed; ++p) {
    for (int o = 0; o < nOuts; ++o)
      outputs[o] =
          carry ? carry[p / inner * stride + o]
                : inputs[(statement->nIns + o) * XLA_VULKAN_MAX_POINTS + p];
    if (statement->body.ptr)
      bodyAt(walk, statement, reducers, p, inputs, outputs);
    else
      outputs[0] = xlaVulkanValue(&walk->g->e,
                                  mlirOperationGetOperand(statement->op, 0));
    for (int o = 0; o < nOuts; ++o)
      *(carry ? &carry[p / inner * stride + o]
              : &results[o * XLA_VULKAN_MAX_POINTS + p]) = outputs[o];
  }
  free(inputs);
  free(outputs);
}

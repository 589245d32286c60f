//===- points.c - Bodies of stages at several points ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/points.h"

#include <stdlib.h>
#include <string.h>

static bool isUsed(MlirValue value) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(value));
}

bool xlaVulkanIsRead(const XlaSchedStage *stage, int i) {
  return stage->body.ptr && isUsed(mlirBlockGetArgument(stage->body, i));
}

static const XlaVulkanLocal *findLocal(const XlaVulkanWalk *walk,
                                       const XlaSchedStage *stage,
                                       const XlaSchedAccess *access) {
  for (int i = 0; i < walk->nLocals; ++i)
    if (xlaSchedSameAccess(walk->locals[i].access, walk->locals[i].stage->nDims,
                           access, stage->nDims))
      return &walk->locals[i];
  return NULL;
}

/// Elements of access `i` at all points.
static void readPoints(XlaVulkanWalk *walk, const XlaSchedStage *stage, int i,
                       MlirValue *values) {
  XlaVulkanGroup *g = walk->g;
  const XlaSchedAccess *access = &stage->accesses[i];
  XlaVulkanKnown *known = xlaVulkanFindKnown(g, stage, access);
  const XlaVulkanLocal *local = findLocal(walk, stage, access);
  int points = xlaVulkanPoints(&walk->unroll);
  int inner = points / xlaVulkanPoints(&g->shared);
  if (local) {
    memcpy(values, local->values, (size_t)points * sizeof *values);
    return;
  }
  if (!known) {
    xlaVulkanLoadPoints(g, stage, access, &walk->unroll, values);
    return;
  }
  for (int p = 0; p < points; ++p)
    values[p] = known->values[p / inner];
}

static void bind(XlaVulkanEmit *e, MlirValue key, MlirValue value) {
  if (!xlaVulkanMapSet(&e->map, key, value))
    xlaVulkanEmitNoMemory(e);
}

/// The dimensions at point `p`, by the op's own numbers; null where dropped.
static void setIndices(XlaVulkanWalk *walk, const XlaSchedStage *stage, int p,
                       MlirValue *indices, int64_t *sizes, int nIndices) {
  XlaVulkanGroup *g = walk->g;
  memset(indices, 0, (size_t)nIndices * sizeof *indices);
  for (int d = 0; d < nIndices; ++d)
    sizes[d] = 1;
  for (int d = 0; d < stage->nDims; ++d) {
    MlirValue index = g->iv[d];
    sizes[stage->original[d]] = stage->sizes[d];
    for (int i = 0; i < walk->unroll.n; ++i)
      if (walk->unroll.dims[i] == d && stage->indexed[d])
        index = xlaVulkanAddScaled(
            &g->e.ir, index,
            xlaIrConstantIndex(&g->e.ir, xlaVulkanDigit(&walk->unroll, p, i)),
            1);
    indices[stage->original[d]] = index;
  }
  g->e.indices = indices;
  g->e.indexSizes = sizes;
}

/// Clones the body but for what widens accumulators that are wide already.
static void cloneBody(XlaVulkanWalk *walk, const XlaSchedStage *stage,
                      const XlaSchedReducer *reducers) {
  XlaVulkanEmit *e = &walk->g->e;
  MlirOperation end = mlirBlockGetTerminator(stage->body);
  for (MlirOperation op = mlirBlockGetFirstOperation(stage->body);
       !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op)) {
    bool isWidening = false;
    for (int o = 0; reducers && o < stage->nOuts; ++o)
      isWidening |=
          reducers[o].widen &&
          mlirValueEqual(mlirOperationGetResult(op, 0), reducers[o].carriedIn);
    if (!isWidening)
      xlaVulkanClone(e, op);
  }
}

/// The body at point `p`. `inputs` has MAX_POINTS values an operand; `outputs`
/// are the block's last arguments and receive what it yields.
static void bodyAt(XlaVulkanWalk *walk, const XlaSchedStage *stage,
                   const XlaSchedReducer *reducers, int p,
                   const MlirValue *inputs, MlirValue *outputs) {
  XlaVulkanEmit *e = &walk->g->e;
  MlirValue indices[XLA_SCHED_MAX_DIMS];
  int64_t sizes[XLA_SCHED_MAX_DIMS];
  setIndices(walk, stage, p, indices, sizes, XLA_SCHED_MAX_DIMS);
  for (int i = 0; i < stage->nIns; ++i)
    if (xlaVulkanIsRead(stage, i))
      bind(e, mlirBlockGetArgument(stage->body, i),
           inputs[i * XLA_VULKAN_MAX_POINTS + p]);
  for (int o = 0; o < stage->nOuts; ++o)
    if (reducers)
      bind(e, reducers[o].carriedIn, outputs[o]);
    else if (xlaVulkanIsRead(stage, stage->nIns + o))
      bind(e, mlirBlockGetArgument(stage->body, stage->nIns + o), outputs[o]);
  cloneBody(walk, stage, reducers);
  MlirOperation yield = mlirBlockGetTerminator(stage->body);
  for (int o = 0; o < stage->nOuts; ++o)
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

void xlaVulkanBodies(XlaVulkanWalk *walk, const XlaSchedStage *stage,
                     MlirValue *results, MlirValue *carry, int nAccumulators,
                     int stride, const XlaSchedReducer *reducers) {
  int points = xlaVulkanPoints(&walk->unroll), nOuts = stage->nOuts;
  int inner = points / nAccumulators;
  size_t n = (size_t)(stage->nIns + nOuts);
  MlirValue *inputs =
      xlaVulkanAllocate(walk, n * XLA_VULKAN_MAX_POINTS, sizeof *inputs);
  MlirValue *outputs = xlaVulkanAllocate(walk, (size_t)nOuts, sizeof *outputs);
  if (!inputs || !outputs) {
    free(inputs);
    free(outputs);
    return;
  }
  for (int i = 0; i < stage->nIns + (carry ? 0 : nOuts); ++i)
    if (xlaVulkanIsRead(stage, i))
      readPoints(walk, stage, i, inputs + (size_t)i * XLA_VULKAN_MAX_POINTS);
  for (int p = 0; p < points && !walk->g->e.failed; ++p) {
    for (int o = 0; o < nOuts; ++o)
      outputs[o] = carry
                       ? carry[p / inner * stride + o]
                       : inputs[(stage->nIns + o) * XLA_VULKAN_MAX_POINTS + p];
    if (stage->body.ptr)
      bodyAt(walk, stage, reducers, p, inputs, outputs);
    else
      outputs[0] =
          xlaVulkanValue(&walk->g->e, mlirOperationGetOperand(stage->op, 0));
    for (int o = 0; o < nOuts; ++o)
      *(carry ? &carry[p / inner * stride + o]
              : &results[o * XLA_VULKAN_MAX_POINTS + p]) = outputs[o];
  }
  free(inputs);
  free(outputs);
}

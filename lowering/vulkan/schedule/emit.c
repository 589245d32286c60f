//===- emit.c - Shaders under construction --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/emit.h"
#include "xlac/dialect/error.h"

#include "mlir-c/Diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

MlirValue xlaVulkanBound(const XlaVulkanEmit *e, MlirValue key) {
  return (MlirValue){(void *)xlaPointerMapGet(&e->values, key.ptr)};
}

void xlaVulkanBind(XlaVulkanEmit *e, MlirValue key, MlirValue value) {
  if (!xlaPointerMapSet(&e->values, key.ptr, (intptr_t)value.ptr))
    xlaVulkanEmitNoMemory(e);
}

//===----------------------------------------------------------------------===//
// Shaders
//===----------------------------------------------------------------------===//

void xlaVulkanEmitFail(XlaVulkanEmit *e, MlirLocation location,
                       XlaStatusCode code, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (!e->failed)
    xlaErrorEmit(location, code, "%s", text);
  e->failed = true;
}

void xlaVulkanEmitNoMemory(XlaVulkanEmit *e) {
  xlaVulkanEmitFail(e, e->ir.location, XLA_STATUS_OUT_OF_MEMORY,
                    "ran out of memory");
}

void xlaVulkanEmitBegin(XlaVulkanEmit *e, XlaVulkanMemoryMap *memory,
                        MlirLocation location, const uint32_t groupSize[3]) {
  memset(e, 0, sizeof *e);
  e->memory = memory;
  xlaVulkanScheduleShader(memory->schedule, groupSize, &e->shader);
  e->shader.ir.location = location;
  e->top = e->shader.ir;
  // Everything else follows this constant.
  MlirValue mark = xlaIrConstantIndex(&e->top, 0);
  e->top.before = mlirOpResultGetOwner(mark);
  e->ir = e->shader.ir;
  e->around = 1;
  e->nest.context = e->ir.context;
}

static void release(XlaVulkanEmit *e) {
  free(e->buffers);
  free(e->bindings);
  xlaPointerMapClear(&e->values);
  free(e->narrow);
}

bool xlaVulkanEndsLongLoops(const XlaVulkanInfo *info) {
  const uint32_t version14 = (1u << 22) | (4u << 12);
  return info->kind == XlaVulkanKindSoftware && info->apiVersion < version14;
}

MlirLogicalResult xlaVulkanEmitEnd(XlaVulkanEmit *e, const uint32_t groups[3]) {
  const XlaVulkanInfo *info = e->memory->schedule->info;
  if (e->iterations > XLA_VULKAN_MAX_ITERATIONS &&
      xlaVulkanEndsLongLoops(info)) {
    xlaVulkanEmitFail(
        e, e->shader.ir.location, XLA_STATUS_UNIMPLEMENTED,
        "a shader of this kernel runs %lld iterations of loops in a thread, "
        "%s may end its loops after %d (newer drivers may not)",
        (long long)e->iterations, info->driver, XLA_VULKAN_MAX_ITERATIONS);
    xlaVulkanEmitDiscard(e);
    return mlirLogicalResultFailure();
  }
  if (e->nest.isFull) {
    xlaVulkanEmitFail(e, e->shader.ir.location, XLA_STATUS_UNIMPLEMENTED,
                      "a shader of this kernel has more indices than the %d "
                      "that a nest of loops may have",
                      XLA_AFFINE_MAX_LOOPS);
    xlaVulkanEmitDiscard(e);
    return mlirLogicalResultFailure();
  }
  MlirLogicalResult result = xlaVulkanScheduleDispatch(
      e->memory->schedule, &e->shader, groups, e->bindings);
  release(e);
  return result;
}

void xlaVulkanEmitDiscard(XlaVulkanEmit *e) {
  xlaVulkanShaderDiscard(&e->shader);
  release(e);
}

//===----------------------------------------------------------------------===//
// Dispatches
//===----------------------------------------------------------------------===//

int64_t xlaVulkanScheduleScratch(XlaVulkanSchedule *schedule, int64_t bytes) {
  XlaVulkanKernel *kernel = schedule->kernel;
  int64_t align = schedule->info->offsetAlignment, offset, end;
  int64_t piece = xlaVulkanPieceBytes(schedule->info);
  if (align < 16)
    align = 16;
  // None lies across the end of a piece, unless it begins with one.
  if (piece && bytes > piece - kernel->scratchBytes % piece)
    align = piece;
  if (__builtin_add_overflow(kernel->scratchBytes, align - 1, &offset) ||
      __builtin_add_overflow(offset / align * align, bytes, &end)) {
    xlaErrorEmit(mlirOperationGetLocation(schedule->function),
                 XLA_STATUS_OUT_OF_MEMORY,
                 "a kernel needs more than 2^63 bytes of scratch");
    return -1;
  }
  kernel->scratchBytes = end;
  return offset / align * align;
}

void xlaVulkanScheduleShader(XlaVulkanSchedule *schedule,
                             const uint32_t groupSize[3],
                             XlaVulkanShaderBuilder *builder) {
  char name[256];
  snprintf(name, sizeof name, "%.200s_%d", schedule->kernel->name,
           (int)schedule->kernel->nDispatches);
  xlaVulkanShaderBegin(builder, mlirModuleGetBody(schedule->module),
                       mlirOperationGetLocation(schedule->function), name,
                       groupSize);
  if (schedule->usesAddresses)
    xlaVulkanShaderUseAddresses(builder);
}

static MlirLogicalResult checkBindings(const XlaVulkanSchedule *schedule,
                                       MlirLocation location, intptr_t n,
                                       const XlaVulkanBinding *bindings) {
  const XlaVulkanInfo *info = schedule->info;
  if (n > (intptr_t)info->maxBindings)
    return xlaErrorEmit(
        location, XLA_STATUS_UNIMPLEMENTED,
        "a shader of this kernel needs %td storage buffers, %s takes "
        "%u",
        n, info->name, info->maxBindings);
  for (intptr_t i = 0; i < n; ++i)
    if (bindings[i].bytes > info->maxBufferRange)
      return xlaErrorEmit(
          location, XLA_STATUS_UNIMPLEMENTED,
          "a shader of this kernel binds %lld bytes at once, %s takes "
          "%lld",
          (long long)bindings[i].bytes, info->name,
          (long long)info->maxBufferRange);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaVulkanScheduleDispatch(XlaVulkanSchedule *schedule,
                                            XlaVulkanShaderBuilder *builder,
                                            const uint32_t groups[3],
                                            const XlaVulkanBinding *bindings) {
  XlaVulkanKernel *kernel = schedule->kernel;
  intptr_t n = builder->nArguments;
  MlirLocation location = builder->ir.location;
  if (mlirLogicalResultIsFailure(
          checkBindings(schedule, location, n, bindings)) ||
      mlirLogicalResultIsFailure(xlaVulkanShaderEnd(builder))) {
    xlaVulkanShaderDiscard(builder);
    return mlirLogicalResultFailure();
  }
  XlaVulkanDispatch *dispatches =
      realloc(kernel->dispatches,
              (size_t)(kernel->nDispatches + 1) * sizeof *dispatches);
  if (dispatches)
    kernel->dispatches = dispatches;
  XlaVulkanBinding *copy = malloc((size_t)(n + 1) * sizeof *copy);
  if (!dispatches || !copy) {
    free(copy);
    return xlaErrorNoMemory(location);
  }
  if (n)
    memcpy(copy, bindings, (size_t)n * sizeof *copy);
  dispatches[kernel->nDispatches++] =
      (XlaVulkanDispatch){.groups = {groups[0], groups[1], groups[2]},
                          .nBindings = n,
                          .bindings = copy,
                          .usesAddresses = builder->usesAddresses};
  return mlirLogicalResultSuccess();
}

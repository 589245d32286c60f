//===- loop.c - Loops of shaders ------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that a kernel has already stay scf; those of the schedule are affine.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/emit.h"

//===----------------------------------------------------------------------===//
// Iterations
//===----------------------------------------------------------------------===//

/// Counts iterations up to where it does not matter any more.
static int64_t saturated(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) || product > INT32_MAX
             ? INT32_MAX
             : product;
}

/// Counts a loop of `trips` iterations (-1: not known) and refuses those that
/// are too long, or carry too much.
static bool enter(XlaVulkanEmit *e, int64_t trips, int n) {
  if (n > XLA_VULKAN_MAX_CARRIED) {
    xlaVulkanEmitFail(e, e->ir.location, XLA_STATUS_UNIMPLEMENTED,
                      "a loop carries %d values, more than the %d that are "
                      "scheduled",
                      n, XLA_VULKAN_MAX_CARRIED);
    return false;
  }
  if (trips > xlaVulkanMostTrips(e->memory->schedule)) {
    xlaVulkanEmitFail(e, e->ir.location, XLA_STATUS_UNIMPLEMENTED,
                      "a loop of %lld iterations is too long for a shader",
                      (long long)trips);
    return false;
  }
  if (trips > 0)
    e->around = saturated(e->around, trips);
  e->iterations += e->around;
  return true;
}

//===----------------------------------------------------------------------===//
// Loops of kernels
//===----------------------------------------------------------------------===//

typedef void LoopBody(XlaVulkanEmit *e, MlirValue index, MlirValue *carry,
                      void *user);

/// One scf.for.
static void loop(XlaVulkanEmit *e, MlirValue lower, MlirValue upper,
                 int64_t step, int n, MlirValue *carry, LoopBody *body,
                 void *user) {
  XlaIr outer = e->ir, inside;
  MlirOperation op =
      xlaIrFor(&outer, lower, upper, xlaIrConstantIndex(&outer, step), n, carry,
               &inside);
  MlirValue values[XLA_VULKAN_MAX_CARRIED];
  for (int i = 0; i < n; ++i)
    values[i] = mlirBlockGetArgument(inside.block, 1 + i);
  e->ir = inside;
  body(e, mlirBlockGetArgument(inside.block, 0), values, user);
  xlaIrYield(&e->ir, n, values);
  e->ir = outer;
  for (int i = 0; i < n; ++i)
    carry[i] = mlirOperationGetResult(op, i);
}

typedef struct Chunks {
  MlirValue lower, upper;
  int64_t step;
  int n;
  LoopBody *body;
  void *user;
} Chunks;

/// One chunk of a long loop: [first, min(first + chunk, upper)).
static void chunk(XlaVulkanEmit *e, MlirValue number, MlirValue *carry,
                  void *user) {
  Chunks *chunks = user;
  XlaIr *ir = &e->ir;
  MlirValue first = xlaVulkanAddScaled(ir, chunks->lower, number,
                                       XLA_VULKAN_MAX_TRIPS * chunks->step);
  MlirValue left = xlaIrBinary(ir, "arith.subi", chunks->upper, first);
  MlirValue most = xlaIrConstantIndex(ir, XLA_VULKAN_MAX_TRIPS * chunks->step);
  left = xlaIrSelect(ir, xlaIrCmpI(ir, "ult", left, most), left, most);
  loop(e, first, xlaIrBinary(ir, "arith.addi", first, left), chunks->step,
       chunks->n, carry, chunks->body, chunks->user);
}

void xlaVulkanLoop(XlaVulkanEmit *e, MlirValue lower, MlirValue upper,
                   int64_t step, int n, MlirValue *carry, LoopBody *body,
                   void *user) {
  int64_t from, to, trips = -1, around = e->around;
  if (xlaIrReadInt(lower, &from) && xlaIrReadInt(upper, &to)) {
    if (to <= from)
      trips = 0;
    else if (__builtin_sub_overflow(to, from, &trips))
      trips = INT64_MAX; // is refused
    else
      trips = (trips - 1) / step + 1;
  }
  if (trips == 0)
    return;
  if (trips == 1) {
    body(e, lower, carry, user);
    return;
  }
  if (!enter(e, trips, n))
    return;
  if (trips > 0 && trips <= XLA_VULKAN_MAX_TRIPS) {
    loop(e, lower, upper, step, n, carry, body, user);
    e->around = around;
    return;
  }
  if (step > INT32_MAX / XLA_VULKAN_MAX_TRIPS) {
    xlaVulkanEmitFail(e, e->ir.location, XLA_STATUS_UNIMPLEMENTED,
                      "a long loop has steps of %lld", (long long)step);
    return;
  }
  // Counts chunks: `upper` and a chunk may not fit into an index.
  Chunks chunks = {lower, upper, step, n, body, user};
  if (trips > (int64_t)XLA_VULKAN_MAX_TRIPS * XLA_VULKAN_MAX_TRIPS) {
    int64_t count = (trips - 1) / XLA_VULKAN_MAX_TRIPS + 1;
    xlaVulkanLoop(e, xlaIrConstantIndex(&e->ir, 0),
                  xlaIrConstantIndex(&e->ir, count), 1, n, carry, chunk,
                  &chunks);
    e->around = around;
    return;
  }
  MlirValue size = xlaIrConstantIndex(&e->ir, step * XLA_VULKAN_MAX_TRIPS);
  MlirValue left = xlaIrBinary(&e->ir, "arith.subi", upper, lower);
  MlirValue none = xlaIrConstantIndex(&e->ir, 0);
  left =
      xlaIrSelect(&e->ir, xlaIrCmpI(&e->ir, "slt", lower, upper), left, none);
  left =
      xlaIrBinary(&e->ir, "arith.addi", left,
                  xlaIrConstantIndex(&e->ir, step * XLA_VULKAN_MAX_TRIPS - 1));
  loop(e, none, xlaIrBinary(&e->ir, "arith.divui", left, size), 1, n, carry,
       chunk, &chunks);
  e->around = around;
}

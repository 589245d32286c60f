//===- kernels.h - Kernel functions to vector loops ---------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns kernel functions, linalg ops on memrefs, into scf loops over vectors.
//
// A kernel is a `func.func private` with the attribute `xla.kind`, one of
// "loop", "reduce", "row", "transpose", "contraction", "attention" and
// "scatter"; functions of any other kind are left alone. All of them go through
// the same schedule; the kind only says that this schedule is wanted. A kernel
// holds, in any order,
//   linalg.generic   maps that are projected permutations, static shapes; body
//                    of arith and math ops, linalg.index, and affine.load of
//                    buffers with one dimension. Other bodies are scheduled
//                    too, as scalar loops
//   linalg.fill
//   memref.alloc     intermediates, which become registers or a scratch of one
//                    row in L1
//   views            memref.subview, expand_shape, collapse_shape, ..
// and whatever else, which stays as it is. The outputs of a generic without
// reduction iterators are taken to be write-only.
//
// Buffers: two arguments must either not overlap, or be the same buffer and be
// accessed at equal indices by every op of the kernel (an in-place update).
// Elements are 8, 16, 32 or 64 bits wide; i1 in memory is refused.
//
// The result: runs of linalg ops that share parallel dimensions become one loop
// nest over those, in the affine dialect (split among threads by
// affine.parallel where it pays), with intermediates forwarded in registers.
// Memory is accessed through flat one-dimensional views by affine.load, store,
// vector_load and vector_store; where lanes lie apart by vector.gather and
// scatter on an affine.apply, and by vector.gather where a costly body loads
// from places that it computes. Sizes that are no multiple of the vector's end
// in one shorter vector of just the remaining lanes: memory beyond is never
// touched and no lane computes what the program does not.
//
// Order of reductions: a combiner that is one commutative op (add, mul, min,
// max, and, or, xor) is reassociated over vector lanes and, for large ones,
// over threads, in an order fixed by shape and options. Any other combiner is
// applied in the order of the iteration space.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_SCHEDULE_KERNELS_H
#define XLAC_LOWERING_CPU_SCHEDULE_KERNELS_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "xlac/lowering/cpu/target.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What the schedule is made for.
typedef struct XlaCpuScheduleOptions {
  int32_t vectorBits;        ///< width of a register: 128, 256 or 512
  int32_t threads;           ///< at most so many chunks of a parallel loop
  int64_t serialNanoseconds; ///< of a target; less is left to one thread
  int64_t l1Bytes;           ///< data cache of a core
  int64_t l2Bytes;
  int64_t stackBytes; ///< budget of a thread's row scratch
  /// Intermediates that cannot be scheduled away: keep the memref.alloc (true),
  /// or refuse the kernel with an error at the alloc (false).
  bool allowAlloc;
  bool report; ///< tell on stderr what was chosen, and why
  /// For matrix products (matmul/product.h); NULL: they are loops.
  const XlaCpuTarget *target;
} XlaCpuScheduleOptions;

/// 512 bits, 1 thread, a target's default of work for it, 32 KiB L1, 1 MiB L2,
/// 256 KiB of stack, no allocs.
XlaCpuScheduleOptions xlaCpuScheduleOptionsDefault(void);
/// The default with what `target` says of registers, threads and caches.
XlaCpuScheduleOptions
xlaCpuScheduleOptionsForTarget(const XlaCpuTarget *target);

/// Schedules every kernel function in `module`. Failure comes with a diagnostic
/// at the op in question; the module is then half rewritten and must be
/// dropped.
MlirLogicalResult xlaCpuScheduleKernels(MlirOperation module,
                                        const XlaCpuScheduleOptions *options);

/// The same for one function, whatever its attributes.
MlirLogicalResult xlaCpuScheduleFunction(MlirOperation func,
                                         const XlaCpuScheduleOptions *options);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_SCHEDULE_KERNELS_H

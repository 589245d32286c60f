//===- kernel_ops.h - Operations that are one step ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. One function a family; each writes the body of the
// kernel of one operation at `kernel->ir`. Operands are buffers; `results` are
// the memrefs of the results. Failure comes with a diagnostic.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_KERNEL_OPS_H
#define XLAC_LOWERING_LINALG_KERNEL_OPS_H

#include "xlac/dialect/ops/indexed_windows.h"
#include "xlac/lowering/linalg/generic.h"

#ifdef __cplusplus
extern "C" {
#endif

/// concatenate, pad, and bitcast_convert between widths.
MlirLogicalResult xlaMovementEmit(XlaKernel *kernel, const MlirValue *results);
/// dynamic_slice and dynamic_update_slice.
MlirLogicalResult xlaDynamicSliceEmit(XlaKernel *kernel,
                                      const MlirValue *results);
/// The element of xla.gather `op` at `index`, from its operand, which must be a
/// buffer unless the generic is outside. False after a diagnostic, or if the
/// space must be split; without a scalar in analysis.
bool xlaGatherRead(XlaGeneric *generic, MlirOperation op, const XlaIndex *index,
                   MlirValue *scalar);
/// Where a gather is read.
typedef struct XlaGatherAt {
  XlaGeneric *generic;
  MlirOperation op;
  const XlaIndex *index;
  const XlaIndexedWindows *windows;
} XlaGatherAt;
/// Where that reads start `k`, in indices of rank `rank`.
void xlaGatherIndexOfStart(const XlaGatherAt *gather, int rank, int64_t k,
                           XlaIndex *at);
/// Whether a view of `operand` with strides shows what a gather of windows of
/// `sizes` reads, and where that view is read (gather_linear.c).
bool xlaGatherFindView(const XlaGatherAt *gather, const XlaShape *operand,
                       const XlaI64List *sizes, XlaIndex *at);
/// `start`, an integer of `type`, within [0, most], as an index.
MlirValue xlaLowerStart(XlaIr *ir, XlaElementType type, MlirValue start,
                        int64_t most);
MlirLogicalResult xlaScatterEmit(XlaKernel *kernel, const MlirValue *results);
/// The sorted scatter `kernel->op` of a fusion, with what computes its inputs
/// and works on its results, all of its inputs' shape: `values` are the
/// fusion's results. For devices whose loops run at once.
MlirLogicalResult xlaScatterEmitAll(XlaKernel *kernel, intptr_t n,
                                    const MlirValue *values,
                                    const MlirValue *results);
/// Allocates memory (memref.alloc) for as many elements as a line has.
MlirLogicalResult xlaSortEmit(XlaKernel *kernel, const MlirValue *results);
/// top_k, by selection.
MlirLogicalResult xlaTopKEmit(XlaKernel *kernel, const MlirValue *results);
/// cholesky and triangular_solve, of three dimensions.
MlirLogicalResult xlaTriangularEmit(XlaKernel *kernel,
                                    const MlirValue *results);
/// dot and dot_general, of two buffers.
MlirLogicalResult xlaDotEmit(XlaKernel *kernel, MlirOperation op,
                             MlirValue result);

/// Copies a box of elements: `box` are its sizes, `source` and `target` where
/// its dimensions' first elements lie and their distances. A `source` of rank 0
/// is written everywhere. `start` as in xlaKernelView, for one of the two.
typedef struct XlaCopy {
  XlaShape box;
  MlirValue source; ///< a buffer
  int64_t sourceOffset[XLA_MAX_RANK], sourceStride[XLA_MAX_RANK];
  MlirValue sourceStart;
  MlirValue target; ///< a memref of shape `targetShape`
  XlaShape targetShape;
  int64_t targetOffset[XLA_MAX_RANK], targetStride[XLA_MAX_RANK];
  MlirValue targetStart;
} XlaCopy;

/// All offsets 0 and strides 1.
void xlaCopyInit(XlaCopy *copy, const XlaShape *box);
MlirLogicalResult xlaCopyEmit(XlaKernel *kernel, const XlaCopy *copy);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LINALG_KERNEL_OPS_H

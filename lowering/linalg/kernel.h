//===- kernel.h - One operation as a function over memrefs --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device-neutral part of lowering: an operation of the dialect, or the
// region of an `xla.fusion`, becomes a *kernel*
//
//   func.func private @name(%operands: memref.., %results: memref..)
//       attributes {xla.kind = ".."}
//
// One argument an operand, then one a result, in order. Memrefs have identity
// layout, and one dimension of size 0 if they are empty; `pred` is i8 with the
// values 0 and 1, integers are signless and the operation's type says which
// instructions to take. A kernel writes every element of its results (but see
// dynamic_update_slice) and nothing else.
//
// Kinds, which a device's schedules choose by:
//   "loop"         linalg.generic, all iterators parallel
//   "transpose"    the same, where an operand is read in another order
//   "reduce"       linalg.fill and a linalg.generic with reduction iterators
//   "row"          several of these, with memref.alloc for what lies between;
//                  xla.memory of one is the number of an argument, a result
//                  whose memory it may take: elements are read, if at all
//                  after the result's first write, where the result's go
//                  xla.blocks says that each iteration of an outer loop has a
//                  part of one, which it reads at other places than it writes
//   "contraction"  the same, and one of the generics adds products of two
//   arrays
//                  (dot.c), with what computes these before it and what follows
//                  behind: devices may have something better for it
//   "attention"    the same, of two products with rows between them
//   "scatter"      loops (scf) whose order counts, in which indices and updates
//                  are computed, or all that leads from inputs to results; rows
//                  are linalg.generic if the device has vectors
//   "sort"         the same, of sorts and selections, whose operands may be
//                  computed, and memref.alloc for as much as each operand
//   "triangular"   loops (scf) on blocks of triangular matrices
//
// linalg ops have maps that are projected permutations: slices and reshapes are
// views (memref.reinterpret_cast), and the iteration space is split at the
// factors that reshapes need. Bodies are arith, math and linalg.index on
// scalars, and memref.load from the kernel's operands at places that they
// compute: for gathers, and where what moves data in a fusion leads to no view
// (index_expr.h). Each float operation below f32 is computed in f32 and rounded
// back, so that results are those of the reference evaluator.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_KERNEL_H
#define XLAC_LOWERING_LINALG_KERNEL_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The memref type that holds a value of tensor type `type`. Null, with
/// `*reason` (if not NULL) set to a static string, for types that compiled
/// devices do not take: tuples, tokens, dynamic sizes, complex numbers, floats
/// and integers below a byte or of 8-bit formats.
MlirType xlaKernelMemRefType(MlirType tensor, const char **reason);
/// The same for a value of the host program, which only passes on what kernels
/// do not take: complex numbers are pairs of their parts, elements of less than
/// 8 bits, and floats of 8, are bytes.
MlirType xlaBufferMemRefType(MlirType tensor, const char **reason);

/// What kernels with loops that are not linalg's need to know of a device.
typedef struct XlaKernelDevice {
  /// Each nest of the function's top level is a dispatch: its outer loops
  /// without carried values run at once, after the nests before. One that has
  /// the attribute XLA_KERNEL_IN_ORDER is a thread's, with what is inside.
  bool runsAtOnce;
  int vectorBits;      ///< a power of two, at least 64; 0: none
  int threads;         ///< of a device with vectors
  bool hasFma;         ///< fused multiply-add is one instruction
  int64_t windowBytes; ///< of the rows that a thread keeps (windows.h); 0: none
  int64_t tileBytes;   ///< of the tiles that a workgroup keeps; 0: none
} XlaKernelDevice;

/// Of scf.for, a unit attribute.
#define XLA_KERNEL_IN_ORDER "xla.in_order"

/// Operands of a reduce, inputs and updates of a scatter, at most, and operands
/// of a scan or a sort, whose elements go through registers.
enum { XLA_KERNEL_MAX_VALUES = 1365, XLA_KERNEL_MAX_IN_ORDER = 1024 };

/// Appends the kernel of `op`, an operation of the dialect or an xla.fusion, to
/// `module`'s body and gives it in `*kernel` (if not NULL). Fails with a
/// diagnostic at the operation that cannot be lowered (inside the fusion),
/// which names it and its type; `module` is then as before. Without `device`
/// (NULL) loops are of scalars, one after the other.
///
/// Results of dynamic_update_slice and of scatter must already hold what is
/// updated (xlaKernelUpdates): the kernel writes only the updates.
MlirLogicalResult xlaKernelEmit(MlirOperation op, MlirModule module,
                                const char *name, const XlaKernelDevice *device,
                                MlirOperation *kernel);

/// Whether `result` may lie in the same buffer as `operand`: their types have
/// the same size, and every element is read only at the index at which it is
/// written, before the write. So for operand 0 of dynamic_update_slice.
bool xlaKernelCanAlias(MlirOperation op, intptr_t operand, intptr_t result);

/// The operand that `result` of the kernel of `op` is an update of: operand 0
/// of dynamic_update_slice, also in a fusion, of a scatter the input of the
/// same element type, also where a fusion ends with it. -1 if there is none.
intptr_t xlaKernelUpdates(MlirOperation op, intptr_t result);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LINALG_KERNEL_H

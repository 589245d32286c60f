//===- buffers.h - Where the values of a program live -------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers are assigned before any code exists, on a prepared function: its
// values have static shapes, tuples and calls are gone, fusions are formed.
// Every value gets a buffer; values share one where that avoids a copy (loop
// state, updates in place, reshapes) or saves memory (lifetimes that do not
// meet). Nothing is allocated while a program runs.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_HOST_BUFFERS_H
#define XLAC_LOWERING_HOST_BUFFERS_H

#include "mlir-c/IR.h"
#include "xlac/dialect/pointer_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Buffers start at multiples of this, in bytes: the most that a Vulkan device
/// may ask of a binding (minStorageBufferOffsetAlignment), and four lines of a
/// cache.
#define XLA_BUFFER_ALIGNMENT 256

/// The unit attribute of function arguments that the program may overwrite. An
/// output of the same size takes the argument's memory, if the argument is not
/// read after the output is written; without such an output nothing is gained.
#define XLA_DONATED "xla.donated"

/// Whether the function's argument has that attribute.
bool xlaBufferIsDonated(MlirOperation function, intptr_t argument);

/// Where the memory of a buffer is.
typedef enum XlaBufferKind {
  XlaBufferKindArena,    ///< `offset` in the arena
  XlaBufferKindConstant, ///< `offset` in the constants, read only
  XlaBufferKindInput,    ///< argument `index` of the function, read only
  /// Result `index`; the caller's memory. An argument of this kind is donated:
  /// its elements are there when the program starts.
  XlaBufferKindOutput,
} XlaBufferKind;

/// The memory of a value, or of several that share it.
typedef struct XlaBuffer {
  XlaBufferKind kind;
  int64_t bytes, offset;
  intptr_t index;
  /// The steps (operations in program order) from and to which it is in use.
  int64_t first, last;
  MlirValue next; ///< the next state that a loop's body writes here, or null
} XlaBuffer;

/// The buffers of a function. Zero-initialised is an empty assignment.
typedef struct XlaBufferAssignment {
  intptr_t nBuffers, capacity;
  XlaBuffer *buffers;
  XlaPointerMap byValue;      ///< MlirValue -> number of its buffer + 1
  XlaPointerMap byLoopResult; ///< body argument -> a buffer to copy through + 1
  int64_t arenaBytes, constantBytes;
  int64_t pieceBytes; ///< as it was made for
  intptr_t nConstants;
  MlirOperation *constants; ///< one for each constant buffer, by its `index`
  intptr_t nCopiesAvoided;  ///< values that were placed in a buffer of another
} XlaBufferAssignment;

/// Assigns the buffers of a func.func. The arena may consist of pieces of
/// `pieceBytes`, a power of two, or 0 for a single one: no buffer in it lies
/// across their ends but those that are longer, which begin with a piece. On
/// failure a diagnostic was emitted and
/// the assignment is empty.
MlirLogicalResult xlaBufferAssignmentCreate(MlirOperation function,
                                            int64_t pieceBytes,
                                            XlaBufferAssignment *assignment);
void xlaBufferAssignmentDestroy(XlaBufferAssignment *assignment);

/// The buffer of a value; NULL for values inside kernels.
const XlaBuffer *xlaBufferAssignmentGet(const XlaBufferAssignment *assignment,
                                        MlirValue value);

/// Whether `op` only gives other types to its operands' bytes: reshape,
/// bitcast_convert, optimization_barrier.
bool xlaBufferIsView(MlirOperation op);
/// The operand that result `r` must hold before `op` writes a part of it: of
/// dynamic_update_slice and scatter (xlaKernelUpdates). -1 of all others.
intptr_t xlaBufferUpdated(MlirOperation op, intptr_t r);
/// What a value stands for that is state which a loop never changes, as jax's
/// closures are: the value from outside; else the value itself.
MlirValue xlaBufferResolve(MlirValue value);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_HOST_BUFFERS_H

//===- internal.h - The parts of the host program -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. host.c walks over a function and writes its control
// flow; what touches memory is written by one of two *targets*: local.c,
// for kernels that the host calls on its own memory, or remote.c, for
// kernels that a device runs on memory of its own.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_HOST_INTERNAL_H
#define XLAC_LOWERING_HOST_INTERNAL_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/lowering/host/host.h"
#include "xlac/lowering/linalg/kernel_pool.h"

/// Operands and results of one operation.
enum { XLA_HOST_MAX_VALUES = 256 };

typedef struct XlaHost XlaHost;

/// A buffer, and the value in it if there is one.
typedef struct XlaHostPlace {
  const XlaBuffer *buffer;
  MlirValue value;
} XlaHostPlace;

/// Each function writes at `ir` on behalf of `op`. Failure comes with a
/// diagnostic.
typedef struct XlaHostTarget {
  /// Type of the array that the host function gets.
  MlirType (*slotsType)(const XlaHost *host);
  MlirLogicalResult (*kernel)(XlaHost *host, XlaIr *ir, MlirOperation op);
  MlirLogicalResult (*customCall)(XlaHost *host, XlaIr *ir, MlirOperation op);
  /// Copies a value of the tensor type `type`.
  MlirLogicalResult (*copy)(XlaHost *host, XlaIr *ir, MlirOperation op,
                            MlirType type, XlaHostPlace from, XlaHostPlace to);
  /// The element of `value`, of rank 0, as it is in memory; null on failure.
  MlirValue (*load)(XlaHost *host, XlaIr *ir, MlirOperation op,
                    MlirValue value);
  /// Before and after control flow: what was written so far must have been
  /// started.
  MlirLogicalResult (*flush)(XlaHost *host, XlaIr *ir, MlirOperation op);
} XlaHostTarget;

extern const XlaHostTarget xlaHostLocal, xlaHostRemote;

/// A host program under construction.
struct XlaHost {
  const XlaBufferAssignment *assignment;
  const XlaHostDevice *device;
  const XlaHostTarget *target;
  XlaHostProgram *program;
  XlaIr entry; ///< at the start of the function, for what dominates every use
  MlirValue slots;
  MlirType byte, i64, index;
  XlaKernelPool kernels;

  // local.c
  MlirValue *bases; ///< memref<Bxi8> of each input and output, on demand
  MlirValue constants, arena, addresses;
  XlaPointerMap views; ///< MlirValue -> its memref's MlirValue.ptr

  // remote.c
  MlirValue context, cell;
  intptr_t stepCapacity, runCapacity, loadCapacity, bufferCapacity;
};

/// Where a value is; without a buffer after a diagnostic at `op`.
XlaHostPlace xlaHostPlaceOf(const XlaHost *host, MlirOperation op,
                            MlirValue value);
/// Operand `i` of `op`, or a result: they follow the operands.
MlirValue xlaHostValueOf(MlirOperation op, intptr_t i);
/// How many those are, or -1 after a diagnostic if there are more than
/// XLA_HOST_MAX_VALUES.
intptr_t xlaHostCountValues(MlirOperation op);
/// Copies a value into the buffer of another one of the same type, if it is not
/// there already.
MlirLogicalResult xlaHostMove(XlaHost *host, XlaIr *ir, MlirOperation op,
                              MlirValue from, MlirValue to);
/// Copies what results of `op` must hold before (xlaBufferUpdated).
MlirLogicalResult xlaHostMoveUpdated(XlaHost *host, XlaIr *ir,
                                     MlirOperation op);
/// Appends `op` to the custom calls.
MlirLogicalResult xlaHostAddCustomCall(XlaHost *host, MlirOperation op);
/// Appends a func.func without results.
void xlaHostCreateFunction(XlaIr *ir, const char *name, intptr_t n,
                           const MlirType *arguments, bool isPrivate,
                           MlirRegion region);
/// func.call of a function without results.
void xlaHostCall(XlaIr *ir, const char *name, intptr_t n,
                 const MlirValue *arguments);

//===----------------------------------------------------------------------===//
// Conditions that the host computes (counters.c)
//===----------------------------------------------------------------------===//

enum { XLA_HOST_MAX_COUNTERS = 8 };

/// The part of a loop's state that its condition depends on, if that is a few
/// integers which depend on nothing else that the loop changes.
typedef struct XlaHostCounters {
  int n;
  intptr_t positions[XLA_HOST_MAX_COUNTERS]; ///< in the loop's state
  int nLoaded;
  MlirValue loaded[XLA_HOST_MAX_COUNTERS]; ///< scalars from before the loop
  MlirValue loadedScalars[XLA_HOST_MAX_COUNTERS];
} XlaHostCounters;

/// Whether there is such a part.
bool xlaHostFindCounters(MlirOperation loop, XlaHostCounters *counters);
/// Loads what is needed from before the loop; `initial` gets the counters.
MlirLogicalResult xlaHostLoadCounters(XlaHost *host, XlaIr *ir,
                                      MlirOperation loop,
                                      XlaHostCounters *counters,
                                      MlirValue *initial);
/// Computes `values` of the condition's or the body's block from counters
/// `state`, in registers.
MlirLogicalResult xlaHostCompute(XlaIr *ir, MlirBlock block,
                                 XlaHostCounters *counters,
                                 const MlirValue *state, intptr_t n,
                                 const MlirValue *values, MlirValue *scalars);

#endif // XLAC_LOWERING_HOST_INTERNAL_H

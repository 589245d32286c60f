//===- internal.h - The parts of the host program -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. host.c walks over a function, control.c writes its
// control flow; what touches memory is written by one of two *targets*:
// local.c, for kernels that the host calls on its own memory, or remote.c, for
// kernels that a device runs on memory of its own.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_HOST_INTERNAL_H
#define XLAC_LOWERING_HOST_INTERNAL_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/lowering/host/host.h"
#include "xlac/lowering/host/scalars.h"
#include "xlac/lowering/linalg/kernel_pool.h"

/// Operands and results of one operation.
enum { XLA_HOST_MAX_VALUES = 4096 };

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
  /// An infeed or outfeed, too.
  MlirLogicalResult (*customCall)(XlaHost *host, XlaIr *ir, MlirOperation op);
  /// An i1: whether none of these has failed.
  MlirValue (*isWell)(XlaHost *host, XlaIr *ir);
  /// Copies a value of the tensor type `type`.
  MlirLogicalResult (*copy)(XlaHost *host, XlaIr *ir, MlirOperation op,
                            MlirType type, XlaHostPlace from, XlaHostPlace to);
  /// The element of `value`, of rank 0, as it is in memory, of a remote device
  /// as an integer; null on failure.
  MlirValue (*load)(XlaHost *host, XlaIr *ir, MlirOperation op,
                    MlirValue value);
  /// The other direction, after all that was written so far; NULL if the host
  /// computes no scalars.
  MlirLogicalResult (*store)(XlaHost *host, XlaIr *ir, MlirOperation op,
                             MlirValue value, MlirValue bits);
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
  /// There are custom calls, infeeds or outfeeds. What they gave has no meaning
  /// after a failure: loops, which may wait for it, end.
  bool mayFail;
  MlirValue context; ///< what calls get, on demand

  // compute.c
  XlaHostScalars scalars;
  XlaPointerMap registers; ///< MlirValue -> its register's MlirValue.ptr
  intptr_t nBound, boundCapacity;
  const void **bound; ///< the keys of `registers` in order

  // local.c
  MlirValue *bases; ///< memref<Bxi8> of each input and output, on demand
  MlirValue constants, arena, addresses;
  XlaPointerMap views; ///< MlirValue -> its memref's MlirValue.ptr

  // remote.c
  MlirValue cell, failed;
  intptr_t stepCapacity, runCapacity, scalarCapacity, bufferCapacity;
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
/// Writes what the operations of a block of the program do (host.c), a loop or
/// a branch (control.c).
MlirLogicalResult xlaHostEmitBlock(XlaHost *host, XlaIr *ir, MlirBlock block);
MlirLogicalResult xlaHostEmitWhile(XlaHost *host, XlaIr *ir, MlirOperation op);
MlirLogicalResult xlaHostEmitCase(XlaHost *host, XlaIr *ir, MlirOperation op);
/// Appends `op` to the custom calls, infeeds and outfeeds.
MlirLogicalResult xlaHostAddCustomCall(XlaHost *host, MlirOperation op);
/// Appends a func.func without results.
void xlaHostCreateFunction(XlaIr *ir, const char *name, intptr_t n,
                           const MlirType *arguments, bool isPrivate,
                           MlirRegion region);
/// func.call of a function without results.
void xlaHostCall(XlaIr *ir, const char *name, intptr_t n,
                 const MlirValue *arguments);

//===----------------------------------------------------------------------===//
// Scalars in registers (compute.c); which ones: scalars.h
//===----------------------------------------------------------------------===//

/// Computes what the host computes of `op`, an operation of the program, and
/// stores what the device reads of it.
MlirLogicalResult xlaHostCompute(XlaHost *host, XlaIr *ir, MlirOperation op);
/// Loads what the scalars in a loop need from outside.
MlirLogicalResult xlaHostLoadNeeds(XlaHost *host, XlaIr *ir,
                                   MlirOperation loop);
/// The register of a value that the host computes or has loaded; null after a
/// diagnostic at `op`.
MlirValue xlaHostRegister(XlaHost *host, XlaIr *ir, MlirOperation op,
                          MlirValue value);
/// Says which register holds `value`, and stores it if the device reads it.
MlirLogicalResult xlaHostBind(XlaHost *host, XlaIr *ir, MlirOperation op,
                              MlirValue value, MlirValue inRegister);
/// Forgets the registers that were bound since `mark`, the number of all then:
/// where their region ends they are not known any more.
void xlaHostUnbind(XlaHost *host, intptr_t mark);

#endif // XLAC_LOWERING_HOST_INTERNAL_H

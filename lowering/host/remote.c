//===- remote.c - Kernels on memory of a device's own ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/result_internal.h"
#include "xlac/lowering/host/internal.h"

#include <stdlib.h>

static MlirType slotsType(const XlaHost *host) {
  const int64_t one = 1;
  return mlirMemRefTypeContiguousGet(host->i64, 1, &one, (MlirAttribute){0});
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Makes room for one more entry; false after a diagnostic.
static bool grow(MlirOperation op, void **table, intptr_t count,
                 intptr_t *capacity, size_t size) {
  if (count < *capacity)
    return true;
  intptr_t larger = 2 * *capacity + 16;
  void *grown = realloc(*table, (size_t)larger * size);
  if (!grown)
    return !failed(xlaOpNoMemory(op));
  *table = grown;
  *capacity = larger;
  return true;
}

static bool addBuffer(XlaHost *host, MlirOperation op,
                      const XlaBuffer *buffer) {
  XlaHostProgram *program = host->program;
  if (!grow(op, (void **)&program->buffers, program->nBuffers,
            &host->bufferCapacity, sizeof *buffer))
    return false;
  program->buffers[program->nBuffers++] = *buffer;
  return true;
}

/// Appends the buffers of all operands and results of `op`.
static bool addBuffersOf(XlaHost *host, MlirOperation op) {
  intptr_t count = xlaHostCountValues(op);
  for (intptr_t i = 0; i < count; ++i) {
    XlaHostPlace place = xlaHostPlaceOf(host, op, xlaHostValueOf(op, i));
    if (!place.buffer || !addBuffer(host, op, place.buffer))
      return false;
  }
  return count >= 0;
}

/// Appends a step on the buffers from `first` on.
static bool addStep(XlaHost *host, MlirOperation op, intptr_t kernel,
                    intptr_t first) {
  XlaHostProgram *program = host->program;
  if (!grow(op, (void **)&program->steps, program->nSteps, &host->stepCapacity,
            sizeof *program->steps))
    return false;
  program->steps[program->nSteps++] =
      (XlaHostStep){kernel, first, program->nBuffers - first};
  return true;
}

//===----------------------------------------------------------------------===//
// The host's part
//===----------------------------------------------------------------------===//

/// Declares what the function calls, and loads what it passes along, once.
static void prepare(XlaHost *host) {
  if (!mlirValueIsNull(host->context))
    return;
  XlaIr *ir = &host->entry;
  int64_t one = 1;
  MlirType cell =
      mlirMemRefTypeContiguousGet(host->i64, 1, &one, (MlirAttribute){0});
  MlirType types[] = {host->i64, host->i64, cell};
  XlaIr top = xlaIrIn(*ir, mlirModuleGetBody(host->program->module));
  xlaHostCreateFunction(&top, XLA_HOST_LAUNCH, 2, types, true,
                        mlirRegionCreate());
  xlaHostCreateFunction(&top, XLA_HOST_LOAD, 3, types, true,
                        mlirRegionCreate());
  xlaHostCreateFunction(&top, XLA_HOST_STORE, 3,
                        (MlirType[]){host->i64, host->i64, host->i64}, true,
                        mlirRegionCreate());
  xlaHostCreateFunction(&top, XLA_HOST_REMOTE_CALL, 3, types, true,
                        mlirRegionCreate());
  XlaIrAttr segments = {"operandSegmentSizes",
                        xlaIrParseAttr(ir->context, "array<i32: 0, 0>")};
  host->cell = xlaIrOp(ir, "memref.alloca", cell, 0, NULL, 1, &segments);
  MlirValue zero = xlaIrConstantIndex(ir, 0);
  host->context = xlaIrLoad(ir, host->slots, 1, &zero);
  if (!host->mayFail)
    return;
  host->failed = xlaIrOp(ir, "memref.alloca", cell, 0, NULL, 1, &segments);
  xlaIrStore(ir, xlaIrConstantInt(ir, host->i64, 0), host->failed, 1, &zero);
}

/// Calls back with the context, `number` and, unless it is null, `last`.
static void call(XlaHost *host, XlaIr *ir, const char *name, intptr_t number,
                 MlirValue last) {
  MlirValue arguments[] = {host->context,
                           xlaIrConstantInt(ir, host->i64, number), last};
  xlaHostCall(ir, name, mlirValueIsNull(last) ? 2 : 3, arguments);
}

/// Ends the run of the steps since the last one.
static MlirLogicalResult flush(XlaHost *host, XlaIr *ir, MlirOperation op) {
  XlaHostProgram *program = host->program;
  intptr_t begin = program->nRuns ? program->runs[program->nRuns] : 0;
  if (program->nSteps == begin)
    return success();
  if (!grow(op, (void **)&program->runs, program->nRuns + 1, &host->runCapacity,
            sizeof *program->runs))
    return failure();
  program->runs[program->nRuns] = begin;
  program->runs[program->nRuns + 1] = program->nSteps;
  prepare(host);
  call(host, ir, XLA_HOST_LAUNCH, program->nRuns++, (MlirValue){NULL});
  return success();
}

/// The number of the next load or store, of the buffer of `value`; -1 after a
/// diagnostic. What was written so far is started.
static intptr_t addScalar(XlaHost *host, XlaIr *ir, MlirOperation op,
                          MlirValue value) {
  XlaHostProgram *program = host->program;
  XlaHostPlace place = xlaHostPlaceOf(host, op, value);
  if (!place.buffer || failed(flush(host, ir, op)) ||
      !grow(op, (void **)&program->scalars, program->nScalars,
            &host->scalarCapacity, sizeof *program->scalars))
    return -1;
  prepare(host);
  program->scalars[program->nScalars] = *place.buffer;
  return program->nScalars++;
}

static MlirValue load(XlaHost *host, XlaIr *ir, MlirOperation op,
                      MlirValue value) {
  intptr_t number = addScalar(host, ir, op, value);
  if (number < 0)
    return (MlirValue){NULL};
  int64_t bytes = host->program->scalars[number].bytes;
  call(host, ir, XLA_HOST_LOAD, number, host->cell);
  MlirValue zero = xlaIrConstantIndex(ir, 0);
  MlirValue bits = xlaIrLoad(ir, host->cell, 1, &zero);
  MlirType type = mlirIntegerTypeGet(ir->context, (unsigned)(8 * bytes));
  return bytes == 8 ? bits : xlaIrCast(ir, "arith.trunci", bits, type);
}

static MlirLogicalResult store(XlaHost *host, XlaIr *ir, MlirOperation op,
                               MlirValue value, MlirValue bits) {
  intptr_t number = addScalar(host, ir, op, value);
  if (number < 0)
    return failure();
  if (host->program->scalars[number].bytes < 8)
    bits = xlaIrCast(ir, "arith.extui", bits, host->i64);
  call(host, ir, XLA_HOST_STORE, number, bits);
  return success();
}

static MlirLogicalResult copy(XlaHost *host, XlaIr *ir, MlirOperation op,
                              MlirType type, XlaHostPlace from,
                              XlaHostPlace to) {
  (void)ir;
  (void)type;
  intptr_t first = host->program->nBuffers;
  if (from.buffer->bytes == 0)
    return success();
  return addBuffer(host, op, from.buffer) && addBuffer(host, op, to.buffer) &&
                 addStep(host, op, -1, first)
             ? success()
             : failure();
}

static MlirLogicalResult kernel(XlaHost *host, XlaIr *ir, MlirOperation op) {
  XlaHostProgram *program = host->program;
  intptr_t number;
  int64_t scratch;
  if (failed(xlaKernelPoolEmit(&host->kernels, host->device, op,
                               program->kernels, &number, &scratch)))
    return failure();
  ++program->nKernelCalls;
  if (failed(xlaHostMoveUpdated(host, ir, op)))
    return failure();
  intptr_t first = program->nBuffers;
  return addBuffersOf(host, op) && addStep(host, op, number, first) ? success()
                                                                    : failure();
}

static MlirLogicalResult customCall(XlaHost *host, XlaIr *ir,
                                    MlirOperation op) {
  XlaHostProgram *program = host->program;
  intptr_t *grown =
      realloc(program->callBuffers, ((size_t)program->nCustomCalls + 1) *
                                        sizeof *program->callBuffers);
  if (!grown)
    return xlaOpNoMemory(op);
  program->callBuffers = grown;
  grown[program->nCustomCalls] = program->nBuffers;
  if (!addBuffersOf(host, op) || failed(flush(host, ir, op)))
    return failure();
  prepare(host);
  call(host, ir, XLA_HOST_REMOTE_CALL, program->nCustomCalls, host->failed);
  return xlaHostAddCustomCall(host, op);
}

static MlirValue isWell(XlaHost *host, XlaIr *ir) {
  prepare(host);
  MlirValue zero = xlaIrConstantIndex(ir, 0);
  return xlaIrCmpI(ir, "eq", xlaIrLoad(ir, host->failed, 1, &zero),
                   xlaIrConstantInt(ir, host->i64, 0));
}

const XlaHostTarget xlaHostRemote = {
    slotsType, kernel, customCall, isWell, copy, load, store, flush,
};

bool xlaHostProgramIsStraight(const XlaHostProgram *program) {
  return program->nRuns <= 1 && !program->nScalars && !program->nCustomCalls;
}

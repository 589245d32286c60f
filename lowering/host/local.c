//===- local.c - Kernels on the host's own memory -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/result_internal.h"
#include "xlac/lowering/host/internal.h"
#include "xlac/lowering/linalg/kernel.h"

/// The slots after those of inputs and outputs.
enum { slotConstants, slotArena, slotContext, slotScratch, slotCount };

static int64_t countSlots(const XlaHostProgram *program) {
  return program->nInputs + program->nOutputs + slotCount;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static MlirType bytesType(const XlaHost *host, int64_t bytes) {
  int64_t size = bytes > 0 ? bytes : 1;
  return mlirMemRefTypeContiguousGet(host->byte, 1, &size, (MlirAttribute){0});
}

/// The memory whose address is in slot `slot`, as memref<bytes x i8>: a
/// descriptor is built by hand, since no dialect turns an address into a
/// memref.
static MlirValue emitBase(XlaHost *host, intptr_t slot, int64_t bytes) {
  XlaIr *ir = &host->entry;
  MlirType pointer = xlaIrParseType(ir->context, "!llvm.ptr");
  MlirType structure = xlaIrParseType(
      ir->context,
      "!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>");
  MlirValue at = xlaIrConstantIndex(ir, slot);
  MlirValue address = xlaIrLoad(ir, host->slots, 1, &at);
  address = xlaIrCast(ir, "llvm.inttoptr", address, pointer);
  MlirValue fields[] = {address, address, xlaIrConstantInt(ir, host->i64, 0),
                        xlaIrConstantInt(ir, host->i64, bytes > 0 ? bytes : 1),
                        xlaIrConstantInt(ir, host->i64, 1)};
  static const char *const positions[] = {"array<i64: 0>", "array<i64: 1>",
                                          "array<i64: 2>", "array<i64: 3, 0>",
                                          "array<i64: 4, 0>"};
  MlirValue descriptor =
      xlaIrOp(ir, "llvm.mlir.undef", structure, 0, NULL, 0, NULL);
  for (int i = 0; i < 5; ++i)
    descriptor = xlaIrOp(
        ir, "llvm.insertvalue", structure, 2,
        (MlirValue[]){descriptor, fields[i]}, 1,
        &(XlaIrAttr){"position", xlaIrParseAttr(ir->context, positions[i])});
  return xlaIrCast(ir, "builtin.unrealized_conversion_cast", descriptor,
                   bytesType(host, bytes));
}

static MlirValue baseOf(XlaHost *host, const XlaBuffer *buffer) {
  const XlaHostProgram *program = host->program;
  MlirValue *base = NULL;
  intptr_t slot = 0;
  int64_t bytes = buffer->bytes;
  switch (buffer->kind) {
  case XlaBufferKindInput:
    slot = buffer->index;
    base = &host->bases[slot];
    break;
  case XlaBufferKindOutput:
    slot = program->nInputs + buffer->index;
    base = &host->bases[slot];
    break;
  case XlaBufferKindConstant:
    slot = program->nInputs + program->nOutputs + slotConstants;
    base = &host->constants;
    bytes = host->assignment->constantBytes;
    break;
  case XlaBufferKindArena:
    slot = program->nInputs + program->nOutputs + slotArena;
    base = &host->arena;
    bytes = host->assignment->arenaBytes;
    break;
  }
  if (mlirValueIsNull(*base))
    *base = emitBase(host, slot, bytes);
  return *base;
}

/// A buffer as a memref of `type`.
static MlirValue emitView(XlaHost *host, const XlaBuffer *buffer,
                          MlirType type) {
  MlirValue base = baseOf(host, buffer);
  bool shared = buffer->kind == XlaBufferKindArena ||
                buffer->kind == XlaBufferKindConstant;
  MlirValue offset =
      xlaIrConstantIndex(&host->entry, shared ? buffer->offset : 0);
  return xlaIrOp(&host->entry, "memref.view", type, 2,
                 (MlirValue[]){base, offset}, 0, NULL);
}

/// The memref of a value of the program; null after a diagnostic at `op`.
static MlirValue viewOf(XlaHost *host, MlirOperation op, MlirValue value) {
  MlirValue view = {(void *)xlaPointerMapGet(&host->views, value.ptr)};
  if (!mlirValueIsNull(view))
    return view;
  XlaHostPlace place = xlaHostPlaceOf(host, op, value);
  if (!place.buffer)
    return view;
  view = emitView(host, place.buffer,
                  xlaKernelMemRefType(mlirValueGetType(value), NULL));
  if (!xlaPointerMapSet(&host->views, value.ptr, (intptr_t)view.ptr)) {
    xlaOpNoMemory(op);
    return (MlirValue){NULL};
  }
  return view;
}

static MlirValue viewOfPlace(XlaHost *host, MlirOperation op, MlirType type,
                             XlaHostPlace place) {
  return mlirValueIsNull(place.value)
             ? emitView(host, place.buffer, xlaKernelMemRefType(type, NULL))
             : viewOf(host, op, place.value);
}

static MlirLogicalResult copy(XlaHost *host, XlaIr *ir, MlirOperation op,
                              MlirType type, XlaHostPlace from,
                              XlaHostPlace to) {
  MlirValue views[2] = {viewOfPlace(host, op, type, from),
                        viewOfPlace(host, op, type, to)};
  if (mlirValueIsNull(views[0]) || mlirValueIsNull(views[1]))
    return failure();
  xlaIrCreate(ir, "memref.copy", 2, views, 0, NULL, 0, NULL, 0, NULL);
  return success();
}

static MlirValue load(XlaHost *host, XlaIr *ir, MlirOperation op,
                      MlirValue value) {
  MlirValue view = viewOf(host, op, value);
  return mlirValueIsNull(view) ? view : xlaIrLoad(ir, view, 0, NULL);
}

static MlirLogicalResult flush(XlaHost *host, XlaIr *ir, MlirOperation op) {
  (void)host;
  (void)ir;
  (void)op;
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels and calls
//===----------------------------------------------------------------------===//

/// The memrefs of all operands, then all results.
static MlirLogicalResult gather(XlaHost *host, MlirOperation op,
                                MlirValue *views, intptr_t *count) {
  *count = xlaHostCountValues(op);
  if (*count < 0)
    return failure();
  for (intptr_t i = 0; i < *count; ++i) {
    views[i] = viewOf(host, op, xlaHostValueOf(op, i));
    if (mlirValueIsNull(views[i]))
      return failure();
  }
  return success();
}

static MlirLogicalResult kernel(XlaHost *host, XlaIr *ir, MlirOperation op) {
  XlaHostProgram *program = host->program;
  MlirValue views[XLA_HOST_MAX_VALUES + 1];
  intptr_t count, number;
  int64_t scratch;
  char name[XLA_KERNEL_NAME_SIZE];
  if (failed(gather(host, op, views, &count)) ||
      failed(xlaKernelPoolEmit(&host->kernels, host->device, op,
                               program->module, &number, &scratch)))
    return failure();
  xlaKernelPoolName(number, name);
  ++program->nKernelCalls;
  if (scratch >= 0)
    views[count++] = emitBase(
        host, program->nInputs + program->nOutputs + slotScratch, scratch);
  if (scratch > program->scratchBytes)
    program->scratchBytes = scratch;
  if (xlaBufferIsUpdate(op) &&
      failed(xlaHostMove(host, ir, op, mlirOperationGetOperand(op, 0),
                         mlirOperationGetResult(op, 0))))
    return failure();
  xlaHostCall(ir, name, count, views);
  return success();
}

/// For the first custom call: declares the callback, and makes the array of
/// addresses that all of them pass.
static void prepareCustomCalls(XlaHost *host) {
  XlaIr *ir = &host->entry;
  int64_t count = XLA_HOST_MAX_VALUES;
  MlirType type =
      mlirMemRefTypeContiguousGet(host->i64, 1, &count, (MlirAttribute){0});
  XlaIrAttr segments = {"operandSegmentSizes",
                        xlaIrParseAttr(ir->context, "array<i32: 0, 0>")};
  host->addresses = xlaIrOp(ir, "memref.alloca", type, 0, NULL, 1, &segments);
  XlaIr top = xlaIrIn(*ir, mlirModuleGetBody(host->program->module));
  xlaHostCreateFunction(&top, XLA_HOST_CUSTOM_CALL, 3,
                        (MlirType[]){host->i64, host->i64, type}, true,
                        mlirRegionCreate());
}

/// Stores the addresses of all operands and results and calls back.
static MlirLogicalResult customCall(XlaHost *host, XlaIr *ir,
                                    MlirOperation op) {
  XlaHostProgram *program = host->program;
  MlirValue views[XLA_HOST_MAX_VALUES];
  intptr_t count;
  if (failed(gather(host, op, views, &count)))
    return failure();
  if (mlirValueIsNull(host->addresses))
    prepareCustomCalls(host);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue address = xlaIrCast(ir, "memref.extract_aligned_pointer_as_index",
                                  views[i], host->index);
    address = xlaIrCast(ir, "arith.index_cast", address, host->i64);
    MlirValue at = xlaIrConstantIndex(ir, i);
    xlaIrStore(ir, address, host->addresses, 1, &at);
  }
  MlirValue slot = xlaIrConstantIndex(ir, program->nInputs + program->nOutputs +
                                              slotContext);
  MlirValue arguments[] = {
      xlaIrConstantInt(ir, host->i64, program->nCustomCalls),
      xlaIrLoad(ir, host->slots, 1, &slot), host->addresses};
  xlaHostCall(ir, XLA_HOST_CUSTOM_CALL, 3, arguments);
  return xlaHostAddCustomCall(host, op);
}

const XlaHostTarget xlaHostLocal = {
    countSlots, kernel, customCall, copy, load, flush,
};

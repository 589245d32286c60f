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

/// Each is a memref of bytes, of whatever length.
static MlirType slotsType(const XlaHost *host) {
  const XlaHostProgram *program = host->program;
  int64_t any = mlirShapedTypeGetDynamicSize();
  int64_t n = program->nInputs + program->nOutputs + slotCount;
  return mlirMemRefTypeContiguousGet(
      mlirMemRefTypeContiguousGet(host->byte, 1, &any, (MlirAttribute){0}), 1,
      &n, (MlirAttribute){0});
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The memory in slot `slot`.
static MlirValue emitBase(XlaHost *host, intptr_t slot) {
  MlirValue at = xlaIrConstantIndex(&host->entry, slot);
  return xlaIrLoad(&host->entry, host->slots, 1, &at);
}

static MlirValue baseOf(XlaHost *host, const XlaBuffer *buffer) {
  const XlaHostProgram *program = host->program;
  MlirValue *base = NULL;
  intptr_t slot = 0;
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
    break;
  case XlaBufferKindArena:
    slot = program->nInputs + program->nOutputs + slotArena;
    base = &host->arena;
    break;
  }
  if (mlirValueIsNull(*base))
    *base = emitBase(host, slot);
  return *base;
}

static MlirValue viewAt(XlaHost *host, MlirValue base, int64_t offset,
                        MlirType type) {
  MlirValue operands[] = {base, xlaIrConstantIndex(&host->entry, offset)};
  return xlaIrOp(&host->entry, "memref.view", type, 2, operands, 0, NULL);
}

/// A buffer as a memref of `type`.
static MlirValue emitView(XlaHost *host, const XlaBuffer *buffer,
                          MlirType type) {
  MlirValue base = baseOf(host, buffer);
  bool shared = buffer->kind == XlaBufferKindArena ||
                buffer->kind == XlaBufferKindConstant;
  return viewAt(host, base, shared ? buffer->offset : 0, type);
}

/// `bytes` of the kernels' scratch.
static MlirValue emitScratch(XlaHost *host, int64_t bytes) {
  const XlaHostProgram *program = host->program;
  MlirValue base =
      emitBase(host, program->nInputs + program->nOutputs + slotScratch);
  return viewAt(
      host, base, 0,
      mlirMemRefTypeContiguousGet(host->byte, 1, &bytes, (MlirAttribute){0}));
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
                  xlaBufferMemRefType(mlirValueGetType(value), NULL));
  if (!xlaPointerMapSet(&host->views, value.ptr, (intptr_t)view.ptr)) {
    xlaOpNoMemory(op);
    return (MlirValue){NULL};
  }
  return view;
}

static MlirValue viewOfPlace(XlaHost *host, MlirOperation op, MlirType type,
                             XlaHostPlace place) {
  return mlirValueIsNull(place.value)
             ? emitView(host, place.buffer, xlaBufferMemRefType(type, NULL))
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
    views[count++] = emitScratch(host, scratch);
  if (scratch > program->scratchBytes)
    program->scratchBytes = scratch;
  if (failed(xlaHostMoveUpdated(host, ir, op)))
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

static MlirValue addressOf(const XlaHost *host, XlaIr *ir, MlirValue memref) {
  MlirValue address = xlaIrCast(ir, "memref.extract_aligned_pointer_as_index",
                                memref, host->index);
  return xlaIrCast(ir, "arith.index_cast", address, host->i64);
}

static MlirValue emitContext(XlaHost *host) {
  const XlaHostProgram *program = host->program;
  if (mlirValueIsNull(host->context))
    host->context =
        emitBase(host, program->nInputs + program->nOutputs + slotContext);
  return host->context;
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
    MlirValue at = xlaIrConstantIndex(ir, i);
    xlaIrStore(ir, addressOf(host, ir, views[i]), host->addresses, 1, &at);
  }
  MlirValue context = emitContext(host);
  MlirValue arguments[] = {
      xlaIrConstantInt(ir, host->i64, program->nCustomCalls),
      addressOf(host, ir, context), host->addresses};
  xlaHostCall(ir, XLA_HOST_CUSTOM_CALL, 3, arguments);
  return xlaHostAddCustomCall(host, op);
}

static MlirValue isWell(XlaHost *host, XlaIr *ir) {
  MlirValue context = emitContext(host);
  MlirValue at = xlaIrConstantIndex(ir, XLA_HOST_FAILED_OFFSET);
  return xlaIrCmpI(ir, "eq", xlaIrLoad(ir, context, 1, &at),
                   xlaIrConstantInt(ir, host->byte, 0));
}

const XlaHostTarget xlaHostLocal = {
    slotsType, kernel, customCall, isWell, copy, load, NULL, flush,
};

//===- host.c - The host program of a function ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/host.h"

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/lowering/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Operands and results of one operation.
enum { mostValues = 256 };

/// The slots after those of inputs and outputs.
enum { slotConstants, slotArena, slotContext, slotScratch, slotCount };

typedef struct Host {
  const XlaBufferPlan *plan;
  const XlaHostDevice *device;
  XlaHostProgram *program;
  XlaIr entry;      // where bases and views are made, at the start
  MlirValue *bases; // memref<Bxi8> by buffer kind and index, made on demand
  MlirValue constants, arena, slots, addresses;
  XlaPointerMap views; // MlirValue -> its memref's MlirValue.ptr
  MlirType byte, i64, index;
} Host;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static MlirType bytesType(const Host *host, int64_t bytes) {
  int64_t size = bytes > 0 ? bytes : 1;
  return mlirMemRefTypeContiguousGet(host->byte, 1, &size, (MlirAttribute){0});
}

/// The memory whose address is in slot `slot`, as memref<bytes x i8>: a
/// descriptor is built by hand, since no dialect turns an address into a
/// memref.
static MlirValue emitBase(Host *host, intptr_t slot, int64_t bytes) {
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

static MlirValue baseOf(Host *host, const XlaBuffer *buffer) {
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
    bytes = host->plan->constantBytes;
    break;
  case XlaBufferKindArena:
    slot = program->nInputs + program->nOutputs + slotArena;
    base = &host->arena;
    bytes = host->plan->arenaBytes;
    break;
  }
  if (mlirValueIsNull(*base))
    *base = emitBase(host, slot, bytes);
  return *base;
}

/// A buffer as a memref of `type`.
static MlirValue emitView(Host *host, const XlaBuffer *buffer, MlirType type) {
  MlirValue base = baseOf(host, buffer);
  bool shared = buffer->kind == XlaBufferKindArena ||
                buffer->kind == XlaBufferKindConstant;
  MlirValue offset =
      xlaIrConstantIndex(&host->entry, shared ? buffer->offset : 0);
  return xlaIrOp(&host->entry, "memref.view", type, 2,
                 (MlirValue[]){base, offset}, 0, NULL);
}

/// The memref of a value of the program; null after a diagnostic at `op`.
static MlirValue viewOf(Host *host, MlirOperation op, MlirValue value) {
  MlirValue view = {(void *)xlaPointerMapGet(&host->views, value.ptr)};
  if (!mlirValueIsNull(view))
    return view;
  const char *reason = "has no buffer";
  const XlaBuffer *buffer = xlaBufferPlanGet(host->plan, value);
  MlirType type = xlaKernelMemRefType(mlirValueGetType(value), &reason);
  if (!buffer || mlirTypeIsNull(type)) {
    xlaOpError(op, NULL, "uses %s: %s", XLA_TYPE_TEXT(mlirValueGetType(value)),
               reason);
    return view;
  }
  view = emitView(host, buffer, type);
  if (!xlaPointerMapSet(&host->views, value.ptr, (intptr_t)view.ptr)) {
    xlaOpError(op, NULL, "ran out of memory");
    return (MlirValue){NULL};
  }
  return view;
}

static bool sameBuffer(const Host *host, MlirValue a, MlirValue b) {
  return xlaBufferPlanGet(host->plan, a) == xlaBufferPlanGet(host->plan, b);
}

static void emitCopy(XlaIr *ir, MlirValue from, MlirValue to) {
  xlaIrCreate(ir, "memref.copy", 2, (MlirValue[]){from, to}, 0, NULL, 0, NULL,
              0, NULL);
}

/// Copies a value into the buffer of another one of the same type, if it is not
/// there already.
static MlirLogicalResult emitMove(Host *host, XlaIr *ir, MlirOperation op,
                                  MlirValue from, MlirValue to) {
  if (sameBuffer(host, from, to))
    return success();
  MlirValue source = viewOf(host, op, from), target = viewOf(host, op, to);
  if (mlirValueIsNull(source) || mlirValueIsNull(target))
    return failure();
  emitCopy(ir, source, target);
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels and calls
//===----------------------------------------------------------------------===//

/// The memrefs of all operands, then all results.
static MlirLogicalResult gather(Host *host, MlirOperation op, MlirValue *views,
                                intptr_t *count) {
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  *count = nOperands + mlirOperationGetNumResults(op);
  if (*count > mostValues)
    return xlaOpError(op, NULL, "has %lld operands and results, more than %d",
                      (long long)*count, mostValues);
  for (intptr_t i = 0; i < *count; ++i) {
    MlirValue value = i < nOperands ? mlirOperationGetOperand(op, i)
                                    : mlirOperationGetResult(op, i - nOperands);
    views[i] = viewOf(host, op, value);
    if (mlirValueIsNull(views[i]))
      return failure();
  }
  return success();
}

static MlirLogicalResult emitKernel(Host *host, XlaIr *ir, MlirOperation op) {
  XlaHostProgram *program = host->program;
  MlirValue views[mostValues + 1];
  intptr_t count;
  int64_t scratch = -1;
  char name[32];
  if (failed(gather(host, op, views, &count)))
    return failure();
  snprintf(name, sizeof name, "kernel_%lld", (long long)program->nKernels++);
  if (failed(host->device->emitKernel(op, program->module, name, &scratch,
                                      host->device->user)))
    return failure();
  if (scratch >= 0)
    views[count++] = emitBase(
        host, program->nInputs + program->nOutputs + slotScratch, scratch);
  if (scratch > program->scratchBytes)
    program->scratchBytes = scratch;
  if (xlaBufferIsUpdate(op) &&
      failed(emitMove(host, ir, op, mlirOperationGetOperand(op, 0),
                      mlirOperationGetResult(op, 0))))
    return failure();
  MlirAttribute callee = mlirFlatSymbolRefAttrGet(
      ir->context, mlirStringRefCreateFromCString(name));
  xlaIrCreate(ir, "func.call", count, views, 0, NULL, 1,
              &(XlaIrAttr){"callee", callee}, 0, NULL);
  return success();
}

static MlirOperation createFunction(XlaIr *ir, const char *name, intptr_t n,
                                    const MlirType *arguments, bool isPrivate,
                                    MlirRegion region);

/// For the first custom call: declares the callback, and makes the array of
/// addresses that all of them pass.
static void prepareCustomCalls(Host *host) {
  XlaIr *ir = &host->entry;
  int64_t count = mostValues;
  MlirType type =
      mlirMemRefTypeContiguousGet(host->i64, 1, &count, (MlirAttribute){0});
  XlaIrAttr segments = {"operandSegmentSizes",
                        xlaIrParseAttr(ir->context, "array<i32: 0, 0>")};
  host->addresses = xlaIrOp(ir, "memref.alloca", type, 0, NULL, 1, &segments);
  XlaIr top = xlaIrIn(*ir, mlirModuleGetBody(host->program->module));
  createFunction(&top, XLA_HOST_CUSTOM_CALL, 3,
                 (MlirType[]){host->i64, host->i64, type}, true,
                 mlirRegionCreate());
}

/// Stores the addresses of all operands and results and calls back.
static MlirLogicalResult emitCustomCall(Host *host, XlaIr *ir,
                                        MlirOperation op) {
  XlaHostProgram *program = host->program;
  MlirValue views[mostValues];
  intptr_t count;
  MlirOperation *grown =
      realloc(program->customCalls, ((size_t)program->nCustomCalls + 1) *
                                        sizeof *program->customCalls);
  if (!grown)
    return xlaOpError(op, NULL, "ran out of memory");
  program->customCalls = grown;
  grown[program->nCustomCalls] = op;
  if (failed(gather(host, op, views, &count)))
    return failure();
  if (!program->nCustomCalls)
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
      xlaIrConstantInt(ir, host->i64, program->nCustomCalls++),
      xlaIrLoad(ir, host->slots, 1, &slot), host->addresses};
  MlirAttribute callee = mlirFlatSymbolRefAttrGet(
      ir->context, mlirStringRefCreateFromCString(XLA_HOST_CUSTOM_CALL));
  xlaIrCreate(ir, "func.call", 3, arguments, 0, NULL, 1,
              &(XlaIrAttr){"callee", callee}, 0, NULL);
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static MlirLogicalResult emitBlock(Host *host, XlaIr *ir, MlirBlock block);

static MlirLogicalResult loadScalar(Host *host, XlaIr *ir, MlirOperation op,
                                    MlirValue value, MlirValue *scalar) {
  MlirValue view = viewOf(host, op, value);
  if (mlirValueIsNull(view))
    return failure();
  *scalar = xlaIrLoad(ir, view, 0, NULL);
  return success();
}

/// Ends a loop's body: the next state goes to where the state is. What another
/// copy would overwrite first goes through a buffer of its own.
static MlirLogicalResult emitNextState(Host *host, XlaIr *ir, MlirBlock body) {
  MlirOperation terminator = mlirBlockGetTerminator(body);
  intptr_t n = mlirBlockGetNumArguments(body);
  for (int phase = 0; phase < 2; ++phase)
    for (intptr_t k = 0; k < n; ++k) {
      MlirValue state = mlirBlockGetArgument(body, k);
      MlirValue next = mlirOperationGetOperand(terminator, k);
      intptr_t through = xlaPointerMapGet(&host->plan->byLoopResult, state.ptr);
      if (!through) {
        if (phase == 1 && failed(emitMove(host, ir, terminator, next, state)))
          return failure();
        continue;
      }
      MlirValue view = viewOf(host, terminator, phase ? state : next);
      if (mlirValueIsNull(view))
        return failure();
      MlirValue passage = emitView(host, &host->plan->buffers[through - 1],
                                   mlirValueGetType(view));
      emitCopy(ir, phase ? passage : view, phase ? view : passage);
    }
  return success();
}

static MlirRegion newRegion(XlaIr *ir, XlaIr *inside) {
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  *inside = xlaIrIn(*ir, block);
  return region;
}

static MlirLogicalResult emitWhile(Host *host, XlaIr *ir, MlirOperation op) {
  MlirBlock condition = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1));
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
    if (failed(emitMove(host, ir, op, mlirOperationGetOperand(op, k),
                        mlirOperationGetResult(op, k))))
      return failure();
  XlaIr before, after;
  MlirRegion regions[2] = {newRegion(ir, &before), newRegion(ir, &after)};
  xlaIrCreate(ir, "scf.while", 0, NULL, 0, NULL, 0, NULL, 2, regions);
  MlirValue pred;
  if (failed(emitBlock(host, &before, condition)) ||
      failed(loadScalar(
          host, &before, op,
          mlirOperationGetOperand(mlirBlockGetTerminator(condition), 0),
          &pred)))
    return failure();
  MlirValue zero = xlaIrConstantInt(&before, host->byte, 0);
  pred = xlaIrCmpI(&before, "ne", pred, zero);
  xlaIrCreate(&before, "scf.condition", 1, &pred, 0, NULL, 0, NULL, 0, NULL);
  if (failed(emitBlock(host, &after, body)) ||
      failed(emitNextState(host, &after, body)))
    return failure();
  xlaIrYield(&after, 0, NULL);
  return success();
}

/// A branch for every index but the last, which is the default.
static MlirLogicalResult emitCase(Host *host, XlaIr *ir, MlirOperation op) {
  MlirValue index;
  if (failed(loadScalar(host, ir, op, mlirOperationGetOperand(op, 0), &index)))
    return failure();
  XlaIr at = *ir;
  for (intptr_t r = 0, n = mlirOperationGetNumRegions(op); r < n; ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    XlaIr then = at, otherwise = at;
    if (r < n - 1) {
      MlirValue number = xlaIrConstantInt(&at, mlirValueGetType(index), r);
      xlaIrIf(&at, xlaIrCmpI(&at, "eq", index, number), &then, &otherwise);
    }
    if (failed(emitBlock(host, &then, block)))
      return failure();
    MlirOperation terminator = mlirBlockGetTerminator(block);
    for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
      if (failed(emitMove(host, &then, op,
                          mlirOperationGetOperand(terminator, k),
                          mlirOperationGetResult(op, k))))
        return failure();
    at = otherwise;
  }
  return success();
}

static MlirLogicalResult emitOp(Host *host, XlaIr *ir, MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  ir->location = mlirOperationGetLocation(op);
  if (kind == XlaOpKindConstant || xlaBufferIsView(op))
    return success();
  if (kind == XlaOpKindWhile)
    return emitWhile(host, ir, op);
  if (kind == XlaOpKindCase)
    return emitCase(host, ir, op);
  if (kind == XlaOpKindCustomCall)
    return emitCustomCall(host, ir, op);
  return emitKernel(host, ir, op);
}

static MlirLogicalResult emitBlock(Host *host, XlaIr *ir, MlirBlock block) {
  MlirOperation terminator = mlirBlockGetTerminator(block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op))
    if (failed(emitOp(host, ir, op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static MlirOperation createFunction(XlaIr *ir, const char *name, intptr_t n,
                                    const MlirType *arguments, bool isPrivate,
                                    MlirRegion region) {
  MlirType type = mlirFunctionTypeGet(ir->context, n, arguments, 0, NULL);
  XlaIrAttr attrs[] = {
      {"sym_name", xlaIrStringAttr(ir->context, name)},
      {"function_type", mlirTypeAttrGet(type)},
      {"sym_visibility", xlaIrStringAttr(ir->context, "private")}};
  return xlaIrCreate(ir, "func.func", 0, NULL, 0, NULL, isPrivate ? 3 : 2,
                     attrs, 1, &region);
}

/// What the function returns but could not be placed in the outputs is copied.
static MlirLogicalResult emitReturn(Host *host, XlaIr *ir, MlirBlock block) {
  MlirOperation terminator = mlirBlockGetTerminator(block);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(terminator); ++i) {
    MlirValue value = mlirOperationGetOperand(terminator, i);
    const XlaBuffer *buffer = xlaBufferPlanGet(host->plan, value);
    if (buffer && buffer->kind == XlaBufferKindOutput && buffer->index == i)
      continue;
    MlirValue source = viewOf(host, terminator, value);
    if (mlirValueIsNull(source) || !buffer)
      return failure();
    XlaBuffer output = {
        .kind = XlaBufferKindOutput, .bytes = buffer->bytes, .index = i};
    emitCopy(ir, source, emitView(host, &output, mlirValueGetType(source)));
  }
  xlaIrCreate(ir, "func.return", 0, NULL, 0, NULL, 0, NULL, 0, NULL);
  return success();
}

static MlirLogicalResult emitFunction(Host *host, MlirOperation function,
                                      const char *name) {
  XlaHostProgram *program = host->program;
  MlirContext context = mlirOperationGetContext(function);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  XlaIr top = xlaIrAtEnd(context, mlirOperationGetLocation(function),
                         mlirModuleGetBody(program->module));
  int64_t nSlots = program->nInputs + program->nOutputs + slotCount;
  MlirType slots =
      mlirMemRefTypeContiguousGet(host->i64, 1, &nSlots, (MlirAttribute){0});
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(1, &slots, &top.location);
  mlirRegionAppendOwnedBlock(region, block);
  createFunction(&top, name, 1, &slots, false, region);
  // Views are made before this mark, so that they dominate every use.
  XlaIr ir = xlaIrIn(top, block);
  host->slots = mlirBlockGetArgument(block, 0);
  MlirValue mark = xlaIrConstantIndex(&ir, 0);
  host->entry = ir;
  host->entry.before = mlirOpResultGetOwner(mark);
  if (failed(emitBlock(host, &ir, body)))
    return failure();
  return emitReturn(host, &ir, body);
}

MlirLogicalResult xlaHostProgramCreate(MlirOperation function,
                                       const XlaBufferPlan *plan,
                                       const XlaHostDevice *device,
                                       const char *name,
                                       XlaHostProgram *program) {
  MlirContext context = mlirOperationGetContext(function);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  memset(program, 0, sizeof *program);
  program->module = mlirModuleCreateEmpty(mlirOperationGetLocation(function));
  program->nInputs = mlirBlockGetNumArguments(body);
  program->nOutputs = mlirOperationGetNumOperands(mlirBlockGetTerminator(body));
  Host host = {.plan = plan,
               .device = device,
               .program = program,
               .byte = mlirIntegerTypeGet(context, 8),
               .i64 = mlirIntegerTypeGet(context, 64),
               .index = mlirIndexTypeGet(context)};
  host.bases = calloc((size_t)(program->nInputs + program->nOutputs) + 1,
                      sizeof *host.bases);
  MlirLogicalResult result =
      host.bases ? emitFunction(&host, function, name)
                 : xlaOpError(function, NULL, "ran out of memory");
  free(host.bases);
  xlaPointerMapClear(&host.views);
  if (failed(result))
    xlaHostProgramDestroy(program);
  return result;
}

void xlaHostProgramDestroy(XlaHostProgram *program) {
  if (program->module.ptr)
    mlirModuleDestroy(program->module);
  free(program->customCalls);
  memset(program, 0, sizeof *program);
}

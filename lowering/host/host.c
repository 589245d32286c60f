//===- host.c - The host program of a function ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/host/host.h"

#include "xlac/dialect/result_internal.h"
#include "xlac/lowering/host/internal.h"
#include "xlac/lowering/linalg/kernel.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// For the targets
//===----------------------------------------------------------------------===//

XlaHostPlace xlaHostPlaceOf(const XlaHost *host, MlirOperation op,
                            MlirValue value) {
  const char *reason = "has no buffer";
  const XlaBuffer *buffer = xlaBufferAssignmentGet(host->assignment, value);
  MlirType type = xlaBufferMemRefType(mlirValueGetType(value), &reason);
  if (!buffer || mlirTypeIsNull(type)) {
    xlaOpUnsupported(op, NULL, "uses %s: %s",
                     XLA_TYPE_TEXT(mlirValueGetType(value)), reason);
    return (XlaHostPlace){NULL, value};
  }
  return (XlaHostPlace){buffer, value};
}

MlirValue xlaHostValueOf(MlirOperation op, intptr_t i) {
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  return i < nOperands ? mlirOperationGetOperand(op, i)
                       : mlirOperationGetResult(op, i - nOperands);
}

intptr_t xlaHostCountValues(MlirOperation op) {
  intptr_t count =
      mlirOperationGetNumOperands(op) + mlirOperationGetNumResults(op);
  if (count <= XLA_HOST_MAX_VALUES)
    return count;
  xlaOpUnsupported(op, NULL, "has %lld operands and results, more than %d",
                   (long long)count, XLA_HOST_MAX_VALUES);
  return -1;
}

MlirLogicalResult xlaHostMove(XlaHost *host, XlaIr *ir, MlirOperation op,
                              MlirValue from, MlirValue to) {
  XlaHostPlace source = xlaHostPlaceOf(host, op, from);
  XlaHostPlace target = xlaHostPlaceOf(host, op, to);
  if (!source.buffer || !target.buffer)
    return failure();
  if (source.buffer == target.buffer)
    return success();
  return host->target->copy(host, ir, op, mlirValueGetType(to), source, target);
}

MlirLogicalResult xlaHostMoveUpdated(XlaHost *host, XlaIr *ir,
                                     MlirOperation op) {
  MlirLogicalResult result = success();
  for (intptr_t r = 0; !failed(result) && r < mlirOperationGetNumResults(op);
       ++r) {
    intptr_t i = xlaBufferUpdated(op, r);
    if (i >= 0)
      result = xlaHostMove(host, ir, op, mlirOperationGetOperand(op, i),
                           mlirOperationGetResult(op, r));
  }
  return result;
}

MlirLogicalResult xlaHostAddCustomCall(XlaHost *host, MlirOperation op) {
  XlaHostProgram *program = host->program;
  MlirOperation *grown =
      realloc(program->customCalls, ((size_t)program->nCustomCalls + 1) *
                                        sizeof *program->customCalls);
  if (!grown)
    return xlaOpNoMemory(op);
  program->customCalls = grown;
  grown[program->nCustomCalls++] = op;
  return success();
}

void xlaHostCreateFunction(XlaIr *ir, const char *name, intptr_t n,
                           const MlirType *arguments, bool isPrivate,
                           MlirRegion region) {
  MlirType type = mlirFunctionTypeGet(ir->context, n, arguments, 0, NULL);
  XlaIrAttr attrs[] = {
      {"sym_name", xlaIrStringAttr(ir->context, name)},
      {"function_type", mlirTypeAttrGet(type)},
      {"sym_visibility", xlaIrStringAttr(ir->context, "private")}};
  xlaIrCreate(ir, "func.func", 0, NULL, 0, NULL, isPrivate ? 3 : 2, attrs, 1,
              &region);
}

void xlaHostCall(XlaIr *ir, const char *name, intptr_t n,
                 const MlirValue *arguments) {
  MlirAttribute callee = mlirFlatSymbolRefAttrGet(
      ir->context, mlirStringRefCreateFromCString(name));
  xlaIrCreate(ir, "func.call", n, arguments, 0, NULL, 1,
              &(XlaIrAttr){"callee", callee}, 0, NULL);
}

/// Operations that are functions of who runs the program, or of other
/// processes.
static bool callsBack(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindCustomCall || kind == XlaOpKindInfeed ||
         kind == XlaOpKindOutfeed ||
         (kind != XlaOpKindInvalid &&
          xlaOpGetInfo(kind)->family == XlaFamilyCollective);
}

static MlirWalkResult findCall(MlirOperation op, void *found) {
  *(bool *)found |= callsBack(op);
  return *(bool *)found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static MlirLogicalResult emitOp(XlaHost *host, XlaIr *ir, MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  ir->location = mlirOperationGetLocation(op);
  if (kind == XlaOpKindConstant)
    return success();
  if (failed(xlaHostCompute(host, ir, op)))
    return failure();
  if (xlaPointerMapGet(&host->scalars.hosted, op.ptr) || xlaBufferIsView(op))
    return success();
  if (kind == XlaOpKindWhile)
    return xlaHostEmitWhile(host, ir, op);
  if (kind == XlaOpKindCase)
    return xlaHostEmitCase(host, ir, op);
  if (callsBack(op))
    return host->target->customCall(host, ir, op);
  return host->target->kernel(host, ir, op);
}

MlirLogicalResult xlaHostEmitBlock(XlaHost *host, XlaIr *ir, MlirBlock block) {
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

/// What the function returns but could not be placed in the outputs is copied.
static MlirLogicalResult emitReturn(XlaHost *host, XlaIr *ir, MlirBlock block) {
  MlirOperation terminator = mlirBlockGetTerminator(block);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(terminator); ++i) {
    MlirValue value = mlirOperationGetOperand(terminator, i);
    const XlaBuffer *buffer = xlaBufferAssignmentGet(host->assignment, value);
    if (buffer && buffer->kind == XlaBufferKindOutput && buffer->index == i)
      continue;
    XlaBuffer output = {.kind = XlaBufferKindOutput, .index = i};
    if (buffer)
      output.bytes = buffer->bytes;
    XlaHostPlace from = xlaHostPlaceOf(host, terminator, value);
    XlaHostPlace to = {&output, {NULL}};
    if (!from.buffer ||
        failed(host->target->copy(host, ir, terminator, mlirValueGetType(value),
                                  from, to)))
      return failure();
  }
  if (failed(host->target->flush(host, ir, terminator)))
    return failure();
  xlaIrCreate(ir, "func.return", 0, NULL, 0, NULL, 0, NULL, 0, NULL);
  return success();
}

static MlirLogicalResult emitFunction(XlaHost *host, MlirOperation function,
                                      const char *name) {
  XlaHostProgram *program = host->program;
  MlirContext context = mlirOperationGetContext(function);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  XlaIr top = xlaIrAtEnd(context, mlirOperationGetLocation(function),
                         mlirModuleGetBody(program->module));
  MlirType slots = host->target->slotsType(host);
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(1, &slots, &top.location);
  mlirRegionAppendOwnedBlock(region, block);
  xlaHostCreateFunction(&top, name, 1, &slots, false, region);
  // Views are made before this mark, so that they dominate every use.
  XlaIr ir = xlaIrIn(top, block);
  host->slots = mlirBlockGetArgument(block, 0);
  MlirValue mark = xlaIrConstantIndex(&ir, 0);
  host->entry = ir;
  mlirOperationWalk(function, findCall, &host->mayFail, MlirWalkPreOrder);
  host->entry.before = mlirOpResultGetOwner(mark);
  if (failed(xlaHostEmitBlock(host, &ir, body)))
    return failure();
  return emitReturn(host, &ir, body);
}

MlirLogicalResult xlaHostProgramCreate(MlirOperation function,
                                       const XlaBufferAssignment *assignment,
                                       const XlaHostDevice *device,
                                       const char *name,
                                       XlaHostProgram *program) {
  MlirContext context = mlirOperationGetContext(function);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  memset(program, 0, sizeof *program);
  program->module = mlirModuleCreateEmpty(mlirOperationGetLocation(function));
  if (device->isRemote)
    program->kernels =
        mlirModuleCreateEmpty(mlirOperationGetLocation(function));
  program->nInputs = mlirBlockGetNumArguments(body);
  program->nOutputs = mlirOperationGetNumOperands(mlirBlockGetTerminator(body));
  XlaHost host = {.assignment = assignment,
                  .device = device,
                  .target = device->isRemote ? &xlaHostRemote : &xlaHostLocal,
                  .program = program,
                  .byte = mlirIntegerTypeGet(context, 8),
                  .i64 = mlirIntegerTypeGet(context, 64),
                  .index = mlirIndexTypeGet(context)};
  host.bases = calloc((size_t)(program->nInputs + program->nOutputs) + 1,
                      sizeof *host.bases);
  MlirLogicalResult result = host.bases ? success() : xlaOpNoMemory(function);
  // Only waiting for a device is worth computing scalars apart.
  if (!failed(result) && device->isRemote)
    result = xlaHostScalarsFind(function, &host.scalars);
  if (!failed(result))
    result = emitFunction(&host, function, name);
  program->nKernels = host.kernels.count;
  xlaKernelPoolDestroy(&host.kernels);
  xlaHostScalarsDestroy(&host.scalars);
  xlaPointerMapClear(&host.registers);
  free((void *)host.bound);
  free(host.bases);
  xlaPointerMapClear(&host.views);
  if (failed(result))
    xlaHostProgramDestroy(program);
  return result;
}

void xlaHostProgramDestroy(XlaHostProgram *program) {
  if (program->module.ptr)
    mlirModuleDestroy(program->module);
  if (program->kernels.ptr)
    mlirModuleDestroy(program->kernels);
  free(program->customCalls);
  free(program->steps);
  free(program->runs);
  free(program->buffers);
  free(program->scalars);
  free(program->callBuffers);
  memset(program, 0, sizeof *program);
}

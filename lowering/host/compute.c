//===- compute.c - Scalars in the host's registers ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scalar is computed where its operation stands, and stored there if the
// device reads it: its buffer is free from then on, as for a kernel's result.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/literal.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/lowering/host/internal.h"
#include "xlac/lowering/linalg/scalar.h"

#include <stdlib.h>

static XlaElementType elementTypeOf(MlirValue value) {
  XlaShape shape;
  xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL);
  return shape.elementType;
}

/// Notes the register of a value, or of an argument of a fusion.
static MlirLogicalResult note(XlaHost *host, MlirOperation op, MlirValue value,
                              MlirValue inRegister) {
  if (host->nBound == host->boundCapacity) {
    intptr_t larger = 2 * host->boundCapacity + 16;
    const void **grown =
        realloc((void *)host->bound, (size_t)larger * sizeof *grown);
    if (!grown)
      return xlaOpNoMemory(op);
    host->bound = grown;
    host->boundCapacity = larger;
  }
  host->bound[host->nBound++] = value.ptr;
  return xlaPointerMapSet(&host->registers, value.ptr, (intptr_t)inRegister.ptr)
             ? success()
             : xlaOpNoMemory(op);
}

void xlaHostUnbind(XlaHost *host, intptr_t mark) {
  while (host->nBound > mark)
    xlaPointerMapSet(&host->registers, host->bound[--host->nBound], 0);
}

static MlirValue constant(XlaIr *ir, MlirOperation op) {
  XlaLiteral *literal = xlaLiteralFromAttribute(xlaOpGetAttr(op, "value"));
  if (!literal) {
    xlaOpError(op, NULL, "has a value that cannot be read");
    return (MlirValue){NULL};
  }
  MlirValue scalar = xlaLowerConstant(ir, literal, 0);
  xlaLiteralRelease(literal);
  return scalar;
}

MlirValue xlaHostRegister(XlaHost *host, XlaIr *ir, MlirOperation op,
                          MlirValue value) {
  value = xlaBufferResolve(value);
  if (mlirValueIsAOpResult(value) &&
      xlaOpGetKind(mlirOpResultGetOwner(value)) == XlaOpKindConstant)
    return constant(ir, mlirOpResultGetOwner(value));
  MlirValue found = {(void *)xlaPointerMapGet(&host->registers, value.ptr)};
  if (mlirValueIsNull(found))
    xlaOpError(op, NULL, "takes a scalar that the host does not have");
  return found;
}

/// The bits of a register's value, as they are in memory.
static MlirValue toBits(XlaIr *ir, XlaElementType type, MlirValue x) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  return info->typeClass == XlaTypeClassFloat
             ? xlaIrCast(ir, "arith.bitcast", x,
                         mlirIntegerTypeGet(ir->context, (unsigned)info->bits))
             : xlaScalarToMemory(ir, type, x);
}

static MlirValue fromBits(XlaIr *ir, XlaElementType type, MlirValue bits) {
  return xlaElementTypeGetInfo(type)->typeClass == XlaTypeClassFloat
             ? xlaIrCast(ir, "arith.bitcast", bits,
                         xlaScalarRegisterType(type, ir->context))
             : xlaScalarFromMemory(ir, type, bits);
}

MlirLogicalResult xlaHostBind(XlaHost *host, XlaIr *ir, MlirOperation op,
                              MlirValue value, MlirValue inRegister) {
  if (mlirValueIsNull(inRegister) || failed(note(host, op, value, inRegister)))
    return failure();
  if (!xlaHostScalarsIsRead(&host->scalars, value))
    return success();
  return host->target->store(host, ir, op, value,
                             toBits(ir, elementTypeOf(value), inRegister));
}

MlirLogicalResult xlaHostLoadNeeds(XlaHost *host, XlaIr *ir,
                                   MlirOperation loop) {
  for (intptr_t i = 0; i < host->scalars.nNeeds; ++i) {
    const XlaHostNeed *need = &host->scalars.needs[i];
    if (!mlirOperationEqual(need->loop, loop) ||
        xlaPointerMapGet(&host->registers, need->value.ptr))
      continue;
    MlirValue bits = host->target->load(host, ir, loop, need->value);
    if (mlirValueIsNull(bits) ||
        failed(note(host, loop, need->value,
                    fromBits(ir, elementTypeOf(need->value), bits))))
      return failure();
  }
  return success();
}

/// The result of one elementwise operation.
static MlirValue elementwise(XlaHost *host, XlaIr *ir, MlirOperation op) {
  MlirValue operands[4] = {{NULL}}, none = {NULL};
  intptr_t n = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < n && i < 4; ++i) {
    operands[i] = xlaHostRegister(host, ir, op, mlirOperationGetOperand(op, i));
    if (mlirValueIsNull(operands[i]))
      return none;
  }
  return xlaLowerScalar(ir, op, operands);
}

/// Computes in a fusion what the host can; the registers are bound until the
/// caller's mark.
static MlirLogicalResult insideFusion(XlaHost *host, XlaIr *ir,
                                      MlirOperation fusion, MlirBlock body) {
  const XlaHostScalars *scalars = &host->scalars;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    if (!xlaHostScalarsHave(scalars, argument))
      continue;
    MlirValue operand =
        xlaHostRegister(host, ir, fusion, mlirOperationGetOperand(fusion, i));
    if (mlirValueIsNull(operand) ||
        failed(note(host, fusion, argument, operand)))
      return failure();
  }
  MlirOperation terminator = mlirBlockGetTerminator(body);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op)) {
    if (xlaOpGetKind(op) == XlaOpKindConstant ||
        !xlaHostScalarsHave(scalars, mlirOperationGetResult(op, 0)))
      continue;
    MlirValue scalar = elementwise(host, ir, op);
    if (mlirValueIsNull(scalar) ||
        failed(note(host, op, mlirOperationGetResult(op, 0), scalar)))
      return failure();
  }
  return success();
}

static MlirLogicalResult fusion(XlaHost *host, XlaIr *ir, MlirOperation op,
                                bool hosted) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirOperation terminator = mlirBlockGetTerminator(body);
  MlirLogicalResult result = insideFusion(host, ir, op, body);
  for (intptr_t r = 0; !failed(result) && r < mlirOperationGetNumResults(op);
       ++r) {
    MlirValue value = mlirOperationGetResult(op, r);
    if (!xlaHostScalarsHave(&host->scalars, value))
      continue;
    MlirValue scalar =
        xlaHostRegister(host, ir, op, mlirOperationGetOperand(terminator, r));
    if (mlirValueIsNull(scalar))
      return failure();
    // What the device computes, too, it has stored itself.
    result = hosted ? xlaHostBind(host, ir, op, value, scalar)
                    : note(host, op, value, scalar);
  }
  return result;
}

MlirLogicalResult xlaHostCompute(XlaHost *host, XlaIr *ir, MlirOperation op) {
  bool hosted = xlaPointerMapGet(&host->scalars.hosted, op.ptr) != 0;
  if (host->scalars.isUsed && xlaOpGetKind(op) == XlaOpKindFusion)
    return fusion(host, ir, op, hosted);
  if (!hosted)
    return success();
  return xlaHostBind(host, ir, op, mlirOperationGetResult(op, 0),
                     elementwise(host, ir, op));
}

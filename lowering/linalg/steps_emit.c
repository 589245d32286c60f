//===- steps_emit.c - The loops of steps
//-----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/boxes.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"
#include "xlac/lowering/linalg/steps.h"

#include <stdlib.h>

/// The linalg op of a generic that has begun.
static MlirLogicalResult emitBox(XlaGeneric *generic,
                                 const XlaKernelPieces *pieces,
                                 const MlirValue *memrefs) {
  size_t n = (size_t)pieces->n;
  MlirAffineMap *maps = calloc(n, sizeof *maps);
  MlirValue *outputs = calloc(n, sizeof *outputs);
  MlirValue *yields = calloc(n, sizeof *yields);
  MlirLogicalResult result = mlirLogicalResultSuccess();
  if (!maps || !outputs || !yields)
    result = xlaKernelNoMemory(generic->kernel);
  for (intptr_t i = 0; maps && outputs && yields && i < pieces->n; ++i) {
    intptr_t value = i / pieces->places;
    XlaShape shape = xlaKernelShapeOf(pieces->step->values[value]);
    XlaIndex index = xlaKernelPiecesIndex(pieces, i, &generic->space.root);
    MlirValue scalar =
        xlaGenericScalar(generic, pieces->values[i], &generic->space.root);
    if (mlirValueIsNull(scalar)) {
      result = mlirLogicalResultFailure();
      break;
    }
    yields[i] = xlaScalarToMemory(&generic->ir, shape.elementType, scalar);
    outputs[i] =
        xlaGenericView(generic, memrefs[value], &shape, &index, &maps[i]);
  }
  if (mlirLogicalResultIsSuccess(result))
    result =
        xlaGenericEnd(generic, pieces->n, outputs, maps, yields, NULL, false);
  free(yields);
  free(outputs);
  free(maps);
  return result;
}

static MlirLogicalResult emitElementwise(XlaKernelSteps *steps,
                                         const XlaKernelStep *step,
                                         const MlirValue *memrefs) {
  XlaKernelPieces pieces;
  if (!xlaKernelPiecesInit(&pieces, steps, step))
    return xlaKernelNoMemory(steps->kernel);
  XlaShape domain = xlaKernelShapeOf(pieces.values[0]);
  XlaKernelBoxes *boxes = xlaKernelBoxesBegin(steps, &domain);
  MlirLogicalResult result =
      boxes ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
  while (mlirLogicalResultIsSuccess(result) && boxes->n) {
    XlaGeneric generic;
    result = xlaKernelBoxesNext(boxes, steps, &pieces, &domain, &generic);
    if (mlirLogicalResultIsSuccess(result))
      result = emitBox(&generic, &pieces, memrefs);
    xlaGenericFree(&generic);
  }
  free(boxes);
  xlaKernelPiecesFree(&pieces);
  return result;
}

/// Memory for `value`, marked with the argument `result` in place of which
/// devices may take it, unless that is null.
static MlirValue allocate(XlaKernelSteps *steps, MlirValue value,
                          MlirValue result) {
  XlaIr *ir = &steps->kernel->ir;
  const char *reason;
  MlirType type = xlaKernelMemRefType(mlirValueGetType(value), &reason);
  if (!mlirTypeIsNull(type)) {
    MlirValue memory = xlaLinalgAlloc(ir, type);
    if (!mlirValueIsNull(result))
      mlirOperationSetDiscardableAttributeByName(
          mlirOpResultGetOwner(memory),
          mlirStringRefCreateFromCString("xla.memory"),
          mlirIntegerAttrGet(mlirIntegerTypeGet(ir->context, 64),
                             mlirBlockArgumentGetArgNumber(result)));
    return memory;
  }
  xlaOpUnsupported(steps->kernel->op, NULL, "has an intermediate value %s: %s",
                   XLA_TYPE_TEXT(mlirValueGetType(value)), reason);
  return (MlirValue){NULL};
}

static MlirLogicalResult writeStep(XlaKernelSteps *steps,
                                   const XlaKernelStep *step,
                                   const MlirValue *memrefs) {
  if (step->reduce.ptr && xlaKernelIsScan(step->reduce))
    return xlaScanEmit(steps->kernel, step->reduce, memrefs);
  if (step->reduce.ptr)
    return xlaReduceEmit(steps->kernel, step->reduce, memrefs);
  if (step->dot.ptr)
    return xlaDotEmit(steps->kernel, step->dot, memrefs[0]);
  if (step->update.ptr)
    return xlaUpdateEmit(steps->kernel, step->update, memrefs[0]);
  return emitElementwise(steps, step, memrefs);
}

static MlirLogicalResult emitStep(XlaKernelSteps *steps,
                                  const XlaKernelStep *step,
                                  const MlirValue *results) {
  MlirLogicalResult result = mlirLogicalResultSuccess();
  XlaShape domain;
  int64_t count = 0;
  xlaShapeFromMlir(mlirValueGetType(step->values[0]), &domain, NULL);
  xlaShapeGetElementCount(&domain, &count);
  MlirValue *memrefs = calloc((size_t)step->n, sizeof *memrefs);
  if (!memrefs)
    return xlaKernelNoMemory(steps->kernel);
  for (intptr_t i = 0; i < step->n && count; ++i) {
    intptr_t memory = step->memory[i];
    memrefs[i] =
        step->results[i] >= 0
            ? results[step->results[i]]
            : allocate(steps, step->values[i],
                       memory >= 0 ? results[memory] : (MlirValue){NULL});
    if (mlirValueIsNull(memrefs[i]))
      result = mlirLogicalResultFailure();
  }
  // Without elements nothing is to be written, and loops would not be loops.
  if (mlirLogicalResultIsSuccess(result) && count)
    result = writeStep(steps, step, memrefs);
  for (intptr_t i = 0; i < step->n && mlirLogicalResultIsSuccess(result); ++i)
    if (!xlaKernelGetBuffer(steps->kernel, step->values[i]) &&
        !xlaKernelAddComputed(steps->kernel, step->values[i], memrefs[i]))
      result = mlirLogicalResultFailure();
  free(memrefs);
  return result;
}

MlirLogicalResult xlaKernelStepsEmit(XlaKernelSteps *steps,
                                     const MlirValue *results) {
  for (intptr_t i = 0; i < steps->n; ++i)
    if (mlirLogicalResultIsFailure(emitStep(steps, &steps->all[i], results)))
      return mlirLogicalResultFailure();
  return mlirLogicalResultSuccess();
}

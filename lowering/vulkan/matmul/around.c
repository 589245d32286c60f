//===- around.c - What a matrix product's kernel computes beside it -------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bodies of prologues and of the epilogue, on elements that are loaded or
// stored.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/matmul/emit.h"

#include "xlac/dialect/pointer_map.h"

#include <string.h>

static MlirValue get(const XlaPointerMap *values, MlirValue key) {
  void *value = (void *)xlaPointerMapGet(values, key.ptr);
  return value ? (MlirValue){value} : key;
}

static void set(MatmulEmitter *e, XlaPointerMap *values, MlirValue key,
                MlirValue value) {
  e->failed |= !xlaPointerMapSet(values, key.ptr, (intptr_t)value.ptr);
}

/// The body of a part, up to its end.
static void cloneBody(MatmulEmitter *e, XlaIr *ir, MlirBlock body,
                      XlaPointerMap *values) {
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op)) {
    MlirOperation copy = mlirOperationClone(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      mlirOperationSetOperand(copy, i,
                              get(values, mlirOperationGetOperand(op, i)));
    if (ir->before.ptr)
      mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, copy);
    else
      mlirBlockAppendOwnedOperation(ir->block, copy);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      set(e, values, mlirOperationGetResult(op, i),
          mlirOperationGetResult(copy, i));
  }
}

/// Whether an input is one of a side's, in all terms the same or not.
static bool isInput(const MatmulEmitter *e, int i, MatmulArray side) {
  const XlaVulkanMatmulInput *input = &e->op->inputs[i];
  return (int)input->side == (int)side && input->output < 0;
}

static bool isSame(const MatmulEmitter *e, int i) {
  const XlaContractionDims *terms = &e->op->contraction.terms;
  for (intptr_t d = 0; d < terms->n; ++d)
    if (terms->dims[d].inputs[i])
      return false;
  return true;
}

void xlaMatmulLoadSame(MatmulEmitter *e, XlaIr *ir, MatmulArray side,
                       const MatmulPlace *place, intptr_t unit) {
  for (int i = 0; i < e->op->nInputs; ++i)
    if (isInput(e, i, side) && isSame(e, i))
      xlaMatmulLoadInput(e, ir, (MatmulArray)(MatmulInput + i), side, place,
                         e->same[side][unit][i]);
}

/// The elements of input `i` for a unit.
static void loadInput(MatmulEmitter *e, XlaIr *ir, int i, MatmulArray side,
                      const MatmulPlace *place, intptr_t unit,
                      MlirValue *elements) {
  if (side == MatmulResult || !e->same[side] || !isSame(e, i))
    xlaMatmulLoadInput(e, ir, (MatmulArray)(MatmulInput + i), side, place,
                       elements);
  else
    memcpy(elements, e->same[side][unit][i], sizeof e->same[side][unit][i]);
}

/// What the part of a side yields for each element of a unit, from its inputs
/// and, for the epilogue, the product: `yields[output][element]`.
static void compute(MatmulEmitter *e, XlaIr *ir, MatmulArray side,
                    const MatmulPlace *place, intptr_t unit,
                    const MlirValue *product, MlirValue (*yields)[4]) {
  MlirBlock body = e->op->parts[side];
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirValue loaded[XLA_CONTRACTION_MAX_INPUTS][4];
  intptr_t nOutputs = mlirOperationGetNumOperands(yield);
  for (int i = 0; i < e->op->nInputs; ++i)
    if (isInput(e, i, side))
      loadInput(e, ir, i, side, place, unit, loaded[i]);
  for (int element = 0; element < e->unit[side]; ++element) {
    XlaPointerMap values = {0};
    for (intptr_t a = 0;
         product && a < mlirBlockGetNumArguments(body) - nOutputs; ++a)
      set(e, &values, mlirBlockGetArgument(body, a), product[element]);
    for (int i = 0; i < e->op->nInputs; ++i)
      if (isInput(e, i, side))
        set(e, &values, mlirBlockGetArgument(body, e->op->inputs[i].argument),
            loaded[i][element]);
    cloneBody(e, ir, body, &values);
    for (intptr_t i = 0; i < nOutputs; ++i)
      yields[i][element] = get(&values, mlirOperationGetOperand(yield, i));
    xlaPointerMapClear(&values);
  }
}

void xlaMatmulCompute(MatmulEmitter *e, XlaIr *ir, MatmulArray side,
                      const MatmulPlace *place, intptr_t unit,
                      MlirValue *elements) {
  MlirValue yields[1][4];
  compute(e, ir, side, place, unit, NULL, yields);
  for (int i = 0; i < e->unit[side]; ++i)
    elements[i] = yields[0][i];
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

static void store(MatmulEmitter *e, XlaIr *ir, MatmulArray array,
                  const MatmulPlace *place, const MlirValue *values) {
  MlirType element = mlirValueGetType(values[0]);
  MlirValue value = values[0];
  if (e->unit[array] > 1) {
    const int64_t four = 4;
    value = xlaIrOp(ir, "vector.from_elements",
                    mlirVectorTypeGet(1, &four, element), 4, values, 0, NULL);
  }
  xlaAffineStore(&e->nest, ir, value, e->memref[array], place->at[array]);
}

void xlaMatmulStoreUnit(MatmulEmitter *e, XlaIr *ir, const MatmulPlace *place,
                        const MlirValue *elements) {
  MlirValue yields[XLA_CONTRACTION_MAX_INPUTS][4];
  if (e->memref[MatmulResult].ptr)
    store(e, ir, MatmulResult, place, elements);
  if (!xlaMatmulHasEpilogue(e))
    return;
  compute(e, ir, MatmulResult, place, 0, elements, yields);
  for (int i = 0; i < e->op->nInputs; ++i)
    if (e->op->inputs[i].side == XlaContractionProduct &&
        e->op->inputs[i].output >= 0)
      store(e, ir, (MatmulArray)(MatmulInput + i), place,
            yields[e->op->inputs[i].output]);
}

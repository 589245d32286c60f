//===- prologue.c - What precedes a matrix product ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/prologue.h"

#include "xlac/lowering/cpu/matmul/lanes.h"
#include "xlac/lowering/cpu/pointer.h"

static const XlaContractionDims *freeDims(const XlaCpuPrologue *prologue) {
  const XlaContraction *all = &prologue->inputs->contraction;
  return prologue->side == XlaContractionLhs ? &all->rows : &all->columns;
}

static XlaCpuWalk walkOf(const XlaContractionDims *dims, int input) {
  XlaCpuWalk walk = {.n = 0};
  int64_t unit = dims->size;
  for (intptr_t i = 0; i < dims->n; ++i) {
    const XlaContractionDim *dim = &dims->dims[i];
    unit /= dim->size;
    xlaCpuWalkAdd(&walk, unit, dim->size, dim->inputs[input], i == 0);
  }
  return walk;
}

static MlirValue load(const XlaCpuPrologue *prologue, const XlaCpuLanes *lanes,
                      const XlaCpuMatmulPlace *place, int input,
                      const MlirValue *extras) {
  XlaIr *ir = lanes->ir;
  const XlaContractionInput *in = &prologue->inputs->inputs[input];
  const XlaContraction *all = &prologue->inputs->contraction;
  XlaCpuWalk batch = walkOf(&all->batch, input),
             free = walkOf(freeDims(prologue), input),
             term = walkOf(&all->terms, input);
  MlirValue parts[2] = {xlaCpuWalkDistance(ir, &batch, place->batch),
                        place->alongTerms
                            ? xlaCpuWalkDistance(ir, &free, place->free)
                            : xlaCpuWalkDistance(ir, &term, place->term)};
  MlirValue offset = xlaIrConstantIndex(ir, in->offset);
  for (int i = 0; i < 2; ++i)
    if (parts[i].ptr)
      offset = xlaCpuAdd(ir, offset, parts[i]);
  MlirValue pointer =
      xlaCpuPtrAdd(ir, extras[prologue->extras[input]], in->element, offset);
  return xlaCpuLanesLoad(lanes, pointer, in->element,
                         place->alongTerms ? &term : &free);
}

MlirValue xlaCpuPrologueApply(XlaIr *ir, const XlaCpuMatmulPlace *place,
                              const MlirValue *extras, void *user) {
  XlaCpuPrologue *prologue = user;
  MlirBlock body = prologue->kernel->parts[prologue->side].body;
  MlirOperation yield = mlirBlockGetTerminator(body);
  XlaCpuLanes lanes = {.ir = ir,
                       .n = place->lanes,
                       .first = place->alongTerms ? place->term : place->free,
                       .mask = place->mask};
  for (int i = 0; i < prologue->inputs->n; ++i) {
    const XlaContractionInput *input = &prologue->inputs->inputs[i];
    if (input->side == prologue->side)
      xlaCpuLanesSet(&lanes, mlirBlockGetArgument(body, input->argument),
                     load(prologue, &lanes, place, i, extras));
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op))
    xlaCpuLanesClone(&lanes, op);
  MlirValue value = xlaCpuLanesSplat(
      &lanes, xlaCpuLanesGet(&lanes, mlirOperationGetOperand(yield, 0)));
  if (place->mask.ptr) {
    MlirType type = mlirValueGetType(value);
    bool isInteger = mlirTypeIsAInteger(xlaIrElementType(type));
    MlirValue zero = isInteger ? xlaIrConstantInt(ir, type, 0)
                               : xlaIrConstantFloat(ir, type, 0);
    value = xlaIrSelect(ir, place->mask, value, zero);
  }
  prologue->failed |= lanes.failed;
  xlaPointerMapClear(&lanes.values);
  return value;
}

/// Elements of an input that the operand's elements are computed from.
static int64_t elementsOf(const XlaCpuPrologue *prologue, int input) {
  const XlaContraction *all = &prologue->inputs->contraction;
  const XlaContractionDims *lists[] = {&all->batch, freeDims(prologue),
                                       &all->terms};
  int64_t elements = 1;
  for (int l = 0; l < 3; ++l)
    for (intptr_t i = 0; i < lists[l]->n; ++i)
      if (lists[l]->dims[i].inputs[input])
        elements *= lists[l]->dims[i].size;
  return elements;
}

static int64_t innerStride(const XlaContractionDims *dims, int input) {
  return dims->n ? dims->dims[dims->n - 1].inputs[input] : 0;
}

void xlaCpuPrologueStrides(const XlaCpuPrologue *prologue, int64_t *free,
                           int64_t *term) {
  int64_t most = -1;
  for (int i = 0; i < prologue->inputs->n; ++i) {
    if (prologue->inputs->inputs[i].side != prologue->side ||
        elementsOf(prologue, i) <= most)
      continue;
    most = elementsOf(prologue, i);
    *free = innerStride(freeDims(prologue), i);
    *term = innerStride(&prologue->inputs->contraction.terms, i);
  }
}

//===- kernel.c - The fusions of Fourier transforms -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fft/fft.h"

#include <string.h>

void xlaFftKernelBegin(XlaFftKernel *kernel, XlaIr *ir, intptr_t n,
                       const MlirValue *operands) {
  memset(kernel, 0, sizeof *kernel);
  kernel->ir = ir;
  kernel->region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(kernel->region, block);
  kernel->body = xlaIrIn(*ir, block);
  for (intptr_t i = 0; i < n; ++i) {
    if (!operands[i].ptr)
      continue;
    kernel->operands[kernel->n++] = operands[i];
    kernel->arguments[i] = mlirBlockAddArgument(
        block, mlirValueGetType(operands[i]), ir->location);
  }
}

void xlaFftKernelEnd(XlaFftKernel *kernel, intptr_t n, const MlirValue *values,
                     MlirValue *results) {
  MlirType types[2];
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(values[i]);
  xlaIrCreate(&kernel->body, "xla.return", n, values, 0, NULL, 0, NULL, 0,
              NULL);
  MlirOperation fusion = xlaIrCreate(
      kernel->ir, "xla.fusion", kernel->n, kernel->operands, n, types, 1,
      &(XlaIrAttr){"kind", xlaIrStringAttr(kernel->ir->context, "loop")}, 1,
      &kernel->region);
  for (intptr_t i = 0; i < n; ++i)
    results[i] = mlirOperationGetResult(fusion, i);
}

MlirValue xlaFftRange(XlaIr *ir, MlirValue array, int d, int64_t from,
                      int64_t to) {
  XlaShape shape = xlaArrayShape(array);
  int64_t starts[XLA_MAX_RANK] = {0};
  starts[d] = from;
  shape.dims[d] = to;
  return xlaArraySlice(ir, array, starts, shape.dims, NULL);
}

MlirValue xlaFftAt(XlaIr *ir, MlirValue array, int d, int64_t at) {
  XlaShape shape = xlaArrayShape(array);
  MlirValue slice = xlaFftRange(ir, array, d, at, at + 1);
  --shape.rank;
  memmove(shape.dims + d, shape.dims + d + 1,
          (size_t)(shape.rank - d) * sizeof *shape.dims);
  return xlaArrayReshape(ir, slice, shape.rank, shape.dims);
}

MlirValue xlaFftScale(XlaIr *ir, MlirValue array, double factor) {
  XlaElementType type = xlaArrayShape(array).elementType;
  return factor == 1
             ? array
             : xlaIrBinary(
                   ir, "xla.multiply", array,
                   xlaArraySplat(ir, xlaArrayNumber(ir, type, factor), array));
}

XlaComplex xlaFftMultiply(XlaIr *ir, XlaComplex x, XlaComplex y) {
  XlaComplex product;
  xlaComplexElementwise(ir, XlaOpKindMultiply, (XlaComplex[2]){x, y}, &product);
  return product;
}

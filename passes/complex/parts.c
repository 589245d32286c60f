//===- parts.c - Parts of complex numbers, and pairs of them --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/complex/complex.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

bool xlaTypeIsComplex(MlirType type) {
  return mlirTypeIsAShaped(type) &&
         mlirTypeIsAComplex(mlirShapedTypeGetElementType(type));
}

MlirType xlaComplexPartType(MlirType type) {
  XlaShape shape;
  xlaShapeFromMlir(type, &shape, NULL);
  shape.elementType = xlaElementTypeReal(shape.elementType);
  return xlaShapeToMlir(&shape, mlirTypeGetContext(type));
}

/// With a last dimension of so many more elements.
static XlaShape extend(XlaShape shape, int64_t size) {
  shape.dims[shape.rank++] = size;
  return shape;
}

MlirValue xlaComplexPairs(XlaIr *ir, XlaComplex parts) {
  XlaShape column = extend(xlaArrayShape(parts.re), 1);
  MlirValue both[2] = {xlaArrayReshape(ir, parts.re, column.rank, column.dims),
                       xlaArrayReshape(ir, parts.im, column.rank, column.dims)};
  return xlaArrayConcatenate(ir, 2, both, column.rank - 1);
}

XlaComplex xlaComplexFromPairs(XlaIr *ir, MlirValue pairs) {
  XlaShape shape = xlaArrayShape(pairs);
  int64_t starts[XLA_MAX_RANK] = {0};
  int last = shape.rank - 1;
  MlirValue parts[2];
  for (int k = 0; k < 2; ++k) {
    starts[last] = k;
    shape.dims[last] = k + 1;
    parts[k] =
        xlaArrayReshape(ir, xlaArraySlice(ir, pairs, starts, shape.dims, NULL),
                        last, shape.dims);
  }
  return (XlaComplex){parts[0], parts[1]};
}

XlaComplex xlaComplexSplit(XlaIr *ir, MlirValue array) {
  XlaShape shape = xlaArrayShape(array);
  shape.elementType = xlaElementTypeReal(shape.elementType);
  shape = extend(shape, 2);
  return xlaComplexFromPairs(ir,
                             xlaIrCast(ir, "xla.bitcast_convert", array,
                                       xlaShapeToMlir(&shape, ir->context)));
}

MlirValue xlaComplexJoin(XlaIr *ir, XlaComplex parts, MlirType type) {
  return xlaIrCast(ir, "xla.bitcast_convert", xlaComplexPairs(ir, parts), type);
}

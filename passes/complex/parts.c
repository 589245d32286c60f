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

static MlirOperation definingOp(MlirValue value, XlaOpKind kind) {
  MlirOperation none = {NULL};
  if (!mlirValueIsAOpResult(value))
    return none;
  MlirOperation op = mlirOpResultGetOwner(value);
  return xlaOpGetKind(op) == kind ? op : none;
}

/// The array of which `value` is a reshape, of the elements at `at` of the last
/// dimension; or null.
static MlirValue readAt(MlirValue value, int64_t at) {
  MlirOperation op = definingOp(value, XlaOpKindReshape);
  MlirOperation slice =
      op.ptr ? definingOp(mlirOperationGetOperand(op, 0), XlaOpKindSlice) : op;
  if (!slice.ptr)
    return (MlirValue){NULL};
  MlirValue array = mlirOperationGetOperand(slice, 0);
  XlaShape shape = xlaArrayShape(array), part = xlaArrayShape(value);
  XlaI64List starts;
  xlaOpGetList(slice, "start_indices", &starts);
  int last = shape.rank - 1;
  bool isPart =
      part.rank == last && shape.dims[last] == 2 && starts.values[last] == at;
  shape.rank = last;
  return isPart && xlaShapeDimsEqual(&shape, &part) ? array : (MlirValue){NULL};
}

MlirValue xlaComplexPairs(XlaIr *ir, XlaComplex parts) {
  MlirValue whole = readAt(parts.re, 0);
  if (whole.ptr && mlirValueEqual(whole, readAt(parts.im, 1)))
    return whole;
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

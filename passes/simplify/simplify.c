//===- simplify.c - Operations without dimensions of size 1 ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that compute get reshapes around them; those that follow each
// other, and what only moves data, are left to xla-simplify-indexing.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/passes/legalize.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

static XlaShape shapeOf(MlirValue value) {
  XlaShape shape;
  if (!xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL))
    shape.rank = -1;
  return shape;
}

/// Whether all values of `op` are arrays of static sizes without a layout.
static bool isPlain(MlirOperation op) {
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < nOperands + mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(
        i < nOperands ? mlirOperationGetOperand(op, i)
                      : mlirOperationGetResult(op, i - nOperands));
    XlaShape shape;
    if (!xlaShapeFromMlir(type, &shape, NULL) ||
        !mlirTypeEqual(type, xlaTypeWithoutLayout(type)))
      return false;
  }
  return true;
}

static XlaShape squeezed(const XlaShape *shape) {
  XlaShape result = {.elementType = shape->elementType};
  for (int i = 0; i < shape->rank; ++i)
    if (shape->dims[i] != 1)
      result.dims[result.rank++] = shape->dims[i];
  return result;
}

/// `value` in another shape of as many elements.
static MlirValue reshape(XlaIr *ir, MlirValue value, const XlaShape *shape) {
  XlaShape from = shapeOf(value);
  return xlaShapeDimsEqual(&from, shape)
             ? value
             : xlaIrCast(ir, "xla.reshape", value,
                         xlaShapeToMlir(shape, ir->context));
}

static MlirValue reshapeSqueezed(XlaIr *ir, MlirValue value) {
  XlaShape shape = shapeOf(value), to = squeezed(&shape);
  return reshape(ir, value, &to);
}

/// After `op` got results without dimensions of size 1: users get the old
/// shape.
static void restoreShape(MlirOperation op, intptr_t index,
                         const XlaShape *small) {
  MlirValue result = mlirOperationGetResult(op, index);
  MlirType old = mlirValueGetType(result);
  XlaIr ir = xlaIrBefore(mlirOperationGetNextInBlock(op));
  ir.location = mlirOperationGetLocation(op);
  mlirValueSetType(result, xlaShapeToMlir(small, ir.context));
  MlirValue back = xlaIrCast(&ir, "xla.reshape", result, old);
  MlirOperation exception = mlirOpResultGetOwner(back);
  mlirValueReplaceAllUsesExcept(result, back, 1, &exception);
}

static void squeezeElementwise(MlirOperation op, XlaIr *ir) {
  XlaShape shape = shapeOf(mlirOperationGetResult(op, 0)),
           small = squeezed(&shape);
  if (shape.rank < 0 || small.rank == shape.rank)
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    XlaShape operand = shapeOf(mlirOperationGetOperand(op, i));
    if (!xlaShapeDimsEqual(&operand, &shape))
      return;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(
        op, i, reshapeSqueezed(ir, mlirOperationGetOperand(op, i)));
  restoreShape(op, 0, &small);
}

/// A reduced dimension of size 1 counts for something only where it is the only
/// one reduced: the computation is then applied to the initial value.
static void squeezeReduce(MlirOperation op, XlaIr *ir) {
  XlaI64List dims, kept = {.size = 0};
  XlaShape shape = shapeOf(mlirOperationGetOperand(op, 0)), small = {.rank = 0};
  uint64_t reduced = 0;
  bool real = false;
  xlaOpGetList(op, "dimensions", &dims);
  for (int i = 0; i < dims.size; ++i) {
    reduced |= UINT64_C(1) << dims.values[i];
    real |= shape.dims[dims.values[i]] != 1;
  }
  for (int d = 0; d < shape.rank; ++d) {
    bool isReduced = reduced >> d & 1;
    if (shape.dims[d] == 1 && !(isReduced && !real && !kept.size))
      continue;
    if (isReduced)
      kept.values[kept.size++] = small.rank;
    small.dims[small.rank++] = shape.dims[d];
  }
  if (small.rank == shape.rank)
    return;
  intptr_t n = mlirOperationGetNumOperands(op) / 2;
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    small.elementType = shapeOf(operand).elementType;
    mlirOperationSetOperand(op, i, reshape(ir, operand, &small));
  }
  mlirOperationSetAttributeByName(
      op, mlirStringRefCreateFromCString("dimensions"),
      mlirDenseI64ArrayGet(ir->context, kept.size, kept.values));
  for (intptr_t i = n - 1; i >= 0; --i) {
    XlaShape result = shapeOf(mlirOperationGetResult(op, i));
    XlaShape squeezedResult = squeezed(&result);
    if (squeezedResult.rank != result.rank)
      restoreShape(op, i, &squeezedResult);
  }
}

static void simplify(MlirOperation op) {
  XlaIr ir = xlaIrBefore(op);
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindReduce) {
    squeezeReduce(op, &ir);
  } else if (kind == XlaOpKindConvert &&
             mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                           mlirValueGetType(mlirOperationGetResult(op, 0)))) {
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                  mlirOperationGetOperand(op, 0));
    mlirOperationDestroy(op);
  } else if (kind != XlaOpKindInvalid &&
             xlaOpGetInfo(kind)->family == XlaFamilyElementwise) {
    squeezeElementwise(op, &ir);
  }
}

static void simplifyBlocks(MlirOperation parent) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(parent); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      MlirOperation next;
      for (MlirOperation op = mlirBlockGetFirstOperation(block);
           !mlirOperationIsNull(op); op = next) {
        next = mlirOperationGetNextInBlock(op);
        XlaOpKind kind = xlaOpGetKind(op);
        if (kind != XlaOpKindInvalid &&
            xlaOpGetInfo(kind)->family == XlaFamilyControlFlow)
          simplifyBlocks(op);
        else if (isPlain(op))
          simplify(op);
      }
    }
}

void xlaSimplify(MlirOperation function) {
  simplifyBlocks(function);
  xlaSimplifyIndexing(function);
}

//===- map.c - Maps as elementwise operations -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/passes/flatten.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

static bool isElementwise(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindConstant ||
         (kind != XlaOpKindInvalid &&
          xlaOpGetInfo(kind)->family == XlaFamilyElementwise);
}

typedef struct Expansion {
  XlaIr ir;
  XlaShape shape;
  XlaPointerMap arrays; // of scalars in the region
} Expansion;

static MlirType arrayType(Expansion *e, MlirType scalar) {
  XlaShape shape;
  xlaShapeFromMlir(scalar, &shape, NULL);
  e->shape.elementType = shape.elementType;
  return xlaShapeToMlir(&e->shape, e->ir.context);
}

/// The array for a scalar of the region; those from outside are repeated.
static MlirValue arrayOf(Expansion *e, MlirValue scalar) {
  intptr_t known = xlaPointerMapGet(&e->arrays, scalar.ptr);
  if (known)
    return (MlirValue){(const void *)known};
  XlaIrAttr dims = {"broadcast_dimensions",
                    mlirDenseI64ArrayGet(e->ir.context, 0, NULL)};
  return xlaIrOp(&e->ir, "xla.broadcast_in_dim",
                 arrayType(e, mlirValueGetType(scalar)), 1, &scalar, 1, &dims);
}

static bool expandOp(Expansion *e, MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  bool constant = xlaOpGetKind(op) == XlaOpKindConstant;
  MlirValue made = mlirOperationGetResult(copy, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i,
                            arrayOf(e, mlirOperationGetOperand(op, i)));
  if (!constant)
    mlirValueSetType(made, arrayType(e, mlirValueGetType(made)));
  mlirBlockInsertOwnedOperationBefore(e->ir.block, e->ir.before, copy);
  if (constant)
    made = arrayOf(e, made);
  return xlaPointerMapSet(&e->arrays, mlirOperationGetResult(op, 0).ptr,
                          (intptr_t)made.ptr);
}

bool xlaRegionIsElementwise(MlirRegion region) {
  MlirBlock body = mlirRegionGetFirstBlock(region);
  MlirOperation terminator = mlirBlockGetTerminator(body), op;
  for (op = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op))
    if (!isElementwise(op))
      return false;
  return true;
}

bool xlaRegionInline(const XlaIr *ir, MlirRegion region, const XlaShape *shape,
                     const MlirValue *arguments, MlirValue *results) {
  MlirBlock body = mlirRegionGetFirstBlock(region);
  MlirOperation terminator = mlirBlockGetTerminator(body), op;
  Expansion e = {.ir = *ir, .shape = *shape};
  bool done = true;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    done &= xlaPointerMapSet(&e.arrays, mlirBlockGetArgument(body, i).ptr,
                             (intptr_t)arguments[i].ptr);
  for (op = mlirBlockGetFirstOperation(body);
       done && !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op))
    done = expandOp(&e, op);
  for (intptr_t i = 0; done && i < mlirOperationGetNumOperands(terminator); ++i)
    results[i] = arrayOf(&e, mlirOperationGetOperand(terminator, i));
  xlaPointerMapClear(&e.arrays);
  return done;
}

MlirValue xlaMapExpand(MlirOperation map) {
  MlirValue result = mlirOperationGetResult(map, 0);
  MlirRegion region = mlirOperationGetRegion(map, 0);
  XlaShape shape;
  intptr_t n = mlirOperationGetNumOperands(map);
  MlirValue *arguments = malloc(((size_t)n + 1) * sizeof *arguments);
  for (intptr_t i = 0; arguments && i < n; ++i)
    arguments[i] = mlirOperationGetOperand(map, i);
  XlaIr ir = xlaIrBefore(map);
  if (arguments && xlaRegionIsElementwise(region) &&
      xlaShapeFromMlir(mlirValueGetType(result), &shape, NULL) &&
      xlaRegionInline(&ir, region, &shape, arguments, &result))
    mlirOperationDestroy(map);
  free(arguments);
  return result;
}

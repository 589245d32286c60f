//===- resolve_sizes.c - Static types from constant sizes -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the interpreter does when a program runs (dialect/dynamic.h) is done
// here with types: the hook that infers types sees sizes as bounds.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dynamic.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/dynamic/sizes.h"
#include "xlac/passes/flatten.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

/// The types that values had.
typedef struct Resolve {
  XlaPointerMap declared;
} Resolve;

bool xlaHasDynamicResults(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (xlaTypeIsDynamic(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

static MlirWalkResult findDynamic(MlirOperation op, void *data) {
  bool *isDynamic = data;
  *isDynamic |= xlaHasDynamicResults(op);
  return *isDynamic ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// The type that `value` had in the program.
static MlirType declaredType(const Resolve *r, MlirValue value) {
  intptr_t known = xlaPointerMapGet(&r->declared, value.ptr);
  return known ? (MlirType){(const void *)known} : mlirValueGetType(value);
}

/// Gives a result the sizes of `shape`.
static bool setType(Resolve *r, MlirValue value, XlaShape shape) {
  MlirType old = mlirValueGetType(value);
  shape.dynamic = 0;
  mlirValueSetType(value, xlaShapeToMlir(&shape, mlirTypeGetContext(old)));
  return xlaPointerMapSet(&r->declared, value.ptr, (intptr_t)old.ptr);
}

static MlirLogicalResult resolveSet(Resolve *r, MlirOperation op) {
  MlirValue operand = mlirOperationGetOperand(op, 0);
  MlirValue old = mlirOperationGetResult(op, 0);
  int64_t d = xlaOpGetI64(op, "dimension", 0), starts[XLA_MAX_RANK] = {0};
  XlaI64List size;
  XlaShape shape;
  if (!xlaShapeFromMlir(mlirValueGetType(operand), &shape, NULL) ||
      !xlaConstantGetIntegers(mlirOperationGetOperand(op, 1), &size))
    return success();
  if (size.values[0] < 0 || size.values[0] > shape.dims[d])
    return xlaOpInvalid(op, "set_dimension_size_c3",
                        "the size is %lld, dimension %lld has %lld elements",
                        (long long)size.values[0], (long long)d,
                        (long long)shape.dims[d]);
  shape.dims[d] = size.values[0];
  XlaIr ir = xlaIrBefore(op);
  XlaIrAttr attrs[] = {
      {"start_indices", mlirDenseI64ArrayGet(ir.context, shape.rank, starts)},
      {"limit_indices",
       mlirDenseI64ArrayGet(ir.context, shape.rank, shape.dims)}};
  MlirValue slice =
      xlaIrOp(&ir, "xla.slice", xlaShapeToMlir(&shape, ir.context), 1, &operand,
              2, attrs);
  if (!xlaPointerMapSet(&r->declared, slice.ptr,
                        (intptr_t)mlirValueGetType(old).ptr))
    return xlaOpNoMemory(op);
  mlirValueReplaceAllUsesOfWith(old, slice);
  mlirOperationDestroy(op);
  return success();
}

/// Attributes that mean all of a dynamic dimension name its bound.
static void cutAttribute(MlirOperation op, const char *name,
                         const XlaShape *declared, const XlaShape *result,
                         const char *start) {
  XlaI64List list, starts = {.size = 0};
  if (!xlaOpGetList(op, name, &list) ||
      (start && !xlaOpGetList(op, start, &starts)))
    return;
  for (int i = 0; i < list.size; ++i)
    if (xlaShapeIsDynamic(declared, i) && list.values[i] == declared->dims[i] &&
        (!start || !starts.values[i]) && result->dims[i] < list.values[i])
      list.values[i] = result->dims[i];
  mlirOperationSetAttributeByName(
      op, mlirStringRefCreateFromCString(name),
      mlirDenseI64ArrayGet(mlirOperationGetContext(op), list.size,
                           list.values));
}

/// The results of `op` by `sizes`, which inference gave.
static MlirLogicalResult setResults(Resolve *r, MlirOperation op,
                                    XlaOpKind kind, const XlaShape *sizes) {
  XlaShape declared, actual;
  if (kind == XlaOpKindGather) {
    MlirValue operand = mlirOperationGetOperand(op, 0);
    xlaShapeFromMlirBounded(declaredType(r, operand), &declared, NULL);
    xlaShapeFromMlir(mlirValueGetType(operand), &actual, NULL);
    cutAttribute(op, "slice_sizes", &declared, &actual, NULL);
  } else if (kind == XlaOpKindSlice || kind == XlaOpKindDynamicSlice) {
    xlaShapeFromMlirBounded(declaredType(r, mlirOperationGetOperand(op, 0)),
                            &declared, NULL);
    if (kind == XlaOpKindSlice)
      cutAttribute(op, "limit_indices", &declared, &sizes[0], "start_indices");
    else
      cutAttribute(op, "slice_sizes", &declared, &sizes[0], NULL);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (xlaTypeIsDynamic(mlirValueGetType(mlirOperationGetResult(op, i))) &&
        !setType(r, mlirOperationGetResult(op, i), sizes[i]))
      return xlaOpNoMemory(op);
  if (kind != XlaOpKindMap)
    return success();
  // Expansion wants a map without users.
  MlirOperation copy = mlirOperationClone(op);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, copy);
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirValue expanded = xlaMapExpand(copy, NULL);
  if (!xlaPointerMapSet(&r->declared, expanded.ptr,
                        (intptr_t)declaredType(r, result).ptr))
    return xlaOpNoMemory(op);
  mlirValueReplaceAllUsesOfWith(result, expanded);
  mlirOperationDestroy(op);
  return success();
}

/// An operation whose operands have static types by now.
static MlirLogicalResult resolveOp(Resolve *r, MlirOperation op,
                                   XlaOpKind kind) {
  bool followed = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (xlaTypeIsDynamic(mlirValueGetType(operand)))
      return success();
    followed |= xlaPointerMapGet(&r->declared, operand.ptr) != 0;
  }
  if (!followed)
    return success();
  size_t nOperands = (size_t)mlirOperationGetNumOperands(op);
  XlaShape *shapes = calloc(
      nOperands + (size_t)mlirOperationGetNumResults(op) + 1, sizeof *shapes);
  MlirType *declared = calloc(nOperands + 1, sizeof *declared);
  MlirLogicalResult result = failure();
  if (shapes && declared) {
    for (size_t i = 0; i < nOperands; ++i) {
      MlirValue operand = mlirOperationGetOperand(op, (intptr_t)i);
      declared[i] = declaredType(r, operand);
      xlaShapeFromMlir(mlirValueGetType(operand), &shapes[i], NULL);
    }
    result = xlaOpInferSizesOf(op, kind, declared, shapes, shapes + nOperands);
    if (!failed(result))
      result = setResults(r, op, kind, shapes + nOperands);
  } else {
    xlaOpNoMemory(op);
  }
  free(shapes);
  free(declared);
  return result;
}

/// Branches whose results have become equal, and barriers, pass types on.
static void passOn(Resolve *r, MlirOperation op, XlaOpKind kind) {
  MlirOperation end, other;
  intptr_t nRegions = mlirOperationGetNumRegions(op);
  bool barrier = kind == XlaOpKindOptimizationBarrier;
  if (!barrier && (kind != XlaOpKindCase ||
                   !xlaRegionGetReturn(mlirOperationGetRegion(op, 0), &end)))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    MlirType type =
        mlirValueGetType(mlirOperationGetOperand(barrier ? op : end, i));
    bool same = xlaTypeIsDynamic(mlirValueGetType(result));
    for (intptr_t k = 1; same && k < nRegions; ++k)
      same = xlaRegionGetReturn(mlirOperationGetRegion(op, k), &other) &&
             mlirTypeEqual(type,
                           mlirValueGetType(mlirOperationGetOperand(other, i)));
    XlaShape shape;
    if (same && xlaShapeFromMlir(type, &shape, NULL))
      setType(r, result, shape);
  }
}

static MlirLogicalResult resolve(Resolve *r, MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindInvalid)
    return success();
  if (kind == XlaOpKindSetDimensionSize)
    return resolveSet(r, op);
  if (!xlaOpPassesSizesOn(kind))
    return resolveOp(r, op, kind);
  passOn(r, op, kind);
  return success();
}

bool xlaHasDynamicSizes(MlirOperation function) {
  bool isDynamic = false;
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    isDynamic |=
        xlaTypeIsDynamic(mlirValueGetType(mlirBlockGetArgument(block, i)));
  if (!isDynamic)
    mlirOperationWalk(function, findDynamic, &isDynamic, MlirWalkPostOrder);
  return isDynamic;
}

MlirLogicalResult xlaResolveSizes(MlirOperation function) {
  Resolve r = {{0}};
  XlaIrOps all = xlaIrCollect(function, MlirWalkPostOrder, NULL);
  MlirLogicalResult result = all.failed ? xlaOpNoMemory(function) : success();
  for (intptr_t i = 0; i < all.n && !failed(result); ++i)
    result = resolve(&r, all.ops[i]);
  xlaPointerMapClear(&r.declared);
  free(all.ops);
  return result;
}

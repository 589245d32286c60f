//===- computations.c - Branches and loops in computations on scalars -----===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels compute what a reduction, a scatter or a sort does with two elements
// by arithmetic alone. Of branches that are arithmetic all are computed, and
// one is selected. Where a computation has loops or arrays of its own, it is
// run for one element after the other: of a reduction by one over a window, of
// a sort, scan or scatter in loops of their own.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/computations.h"

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/expand/select_and_scatter.h"
#include "xlac/passes/expand/sort_few.h"
#include "xlac/passes/flatten.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Whether the operations in regions of `op` work on scalars.
static bool computesOnScalars(MlirOperation op) {
  static const bool does[XlaFamilyCount] = {
      [XlaFamilyReduce] = true,
      [XlaFamilyReduceWindow] = true,
      [XlaFamilyScan] = true,
      [XlaFamilyScatter] = true,
      [XlaFamilySelectAndScatter] = true,
      [XlaFamilySort] = true,
  };
  return does[xlaOpGetInfo(xlaOpGetKind(op))->family];
}

static bool isBranch(MlirOperation op) {
  if (xlaOpGetKind(op) != XlaOpKindCase)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (mlirShapedTypeGetRank(
            mlirValueGetType(mlirOperationGetResult(op, i))) != 0)
      return false;
  MlirOperation parent = mlirOperationGetParentOperation(op);
  while (xlaOpGetKind(parent) == XlaOpKindCase)
    parent = mlirOperationGetParentOperation(parent);
  return xlaOpGetKind(parent) != XlaOpKindInvalid && computesOnScalars(parent);
}

/// Moves the operations of a branch in front of `op`; what it returns.
static MlirOperation moveBranch(MlirOperation op, MlirRegion branch) {
  MlirBlock body = mlirRegionGetFirstBlock(branch);
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOperation terminator = mlirBlockGetTerminator(body), inner, next;
  for (inner = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(inner, terminator); inner = next) {
    next = mlirOperationGetNextInBlock(inner);
    mlirOperationRemoveFromParent(inner);
    mlirBlockInsertOwnedOperationBefore(block, op, inner);
  }
  return terminator;
}

/// The last branch is that of all other indices, too.
static void selectBranch(MlirOperation op) {
  XlaIr ir = xlaIrBefore(op);
  MlirValue index = mlirOperationGetOperand(op, 0);
  intptr_t n = mlirOperationGetNumResults(op);
  intptr_t last = mlirOperationGetNumRegions(op) - 1;
  MlirOperation chosen = moveBranch(op, mlirOperationGetRegion(op, last));
  for (intptr_t b = last; b-- > 0;) {
    MlirOperation other = moveBranch(op, mlirOperationGetRegion(op, b));
    MlirValue isOther = xlaArrayCompare(
        &ir, "EQ", index, xlaArrayInteger(&ir, index, (uint64_t)b));
    for (intptr_t i = 0; i < n; ++i)
      mlirOperationSetOperand(
          chosen, i,
          xlaArraySelect(&ir, isOther, mlirOperationGetOperand(other, i),
                         mlirOperationGetOperand(chosen, i)));
  }
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetOperand(chosen, i));
  mlirOperationDestroy(op);
}

bool xlaExpandBranches(MlirOperation root) {
  XlaIrOps found = xlaIrCollect(root, MlirWalkPostOrder, isBranch);
  for (intptr_t i = 0; i < found.n; ++i) {
    bool isElementwise = true;
    for (intptr_t b = 0; b < mlirOperationGetNumRegions(found.ops[i]); ++b)
      isElementwise &=
          xlaRegionIsElementwise(mlirOperationGetRegion(found.ops[i], b));
    if (isElementwise)
      selectBranch(found.ops[i]);
  }
  free(found.ops);
  return !found.failed;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The sizes of the one window, and of what is left with dimensions of size 1
/// in place of those that are reduced. False if there is nothing to reduce.
static bool windowOf(MlirOperation op, XlaShape *window, XlaShape *left) {
  XlaI64List dimensions = {0};
  *window = *left = xlaArrayShape(mlirOperationGetOperand(op, 0));
  xlaOpGetList(op, "dimensions", &dimensions);
  for (int d = 0; d < window->rank; ++d)
    window->dims[d] = 1;
  bool any = true;
  for (int i = 0; i < dimensions.size; ++i) {
    int64_t d = dimensions.values[i];
    window->dims[d] = left->dims[d];
    any &= left->dims[d] != 0;
    left->dims[d] = 1;
  }
  return any;
}

static MlirLogicalResult reduceInWindow(MlirOperation op) {
  XlaIr ir = xlaIrBefore(op);
  intptr_t n = mlirOperationGetNumResults(op);
  MlirValue *operands = malloc((size_t)(2 * n + 1) * sizeof *operands);
  MlirType *types = malloc((size_t)(n + 1) * sizeof *types);
  XlaShape window, left;
  bool any = windowOf(op, &window, &left);
  MlirOperation made = {NULL};
  if (operands && types && any) {
    for (intptr_t i = 0; i < 2 * n; ++i)
      operands[i] = mlirOperationGetOperand(op, i);
    for (intptr_t i = 0; i < n; ++i) {
      left.elementType =
          xlaArrayShape(mlirOperationGetResult(op, i)).elementType;
      types[i] = xlaShapeToMlir(&left, ir.context);
    }
    MlirRegion region = mlirRegionCreate();
    mlirRegionTakeBody(region, mlirOperationGetRegion(op, 0));
    made = xlaIrCreate(&ir, "xla.reduce_window", 2 * n, operands, n, types, 1,
                       &(XlaIrAttr){"window_dimensions",
                                    mlirDenseI64ArrayGet(
                                        ir.context, window.rank, window.dims)},
                       1, &region);
  }
  bool enough = operands && types;
  for (intptr_t i = 0; enough && i < n; ++i) {
    MlirValue old = mlirOperationGetResult(op, i);
    XlaShape shape = xlaArrayShape(old);
    MlirValue value =
        any ? xlaArrayReshape(&ir, mlirOperationGetResult(made, i), shape.rank,
                              shape.dims)
            : xlaArrayBroadcast(
                  &ir,
                  xlaArrayConvert(&ir, mlirOperationGetOperand(op, n + i),
                                  shape.elementType),
                  shape.rank, shape.dims, NULL);
    mlirValueReplaceAllUsesOfWith(old, value);
  }
  free(operands);
  free(types);
  if (!enough)
    return xlaOpNoMemory(op);
  mlirOperationDestroy(op);
  return success();
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

typedef MlirLogicalResult (*Expander)(MlirOperation op);

static MlirLogicalResult expandSelection(MlirOperation op) {
  XlaIr ir = xlaIrBefore(op);
  MlirValue result, all = {NULL};
  if (failed(xlaSelectAndScatterBuild(&ir, op, all, all, &result)))
    return failure();
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), result);
  mlirOperationDestroy(op);
  return success();
}

static Expander expanderOf(XlaOpKind kind) {
  static const Expander expanders[XlaOpKindCount] = {
      [XlaOpKindAssociativeScan] = xlaScanInLoop,
      [XlaOpKindReduce] = reduceInWindow,
      [XlaOpKindScatter] = xlaScatterInLoop,
      [XlaOpKindSelectAndScatter] = expandSelection,
      [XlaOpKindSort] = xlaSortInLoop,
  };
  return expanders[kind];
}

/// Whether a computation is none of arithmetic, or compares too much for
/// registers.
static bool isOther(MlirOperation op) {
  enum { mostCompared = 128 };
  bool isElementwise = true;
  if (!expanderOf(xlaOpGetKind(op)))
    return false;
  if (xlaOpGetKind(op) == XlaOpKindSort &&
      xlaSortCountCompared(op) > mostCompared)
    return true;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    isElementwise &= xlaRegionIsElementwise(mlirOperationGetRegion(op, r));
  return !isElementwise;
}

MlirLogicalResult xlaExpandComputations(MlirOperation function) {
  XlaIrOps found = xlaIrCollect(function, MlirWalkPostOrder, isOther);
  MlirLogicalResult result = found.failed ? xlaOpNoMemory(function) : success();
  for (intptr_t i = 0; !failed(result) && i < found.n; ++i)
    result = expanderOf(xlaOpGetKind(found.ops[i]))(found.ops[i]);
  free(found.ops);
  return result;
}

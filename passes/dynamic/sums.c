//===- sums.c - What combines elements of arrays with sizes ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is not there must not count: it is replaced by what changes no result,
// or, where nothing is known to be so, told from the rest by a pred.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/dynamic/bounded_internal.h"

#include "xlac/dialect/ops/dot.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/top_k.h"
#include "xlac/passes/flatten.h"
#include "xlac/passes/loop.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// What `kind` of it and x is x, whatever x is. False if nothing is known.
static bool neutral(XlaIr *ir, XlaOpKind kind, XlaElementType type,
                    MlirValue *number) {
  bool isFloat = xlaElementTypeIsFloat(type);
  bool isPred = type == XlaElementTypePred;
  double value;
  if (!isFloat && !xlaElementTypeIsInteger(type) && !isPred)
    return false;
  if (kind == XlaOpKindAdd)
    value = isFloat ? -0.0 : 0; // -0 leaves -0 as it is
  else if (kind == XlaOpKindOr || kind == XlaOpKindXor)
    value = 0;
  else if (kind == XlaOpKindMultiply)
    value = 1;
  else if ((kind == XlaOpKindMinimum || kind == XlaOpKindMaximum) && isFloat &&
           xlaElementTypeGetInfo(type)->bits >= 16)
    value = kind == XlaOpKindMinimum ? INFINITY : -INFINITY;
  else
    return false;
  *number = xlaArrayNumber(ir, type, value);
  return true;
}

/// A reduction of one array by an operation that has a neutral element, in the
/// array's own type.
static bool fillNeutral(XlaBoundedOp *b, uint32_t reduced, MlirValue *filled) {
  MlirRegion region = mlirOperationGetRegion(b->op, 0);
  XlaBounded operand = xlaBoundedOperand(b, 0);
  MlirValue number;
  if (mlirOperationGetNumOperands(b->op) != 2)
    return false;
  XlaShape argument =
      xlaArrayShape(mlirBlockGetArgument(mlirRegionGetFirstBlock(region), 0));
  if (argument.elementType != operand.shape.elementType ||
      !neutral(&b->ir, xlaRegionGetOnly(region, NULL), argument.elementType,
               &number))
    return false;
  *filled = xlaBoundedFill(&b->ir, &operand, reduced, number);
  return true;
}

/// A computation, the operations of `block` up to `end`, and how `block` goes
/// on behind it.
typedef struct Guarded {
  MlirBlock block;
  MlirOperation end, next;
} Guarded;

static void moveBody(XlaIr *ir, MlirValue *values, void *user) {
  const Guarded *guarded = user;
  MlirOperation op = mlirBlockGetFirstOperation(guarded->block), next;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(guarded->end); ++i)
    values[i] = mlirOperationGetOperand(guarded->end, i);
  for (; !mlirOperationEqual(op, guarded->next); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(ir->block, op);
  }
}

/// What the computation in `region` returns where `left` and `right` hold, in
/// `values`, which are anything at first. One with loops is not run elsewhere:
/// it need not end.
static void runWhere(XlaIr *ir, MlirRegion region, MlirValue left,
                     MlirValue right, MlirValue *values) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  MlirOperation end = mlirBlockGetTerminator(block);
  intptr_t n = mlirOperationGetNumOperands(end);
  if (xlaRegionIsElementwise(region) || n > XLA_LOOP_MAX_STATE) {
    for (intptr_t i = 0; i < n; ++i)
      values[i] = mlirOperationGetOperand(end, i);
    return;
  }
  MlirValue both = xlaIrBinary(ir, "xla.and", left, right);
  Guarded guarded = {block, end, mlirOpResultGetOwner(both)};
  xlaLoopBranch(ir, both, (int)n, values, moveBody, &guarded);
}

/// The region of `n` pairs also gets a pred of each side: what is not there
/// gives way to what is.
static MlirLogicalResult tellApart(XlaBoundedOp *b, MlirRegion region,
                                   intptr_t n) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  MlirOperation end;
  XlaShape pred = {.elementType = XlaElementTypePred};
  MlirType type = xlaShapeToMlir(&pred, b->ir.context);
  if (!xlaRegionGetReturn(region, &end))
    return failure();
  MlirValue left = mlirBlockInsertArgument(block, n, type, b->ir.location);
  MlirValue right = mlirBlockAddArgument(block, type, b->ir.location);
  MlirValue *returned = malloc(((size_t)n + 1) * sizeof *returned);
  if (!returned)
    return xlaBoundedNoMemory(b->op);
  XlaIr ir = xlaIrBefore(end);
  for (intptr_t i = 0; i < n; ++i)
    returned[i] = mlirBlockGetArgument(block, i);
  runWhere(&ir, region, left, right, returned);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue x = mlirBlockGetArgument(block, i);
    MlirValue y = mlirBlockGetArgument(block, n + 1 + i);
    MlirType own = mlirValueGetType(x);
    MlirValue both = xlaIrOp(&ir, "xla.select", own, 3,
                             (MlirValue[]){right, returned[i], x}, 0, NULL);
    returned[i] = xlaIrOp(&ir, "xla.select", own, 3,
                          (MlirValue[]){left, both, y}, 0, NULL);
  }
  returned[n] = xlaIrBinary(&ir, "xla.or", left, right);
  xlaIrCreate(&ir, "xla.return", n + 1, returned, 0, NULL, 0, NULL, 0, NULL);
  mlirOperationDestroy(end);
  free(returned);
  return success();
}

/// The reduction of the operands and of what is there.
static MlirLogicalResult reduceMarked(XlaBoundedOp *b, uint32_t reduced,
                                      MlirOperation *made) {
  intptr_t n = mlirOperationGetNumOperands(b->op) / 2;
  MlirValue *operands = malloc((size_t)(2 * n + 2) * sizeof *operands);
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  MlirLogicalResult result = failure();
  if (operands && types) {
    MlirOperation copy = xlaBoundedClone(b);
    MlirRegion region = mlirRegionCreate();
    XlaBounded all = xlaBoundedLeast(b, n);
    XlaShape pred = xlaBoundedResultShape(b, 0);
    pred.elementType = XlaElementTypePred;
    mlirRegionTakeBody(region, mlirOperationGetRegion(copy, 0));
    for (intptr_t i = 0; i < n; ++i) {
      operands[i] = mlirOperationGetOperand(copy, i);
      operands[n + 1 + i] = mlirOperationGetOperand(copy, n + i);
      types[i] = mlirValueGetType(mlirOperationGetResult(copy, i));
    }
    operands[n] = xlaBoundedMask(&b->ir, &all, reduced);
    operands[2 * n + 1] = xlaArrayNumber(&b->ir, XlaElementTypePred, 1);
    types[n] = xlaShapeToMlir(&pred, b->ir.context);
    result = tellApart(b, region, n);
    *made = xlaIrCreate(
        &b->ir, "xla.reduce", 2 * n + 2, operands, n + 1, types, 1,
        &(XlaIrAttr){"dimensions", xlaOpGetAttr(b->op, "dimensions")}, 1,
        &region);
    mlirOperationDestroy(copy);
  } else {
    xlaBoundedNoMemory(b->op);
  }
  free(operands);
  free(types);
  return result;
}

MlirLogicalResult xlaBoundedReduce(XlaBoundedOp *b) {
  if (b->kind == XlaOpKindMap)
    return xlaBoundedMap(b);
  intptr_t n = mlirOperationGetNumOperands(b->op) / 2;
  XlaBounded result = {.array = {NULL}};
  XlaI64List dimensions;
  uint32_t reduced = 0, unknown = 0;
  int rank = xlaBoundedOperand(b, 0).shape.rank, at = 0;
  xlaOpGetList(b->op, "dimensions", &dimensions);
  for (int i = 0; i < dimensions.size; ++i)
    reduced |= UINT32_C(1) << dimensions.values[i];
  for (int d = 0; d < rank; ++d) {
    MlirValue size;
    if (failed(xlaBoundedAgree(b, n, d, "reduce_c1", &size)))
      return failure();
    if (!(reduced >> d & 1))
      result.sizes[at++] = size;
    else if (size.ptr)
      unknown |= UINT32_C(1) << d;
  }
  MlirOperation made;
  MlirValue filled;
  if (!xlaRegionIsElementwise(mlirOperationGetRegion(b->op, 0))) {
    if (failed(reduceMarked(b, UINT32_MAX, &made)))
      return failure();
  } else if (!unknown) {
    made = xlaBoundedClone(b);
  } else if (fillNeutral(b, reduced, &filled)) {
    made = xlaBoundedClone(b);
    mlirOperationSetOperand(made, 0, filled);
    mlirOperationMoveBefore(made, b->op);
  } else if (failed(reduceMarked(b, reduced, &made))) {
    return failure();
  }
  for (intptr_t i = 0; i < n; ++i) {
    result.shape = xlaBoundedResultShape(b, i);
    result.array = mlirOperationGetResult(made, i);
    if (failed(xlaBoundedSetResult(b, i, &result)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// Sizes of paired dimensions agree.
static MlirLogicalResult agreePairs(XlaBoundedOp *b, const char *what,
                                    const XlaI64List *left,
                                    const XlaI64List *right,
                                    const char *label) {
  XlaBounded lhs = xlaBoundedOperand(b, 0), rhs = xlaBoundedOperand(b, 1);
  for (int i = 0; i < left->size; ++i) {
    int64_t l = left->values[i], r = right->values[i];
    if ((lhs.sizes[l].ptr || rhs.sizes[r].ptr) &&
        failed(xlaBoundedCheck(
            b, XlaBoundedEqual, xlaBoundedSize(&b->ir, &lhs, l),
            xlaBoundedSize(&b->ir, &rhs, r), label,
            "%s dimension %lld of lhs is %%d, dimension %lld of rhs %%d", what,
            (long long)l, (long long)r)))
      return failure();
  }
  return success();
}

static uint32_t bitsOf(const XlaI64List *list) {
  uint32_t bits = 0;
  for (int i = 0; i < list->size; ++i)
    bits |= UINT32_C(1) << list->values[i];
  return bits;
}

MlirLogicalResult xlaBoundedDot(XlaBoundedOp *b) {
  XlaBounded sides[2] = {xlaBoundedOperand(b, 0), xlaBoundedOperand(b, 1)};
  XlaBounded result = {.shape = xlaBoundedResultShape(b, 0)};
  XlaDotDimensions d;
  int n = 0;
  xlaDotGetDimensions(b->op, &d);
  if (failed(agreePairs(b, "batching", &d.lhs.batch, &d.rhs.batch,
                        "dot_general_c9")) ||
      failed(agreePairs(b, "contracting", &d.lhs.contracting,
                        &d.rhs.contracting, "dot_general_c10")))
    return failure();
  for (int i = 0; i < d.lhs.batch.size; ++i) {
    MlirValue size = sides[0].sizes[d.lhs.batch.values[i]];
    result.sizes[n++] = size.ptr ? size : sides[1].sizes[d.rhs.batch.values[i]];
  }
  for (int i = 0; i < d.lhs.free.size; ++i)
    result.sizes[n++] = sides[0].sizes[d.lhs.free.values[i]];
  for (int i = 0; i < d.rhs.free.size; ++i)
    result.sizes[n++] = sides[1].sizes[d.rhs.free.values[i]];
  MlirOperation made = xlaBoundedClone(b);
  // On both sides: what is not there may be NaN.
  for (int i = 0; i < 2; ++i) {
    const XlaI64List *list = i ? &d.rhs.contracting : &d.lhs.contracting;
    MlirValue zero = xlaArrayNumber(&b->ir, sides[i].shape.elementType, 0);
    mlirOperationSetOperand(
        made, i, xlaBoundedFill(&b->ir, &sides[i], bitsOf(list), zero));
  }
  mlirOperationMoveBefore(made, b->op);
  result.array = mlirOperationGetResult(made, 0);
  return xlaBoundedSetResult(b, 0, &result);
}

//===----------------------------------------------------------------------===//
// Sort
//===----------------------------------------------------------------------===//

/// The comparator gets two more scalars, whether its sides are there: what is
/// comes before what is not.
static MlirLogicalResult compareMarked(XlaBoundedOp *b, MlirRegion region) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  MlirOperation end;
  XlaShape pred = {.elementType = XlaElementTypePred};
  MlirType type = xlaShapeToMlir(&pred, b->ir.context);
  if (!xlaRegionGetReturn(region, &end))
    return failure();
  MlirValue left = mlirBlockAddArgument(block, type, b->ir.location);
  MlirValue right = mlirBlockAddArgument(block, type, b->ir.location);
  XlaIr ir = xlaIrBefore(end);
  MlirValue before = left;
  runWhere(&ir, region, left, right, &before);
  MlirValue differ = xlaIrBinary(&ir, "xla.xor", left, right);
  before = xlaIrOp(&ir, "xla.select", type, 3,
                   (MlirValue[]){differ, left, before}, 0, NULL);
  mlirOperationSetOperand(end, 0, before);
  return success();
}

/// What a sort has without one: the smallest first.
static MlirRegion createComparator(XlaBoundedOp *b, XlaElementType element) {
  XlaShape scalar = {.elementType = element};
  MlirContext context = b->ir.context;
  MlirType type = xlaShapeToMlir(&scalar, context);
  MlirLocation locations[] = {b->ir.location, b->ir.location};
  MlirBlock block = mlirBlockCreate(2, (MlirType[]){type, type}, locations);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  XlaIr ir = xlaIrAtEnd(context, b->ir.location, block);
  MlirValue sides[] = {mlirBlockGetArgument(block, 0),
                       mlirBlockGetArgument(block, 1)};
  XlaIrAttr attrs[] = {
      {"comparison_direction", xlaIrStringAttr(context, "LT")},
      {"compare_type", xlaIrStringAttr(context, "TOTALORDER")}};
  scalar.elementType = XlaElementTypePred;
  MlirValue before =
      xlaIrOp(&ir, "xla.compare", xlaShapeToMlir(&scalar, context), 2, sides,
              xlaElementTypeIsFloat(element) ? 2 : 1, attrs);
  xlaIrCreate(&ir, "xla.return", 1, &before, 0, NULL, 0, NULL, 0, NULL);
  return region;
}

/// Sorts what is there, and a mask of it, together.
static MlirLogicalResult sortMarked(XlaBoundedOp *b, MlirOperation copy,
                                    MlirValue mask, MlirOperation *made) {
  intptr_t n = mlirOperationGetNumOperands(copy);
  MlirValue *operands = malloc(((size_t)n + 1) * sizeof *operands);
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  MlirLogicalResult result = failure();
  if (operands && types) {
    for (intptr_t i = 0; i <= n; ++i) {
      operands[i] = i < n ? mlirOperationGetOperand(copy, i) : mask;
      types[i] = mlirValueGetType(operands[i]);
    }
    MlirRegion region;
    if (mlirOperationGetNumRegions(copy)) {
      region = mlirRegionCreate();
      mlirRegionTakeBody(region, mlirOperationGetRegion(copy, 0));
    } else {
      region = createComparator(b, xlaArrayShape(operands[0]).elementType);
    }
    result = compareMarked(b, region);
    *made = xlaIrCreate(
        &b->ir, "xla.sort", n + 1, operands, n + 1, types, 1,
        &(XlaIrAttr){
            "dimension",
            xlaIrI64Attr(b->ir.context, xlaOpGetI64(b->op, "dimension", -1))},
        1, &region);
  } else {
    xlaBoundedNoMemory(b->op);
  }
  free(operands);
  free(types);
  return result;
}

MlirLogicalResult xlaBoundedSort(XlaBoundedOp *b) {
  intptr_t n = mlirOperationGetNumOperands(b->op);
  XlaBounded result = xlaBoundedOperand(b, 0);
  int64_t dimension = xlaOpGetI64(b->op, "dimension", -1);
  dimension += dimension < 0 ? result.shape.rank : 0;
  for (int d = 0; d < result.shape.rank; ++d)
    if (failed(xlaBoundedAgree(b, n, d, "sort_c3", &result.sizes[d])))
      return failure();
  MlirOperation copy = xlaBoundedClone(b), made = copy;
  bool hasRegion = mlirOperationGetNumRegions(b->op),
       isOther = hasRegion &&
                 !xlaRegionIsElementwise(mlirOperationGetRegion(b->op, 0));
  if (isOther || result.sizes[dimension].ptr) {
    XlaBounded all = xlaBoundedLeast(b, n);
    MlirValue mask = xlaBoundedMask(
        &b->ir, &all, isOther ? UINT32_MAX : UINT32_C(1) << dimension);
    if (failed(sortMarked(b, copy, mask, &made)))
      return failure();
    mlirOperationDestroy(copy);
  }
  for (intptr_t i = 0; i < n; ++i) {
    result.shape = xlaBoundedResultShape(b, i);
    result.array = mlirOperationGetResult(made, i);
    if (failed(xlaBoundedSetResult(b, i, &result)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// Where lines have sizes, what is not there comes after all that is.
MlirLogicalResult xlaBoundedTopK(XlaBoundedOp *b) {
  XlaBounded operand = xlaBoundedOperand(b, 0), made = {.array = {NULL}};
  int last = operand.shape.rank - 1;
  int64_t k = xlaOpGetI64(b->op, "k", 0);
  MlirValue results[2];
  if (failed(xlaBoundedCheck(b, XlaBoundedAtMost, xlaBoundedNumber(&b->ir, k),
                             xlaBoundedSize(&b->ir, &operand, last), "top_k_c2",
                             "k is %%d, the last dimension of operand 0 has "
                             "%%d elements")))
    return failure();
  xlaTopKSort(&b->ir, operand.array,
              xlaBoundedMask(&b->ir, &operand, UINT32_C(1) << last), k,
              results);
  memcpy(made.sizes, operand.sizes, (size_t)last * sizeof *made.sizes);
  for (int i = 0; i < 2; ++i) {
    made.shape = xlaBoundedResultShape(b, i);
    made.array = results[i];
    if (failed(xlaBoundedSetResult(b, i, &made)))
      return failure();
  }
  return success();
}

/// Only dimensions that are not transformed have sizes.
MlirLogicalResult xlaBoundedFft(XlaBoundedOp *b) {
  XlaBounded made = xlaBoundedOperand(b, 0);
  made.shape = xlaBoundedResultShape(b, 0);
  made.array = mlirOperationGetResult(xlaBoundedClone(b), 0);
  return xlaBoundedSetResult(b, 0, &made);
}

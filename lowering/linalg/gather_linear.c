//===- gather_linear.c - Gathers that are views ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices that are sums of multiples of iotas, as those of the windows of a
// signal, are linear in the loops. Where they are also in bounds, so that no
// start is clamped, a view with strides shows what the gather reads: its
// elements may overlap, which no other operation's view does.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/literal.h"
#include "xlac/lowering/linalg/kernel_ops.h"

/// Of operations one behind the other.
enum { maxDepth = 12 };

static const MlirAffineExpr none = {NULL};

/// What an integer is where the loops are.
typedef struct Place {
  XlaGeneric *generic;
  MlirValue value;
  XlaIndex index;
} Place;

static MlirAffineExpr exprOf(const Place *place, int depth);

/// Whether all that `expr` may be is one number of `type`: no operation wraps.
static bool isOfType(XlaGeneric *generic, MlirAffineExpr expr,
                     XlaElementType type) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  bool isSigned = info->typeClass == XlaTypeClassSigned;
  int bits = info->bits - isSigned;
  int64_t most = bits < 63 ? (INT64_C(1) << bits) - 1 : INT64_MAX - 1;
  XlaInterval range = xlaIndexExprRange(generic, expr);
  return xlaIntervalContains((XlaInterval){isSigned ? -most - 1 : 0, most},
                             range);
}

/// Operand `i`, where the result is read at the place.
static MlirAffineExpr operandOf(const Place *place, intptr_t i, int depth) {
  MlirOperation op = mlirOpResultGetOwner(place->value);
  Place at = {place->generic, mlirOperationGetOperand(op, i), {.rank = 0}};
  MlirValue inside = {NULL};
  return xlaGenericGuard(place->generic, op, i, &place->index, &at.index,
                         &inside) == XlaGuardAlways
             ? exprOf(&at, depth - 1)
             : none;
}

static MlirAffineExpr constantOf(const Place *place) {
  MlirAttribute value =
      xlaOpGetAttr(mlirOpResultGetOwner(place->value), "value");
  XlaLiteral *literal = xlaLiteralFromSplat(value);
  if (!literal)
    return none;
  MlirAffineExpr expr = mlirAffineConstantExprGet(
      mlirAttributeGetContext(value), xlaLiteralGet(literal, 0).s);
  xlaLiteralRelease(literal);
  return expr;
}

/// Sums, differences, and products with constants.
static MlirAffineExpr arithmeticOf(const Place *place, XlaOpKind kind,
                                   int depth) {
  int64_t factor;
  MlirAffineExpr a = operandOf(place, 0, depth);
  MlirAffineExpr b = a.ptr ? operandOf(place, 1, depth) : none;
  if (!b.ptr)
    return none;
  if (kind == XlaOpKindAdd)
    return xlaExprAdd(a, b);
  if (kind == XlaOpKindSubtract)
    return xlaExprAdd(a, xlaExprScale(b, -1));
  if (xlaExprIsConstant(b, &factor))
    return xlaExprScale(a, factor);
  return xlaExprIsConstant(a, &factor) ? xlaExprScale(b, factor) : none;
}

static MlirAffineExpr ofOperation(const Place *place, int depth) {
  MlirOperation op = mlirOpResultGetOwner(place->value);
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindIota)
    return xlaIndexGetExpr(mlirOperationGetContext(op), &place->generic->space,
                           &place->index,
                           (int)xlaOpGetI64(op, "iota_dimension", 0));
  if (kind == XlaOpKindConstant)
    return constantOf(place);
  if (kind == XlaOpKindAdd || kind == XlaOpKindSubtract ||
      kind == XlaOpKindMultiply)
    return arithmeticOf(place, kind, depth);
  return kind == XlaOpKindConvert || xlaOpGetInfo(kind)->moves == XlaOpMovesView
             ? operandOf(place, 0, depth)
             : none;
}

/// The integer as an expression of the loops. Null where it is none, may wrap,
/// or comes from memory.
static MlirAffineExpr exprOf(const Place *place, int depth) {
  XlaShape shape = xlaKernelShapeOf(place->value);
  if (!depth || !mlirValueIsAOpResult(place->value) ||
      !xlaElementTypeIsInteger(shape.elementType) ||
      xlaKernelGetBuffer(place->generic->kernel, place->value))
    return none;
  MlirAffineExpr expr = ofOperation(place, depth);
  if (expr.ptr)
    expr = xlaIndexExprSimplify(place->generic, expr);
  return expr.ptr && isOfType(place->generic, expr, shape.elementType) ? expr
                                                                       : none;
}

/// Start `k`: an element of the indices, or of the operand that a concatenation
/// has there.
static MlirAffineExpr startOf(const XlaGatherAt *gather, int k) {
  Place place = {
      gather->generic, mlirOperationGetOperand(gather->op, 1), {.rank = 0}};
  int64_t at = k;
  XlaShape shape = xlaKernelShapeOf(place.value);
  int vector = gather->windows->vectorDim;
  if (vector < shape.rank && mlirValueIsAOpResult(place.value)) {
    MlirOperation op = mlirOpResultGetOwner(place.value);
    if (xlaOpGetKind(op) == XlaOpKindConcatenate &&
        xlaOpGetI64(op, "dimension", 0) == vector &&
        !xlaKernelGetBuffer(gather->generic->kernel, place.value))
      for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
        place.value = mlirOperationGetOperand(op, i);
        int64_t size = xlaKernelShapeOf(place.value).dims[vector];
        if (at < size)
          break;
        at -= size;
      }
  }
  xlaGatherIndexOfStart(gather, shape.rank, at, &place.index);
  return exprOf(&place, maxDepth);
}

bool xlaGatherFindView(const XlaGatherAt *gather, const XlaShape *operand,
                       const XlaI64List *sizes, XlaIndex *at) {
  const XlaIndexedWindows *windows = gather->windows;
  MlirContext context = mlirOperationGetContext(gather->op);
  const XlaSpace *space = &gather->generic->space;
  MlirAffineExpr exprs[XLA_MAX_RANK];
  for (int d = 0; d < operand->rank; ++d)
    exprs[d] = mlirAffineConstantExprGet(context, 0);
  for (int k = 0; k < windows->startMap.size; ++k) {
    int64_t d = windows->startMap.values[k];
    int64_t most = operand->dims[d] - sizes->values[d];
    if (!most)
      continue; // always 0
    exprs[d] = startOf(gather, k);
    if (!exprs[d].ptr ||
        !xlaIntervalContains((XlaInterval){0, most},
                             xlaIndexExprRange(gather->generic, exprs[d])))
      return false;
  }
  for (int i = 0; i < windows->offset.size; ++i) {
    int64_t d = windows->window.values[i];
    exprs[d] =
        xlaExprAdd(exprs[d], xlaIndexGetExpr(context, space, gather->index,
                                             (int)windows->offset.values[i]));
  }
  xlaIndexBegin(at);
  for (int d = 0; d < operand->rank; ++d)
    xlaIndexAppendExpr(at, exprs[d]);
  return !windows->batching.size &&
         xlaGenericIsLinear(gather->generic, operand, at);
}

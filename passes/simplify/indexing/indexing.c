//===- indexing.c - Chains of movement as one -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations are visited in program order, so that those before one have been
// simplified. One that moves data is seen as a view of what its operand is a
// view of, and replaced if a chain of other operations costs less than it and
// those before it that nothing else uses. Operations without users are deleted
// after a walk; walks are repeated until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/simplify/indexing/indexing.h"
#include "xlac/passes/legalize.h"
#include "xlac/passes/passes.h"

#include <stdlib.h>
#include <string.h>

/// How far costs are added up, and a bound on walks: each makes the program
/// cheaper, most programs need two.
enum { maxLength = 32, maxWalks = 64 };

static const MlirValue unchanged = {NULL};

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

/// Whether only the operations after it need `value`, and run as often.
static bool isOwn(MlirValue value, MlirOperation user) {
  return xlaMoveUses(value) == 1 &&
         mlirBlockEqual(mlirOperationGetBlock(mlirOpResultGetOwner(value)),
                        mlirOperationGetBlock(user));
}

MoveCost xlaMoveCostToSource(MlirOperation op, MlirValue source) {
  MoveCost cost = xlaMoveCostOfOp(op);
  MlirValue value = mlirOperationGetOperand(op, 0);
  bool own = true;
  while (cost.length < maxLength && mlirValueIsAOpResult(value)) {
    MlirOperation before = mlirOpResultGetOwner(value);
    XlaOpKind kind = xlaOpGetKind(before);
    bool joins = kind == XlaOpKindConcatenate;
    if (kind == XlaOpKindInvalid || (!joins && !xlaMoveIsPlain(before)))
      break;
    own = own && isOwn(value, op);
    bool ends = mlirValueEqual(value, source);
    if (own && (!ends || kind == XlaOpKindIota)) {
      MoveCost more = xlaMoveCostOfOp(before);
      cost.work += more.work;
      if (__builtin_add_overflow(cost.elements, more.elements, &cost.elements))
        cost.elements = INT64_MAX;
    }
    if (ends)
      break;
    ++cost.length;
    if (joins || !mlirOperationGetNumOperands(before))
      break;
    value = mlirOperationGetOperand(before, 0);
  }
  return cost;
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

/// What is known of an operation's result while it is simplified.
typedef struct Attempt {
  MoveState *state;
  MlirOperation op;
  XlaShape shape; ///< of its result
  MoveView best;  ///< the first view that there is a chain for
  MoveChain chain;
} Attempt;

/// Whether a chain is more than its source, and not made of its attributes.
static bool readsSource(const MoveChain *chain) {
  return chain->n &&
         xlaOpGetInfo(chain->steps[0].kind)->moves != XlaOpMovesSource;
}

/// Tries `view`, which it takes over, of the result.
static MlirValue tryView(Attempt *a, MoveView *view) {
  xlaMoveThroughPieces(a->state, &a->shape, view);
  bool found = xlaMoveChainOfView(view, &a->shape, &a->chain);
  if (found && xlaMoveIsCheaper(xlaMoveChainGetCost(&a->chain),
                                xlaMoveCostToSource(a->op, view->source))) {
    XlaIr ir = xlaIrBefore(a->op);
    MlirValue value = xlaMoveChainBuild(&a->chain, &ir);
    if (!mlirValueIsNull(value)) {
      if (readsSource(&a->chain))
        xlaMoveRemember(a->state, value, view);
      else
        xlaMoveViewFree(view);
      return value;
    }
  }
  if (found && !a->best.map)
    a->best = *view;
  else
    xlaMoveViewFree(view);
  return unchanged;
}

/// Tries what the operation makes of `inner`, a view of its operand that it
/// takes over.
static MlirValue tryInner(Attempt *a, const MoveOp *own, MoveView *inner) {
  MoveView composed;
  bool found = xlaMoveCompose(own, inner, &a->shape, &composed);
  xlaMoveViewFree(inner);
  return found ? tryView(a, &composed) : unchanged;
}

/// Whether a list of dimensions grows.
static bool keepsOrder(MlirOperation op, const char *name) {
  XlaI64List dims;
  xlaOpGetList(op, name, &dims);
  for (int i = 1; i < dims.size; ++i)
    if (dims.values[i] < dims.values[i - 1])
      return false;
  return true;
}

/// Whether nothing is better than `op` by itself, as far as can be seen without
/// its map: it does something, has no dimensions of size 1, and does it to an
/// array that is made otherwise.
static bool isSettled(MlirOperation op) {
  MlirValue operand = mlirOperationGetOperand(op, 0);
  XlaShape from, to;
  if (mlirValueIsAOpResult(operand)) {
    XlaOpKind before = xlaOpGetKind(mlirOpResultGetOwner(operand));
    if (before == XlaOpKindConcatenate ||
        xlaOpGetInfo(before)->moves == XlaOpMovesSource)
      return false;
  }
  xlaMoveShape(operand, &from);
  xlaMoveShape(mlirOperationGetResult(op, 0), &to);
  for (int i = 0; i < from.rank; ++i)
    if (from.dims[i] == 1)
      return false;
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindReshape || kind == XlaOpKindSlice)
    return !xlaShapeDimsEqual(&from, &to);
  if (kind == XlaOpKindTranspose)
    return from.rank > 0 && !keepsOrder(op, "permutation");
  if (kind != XlaOpKindBroadcastInDim)
    return false;
  for (int i = 0; i < to.rank; ++i)
    if (to.dims[i] == 1)
      return false;
  return from.rank < to.rank && keepsOrder(op, "broadcast_dimensions");
}

/// Views of what the operand is a view of, as far as is known, of what its
/// operation reads, and of the operand.
static MlirValue tryViews(Attempt *a, const MoveOp *own) {
  MoveView view;
  MlirValue value = unchanged, far = unchanged;
  if (xlaMoveViewOfValue(a->state, own->operand, &view)) {
    far = view.source;
    value = tryInner(a, own, &view);
  }
  if (mlirValueIsNull(value) && !mlirValueIsNull(far) &&
      mlirValueIsAOpResult(own->operand) &&
      xlaMoveViewOfOp(mlirOpResultGetOwner(own->operand), &view)) {
    if (mlirValueEqual(view.source, far))
      xlaMoveViewFree(&view);
    else
      value = tryInner(a, own, &view);
  }
  if (mlirValueIsNull(value) && !isSettled(a->op) &&
      xlaMoveViewOfItself(own->operand, &view))
    value = tryInner(a, own, &view);
  return value;
}

static MlirValue simplifyMovement(MoveState *state, MlirOperation op) {
  MoveOp own;
  MlirValue value = unchanged;
  if (!xlaMoveOpGet(op, &own))
    return unchanged;
  Attempt *a = malloc(sizeof *a);
  if (a) {
    a->state = state;
    a->op = op;
    a->best.map = NULL;
    xlaMoveShape(mlirOperationGetResult(op, 0), &a->shape);
    value = tryViews(a, &own);
    if (a->best.map && mlirValueIsNull(value))
      xlaMoveRemember(state, mlirOperationGetResult(op, 0), &a->best);
    else
      xlaMoveViewFree(&a->best);
  }
  free(a);
  xlaIndexingMapRelease(own.map);
  return value;
}

/// An iota as one without dimensions of size 1.
static MlirValue simplifyIota(MlirOperation op) {
  MoveView self;
  MlirValue value = unchanged;
  XlaShape shape;
  MoveChain *chain = malloc(sizeof *chain);
  if (chain && xlaMoveViewOfItself(mlirOperationGetResult(op, 0), &self)) {
    if (xlaMoveShape(self.source, &shape) &&
        xlaMoveChainOfView(&self, &shape, chain) &&
        xlaMoveIsCheaper(xlaMoveChainGetCost(chain), xlaMoveCostOfOp(op))) {
      XlaIr ir = xlaIrBefore(op);
      value = xlaMoveChainBuild(chain, &ir);
    }
    xlaMoveViewFree(&self);
  }
  free(chain);
  return value;
}

/// Whether `value` is an array with elements, and its shape.
static bool hasElements(MlirValue value, XlaShape *shape) {
  int64_t count;
  return xlaMoveShape(value, shape) && xlaShapeGetElementCount(shape, &count) &&
         count;
}

/// Arrays without elements are all the same but for their shapes; padded, they
/// are all padding.
static MlirValue simplifyEmpty(MlirOperation op) {
  XlaShape from, to;
  MlirValue operand = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  XlaIr ir = xlaIrBefore(op);
  if (hasElements(operand, &from))
    return unchanged;
  bool isEmpty = !hasElements(mlirOperationGetResult(op, 0), &to);
  if (!isEmpty && xlaOpGetKind(op) == XlaOpKindPad) {
    MlirValue fill = mlirOperationGetOperand(op, 1);
    XlaIrAttr none = {"broadcast_dimensions",
                      mlirDenseI64ArrayGet(ir.context, 0, NULL)};
    return xlaIrOp(&ir, "xla.broadcast_in_dim", type, 1, &fill, 1, &none);
  }
  if (!isEmpty || from.elementType != to.elementType)
    return unchanged;
  if (mlirTypeEqual(mlirValueGetType(operand), type))
    return operand;
  MlirOperation reshape = xlaMoveDefinedBy(operand, XlaOpKindReshape);
  if (reshape.ptr)
    operand = mlirOperationGetOperand(reshape, 0);
  else if (xlaOpGetKind(op) == XlaOpKindReshape)
    return unchanged;
  if (mlirTypeEqual(mlirValueGetType(operand), type))
    return operand;
  return xlaIrCast(&ir, "xla.reshape", operand, type);
}

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

bool xlaMoveIsMovement(XlaOpKind kind) {
  const XlaOpInfo *info = xlaOpGetInfo(kind);
  return info->moves != XlaOpMovesNo && kind != XlaOpKindConstant &&
         info->family != XlaFamilyAlias;
}

/// Rules that look at the operation alone.
static MlirValue simplifyFirst(MoveState *state, MlirOperation op,
                               XlaOpKind kind) {
  if (kind == XlaOpKindConcatenate)
    return xlaMoveConcatenate(state, op);
  if (kind == XlaOpKindDynamicSlice)
    return xlaMoveDynamicSlice(op);
  return kind == XlaOpKindDynamicUpdateSlice ? xlaMoveDynamicUpdate(op)
                                             : unchanged;
}

static MlirValue simplifyOp(MoveState *state, MlirOperation op,
                            XlaOpKind kind) {
  if (kind == XlaOpKindIota)
    return simplifyIota(op);
  MlirValue value = simplifyEmpty(op);
  if (mlirValueIsNull(value))
    value = simplifyFirst(state, op, kind);
  if (mlirValueIsNull(value))
    value = simplifyMovement(state, op);
  if (mlirValueIsNull(value) && kind == XlaOpKindSlice)
    value = xlaMoveSliceOfPieces(state, op);
  if (mlirValueIsNull(value) &&
      (kind == XlaOpKindReshape || kind == XlaOpKindTranspose ||
       kind == XlaOpKindReverse || kind == XlaOpKindSlice))
    value = xlaMoveHoist(state, op);
  return value;
}

static void simplifyBlocks(MoveState *state, MlirOperation parent) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(parent); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      MlirOperation next;
      for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
           op = next) {
        next = mlirOperationGetNextInBlock(op);
        XlaOpKind kind = xlaOpGetKind(op);
        if (kind != XlaOpKindInvalid &&
            xlaOpGetInfo(kind)->family == XlaFamilyControlFlow)
          simplifyBlocks(state, op);
        if (!xlaMoveIsMovement(kind) || !xlaMoveIsPlain(op) ||
            !xlaMoveUses(mlirOperationGetResult(op, 0)))
          continue;
        MlirValue result = mlirOperationGetResult(op, 0),
                  value = simplifyOp(state, op, kind);
        // Itself where memory did not suffice to see what it is.
        if (mlirValueIsNull(value) || mlirValueEqual(value, result))
          continue;
        mlirValueReplaceAllUsesOfWith(result, value);
        // Another value may get its address.
        xlaPointerMapSet(&state->views, result.ptr, 0);
        mlirOperationDestroy(op);
        state->changed = true;
      }
    }
}

static bool mayDie(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return xlaMoveIsMovement(kind) || kind == XlaOpKindConstant;
}

/// Users come after what they use.
static void deleteUnused(MlirOperation function) {
  XlaIrOps ops = xlaIrCollect(function, MlirWalkPreOrder, mayDie);
  for (intptr_t i = ops.n - 1; i >= 0; --i)
    if (!xlaMoveUses(mlirOperationGetResult(ops.ops[i], 0)))
      mlirOperationDestroy(ops.ops[i]);
  free(ops.ops);
}

void xlaSimplifyIndexing(MlirOperation function) {
  MoveState state = {.context = mlirOperationGetContext(function),
                     .changed = true};
  deleteUnused(function);
  for (int i = 0; i < maxWalks && state.changed; ++i) {
    state.changed = false;
    simplifyBlocks(&state, function);
    bool changed = state.changed;
    xlaMoveStateFree(&state);
    state.changed = changed;
    if (changed)
      deleteUnused(function);
  }
}

MlirLogicalResult xlaPassSimplifyIndexing(MlirOperation module,
                                          MlirExtPassOptionValues options,
                                          void *userData) {
  (void)options;
  (void)userData;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (xlaIrIsOp(op, "func.func"))
      xlaSimplifyIndexing(op);
  return mlirLogicalResultSuccess();
}

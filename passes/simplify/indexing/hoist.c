//===- hoist.c - Movement across elementwise operations -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// transpose(a + transpose(b)) is transpose(a) + b: fewer operations where the
// operands of elementwise operations undo what is done to their result. A
// reshape goes where none of them gets dearer: what they are computed from may
// be in a kernel with them as it is. So does a slice where all they read is
// in memory, of which less is then worked on.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/simplify/indexing/indexing.h"

#include <stdlib.h>
#include <string.h>

enum { maxNodes = 24, maxLeaves = 32 };

static const MlirValue unchanged = {NULL};

/// What the tree takes from elsewhere, `uses` times.
typedef struct Leaf {
  MlirValue value;
  int uses;
} Leaf;

/// The operations that only the one that moves their result needs, each after
/// those that use it.
typedef struct Tree {
  MoveState *state;
  MlirOperation op;
  MoveOp own;
  int nNodes, nLeaves;
  MlirOperation nodes[maxNodes];
  Leaf leaves[maxLeaves];
  MoveChain chain;
} Tree;

/// Whether `op` computes elements of its result from those of whole arrays.
static bool isElementwise(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  XlaShape shape, operand;
  if (kind == XlaOpKindInvalid ||
      xlaOpGetInfo(kind)->family != XlaFamilyElementwise ||
      !xlaMoveIsPlain(op) || mlirOperationGetNumResults(op) != 1 ||
      mlirOperationGetNumRegions(op) ||
      !mlirAttributeIsNull(xlaOpGetAttr(op, "broadcast_dimensions")))
    return false;
  xlaMoveShape(mlirOperationGetResult(op, 0), &shape);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!xlaMoveShape(mlirOperationGetOperand(op, i), &operand) ||
        !xlaShapeDimsEqual(&operand, &shape))
      return false;
  return true;
}

/// Whether `value` has `uses` uses and no more.
static bool hasUses(MlirValue value, int uses) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; uses && !mlirOpOperandIsNull(use); --uses)
    use = mlirOpOperandGetNextUse(use);
  return !uses && mlirOpOperandIsNull(use);
}

/// Whether it is an elementwise operation that only the tree uses, with what
/// the leaf counts.
static bool isNode(const Tree *tree, const Leaf *leaf) {
  if (!mlirValueIsAOpResult(leaf->value) || !hasUses(leaf->value, leaf->uses))
    return false;
  MlirOperation op = mlirOpResultGetOwner(leaf->value);
  return isElementwise(op) && mlirBlockEqual(mlirOperationGetBlock(op),
                                             mlirOperationGetBlock(tree->op));
}

/// A use of `value`, which becomes a node with its last one.
static bool addUse(Tree *tree, MlirValue value) {
  int i = 0;
  while (i < tree->nLeaves && !mlirValueEqual(tree->leaves[i].value, value))
    ++i;
  if (i == maxLeaves)
    return false;
  if (i == tree->nLeaves)
    tree->leaves[tree->nLeaves++] = (Leaf){value, 0};
  ++tree->leaves[i].uses;
  if (!isNode(tree, &tree->leaves[i]))
    return true;
  tree->leaves[i] = tree->leaves[--tree->nLeaves];
  if (tree->nNodes == maxNodes)
    return false;
  tree->nodes[tree->nNodes++] = mlirOpResultGetOwner(value);
  return true;
}

static bool grow(Tree *tree) {
  if (!addUse(tree, mlirOperationGetOperand(tree->op, 0)))
    return false;
  for (int n = 0; n < tree->nNodes; ++n)
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(tree->nodes[n]); ++i)
      if (!addUse(tree, mlirOperationGetOperand(tree->nodes[n], i)))
        return false;
  return tree->nNodes > 0;
}

/// The chain that moves what `inner` is a view of.
static bool moveComposed(Tree *tree, const MoveView *inner,
                         const XlaShape *shape) {
  MoveView view;
  if (!xlaMoveCompose(&tree->own, inner, shape, &view))
    return false;
  bool found = xlaMoveChainOfView(&view, shape, &tree->chain);
  xlaMoveViewFree(&view);
  return found;
}

/// The chain that moves `leaf` as the tree's result is moved, and what its
/// source costs now.
static bool moveLeaf(Tree *tree, const Leaf *of, int *work) {
  MlirValue leaf = of->value;
  MoveView inner;
  XlaShape shape, type;
  bool found = false;
  xlaMoveShape(mlirOperationGetResult(tree->op, 0), &shape);
  xlaMoveShape(leaf, &type);
  shape.elementType = type.elementType;
  *work = 0;
  if (xlaMoveViewOfValue(tree->state, leaf, &inner)) {
    found = moveComposed(tree, &inner, &shape);
    if (found && hasUses(leaf, of->uses))
      *work =
          xlaMoveCostToSource(mlirOpResultGetOwner(leaf), inner.source).work;
    xlaMoveViewFree(&inner);
  }
  if (!found && xlaMoveViewOfItself(leaf, &inner)) {
    found = moveComposed(tree, &inner, &shape);
    xlaMoveViewFree(&inner);
  }
  return found;
}

static MlirValue rebuild(Tree *tree) {
  XlaIr ir = xlaIrBefore(tree->op);
  MlirValue moved[maxLeaves];
  XlaShape shape, type;
  int work;
  xlaMoveShape(mlirOperationGetResult(tree->op, 0), &shape);
  for (int i = 0; i < tree->nLeaves; ++i) {
    moveLeaf(tree, &tree->leaves[i], &work);
    moved[i] = xlaMoveChainBuild(&tree->chain, &ir);
    if (mlirValueIsNull(moved[i]))
      return unchanged;
  }
  MlirOperation made[maxNodes];
  for (int n = tree->nNodes - 1; n >= 0; --n) {
    MlirOperation node = tree->nodes[n];
    made[n] = mlirOperationClone(node);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(node); ++i) {
      MlirValue value = mlirOperationGetOperand(node, i);
      for (int k = 0; k < tree->nLeaves; ++k)
        if (mlirValueEqual(value, tree->leaves[k].value))
          mlirOperationSetOperand(made[n], i, moved[k]);
      for (int k = n + 1; k < tree->nNodes; ++k)
        if (mlirValueEqual(value, mlirOperationGetResult(tree->nodes[k], 0)))
          mlirOperationSetOperand(made[n], i,
                                  mlirOperationGetResult(made[k], 0));
    }
    xlaMoveShape(mlirOperationGetResult(node, 0), &type);
    shape.elementType = type.elementType;
    mlirValueSetType(mlirOperationGetResult(made[n], 0),
                     xlaShapeToMlir(&shape, ir.context));
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(tree->op),
                                        tree->op, made[n]);
  }
  return mlirOperationGetResult(made[0], 0);
}

/// The old tree is deleted, for costs to be what they are.
static void deleteTree(const Tree *tree) {
  for (int n = 0; n < tree->nNodes; ++n)
    mlirOperationDestroy(tree->nodes[n]);
}

/// What is in memory, or in the code, in any shape.
static bool isFreelyReshaped(MlirValue value) {
  return mlirValueIsABlockArgument(value) ||
         xlaMoveDefinedBy(value, XlaOpKindConstant).ptr;
}

static bool isInTree(const Tree *tree, MlirOperation op) {
  for (int n = 0; n < tree->nNodes; ++n)
    if (mlirOperationEqual(tree->nodes[n], op))
      return true;
  return false;
}

/// Whether the program may compute the same elsewhere, for other parts: as one
/// operation on all is it computed once.
static bool mayBeRepeated(const Tree *tree, const Leaf *leaf) {
  enum { maxUses = 64 };
  int nUses = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(leaf->value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (++nUses > maxUses)
      return true;
    if (isInTree(tree, user))
      continue;
    for (int n = 0; n < tree->nNodes; ++n)
      if (xlaOpGetKind(user) == xlaOpGetKind(tree->nodes[n]))
        return true;
  }
  return false;
}

/// Whether the tree computes from nothing but what is in memory, or in the
/// code, repeated perhaps, and nothing else does.
static bool isOfMemory(Tree *tree) {
  int work;
  for (int i = 0; i < tree->nLeaves; ++i) {
    const Leaf *leaf = &tree->leaves[i];
    MlirOperation repeat =
        xlaMoveDefinedBy(leaf->value, XlaOpKindBroadcastInDim);
    MlirValue source =
        repeat.ptr ? mlirOperationGetOperand(repeat, 0) : leaf->value;
    if (!isFreelyReshaped(source) || !moveLeaf(tree, leaf, &work) ||
        (mlirValueIsABlockArgument(leaf->value) && mayBeRepeated(tree, leaf)))
      return false;
  }
  return true;
}

/// Whether moving the leaves in place of the result is less work.
static bool isWorthIt(Tree *tree) {
  if (xlaOpGetKind(tree->op) == XlaOpKindSlice)
    return isOfMemory(tree);
  bool reshapes = xlaOpGetKind(tree->op) == XlaOpKindReshape;
  int before, work = -xlaMoveCostOfOp(tree->op).work;
  for (int i = 0; i < tree->nLeaves; ++i) {
    if (!moveLeaf(tree, &tree->leaves[i], &before))
      return false;
    int more = xlaMoveChainGetCost(&tree->chain).work - before;
    if (reshapes && more == 1 && isFreelyReshaped(tree->leaves[i].value))
      more = 0;
    if (reshapes && more > 0)
      return false;
    work += more;
  }
  return work < 0;
}

/// Elementwise operations have no dimensions of size 1.
static bool mayHave(MlirOperation op) {
  XlaShape shape;
  xlaMoveShape(mlirOperationGetResult(op, 0), &shape);
  for (int d = 0; d < shape.rank; ++d)
    if (shape.dims[d] == 1)
      return false;
  return true;
}

MlirValue xlaMoveHoist(MoveState *state, MlirOperation op) {
  MlirValue value = unchanged;
  bool may = xlaOpGetKind(op) != XlaOpKindReshape || mayHave(op);
  Tree *tree = may ? calloc(1, sizeof *tree) : NULL;
  if (!tree)
    return unchanged;
  tree->state = state;
  tree->op = op;
  if (grow(tree) && xlaMoveOpGet(op, &tree->own) && isWorthIt(tree))
    value = rebuild(tree);
  if (!mlirValueIsNull(value)) {
    mlirOperationSetOperand(op, 0, value);
    deleteTree(tree);
  }
  xlaIndexingMapRelease(tree->own.map);
  free(tree);
  return value;
}

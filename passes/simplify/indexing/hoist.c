//===- hoist.c - Movement across elementwise operations -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// transpose(a + transpose(b)) is transpose(a) + b: fewer operations where the
// operands of a tree of elementwise operations undo what is done to its result.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/simplify/indexing/indexing.h"

#include <stdlib.h>
#include <string.h>

enum { maxNodes = 12, maxLeaves = 32 };

static const MlirValue unchanged = {NULL};

/// The tree below the operation that moves its result. Nodes come after the
/// nodes that use them.
typedef struct Tree {
  MoveState *state;
  MlirOperation op;
  MoveOp own;
  int nNodes, nLeaves, work;
  MlirOperation nodes[maxNodes];
  MlirValue leaves[maxLeaves];
  MoveChain chain;
} Tree;

/// An elementwise operation that only the tree uses, on whole arrays.
static bool isNode(const Tree *tree, MlirValue value) {
  if (!mlirValueIsAOpResult(value) || xlaMoveUses(value) != 1)
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  XlaOpKind kind = xlaOpGetKind(op);
  XlaShape shape, operand;
  if (kind == XlaOpKindInvalid ||
      xlaOpGetInfo(kind)->family != XlaFamilyElementwise ||
      !xlaMoveIsPlain(op) || mlirOperationGetNumResults(op) != 1 ||
      mlirOperationGetNumRegions(op) ||
      !mlirAttributeIsNull(xlaOpGetAttr(op, "broadcast_dimensions")) ||
      !mlirBlockEqual(mlirOperationGetBlock(op),
                      mlirOperationGetBlock(tree->op)))
    return false;
  xlaMoveShape(value, &shape);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!xlaMoveShape(mlirOperationGetOperand(op, i), &operand) ||
        !xlaShapeDimsEqual(&operand, &shape))
      return false;
  return true;
}

static bool grow(Tree *tree) {
  MlirValue root = mlirOperationGetOperand(tree->op, 0);
  if (!isNode(tree, root))
    return false;
  tree->nodes[tree->nNodes++] = mlirOpResultGetOwner(root);
  for (int n = 0; n < tree->nNodes; ++n)
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(tree->nodes[n]); ++i) {
      MlirValue value = mlirOperationGetOperand(tree->nodes[n], i);
      if (isNode(tree, value)) {
        if (tree->nNodes == maxNodes)
          return false;
        tree->nodes[tree->nNodes++] = mlirOpResultGetOwner(value);
        continue;
      }
      int seen = 0;
      while (seen < tree->nLeaves && !mlirValueEqual(tree->leaves[seen], value))
        ++seen;
      if (seen == maxLeaves)
        return false;
      if (seen == tree->nLeaves)
        tree->leaves[tree->nLeaves++] = value;
    }
  return true;
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
static bool moveLeaf(Tree *tree, MlirValue leaf, int *work) {
  MoveView inner;
  XlaShape shape, type;
  bool found = false;
  xlaMoveShape(mlirOperationGetResult(tree->op, 0), &shape);
  xlaMoveShape(leaf, &type);
  shape.elementType = type.elementType;
  *work = 0;
  if (xlaMoveViewOfValue(tree->state, leaf, &inner)) {
    found = moveComposed(tree, &inner, &shape);
    if (found && xlaMoveUses(leaf) == 1)
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
    moveLeaf(tree, tree->leaves[i], &work);
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
        if (mlirValueEqual(value, tree->leaves[k]))
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

MlirValue xlaMoveHoist(MoveState *state, MlirOperation op) {
  MlirValue value = unchanged;
  Tree *tree = calloc(1, sizeof *tree);
  if (!tree)
    return unchanged;
  tree->state = state;
  tree->op = op;
  if (grow(tree) && xlaMoveOpGet(op, &tree->own)) {
    bool found = true;
    int before, work = -xlaMoveCostOfOp(op).work;
    for (int i = 0; i < tree->nLeaves && found; ++i) {
      found = moveLeaf(tree, tree->leaves[i], &before);
      if (found)
        work += xlaMoveChainGetCost(&tree->chain).work - before;
    }
    if (found && work < 0)
      value = rebuild(tree);
  }
  if (!mlirValueIsNull(value)) {
    mlirOperationSetOperand(op, 0, value);
    deleteTree(tree);
  }
  xlaIndexingMapRelease(tree->own.map);
  free(tree);
  return value;
}

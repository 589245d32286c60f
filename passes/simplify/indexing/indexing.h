//===- indexing.h - Chains of movement as one ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of pass xla-simplify-indexing share. A *view* says of a value
// which element of another one, its source, each of its elements is: the
// composed indexing maps of the operations between the two. A *chain* is the
// cheapest sequence of operations that computes a view; the pass puts it in
// place of operations that cost more. Views and chains are of static arrays
// without layouts that have elements.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_SIMPLIFY_INDEXING_INDEXING_H
#define XLAC_PASSES_SIMPLIFY_INDEXING_INDEXING_H

#include "xlac/dialect/indexing/strided_read.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/pointer_map.h"

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Where the domain of `map` has an index, the element is that of `source` at
/// the row-major position that is the map's one result, with all its bits;
/// elsewhere it is the scalar `fill`. (Positions, because reshapes are then
/// sums that simplify, not quotients and remainders.)
typedef struct MoveView {
  MlirValue source;
  XlaIndexingMap *map; ///< owned
  MlirValue fill;      ///< null where the domain is everything
} MoveView;

/// What one pass over a function knows.
typedef struct MoveState {
  MlirContext context;
  XlaPointerMap views;   ///< of values: positions in `known`, from 1
  XlaPointerMap offsets; ///< of concatenations: positions in `tables`, from 1
  intptr_t nKnown, knownCapacity, nTables, tableCapacity;
  MoveView *known;
  int64_t **tables; ///< where operands begin, and the end
  bool changed;
} MoveState;

void xlaMoveStateFree(MoveState *state);

/// The shape of an array of static sizes without a layout; false for others.
bool xlaMoveShape(MlirValue value, XlaShape *shape);
/// Whether all values of `op` are such arrays.
bool xlaMoveIsPlain(MlirOperation op);
/// Whether operations of `kind` only move data.
bool xlaMoveIsMovement(XlaOpKind kind);
/// The operation that defines `value`, if it is of `kind` and plain; or null.
MlirOperation xlaMoveDefinedBy(MlirValue value, XlaOpKind kind);

void xlaMoveViewFree(MoveView *view);
/// The map to positions of an array of `shape`; NULL if that has no elements,
/// or without memory.
XlaIndexingMap *xlaMovePositions(MlirContext context, const XlaShape *shape);
/// The index along dimension `dimension` of an array of `shape` at the position
/// that `map` gives.
MlirAffineExpr xlaMoveIndexAt(const XlaIndexingMap *map, const XlaShape *shape,
                              int64_t dimension);
/// What `op` does to its first operand: where its map, to indices of that, is
/// defined, the result is an element of the operand, elsewhere it is `fill`.
typedef struct MoveOp {
  MlirValue operand;
  XlaIndexingMap *map; ///< owned; may have runtime variables
  MlirValue fill;      ///< null where the domain is everything
} MoveOp;

/// False if it moves nothing.
bool xlaMoveOpGet(MlirOperation op, MoveOp *move);
/// The result of `op` as a view of its operand. False if it moves nothing, or
/// it depends on values how.
bool xlaMoveViewOfOp(MlirOperation op, MoveView *view);
/// `value` as a view of itself; false if it has no elements.
bool xlaMoveViewOfItself(MlirValue value, MoveView *view);
/// What has been remembered of `value`, or what its operation does; false where
/// it is its own source.
bool xlaMoveViewOfValue(MoveState *state, MlirValue value, MoveView *view);
/// Takes over `view`.
void xlaMoveRemember(MoveState *state, MlirValue value, MoveView *view);
/// What `op`, whose result has `shape`, makes of a view of its operand. False
/// if that is no view.
bool xlaMoveCompose(const MoveOp *op, const MoveView *inner,
                    const XlaShape *shape, MoveView *result);
/// Sees through concatenations of which one operand is read, and on through
/// what is known of that operand.
void xlaMoveThroughPieces(MoveState *state, const XlaShape *shape,
                          MoveView *view);
/// The map of a gather at constant places, or at places that an iota counts;
/// NULL for others.
XlaIndexingMap *xlaMoveMapOfGather(MlirOperation op);
/// Of concatenation `op`: where its operands begin along its dimension, and the
/// end. NULL if not all are plain, and without memory.
const int64_t *xlaMoveOffsets(MoveState *state, MlirOperation op);
/// Which of `n` operands that begin at `offsets` has `index`.
intptr_t xlaMoveFindPiece(const int64_t *offsets, intptr_t n, int64_t index);

/// The scalars are equal for sure.
bool xlaMoveSameScalar(MlirValue a, MlirValue b);
/// The bytes of the element that constant `op` repeats, 16 at most; false if it
/// is no splat.
bool xlaMoveSplatBytes(MlirOperation op, char bytes[16]);

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

/// What work costs: first of all `work`, about the overhead of operations, then
/// the elements that are written, then the number of operations between source
/// and result.
typedef struct MoveCost {
  int work;
  int64_t elements;
  int length;
} MoveCost;

bool xlaMoveIsCheaper(MoveCost a, MoveCost b);
/// The cost of an operation as it stands.
MoveCost xlaMoveCostOfOp(MlirOperation op);
/// The cost of `op` and of the operations before it, from `source` on, that
/// nothing else needs.
MoveCost xlaMoveCostToSource(MlirOperation op, MlirValue source);

/// One operation to `to`. `a`, `b` and `c` are its attributes: starts, limits
/// and strides, low, high and interior padding, permutation, broadcast or
/// reversed dimensions (`n` of them).
typedef struct MoveStep {
  XlaOpKind kind;
  XlaShape to;
  int n;
  int64_t a[XLA_MAX_RANK], b[XLA_MAX_RANK], c[XLA_MAX_RANK];
} MoveStep;

enum { moveMaxSteps = 9 };

/// Operations one after the other from `source` on. A constant or an iota in
/// it is made of the source's attributes.
typedef struct MoveChain {
  MlirValue source, fill;
  int n;
  MoveStep steps[moveMaxSteps];
} MoveChain;

/// The cheapest chain to an array of `shape` that is known; false if none is.
bool xlaMoveChainOfView(const MoveView *view, const XlaShape *shape,
                        MoveChain *chain);
MlirValue xlaMoveChainBuild(const MoveChain *chain, XlaIr *ir);

/// Internal to chains: appends the steps that read `from` at `read`.
bool xlaMoveChainOfRead(const XlaShape *from, const XlaStridedRead *read,
                        const XlaShape *to, MoveChain *chain);
void xlaMoveChainBegin(MoveChain *chain, MlirValue source);
MoveCost xlaMoveChainGetCost(const MoveChain *chain);
/// Appends a step of this kind; NULL if there are too many.
MoveStep *xlaMoveChainAdd(MoveChain *chain, XlaOpKind kind, const XlaShape *to);
/// Appends a reshape, unless `shape` is what the chain has.
bool xlaMoveChainReshape(MoveChain *chain, const XlaShape *from,
                         const XlaShape *to);

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// Each gives the value that takes the result's place, or null.

/// Concatenations: of concatenations, of neighbours, of what is repeated.
MlirValue xlaMoveConcatenate(MoveState *state, MlirOperation op);
/// A slice of several operands of a concatenation.
MlirValue xlaMoveSliceOfPieces(MoveState *state, MlirOperation op);
/// Dynamic slices and updates at constant places, or one in another.
MlirValue xlaMoveDynamicSlice(MlirOperation op);
MlirValue xlaMoveDynamicUpdate(MlirOperation op);
/// Movement of elementwise operations that is undone by their operands.
MlirValue xlaMoveHoist(MoveState *state, MlirOperation op);

/// The number of uses, counting no further than 2.
int xlaMoveUses(MlirValue value);

#endif // XLAC_PASSES_SIMPLIFY_INDEXING_INDEXING_H

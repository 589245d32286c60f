//===- chain.c - Views as operations --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/steps.h"
#include "xlac/passes/simplify/indexing/indexing.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

/// Reshapes are free but for what they keep others from; slices and broadcasts
/// read in order.
static int workOf(XlaOpKind kind) {
  if (kind == XlaOpKindReshape)
    return 1;
  if (kind == XlaOpKindBroadcastInDim || kind == XlaOpKindSlice)
    return 4;
  switch (xlaOpGetInfo(kind)->moves) {
  case XlaOpMovesSource:
    return kind == XlaOpKindIota;
  case XlaOpMovesBits:
    return 2;
  case XlaOpMovesDynamicView:
    return 6;
  case XlaOpMovesGather:
    return 16;
  case XlaOpMovesNo:
  case XlaOpMovesView:
  case XlaOpMovesChoice:
  case XlaOpMovesUpdate:
    break;
  }
  return 8;
}

static bool isFree(XlaOpKind kind) {
  XlaOpMoves moves = xlaOpGetInfo(kind)->moves;
  return kind == XlaOpKindReshape || moves == XlaOpMovesSource ||
         moves == XlaOpMovesBits;
}

bool xlaMoveIsCheaper(MoveCost a, MoveCost b) {
  if (a.work != b.work)
    return a.work < b.work;
  return a.elements != b.elements ? a.elements < b.elements
                                  : a.length < b.length;
}

static int64_t elementsOf(const XlaShape *shape) {
  int64_t count;
  return xlaShapeGetElementCount(shape, &count) ? count : INT64_MAX;
}

static void addElements(MoveCost *cost, const XlaShape *shape) {
  if (__builtin_add_overflow(cost->elements, elementsOf(shape),
                             &cost->elements))
    cost->elements = INT64_MAX;
}

MoveCost xlaMoveChainGetCost(const MoveChain *chain) {
  MoveCost cost = {.length = chain->n};
  for (int i = 0; i < chain->n; ++i) {
    cost.work += workOf(chain->steps[i].kind);
    if (!isFree(chain->steps[i].kind))
      addElements(&cost, &chain->steps[i].to);
  }
  return cost;
}

static bool hasSizeOne(const XlaShape *shape) {
  for (int i = 0; i < shape->rank; ++i)
    if (shape->dims[i] == 1)
      return true;
  return false;
}

/// What moves dimensions is to be without those of size 1, as programs that
/// differ only in these are then the same: a bit more than two reshapes. A
/// broadcast that also permutes is a transpose.
MoveCost xlaMoveCostOfOp(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  MoveCost cost = {.work = workOf(kind), .length = 1};
  XlaShape from = {.rank = 0}, to;
  XlaI64List dims;
  xlaMoveShape(mlirOperationGetResult(op, 0), &to);
  if (mlirOperationGetNumOperands(op))
    xlaMoveShape(mlirOperationGetOperand(op, 0), &from);
  if (!isFree(kind))
    addElements(&cost, &to);
  if (kind != XlaOpKindTranspose && kind != XlaOpKindBroadcastInDim &&
      kind != XlaOpKindIota)
    return cost;
  if (hasSizeOne(&from) || hasSizeOne(&to))
    cost.work += 3;
  if (kind == XlaOpKindBroadcastInDim) {
    xlaOpGetList(op, "broadcast_dimensions", &dims);
    for (int i = 1; i < dims.size; ++i)
      if (dims.values[i] < dims.values[i - 1]) {
        cost.work += workOf(XlaOpKindTranspose);
        break;
      }
  }
  return cost;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void xlaMoveChainBegin(MoveChain *chain, MlirValue source) {
  chain->source = source;
  chain->fill = (MlirValue){NULL};
  chain->n = 0;
}

MoveStep *xlaMoveChainAdd(MoveChain *chain, XlaOpKind kind,
                          const XlaShape *to) {
  if (chain->n == moveMaxSteps)
    return NULL;
  MoveStep *step = &chain->steps[chain->n++];
  step->kind = kind;
  step->to = *to;
  step->n = 0;
  return step;
}

bool xlaMoveChainReshape(MoveChain *chain, const XlaShape *from,
                         const XlaShape *to) {
  if (chain->n && chain->steps[chain->n - 1].kind == XlaOpKindReshape)
    --chain->n;
  const XlaShape *last = chain->n ? &chain->steps[chain->n - 1].to : from;
  return xlaShapeDimsEqual(last, to) ||
         xlaMoveChainAdd(chain, XlaOpKindReshape, to);
}

//===----------------------------------------------------------------------===//
// Maps without holes
//===----------------------------------------------------------------------===//

/// An index of an iota's dimension: an iota again, or all the same.
static bool chainOfIota(MlirOperation iota, const XlaIndexingMap *map,
                        const XlaShape *to, MoveChain *chain) {
  int64_t value;
  XlaShape shape;
  xlaMoveShape(mlirOperationGetResult(iota, 0), &shape);
  MlirAffineExpr index =
      xlaMoveIndexAt(map, &shape, xlaOpGetI64(iota, "iota_dimension", 0));
  if (xlaExprIsConstant(index, &value)) {
    MoveStep *step = xlaMoveChainAdd(chain, XlaOpKindConstant, to);
    step->n = 1;
    step->a[0] = value;
    return true;
  }
  if (!mlirAffineExprIsADim(index))
    return false;
  XlaShape small = {.elementType = to->elementType};
  int64_t dimension = mlirAffineDimExprGetPosition(index), at = 0;
  for (int i = 0; i < to->rank; ++i) {
    at = i == dimension ? small.rank : at;
    if (to->dims[i] != 1)
      small.dims[small.rank++] = to->dims[i];
  }
  MoveStep *step = xlaMoveChainAdd(chain, XlaOpKindIota, &small);
  step->a[0] = at;
  return xlaMoveChainReshape(chain, &small, to);
}

/// `map` as one from positions in the row-major order of its domain.
static XlaIndexingMap *flatten(const XlaIndexingMap *map) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  MlirContext context = mlirAffineMapGetContext(parts->map);
  MlirAffineExpr dims[XLA_MAX_RANK], at = mlirAffineDimExprGet(context, 0);
  int64_t stride = 1;
  for (intptr_t i = parts->nDims - 1; i >= 0; --i) {
    int64_t size = parts->dims[i].upper + 1;
    dims[i] = xlaExprModulo(xlaExprOver(at, stride), size);
    if (__builtin_mul_overflow(stride, size, &stride))
      return NULL;
  }
  XlaInterval all = {0, stride - 1};
  XlaIndexingMapParts flat = {
      .map = xlaAffineMapReplace(parts->map, dims, NULL, 1, 0),
      .nDims = 1,
      .dims = &all};
  return xlaIndexingMapFinish(xlaIndexingMapCreate(&flat),
                              XlaIndexingPointsReplace);
}

static bool readOf(const XlaIndexingMap *map, const XlaShape *from,
                   XlaStridedRead *read) {
  int64_t count;
  if (!xlaShapeGetElementCount(from, &count))
    return false;
  if (xlaIndexingMapGetStridedRead(map, &count, read))
    return true;
  if (xlaIndexingMapGetParts(map)->nDims < 2)
    return false;
  XlaIndexingMap *flat = flatten(map);
  bool found = flat && xlaIndexingMapGetStridedRead(flat, &count, read);
  xlaIndexingMapRelease(flat);
  return found;
}

/// The chain from `source` at `map` to the dimensions and type of `to`.
static bool chainOfMap(MlirValue source, const XlaIndexingMap *map,
                       const XlaShape *to, MoveChain *chain) {
  XlaShape from, shape = *to;
  XlaStridedRead read;
  char bytes[16];
  bool found;
  xlaMoveChainBegin(chain, source);
  if (!xlaMoveShape(source, &from))
    return false;
  shape.elementType = from.elementType;
  MlirOperation constant = xlaMoveDefinedBy(source, XlaOpKindConstant),
                iota = xlaMoveDefinedBy(source, XlaOpKindIota);
  if (constant.ptr && xlaMoveSplatBytes(constant, bytes))
    found = xlaMoveChainAdd(chain, XlaOpKindConstant, &shape);
  else if (iota.ptr && chainOfIota(iota, map, &shape, chain))
    found = true;
  else
    found = readOf(map, &from, &read) &&
            xlaMoveChainOfRead(&from, &read, &shape, chain);
  if (found && from.elementType != to->elementType)
    found = xlaMoveChainAdd(chain, XlaOpKindBitcastConvert, to);
  return found;
}

//===----------------------------------------------------------------------===//
// Maps with holes
//===----------------------------------------------------------------------===//

/// A slice before the pad is negative padding, on sides that are not padded.
static bool joinSlice(const MoveStep *slice, const XlaShape *from,
                      MoveStep *pad) {
  if (slice->kind != XlaOpKindSlice || from->rank != pad->to.rank)
    return false;
  for (int i = 0; i < from->rank; ++i)
    if (slice->c[i] != 1 || (slice->a[i] && pad->a[i]) ||
        (slice->b[i] != from->dims[i] && pad->b[i]))
      return false;
  for (int i = 0; i < from->rank; ++i) {
    int64_t step = pad->c[i] + 1;
    pad->a[i] -= slice->a[i] * step;
    pad->b[i] -= (from->dims[i] - slice->b[i]) * step;
  }
  return true;
}

static bool chainWithHoles(const MoveView *view, const XlaShape *to,
                           MoveChain *chain) {
  XlaIndexingSteps box[XLA_MAX_RANK];
  XlaShape inner = *to, from;
  if (!xlaIndexingMapGetSteps(view->map, box))
    return false;
  for (int i = 0; i < to->rank; ++i)
    inner.dims[i] = box[i].count;
  XlaIndexingMap *map = xlaIndexingMapOfSteps(view->map, box);
  bool found = map && chainOfMap(view->source, map, &inner, chain);
  xlaIndexingMapRelease(map);
  MoveStep *pad = found ? xlaMoveChainAdd(chain, XlaOpKindPad, to) : NULL;
  if (!pad || !xlaMoveShape(view->source, &from))
    return false;
  chain->fill = view->fill;
  for (int i = 0; i < to->rank; ++i) {
    pad->a[i] = box[i].lower;
    pad->b[i] =
        to->dims[i] - 1 - box[i].lower - (box[i].count - 1) * box[i].step;
    pad->c[i] = box[i].count == 1 ? 0 : box[i].step - 1;
  }
  if (chain->n == 2 && joinSlice(&chain->steps[0], &from, pad)) {
    chain->steps[0] = *pad;
    chain->n = 1;
  }
  return true;
}

bool xlaMoveChainOfView(const MoveView *view, const XlaShape *shape,
                        MoveChain *chain) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(view->map);
  if (mlirValueIsNull(view->fill))
    return chainOfMap(view->source, view->map, shape, chain);
  if (!xlaIndexingMapIsKnownEmpty(view->map))
    return chainWithHoles(view, shape, chain);
  XlaInterval bounds[XLA_MAX_RANK];
  MlirContext context = mlirAffineMapGetContext(parts->map);
  MlirAffineExpr zero = mlirAffineConstantExprGet(context, 0);
  for (int i = 0; i < shape->rank; ++i)
    bounds[i] = (XlaInterval){0, shape->dims[i] - 1};
  XlaIndexingMapParts same = {
      .map = mlirAffineMapGet(context, parts->nDims, 0, 1, &zero),
      .nDims = parts->nDims,
      .dims = bounds};
  XlaIndexingMap *map = xlaIndexingMapCreate(&same);
  bool found = map && chainOfMap(view->fill, map, shape, chain);
  xlaIndexingMapRelease(map);
  return found;
}

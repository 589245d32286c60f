//===- movement.c - Random operations that move data ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-gen/gen.h"

bool xlaGenConstantOp(XlaGen *gen, XlaOpKind kind) {
  XlaShape shape =
      xlaGenShape(gen, xlaGenElementType(gen, xlaOpGetInfo(kind)->typeClasses));
  if (!shape.elementType)
    return false;
  if (kind == XlaOpKindConstant) {
    xlaGenAdd(gen, xlaGenConstant(gen, &shape));
    return true;
  }
  XlaIrAttr attr =
      xlaGenInteger(gen, "iota_dimension", xlaGenBelow(gen, shape.rank));
  return xlaGenOp(gen, kind, 0, NULL, 1, &attr, 0, NULL, &shape, NULL);
}

bool xlaGenBitcastConvert(XlaGen *gen, XlaOpKind kind) {
  // XLA has no bits of preds, of complex numbers and of types below a byte.
  unsigned classes =
      XlaTypeClassSigned | XlaTypeClassUnsigned | XlaTypeClassFloat;
  XlaGenValue x = xlaGenPick(gen, classes);
  XlaShape stated = x.shape;
  stated.elementType = xlaGenElementType(gen, classes);
  if (!stated.elementType)
    return false;
  int from = xlaElementTypeGetInfo(x.shape.elementType)->bits;
  int to = xlaElementTypeGetInfo(stated.elementType)->bits;
  if (from < 8 || to < 8)
    return false;
  if (from > to)
    stated.dims[stated.rank++] = from / to;
  else if (from < to)
    stated.rank -= stated.rank > 0;
  return xlaGenFits(gen, &stated) &&
         xlaGenOp(gen, kind, 1, &x, 0, NULL, 0, NULL, &stated, NULL);
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

/// Along new dimensions, at any place; size 1 may grow.
static bool broadcast(XlaGen *gen, XlaOpKind kind, XlaGenValue x) {
  XlaShape to = xlaGenScalar(x.shape.elementType);
  int64_t dims[XLA_MAX_RANK];
  int next = 0;
  while (to.rank < xlaGenMaxRank &&
         (next < x.shape.rank || xlaGenBelow(gen, 2))) {
    bool take =
        next < x.shape.rank &&
        (xlaGenBelow(gen, 2) || x.shape.rank - next == xlaGenMaxRank - to.rank);
    bool grows = take && x.shape.dims[next] == 1 && xlaGenBelow(gen, 2);
    to.dims[to.rank] = take && !grows ? x.shape.dims[next] : xlaGenExtent(gen);
    if (take)
      dims[next++] = to.rank;
    ++to.rank;
  }
  if (next < x.shape.rank || !xlaGenFits(gen, &to))
    return false;
  XlaIrAttr attr = xlaGenList(gen, "broadcast_dimensions", next, dims);
  return xlaGenOp(gen, kind, 1, &x, 1, &attr, 0, NULL, &to, NULL);
}

static bool concatenate(XlaGen *gen, XlaOpKind kind, XlaGenValue x) {
  XlaGenValue operands[4];
  int n = 1 + xlaGenBelow(gen, 4), at = xlaGenBelow(gen, x.shape.rank);
  for (int i = 0; x.shape.rank && i < n; ++i) {
    XlaShape shape = x.shape;
    if (xlaGenBelow(gen, 2))
      shape.dims[at] = xlaGenExtent(gen);
    if (!xlaGenFits(gen, &shape))
      return false;
    operands[i] = i ? xlaGenOfShape(gen, &shape) : x;
  }
  XlaIrAttr attr = xlaGenInteger(gen, "dimension", at);
  return x.shape.rank &&
         xlaGenOp(gen, kind, n, operands, 1, &attr, 0, NULL, NULL, NULL);
}

static bool pad(XlaGen *gen, XlaOpKind kind, XlaGenValue x) {
  int64_t low[XLA_MAX_RANK], high[XLA_MAX_RANK], interior[XLA_MAX_RANK];
  XlaShape to = x.shape, scalar = xlaGenScalar(x.shape.elementType);
  int rank = x.shape.rank;
  for (int i = 0; i < rank; ++i) {
    interior[i] = xlaGenBelow(gen, 2) ? 0 : xlaGenBelow(gen, 3);
    low[i] = xlaGenBelow(gen, 2) ? 0 : xlaGenBelow(gen, 7) - 3;
    high[i] = xlaGenBelow(gen, 2) ? 0 : xlaGenBelow(gen, 7) - 3;
    int64_t inner = x.shape.dims[i] ? (x.shape.dims[i] - 1) * interior[i] : 0;
    to.dims[i] = x.shape.dims[i] + inner + low[i] + high[i];
    if (to.dims[i] < 0)
      return false;
  }
  if (!xlaGenFits(gen, &to))
    return false;
  XlaGenValue operands[] = {x, xlaGenOfShape(gen, &scalar)};
  XlaIrAttr attrs[] = {xlaGenList(gen, "edge_padding_low", rank, low),
                       xlaGenList(gen, "edge_padding_high", rank, high),
                       xlaGenList(gen, "interior_padding", rank, interior)};
  return xlaGenOp(gen, kind, 2, operands, 3, attrs, 0, NULL, NULL, NULL);
}

/// Sizes 1 come and go, neighbours merge, dimensions split.
static bool reshape(XlaGen *gen, XlaOpKind kind, XlaGenValue x) {
  XlaShape to = xlaGenScalar(x.shape.elementType);
  for (int i = 0; i < x.shape.rank; ++i) {
    int64_t size = x.shape.dims[i], part = 2 + xlaGenBelow(gen, 3);
    if (!xlaGenBelow(gen, 4) && to.rank < xlaGenMaxRank)
      to.dims[to.rank++] = 1;
    if (size == 1 && xlaGenBelow(gen, 2))
      continue;
    if (size && size % part == 0 && to.rank < xlaGenMaxRank &&
        xlaGenBelow(gen, 2)) {
      to.dims[to.rank++] = part;
      size /= part;
    }
    if ((to.rank && !xlaGenBelow(gen, 4)) || to.rank >= xlaGenMaxRank)
      to.dims[to.rank - 1] *= size;
    else
      to.dims[to.rank++] = size;
  }
  return xlaGenOp(gen, kind, 1, &x, 0, NULL, 0, NULL, &to, NULL);
}

static bool reverse(XlaGen *gen, XlaOpKind kind, XlaGenValue x) {
  int64_t dims[XLA_MAX_RANK];
  int n = 0;
  for (int i = 0; i < x.shape.rank; ++i)
    if (xlaGenBelow(gen, 2))
      dims[n++] = i;
  XlaIrAttr attr = xlaGenList(gen, "dimensions", n, dims);
  return xlaGenOp(gen, kind, 1, &x, 1, &attr, 0, NULL, NULL, NULL);
}

static bool slice(XlaGen *gen, XlaOpKind kind, XlaGenValue x) {
  int64_t start[XLA_MAX_RANK], limit[XLA_MAX_RANK], strides[XLA_MAX_RANK];
  int rank = x.shape.rank;
  for (int i = 0; i < rank; ++i) {
    bool all = xlaGenBelow(gen, 2);
    int64_t size = x.shape.dims[i];
    start[i] = all ? 0 : xlaGenBelow(gen, size + 1);
    limit[i] = all ? size : start[i] + xlaGenBelow(gen, size - start[i] + 1);
    strides[i] = all ? 1 : 1 + xlaGenBelow(gen, 3);
  }
  XlaIrAttr attrs[] = {xlaGenList(gen, "start_indices", rank, start),
                       xlaGenList(gen, "limit_indices", rank, limit),
                       xlaGenList(gen, "strides", rank, strides)};
  return xlaGenOp(gen, kind, 1, &x, 3, attrs, 0, NULL, NULL, NULL);
}

static bool transpose(XlaGen *gen, XlaOpKind kind, XlaGenValue x) {
  int64_t permutation[XLA_MAX_RANK];
  for (int i = 0; i < x.shape.rank; ++i) {
    int j = xlaGenBelow(gen, i + 1);
    permutation[i] = permutation[j];
    permutation[j] = i;
  }
  XlaIrAttr attr = xlaGenList(gen, "permutation", x.shape.rank, permutation);
  return xlaGenOp(gen, kind, 1, &x, 1, &attr, 0, NULL, NULL, NULL);
}

bool xlaGenMovement(XlaGen *gen, XlaOpKind kind) {
  static bool (*const generators[XlaOpKindCount])(XlaGen *, XlaOpKind,
                                                  XlaGenValue) = {
      [XlaOpKindBroadcastInDim] = broadcast,
      [XlaOpKindConcatenate] = concatenate,
      [XlaOpKindPad] = pad,
      [XlaOpKindReshape] = reshape,
      [XlaOpKindReverse] = reverse,
      [XlaOpKindSlice] = slice,
      [XlaOpKindTranspose] = transpose,
  };
  XlaGenValue x = xlaGenPick(gen, ~0u);
  return generators[kind] && generators[kind](gen, kind, x);
}

//===----------------------------------------------------------------------===//
// Slices at computed places
//===----------------------------------------------------------------------===//

bool xlaGenDynamicSlice(XlaGen *gen, XlaOpKind kind) {
  XlaGenValue operands[2 + XLA_MAX_RANK] = {xlaGenPick(gen, ~0u)};
  XlaShape window = operands[0].shape;
  int rank = window.rank, n = 1;
  for (int i = 0; i < rank; ++i)
    if (xlaGenBelow(gen, 2))
      window.dims[i] = xlaGenBelow(gen, window.dims[i] + 1);
  if (kind == XlaOpKindDynamicUpdateSlice)
    operands[n++] = xlaGenOfShape(gen, &window);
  static const XlaElementType types[] = {XlaElementTypeS32, XlaElementTypeS64,
                                         XlaElementTypeU32, XlaElementTypeS32,
                                         XlaElementTypeU8,  XlaElementTypeS8,
                                         XlaElementTypeU64};
  XlaShape start = xlaGenScalar(types[xlaGenBelow(gen, 7)]);
  if (!gen->types[start.elementType])
    start.elementType = XlaElementTypeS32;
  for (int i = 0; i < rank; ++i)
    operands[n++] = xlaGenOfShape(gen, &start);
  XlaIrAttr attr = xlaGenList(gen, "slice_sizes", rank, window.dims);
  return xlaGenOp(gen, kind, n, operands, kind == XlaOpKindDynamicSlice, &attr,
                  0, NULL, NULL, NULL);
}

/// Forms of the specification that StableHLO has others for.
bool xlaGenAlias(XlaGen *gen, XlaOpKind kind) {
  XlaGenValue x = xlaGenPick(gen, ~0u);
  int64_t items[XLA_MAX_RANK];
  int n = 0;
  if (!gen->options->own || gen->scalars)
    return false;
  if (kind == XlaOpKindBroadcast) {
    XlaShape to = x.shape;
    for (n = xlaGenBelow(gen, 3); to.rank < x.shape.rank + n; ++to.rank) {
      items[to.rank - x.shape.rank] = xlaGenExtent(gen);
      to.dims[to.rank] = items[to.rank - x.shape.rank];
    }
    XlaIrAttr attr = xlaGenList(gen, "broadcast_sizes", n, items);
    return xlaGenFits(gen, &to) &&
           xlaGenOp(gen, kind, 1, &x, 1, &attr, 0, NULL, NULL, NULL);
  }
  for (int d = xlaGenBelow(gen, x.shape.rank); d < x.shape.rank; ++d) {
    items[n++] = d;
    if (!xlaGenBelow(gen, 3))
      break;
  }
  XlaIrAttr attr = xlaGenList(gen, "dimensions", n, items);
  return xlaGenOp(gen, kind, 1, &x, 1, &attr, 0, NULL, NULL, NULL);
}

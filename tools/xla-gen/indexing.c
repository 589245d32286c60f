//===- indexing.c - Random gathers, scatters and sorts --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/accuracy.h"
#include "xlac/tools/xla-gen/gen.h"

#include "mlir-c/BuiltinAttributes.h"

/// The dimension numbers of a gather, and of a scatter, which has the same with
/// other names. An index vector holds starts in some dimensions of the array;
/// windows lack those that are collapsed and those of the batch.
typedef struct Places {
  int nCollapsed, nBatch, nMap, nWindow, vectorDim;
  int64_t collapsed[XLA_MAX_RANK], batch[XLA_MAX_RANK];
  int64_t indexBatch[XLA_MAX_RANK], map[XLA_MAX_RANK], window[XLA_MAX_RANK];
  int64_t sizes[XLA_MAX_RANK]; // of windows, in all dimensions
  XlaShape indices;
  XlaShape result; // of a gather; the updates of a scatter
} Places;

/// What becomes of each dimension of the array.
static void chooseWindow(XlaGen *gen, const XlaShape *x, Places *p) {
  for (int i = 0; i < x->rank; ++i) {
    int role = xlaGenBelow(gen, 6);
    p->sizes[i] =
        xlaGenBelow(gen, 3) ? 1 + xlaGenBelow(gen, x->dims[i]) : x->dims[i];
    if (!role && x->dims[i] && !p->nBatch) {
      p->batch[p->nBatch++] = i;
      p->sizes[i] = 1;
      continue;
    }
    if (role < 3 && x->dims[i]) {
      p->collapsed[p->nCollapsed++] = i;
      p->sizes[i] = 1;
    } else {
      p->window[p->nWindow++] = i; // made places in the result below
    }
    if (p->sizes[i] > x->dims[i])
      p->sizes[i] = x->dims[i];
    if (xlaGenBelow(gen, 4)) { // anywhere in the map
      int at = xlaGenBelow(gen, ++p->nMap);
      p->map[p->nMap - 1] = p->map[at];
      p->map[at] = i;
    }
  }
}

/// The shape of the indices: those of the batch and up to two more dimensions,
/// with the vectors along some dimension, or of single numbers.
static void chooseIndices(XlaGen *gen, const XlaShape *x, Places *p) {
  static const XlaElementType types[] = {XlaElementTypeS32, XlaElementTypeS64,
                                         XlaElementTypeS16};
  p->indices = xlaGenScalar(types[xlaGenBelow(gen, 3)]);
  if (!gen->types[p->indices.elementType])
    p->indices.elementType = XlaElementTypeS32;
  for (int i = 0; i < p->nBatch; ++i)
    p->indices.dims[p->indices.rank++] = x->dims[p->batch[i]];
  for (int i = xlaGenBelow(gen, 3); i > 0; --i)
    p->indices.dims[p->indices.rank++] = xlaGenExtent(gen);
  p->vectorDim = p->indices.rank;
  bool single = p->nMap == 1 && xlaGenBelow(gen, 2);
  if (!single) {
    p->vectorDim = xlaGenBelow(gen, p->indices.rank + 1);
    for (int i = p->indices.rank++; i > p->vectorDim; --i)
      p->indices.dims[i] = p->indices.dims[i - 1];
    p->indices.dims[p->vectorDim] = p->nMap;
  }
  for (int i = 0; i < p->nBatch; ++i)
    p->indexBatch[i] = i + (p->vectorDim <= i);
}

/// The result of a gather: the dimensions of the indices but the vectors', with
/// those of windows anywhere between them.
static void chooseResult(XlaGen *gen, const XlaShape *x, Places *p) {
  int64_t windows[XLA_MAX_RANK];
  int n = 0, at = 0;
  p->result = xlaGenScalar(x->elementType);
  for (int i = 0; i < p->nWindow; ++i)
    windows[i] = p->sizes[p->window[i]];
  while (n < p->nWindow || at < p->indices.rank) {
    if (at == p->vectorDim) {
      ++at;
    } else if (n < p->nWindow &&
               (at >= p->indices.rank || xlaGenBelow(gen, 2))) {
      p->window[n] = p->result.rank;
      p->result.dims[p->result.rank++] = windows[n++];
    } else if (at < p->indices.rank) {
      p->result.dims[p->result.rank++] = p->indices.dims[at++];
    }
  }
}

static bool choosePlaces(XlaGen *gen, const XlaShape *x, Places *p) {
  *p = (Places){.nMap = 0};
  chooseWindow(gen, x, p);
  chooseIndices(gen, x, p);
  chooseResult(gen, x, p);
  // XLA does something else where no dimension has starts.
  return p->nMap && xlaGenFits(gen, &p->indices) && xlaGenFits(gen, &p->result);
}

/// Most starts are inside of small dimensions.
static XlaGenValue starts(XlaGen *gen, const Places *p) {
  XlaGenValue x = xlaGenOfShape(gen, &p->indices);
  if (!xlaGenBelow(gen, 3))
    return x;
  XlaShape scalar = xlaGenScalar(p->indices.elementType);
  XlaGenValue operands[] = {x, xlaGenNumber(gen, &scalar, 7)};
  xlaGenOp(gen, XlaOpKindAnd, 2, operands, 0, NULL, 0, NULL, NULL, &x);
  return x;
}

bool xlaGenGather(XlaGen *gen, XlaOpKind kind) {
  Places p;
  XlaGenValue operands[2] = {xlaGenPick(gen, ~0u)};
  if (gen->scalars || !choosePlaces(gen, &operands[0].shape, &p))
    return false;
  operands[1] = starts(gen, &p);
  XlaIrAttr attrs[] = {
      xlaGenList(gen, "offset_dims", p.nWindow, p.window),
      xlaGenList(gen, "collapsed_slice_dims", p.nCollapsed, p.collapsed),
      xlaGenList(gen, "operand_batching_dims", p.nBatch, p.batch),
      xlaGenList(gen, "start_indices_batching_dims", p.nBatch, p.indexBatch),
      xlaGenList(gen, "start_index_map", p.nMap, p.map),
      xlaGenInteger(gen, "index_vector_dim", p.vectorDim),
      xlaGenList(gen, "slice_sizes", operands[0].shape.rank, p.sizes)};
  return xlaGenOp(gen, kind, 2, operands, 7, attrs, 0, NULL, NULL, NULL);
}

/// Updates are combined in an order that is not defined.
bool xlaGenScatter(XlaGen *gen, XlaOpKind kind) {
  Places p;
  XlaOpKind combiner;
  double neutral;
  int64_t count;
  XlaGenValue x = xlaGenPick(gen, ~0u);
  if (gen->scalars || !choosePlaces(gen, &x.shape, &p) ||
      !xlaGenCombiner(gen, x.shape.elementType, &combiner, &neutral) ||
      !xlaShapeGetElementCount(&p.result, &count))
    return false;
  XlaGenValue operands[] = {xlaGenCombined(gen, combiner, x), starts(gen, &p),
                            xlaGenOfShape(gen, &p.result)};
  operands[2] = xlaGenCombined(gen, combiner, operands[2]);
  XlaShape scalar = xlaGenScalar(x.shape.elementType);
  double ulps = xlaAccuracyUlpsOfSum(scalar.elementType, count);
  if (combiner == XlaOpKindAdd || combiner == XlaOpKindMultiply) {
    operands[0] = xlaGenVaryRounding(gen, operands[0], ulps);
    operands[2] = xlaGenVaryRounding(gen, operands[2], ulps);
  }
  MlirRegion region = xlaGenCombination(
      gen, combiner, xlaShapeToMlir(&scalar, gen->ir.context));
  XlaIrAttr attrs[] = {
      xlaGenList(gen, "update_window_dims", p.nWindow, p.window),
      xlaGenList(gen, "inserted_window_dims", p.nCollapsed, p.collapsed),
      xlaGenList(gen, "input_batching_dims", p.nBatch, p.batch),
      xlaGenList(gen, "scatter_indices_batching_dims", p.nBatch, p.indexBatch),
      xlaGenList(gen, "scatter_dims_to_operand_dims", p.nMap, p.map),
      xlaGenInteger(gen, "index_vector_dim", p.vectorDim)};
  return xlaGenOp(gen, kind, 3, operands, 6, attrs, 1, &region, NULL, NULL);
}

/// By the first operand, in an order that all of its values have.
static MlirRegion comparator(XlaGen *gen, int n, const XlaGenValue *operands) {
  MlirType types[4];
  XlaShape scalar = operands[0].shape;
  for (int i = 0; i < n; ++i) {
    scalar = xlaGenScalar(operands[i].shape.elementType);
    types[2 * i] = types[2 * i + 1] = xlaShapeToMlir(&scalar, gen->ir.context);
  }
  XlaGenScope scope = xlaGenEnter(gen, 2 * n, types, true);
  MlirBlock block = gen->ir.block;
  MlirValue compared[] = {mlirBlockGetArgument(block, 0),
                          mlirBlockGetArgument(block, 1)};
  XlaIrAttr attrs[] = {
      {"comparison_direction",
       xlaIrStringAttr(gen->ir.context, xlaGenBelow(gen, 2) ? "LT" : "GT")},
      {"compare_type", xlaIrStringAttr(gen->ir.context, "TOTALORDER")}};
  bool isFloat = xlaElementTypeIsFloat(operands[0].shape.elementType);
  MlirOperation op = xlaGenRaw(gen, XlaOpKindCompare, 2, compared,
                               isFloat ? 2 : 1, attrs, 0, NULL, 0, NULL);
  MlirValue result = mlirOperationGetResult(op, 0);
  return xlaGenLeave(gen, &scope, 1, &result);
}

bool xlaGenSort(XlaGen *gen, XlaOpKind kind) {
  XlaGenValue operands[2] = {xlaGenPick(gen, ~(unsigned)XlaTypeClassComplex)};
  XlaShape other = operands[0].shape;
  int n = 1 + xlaGenBelow(gen, 2);
  if (gen->scalars || !other.rank)
    return false;
  if (xlaGenBelow(gen, 2))
    other.elementType = xlaGenElementType(gen, ~0u);
  if (n > 1)
    operands[1] = xlaGenOfShape(gen, &other);
  MlirRegion region = comparator(gen, n, operands);
  XlaIrAttr attrs[] = {
      xlaGenInteger(gen, "dimension", xlaGenBelow(gen, other.rank)),
      {"is_stable", mlirBoolAttrGet(gen->ir.context, true)}};
  return xlaGenOp(gen, kind, n, operands, 2, attrs, 1, &region, NULL, NULL);
}

bool xlaGenTopK(XlaGen *gen, XlaOpKind kind) {
  XlaGenValue operand = xlaGenPick(gen, ~(unsigned)XlaTypeClassComplex);
  XlaShape shape = operand.shape;
  if (gen->scalars || !shape.rank)
    return false;
  int64_t k = xlaGenBelow(gen, shape.dims[shape.rank - 1] + 1);
  XlaIrAttr attr = xlaGenInteger(gen, "k", k);
  return xlaGenOp(gen, kind, 1, &operand, 1, &attr, 0, NULL, NULL, NULL);
}

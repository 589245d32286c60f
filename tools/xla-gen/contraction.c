//===- contraction.c - Random reductions, maps and products ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/accuracy.h"
#include "xlac/tools/xla-gen/gen.h"

#include <math.h>

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// An operand of a sum over `dims`: each element may be off, and come late.
static XlaGenValue summand(XlaGen *gen, XlaGenValue x, int nDims,
                           const int64_t *dims, unsigned order) {
  int64_t n = 1;
  for (int i = 0; i < nDims; ++i)
    n *= x.shape.dims[dims[i]];
  x = xlaGenVaryRounding(gen, x, xlaAccuracyUlpsOfSum(x.shape.elementType, n));
  return xlaGenOrdered(gen, x, nDims, dims, order);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// What a reduction combines with: with its neutral value every order gives
/// the same result.
typedef struct Combiner {
  XlaOpKind kind;
  unsigned classes;
  double neutral;
} Combiner;

static const Combiner combiners[] = {
    {XlaOpKindAdd,
     XlaTypeClassSigned | XlaTypeClassUnsigned | XlaTypeClassFloat |
         XlaTypeClassComplex,
     0},
    {XlaOpKindMultiply,
     XlaTypeClassSigned | XlaTypeClassUnsigned | XlaTypeClassFloat, 1},
    {XlaOpKindMaximum, XlaTypeClassFloat, -INFINITY},
    {XlaOpKindMinimum, XlaTypeClassFloat, INFINITY},
    {XlaOpKindMaximum, XlaTypeClassUnsigned, 0},
    {XlaOpKindAnd, XlaTypeClassPred | XlaTypeClassSigned | XlaTypeClassUnsigned,
     -1},
    {XlaOpKindOr, XlaTypeClassPred | XlaTypeClassSigned | XlaTypeClassUnsigned,
     0},
    {XlaOpKindXor, XlaTypeClassPred | XlaTypeClassSigned | XlaTypeClassUnsigned,
     0},
};

static const Combiner *chooseCombiner(XlaGen *gen, XlaElementType type) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  int n = sizeof combiners / sizeof *combiners;
  for (int tries = 0; tries < 100; ++tries) {
    const Combiner *combiner = &combiners[xlaGenBelow(gen, n)];
    bool isExtreme = combiner->kind == XlaOpKindMaximum ||
                     combiner->kind == XlaOpKindMinimum;
    if (combiner->classes & info->typeClass &&
        !(isExtreme && info->exponentBits &&
          info->flavor != XlaFloatFlavorIeee))
      return combiner;
  }
  return NULL;
}

MlirRegion xlaGenCombination(XlaGen *gen, XlaOpKind kind, MlirType type) {
  XlaGenScope scope = xlaGenEnter(gen, 2, (const MlirType[]){type, type}, true);
  MlirValue operands[] = {gen->values[gen->first].value,
                          gen->values[gen->first + 1].value};
  if (xlaGenBelow(gen, 4) == 0) { // the order of operands
    MlirValue first = operands[0];
    operands[0] = operands[1];
    operands[1] = first;
  }
  MlirOperation op =
      xlaGenRaw(gen, kind, 2, operands, 0, NULL, 0, NULL, 0, NULL);
  MlirValue result = mlirOperationGetResult(op, 0);
  return xlaGenLeave(gen, &scope, 1, &result);
}

bool xlaGenCombiner(XlaGen *gen, XlaElementType type, XlaOpKind *kind,
                    double *neutral) {
  const Combiner *combiner = chooseCombiner(gen, type);
  if (!combiner)
    return false;
  *kind = combiner->kind;
  *neutral = combiner->neutral;
  return true;
}

XlaGenValue xlaGenCombined(XlaGen *gen, XlaOpKind kind, XlaGenValue x) {
  if (kind != XlaOpKindMultiply || !xlaElementTypeIsFloat(x.shape.elementType))
    return x;
  XlaShape scalar = xlaGenScalar(x.shape.elementType);
  XlaGenValue operands[] = {xlaGenNumber(gen, &scalar, -1), x,
                            xlaGenNumber(gen, &scalar, 1)};
  xlaGenOp(gen, XlaOpKindClamp, 3, operands, 0, NULL, 0, NULL, NULL, &x);
  return x;
}

static int someDims(XlaGen *gen, int rank, int64_t *dims) {
  int n = 0, form = xlaGenBelow(gen, 4);
  for (int i = 0; i < rank; ++i)
    if (form == 0 ? i == rank - 1 : form == 1 ? i == 0 : xlaGenBelow(gen, 2))
      dims[n++] = i;
  return n;
}

/// What softmax and norms do with a reduction of rows: x combined with it along
/// them again.
static void alongRows(XlaGen *gen, XlaGenValue x, XlaGenValue row) {
  static const XlaOpKind kinds[] = {XlaOpKindSubtract, XlaOpKindDivide,
                                    XlaOpKindMultiply, XlaOpKindAdd,
                                    XlaOpKindMaximum};
  XlaOpKind kind = kinds[xlaGenBelow(gen, 5)];
  XlaShape kept = x.shape;
  int64_t dims[XLA_MAX_RANK];
  for (int i = 0; i < row.shape.rank; ++i)
    dims[i] = i;
  bool isFloat = xlaElementTypeIsFloat(row.shape.elementType);
  if (isFloat && !xlaGenBelow(gen, 3))
    xlaGenOp(gen, XlaOpKindExponential, 1, &row, 0, NULL, 0, NULL, NULL, &row);
  if (xlaGenBelow(gen, 2)) { // keeping the dimensions
    for (int i = row.shape.rank; i < kept.rank; ++i)
      kept.dims[i] = 1;
    if (!xlaGenOp(gen, XlaOpKindReshape, 1, &row, 0, NULL, 0, NULL, &kept,
                  &row))
      return;
  } else {
    XlaIrAttr attr =
        xlaGenList(gen, "broadcast_dimensions", row.shape.rank, dims);
    if (!xlaGenOp(gen, XlaOpKindBroadcastInDim, 1, &row, 1, &attr, 0, NULL,
                  &kept, &row))
      return;
  }
  XlaGenValue operands[] = {x, row};
  if (gen->options->allowedOps[kind])
    xlaGenOp(gen, kind, 2, operands, 0, NULL, 0, NULL, NULL, NULL);
}

static bool reduceOne(XlaGen *gen) {
  XlaGenValue whole = xlaGenPick(gen, ~0u), x = whole;
  int64_t dims[XLA_MAX_RANK];
  int n = someDims(gen, x.shape.rank, dims);
  const Combiner *combiner = chooseCombiner(gen, x.shape.elementType);
  if (!combiner)
    return false;
  x = xlaGenCombined(gen, combiner->kind, x);
  XlaShape scalar = xlaGenScalar(x.shape.elementType);
  XlaGenValue init = xlaGenNumber(gen, &scalar, combiner->neutral);
  if (combiner->kind == XlaOpKindAdd || combiner->kind == XlaOpKindMultiply) {
    x = summand(gen, x, n, dims, xlaGenOrder(gen));
  } else if (combiner->classes == XlaTypeClassFloat &&
             xlaGenTakes(gen, XlaGenLibertyOrder)) {
    // Vectorized reductions of XLA lose NaNs.
    XlaShape shape = x.shape;
    x = xlaGenWithoutNan(gen, x, xlaGenNumber(gen, &shape, combiner->neutral));
  }
  MlirRegion region =
      xlaGenCombination(gen, combiner->kind, mlirValueGetType(init.value));
  XlaGenValue operands[] = {x, init}, result;
  XlaIrAttr attr = xlaGenList(gen, "dimensions", n, dims);
  if (!xlaGenOp(gen, XlaOpKindReduce, 2, operands, 1, &attr, 1, &region, NULL,
                &result))
    return false;
  result = gen->values[gen->nValues - 1] = xlaGenVaryZero(gen, result);
  bool areLast = n && dims[0] == whole.shape.rank - n;
  if (areLast && xlaGenBelow(gen, 3))
    alongRows(gen, whole, result);
  return true;
}

/// The largest element and its position; of equal ones the first.
static MlirRegion largest(XlaGen *gen, MlirType type, MlirType index,
                          bool isFloat) {
  const MlirType types[] = {type, index, type, index};
  XlaGenScope scope = xlaGenEnter(gen, 4, types, true);
  MlirValue a[4], results[2];
  for (int i = 0; i < 4; ++i)
    a[i] = gen->values[gen->first + i].value;
  XlaIr *ir = &gen->ir;
  MlirType pred = xlaIrParseType(ir->context, "tensor<i1>");
  const char *const directions[] = {"GT", "EQ", "LT"};
  MlirValue tests[3];
  for (int i = 0; i < 3; ++i) {
    XlaIrAttr attrs[] = {
        {"comparison_direction", xlaIrStringAttr(ir->context, directions[i])},
        {"compare_type", xlaIrStringAttr(ir->context, "TOTALORDER")}};
    MlirValue operands[] = {a[i / 2], a[i / 2 + 2]};
    tests[i] = xlaIrOp(ir, "xla.compare", pred, 2, operands,
                       isFloat && i < 2 ? 2 : 1, attrs);
  }
  MlirValue first = xlaIrBinary(ir, "xla.and", tests[1], tests[2]);
  MlirValue chosen = xlaIrBinary(ir, "xla.or", tests[0], first);
  for (int i = 0; i < 2; ++i) {
    MlirValue operands[] = {chosen, a[i], a[i + 2]};
    results[i] = xlaIrOp(ir, "xla.select", types[i], 3, operands, 0, NULL);
  }
  return xlaGenLeave(gen, &scope, 2, results);
}

static bool reduceTwo(XlaGen *gen) {
  XlaGenValue operands[4] = {
      xlaGenPick(gen, XlaTypeClassUnsigned | XlaTypeClassFloat)};
  const XlaElementTypeInfo *info =
      xlaElementTypeGetInfo(operands[0].shape.elementType);
  bool isFloat = info->typeClass == XlaTypeClassFloat;
  XlaShape places = operands[0].shape;
  if (!places.rank || (isFloat && info->bits < 16))
    return false;
  int64_t dim = xlaGenBelow(gen, places.rank);
  places.elementType = XlaElementTypeS32;
  XlaIrAttr along = xlaGenInteger(gen, "iota_dimension", dim);
  XlaShape value = xlaGenScalar(operands[0].shape.elementType);
  XlaShape index = xlaGenScalar(places.elementType);
  if (!xlaGenOp(gen, XlaOpKindIota, 0, NULL, 1, &along, 0, NULL, &places,
                &operands[1]))
    return false;
  operands[2] = xlaGenNumber(gen, &value, isFloat ? -NAN : 0);
  operands[3] = xlaGenNumber(gen, &index, -1);
  MlirRegion region = largest(gen, mlirValueGetType(operands[2].value),
                              mlirValueGetType(operands[3].value), isFloat);
  XlaIrAttr attr = xlaGenList(gen, "dimensions", 1, &dim);
  return xlaGenOp(gen, XlaOpKindReduce, 4, operands, 1, &attr, 1, &region, NULL,
                  NULL);
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static bool map(XlaGen *gen) {
  XlaGenValue operands[3] = {xlaGenPick(gen, ~0u)};
  int n = 1 + xlaGenBelow(gen, 3), rank = operands[0].shape.rank;
  MlirType types[3];
  int64_t dims[XLA_MAX_RANK];
  for (int i = 0; i < rank; ++i)
    dims[i] = i;
  for (int i = 0; i < n; ++i) {
    XlaShape shape = operands[0].shape;
    if (xlaGenBelow(gen, 3) == 0)
      shape.elementType = xlaGenElementType(gen, ~0u);
    if (i)
      operands[i] = xlaGenOfShape(gen, &shape);
    XlaShape scalar = xlaGenScalar(operands[i].shape.elementType);
    types[i] = xlaShapeToMlir(&scalar, gen->ir.context);
  }
  XlaShape index = xlaGenScalar(xlaGenElementType(gen, ~0u));
  XlaGenValue outside = {.shape = index};
  bool captures = gen->options->own && xlaGenBelow(gen, 2);
  if (captures)
    outside = xlaGenOfShape(gen, &index);
  XlaGenScope scope = xlaGenEnter(gen, n, types, true);
  if (captures)
    xlaGenAdd(gen, outside);
  gen->scalars = true;
  for (int i = 1 + xlaGenBelow(gen, 4); i > 0; --i)
    xlaGenOfFamily(gen, XlaFamilyElementwise);
  if (gen->options->own && !xlaGenBelow(gen, 3))
    xlaGenOfFamily(gen, XlaFamilyCall);
  gen->scalars = false;
  MlirValue result = gen->values[gen->nValues - 1].value;
  MlirRegion region = xlaGenLeave(gen, &scope, 1, &result);
  XlaIrAttr attr = xlaGenList(gen, "dimensions", rank, dims);
  return xlaGenOp(gen, XlaOpKindMap, n, operands, 1, &attr, 1, &region, NULL,
                  NULL);
}

bool xlaGenReduce(XlaGen *gen, XlaOpKind kind) {
  if (gen->scalars)
    return false;
  if (kind == XlaOpKindMap)
    return map(gen);
  return xlaGenBelow(gen, 5) ? reduceOne(gen) : reduceTwo(gen);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static const unsigned productClasses = XlaTypeClassSigned |
                                       XlaTypeClassUnsigned |
                                       XlaTypeClassFloat | XlaTypeClassComplex;

/// A wider type to add up in, at times.
static XlaElementType resultType(XlaGen *gen, XlaElementType type) {
  XlaElementType wider = XlaElementTypeInvalid;
  if (type == XlaElementTypeF16 || type == XlaElementTypeBF16)
    wider = XlaElementTypeF32;
  if (type == XlaElementTypeS8)
    wider = XlaElementTypeS32;
  return wider && gen->types[wider] && xlaGenBelow(gen, 2) ? wider : type;
}

static bool dot(XlaGen *gen) {
  XlaGenValue operands[2] = {xlaGenPick(gen, productClasses)};
  XlaShape shape = operands[0].shape;
  if (shape.rank < 1 || shape.rank > 2)
    return false;
  int64_t last = shape.rank - 1, first = 0;
  shape.dims[0] = shape.dims[last];
  shape.rank = 1 + xlaGenBelow(gen, 2);
  shape.dims[1] = xlaGenExtent(gen);
  if (!xlaGenFits(gen, &shape))
    return false;
  operands[1] = xlaGenOfShape(gen, &shape);
  XlaShape result = xlaGenScalar(resultType(gen, shape.elementType));
  if (last)
    result.dims[result.rank++] = operands[0].shape.dims[0];
  if (shape.rank == 2)
    result.dims[result.rank++] = shape.dims[1];
  unsigned order = xlaGenOrder(gen);
  operands[0] = summand(gen, operands[0], 1, &last, order);
  operands[1] = summand(gen, operands[1], 1, &first, order);
  return xlaGenFits(gen, &result) && xlaGenOp(gen, XlaOpKindDot, 2, operands, 0,
                                              NULL, 0, NULL, &result, NULL);
}

/// The dimensions of both operands in some order; a role is one of batch,
/// contracting and free.
typedef struct Side {
  int64_t batch[2], contracting[2];
  XlaShape shape;
} Side;

static void place(XlaGen *gen, Side *side, int nBatch, int nContracting,
                  int nFree, const int64_t *shared, const int64_t *own) {
  int order[6], n = nBatch + nContracting + nFree;
  for (int i = 0; i < n; ++i) {
    int j = xlaGenBelow(gen, i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  side->shape.rank = n;
  for (int at = 0; at < n; ++at) {
    int role = order[at];
    if (role < nBatch)
      side->batch[role] = at;
    else if (role < nBatch + nContracting)
      side->contracting[role - nBatch] = at;
    side->shape.dims[at] = role < nBatch + nContracting
                               ? shared[role]
                               : own[role - nBatch - nContracting];
  }
}

static bool dotGeneral(XlaGen *gen) {
  XlaElementType type = xlaGenElementType(gen, productClasses);
  if (!type)
    return false;
  int nBatch = xlaGenBelow(gen, 3), nContracting = xlaGenBelow(gen, 3);
  int free[2] = {xlaGenBelow(gen, 3), xlaGenBelow(gen, 3)};
  int64_t shared[4], own[2][2];
  for (int i = 0; i < nBatch + nContracting; ++i) {
    shared[i] = xlaGenExtent(gen);
    if (nContracting == 2 && !shared[i])
      return false; // XLA gives garbage where it should give zeros
  }
  Side sides[2];
  XlaGenValue operands[2];
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < free[k]; ++i)
      own[k][i] = xlaGenExtent(gen);
    sides[k].shape.elementType = type;
    place(gen, &sides[k], nBatch, nContracting, free[k], shared, own[k]);
    if (!xlaGenFits(gen, &sides[k].shape) ||
        sides[k].shape.rank > xlaGenMaxRank)
      return false;
  }
  XlaShape result = xlaGenScalar(resultType(gen, type));
  for (int i = 0; i < nBatch; ++i)
    result.dims[result.rank++] = shared[i];
  for (int k = 0; k < 2; ++k) // in the order that they have in the operand
    for (int at = 0; at < sides[k].shape.rank; ++at) {
      bool isFree = true;
      for (int i = 0; i < nBatch; ++i)
        isFree &= sides[k].batch[i] != at;
      for (int i = 0; i < nContracting; ++i)
        isFree &= sides[k].contracting[i] != at;
      if (isFree)
        result.dims[result.rank++] = sides[k].shape.dims[at];
    }
  if (!xlaGenFits(gen, &result) || result.rank > xlaGenMaxRank)
    return false;
  for (int k = 0; k < 2; ++k)
    operands[k] = xlaGenOfShape(gen, &sides[k].shape);
  unsigned order = xlaGenOrder(gen);
  for (int k = 0; k < 2; ++k)
    operands[k] =
        summand(gen, operands[k], nContracting, sides[k].contracting, order);
  XlaIrAttr attrs[] = {
      xlaGenList(gen, "lhs_batching_dimensions", nBatch, sides[0].batch),
      xlaGenList(gen, "rhs_batching_dimensions", nBatch, sides[1].batch),
      xlaGenList(gen, "lhs_contracting_dimensions", nContracting,
                 sides[0].contracting),
      xlaGenList(gen, "rhs_contracting_dimensions", nContracting,
                 sides[1].contracting)};
  return xlaGenOp(gen, XlaOpKindDotGeneral, 2, operands, 4, attrs, 0, NULL,
                  &result, NULL);
}

bool xlaGenDot(XlaGen *gen, XlaOpKind kind) {
  return kind == XlaOpKindDot ? dot(gen) : dotGeneral(gen);
}

//===- build.c - Values and operations of random programs -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-gen/gen.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>
#include <stdlib.h>

XlaGenValue xlaGenValueOf(MlirValue value) {
  XlaGenValue made = {.value = value};
  xlaShapeFromMlir(mlirValueGetType(value), &made.shape, NULL);
  return made;
}

void xlaGenAdd(XlaGen *gen, XlaGenValue value) {
  if (gen->nValues < xlaGenMaxValues)
    gen->values[gen->nValues++] = value;
}

XlaIrAttr xlaGenList(XlaGen *gen, const char *name, int n,
                     const int64_t *items) {
  return (XlaIrAttr){name, mlirDenseI64ArrayGet(gen->ir.context, n, items)};
}

XlaIrAttr xlaGenInteger(XlaGen *gen, const char *name, int64_t value) {
  return (XlaIrAttr){name, xlaIrI64Attr(gen->ir.context, value)};
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

enum { maxOperands = 32, maxAttrs = 16 };

/// The types of the results, by the family's hook; false if it finds an error.
static bool infer(XlaGen *gen, XlaOpKind kind, int nOperands,
                  const MlirValue *operands, int nAttrs, const XlaIrAttr *attrs,
                  int nRegions, const MlirRegion *regions, int nStated,
                  const MlirType *stated, XlaOpView *view) {
  MlirType types[maxOperands];
  for (int i = 0; i < nOperands; ++i)
    types[i] = mlirValueGetType(operands[i]);
  *view = (XlaOpView){.kind = kind,
                      .context = gen->ir.context,
                      .location = gen->ir.location,
                      .nOperands = nOperands,
                      .operands = types,
                      .attributes =
                          xlaIrDictionaryAttr(gen->ir.context, nAttrs, attrs),
                      .nRegions = nRegions,
                      .regions = regions,
                      .nStatedResults = nStated,
                      .statedResults = stated};
  return mlirLogicalResultIsSuccess(xlaOpGetInfo(kind)->infer(view));
}

/// Small enough arrays of types that the program may have; preds and indices
/// are in every program.
static bool isAllowed(const XlaGen *gen, MlirType type) {
  XlaShape shape;
  return !xlaShapeFromMlir(type, &shape, NULL) ||
         (xlaGenFits(gen, &shape) && (gen->types[shape.elementType] ||
                                      shape.elementType == XlaElementTypePred ||
                                      shape.elementType == XlaElementTypeS32));
}

MlirOperation xlaGenRaw(XlaGen *gen, XlaOpKind kind, int nOperands,
                        const MlirValue *operands, int nAttrs,
                        const XlaIrAttr *attrs, int nRegions,
                        MlirRegion *regions, int nResults,
                        const MlirType *results) {
  char name[64];
  XlaOpView view = {.results = NULL};
  snprintf(name, sizeof name, "xla.%s", xlaOpGetInfo(kind)->name);
  if (nOperands > maxOperands || nAttrs > maxAttrs ||
      !infer(gen, kind, nOperands, operands, nAttrs, attrs, nRegions, regions,
             nResults, results, &view)) {
    for (int i = 0; i < nRegions; ++i)
      mlirRegionDestroy(regions[i]);
    free(view.results);
    return (MlirOperation){NULL};
  }
  MlirOperation op =
      xlaIrCreate(&gen->ir, name, nOperands, operands, view.nResults,
                  view.results, nAttrs, attrs, nRegions, regions);
  bool allowed = true;
  for (intptr_t i = 0; i < view.nResults; ++i)
    allowed &= isAllowed(gen, view.results[i]);
  free(view.results);
  // Dominance in regions cannot be verified before they are in a function.
  if (allowed && (nRegions || mlirOperationVerify(op)))
    return op;
  mlirOperationDestroy(op);
  return (MlirOperation){NULL};
}

bool xlaGenOp(XlaGen *gen, XlaOpKind kind, int nOperands,
              const XlaGenValue *operands, int nAttrs, const XlaIrAttr *attrs,
              int nRegions, MlirRegion *regions, const XlaShape *stated,
              XlaGenValue *result) {
  MlirValue values[maxOperands];
  for (int i = 0; i < nOperands && i < maxOperands; ++i)
    values[i] = operands[i].value;
  MlirType type =
      stated ? xlaShapeToMlir(stated, gen->ir.context) : (MlirType){NULL};
  MlirOperation op = xlaGenRaw(gen, kind, nOperands, values, nAttrs, attrs,
                               nRegions, regions, stated != NULL, &type);
  if (mlirOperationIsNull(op))
    return false;
  gen->ir.before = op;
  for (int i = 0; i < nOperands; ++i)
    mlirOperationSetOperand(op, i,
                            xlaGenVaryOperand(gen, kind, operands[i]).value);
  gen->ir.before = (MlirOperation){NULL};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue value = mlirOperationGetResult(op, i);
    XlaShape shape;
    if (!xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL))
      continue;
    // The size of a complex number is as accurate as other functions of one.
    XlaElementType from = shape.elementType;
    if (nOperands && xlaElementTypeIsComplex(operands[0].shape.elementType))
      from = operands[0].shape.elementType;
    XlaGenValue made =
        xlaGenVaryResult(gen, kind, from, (XlaGenValue){value, shape});
    made = xlaGenVarySum(gen, op, made);
    if (!i && result)
      *result = made;
    xlaGenAdd(gen, made);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

XlaGenScope xlaGenEnter(XlaGen *gen, int nArguments, const MlirType *types,
                        bool closed) {
  XlaGenScope scope = {.region = mlirRegionCreate(),
                       .ir = gen->ir,
                       .nValues = gen->nValues,
                       .first = gen->first};
  MlirLocation locations[maxOperands];
  for (int i = 0; i < nArguments; ++i)
    locations[i] = gen->ir.location;
  MlirBlock block = mlirBlockCreate(nArguments, types, locations);
  mlirRegionAppendOwnedBlock(scope.region, block);
  gen->ir = xlaIrIn(gen->ir, block);
  if (closed)
    gen->first = gen->nValues;
  for (int i = 0; i < nArguments; ++i) {
    XlaGenValue value = {.value = mlirBlockGetArgument(block, i)};
    if (xlaShapeFromMlir(types[i], &value.shape, NULL))
      xlaGenAdd(gen, value);
  }
  ++gen->depth;
  return scope;
}

MlirRegion xlaGenLeave(XlaGen *gen, const XlaGenScope *scope, int nResults,
                       const MlirValue *results) {
  xlaIrCreate(&gen->ir, "xla.return", nResults, results, 0, NULL, 0, NULL, 0,
              NULL);
  gen->ir = scope->ir;
  gen->nValues = scope->nValues;
  gen->first = scope->first;
  --gen->depth;
  return scope->region;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static XlaGenValue constant(XlaGen *gen, XlaLiteral *literal) {
  MlirAttribute attr = xlaLiteralToAttribute(literal, gen->ir.context);
  MlirValue value =
      xlaIrOp(&gen->ir, "xla.constant", mlirAttributeGetType(attr), 0, NULL, 1,
              &(XlaIrAttr){"value", attr});
  return xlaGenValueOf(value);
}

XlaGenValue xlaGenConstant(XlaGen *gen, const XlaShape *shape) {
  int manner = xlaGenBelow(gen, 8) ? xlaGenBelow(gen, 3) : 3;
  int64_t count;
  // Versions of MLIR write long constants of preds in different ways.
  if (shape->elementType == XlaElementTypePred &&
      xlaShapeGetElementCount(shape, &count) && count > 100)
    return xlaGenNumber(gen, shape, xlaGenBelow(gen, 2));
  XlaLiteral *literal = xlaGenLiteral(&gen->random, shape, manner);
  XlaGenValue value = constant(gen, literal);
  xlaLiteralRelease(literal);
  return value;
}

XlaGenValue xlaGenNumber(XlaGen *gen, const XlaShape *shape, double number) {
  XlaLiteral *literal = xlaLiteralCreateArray(shape);
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape->elementType);
  XlaScalar value = {.f = {number, 0.0}};
  if (!info->exponentBits)
    value = (XlaScalar){.s = (int64_t)number};
  for (int64_t i = 0; i < xlaLiteralGetElementCount(literal); ++i)
    xlaLiteralSet(literal, i, value);
  XlaGenValue made = constant(gen, literal);
  xlaLiteralRelease(literal);
  return made;
}

/// A value as it is, as another element type.
static XlaGenValue converted(XlaGen *gen, XlaGenValue x, XlaElementType type) {
  XlaShape shape = x.shape;
  shape.elementType = type;
  if (x.shape.elementType == type)
    return x;
  if (xlaElementTypeIsComplex(x.shape.elementType) &&
      !xlaElementTypeIsComplex(type) &&
      !xlaGenOp(gen, XlaOpKindReal, 1, &x, 0, NULL, 0, NULL, NULL, &x))
    return xlaGenConstant(gen, &shape);
  if (x.shape.elementType == type ||
      xlaGenOp(gen, XlaOpKindConvert, 1, &x, 0, NULL, 0, NULL, &shape, &x))
    return x;
  return xlaGenConstant(gen, &shape);
}

XlaGenValue xlaGenPick(XlaGen *gen, unsigned classes) {
  int n = gen->nValues - gen->first;
  for (int tries = 0; n && tries < 6; ++tries) {
    int from = xlaGenBelow(gen, 3) ? n / 2 : 0; // recent ones are likelier
    XlaGenValue x = gen->values[gen->first + from + xlaGenBelow(gen, n - from)];
    if (xlaElementTypeGetInfo(x.shape.elementType)->typeClass & classes &&
        (!gen->scalars || !x.shape.rank))
      return x;
    if (tries == 4 && !gen->scalars && xlaGenElementType(gen, classes))
      return converted(gen, x, xlaGenElementType(gen, classes));
  }
  XlaElementType type = xlaGenElementType(gen, classes);
  XlaShape shape = xlaGenShape(gen, type ? type : XlaElementTypePred);
  return xlaGenConstant(gen, &shape);
}

static bool sameShape(const XlaShape *a, const XlaShape *b) {
  return a->elementType == b->elementType && xlaShapeDimsEqual(a, b);
}

/// One of another type made fit; false if none was found.
static bool derived(XlaGen *gen, const XlaShape *shape, XlaGenValue *result) {
  int64_t wanted, count;
  if (gen->nValues == gen->first || gen->scalars)
    return false;
  XlaGenValue x = xlaGenPick(gen, ~0u);
  x = converted(gen, x, shape->elementType);
  if (xlaShapeDimsEqual(&x.shape, shape)) {
    *result = x;
    return true;
  }
  if (!xlaShapeGetElementCount(shape, &wanted) ||
      !xlaShapeGetElementCount(&x.shape, &count))
    return false;
  if (wanted == count)
    return xlaGenOp(gen, XlaOpKindReshape, 1, &x, 0, NULL, 0, NULL, shape,
                    result);
  int64_t dims[XLA_MAX_RANK];
  int next = 0; // dimensions of x that those of `shape` hold, in order
  for (int i = 0; i < shape->rank && next < x.shape.rank; ++i)
    if (x.shape.dims[next] == shape->dims[i] || x.shape.dims[next] == 1)
      dims[next++] = i;
  if (next < x.shape.rank)
    return false;
  XlaIrAttr attr = xlaGenList(gen, "broadcast_dimensions", next, dims);
  return xlaGenOp(gen, XlaOpKindBroadcastInDim, 1, &x, 1, &attr, 0, NULL, shape,
                  result);
}

XlaGenValue xlaGenOfShape(XlaGen *gen, const XlaShape *shape) {
  int n = gen->nValues - gen->first, at = xlaGenBelow(gen, n);
  XlaGenValue made;
  for (int i = 0; i < n; ++i) {
    XlaGenValue x = gen->values[gen->first + (at + i) % n];
    if (sameShape(&x.shape, shape))
      return x;
  }
  for (int tries = 0; tries < 3; ++tries)
    if (derived(gen, shape, &made))
      return made;
  made = xlaGenConstant(gen, shape);
  xlaGenAdd(gen, made);
  return made;
}

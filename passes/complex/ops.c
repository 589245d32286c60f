//===- ops.c - Operations on complex numbers as such on parts -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/complex/complex.h"

#include "xlac/dialect/literal.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/fft/fft.h"
#include "xlac/passes/retype.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

static MlirType resultType(MlirOperation op) {
  return mlirValueGetType(mlirOperationGetResult(op, 0));
}

static XlaComplex operand(const XlaFlatten *r, MlirOperation op, intptr_t i) {
  const XlaLeaves *leaves =
      xlaFlattenLeavesOf(r, mlirOperationGetOperand(op, i));
  return (XlaComplex){leaves->values[0],
                      leaves->size > 1 ? leaves->values[1] : (MlirValue){NULL}};
}

static MlirValue zerosLike(XlaIr *ir, MlirValue array) {
  XlaElementType type = xlaArrayShape(array).elementType;
  return xlaArraySplat(ir, xlaArrayNumber(ir, type, 0), array);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Part `k` of a literal.
static MlirAttribute partOf(const XlaLiteral *literal, int k,
                            MlirContext context) {
  XlaShape shape = *xlaLiteralGetShape(literal);
  shape.elementType = xlaElementTypeReal(shape.elementType);
  XlaLiteral *part = xlaLiteralCreateArray(&shape);
  if (!part)
    return mlirAttributeGetNull();
  for (int64_t i = 0; i < xlaLiteralGetElementCount(literal); ++i) {
    XlaScalar value = xlaLiteralGet(literal, i);
    xlaLiteralSet(
        part, i,
        (XlaScalar){.f = {.re = k ? value.f.im : value.f.re, .im = 0}});
  }
  MlirAttribute attr = xlaLiteralToAttribute(part, context);
  xlaLiteralRelease(part);
  return attr;
}

static MlirLogicalResult splitConstant(XlaIr *ir, MlirOperation op,
                                       XlaComplex *result) {
  bool isSplat;
  XlaLiteral *literal = xlaRetypeReadConstant(op, &isSplat);
  MlirValue parts[2];
  bool isMade = literal;
  for (int k = 0; isMade && k < 2; ++k) {
    MlirAttribute attr = partOf(literal, k, ir->context);
    isMade = !mlirAttributeIsNull(attr);
    if (isMade)
      parts[k] = xlaRetypeConstant(ir, op, attr, isSplat);
  }
  xlaLiteralRelease(literal);
  if (!isMade)
    return xlaOpNoMemory(op);
  *result = (XlaComplex){parts[0], parts[1]};
  return success();
}

static XlaComplex splitIota(XlaIr *ir, MlirOperation op) {
  MlirType type = xlaComplexPartType(resultType(op));
  MlirValue numbers =
      mlirOperationGetResult(xlaFlattenCopy(op, ir, 0, NULL, 1, &type), 0);
  return (XlaComplex){numbers, zerosLike(ir, numbers)};
}

static XlaComplex convert(XlaIr *ir, MlirOperation op, XlaComplex x) {
  XlaElementType to = xlaElementTypeFromMlir(xlaIrElementType(resultType(op)));
  bool isComplex = xlaElementTypeIsComplex(to);
  XlaElementType type = xlaElementTypeReal(to);
  XlaComplex result = {xlaArrayConvert(ir, x.re, type), {NULL}};
  if (isComplex)
    result.im =
        x.im.ptr ? xlaArrayConvert(ir, x.im, type) : zerosLike(ir, result.re);
  return result;
}

static int bitsOf(MlirValue array) {
  return xlaElementTypeGetInfo(xlaArrayShape(array).elementType)->bits;
}

/// The bits of pairs as elements of another type.
static MlirValue fromPairs(XlaIr *ir, XlaComplex x, MlirType type) {
  MlirValue pairs = xlaComplexPairs(ir, x);
  XlaShape to, shape = xlaArrayShape(pairs);
  xlaShapeFromMlir(type, &to, NULL);
  int ratio = bitsOf(x.re) / xlaElementTypeGetInfo(to.elementType)->bits;
  shape.elementType = to.elementType;
  if (!ratio) // one element a complex number
    --shape.rank;
  else if (ratio > 1)
    shape.dims[shape.rank++] = ratio;
  pairs = xlaIrCast(ir, "xla.bitcast_convert", pairs,
                    xlaShapeToMlir(&shape, ir->context));
  return xlaArrayReshape(ir, pairs, to.rank, to.dims);
}

static XlaComplex toPairs(XlaIr *ir, MlirValue array, MlirType type) {
  XlaShape pairs;
  xlaShapeFromMlir(type, &pairs, NULL);
  pairs.elementType = xlaElementTypeReal(pairs.elementType);
  pairs.dims[pairs.rank++] = 2;
  int ratio = xlaElementTypeGetInfo(pairs.elementType)->bits / bitsOf(array);
  if (ratio > 1) {
    XlaShape shape = pairs;
    shape.dims[shape.rank++] = ratio;
    array = xlaArrayReshape(ir, array, shape.rank, shape.dims);
  }
  return xlaComplexFromPairs(ir,
                             xlaIrCast(ir, "xla.bitcast_convert", array,
                                       xlaShapeToMlir(&pairs, ir->context)));
}

static XlaComplex bitcastConvert(XlaIr *ir, MlirOperation op, XlaComplex x) {
  MlirType type = resultType(op);
  if (!x.im.ptr)
    return toPairs(ir, x.re, type);
  if (!xlaTypeIsComplex(type))
    return (XlaComplex){fromPairs(ir, x, type), {NULL}};
  bool isSame = mlirTypeEqual(xlaIrElementType(mlirValueGetType(x.re)),
                              xlaIrElementType(xlaComplexPartType(type)));
  return isSame ? x : toPairs(ir, xlaComplexPairs(ir, x), type);
}

//===----------------------------------------------------------------------===//
// Operations on parts
//===----------------------------------------------------------------------===//

/// The same on each part; what has none is the same for both.
static MlirLogicalResult eachPart(XlaFlatten *r, MlirOperation op, XlaIr *ir,
                                  XlaComplex *result) {
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirType type = xlaComplexPartType(resultType(op));
  MlirValue *operands = malloc(((size_t)n + 1) * sizeof *operands), parts[2];
  if (!operands)
    return xlaOpNoMemory(op);
  for (int k = 0; k < 2; ++k) {
    for (intptr_t i = 0; i < n; ++i) {
      XlaComplex x = operand(r, op, i);
      operands[i] = k && x.im.ptr ? x.im : x.re;
    }
    parts[k] = mlirOperationGetResult(
        xlaFlattenCopy(op, ir, n, operands, 1, &type), 0);
  }
  free(operands);
  *result = (XlaComplex){parts[0], parts[1]};
  return success();
}

/// One of the products of a dot_general or a convolution of parts. Null, as a
/// sum of no terms, where a factor is.
static MlirValue productOf(XlaIr *ir, MlirOperation op, MlirValue a,
                           MlirValue b) {
  MlirType type = xlaComplexPartType(resultType(op));
  if (!a.ptr || !b.ptr)
    return (MlirValue){NULL};
  return mlirOperationGetResult(
      xlaFlattenCopy(op, ir, 2, (MlirValue[2]){a, b}, 1, &type), 0);
}

/// Four of them, or two with one operand of real numbers.
static XlaComplex product(XlaIr *ir, MlirOperation op, XlaComplex a,
                          XlaComplex b) {
  MlirValue re = productOf(ir, op, a.re, b.re),
            square = productOf(ir, op, a.im, b.im),
            im = productOf(ir, op, a.re, b.im),
            other = productOf(ir, op, a.im, b.re);
  if (square.ptr)
    re = xlaIrBinary(ir, "xla.subtract", re, square);
  if (im.ptr && other.ptr)
    im = xlaIrBinary(ir, "xla.add", im, other);
  else if (other.ptr)
    im = other;
  return (XlaComplex){re, im.ptr ? im : zerosLike(ir, re)};
}

static XlaComplex compare(XlaIr *ir, MlirOperation op, XlaComplex a,
                          XlaComplex b) {
  bool isEqual = xlaOpAttrIs(op, "comparison_direction", "EQ");
  const char *direction = isEqual ? "EQ" : "NE";
  return (XlaComplex){xlaIrBinary(ir, isEqual ? "xla.and" : "xla.or",
                                  xlaArrayCompare(ir, direction, a.re, b.re),
                                  xlaArrayCompare(ir, direction, a.im, b.im)),
                      {NULL}};
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

bool xlaComplexIsSplit(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  static const bool takeParts[XlaFamilyCount] = {
      [XlaFamilyControlFlow] = true,  [XlaFamilyReduce] = true,
      [XlaFamilyReduceWindow] = true, [XlaFamilyScatter] = true,
      [XlaFamilyScan] = true,         [XlaFamilySort] = true,
      [XlaFamilyFusion] = true,
  };
  return xlaRetypeTouches(op, xlaTypeIsComplex) &&
         !takeParts[xlaOpGetInfo(kind)->family] &&
         kind != XlaOpKindOptimizationBarrier && kind != XlaOpKindReturn;
}

static MlirLogicalResult unsupported(MlirOperation op) {
  return xlaOpUnsupported(op, NULL,
                          "is not supported yet for complex numbers in "
                          "compiled programs, only by the interpreter");
}

/// Elementwise, and others with one result that is made of parts at once. It
/// stays null where there is no way.
static MlirLogicalResult combine(XlaFlatten *r, MlirOperation op, XlaIr *ir,
                                 XlaComplex *result) {
  enum { most = 3 };
  XlaComplex x[most] = {{{NULL}, {NULL}}};
  XlaOpKind kind = xlaOpGetKind(op);
  intptr_t n = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < n && i < most; ++i)
    x[i] = operand(r, op, i);
  if (kind == XlaOpKindConstant)
    return splitConstant(ir, op, result);
  if (kind == XlaOpKindFft)
    return xlaFftExpand(ir, op, x[0], result);
  if (kind == XlaOpKindIota)
    *result = splitIota(ir, op);
  else if (kind == XlaOpKindComplex)
    *result = (XlaComplex){x[0].re, x[1].re};
  else if (kind == XlaOpKindConvert)
    *result = convert(ir, op, x[0]);
  else if (kind == XlaOpKindBitcastConvert)
    *result = bitcastConvert(ir, op, x[0]);
  else if (kind == XlaOpKindCompare)
    *result = compare(ir, op, x[0], x[1]);
  else if (kind == XlaOpKindDotGeneral || kind == XlaOpKindConvolution)
    *result = product(ir, op, x[0], x[1]);
  else if (kind == XlaOpKindCholesky)
    *result = xlaComplexCholesky(ir, op, x[0]);
  else if (kind == XlaOpKindTriangularSolve)
    *result = xlaComplexTriangularSolve(ir, op, x[0], x[1]);
  else if (xlaOpGetInfo(kind)->family == XlaFamilyElementwise)
    xlaComplexElementwise(ir, kind, x, result);
  return success();
}

static bool isMovement(XlaOpKind kind) {
  XlaFamily family = xlaOpGetInfo(kind)->family;
  return family == XlaFamilyAlias || family == XlaFamilyMovement ||
         family == XlaFamilyDynamicSlice || family == XlaFamilyGather ||
         kind == XlaOpKindSelect;
}

MlirLogicalResult xlaComplexEmit(XlaFlatten *r, MlirOperation op, XlaIr *ir) {
  XlaOpKind kind = xlaOpGetKind(op);
  XlaComplex result = {{NULL}, {NULL}};
  if (mlirOperationGetNumResults(op) == 1 &&
      failed(isMovement(kind) ? eachPart(r, op, ir, &result)
                              : combine(r, op, ir, &result)))
    return failure();
  if (!result.re.ptr)
    return mlirOperationGetNumRegions(op) &&
                   xlaOpGetInfo(kind)->family != XlaFamilyCollective
               ? unsupported(op)
               : xlaRetypeKeep(r, op, ir);
  return xlaFlattenBindResults(r, op, (MlirValue[2]){result.re, result.im});
}

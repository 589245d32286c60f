//===- call_types.c - Custom calls with tuples and tokens -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/host/call_types.h"

#include "xlac/dialect/dynamic.h"
#include "xlac/passes/dynamic/sizes.h"
#include "xlac/passes/flatten.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static MlirType typeAt(MlirAttribute types, intptr_t i) {
  return mlirTypeAttrGetValue(mlirArrayAttrGetElement(types, i));
}

static intptr_t countOf(MlirOperation op, bool isResult) {
  return isResult ? mlirOperationGetNumResults(op)
                  : mlirOperationGetNumOperands(op);
}

static MlirType typeOf(MlirOperation op, bool isResult, intptr_t i) {
  return mlirValueGetType(isResult ? mlirOperationGetResult(op, i)
                                   : mlirOperationGetOperand(op, i));
}

static bool isSize(MlirType type) {
  XlaShape shape;
  return xlaShapeFromMlir(type, &shape, NULL) && !shape.rank &&
         shape.elementType == XlaElementTypeS32;
}

/// Whether values of `op` are the arrays of `types`, then their sizes.
static bool boundsFit(MlirOperation op, bool isResult, MlirAttribute types) {
  if (mlirAttributeIsNull(types) || !mlirAttributeIsAArray(types))
    return false;
  intptr_t n = mlirArrayAttrGetNumElements(types), nSizes = 0;
  intptr_t count = countOf(op, isResult);
  for (intptr_t i = 0; i < n; ++i) {
    XlaShape bounds, shape;
    if (i >= count || !mlirAttributeIsAType(mlirArrayAttrGetElement(types, i)))
      return false;
    MlirType type = typeAt(types, i);
    if (!xlaShapeFromMlirBounded(type, &bounds, NULL) ||
        !xlaShapeFromMlir(typeOf(op, isResult, i), &shape, NULL) ||
        bounds.elementType != shape.elementType ||
        !xlaShapeDimsEqual(&bounds, &shape))
      return false;
    nSizes += xlaBoundedSizeCount(type);
  }
  for (intptr_t i = n; i < count; ++i)
    if (!isSize(typeOf(op, isResult, i)))
      return false;
  return n + nSizes == count;
}

bool xlaCallArraysOf(MlirOperation op, bool isResult, XlaCallArrays *arrays) {
  MlirAttribute types =
      xlaOpGetAttr(op, isResult ? XLA_BOUNDED_RESULTS : XLA_BOUNDED_OPERANDS);
  intptr_t n = countOf(op, isResult);
  if (boundsFit(op, isResult, types)) {
    *arrays = (XlaCallArrays){mlirArrayAttrGetNumElements(types), types};
    return true;
  }
  MlirAttribute *own = malloc(((size_t)n + 1) * sizeof *own);
  if (!own)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    own[i] = mlirTypeAttrGet(typeOf(op, isResult, i));
  *arrays =
      (XlaCallArrays){n, mlirArrayAttrGet(mlirOperationGetContext(op), n, own)};
  free(own);
  return true;
}

/// Whether the arrays of `type` are `*next` .. of `arrays`, and goes behind
/// them.
static bool arraysFit(const XlaCallArrays *arrays, MlirType type,
                      intptr_t *next) {
  if (xlaTypeIsToken(type))
    return true;
  if (!mlirTypeIsATuple(type)) {
    XlaShape wanted, shape;
    intptr_t i = (*next)++;
    return i < arrays->n && xlaShapeFromMlirBounded(type, &wanted, NULL) &&
           xlaShapeFromMlirBounded(typeAt(arrays->types, i), &shape, NULL) &&
           wanted.elementType == shape.elementType &&
           wanted.dynamic == shape.dynamic &&
           xlaShapeDimsEqual(&wanted, &shape);
  }
  bool fit = true;
  for (intptr_t i = 0; fit && i < mlirTupleTypeGetNumTypes(type); ++i)
    fit = arraysFit(arrays, mlirTupleTypeGetType(type, i), next);
  return fit;
}

static bool listFits(MlirAttribute types, const XlaCallArrays *arrays) {
  intptr_t next = 0;
  bool fits = !mlirAttributeIsNull(types) && mlirAttributeIsAArray(types);
  for (intptr_t i = 0; fits && i < mlirArrayAttrGetNumElements(types); ++i)
    fits = mlirAttributeIsAType(mlirArrayAttrGetElement(types, i)) &&
           arraysFit(arrays, typeAt(types, i), &next);
  return fits && next == arrays->n;
}

bool xlaCallHasTypes(MlirOperation op, const XlaCallArrays *in,
                     const XlaCallArrays *out) {
  return xlaOpGetKind(op) == XlaOpKindCustomCall &&
         listFits(xlaOpGetAttr(op, XLA_CALL_OPERANDS), in) &&
         listFits(xlaOpGetAttr(op, XLA_CALL_RESULTS), out);
}

MlirOperation xlaCallWithTypes(MlirOperation op, MlirAttribute operands,
                               MlirAttribute results, MlirBlock block) {
  MlirLocation location = mlirOperationGetLocation(op);
  MlirAttribute inherent = mlirExtOperationGetInherentAttributes(op);
  MlirOperationState state = mlirOperationStateGet(
      mlirIdentifierStr(mlirOperationGetName(op)), location);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(operands); ++i) {
    MlirValue argument =
        mlirBlockAddArgument(block, typeAt(operands, i), location);
    mlirOperationStateAddOperands(&state, 1, &argument);
  }
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(results); ++i) {
    MlirType type = typeAt(results, i);
    mlirOperationStateAddResults(&state, 1, &type);
  }
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(inherent); ++i) {
    MlirNamedAttribute attr = mlirDictionaryAttrGetElement(inherent, i);
    mlirOperationStateAddAttributes(&state, 1, &attr);
  }
  MlirOperation made = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(block, made);
  return made;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

XlaLiteral *xlaCallAssemble(MlirType type, const XlaLiteral *const **next) {
  if (xlaTypeIsToken(type))
    return xlaLiteralCreateToken();
  if (!mlirTypeIsATuple(type))
    return xlaLiteralRetain(*(*next)++);
  intptr_t n = mlirTupleTypeGetNumTypes(type), made = 0;
  XlaLiteral **elements = calloc((size_t)n + 1, sizeof *elements),
             *tuple = NULL;
  while (elements && made < n &&
         (elements[made] =
              xlaCallAssemble(mlirTupleTypeGetType(type, made), next)))
    ++made;
  if (elements && made == n)
    tuple = xlaLiteralTakeTuple(n, elements);
  else
    for (intptr_t i = 0; i < made; ++i)
      xlaLiteralRelease(elements[i]);
  free(elements);
  return tuple;
}

bool xlaCallTakeApart(MlirType type, const XlaLiteral *value,
                      XlaLiteral ***next) {
  if (xlaTypeIsToken(type))
    return true;
  if (!value)
    return false;
  if (!mlirTypeIsATuple(type)) {
    if (xlaLiteralGetKind(value) != XlaLiteralKindArray ||
        !xlaLiteralFits(value, type))
      return false;
    *(*next)++ = xlaLiteralRetain(value);
    return true;
  }
  intptr_t n = mlirTupleTypeGetNumTypes(type);
  bool fits = xlaLiteralGetKind(value) == XlaLiteralKindTuple &&
              xlaLiteralGetTupleSize(value) == n;
  for (intptr_t i = 0; fits && i < n; ++i)
    fits = xlaCallTakeApart(mlirTupleTypeGetType(type, i),
                            xlaLiteralGetTupleElement(value, i), next);
  return fits;
}

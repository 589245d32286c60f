//===- call_types.c - Custom calls with tuples and tokens -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/host/call_types.h"

#include "xlac/dialect/op.h"
#include "xlac/passes/flatten.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static MlirValue valueOf(MlirOperation op, bool isResult, intptr_t i) {
  return isResult ? mlirOperationGetResult(op, i)
                  : mlirOperationGetOperand(op, i);
}

/// Whether the arrays of `type` are values `*next` .. of `op`, and goes behind
/// them.
static bool arraysFit(MlirOperation op, bool isResult, MlirType type,
                      intptr_t *next) {
  intptr_t n = isResult ? mlirOperationGetNumResults(op)
                        : mlirOperationGetNumOperands(op);
  if (xlaTypeIsToken(type))
    return true;
  if (!mlirTypeIsATuple(type)) {
    XlaShape wanted, shape;
    intptr_t i = (*next)++;
    return i < n && xlaShapeFromMlir(type, &wanted, NULL) &&
           xlaShapeFromMlir(mlirValueGetType(valueOf(op, isResult, i)), &shape,
                            NULL) &&
           wanted.elementType == shape.elementType &&
           xlaShapeDimsEqual(&wanted, &shape);
  }
  bool fit = true;
  for (intptr_t i = 0; fit && i < mlirTupleTypeGetNumTypes(type); ++i)
    fit = arraysFit(op, isResult, mlirTupleTypeGetType(type, i), next);
  return fit;
}

static bool listFits(MlirOperation op, bool isResult, const char *name) {
  MlirAttribute types = xlaOpGetAttr(op, name);
  intptr_t next = 0;
  bool fits = !mlirAttributeIsNull(types) && mlirAttributeIsAArray(types);
  for (intptr_t i = 0; fits && i < mlirArrayAttrGetNumElements(types); ++i) {
    MlirAttribute type = mlirArrayAttrGetElement(types, i);
    fits = mlirAttributeIsAType(type) &&
           arraysFit(op, isResult, mlirTypeAttrGetValue(type), &next);
  }
  return fits && next == (isResult ? mlirOperationGetNumResults(op)
                                   : mlirOperationGetNumOperands(op));
}

bool xlaCallHasTypes(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindCustomCall &&
         listFits(op, false, XLA_CALL_OPERANDS) &&
         listFits(op, true, XLA_CALL_RESULTS);
}

static MlirType typeAt(MlirAttribute types, intptr_t i) {
  return mlirTypeAttrGetValue(mlirArrayAttrGetElement(types, i));
}

MlirOperation xlaCallWithTypes(MlirOperation op, MlirBlock block) {
  MlirLocation location = mlirOperationGetLocation(op);
  MlirAttribute operands = xlaOpGetAttr(op, XLA_CALL_OPERANDS),
                results = xlaOpGetAttr(op, XLA_CALL_RESULTS),
                inherent = mlirExtOperationGetInherentAttributes(op);
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
  XlaLiteralKind kind = xlaLiteralGetKind(value);
  if (!mlirTypeIsATuple(type)) {
    XlaShape shape;
    if (kind != XlaLiteralKindArray || !xlaShapeFromMlir(type, &shape, NULL) ||
        shape.elementType != xlaLiteralGetShape(value)->elementType ||
        !xlaShapeDimsEqual(&shape, xlaLiteralGetShape(value)))
      return false;
    *(*next)++ = xlaLiteralRetain(value);
    return true;
  }
  intptr_t n = mlirTupleTypeGetNumTypes(type);
  bool fits = kind == XlaLiteralKindTuple && xlaLiteralGetTupleSize(value) == n;
  for (intptr_t i = 0; fits && i < n; ++i)
    fits = xlaCallTakeApart(mlirTupleTypeGetType(type, i),
                            xlaLiteralGetTupleElement(value, i), next);
  return fits;
}

//===- composite.c - Composites -------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A composite means what its decomposition does. Artifacts, which have no
// operations of CHLO, hold these as composites of their names; such a one
// becomes the operation again, so that a program is the same whichever form it
// came in.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/pointer_map.h"

#include <stdlib.h>
#include <string.h>

static MlirAttribute attribute(MlirOperation op, const char *text) {
  MlirStringRef name = mlirStringRefCreateFromCString(text);
  MlirAttribute value = mlirDictionaryAttrGetElementByName(
      mlirExtOperationGetInherentAttributes(op), name);
  return mlirAttributeIsNull(value)
             ? mlirOperationGetDiscardableAttributeByName(op, name)
             : value;
}

XlaImportResult xlaImportComposite(MlirOperation op) {
  MlirAttribute callee = attribute(op, "decomposition");
  if (mlirAttributeIsNull(callee) || !mlirAttributeIsAFlatSymbolRef(callee)) {
    xlaOpError(op, NULL, "has no decomposition");
    return XlaImportResultInvalid;
  }
  return xlaImportReplace(op, "func.call", mlirOperationGetNumOperands(op), 0,
                          NULL, 1, &(XlaIrAttr){"callee", callee});
}

//===----------------------------------------------------------------------===//
// Operations of CHLO
//===----------------------------------------------------------------------===//

static bool isComposite(MlirOperation op) {
  return xlaIrIsOp(op, "stablehlo.composite");
}

/// Whether the composite is of a function of one array: of CHLO and of xla.
static bool isFunction(MlirOperation op, MlirStringRef name,
                       MlirAttribute parameters) {
  static const size_t dialect = sizeof "chlo." - 1;
  XlaOpKind kind =
      xlaOpKindFromName(name.data + dialect, name.length - dialect);
  return kind != XlaOpKindInvalid &&
         xlaOpGetInfo(kind)->dialect == XlaOpDialectChlo &&
         (mlirAttributeIsNull(parameters) ||
          mlirDictionaryAttrGetNumElements(parameters) == 0) &&
         mlirOperationGetNumOperands(op) == 1 &&
         mlirOperationGetNumResults(op) == 1 &&
         mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                       mlirValueGetType(mlirOperationGetResult(op, 0)));
}

/// The number of elements that a composite of the largest takes; null if it is
/// none.
static MlirAttribute topKOf(MlirOperation op, MlirStringRef name,
                            MlirAttribute parameters) {
  MlirAttribute none = mlirAttributeGetNull();
  XlaShape shape;
  if (!mlirStringRefEqual(name, mlirStringRefCreateFromCString("chlo.top_k")) ||
      mlirAttributeIsNull(parameters) ||
      mlirDictionaryAttrGetNumElements(parameters) != 1 ||
      mlirOperationGetNumOperands(op) != 1 ||
      mlirOperationGetNumResults(op) != 2 ||
      !xlaShapeFromMlirBounded(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                               &shape, NULL) ||
      !shape.rank || xlaElementTypeIsComplex(shape.elementType))
    return none;
  MlirAttribute k = mlirDictionaryAttrGetElementByName(
      parameters, mlirStringRefCreateFromCString("k"));
  return !mlirAttributeIsNull(k) && mlirAttributeIsAInteger(k) ? k : none;
}

/// Puts the operation of CHLO in the place of `op` if that is known for one.
static bool recompose(MlirOperation op) {
  MlirAttribute name = attribute(op, "name");
  MlirAttribute version = attribute(op, "version");
  MlirAttribute parameters = attribute(op, "composite_attributes");
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name) ||
      mlirAttributeIsNull(version) || !mlirAttributeIsAInteger(version) ||
      mlirIntegerAttrGetValueInt(version) != 1 ||
      (!mlirAttributeIsNull(parameters) &&
       !mlirAttributeIsADictionary(parameters)))
    return false;
  MlirStringRef text = mlirStringAttrGetValue(name);
  if (text.length >= 64 || text.length <= 5 || memcmp(text.data, "chlo.", 5))
    return false;
  MlirAttribute k = topKOf(op, text, parameters);
  if (mlirAttributeIsNull(k) && !isFunction(op, text, parameters))
    return false;
  char chars[64] = {0};
  memcpy(chars, text.data, text.length);
  return xlaImportReplace(op, chars, 1, 0, NULL, !mlirAttributeIsNull(k),
                          &(XlaIrAttr){"k", k}) == XlaImportResultOk;
}

//===----------------------------------------------------------------------===//
// Decompositions that nothing is left of
//===----------------------------------------------------------------------===//

/// Symbols by the addresses of their names, which a context has once: 1 for
/// what a composite has named, 2 for what something else names.
enum { symbolLeft = 1, symbolUsed = 2, maxDepth = 8 };

static void noteUses(XlaPointerMap *symbols, MlirAttribute value, int depth) {
  if (mlirAttributeIsASymbolRef(value)) {
    const void *key = mlirSymbolRefAttrGetRootReference(value).data;
    if (xlaPointerMapGet(symbols, key))
      xlaPointerMapSet(symbols, key, symbolUsed);
  }
  if (mlirAttributeIsAArray(value) && depth < maxDepth)
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(value); ++i)
      noteUses(symbols, mlirArrayAttrGetElement(value, i), depth + 1);
  if (mlirAttributeIsADictionary(value) && depth < maxDepth)
    for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(value); ++i)
      noteUses(symbols, mlirDictionaryAttrGetElement(value, i).attribute,
               depth + 1);
}

static MlirWalkResult noteOp(MlirOperation op, void *symbols) {
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i)
    noteUses(symbols, mlirOperationGetAttribute(op, i).attribute, 0);
  return MlirWalkResultAdvance;
}

static bool isPrivate(MlirOperation function) {
  MlirAttribute visibility = xlaOpGetAttr(function, "sym_visibility");
  return !mlirAttributeIsNull(visibility) &&
         mlirAttributeIsAString(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("private"));
}

/// Removes the private functions of which a composite was the last use.
static void removeLeft(MlirOperation module, XlaPointerMap *symbols) {
  MlirOperation next, op = mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(
                          mlirOperationGetRegion(module, 0)));
  mlirOperationWalk(module, noteOp, symbols, MlirWalkPreOrder);
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    MlirAttribute symbol = xlaIrIsOp(op, "func.func")
                               ? xlaOpGetAttr(op, "sym_name")
                               : mlirAttributeGetNull();
    if (!mlirAttributeIsNull(symbol) && isPrivate(op) &&
        xlaPointerMapGet(symbols, mlirStringAttrGetValue(symbol).data) ==
            symbolLeft)
      mlirOperationDestroy(op);
  }
}

XlaImportResult xlaImportRecompose(MlirOperation module) {
  XlaIrOps found = xlaIrCollect(module, MlirWalkPreOrder, isComposite);
  XlaPointerMap symbols = {0};
  bool enough = !found.failed;
  for (intptr_t i = 0; enough && i < found.n; ++i) {
    MlirAttribute callee = attribute(found.ops[i], "decomposition");
    if (!mlirAttributeIsNull(callee) && mlirAttributeIsAFlatSymbolRef(callee) &&
        recompose(found.ops[i]))
      enough = xlaPointerMapSet(
          &symbols, mlirFlatSymbolRefAttrGetValue(callee).data, symbolLeft);
  }
  if (enough && symbols.used)
    removeLeft(module, &symbols);
  xlaPointerMapClear(&symbols);
  free(found.ops);
  if (!enough)
    xlaOpNoMemory(module);
  return enough ? XlaImportResultOk : XlaImportResultInvalid;
}

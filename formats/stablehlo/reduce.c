//===- reduce.c - reduce(%x init: %z) .. across dimensions = [1] ---------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The computation is `applies stablehlo.add` in front of `across`, if that one
// operation is all of it, or `reducer(%a: type, %b: type) {..}` at the end.
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/stablehlo/syntax.h"

#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/ir.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool parsePairs(MlirExtAsmParser parser) {
  do {
    if (!mlirExtAsmParseToken(parser, "(") ||
        !mlirExtAsmParseOperand(parser, 0) ||
        !mlirExtAsmParseToken(parser, "init") ||
        !mlirExtAsmParseToken(parser, ":") ||
        !mlirExtAsmParseOperand(parser, 1) ||
        !mlirExtAsmParseToken(parser, ")"))
      return false;
  } while (mlirExtAsmParseOptionalToken(parser, ","));
  return true;
}

/// `across dimensions = [1] {attrs} : `, up to the types.
static bool parseAcross(MlirExtAsmParser parser) {
  MlirAttribute dimensions;
  if (!mlirExtAsmParseToken(parser, "across") ||
      !mlirExtAsmParseToken(parser, "dimensions") ||
      !mlirExtAsmParseToken(parser, "=") ||
      !mlirExtAsmParseIntegers(parser, &dimensions))
    return false;
  mlirExtAsmAddAttribute(parser, "dimensions", dimensions);
  return mlirExtAsmParseAttributes(parser, /*withKeyword=*/false) &&
         mlirExtAsmParseToken(parser, ":");
}

static bool parseReducer(MlirExtAsmParser parser) {
  if (!mlirExtAsmParseToken(parser, "reducer"))
    return false;
  while (mlirExtAsmParseOptionalToken(parser, "("))
    if (!mlirExtAsmParseArgument(parser, 0, /*withType=*/true) ||
        !mlirExtAsmParseToken(parser, ",") ||
        !mlirExtAsmParseArgument(parser, 1, /*withType=*/true) ||
        !mlirExtAsmParseToken(parser, ")"))
      return false;
  return mlirExtAsmParseRegion(parser, /*withArguments=*/true);
}

/// A region that applies the operation `name` to its arguments of `type`.
static MlirRegion makeRegion(MlirLocation location, const char *name,
                             MlirType type) {
  MlirType types[] = {type, type};
  MlirLocation locations[] = {location, location};
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(2, types, locations);
  mlirRegionAppendOwnedBlock(region, block);
  XlaIr ir = xlaIrAtEnd(mlirLocationGetContext(location), location, block);
  MlirValue result = xlaIrBinary(&ir, name, mlirBlockGetArgument(block, 0),
                                 mlirBlockGetArgument(block, 1));
  xlaIrCreate(&ir, "stablehlo.return", 1, &result, 0, NULL, 0, NULL, 0, NULL);
  return region;
}

/// What follows `applies`.
static bool parseApplied(MlirExtAsmParser parser, MlirExtAsmPlace start) {
  MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
  MlirStringRef name;
  char text[64];
  if (!mlirExtAsmParseOpName(parser, &name))
    return false;
  if (name.length >= sizeof text || !xlaForeignIsSymmetric(name))
    return mlirExtAsmFail(parser, place,
                          "expected a commutative operation of stablehlo with "
                          "two operands, such as stablehlo.add");
  memcpy(text, name.data, name.length);
  text[name.length] = 0;
  MlirType type;
  if (!parseAcross(parser))
    return false;
  place = mlirExtAsmGetPlace(parser);
  if (!mlirExtAsmParseType(parser, &type))
    return false;
  MlirType input =
      mlirTypeIsAFunction(type) && mlirFunctionTypeGetNumInputs(type)
          ? mlirFunctionTypeGetInput(type, 0)
          : (MlirType){NULL};
  if (mlirTypeIsNull(input) || !mlirTypeIsATensor(input))
    return mlirExtAsmFail(parser, place,
                          "expected (types of tensors) -> types");
  if (!mlirExtAsmUseFunctionType(parser, place, type))
    return false;
  // Here, because the operations inside have the same.
  MlirLocation location = mlirExtAsmGetLocation(parser, start);
  mlirExtAsmParseOptionalLocation(parser, &location);
  mlirExtAsmAddRegion(
      parser, makeRegion(location, text,
                         mlirRankedTensorTypeGet(
                             0, NULL, mlirShapedTypeGetElementType(input),
                             mlirAttributeGetNull())));
  return true;
}

bool xlaReduceTextParse(MlirExtAsmParser parser,
                        const MlirExtOpDefinition *def) {
  (void)def;
  MlirExtAsmPlace start = mlirExtAsmGetPlace(parser);
  if (!parsePairs(parser))
    return false;
  if (mlirExtAsmParseOptionalToken(parser, "applies"))
    return parseApplied(parser, start);
  return parseAcross(parser) && mlirExtAsmParseFunctionType(parser) &&
         parseReducer(parser);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static bool isBare(MlirOperation op) {
  return !mlirOperationGetNumDiscardableAttributes(op) &&
         !mlirDictionaryAttrGetNumElements(
             mlirExtOperationGetInherentAttributes(op));
}

/// Whether `op` has the operands `a` and `b`, or one that is `a`.
static bool hasOperands(MlirOperation op, MlirValue a, MlirValue b) {
  intptr_t n = mlirValueIsNull(b) ? 1 : 2;
  return mlirOperationGetNumOperands(op) == n &&
         mlirValueEqual(mlirOperationGetOperand(op, 0), a) &&
         (n == 1 || mlirValueEqual(mlirOperationGetOperand(op, 1), b));
}

/// The one operation that the computation applies; null if it is not so simple.
static MlirOperation findApplied(MlirOperation op) {
  MlirOperation none = {NULL};
  MlirBlock block = xlaForeignEntry(op, 0);
  if (mlirBlockGetNumArguments(block) != 2)
    return none;
  MlirOperation inner = mlirBlockGetFirstOperation(block);
  MlirOperation last = mlirOperationGetNextInBlock(inner);
  MlirValue a = mlirBlockGetArgument(block, 0);
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  if (mlirOperationIsNull(last) ||
      !mlirOperationIsNull(mlirOperationGetNextInBlock(last)) ||
      !xlaForeignIsSymmetric(mlirIdentifierStr(mlirOperationGetName(inner))) ||
      !xlaIrIsOp(last, "stablehlo.return") || !isBare(inner) || !isBare(last) ||
      !mlirTypeIsATensor(type))
    return none;
  MlirType scalar = mlirRankedTensorTypeGet(
      0, NULL, mlirShapedTypeGetElementType(type), mlirAttributeGetNull());
  bool simple =
      hasOperands(inner, a, mlirBlockGetArgument(block, 1)) &&
      mlirOperationGetNumResults(inner) == 1 &&
      mlirOperationGetNumRegions(inner) == 0 &&
      hasOperands(last, mlirOperationGetResult(inner, 0), (MlirValue){NULL}) &&
      mlirOperationGetNumResults(last) == 0 &&
      mlirOperationGetNumRegions(last) == 0 &&
      mlirTypeEqual(mlirValueGetType(a), scalar) &&
      mlirTypeEqual(mlirValueGetType(mlirBlockGetArgument(block, 1)), scalar) &&
      mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(inner, 0)), scalar);
  return simple ? inner : none;
}

static void printReducer(MlirOperation op, MlirExtAsmPrinter printer,
                         intptr_t n) {
  MlirBlock block = xlaForeignEntry(op, 0);
  mlirExtAsmPrintNewline(printer);
  mlirExtAsmPrint(printer, " reducer");
  for (intptr_t i = 0; i < n; ++i) {
    mlirExtAsmPrint(printer, "(");
    mlirExtAsmPrintArgument(printer, mlirBlockGetArgument(block, i));
    mlirExtAsmPrint(printer, ", ");
    mlirExtAsmPrintArgument(printer, mlirBlockGetArgument(block, n + i));
    mlirExtAsmPrint(printer, ") ");
  }
  mlirExtAsmPrint(printer, " ");
  mlirExtAsmPrintRegion(printer, mlirOperationGetRegion(op, 0),
                        /*withArguments=*/false);
}

bool xlaReduceTextPrint(MlirOperation op, MlirExtAsmPrinter printer,
                        const MlirExtOpDefinition *def) {
  (void)def;
  static const char *const elided[] = {"dimensions", NULL};
  MlirAttribute dimensions = xlaForeignGetAttr(op, "dimensions");
  intptr_t nOperands = mlirOperationGetNumOperands(op), n = nOperands / 2;
  if (!n || nOperands % 2 || !xlaForeignHasBlocks(op, nOperands) ||
      mlirAttributeIsNull(dimensions) ||
      !mlirAttributeIsADenseI64Array(dimensions))
    return false;
  mlirExtAsmPrintName(printer, op);
  for (intptr_t i = 0; i < n; ++i) {
    mlirExtAsmPrint(printer, i ? ", (" : "(");
    xlaForeignPrintOperands(printer, op, i, 1);
    mlirExtAsmPrint(printer, " init: ");
    xlaForeignPrintOperands(printer, op, n + i, 1);
    mlirExtAsmPrint(printer, ")");
  }
  MlirOperation applied = findApplied(op);
  if (!mlirOperationIsNull(applied)) {
    mlirExtAsmPrint(printer, " applies ");
    mlirExtAsmPrintText(printer,
                        mlirIdentifierStr(mlirOperationGetName(applied)));
  }
  mlirExtAsmPrint(printer, " across dimensions = ");
  xlaForeignPrintIntegers(printer, dimensions);
  xlaForeignPrintAttributes(printer, op, elided, /*withKeyword=*/false);
  mlirExtAsmPrint(printer, " : ");
  mlirExtAsmPrintFunctionType(printer, op);
  if (mlirOperationIsNull(applied))
    printReducer(op, printer, n);
  return true;
}

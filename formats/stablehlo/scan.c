//===- scan.c - scan(%x) inits (%z) dimension=0 {..} ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/stablehlo/syntax.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

static const XlaFormatWord dimension = {"i64", "", 1, {"dimension"}};

/// `(%a, %b)`.
static bool parseList(MlirExtAsmParser parser, int list, int32_t *n) {
  *n = 0;
  if (!mlirExtAsmParseToken(parser, "("))
    return false;
  if (mlirExtAsmParseOptionalToken(parser, ")"))
    return true;
  do {
    if (!mlirExtAsmParseOperand(parser, list))
      return false;
    ++*n;
  } while (mlirExtAsmParseOptionalToken(parser, ","));
  return mlirExtAsmParseToken(parser, ")");
}

static void addSegments(MlirExtAsmParser parser, const char *name, int32_t a,
                        int32_t b) {
  int32_t sizes[] = {a, b};
  mlirExtAsmAddAttribute(
      parser, name,
      mlirDenseI32ArrayGet(mlirExtAsmGetContext(parser), 2, sizes));
}

bool xlaScanTextParse(MlirExtAsmParser parser, const MlirExtOpDefinition *def) {
  int32_t nInputs, nInits;
  if (!parseList(parser, 0, &nInputs) ||
      !mlirExtAsmParseToken(parser, "inits") ||
      !parseList(parser, 1, &nInits) ||
      !mlirExtAsmParseToken(parser, "dimension") ||
      !mlirExtAsmParseToken(parser, "=") ||
      !xlaFormatFindValue("i64")->parse(parser, xlaForeignOpOf(def),
                                        &dimension) ||
      !mlirExtAsmParseAttributes(parser, /*withKeyword=*/true) ||
      !mlirExtAsmParseRegion(parser, /*withArguments=*/false) ||
      !mlirExtAsmParseToken(parser, ":"))
    return false;
  MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
  MlirType type;
  if (!mlirExtAsmParseType(parser, &type) ||
      !mlirExtAsmUseFunctionType(parser, place, type))
    return false;
  // The last results are the carried values.
  intptr_t nResults = mlirFunctionTypeGetNumResults(type);
  if (nResults < nInits)
    return mlirExtAsmFail(parser, place, "fewer results than carried values");
  addSegments(parser, "operandSegmentSizes", nInputs, nInits);
  addSegments(parser, "resultSegmentSizes", (int32_t)nResults - nInits, nInits);
  return true;
}

/// The two sizes of an attribute; false if there are no such.
static bool readSegments(MlirOperation op, const char *name, int64_t sizes[2]) {
  MlirAttribute value = xlaForeignGetAttr(op, name);
  if (mlirAttributeIsNull(value) || !mlirAttributeIsADenseI32Array(value) ||
      mlirDenseArrayGetNumElements(value) != 2)
    return false;
  for (int i = 0; i < 2; ++i)
    sizes[i] = mlirDenseI32ArrayGetElement(value, i);
  return sizes[0] >= 0 && sizes[1] >= 0;
}

const char *xlaScanNameArgument(MlirOperation op, intptr_t index) {
  int64_t sizes[2];
  if (!readSegments(op, "operandSegmentSizes", sizes) ||
      index >= sizes[0] + sizes[1])
    return NULL;
  return index < sizes[0] ? "input" : "carry";
}

bool xlaScanTextPrint(MlirOperation op, MlirExtAsmPrinter printer,
                      const MlirExtOpDefinition *def) {
  static const char *const elided[] = {"dimension", "operandSegmentSizes",
                                       "resultSegmentSizes", NULL};
  int64_t operands[2], results[2];
  const XlaFormatValue *value = xlaFormatFindValue("i64");
  if (!readSegments(op, "operandSegmentSizes", operands) ||
      !readSegments(op, "resultSegmentSizes", results) ||
      operands[0] + operands[1] != mlirOperationGetNumOperands(op) ||
      results[0] + results[1] != mlirOperationGetNumResults(op) ||
      results[1] != operands[1] || !xlaForeignHasBlocks(op, -1) ||
      !value->isWhole(op, xlaForeignOpOf(def), &dimension))
    return false;
  mlirExtAsmPrintName(printer, op);
  mlirExtAsmPrint(printer, "(");
  xlaForeignPrintOperands(printer, op, 0, operands[0]);
  mlirExtAsmPrint(printer, ") inits (");
  xlaForeignPrintOperands(printer, op, operands[0], operands[1]);
  mlirExtAsmPrint(printer, ") dimension=");
  value->print(op, printer, &dimension);
  mlirExtAsmPrint(printer, " ");
  xlaForeignPrintAttributes(printer, op, elided, /*withKeyword=*/true);
  mlirExtAsmPrint(printer, " ");
  mlirExtAsmPrintRegion(printer, mlirOperationGetRegion(op, 0),
                        /*withArguments=*/true);
  mlirExtAsmPrint(printer, " : ");
  mlirExtAsmPrintFunctionType(printer, op);
  return true;
}

//===- constant.c - constant dense<1.0> : tensor<4xf32> ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/stablehlo/syntax.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

bool xlaConstantTextParse(MlirExtAsmParser parser,
                          const MlirExtOpDefinition *def) {
  (void)def;
  MlirAttribute value;
  if (!mlirExtAsmParseAttributes(parser, /*withKeyword=*/false))
    return false;
  MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
  if (!mlirExtAsmParseAttribute(parser, &value))
    return false;
  if (!mlirAttributeIsAElements(value))
    return mlirExtAsmFail(parser, place,
                          "expected elements such as dense<1.0> : "
                          "tensor<4xf32>");
  MlirType type = mlirAttributeGetType(value);
  mlirExtAsmAddAttribute(parser, "value", value);
  mlirExtAsmAddResults(parser, 1, &type);
  return true;
}

//===----------------------------------------------------------------------===//
// Booleans in hex
//===----------------------------------------------------------------------===//

/// How a text begins.
typedef struct Start {
  char text[16];
  size_t length;
} Start;

static void addStart(MlirStringRef part, void *data) {
  Start *start = data;
  size_t room = sizeof start->text - start->length;
  size_t length = part.length < room ? part.length : room;
  if (length)
    memcpy(start->text + start->length, part.data, length);
  start->length += length;
}

/// Whether `value` has booleans, so many that MLIR prints them in hex.
static bool areBoolsInHex(MlirAttribute value) {
  static const char hex[] = "dense<\"0x";
  MlirType element = mlirShapedTypeGetElementType(mlirAttributeGetType(value));
  Start start = {.length = 0};
  if (!mlirAttributeIsADenseIntElements(value) ||
      !mlirTypeIsAInteger(element) || mlirIntegerTypeGetWidth(element) != 1 ||
      mlirDenseElementsAttrIsSplat(value))
    return false;
  mlirAttributePrint(value, addStart, &start);
  return start.length >= sizeof hex - 1 &&
         !memcmp(start.text, hex, sizeof hex - 1);
}

/// A byte an element, as StableHLO's own MLIR writes and reads them; that of
/// this project packs eight into a byte (xlaRepackBoolConstants).
static void printBools(MlirExtAsmPrinter printer, MlirAttribute value) {
  int64_t n = mlirElementsAttrGetNumElements(value);
  mlirExtAsmPrint(printer, "dense<\"0x");
  for (int64_t i = 0; i < n; ++i)
    mlirExtAsmPrint(printer,
                    mlirDenseElementsAttrGetBoolValue(value, i) ? "01" : "00");
  mlirExtAsmPrint(printer, "\"> : ");
  mlirExtAsmPrintType(printer, mlirAttributeGetType(value));
}

bool xlaConstantTextPrint(MlirOperation op, MlirExtAsmPrinter printer,
                          const MlirExtOpDefinition *def) {
  (void)def;
  static const char *const elided[] = {"value", NULL};
  MlirAttribute value = xlaForeignGetAttr(op, "value");
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAElements(value) ||
      !mlirTypeEqual(mlirAttributeGetType(value),
                     mlirValueGetType(mlirOperationGetResult(op, 0))))
    return false;
  mlirExtAsmPrintName(printer, op);
  xlaForeignPrintAttributes(printer, op, elided, /*withKeyword=*/false);
  mlirExtAsmPrint(printer, " ");
  if (areBoolsInHex(value))
    printBools(printer, value);
  else
    mlirExtAsmPrintAttribute(printer, value);
  return true;
}

const char *xlaConstantName(MlirOperation op, const char *dialect) {
  if (strcmp(dialect, "stablehlo") != 0 || mlirOperationGetNumResults(op) != 1)
    return NULL;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  return mlirTypeIsATensor(type) &&
                 mlirTypeIsAInteger(mlirShapedTypeGetElementType(type))
             ? "c"
             : "cst";
}

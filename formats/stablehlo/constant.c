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

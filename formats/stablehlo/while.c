//===- while.c - while(%x = %init) : type cond {..} do {..} --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of the two blocks have the same names, which stand for both.
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/stablehlo/syntax.h"

bool xlaWhileTextParse(MlirExtAsmParser parser,
                       const MlirExtOpDefinition *def) {
  (void)def;
  MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
  intptr_t n = 0;
  const MlirType *types = NULL;
  if (!mlirExtAsmParseToken(parser, "("))
    return false;
  if (!mlirExtAsmParseOptionalToken(parser, ")")) {
    do {
      if (!mlirExtAsmParseArgument(parser, 0, /*withType=*/false) ||
          !mlirExtAsmParseToken(parser, "=") ||
          !mlirExtAsmParseOperand(parser, 0))
        return false;
    } while (mlirExtAsmParseOptionalToken(parser, ","));
    if (!mlirExtAsmParseToken(parser, ")") ||
        !mlirExtAsmParseToken(parser, ":") ||
        !mlirExtAsmParseTypes(parser, &n, &types))
      return false;
  }
  mlirExtAsmAddResults(parser, n, types);
  mlirExtAsmSetArgumentTypes(parser, n, types);
  return mlirExtAsmResolveOperands(parser, place, n, types) &&
         mlirExtAsmParseAttributes(parser, /*withKeyword=*/true) &&
         mlirExtAsmParseToken(parser, "cond") &&
         mlirExtAsmParseRegion(parser, /*withArguments=*/true) &&
         mlirExtAsmParseToken(parser, "do") &&
         mlirExtAsmParseRegion(parser, /*withArguments=*/true);
}

/// Whether each operand, its result and its arguments have one type.
static bool typesAgree(MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  if (mlirOperationGetNumResults(op) != n || !xlaForeignHasBlocks(op, n))
    return false;
  for (intptr_t i = 0; i < n; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (!mlirTypeEqual(type, mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
    for (intptr_t r = 0; r < 2; ++r)
      if (!mlirTypeEqual(type, mlirValueGetType(mlirBlockGetArgument(
                                   xlaForeignEntry(op, r), i))))
        return false;
  }
  return true;
}

bool xlaWhileTextPrint(MlirOperation op, MlirExtAsmPrinter printer,
                       const MlirExtOpDefinition *def) {
  (void)def;
  static const char *const none[] = {NULL};
  intptr_t n = mlirOperationGetNumOperands(op);
  if (!typesAgree(op))
    return false;
  mlirExtAsmPrintName(printer, op);
  mlirExtAsmPrint(printer, "(");
  for (intptr_t i = 0; i < n; ++i) {
    mlirExtAsmPrint(printer, i ? ", " : "");
    mlirExtAsmPrintValue(printer,
                         mlirBlockGetArgument(xlaForeignEntry(op, 1), i));
    mlirExtAsmPrint(printer, " = ");
    mlirExtAsmPrintValue(printer, mlirOperationGetOperand(op, i));
  }
  mlirExtAsmPrint(printer, ")");
  for (intptr_t i = 0; i < n; ++i) {
    mlirExtAsmPrint(printer, i ? ", " : " : ");
    mlirExtAsmPrintType(printer,
                        mlirValueGetType(mlirOperationGetOperand(op, i)));
  }
  xlaForeignPrintAttributes(printer, op, none, /*withKeyword=*/true);
  mlirExtAsmPrintNewline(printer);
  mlirExtAsmPrint(printer, "cond ");
  mlirExtAsmPrintRegion(printer, mlirOperationGetRegion(op, 0),
                        /*withArguments=*/false);
  mlirExtAsmPrint(printer, " do ");
  mlirExtAsmPrintRegion(printer, mlirOperationGetRegion(op, 1),
                        /*withArguments=*/false);
  return true;
}

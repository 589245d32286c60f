//===- shardy.c - Computations of Shardy ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   sdy.manual_computation(%a) in_shardings=[..] out_shardings=[..]
//       manual_axes={..} (%x: type) {..} : (types) -> types
//   sdy.named_computation<"name">(%a) in_shardings=[..] .. (%x: type) {..} : ..
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/stablehlo/syntax.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

static const XlaFormatWord axes = {"text", "manual_axes", 1, {"manual_axes"}};
static const XlaFormatWord name = {"string", "", 1, {"name"}};
static const char *const shardings[] = {"in_shardings", "out_shardings"};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool parseOperands(MlirExtAsmParser parser) {
  if (!mlirExtAsmParseToken(parser, "("))
    return false;
  if (mlirExtAsmParseOptionalToken(parser, ")"))
    return true;
  do {
    if (!mlirExtAsmParseOperand(parser, 0))
      return false;
  } while (mlirExtAsmParseOptionalToken(parser, ","));
  return mlirExtAsmParseToken(parser, ")");
}

/// `in_shardings=[..] out_shardings=[..]`, each of which may be missing unless
/// they are required.
static bool parseShardings(MlirExtAsmParser parser, bool required) {
  for (int i = 0; i < 2; ++i) {
    MlirStringRef text;
    if (!required && !mlirExtAsmParseOptionalToken(parser, shardings[i]))
      continue;
    if ((required && !mlirExtAsmParseToken(parser, shardings[i])) ||
        !mlirExtAsmParseToken(parser, "=") ||
        !mlirExtAsmParseBracketed(parser, &text))
      return false;
    mlirExtAsmAddAttribute(
        parser, shardings[i],
        xlaForeignOpaque(mlirExtAsmGetContext(parser), "sdy",
                         mlirStringRefCreateFromCString("sharding_per_value<"),
                         text, mlirStringRefCreateFromCString(">")));
  }
  return true;
}

/// `(%x: type) {..} {attrs} : (types) -> types`.
static bool parseBody(MlirExtAsmParser parser) {
  if (!mlirExtAsmParseToken(parser, "("))
    return false;
  if (!mlirExtAsmParseOptionalToken(parser, ")")) {
    do {
      if (!mlirExtAsmParseArgument(parser, 0, /*withType=*/true))
        return false;
    } while (mlirExtAsmParseOptionalToken(parser, ","));
    if (!mlirExtAsmParseToken(parser, ")"))
      return false;
  }
  return mlirExtAsmParseRegion(parser, /*withArguments=*/true) &&
         mlirExtAsmParseAttributes(parser, /*withKeyword=*/false) &&
         mlirExtAsmParseToken(parser, ":") &&
         mlirExtAsmParseFunctionType(parser);
}

bool xlaManualComputationParse(MlirExtAsmParser parser,
                               const MlirExtOpDefinition *def) {
  return parseOperands(parser) && parseShardings(parser, true) &&
         mlirExtAsmParseToken(parser, "manual_axes") &&
         mlirExtAsmParseToken(parser, "=") &&
         xlaFormatFindValue("text")->parse(parser, xlaForeignOpOf(def),
                                           &axes) &&
         parseBody(parser);
}

bool xlaNamedComputationParse(MlirExtAsmParser parser,
                              const MlirExtOpDefinition *def) {
  return mlirExtAsmParseToken(parser, "<") &&
         xlaFormatFindValue("string")->parse(parser, xlaForeignOpOf(def),
                                             &name) &&
         mlirExtAsmParseToken(parser, ">") && parseOperands(parser) &&
         parseShardings(parser, false) && parseBody(parser);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// The `[..]` of #sdy.sharding_per_value<[..]>.
static MlirStringRef shardingText(MlirOperation op, const char *which) {
  MlirStringRef text = xlaForeignAfter(xlaForeignGetAttr(op, which), "sdy",
                                       "sharding_per_value<");
  bool isList = text.length > 2 && *text.data == '[' &&
                !memcmp(text.data + text.length - 2, "]>", 2);
  return mlirStringRefCreate(text.data, isList ? text.length - 1 : 0);
}

static bool hasShardings(MlirOperation op, bool required) {
  for (int i = 0; i < 2; ++i)
    if ((required ||
         !mlirAttributeIsNull(xlaForeignGetAttr(op, shardings[i]))) &&
        !xlaForeignIsBracketed(shardingText(op, shardings[i])))
      return false;
  return true;
}

static void printShardings(MlirOperation op, MlirExtAsmPrinter printer) {
  for (int i = 0; i < 2; ++i) {
    MlirStringRef text = shardingText(op, shardings[i]);
    if (!text.length)
      continue;
    mlirExtAsmPrint(printer, " ");
    mlirExtAsmPrint(printer, shardings[i]);
    mlirExtAsmPrint(printer, "=");
    mlirExtAsmPrintText(printer, text);
  }
}

static void printOperands(MlirOperation op, MlirExtAsmPrinter printer) {
  mlirExtAsmPrint(printer, "(");
  xlaForeignPrintOperands(printer, op, 0, mlirOperationGetNumOperands(op));
  mlirExtAsmPrint(printer, ")");
}

static void printBody(MlirOperation op, MlirExtAsmPrinter printer) {
  static const char *const elided[] = {"in_shardings", "out_shardings",
                                       "manual_axes", "name", NULL};
  MlirBlock block = xlaForeignEntry(op, 0);
  mlirExtAsmPrint(printer, " (");
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    mlirExtAsmPrint(printer, i ? ", " : "");
    mlirExtAsmPrintArgument(printer, mlirBlockGetArgument(block, i));
  }
  mlirExtAsmPrint(printer, ") ");
  mlirExtAsmPrintRegion(printer, mlirOperationGetRegion(op, 0),
                        /*withArguments=*/false);
  xlaForeignPrintAttributes(printer, op, elided, /*withKeyword=*/false);
  mlirExtAsmPrint(printer, " : ");
  mlirExtAsmPrintFunctionType(printer, op);
}

bool xlaManualComputationPrint(MlirOperation op, MlirExtAsmPrinter printer,
                               const MlirExtOpDefinition *def) {
  const XlaFormatValue *text = xlaFormatFindValue("text");
  if (!xlaForeignHasBlocks(op, -1) || !hasShardings(op, true) ||
      !text->isWhole(op, xlaForeignOpOf(def), &axes) ||
      !mlirAttributeIsNull(xlaForeignGetAttr(op, "name")))
    return false;
  mlirExtAsmPrintName(printer, op);
  printOperands(op, printer);
  printShardings(op, printer);
  mlirExtAsmPrint(printer, " manual_axes=");
  text->print(op, printer, &axes);
  printBody(op, printer);
  return true;
}

bool xlaNamedComputationPrint(MlirOperation op, MlirExtAsmPrinter printer,
                              const MlirExtOpDefinition *def) {
  const XlaFormatValue *string = xlaFormatFindValue("string");
  if (!xlaForeignHasBlocks(op, -1) || !hasShardings(op, false) ||
      !string->isWhole(op, xlaForeignOpOf(def), &name) ||
      !mlirAttributeIsNull(xlaForeignGetAttr(op, "manual_axes")))
    return false;
  mlirExtAsmPrintName(printer, op);
  mlirExtAsmPrint(printer, "<");
  string->print(op, printer, &name);
  mlirExtAsmPrint(printer, ">");
  printOperands(op, printer);
  printShardings(op, printer);
  printBody(op, printer);
  return true;
}

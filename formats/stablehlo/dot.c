//===- dot.c - dot_general %a, %b, contracting_dims = [1] x [0] ----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/stablehlo/syntax.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/passes/import/stablehlo/text.h"

#include <stdio.h>
#include <string.h>

/// Lists of #stablehlo.dot<..>, in its order, which is that of the text too.
static const char *const keys[] = {
    "lhs_batching_dimensions", "rhs_batching_dimensions",
    "lhs_contracting_dimensions", "rhs_contracting_dimensions"};
static const XlaFormatWord precision = {
    "words", "precision", 1, {"precision_config"}};
static const XlaFormatWord algorithm = {
    "text", "dot_algorithm", 1, {"algorithm"}};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

typedef struct Text {
  char data[8192];
  size_t length;
} Text;

static void append(Text *text, const char *part) {
  size_t length = strlen(part);
  if (length >= sizeof text->data - text->length)
    length = sizeof text->data - text->length - 1;
  memcpy(text->data + text->length, part, length);
  text->length += length;
}

/// `key = [1, 2]`, if the list is not empty.
static void appendList(Text *text, const char *key, MlirAttribute list) {
  intptr_t n = mlirDenseArrayGetNumElements(list);
  char number[32];
  if (!n)
    return;
  append(text, text->length > strlen("dot<") ? ", " : "");
  append(text, key);
  for (intptr_t i = 0; i < n; ++i) {
    snprintf(number, sizeof number, "%s%lld", i ? ", " : " = [",
             (long long)mlirDenseI64ArrayGetElement(list, i));
    append(text, number);
  }
  append(text, "]");
}

/// `= [1] x [0]`.
static bool parseLists(MlirExtAsmParser parser, MlirAttribute lists[2]) {
  if (!mlirExtAsmParseToken(parser, "="))
    return false;
  MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
  if (!mlirExtAsmParseIntegers(parser, &lists[0]) ||
      !mlirExtAsmParseToken(parser, "x") ||
      !mlirExtAsmParseIntegers(parser, &lists[1]))
    return false;
  if (mlirDenseArrayGetNumElements(lists[0]) > XLA_MAX_LIST ||
      mlirDenseArrayGetNumElements(lists[1]) > XLA_MAX_LIST)
    return mlirExtAsmFail(parser, place, "a list has more than 64 dimensions");
  return true;
}

static bool parseDimensions(MlirExtAsmParser parser) {
  MlirContext context = mlirExtAsmGetContext(parser);
  MlirAttribute empty = mlirDenseI64ArrayGet(context, 0, NULL);
  MlirAttribute lists[4] = {empty, empty, empty, empty};
  if (mlirExtAsmParseOptionalToken(parser, "batching_dims") &&
      (!parseLists(parser, lists) || !mlirExtAsmParseToken(parser, ",")))
    return false;
  if (!mlirExtAsmParseToken(parser, "contracting_dims") ||
      !parseLists(parser, lists + 2))
    return false;
  Text text = {.length = 0};
  append(&text, "dot<");
  for (int i = 0; i < 4; ++i)
    appendList(&text, keys[i], lists[i]);
  append(&text, ">");
  MlirStringRef none = {NULL, 0};
  mlirExtAsmAddAttribute(
      parser, "dot_dimension_numbers",
      xlaForeignOpaque(context, "stablehlo",
                       mlirStringRefCreate(text.data, text.length), none,
                       none));
  return true;
}

/// `, precision = [..]` and `, algorithm = <..>`.
static bool parseOptions(MlirExtAsmParser parser, const XlaForeignOp *row) {
  bool comma = mlirExtAsmParseOptionalToken(parser, ",");
  if (comma && mlirExtAsmParseOptionalToken(parser, "precision")) {
    if (!mlirExtAsmParseToken(parser, "=") ||
        !xlaFormatFindValue("words")->parse(parser, row, &precision))
      return false;
    comma = mlirExtAsmParseOptionalToken(parser, ",");
  }
  return !comma || (mlirExtAsmParseToken(parser, "algorithm") &&
                    mlirExtAsmParseToken(parser, "=") &&
                    xlaFormatFindValue("text")->parse(parser, row, &algorithm));
}

bool xlaDotTextParse(MlirExtAsmParser parser, const MlirExtOpDefinition *def) {
  return mlirExtAsmParseOperand(parser, 0) &&
         mlirExtAsmParseToken(parser, ",") &&
         mlirExtAsmParseOperand(parser, 0) &&
         mlirExtAsmParseToken(parser, ",") && parseDimensions(parser) &&
         parseOptions(parser, xlaForeignOpOf(def)) &&
         mlirExtAsmParseAttributes(parser, /*withKeyword=*/false) &&
         mlirExtAsmParseToken(parser, ":") &&
         mlirExtAsmParseFunctionType(parser);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static bool readDimensions(MlirOperation op, XlaI64List lists[4]) {
  MlirStringRef text = xlaForeignAfter(
      xlaForeignGetAttr(op, "dot_dimension_numbers"), "stablehlo", "dot");
  const XlaStructForm *form =
      xlaStructFind(mlirStringRefCreateFromCString("dot"));
  XlaImportText cursor = {text.data, text.data + text.length};
  XlaStructValues values;
  if (!text.length || !xlaTextReadStruct(&cursor, form, &values))
    return false;
  for (int i = 0; i < 4; ++i) {
    lists[i] = values.lists[i];
    lists[i].size = values.given[i] ? lists[i].size : 0;
  }
  return true;
}

static void printLists(MlirExtAsmPrinter printer, const char *name,
                       const XlaI64List lists[2]) {
  mlirExtAsmPrint(printer, name);
  for (int side = 0; side < 2; ++side) {
    mlirExtAsmPrint(printer, side ? " x [" : " = [");
    for (int i = 0; i < lists[side].size; ++i) {
      mlirExtAsmPrint(printer, i ? ", " : "");
      mlirExtAsmPrintInteger(printer, lists[side].values[i]);
    }
    mlirExtAsmPrint(printer, "]");
  }
}

/// What may be missing is whole, too.
static bool isWhole(MlirOperation op, const XlaForeignOp *row,
                    const XlaFormatWord *word) {
  return mlirAttributeIsNull(xlaForeignGetAttr(op, word->names[0])) ||
         xlaFormatFindValue(word->kind)->isWhole(op, row, word);
}

static void printOption(MlirOperation op, MlirExtAsmPrinter printer,
                        const char *name, const XlaFormatWord *word) {
  if (mlirAttributeIsNull(xlaForeignGetAttr(op, word->names[0])))
    return;
  mlirExtAsmPrint(printer, name);
  xlaFormatFindValue(word->kind)->print(op, printer, word);
}

bool xlaDotTextPrint(MlirOperation op, MlirExtAsmPrinter printer,
                     const MlirExtOpDefinition *def) {
  static const char *const elided[] = {"dot_dimension_numbers",
                                       "precision_config", "algorithm", NULL};
  const XlaForeignOp *row = xlaForeignOpOf(def);
  XlaI64List lists[4];
  if (!readDimensions(op, lists) || !isWhole(op, row, &precision) ||
      !isWhole(op, row, &algorithm))
    return false;
  mlirExtAsmPrintName(printer, op);
  mlirExtAsmPrint(printer, " ");
  xlaForeignPrintOperands(printer, op, 0, 2);
  if (lists[0].size || lists[1].size)
    printLists(printer, ", batching_dims", lists);
  printLists(printer, ", contracting_dims", lists + 2);
  printOption(op, printer, ", precision = ", &precision);
  printOption(op, printer, ", algorithm = ", &algorithm);
  xlaForeignPrintAttributes(printer, op, elided, /*withKeyword=*/false);
  mlirExtAsmPrint(printer, " : ");
  mlirExtAsmPrintFunctionType(printer, op);
  return true;
}

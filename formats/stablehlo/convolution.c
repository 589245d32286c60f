//===- convolution.c - convolution(%x, %w) dim_numbers = .., window = {..} ===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/stablehlo/syntax.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

#define MAX_SPATIAL 1024

/// An entry of `window = {..}`, in the order of the text.
typedef struct WindowEntry {
  const char *key, *name;
  bool (*parse)(MlirExtAsmParser parser, MlirAttribute *value);
  bool (*isWhole)(MlirAttribute value);
  void (*print)(MlirExtAsmPrinter printer, MlirAttribute value);
} WindowEntry;

//===----------------------------------------------------------------------===//
// pad = [[1, 1], [0, 2]]
//===----------------------------------------------------------------------===//

static bool parsePad(MlirExtAsmParser parser, MlirAttribute *value) {
  MlirContext context = mlirExtAsmGetContext(parser);
  int64_t ends[2 * MAX_SPATIAL], shape[] = {0, 2};
  MlirAttribute pair;
  if (!mlirExtAsmParseToken(parser, "["))
    return false;
  bool empty = mlirExtAsmParseOptionalToken(parser, "]");
  while (!empty && (!shape[0] || mlirExtAsmParseOptionalToken(parser, ","))) {
    MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
    if (!mlirExtAsmParseIntegers(parser, &pair))
      return false;
    if (mlirDenseArrayGetNumElements(pair) != 2 || shape[0] == MAX_SPATIAL)
      return mlirExtAsmFail(parser, place,
                            "expected a pair [low, high] for each of up to "
                            "1024 dimensions");
    for (int i = 0; i < 2; ++i)
      ends[2 * shape[0] + i] = mlirDenseI64ArrayGetElement(pair, i);
    ++shape[0];
  }
  if (!empty && !mlirExtAsmParseToken(parser, "]"))
    return false;
  MlirType type = mlirRankedTensorTypeGet(
      2, shape, mlirIntegerTypeGet(context, 64), mlirAttributeGetNull());
  *value = mlirDenseElementsAttrInt64Get(type, 2 * shape[0], ends);
  return true;
}

static bool isPad(MlirAttribute value) {
  if (!mlirAttributeIsADenseIntElements(value))
    return false;
  MlirType type = mlirAttributeGetType(value);
  if (!mlirTypeIsARankedTensor(type) || mlirShapedTypeGetRank(type) != 2 ||
      mlirShapedTypeGetDimSize(type, 1) != 2 ||
      mlirShapedTypeGetDimSize(type, 0) > MAX_SPATIAL ||
      !mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type)))
    return false;
  MlirType element = mlirShapedTypeGetElementType(type);
  return mlirTypeIsAInteger(element) && mlirIntegerTypeIsSignless(element) &&
         mlirIntegerTypeGetWidth(element) == 64;
}

static void printPad(MlirExtAsmPrinter printer, MlirAttribute value) {
  mlirExtAsmPrint(printer, "[");
  for (intptr_t i = 0; i < mlirElementsAttrGetNumElements(value); ++i) {
    mlirExtAsmPrint(printer, i % 2 ? ", " : i ? "], [" : "[");
    mlirExtAsmPrintInteger(printer,
                           mlirDenseElementsAttrGetInt64Value(value, i));
  }
  mlirExtAsmPrint(printer, mlirElementsAttrGetNumElements(value) ? "]]" : "]");
}

//===----------------------------------------------------------------------===//
// reverse = [false, true]
//===----------------------------------------------------------------------===//

static bool parseReverse(MlirExtAsmParser parser, MlirAttribute *value) {
  int flags[MAX_SPATIAL];
  intptr_t n = 0;
  if (!mlirExtAsmParseToken(parser, "["))
    return false;
  bool empty = mlirExtAsmParseOptionalToken(parser, "]");
  while (!empty && (!n || mlirExtAsmParseOptionalToken(parser, ","))) {
    if (n == MAX_SPATIAL)
      return mlirExtAsmFail(parser, mlirExtAsmGetPlace(parser),
                            "more than 1024 dimensions");
    flags[n] = mlirExtAsmParseOptionalToken(parser, "true");
    if (!flags[n++] && !mlirExtAsmParseToken(parser, "false"))
      return false;
  }
  if (!empty && !mlirExtAsmParseToken(parser, "]"))
    return false;
  *value = mlirDenseBoolArrayGet(mlirExtAsmGetContext(parser), n, flags);
  return true;
}

static void printReverse(MlirExtAsmPrinter printer, MlirAttribute value) {
  mlirExtAsmPrint(printer, "[");
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(value); ++i) {
    mlirExtAsmPrint(printer, i ? ", " : "");
    mlirExtAsmPrint(printer,
                    mlirDenseBoolArrayGetElement(value, i) ? "true" : "false");
  }
  mlirExtAsmPrint(printer, "]");
}

//===----------------------------------------------------------------------===//
// The window
//===----------------------------------------------------------------------===//

static const WindowEntry window[] = {
    {"stride", "window_strides", mlirExtAsmParseIntegers,
     mlirAttributeIsADenseI64Array, xlaForeignPrintIntegers},
    {"pad", "padding", parsePad, isPad, printPad},
    {"lhs_dilate", "lhs_dilation", mlirExtAsmParseIntegers,
     mlirAttributeIsADenseI64Array, xlaForeignPrintIntegers},
    {"rhs_dilate", "rhs_dilation", mlirExtAsmParseIntegers,
     mlirAttributeIsADenseI64Array, xlaForeignPrintIntegers},
    {"reverse", "window_reversal", parseReverse, mlirAttributeIsADenseBoolArray,
     printReverse},
};
enum { nWindow = sizeof window / sizeof *window };

static bool parseWindowEntry(MlirExtAsmParser parser) {
  for (int i = 0; i < nWindow; ++i)
    if (mlirExtAsmParseOptionalToken(parser, window[i].key)) {
      MlirAttribute value;
      if (!mlirExtAsmParseToken(parser, "=") ||
          !window[i].parse(parser, &value))
        return false;
      mlirExtAsmAddAttribute(parser, window[i].name, value);
      return true;
    }
  return mlirExtAsmFail(parser, mlirExtAsmGetPlace(parser),
                        "expected 'stride', 'pad', 'lhs_dilate', 'rhs_dilate' "
                        "or 'reverse'");
}

static bool parseWindow(MlirExtAsmParser parser) {
  if (!mlirExtAsmParseToken(parser, "window") ||
      !mlirExtAsmParseToken(parser, "=") || !mlirExtAsmParseToken(parser, "{"))
    return false;
  if (mlirExtAsmParseOptionalToken(parser, "}"))
    return true;
  do {
    if (!parseWindowEntry(parser))
      return false;
  } while (mlirExtAsmParseOptionalToken(parser, ","));
  return mlirExtAsmParseToken(parser, "}");
}

static void printWindow(MlirOperation op, MlirExtAsmPrinter printer) {
  bool first = true;
  mlirExtAsmPrint(printer, ", window = {");
  for (int i = 0; i < nWindow; ++i) {
    MlirAttribute value = xlaForeignGetAttr(op, window[i].name);
    if (mlirAttributeIsNull(value))
      continue;
    mlirExtAsmPrint(printer, first ? "" : ", ");
    mlirExtAsmPrint(printer, window[i].key);
    mlirExtAsmPrint(printer, " = ");
    window[i].print(printer, value);
    first = false;
  }
  mlirExtAsmPrint(printer, "}");
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

/// `[b, 0, f]x[0, i, o]->[b, 0, f]`: the text of #stablehlo.conv<..>.
static bool parseNumbers(MlirExtAsmParser parser) {
  MlirStringRef first, text;
  if (!mlirExtAsmParseToken(parser, "dim_numbers") ||
      !mlirExtAsmParseToken(parser, "=") ||
      !mlirExtAsmParseBracketed(parser, &first) ||
      !mlirExtAsmParseToken(parser, "x") ||
      !mlirExtAsmParseBracketed(parser, &text) ||
      !mlirExtAsmParseToken(parser, "->") ||
      !mlirExtAsmParseBracketed(parser, &text))
    return false;
  // All of it, from the first bracket to the last.
  text = mlirStringRefCreate(first.data,
                             (size_t)(text.data + text.length - first.data));
  mlirExtAsmAddAttribute(
      parser, "dimension_numbers",
      xlaForeignOpaque(mlirExtAsmGetContext(parser), "stablehlo",
                       mlirStringRefCreateFromCString("conv<"), text,
                       mlirStringRefCreateFromCString(">")));
  return true;
}

bool xlaConvolutionTextParse(MlirExtAsmParser parser,
                             const MlirExtOpDefinition *def) {
  (void)def;
  return mlirExtAsmParseToken(parser, "(") &&
         mlirExtAsmParseOperand(parser, 0) &&
         mlirExtAsmParseToken(parser, ",") &&
         mlirExtAsmParseOperand(parser, 0) &&
         mlirExtAsmParseToken(parser, ")") && parseNumbers(parser) &&
         mlirExtAsmParseToken(parser, ",") && parseWindow(parser) &&
         mlirExtAsmParseAttributes(parser, /*withKeyword=*/false) &&
         mlirExtAsmParseToken(parser, ":") &&
         mlirExtAsmParseFunctionType(parser);
}

/// Takes `word` from the front of `text`; false if that is something else.
static bool takeWord(MlirStringRef *text, const char *word) {
  size_t n = strlen(word);
  if (text->length < n || memcmp(text->data, word, n) != 0)
    return false;
  *text = mlirStringRefCreate(text->data + n, text->length - n);
  return true;
}

/// The same of `[b, 0, f]`, with any entries.
static bool takeList(MlirStringRef *text) {
  if (!takeWord(text, "["))
    return false;
  size_t n = 0;
  while (n < text->length && text->data[n] &&
         strchr(", biof?0123456789", text->data[n]))
    ++n;
  *text = mlirStringRefCreate(text->data + n, text->length - n);
  return takeWord(text, "]");
}

/// Whether `text` is what parseNumbers reads, and a `>`.
static bool areNumbers(MlirStringRef text) {
  return takeList(&text) && takeWord(&text, "x") && takeList(&text) &&
         takeWord(&text, "->") && takeList(&text) && takeWord(&text, ">") &&
         !text.length;
}

bool xlaConvolutionTextPrint(MlirOperation op, MlirExtAsmPrinter printer,
                             const MlirExtOpDefinition *def) {
  (void)def;
  const char *elided[nWindow + 2] = {"dimension_numbers"};
  MlirStringRef numbers = xlaForeignAfter(
      xlaForeignGetAttr(op, "dimension_numbers"), "stablehlo", "conv<");
  if (!areNumbers(numbers))
    return false;
  for (int i = 0; i < nWindow; ++i) {
    MlirAttribute value = xlaForeignGetAttr(op, window[i].name);
    if (!mlirAttributeIsNull(value) && !window[i].isWhole(value))
      return false;
    elided[i + 1] = window[i].name;
  }
  mlirExtAsmPrintName(printer, op);
  mlirExtAsmPrint(printer, "(");
  xlaForeignPrintOperands(printer, op, 0, 2);
  mlirExtAsmPrint(printer, ") dim_numbers = ");
  mlirExtAsmPrintText(printer,
                      mlirStringRefCreate(numbers.data, numbers.length - 1));
  printWindow(op, printer);
  xlaForeignPrintAttributes(printer, op, elided, /*withKeyword=*/false);
  mlirExtAsmPrint(printer, " : ");
  mlirExtAsmPrintFunctionType(printer, op);
  return true;
}

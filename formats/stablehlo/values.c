//===- values.c - Attributes within an operation's text ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// | kind            | text        | attribute                                 |
// |-----------------|-------------|-------------------------------------------|
// | `i32`, `i64`    | `1`         | an integer of that type                   |
// | `integers`      | `[1, 2]`    | `array<i64: 1, 2>`                        |
// | `bool`          | `true`      | itself                                    |
// | `string`        | `"text"`    | itself                                    |
// | `symbol`        | `@name`     | `"name"`                                  |
// | `word:k`        | `LT`        | `#dialect<k LT>`                          |
// | `words:k`       | `[A, B]`    | an array of those                         |
// | `text:k`        | `<..>`      | `#dialect<k<..>>`, of any brackets        |
// | `choice:A|B`    | `B`         | `1 : i32`, the number of the choice       |
// | `bits`          | `e5m10`     | two integers                              |
// | `ranges`        | `[1:3:2]`   | three arrays: from, to and step           |
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/stablehlo/syntax.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

#define PARSE(name)                                                            \
  static bool name(MlirExtAsmParser parser, const XlaForeignOp *row,           \
                   const XlaFormatWord *word)
#define IS_WHOLE(name)                                                         \
  static bool name(MlirOperation op, const XlaForeignOp *row,                  \
                   const XlaFormatWord *word)
#define PRINT(name)                                                            \
  static void name(MlirOperation op, MlirExtAsmPrinter printer,                \
                   const XlaFormatWord *word)

static MlirAttribute valueOf(MlirOperation op, const XlaFormatWord *word) {
  return xlaForeignGetAttr(op, word->names[0]);
}

static bool isInteger(MlirAttribute value, unsigned width) {
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAInteger(value))
    return false;
  MlirType type = mlirAttributeGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeIsSignless(type) &&
         mlirIntegerTypeGetWidth(type) == width;
}

static MlirAttribute integerOf(MlirExtAsmParser parser, unsigned width,
                               int64_t value) {
  return mlirIntegerAttrGet(
      mlirIntegerTypeGet(mlirExtAsmGetContext(parser), width), value);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static bool parseInteger(MlirExtAsmParser parser, const XlaFormatWord *word,
                         unsigned width) {
  int64_t value;
  MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
  if (!mlirExtAsmParseInteger(parser, &value))
    return false;
  if (width == 32 && (value < INT32_MIN || value > INT32_MAX))
    return mlirExtAsmFail(parser, place, "the number does not fit 32 bits");
  mlirExtAsmAddAttribute(parser, word->names[0],
                         integerOf(parser, width, value));
  return true;
}

PARSE(parseI32) {
  (void)row;
  return parseInteger(parser, word, 32);
}
PARSE(parseI64) {
  (void)row;
  return parseInteger(parser, word, 64);
}
IS_WHOLE(isI32) {
  (void)row;
  return isInteger(valueOf(op, word), 32);
}
IS_WHOLE(isI64) {
  (void)row;
  return isInteger(valueOf(op, word), 64);
}
PRINT(printInteger) {
  mlirExtAsmPrintInteger(printer,
                         mlirIntegerAttrGetValueInt(valueOf(op, word)));
}

PARSE(parseIntegers) {
  (void)row;
  MlirAttribute list;
  if (!mlirExtAsmParseIntegers(parser, &list))
    return false;
  mlirExtAsmAddAttribute(parser, word->names[0], list);
  return true;
}
IS_WHOLE(isIntegers) {
  (void)row;
  MlirAttribute value = valueOf(op, word);
  return !mlirAttributeIsNull(value) && mlirAttributeIsADenseI64Array(value);
}
PRINT(printIntegers) { xlaForeignPrintIntegers(printer, valueOf(op, word)); }

PARSE(parseBool) {
  (void)row;
  bool value = mlirExtAsmParseOptionalToken(parser, "true");
  if (!value && !mlirExtAsmParseToken(parser, "false"))
    return false;
  mlirExtAsmAddAttribute(parser, word->names[0],
                         mlirBoolAttrGet(mlirExtAsmGetContext(parser), value));
  return true;
}
IS_WHOLE(isBool) {
  (void)row;
  MlirAttribute value = valueOf(op, word);
  return !mlirAttributeIsNull(value) && mlirAttributeIsABool(value);
}
PRINT(printBool) {
  mlirExtAsmPrint(printer,
                  mlirBoolAttrGetValue(valueOf(op, word)) ? "true" : "false");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

PARSE(parseString) {
  (void)row;
  MlirAttribute text;
  if (!mlirExtAsmParseString(parser, &text))
    return false;
  mlirExtAsmAddAttribute(parser, word->names[0], text);
  return true;
}
PARSE(parseSymbol) {
  (void)row;
  MlirAttribute text;
  if (!mlirExtAsmParseSymbolName(parser, &text))
    return false;
  mlirExtAsmAddAttribute(parser, word->names[0], text);
  return true;
}
IS_WHOLE(isString) {
  (void)row;
  MlirAttribute value = valueOf(op, word);
  return !mlirAttributeIsNull(value) && mlirAttributeIsAString(value) &&
         mlirTypeIsANone(mlirAttributeGetType(value));
}
/// A symbol of no letters cannot be read.
IS_WHOLE(isSymbol) {
  return isString(op, row, word) &&
         mlirStringAttrGetValue(valueOf(op, word)).length;
}
PRINT(printString) {
  mlirExtAsmPrintString(printer, mlirStringAttrGetValue(valueOf(op, word)));
}
PRINT(printSymbol) {
  mlirExtAsmPrintSymbolName(printer, mlirStringAttrGetValue(valueOf(op, word)));
}

PARSE(parseText) {
  MlirStringRef text;
  if (!mlirExtAsmParseBracketed(parser, &text))
    return false;
  MlirAttribute value =
      xlaForeignOpaque(mlirExtAsmGetContext(parser), row->dialect,
                       mlirStringRefCreateFromCString(word->detail), text,
                       mlirStringRefCreate(NULL, 0));
  mlirExtAsmAddAttribute(parser, word->names[0], value);
  return true;
}
static MlirStringRef textOf(MlirOperation op, const char *dialect,
                            const XlaFormatWord *word) {
  return xlaForeignAfter(valueOf(op, word), dialect, word->detail);
}
IS_WHOLE(isText) {
  return xlaForeignIsBracketed(textOf(op, row->dialect, word));
}
PRINT(printText) { mlirExtAsmPrintText(printer, textOf(op, NULL, word)); }

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// The word of `#dialect<kind WORD>`; of no length if `value` is no such.
static MlirStringRef wordOf(MlirAttribute value, const char *dialect,
                            const char *kind) {
  MlirStringRef text = xlaForeignAfter(value, dialect, kind);
  while (text.length && *text.data == ' ')
    text = mlirStringRefCreate(text.data + 1, text.length - 1);
  for (size_t i = 0; i < text.length; ++i)
    if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", text.data[i]) ||
        !text.data[i])
      return mlirStringRefCreate(NULL, 0);
  return text;
}

static bool parseOneWord(MlirExtAsmParser parser, const char *dialect,
                         const char *kind, MlirAttribute *value) {
  MlirStringRef text;
  if (!mlirExtAsmParseKeyword(parser, &text))
    return false;
  *value = xlaForeignOpaque(mlirExtAsmGetContext(parser), dialect,
                            mlirStringRefCreateFromCString(kind),
                            mlirStringRefCreateFromCString(" "), text);
  return true;
}

PARSE(parseWord) {
  MlirAttribute value;
  if (!parseOneWord(parser, row->dialect, word->detail, &value))
    return false;
  mlirExtAsmAddAttribute(parser, word->names[0], value);
  return true;
}
IS_WHOLE(isWord) {
  return wordOf(valueOf(op, word), row->dialect, word->detail).length;
}
PRINT(printWord) {
  mlirExtAsmPrintText(printer, wordOf(valueOf(op, word), NULL, word->detail));
}

PARSE(parseWords) {
  enum { maxWords = 64 };
  MlirAttribute values[maxWords];
  intptr_t n = 0;
  if (!mlirExtAsmParseToken(parser, "["))
    return false;
  if (!mlirExtAsmParseOptionalToken(parser, "]")) {
    do {
      if (n == maxWords)
        return mlirExtAsmFail(parser, mlirExtAsmGetPlace(parser),
                              "more than 64 words");
      if (!parseOneWord(parser, row->dialect, word->detail, &values[n++]))
        return false;
    } while (mlirExtAsmParseOptionalToken(parser, ","));
    if (!mlirExtAsmParseToken(parser, "]"))
      return false;
  }
  mlirExtAsmAddAttribute(
      parser, word->names[0],
      mlirArrayAttrGet(mlirExtAsmGetContext(parser), n, values));
  return true;
}
IS_WHOLE(areWords) {
  MlirAttribute list = valueOf(op, word);
  if (mlirAttributeIsNull(list) || !mlirAttributeIsAArray(list))
    return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(list); ++i)
    if (!wordOf(mlirArrayAttrGetElement(list, i), row->dialect, word->detail)
             .length)
      return false;
  return true;
}
PRINT(printWords) {
  MlirAttribute list = valueOf(op, word);
  mlirExtAsmPrint(printer, "[");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(list); ++i) {
    mlirExtAsmPrint(printer, i ? ", " : "");
    mlirExtAsmPrintText(
        printer, wordOf(mlirArrayAttrGetElement(list, i), NULL, word->detail));
  }
  mlirExtAsmPrint(printer, "]");
}

/// Choice number `number` of `A|B|C`; of no length if there is none.
static MlirStringRef choiceOf(const char *choices, int64_t number) {
  for (; number > 0 && *choices; --number) {
    choices += strcspn(choices, "|");
    choices += *choices == '|';
  }
  return mlirStringRefCreate(choices, number < 0 ? 0 : strcspn(choices, "|"));
}

PARSE(parseChoice) {
  (void)row;
  MlirStringRef text, choice;
  MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
  if (!mlirExtAsmParseKeyword(parser, &text))
    return false;
  int64_t number = 0;
  while ((choice = choiceOf(word->detail, number)).length &&
         !mlirStringRefEqual(choice, text))
    ++number;
  if (!choice.length)
    return mlirExtAsmFail(parser, place, "unknown word");
  mlirExtAsmAddAttribute(parser, word->names[0], integerOf(parser, 32, number));
  return true;
}
IS_WHOLE(isChoice) {
  (void)row;
  MlirAttribute value = valueOf(op, word);
  return isInteger(value, 32) &&
         choiceOf(word->detail, mlirIntegerAttrGetValueInt(value)).length;
}
PRINT(printChoice) {
  mlirExtAsmPrintText(
      printer,
      choiceOf(word->detail, mlirIntegerAttrGetValueInt(valueOf(op, word))));
}

//===----------------------------------------------------------------------===//
// Several attributes
//===----------------------------------------------------------------------===//

PARSE(parseBits) {
  (void)row;
  MlirStringRef text;
  MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
  if (!mlirExtAsmParseKeyword(parser, &text))
    return false;
  int64_t bits[2] = {0, 0};
  size_t at = 0;
  for (int i = 0; i < 2; ++i) {
    size_t digits = 0;
    bool letter = at < text.length && text.data[at] == "em"[i];
    for (at += letter; at < text.length && text.data[at] >= '0' &&
                       text.data[at] <= '9' && digits < 9;
         ++at, ++digits)
      bits[i] = 10 * bits[i] + (text.data[at] - '0');
    if (!letter || !digits)
      at = text.length + 1;
  }
  if (at != text.length)
    return mlirExtAsmFail(parser, place,
                          "expected numbers of exponent and mantissa bits, "
                          "as in e5m10");
  for (int i = 0; i < 2; ++i)
    mlirExtAsmAddAttribute(parser, word->names[i],
                           integerOf(parser, 32, bits[i]));
  return true;
}
IS_WHOLE(areBits) {
  (void)row;
  for (int i = 0; i < 2; ++i) {
    MlirAttribute value = xlaForeignGetAttr(op, word->names[i]);
    if (!isInteger(value, 32) || mlirIntegerAttrGetValueInt(value) < 0 ||
        mlirIntegerAttrGetValueInt(value) > 999999999)
      return false;
  }
  return true;
}
PRINT(printBits) {
  for (int i = 0; i < 2; ++i) {
    mlirExtAsmPrint(printer, i ? "m" : "e");
    mlirExtAsmPrintInteger(printer, mlirIntegerAttrGetValueInt(
                                        xlaForeignGetAttr(op, word->names[i])));
  }
}

/// One `from:to:step`.
static bool parseRange(MlirExtAsmParser parser, int64_t range[3]) {
  range[2] = 1;
  return mlirExtAsmParseInteger(parser, &range[0]) &&
         mlirExtAsmParseToken(parser, ":") &&
         mlirExtAsmParseInteger(parser, &range[1]) &&
         (!mlirExtAsmParseOptionalToken(parser, ":") ||
          mlirExtAsmParseInteger(parser, &range[2]));
}

PARSE(parseRanges) {
  (void)row;
  enum { maxRank = 1024 };
  int64_t values[3][maxRank], range[3];
  intptr_t n = 0;
  if (!mlirExtAsmParseToken(parser, "["))
    return false;
  bool empty = mlirExtAsmParseOptionalToken(parser, "]");
  while (!empty && (!n || mlirExtAsmParseOptionalToken(parser, ","))) {
    MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
    if (!parseRange(parser, range))
      return false;
    if (n == maxRank)
      return mlirExtAsmFail(parser, place, "more than 1024 ranges");
    for (int i = 0; i < 3; ++i)
      values[i][n] = range[i];
    ++n;
  }
  if (!empty && !mlirExtAsmParseToken(parser, "]"))
    return false;
  for (int i = 0; i < 3; ++i)
    mlirExtAsmAddAttribute(
        parser, word->names[i],
        mlirDenseI64ArrayGet(mlirExtAsmGetContext(parser), n, values[i]));
  return true;
}
IS_WHOLE(areRanges) {
  (void)row;
  intptr_t n = -1;
  for (int i = 0; i < 3; ++i) {
    MlirAttribute list = xlaForeignGetAttr(op, word->names[i]);
    if (mlirAttributeIsNull(list) || !mlirAttributeIsADenseI64Array(list) ||
        (i && mlirDenseArrayGetNumElements(list) != n))
      return false;
    n = mlirDenseArrayGetNumElements(list);
  }
  return n <= 1024;
}
PRINT(printRanges) {
  MlirAttribute lists[3];
  for (int i = 0; i < 3; ++i)
    lists[i] = xlaForeignGetAttr(op, word->names[i]);
  mlirExtAsmPrint(printer, "[");
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(lists[0]); ++i)
    for (int j = 0; j < 3; ++j) {
      int64_t value = mlirDenseI64ArrayGetElement(lists[j], i);
      if (j == 2 && value == 1)
        continue;
      mlirExtAsmPrint(printer, j ? ":" : i ? ", " : "");
      mlirExtAsmPrintInteger(printer, value);
    }
  mlirExtAsmPrint(printer, "]");
}

static const XlaFormatValue kinds[] = {
    {"i32", parseI32, isI32, printInteger},
    {"i64", parseI64, isI64, printInteger},
    {"integers", parseIntegers, isIntegers, printIntegers},
    {"bool", parseBool, isBool, printBool},
    {"string", parseString, isString, printString},
    {"symbol", parseSymbol, isSymbol, printSymbol},
    {"word", parseWord, isWord, printWord},
    {"words", parseWords, areWords, printWords},
    {"text", parseText, isText, printText},
    {"choice", parseChoice, isChoice, printChoice},
    {"bits", parseBits, areBits, printBits},
    {"ranges", parseRanges, areRanges, printRanges},
};

const XlaFormatValue *xlaFormatFindValue(const char *kind) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (!strcmp(kinds[i].kind, kind))
      return &kinds[i];
  return NULL;
}

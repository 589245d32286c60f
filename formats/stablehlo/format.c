//===- format.c - Operations by a text in the table ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/stablehlo/syntax.h"

#include <string.h>

typedef enum WordKind {
  WordKindToken,
  WordKindGlue,
  WordKindOpen,
  WordKindClose,
  WordKindOperands,
  WordKindOperandsComma,
  WordKindOperandsIfAny,
  WordKindAttributes,
  WordKindTypes,
  WordKindValue,
} WordKind;

typedef struct Word {
  WordKind kind;
  XlaFormatWord text;
  const XlaFormatValue *value;
  const XlaFormatTypes *types;
} Word;

#define MAX_WORDS 24
#define MAX_LENGTH 256

/// A format, taken apart.
typedef struct Format {
  char text[MAX_LENGTH];
  int nWords;
  Word words[MAX_WORDS];
} Format;

/// Takes `kind:detail(name,name)` apart.
static void splitValue(char *text, XlaFormatWord *word) {
  char *open = strchr(text, '(');
  *open = 0;
  char *colon = strchr(text, ':');
  word->kind = text;
  word->detail = "";
  if (colon) {
    *colon = 0;
    word->detail = colon + 1;
  }
  char *rest = open + 1;
  rest[strlen(rest) - 1] = 0; // the closing parenthesis
  char *state;
  for (char *name = strtok_r(rest, ",", &state); name && word->nNames < 3;
       name = strtok_r(NULL, ",", &state))
    word->names[word->nNames++] = name;
}

static Word readWord(char *text) {
  static const struct {
    const char *text;
    WordKind kind;
  } known[] = {
      {"~", WordKindGlue},
      {"?(", WordKindOpen},
      {")?", WordKindClose},
      {"ops", WordKindOperands},
      {"ops,", WordKindOperandsComma},
      {"ops?", WordKindOperandsIfAny},
      {"attrs", WordKindAttributes},
  };
  Word word = {.kind = WordKindToken, .text = {.kind = text}};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (!strcmp(text, known[i].text))
      word.kind = known[i].kind;
  if (*text == ':' && text[1]) {
    word.kind = WordKindTypes;
    word.types = xlaFormatFindTypes(text + 1);
  } else if (word.kind == WordKindToken && strchr(text, '(') && text[1]) {
    word.kind = WordKindValue;
    splitValue(text, &word.text);
    word.value = xlaFormatFindValue(word.text.kind);
  }
  return word;
}

static void readFormat(const char *text, Format *format) {
  char *state;
  strncpy(format->text, text, MAX_LENGTH - 1);
  format->text[MAX_LENGTH - 1] = 0;
  format->nWords = 0;
  for (char *word = strtok_r(format->text, " ", &state);
       word && format->nWords < MAX_WORDS; word = strtok_r(NULL, " ", &state))
    format->words[format->nWords++] = readWord(word);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// `n` operands, or any number.
static bool parseOperands(MlirExtAsmParser parser, int n) {
  if (n == XLA_FOREIGN_ANY) {
    if (!mlirExtAsmParseOptionalOperand(parser, 0))
      return true;
    while (mlirExtAsmParseOptionalToken(parser, ","))
      if (!mlirExtAsmParseOperand(parser, 0))
        return false;
    return true;
  }
  for (int i = 0; i < n; ++i)
    if ((i && !mlirExtAsmParseToken(parser, ",")) ||
        !mlirExtAsmParseOperand(parser, 0))
      return false;
  return true;
}

static bool parseOperandsComma(MlirExtAsmParser parser, int n) {
  if (n != XLA_FOREIGN_ANY)
    return parseOperands(parser, n) && mlirExtAsmParseToken(parser, ",");
  while (mlirExtAsmParseOptionalOperand(parser, 0))
    if (!mlirExtAsmParseToken(parser, ","))
      return false;
  // StableHLO prints one behind no operands, too.
  mlirExtAsmParseOptionalToken(parser, ",");
  return true;
}

static bool parseWord(MlirExtAsmParser parser, const XlaForeignOp *row,
                      const Word *word) {
  switch (word->kind) {
  case WordKindToken:
    return mlirExtAsmParseToken(parser, word->text.kind);
  case WordKindOperands:
  case WordKindOperandsIfAny:
    return parseOperands(parser, row->operands);
  case WordKindOperandsComma:
    return parseOperandsComma(parser, row->operands);
  case WordKindAttributes:
    return mlirExtAsmParseAttributes(parser, /*withKeyword=*/false);
  case WordKindTypes:
    return word->types->parse(parser);
  case WordKindValue:
    return word->value->parse(parser, row, &word->text);
  case WordKindGlue:
  case WordKindOpen:
  case WordKindClose:
    break;
  }
  return true;
}

/// Where the group that begins at word `i` ends.
static int endOfGroup(const Format *format, int i) {
  while (i < format->nWords && format->words[i].kind != WordKindClose)
    ++i;
  return i;
}

bool xlaFormatParse(MlirExtAsmParser parser, const MlirExtOpDefinition *def) {
  const XlaForeignOp *row = xlaForeignOpOf(def);
  Format format;
  readFormat(row->format, &format);
  for (int i = 0; i < format.nWords; ++i) {
    const Word *word = &format.words[i];
    // The token that a group begins with says whether it is there.
    if (word->kind == WordKindOpen) {
      ++i;
      if (!mlirExtAsmParseOptionalToken(parser, format.words[i].text.kind))
        i = endOfGroup(&format, i);
    } else if (!parseWord(parser, row, word)) {
      return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// Whether the group that begins at word `i` is printed: its attribute is there
/// and says something.
static bool hasGroup(MlirOperation op, const Format *format, int i) {
  while (format->words[i].kind != WordKindValue)
    ++i;
  const char *name = format->words[i].text.names[0];
  MlirAttribute value = xlaForeignGetAttr(op, name);
  return !mlirAttributeIsNull(value) && !xlaForeignIsDefault(name, value);
}

/// Whether all that is to be printed can be.
static bool isWhole(MlirOperation op, const XlaForeignOp *row,
                    const Format *format) {
  for (int i = 0; i < format->nWords; ++i) {
    const Word *word = &format->words[i];
    if (word->kind == WordKindOpen && !hasGroup(op, format, i))
      i = endOfGroup(format, i);
    else if ((word->kind == WordKindValue &&
              !word->value->isWhole(op, row, &word->text)) ||
             (word->kind == WordKindTypes && !word->types->isWhole(op)))
      return false;
  }
  return true;
}

/// Attributes that are not in `{..}`: those that words have printed.
static void printAttributes(MlirOperation op, MlirExtAsmPrinter printer,
                            const Format *format) {
  const char *elided[3 * MAX_WORDS + 1];
  int n = 0;
  for (int i = 0; i < format->nWords; ++i)
    for (int j = 0; j < format->words[i].text.nNames; ++j)
      elided[n++] = format->words[i].text.names[j];
  elided[n] = NULL;
  xlaForeignPrintAttributes(printer, op, elided, /*withKeyword=*/false);
}

static void printWord(MlirOperation op, MlirExtAsmPrinter printer,
                      const Format *format, const Word *word) {
  switch (word->kind) {
  case WordKindToken:
    return mlirExtAsmPrint(printer, word->text.kind);
  case WordKindOperands:
  case WordKindOperandsIfAny:
  case WordKindOperandsComma:
    xlaForeignPrintOperands(printer, op, 0, mlirOperationGetNumOperands(op));
    if (word->kind == WordKindOperandsComma)
      mlirExtAsmPrint(printer, ",");
    return;
  case WordKindAttributes:
    return printAttributes(op, printer, format);
  case WordKindTypes:
    return word->types->print(op, printer);
  case WordKindValue:
    return word->value->print(op, printer, &word->text);
  case WordKindGlue:
  case WordKindOpen:
  case WordKindClose:
    break;
  }
}

/// Whether a blank stands before a word. Attributes and types bring their own.
static bool wantsBlank(MlirOperation op, const Word *word) {
  switch (word->kind) {
  case WordKindToken:
    return strcmp(word->text.kind, ",") != 0;
  case WordKindOperands:
  case WordKindOperandsComma:
  case WordKindValue:
    return true;
  case WordKindOperandsIfAny:
    return mlirOperationGetNumOperands(op);
  case WordKindAttributes:
  case WordKindTypes:
  case WordKindGlue:
  case WordKindOpen:
  case WordKindClose:
    break;
  }
  return false;
}

bool xlaFormatPrint(MlirOperation op, MlirExtAsmPrinter printer,
                    const MlirExtOpDefinition *def) {
  const XlaForeignOp *row = xlaForeignOpOf(def);
  Format format;
  readFormat(row->format, &format);
  if (!isWhole(op, row, &format))
    return false;
  mlirExtAsmPrintName(printer, op);
  bool glued = false;
  for (int i = 0; i < format.nWords; ++i) {
    const Word *word = &format.words[i];
    if (word->kind == WordKindOpen && !hasGroup(op, &format, i)) {
      i = endOfGroup(&format, i);
      continue;
    }
    if (!glued && wantsBlank(op, word))
      mlirExtAsmPrint(printer, " ");
    printWord(op, printer, &format, word);
    glued = word->kind == WordKindGlue;
  }
  return true;
}

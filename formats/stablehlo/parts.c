//===- parts.c - Parts of foreign operations' text -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/stablehlo/syntax.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/dialect.h"

#include <stdlib.h>
#include <string.h>

static bool startsWith(MlirStringRef text, const char *start) {
  return text.length >= strlen(start) &&
         !memcmp(text.data, start, strlen(start));
}

static bool equals(MlirStringRef text, const char *other) {
  return text.length == strlen(other) && startsWith(text, other);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

MlirAttribute xlaForeignGetAttr(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

MlirAttribute xlaForeignOpaque(MlirContext context, const char *dialect,
                               MlirStringRef a, MlirStringRef b,
                               MlirStringRef c) {
  const MlirStringRef parts[] = {a, b, c};
  size_t length = 0;
  char *text = malloc(a.length + b.length + c.length + 1);
  // Without memory the text is empty, which the import refuses.
  for (int i = 0; text && i < 3; ++i)
    if (parts[i].length) {
      memcpy(text + length, parts[i].data, parts[i].length);
      length += parts[i].length;
    }
  MlirAttribute attribute = mlirOpaqueAttrGet(
      context, mlirStringRefCreateFromCString(dialect), (intptr_t)length,
      text ? text : "", mlirNoneTypeGet(context));
  free(text);
  return attribute;
}

MlirStringRef xlaForeignAfter(MlirAttribute attribute, const char *dialect,
                              const char *prefix) {
  MlirStringRef none = {NULL, 0};
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAOpaque(attribute) ||
      (dialect &&
       !equals(mlirOpaqueAttrGetDialectNamespace(attribute), dialect)))
    return none;
  MlirStringRef text = mlirOpaqueAttrGetData(attribute);
  size_t length = strlen(prefix);
  return startsWith(text, prefix)
             ? mlirStringRefCreate(text.data + length, text.length - length)
             : none;
}

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

static bool isWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) ||
         c == '_';
}

/// The length of the string, word, symbol or number at the front of `text`; 0
/// if there is none that is surely read as one.
static size_t measureToken(MlirStringRef text) {
  enum { maxDigits = 18 }; // that always fit into 64 bits
  char first = *text.data;
  size_t start = first == '"' || first == '-' || first == '@', n = start;
  if (first == '"') {
    while (n < text.length && text.data[n] >= ' ' && text.data[n] <= '~' &&
           text.data[n] != '"' && text.data[n] != '\\')
      ++n;
    return n < text.length && text.data[n] == '"' ? n + 1 : 0;
  }
  size_t digits = start;
  while (n < text.length && isWordCharacter(text.data[n]))
    ++n;
  while (digits < n && isDigit(text.data[digits]))
    ++digits;
  bool isNumber = digits == n && n > start && n - start <= maxDigits;
  bool isWord = digits == start && n > start;
  return (isNumber && first != '@') || (isWord && first != '-') ? n : 0;
}

bool xlaForeignIsBracketed(MlirStringRef text) {
  static const char opens[] = "<[{(", closes[] = ">]})";
  char open[XLA_MAX_NESTING];
  int depth = 0;
  for (size_t i = 0; i < text.length;) {
    char c = text.data[i];
    const char *at = c ? strchr(opens, c) : NULL;
    size_t length = 1;
    if (at && depth < XLA_MAX_NESTING)
      open[depth++] = closes[at - opens];
    else if (depth && c == open[depth - 1])
      --depth;
    else if (!depth || at)
      return false;
    else if (c == '-' && i + 1 < text.length && text.data[i + 1] == '>')
      length = 2;
    else if (!c || !strchr(" ,:=?*", c))
      length =
          measureToken(mlirStringRefCreate(text.data + i, text.length - i));
    i += length;
    if (!length || (!depth && i < text.length))
      return false;
  }
  return text.length && !depth;
}

bool xlaForeignIsDefault(const char *name, MlirAttribute value) {
  if (!strcmp(name, "result_accuracy"))
    return equals(xlaForeignAfter(value, NULL, "result_accuracy<"),
                  "mode = #stablehlo.result_accuracy_mode<DEFAULT>>");
  if (!strcmp(name, "has_side_effect") || !strcmp(name, "lower"))
    return mlirAttributeIsABool(value) && !mlirBoolAttrGetValue(value);
  if (!strcmp(name, "called_computations") ||
      !strcmp(name, "output_operand_aliases"))
    return mlirAttributeIsAArray(value) && !mlirArrayAttrGetNumElements(value);
  if (!strcmp(name, "composite_attributes"))
    return mlirAttributeIsADictionary(value) &&
           !mlirDictionaryAttrGetNumElements(value);
  bool isApi = !strcmp(name, "api_version");
  return (isApi || !strcmp(name, "version")) &&
         mlirAttributeIsAInteger(value) &&
         mlirIntegerAttrGetValueInt(value) == isApi;
}

void xlaForeignPrintAttributes(MlirExtAsmPrinter printer, MlirOperation op,
                               const char *const *elided, bool withKeyword) {
  static const char *const defaults[] = {"result_accuracy",
                                         "has_side_effect",
                                         "called_computations",
                                         "output_operand_aliases",
                                         "composite_attributes",
                                         "api_version",
                                         "version"};
  enum { nDefaults = sizeof defaults / sizeof *defaults, most = 80 };
  const char *all[most + nDefaults + 1];
  int n = 0;
  for (; *elided && n < most; ++elided)
    all[n++] = *elided;
  // Only inherent ones mean what these names say.
  MlirAttribute inherent = mlirExtOperationGetInherentAttributes(op);
  for (int i = 0; i < nDefaults; ++i) {
    MlirAttribute value = mlirDictionaryAttrGetElementByName(
        inherent, mlirStringRefCreateFromCString(defaults[i]));
    if (!mlirAttributeIsNull(value) && xlaForeignIsDefault(defaults[i], value))
      all[n++] = defaults[i];
  }
  all[n] = NULL;
  mlirExtAsmPrintAttributes(printer, op, all, withKeyword);
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

void xlaForeignPrintOperands(MlirExtAsmPrinter printer, MlirOperation op,
                             intptr_t first, intptr_t n) {
  for (intptr_t i = 0; i < n; ++i) {
    mlirExtAsmPrint(printer, i ? ", " : "");
    mlirExtAsmPrintValue(printer, mlirOperationGetOperand(op, first + i));
  }
}

void xlaForeignPrintIntegers(MlirExtAsmPrinter printer, MlirAttribute list) {
  mlirExtAsmPrint(printer, "[");
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(list); ++i) {
    mlirExtAsmPrint(printer, i ? ", " : "");
    mlirExtAsmPrintInteger(printer, mlirDenseI64ArrayGetElement(list, i));
  }
  mlirExtAsmPrint(printer, "]");
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

MlirBlock xlaForeignEntry(MlirOperation op, intptr_t region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

bool xlaForeignHasBlocks(MlirOperation op, intptr_t nArguments) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    MlirBlock block = xlaForeignEntry(op, i);
    if (mlirBlockIsNull(block) ||
        !mlirBlockIsNull(mlirBlockGetNextInRegion(block)) ||
        mlirOperationIsNull(mlirBlockGetFirstOperation(block)) ||
        (nArguments >= 0 && mlirBlockGetNumArguments(block) != nArguments))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// optimization_barrier %a, %b : type, type
//===----------------------------------------------------------------------===//

bool xlaBarrierParse(MlirExtAsmParser parser, const MlirExtOpDefinition *def) {
  (void)def;
  if (mlirExtAsmParseOptionalToken(parser, "("))
    return mlirExtAsmParseToken(parser, ")") &&
           mlirExtAsmParseAttributes(parser, /*withKeyword=*/false);
  do {
    if (!mlirExtAsmParseOperand(parser, 0))
      return false;
  } while (mlirExtAsmParseOptionalToken(parser, ","));
  if (!mlirExtAsmParseAttributes(parser, /*withKeyword=*/false) ||
      !mlirExtAsmParseToken(parser, ":"))
    return false;
  intptr_t n;
  const MlirType *types;
  MlirExtAsmPlace place = mlirExtAsmGetPlace(parser);
  if (!mlirExtAsmParseTypes(parser, &n, &types))
    return false;
  mlirExtAsmAddResults(parser, n, types);
  return mlirExtAsmResolveOperands(parser, place, n, types);
}

bool xlaBarrierPrint(MlirOperation op, MlirExtAsmPrinter printer,
                     const MlirExtOpDefinition *def) {
  (void)def;
  static const char *const none[] = {NULL};
  intptr_t n = mlirOperationGetNumOperands(op);
  if (n != mlirOperationGetNumResults(op))
    return false;
  for (intptr_t i = 0; i < n; ++i)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, i)),
                       mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  mlirExtAsmPrintName(printer, op);
  mlirExtAsmPrint(printer, n ? " " : "()");
  xlaForeignPrintOperands(printer, op, 0, n);
  xlaForeignPrintAttributes(printer, op, none, /*withKeyword=*/false);
  for (intptr_t i = 0; i < n; ++i) {
    mlirExtAsmPrint(printer, i ? ", " : " : ");
    mlirExtAsmPrintType(printer,
                        mlirValueGetType(mlirOperationGetResult(op, i)));
  }
  return true;
}

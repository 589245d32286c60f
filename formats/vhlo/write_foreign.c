//===- write_foreign.c - StableHLO's attributes that are written ----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are known by their text, as the import reads them.
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinTypes.h"
#include "xlac/formats/vhlo/writer.h"
#include "xlac/passes/import/stablehlo/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
#define XLA_VHLO_ATTRIBUTE(code, Kind, name) vhlo##Kind = code,
#include "xlac/formats/vhlo/codes.def"
};

/// The number that the text stands for in one of the enums: begin, a word, `>`.
static bool writeEnum(XlaImportText *text, XlaIrText *to) {
#define XLA_VHLO_ENUM(code, begin, ...)                                        \
  if (xlaTextAccept(text, begin)) {                                            \
    static const char *const words[] = {__VA_ARGS__};                          \
    MlirStringRef word = xlaTextReadWord(text);                                \
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)                  \
      if (words[i] && mlirStringRefEqual(                                      \
                          word, mlirStringRefCreateFromCString(words[i]))) {   \
        xlaVhloPutVarint(to, code);                                            \
        xlaVhloPutVarint(to, i);                                               \
        return xlaTextAccept(text, ">") && xlaTextIsAtEnd(text);               \
      }                                                                        \
    return false;                                                              \
  }
#include "xlac/formats/vhlo/codes.def"
  return false;
}

/// Integers with commas between them, `?` for an unknown one, up to `end`.
static bool writeList(XlaImportText *text, const char *end, XlaIrText *to) {
  int64_t values[XLA_MAX_LIST];
  size_t n = 0;
  if (!xlaTextAccept(text, end)) {
    do {
      if (n == XLA_MAX_LIST)
        return false;
      if (xlaTextAccept(text, "?"))
        values[n++] = mlirShapedTypeGetDynamicSize();
      else if (!xlaTextReadInteger(text, &values[n++]))
        return false;
    } while (xlaTextAccept(text, ","));
    if (!xlaTextAccept(text, end))
      return false;
  }
  xlaVhloPutVarint(to, n);
  for (size_t i = 0; i < n; ++i)
    xlaVhloPutSigned(to, values[i]);
  return true;
}

static bool writeBounds(XlaImportText *text, XlaIrText *to) {
  xlaVhloPutVarint(to, vhloTypeExtensions);
  return writeList(text, ">", to) && xlaTextIsAtEnd(text);
}

static bool writeAlias(XlaImportText *text, XlaIrText *to) {
  int64_t operand;
  xlaVhloPutVarint(to, vhloOutputOperandAlias);
  if (!xlaTextAccept(text, "output_tuple_indices") ||
      !xlaTextAccept(text, "=") || !xlaTextAccept(text, "[") ||
      !writeList(text, "]", to) || !xlaTextAccept(text, ",") ||
      !xlaTextAccept(text, "operand_index") || !xlaTextAccept(text, "=") ||
      !xlaTextReadInteger(text, &operand))
    return false;
  xlaVhloPutSigned(to, operand);
  return xlaTextAccept(text, ",") &&
         xlaTextAccept(text, "operand_tuple_indices") &&
         xlaTextAccept(text, "=") && xlaTextAccept(text, "[") &&
         writeList(text, "]", to) && xlaTextAccept(text, ">") &&
         xlaTextIsAtEnd(text);
}

static void putDouble(XlaIrText *to, double value) {
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  xlaVhloPutSigned(to, bits);
}

/// `key = value,`, or nothing, for 0. MLIR prints the bits of what is not
/// finite, which no accuracy is.
static bool readDouble(XlaImportText *text, const char *key, double *value) {
  *value = 0;
  return !xlaTextAccept(text, key) ||
         (xlaTextAccept(text, "=") && !xlaTextAccept(text, "0x") &&
          xlaTextReadNumber(text, value) && xlaTextAccept(text, ","));
}

/// Numbers that are left out are 0; the mode is said last.
static bool writeAccuracy(XlaVhloWriter *writer, XlaImportText *text,
                          XlaIrText *to) {
  double atol, rtol;
  int64_t ulps = 0;
  char mode[64];
  if (!readDouble(text, "atol", &atol) || !readDouble(text, "rtol", &rtol))
    return false;
  if (xlaTextAccept(text, "ulps") &&
      !(xlaTextAccept(text, "=") && xlaTextReadInteger(text, &ulps) &&
        xlaTextAccept(text, ",")))
    return false;
  if (!xlaTextAccept(text, "mode") || !xlaTextAccept(text, "=") ||
      !xlaTextAccept(text, "#stablehlo.result_accuracy_mode<"))
    return false;
  MlirStringRef word = xlaTextReadWord(text);
  if (word.length > 20 || !xlaTextAccept(text, ">") ||
      !xlaTextAccept(text, ">") || !xlaTextIsAtEnd(text))
    return false;
  snprintf(mode, sizeof mode, "#stablehlo.result_accuracy_mode<%.*s>",
           (int)word.length, word.data);
  MlirAttribute attribute = xlaIrParseAttr(writer->context, mode);
  xlaVhloPutVarint(to, vhloResultAccuracy);
  putDouble(to, atol);
  putDouble(to, rtol);
  xlaVhloPutSigned(to, ulps);
  return !mlirAttributeIsNull(attribute) &&
         xlaVhloPutAttribute(writer, XlaVhloCodingVhlo, attribute, to);
}

static bool writeText(XlaVhloWriter *writer, XlaImportText *text,
                      XlaIrText *to) {
  if (xlaTextAccept(text, "#stablehlo.bounds<"))
    return writeBounds(text, to);
  if (xlaTextAccept(text, "#stablehlo.output_operand_alias<"))
    return writeAlias(text, to);
  if (xlaTextAccept(text, "#stablehlo.result_accuracy<"))
    return writeAccuracy(writer, text, to);
  return writeEnum(text, to);
}

bool xlaVhloWriteForeign(XlaVhloWriter *writer, MlirAttribute attribute,
                         XlaIrText *content) {
  XlaIrText printed = {0};
  mlirAttributePrint(attribute, xlaIrTextAppend, &printed);
  if (printed.isCut || !printed.data) {
    free(printed.data);
    return xlaVhloNoMemory(writer);
  }
  XlaImportText text = {printed.data, printed.data + printed.size};
  bool written = writeText(writer, &text, content);
  if (!written)
    xlaVhloRefuse(writer, "has the attribute %.*s, which artifacts have not",
                  (int)(printed.size < 200 ? printed.size : 200), printed.data);
  free(printed.data);
  return written;
}

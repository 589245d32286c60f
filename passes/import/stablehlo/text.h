//===- text.h - The text of foreign attributes --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of StableHLO's dialects are kept as text. These functions read it
// from left to right; blanks do not count.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_STABLEHLO_TEXT_H
#define XLAC_PASSES_IMPORT_STABLEHLO_TEXT_H

#include "mlir-c/Support.h"
#include "xlac/dialect/op.h"

/// What is left to be read.
typedef struct XlaImportText {
  const char *next, *end;
} XlaImportText;

/// Reads `token`, if that is next.
bool xlaTextAccept(XlaImportText *text, const char *token);
/// An identifier or the digits of a number; empty if there is none.
MlirStringRef xlaTextReadWord(XlaImportText *text);
/// A decimal integer of at most 18 digits.
bool xlaTextReadInteger(XlaImportText *text, int64_t *value);
bool xlaTextReadNumber(XlaImportText *text, double *value);
bool xlaTextIsAtEnd(XlaImportText *text);

//===----------------------------------------------------------------------===//
// Structures: #stablehlo.dot<lhs_contracting_dimensions = [0], ..>
//===----------------------------------------------------------------------===//

/// A key that is left out stands for an empty list or 0.
typedef struct XlaStructForm {
  const char *name;
  const char *lists[6];
  const char *integers[3];
} XlaStructForm;

/// Lists first, then integers, as lists of one.
#define XLA_STRUCT_KEYS 9

typedef struct XlaStructValues {
  bool given[XLA_STRUCT_KEYS];
  XlaI64List lists[XLA_STRUCT_KEYS];
} XlaStructValues;

/// The form of that name; NULL if there is none.
const XlaStructForm *xlaStructFind(MlirStringRef name);
/// The name of key number `key`, NULL if there is none.
const char *xlaStructGetKey(const XlaStructForm *form, int key);
/// Reads what follows the name of `form`, to the end.
bool xlaTextReadStruct(XlaImportText *text, const XlaStructForm *form,
                       XlaStructValues *values);

//===----------------------------------------------------------------------===//
// Convolutions: #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>
//===----------------------------------------------------------------------===//

/// Where the letters b and f, or i and o, of a bracket are, and its spatial
/// dimensions in order.
typedef struct XlaConvSide {
  int64_t first, second;
  XlaI64List spatial;
} XlaConvSide;

/// Reads what follows the name, to the end.
bool xlaTextReadConv(XlaImportText *text, XlaConvSide sides[3]);

#endif // XLAC_PASSES_IMPORT_STABLEHLO_TEXT_H

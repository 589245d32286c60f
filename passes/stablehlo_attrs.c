//===- stablehlo_attrs.c - Attributes of StableHLO ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of a dialect that is not registered are kept by MLIR as text. This
// file reads that text and gives what the table of operations asks for.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/stablehlo.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Import {
  MlirOperation op;
  MlirContext context;
  const XlaOpInfo *target;
  XlaImportedAttrs *attrs;
} Import;

static bool equals(MlirStringRef a, const char *b) {
  return a.length == strlen(b) && !memcmp(a.data, b, a.length);
}

static bool startsWith(MlirStringRef a, const char *b) {
  return a.length >= strlen(b) && !memcmp(a.data, b, strlen(b));
}

static const MlirExtOpAttribute *findAttr(const XlaOpInfo *target,
                                          MlirStringRef name) {
  const MlirExtOpAttribute *entry = target->attributes;
  for (; entry && entry->name; ++entry)
    if (equals(name, entry->name))
      return entry;
  return NULL;
}

static bool hasAttr(const Import *import, const char *name) {
  return findAttr(import->target, mlirStringRefCreateFromCString(name)) != NULL;
}

static XlaImportResult add(Import *import, const char *name,
                           MlirAttribute value) {
  if (import->attrs->count == XLA_IMPORT_MAX_ATTRS) {
    xlaOpError(import->op, NULL, "has more than %d attributes",
               XLA_IMPORT_MAX_ATTRS);
    return XlaImportResultInvalid;
  }
  import->attrs->items[import->attrs->count++] = (XlaIrAttr){name, value};
  return XlaImportResultOk;
}

static XlaImportResult unsupported(const Import *import, MlirStringRef name) {
  xlaOpError(import->op, NULL, "attribute '%.*s' is not supported yet",
             (int)name.length, name.data);
  return XlaImportResultUnsupported;
}

static XlaImportResult unreadable(const Import *import, MlirStringRef name,
                                  MlirStringRef text) {
  xlaOpError(import->op, NULL, "attribute '%.*s' cannot be read: %.*s",
             (int)name.length, name.data,
             (int)(text.length < 200 ? text.length : 200), text.data);
  return XlaImportResultInvalid;
}

//===----------------------------------------------------------------------===//
// Reading text
//===----------------------------------------------------------------------===//

typedef struct Cursor {
  const char *next, *end;
} Cursor;

static void skipSpace(Cursor *cursor) {
  while (cursor->next < cursor->end &&
         (*cursor->next == ' ' || *cursor->next == '\n' ||
          *cursor->next == '\t' || *cursor->next == '\r'))
    ++cursor->next;
}

static bool accept(Cursor *cursor, const char *token) {
  skipSpace(cursor);
  size_t length = strlen(token);
  if ((size_t)(cursor->end - cursor->next) < length ||
      memcmp(cursor->next, token, length) != 0)
    return false;
  cursor->next += length;
  return true;
}

static bool isWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

/// An identifier or number; empty if there is none.
static MlirStringRef readWord(Cursor *cursor) {
  skipSpace(cursor);
  const char *begin = cursor->next;
  while (cursor->next < cursor->end && isWordChar(*cursor->next))
    ++cursor->next;
  return mlirStringRefCreate(begin, (size_t)(cursor->next - begin));
}

/// A decimal integer of at most 18 digits.
static bool readInteger(Cursor *cursor, int64_t *value) {
  bool negative = accept(cursor, "-");
  MlirStringRef digits = readWord(cursor);
  *value = 0;
  if (!digits.length || digits.length > 18)
    return false;
  for (size_t i = 0; i < digits.length; ++i) {
    if (digits.data[i] < '0' || digits.data[i] > '9')
      return false;
    *value = 10 * *value + (digits.data[i] - '0');
  }
  *value = negative ? -*value : *value;
  return true;
}

static bool atEnd(Cursor *cursor) {
  skipSpace(cursor);
  return cursor->next == cursor->end;
}

/// `[1, 2]` or `1`.
static bool readList(Cursor *cursor, XlaI64List *list) {
  list->size = 0;
  if (!accept(cursor, "[")) {
    list->size = 1;
    return readInteger(cursor, &list->values[0]);
  }
  if (accept(cursor, "]"))
    return true;
  do {
    if (list->size == XLA_MAX_LIST ||
        !readInteger(cursor, &list->values[list->size]))
      return false;
    ++list->size;
  } while (accept(cursor, ","));
  return accept(cursor, "]");
}

//===----------------------------------------------------------------------===//
// Structures: #stablehlo.dot<lhs_contracting_dimensions = [0], ..>
//===----------------------------------------------------------------------===//

/// A key that is left out stands for an empty list or 0.
typedef struct StructForm {
  const char *name;
  const char *lists[6];
  const char *integers[3];
} StructForm;

static const StructForm structForms[] = {
    {"dot",
     {"lhs_batching_dimensions", "rhs_batching_dimensions",
      "lhs_contracting_dimensions", "rhs_contracting_dimensions"},
     {NULL}},
    {"gather",
     {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
      "start_indices_batching_dims", "start_index_map"},
     {"index_vector_dim"}},
    {"scatter",
     {"update_window_dims", "inserted_window_dims", "input_batching_dims",
      "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"},
     {"index_vector_dim"}},
    {"channel_handle", {NULL}, {"handle", "type"}},
};

/// What has been read of a structure's keys: lists first, then integers.
#define MAX_KEYS 9
typedef struct StructValues {
  bool given[MAX_KEYS];
  XlaI64List lists[MAX_KEYS];
} StructValues;

static const char *keyName(const StructForm *form, int key) {
  return key < 6 ? form->lists[key] : form->integers[key - 6];
}

static bool readStruct(Cursor *cursor, const StructForm *form,
                       StructValues *values) {
  memset(values->given, 0, sizeof values->given);
  if (!accept(cursor, "<"))
    return false;
  if (accept(cursor, ">"))
    return atEnd(cursor);
  do {
    MlirStringRef word = readWord(cursor);
    int key = 0;
    while (key < MAX_KEYS &&
           !(keyName(form, key) && equals(word, keyName(form, key))))
      ++key;
    if (key == MAX_KEYS || values->given[key] || !accept(cursor, "="))
      return false;
    values->given[key] = true;
    if (!readList(cursor, &values->lists[key]) ||
        (key >= 6 && values->lists[key].size != 1))
      return false;
  } while (accept(cursor, ","));
  return accept(cursor, ">") && atEnd(cursor);
}

/// A structure's key under the name that the table has for it.
static const char *targetName(const Import *import, const char *name) {
  if (!strcmp(name, "handle"))
    return "channel_id";
  if (!strcmp(name, "type") && !hasAttr(import, "type"))
    return "channel_type";
  return name;
}

static XlaImportResult importStruct(Import *import, MlirStringRef name,
                                    const StructForm *form, Cursor cursor,
                                    MlirStringRef text) {
  StructValues values;
  if (!readStruct(&cursor, form, &values))
    return unreadable(import, name, text);
  XlaImportResult result = XlaImportResultOk;
  for (int key = 0; key < MAX_KEYS && result == XlaImportResultOk; ++key) {
    if (!keyName(form, key))
      continue;
    const char *known = targetName(import, keyName(form, key));
    XlaI64List *list = &values.lists[key];
    if (!values.given[key])
      list->size = 0;
    bool isDefault =
        key < 6 ? !list->size : !list->size || list->values[0] == 0;
    MlirAttribute value =
        key < 6
            ? mlirDenseI64ArrayGet(import->context, list->size, list->values)
            : xlaIrI64Attr(import->context, list->size ? list->values[0] : 0);
    if (hasAttr(import, known))
      result = add(import, known, value);
    else if (!isDefault && strcmp(known, "channel_type") != 0)
      result = unsupported(import,
                           mlirStringRefCreateFromCString(keyName(form, key)));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Convolutions: #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>
//===----------------------------------------------------------------------===//

/// Where the two letters of a bracket are, and its spatial dimensions in order.
typedef struct ConvSide {
  int64_t first, second;
  XlaI64List spatial;
} ConvSide;

static bool readConvSide(Cursor *cursor, char first, char second,
                         ConvSide *side) {
  bool seen[XLA_MAX_RANK] = {false};
  int64_t position = 0;
  side->first = side->second = -1;
  side->spatial.size = 0;
  if (!accept(cursor, "["))
    return false;
  do {
    MlirStringRef word = readWord(cursor);
    Cursor digits = {word.data, word.data + word.length};
    int64_t number;
    if (word.length == 1 && *word.data == first && side->first < 0)
      side->first = position;
    else if (word.length == 1 && *word.data == second && side->second < 0)
      side->second = position;
    else if (readInteger(&digits, &number) && number < XLA_MAX_RANK &&
             !seen[number]) {
      seen[number] = true;
      side->spatial.values[number] = position;
      ++side->spatial.size;
    } else
      return false;
    if (++position > XLA_MAX_RANK)
      return false;
  } while (accept(cursor, ","));
  for (int i = 0; i < side->spatial.size; ++i)
    if (!seen[i])
      return false;
  return accept(cursor, "]") && side->first >= 0 && side->second >= 0;
}

static XlaImportResult addConvSide(Import *import, const char *const names[3],
                                   const ConvSide *side) {
  MlirAttribute values[3] = {xlaIrI64Attr(import->context, side->first),
                             xlaIrI64Attr(import->context, side->second),
                             mlirDenseI64ArrayGet(import->context,
                                                  side->spatial.size,
                                                  side->spatial.values)};
  for (int i = 0; i < 3; ++i) {
    if (!hasAttr(import, names[i]))
      return unsupported(import, mlirStringRefCreateFromCString(names[i]));
    XlaImportResult result = add(import, names[i], values[i]);
    if (result != XlaImportResultOk)
      return result;
  }
  return XlaImportResultOk;
}

static XlaImportResult importConv(Import *import, MlirStringRef name,
                                  Cursor cursor, MlirStringRef text) {
  static const char *const names[3][3] = {
      {"input_batch_dimension", "input_feature_dimension",
       "input_spatial_dimensions"},
      {"kernel_input_feature_dimension", "kernel_output_feature_dimension",
       "kernel_spatial_dimensions"},
      {"output_batch_dimension", "output_feature_dimension",
       "output_spatial_dimensions"},
  };
  ConvSide sides[3];
  if (!accept(&cursor, "<") || !readConvSide(&cursor, 'b', 'f', &sides[0]) ||
      !accept(&cursor, "x") || !readConvSide(&cursor, 'i', 'o', &sides[1]) ||
      !accept(&cursor, "->") || !readConvSide(&cursor, 'b', 'f', &sides[2]) ||
      !accept(&cursor, ">") || !atEnd(&cursor))
    return unreadable(import, name, text);
  XlaImportResult result = XlaImportResultOk;
  for (int i = 0; i < 3 && result == XlaImportResultOk; ++i)
    result = addConvSide(import, names[i], &sides[i]);
  return result;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool isOpaque(MlirAttribute value) {
  if (!mlirAttributeIsAOpaque(value))
    return false;
  MlirStringRef space = mlirOpaqueAttrGetDialectNamespace(value);
  return equals(space, "stablehlo") || equals(space, "chlo");
}

/// `comparison_direction LT` gives "LT"; null if the text is no such pair.
static MlirAttribute wordOf(const Import *import, MlirStringRef text) {
  Cursor cursor = {text.data, text.data + text.length};
  MlirStringRef kind = readWord(&cursor);
  MlirStringRef word = readWord(&cursor);
  if (!kind.length || !word.length || !atEnd(&cursor))
    return mlirAttributeGetNull();
  return mlirStringAttrGet(import->context, word);
}

/// Opaque words, at any depth of arrays, as strings; null if one is no word.
static MlirAttribute convertValue(const Import *import, MlirAttribute value) {
  if (isOpaque(value))
    return wordOf(import, mlirOpaqueAttrGetData(value));
  if (!mlirAttributeIsAArray(value))
    return value;
  intptr_t n = mlirArrayAttrGetNumElements(value);
  MlirAttribute *elements = malloc(((size_t)n + 1) * sizeof *elements);
  bool readable = elements != NULL;
  for (intptr_t i = 0; readable && i < n; ++i) {
    elements[i] = convertValue(import, mlirArrayAttrGetElement(value, i));
    readable = !mlirAttributeIsNull(elements[i]);
  }
  value = readable ? mlirArrayAttrGet(import->context, n, elements)
                   : mlirAttributeGetNull();
  free(elements);
  return value;
}

/// The elements of a matrix of integers; false if `value` is none.
static bool readMatrix(MlirAttribute value, XlaI64List *list) {
  if (!mlirAttributeIsADenseIntElements(value))
    return false;
  MlirType type = mlirAttributeGetType(value);
  MlirType element = mlirShapedTypeGetElementType(type);
  if (mlirShapedTypeGetRank(type) != 2 || !mlirTypeIsAInteger(element) ||
      !mlirIntegerTypeIsSignless(element) ||
      mlirIntegerTypeGetWidth(element) != 64 ||
      mlirElementsAttrGetNumElements(value) > XLA_MAX_LIST)
    return false;
  list->size = (int)mlirElementsAttrGetNumElements(value);
  for (int i = 0; i < list->size; ++i)
    list->values[i] = mlirDenseElementsAttrGetInt64Value(value, i);
  return true;
}

/// A padding of low and high ends, as two lists.
static XlaImportResult splitPadding(Import *import, const XlaI64List *padding,
                                    const char *low, const char *high) {
  int64_t ends[2][XLA_MAX_LIST];
  int n = padding->size / 2;
  for (int i = 0; i < n; ++i) {
    ends[0][i] = padding->values[2 * i];
    ends[1][i] = padding->values[2 * i + 1];
  }
  XlaImportResult result =
      add(import, low, mlirDenseI64ArrayGet(import->context, n, ends[0]));
  return result == XlaImportResultOk
             ? add(import, high,
                   mlirDenseI64ArrayGet(import->context, n, ends[1]))
             : result;
}

static XlaImportResult importOpaque(Import *import, MlirStringRef name,
                                    MlirAttribute value) {
  MlirStringRef text = mlirOpaqueAttrGetData(value);
  Cursor cursor = {text.data, text.data + text.length};
  MlirStringRef form = readWord(&cursor);
  if (equals(form, "conv"))
    return importConv(import, name, cursor, text);
  for (size_t i = 0; i < sizeof structForms / sizeof *structForms; ++i)
    if (equals(form, structForms[i].name))
      return importStruct(import, name, &structForms[i], cursor, text);
  const MlirExtOpAttribute *entry = findAttr(import->target, name);
  MlirAttribute word = wordOf(import, text);
  if (!entry || mlirAttributeIsNull(word))
    return unsupported(import, name);
  return add(import, entry->name, word);
}

/// What may be left out without changing the results.
static bool isHint(const Import *import, MlirStringRef name,
                   MlirAttribute value) {
  static const char *const hints[] = {"indices_are_sorted",
                                      "unique_indices",
                                      "precision_config",
                                      "compare_type",
                                      "op_version",
                                      "known_expanding_dimensions",
                                      "known_nonexpanding_dimensions"};
  for (size_t i = 0; i < sizeof hints / sizeof *hints; ++i)
    if (equals(name, hints[i]))
      return true;
  if (!equals(name, "result_accuracy"))
    return false;
  // The default asks for nothing; any other states errors that are allowed.
  static const char standard[] =
      "mode = #stablehlo.result_accuracy_mode<DEFAULT>";
  if (!isOpaque(value))
    return false;
  MlirStringRef text = mlirOpaqueAttrGetData(value);
  return memmem(text.data, text.length, standard, sizeof standard - 1) != NULL;
}

static XlaImportResult importAttr(MlirStringRef name, MlirAttribute value,
                                  void *data) {
  Import *import = data;
  const MlirExtOpAttribute *entry = findAttr(import->target, name);
  if (xlaImportIsAnnotation(name) || (!entry && isHint(import, name, value)))
    return XlaImportResultOk;
  if (isOpaque(value))
    return importOpaque(import, name, value);
  XlaI64List padding;
  if (!entry && equals(name, "padding") && hasAttr(import, "padding_low") &&
      hasAttr(import, "padding_high") && readMatrix(value, &padding))
    return splitPadding(import, &padding, "padding_low", "padding_high");
  if (!entry)
    return unsupported(import, name);
  if (entry->kind == XlaAttrKindI64Array && readMatrix(value, &padding))
    return add(
        import, entry->name,
        mlirDenseI64ArrayGet(import->context, padding.size, padding.values));
  // What is there is true.
  if (entry->kind == XlaAttrKindBool && mlirAttributeIsAUnit(value))
    return add(import, entry->name, mlirBoolAttrGet(import->context, 1));
  MlirAttribute converted = convertValue(import, value);
  if (mlirAttributeIsNull(converted))
    return unsupported(import, name);
  return add(import, entry->name, converted);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

bool xlaImportIsAnnotation(MlirStringRef name) {
  static const char *const spaces[] = {"mhlo.", "jax.",       "tf.",
                                       "sdy.",  "stablehlo.", "chlo."};
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; ++i)
    if (startsWith(name, spaces[i]))
      return true;
  return false;
}

XlaImportResult xlaImportForEachAttribute(
    MlirOperation op,
    XlaImportResult (*visit)(MlirStringRef name, MlirAttribute value,
                             void *data),
    void *data) {
  XlaImportResult result = XlaImportResultOk;
  MlirAttribute inherent = mlirExtOperationGetInherentAttributes(op);
  intptr_t n = mlirDictionaryAttrGetNumElements(inherent);
  for (intptr_t i = 0; i < n && result == XlaImportResultOk; ++i) {
    MlirNamedAttribute attr = mlirDictionaryAttrGetElement(inherent, i);
    result = visit(mlirIdentifierStr(attr.name), attr.attribute, data);
  }
  n = mlirOperationGetNumDiscardableAttributes(op);
  for (intptr_t i = 0; i < n && result == XlaImportResultOk; ++i) {
    MlirNamedAttribute attr = mlirOperationGetDiscardableAttribute(op, i);
    result = visit(mlirIdentifierStr(attr.name), attr.attribute, data);
  }
  return result;
}

XlaImportResult xlaImportAttributes(MlirOperation op, const XlaOpInfo *target,
                                    XlaImportedAttrs *attrs) {
  Import import = {op, mlirOperationGetContext(op), target, attrs};
  attrs->count = 0;
  return xlaImportForEachAttribute(op, importAttr, &import);
}

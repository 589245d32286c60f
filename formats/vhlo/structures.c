//===- structures.c - Structures of StableHLO -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/ir.h"
#include "xlac/formats/vhlo/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Text of a structure that is being written.
typedef struct Text {
  XlaVhloReader *reader;
  const XlaVhloValues *values;
  size_t length;
  bool isFirst; ///< nothing was written yet that a comma would follow
  char chars[16384];
} Text;

static void append(Text *text, const char *part) {
  size_t length = strlen(part);
  if (length >= sizeof text->chars - text->length)
    length = sizeof text->chars - 1 - text->length;
  memcpy(text->chars + text->length, part, length);
  text->length += length;
  text->chars[text->length] = '\0';
}

static void appendNumber(Text *text, int64_t number) {
  char chars[24];
  snprintf(chars, sizeof chars, "%lld", (long long)number);
  append(text, chars);
}

static void appendKey(Text *text, const char *key) {
  append(text, text->isFirst ? "" : ", ");
  append(text, key);
  append(text, " = ");
  text->isFirst = false;
}

/// Where the operation has an attribute, which it has if its row says so; -1
/// for one that only later versions have.
static int findColumn(const XlaVhloValues *values, const char *name) {
  for (int i = 0; values->op->columns[i].name; ++i)
    if (!strcmp(values->op->columns[i].name, name))
      return i;
  return -1;
}

static bool getInteger(Text *text, const char *name, int64_t *number) {
  int column = findColumn(text->values, name);
  *number = 0;
  if (column < 0)
    return true;
  MlirAttribute value = text->values->items[column];
  if (!mlirAttributeIsAInteger(value))
    return xlaByteError(text->reader->source, text->values->at,
                        "'%s' of vhlo.%s is no integer", name,
                        text->values->op->name);
  *number = mlirIntegerAttrGetValueInt(value);
  return true;
}

static bool getList(Text *text, const char *name, XlaI64List *list) {
  int column = findColumn(text->values, name);
  list->size = 0;
  return column < 0 ||
         xlaVhloGetIntegers(text->reader, text->values, column, list);
}

//===----------------------------------------------------------------------===//
// Lists and a number: #stablehlo.dot<lhs_contracting_dimensions = [1], ..>
//===----------------------------------------------------------------------===//

typedef struct Form {
  const char *begin;
  const char *lists[5];
  const char *integer; ///< NULL: there is none
} Form;

static const Form dot = {"#stablehlo.dot<",
                         {"lhs_batching_dimensions", "rhs_batching_dimensions",
                          "lhs_contracting_dimensions",
                          "rhs_contracting_dimensions"},
                         NULL};
static const Form gather = {"#stablehlo.gather<",
                            {"offset_dims", "collapsed_slice_dims",
                             "operand_batching_dims",
                             "start_indices_batching_dims", "start_index_map"},
                            "index_vector_dim"};
static const Form scatter = {
    "#stablehlo.scatter<",
    {"update_window_dims", "inserted_window_dims", "input_batching_dims",
     "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"},
    "index_vector_dim"};

/// Empty lists and zeros are left out.
static bool writeLists(Text *text, const Form *form) {
  append(text, form->begin);
  for (int i = 0; i < 5 && form->lists[i]; ++i) {
    XlaI64List list;
    if (!getList(text, form->lists[i], &list))
      return false;
    if (!list.size)
      continue;
    appendKey(text, form->lists[i]);
    for (int k = 0; k < list.size; ++k) {
      append(text, k ? ", " : "[");
      appendNumber(text, list.values[k]);
    }
    append(text, "]");
  }
  int64_t number = 0;
  if (form->integer && !getInteger(text, form->integer, &number))
    return false;
  if (number) {
    appendKey(text, form->integer);
    appendNumber(text, number);
  }
  append(text, ">");
  return true;
}

//===----------------------------------------------------------------------===//
// #stablehlo.channel_handle<handle = 1, type = 2>
//===----------------------------------------------------------------------===//

/// Operations that have no type of a channel need not have one.
static bool writeChannel(Text *text) {
  int64_t handle, type;
  if (!getInteger(text, "channel_id", &handle) ||
      !getInteger(text, "channel_type", &type))
    return false;
  if (!handle && findColumn(text->values, "channel_type") < 0)
    return true;
  append(text, "#stablehlo.channel_handle<");
  appendKey(text, "handle");
  appendNumber(text, handle);
  appendKey(text, "type");
  appendNumber(text, type);
  append(text, ">");
  return true;
}

//===----------------------------------------------------------------------===//
// #stablehlo.dot_algorithm<lhs_precision_type = f32, ..>
//===----------------------------------------------------------------------===//

static void appendPart(MlirStringRef part, void *data) {
  char chars[64];
  snprintf(chars, sizeof chars, "%.*s", (int)part.length, part.data);
  append(data, chars);
}

/// The values as they print; nothing if there is none, which is said by the
/// type none.
static bool writeAlgorithm(Text *text) {
  static const char *const keys[] = {
      "lhs_precision_type",          "rhs_precision_type",
      "accumulation_type",           "lhs_component_count",
      "rhs_component_count",         "num_primitive_operations",
      "allow_imprecise_accumulation"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    MlirAttribute value =
        text->values->items[findColumn(text->values, keys[i])];
    bool isType = mlirAttributeIsAType(value);
    if (!i && isType && mlirTypeIsANone(mlirTypeAttrGetValue(value)))
      return true;
    append(text, i ? "" : "#stablehlo.dot_algorithm<");
    appendKey(text, keys[i]);
    if (isType && mlirTypeIsAFloat(mlirTypeAttrGetValue(value)))
      mlirTypePrint(mlirTypeAttrGetValue(value), appendPart, text);
    else if (mlirAttributeIsABool(value))
      append(text, mlirBoolAttrGetValue(value) ? "true" : "false");
    else if (mlirAttributeIsAInteger(value))
      appendNumber(text, mlirIntegerAttrGetValueInt(value));
    else
      return xlaByteError(text->reader->source, text->values->at,
                          "'%s' of vhlo.%s says no algorithm", keys[i],
                          text->values->op->name);
  }
  append(text, ">");
  return true;
}

//===----------------------------------------------------------------------===//
// #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>
//===----------------------------------------------------------------------===//

typedef struct ConvSide {
  const char *first, *second, *spatial; ///< names of attributes
  const char *letters[2];
} ConvSide;

/// Every dimension must be named once.
static bool writeSide(Text *text, const ConvSide *side) {
  int64_t places[2];
  XlaI64List spatial;
  if (!getInteger(text, side->first, &places[0]) ||
      !getInteger(text, side->second, &places[1]) ||
      !getList(text, side->spatial, &spatial))
    return false;
  for (int i = 0; i < spatial.size + 2; ++i) {
    int found = 0;
    append(text, i ? ", " : "[");
    for (int k = 0; k < 2; ++k)
      if (places[k] == i && ++found)
        append(text, side->letters[k]);
    for (int k = 0; k < spatial.size; ++k)
      if (spatial.values[k] == i && ++found)
        appendNumber(text, k);
    if (found != 1)
      return xlaByteError(text->reader->source, text->values->at,
                          "dimension %d of a convolution is named %d times", i,
                          found);
  }
  append(text, "]");
  return true;
}

static bool writeConv(Text *text) {
  static const ConvSide sides[] = {{"input_batch_dimension",
                                    "input_feature_dimension",
                                    "input_spatial_dimensions",
                                    {"b", "f"}},
                                   {"kernel_input_feature_dimension",
                                    "kernel_output_feature_dimension",
                                    "kernel_spatial_dimensions",
                                    {"i", "o"}},
                                   {"output_batch_dimension",
                                    "output_feature_dimension",
                                    "output_spatial_dimensions",
                                    {"b", "f"}}};
  static const char *const before[] = {"#stablehlo.conv<", "x", "->"};
  for (int i = 0; i < 3; ++i) {
    append(text, before[i]);
    if (!writeSide(text, &sides[i]))
      return false;
  }
  append(text, ">");
  return true;
}

//===----------------------------------------------------------------------===//
// All structures
//===----------------------------------------------------------------------===//

static bool writeStructure(Text *text, XlaVhloForm form) {
  switch (form) {
  case XlaVhloFormDot:
    return writeLists(text, &dot);
  case XlaVhloFormGather:
    return writeLists(text, &gather);
  case XlaVhloFormScatter:
    return writeLists(text, &scatter);
  case XlaVhloFormAlgorithm:
    return writeAlgorithm(text);
  case XlaVhloFormConv:
    return writeConv(text);
  case XlaVhloFormChannel:
    return writeChannel(text);
  case XlaVhloFormSame:
  case XlaVhloFormI64s:
  case XlaVhloFormBools:
  case XlaVhloFormFlag:
  case XlaVhloFormSymbol:
  case XlaVhloFormSymbols:
  case XlaVhloFormCount:
    break;
  }
  return true;
}

bool xlaVhloBuildStructure(XlaVhloReader *reader, const XlaVhloValues *values,
                           XlaVhloForm form, MlirAttribute *attribute) {
  Text text = {.reader = reader, .values = values, .isFirst = true};
  *attribute = mlirAttributeGetNull();
  if (!writeStructure(&text, form))
    return false;
  return !text.length ||
         xlaVhloParseAttribute(reader, values->at, text.chars, attribute);
}

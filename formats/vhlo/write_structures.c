//===- write_structures.c - Structures in parts ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/formats/vhlo/writer.h"
#include "xlac/passes/import/stablehlo/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

MlirAttribute xlaVhloMakeTensor(XlaVhloWriter *writer, int64_t rows,
                                int64_t columns, const int64_t *values) {
  const int64_t dims[] = {rows, columns};
  MlirType type = mlirRankedTensorTypeGet(
      columns < 0 ? 1 : 2, dims, mlirIntegerTypeGet(writer->context, 64),
      mlirAttributeGetNull());
  return mlirDenseElementsAttrInt64Get(
      type, columns < 0 ? rows : rows * columns, values);
}

//===----------------------------------------------------------------------===//
// #stablehlo.gather<offset_dims = [1], .., index_vector_dim = 1>
//===----------------------------------------------------------------------===//

/// A part by the name that the form has for it: a list, or an integer, which
/// are empty and 0 if they are not said.
static MlirAttribute getKey(XlaVhloWriter *writer, const XlaStructForm *form,
                            const XlaStructValues *values, const char *name) {
  for (int key = 0; key < XLA_STRUCT_KEYS; ++key) {
    const char *known = xlaStructGetKey(form, key);
    if (!known || strcmp(known, name) != 0)
      continue;
    const XlaI64List *list = &values->lists[key];
    bool given = values->given[key];
    if (key >= 6)
      return xlaIrI64Attr(writer->context, given ? list->values[0] : 0);
    return xlaVhloMakeTensor(writer, given ? list->size : 0, -1, list->values);
  }
  return mlirAttributeGetNull();
}

static MlirAttribute getOfForm(XlaVhloWriter *writer, XlaImportText *text,
                               const char *kind, const char *name) {
  const XlaStructForm *form =
      xlaStructFind(mlirStringRefCreateFromCString(kind));
  XlaStructValues values = {.given = {false}};
  bool isThere = text->next != text->end;
  if (isThere &&
      !(xlaTextAccept(text, "#stablehlo.") && xlaTextAccept(text, kind) &&
        xlaTextReadStruct(text, form, &values)))
    return mlirAttributeGetNull();
  return getKey(writer, form, &values, name);
}

//===----------------------------------------------------------------------===//
// #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>
//===----------------------------------------------------------------------===//

/// Which dimensions of an array have the two letters and the numbers.
typedef struct Side {
  int64_t first, second;
  int64_t spatial[XLA_MAX_RANK];
  int n;
} Side;

/// Names dimension `i`, unless something else is called so.
static bool setPlace(int64_t *place, int64_t i) {
  bool isFirst = *place < 0;
  *place = i;
  return isFirst;
}

static bool readDimension(XlaImportText *text, const char *letters, int64_t i,
                          Side *side) {
  const char first[] = {letters[0], 0}, second[] = {letters[1], 0};
  int64_t number;
  if (xlaTextAccept(text, first))
    return setPlace(&side->first, i);
  if (xlaTextAccept(text, second))
    return setPlace(&side->second, i);
  side->n += 1;
  return xlaTextReadInteger(text, &number) && number >= 0 &&
         number < XLA_MAX_RANK && setPlace(&side->spatial[number], i);
}

/// Every dimension must be named once.
static bool readSide(XlaImportText *text, const char *letters, Side *side) {
  int64_t i = 0;
  *side = (Side){.first = -1, .second = -1};
  for (int k = 0; k < XLA_MAX_RANK; ++k)
    side->spatial[k] = -1;
  if (!xlaTextAccept(text, "["))
    return false;
  do
    if (!readDimension(text, letters, i++, side))
      return false;
  while (i < XLA_MAX_RANK && xlaTextAccept(text, ","));
  for (int k = 0; k < side->n; ++k)
    if (side->spatial[k] < 0)
      return false;
  return side->first >= 0 && side->second >= 0 && xlaTextAccept(text, "]");
}

static MlirAttribute getOfConv(XlaVhloWriter *writer, XlaImportText *text,
                               const char *name) {
  static const struct {
    const char *before, *letters, *names[3];
  } sides[] = {
      {"#stablehlo.conv<",
       "bf",
       {"input_batch_dimension", "input_feature_dimension",
        "input_spatial_dimensions"}},
      {"x",
       "io",
       {"kernel_input_feature_dimension", "kernel_output_feature_dimension",
        "kernel_spatial_dimensions"}},
      {"->",
       "bf",
       {"output_batch_dimension", "output_feature_dimension",
        "output_spatial_dimensions"}}};
  for (int i = 0; i < 3; ++i) {
    Side side;
    if (!xlaTextAccept(text, sides[i].before) ||
        !readSide(text, sides[i].letters, &side))
      break;
    if (!strcmp(name, sides[i].names[0]))
      return xlaIrI64Attr(writer->context, side.first);
    if (!strcmp(name, sides[i].names[1]))
      return xlaIrI64Attr(writer->context, side.second);
    if (!strcmp(name, sides[i].names[2]))
      return xlaVhloMakeTensor(writer, side.n, -1, side.spatial);
  }
  return mlirAttributeGetNull();
}

//===----------------------------------------------------------------------===//
// #stablehlo.dot_algorithm<lhs_precision_type = f32, ..>
//===----------------------------------------------------------------------===//

/// One that is not there is all of the type none.
static MlirAttribute getOfAlgorithm(XlaVhloWriter *writer, XlaImportText *text,
                                    const char *name) {
  if (text->next == text->end)
    return mlirTypeAttrGet(mlirNoneTypeGet(writer->context));
  if (!xlaTextAccept(text, "#stablehlo.dot_algorithm<"))
    return mlirAttributeGetNull();
  do {
    MlirStringRef key = xlaTextReadWord(text);
    if (!xlaTextAccept(text, "="))
      break;
    MlirStringRef value = xlaTextReadWord(text);
    char chars[40];
    if (!mlirStringRefEqual(key, mlirStringRefCreateFromCString(name)))
      continue;
    if (value.length && value.data[0] >= '0' && value.data[0] <= '9')
      return xlaIrI64Attr(writer->context, strtoll(value.data, NULL, 10));
    snprintf(chars, sizeof chars, "%.*s",
             (int)(value.length < 30 ? value.length : 30), value.data);
    return xlaIrParseAttr(writer->context, chars);
  } while (xlaTextAccept(text, ","));
  return mlirAttributeGetNull();
}

//===----------------------------------------------------------------------===//
// All structures
//===----------------------------------------------------------------------===//

/// The handle that is not there is 0.
static MlirAttribute getOfChannel(XlaVhloWriter *writer, XlaImportText *text,
                                  const char *name) {
  return getOfForm(writer, text, "channel_handle",
                   !strcmp(name, "channel_id") ? "handle" : "type");
}

static MlirAttribute getOfText(XlaVhloWriter *writer, XlaVhloForm form,
                               XlaImportText *text, const char *name) {
  switch (form) {
  case XlaVhloFormDot:
    return getOfForm(writer, text, "dot", name);
  case XlaVhloFormGather:
    return getOfForm(writer, text, "gather", name);
  case XlaVhloFormScatter:
    return getOfForm(writer, text, "scatter", name);
  case XlaVhloFormChannel:
    return getOfChannel(writer, text, name);
  case XlaVhloFormConv:
    return getOfConv(writer, text, name);
  case XlaVhloFormAlgorithm:
    return getOfAlgorithm(writer, text, name);
  case XlaVhloFormSame:
  case XlaVhloFormI64s:
  case XlaVhloFormBools:
  case XlaVhloFormFlag:
  case XlaVhloFormSymbol:
  case XlaVhloFormSymbols:
  case XlaVhloFormCount:
    break;
  }
  return mlirAttributeGetNull();
}

MlirAttribute xlaVhloGetPart(XlaVhloWriter *writer, XlaVhloForm form,
                             MlirAttribute value, const char *name) {
  XlaIrText printed = {0};
  if (!mlirAttributeIsNull(value))
    mlirAttributePrint(value, xlaIrTextAppend, &printed);
  xlaIrTextAppend(mlirStringRefCreate("", 1), &printed);
  MlirAttribute part = mlirAttributeGetNull();
  if (printed.isCut) {
    xlaVhloNoMemory(writer);
  } else {
    XlaImportText text = {printed.data, printed.data + printed.size - 1};
    part = getOfText(writer, form, &text, name);
    if (mlirAttributeIsNull(part))
      xlaVhloRefuse(writer, "does not say its '%s' as artifacts do", name);
  }
  free(printed.data);
  return part;
}

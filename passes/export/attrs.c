//===- attrs.c - Attributes as StableHLO has them -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of StableHLO are made from their text, so that it does not matter
// whether the dialect is registered.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/export/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/ops/convolution.h"
#include "xlac/dialect/ops/groups.h"
#include "xlac/passes/import/stablehlo/algorithm.h"
#include "xlac/passes/import/stablehlo/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Export {
  MlirOperation op;
  MlirContext context;
  XlaOpKind kind;
  XlaExportedAttrs *attrs;
} Export;

static XlaImportResult add(Export *ex, const char *name, MlirAttribute value) {
  if (mlirAttributeIsNull(value) || ex->attrs->count == XLA_EXPORT_MAX_ATTRS)
    return xlaExportNoMemory(ex->op);
  ex->attrs->items[ex->attrs->count++] = (XlaIrAttr){name, value};
  return XlaImportResultOk;
}

/// Adds the attribute that `text` describes, and frees that.
static XlaImportResult addText(Export *ex, const char *name, XlaIrText *text) {
  xlaIrTextAppend(mlirStringRefCreate("", 1), text);
  MlirAttribute value = text->isCut ? mlirAttributeGetNull()
                                    : xlaIrParseAttr(ex->context, text->data);
  free(text->data);
  return add(ex, name, value);
}

//===----------------------------------------------------------------------===//
// Structures
//===----------------------------------------------------------------------===//

/// Attributes that are structures there, of which a key is an attribute here.
static const struct {
  XlaOpKind kind;
  const char *attribute, *structure;
} structures[] = {
    {XlaOpKindGather, "dimension_numbers", "gather"},
    {XlaOpKindScatter, "scatter_dimension_numbers", "scatter"},
    {XlaOpKindDotGeneral, "dot_dimension_numbers", "dot"},
};

enum { nStructures = sizeof structures / sizeof *structures };

static const XlaStructForm *formOf(XlaOpKind kind, const char **attribute) {
  for (int i = 0; i < nStructures; ++i)
    if (structures[i].kind == kind) {
      *attribute = structures[i].attribute;
      return xlaStructFind(
          mlirStringRefCreateFromCString(structures[i].structure));
    }
  return NULL;
}

static bool isKey(const XlaStructForm *form, const char *name) {
  for (int key = 0; form && key < XLA_STRUCT_KEYS; ++key)
    if (xlaStructGetKey(form, key) && !strcmp(xlaStructGetKey(form, key), name))
      return true;
  return false;
}

static void putList(XlaIrText *text, const XlaI64List *list) {
  xlaIrTextPrint(text, "[");
  for (int i = 0; i < list->size; ++i)
    xlaIrTextPrint(text, "%s%lld", i ? ", " : "", (long long)list->values[i]);
  xlaIrTextPrint(text, "]");
}

/// Empty lists are left out, as StableHLO prints it; integers are not.
static XlaImportResult addStruct(Export *ex, const char *attribute,
                                 const XlaStructForm *form) {
  XlaIrText text = {0};
  const char *comma = "";
  xlaIrTextPrint(&text, "#stablehlo.%s<", form->name);
  for (int key = 0; key < XLA_STRUCT_KEYS; ++key) {
    const char *name = xlaStructGetKey(form, key);
    XlaI64List list = {.size = 0};
    if (!name ||
        (key < 6 && (!xlaOpGetList(ex->op, name, &list) || !list.size)))
      continue;
    xlaIrTextPrint(&text, "%s%s = ", comma, name);
    if (key < 6)
      putList(&text, &list);
    else
      xlaIrTextPrint(&text, "%lld", (long long)xlaOpGetI64(ex->op, name, 0));
    comma = ", ";
  }
  xlaIrTextPrint(&text, ">");
  return addText(ex, attribute, &text);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

static void putSide(XlaIrText *text, const XlaConvolutionSide *side,
                    const char letters[2]) {
  int rank = side->spatial.size + 2;
  xlaIrTextPrint(text, "[");
  for (int d = 0; d < rank; ++d) {
    xlaIrTextPrint(text, d ? ", " : "");
    if (d == side->batch)
      xlaIrTextPrint(text, "%c", letters[0]);
    else if (d == side->feature)
      xlaIrTextPrint(text, "%c", letters[1]);
    for (int i = 0; i < side->spatial.size; ++i)
      if (side->spatial.values[i] == d)
        xlaIrTextPrint(text, "%d", i);
  }
  xlaIrTextPrint(text, "]");
}

static XlaImportResult addConvolution(Export *ex) {
  XlaConvolution convolution;
  XlaIrText text = {0};
  int reversed[XLA_MAX_RANK];
  xlaConvolutionRead(ex->op, &convolution);
  xlaIrTextPrint(&text, "#stablehlo.conv<");
  putSide(&text, &convolution.lhs, "bf");
  xlaIrTextPrint(&text, "x");
  putSide(&text, &convolution.rhs, "oi");
  xlaIrTextPrint(&text, "->");
  putSide(&text, &convolution.result, "bf");
  xlaIrTextPrint(&text, ">");
  int n = convolution.lhs.spatial.size;
  for (int i = 0; i < n; ++i)
    reversed[i] = convolution.reversed[i];
  XlaImportResult result = addText(ex, "dimension_numbers", &text);
  if (result == XlaImportResultOk &&
      !mlirAttributeIsNull(xlaOpGetAttr(ex->op, "window_reversal")))
    result = add(ex, "window_reversal",
                 mlirDenseBoolArrayGet(ex->context, n, reversed));
  return result;
}

/// Attributes that are in dimension_numbers there, and the reversal, which is
/// added with them.
static bool isOfConvolution(const Export *ex, const char *name) {
  size_t length = strlen(name);
  return ex->kind == XlaOpKindConvolution &&
         (!strcmp(name, "window_reversal") ||
          (length > 10 && !strcmp(name + length - 10, "_dimension")) ||
          (length > 11 && !strcmp(name + length - 11, "_dimensions")));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static MlirAttribute matrix(Export *ex, int64_t rows, int64_t columns,
                            const int64_t *values) {
  const int64_t dims[] = {rows, columns};
  MlirType type = mlirRankedTensorTypeGet(
      2, dims, mlirIntegerTypeGet(ex->context, 64), mlirAttributeGetNull());
  return mlirDenseElementsAttrInt64Get(type, rows * columns, values);
}

/// [[0, 1], [2]] as rows, which -1 fills up.
static XlaImportResult addGroups(Export *ex, const char *name,
                                 MlirAttribute value) {
  XlaGroups groups;
  int64_t columns = 0;
  if (!xlaGroupsRead(value, &groups)) {
    xlaGroupsDestroy(&groups);
    return xlaExportNoMemory(ex->op);
  }
  for (intptr_t i = 0; i < groups.count; ++i) {
    int64_t size = groups.starts[i + 1] - groups.starts[i];
    columns = size > columns ? size : columns;
  }
  int64_t n = groups.count * columns;
  // Rows of very different lengths would take memory without a bound.
  int64_t *ids =
      n > XLA_MAX_GROUP_IDS ? NULL : malloc(((size_t)n + 1) * sizeof *ids);
  for (intptr_t i = 0; ids && i < groups.count; ++i)
    for (int64_t c = 0; c < columns; ++c) {
      intptr_t at = groups.starts[i] + c;
      ids[i * columns + c] = at < groups.starts[i + 1] ? groups.ids[at] : -1;
    }
  XlaImportResult result =
      n > XLA_MAX_GROUP_IDS
          ? xlaExportRefuse(ex->op,
                            "attribute '%s' would be a matrix of %lld numbers",
                            name, (long long)n)
      : ids ? add(ex, name, matrix(ex, groups.count, columns, ids))
            : xlaExportNoMemory(ex->op);
  free(ids);
  xlaGroupsDestroy(&groups);
  return result;
}

/// "LT" as `#stablehlo<comparison_direction LT>`.
static MlirAttribute word(Export *ex, const char *name, MlirAttribute value) {
  static const char *const names[][2] = {{"compare_type", "comparison_type"},
                                         {"transpose_a", "transpose"},
                                         {"precision_config", "precision"}};
  char text[200];
  const char *kind = name;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(names[i][0], name))
      kind = names[i][1];
  if (!mlirAttributeIsAString(value))
    return value;
  MlirStringRef chosen = mlirStringAttrGetValue(value);
  snprintf(text, sizeof text, "#stablehlo<%s %.*s>", kind, (int)chosen.length,
           chosen.data);
  return xlaIrParseAttr(ex->context, text);
}

/// A precision for each operand.
static XlaImportResult addPrecision(Export *ex, const char *name,
                                    MlirAttribute value) {
  MlirAttribute items[2];
  intptr_t n = mlirArrayAttrGetNumElements(value);
  for (intptr_t i = 0; i < n && i < 2; ++i) {
    items[i] = word(ex, name, mlirArrayAttrGetElement(value, i));
    if (mlirAttributeIsNull(items[i]))
      return xlaExportNoMemory(ex->op);
  }
  return add(ex, name, mlirArrayAttrGet(ex->context, n < 2 ? n : 2, items));
}

static XlaImportResult addChannel(Export *ex, MlirAttribute value) {
  char text[80];
  int64_t id = mlirIntegerAttrGetValueInt(value);
  XlaOpKind kind = ex->kind;
  bool isHost = xlaOpIsTrue(ex->op, "is_host_transfer");
  int type = kind == XlaOpKindSend && isHost   ? 2
             : kind == XlaOpKindRecv && isHost ? 3
                                               : id > 0;
  snprintf(text, sizeof text,
           "#stablehlo.channel_handle<handle = %lld, type = %d>", (long long)id,
           type);
  return add(ex, "channel_handle", xlaIrParseAttr(ex->context, text));
}

static MlirAttribute integer(Export *ex, const char *name,
                             MlirAttribute value) {
  static const char *const narrow[] = {"exponent_bits", "mantissa_bits",
                                       "index", "api_version"};
  unsigned width = 64;
  for (size_t i = 0; i < sizeof narrow / sizeof *narrow; ++i)
    if (!strcmp(narrow[i], name))
      width = 32;
  return mlirAttributeIsAInteger(value)
             ? mlirIntegerAttrGet(mlirIntegerTypeGet(ex->context, width),
                                  mlirIntegerAttrGetValueInt(value))
             : value;
}

static XlaImportResult addI64Array(Export *ex, const char *name) {
  XlaI64List list;
  xlaOpGetList(ex->op, name, &list);
  return add(ex, name,
             strcmp(name, "padding") != 0
                 ? mlirDenseI64ArrayGet(ex->context, list.size, list.values)
                 : matrix(ex, list.size / 2, 2, list.values));
}

static XlaElementType operandElement(const Export *ex, intptr_t i) {
  return xlaElementTypeFromMlir(mlirShapedTypeGetElementType(
      mlirValueGetType(mlirOperationGetOperand(ex->op, i))));
}

static XlaImportResult addAlgorithm(Export *ex, MlirAttribute value) {
  char text[400];
  if (!mlirAttributeIsAString(value) ||
      !xlaDotAlgorithmText(mlirStringAttrGetValue(value), operandElement(ex, 0),
                           operandElement(ex, 1), text, sizeof text))
    return xlaExportRefuse(ex->op, "attribute 'algorithm' is none of XLA's");
  return add(ex, "algorithm", xlaIrParseAttr(ex->context, text));
}

/// Attributes whose kind does not say enough.
static XlaImportResult addOther(Export *ex, const char *name,
                                MlirAttribute value) {
  if (!strcmp(name, "precision_config") && mlirAttributeIsAArray(value))
    return addPrecision(ex, name, value);
  if (!strcmp(name, "algorithm"))
    return addAlgorithm(ex, value);
  if (!strcmp(name, "epsilon"))
    return add(ex, name,
               mlirFloatAttrDoubleGet(ex->context, mlirF32TypeGet(ex->context),
                                      mlirFloatAttrGetValueDouble(value)));
  return add(ex, name, integer(ex, name, value));
}

static XlaImportResult exportAttr(Export *ex, const MlirExtOpAttribute *entry,
                                  MlirAttribute value) {
  const char *name = entry->name;
  switch ((XlaAttrKind)entry->kind) {
  case XlaAttrKindI64:
    return !strcmp(name, "channel_id")
               ? addChannel(ex, value)
               : add(ex, name, integer(ex, name, value));
  case XlaAttrKindI64Array:
    return addI64Array(ex, name);
  case XlaAttrKindEnum:
    return add(ex, name, word(ex, name, value));
  case XlaAttrKindGroups:
    return addGroups(ex, name, value);
  case XlaAttrKindBool:
    if (strcmp(name, "use_global_device_ids") != 0)
      return add(ex, name, value);
    return xlaOpIsTrue(ex->op, name)
               ? add(ex, name, mlirUnitAttrGet(ex->context))
               : XlaImportResultOk;
  case XlaAttrKindAny:
    return addOther(ex, name, value);
  case XlaAttrKindElements:
  case XlaAttrKindSymbol:
  case XlaAttrKindString:
    break;
  }
  return add(ex, name, value);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// What StableHLO wants to be stated.
static const struct {
  XlaOpKind kind;
  const char *name, *value;
} defaults[] = {
    {XlaOpKindAllGather, "replica_groups", "dense<> : tensor<0x0xi64>"},
    {XlaOpKindAllReduce, "replica_groups", "dense<> : tensor<0x0xi64>"},
    {XlaOpKindAllToAll, "replica_groups", "dense<> : tensor<0x0xi64>"},
    {XlaOpKindReduceScatter, "replica_groups", "dense<> : tensor<0x0xi64>"},
    {XlaOpKindConvolution, "feature_group_count", "1 : i64"},
    {XlaOpKindConvolution, "batch_group_count", "1 : i64"},
    // It is stable whether it says so or not.
    {XlaOpKindSort, "is_stable", "true"},
};

static XlaImportResult addDefaults(Export *ex) {
  XlaImportResult result = XlaImportResultOk;
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; ++i)
    if (result == XlaImportResultOk && defaults[i].kind == ex->kind &&
        mlirAttributeIsNull(xlaOpGetAttr(ex->op, defaults[i].name)))
      result = add(ex, defaults[i].name,
                   xlaIrParseAttr(ex->context, defaults[i].value));
  if (result == XlaImportResultOk && ex->kind == XlaOpKindSlice &&
      mlirAttributeIsNull(xlaOpGetAttr(ex->op, "strides"))) {
    XlaI64List list;
    xlaOpGetList(ex->op, "start_indices", &list);
    for (int i = 0; i < list.size; ++i)
      list.values[i] = 1;
    result = add(ex, "strides",
                 mlirDenseI64ArrayGet(ex->context, list.size, list.values));
  }
  return result;
}

/// Attributes that say what others do.
static bool isImplied(const Export *ex, const char *name) {
  return !strcmp(name, "shard_count") || !strcmp(name, "channel_type") ||
         (!strcmp(name, "broadcast_dimensions") &&
          ex->kind != XlaOpKindBroadcastInDim);
}

XlaImportResult xlaExportAttributes(MlirOperation op, XlaExportedAttrs *attrs) {
  Export ex = {op, mlirOperationGetContext(op), xlaOpGetKind(op), attrs};
  const MlirExtOpAttribute *entry = xlaOpGetInfo(ex.kind)->attributes;
  const char *attribute = NULL;
  const XlaStructForm *form = formOf(ex.kind, &attribute);
  XlaImportResult result = XlaImportResultOk;
  attrs->count = 0;
  for (; entry && entry->name && result == XlaImportResultOk; ++entry) {
    MlirAttribute value = xlaOpGetAttr(op, entry->name);
    if (!mlirAttributeIsNull(value) && !isKey(form, entry->name) &&
        !isOfConvolution(&ex, entry->name) && !isImplied(&ex, entry->name))
      result = exportAttr(&ex, entry, value);
  }
  if (result == XlaImportResultOk && form)
    result = addStruct(&ex, attribute, form);
  if (result == XlaImportResultOk && ex.kind == XlaOpKindConvolution)
    result = addConvolution(&ex);
  return result == XlaImportResultOk ? addDefaults(&ex) : result;
}

//===- stablehlo.c - Random programs in StableHLO -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-gen/program.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/ops/dot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maxAttrs = 16, maxOperands = 64 };

/// An operation that is about to take the place of another.
typedef struct Export {
  MlirOperation op;
  XlaIr ir; // before it
  XlaOpKind kind;
  int nAttrs;
  XlaIrAttr attrs[maxAttrs];
  intptr_t nOperands;
  MlirValue operands[maxOperands];
} Export;

static MlirAttribute parsed(const Export *ex, const char *format,
                            const char *text) {
  char whole[512];
  snprintf(whole, sizeof whole, format, text);
  return xlaIrParseAttr(ex->ir.context, whole);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Attributes that are structures there: a field is an attribute here. Lists
/// are in brackets; the last of `integers` is followed by NULL.
typedef struct StructForm {
  XlaOpKind kind;
  const char *attribute, *name;
  const char *lists[6];
  const char *integers[2];
} StructForm;

static const StructForm structForms[] = {
    {XlaOpKindGather,
     "dimension_numbers",
     "gather",
     {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
      "start_indices_batching_dims", "start_index_map"},
     {"index_vector_dim"}},
    {XlaOpKindScatter,
     "scatter_dimension_numbers",
     "scatter",
     {"update_window_dims", "inserted_window_dims", "input_batching_dims",
      "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"},
     {"index_vector_dim"}},
    {XlaOpKindDotGeneral,
     "dot_dimension_numbers",
     "dot",
     {"lhs_batching_dimensions", "rhs_batching_dimensions",
      "lhs_contracting_dimensions", "rhs_contracting_dimensions"},
     {NULL}},
};

static const StructForm *structForm(XlaOpKind kind) {
  for (size_t i = 0; i < sizeof structForms / sizeof *structForms; ++i)
    if (structForms[i].kind == kind)
      return &structForms[i];
  return NULL;
}

static bool isField(const StructForm *form, const char *name) {
  for (int i = 0; form && i < 6 && form->lists[i]; ++i)
    if (!strcmp(form->lists[i], name))
      return true;
  for (int i = 0; form && i < 2 && form->integers[i]; ++i)
    if (!strcmp(form->integers[i], name))
      return true;
  return false;
}

static MlirAttribute structure(const Export *ex, const StructForm *form) {
  char text[400];
  int length = snprintf(text, sizeof text, "%s<", form->name);
  const char *comma = "";
  for (int i = 0; i < 6 && form->lists[i]; ++i) {
    XlaI64List list;
    if (!xlaOpGetList(ex->op, form->lists[i], &list) || !list.size)
      continue;
    length +=
        snprintf(text + length, sizeof text - (size_t)length, "%s%s = %s",
                 comma, form->lists[i], XLA_LIST_TEXT(list.values, list.size));
    comma = ", ";
  }
  for (int i = 0; i < 2 && form->integers[i]; ++i) {
    length += snprintf(text + length, sizeof text - (size_t)length,
                       "%s%s = %lld", comma, form->integers[i],
                       (long long)xlaOpGetI64(ex->op, form->integers[i], 0));
    comma = ", ";
  }
  snprintf(text + length, sizeof text - (size_t)length, ">");
  return parsed(ex, "#stablehlo.%s", text);
}

static void addAttr(Export *ex, const char *name, MlirAttribute value) {
  if (ex->nAttrs < maxAttrs)
    ex->attrs[ex->nAttrs++] = (XlaIrAttr){name, value};
}

static bool isNarrow(const char *name) {
  static const char *const narrow[] = {"exponent_bits", "mantissa_bits",
                                       "index"};
  for (size_t i = 0; i < sizeof narrow / sizeof *narrow; ++i)
    if (!strcmp(narrow[i], name))
      return true;
  return false;
}

static MlirAttribute enumeration(const Export *ex, const char *name,
                                 MlirAttribute value) {
  static const char *const names[][2] = {
      {"comparison_direction", "comparison_direction"},
      {"compare_type", "comparison_type"},
      {"transpose_a", "transpose"}};
  char text[200];
  const char *kind = name;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(names[i][0], name))
      kind = names[i][1];
  MlirStringRef word = mlirStringAttrGetValue(value);
  snprintf(text, sizeof text, "%s %.*s", kind, (int)word.length, word.data);
  return parsed(ex, "#stablehlo<%s>", text);
}

/// A list of pairs is a matrix there.
static MlirAttribute pairs(const Export *ex, const XlaI64List *list) {
  const int64_t dims[] = {list->size / 2, 2};
  MlirType type = mlirRankedTensorTypeGet(
      2, dims, mlirIntegerTypeGet(ex->ir.context, 64), mlirAttributeGetNull());
  return mlirDenseElementsAttrInt64Get(type, list->size, list->values);
}

/// "[b, 0, f]" of the attributes "input_batch_dimension" ..
static int convolutionSide(const Export *ex, char *text, size_t room,
                           const char *const names[3], const char letters[2]) {
  XlaI64List spatial;
  char order[XLA_MAX_RANK][4] = {{0}};
  xlaOpGetList(ex->op, names[2], &spatial);
  for (int i = 0; i < 2; ++i)
    order[xlaOpGetI64(ex->op, names[i], 0)][0] = letters[i];
  for (int i = 0; i < spatial.size; ++i)
    snprintf(order[spatial.values[i]], 4, "%d", i);
  int length = snprintf(text, room, "[");
  for (int i = 0; i < spatial.size + 2; ++i)
    length += snprintf(text + length, room - (size_t)length, "%s%s",
                       i ? ", " : "", order[i]);
  return length + snprintf(text + length, room - (size_t)length, "]");
}

static bool isConvolutionDimension(const char *name) {
  size_t length = strlen(name);
  return (length > 10 && !strcmp(name + length - 10, "_dimension")) ||
         (length > 11 && !strcmp(name + length - 11, "_dimensions"));
}

static void exportConvolution(Export *ex) {
  static const char *const names[3][3] = {
      {"input_batch_dimension", "input_feature_dimension",
       "input_spatial_dimensions"},
      {"kernel_input_feature_dimension", "kernel_output_feature_dimension",
       "kernel_spatial_dimensions"},
      {"output_batch_dimension", "output_feature_dimension",
       "output_spatial_dimensions"}};
  static const char *const between[] = {"x", "->", ">"};
  char text[400];
  int length = snprintf(text, sizeof text, "conv<");
  for (int i = 0; i < 3; ++i) {
    length += convolutionSide(ex, text + length, sizeof text - (size_t)length,
                              names[i], i == 1 ? "io" : "bf");
    length +=
        snprintf(text + length, sizeof text - (size_t)length, "%s", between[i]);
  }
  addAttr(ex, "dimension_numbers", parsed(ex, "#stablehlo.%s", text));
}

static void exportAttrs(Export *ex) {
  const MlirExtOpAttribute *entry = xlaOpGetInfo(ex->kind)->attributes;
  const StructForm *form = structForm(ex->kind);
  for (; entry && entry->name; ++entry) {
    MlirAttribute value = xlaOpGetAttr(ex->op, entry->name);
    XlaI64List list;
    if (ex->kind == XlaOpKindConvolution && isConvolutionDimension(entry->name))
      continue;
    bool broadcasts = !strcmp(entry->name, "broadcast_dimensions") &&
                      ex->kind != XlaOpKindBroadcastInDim;
    if (mlirAttributeIsNull(value) || isField(form, entry->name) || broadcasts)
      continue;
    if (!strcmp(entry->name, "padding") &&
        xlaOpGetList(ex->op, "padding", &list))
      value = pairs(ex, &list);
    else if (entry->kind == XlaAttrKindEnum)
      value = enumeration(ex, entry->name, value);
    else if (isNarrow(entry->name))
      value = mlirIntegerAttrGet(mlirIntegerTypeGet(ex->ir.context, 32),
                                 mlirIntegerAttrGetValueInt(value));
    addAttr(ex, entry->name, value);
  }
  if (form)
    addAttr(ex, form->attribute, structure(ex, form));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static XlaShape shapeOf(MlirValue value) {
  XlaShape shape = {.elementType = XlaElementTypeInvalid};
  xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL);
  return shape;
}

/// Operands are not broadcast implicitly there.
static void broadcastOperands(Export *ex) {
  XlaShape result = shapeOf(mlirOperationGetResult(ex->op, 0));
  XlaI64List given;
  bool isGiven = xlaOpGetList(ex->op, "broadcast_dimensions", &given);
  for (int i = 0; i < 2; ++i) {
    XlaShape shape = shapeOf(ex->operands[i]);
    if (xlaShapeDimsEqual(&shape, &result))
      continue;
    int64_t dims[XLA_MAX_RANK];
    for (int d = 0; d < shape.rank; ++d)
      dims[d] = isGiven && shape.rank < result.rank ? given.values[d] : d;
    XlaShape wide = result;
    wide.elementType = shape.elementType;
    XlaIrAttr attr = {"broadcast_dimensions",
                      mlirDenseI64ArrayGet(ex->ir.context, shape.rank, dims)};
    ex->operands[i] = xlaIrOp(&ex->ir, "stablehlo.broadcast_in_dim",
                              xlaShapeToMlir(&wide, ex->ir.context), 1,
                              &ex->operands[i], 1, &attr);
  }
}

/// xla.dot is a dot_general there.
static void exportDot(Export *ex) {
  char text[200];
  XlaDotDimensions dims;
  xlaDotGetDimensions(ex->op, &dims);
  snprintf(text, sizeof text,
           "dot<lhs_contracting_dimensions = [%lld], "
           "rhs_contracting_dimensions = [%lld]>",
           (long long)dims.lhs.contracting.values[0],
           (long long)dims.rhs.contracting.values[0]);
  addAttr(ex, "dot_dimension_numbers", parsed(ex, "#stablehlo.%s", text));
}

static void replaceUses(MlirValue from, MlirValue to) {
  mlirValueReplaceAllUsesOfWith(from, to);
}

/// Branches have no operands there: they use the values themselves.
static void exportConditional(Export *ex) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(ex->op); ++i) {
    MlirBlock block =
        mlirRegionGetFirstBlock(mlirOperationGetRegion(ex->op, i));
    replaceUses(mlirBlockGetArgument(block, 0), ex->operands[1 + i]);
    mlirBlockEraseArgument(block, 0);
  }
  ex->nOperands = 1;
}

static const char *exportedName(Export *ex, char name[64]) {
  static const char *const names[XlaOpKindCount] = {
      [XlaOpKindDot] = "stablehlo.dot_general",
      [XlaOpKindCall] = "func.call",
      [XlaOpKindTopK] = "chlo.top_k",
  };
  const XlaOpInfo *info = xlaOpGetInfo(ex->kind);
  if (ex->kind == XlaOpKindConditional)
    return shapeOf(ex->operands[0]).elementType == XlaElementTypePred
               ? "stablehlo.if"
               : "stablehlo.case";
  if (names[ex->kind])
    return names[ex->kind];
  snprintf(name, 64, "%s.%s",
           info->dialect == XlaOpDialectChlo ? "chlo" : "stablehlo",
           info->name);
  return name;
}

static void exportOp(MlirOperation op, XlaOpKind kind) {
  Export ex = {.op = op,
               .ir = xlaIrBefore(op),
               .kind = kind,
               .nOperands = mlirOperationGetNumOperands(op)};
  char name[64];
  for (intptr_t i = 0; i < ex.nOperands && i < maxOperands; ++i)
    ex.operands[i] = mlirOperationGetOperand(op, i);
  exportAttrs(&ex);
  const XlaOpInfo *info = xlaOpGetInfo(kind);
  if (info->family == XlaFamilyElementwise && info->minOperands == 2)
    broadcastOperands(&ex);
  const char *exported = exportedName(&ex, name);
  if (kind == XlaOpKindDot)
    exportDot(&ex);
  if (kind == XlaOpKindConvolution)
    exportConvolution(&ex);
  if (kind == XlaOpKindConditional)
    exportConditional(&ex);
  intptr_t nResults = mlirOperationGetNumResults(op);
  intptr_t nRegions = mlirOperationGetNumRegions(op);
  MlirType types[maxOperands];
  MlirRegion regions[8];
  for (intptr_t i = 0; i < nResults && i < maxOperands; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  for (intptr_t i = 0; i < nRegions && i < 8; ++i) {
    regions[i] = mlirRegionCreate();
    mlirRegionTakeBody(regions[i], mlirOperationGetRegion(op, i));
  }
  MlirOperation made =
      xlaIrCreate(&ex.ir, exported, ex.nOperands, ex.operands, nResults, types,
                  ex.nAttrs, ex.attrs, nRegions, regions);
  for (intptr_t i = 0; i < nResults; ++i)
    replaceUses(mlirOperationGetResult(op, i), mlirOperationGetResult(made, i));
  mlirOperationDestroy(op);
}

/// Whether exportOp has room for the operation.
static bool isExportable(MlirOperation op) {
  if (mlirOperationGetNumOperands(op) <= maxOperands &&
      mlirOperationGetNumResults(op) <= maxOperands &&
      mlirOperationGetNumRegions(op) <= 8)
    return true;
  xlaOpError(op, NULL, "is too large for StableHLO's form");
  return false;
}

typedef struct Ops {
  intptr_t n, capacity;
  MlirOperation *items;
  bool failed;
} Ops;

static MlirWalkResult collect(MlirOperation op, void *data) {
  Ops *ops = data;
  if (xlaOpGetKind(op) == XlaOpKindInvalid)
    return MlirWalkResultAdvance;
  if (ops->n == ops->capacity) {
    ops->capacity = ops->capacity ? 2 * ops->capacity : 256;
    MlirOperation *grown =
        realloc(ops->items, (size_t)ops->capacity * sizeof *grown);
    if (grown)
      ops->items = grown;
    ops->failed |= !grown;
  }
  if (ops->failed || !isExportable(op)) {
    ops->failed = true;
    return MlirWalkResultInterrupt;
  }
  ops->items[ops->n++] = op;
  return MlirWalkResultAdvance;
}

char *xlaGenStablehlo(MlirModule module) {
  MlirOperation clone = mlirOperationClone(mlirModuleGetOperation(module));
  mlirContextSetAllowUnregisteredDialects(mlirOperationGetContext(clone), true);
  Ops ops = {.items = NULL};
  mlirOperationWalk(clone, collect, &ops, MlirWalkPostOrder);
  for (intptr_t i = 0; i < ops.n && !ops.failed; ++i)
    exportOp(ops.items[i], xlaOpGetKind(ops.items[i]));
  size_t length = 0;
  char *text = ops.failed ? NULL : xlaIrPrintAlone(clone, &length);
  char *ended = text ? realloc(text, length + 1) : NULL;
  if (ended)
    ended[length] = '\0';
  else
    free(text);
  free(ops.items);
  mlirOperationDestroy(clone);
  return ended;
}

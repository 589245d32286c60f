//===- emit_attrs.c - Attributes of xla from HLO --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/emit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const dimensionNames[XlaHloOpcodeCount] = {
#define XLA_HLO_OP(name, Enum, operands, Emit, Kind, dimensions) dimensions,
#include "xlac/formats/hlo/opcodes.def"
};

void xlaHloAddAttr(XlaHloAttrs *attrs, const char *name, MlirAttribute value) {
  if (attrs->n < XLA_HLO_MAX_ATTRS)
    attrs->items[attrs->n++] = (XlaIrAttr){name, value};
}

static MlirAttribute listAttr(MlirContext context, intptr_t n,
                              const int64_t *values) {
  return mlirDenseI64ArrayGet(context, n, values);
}

/// Column `column` of rows of `width`, as an attribute.
static bool addColumn(XlaHloOp *op, XlaHloAttrs *attrs, const char *name,
                      const XlaHloAttr *attr, int width, int column) {
  int64_t values[XLA_MAX_RANK];
  intptr_t n = attr->n / width;
  if (n > XLA_MAX_RANK)
    return xlaHloOpInvalid(op, "has a list of more than %d dimensions",
                           XLA_MAX_RANK);
  for (intptr_t i = 0; i < n; ++i)
    values[i] = attr->values[i * width + column];
  xlaHloAddAttr(attrs, name, listAttr(op->ir.context, n, values));
  return true;
}

/// One of several numbers.
static bool addSingle(XlaHloOp *op, XlaHloAttrs *attrs, const char *name,
                      const XlaHloAttr *attr) {
  if (attr->n != 1)
    return xlaHloOpInvalid(op, "must have one dimension, not %u", attr->n);
  xlaHloAddAttr(attrs, name, xlaIrI64Attr(op->ir.context, attr->values[0]));
  return true;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

static bool addPadding(XlaHloOp *op, XlaHloAttrs *attrs,
                       const XlaHloAttr *attr) {
  int64_t padding[2 * XLA_MAX_RANK];
  intptr_t n = attr->n / XlaHloWindowFieldCount;
  for (intptr_t i = 0; i < n; ++i) {
    const int64_t *row = attr->values + i * XlaHloWindowFieldCount;
    padding[2 * i] = row[XlaHloWindowLow];
    padding[2 * i + 1] = row[XlaHloWindowHigh];
  }
  xlaHloAddAttr(attrs, "padding", listAttr(op->ir.context, 2 * n, padding));
  return true;
}

static bool addReversal(XlaHloOp *op, XlaHloAttrs *attrs,
                        const XlaHloAttr *attr) {
  MlirAttribute items[XLA_MAX_RANK];
  intptr_t n = attr->n / XlaHloWindowFieldCount;
  for (intptr_t i = 0; i < n; ++i)
    items[i] = mlirBoolAttrGet(
        op->ir.context,
        attr->values[i * XlaHloWindowFieldCount + XlaHloWindowReversal] != 0);
  xlaHloAddAttr(attrs, "window_reversal",
                mlirArrayAttrGet(op->ir.context, n, items));
  return true;
}

/// An error unless the field is `value` in every dimension.
static bool expectField(XlaHloOp *op, const XlaHloAttr *attr,
                        XlaHloWindowField field, int64_t value,
                        const char *what) {
  for (uint32_t i = 0; i < attr->n; i += XlaHloWindowFieldCount)
    if (attr->values[i + field] != value)
      return xlaHloOpRefuse(op, "is not supported yet: a window with %s", what);
  return true;
}

static bool addField(XlaHloOp *op, XlaHloAttrs *attrs, const char *name,
                     const XlaHloAttr *attr, XlaHloWindowField field) {
  return addColumn(op, attrs, name, attr, XlaHloWindowFieldCount, (int)field);
}

static bool addWindow(XlaHloOp *op, XlaOpKind kind, XlaHloAttrs *attrs,
                      const XlaHloAttr *attr) {
  if (!addField(op, attrs, "window_strides", attr, XlaHloWindowStride) ||
      !addPadding(op, attrs, attr))
    return false;
  if (kind == XlaOpKindConvolution)
    return addField(op, attrs, "rhs_dilation", attr, XlaHloWindowDilation) &&
           addField(op, attrs, "lhs_dilation", attr,
                    XlaHloWindowBaseDilation) &&
           addReversal(op, attrs, attr);
  if (!addField(op, attrs, "window_dimensions", attr, XlaHloWindowSize) ||
      !expectField(op, attr, XlaHloWindowReversal, 0, "reversal"))
    return false;
  if (kind == XlaOpKindReduceWindow)
    return addField(op, attrs, "window_dilations", attr,
                    XlaHloWindowDilation) &&
           addField(op, attrs, "base_dilations", attr,
                    XlaHloWindowBaseDilation);
  return expectField(op, attr, XlaHloWindowDilation, 1, "dilation") &&
         expectField(op, attr, XlaHloWindowBaseDilation, 1, "dilation");
}

static bool addLabels(XlaHloOp *op, XlaHloAttrs *attrs,
                      const XlaHloAttr *attr) {
  static const char *const names[XlaHloLabelCount] = {
      "input_batch_dimension",          "input_feature_dimension",
      "kernel_input_feature_dimension", "kernel_output_feature_dimension",
      "output_batch_dimension",         "output_feature_dimension"};
  static const char *const lists[] = {"input_spatial_dimensions",
                                      "kernel_spatial_dimensions",
                                      "output_spatial_dimensions"};
  MlirContext context = op->ir.context;
  intptr_t n = (attr->n - XlaHloLabelCount) / 3;
  for (int i = 0; i < XlaHloLabelCount; ++i)
    xlaHloAddAttr(attrs, names[i], xlaIrI64Attr(context, attr->values[i]));
  for (int i = 0; i < 3; ++i)
    xlaHloAddAttr(
        attrs, lists[i],
        listAttr(context, n, attr->values + XlaHloLabelCount + i * n));
  return true;
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

static bool addGroups(XlaHloOp *op, XlaHloAttrs *attrs, const char *name,
                      const XlaHloAttr *attr) {
  MlirContext context = op->ir.context;
  MlirAttribute *items = malloc(2 * ((size_t)attr->n + 1) * sizeof *items);
  MlirAttribute *groups = items + attr->n + 1;
  intptr_t nGroups = 0;
  if (!items)
    return xlaHloOpNoMemory(op);
  for (uint32_t i = 0; i < attr->n;) {
    intptr_t n = (intptr_t)attr->values[i++];
    for (intptr_t k = 0; k < n; ++k)
      items[k] = xlaIrI64Attr(context, attr->values[i++]);
    groups[nGroups++] = mlirArrayAttrGet(context, n, items);
  }
  if (nGroups)
    xlaHloAddAttr(attrs, name, mlirArrayAttrGet(context, nGroups, groups));
  free(items);
  return true;
}

/// Precisions are words in lower case.
static bool addWords(XlaHloOp *op, XlaHloAttrs *attrs, const char *name,
                     const XlaHloAttr *attr) {
  MlirAttribute items[8];
  for (uint32_t i = 0; i < attr->n && i < 8; ++i) {
    char text[32];
    size_t length = attr->words[i].length < sizeof text ? attr->words[i].length
                                                        : sizeof text;
    for (size_t k = 0; k < length; ++k)
      text[k] = (char)toupper((unsigned char)attr->words[i].data[k]);
    items[i] =
        mlirStringAttrGet(op->ir.context, mlirStringRefCreate(text, length));
  }
  xlaHloAddAttr(attrs, name, mlirArrayAttrGet(op->ir.context, attr->n, items));
  return true;
}

/// `rng_three_fry` is THREE_FRY to xla.
static bool addRngAlgorithm(XlaHloOp *op, XlaHloAttrs *attrs,
                            const XlaHloAttr *attr) {
  static const char *const words[][2] = {{"rng_default", "DEFAULT"},
                                         {"rng_three_fry", "THREE_FRY"},
                                         {"rng_philox", "PHILOX"}};
  for (int i = 0; i < 3; ++i)
    if (mlirStringRefEqual(attr->text,
                           mlirStringRefCreateFromCString(words[i][0]))) {
      xlaHloAddAttr(attrs, "rng_algorithm",
                    xlaIrStringAttr(op->ir.context, words[i][1]));
      return true;
    }
  return xlaHloOpInvalid(op, "has an unknown algorithm '%.*s'",
                         (int)attr->text.length, attr->text.data);
}

static bool hasAttr(XlaOpKind kind, const char *name) {
  const MlirExtOpAttribute *at = xlaOpGetInfo(kind)->attributes;
  while (at && at->name && strcmp(at->name, name) != 0)
    ++at;
  return at && at->name;
}

/// `dimensions`, by the name that the operation has for them.
static bool addDimensions(XlaHloOp *op, XlaOpKind kind, XlaHloAttrs *attrs,
                          const XlaHloAttr *attr) {
  const char *name = dimensionNames[op->in->opcode];
  const MlirExtOpAttribute *at = xlaOpGetInfo(kind)->attributes;
  if (!*name)
    return xlaHloOpInvalid(op, "has no attribute 'dimensions'");
  while (strcmp(at->name, name) != 0)
    ++at;
  if (at->kind == XlaAttrKindI64)
    return addSingle(op, attrs, name, attr);
  xlaHloAddAttr(attrs, name, listAttr(op->ir.context, attr->n, attr->values));
  return true;
}

/// Attributes whose name or form is another in xla.
static bool addSpecial(XlaHloOp *op, XlaOpKind kind, XlaHloAttrs *attrs,
                       const XlaHloAttr *attr) {
  const char *name = xlaHloAttrInfos[attr->name].name;
  bool isWindowed = hasAttr(kind, "window_strides");
  if (attr->name == XlaHloAttrDimensions)
    return addDimensions(op, kind, attrs, attr);
  if (attr->name == XlaHloAttrSlice && hasAttr(kind, "start_indices"))
    return addColumn(op, attrs, "start_indices", attr, 3, 0) &&
           addColumn(op, attrs, "limit_indices", attr, 3, 1) &&
           addColumn(op, attrs, "strides", attr, 3, 2);
  if (attr->name == XlaHloAttrPadding && hasAttr(kind, "interior_padding"))
    return addColumn(op, attrs, "edge_padding_low", attr, 3, 0) &&
           addColumn(op, attrs, "edge_padding_high", attr, 3, 1) &&
           addColumn(op, attrs, "interior_padding", attr, 3, 2);
  if (attr->name == XlaHloAttrWindow && isWindowed)
    return addWindow(op, kind, attrs, attr);
  if (attr->name == XlaHloAttrDimLabels && kind == XlaOpKindConvolution)
    return addLabels(op, attrs, attr);
  if (attr->name == XlaHloAttrAlgorithm && kind == XlaOpKindRngBitGenerator)
    return addRngAlgorithm(op, attrs, attr);
  return xlaHloOpInvalid(op, "has no attribute '%s'", name);
}

static bool addAttr(XlaHloOp *op, XlaOpKind kind, XlaHloAttrs *attrs,
                    const XlaHloAttr *attr) {
  const XlaHloAttrInfo *info = &xlaHloAttrInfos[attr->name];
  MlirContext context = op->ir.context;
  if (!*info->xla)
    return addSpecial(op, kind, attrs, attr);
  if (!hasAttr(kind, info->xla))
    return xlaHloOpInvalid(op, "has no attribute '%s'", info->name);
  switch (info->form) {
  case XlaHloFormInteger:
    xlaHloAddAttr(attrs, info->xla, xlaIrI64Attr(context, attr->values[0]));
    return true;
  case XlaHloFormBool:
    xlaHloAddAttr(attrs, info->xla,
                  mlirBoolAttrGet(context, attr->values[0] != 0));
    return true;
  case XlaHloFormReal:
    xlaHloAddAttr(
        attrs, info->xla,
        mlirFloatAttrDoubleGet(context, mlirF32TypeGet(context), attr->real));
    return true;
  case XlaHloFormWord:
  case XlaHloFormText:
    xlaHloAddAttr(attrs, info->xla, mlirStringAttrGet(context, attr->text));
    return true;
  case XlaHloFormList:
    xlaHloAddAttr(attrs, info->xla, listAttr(context, attr->n, attr->values));
    return true;
  case XlaHloFormWords:
    return addWords(op, attrs, info->xla, attr);
  case XlaHloFormGroups:
    return addGroups(op, attrs, info->xla, attr);
  case XlaHloFormMap:
  case XlaHloFormSlices:
  case XlaHloFormPadding:
  case XlaHloFormWindow:
  case XlaHloFormLabels:
  case XlaHloFormComputations:
  case XlaHloFormSkipped:
    break;
  }
  return xlaHloOpInvalid(op, "has no attribute '%s'", info->name);
}

bool xlaHloAttributes(XlaHloOp *op, XlaOpKind kind, size_t nOwn,
                      const XlaHloAttrName *own, XlaHloAttrs *attrs) {
  attrs->n = 0;
  for (uint32_t i = 0; i < op->in->nAttrs; ++i) {
    const XlaHloAttr *attr = &op->in->attrs[i];
    XlaHloForm form = xlaHloAttrInfos[attr->name].form;
    // XLA's compilers note for themselves how they compile what.
    bool skipped = form == XlaHloFormComputations ||
                   form == XlaHloFormSkipped ||
                   attr->name == XlaHloAttrBackendConfig ||
                   attr->name == XlaHloAttrResultAccuracy;
    for (size_t k = 0; k < nOwn; ++k)
      skipped |= own[k] == attr->name;
    if (!skipped && !addAttr(op, kind, attrs, attr))
      return false;
  }
  return true;
}

//===- attrs.c - Attributes of StableHLO ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of StableHLO's dialects are kept as text. This file reads that
// text and gives what the table of operations asks for.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/import/stablehlo/algorithm.h"
#include "xlac/passes/import/stablehlo/mesh.h"
#include "xlac/passes/import/stablehlo/text.h"

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

static bool isOpaque(MlirAttribute value) {
  if (!mlirAttributeIsAOpaque(value))
    return false;
  MlirStringRef space = mlirOpaqueAttrGetDialectNamespace(value);
  return equals(space, "stablehlo") || equals(space, "chlo");
}

/// Refuses an attribute that the import does not know if it belongs to the
/// operation, and ignores it if somebody else left it there.
static XlaImportResult refuseInherent(MlirOperation op, MlirStringRef name,
                                      MlirAttribute value) {
  MlirAttribute inherent = mlirDictionaryAttrGetElementByName(
      mlirExtOperationGetInherentAttributes(op), name);
  if (mlirAttributeIsNull(inherent) && !isOpaque(value) &&
      !xlaOpIsAttributeName(name)) {
    xlaOpRemarkIgnored(mlirOperationGetLocation(op),
                       mlirIdentifierStr(mlirOperationGetName(op)), name);
    return XlaImportResultOk;
  }
  xlaOpError(op, NULL, "attribute '%.*s' is not supported yet",
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
// Structures
//===----------------------------------------------------------------------===//

/// A structure's key under the name that the table has for it.
static const char *targetName(const Import *import, const char *name) {
  if (!strcmp(name, "handle"))
    return "channel_id";
  if (!strcmp(name, "type") && !hasAttr(import, "type"))
    return "channel_type";
  return name;
}

static XlaImportResult importStruct(Import *import, MlirStringRef name,
                                    const XlaStructForm *form,
                                    XlaImportText cursor, MlirStringRef text) {
  XlaStructValues values;
  if (!xlaTextReadStruct(&cursor, form, &values))
    return unreadable(import, name, text);
  XlaImportResult result = XlaImportResultOk;
  for (int key = 0; key < XLA_STRUCT_KEYS && result == XlaImportResultOk;
       ++key) {
    if (!xlaStructGetKey(form, key))
      continue;
    const char *known = targetName(import, xlaStructGetKey(form, key));
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
      result = unsupported(
          import, mlirStringRefCreateFromCString(xlaStructGetKey(form, key)));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Convolutions: #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>
//===----------------------------------------------------------------------===//

static XlaImportResult addConvSide(Import *import, const char *const names[3],
                                   const XlaConvSide *side) {
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
                                  XlaImportText cursor, MlirStringRef text) {
  static const char *const names[3][3] = {
      {"input_batch_dimension", "input_feature_dimension",
       "input_spatial_dimensions"},
      {"kernel_input_feature_dimension", "kernel_output_feature_dimension",
       "kernel_spatial_dimensions"},
      {"output_batch_dimension", "output_feature_dimension",
       "output_spatial_dimensions"},
  };
  XlaConvSide sides[3];
  if (!xlaTextReadConv(&cursor, sides))
    return unreadable(import, name, text);
  XlaImportResult result = XlaImportResultOk;
  for (int i = 0; i < 3 && result == XlaImportResultOk; ++i)
    result = addConvSide(import, names[i], &sides[i]);
  return result;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// `comparison_direction LT` gives "LT"; null if the text is no such pair.
static MlirAttribute wordOf(const Import *import, MlirStringRef text) {
  XlaImportText cursor = {text.data, text.data + text.length};
  MlirStringRef kind = xlaTextReadWord(&cursor);
  MlirStringRef word = xlaTextReadWord(&cursor);
  if (!kind.length || !word.length || !xlaTextIsAtEnd(&cursor))
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

static bool isPlainInteger(MlirAttribute value) {
  if (!mlirAttributeIsAInteger(value) || mlirAttributeIsABool(value))
    return false;
  MlirType type = mlirAttributeGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeIsSignless(type) &&
         mlirIntegerTypeGetWidth(type) <= 64;
}

static bool isDenseVector(MlirAttribute value) {
  if (!mlirAttributeIsADenseIntElements(value))
    return false;
  MlirType type = mlirAttributeGetType(value);
  MlirType element = mlirShapedTypeGetElementType(type);
  return mlirShapedTypeGetRank(type) == 1 && mlirTypeIsAInteger(element) &&
         mlirIntegerTypeIsSignless(element) &&
         mlirIntegerTypeGetWidth(element) == 64;
}

/// The elements of a list of integers, [..] or a dense vector; false if `value`
/// is none, or longer than lists may be.
static bool readVector(MlirAttribute value, XlaI64List *list) {
  bool isDense = isDenseVector(value);
  if (!isDense && !mlirAttributeIsAArray(value))
    return false;
  int64_t n = isDense ? mlirElementsAttrGetNumElements(value)
                      : mlirArrayAttrGetNumElements(value);
  if (n > XLA_MAX_LIST)
    return false;
  list->size = (int)n;
  for (int i = 0; i < list->size; ++i) {
    MlirAttribute item = isDense ? value : mlirArrayAttrGetElement(value, i);
    if (!isDense && !isPlainInteger(item))
      return false;
    list->values[i] = isDense ? mlirDenseElementsAttrGetInt64Value(value, i)
                              : mlirIntegerAttrGetValueInt(item);
  }
  return true;
}

/// An integer, or a list of them, in the one form that the import has for it.
static MlirAttribute inOneForm(const Import *import,
                               const MlirExtOpAttribute *entry,
                               MlirAttribute value) {
  XlaI64List list;
  if (entry->kind == XlaAttrKindI64 && isPlainInteger(value))
    return xlaIrI64Attr(import->context, mlirIntegerAttrGetValueInt(value));
  return entry->kind == XlaAttrKindI64Array && readVector(value, &list)
             ? mlirDenseI64ArrayGet(import->context, list.size, list.values)
             : value;
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
  XlaImportText cursor = {text.data, text.data + text.length};
  MlirStringRef form = xlaTextReadWord(&cursor);
  if (equals(form, "conv"))
    return importConv(import, name, cursor, text);
  const XlaStructForm *known = xlaStructFind(form);
  if (known)
    return importStruct(import, name, known, cursor, text);
  const MlirExtOpAttribute *entry = findAttr(import->target, name);
  MlirAttribute word = wordOf(import, text);
  if (!entry || mlirAttributeIsNull(word))
    return unsupported(import, name);
  return add(import, entry->name, word);
}

/// What may be left out without changing the results.
static bool isHint(MlirStringRef name) {
  static const char *const hints[] = {"indices_are_sorted",
                                      "unique_indices",
                                      "precision_config",
                                      "compare_type",
                                      "op_version",
                                      "indices_of_shape_operands",
                                      "known_expanding_dimensions",
                                      "known_nonexpanding_dimensions"};
  for (size_t i = 0; i < sizeof hints / sizeof *hints; ++i)
    if (equals(name, hints[i]))
      return true;
  return false;
}

/// The text of the mesh `name` of the module around `op`; empty if there is
/// none.
static MlirStringRef findMesh(MlirOperation op, MlirStringRef name) {
  while (!mlirOperationIsNull(op) && !xlaIrIsOp(op, "builtin.module"))
    op = mlirOperationGetParentOperation(op);
  MlirOperation at = mlirOperationIsNull(op)
                         ? op
                         : mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(
                               mlirOperationGetRegion(op, 0)));
  for (; !mlirOperationIsNull(at); at = mlirOperationGetNextInBlock(at)) {
    if (!xlaIrIsOp(at, "sdy.mesh"))
      continue;
    MlirAttribute symbol = xlaOpGetAttr(at, "sym_name");
    MlirAttribute mesh = xlaOpGetAttr(at, "mesh");
    if (!mlirAttributeIsNull(symbol) && mlirAttributeIsAString(symbol) &&
        mlirStringRefEqual(mlirStringAttrGetValue(symbol), name) &&
        !mlirAttributeIsNull(mesh) && mlirAttributeIsAOpaque(mesh))
      return mlirOpaqueAttrGetData(mesh);
  }
  return mlirStringRefCreate(NULL, 0);
}

static MlirAttribute groupsAttr(MlirContext context,
                                const XlaMeshGroups *groups) {
  int64_t dims[] = {groups->n, groups->size};
  return mlirDenseElementsAttrInt64Get(
      mlirRankedTensorTypeGet(2, dims, mlirIntegerTypeGet(context, 64),
                              mlirAttributeGetNull()),
      groups->n * groups->size, groups->ids);
}

/// Groups along axes of a mesh, as lists of their replicas.
static XlaImportResult importMeshGroups(Import *import, const char *name,
                                        MlirStringRef text) {
  MlirStringRef mesh = findMesh(import->op, xlaMeshName(text));
  XlaMeshGroups groups;
  const char *wrong = xlaMeshRead(text, mesh, &groups);
  if (wrong) {
    xlaOpError(import->op, NULL, "attribute '%s': %s", name, wrong);
    return XlaImportResultInvalid;
  }
  MlirAttribute value = groupsAttr(import->context, &groups);
  free(groups.ids);
  return add(import, name, value);
}

/// By XLA's name; one that XLA has no name for asks for no more than results
/// have.
static XlaImportResult importAlgorithm(Import *import, MlirStringRef text) {
  XlaDotAlgorithm algorithm;
  XlaImportResult result = xlaImportCheckAlgorithm(import->op, text);
  if (result != XlaImportResultOk || !hasAttr(import, "algorithm") ||
      !xlaDotAlgorithmRead(text, &algorithm) ||
      !xlaDotAlgorithmName(&algorithm))
    return result;
  return add(import, "algorithm",
             xlaIrStringAttr(import->context, xlaDotAlgorithmName(&algorithm)));
}

static XlaImportResult importAttr(MlirStringRef name, MlirAttribute value,
                                  void *data) {
  Import *import = data;
  const MlirExtOpAttribute *entry = findAttr(import->target, name);
  if (xlaImportIsAnnotation(name) || (!entry && isHint(name)))
    return XlaImportResultOk;
  if (equals(name, "result_accuracy") && isOpaque(value))
    return xlaImportCheckAccuracy(import->op, import->target,
                                  mlirOpaqueAttrGetData(value));
  if (equals(name, "algorithm") && isOpaque(value))
    return importAlgorithm(import, mlirOpaqueAttrGetData(value));
  if (isOpaque(value) && entry && entry->kind == XlaAttrKindGroups &&
      startsWith(mlirOpaqueAttrGetData(value), "replica_group_mesh_axes"))
    return importMeshGroups(import, entry->name, mlirOpaqueAttrGetData(value));
  if (isOpaque(value))
    return importOpaque(import, name, value);
  XlaI64List padding;
  if (!entry && equals(name, "padding") && hasAttr(import, "padding_low") &&
      hasAttr(import, "padding_high") && readMatrix(value, &padding))
    return splitPadding(import, &padding, "padding_low", "padding_high");
  // Those of transfers are none by now.
  bool transfers = import->target == xlaOpGetInfo(XlaOpKindSend) ||
                   import->target == xlaOpGetInfo(XlaOpKindRecv);
  if (!entry && transfers && equals(name, "source_target_pairs"))
    return XlaImportResultOk;
  if (!entry)
    return refuseInherent(import->op, name, value);
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
  return add(import, entry->name, inOneForm(import, entry, converted));
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

//===----------------------------------------------------------------------===//
// Operations that become several
//===----------------------------------------------------------------------===//

/// The attributes that are looked for.
typedef struct Wanted {
  MlirOperation op;
  intptr_t n;
  const char *const *names;
  MlirAttribute *values;
} Wanted;

static XlaImportResult findWanted(MlirStringRef name, MlirAttribute value,
                                  void *data) {
  Wanted *wanted = data;
  for (intptr_t i = 0; i < wanted->n; ++i)
    if (equals(name, wanted->names[i])) {
      wanted->values[i] = value;
      return XlaImportResultOk;
    }
  if (xlaImportIsAnnotation(name) || isHint(name))
    return XlaImportResultOk;
  return refuseInherent(wanted->op, name, value);
}

XlaImportResult xlaImportReadAttributes(MlirOperation op, intptr_t n,
                                        const char *const *names,
                                        MlirAttribute *values) {
  Wanted wanted = {op, n, names, values};
  for (intptr_t i = 0; i < n; ++i)
    values[i] = mlirAttributeGetNull();
  return xlaImportForEachAttribute(op, findWanted, &wanted);
}

XlaImportResult xlaImportReadInteger(MlirOperation op, const char *name,
                                     MlirAttribute value, int64_t absent,
                                     int64_t *number) {
  *number = absent;
  if (mlirAttributeIsNull(value))
    return XlaImportResultOk;
  if (!mlirAttributeIsAInteger(value)) {
    xlaOpError(op, NULL, "has no integer as attribute '%s'", name);
    return XlaImportResultInvalid;
  }
  *number = mlirIntegerAttrGetValueInt(value);
  return XlaImportResultOk;
}

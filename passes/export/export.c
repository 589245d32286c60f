//===- export.c - Programs as StableHLO -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that StableHLO lacks are written as others first, then all are
// renamed, then types change: what is built in between sees those of xla.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/export/stablehlo.h"

#include "xlac/passes/replicas.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/export/internal.h"
#include "xlac/passes/import/stablehlo.h"
#include "xlac/passes/passes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// For the other files
//===----------------------------------------------------------------------===//

XlaImportResult xlaExportRefuse(MlirOperation op, const char *format, ...) {
  char reason[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  xlaOpError(op, NULL, "is not supported in StableHLO: %s", reason);
  return XlaImportResultUnsupported;
}

XlaImportResult xlaExportNoMemory(MlirOperation op) {
  xlaOpNoMemory(op);
  return XlaImportResultUnsupported;
}

void xlaExportPut(MlirOperation op, const MlirValue *values) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), values[i]);
  mlirOperationDestroy(op);
}

MlirRegion xlaExportBinaryRegion(XlaIr *ir, const char *name,
                                 XlaElementType type) {
  XlaShape scalar = {.elementType = type};
  MlirType types[] = {xlaShapeToMlir(&scalar, ir->context),
                      xlaShapeToMlir(&scalar, ir->context)};
  MlirLocation locations[] = {ir->location, ir->location};
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(2, types, locations);
  mlirRegionAppendOwnedBlock(region, block);
  XlaIr body = xlaIrIn(*ir, block);
  MlirValue value = xlaIrBinary(&body, name, mlirBlockGetArgument(block, 0),
                                mlirBlockGetArgument(block, 1));
  xlaIrCreate(&body, "xla.return", 1, &value, 0, NULL, 0, NULL, 0, NULL);
  return region;
}

//===----------------------------------------------------------------------===//
// Operations as others
//===----------------------------------------------------------------------===//

typedef struct Row {
  XlaOpKind kind;
  XlaImportResult (*write)(MlirOperation op);
  const char *becomes;
} Row;

static const Row rows[] = {
#define XLA_EXPORT_OP(Kind, Hook, becomes)                                     \
  {XlaOpKind##Kind, xlaExport##Hook, becomes},
#include "xlac/passes/export/ops.def"
};

enum { rowCount = sizeof rows / sizeof *rows };

static const char *const names[XlaOpKindCount] = {
#define XLA_EXPORT_AS(Kind, name) [XlaOpKind##Kind] = name,
#include "xlac/passes/export/ops.def"
};

/// Whether operands of different dimensions go together here.
static bool broadcasts(XlaOpKind kind) {
  return xlaOpGetInfo(kind)->family == XlaFamilyElementwise &&
         xlaOpGetInfo(kind)->maxOperands == 2;
}

static bool isOfXla(MlirOperation op) {
  return xlaOpGetKind(op) != XlaOpKindInvalid;
}

static bool hasPrefix(MlirOperation op, const char *prefix) {
  return xlaIrHasPrefix(op, prefix);
}

/// What is neither of xla nor what StableHLO's programs consist of.
static bool isForeign(MlirOperation op) {
  return !isOfXla(op) && !hasPrefix(op, "builtin.") &&
         !hasPrefix(op, "func.") && !hasPrefix(op, "stablehlo.") &&
         !hasPrefix(op, "chlo.");
}

static XlaImportResult writeAsOthers(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (isForeign(op)) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    xlaIrError(mlirOperationGetLocation(op),
               "'%.*s' op is not supported in StableHLO: it is none of xla",
               (int)name.length, name.data);
    return XlaImportResultUnsupported;
  }
  if (kind != XlaOpKindInvalid && broadcasts(kind))
    return xlaExportBroadcasts(op);
  for (const Row *row = rows; row < rows + rowCount; ++row)
    if (row->kind == kind)
      return row->write(op);
  return XlaImportResultOk;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// StableHLO takes a configuration with entries in the newest form of calls
/// only.
static void setApiVersion(MlirOperation op, XlaExportedAttrs *attrs) {
  MlirAttribute config = xlaOpGetAttr(op, "backend_config");
  MlirContext context = mlirOperationGetContext(op);
  if (xlaOpGetKind(op) == XlaOpKindCustomCall && !mlirAttributeIsNull(config) &&
      mlirAttributeIsADictionary(config) &&
      mlirAttributeIsNull(xlaOpGetAttr(op, "api_version")))
    attrs->items[attrs->count++] = (XlaIrAttr){
        "api_version", mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), 4)};
}

static XlaImportResult renameOp(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  const XlaOpInfo *info = xlaOpGetInfo(kind);
  XlaExportedAttrs attrs;
  char name[128];
  if (!names[kind] && info->dialect == XlaOpDialectNone)
    return xlaExportRefuse(op, "it has no such operation");
  if (names[kind])
    snprintf(name, sizeof name, "%s", names[kind]);
  else
    snprintf(name, sizeof name, "%s.%s",
             info->dialect == XlaOpDialectChlo ? "chlo" : "stablehlo",
             info->name);
  XlaImportResult result = xlaExportAttributes(op, &attrs);
  if (result != XlaImportResultOk)
    return result;
  setApiVersion(op, &attrs);
  return xlaImportReplace(op, name, mlirOperationGetNumOperands(op), 0, NULL,
                          attrs.count, attrs.items);
}

//===----------------------------------------------------------------------===//
// Types and functions
//===----------------------------------------------------------------------===//

static bool exportValue(MlirValue value) {
  MlirType type = mlirValueGetType(value), exported = xlaExportType(type);
  if (mlirTypeIsNull(exported))
    return false;
  if (!mlirTypeEqual(type, exported))
    mlirValueSetType(value, exported);
  return true;
}

static bool exportTypes(MlirOperation op) {
  bool enough = true;
  for (intptr_t i = 0; enough && i < mlirOperationGetNumResults(op); ++i)
    enough = exportValue(mlirOperationGetResult(op, i));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; enough && i < mlirBlockGetNumArguments(block); ++i)
        enough = exportValue(mlirBlockGetArgument(block, i));
  return enough;
}

static bool isXlas(MlirStringRef name) {
  return name.length > 4 && !memcmp(name.data, "xla.", 4);
}

/// What JAX writes for xla.donated of an argument of `function`: the result
/// that gets its memory, if there is one of that number and type, or that one
/// may.
static MlirNamedAttribute exportDonation(MlirType function, intptr_t argument,
                                         MlirAttribute value) {
  MlirContext context = mlirTypeGetContext(function);
  int64_t result =
      mlirAttributeIsAInteger(value) && !mlirAttributeIsABool(value)
          ? mlirIntegerAttrGetValueInt(value)
          : -1;
  bool isAlias = argument < mlirFunctionTypeGetNumInputs(function) &&
                 result >= 0 &&
                 result < mlirFunctionTypeGetNumResults(function) &&
                 mlirTypeEqual(mlirFunctionTypeGetInput(function, argument),
                               mlirFunctionTypeGetResult(function, result));
  return mlirNamedAttributeGet(
      mlirIdentifierGet(
          context, mlirStringRefCreateFromCString(
                       isAlias ? "tf.aliasing_output" : "jax.buffer_donor")),
      isAlias ? mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), result)
              : mlirBoolAttrGet(context, 1));
}

/// The attributes of arguments or of results of a `function` without those of
/// xla, but with JAX's for xla.donated; null if none are left or memory is
/// lacking.
static MlirAttribute exportEach(MlirType function, MlirAttribute list,
                                bool *enough) {
  MlirContext context = mlirAttributeGetContext(list);
  intptr_t n = mlirArrayAttrGetNumElements(list), kept = 0;
  MlirAttribute *items = malloc(((size_t)n + 1) * sizeof *items);
  *enough = items != NULL;
  for (intptr_t i = 0; *enough && i < n; ++i) {
    MlirAttribute entries = mlirArrayAttrGetElement(list, i);
    intptr_t size = mlirDictionaryAttrGetNumElements(entries), left = 0;
    MlirNamedAttribute *own = malloc(((size_t)size + 1) * sizeof *own);
    *enough = own != NULL;
    for (intptr_t j = 0; own && j < size; ++j) {
      MlirNamedAttribute entry = mlirDictionaryAttrGetElement(entries, j);
      MlirStringRef name = mlirIdentifierStr(entry.name);
      if (!isXlas(name))
        own[left++] = entry;
      else if (mlirStringRefEqual(
                   name, mlirStringRefCreateFromCString("xla.donated")))
        own[left++] = exportDonation(function, i, entry.attribute);
    }
    if (own)
      items[i] = mlirDictionaryAttrGet(context, left, own);
    kept += left;
    free(own);
  }
  MlirAttribute exported = *enough && kept ? mlirArrayAttrGet(context, n, items)
                                           : mlirAttributeGetNull();
  free(items);
  return exported;
}

static bool exportFunction(MlirOperation op) {
  static const char *const lists[] = {"arg_attrs", "res_attrs"};
  MlirStringRef typeName = mlirStringRefCreateFromCString("function_type");
  MlirType type = xlaExportType(
      mlirTypeAttrGetValue(mlirOperationGetAttributeByName(op, typeName)));
  bool enough = !mlirTypeIsNull(type);
  if (enough)
    mlirOperationSetAttributeByName(op, typeName, mlirTypeAttrGet(type));
  for (int i = 0; enough && i < 2; ++i) {
    MlirStringRef name = mlirStringRefCreateFromCString(lists[i]);
    MlirAttribute list = mlirOperationGetAttributeByName(op, name);
    if (mlirAttributeIsNull(list))
      continue;
    list = exportEach(type, list, &enough);
    if (mlirAttributeIsNull(list))
      mlirOperationRemoveAttributeByName(op, name);
    else
      mlirOperationSetAttributeByName(op, name, list);
  }
  return enough;
}

static void removeAttributesOfXla(MlirOperation op) {
  for (intptr_t i = mlirOperationGetNumDiscardableAttributes(op); i-- > 0;) {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetDiscardableAttribute(op, i).name);
    if (isXlas(name))
      mlirOperationRemoveDiscardableAttributeByName(op, name);
  }
}

static XlaImportResult finish(MlirOperation op) {
  removeAttributesOfXla(op);
  return exportTypes(op) && (!xlaIrIsOp(op, "func.func") || exportFunction(op))
             ? XlaImportResultOk
             : xlaExportNoMemory(op);
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// `step` for all operations that `isWanted` holds for; those inside of others
/// come first.
static XlaImportResult forEach(MlirOperation module,
                               bool (*isWanted)(MlirOperation op),
                               XlaImportResult (*step)(MlirOperation op)) {
  enum { maxErrors = 10 };
  XlaIrOps found = xlaIrCollect(module, MlirWalkPostOrder, isWanted);
  XlaImportResult worst =
      found.failed ? xlaExportNoMemory(module) : XlaImportResultOk;
  for (intptr_t i = 0, errors = 0;
       !found.failed && i < found.n && errors < maxErrors; ++i)
    if (step(found.ops[i]) != XlaImportResultOk) {
      ++errors;
      worst = XlaImportResultUnsupported;
    }
  free(found.ops);
  return worst;
}

XlaImportResult xlaExportStableHlo(MlirOperation module) {
  // Operations of a dialect that is not loaded would stay unregistered.
  static const char *const dialects[] = {"stablehlo", "chlo", "func", "xla"};
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    mlirContextGetOrLoadDialect(mlirOperationGetContext(module),
                                mlirStringRefCreateFromCString(dialects[i]));
  xlaModuleRenameCounts(module, "xla.", "mhlo.");
  XlaImportResult result = xlaExportRagged(module);
  if (result == XlaImportResultOk)
    result = forEach(module, NULL, writeAsOthers);
  if (result == XlaImportResultOk)
    result = forEach(module, isOfXla, renameOp);
  return result == XlaImportResultOk ? forEach(module, NULL, finish) : result;
}

MlirLogicalResult xlaPassExportStablehlo(MlirOperation module,
                                         MlirExtPassOptionValues options,
                                         void *userData) {
  (void)options;
  (void)userData;
  return xlaExportStableHlo(module) == XlaImportResultOk
             ? mlirLogicalResultSuccess()
             : mlirLogicalResultFailure();
}

//===----------------------------------------------------------------------===//
// Documentation
//===----------------------------------------------------------------------===//

void xlaStableHloListExports(MlirStringCallback callback, void *userData) {
  callback(
      mlirStringRefCreateFromCString(
          "\n## What leaves\n\n"
          "`xla-translate f --to=stablehlo`, and "
          "`xla-opt --xla-export-stablehlo`, write programs of xla in "
          "StableHLO. An operation\nbecomes the one of its name, in "
          "StableHLO or, for functions that only CHLO has, in CHLO; "
          "operands that are broadcast get a\n"
          "`broadcast_in_dim`. Layouts, and attributes of this project, "
          "are dropped, and `xla.donated` is `jax.buffer_donor`, "
          "or\n`tf.aliasing_output` if it has the number of a result of that "
          "type. "
          "`--to=artifact` writes\nthe same as a portable artifact, "
          "which has no operations of CHLO: composites stand for "
          "them, but not for those of arrays with bounds. These become "
          "something else:\n\n"
          "| operation | becomes |\n|---|---|\n"),
      userData);
  for (XlaOpKind kind = 1; kind < XlaOpKindCount; ++kind) {
    char text[300];
    const char *becomes = NULL;
    const char *name = xlaOpGetInfo(kind)->name;
    for (const Row *row = rows; row < rows + rowCount; ++row)
      if (row->kind == kind)
        becomes = row->becomes;
    if (!becomes)
      continue;
    snprintf(text, sizeof text, "| `xla.%s` | %s |\n", name, becomes);
    callback(mlirStringRefCreateFromCString(text), userData);
  }
}

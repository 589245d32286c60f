//===- make.c - Operations of bytecode become StableHLO's -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/vhlo/make.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/mlir-c-ext/ext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool equals(MlirStringRef a, const char *b) {
  return a.length == strlen(b) && !memcmp(a.data, b, a.length);
}

/// The attributes of the row, from properties, or, in older versions, from the
/// dictionary of all.
static bool readValues(XlaVhloReader *reader, XlaVhloReadOp *op,
                       XlaVhloValues *values) {
  const XlaVhloColumn *columns = op->name->op->columns;
  XlaByteCursor *properties = &op->properties;
  for (int i = 0; columns[i].name; ++i) {
    if (properties->source) {
      if (!xlaVhloReadAttribute(reader, properties, &values->items[i]))
        return false;
      continue;
    }
    if (!mlirAttributeIsNull(op->dictionary))
      values->items[i] = mlirDictionaryAttrGetElementByName(
          op->dictionary, mlirStringRefCreateFromCString(columns[i].name));
    if (mlirAttributeIsNull(values->items[i]))
      return xlaByteError(reader->source, op->at,
                          "vhlo.%s lacks attribute '%s'", op->name->op->name,
                          columns[i].name);
  }
  return !properties->source || properties->next == properties->end ||
         xlaByteError(reader->source, properties->next,
                      "vhlo.%s has more properties than attributes",
                      op->name->op->name);
}

static bool isColumn(const XlaVhloOp *op, MlirStringRef name) {
  for (const XlaVhloColumn *column = op->columns; column->name; ++column)
    if (equals(name, column->name))
      return true;
  return false;
}

/// What is in the dictionary beside the row's attributes, to `state`.
static void addOthers(const XlaVhloReadOp *op, MlirOperationState *state) {
  if (mlirAttributeIsNull(op->dictionary))
    return;
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(op->dictionary);
       ++i) {
    MlirNamedAttribute attribute =
        mlirDictionaryAttrGetElement(op->dictionary, i);
    if (!op->name->op ||
        !isColumn(op->name->op, mlirIdentifierStr(attribute.name)))
      mlirOperationStateAddAttributes(state, 1, &attribute);
  }
}

static MlirOperation create(const XlaVhloReadOp *op,
                            MlirOperationState *state) {
  MlirRegion *regions = NULL;
  mlirOperationStateAddResults(state, (intptr_t)op->nResults, op->results);
  mlirOperationStateAddOperands(state, (intptr_t)op->nOperands, op->operands);
  if (op->nRegions) {
    regions = malloc(op->nRegions * sizeof *regions);
    if (!regions)
      return (MlirOperation){NULL};
    for (uint64_t i = 0; i < op->nRegions; ++i)
      regions[i] = mlirRegionCreate();
    mlirOperationStateAddOwnedRegions(state, (intptr_t)op->nRegions, regions);
  }
  addOthers(op, state);
  MlirOperation made = mlirOperationCreate(state);
  free(regions);
  return made;
}

static bool isFunction(MlirOperation op) {
  return !mlirOperationIsNull(op) && xlaIrIsOp(op, "func.func");
}

/// An operation of the table, in `parent`.
static bool makeOfRow(XlaVhloReader *reader, XlaVhloReadOp *op,
                      MlirOperation parent, MlirOperation *made) {
  MlirNamedAttribute attributes[XLA_VHLO_MAX_ATTRIBUTES];
  XlaVhloValues values = {.at = op->at, .op = op->name->op};
  intptr_t n;
  if (!readValues(reader, op, &values) ||
      !xlaVhloConvert(reader, &values, &n, attributes))
    return false;
  const char *target = op->name->op->target;
  if (isFunction(parent) && !strcmp(target, "stablehlo.return"))
    target = "func.return";
  bool isOwn = !strncmp(target, "func.", 5);
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString(target), op->location);
  if (isOwn)
    mlirOperationStateAddAttributes(&state, n, attributes);
  *made = create(op, &state);
  if (!mlirOperationIsNull(*made) && !isOwn && n)
    mlirExtOperationSetInherentAttributes(
        *made, mlirDictionaryAttrGet(reader->context, n, attributes));
  return true;
}

/// MLIR's own properties of a module are optional names: 0, or an index and 1
/// in the lowest bit.
static bool addModuleProperties(XlaVhloReader *reader, XlaVhloReadOp *op,
                                MlirOperationState *state) {
  static const char *const names[] = {"sym_name", "sym_visibility"};
  MlirNamedAttribute attributes[2];
  intptr_t n = 0;
  for (size_t i = 0; op->properties.source && i < 2; ++i) {
    const uint8_t *at = op->properties.next;
    MlirAttribute value;
    uint64_t index;
    bool isThere;
    if (!xlaByteReadVarintFlag(&op->properties, &index, &isThere))
      return false;
    if (!isThere)
      continue;
    if (!xlaVhloGetAttribute(reader, at, index, &value))
      return false;
    attributes[n++] = mlirNamedAttributeGet(
        mlirIdentifierGet(reader->context,
                          mlirStringRefCreateFromCString(names[i])),
        value);
  }
  // Not before: of a state that makes no operation nothing is freed.
  mlirOperationStateAddAttributes(state, n, attributes);
  return true;
}

static bool makeModule(XlaVhloReader *reader, XlaVhloReadOp *op,
                       MlirOperation *made) {
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString("builtin.module"), op->location);
  if (op->nRegions != 1 || op->nOperands || op->nResults)
    return xlaByteError(reader->source, op->at, "is not one module");
  if (!addModuleProperties(reader, op, &state))
    return false;
  *made = create(op, &state);
  return true;
}

/// An operation of Shardy, which says where arrays lie, or that a part of the
/// program is that of a device.
static bool makeShardy(XlaVhloReader *reader, XlaVhloReadOp *op,
                       const XlaVhloShardyOp *shardy, MlirOperation *made) {
  XlaByteCursor *properties = &op->properties;
  MlirNamedAttribute attributes[4];
  char name[64];
  intptr_t n = 0;
  if (op->nRegions != shardy->nRegions)
    return xlaByteError(reader->source, op->at, "sdy.%s has %llu regions",
                        shardy->name, (unsigned long long)op->nRegions);
  for (; shardy->attributes[n]; ++n) {
    MlirStringRef key = mlirStringRefCreateFromCString(shardy->attributes[n]);
    MlirAttribute value;
    if (!properties->source)
      return xlaByteError(reader->source, op->at, "sdy.%s lacks attribute '%s'",
                          shardy->name, shardy->attributes[n]);
    if (!xlaVhloReadAttribute(reader, properties, &value))
      return false;
    attributes[n] =
        mlirNamedAttributeGet(mlirIdentifierGet(reader->context, key), value);
  }
  snprintf(name, sizeof name, "sdy.%s", shardy->name);
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString(name), op->location);
  *made = create(op, &state);
  if (!mlirOperationIsNull(*made) && n)
    mlirExtOperationSetInherentAttributes(
        *made, mlirDictionaryAttrGet(reader->context, n, attributes));
  return true;
}

bool xlaVhloMake(XlaVhloReader *reader, XlaVhloReadOp *op, MlirOperation parent,
                 size_t left, MlirOperation *made) {
  MlirStringRef dialect = op->name->dialect, name = op->name->name;
  *made = (MlirOperation){NULL};
  if (mlirOperationIsNull(parent)) {
    if (!equals(dialect, "builtin") || !equals(name, "module"))
      return xlaByteError(reader->source, op->at, "is not one module");
    return makeModule(reader, op, made);
  }
  const XlaVhloShardyOp *shardy =
      equals(dialect, "sdy") ? xlaVhloFindShardy(name) : NULL;
  if (shardy)
    return makeShardy(reader, op, shardy, made);
  if (!op->name->op)
    return xlaByteUnsupported(
        reader->source, op->at, "operation '%.*s.%.*s' is not supported yet",
        (int)(dialect.length < 60 ? dialect.length : 60), dialect.data,
        (int)(name.length < 100 ? name.length : 100), name.data);
  if (op->nRegions > left)
    return xlaByteError(reader->source, op->at,
                        "more regions than bytes follow");
  return makeOfRow(reader, op, parent, made);
}

//===- shardings_of.c - How a program says where arrays lie ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/shardings_of.h"
#include "xlac/passes/partition/unknown.h"

#include "xlac/passes/import/tokens.h"

#include <stdio.h>
#include <string.h>

static MlirAttribute attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

/// The same, or what Shardy says in its place where there are no attributes of
/// its own: a text among others.
static MlirAttribute attributeOfShardy(MlirOperation op, const char *name) {
  char inner[64];
  MlirAttribute own = attribute(op, name);
  MlirAttribute all = attribute(op, "mhlo.frontend_attributes");
  if (!mlirAttributeIsNull(own) || mlirAttributeIsNull(all) ||
      !mlirAttributeIsADictionary(all))
    return own;
  snprintf(inner, sizeof inner, "xla.sdy.%s", name);
  return mlirDictionaryAttrGetElementByName(
      all, mlirStringRefCreateFromCString(inner));
}

/// Leaves out `before`; false if the text does not begin so.
static bool skip(MlirStringRef *text, const char *before) {
  size_t length = strlen(before);
  if (text->length < length || memcmp(text->data, before, length) != 0)
    return false;
  *text = mlirStringRefCreate(text->data + length, text->length - length);
  return true;
}

/// Leaves out `after` at the end; false if the text does not end so.
static bool skipEnd(MlirStringRef *text, char after) {
  if (!text->length || text->data[text->length - 1] != after)
    return false;
  --text->length;
  return true;
}

/// What is between `before` and the last `after` of an attribute of Shardy, or
/// of its text, `#sdy.x<..>` or `#sdy<x<..>>`; its data is NULL if it is none.
static MlirStringRef textOf(MlirAttribute attr, const char *before,
                            char after) {
  MlirStringRef text = {NULL, 0};
  bool isIt = !mlirAttributeIsNull(attr) &&
              (mlirAttributeIsAOpaque(attr) || mlirAttributeIsAString(attr));
  if (isIt && mlirAttributeIsAOpaque(attr)) {
    text = mlirOpaqueAttrGetData(attr);
  } else if (isIt) {
    text = mlirStringAttrGetValue(attr);
    isIt = skip(&text, "#sdy<") ? skipEnd(&text, '>') : skip(&text, "#sdy.");
  }
  return isIt && skip(&text, before) && skipEnd(&text, after)
             ? text
             : mlirStringRefCreate(NULL, 0);
}

/// Keeps what was read, which was `result`.
static bool keep(XlaExpansion *x, MlirOperation op, XlaShardingResult result,
                 XlaSharding *read, const XlaSharding **sharding) {
  *sharding = NULL;
  switch (result) {
  case XlaShardingOk:
    *sharding = xlaExpandKeep(x, read);
    return *sharding != NULL;
  case XlaShardingOther:
    return true;
  case XlaShardingInvalid:
    return xlaExpandUnsupported(x, op,
                                "has a sharding that does not fit its array "
                                "and the devices, or is of partial sums");
  case XlaShardingNoMemory:
    break;
  }
  return xlaExpandNoMemory(x, op);
}

static bool readXla(XlaExpansion *x, MlirOperation op, MlirAttribute text,
                    MlirType type, const XlaSharding **sharding) {
  XlaSharding *read = NULL;
  int rank = xlaExpandRank(type);
  if (rank < 0 || mlirAttributeIsNull(text) || !mlirAttributeIsAString(text))
    return true;
  XlaShardingResult result = xlaShardingReadXla(mlirStringAttrGetValue(text),
                                                x->partitions, rank, &read);
  return keep(x, op, result, read, sharding);
}

/// Every axis counts if `manual` has no data.
static bool readSdy(XlaExpansion *x, MlirOperation op, MlirStringRef text,
                    MlirStringRef manual, MlirType type,
                    const XlaSharding **sharding) {
  XlaSharding *read = NULL;
  int rank = xlaExpandRank(type);
  if (rank < 0)
    return true;
  XlaShardingResult result =
      xlaShardingReadSdy(text, x->module, manual, x->partitions, rank, &read);
  return keep(x, op, result, read, sharding);
}

bool xlaShardingOfAttributes(XlaExpansion *x, MlirOperation op,
                             MlirAttribute dictionary, MlirType type,
                             const XlaSharding **sharding) {
  *sharding = NULL;
  if (mlirAttributeIsNull(dictionary) ||
      !mlirAttributeIsADictionary(dictionary))
    return true;
  MlirStringRef text =
      textOf(mlirDictionaryAttrGetElementByName(
                 dictionary, mlirStringRefCreateFromCString("sdy.sharding")),
             "sharding<", '>');
  if (text.data)
    return readSdy(x, op, text, mlirStringRefCreate(NULL, 0), type, sharding);
  return readXla(
      x, op,
      mlirDictionaryAttrGetElementByName(
          dictionary, mlirStringRefCreateFromCString("mhlo.sharding")),
      type, sharding);
}

/// Dimensions of which nothing is said lie as those of the operand, unless the
/// same devices cut others. False without memory.
static bool fillOpen(XlaExpansion *x, MlirOperation op,
                     const XlaSharding **sharding) {
  const XlaSharding *said = *sharding;
  intptr_t number =
      xlaPointerMapGet(&x->numbers, mlirOperationGetOperand(op, 0).ptr);
  const XlaSharding *operand = number ? x->values[number - 1].sharding : NULL;
  bool isAny = false;
  for (int d = 0; d < said->rank; ++d)
    isAny |= said->open[d];
  if (!isAny || said->isOpen || said->nAddends > 1 || !operand ||
      operand->rank != said->rank)
    return true;
  const XlaSharding *from[XLA_MAX_RANK];
  int dimensions[XLA_MAX_RANK];
  for (int d = 0; d < said->rank; ++d) {
    from[d] = said->open[d] ? operand : said;
    dimensions[d] = d;
  }
  XlaSharding *made =
      xlaShardingCompose(x->partitions, said->rank, from, dimensions);
  if (!made)
    return true;
  *sharding = xlaExpandKeep(x, made);
  return *sharding != NULL;
}

bool xlaShardingOfConstraint(XlaExpansion *x, MlirOperation op,
                             const XlaSharding **sharding) {
  *sharding = NULL;
  MlirStringRef text = textOf(attribute(op, "sharding"), "sharding<", '>');
  if (!text.data || mlirOperationGetNumOperands(op) != 1)
    return xlaExpandInvalid(x, op, "has no sharding of an operand");
  if (!readSdy(x, op, text, mlirStringRefCreate(NULL, 0),
               mlirValueGetType(mlirOperationGetOperand(op, 0)), sharding))
    return false;
  return !*sharding || fillOpen(x, op, sharding);
}

/// Number `i` of `<..>, <..>`.
static MlirStringRef elementOf(MlirStringRef list, intptr_t i) {
  const char *begin = NULL, *end = list.data + list.length;
  int depth = 0;
  bool isName = false;
  for (const char *at = list.data; at < end; ++at) {
    isName ^= *at == '"';
    if (isName)
      continue;
    if (*at == '<' && depth++ == 0)
      begin = at + 1;
    if (*at == '>' && --depth == 0 && i-- == 0)
      return mlirStringRefCreate(begin, (size_t)(at - begin));
  }
  return mlirStringRefCreate(NULL, 0);
}

/// What Shardy says counts, of which the other is a translation.
bool xlaShardingOfCall(XlaExpansion *x, MlirOperation op,
                       const XlaSharding **sharding) {
  *sharding = NULL;
  if (mlirOperationGetNumOperands(op) != 1)
    return true;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirStringRef text =
      textOf(attributeOfShardy(op, "sharding"), "sharding_per_value<[", '>');
  if (text.data)
    text = elementOf(text, 0);
  if (!text.data)
    return readXla(x, op, attribute(op, "mhlo.sharding"), type, sharding);
  return readSdy(x, op, text, mlirStringRefCreate(NULL, 0), type, sharding) &&
         (!*sharding || fillOpen(x, op, sharding));
}

static const XlaSharding *keepReplicated(XlaExpansion *x, MlirOperation op) {
  XlaSharding *made = xlaShardingCreate(x->partitions, 0);
  if (made)
    return xlaExpandKeep(x, made);
  xlaExpandNoMemory(x, op);
  return NULL;
}

const XlaSharding *xlaShardingOfManual(XlaExpansion *x, MlirOperation op,
                                       const char *which, intptr_t i) {
  const XlaSharding *sharding = NULL;
  MlirStringRef list =
      textOf(attributeOfShardy(op, which), "sharding_per_value<[", '>');
  MlirStringRef axes =
      textOf(attributeOfShardy(op, "manual_axes"), "manual_axes{", '}');
  bool isResult = strcmp(which, "in_shardings") != 0;
  MlirType type = mlirValueGetType(isResult ? mlirOperationGetResult(op, i)
                                            : mlirOperationGetOperand(op, i));
  MlirStringRef text = {NULL, 0};
  if (xlaImportIsToken(type)) // every device has its own
    return keepReplicated(x, op);
  if (list.data && axes.data)
    text = elementOf(list, i);
  if (!text.data)
    xlaExpandInvalid(x, op, "lacks a sharding, or its manual axes");
  else if (readSdy(x, op, text, axes, type, &sharding) && !sharding)
    xlaExpandUnsupported(x, op,
                         "has an operand or result that is no array, or "
                         "lies on one device");
  return sharding;
}

//===- inputs.c - Inputs by their names -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/inputs.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/element_type.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/runtime/npz.h"

#include <stdlib.h>
#include <string.h>

static XlaToolCode outOfMemory(void) {
  return xlaToolError(XlaToolCodeRefused, "out of memory");
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static MlirStringRef nameOf(MlirOperation function, MlirBlock block,
                            intptr_t i) {
  MlirAttribute all = xlaOpGetAttr(function, "arg_attrs");
  MlirAttribute info = mlirAttributeGetNull();
  if (!mlirAttributeIsNull(all) && mlirAttributeIsAArray(all) &&
      i < mlirArrayAttrGetNumElements(all) &&
      mlirAttributeIsADictionary(mlirArrayAttrGetElement(all, i)))
    info = mlirDictionaryAttrGetElementByName(
        mlirArrayAttrGetElement(all, i),
        mlirStringRefCreateFromCString("jax.arg_info"));
  if (!mlirAttributeIsNull(info) && mlirAttributeIsAString(info))
    return mlirStringAttrGetValue(info);
  MlirLocation location = mlirValueGetLocation(mlirBlockGetArgument(block, i));
  return mlirLocationIsAName(location)
             ? mlirIdentifierStr(mlirLocationNameGetName(location))
             : mlirStringRefCreate("", 0);
}

/// The names of the arguments that are arrays; "" where there is none.
typedef struct Names {
  int n;
  MlirStringRef *items; ///< to be freed
  bool any;
} Names;

static XlaToolCode readNames(MlirOperation function, Names *names) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  intptr_t n = mlirBlockIsNull(block) ? 0 : mlirBlockGetNumArguments(block);
  *names = (Names){0, calloc((size_t)n + 1, sizeof *names->items), false};
  if (!names->items)
    return outOfMemory();
  for (intptr_t i = 0; i < n; ++i) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(block, i));
    if (mlirTypeIsATuple(type))
      return xlaToolError(XlaToolCodeRefused,
                          "inputs by name are not supported for a function "
                          "that takes tuples");
    if (!mlirTypeIsATensor(type))
      continue;
    MlirStringRef name = nameOf(function, block, i);
    names->any |= name.length != 0;
    names->items[names->n++] = name;
  }
  return XlaToolCodeOk;
}

static int findName(const Names *names, const char *text, size_t length) {
  for (int i = 0; i < names->n; ++i)
    if (length && names->items[i].length == length &&
        !memcmp(names->items[i].data, text, length))
      return i;
  return -1;
}

static XlaToolCode unknownName(const Names *names, const char *text,
                               size_t length) {
  char known[400] = "";
  XlaIrLine line = {known, sizeof known, 0};
  for (int i = 0; i < names->n; ++i) {
    if (i)
      xlaIrLineAppend(mlirStringRefCreateFromCString(", "), &line);
    xlaIrLineAppend(names->items[i].length
                        ? names->items[i]
                        : mlirStringRefCreateFromCString("(no name)"),
                    &line);
  }
  if (!names->any)
    return xlaToolError(XlaToolCodeWrong,
                        "--input=%.*s: the program's arguments have no names",
                        (int)length, text);
  return xlaToolError(XlaToolCodeWrong,
                      "--input=%.*s: there is no such input, only %s",
                      (int)length, text, known);
}

/// How long the name is that `text` begins with; 0: none, it is a value. A type
/// is no name, nor is what has no value behind it.
static size_t nameLength(const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals || *text == '@')
    return 0;
  bool isValue = equals[1] == '@' || strchr(equals + 1, '=') ||
                 !strncmp(equals + 1, "random", 6);
  bool isType = *text >= '0' && *text <= '9';
  isType |= xlaElementTypeFromName(text, (size_t)(equals - text)) !=
            XlaElementTypeInvalid;
  return isValue && !isType ? (size_t)(equals - text) : 0;
}

/// Whether `text` is `@FILE.npz`.
static bool isArchive(const char *text) {
  size_t length = strlen(text);
  return *text == '@' && length > 5 && !strcmp(text + length - 4, ".npz");
}

bool xlaInputsAreNamed(const XlaToolValues *given) {
  for (int i = 0; i < given->count; ++i)
    if (nameLength(given->items[i]) || isArchive(given->items[i]))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

typedef struct Placing {
  const Names *names;
  XlaInputs *inputs;
  bool *isNamed; ///< where an input was given by name
  int next;      ///< that is given by order
} Placing;

static XlaToolCode place(Placing *placing, int at, const char *value) {
  if (placing->inputs->values.items[at])
    return xlaToolError(XlaToolCodeWrong, "input %d, '%.*s', is given twice",
                        at, (int)placing->names->items[at].length,
                        placing->names->items[at].data);
  placing->inputs->values.items[at] = value;
  return XlaToolCodeOk;
}

static XlaToolCode placeNext(Placing *placing, const char *value) {
  while (placing->next < placing->names->n && placing->isNamed[placing->next])
    ++placing->next;
  if (placing->next == placing->names->n)
    return xlaToolError(XlaToolCodeWrong,
                        "more inputs than the %d that the function takes",
                        placing->names->n);
  return place(placing, placing->next++, value);
}

/// `@FILE.npz:MEMBER`, owned by the inputs; NULL without memory.
static const char *memberText(XlaInputs *inputs, const char *archive,
                              const char *member) {
  char **owned =
      realloc(inputs->owned, ((size_t)inputs->nOwned + 1) * sizeof *owned);
  size_t size = strlen(archive) + strlen(member) + 2;
  char *text = malloc(size);
  if (owned)
    inputs->owned = owned;
  if (!owned || !text) {
    free(text);
    return NULL;
  }
  strcpy(text, archive);
  strcat(text, ":");
  strcat(text, member);
  return owned[inputs->nOwned++] = text;
}

/// The members of an archive; by name where `byName` asks for, and the archive
/// has an argument's name.
static XlaToolCode placeArchive(Placing *placing, const char *archive,
                                bool byName) {
  char **members = NULL;
  size_t n = 0;
  bool named = false;
  XlaStatus status = xlaNpzList(archive + 1, &n, &members);
  if (status)
    return xlaToolStatusError(status, "input");
  for (size_t i = 0; i < n; ++i)
    named |= findName(placing->names, members[i], strlen(members[i])) >= 0;
  XlaToolCode code = XlaToolCodeOk;
  for (size_t i = 0; i < n && named == byName && code == XlaToolCodeOk; ++i) {
    int at = findName(placing->names, members[i], strlen(members[i]));
    const char *text = memberText(placing->inputs, archive, members[i]);
    if (!text) {
      code = outOfMemory();
    } else if (!named) {
      code = placeNext(placing, text);
    } else if (at < 0) {
      code = unknownName(placing->names, members[i], strlen(members[i]));
    } else {
      placing->isNamed[at] = true;
      code = place(placing, at, text);
    }
  }
  xlaNpzFreeList(n, members);
  return code;
}

static XlaToolCode placeItem(Placing *placing, const char *text, bool byName) {
  size_t length = nameLength(text);
  if (isArchive(text))
    return placeArchive(placing, text, byName);
  if (!length)
    return byName ? XlaToolCodeOk : placeNext(placing, text);
  if (!byName)
    return XlaToolCodeOk;
  int at = findName(placing->names, text, length);
  if (at < 0)
    return unknownName(placing->names, text, length);
  placing->isNamed[at] = true;
  return place(placing, at, text + length + 1);
}

/// First what has a name, then the rest.
static XlaToolCode placeAll(Placing *placing, const XlaToolValues *given) {
  XlaToolCode code = XlaToolCodeOk;
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < given->count && code == XlaToolCodeOk; ++i)
      code = placeItem(placing, given->items[i], pass == 0);
  XlaToolValues *values = &placing->inputs->values;
  for (int i = 0; i < placing->names->n; ++i)
    if (values->items[i])
      values->count = i + 1;
  return code;
}

XlaToolCode xlaInputsCreate(MlirOperation function, const XlaToolValues *given,
                            XlaInputs *inputs) {
  Names names;
  memset(inputs, 0, sizeof *inputs);
  XlaToolCode code = readNames(function, &names);
  bool *isNamed = calloc((size_t)names.n + 1, sizeof *isNamed);
  inputs->values.items =
      calloc((size_t)names.n + 1, sizeof *inputs->values.items);
  Placing placing = {&names, inputs, isNamed, 0};
  if (!isNamed || !inputs->values.items)
    code = outOfMemory();
  else if (code == XlaToolCodeOk)
    code = placeAll(&placing, given);
  free(isNamed);
  free(names.items);
  return code;
}

void xlaInputsDestroy(XlaInputs *inputs) {
  for (int i = 0; i < inputs->nOwned; ++i)
    free(inputs->owned[i]);
  free(inputs->owned);
  free(inputs->values.items);
  memset(inputs, 0, sizeof *inputs);
}

//===- verify.c - Verification by the table -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops.def says is checked here for every operation; what only a family
// knows is checked by its hook.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/op.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/nearest.h"
#include "xlac/dialect/ops/groups.h"
#include "xlac/dialect/ops/transfer_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool isInteger(MlirAttribute attr) {
  MlirType type = mlirAttributeGetType(attr);
  return mlirAttributeIsAInteger(attr) && mlirTypeIsAInteger(type) &&
         mlirIntegerTypeIsSignless(type) && mlirIntegerTypeGetWidth(type) <= 64;
}

static bool isIntegerVector(MlirAttribute attr) {
  if (mlirAttributeIsADenseI64Array(attr))
    return true;
  if (mlirAttributeIsAArray(attr)) {
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(attr); ++i)
      if (!isInteger(mlirArrayAttrGetElement(attr, i)))
        return false;
    return true;
  }
  if (!mlirAttributeIsADenseIntElements(attr))
    return false;
  MlirType type = mlirAttributeGetType(attr);
  MlirType element = mlirShapedTypeGetElementType(type);
  if (mlirShapedTypeGetRank(type) != 1 || !mlirTypeIsAInteger(element))
    return false;
  unsigned width = mlirIntegerTypeGetWidth(element);
  return mlirIntegerTypeIsSignless(element) && (width == 32 || width == 64);
}

static intptr_t listSize(MlirAttribute attr) {
  if (mlirAttributeIsAArray(attr))
    return mlirArrayAttrGetNumElements(attr);
  return mlirAttributeIsADenseI64Array(attr)
             ? mlirDenseArrayGetNumElements(attr)
             : (intptr_t)mlirElementsAttrGetNumElements(attr);
}

/// Whether `word` is one of the words in "A|B|C".
static bool isChoice(MlirStringRef word, const char *choices) {
  for (const char *at = choices; at;) {
    const char *end = strchr(at, '|');
    size_t length = end ? (size_t)(end - at) : strlen(at);
    if (length == word.length && !memcmp(at, word.data, length))
      return true;
    at = end ? end + 1 : NULL;
  }
  return false;
}

static MlirLogicalResult checkEnum(const XlaOpView *view,
                                   const MlirExtOpAttribute *entry,
                                   MlirAttribute attr) {
  if (!mlirAttributeIsAString(attr))
    return xlaViewError(view, "attribute",
                        "attribute '%s' must be one of \"%s\"", entry->name,
                        entry->choices);
  MlirStringRef word = mlirStringAttrGetValue(attr);
  if (isChoice(word, entry->choices))
    return mlirLogicalResultSuccess();
  return xlaViewError(view, "attribute",
                      "attribute '%s' is \"%.*s\", must be one of \"%s\"",
                      entry->name, (int)word.length, word.data, entry->choices);
}

static MlirLogicalResult checkAttr(const XlaOpView *view,
                                   const MlirExtOpAttribute *entry,
                                   MlirAttribute attr) {
  const char *wanted = NULL;
  switch ((XlaAttrKind)entry->kind) {
  case XlaAttrKindAny:
    break;
  case XlaAttrKindBool:
    wanted = mlirAttributeIsABool(attr) ? NULL : "true or false";
    break;
  case XlaAttrKindI64:
    wanted = isInteger(attr) ? NULL : "an integer";
    break;
  case XlaAttrKindI64Array:
    if (!isIntegerVector(attr))
      wanted = "a list of integers, [..] or array<i64: ..>";
    else if (listSize(attr) > XLA_MAX_LIST)
      wanted = "a list of at most 64 integers";
    break;
  case XlaAttrKindEnum:
    return checkEnum(view, entry, attr);
  case XlaAttrKindElements:
    wanted = mlirAttributeIsAElements(attr) ? NULL : "a dense array";
    break;
  case XlaAttrKindSymbol:
    wanted = mlirAttributeIsAFlatSymbolRef(attr) ? NULL : "a symbol, @name";
    break;
  case XlaAttrKindString:
    wanted = mlirAttributeIsAString(attr) ? NULL : "a string";
    break;
  case XlaAttrKindGroups:
    wanted = xlaGroupsIsAttribute(attr)
                 ? NULL
                 : "lists of integers, [[..], ..] or a dense matrix";
    break;
  }
  if (!wanted)
    return mlirLogicalResultSuccess();
  return xlaViewError(view, "attribute", "attribute '%s' must be %s",
                      entry->name, wanted);
}

static MlirLogicalResult checkAttrs(const XlaOpView *view) {
  const MlirExtOpAttribute *entry = xlaOpGetInfo(view->kind)->attributes;
  for (; entry && entry->name; ++entry) {
    MlirAttribute attr = xlaViewGetAttr(view, entry->name);
    if (mlirAttributeIsNull(attr)) {
      if (!entry->optional)
        return xlaViewError(view, "attribute", "requires the attribute '%s'",
                            entry->name);
    } else if (mlirLogicalResultIsFailure(checkAttr(view, entry, attr))) {
      return mlirLogicalResultFailure();
    }
  }
  return mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// Attributes that the table does not have
//===----------------------------------------------------------------------===//

static const char *attributeName(int i, const void *attributes) {
  return attributes ? ((const MlirExtOpAttribute *)attributes)[i].name : NULL;
}

/// The attribute of the operation that a name is most like, or NULL.
static const char *nearestAttr(const XlaOpView *view, MlirStringRef name) {
  return xlaNearestName(name.data, name.length, attributeName,
                        xlaOpGetInfo(view->kind)->attributes);
}

static MlirLogicalResult unknownAttr(const XlaOpView *view,
                                     MlirStringRef name) {
  const MlirExtOpAttribute *known = xlaOpGetInfo(view->kind)->attributes;
  const char *nearest = nearestAttr(view, name);
  int length = (int)(name.length < 100 ? name.length : 100);
  if (nearest)
    return xlaViewError(view, "attribute",
                        "has no attribute '%.*s'; did you mean '%s'?", length,
                        name.data, nearest);
  char names[512] = "";
  size_t used = 0;
  for (int i = 0; attributeName(i, known) && used < sizeof names; ++i)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s'%s'",
                             i ? ", " : ", only ", known[i].name);
  return xlaViewError(view, "attribute", "has no attribute '%.*s'%s", length,
                      name.data, names);
}

static bool hasAttr(const XlaOpView *view, MlirStringRef name) {
  const MlirExtOpAttribute *entry = xlaOpGetInfo(view->kind)->attributes;
  for (; entry && entry->name; ++entry)
    if (mlirStringRefEqual(name, mlirStringRefCreateFromCString(entry->name)))
      return true;
  return false;
}

/// Discardable attributes may be on any operation, but for names that mean
/// something: one of another operation, and one that is misspelled.
static MlirLogicalResult
checkDiscardable(const XlaOpView *view, MlirOperation op, MlirStringRef name) {
  if (hasAttr(view, name) ||
      (name.length && memchr(name.data, '.', name.length)))
    return mlirLogicalResultSuccess();
  if (xlaOpIsAttributeName(name) || nearestAttr(view, name))
    return unknownAttr(view, name);
  xlaOpRemarkIgnored(view->location,
                     mlirIdentifierStr(mlirOperationGetName(op)), name);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult checkNames(const XlaOpView *view, MlirOperation op) {
  intptr_t n = mlirDictionaryAttrGetNumElements(view->attributes);
  for (intptr_t i = 0; i < n; ++i) {
    MlirStringRef name = mlirIdentifierStr(
        mlirDictionaryAttrGetElement(view->attributes, i).name);
    if (!hasAttr(view, name))
      return unknownAttr(view, name);
  }
  n = mlirOperationGetNumDiscardableAttributes(op);
  for (intptr_t i = 0; i < n; ++i) {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetDiscardableAttribute(op, i).name);
    if (mlirLogicalResultIsFailure(checkDiscardable(view, op, name)))
      return mlirLogicalResultFailure();
  }
  return mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// Operands, regions and results
//===----------------------------------------------------------------------===//

static bool isRegionCount(int wanted, intptr_t count) {
  return wanted == XLA_VARIADIC   ? count >= 1
         : wanted == XLA_OPTIONAL ? count <= 1
                                  : count == wanted;
}

/// The first operand whose owner was removed without it, or -1.
static intptr_t findMissing(MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < n; ++i)
    if (mlirValueIsNull(mlirOperationGetOperand(op, i)))
      return i;
  return -1;
}

/// What is inside of the region is verified later, but for its end, on which
/// the operation's results depend.
static MlirLogicalResult checkRegion(const XlaOpView *view, intptr_t i) {
  MlirOperation terminator;
  if (!xlaRegionGetReturn(view->regions[i], &terminator))
    return xlaViewError(view, "region",
                        "region %lld must be one block that ends in xla.return",
                        (long long)i);
  intptr_t missing = findMissing(terminator);
  if (missing >= 0)
    return xlaViewError(view, "region",
                        "region %lld returns a value %lld that is nowhere",
                        (long long)i, (long long)missing);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult checkCounts(const XlaOpView *view) {
  const XlaOpInfo *info = xlaOpGetInfo(view->kind);
  if (view->nOperands < info->minOperands ||
      (info->maxOperands >= 0 && view->nOperands > info->maxOperands)) {
    if (info->minOperands == info->maxOperands)
      return xlaViewError(view, "arity", "takes %d operands, has %lld",
                          info->minOperands, (long long)view->nOperands);
    return xlaViewError(view, "arity", "takes %d or more operands, has %lld",
                        info->minOperands, (long long)view->nOperands);
  }
  if (!isRegionCount(info->regions, view->nRegions))
    return xlaViewError(view, "arity", "takes %s%d region%s, has %lld",
                        info->regions == XLA_OPTIONAL ? "at most " : "",
                        info->regions >= 0 ? info->regions : 1,
                        info->regions == XLA_VARIADIC ? " or more"
                        : info->regions == 1 || info->regions == XLA_OPTIONAL
                            ? ""
                            : "s",
                        (long long)view->nRegions);
  for (intptr_t i = 0; i < view->nRegions; ++i)
    if (mlirLogicalResultIsFailure(checkRegion(view, i)))
      return mlirLogicalResultFailure();
  return mlirLogicalResultSuccess();
}

/// "signed, float or complex".
static const char *typeClassesText(unsigned classes, char chars[80]) {
  static const struct {
    unsigned bit;
    const char *name;
  } names[] = {{XlaTypeClassPred, "pred"},
               {XlaTypeClassSigned, "signed"},
               {XlaTypeClassUnsigned, "unsigned"},
               {XlaTypeClassFloat, "float"},
               {XlaTypeClassComplex, "complex"}};
  size_t length = 0;
  unsigned left = classes;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (!(left & names[i].bit))
      continue;
    left &= ~names[i].bit;
    const char *between = !length ? "" : left ? ", " : " or ";
    length += (size_t)snprintf(chars + length, 80 - length, "%s%s", between,
                               names[i].name);
  }
  return chars;
}

/// The element type rule of the table, on the first operand that is an array.
static MlirLogicalResult checkTypeClass(const XlaOpView *view) {
  const unsigned any = XlaTypeClassPred | XlaTypeClassSigned |
                       XlaTypeClassUnsigned | XlaTypeClassFloat |
                       XlaTypeClassComplex;
  unsigned allowed = xlaOpGetInfo(view->kind)->typeClasses;
  if (allowed == any)
    return mlirLogicalResultSuccess();
  XlaShape shape;
  if (mlirLogicalResultIsFailure(
          view->nOperands ? xlaViewGetBounded(view, 0, &shape)
                          : xlaViewGetStatedBounded(view, 0, &shape)))
    return mlirLogicalResultFailure();
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape.elementType);
  if (info->typeClass & allowed)
    return mlirLogicalResultSuccess();
  char classes[80];
  return xlaViewError(view, "element_type", "takes %s elements, not %s",
                      typeClassesText(allowed, classes), info->name);
}

static MlirLogicalResult checkResults(const XlaOpView *view) {
  if (view->nResults != view->nStatedResults)
    return xlaViewError(view, "result", "has %lld results, should have %lld",
                        (long long)view->nStatedResults,
                        (long long)view->nResults);
  for (intptr_t i = 0; i < view->nResults; ++i)
    if (!xlaTypeEqualIgnoringLayout(view->results[i], view->statedResults[i]))
      return xlaViewError(view, "result",
                          "result %lld is stated as %s, but is %s",
                          (long long)i, XLA_TYPE_TEXT(view->statedResults[i]),
                          XLA_TYPE_TEXT(view->results[i]));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaOpInfer(XlaOpView *view) {
  const XlaOpInfo *info = xlaOpGetInfo(view->kind);
  if (mlirLogicalResultIsFailure(checkCounts(view)) ||
      mlirLogicalResultIsFailure(checkAttrs(view)) ||
      mlirLogicalResultIsFailure(checkTypeClass(view)) ||
      mlirLogicalResultIsFailure(info->infer(view)))
    return mlirLogicalResultFailure();
  return view->outOfMemory
             ? xlaViewError(view, NULL, "could not be verified: out of memory")
             : mlirLogicalResultSuccess();
}

/// xla.return gives results to an operation of this dialect, which checks them.
static MlirLogicalResult checkReturn(MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (mlirOperationIsNull(parent) || xlaOpGetKind(parent) != XlaOpKindInvalid)
    return mlirLogicalResultSuccess();
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(parent));
  return xlaOpError(op, "return_c1",
                    "ends a region of an operation of xla, not of '%.*s'",
                    (int)name.length, name.data);
}

MlirLogicalResult xlaOpVerify(MlirOperation op) {
  intptr_t missing = findMissing(op);
  if (missing >= 0)
    return xlaOpError(op, NULL, "has an operand %lld that is nowhere",
                      (long long)missing);
  XlaOpView view = {.kind = xlaOpGetKind(op),
                    .context = mlirOperationGetContext(op),
                    .location = mlirOperationGetLocation(op),
                    .nOperands = mlirOperationGetNumOperands(op),
                    .attributes = mlirExtOperationGetInherentAttributes(op),
                    .nRegions = mlirOperationGetNumRegions(op),
                    .nStatedResults = mlirOperationGetNumResults(op)};
  intptr_t nTypes = view.nOperands + view.nStatedResults;
  MlirType *types = malloc(((size_t)nTypes + 1) * sizeof *types);
  MlirRegion *regions = malloc(((size_t)view.nRegions + 1) * sizeof *regions);
  MlirLogicalResult result = mlirLogicalResultFailure();
  if (types && regions) {
    for (intptr_t i = 0; i < view.nOperands; ++i)
      types[i] = mlirValueGetType(mlirOperationGetOperand(op, i));
    for (intptr_t i = 0; i < view.nStatedResults; ++i)
      types[view.nOperands + i] =
          mlirValueGetType(mlirOperationGetResult(op, i));
    for (intptr_t i = 0; i < view.nRegions; ++i)
      regions[i] = mlirOperationGetRegion(op, i);
    view.operands = types;
    view.statedResults = types + view.nOperands;
    view.regions = regions;
    result = checkNames(&view, op);
    if (mlirLogicalResultIsSuccess(result))
      result = xlaOpInfer(&view);
    if (mlirLogicalResultIsSuccess(result))
      result = checkResults(&view);
    if (view.kind == XlaOpKindReturn && mlirLogicalResultIsSuccess(result))
      result = checkReturn(op);
    if (mlirLogicalResultIsSuccess(result))
      result = xlaTransferCheckUses(op);
  } else {
    xlaViewError(&view, NULL, "could not be verified: out of memory");
  }
  free(view.results);
  free(types);
  free(regions);
  return result;
}

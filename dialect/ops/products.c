//===- products.c - Types of sums of products -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/products.h"

#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

MlirLogicalResult xlaProductsCheck(const XlaOpView *view, const char *label,
                                   const XlaShape *lhs, const XlaShape *rhs,
                                   XlaElementType result) {
  XlaTypeClass target = xlaElementTypeGetInfo(result)->typeClass;
  if (target == XlaTypeClassSigned)
    target = XlaTypeClassUnsigned; // one class of integers
  const XlaElementTypeInfo *a = xlaElementTypeGetInfo(lhs->elementType);
  const XlaElementTypeInfo *b = xlaElementTypeGetInfo(rhs->elementType);
  if (a->typeClass <= target && b->typeClass <= target)
    return success();
  return xlaViewError(view, label,
                      "products of %s and %s cannot be summed as %s", a->name,
                      b->name, xlaElementTypeGetInfo(result)->name);
}

static bool isPrecision(MlirAttribute attr) {
  static const char *const words[] = {"DEFAULT", "HIGH", "HIGHEST"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (mlirAttributeIsAString(attr) &&
        mlirStringRefEqual(mlirStringAttrGetValue(attr),
                           mlirStringRefCreateFromCString(words[i])))
      return true;
  return false;
}

MlirLogicalResult xlaProductsCheckPrecision(const XlaOpView *view,
                                            const char *label) {
  MlirAttribute attr = xlaViewGetAttr(view, "precision_config");
  if (mlirAttributeIsNull(attr))
    return success();
  bool isList = mlirAttributeIsAArray(attr);
  intptr_t n = isList ? mlirArrayAttrGetNumElements(attr) : 0;
  for (intptr_t i = 0; i < n; ++i)
    isList = isList && isPrecision(mlirArrayAttrGetElement(attr, i));
  if (!isList)
    return xlaViewError(view, "attribute",
                        "attribute 'precision_config' must be a list of "
                        "\"DEFAULT\", \"HIGH\" or \"HIGHEST\"");
  if (n == 0 || n == 2)
    return success();
  return xlaViewError(view, label,
                      "precision_config has %lld entries, must have one an "
                      "operand",
                      (long long)n);
}

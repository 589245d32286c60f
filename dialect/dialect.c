//===- dialect.c - The dialect xla ----------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/op.h"

#include <stdio.h>
#include <string.h>

static const MlirExtTypeDefinition types[] = {{"token"}};

/// The entries of #xla.array, all optional.
static MlirLogicalResult verifyArray(MlirAttribute entries,
                                     void (*emitError)(const char *, void *),
                                     void *errorData) {
  static const char *const known[] = {"minor_to_major", "padded_dimensions",
                                      "padding_value", "bounds"};
  char message[256];
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(entries); ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(entries, i);
    MlirStringRef name = mlirIdentifierStr(entry.name);
    int k = 0;
    while (k < 4 &&
           !mlirStringRefEqual(name, mlirStringRefCreateFromCString(known[k])))
      ++k;
    const char *wrong =
        k == 4 ? "is not known"
        : k != 2 && !mlirAttributeIsADenseI64Array(entry.attribute)
            ? "must be a list of integers"
            : NULL;
    if (wrong) {
      snprintf(message, sizeof message,
               "'%.*s' %s (entries: minor_to_major, padded_dimensions, "
               "padding_value, bounds)",
               (int)name.length, name.data, wrong);
      emitError(message, errorData);
      return mlirLogicalResultFailure();
    }
  }
  return mlirLogicalResultSuccess();
}

static const MlirExtAttrDefinition attrs[] = {{"array", verifyArray}};

static const MlirExtDialectDefinition definition = {
    "xla", XlaOpKindCount - 1, xlaOpDefinitions, 1, types, 1,
    attrs, "constant"};

void xlaDialectRegister(MlirDialectRegistry registry) {
  mlirExtDialectRegister(registry, &definition);
}

//===- function.c - Functions of StableHLO's programs ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"
#include "xlac/passes/import/stablehlo/program.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

void xlaImportRemoveAnnotations(MlirOperation op) {
  for (intptr_t i = mlirOperationGetNumDiscardableAttributes(op); i-- > 0;) {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetDiscardableAttribute(op, i).name);
    if (xlaImportIsAnnotation(name))
      mlirOperationRemoveDiscardableAttributeByName(op, name);
  }
}

/// The value of xla.donated where JAX says that an argument may be overwritten:
/// the number of the result that is to have its memory, or unit; null if JAX
/// does not say that.
static MlirAttribute donationOf(MlirAttribute dictionary) {
  MlirAttribute none = {NULL};
  MlirAttribute aliased = mlirDictionaryAttrGetElementByName(
      dictionary, mlirStringRefCreateFromCString("tf.aliasing_output"));
  MlirAttribute donor = mlirDictionaryAttrGetElementByName(
      dictionary, mlirStringRefCreateFromCString("jax.buffer_donor"));
  MlirAttribute said = mlirDictionaryAttrGetElementByName(
      dictionary, mlirStringRefCreateFromCString("xla.donated"));
  if (!mlirAttributeIsNull(said))
    return none; // already
  if (!mlirAttributeIsNull(aliased) && mlirAttributeIsAInteger(aliased))
    return aliased;
  bool isDonor = !mlirAttributeIsNull(donor) &&
                 !(mlirAttributeIsABool(donor) && !mlirBoolAttrGetValue(donor));
  return isDonor || !mlirAttributeIsNull(aliased)
             ? mlirUnitAttrGet(mlirAttributeGetContext(dictionary))
             : none;
}

/// Argument or result attributes without annotations, but with xla.donated;
/// null if none are left or memory is lacking.
static MlirAttribute filterEach(MlirAttribute list) {
  MlirContext context = mlirAttributeGetContext(list);
  intptr_t n = mlirArrayAttrGetNumElements(list), kept = 0;
  MlirAttribute *items = malloc(((size_t)n + 1) * sizeof *items);
  for (intptr_t i = 0; items && i < n; ++i) {
    MlirAttribute dictionary = mlirArrayAttrGetElement(list, i);
    intptr_t size = mlirDictionaryAttrGetNumElements(dictionary), left = 0;
    MlirNamedAttribute *entries = malloc(((size_t)size + 2) * sizeof *entries);
    for (intptr_t j = 0; entries && j < size; ++j) {
      MlirNamedAttribute entry = mlirDictionaryAttrGetElement(dictionary, j);
      if (!xlaImportIsAnnotation(mlirIdentifierStr(entry.name)))
        entries[left++] = entry;
    }
    MlirAttribute donation = donationOf(dictionary);
    if (entries && !mlirAttributeIsNull(donation))
      entries[left++] = mlirNamedAttributeGet(
          mlirIdentifierGet(context,
                            mlirStringRefCreateFromCString("xla.donated")),
          donation);
    items[i] = mlirDictionaryAttrGet(context, left, entries);
    kept += left;
    free(entries);
  }
  MlirAttribute filtered =
      kept ? mlirArrayAttrGet(context, n, items) : mlirAttributeGetNull();
  free(items);
  return filtered;
}

bool xlaImportFunction(MlirOperation op) {
  static const char *const lists[] = {"arg_attrs", "res_attrs"};
  MlirStringRef typeName = mlirStringRefCreateFromCString("function_type");
  MlirAttribute type = mlirOperationGetAttributeByName(op, typeName);
  if (!mlirAttributeIsNull(type) && mlirAttributeIsAType(type)) {
    MlirType converted = xlaImportType(mlirTypeAttrGetValue(type));
    if (mlirTypeIsNull(converted))
      return false;
    converted = xlaImportFunctionType(op, converted);
    mlirOperationSetAttributeByName(op, typeName, mlirTypeAttrGet(converted));
  }
  for (int i = 0; i < 2; ++i) {
    MlirStringRef name = mlirStringRefCreateFromCString(lists[i]);
    MlirAttribute list = mlirOperationGetAttributeByName(op, name);
    if (mlirAttributeIsNull(list) || !mlirAttributeIsAArray(list))
      continue;
    MlirAttribute filtered = filterEach(list);
    if (mlirAttributeIsNull(filtered))
      mlirOperationRemoveAttributeByName(op, name);
    else
      mlirOperationSetAttributeByName(op, name, filtered);
  }
  return true;
}

//===- types.c - Types as StableHLO has them ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/export/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/array_encoding.h"

#include <stdio.h>
#include <stdlib.h>

/// The bounds of a tensor as `#stablehlo.bounds<8, ?>`; null if there are none.
static MlirAttribute boundsOf(MlirType type) {
  int64_t bounds[XLA_MAX_RANK];
  char text[XLA_MAX_RANK * 24 + 32];
  int n = xlaArrayEncodingGetList(type, "bounds", bounds);
  if (n < 0)
    return mlirAttributeGetNull();
  int length = snprintf(text, sizeof text, "#stablehlo.bounds<");
  for (int i = 0; i < n; ++i) {
    size_t room = sizeof text - (size_t)length;
    const char *comma = i ? ", " : "";
    length += mlirShapedTypeIsDynamicSize(bounds[i])
                  ? snprintf(text + length, room, "%s?", comma)
                  : snprintf(text + length, room, "%s%lld", comma,
                             (long long)bounds[i]);
  }
  snprintf(text + length, sizeof text - (size_t)length, ">");
  return xlaIrParseAttr(mlirTypeGetContext(type), text);
}

static MlirType exportTensor(MlirType type) {
  int64_t dims[XLA_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (rank > XLA_MAX_RANK ||
      mlirAttributeIsNull(xlaArrayEncodingGetEntries(type)))
    return type;
  for (intptr_t i = 0; i < rank; ++i)
    dims[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirRankedTensorTypeGet(rank, dims, mlirShapedTypeGetElementType(type),
                                 boundsOf(type));
}

MlirType xlaExportType(MlirType type) {
  MlirContext context = mlirTypeGetContext(type);
  if (xlaTypeIsToken(type))
    return xlaIrParseType(context, "!stablehlo.token");
  if (mlirTypeIsARankedTensor(type))
    return exportTensor(type);
  bool tuple = mlirTypeIsATuple(type);
  if (!tuple && !mlirTypeIsAFunction(type))
    return type;
  intptr_t nInputs = tuple ? mlirTupleTypeGetNumTypes(type)
                           : mlirFunctionTypeGetNumInputs(type);
  intptr_t n = nInputs + (tuple ? 0 : mlirFunctionTypeGetNumResults(type));
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  MlirType exported = {NULL};
  bool enough = types != NULL;
  for (intptr_t i = 0; enough && i < n; ++i) {
    types[i] = xlaExportType(
        tuple         ? mlirTupleTypeGetType(type, i)
        : i < nInputs ? mlirFunctionTypeGetInput(type, i)
                      : mlirFunctionTypeGetResult(type, i - nInputs));
    enough = !mlirTypeIsNull(types[i]);
  }
  if (enough)
    exported = tuple ? mlirTupleTypeGet(context, n, types)
                     : mlirFunctionTypeGet(context, nInputs, types, n - nInputs,
                                           types + nInputs);
  free(types);
  return exported;
}

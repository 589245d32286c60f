//===- types.c - Types of StableHLO ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"
#include "xlac/passes/import/stablehlo/program.h"
#include "xlac/passes/import/tokens.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

static bool convertTypes(MlirContext context, intptr_t n, MlirType *types);

/// The array in a buffer: one is used once, and so is as good as its value.
static MlirType bufferType(MlirType type) {
  int64_t dims[XLA_MAX_RANK];
  int64_t rank = mlirShapedTypeGetRank(type);
  if (rank > XLA_MAX_RANK ||
      !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return type;
  for (int64_t d = 0; d < rank; ++d)
    dims[d] = mlirShapedTypeGetDimSize(type, d);
  return mlirRankedTensorTypeGet(rank, dims, mlirShapedTypeGetElementType(type),
                                 mlirAttributeGetNull());
}

MlirType xlaImportType(MlirType type) {
  MlirContext context = mlirTypeGetContext(type);
  if (xlaImportIsToken(type))
    return xlaTokenTypeGet(context);
  if (mlirTypeIsAMemRef(type))
    return bufferType(type);
  bool tuple = mlirTypeIsATuple(type);
  if (!tuple && !mlirTypeIsAFunction(type))
    return xlaImportBoundedType(type);
  intptr_t nInputs = tuple ? mlirTupleTypeGetNumTypes(type)
                           : mlirFunctionTypeGetNumInputs(type);
  intptr_t nResults = tuple ? 0 : mlirFunctionTypeGetNumResults(type);
  MlirType *types = malloc(((size_t)(nInputs + nResults) + 1) * sizeof *types);
  MlirType converted = {NULL};
  for (intptr_t i = 0; types && i < nInputs; ++i)
    types[i] = tuple ? mlirTupleTypeGetType(type, i)
                     : mlirFunctionTypeGetInput(type, i);
  for (intptr_t i = 0; types && i < nResults; ++i)
    types[nInputs + i] = mlirFunctionTypeGetResult(type, i);
  if (types && convertTypes(context, nInputs + nResults, types))
    converted = tuple ? mlirTupleTypeGet(context, nInputs, types)
                      : mlirFunctionTypeGet(context, nInputs, types, nResults,
                                            types + nInputs);
  free(types);
  return converted;
}

static bool convertTypes(MlirContext context, intptr_t n, MlirType *types) {
  for (intptr_t i = 0; i < n; ++i) {
    types[i] = xlaImportType(types[i]);
    if (mlirTypeIsNull(types[i]))
      return false;
  }
  return true;
}

bool xlaImportValueType(MlirValue value) {
  MlirType type = mlirValueGetType(value), converted = xlaImportType(type);
  if (mlirTypeIsNull(converted))
    return false;
  if (!mlirTypeEqual(type, converted))
    mlirValueSetType(value, converted);
  return true;
}

bool xlaImportBlockArguments(MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
        if (!xlaImportValueType(mlirBlockGetArgument(block, i)))
          return false;
  return true;
}

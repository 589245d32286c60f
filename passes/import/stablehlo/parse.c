//===- parse.c - Text of StableHLO --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"

MlirModule xlaStableHloParse(MlirContext context, MlirStringRef text,
                             MlirStringRef name) {
  MlirModule module = mlirExtModuleCreateParseUnverified(context, text, name);
  return mlirModuleIsNull(module) ? module : xlaStableHloFinishReading(module);
}

MlirModule xlaStableHloFinishReading(MlirModule module) {
  if (mlirOperationVerify(mlirModuleGetOperation(module)))
    return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}

//===- prepare.c - From a program to what lowering takes ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/passes.h"

#include "mlir-c/Pass.h"
#include "mlir-c/Transforms.h"

MlirLogicalResult xlaPrepareForLowering(MlirModule module,
                                        MlirStringRef entry) {
  static const char *const dialects[] = {"xla", "func", NULL};
  bool epilogues = false;
  const MlirExtPassDefinition legalize = {.name = "xla-legalize",
                                          .description = "",
                                          .dependentDialects = dialects,
                                          .run = xlaPassLegalize,
                                          .userData = &entry};
  const MlirExtPassDefinition fuse = {.name = "xla-fuse",
                                      .description = "",
                                      .dependentDialects = dialects,
                                      .run = xlaPassFuse,
                                      .userData = &epilogues};
  MlirOperation op = mlirModuleGetOperation(module);
  MlirPassManager manager = mlirPassManagerCreate(mlirModuleGetContext(module));
  mlirPassManagerAddOwnedPass(manager, mlirExtPassCreate(&legalize));
  mlirPassManagerAddOwnedPass(manager, mlirCreateTransformsCanonicalizer());
  mlirPassManagerAddOwnedPass(manager, mlirCreateTransformsCSE());
  mlirPassManagerAddOwnedPass(manager, mlirExtPassCreate(&fuse));
  MlirLogicalResult result = mlirPassManagerRunOnOp(manager, op);
  mlirPassManagerDestroy(manager);
  return result;
}

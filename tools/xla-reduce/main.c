//===- main.c - xla-reduce ------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/RegisterEverything.h"
#include "xlac/dialect/dialect.h"
#include "xlac/passes/passes.h"
#include "xlac/tools/common/input.h"

int main(int argc, char **argv) {
  xlaToolsInit();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirRegisterAllPasses();
  xlaDialectRegister(registry);
  xlaPassesRegister();
  int code = mlirExtReduceMain(argc, argv, registry);
  mlirDialectRegistryDestroy(registry);
  return code;
}

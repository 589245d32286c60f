//===- machine.c - What tests of programs run on --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/machine.h"
#include "xlac/test/support/unit.h"

#include "mlir-c/RegisterEverything.h"
#include "xlac/dialect/dialect.h"

/// Whether `status` is none; its message is printed.
static bool isFine(const char *what, XlaStatus status) {
  bool fine = !status;
  if (!fine)
    print_message("without %s: %s\n", what, xlaStatusMessage(status));
  xlaStatusDestroy(status);
  return fine;
}

bool machineSetUp(Machine *machine) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  xlaDialectRegister(registry);
  machine->context = mlirContextCreateWithRegistry(registry, false);
  mlirContextLoadAllAvailableDialects(machine->context);
  mlirRegisterAllLLVMTranslations(machine->context);
  mlirDialectRegistryDestroy(registry);
  XlaVulkanOptions options = {.cacheFolder = ""};
  isFine("Vulkan", xlaVulkanDeviceOpen(&options, 0, &machine->vulkan));
  return isFine("a host", xlaCpuTargetCreate(NULL, &machine->target));
}

bool machineTearDown(Machine *machine) {
  int64_t messages = xlaVulkanDeviceClose(machine->vulkan);
  xlaCpuTargetDestroy(machine->target);
  mlirContextDestroy(machine->context);
  return messages == 0;
}

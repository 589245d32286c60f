//===- machine.h - What tests of programs run on ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_LOWERING_MACHINE_H
#define XLAC_TEST_LOWERING_MACHINE_H

#include "mlir-c/IR.h"
#include "xlac/lowering/executable.h"

typedef struct Machine {
  MlirContext context;     ///< with all dialects, without threads
  XlaCpuTarget *target;    ///< the host
  XlaVulkanDevice *vulkan; ///< NULL: there is none, which setup says
} Machine;

/// False, with a message printed, if there is not even the host.
bool machineSetUp(Machine *machine);

/// False if the Vulkan device's driver has complained.
bool machineTearDown(Machine *machine);

#endif // XLAC_TEST_LOWERING_MACHINE_H

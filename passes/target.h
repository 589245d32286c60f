//===- target.h - The machine that a module is for ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attribute xla.target of a module names the machine that passes choose
// for: a processor (lowering/cpu/target_attribute.h), or with the key `device`
// a Vulkan device (lowering/vulkan/target.h).
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_TARGET_H
#define XLAC_PASSES_TARGET_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

#define XLA_TARGET_ATTRIBUTE "xla.target"

/// What the key `device` holds; null where the module is for a processor.
MlirAttribute xlaTargetGetDevice(MlirOperation module);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_TARGET_H

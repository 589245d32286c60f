//===- target.h - The Vulkan device of a module -------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attribute xla.target names the machine that passes choose for: a
// processor (lowering/cpu/target_attribute.h) or
//
//   {device = "rdna2", subgroup = 32 : i64}
//
// a row of targets.def, with limits in place of its own: subgroup, invocations
// of a workgroup, shared bytes of one, bindings of a shader, range in bytes of
// a binding.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_VULKAN_TARGET_H
#define XLAC_LOWERING_VULKAN_TARGET_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "xlac/runtime/vulkan/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether the module's target is a Vulkan device.
bool xlaVulkanIsTarget(MlirOperation module);
/// Describes the target of such a module. Failure comes with a diagnostic.
MlirLogicalResult xlaVulkanTargetFromModule(MlirOperation module,
                                            XlaVulkanInfo *info);
/// Sets the attribute to a device and limits ("subgroup=32,shared=1024"), with
/// a diagnostic where they are not of that form. Whether they mean something is
/// for xlaVulkanTargetFromModule to say.
MlirLogicalResult xlaVulkanTargetAttach(MlirOperation module,
                                        MlirStringRef device,
                                        MlirStringRef limits);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_VULKAN_TARGET_H

//===- passes.c - The passes from xla to code -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/passes.h"
#include "xlac/dialect/entry.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/lowering/cpu/kernels.h"
#include "xlac/lowering/cpu/lower.h"
#include "xlac/lowering/cpu/schedule/kernels.h"
#include "xlac/lowering/cpu/target_attribute.h"
#include "xlac/lowering/host/host.h"
#include "xlac/lowering/linalg/kernel.h"
#include "xlac/lowering/vulkan/kernels.h"
#include "xlac/lowering/vulkan/target.h"

#include <stdio.h>

#define XLA_PASS_TABLE "xlac/lowering/passes.def"
#include "xlac/passes/pass_table.inc"

/// What xla-run does for the CPU, as passes.
static const MlirExtPipelineStage cpuStages[] = {
    {"prepared", "xla-prepare-for-lowering{*}"},
    {"linalg", "xla-to-host{products=1}"},
    {"affine", "xla-linalg-to-affine"},
    {"llvm", "xla-affine-to-llvm"},
    {NULL, NULL},
};

/// The same for Vulkan.
static const MlirExtPipelineStage vulkanStages[] = {
    {"prepared", "xla-attach-target{default=1 device=vulkan1.2},"
                 "xla-prepare-for-lowering{*}"},
    {"linalg", "xla-to-host{products=1}"},
    {"affine", "xla-linalg-to-affine"},
    {"spirv", "xla-affine-to-spirv"},
    {NULL, NULL},
};

void xlaLoweringPassesRegister(void) {
  registerTable();
  mlirExtStagedPipelineRegister(
      "xla-cpu-pipeline",
      "Compile for the CPU that xla-attach-target names, as far as "
      "to=prepared, linalg, affine or llvm says; options of xla-fuse, as "
      "report, may follow",
      cpuStages);
  mlirExtStagedPipelineRegister(
      "xla-vulkan-pipeline",
      "Compile for the Vulkan device that xla-attach-target names, as far as "
      "to=prepared, linalg, affine or spirv says; options of xla-fuse, as "
      "report, may follow",
      vulkanStages);
}

/// Kernels of the operations of one function, in the order of the program.
static MlirLogicalResult emitKernels(MlirOperation function, MlirModule module,
                                     int *count) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  MlirOperation op = {NULL};
  if (block.ptr)
    op = mlirBlockGetFirstOperation(block);
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    XlaOpKind kind = xlaOpGetKind(op);
    if (kind == XlaOpKindInvalid)
      continue;
    char name[64];
    snprintf(name, sizeof name, "%s_%d", xlaOpGetInfo(kind)->name, (*count)++);
    if (mlirLogicalResultIsFailure(xlaKernelEmit(op, module, name, NULL, NULL)))
      return mlirLogicalResultFailure();
  }
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaPassConvertToLinalg(MlirOperation op,
                                         MlirExtPassOptionValues options,
                                         void *userData) {
  (void)options;
  (void)userData;
  MlirModule module = mlirModuleFromOperation(op);
  MlirBlock body = mlirModuleGetBody(module);
  // Kernels are appended behind the functions that were there.
  intptr_t functions = 0;
  int count = 0;
  for (MlirOperation f = mlirBlockGetFirstOperation(body); f.ptr;
       f = mlirOperationGetNextInBlock(f))
    ++functions;
  MlirOperation f = mlirBlockGetFirstOperation(body);
  for (; functions--; f = mlirOperationGetNextInBlock(f))
    if (xlaIrIsOp(f, "func.func") &&
        mlirLogicalResultIsFailure(emitKernels(f, module, &count)))
      return mlirLogicalResultFailure();
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult emitPlainKernel(MlirOperation op, MlirModule module,
                                         const char *name,
                                         int64_t *scratchBytes, void *user) {
  (void)scratchBytes;
  (void)user;
  return xlaKernelEmit(op, module, name, NULL, NULL);
}

/// Moves what `from` holds to the end of `to`.
static void moveInto(MlirModule to, MlirModule from) {
  MlirBlock body = mlirModuleGetBody(to), source = mlirModuleGetBody(from);
  MlirOperation op;
  while ((op = mlirBlockGetFirstOperation(source)).ptr) {
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(body, op);
  }
}

/// The same in place of what was there.
static void replaceBody(MlirModule to, MlirModule from) {
  MlirBlock body = mlirModuleGetBody(to);
  MlirOperation op;
  while ((op = mlirBlockGetFirstOperation(body)).ptr)
    mlirOperationDestroy(op);
  moveInto(to, from);
}

MlirLogicalResult xlaPassToHost(MlirOperation op,
                                MlirExtPassOptionValues options,
                                void *userData) {
  (void)userData;
  MlirModule module = mlirModuleFromOperation(op);
  MlirStringRef entry = mlirExtPassOptionGetString(options, 0);
  MlirOperation function = xlaModuleFindEntry(op, entry, NULL);
  if (!function.ptr)
    return xlaOpInvalid(op, NULL, "has no function @%.*s with a body to lower",
                        (int)entry.length, entry.data);
  XlaHostDevice device = {emitPlainKernel, NULL,
                          mlirExtPassOptionGetBool(options, 1)};
  XlaCpuTarget *target = NULL;
  XlaVulkanInfo info;
  if (mlirExtPassOptionGetBool(options, 2) && xlaVulkanIsTarget(op)) {
    if (mlirLogicalResultIsFailure(xlaVulkanTargetFromModule(op, &info)))
      return mlirLogicalResultFailure();
    device = (XlaHostDevice){xlaVulkanEmitKernel, &info, true};
  } else if (mlirExtPassOptionGetBool(options, 2)) {
    if (mlirLogicalResultIsFailure(xlaCpuTargetFromModule(op, &target)))
      return mlirLogicalResultFailure();
    device = (XlaHostDevice){xlaCpuEmitKernel, target, false};
  }
  XlaBufferAssignment assignment;
  XlaHostProgram host;
  if ((device.isRemote &&
       mlirLogicalResultIsFailure(xlaHostScalarsHoist(function))) ||
      mlirLogicalResultIsFailure(
          xlaBufferAssignmentCreate(function, 0, &assignment))) {
    xlaCpuTargetDestroy(target);
    return mlirLogicalResultFailure();
  }
  MlirLogicalResult result =
      xlaHostProgramCreate(function, &assignment, &device, "xlacEntry", &host);
  xlaCpuTargetDestroy(target);
  if (mlirLogicalResultIsSuccess(result)) {
    replaceBody(module, host.module);
    if (device.isRemote)
      moveInto(module, host.kernels);
  }
  xlaHostProgramDestroy(&host);
  xlaBufferAssignmentDestroy(&assignment);
  return result;
}

MlirLogicalResult xlaPassAttachTarget(MlirOperation op,
                                      MlirExtPassOptionValues options,
                                      void *userData) {
  (void)userData;
  XlaCpuTarget *target;
  MlirStringRef device = mlirExtPassOptionGetString(options, 2);
  if (mlirExtPassOptionGetBool(options, 4) && xlaVulkanIsTarget(op))
    return mlirLogicalResultSuccess();
  if (mlirExtPassOptionGetBool(options, 4) &&
      !mlirAttributeIsNull(mlirOperationGetAttributeByName(
          op, mlirStringRefCreateFromCString(XLA_TARGET_ATTRIBUTE))))
    return xlaOpInvalid(op, NULL,
                        "has a processor for a target, not a Vulkan device");
  if (!device.length && mlirExtPassOptionGetString(options, 3).length)
    return xlaOpInvalid(op, NULL,
                        "is to have limits of a Vulkan device, but no device; "
                        "--xla-attach-target=\"device=NAME limits=..\" names "
                        "both");
  if (device.length) {
    XlaVulkanInfo info;
    MlirLogicalResult attached = xlaVulkanTargetAttach(
        op, device, mlirExtPassOptionGetString(options, 3));
    return mlirLogicalResultIsSuccess(attached)
               ? xlaVulkanTargetFromModule(op, &info)
               : attached;
  }
  xlaCpuTargetAttach(op, mlirExtPassOptionGetString(options, 0),
                     mlirExtPassOptionGetInt(options, 1));
  MlirLogicalResult result = xlaCpuTargetFromModule(op, &target);
  xlaCpuTargetDestroy(target);
  return result;
}

MlirLogicalResult xlaPassLinalgToAffine(MlirOperation op,
                                        MlirExtPassOptionValues options,
                                        void *userData) {
  (void)userData;
  XlaCpuTarget *target;
  XlaVulkanInfo info;
  if (xlaVulkanIsTarget(op))
    return mlirLogicalResultIsSuccess(xlaVulkanTargetFromModule(op, &info))
               ? xlaVulkanNestKernels(mlirModuleFromOperation(op), &info,
                                      mlirExtPassOptionGetBool(options, 2))
               : mlirLogicalResultFailure();
  if (mlirLogicalResultIsFailure(xlaCpuTargetFromModule(op, &target)))
    return mlirLogicalResultFailure();
  XlaCpuScheduleOptions schedule = xlaCpuScheduleOptionsForTarget(target);
  schedule.stackBytes = mlirExtPassOptionGetInt(options, 0);
  schedule.allowAlloc = mlirExtPassOptionGetBool(options, 1);
  schedule.report = mlirExtPassOptionGetBool(options, 2);
  MlirLogicalResult result = xlaCpuScheduleKernels(op, &schedule);
  xlaCpuTargetDestroy(target);
  return result;
}

MlirLogicalResult xlaPassAffineToLlvm(MlirOperation op,
                                      MlirExtPassOptionValues options,
                                      void *userData) {
  (void)options;
  (void)userData;
  XlaCpuTarget *target;
  if (mlirLogicalResultIsFailure(xlaCpuTargetFromModule(op, &target)))
    return mlirLogicalResultFailure();
  MlirModule module = mlirModuleFromOperation(op);
  XlaCpuModuleUse use;
  MlirLogicalResult result = xlaCpuInspectModule(module, &use);
  if (mlirLogicalResultIsSuccess(result))
    result = xlaCpuPrepareModule(module, target, &use);
  if (mlirLogicalResultIsSuccess(result))
    result = xlaCpuLowerToLLVMDialect(module, &use, target, false);
  xlaCpuTargetDestroy(target);
  return result;
}

MlirLogicalResult xlaPassAffineToSpirv(MlirOperation op,
                                       MlirExtPassOptionValues options,
                                       void *userData) {
  XlaVulkanInfo info;
  (void)options;
  (void)userData;
  if (mlirLogicalResultIsFailure(xlaVulkanTargetFromModule(op, &info)))
    return mlirLogicalResultFailure();
  return xlaVulkanNestsToSpirv(mlirModuleFromOperation(op), &info);
}

//===- stages.c - Nests and SPIR-V as a module's own ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For passes. What an executable keeps in XlaVulkanCode, which dispatches a
// kernel has and what they bind, stands in attributes of the shaders.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/error.h"
#include "xlac/dialect/ir.h"
#include "xlac/lowering/vulkan/kernels.h"
#include "xlac/lowering/vulkan/spirv.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

/// {argument = 0, offset = 0, bytes = 4096, written}; in place of an argument
/// "scratch" or "constants".
static MlirAttribute bindingAttr(MlirContext context,
                                 const XlaVulkanKernel *kernel,
                                 const XlaVulkanBinding *binding) {
  MlirAttribute argument = xlaIrI64Attr(context, binding->argument);
  if (binding->argument == XLA_VULKAN_KERNEL_CONSTANTS)
    argument = xlaIrStringAttr(context, "constants");
  else if (binding->argument == kernel->nArguments)
    argument = xlaIrStringAttr(context, "scratch");
  XlaIrAttr entries[] = {{"argument", argument},
                         {"offset", xlaIrI64Attr(context, binding->offset)},
                         {"bytes", xlaIrI64Attr(context, binding->bytes)},
                         {"written", mlirUnitAttrGet(context)}};
  return xlaIrDictionaryAttr(context, binding->isWritten ? 4 : 3, entries);
}

static bool annotate(MlirOperation shader, const XlaVulkanKernel *kernel,
                     const XlaVulkanDispatch *dispatch) {
  MlirContext context = mlirOperationGetContext(shader);
  int32_t groups[3];
  for (int i = 0; i < 3; ++i)
    groups[i] = (int32_t)dispatch->groups[i];
  MlirAttribute *bindings =
      calloc((size_t)dispatch->nBindings + 1, sizeof *bindings);
  if (!bindings)
    return false;
  for (intptr_t i = 0; i < dispatch->nBindings; ++i)
    bindings[i] = bindingAttr(context, kernel, &dispatch->bindings[i]);
  mlirOperationSetAttributeByName(
      shader, str("xla.kernel"),
      mlirFlatSymbolRefAttrGet(context, str(kernel->name)));
  mlirOperationSetAttributeByName(shader, str("xla.groups"),
                                  mlirDenseI32ArrayGet(context, 3, groups));
  mlirOperationSetAttributeByName(
      shader, str("xla.bindings"),
      mlirArrayAttrGet(context, dispatch->nBindings, bindings));
  free(bindings);
  return true;
}

/// The first gpu.module from `op` on.
static MlirOperation shaderFrom(MlirOperation op) {
  while (op.ptr && !xlaIrIsOp(op, "gpu.module"))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

/// Drops the body of a kernel.
static void declare(MlirOperation function) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  mlirBlockDetach(block);
  mlirBlockDestroy(block);
  mlirOperationSetAttributeByName(
      function, str("sym_visibility"),
      xlaIrStringAttr(mlirOperationGetContext(function), "private"));
}

MlirLogicalResult xlaVulkanNestKernels(MlirModule module,
                                       const XlaVulkanInfo *info, bool report) {
  XlaVulkanCode code;
  // Shaders are appended behind what is there.
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  MlirOperation last = op;
  while (last.ptr && mlirOperationGetNextInBlock(last).ptr)
    last = mlirOperationGetNextInBlock(last);
  MlirLogicalResult result =
      xlaVulkanScheduleKernels(module, info, report, &code);
  MlirOperation shader = {NULL};
  if (last.ptr)
    shader = shaderFrom(mlirOperationGetNextInBlock(last));
  bool hasMemory = true;
  for (intptr_t k = 0; mlirLogicalResultIsSuccess(result) && k < code.nKernels;
       ++k)
    for (intptr_t d = 0; d < code.kernels[k].nDispatches; ++d) {
      hasMemory = hasMemory && annotate(shader, &code.kernels[k],
                                        &code.kernels[k].dispatches[d]);
      shader = shaderFrom(mlirOperationGetNextInBlock(shader));
    }
  for (; mlirLogicalResultIsSuccess(result) && op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (!mlirAttributeIsNull(xlaVulkanKernelKind(op)))
      declare(op);
  xlaVulkanCodeDestroy(&code);
  if (hasMemory)
    return result;
  return xlaErrorNoMemory(
      mlirOperationGetLocation(mlirModuleGetOperation(module)));
}

MlirLogicalResult xlaVulkanNestsToSpirv(MlirModule module,
                                        const XlaVulkanInfo *info) {
  static const char *const kept[] = {"xla.kernel", "xla.groups", "xla.bindings",
                                     XLA_VULKAN_ADDRESSES};
  if (mlirLogicalResultIsFailure(xlaVulkanToSpirv(module, info, true)))
    return mlirLogicalResultFailure();
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (MlirOperation code = {NULL}, next; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!xlaIrIsOp(op, "gpu.module")) {
      code = op;
      continue;
    }
    // The conversion left a spirv.module before it.
    for (size_t i = 0; code.ptr && i < sizeof kept / sizeof *kept; ++i) {
      MlirAttribute value = mlirOperationGetAttributeByName(op, str(kept[i]));
      if (!mlirAttributeIsNull(value) && xlaIrIsOp(code, "spirv.module"))
        mlirOperationSetAttributeByName(code, str(kept[i]), value);
    }
    mlirOperationDestroy(op);
  }
  return mlirLogicalResultSuccess();
}

//===- spirv.c - From gpu.funcs to SPIR-V words ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/spirv.h"
#include "xlac/dialect/error.h"
#include "xlac/lowering/affine/quotients.h"
#include "xlac/lowering/upstream.h"
#include "xlac/lowering/vulkan/legalize/legalize.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Dialect/GPU.h"
#include "mlir-c/RegisterEverything.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// What the device has
//===----------------------------------------------------------------------===//

typedef struct Text {
  char data[2048];
  size_t size;
  bool isFirst;
} Text;

static void put(Text *text, const char *part) {
  size_t n = strlen(part);
  if (n > sizeof text->data - 1 - text->size)
    n = sizeof text->data - 1 - text->size;
  memcpy(text->data + text->size, part, n);
  text->size += n;
  text->data[text->size] = 0;
}

static void putIf(Text *text, bool condition, const char *name) {
  if (!condition)
    return;
  put(text, ", ");
  put(text, name);
}

MlirAttribute xlaVulkanTargetEnv(MlirContext context, const XlaVulkanInfo *info,
                                 bool usesAddresses) {
  Text text = {.size = 0};
  // From 1.4 on entry points list all variables, yet modules are marked with
  // the least version that they need: such words are not valid.
  put(&text, "#spirv.target_env<#spirv.vce<v1.3, [Shader");
  putIf(&text, info->f16, "Float16");
  putIf(&text, info->f64, "Float64");
  putIf(&text, info->i8 || info->storage8, "Int8");
  putIf(&text, info->i16 || info->storage16, "Int16");
  putIf(&text, info->i64, "Int64");
  putIf(&text, info->storage8,
        "StorageBuffer8BitAccess, UniformAndStorageBuffer8BitAccess");
  putIf(&text, info->storage16, "StorageBuffer16BitAccess, StorageUniform16");
  putIf(&text, info->subgroupSize > 1, "GroupNonUniform");
  putIf(&text, info->subgroupArithmetic, "GroupNonUniformArithmetic");
  putIf(&text, info->subgroupBallot, "GroupNonUniformBallot");
  putIf(&text, info->subgroupShuffle, "GroupNonUniformShuffle");
  putIf(&text, usesAddresses, "PhysicalStorageBufferAddresses");
  put(&text, "], [SPV_KHR_storage_buffer_storage_class, SPV_KHR_16bit_storage, "
             "SPV_KHR_8bit_storage");
  putIf(&text, usesAddresses, "SPV_KHR_physical_storage_buffer");
  put(&text, "]>, api=Vulkan, #spirv.resource_limits<");
  char limits[512];
  snprintf(limits, sizeof limits,
           "max_compute_shared_memory_size = %lld, "
           "max_compute_workgroup_invocations = %u, "
           "max_compute_workgroup_size = [%u, %u, %u], subgroup_size = %u>>",
           (long long)(info->sharedBytes > INT32_MAX ? INT32_MAX
                                                     : info->sharedBytes),
           info->maxGroupInvocations, info->maxGroupSize[0],
           info->maxGroupSize[1], info->maxGroupSize[2],
           info->subgroupSize ? info->subgroupSize : 1);
  put(&text, limits);
  return xlaIrParseAttr(context, text.data);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static MlirLogicalResult runPasses(MlirModule module, const char *pipeline,
                                   bool verify) {
  return xlaRunUpstreamPasses(module, pipeline, verify, "conversion to SPIR-V");
}

/// Calls `visit` for the ops of `name` at the top of `module`, which it may
/// remove.
static MlirLogicalResult
forEach(MlirModule module, const char *name,
        MlirLogicalResult (*visit)(MlirOperation op, void *user), void *user) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  while (op.ptr) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (xlaIrIsOp(op, name) && mlirLogicalResultIsFailure(visit(op, user)))
      return mlirLogicalResultFailure();
    op = next;
  }
  return mlirLogicalResultSuccess();
}

typedef struct Conversion {
  const XlaVulkanInfo *info;
  MlirAttribute environments[2]; ///< without and with addresses
  XlaVulkanWords *words;
  intptr_t n, capacity;
} Conversion;

static Conversion conversionOf(MlirModule module, const XlaVulkanInfo *info) {
  MlirContext context = mlirModuleGetContext(module);
  return (Conversion){
      .info = info,
      .environments = {xlaVulkanTargetEnv(context, info, false),
                       xlaVulkanTargetEnv(context, info, true)}};
}

static bool usesAddresses(MlirOperation module) {
  return !mlirAttributeIsNull(
      mlirOperationGetAttributeByName(module, str(XLA_VULKAN_ADDRESSES)));
}

static MlirLogicalResult begin(MlirOperation op, void *user) {
  (void)user;
  return xlaVulkanExpandAtan2(op);
}

static MlirLogicalResult prepare(MlirOperation op, void *user) {
  Conversion *conversion = user;
  ++conversion->capacity;
  mlirOperationSetDiscardableAttributeByName(
      op, str("spirv.target_env"), conversion->environments[usesAddresses(op)]);
  return xlaVulkanLegalize(op, conversion->info);
}

static MlirLogicalResult keepLoops(MlirOperation op, void *user) {
  (void)user;
  return xlaVulkanKeepLoops(op);
}

/// What serialization takes is a gpu.module with a target, around the
/// spirv.module that the conversion left before it.
static MlirLogicalResult nest(MlirOperation op, void *user) {
  Conversion *conversion = user;
  MlirOperation module = mlirOperationGetNextInBlock(op);
  if (!module.ptr || !xlaIrIsOp(module, "gpu.module")) {
    mlirEmitError(mlirOperationGetLocation(op),
                  "conversion to SPIR-V left a module without its gpu.module");
    return mlirLogicalResultFailure();
  }
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  MlirOperation inside;
  while ((inside = mlirBlockGetFirstOperation(body)).ptr)
    mlirOperationDestroy(inside);
  mlirOperationRemoveFromParent(op);
  mlirBlockAppendOwnedOperation(body, op);
  mlirOperationSetAttributeByName(
      module, str("targets"),
      mlirArrayAttrGet(mlirOperationGetContext(op), 1,
                       &conversion->environments[usesAddresses(module)]));
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult noMemory(MlirOperation op) {
  xlaErrorNoMemory(mlirOperationGetLocation(op));
  return mlirLogicalResultFailure();
}

static MlirLogicalResult takeWords(MlirOperation op, void *user) {
  Conversion *conversion = user;
  MlirAttribute objects = mlirOperationGetAttributeByName(op, str("objects"));
  MlirStringRef data =
      mlirGPUObjectAttrGetObject(mlirArrayAttrGetElement(objects, 0));
  MlirStringRef name = mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(op, str("sym_name")));
  XlaVulkanWords *words = &conversion->words[conversion->n];
  words->name = calloc(name.length + 1, 1);
  words->words = malloc(data.length + 4);
  words->nWords = data.length / 4;
  ++conversion->n;
  if (!words->name || !words->words)
    return noMemory(op);
  memcpy(words->name, name.data, name.length);
  memcpy(words->words, data.data, words->nWords * 4);
  if (mlirLogicalResultIsFailure(xlaVulkanFinishWords(
          &words->words, &words->nWords, conversion->info)))
    return noMemory(op);
  mlirOperationDestroy(op);
  return mlirLogicalResultSuccess();
}

static void show(MlirModule module, const XlaVulkanSpirvOptions *options) {
  size_t size;
  if (!options->observe)
    return;
  char *text = xlaIrPrint(mlirModuleGetOperation(module), &size);
  if (text)
    options->observe("spirv", ".mlir", text, size, options->user);
  free(text);
}

/// Moves the shaders with addresses to a module of their own, in order, and
/// leaves an empty builtin.module in each one's place.
static MlirLogicalResult moveOut(MlirOperation op, void *user) {
  MlirModule *apart = user;
  if (!usesAddresses(op))
    return mlirLogicalResultSuccess();
  if (!apart->ptr)
    *apart = mlirModuleCreateEmpty(mlirOperationGetLocation(op));
  mlirBlockInsertOwnedOperationBefore(
      mlirOperationGetBlock(op), op,
      mlirModuleGetOperation(
          mlirModuleCreateEmpty(mlirOperationGetLocation(op))));
  mlirOperationRemoveFromParent(op);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(*apart), op);
  return mlirLogicalResultSuccess();
}

/// Puts the next shader, a spirv.module and its gpu.module, where it was.
static MlirLogicalResult moveBack(MlirOperation op, void *user) {
  MlirBlock from = mlirModuleGetBody(*(MlirModule *)user);
  for (bool isDone = false; !isDone;) {
    MlirOperation next = mlirBlockGetFirstOperation(from);
    if (!next.ptr)
      break;
    isDone = xlaIrIsOp(next, "gpu.module");
    mlirOperationRemoveFromParent(next);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, next);
  }
  mlirOperationDestroy(op);
  return mlirLogicalResultSuccess();
}

/// Upstream's pass gives all indices of a module one width.
static MlirLogicalResult convertAll(MlirModule module, bool verify) {
  MlirModule apart = {NULL};
  if (mlirLogicalResultIsFailure(
          forEach(module, "gpu.module", moveOut, &apart)))
    return mlirLogicalResultFailure();
  MlirLogicalResult result =
      runPasses(module,
                "builtin.module(gpu.module(cse,convert-math-to-spirv),"
                "convert-gpu-to-spirv,spirv.module(spirv-lower-abi-attrs,"
                "canonicalize,cse,spirv-update-vce))",
                verify);
  if (!apart.ptr)
    return result;
  if (mlirLogicalResultIsSuccess(result))
    result = runPasses(apart,
                       "builtin.module(gpu.module(cse,convert-math-to-spirv),"
                       "convert-gpu-to-spirv{use-64bit-index=true},"
                       "spirv.module(spirv-lower-abi-attrs,"
                       "canonicalize,cse,spirv-update-vce))",
                       verify);
  if (mlirLogicalResultIsSuccess(result))
    result = forEach(module, "builtin.module", moveBack, &apart);
  mlirModuleDestroy(apart);
  return result;
}

static MlirLogicalResult toSpirv(MlirModule module, bool verify,
                                 Conversion *conversion) {
  mlirRegisterAllPasses(); // those of the SPIR-V dialect have no C functions
  if (mlirLogicalResultIsFailure(
          forEach(module, "gpu.module", begin, conversion)) ||
      mlirLogicalResultIsFailure(xlaAffineLowerQuotients(
          mlirModuleGetOperation(module), "gpu.func")) ||
      mlirLogicalResultIsFailure(
          // Not after it: canonical forms compute in small integers again.
          runPasses(module,
                    "builtin.module(gpu.module(lower-affine,canonicalize,cse))",
                    verify)) ||
      mlirLogicalResultIsFailure(
          forEach(module, "gpu.module", prepare, conversion)))
    return mlirLogicalResultFailure();
  if (mlirLogicalResultIsFailure(convertAll(module, verify)))
    return mlirLogicalResultFailure();
  return forEach(module, "spirv.module", keepLoops, NULL);
}

MlirLogicalResult xlaVulkanToSpirv(MlirModule module, const XlaVulkanInfo *info,
                                   bool verify) {
  Conversion conversion = conversionOf(module, info);
  return toSpirv(module, verify, &conversion);
}

static MlirLogicalResult convert(MlirModule module,
                                 const XlaVulkanSpirvOptions *options,
                                 Conversion *conversion) {
  if (mlirLogicalResultIsFailure(toSpirv(module, options->verify, conversion)))
    return mlirLogicalResultFailure();
  show(module, options);
  if (mlirLogicalResultIsFailure(
          forEach(module, "spirv.module", nest, conversion)) ||
      mlirLogicalResultIsFailure(runPasses(
          module, "builtin.module(gpu-module-to-binary)", options->verify)))
    return mlirLogicalResultFailure();
  conversion->words =
      calloc((size_t)conversion->capacity + 1, sizeof *conversion->words);
  if (!conversion->words)
    return noMemory(mlirModuleGetOperation(module));
  return forEach(module, "gpu.binary", takeWords, conversion);
}

MlirLogicalResult xlaVulkanToWords(MlirModule module, const XlaVulkanInfo *info,
                                   const XlaVulkanSpirvOptions *options,
                                   XlaVulkanWords **words, intptr_t *n) {
  *words = NULL;
  *n = 0;
  Conversion conversion = conversionOf(module, info);
  if (mlirLogicalResultIsFailure(convert(module, options, &conversion))) {
    xlaVulkanWordsFree(conversion.words, conversion.n);
    return mlirLogicalResultFailure();
  }
  *words = conversion.words;
  *n = conversion.n;
  return mlirLogicalResultSuccess();
}

void xlaVulkanWordsFree(XlaVulkanWords *words, intptr_t n) {
  for (intptr_t i = 0; i < n; ++i) {
    free(words[i].name);
    free(words[i].words);
  }
  free(words);
}

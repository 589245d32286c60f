//===- scalar_fixture.c - Scalar code in shaders --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/vulkan/scalar_fixture.h"
#include "xlac/test/support/unit.h"

enum { groupSize = 64 };

static MlirType wide(MlirType type, int64_t width) {
  return width > 1 ? mlirVectorTypeGet(1, &width, type) : type;
}

void vulkanScalarShader(MlirModule module, const char *name, int nOperands,
                        const MlirType *operands, MlirType result,
                        int64_t width, VulkanScalarBody body, void *user) {
  const uint32_t size[3] = {groupSize, 1, 1};
  XlaVulkanShaderBuilder builder;
  xlaVulkanShaderBegin(&builder, mlirModuleGetBody(module),
                       mlirLocationUnknownGet(mlirModuleGetContext(module)),
                       name, size);
  XlaIr *ir = &builder.ir;
  MlirValue memory[4], x[3];
  for (int i = 0; i <= nOperands; ++i)
    memory[i] = xlaVulkanShaderAddArgument(
        &builder, wide(i < nOperands ? operands[i] : result, width),
        vulkanScalars / width);
  MlirValue at = xlaIrBinary(ir, "arith.muli", xlaVulkanGroupId(ir, 0),
                             xlaIrConstantIndex(ir, groupSize));
  at = xlaIrBinary(ir, "arith.addi", at, xlaVulkanThreadId(ir, 0));
  for (int i = 0; i < nOperands; ++i)
    x[i] = xlaIrLoad(ir, memory[i], 1, &at);
  xlaIrStore(ir, body(ir, x, user), memory[nOperands], 1, &at);
  assert_true(mlirLogicalResultIsSuccess(xlaVulkanShaderEnd(&builder)));
}

XlaVulkanWords *vulkanScalarCompile(VulkanFixture *fixture, MlirModule module,
                                    intptr_t *n) {
  XlaVulkanSpirvOptions options = {.verify = true};
  XlaVulkanWords *words;
  if (mlirLogicalResultIsFailure(
          xlaVulkanToWords(module, &fixture->info, &options, &words, n)))
    fail_msg("%s", fixture->error);
  for (intptr_t i = 0; i < *n; ++i)
    vulkanCheckWords(words[i].name, words[i].words, words[i].nWords);
  mlirModuleDestroy(module);
  return words;
}

void vulkanScalarRun(XlaVulkanDevice *device, const XlaVulkanWords *words,
                     int64_t width, int nOperands, void *const *operands,
                     const int *operandBytes, void *result, int resultBytes) {
  XlaVulkanShader shader = {words->words, words->nWords, XLA_VULKAN_ENTRY,
                            words->name,  nOperands + 1, false};
  VulkanArray arrays[4];
  for (int i = 0; i < nOperands; ++i)
    arrays[i] = (VulkanArray){operands[i],
                              (int64_t)operandBytes[i] * vulkanScalars, false};
  arrays[nOperands] =
      (VulkanArray){result, (int64_t)resultBytes * vulkanScalars, true};
  const uint32_t groups[3] = {(uint32_t)(vulkanScalars / width / groupSize), 1,
                              1};
  vulkanRunShader(device, &shader, groups, arrays);
}

//===- spirv_test.c - From gpu.funcs to words -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/spirv.h"
#include "xlac/test/lowering/vulkan/fixture.h"
#include "xlac/test/support/unit.h"

#include <string.h>

/// b[i] = a[i] + c[i / 4] for i < 100 in groups of 64.
static void addShader(MlirModule module, const char *name) {
  XlaVulkanShaderBuilder builder;
  const uint32_t size[3] = {64, 1, 1};
  MlirContext context = mlirModuleGetContext(module);
  xlaVulkanShaderBegin(&builder, mlirModuleGetBody(module),
                       mlirLocationUnknownGet(context), name, size);
  XlaIr *ir = &builder.ir;
  MlirType f32 = mlirF32TypeGet(context);
  MlirValue a = xlaVulkanShaderAddArgument(&builder, f32, 100);
  xlaVulkanShaderAddArgument(&builder, f32, 3); // not used
  MlirValue c = xlaVulkanShaderAddArgument(&builder, f32, 25);
  MlirValue b = xlaVulkanShaderAddArgument(&builder, f32, 100);
  MlirValue group = xlaIrBinary(ir, "arith.muli", xlaVulkanGroupId(ir, 0),
                                xlaIrConstantIndex(ir, 64));
  MlirValue i = xlaIrBinary(ir, "arith.addi", group, xlaVulkanThreadId(ir, 0));
  MlirValue inside = xlaIrCmpI(ir, "ult", i, xlaIrConstantIndex(ir, 100));
  XlaIr then;
  xlaIrIf(ir, inside, &then, NULL);
  MlirValue j =
      xlaIrBinary(&then, "arith.divui", i, xlaIrConstantIndex(&then, 4));
  MlirValue sum = xlaIrBinary(&then, "arith.addf", xlaIrLoad(&then, a, 1, &i),
                              xlaIrLoad(&then, c, 1, &j));
  xlaIrStore(&then, sum, b, 1, &i);
  assert_true(mlirLogicalResultIsSuccess(xlaVulkanShaderEnd(&builder)));
}

static void twoShaders(void **state) {
  VulkanFixture fixture;
  vulkanFixtureInit(&fixture);
  MlirModule module =
      mlirModuleCreateEmpty(mlirLocationUnknownGet(fixture.context));
  addShader(module, "first");
  addShader(module, "second");
  assert_true(mlirOperationVerify(mlirModuleGetOperation(module)));
  XlaVulkanSpirvOptions options = {.verify = true};
  XlaVulkanWords *words;
  intptr_t n;
  if (mlirLogicalResultIsFailure(
          xlaVulkanToWords(module, &fixture.info, &options, &words, &n)))
    fail_msg("%s", fixture.error);
  assert_int_equal(n, 2);
  assert_string_equal(words[0].name, "first");
  assert_string_equal(words[1].name, "second");
  for (int i = 0; i < 2; ++i)
    vulkanCheckWords(words[i].name, words[i].words, words[i].nWords);
  assert_null(mlirBlockGetFirstOperation(mlirModuleGetBody(module)).ptr);
  xlaVulkanWordsFree(words, n);
  mlirModuleDestroy(module);
  vulkanFixtureDestroy(&fixture);
}

/// What a device lacks is not in the module.
static void lackingDevice(void **state) {
  VulkanFixture fixture;
  vulkanFixtureInit(&fixture);
  XlaVulkanInfo *info = &fixture.info;
  info->f16 = info->f64 = info->i8 = info->i16 = info->i64 = false;
  info->storage8 = info->storage16 = false;
  info->denormPreserve32 = info->signedZeroInfNan32 = false;
  info->roundToEven32 = false;
  info->subgroupArithmetic = info->subgroupBallot = false;
  info->subgroupShuffle = false;
  info->subgroupSize = 1;
  MlirModule module =
      mlirModuleCreateEmpty(mlirLocationUnknownGet(fixture.context));
  addShader(module, "plain");
  XlaVulkanSpirvOptions options = {.verify = true};
  XlaVulkanWords *words;
  intptr_t n;
  if (mlirLogicalResultIsFailure(
          xlaVulkanToWords(module, info, &options, &words, &n)))
    fail_msg("%s", fixture.error);
  assert_int_equal(n, 1);
  vulkanCheckWords("plain", words->words, words->nWords);
  // OpCapability is the first kind of instruction; 0 and 1 are Matrix, Shader.
  for (const uint32_t *word = words->words + 5; (*word & 0xffff) == 17;
       word += 2)
    assert_in_range(word[1], 0, 1);
  xlaVulkanWordsFree(words, n);
  mlirModuleDestroy(module);
  vulkanFixtureDestroy(&fixture);
}

static void grids(void **state) {
  XlaVulkanInfo info = vulkanCommonInfo();
  uint32_t groups[3];
  static const int64_t counts[] = {0,     1,      65535,   65536,
                                   65537, 131071, 1 << 24, INT32_MAX};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    assert_true(xlaVulkanGrid(&info, counts[i], groups));
    int64_t total = (int64_t)groups[0] * groups[1] * groups[2];
    assert_true(total >= counts[i] && total >= 1);
    assert_true(total - counts[i] <= 65536);
    for (int d = 0; d < 3; ++d)
      assert_in_range(groups[d], 1, 65535);
  }
  info.maxGroupCount[0] = info.maxGroupCount[1] = info.maxGroupCount[2] = 7;
  assert_true(xlaVulkanGrid(&info, 343, groups));
  assert_false(xlaVulkanGrid(&info, 344, groups));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(twoShaders),
      cmocka_unit_test(lackingDevice),
      cmocka_unit_test(grids),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

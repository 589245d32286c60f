//===- arrays.c - Executables on arrays of a device in tests --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/vulkan/arrays.h"
#include "xlac/test/runtime/vulkan/device_fixture.h"
#include "xlac/test/support/unit.h"

#include "xlac/lowering/executable_internal.h"
#include "xlac/lowering/vulkan/executable.h"

#include <stdlib.h>

enum { most = 8 };

XlaVulkanArray *vulkanArrayFrom(XlaVulkanDevice *device,
                                const XlaLiteral *literal) {
  XlaVulkanArray *array = NULL;
  int64_t bytes = (int64_t)xlaLiteralGetByteCount(literal);
  vulkanCheckStatus(xlaVulkanArrayCreate(device, bytes, &array));
  vulkanCheckStatus(
      xlaVulkanArrayWrite(array, 0, bytes, xlaLiteralGetData(literal)));
  return array;
}

void vulkanExpectArray(XlaVulkanArray *array, const XlaLiteral *expected) {
  int64_t bytes = (int64_t)xlaLiteralGetByteCount(expected);
  char *data = calloc(1, (size_t)bytes + 1);
  assert_non_null(data);
  vulkanCheckStatus(xlaVulkanArrayRead(array, 0, bytes, data));
  assert_memory_equal(data, xlaLiteralGetData(expected), (size_t)bytes);
  free(data);
}

/// One run, in the memory of donated inputs or not.
static void runOnce(XlaVulkanDevice *device, XlaExecutable *executable,
                    bool isInPlace, intptr_t nInputs, XlaLiteral *const *inputs,
                    intptr_t nResults, XlaLiteral *const *expected) {
  XlaVulkanArray *in[most], *out[most];
  bool isOwn[most];
  uint64_t number = 0;
  for (intptr_t i = 0; i < nInputs; ++i)
    in[i] = vulkanArrayFrom(device, inputs[i]);
  for (intptr_t i = 0; i < nResults; ++i) {
    intptr_t alias = xlaExecutableGetAliasedInput(executable, i);
    isOwn[i] = !isInPlace || alias < 0;
    if (isOwn[i])
      vulkanCheckStatus(xlaVulkanArrayCreate(
          device, (int64_t)xlaLiteralGetByteCount(expected[i]), &out[i]));
    else
      out[i] = in[alias];
  }
  vulkanCheckStatus(
      xlaVulkanExecutableRunArrays(executable->program, in, out, &number));
  for (intptr_t i = 0; i < nResults; ++i)
    vulkanExpectArray(out[i], expected[i]);
  for (intptr_t i = 0; !isInPlace && i < nInputs; ++i)
    vulkanExpectArray(in[i], inputs[i]);
  for (intptr_t i = 0; i < nResults; ++i)
    if (isOwn[i])
      xlaVulkanArrayDestroy(out[i]);
  for (intptr_t i = 0; i < nInputs; ++i)
    xlaVulkanArrayDestroy(in[i]);
}

int vulkanCompareOnArrays(XlaVulkanDevice *device, MlirModule module,
                          intptr_t nInputs, XlaLiteral *const *inputs,
                          intptr_t nResults, XlaLiteral *const *expected) {
  intptr_t donated[most] = {0, 1, 2, 3, 4, 5, 6, 7};
  XlaCompileOptions compile = {.verify = true,
                               .vulkan = device,
                               .nDonated = nInputs,
                               .donated = donated};
  XlaExecutable *executable;
  assert_true(mlirLogicalResultIsSuccess(xlaExecutableCompile(
      module, mlirStringRefCreateFromCString("main"), &compile, &executable)));
  int nAliases = 0;
  for (intptr_t i = 0; i < nResults; ++i)
    nAliases += xlaExecutableGetAliasedInput(executable, i) >= 0;
  for (int run = 0; run < 4; ++run)
    runOnce(device, executable, run % 2 == 0, nInputs, inputs, nResults,
            expected);
  xlaExecutableDestroy(executable);
  return nAliases;
}

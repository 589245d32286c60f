//===- scalar_fixture.h - Scalar code in shaders ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_LOWERING_VULKAN_SCALAR_FIXTURE_H
#define XLAC_TEST_LOWERING_VULKAN_SCALAR_FIXTURE_H

#include "xlac/lowering/vulkan/spirv.h"
#include "xlac/test/lowering/vulkan/fixture.h"
#include "xlac/test/runtime/vulkan/device_fixture.h"

/// Elements of each array: a multiple of what one group computes.
enum { vulkanScalars = 1 << 16 };

/// Writes scalar code at `ir` for `operands` and gives its value.
typedef MlirValue (*VulkanScalarBody)(XlaIr *ir, const MlirValue *operands,
                                      void *user);

/// Appends to `module` a shader `name` of result[i] = body(operand[i], ..) on
/// elements of these types, or vectors of `width` (1 to 4) of them.
void vulkanScalarShader(MlirModule module, const char *name, int nOperands,
                        const MlirType *operands, MlirType result,
                        int64_t width, VulkanScalarBody body, void *user);

/// Makes words of all shaders, checks and destroys the module. Fails the test.
XlaVulkanWords *vulkanScalarCompile(VulkanFixture *fixture, MlirModule module,
                                    intptr_t *n);

/// Runs one of them on `nOperands` arrays of elements of `bytes` bytes.
void vulkanScalarRun(XlaVulkanDevice *device, const XlaVulkanWords *words,
                     int64_t width, int nOperands, void *const *operands,
                     const int *operandBytes, void *result, int resultBytes);

#endif // XLAC_TEST_LOWERING_VULKAN_SCALAR_FIXTURE_H

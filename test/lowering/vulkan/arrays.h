//===- arrays.h - Executables on arrays of a device in tests ------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_LOWERING_VULKAN_ARRAYS_H
#define XLAC_TEST_LOWERING_VULKAN_ARRAYS_H

#include "xlac/lowering/executable.h"
#include "xlac/runtime/vulkan/array.h"

/// Compiles @main of the module for a Vulkan device with all inputs donated,
/// and runs it on arrays there: with each output in its aliased input, if it
/// has one; then in arrays of their own, after which inputs must be what they
/// were. Fails the test unless results are as expected. Gives the number of
/// outputs that have an aliased input.
int vulkanCompareOnArrays(XlaVulkanDevice *device, MlirModule module,
                          intptr_t nInputs, XlaLiteral *const *inputs,
                          intptr_t nResults, XlaLiteral *const *expected);

/// An array with the elements of a literal.
XlaVulkanArray *vulkanArrayFrom(XlaVulkanDevice *device,
                                const XlaLiteral *literal);
/// Fails the test unless the array has them.
void vulkanExpectArray(XlaVulkanArray *array, const XlaLiteral *expected);

#endif // XLAC_TEST_LOWERING_VULKAN_ARRAYS_H

//===- pipeline.c - Shaders become pipelines ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/program_internal.h"

#include <stdlib.h>

intptr_t xlaVulkanShaderSetSize(const XlaVulkanShader *shader) {
  return shader->usesAddresses ? shader->nBindings > 0 : shader->nBindings;
}

/// Layouts for shaders of `n` bindings, if they are not there yet.
static XlaStatus makeLayout(XlaVulkanProgram *program, intptr_t n) {
  const XlaVulkanDevice *device = program->device;
  const XlaVulkanApi *api = &device->instance.api;
  if (program->layouts[n])
    return NULL;
  VkDescriptorSetLayoutBinding bindings[XlaVulkanDescriptorsMax];
  for (intptr_t i = 0; i < n; ++i)
    bindings[i] = (VkDescriptorSetLayoutBinding){
        .binding = (uint32_t)i,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
  VkDescriptorSetLayoutCreateInfo set = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = (uint32_t)n,
      .pBindings = bindings};
  VkResult result = api->CreateDescriptorSetLayout(device->handle, &set, NULL,
                                                   &program->setLayouts[n]);
  if (result < 0)
    return xlaVulkanFail(result, "no layout of %lld bindings", (long long)n);
  VkPipelineLayoutCreateInfo whole = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = 1,
      .pSetLayouts = &program->setLayouts[n]};
  result = api->CreatePipelineLayout(device->handle, &whole, NULL,
                                     &program->layouts[n]);
  return result < 0
             ? xlaVulkanFail(result, "no layout of %lld bindings", (long long)n)
             : NULL;
}

/// Memory and the device are lost as such; all else is about the shader, which
/// this project wrote for the device.
static XlaStatus refuse(const XlaVulkanDevice *device,
                        const XlaVulkanShader *shader, VkResult result) {
  XlaStatusCode code = xlaVulkanResultCode(result);
  if (code != XLA_STATUS_OUT_OF_MEMORY && code != XLA_STATUS_DEVICE_LOST)
    code = XLA_STATUS_INTERNAL;
  return xlaStatusCreate(code, "shader %s is not accepted by %s: %s",
                         shader->name, device->physical.info.name,
                         xlaVulkanResultName(result));
}

/// Does the shader declare a capability of the family GroupNonUniform? They
/// stand in front of everything else.
static bool usesSubgroups(const XlaVulkanShader *shader) {
  enum { header = 5, opCapability = 17, first = 61, last = 68 };
  for (size_t i = header;
       i + 1 < shader->nWords && (shader->words[i] & 0xffff) == opCapability;
       i += 2)
    if (shader->words[i + 1] >= first && shader->words[i + 1] <= last)
      return true;
  return false;
}

static XlaStatus makePipeline(XlaVulkanProgram *program, intptr_t index,
                              const XlaVulkanShader *shader) {
  const XlaVulkanDevice *device = program->device;
  const XlaVulkanApi *api = &device->instance.api;
  VkShaderModule module = VK_NULL_HANDLE;
  VkShaderModuleCreateInfo code = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
      .codeSize = shader->nWords * sizeof *shader->words,
      .pCode = shader->words};
  VkResult result =
      api->CreateShaderModule(device->handle, &code, NULL, &module);
  if (result < 0)
    return refuse(device, shader, result);
  bool isSubgroup = device->physical.hasFullSubgroups && usesSubgroups(shader);
  bool isFixed = isSubgroup && device->physical.fixesSubgroupSize;
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup = {
      .sType =
          VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
      .requiredSubgroupSize = device->physical.info.subgroupSize};
  VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage =
          {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
           .pNext = isFixed ? &subgroup : NULL,
           .flags =
               isSubgroup
                   ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT
                   : 0,
           .stage = VK_SHADER_STAGE_COMPUTE_BIT,
           .module = module,
           .pName = shader->entry},
      .layout = program->layouts[xlaVulkanShaderSetSize(shader)]};
  result = api->CreateComputePipelines(device->handle, device->cache, 1, &info,
                                       NULL, &program->pipelines[index]);
  api->DestroyShaderModule(device->handle, module, NULL);
  if (result < 0)
    return refuse(device, shader, result);
  xlaVulkanDeviceName(device, VK_OBJECT_TYPE_PIPELINE,
                      (uint64_t)(uintptr_t)program->pipelines[index], "%s",
                      shader->name);
  return NULL;
}

XlaStatus xlaVulkanProgramBuildPipelines(XlaVulkanProgram *program,
                                         const XlaVulkanProgramInfo *info) {
  size_t counts = program->device->physical.info.maxBindings + 1;
  program->setLayouts = calloc(counts, sizeof *program->setLayouts);
  program->layouts = calloc(counts, sizeof *program->layouts);
  program->pipelines = calloc(info->nShaders ? (size_t)info->nShaders : 1,
                              sizeof *program->pipelines);
  if (!program->setLayouts || !program->layouts || !program->pipelines)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for a list of %lld shaders",
                           (long long)info->nShaders);
  for (intptr_t i = 0; i < info->nShaders; ++i) {
    XLA_RETURN_IF_ERROR(
        makeLayout(program, xlaVulkanShaderSetSize(&info->shaders[i])));
    XLA_RETURN_IF_ERROR(makePipeline(program, i, &info->shaders[i]));
  }
  return NULL;
}

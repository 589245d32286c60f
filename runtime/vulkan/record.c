//===- record.c - Runs become command buffers -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/program_internal.h"

static void recordBarrier(const XlaVulkanDevice *device,
                          const XlaVulkanPlanStep *step,
                          VkCommandBuffer commands) {
  // Later steps of the other kind may depend on the same ones.
  VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                             .srcAccessMask = step->writes,
                             .dstAccessMask = VK_ACCESS_SHADER_READ_BIT |
                                              VK_ACCESS_SHADER_WRITE_BIT |
                                              VK_ACCESS_TRANSFER_READ_BIT |
                                              VK_ACCESS_TRANSFER_WRITE_BIT};
  device->instance.api.CmdPipelineBarrier(commands, step->stages,
                                          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                              VK_PIPELINE_STAGE_TRANSFER_BIT,
                                          0, 1, &barrier, 0, NULL, 0, NULL);
}

static void recordCopy(const XlaVulkanProgram *program,
                       const XlaVulkanPlanStep *step,
                       VkCommandBuffer commands) {
  for (int64_t done = 0; done < step->spans[0].bytes;) {
    XlaVulkanPart from = xlaVulkanProgramPart(program, &step->spans[0], done);
    XlaVulkanPart to = xlaVulkanProgramPart(program, &step->spans[1], done);
    from.bytes = to.bytes = from.bytes < to.bytes ? from.bytes : to.bytes;
    xlaVulkanRecordCopy(program->device, commands, &from, &to);
    done += from.bytes;
  }
}

static void recordDispatch(const XlaVulkanProgram *program,
                           const XlaVulkanPlanStep *step,
                           const XlaVulkanSets *bound,
                           VkCommandBuffer commands) {
  const XlaVulkanApi *api = &program->device->instance.api;
  const XlaVulkanShader *shader = &program->shaders[step->shader];
  const XlaVulkanSets *sets = step->isBound ? bound : &program->sets;
  bool isNamed = api->CmdBeginDebugUtilsLabelEXT &&
                 api->CmdEndDebugUtilsLabelEXT &&
                 program->device->instance.hasDebugUtils;
  VkDebugUtilsLabelEXT label = {.sType =
                                    VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                .pLabelName = shader->name};
  if (isNamed)
    api->CmdBeginDebugUtilsLabelEXT(commands, &label);
  api->CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                       program->pipelines[step->shader]);
  if (step->set >= 0)
    api->CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                               program->layouts[xlaVulkanShaderSetSize(shader)],
                               0, 1, &sets->sets[step->set], 0, NULL);
  api->CmdDispatch(commands, step->groups[0], step->groups[1], step->groups[2]);
  if (isNamed)
    api->CmdEndDebugUtilsLabelEXT(commands);
}

XlaStatus xlaVulkanProgramRecord(XlaVulkanProgram *program, intptr_t run,
                                 const XlaVulkanSets *bound,
                                 VkCommandBuffer commands) {
  const XlaVulkanApi *api = &program->device->instance.api;
  // It may be appended again before the device has finished it.
  VkCommandBufferBeginInfo begin = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
      .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT};
  VkResult result = api->BeginCommandBuffer(commands, &begin);
  if (result < 0)
    return xlaVulkanFail(result, "run %lld cannot be recorded", (long long)run);
  for (intptr_t i = program->runs[run].first; i < program->runs[run].end; ++i) {
    const XlaVulkanPlanStep *step = &program->steps[i];
    if (step->stages)
      recordBarrier(program->device, step, commands);
    if (step->shader < 0)
      recordCopy(program, step, commands);
    else
      recordDispatch(program, step, bound, commands);
  }
  xlaVulkanQueueBarrier(program->device, commands);
  result = api->EndCommandBuffer(commands);
  return result < 0 ? xlaVulkanFail(result, "run %lld cannot be recorded",
                                    (long long)run)
                    : NULL;
}

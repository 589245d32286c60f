//===- queue.c - What is asked of a device --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One queue, and one timeline for all that is submitted to it. Command buffers
// end with a barrier against all that they wrote, so that whatever follows in
// the queue may touch everything, also memory that was given to another array
// meanwhile; only the host has to wait.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/device_internal.h"

XlaStatus xlaVulkanQueueCreate(XlaVulkanDevice *device) {
  VkSemaphoreTypeCreateInfo type = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
  VkSemaphoreCreateInfo create = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
  VkResult result = device->instance.api.CreateSemaphore(
      device->handle, &create, NULL, &device->timeline);
  return result < 0 ? xlaVulkanFail(result, "no timeline for %s",
                                    device->physical.info.name)
                    : NULL;
}

void xlaVulkanQueueDestroy(XlaVulkanDevice *device) {
  if (device->timeline)
    device->instance.api.DestroySemaphore(device->handle, device->timeline,
                                          NULL);
}

/// Notes that the device has finished `number`.
static void note(XlaVulkanDevice *device, uint64_t number) {
  uint64_t before = atomic_load(&device->reached);
  while (before < number &&
         !atomic_compare_exchange_weak(&device->reached, &before, number))
    continue;
}

XlaStatus xlaVulkanDeviceWait(XlaVulkanDevice *device, uint64_t number) {
  if (number <= atomic_load(&device->reached))
    return NULL;
  uint64_t submitted = atomic_load(&device->submitted);
  if (number > submitted)
    return xlaStatusCreate(
        XLA_STATUS_INVALID_ARGUMENT, "submission %llu of %llu is waited for",
        (unsigned long long)number, (unsigned long long)submitted);
  VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                              .semaphoreCount = 1,
                              .pSemaphores = &device->timeline,
                              .pValues = &number};
  VkResult result =
      device->instance.api.WaitSemaphores(device->handle, &wait, UINT64_MAX);
  if (result != VK_SUCCESS)
    return xlaVulkanFail(result, "waiting for %s", device->physical.info.name);
  note(device, number);
  return NULL;
}

uint64_t xlaVulkanDeviceReached(XlaVulkanDevice *device) {
  uint64_t number = 0;
  VkResult result = device->instance.api.GetSemaphoreCounterValue(
      device->handle, device->timeline, &number);
  // A lost device may give any number.
  if (result == VK_SUCCESS && number <= atomic_load(&device->submitted))
    note(device, number);
  return atomic_load(&device->reached);
}

bool xlaVulkanQueueHasReached(XlaVulkanDevice *device, uint64_t number) {
  return number <= atomic_load(&device->reached) ||
         number <= xlaVulkanDeviceReached(device);
}

void xlaVulkanQueueSettle(XlaVulkanDevice *device) {
  if (!device->timeline)
    return;
  XlaStatus status =
      xlaVulkanDeviceWait(device, atomic_load(&device->submitted));
  if (status) {
    pthread_mutex_lock(&device->queueMutex);
    (void)device->instance.api.DeviceWaitIdle(device->handle);
    pthread_mutex_unlock(&device->queueMutex);
  }
  xlaStatusDestroy(status);
}

XlaStatus xlaVulkanQueueSubmit(XlaVulkanDevice *device, uint32_t n,
                               const VkCommandBuffer *commands,
                               uint64_t *number) {
  pthread_mutex_lock(&device->queueMutex);
  uint64_t value = atomic_load(&device->submitted) + 1;
  VkTimelineSemaphoreSubmitInfo timeline = {
      .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
      .signalSemaphoreValueCount = 1,
      .pSignalSemaphoreValues = &value};
  VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .pNext = &timeline,
                         .commandBufferCount = n,
                         .pCommandBuffers = commands,
                         .signalSemaphoreCount = 1,
                         .pSignalSemaphores = &device->timeline};
  VkResult result = device->instance.api.QueueSubmit(device->queue, 1, &submit,
                                                     VK_NULL_HANDLE);
  if (result >= 0)
    atomic_store(&device->submitted, value);
  pthread_mutex_unlock(&device->queueMutex);
  if (result < 0)
    return xlaVulkanFail(result, "work cannot be given to %s",
                         device->physical.info.name);
  *number = value;
  return NULL;
}

void xlaVulkanQueueBarrier(const XlaVulkanDevice *device,
                           VkCommandBuffer commands) {
  const VkPipelineStageFlags stages =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  const VkAccessFlags writes =
      VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  VkMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
      .srcAccessMask = writes,
      .dstAccessMask = writes | VK_ACCESS_SHADER_READ_BIT |
                       VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT};
  device->instance.api.CmdPipelineBarrier(commands, stages,
                                          stages | VK_PIPELINE_STAGE_HOST_BIT,
                                          0, 1, &barrier, 0, NULL, 0, NULL);
}

XlaStatus xlaVulkanCommandPoolCreate(const XlaVulkanDevice *device,
                                     VkCommandPool *pool) {
  VkCommandPoolCreateInfo create = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
      .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
      .queueFamilyIndex = device->physical.queueFamily};
  VkResult result = device->instance.api.CreateCommandPool(device->handle,
                                                           &create, NULL, pool);
  return result < 0 ? xlaVulkanFail(result, "no memory for commands") : NULL;
}

XlaStatus xlaVulkanCommandsAllocate(const XlaVulkanDevice *device,
                                    VkCommandPool pool, uint32_t n,
                                    VkCommandBuffer *commands) {
  VkCommandBufferAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = pool,
      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
      .commandBufferCount = n};
  VkResult result = device->instance.api.AllocateCommandBuffers(
      device->handle, &allocate, commands);
  return result < 0
             ? xlaVulkanFail(result, "no memory for %u command buffers", n)
             : NULL;
}

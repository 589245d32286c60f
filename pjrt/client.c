//===- client.c - Clients -------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/callback.h"
#include "xlac/pjrt/profiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

static void destroy(PJRT_Client *client) {
  if (!client)
    return;
  // Programs of several devices have arrays of all.
  for (size_t i = 0; client->devices && i < client->n; ++i)
    xlaClientFinish(client->devices[i].xla);
  xlaPjrtAliasesEnd(client);
  for (size_t i = 0; client->devices && i < client->n; ++i)
    xlaClientDestroy(client->devices[i].xla);
  free(client->devices);
  free(client->deviceList);
  free(client->memoryList);
  xlaPjrtTopologyDestroy(client->topology);
  pthread_mutex_destroy(&client->lock);
  free(client);
  xlaPjrtClientEnds();
}

/// Opens the device of the topology's number `i`.
static PJRT_Error *openDevice(PJRT_Client *client, size_t i,
                              const XlaPjrtOptions *options) {
  PJRT_Device *device = &client->devices[i];
  PJRT_DeviceDescription *description = client->topology->list[i];
  char name[32] = "cpu";
  if (client->platform == XlaPjrtPlatformVulkan)
    snprintf(name, sizeof name, "vulkan:%d", description->hardware);
  client->deviceList[i] = device;
  device->client = client;
  device->description = description;
  xlaPjrtMemoriesMake(device, i);
  XlaClientOptions opened = {.device = name,
                             .cpu = options->cpu[0] ? options->cpu : NULL,
                             .threads = options->threads,
                             .customCall = xlaPjrtCallback,
                             .customCallTarget = XLA_PJRT_CALLBACK,
                             .isTraced = xlaPjrtIsTraced,
                             .trace = xlaPjrtTrace,
                             .traceUser = device};
  return xlaPjrtErrorTake(xlaClientCreate(&opened, &device->xla));
}

static PJRT_Error *openDevices(PJRT_Client *client,
                               const XlaPjrtOptions *options) {
  client->n = client->topology->n;
  client->devices = calloc(client->n, sizeof *client->devices);
  client->deviceList = calloc(client->n, sizeof(PJRT_Device *));
  client->memoryList =
      calloc(client->n * XlaPjrtMemoryKindCount, sizeof(PJRT_Memory *));
  if (!client->devices || !client->deviceList || !client->memoryList)
    return xlaPjrtNoMemory();
  for (size_t i = 0; i < client->n; ++i)
    XLA_PJRT_RETURN_IF_ERROR(openDevice(client, i, options));
  return NULL;
}

/// Takes the topology.
static PJRT_Error *openAll(const XlaPjrtOptions *options,
                           PJRT_TopologyDescription *topology,
                           PJRT_Client **made) {
  PJRT_Client *client = calloc(1, sizeof *client);
  if (!client) {
    xlaPjrtTopologyDestroy(topology);
    return xlaPjrtNoMemory();
  }
  xlaPjrtClientBegins();
  client->platform = options->platform;
  client->topology = topology;
  pthread_mutex_init(&client->lock, NULL);
  PJRT_Error *error = openDevices(client, options);
  if (error)
    destroy(client);
  else
    *made = client;
  return error;
}

static PJRT_Error *make(XlaPjrtPlatform platform,
                        PJRT_Client_Create_Args *args) {
  XlaPjrtOptions options;
  PJRT_TopologyDescription *topology;
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtOptionsRead(platform, args->num_options,
                                              args->create_options, &options));
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtTopologyFind(&options, &topology));
  return openAll(&options, topology, &args->client);
}

PJRT_Error *xlaPjrtClientOpen(const PJRT_TopologyDescription *topology,
                              PJRT_Client **client) {
  XlaPjrtOptions options = {.platform = topology->platform};
  xlaPjrtTopologyGetCpu(topology, sizeof options.cpu, options.cpu);
  PJRT_TopologyDescription *copy = xlaPjrtTopologyCopy(topology);
  return copy ? openAll(&options, copy, client) : xlaPjrtNoMemory();
}

void xlaPjrtClientDestroy(PJRT_Client *client) { destroy(client); }

PJRT_Error *xlaPjrt_Client_Create(PJRT_Client_Create_Args *args) {
  return make(XlaPjrtPlatformCpu, args);
}

PJRT_Error *xlaPjrtVulkan_Client_Create(PJRT_Client_Create_Args *args) {
  return make(XlaPjrtPlatformVulkan, args);
}

PJRT_Error *xlaPjrt_Client_Destroy(PJRT_Client_Destroy_Args *args) {
  destroy(args->client);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

PJRT_Error *xlaPjrt_Client_PlatformName(PJRT_Client_PlatformName_Args *args) {
  args->platform_name = xlaPjrtPlatformName(args->client->platform);
  args->platform_name_size = strlen(args->platform_name);
  return NULL;
}

PJRT_Error *xlaPjrt_Client_ProcessIndex(PJRT_Client_ProcessIndex_Args *args) {
  args->process_index = 0;
  return NULL;
}

PJRT_Error *
xlaPjrt_Client_PlatformVersion(PJRT_Client_PlatformVersion_Args *args) {
  args->platform_version = xlaPjrtVersion();
  args->platform_version_size = strlen(args->platform_version);
  return NULL;
}

PJRT_Error *
xlaPjrt_Client_TopologyDescription(PJRT_Client_TopologyDescription_Args *args) {
  args->topology = args->client->topology;
  return NULL;
}

PJRT_Error *xlaPjrt_Client_Devices(PJRT_Client_Devices_Args *args) {
  args->devices = args->client->deviceList;
  args->num_devices = args->client->n;
  return NULL;
}

PJRT_Error *
xlaPjrt_Client_AddressableDevices(PJRT_Client_AddressableDevices_Args *args) {
  args->addressable_devices = args->client->deviceList;
  args->num_addressable_devices = args->client->n;
  return NULL;
}

PJRT_Error *
xlaPjrt_Client_AddressableMemories(PJRT_Client_AddressableMemories_Args *args) {
  args->addressable_memories = args->client->memoryList;
  args->num_addressable_memories = args->client->n * XlaPjrtMemoryKindCount;
  return NULL;
}

PJRT_Error *xlaPjrt_Client_LookupDevice(PJRT_Client_LookupDevice_Args *args) {
  if (args->id < 0 || (size_t)args->id >= args->client->n)
    return xlaPjrtInvalid("there is no device %d; there are %zu", args->id,
                          args->client->n);
  args->device = &args->client->devices[args->id];
  return NULL;
}

PJRT_Error *xlaPjrt_Client_LookupAddressableDevice(
    PJRT_Client_LookupAddressableDevice_Args *args) {
  for (size_t i = 0; i < args->client->n; ++i)
    if (args->client->devices[i].description->hardware ==
        args->local_hardware_id) {
      args->addressable_device = &args->client->devices[i];
      return NULL;
    }
  return xlaPjrtInvalid("there is no device with the hardware's number %d",
                        args->local_hardware_id);
}

PJRT_Error *xlaPjrt_Client_DefaultDeviceAssignment(
    PJRT_Client_DefaultDeviceAssignment_Args *args) {
  int64_t n = (int64_t)args->num_replicas * args->num_partitions;
  if (args->num_replicas < 1 || args->num_partitions < 1 ||
      (size_t)n > args->default_assignment_size || !args->default_assignment)
    return xlaPjrtInvalid("%d replicas of %d partitions do not fit an "
                          "assignment of %zu devices",
                          args->num_replicas, args->num_partitions,
                          args->default_assignment_size);
  if ((size_t)n > args->client->n)
    return xlaPjrtInvalid("%d replicas of %d partitions need more devices than "
                          "the %zu that there are",
                          args->num_replicas, args->num_partitions,
                          args->client->n);
  for (int64_t i = 0; i < n; ++i)
    args->default_assignment[i] = (int)i;
  return NULL;
}

//===----------------------------------------------------------------------===//
// The caller's memory needs nothing to be fast, and there is one process
//===----------------------------------------------------------------------===//

PJRT_Error *xlaPjrt_Client_DmaMap(PJRT_Client_DmaMap_Args *args) {
  return NULL;
}

PJRT_Error *xlaPjrt_Client_DmaUnmap(PJRT_Client_DmaUnmap_Args *args) {
  return NULL;
}

PJRT_Error *xlaPjrt_Client_UpdateGlobalProcessInfo(
    PJRT_Client_UpdateGlobalProcessInfo_Args *args) {
  return NULL;
}

//===- topology.c - Which devices there are -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANY_CPU "cpu" ///< the kind of this machine's processor

/// Of `n` devices of one kind each, which are to be described.
static PJRT_TopologyDescription *create(XlaPjrtPlatform platform, size_t n) {
  PJRT_TopologyDescription *topology = calloc(1, sizeof *topology);
  if (!topology)
    return NULL;
  topology->platform = platform;
  topology->descriptions = calloc(n ? n : 1, sizeof *topology->descriptions);
  topology->list = calloc(n ? n : 1, sizeof(PJRT_DeviceDescription *));
  if (!topology->descriptions || !topology->list) {
    xlaPjrtTopologyDestroy(topology);
    return NULL;
  }
  return topology;
}

void xlaPjrtTopologyDestroy(PJRT_TopologyDescription *topology) {
  if (!topology)
    return;
  free(topology->descriptions);
  free(topology->list);
  free(topology);
}

static void add(PJRT_TopologyDescription *topology, int hardware,
                const char *kind) {
  const char *platform = xlaPjrtPlatformName(topology->platform);
  PJRT_DeviceDescription *next = &topology->descriptions[topology->n];
  topology->list[topology->n] = next;
  next->id = (int)topology->n++;
  next->hardware = hardware;
  snprintf(next->kind, sizeof next->kind, "%s", kind);
  snprintf(next->text, sizeof next->text, "%s:%d", platform, next->id);
  snprintf(next->debug, sizeof next->debug, "%s:%d (%s)", platform, next->id,
           kind);
}

/// With each device in turn, until there are `wanted`; 0: each once.
static void addVulkan(PJRT_TopologyDescription *topology, size_t wanted,
                      intptr_t n, const XlaVulkanInfo *infos) {
  do
    for (intptr_t i = 0; i < n && (!wanted || topology->n < wanted); ++i)
      if (!infos[i].whyNot)
        add(topology, (int)i, infos[i].name);
  while (topology->n && topology->n < wanted);
}

static PJRT_Error *findVulkan(size_t wanted,
                              PJRT_TopologyDescription **topology) {
  XlaVulkanInfo *infos;
  intptr_t n;
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtErrorTake(xlaVulkanEnumerate(NULL, &infos, &n)));
  PJRT_Error *error = NULL;
  PJRT_TopologyDescription *made =
      create(XlaPjrtPlatformVulkan, wanted ? wanted : (size_t)n);
  if (made)
    addVulkan(made, wanted, n, infos);
  if (!made)
    error = xlaPjrtNoMemory();
  else if (!made->n)
    error = xlaPjrtError(PJRT_Error_Code_NOT_FOUND,
                         "no Vulkan device can be used: %s %s", infos[0].name,
                         infos[0].whyNot);
  free(infos);
  if (error)
    xlaPjrtTopologyDestroy(made);
  else
    *topology = made;
  return error;
}

PJRT_Error *xlaPjrtTopologyFind(const XlaPjrtOptions *options,
                                PJRT_TopologyDescription **topology) {
  if (options->platform == XlaPjrtPlatformVulkan)
    return findVulkan((size_t)options->nDevices, topology);
  int n = options->nDevices ? options->nDevices : 1;
  *topology = create(XlaPjrtPlatformCpu, (size_t)n);
  if (!*topology)
    return xlaPjrtNoMemory();
  for (int i = 0; i < n; ++i)
    add(*topology, i, options->cpu[0] ? options->cpu : ANY_CPU);
  return NULL;
}

PJRT_TopologyDescription *
xlaPjrtTopologyCopy(const PJRT_TopologyDescription *topology) {
  PJRT_TopologyDescription *copy = create(topology->platform, topology->n);
  for (size_t i = 0; copy && i < topology->n; ++i)
    add(copy, topology->descriptions[i].hardware,
        topology->descriptions[i].kind);
  return copy;
}

bool xlaPjrtTopologyEqual(const PJRT_TopologyDescription *a,
                          const PJRT_TopologyDescription *b) {
  bool isSame = a->platform == b->platform && a->n == b->n;
  for (size_t i = 0; isSame && i < a->n; ++i)
    isSame = a->descriptions[i].hardware == b->descriptions[i].hardware &&
             !strcmp(a->descriptions[i].kind, b->descriptions[i].kind);
  return isSame;
}

void xlaPjrtTopologyGetCpu(const PJRT_TopologyDescription *topology,
                           size_t size, char *name) {
  const char *kind = topology->n ? topology->descriptions[0].kind : ANY_CPU;
  bool isNamed =
      topology->platform == XlaPjrtPlatformCpu && strcmp(kind, ANY_CPU) != 0;
  snprintf(name, size, "%s", isNamed ? kind : "");
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

static PJRT_Error *make(XlaPjrtPlatform platform,
                        PJRT_TopologyDescription_Create_Args *args) {
  XlaPjrtOptions options;
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtOptionsRead(platform, args->num_options,
                                              args->create_options, &options));
  return xlaPjrtTopologyFind(&options, &args->topology);
}

PJRT_Error *
xlaPjrt_TopologyDescription_Create(PJRT_TopologyDescription_Create_Args *args) {
  return make(XlaPjrtPlatformCpu, args);
}

PJRT_Error *xlaPjrtVulkan_TopologyDescription_Create(
    PJRT_TopologyDescription_Create_Args *args) {
  return make(XlaPjrtPlatformVulkan, args);
}

PJRT_Error *xlaPjrt_TopologyDescription_Destroy(
    PJRT_TopologyDescription_Destroy_Args *args) {
  xlaPjrtTopologyDestroy(args->topology);
  return NULL;
}

PJRT_Error *xlaPjrt_TopologyDescription_PlatformName(
    PJRT_TopologyDescription_PlatformName_Args *args) {
  args->platform_name = xlaPjrtPlatformName(args->topology->platform);
  args->platform_name_size = strlen(args->platform_name);
  return NULL;
}

PJRT_Error *xlaPjrt_TopologyDescription_PlatformVersion(
    PJRT_TopologyDescription_PlatformVersion_Args *args) {
  args->platform_version = xlaPjrtVersion();
  args->platform_version_size = strlen(args->platform_version);
  return NULL;
}

PJRT_Error *xlaPjrt_TopologyDescription_GetDeviceDescriptions(
    PJRT_TopologyDescription_GetDeviceDescriptions_Args *args) {
  args->descriptions = args->topology->list;
  args->num_descriptions = args->topology->n;
  return NULL;
}

PJRT_Error *xlaPjrt_TopologyDescription_Attributes(
    PJRT_TopologyDescription_Attributes_Args *args) {
  args->attributes = NULL;
  args->num_attributes = 0;
  return NULL;
}

//===----------------------------------------------------------------------===//
// As bytes: a line for the version, one for the platform, and a line a device,
// which is its number in hardware and its kind
//===----------------------------------------------------------------------===//

static void deleteBytes(PJRT_SerializedTopology *bytes) { free(bytes); }

PJRT_Error *xlaPjrt_TopologyDescription_Serialize(
    PJRT_TopologyDescription_Serialize_Args *args) {
  const PJRT_TopologyDescription *topology = args->topology;
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  if (!file)
    return xlaPjrtNoMemory();
  fprintf(file, "%s\n%s\n", xlaPjrtVersion(),
          xlaPjrtPlatformWord(topology->platform));
  for (size_t i = 0; i < topology->n; ++i)
    fprintf(file, "%d %s\n", topology->descriptions[i].hardware,
            topology->descriptions[i].kind);
  if (fclose(file)) {
    free(text);
    return xlaPjrtNoMemory();
  }
  args->serialized_bytes = text;
  args->serialized_bytes_size = size;
  args->serialized_topology = (PJRT_SerializedTopology *)text;
  args->serialized_topology_deleter = deleteBytes;
  return NULL;
}

/// Takes the line that `text` begins with, which ends with a newline; NULL if
/// there is none.
static char *takeLine(char **text) {
  char *line = *text, *end = strchr(line, '\n');
  if (!end)
    return NULL;
  *end = 0;
  *text = end + 1;
  return line;
}

static PJRT_Error *parse(char *text, PJRT_TopologyDescription **topology) {
  size_t lines = 0;
  for (const char *at = text; (at = strchr(at, '\n')); ++at)
    ++lines;
  const char *version = takeLine(&text), *word = takeLine(&text);
  if (!word || strcmp(version, xlaPjrtVersion()))
    return xlaPjrtInvalid("the bytes are no topology of %s", xlaPjrtVersion());
  XlaPjrtPlatform platform = XlaPjrtPlatformCpu;
  while (platform < XlaPjrtPlatformCount &&
         strcmp(word, xlaPjrtPlatformWord(platform)))
    ++platform;
  if (platform == XlaPjrtPlatformCount)
    return xlaPjrtInvalid("the topology's platform is \"%.60s\"", word);
  PJRT_TopologyDescription *made = create(platform, lines);
  if (!made)
    return xlaPjrtNoMemory();
  for (const char *line; (line = takeLine(&text));) {
    int hardware, at = 0;
    if (sscanf(line, "%d %n", &hardware, &at) != 1 || !at)
      break;
    add(made, hardware, line + at);
  }
  if (made->n == lines - 2 && !*text) {
    *topology = made;
    return NULL;
  }
  PJRT_Error *error =
      xlaPjrtInvalid("device %zu of the topology is damaged", made->n);
  xlaPjrtTopologyDestroy(made);
  return error;
}

PJRT_Error *xlaPjrt_TopologyDescription_Deserialize(
    PJRT_TopologyDescription_Deserialize_Args *args) {
  if (!args->serialized_topology)
    return xlaPjrtInvalid("the bytes of the topology are NULL");
  char *text =
      strndup(args->serialized_topology, args->serialized_topology_size);
  if (!text)
    return xlaPjrtNoMemory();
  PJRT_Error *error = parse(text, &args->topology);
  free(text);
  return error;
}

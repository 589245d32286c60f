//===- cache.c - Compiled pipelines in a file -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drivers trust what they are given, so that a file which is not exactly what
// this device's driver has made counts as none. A new one is written beside the
// old one and takes its place in one step: readers see one or the other whole.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/folder.h"
#include "xlac/runtime/vulkan/device_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Larger files are neither read nor written.
enum { MaxBytes = 64 << 20 };

typedef struct Header {
  char magic[8];
  uint32_t vendor, device, driverVersion, reserved;
  uint8_t cacheUuid[VK_UUID_SIZE], driverUuid[VK_UUID_SIZE];
  uint64_t bytes, hash; ///< of what follows
} Header;
_Static_assert(sizeof(Header) == 72, "no padding: compared as bytes");

/// FNV-1a on words of 8 bytes: finds damage, not malice.
static uint64_t hashOf(const void *data, size_t bytes) {
  const uint64_t prime = 0x100000001b3;
  uint64_t hash = 0xcbf29ce484222325 ^ bytes;
  const char *at = data;
  for (; bytes >= 8; bytes -= 8, at += 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    hash = (hash ^ word) * prime;
    hash ^= hash >> 32;
  }
  for (; bytes > 0; --bytes, ++at)
    hash = (hash ^ (uint8_t)*at) * prime;
  return hash;
}

static Header headerFor(const XlaVulkanPhysical *physical, const void *data,
                        size_t bytes) {
  Header header = {.magic = "XLACVK1",
                   .vendor = physical->vendor,
                   .device = physical->device,
                   .driverVersion = physical->driverVersion,
                   .bytes = bytes,
                   .hash = hashOf(data, bytes)};
  memcpy(header.cacheUuid, physical->cacheUuid, VK_UUID_SIZE);
  memcpy(header.driverUuid, physical->driverUuid, VK_UUID_SIZE);
  return header;
}

/// The file for the device, or NULL. One for each driver, so that devices of
/// one machine do not replace each other's.
static char *filePath(const XlaVulkanDevice *device) {
  char *base = xlaCacheFolder(device->options.cacheFolder);
  if (!base)
    return NULL;
  const XlaVulkanPhysical *physical = &device->physical;
  Header key = headerFor(physical, NULL, 0);
  size_t size = strlen(base) + 64;
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s/vulkan-%04x-%04x-%016llx.cache", base,
             physical->vendor, physical->device,
             (unsigned long long)hashOf(&key, sizeof key));
  free(base);
  return path;
}

/// The file, if it is one: reading a pipe would wait for somebody to write.
static FILE *openFile(const char *path) {
  struct stat about;
  int descriptor = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  if (descriptor < 0)
    return NULL;
  FILE *file = NULL;
  if (!fstat(descriptor, &about) && S_ISREG(about.st_mode))
    file = fdopen(descriptor, "rb");
  if (!file)
    close(descriptor);
  return file;
}

/// What the file holds behind a header that fits, `*bytes` of it, or NULL.
static void *readFile(const XlaVulkanDevice *device, size_t *bytes) {
  *bytes = 0;
  FILE *file = openFile(device->cachePath);
  if (!file)
    return NULL;
  Header header = {0};
  void *data = NULL;
  if (fread(&header, sizeof header, 1, file) == 1 && header.bytes > 0 &&
      header.bytes <= MaxBytes)
    data = malloc((size_t)header.bytes);
  if (data) {
    size_t n = (size_t)header.bytes;
    Header expected = {0};
    bool isWhole = fread(data, 1, n, file) == n && fgetc(file) == EOF;
    if (isWhole)
      expected = headerFor(&device->physical, data, n);
    if (isWhole && !memcmp(&header, &expected, sizeof header)) {
      *bytes = n;
    } else {
      free(data);
      data = NULL;
    }
  }
  fclose(file);
  return data;
}

XlaStatus xlaVulkanCacheOpen(XlaVulkanDevice *device) {
  device->cachePath = filePath(device);
  size_t bytes = 0;
  void *data = readFile(device, &bytes);
  device->cacheHash = hashOf(data, bytes);
  VkPipelineCacheCreateInfo create = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
      .initialDataSize = bytes,
      .pInitialData = data};
  const XlaVulkanApi *api = &device->instance.api;
  VkResult result =
      api->CreatePipelineCache(device->handle, &create, NULL, &device->cache);
  free(data);
  return result < 0 ? xlaVulkanFail(result, "no memory for compiled shaders")
                    : NULL;
}

/// Writes header and data to a new file; false when something went wrong.
static bool writeNew(int descriptor, const Header *header, const void *data) {
  FILE *file = fdopen(descriptor, "wb");
  if (!file) {
    close(descriptor);
    return false;
  }
  bool isWritten =
      fwrite(header, sizeof *header, 1, file) == 1 &&
      fwrite(data, 1, (size_t)header->bytes, file) == header->bytes;
  return fclose(file) == 0 && isWritten;
}

static void writeFile(const XlaVulkanDevice *device, const void *data,
                      size_t bytes) {
  Header header = headerFor(&device->physical, data, bytes);
  xlaCacheMakeFolders(device->cachePath);
  size_t size = strlen(device->cachePath) + 8;
  char *path = malloc(size);
  if (!path)
    return;
  snprintf(path, size, "%s.XXXXXX", device->cachePath);
  int descriptor = mkostemp(path, O_CLOEXEC);
  if (descriptor >= 0 &&
      (!writeNew(descriptor, &header, data) || rename(path, device->cachePath)))
    (void)unlink(path);
  free(path);
}

/// What the driver wants kept, `*bytes` of it, or NULL.
static void *readDriver(const XlaVulkanDevice *device, size_t *bytes) {
  const XlaVulkanApi *api = &device->instance.api;
  *bytes = 0;
  if (api->GetPipelineCacheData(device->handle, device->cache, bytes, NULL) !=
          VK_SUCCESS ||
      *bytes == 0 || *bytes > MaxBytes)
    return NULL;
  void *data = malloc(*bytes);
  if (data && api->GetPipelineCacheData(device->handle, device->cache, bytes,
                                        data) != VK_SUCCESS) {
    free(data);
    data = NULL;
  }
  return data;
}

void xlaVulkanCacheClose(XlaVulkanDevice *device) {
  size_t bytes = 0;
  void *data = device->cachePath ? readDriver(device, &bytes) : NULL;
  // One that has grown too large begins anew.
  if (bytes > MaxBytes)
    (void)unlink(device->cachePath);
  if (data && bytes > 0 && hashOf(data, bytes) != device->cacheHash)
    writeFile(device, data, bytes);
  free(data);
  device->instance.api.DestroyPipelineCache(device->handle, device->cache,
                                            NULL);
  device->cache = VK_NULL_HANDLE;
}

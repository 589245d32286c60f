//===- cache_test.c - The file of compiled pipelines ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/runtime/vulkan/device_fixture.h"
#include "xlac/test/runtime/vulkan/shaders.h"
#include "xlac/test/support/unit.h"

#define VK_NO_PROTOTYPES
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vulkan/vulkan_core.h>

enum { maxPath = 512 };

/// A folder for one test, what is in the file there, and what the driver got.
typedef struct Cache {
  char folder[maxPath], file[maxPath + 256];
  size_t given;
  PFN_vkCreatePipelineCache CreatePipelineCache;
} Cache;

static Cache *cache; ///< what the function below has no other way to know

static VkResult VKAPI_CALL myCreatePipelineCache(
    VkDevice device, const VkPipelineCacheCreateInfo *info,
    const VkAllocationCallbacks *allocator, VkPipelineCache *handle) {
  cache->given = info->initialDataSize;
  return cache->CreatePipelineCache(device, info, allocator, handle);
}

static XlaVulkanFunction replace(const char *name, XlaVulkanFunction found,
                                 void *user) {
  (void)user;
  if (strcmp(name, "vkCreatePipelineCache") != 0)
    return found;
  cache->CreatePipelineCache = (PFN_vkCreatePipelineCache)found;
  return (XlaVulkanFunction)myCreatePipelineCache;
}

/// Opens the device with the cache in `folder`, runs a shader, closes it. False
/// where there is no device.
static bool use(const char *folder) {
  XlaVulkanOptions options = {.cacheFolder = folder, .replace = replace};
  XlaVulkanDevice *device;
  XlaStatus status = xlaVulkanDeviceOpen(&options, 0, &device);
  if (xlaStatusCode(status) == XLA_STATUS_NOT_FOUND) {
    fprintf(stderr, "skipped: %s\n", xlaStatusMessage(status));
    xlaStatusDestroy(status);
    return false;
  }
  vulkanCheckStatus(status);
  float a[64] = {1}, b[64] = {2}, sum[64] = {0};
  const VulkanArray arrays[] = {
      {a, sizeof a, false}, {b, sizeof b, false}, {sum, sizeof sum, true}};
  vulkanRunShader(device, &vulkanShaderAdd, (const uint32_t[]){1, 1, 1},
                  arrays);
  assert_true(sum[0] == 3);
  xlaVulkanDeviceClose(device);
  return true;
}

/// Files in the folder; the last one's path goes to cache->file.
static int files(void) {
  DIR *dir = opendir(cache->folder);
  int n = 0;
  for (struct dirent *entry; dir && (entry = readdir(dir));)
    if (entry->d_name[0] != '.') {
      snprintf(cache->file, sizeof cache->file, "%s/%s", cache->folder,
               entry->d_name);
      ++n;
    }
  if (dir)
    closedir(dir);
  return n;
}

static long sizeOf(const char *path) {
  struct stat info;
  return stat(path, &info) ? -1 : (long)info.st_size;
}

/// Changes byte `at` of the file, from its end if negative.
static void damage(long at) {
  FILE *file = fopen(cache->file, "r+b");
  assert_non_null(file);
  assert_int_equal(fseek(file, at, at < 0 ? SEEK_END : SEEK_SET), 0);
  int byte = fgetc(file);
  assert_int_equal(fseek(file, -1, SEEK_CUR), 0);
  assert_int_equal(fputc(byte ^ 0x40, file), byte ^ 0x40);
  assert_int_equal(fclose(file), 0);
}

static int setup(void **state) {
  cache = calloc(1, sizeof *cache);
  if (!cache)
    return -1;
  const char *base = getenv("TMPDIR");
  snprintf(cache->folder, sizeof cache->folder, "%s/xlac-cache-XXXXXX",
           base ? base : "/tmp");
  *state = cache;
  return mkdtemp(cache->folder) ? 0 : -1;
}

static int teardown(void **state) {
  (void)state;
  while (files())
    (void)unlink(cache->file);
  int result = rmdir(cache->folder);
  free(cache);
  return result;
}

static void keeps(void **state) {
  (void)state;
  if (!use(cache->folder))
    skip();
  assert_int_equal(cache->given, 0);
  assert_int_equal(files(), 1);
  long size = sizeOf(cache->file);
  assert_true(size > 72);
  assert_true(use(cache->folder));
  assert_int_equal(cache->given, size - 72); // all but the header
  assert_int_equal(files(), 1);
  assert_int_equal(sizeOf(cache->file), size);
}

/// A file with a bit changed anywhere never reaches the driver, and is made
/// anew.
static void damaged(void **state) {
  (void)state;
  if (!use(cache->folder))
    skip();
  assert_int_equal(files(), 1);
  // Magic, vendor, device, driver, its number, size, hash, and the data.
  static const long places[] = {0, 8, 12, 16, 24, 40, 56, 64, 72, -1};
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
    damage(places[i]);
    assert_true(use(cache->folder));
    assert_int_equal(cache->given, 0);
    assert_int_equal(files(), 1);
    assert_true(use(cache->folder));
    assert_true(cache->given > 0);
  }
}

static void cut(void **state) {
  (void)state;
  if (!use(cache->folder))
    skip();
  assert_int_equal(files(), 1);
  long size = sizeOf(cache->file);
  const long sizes[] = {0, 1, 71, 72, 73, size - 1, size + 1};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    assert_int_equal(truncate(cache->file, sizes[i]), 0);
    assert_true(use(cache->folder));
    assert_int_equal(cache->given, 0);
    assert_int_equal(sizeOf(cache->file), size);
  }
}

/// Where nothing can be written, programs run all the same.
static void unwritable(void **state) {
  (void)state;
  char path[maxPath + 16];
  snprintf(path, sizeof path, "%s/file", cache->folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_int_equal(fclose(file), 0);
  static const char *const others[] = {"", "/proc/xlac", "/dev/null/xlac"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    if (!use(others[i]))
      skip();
    assert_int_equal(cache->given, 0);
  }
  assert_true(use(path)); // a folder that is a file
  assert_int_equal(cache->given, 0);
  assert_int_equal(files(), 1);
  assert_int_equal(sizeOf(path), 0);
}

/// In the place of the file may be anything.
static void otherKinds(void **state) {
  (void)state;
  if (!use(cache->folder))
    skip();
  assert_int_equal(files(), 1);
  assert_int_equal(unlink(cache->file), 0);
  assert_int_equal(mkfifo(cache->file, 0600), 0);
  assert_true(use(cache->folder)); // does not wait
  assert_int_equal(cache->given, 0);
  assert_true(use(cache->folder)); // a file took the pipe's place
  assert_true(cache->given > 0);
  assert_int_equal(files(), 1);
  assert_int_equal(unlink(cache->file), 0);
  assert_int_equal(mkdir(cache->file, 0700), 0);
  assert_true(use(cache->folder));
  assert_int_equal(cache->given, 0);
  assert_int_equal(files(), 1);
  assert_int_equal(rmdir(cache->file), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(keeps, setup, teardown),
      cmocka_unit_test_setup_teardown(damaged, setup, teardown),
      cmocka_unit_test_setup_teardown(cut, setup, teardown),
      cmocka_unit_test_setup_teardown(unwritable, setup, teardown),
      cmocka_unit_test_setup_teardown(otherKinds, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

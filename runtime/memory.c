//===- memory.c - How much memory there is --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// The number in a file; INT64_MAX if it has none ("max") or is not there.
static int64_t readNumber(const char *path) {
  int64_t number = INT64_MAX;
  FILE *file = fopen(path, "re");
  if (!file)
    return number;
  if (fscanf(file, "%" SCNd64, &number) != 1)
    number = INT64_MAX;
  fclose(file);
  return number;
}

/// The least limit of `group` ("/a/b") and those above it.
static int64_t limitOfGroup(const char *root, const char *controller,
                            char *group, const char *name) {
  char path[8192];
  int64_t least = INT64_MAX;
  for (bool isRoot = false; !isRoot;) {
    snprintf(path, sizeof path, "%s%s%s/%s", root, controller, group, name);
    int64_t limit = readNumber(path);
    least = limit < least ? limit : least;
    char *slash = strrchr(group, '/');
    isRoot = !slash;
    if (slash)
      *slash = '\0';
  }
  return least;
}

static bool hasMemory(const char *controllers, size_t length) {
  static const char memory[] = "memory";
  const char *found = memmem(controllers, length, memory, sizeof memory - 1);
  return found != NULL;
}

int64_t xlaMemoryGroupLimit(const char *list, const char *root) {
  int64_t least = INT64_MAX;
  FILE *file = fopen(list, "re");
  char line[4096];
  // hierarchy:controllers:group; version 2 has no controllers.
  while (file && fgets(line, sizeof line, file)) {
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group)
      continue;
    ++controllers;
    size_t length = (size_t)(group - controllers);
    group[strcspn(group, "\n")] = '\0';
    int64_t limit =
        !length ? limitOfGroup(root, "", group + 1, "memory.max")
        : hasMemory(controllers, length)
            ? limitOfGroup(root, "/memory", group + 1, "memory.limit_in_bytes")
            : INT64_MAX;
    least = limit < least ? limit : least;
  }
  if (file)
    fclose(file);
  return least;
}

int64_t xlaMemoryLimit(void) {
  int64_t bytes = xlaMemoryGroupLimit("/proc/self/cgroup", "/sys/fs/cgroup");
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages > 0 && size > 0 && (int64_t)pages < bytes / size)
    bytes = (int64_t)pages * size;
  return bytes == INT64_MAX ? bytes : bytes / 5 * 4;
}

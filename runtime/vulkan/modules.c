//===- modules.c - Drivers stay loaded ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loader unloads drivers and layers with the instance. They come with LLVM
// and the like, so that loading them again takes tens of milliseconds; their
// threads may still have destructors to run, which then crash; and what they
// leaked can no longer be named. What an instance has brought stays, therefore.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/device_internal.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

static int take(struct dl_phdr_info *info, size_t size, void *user) {
  XlaVulkanModules *modules = user;
  if (modules->n == XlaVulkanModulesMax)
    return 1;
  modules->addresses[modules->n++] = (uintptr_t)info->dlpi_phdr;
  return 0;
}

void xlaVulkanModulesList(XlaVulkanModules *modules) {
  modules->n = 0;
  (void)dl_iterate_phdr(take, modules);
}

typedef struct Search {
  const XlaVulkanModules *before;
  XlaVulkanModules seen;
  char *name; ///< of a module that was not there before
} Search;

static bool contains(const XlaVulkanModules *modules, uintptr_t address) {
  for (size_t i = 0; i < modules->n; ++i)
    if (modules->addresses[i] == address)
      return true;
  return false;
}

static int findNew(struct dl_phdr_info *info, size_t size, void *user) {
  Search *search = user;
  uintptr_t address = (uintptr_t)info->dlpi_phdr;
  if (!info->dlpi_name || !info->dlpi_name[0] ||
      contains(search->before, address) || contains(&search->seen, address))
    return 0;
  (void)take(info, size, &search->seen);
  search->name = strdup(info->dlpi_name);
  return 1;
}

void xlaVulkanModulesKeep(const XlaVulkanModules *before) {
  if (before->n == XlaVulkanModulesMax)
    return;
  Search *search = calloc(1, sizeof *search);
  if (search)
    search->before = before;
  // The list is locked while it is walked: modules are opened in between.
  for (; search; free(search->name)) {
    search->name = NULL;
    if (search->seen.n == XlaVulkanModulesMax ||
        !dl_iterate_phdr(findNew, search) || !search->name)
      break;
    void *module =
        dlopen(search->name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    if (module)
      dlclose(module);
  }
  free(search);
}

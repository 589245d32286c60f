//===- vulkan.c - Vulkan devices of the tools -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/vulkan.h"

#include "xlac/tools/common/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double gibibyte = 1 << 30;

static void printInfo(intptr_t number, const XlaVulkanInfo *info) {
  const struct {
    bool has;
    const char *name;
  } types[] = {{info->i8 && info->storage8, "8-bit integers"},
               {info->i16 && info->storage16, "16-bit integers"},
               {info->i64, "64-bit integers"},
               {info->f16 && info->storage16, "f16"},
               {info->f64, "f64"}};
  printf("vulkan:%-3lld %s, %s\n", (long long)number, info->name,
         xlaVulkanKindName(info->kind));
  printf("           driver %s; Vulkan %u.%u.%u\n", info->driver,
         info->apiVersion >> 22 & 0x7f, info->apiVersion >> 12 & 0x3ff,
         info->apiVersion & 0xfff);
  if (info->whyNot) {
    printf("           cannot be used: it %s\n", info->whyNot);
    return;
  }
  printf("           %.1f GiB of memory%s, %s of %.3g GiB, workgroups of "
         "%u threads\n           and %lld KiB, subgroups of %u; 32-bit types",
         (double)info->memoryBytes / gibibyte,
         info->isUnified && info->kind != XlaVulkanKindDiscrete ? ", the host's"
                                                                : "",
         info->addresses ? "arrays of any size in pieces" : "arrays",
         (double)info->maxAllocation / gibibyte, info->maxGroupInvocations,
         (long long)info->sharedBytes / 1024, info->subgroupSize);
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (types[i].has)
      printf(", %s", types[i].name);
  printf("\n");
}

XlaToolCode xlaToolVulkanList(void) {
  XlaVulkanInfo *infos;
  intptr_t n;
  XlaStatus status = xlaVulkanEnumerate(NULL, &infos, &n);
  if (status)
    return xlaToolStatusError(status, NULL);
  for (intptr_t i = 0; i < n; ++i)
    printInfo(i, &infos[i]);
  free(infos);
  return XlaToolCodeOk;
}

static void printMessage(const char *text, void *user) {
  (void)user;
  fprintf(stderr, "validation: %s\n", text);
}

XlaToolCode xlaToolVulkanOpen(const char *number, bool validate,
                              XlaVulkanDevice **device, char why[512]) {
  uint64_t index = 0;
  *device = NULL;
  if (number && (!xlaToolReadInteger(number, &index) || index > 1000)) {
    snprintf(why, 512, "\"%.60s\" is no number of --list-devices", number);
    return XlaToolCodeWrong;
  }
  XlaVulkanOptions options = {.validate = validate, .message = printMessage};
  XlaStatus status = xlaVulkanDeviceOpen(&options, (intptr_t)index, device);
  if (!status)
    return XlaToolCodeOk;
  XlaToolCode code = xlaToolCodeOf(xlaStatusCode(status));
  if (code == XlaToolCodeWrong) // no such device is nobody's mistake
    code = XlaToolCodeRefused;
  snprintf(why, 512, "%s", xlaStatusMessage(status));
  xlaStatusDestroy(status);
  return code;
}

XlaToolCode xlaToolVulkanClose(XlaVulkanDevice *device) {
  int64_t messages = xlaVulkanDeviceClose(device);
  return messages ? xlaToolError(XlaToolCodeFailed,
                                 "the validation layer reported %lld messages",
                                 (long long)messages)
                  : XlaToolCodeOk;
}

//===- options.c - What a client is created with --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"
#include "xlac/runtime/cpu/threads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *xlaPjrtPlatformName(XlaPjrtPlatform platform) {
  return platform == XlaPjrtPlatformVulkan ? "xlac_vulkan" : "xlac";
}

const char *xlaPjrtPlatformWord(XlaPjrtPlatform platform) {
  return platform == XlaPjrtPlatformVulkan ? "vulkan" : "cpu";
}

const char *xlaPjrtVersion(void) { return "xlac " XLAC_VERSION; }

/// More devices would be a mistake: each has threads of its own.
enum { MOST_DEVICES = 1024 };

static bool parseNumber(const char *text, int64_t *number) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  *number = value;
  return end != text && !*end && !errno;
}

/// The value as text; false if it is no text, or does not fit.
static bool readText(const PJRT_NamedValue *value, size_t size, char *text) {
  if (value->type != PJRT_NamedValue_kString || value->value_size >= size ||
      (value->value_size && !value->string_value))
    return false;
  if (value->value_size)
    memcpy(text, value->string_value, value->value_size);
  text[value->value_size] = 0;
  return true;
}

/// As a number, also where it is written as text.
static bool readNumber(const PJRT_NamedValue *value, int64_t least,
                       int64_t most, int *number) {
  char text[32];
  int64_t found = value->int64_value;
  if (value->type != PJRT_NamedValue_kInt64 &&
      !(readText(value, sizeof text, text) && parseNumber(text, &found)))
    return false;
  *number = (int)found;
  return found >= least && found <= most;
}

static bool isNamed(const PJRT_NamedValue *value, const char *name) {
  return value->name_size == strlen(name) &&
         !memcmp(value->name, name, value->name_size);
}

static PJRT_Error *readOption(const PJRT_NamedValue *value,
                              XlaPjrtOptions *options) {
  char word[16] = "";
  int ignored;
  if (value->struct_size < PJRT_SIZE_UP_TO(PJRT_NamedValue, value_size) ||
      !value->name)
    return xlaPjrtInvalid("an option has no name");
  if (isNamed(value, "platform")) {
    if (!readText(value, sizeof word, word))
      return xlaPjrtInvalid("the option platform is no word");
    for (int i = 0; i < XlaPjrtPlatformCount; ++i)
      if (!strcmp(word, xlaPjrtPlatformWord(i))) {
        options->platform = i;
        return NULL;
      }
    return xlaPjrtInvalid("the option platform is \"%s\"; there are cpu and "
                          "vulkan",
                          word);
  }
  if (isNamed(value, "device_count"))
    return readNumber(value, 1, MOST_DEVICES, &options->nDevices)
               ? NULL
               : xlaPjrtInvalid("the option device_count is no number from 1 "
                                "to %d",
                                MOST_DEVICES);
  if (isNamed(value, "threads"))
    return readNumber(value, 0, XLA_CPU_MAX_THREADS, &options->threads)
               ? NULL
               : xlaPjrtInvalid("the option threads is no number from 0 to "
                                "%d",
                                XLA_CPU_MAX_THREADS);
  if (isNamed(value, "cpu"))
    return readText(value, sizeof options->cpu, options->cpu)
               ? NULL
               : xlaPjrtInvalid("the option cpu is no name of a processor");
  // JAX's own, when it runs as several processes.
  if (isNamed(value, "num_nodes"))
    return readNumber(value, 1, 1, &ignored)
               ? NULL
               : xlaPjrtUnimplemented("the devices of several processes are "
                                      "not one client's");
  if (isNamed(value, "node_id") || isNamed(value, "partition_index"))
    return NULL;
  return xlaPjrtInvalid("there is no option \"%.*s\"; there are platform, "
                        "device_count, cpu and threads",
                        (int)(value->name_size & 0xff), value->name);
}

/// How many devices there are to be, where no option says it.
static PJRT_Error *readDeviceCount(XlaPjrtOptions *options) {
  const char *name = options->platform == XlaPjrtPlatformVulkan
                         ? "XLAC_VULKAN_DEVICES"
                         : "XLAC_CPU_DEVICES";
  const char *text = getenv(name);
  int64_t number;
  if (!text || !*text)
    return NULL;
  if (!parseNumber(text, &number) || number < 1 || number > MOST_DEVICES)
    return xlaPjrtInvalid("the environment variable %s is \"%.60s\", no "
                          "number from 1 to %d",
                          name, text, MOST_DEVICES);
  options->nDevices = (int)number;
  return NULL;
}

PJRT_Error *xlaPjrtOptionsRead(XlaPjrtPlatform platform, size_t n,
                               const PJRT_NamedValue *values,
                               XlaPjrtOptions *options) {
  *options = (XlaPjrtOptions){.platform = platform};
  if (n && !values)
    return xlaPjrtInvalid("the list of options is NULL");
  for (size_t i = 0; i < n; ++i)
    XLA_PJRT_RETURN_IF_ERROR(readOption(&values[i], options));
  return options->nDevices ? NULL : readDeviceCount(options);
}

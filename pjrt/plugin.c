//===- plugin.c - The table of functions ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callers were compiled with other versions of the API than this library, in
// which structures have fewer fields or more. What has more is taken as it is;
// what has fewer is copied into a whole one, with zeros, and back.
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/plugin.h"
#include "xlac/pjrt/profiler.h"

#include <string.h>

/// Looks at the arguments of a call, of which `needed` bytes must be there.
/// Makes a whole copy of them if `args`, whose first field is its size, has
/// fewer than the `size` bytes that this version has.
static PJRT_Error *begin(const char *name, size_t needed, size_t size,
                         const void *args, void *whole) {
  if (!args)
    return xlaPjrtInvalid("%s: the arguments are NULL", name);
  size_t given;
  memcpy(&given, args, sizeof given);
  if (given < needed)
    return xlaPjrtInvalid("%s: the arguments have %zu bytes, must have %zu; "
                          "the caller is of another version of PJRT's C API",
                          name, given, needed);
  if (given < size) {
    memset(whole, 0, size);
    memcpy(whole, args, given);
  }
  return NULL;
}

/// What becomes of a function in a forked process, as api.def says.
typedef enum Forked { Looks, Uses, Ends } Forked;

#define PJRT_ENTER(name, Args, function, forked, object, last)                 \
  Args whole;                                                                  \
  PJRT_Error *error =                                                          \
      begin(#name, PJRT_SIZE_UP_TO(Args, last), sizeof whole, args, &whole);   \
  if (error)                                                                   \
    return error;                                                              \
  bool isShort = args->struct_size < sizeof whole;                             \
  Args *given = isShort ? &whole : args;                                       \
  if (!given->object)                                                          \
    return xlaPjrtInvalid(#name ": the " #object " is NULL");                  \
  if (forked != Looks && xlaPjrtIsForked())                                    \
    return forked == Ends ? NULL : xlaPjrtRefuseForked(#name);                 \
  error = function(given);                                                     \
  if (isShort)                                                                 \
    memcpy(args, &whole, args->struct_size);                                   \
  return error;

#define PJRT_ERROR_FUNCTION(name, last, fields)                                \
  static void call_##name(PJRT_##name##_Args *args) {                          \
    if (args &&                                                                \
        args->struct_size >= PJRT_SIZE_UP_TO(PJRT_##name##_Args, last))        \
      xlaPjrt_##name(args);                                                    \
  }
#define PJRT_FUNCTION(name, forked, object, last, fields)                      \
  static PJRT_Error *call_##name(PJRT_##name##_Args *args) {                   \
    PJRT_ENTER(PJRT_##name, PJRT_##name##_Args, xlaPjrt_##name, forked,        \
               object, last)                                                   \
  }
#include "xlac/pjrt/api.def"

#define PJRT_LAYOUTS_FUNCTION(name, object, last, fields)                      \
  static PJRT_Error *callLayouts_##name(PJRT_Layouts_##name##_Args *args) {    \
    PJRT_ENTER(PJRT_Layouts_##name, PJRT_Layouts_##name##_Args,                \
               xlaPjrt_##name, Looks, object, last)                            \
  }
#include "xlac/pjrt/layouts.def"

#define PJRT_SHARDINGS_FUNCTION(name, object, last, fields)                    \
  static PJRT_Error *callShardings_##name(                                     \
      PJRT_Shardings_##name##_Args *args) {                                    \
    PJRT_ENTER(PJRT_Shardings_##name, PJRT_Shardings_##name##_Args,            \
               xlaPjrt_##name, Looks, object, last)                            \
  }
#include "xlac/pjrt/shardings.def"

static PJRT_Shardings_Extension shardings = {
    .base = {sizeof shardings, PJRT_Extension_Type_Shardings, NULL},
#define PJRT_SHARDINGS_FUNCTION(name, object, last, fields)                    \
  .PJRT_Shardings_##name = callShardings_##name,
#include "xlac/pjrt/shardings.def"
};

PJRT_Layouts_Extension xlaPjrtLayouts = {
    .base = {sizeof xlaPjrtLayouts, PJRT_Extension_Type_Layouts,
             &shardings.base},
#define PJRT_LAYOUTS_FUNCTION(name, object, last, fields)                      \
  .PJRT_Layouts_##name = callLayouts_##name,
#include "xlac/pjrt/layouts.def"
};

// Of the other library, whose clients are of Vulkan where they do not say.
static PJRT_Error *callVulkan_Client_Create(PJRT_Client_Create_Args *args) {
  PJRT_ENTER(PJRT_Client_Create, PJRT_Client_Create_Args,
             xlaPjrtVulkan_Client_Create, Uses, struct_size, client)
}
static PJRT_Error *callVulkan_TopologyDescription_Create(
    PJRT_TopologyDescription_Create_Args *args) {
  PJRT_ENTER(
      PJRT_TopologyDescription_Create, PJRT_TopologyDescription_Create_Args,
      xlaPjrtVulkan_TopologyDescription_Create, Uses, struct_size, topology)
}

static const PJRT_Api table = {
    .struct_size = sizeof table,
    .extension_start = &xlaPjrtProfilers[XlaPjrtPlatformCpu].base,
    .pjrt_api_version = {.struct_size = sizeof(PJRT_Api_Version),
                         .major_version = PJRT_API_MAJOR,
                         .minor_version = PJRT_API_MINOR},
#define PJRT_ERROR_FUNCTION(name, last, fields) .PJRT_##name = call_##name,
#define PJRT_FUNCTION(name, forked, object, last, fields)                      \
  .PJRT_##name = call_##name,
#include "xlac/pjrt/api.def"
};

static PJRT_Api vulkanTable;

static void makeVulkanTable(void) {
  vulkanTable = table;
  vulkanTable.extension_start = &xlaPjrtProfilers[XlaPjrtPlatformVulkan].base;
  vulkanTable.PJRT_Client_Create = callVulkan_Client_Create;
  vulkanTable.PJRT_TopologyDescription_Create =
      callVulkan_TopologyDescription_Create;
}

const PJRT_Api *GetPjrtApi(void) { return &table; }

const PJRT_Api *xlaPjrtGetVulkanApi(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, makeVulkanTable);
  return &vulkanTable;
}

//===----------------------------------------------------------------------===//
// The plugin
//===----------------------------------------------------------------------===//

PJRT_Error *xlaPjrt_Plugin_Initialize(PJRT_Plugin_Initialize_Args *args) {
  return NULL;
}

PJRT_Error *xlaPjrt_Plugin_Attributes(PJRT_Plugin_Attributes_Args *args) {
  // Callers write artifacts of StableHLO for the current version, or for their
  // own where that is older. Version 2 of "xla" is that of programs in MLIR.
  static const int64_t current[3] = {1, 17, 0}, minimum[3] = {0, 9, 0};
#define NAMED(text)                                                            \
  .struct_size = PJRT_SIZE_UP_TO(PJRT_NamedValue, value_size), .name = (text), \
  .name_size = sizeof(text) - 1
  static const PJRT_NamedValue attributes[] = {
      {NAMED("xla_version"), .type = PJRT_NamedValue_kInt64, .int64_value = 2,
       .value_size = 1},
      {NAMED("stablehlo_current_version"), .type = PJRT_NamedValue_kInt64List,
       .int64_array_value = current, .value_size = 3},
      {NAMED("stablehlo_minimum_version"), .type = PJRT_NamedValue_kInt64List,
       .int64_array_value = minimum, .value_size = 3},
  };
#undef NAMED
  args->attributes = attributes;
  args->num_attributes = sizeof attributes / sizeof *attributes;
  return NULL;
}

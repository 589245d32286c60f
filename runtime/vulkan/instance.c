//===- instance.c - The connection to Vulkan ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/device_internal.h"

#include <stdlib.h>
#include <string.h>

static const char validationLayer[] = "VK_LAYER_KHRONOS_validation";

static VKAPI_ATTR VkBool32 VKAPI_CALL
onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
          VkDebugUtilsMessageTypeFlagsEXT types,
          const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
  XlaVulkanInstance *instance = user;
  atomic_fetch_add(&instance->messageCount, 1);
  const XlaVulkanOptions *options = instance->options;
  if (options->message)
    options->message(data->pMessage ? data->pMessage : "", options->user);
  return VK_FALSE;
}

/// The extensions of the loader, its drivers and implicit layers, or of one
/// layer.
typedef struct Extensions {
  uint32_t n;
  VkExtensionProperties list[256];
} Extensions;

/// A list that cannot be had counts as empty. Asks once: each time the loader
/// loads all drivers.
static void listExtensions(const XlaVulkanApi *api, const char *layer,
                           Extensions *extensions) {
  extensions->n = sizeof extensions->list / sizeof *extensions->list;
  if (api->EnumerateInstanceExtensionProperties(layer, &extensions->n,
                                                extensions->list) < 0)
    extensions->n = 0;
}

static bool hasExtension(const Extensions *extensions, const char *name) {
  for (uint32_t i = 0; i < extensions->n; ++i)
    if (!strcmp(extensions->list[i].extensionName, name))
      return true;
  return false;
}

/// NOT_FOUND, with the package that has it, if the layer is not installed.
static XlaStatus checkLayer(const XlaVulkanApi *api, const char *name) {
  uint32_t n = 0;
  VkResult result = api->EnumerateInstanceLayerProperties(&n, NULL);
  VkLayerProperties *list = calloc(n ? n : 1, sizeof *list);
  if (!list)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for a list of %u layers", n);
  if (result >= 0)
    result = api->EnumerateInstanceLayerProperties(&n, list);
  bool found = false;
  for (uint32_t i = 0; result >= 0 && i < n && !found; ++i)
    found = !strcmp(list[i].layerName, name);
  free(list);
  if (result < 0)
    return xlaVulkanFail(result, "Vulkan's layers cannot be listed");
  return found ? NULL
               : xlaStatusCreate(XLA_STATUS_NOT_FOUND,
                                 "the layer %s is not installed (on Debian the "
                                 "package vulkan-validationlayers)",
                                 name);
}

static XlaStatus checkVersion(const XlaVulkanApi *api) {
  uint32_t version = 0;
  VkResult result = api->EnumerateInstanceVersion(&version);
  if (result < 0)
    return xlaVulkanFail(result, "the Vulkan loader does not give its version");
  // A loader of 1.1 passes what it does not know on to the driver.
  if (version < VK_API_VERSION_1_1)
    return xlaStatusCreate(
        XLA_STATUS_UNIMPLEMENTED,
        "the Vulkan loader has version %u.%u, and 1.1 is the oldest that can "
        "be used",
        VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version));
  return NULL;
}

/// Creates the VkInstance with the extensions that it can use. `layer` is that
/// of the validation, or NULL; `general` and `layered` are the extensions.
static XlaStatus create(XlaVulkanInstance *instance, const char *layer,
                        const Extensions *general, const Extensions *layered) {
  const XlaVulkanApi *api = &instance->api;
  const char *extensions[3];
  uint32_t n = 0;
  VkInstanceCreateFlags flags = 0;
  instance->hasDebugUtils =
      hasExtension(general, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) ||
      hasExtension(layered, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  if (instance->hasDebugUtils)
    extensions[n++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  if (hasExtension(general, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME)) {
    extensions[n++] = VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME;
    flags = VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
  }
  bool synchronization =
      hasExtension(layered, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
  const XlaVulkanOptions *options = instance->options;
  if (layer && !synchronization && options->message)
    options->message("the installed layer is without synchronization checks",
                     options->user);
  if (synchronization)
    extensions[n++] = VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME;

  VkValidationFeatureEnableEXT enable =
      VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT features = {
      .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
      .enabledValidationFeatureCount = 1,
      .pEnabledValidationFeatures = &enable};
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .pApplicationName = "xlac",
                                   .pEngineName = "xlac",
                                   .apiVersion = VK_API_VERSION_1_3};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                               .pNext = synchronization ? &features : NULL,
                               .flags = flags,
                               .pApplicationInfo = &application,
                               .enabledLayerCount = layer ? 1 : 0,
                               .ppEnabledLayerNames = &layer,
                               .enabledExtensionCount = n,
                               .ppEnabledExtensionNames = extensions};
  VkResult result = api->CreateInstance(&info, NULL, &instance->handle);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
    return xlaStatusCreate(
        XLA_STATUS_NOT_FOUND,
        "no Vulkan driver was found: install the one of the graphics card; on "
        "Debian the package mesa-vulkan-drivers also has one that needs no "
        "card");
  return result < 0 ? xlaVulkanFail(result, "Vulkan cannot be started") : NULL;
}

static XlaStatus createMessenger(XlaVulkanInstance *instance) {
  const XlaVulkanApi *api = &instance->api;
  if (!instance->hasDebugUtils || !api->CreateDebugUtilsMessengerEXT ||
      !api->DestroyDebugUtilsMessengerEXT)
    return xlaStatusCreate(XLA_STATUS_UNIMPLEMENTED,
                           "the validation layer cannot report: there is no "
                           "extension VK_EXT_debug_utils");
  VkDebugUtilsMessengerCreateInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                     VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
      .pfnUserCallback = onMessage,
      .pUserData = instance};
  VkResult result = api->CreateDebugUtilsMessengerEXT(
      instance->handle, &info, NULL, &instance->messenger);
  return result < 0
             ? xlaVulkanFail(result, "the validation layer cannot report")
             : NULL;
}

static XlaStatus start(XlaVulkanInstance *instance, bool validate) {
  XlaVulkanApi *api = &instance->api;
  XLA_RETURN_IF_ERROR(xlaVulkanApiOpen(instance->options, api));
  XLA_RETURN_IF_ERROR(checkVersion(api));
  if (validate)
    XLA_RETURN_IF_ERROR(checkLayer(api, validationLayer));
  XlaVulkanModules before;
  xlaVulkanModulesList(&before);
  Extensions *extensions = calloc(2, sizeof *extensions);
  if (!extensions)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for a list of extensions");
  listExtensions(api, NULL, &extensions[0]);
  if (validate)
    listExtensions(api, validationLayer, &extensions[1]);
  XlaStatus status = create(instance, validate ? validationLayer : NULL,
                            &extensions[0], &extensions[1]);
  free(extensions);
  XLA_RETURN_IF_ERROR(status);
  XLA_RETURN_IF_ERROR(xlaVulkanApiLoadInstance(api, instance->handle));
  xlaVulkanModulesKeep(&before);
  return validate ? createMessenger(instance) : NULL;
}

XlaStatus xlaVulkanInstanceCreate(const XlaVulkanOptions *options,
                                  XlaVulkanInstance *instance) {
  *instance = (XlaVulkanInstance){.options = options};
  XlaStatus status = start(instance, options->validate);
  if (status)
    xlaVulkanInstanceDestroy(instance);
  return status;
}

int64_t xlaVulkanInstanceDestroy(XlaVulkanInstance *instance) {
  const XlaVulkanApi *api = &instance->api;
  if (instance->messenger)
    api->DestroyDebugUtilsMessengerEXT(instance->handle, instance->messenger,
                                       NULL);
  if (instance->handle && api->DestroyInstance)
    api->DestroyInstance(instance->handle, NULL);
  xlaVulkanApiClose(&instance->api);
  int64_t messages = atomic_load(&instance->messageCount);
  *instance = (XlaVulkanInstance){0};
  return messages;
}

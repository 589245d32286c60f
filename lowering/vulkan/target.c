//===- target.c - The Vulkan device of a module ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/target.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/passes/target.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

bool xlaVulkanIsTarget(MlirOperation module) {
  return !mlirAttributeIsNull(xlaTargetGetDevice(module));
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// All features that this project uses but those of 64 bits.
static XlaVulkanInfo describe(const char *name, XlaVulkanKind kind,
                              uint32_t subgroup, uint32_t invocations,
                              int64_t shared, uint32_t bindings, int64_t range,
                              int64_t alignment, bool i64, bool f64) {
  XlaVulkanInfo info = {
      .driver = "no driver",
      .kind = kind,
      .apiVersion = (1u << 22) | (4u << 12), // without the loops' limit
      .f16 = true,
      .f64 = f64,
      .i8 = true,
      .i16 = true,
      .i64 = i64,
      .storage8 = true,
      .storage16 = true,
      .addresses = i64,
      .denormPreserve16 = true,
      .denormPreserve32 = true,
      .denormPreserve64 = f64,
      .signedZeroInfNan16 = true,
      .signedZeroInfNan32 = true,
      .signedZeroInfNan64 = f64,
      .roundToEven16 = true,
      .roundToEven32 = true,
      .roundToEven64 = f64,
      .subgroupSize = subgroup,
      .subgroupArithmetic = true,
      .subgroupBallot = true,
      .subgroupShuffle = true,
      .maxGroupCount = {65535, 65535, 65535},
      .maxGroupSize = {invocations, invocations, 64},
      .maxGroupInvocations = invocations,
      .sharedBytes = shared,
      .maxBindings = bindings,
      .maxBufferRange = range,
      .maxElements = INT32_MAX,
      .maxAllocation = range > INT64_C(1) << 30 ? range : INT64_C(1) << 30,
      .offsetAlignment = alignment,
      .memoryBytes = INT64_C(1) << 33,
  };
  snprintf(info.name, sizeof info.name, "%s", name);
  return info;
}

static bool findDevice(MlirStringRef name, XlaVulkanInfo *info) {
  const XlaVulkanInfo all[] = {
#define XLA_VULKAN_TARGET(name, kind, subgroup, invocations, shared, bindings, \
                          range, alignment, i64, f64, description)             \
  describe(name, XlaVulkanKind##kind, subgroup, invocations, shared, bindings, \
           range, alignment, i64, f64),
#include "xlac/lowering/vulkan/targets.def"
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (mlirStringRefEqual(name, str(all[i].name))) {
      *info = all[i];
      return true;
    }
  return false;
}

static const char knownDevices[] =
#define XLA_VULKAN_TARGET(name, kind, subgroup, invocations, shared, bindings, \
                          range, alignment, i64, f64, description)             \
  " " name
#include "xlac/lowering/vulkan/targets.def"
    ;

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// Sets the limit of that name; false if there is none, or not that much.
static bool setLimit(XlaVulkanInfo *info, MlirStringRef key, int64_t value) {
  if (value < 1)
    return false;
  if (mlirStringRefEqual(key, str("subgroup"))) {
    info->subgroupSize = (uint32_t)value;
    return value <= 128 && !(value & (value - 1));
  }
  if (mlirStringRefEqual(key, str("invocations"))) {
    info->maxGroupInvocations = (uint32_t)value;
    info->maxGroupSize[0] = info->maxGroupSize[1] = (uint32_t)value;
    info->maxGroupSize[2] = value < 64 ? (uint32_t)value : 64;
    return value <= 1024;
  }
  if (mlirStringRefEqual(key, str("bindings"))) {
    info->maxBindings = (uint32_t)value;
    return value <= 64;
  }
  if (mlirStringRefEqual(key, str("shared"))) {
    info->sharedBytes = value;
    return value <= 1 << 20;
  }
  if (mlirStringRefEqual(key, str("elements"))) {
    info->maxElements = value;
    return value <= INT32_MAX;
  }
  if (mlirStringRefEqual(key, str("allocation"))) {
    info->maxAllocation = value;
    return value >= 256;
  }
  info->maxBufferRange = value;
  return mlirStringRefEqual(key, str("range")) && value <= UINT32_MAX;
}

static MlirLogicalResult wrongLimit(MlirOperation module, MlirStringRef key) {
  return xlaOpInvalid(
      module, NULL,
      "has a target with the limit %.*s; there are subgroup (a power of two up "
      "to 128), invocations (up to 1024), shared (bytes, up to 2^20), bindings "
      "(up to 64), range (bytes, below 2^32), allocation (bytes, at least 256) "
      "and elements "
      "(below 2^31)",
      (int)(key.length < 100 ? key.length : 100), key.data);
}

MlirLogicalResult xlaVulkanTargetFromModule(MlirOperation module,
                                            XlaVulkanInfo *info) {
  MlirAttribute target =
      mlirOperationGetAttributeByName(module, str(XLA_TARGET_ATTRIBUTE));
  MlirAttribute device = xlaTargetGetDevice(module);
  MlirStringRef name = str("");
  if (!mlirAttributeIsNull(device) && mlirAttributeIsAString(device))
    name = mlirStringAttrGetValue(device);
  if (!findDevice(name, info))
    return xlaOpInvalid(
        module, NULL,
        "has no Vulkan device '%.*s' for a target; known are%s, and "
        "--xla-attach-target=device=NAME names one",
        (int)(name.length < 100 ? name.length : 100), name.data, knownDevices);
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(target); ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(target, i);
    MlirStringRef key = mlirIdentifierStr(entry.name);
    if (mlirStringRefEqual(key, str("device")))
      continue;
    if (!mlirAttributeIsAInteger(entry.attribute) ||
        !mlirTypeEqual(
            mlirAttributeGetType(entry.attribute),
            mlirIntegerTypeGet(mlirOperationGetContext(module), 64)) ||
        !setLimit(info, key, mlirIntegerAttrGetValueInt(entry.attribute)))
      return wrongLimit(module, key);
  }
  return mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// Attaching
//===----------------------------------------------------------------------===//

MlirLogicalResult xlaVulkanTargetAttach(MlirOperation module,
                                        MlirStringRef device,
                                        MlirStringRef limits) {
  enum { maxLimits = 16 };
  MlirContext context = mlirOperationGetContext(module);
  MlirNamedAttribute entries[1 + maxLimits] = {
      mlirNamedAttributeGet(mlirIdentifierGet(context, str("device")),
                            mlirStringAttrGet(context, device))};
  int n = 1;
  while (limits.length) {
    const char *comma = memchr(limits.data, ',', limits.length);
    MlirStringRef part = {limits.data, comma ? (size_t)(comma - limits.data)
                                             : limits.length};
    const char *sign = memchr(part.data, '=', part.length);
    MlirStringRef key = {part.data,
                         sign ? (size_t)(sign - part.data) : part.length};
    char digits[24] = "", *end = digits;
    size_t length = sign ? part.length - key.length - 1 : 0;
    if (length && length < sizeof digits)
      memcpy(digits, sign + 1, length);
    long long value = strtoll(digits, &end, 10);
    bool isTaken = n > maxLimits || !key.length;
    for (int i = 0; i < n && !isTaken; ++i)
      isTaken = mlirStringRefEqual(mlirIdentifierStr(entries[i].name), key);
    if (isTaken || !*digits || *end)
      return wrongLimit(module, part);
    entries[n++] = mlirNamedAttributeGet(mlirIdentifierGet(context, key),
                                         xlaIrI64Attr(context, value));
    limits.data += part.length + (comma != NULL);
    limits.length -= part.length + (comma != NULL);
  }
  mlirOperationSetAttributeByName(module, str(XLA_TARGET_ATTRIBUTE),
                                  mlirDictionaryAttrGet(context, n, entries));
  return mlirLogicalResultSuccess();
}

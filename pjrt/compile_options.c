//===- compile_options.c - What a caller asks of a compilation ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of XLA's CompileOptionsProto only what programs of one device can heed is
// read. Numbers of fields are those of xla/pjrt/proto/compile_options.proto and
// xla/xla_data.proto.
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/proto.h"
#include "xlac/pjrt/internal.h"

#include <stdlib.h>
#include <string.h>

enum {
  COMPILE_OPTIONS_BUILD_OPTIONS = 3,
  BUILD_OPTIONS_DEVICE_ORDINAL = 1,
  BUILD_OPTIONS_NUM_REPLICAS = 4,
  BUILD_OPTIONS_NUM_PARTITIONS = 5,
  BUILD_OPTIONS_DEVICE_ASSIGNMENT = 9,
  ASSIGNMENT_REPLICA_COUNT = 1,
  ASSIGNMENT_COMPUTATION_COUNT = 2,
  ASSIGNMENT_COMPUTATION_DEVICES = 3,
  COMPUTATION_DEVICES_REPLICA_DEVICE_IDS = 1,
};

/// The first number of a list, packed or not; false if it is damaged.
static bool readFirst(MlirStringRef message, int64_t *first) {
  XlaHloField field;
  XlaHloWire wire = xlaHloWireOf(message);
  bool isFound = false;
  while (!isFound && xlaHloWireNext(&wire, &field)) {
    if (field.number != COMPUTATION_DEVICES_REPLICA_DEVICE_IDS)
      continue;
    uint64_t value = field.value;
    if (field.type == XlaHloWireBytes) {
      XlaHloWire packed = xlaHloWireOf(field.bytes);
      if (packed.at == packed.end)
        continue;
      if (!xlaHloWireReadVarint(&packed, &value))
        return false;
    }
    *first = (int64_t)value;
    isFound = true;
  }
  return !wire.failed;
}

static bool readAssignment(MlirStringRef message,
                           XlaPjrtCompileOptions *options) {
  XlaHloField field;
  XlaHloWire wire = xlaHloWireOf(message);
  bool isFound = false;
  while (xlaHloWireNext(&wire, &field))
    if (field.number == ASSIGNMENT_COMPUTATION_DEVICES &&
        field.type == XlaHloWireBytes && !isFound) {
      if (!readFirst(field.bytes, &options->device))
        return false;
      isFound = true;
    }
  return !wire.failed;
}

static bool readBuildOptions(MlirStringRef message,
                             XlaPjrtCompileOptions *options) {
  XlaHloField field;
  XlaHloWire wire = xlaHloWireOf(message);
  int64_t ordinal = -1;
  bool ok = true;
  while (ok && xlaHloWireNext(&wire, &field)) {
    if (field.number == BUILD_OPTIONS_DEVICE_ORDINAL)
      ordinal = xlaHloFieldInteger(&field);
    else if (field.number == BUILD_OPTIONS_NUM_REPLICAS)
      options->nReplicas = xlaHloFieldInteger(&field);
    else if (field.number == BUILD_OPTIONS_NUM_PARTITIONS)
      options->nPartitions = xlaHloFieldInteger(&field);
    else if (field.number == BUILD_OPTIONS_DEVICE_ASSIGNMENT &&
             field.type == XlaHloWireBytes)
      ok = readAssignment(field.bytes, options);
  }
  if (options->device < 0)
    options->device = ordinal;
  return ok && !wire.failed;
}

PJRT_Error *xlaPjrtCompileOptionsRead(const char *bytes, size_t size,
                                      XlaPjrtCompileOptions *options) {
  *options = (XlaPjrtCompileOptions){1, 1, -1};
  if (size && !bytes)
    return xlaPjrtInvalid("the compile options are NULL");
  XlaHloField field;
  XlaHloWire wire = xlaHloWireOf(mlirStringRefCreate(bytes, size));
  bool ok = true;
  while (ok && xlaHloWireNext(&wire, &field))
    if (field.number == COMPILE_OPTIONS_BUILD_OPTIONS &&
        field.type == XlaHloWireBytes)
      ok = readBuildOptions(field.bytes, options);
  if (!ok || wire.failed)
    return xlaPjrtInvalid("the compile options are no CompileOptionsProto");
  if (options->nReplicas > 1 || options->nPartitions > 1)
    return xlaPjrtUnimplemented(
        "the program is for %lld replicas of %lld partitions; programs for "
        "more than one device are not supported yet",
        (long long)options->nReplicas, (long long)options->nPartitions);
  return NULL;
}

//===----------------------------------------------------------------------===//
// The assignment of a program that runs on one device
//===----------------------------------------------------------------------===//

static char *putVarint(char *at, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    *at++ = (char)(value | 0x80);
  *at++ = (char)value;
  return at;
}

/// Appends a field that is a number.
static char *putNumber(char *at, uint32_t field, uint64_t value) {
  at = putVarint(at, (uint64_t)field << 3 | XlaHloWireVarint);
  return putVarint(at, value);
}

static void deleteBytes(PJRT_DeviceAssignmentSerialized *bytes) { free(bytes); }

PJRT_Error *xlaPjrt_LoadedExecutable_GetDeviceAssignment(
    PJRT_LoadedExecutable_GetDeviceAssignment_Args *args) {
  char inner[16];
  char *bytes = malloc(64);
  if (!bytes)
    return xlaPjrtNoMemory();
  char *end = putNumber(inner, COMPUTATION_DEVICES_REPLICA_DEVICE_IDS,
                        (uint64_t)args->executable->device->description->id);
  size_t size = (size_t)(end - inner);
  char *at = putNumber(bytes, ASSIGNMENT_REPLICA_COUNT, 1);
  at = putNumber(at, ASSIGNMENT_COMPUTATION_COUNT, 1);
  at = putVarint(at, ASSIGNMENT_COMPUTATION_DEVICES << 3 | XlaHloWireBytes);
  at = putVarint(at, size);
  memcpy(at, inner, size);
  args->serialized_bytes = bytes;
  args->serialized_bytes_size = (size_t)(at - bytes) + size;
  args->serialized_device_assignment = (PJRT_DeviceAssignmentSerialized *)bytes;
  args->serialized_device_assignment_deleter = deleteBytes;
  return NULL;
}

//===- compile_options.c - What a caller asks of a compilation ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of XLA's CompileOptionsProto only the devices are heeded. Options for XLA's
// own compiler, which have names that begin with xla_, change nothing here;
// others do not exist. Numbers of fields are those of
// xla/pjrt/proto/compile_options.proto and xla/xla_data.proto.
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/proto.h"
#include "xlac/pjrt/bytes.h"
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
  COMPILE_OPTIONS_OVERRIDES = 7, // a map
  OVERRIDE_NAME = 1,
  OVERRIDE_VALUE = 2,
  VALUE_STRING = 1,
};

/// The devices of one partition, by replica. Numbers may be packed.
typedef struct DeviceList {
  int64_t n;
  int64_t *devices; ///< XLA_MAX_DEVICES
} DeviceList;

static bool addDevice(DeviceList *list, uint64_t value) {
  if (list->n == XLA_MAX_DEVICES)
    return false;
  list->devices[list->n++] = (int64_t)value;
  return true;
}

/// False if it is damaged.
static bool readDevices(MlirStringRef message, DeviceList *list) {
  XlaHloField field;
  XlaHloWire wire = xlaHloWireOf(message);
  bool ok = true;
  while (ok && xlaHloWireNext(&wire, &field)) {
    if (field.number != COMPUTATION_DEVICES_REPLICA_DEVICE_IDS)
      continue;
    if (field.type != XlaHloWireBytes) {
      ok = addDevice(list, field.value);
      continue;
    }
    XlaHloWire packed = xlaHloWireOf(field.bytes);
    uint64_t value;
    while (ok && packed.at != packed.end)
      ok = xlaHloWireReadVarint(&packed, &value) && addDevice(list, value);
  }
  return ok && !wire.failed;
}

/// Partition after partition.
static bool readAssignment(MlirStringRef message, DeviceList *list) {
  XlaHloField field;
  XlaHloWire wire = xlaHloWireOf(message);
  bool ok = true;
  list->n = 0;
  while (ok && xlaHloWireNext(&wire, &field))
    if (field.number == ASSIGNMENT_COMPUTATION_DEVICES &&
        field.type == XlaHloWireBytes)
      ok = readDevices(field.bytes, list);
  return ok && !wire.failed;
}

static bool readBuildOptions(MlirStringRef message,
                             XlaPjrtCompileOptions *options, DeviceList *list,
                             int64_t *ordinal) {
  XlaHloField field;
  XlaHloWire wire = xlaHloWireOf(message);
  bool ok = true;
  while (ok && xlaHloWireNext(&wire, &field)) {
    if (field.number == BUILD_OPTIONS_DEVICE_ORDINAL)
      *ordinal = xlaHloFieldInteger(&field);
    else if (field.number == BUILD_OPTIONS_NUM_REPLICAS)
      options->nReplicas = xlaHloFieldInteger(&field);
    else if (field.number == BUILD_OPTIONS_NUM_PARTITIONS)
      options->nPartitions = xlaHloFieldInteger(&field);
    else if (field.number == BUILD_OPTIONS_DEVICE_ASSIGNMENT &&
             field.type == XlaHloWireBytes)
      ok = readAssignment(field.bytes, list);
  }
  return ok && !wire.failed;
}

/// Of these, which JAX's manual names, values are looked at.
static const char *const switches[] = {
    "xla_embed_ir_in_executable", "xla_dump_hlo_as_text",
    "xla_dump_hlo_as_proto", "xla_cpu_enable_fast_math",
    "xla_gpu_enable_triton_gemm"};

/// Whether a value that is text, which may stand for any type, is none of a
/// switch.
static bool isNoSwitch(MlirStringRef name, MlirStringRef value) {
  static const char *const words[] = {"true",  "false", "True",
                                      "False", "1",     "0"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (mlirStringRefEqual(value, mlirStringRefCreateFromCString(words[i])))
      return false;
  for (size_t i = 0; i < sizeof switches / sizeof *switches; ++i)
    if (mlirStringRefEqual(name, mlirStringRefCreateFromCString(switches[i])))
      return true;
  return false;
}

/// An entry of the map. XLA's words for what is wrong.
static PJRT_Error *checkOverride(MlirStringRef entry) {
  MlirStringRef name = {NULL, 0}, value = {NULL, 0};
  bool isText = false;
  XlaHloField field, inner;
  XlaHloWire wire = xlaHloWireOf(entry);
  while (xlaHloWireNext(&wire, &field)) {
    if (field.type != XlaHloWireBytes)
      continue;
    if (field.number == OVERRIDE_NAME)
      name = field.bytes;
    if (field.number != OVERRIDE_VALUE)
      continue;
    XlaHloWire values = xlaHloWireOf(field.bytes);
    while (xlaHloWireNext(&values, &inner))
      if (inner.number == VALUE_STRING && inner.type == XlaHloWireBytes) {
        value = inner.bytes;
        isText = true;
      }
    wire.failed |= values.failed;
  }
  int length = name.length < 100 ? (int)name.length : 100;
  if (wire.failed)
    return xlaPjrtInvalid("the compile options are no CompileOptionsProto");
  if (name.length < 4 || memcmp(name.data, "xla_", 4) != 0)
    return xlaPjrtInvalid("No such compile option: '%.*s'", length, name.data);
  if (isText && isNoSwitch(name, value))
    return xlaPjrtInvalid("While setting option %.*s, '%.*s' is not a valid "
                          "bool value.",
                          length, name.data,
                          value.length < 100 ? (int)value.length : 100,
                          value.data);
  return NULL;
}

/// Puts the devices of partitions in the order of replicas.
static PJRT_Error *place(const DeviceList *list, int64_t ordinal,
                         XlaPjrtCompileOptions *options) {
  int64_t r = options->nReplicas, p = options->nPartitions;
  if (r < 1 || p < 1 || r > XLA_MAX_DEVICES / p)
    return xlaPjrtUnimplemented(
        "the program is for %lld replicas of %lld partitions; there are at "
        "most %d devices",
        (long long)r, (long long)p, XLA_MAX_DEVICES);
  if (list->n && list->n != r * p)
    return xlaPjrtInvalid("%lld devices are assigned to %lld replicas of %lld "
                          "partitions",
                          (long long)list->n, (long long)r, (long long)p);
  for (int64_t i = 0; i < r * p; ++i)
    options->devices[i] = list->n ? list->devices[i % p * r + i / p]
                          : r * p == 1 && ordinal > 0 ? ordinal
                                                      : i;
  return NULL;
}

PJRT_Error *xlaPjrtCompileOptionsRead(const char *bytes, size_t size,
                                      XlaPjrtCompileOptions *options) {
  int64_t devices[XLA_MAX_DEVICES], ordinal = -1;
  DeviceList list = {0, devices};
  options->nReplicas = options->nPartitions = 1;
  if (size && !bytes)
    return xlaPjrtInvalid("the compile options are NULL");
  XlaHloField field;
  XlaHloWire wire = xlaHloWireOf(mlirStringRefCreate(bytes, size));
  bool ok = true;
  while (ok && xlaHloWireNext(&wire, &field)) {
    if (field.type != XlaHloWireBytes)
      continue;
    if (field.number == COMPILE_OPTIONS_BUILD_OPTIONS)
      ok = readBuildOptions(field.bytes, options, &list, &ordinal);
    if (field.number == COMPILE_OPTIONS_OVERRIDES)
      XLA_PJRT_RETURN_IF_ERROR(checkOverride(field.bytes));
  }
  if (!ok || wire.failed)
    return xlaPjrtInvalid("the compile options are no CompileOptionsProto");
  return place(&list, ordinal, options);
}

//===----------------------------------------------------------------------===//
// The assignment of a program
//===----------------------------------------------------------------------===//

static void deleteBytes(PJRT_DeviceAssignmentSerialized *bytes) { free(bytes); }

PJRT_Error *xlaPjrt_LoadedExecutable_GetDeviceAssignment(
    PJRT_LoadedExecutable_GetDeviceAssignment_Args *args) {
  const PJRT_LoadedExecutable *e = args->executable;
  size_t replicas = e->executable->nReplicas;
  size_t partitions = e->executable->nPartitions;
  XlaPjrtBytes bytes = {0};
  xlaPjrtBytesNumber(&bytes, ASSIGNMENT_REPLICA_COUNT, replicas);
  xlaPjrtBytesNumber(&bytes, ASSIGNMENT_COMPUTATION_COUNT, partitions);
  for (size_t p = 0; p < partitions; ++p) {
    XlaPjrtBytes devices = {0};
    for (size_t r = 0; r < replicas; ++r)
      xlaPjrtBytesNumber(
          &devices, COMPUTATION_DEVICES_REPLICA_DEVICE_IDS,
          (uint64_t)e->devices[r * partitions + p]->description->id);
    xlaPjrtBytesMessage(&bytes, ASSIGNMENT_COMPUTATION_DEVICES, &devices);
  }
  if (bytes.failed) {
    free(bytes.data);
    return xlaPjrtNoMemory();
  }
  args->serialized_bytes = (char *)bytes.data;
  args->serialized_bytes_size = bytes.size;
  args->serialized_device_assignment =
      (PJRT_DeviceAssignmentSerialized *)bytes.data;
  args->serialized_device_assignment_deleter = deleteBytes;
  return NULL;
}

//===- memory.c - Memories of devices -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/ir.h"

#include <stdio.h>
#include <string.h>

const char *xlaPjrtMemoryKindName(XlaPjrtMemoryKind kind) {
  static const char *const names[] = {
      [XlaPjrtMemoryKindDevice] = "device",
      [XlaPjrtMemoryKindPinnedHost] = "pinned_host",
      [XlaPjrtMemoryKindUnpinnedHost] = "unpinned_host"};
  _Static_assert(sizeof names / sizeof *names == XlaPjrtMemoryKindCount,
                 "a name for each kind");
  return names[kind];
}

void xlaPjrtMemoriesMake(PJRT_Device *device, size_t i) {
  for (int kind = 0; kind < XlaPjrtMemoryKindCount; ++kind) {
    PJRT_Memory *memory = &device->memory[kind];
    size_t number = i * XlaPjrtMemoryKindCount + (size_t)kind;
    memory->device = device;
    memory->kind = kind;
    memory->id = (int)number;
    snprintf(memory->text, sizeof memory->text, "%s of %s",
             xlaPjrtMemoryKindName(kind), device->description->text);
    device->memories[kind] = memory;
    device->client->memoryList[number] = memory;
  }
}

PJRT_Error *xlaPjrtFindMemory(PJRT_Client *client, PJRT_Device *device,
                              PJRT_Memory *memory, PJRT_Memory **found) {
  if (!memory && device)
    memory = &device->memory[XlaPjrtMemoryKindDevice];
  if (!memory)
    return xlaPjrtInvalid("neither a device nor a memory is given");
  if (memory->device->client != client)
    return xlaPjrtInvalid("%s is a device of another client",
                          memory->device->description->text);
  *found = memory;
  return NULL;
}

bool xlaPjrtMemoryKindOfResult(MlirOperation function, intptr_t result,
                               XlaPjrtMemoryKind *kind) {
  MlirAttribute all = xlaOpGetAttr(function, "res_attrs"), own = {NULL};
  *kind = XlaPjrtMemoryKindDevice;
  if (!mlirAttributeIsNull(all) && mlirAttributeIsAArray(all) &&
      result < mlirArrayAttrGetNumElements(all))
    own = mlirArrayAttrGetElement(all, result);
  if (mlirAttributeIsNull(own) || !mlirAttributeIsADictionary(own))
    return true;
  MlirAttribute said = mlirDictionaryAttrGetElementByName(
      own, mlirStringRefCreateFromCString("mhlo.memory_kind"));
  if (mlirAttributeIsNull(said))
    return true;
  if (!mlirAttributeIsAString(said))
    return false;
  MlirStringRef name = mlirStringAttrGetValue(said);
  for (int i = 0; i < XlaPjrtMemoryKindCount; ++i)
    if (mlirStringRefEqual(
            name, mlirStringRefCreateFromCString(xlaPjrtMemoryKindName(i)))) {
      *kind = i;
      return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

PJRT_Error *xlaPjrt_Memory_Id(PJRT_Memory_Id_Args *args) {
  args->id = args->memory->id;
  return NULL;
}

PJRT_Error *xlaPjrt_Memory_Kind(PJRT_Memory_Kind_Args *args) {
  args->kind = xlaPjrtMemoryKindName(args->memory->kind);
  args->kind_size = strlen(args->kind);
  return NULL;
}

PJRT_Error *xlaPjrt_Memory_Kind_Id(PJRT_Memory_Kind_Id_Args *args) {
  args->kind_id = args->memory->kind;
  return NULL;
}

PJRT_Error *xlaPjrt_Memory_DebugString(PJRT_Memory_DebugString_Args *args) {
  args->debug_string = args->memory->text;
  args->debug_string_size = strlen(args->debug_string);
  return NULL;
}

PJRT_Error *xlaPjrt_Memory_ToString(PJRT_Memory_ToString_Args *args) {
  args->to_string = args->memory->text;
  args->to_string_size = strlen(args->to_string);
  return NULL;
}

PJRT_Error *xlaPjrt_Memory_AddressableByDevices(
    PJRT_Memory_AddressableByDevices_Args *args) {
  const PJRT_Device *device = args->memory->device;
  args->devices = &device->client->deviceList[device->description->id];
  args->num_devices = 1;
  return NULL;
}

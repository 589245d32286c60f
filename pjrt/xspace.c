//===- xspace.c - Profiles as protocol buffers ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// https://github.com/openxla/xla/blob/main/third_party/tsl/tsl/profiler/protobuf/xplane.proto
// A plane a device, a line for each kind of event.
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/profiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Bytes that grow; without memory they stay as they are, and say so.
typedef struct Bytes {
  uint8_t *data;
  size_t size, room;
  bool failed;
} Bytes;

// Numbers of fields.
enum { SpacePlanes = 1, SpaceWarnings = 3 };
enum { PlaneId = 1, PlaneName, PlaneLines, PlaneEvents, PlaneStats };
enum { LineId = 1, LineName, LineTimestamp, LineEvents };
enum { EventMetadata = 1, EventOffset, EventDuration, EventStats };
enum { MetadataId = 1, MetadataName };
enum { MapKey = 1, MapValue };
enum { StatMetadata = 1, StatUint64 = 3 };

/// The only kind of number that events have.
enum { StatBytes = 1 };

static void append(Bytes *bytes, const void *data, size_t size) {
  if (size > bytes->room - bytes->size) {
    size_t room = 2 * (bytes->size + size) + 64;
    uint8_t *grown = bytes->failed ? NULL : realloc(bytes->data, room);
    if (!grown) {
      bytes->failed = true;
      return;
    }
    bytes->data = grown;
    bytes->room = room;
  }
  if (size)
    memcpy(bytes->data + bytes->size, data, size);
  bytes->size += size;
}

static void appendVarint(Bytes *bytes, uint64_t value) {
  uint8_t text[10];
  size_t n = 0;
  for (; value >= 0x80; value >>= 7)
    text[n++] = (uint8_t)(value | 0x80);
  text[n++] = (uint8_t)value;
  append(bytes, text, n);
}

static void appendNumber(Bytes *bytes, unsigned field, uint64_t value) {
  appendVarint(bytes, field << 3);
  appendVarint(bytes, value);
}

static void appendBytes(Bytes *bytes, unsigned field, const void *data,
                        size_t size) {
  appendVarint(bytes, field << 3 | 2);
  appendVarint(bytes, size);
  append(bytes, data, size);
}

static void appendText(Bytes *bytes, unsigned field, const char *text) {
  appendBytes(bytes, field, text, strlen(text));
}

/// A message, which is freed.
static void appendMessage(Bytes *bytes, unsigned field, Bytes *message) {
  appendBytes(bytes, field, message->data, message->size);
  bytes->failed |= message->failed;
  free(message->data);
}

static void appendMetadata(Bytes *plane, unsigned field, uint64_t id,
                           const char *name) {
  Bytes entry = {0}, metadata = {0};
  appendNumber(&metadata, MetadataId, id);
  appendText(&metadata, MetadataName, name);
  appendNumber(&entry, MapKey, id);
  appendMessage(&entry, MapValue, &metadata);
  appendMessage(plane, field, &entry);
}

static uint64_t picoseconds(double milliseconds) {
  return milliseconds > 0 ? (uint64_t)(milliseconds * 1e9) : 0;
}

static void appendSpan(Bytes *line, const XlaPjrtSpan *span) {
  Bytes event = {0};
  appendNumber(&event, EventMetadata, span->name + 1);
  appendNumber(&event, EventOffset, picoseconds(span->begin));
  appendNumber(&event, EventDuration, picoseconds(span->end - span->begin));
  if (span->bytes) {
    Bytes stat = {0};
    appendNumber(&stat, StatMetadata, StatBytes);
    appendNumber(&stat, StatUint64, span->bytes);
    appendMessage(&event, EventStats, &stat);
  }
  appendMessage(line, LineEvents, &event);
}

static void appendLine(Bytes *plane, const XlaPjrtProfile *profile, int device,
                       XlaTraceKind kind) {
  static const char *const names[] = {[XlaTraceKindRun] = "Programs",
                                      [XlaTraceKindFromHost] = "From the host",
                                      [XlaTraceKindToHost] = "To the host",
                                      [XlaTraceKindCompile] = "Compilations"};
  Bytes line = {0};
  bool isEmpty = true;
  appendNumber(&line, LineId, (uint64_t)kind + 1);
  appendText(&line, LineName, names[kind]);
  appendNumber(&line, LineTimestamp, (uint64_t)profile->startNs);
  for (size_t i = 0; i < profile->n; ++i) {
    const XlaPjrtSpan *span = &profile->spans[i];
    if (span->device != device || span->line != (int)kind)
      continue;
    appendSpan(&line, span);
    isEmpty = false;
  }
  if (isEmpty)
    free(line.data);
  else
    appendMessage(plane, PlaneLines, &line);
}

static void appendPlane(Bytes *space, const XlaPjrtProfile *profile,
                        int device) {
  Bytes plane = {0};
  char name[64];
  snprintf(name, sizeof name, "/device:CUSTOM:%s:%d",
           xlaPjrtPlatformName(profile->platform), device);
  appendNumber(&plane, PlaneId, (uint64_t)device + 1);
  appendText(&plane, PlaneName, name);
  for (int kind = 0; kind < XlaTraceKindCount; ++kind)
    appendLine(&plane, profile, device, (XlaTraceKind)kind);
  for (size_t i = 0; i < profile->nNames; ++i)
    appendMetadata(&plane, PlaneEvents, i + 1, profile->names[i]);
  appendMetadata(&plane, PlaneStats, StatBytes, "bytes");
  appendMessage(space, SpacePlanes, &plane);
}

static bool isFirstOf(const XlaPjrtProfile *profile, size_t i) {
  for (size_t k = 0; k < i; ++k)
    if (profile->spans[k].device == profile->spans[i].device)
      return false;
  return true;
}

uint8_t *xlaPjrtProfileWrite(const XlaPjrtProfile *profile, size_t *size) {
  Bytes space = {0};
  int last = -1;
  for (size_t i = 0; i < profile->n; ++i) {
    int device = profile->spans[i].device;
    if (device != last && isFirstOf(profile, i))
      appendPlane(&space, profile, device);
    last = device;
  }
  if (profile->nMissed) {
    char text[80];
    snprintf(text, sizeof text, "%zu events of %s did not fit",
             profile->nMissed, xlaPjrtPlatformName(profile->platform));
    appendText(&space, SpaceWarnings, text);
  }
  *size = space.size;
  if (!space.failed)
    return space.data ? space.data : calloc(1, 1);
  free(space.data);
  return NULL;
}

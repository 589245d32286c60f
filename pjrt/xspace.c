//===- xspace.c - Profiles as protocol buffers ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// https://github.com/openxla/xla/blob/main/third_party/tsl/tsl/profiler/protobuf/xplane.proto
// A plane a device, a line for each kind of event.
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/bytes.h"
#include "xlac/pjrt/profiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void appendText(XlaPjrtBytes *bytes, unsigned field, const char *text) {
  xlaPjrtBytesField(bytes, field, text, strlen(text));
}

static void appendMetadata(XlaPjrtBytes *plane, unsigned field, uint64_t id,
                           const char *name) {
  XlaPjrtBytes entry = {0}, metadata = {0};
  xlaPjrtBytesNumber(&metadata, MetadataId, id);
  appendText(&metadata, MetadataName, name);
  xlaPjrtBytesNumber(&entry, MapKey, id);
  xlaPjrtBytesMessage(&entry, MapValue, &metadata);
  xlaPjrtBytesMessage(plane, field, &entry);
}

static uint64_t picoseconds(double milliseconds) {
  return milliseconds > 0 ? (uint64_t)(milliseconds * 1e9) : 0;
}

static void appendSpan(XlaPjrtBytes *line, const XlaPjrtSpan *span) {
  XlaPjrtBytes event = {0};
  xlaPjrtBytesNumber(&event, EventMetadata, span->name + 1);
  xlaPjrtBytesNumber(&event, EventOffset, picoseconds(span->begin));
  xlaPjrtBytesNumber(&event, EventDuration,
                     picoseconds(span->end - span->begin));
  if (span->bytes) {
    XlaPjrtBytes stat = {0};
    xlaPjrtBytesNumber(&stat, StatMetadata, StatBytes);
    xlaPjrtBytesNumber(&stat, StatUint64, span->bytes);
    xlaPjrtBytesMessage(&event, EventStats, &stat);
  }
  xlaPjrtBytesMessage(line, LineEvents, &event);
}

static void appendLine(XlaPjrtBytes *plane, const XlaPjrtProfile *profile,
                       int device, XlaTraceKind kind) {
  static const char *const names[] = {[XlaTraceKindRun] = "Programs",
                                      [XlaTraceKindFromHost] = "From the host",
                                      [XlaTraceKindToHost] = "To the host",
                                      [XlaTraceKindCompile] = "Compilations"};
  XlaPjrtBytes line = {0};
  bool isEmpty = true;
  xlaPjrtBytesNumber(&line, LineId, (uint64_t)kind + 1);
  appendText(&line, LineName, names[kind]);
  xlaPjrtBytesNumber(&line, LineTimestamp, (uint64_t)profile->startNs);
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
    xlaPjrtBytesMessage(plane, PlaneLines, &line);
}

static void appendPlane(XlaPjrtBytes *space, const XlaPjrtProfile *profile,
                        int device) {
  XlaPjrtBytes plane = {0};
  char name[64];
  snprintf(name, sizeof name, "/device:CUSTOM:%s:%d",
           xlaPjrtPlatformName(profile->platform), device);
  xlaPjrtBytesNumber(&plane, PlaneId, (uint64_t)device + 1);
  appendText(&plane, PlaneName, name);
  for (int kind = 0; kind < XlaTraceKindCount; ++kind)
    appendLine(&plane, profile, device, (XlaTraceKind)kind);
  for (size_t i = 0; i < profile->nNames; ++i)
    appendMetadata(&plane, PlaneEvents, i + 1, profile->names[i]);
  appendMetadata(&plane, PlaneStats, StatBytes, "bytes");
  xlaPjrtBytesMessage(space, SpacePlanes, &plane);
}

static bool isFirstOf(const XlaPjrtProfile *profile, size_t i) {
  for (size_t k = 0; k < i; ++k)
    if (profile->spans[k].device == profile->spans[i].device)
      return false;
  return true;
}

uint8_t *xlaPjrtProfileWrite(const XlaPjrtProfile *profile, size_t *size) {
  XlaPjrtBytes space = {0};
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

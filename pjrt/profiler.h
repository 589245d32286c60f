//===- profiler.h - What devices did, for profilers ---------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sessions of profilers (profiler.c) collect events of all clients of their
// platform, and give them as an XSpace (xspace.c), the protocol buffer of
// TensorBoard's profiler.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PJRT_PROFILER_H
#define XLAC_PJRT_PROFILER_H

#include "xlac/pjrt/internal.h"

/// Whether anybody wants events of the device.
bool xlaPjrtIsTraced(void *device);
/// Gives an event of the device to those who do.
void xlaPjrtTrace(const XlaTraceEvent *event, void *device);

/// Extensions of PJRT's table, of a platform each: that for layouts follows.
extern PJRT_Profiler_Extension xlaPjrtProfilers[XlaPjrtPlatformCount];

//===----------------------------------------------------------------------===//
// Of xspace.c
//===----------------------------------------------------------------------===//

typedef struct XlaPjrtSpan {
  size_t name; ///< index into XlaPjrtProfile's names
  int line;    ///< XlaTraceKind
  int device;
  double begin, end; ///< milliseconds after the start
  size_t bytes;      ///< of a copy
} XlaPjrtSpan;

typedef struct XlaPjrtProfile {
  XlaPjrtPlatform platform;
  int64_t startNs;   ///< since 1970
  size_t n, nMissed; ///< events, and those there was no room for
  XlaPjrtSpan *spans;
  size_t nNames;
  char **names;
} XlaPjrtProfile;

/// The profile as bytes, in memory of the caller's; NULL without memory.
uint8_t *xlaPjrtProfileWrite(const XlaPjrtProfile *profile, size_t *size);

#endif // XLAC_PJRT_PROFILER_H

//===- support.h - What the plugin's tests share ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_PJRT_SUPPORT_H
#define XLAC_TEST_PJRT_SUPPORT_H

#include "xlac/pjrt/plugin.h"
#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Of a group of tests: a client of two devices, and a folder of its own for
/// the user's secret.
int pjrtSetUp(void **state);
int pjrtTearDown(void **state);
extern const PJRT_Api *api;
extern PJRT_Client *client;
extern char folder[];

/// Arguments of a call, which says how it went: CALL(Event_Await, .event = e).
#define ARGS(name, ...)                                                        \
  (&(PJRT_##name##_Args){.struct_size = sizeof(PJRT_##name##_Args),            \
                         __VA_ARGS__})
#define CALL(name, ...) api->PJRT_##name(ARGS(name, __VA_ARGS__))
/// Makes `args` of it, which holds the results, and expects success.
#define GET(args, name, ...)                                                   \
  PJRT_##name##_Args args = {.struct_size = sizeof args, __VA_ARGS__};         \
  expectOk(api->PJRT_##name(&args))

#define INVALID PJRT_Error_Code_INVALID_ARGUMENT

void destroyError(PJRT_Error *error);
void expectOk(PJRT_Error *error);
/// An error of that code, whose message contains `part`.
void expectError(PJRT_Error *error, PJRT_Error_Code code, const char *part);

PJRT_Device *deviceOf(int id);
PJRT_Memory *memoryOf(int id);
/// Until it has happened without an error; destroys it.
void waitFor(PJRT_Event *event);
/// The same, with an error of that code, whose message contains `part`.
void waitForError(PJRT_Event *event, PJRT_Error_Code code, const char *part);

/// An array 2x3xf32.
extern const int64_t dims[2];
extern const float values[6];
PJRT_Buffer *put(const float *data, int device);
void expectValues(PJRT_Buffer *buffer, const float *expected);
void destroy(PJRT_Buffer *buffer);

/// A program that doubles it, and has a second result 3xi32.
extern const char doubled[];
/// Of CompileOptionsProto: build options with the assignment to device 1.
extern const char onDevice1[13];
PJRT_Error *compile(const char *text, size_t size, const char *options,
                    size_t optionsSize, PJRT_LoadedExecutable **executable);
/// Runs it on device 1, to get `factor` times the values.
void expectTimes(PJRT_LoadedExecutable *executable, float factor);

#endif // XLAC_TEST_PJRT_SUPPORT_H

//===- stress.h - What tests of threads and processes share ------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_PJRT_STRESS_H
#define XLAC_TEST_PJRT_STRESS_H

#include "xlac/pjrt/plugin.h"
#include "xlac/test/support/unit.h"

#include <stdatomic.h>

enum { THREADS = 6, ROUNDS = 40, STEPS = 8, SIZE = 64 };

extern const PJRT_Api *api;
extern PJRT_Client *client;
extern atomic_int failures; ///< asserts of cmocka are for the main thread

#define ARGS(name, ...)                                                        \
  (&(PJRT_##name##_Args){.struct_size = sizeof(PJRT_##name##_Args),            \
                         __VA_ARGS__})
#define CALL(name, ...) expect(api->PJRT_##name(ARGS(name, __VA_ARGS__)))

/// Whether there is no error; says it, counts it and destroys it.
bool expect(PJRT_Error *error);

/// Of a group of tests: a client.
int setUp(void **state);
int tearDown(void **state);

PJRT_LoadedExecutable *compileText(const char *text, size_t size);
/// y = x + n and a sum; x is donated where `mark` says so.
PJRT_LoadedExecutable *compile(int n, const char *mark);
PJRT_Buffer *put(const float *values);
/// One run, with two outputs; `done` may be NULL.
void execute(PJRT_LoadedExecutable *executable, PJRT_Buffer *input,
             PJRT_Buffer **outputs, PJRT_Event **done);
void destroy(PJRT_Buffer *buffer);

/// For OnReady; `user` is an atomic_int.
void count(PJRT_Error *error, void *user);
/// Steps that nobody waits for, whose inputs go as soon as they are asked for,
/// in all the ways that there are. Gives how often `counted` will be.
int chain(PJRT_LoadedExecutable *executable, float begin, int step,
          atomic_int *counted);
/// An executable that goes while its runs are asked for gives values or an
/// error.
void *runUntilDeleted(void *executable);

#endif // XLAC_TEST_PJRT_STRESS_H

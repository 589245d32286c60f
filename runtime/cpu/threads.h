//===- threads.h - Loops on several threads -----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of all programs of the process. What a loop consists of is
// claimed, not handed out: where other processes have the processors, a thread
// that does not get one claims nothing, and the caller does its part too. The
// barriers of OpenMP wait for such a thread, which takes milliseconds for a
// loop of microseconds.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_CPU_THREADS_H
#define XLAC_RUNTIME_CPU_THREADS_H

#ifdef __cplusplus
extern "C" {
#endif

/// The most parts of a loop, and so the most threads.
enum { XLA_CPU_MAX_THREADS = 1024 };

/// Part `part` of `parts`.
typedef void (*XlaCpuPart)(void *data, int part, int parts);

/// Calls `run` once for each part, 0 to `parts` - 1, on up to as many threads,
/// of which the caller's is one, and returns when all have ended. More than
/// XLA_CPU_MAX_THREADS parts are as many. Parts may not wait for each other:
/// the caller's thread does all where the others are busy, also with another
/// caller's loop, where they could not be made, and in a part of another loop.
/// Threads are made when they are needed first, sleep after a while without
/// work, and last as long as the process. A forked child makes its own.
void xlaCpuParallel(int parts, XlaCpuPart run, void *data);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_CPU_THREADS_H

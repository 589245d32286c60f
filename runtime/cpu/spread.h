//===- spread.h - Threads on processors of their own --------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where other processes have the processors, Linux may leave two threads of a
// loop on the same one: each waits there while the other works, and as both
// wait by handing the processor back and forth, nothing moves them apart. A
// loop of 20 microseconds takes 110 then, call after call.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_CPU_SPREAD_H
#define XLAC_RUNTIME_CPU_SPREAD_H

#ifdef __cplusplus
extern "C" {
#endif

/// What threads of parallel loops call before they begin. One that finds others
/// on its processor a few times in a row goes to any other that it may use, and
/// does not come back unless it meets one there. Costs 20 nanoseconds, a move
/// 50 microseconds; a thread moves once in 10 milliseconds at most.
void xlaCpuSpread(void);

/// Says that this thread is the caller's: it is never moved.
void xlaCpuSpreadStay(void);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_CPU_SPREAD_H

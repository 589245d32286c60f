//===- relax.h - Looking for what happens soon --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that sleeps takes about 10 microseconds to wake up, 50 on a virtual
// machine: what happens sooner is looked for.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_RELAX_H
#define XLAC_RUNTIME_RELAX_H

#include <sched.h>

enum {
  /// Looks before a thread sleeps, 30 to 100 microseconds: the kernels of a
  /// program, and short programs, follow each other in less.
  XLA_LOOKS_AWAKE = 2000,
  /// Looks before the processor is handed on to others in between.
  XLA_LOOKS_HOT = 1000,
};

static inline void xlaPause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// What a thread does after look `look`, which found nothing.
static inline void xlaRelax(int look) {
  if (look >= XLA_LOOKS_HOT && look % 32 == 0)
    sched_yield();
  else
    xlaPause();
}

#endif // XLAC_RUNTIME_RELAX_H

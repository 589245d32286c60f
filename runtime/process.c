//===- process.c - Which process this is ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/process.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_int number;

static void begin(void) { atomic_fetch_add(&number, 1); }

static void listenToForks(void) { (void)pthread_atfork(NULL, NULL, begin); }

int xlaProcessGetNumber(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, listenToForks);
  return atomic_load_explicit(&number, memory_order_relaxed);
}

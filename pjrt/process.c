//===- process.c - Processes that are forked ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A child has the thread that called fork, and locks as they were: one that
// another thread had is never given back. Clients have such threads.
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

static atomic_int nClients;
static atomic_bool isForked;

static void begin(void) {
  if (atomic_load(&nClients))
    atomic_store(&isForked, true);
}

static void listenToForks(void) { (void)pthread_atfork(NULL, NULL, begin); }

void xlaPjrtClientBegins(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, listenToForks);
  atomic_fetch_add(&nClients, 1);
}

void xlaPjrtClientEnds(void) { atomic_fetch_sub(&nClients, 1); }

bool xlaPjrtIsForked(void) {
  return atomic_load_explicit(&isForked, memory_order_relaxed);
}

PJRT_Error *xlaPjrtRefuseForked(const char *name) {
  return xlaPjrtError(PJRT_Error_Code_FAILED_PRECONDITION,
                      "%s: the devices belong to the process that opened them, "
                      "not to one that was forked from it",
                      name);
}

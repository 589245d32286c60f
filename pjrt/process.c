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

#include "xlac/runtime/process.h"

static atomic_int nClients;
static atomic_int owner; ///< the process that has them

void xlaPjrtClientBegins(void) {
  atomic_store(&owner, xlaProcessGetNumber());
  atomic_fetch_add(&nClients, 1);
}

void xlaPjrtClientEnds(void) { atomic_fetch_sub(&nClients, 1); }

bool xlaPjrtIsForked(void) {
  return atomic_load_explicit(&nClients, memory_order_relaxed) &&
         atomic_load_explicit(&owner, memory_order_relaxed) !=
             xlaProcessGetNumber();
}

PJRT_Error *xlaPjrtRefuseForked(const char *name) {
  return xlaPjrtError(PJRT_Error_Code_FAILED_PRECONDITION,
                      "%s: the devices belong to the process that opened them, "
                      "not to one that was forked from it",
                      name);
}

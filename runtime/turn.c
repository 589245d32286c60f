//===- turn.c - Locks of what may run itself ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/turn.h"

#include <stdbool.h>
#include <stddef.h>

struct XlaTurnTaker {
  const XlaTurn *awaited; ///< or NULL
};

/// Of all turns and takers: who waits for whom is seen at one moment.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static _Thread_local XlaTurnTaker own;
static _Thread_local XlaTurnTaker *current; ///< NULL: `own`

XlaTurnTaker *xlaTurnGetTaker(void) { return current ? current : &own; }

void xlaTurnSetTaker(XlaTurnTaker *taker) { current = taker; }

int xlaTurnInit(XlaTurn *turn) {
  turn->holder = NULL;
  turn->depth = 0;
  return pthread_cond_init(&turn->given, NULL);
}

void xlaTurnDestroy(XlaTurn *turn) { pthread_cond_destroy(&turn->given); }

/// Whether who has it waits for the taker, at last. Waiting makes no cycles:
/// each was asked about here. With the lock.
static bool waitsFor(const XlaTurn *turn, const XlaTurnTaker *taker) {
  while (turn && turn->holder && turn->holder != taker)
    turn = turn->holder->awaited;
  return turn && turn->holder == taker;
}

/// With the lock.
static XlaTurnResult take(XlaTurn *turn, XlaTurnTaker *taker) {
  if (turn->holder == taker) {
    ++turn->depth;
    return XlaTurnResultNested;
  }
  while (turn->holder) {
    if (waitsFor(turn, taker))
      return XlaTurnResultCycle;
    taker->awaited = turn;
    pthread_cond_wait(&turn->given, &lock);
    taker->awaited = NULL;
  }
  turn->holder = taker;
  turn->depth = 1;
  return XlaTurnResultFirst;
}

XlaTurnResult xlaTurnTake(XlaTurn *turn) {
  pthread_mutex_lock(&lock);
  XlaTurnResult result = take(turn, xlaTurnGetTaker());
  pthread_mutex_unlock(&lock);
  return result;
}

void xlaTurnGive(XlaTurn *turn) {
  pthread_mutex_lock(&lock);
  if (--turn->depth == 0) {
    turn->holder = NULL;
    pthread_cond_signal(&turn->given);
  }
  pthread_mutex_unlock(&lock);
}

//===- turn.h - Locks of what may run itself ----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run calls functions of the host, which may run other programs, or the same
// one. A turn is a lock that such runs have: whoever asks for one that he has
// gets it once more, and whoever would wait for himself is told so, also where
// others are between, that wait for each other. Any thread may call any of
// these functions, but those that create and destroy.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_TURN_H
#define XLAC_RUNTIME_TURN_H

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Who has turns: a thread, and those that it begins and waits for.
typedef struct XlaTurnTaker XlaTurnTaker;

typedef struct XlaTurn {
  XlaTurnTaker *holder; ///< NULL: nobody
  int depth;            ///< how often he has it
  pthread_cond_t given;
} XlaTurn;

/// 0 or an error as of pthread_cond_init.
int xlaTurnInit(XlaTurn *turn);
/// Nobody has it.
void xlaTurnDestroy(XlaTurn *turn);

typedef enum XlaTurnResult {
  XlaTurnResultFirst,
  XlaTurnResultNested, ///< he had it before
  XlaTurnResultCycle,  ///< he does not get it: who has it waits for him
} XlaTurnResult;

/// Waits until nobody else has it. First and Nested are to be given back.
XlaTurnResult xlaTurnTake(XlaTurn *turn);
void xlaTurnGive(XlaTurn *turn);

/// What is wrong after XlaTurnResultCycle.
#define XLA_TURN_CYCLE                                                         \
  "the program is being run, and that run waits for the one whose function "   \
  "asks for this one: compile it once more for that"

/// The caller, for a thread that it begins and waits for, which says first that
/// it is the same.
XlaTurnTaker *xlaTurnGetTaker(void);
void xlaTurnSetTaker(XlaTurnTaker *taker);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_TURN_H

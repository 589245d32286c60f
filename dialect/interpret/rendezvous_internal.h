//===- rendezvous_internal.h - What a rendezvous knows ------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One lock guards everything. A process that waits is put back to running by
// the one that brings what it waits for, so that the number of running
// processes is exact: when it reaches 0, nobody will ever bring anything.
// Functions are called with the lock.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_RENDEZVOUS_INTERNAL_H
#define XLAC_DIALECT_INTERPRET_RENDEZVOUS_INTERNAL_H

#include "xlac/dialect/interpret/rendezvous.h"

#include "mlir-c/IR.h"
#include "xlac/dialect/result_internal.h"

#include <pthread.h>
#include <stdatomic.h>

typedef enum XlaActivity {
  XlaActivityRunning,
  XlaActivityMeeting,
  XlaActivityParting,
  XlaActivitySending,
  XlaActivityAwaiting,
  XlaActivityFinished,
} XlaActivity;

/// What a process is doing.
typedef struct XlaProcessState {
  XlaProcess place;
  XlaActivity activity;
  MlirOperation op; // that it waits at
  // Meetings:
  int nMembers;
  const int *members;
  const XlaLiteral *const *operands;
  bool met;   // all members are there
  int parted; // of the members, counted at the first
  // Channels:
  struct XlaChannel *channel;
} XlaProcessState;

typedef struct XlaChannelMessage {
  struct XlaChannelMessage *next;
  XlaLiteral *value;
  MlirOperation sender;
} XlaChannelMessage;

typedef struct XlaChannel {
  struct XlaChannel *next;
  int64_t id;
  int place;            // of its ends in their grids; -1: any
  int sender, receiver; // processes; -1: not known yet
  int64_t ready;        // receives that no value was sent to
  XlaChannelMessage *first, *last;
} XlaChannel;

struct XlaRendezvous {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  int nGrids;
  XlaGrid *grids;
  int *firsts; // processes of grids
  int nProcesses, running, finished;
  XlaProcessState *states;
  XlaChannel *channels;
  atomic_bool stopped;
  int failed; // the process that failed first; -1: none
};

/// The number of `process` among all, and of its grid's member `m`.
int xlaProcessMemberOf(const XlaProcess *process, int m);
/// Its number in its grid.
int xlaProcessPlaceOf(const XlaProcess *process);
XlaProcessState *xlaProcessStateOf(const XlaProcess *process);

/// The name of a state's process, for messages; lasts for the statement.
#define XLA_STATE_NAME(state) xlaProcessGetName(&(state)->place).chars

/// Ends the waiting of all, for ever.
void xlaRendezvousStop(XlaRendezvous *r);
/// Until somebody calls xlaRendezvousWake; false if the run was stopped
/// instead.
bool xlaRendezvousWait(XlaRendezvous *r, XlaProcessState *state,
                       XlaActivity activity);
void xlaRendezvousWake(XlaRendezvous *r, XlaProcessState *state);

/// Says whom `state`, which is at a meeting, waits for.
void xlaMeetingReport(const XlaRendezvous *r, const XlaProcessState *state);

#endif // XLAC_DIALECT_INTERPRET_RENDEZVOUS_INTERNAL_H

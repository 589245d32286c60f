//===- rendezvous.c - Where processes of a run meet -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One lock guards everything. A process that waits is put back to running by
// the one that brings what it waits for, so that the number of running
// processes is exact: when it reaches 0, nobody will ever bring anything.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/rendezvous.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/IR.h"
#include "xlac/dialect/result_internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Activity {
  ActivityRunning,
  ActivityMeeting,
  ActivityParting,
  ActivitySending,
  ActivityAwaiting,
  ActivityFinished,
} Activity;

/// What a process is doing.
typedef struct State {
  XlaProcess place;
  Activity activity;
  MlirOperation op; // that it waits at
  // Meetings:
  int nMembers;
  const int *members;
  const XlaLiteral *const *operands;
  bool met;   // all members are there
  int parted; // of the members, counted at the first
  // Channels:
  struct Channel *channel;
} State;

typedef struct Message {
  struct Message *next;
  XlaLiteral *value;
  MlirOperation sender;
} Message;

typedef struct Channel {
  struct Channel *next;
  int64_t id;
  int place;            // of its ends in their grids; -1: any
  int sender, receiver; // processes; -1: not known yet
  int64_t ready;        // receives that no value was sent to
  Message *first, *last;
} Channel;

struct XlaRendezvous {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  int nGrids;
  XlaGrid *grids;
  int *firsts; // processes of grids
  int nProcesses, running, finished;
  State *states;
  Channel *channels;
  atomic_bool stopped;
  int failed; // the process that failed first; -1: none
};

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

XlaRendezvous *xlaRendezvousCreate(int nGrids, const XlaGrid *grids) {
  int64_t n = 0;
  for (int g = 0; g < nGrids; ++g) {
    n += (int64_t)grids[g].replicas * grids[g].partitions;
    if (n > XLA_MAX_PROCESSES)
      return NULL;
  }
  XlaRendezvous *r = calloc(1, sizeof *r);
  if (!r)
    return NULL;
  pthread_mutex_init(&r->mutex, NULL);
  pthread_cond_init(&r->condition, NULL);
  r->nGrids = nGrids;
  r->grids = calloc((size_t)nGrids, sizeof *r->grids);
  r->firsts = calloc((size_t)nGrids, sizeof *r->firsts);
  r->states = calloc((size_t)n, sizeof *r->states);
  if (!r->grids || !r->firsts || !r->states) {
    xlaRendezvousDestroy(r);
    return NULL;
  }
  memcpy(r->grids, grids, (size_t)nGrids * sizeof *grids);
  r->failed = -1;
  for (int g = 0; g < nGrids; ++g) {
    r->firsts[g] = r->nProcesses;
    for (int i = 0; i < grids[g].replicas * grids[g].partitions; ++i)
      r->states[r->nProcesses++].place =
          (XlaProcess){r, g, i / grids[g].partitions, i % grids[g].partitions};
  }
  r->running = r->nProcesses;
  return r;
}

static void destroyChannel(Channel *channel) {
  while (channel->first) {
    Message *next = channel->first->next;
    xlaLiteralRelease(channel->first->value);
    free(channel->first);
    channel->first = next;
  }
  free(channel);
}

void xlaRendezvousDestroy(XlaRendezvous *r) {
  if (!r)
    return;
  while (r->channels) {
    Channel *next = r->channels->next;
    destroyChannel(r->channels);
    r->channels = next;
  }
  pthread_cond_destroy(&r->condition);
  pthread_mutex_destroy(&r->mutex);
  free(r->grids);
  free(r->firsts);
  free(r->states);
  free(r);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

XlaGrid xlaProcessGetGrid(const XlaProcess *process) {
  return process->rendezvous ? process->rendezvous->grids[process->grid]
                             : (XlaGrid){NULL, 1, 1};
}

XlaProcessName xlaProcessGetName(const XlaProcess *process) {
  XlaProcessName name;
  XlaGrid grid = xlaProcessGetGrid(process);
  char partition[40] = "";
  if (grid.partitions > 1)
    snprintf(partition, sizeof partition, ", partition %d", process->partition);
  snprintf(name.chars, sizeof name.chars, "replica %d%s%s%.120s",
           process->replica, partition, grid.name ? " of " : "",
           grid.name ? grid.name : "");
  return name;
}

/// The number of `process` among all, and of its grid's member `m`.
static int memberOf(const XlaProcess *process, int m) {
  return process->rendezvous->firsts[process->grid] + m;
}

static int placeOf(const XlaProcess *process) {
  return process->replica * xlaProcessGetGrid(process).partitions +
         process->partition;
}

static State *stateOf(const XlaProcess *process) {
  return &process->rendezvous->states[memberOf(process, placeOf(process))];
}

#define NAME(state) xlaProcessGetName(&(state)->place).chars

static const char *opName(MlirOperation op) {
  return xlaOpGetInfo(xlaOpGetKind(op))->name;
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

static void stop(XlaRendezvous *r) {
  atomic_store(&r->stopped, true);
  pthread_cond_broadcast(&r->condition);
}

bool xlaProcessIsStopped(const XlaProcess *process) {
  return process->rendezvous && atomic_load(&process->rendezvous->stopped);
}

static MlirType operandType(MlirOperation op, intptr_t i) {
  return mlirValueGetType(mlirOperationGetOperand(op, i));
}

/// In what `a` and `b` differ; an empty text: in nothing.
static void compareOps(const State *a, const State *b, XlaText *difference) {
  char *text = difference->chars;
  size_t size = sizeof difference->chars;
  *text = '\0';
  if (mlirOperationEqual(a->op, b->op))
    return;
  intptr_t n = mlirOperationGetNumOperands(a->op);
  int64_t channels[2] = {xlaOpGetI64(a->op, "channel_id", 0),
                         xlaOpGetI64(b->op, "channel_id", 0)};
  if (xlaOpGetKind(a->op) != xlaOpGetKind(b->op)) {
    snprintf(text, size, "is an 'xla.%s'", opName(b->op));
  } else if (channels[0] != channels[1]) {
    snprintf(text, size, "has channel_id %lld, not %lld",
             (long long)channels[1], (long long)channels[0]);
  } else if (mlirOperationGetNumOperands(b->op) != n) {
    snprintf(text, size, "has %lld operands, not %lld",
             (long long)mlirOperationGetNumOperands(b->op), (long long)n);
  } else if (!mlirAttributeEqual(mlirExtOperationGetInherentAttributes(a->op),
                                 mlirExtOperationGetInherentAttributes(b->op)))
    snprintf(text, size, "has other attributes");
  for (intptr_t i = 0; !*text && i < n; ++i)
    if (!xlaTypeEqualIgnoringLayout(operandType(a->op, i),
                                    operandType(b->op, i)))
      snprintf(text, size, "has %.60s as operand %lld, not %.60s",
               XLA_TYPE_TEXT(operandType(b->op, i)), (long long)i,
               XLA_TYPE_TEXT(operandType(a->op, i)));
}

static bool sameMembers(const State *a, const State *b) {
  return a->nMembers == b->nMembers &&
         !memcmp(a->members, b->members,
                 (size_t)a->nMembers * sizeof *a->members);
}

/// Whether both wait for each other at operations that fit: the same one, or
/// that of another executable.
static bool waitTogether(const State *a, const State *b) {
  XlaText difference;
  if (b->activity != ActivityMeeting || !sameMembers(a, b))
    return false;
  compareOps(a, b, &difference);
  return !*difference.chars;
}

/// Says whom `state` waits for.
static void reportMeeting(const XlaRendezvous *r, const State *state) {
  int first = r->firsts[state->place.grid];
  for (int m = 0; m < state->nMembers; ++m) {
    const State *other = &r->states[first + state->members[m]];
    if (other == state || waitTogether(state, other))
      continue;
    if (other->activity == ActivityFinished)
      xlaOpInvalid(state->op, "deadlock", "of %s waits for %s, which has ended",
                   NAME(state), NAME(other));
    else
      xlaOpInvalid(state->op, "deadlock",
                   "of %s waits for %s, which waits in 'xla.%s'", NAME(state),
                   NAME(other), opName(other->op));
    return;
  }
  xlaOpInvalid(state->op, "deadlock", "of %s waits for others", NAME(state));
}

/// When nobody runs, those who wait do so for ever.
static void checkDeadlock(XlaRendezvous *r) {
  enum { most = 8 };
  if (r->running || r->finished == r->nProcesses || atomic_load(&r->stopped))
    return;
  for (int i = 0, reported = 0; i < r->nProcesses && reported < most; ++i) {
    const State *state = &r->states[i];
    if (state->activity == ActivityFinished)
      continue;
    ++reported;
    if (state->activity == ActivitySending)
      xlaOpInvalid(state->op, "deadlock",
                   "of %s waits for an 'xla.recv' on channel %lld, which does "
                   "not come",
                   NAME(state), (long long)state->channel->id);
    else if (state->activity == ActivityAwaiting)
      xlaOpInvalid(state->op, "deadlock",
                   "of %s waits for an 'xla.send' on channel %lld, which does "
                   "not come",
                   NAME(state), (long long)state->channel->id);
    else
      reportMeeting(r, state);
  }
  stop(r);
}

/// Until somebody calls `wake`; false if the run was stopped instead.
static bool waitAs(XlaRendezvous *r, State *state, Activity activity) {
  state->activity = activity;
  --r->running;
  checkDeadlock(r);
  while (state->activity == activity && !atomic_load(&r->stopped))
    pthread_cond_wait(&r->condition, &r->mutex);
  if (state->activity != activity)
    return true;
  state->activity = ActivityRunning;
  ++r->running;
  return false;
}

static void wake(XlaRendezvous *r, State *state) {
  state->activity = ActivityRunning;
  ++r->running;
  pthread_cond_broadcast(&r->condition);
}

void xlaProcessFinish(const XlaProcess *process, bool hasFailed) {
  XlaRendezvous *r = process->rendezvous;
  if (!r)
    return;
  pthread_mutex_lock(&r->mutex);
  State *state = stateOf(process);
  state->activity = ActivityFinished;
  --r->running;
  ++r->finished;
  if (hasFailed && !atomic_load(&r->stopped)) {
    r->failed = memberOf(process, placeOf(process));
    stop(r);
  }
  checkDeadlock(r);
  pthread_mutex_unlock(&r->mutex);
}

bool xlaRendezvousGetFailed(XlaRendezvous *r, XlaProcess *process) {
  pthread_mutex_lock(&r->mutex);
  bool any = r->failed >= 0;
  if (any)
    *process = r->states[r->failed].place;
  pthread_mutex_unlock(&r->mutex);
  return any;
}

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

static bool expects(const State *state, int member) {
  for (int m = 0; m < state->nMembers; ++m)
    if (state->members[m] == member)
      return true;
  return false;
}

/// Whether `other` waits for `state` at an operation that fits, in `*fits`.
/// Fails if it waits at one that does not.
static MlirLogicalResult compareStates(XlaRendezvous *r, const State *state,
                                       const State *other, bool *fits) {
  XlaText difference;
  *fits = false;
  if (other->activity != ActivityMeeting)
    return success();
  bool same = sameMembers(state, other);
  if (!same && !expects(other, placeOf(&state->place)))
    return success();
  compareOps(state, other, &difference);
  if (!*difference.chars && !same)
    snprintf(difference.chars, sizeof difference.chars, "has other groups");
  *fits = !*difference.chars;
  if (*fits)
    return success();
  xlaOpInvalid(state->op, "meeting", "of %s meets that of %s, which %s",
               NAME(state), NAME(other), difference.chars);
  xlaOpInvalid(other->op, "meeting", "is where %s waits", NAME(other));
  stop(r);
  return failure();
}

/// Whether all members are there, in `*complete`. The first that is not will
/// look at those behind it when it comes.
static MlirLogicalResult checkMembers(XlaRendezvous *r, const State *state,
                                      bool *complete) {
  int first = r->firsts[state->place.grid];
  *complete = true;
  for (int m = 0; m < state->nMembers && *complete; ++m) {
    const State *other = &r->states[first + state->members[m]];
    if (other != state && failed(compareStates(r, state, other, complete)))
      return failure();
  }
  return success();
}

static MlirLogicalResult meet(XlaRendezvous *r, State *state) {
  bool complete;
  if (atomic_load(&r->stopped) || failed(checkMembers(r, state, &complete)))
    return failure();
  if (!complete)
    return waitAs(r, state, ActivityMeeting) ? success() : failure();
  int first = r->firsts[state->place.grid];
  for (int m = 0; m < state->nMembers; ++m) {
    State *other = &r->states[first + state->members[m]];
    other->met = true;
    other->parted = 0;
    if (other != state)
      wake(r, other);
  }
  return success();
}

MlirLogicalResult xlaProcessMeet(const XlaProcess *process, MlirOperation op,
                                 int nMembers, const int *members,
                                 const XlaLiteral *const *operands,
                                 const XlaLiteral *const **all) {
  XlaRendezvous *r = process->rendezvous;
  State *state = stateOf(process);
  pthread_mutex_lock(&r->mutex);
  if (state->met) {
    pthread_mutex_unlock(&r->mutex);
    return xlaOpInvalid(op, "meeting",
                        "is in the computation of another "
                        "operation between replicas");
  }
  state->op = op;
  state->nMembers = nMembers;
  state->members = members;
  state->operands = operands;
  MlirLogicalResult result = meet(r, state);
  for (int m = 0; m < nMembers && !failed(result); ++m)
    all[m] = r->states[memberOf(process, members[m])].operands;
  pthread_mutex_unlock(&r->mutex);
  return result;
}

void xlaProcessPart(const XlaProcess *process) {
  XlaRendezvous *r = process->rendezvous;
  State *state = stateOf(process);
  pthread_mutex_lock(&r->mutex);
  State *first = &r->states[memberOf(process, state->members[0])];
  if (++first->parted == state->nMembers) {
    for (int m = 0; m < state->nMembers; ++m) {
      State *other = &r->states[memberOf(process, state->members[m])];
      other->met = false;
      if (other != state)
        wake(r, other);
    }
  } else {
    // Others still read what this process may be about to free: that the run
    // was stopped does not matter.
    state->activity = ActivityParting;
    --r->running;
    while (state->activity == ActivityParting)
      pthread_cond_wait(&r->condition, &r->mutex);
  }
  pthread_mutex_unlock(&r->mutex);
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

/// The channel `id` of `process`; made if it is not there. NULL without memory.
static Channel *channelOf(const XlaProcess *process, int64_t id) {
  XlaRendezvous *r = process->rendezvous;
  int place = r->nGrids > 1 ? placeOf(process) : -1;
  Channel *channel = r->channels;
  while (channel && !(channel->id == id && channel->place == place))
    channel = channel->next;
  if (channel || !(channel = calloc(1, sizeof *channel)))
    return channel;
  *channel = (Channel){.next = r->channels,
                       .id = id,
                       .place = place,
                       .sender = -1,
                       .receiver = -1};
  r->channels = channel;
  return channel;
}

/// Takes one end of the channel, which others must not have.
static Channel *takeEnd(const XlaProcess *process, MlirOperation op, int64_t id,
                        bool sends) {
  XlaRendezvous *r = process->rendezvous;
  int self = memberOf(process, placeOf(process));
  Channel *channel = channelOf(process, id);
  if (!channel) {
    xlaOpNoMemory(op);
    return NULL;
  }
  int *end = sends ? &channel->sender : &channel->receiver;
  if (*end >= 0 && *end != self) {
    xlaOpInvalid(op, "channel", "of %s uses channel %lld, on which %s %s",
                 NAME(&r->states[self]), (long long)id, NAME(&r->states[*end]),
                 sends ? "sends" : "receives");
    return NULL;
  }
  *end = self;
  State *state = &r->states[self];
  state->op = op;
  state->channel = channel;
  return channel;
}

MlirLogicalResult xlaProcessReceive(const XlaProcess *process, MlirOperation op,
                                    int64_t id) {
  XlaRendezvous *r = process->rendezvous;
  pthread_mutex_lock(&r->mutex);
  Channel *channel = takeEnd(process, op, id, false);
  if (channel) {
    ++channel->ready;
    State *sender = channel->sender >= 0 ? &r->states[channel->sender] : NULL;
    if (sender && sender->activity == ActivitySending &&
        sender->channel == channel)
      wake(r, sender);
  }
  pthread_mutex_unlock(&r->mutex);
  return channel ? success() : failure();
}

static MlirLogicalResult sendLocked(const XlaProcess *process, MlirOperation op,
                                    int64_t id, Message *message) {
  XlaRendezvous *r = process->rendezvous;
  Channel *channel = takeEnd(process, op, id, true);
  if (!channel ||
      (!channel->ready && !waitAs(r, stateOf(process), ActivitySending)))
    return failure();
  --channel->ready;
  if (channel->last && channel->first)
    channel->last->next = message;
  else
    channel->first = message;
  channel->last = message;
  State *receiver = &r->states[channel->receiver];
  if (receiver->activity == ActivityAwaiting && receiver->channel == channel)
    wake(r, receiver);
  return success();
}

MlirLogicalResult xlaProcessSend(const XlaProcess *process, MlirOperation op,
                                 int64_t id, XlaLiteral *value) {
  XlaRendezvous *r = process->rendezvous;
  Message *message = calloc(1, sizeof *message);
  MlirLogicalResult result = failure();
  if (message) {
    message->value = value;
    message->sender = op;
    pthread_mutex_lock(&r->mutex);
    result = sendLocked(process, op, id, message);
    pthread_mutex_unlock(&r->mutex);
  } else {
    xlaOpNoMemory(op);
  }
  if (failed(result)) {
    xlaLiteralRelease(value);
    free(message);
  }
  return result;
}

MlirLogicalResult xlaProcessAwait(const XlaProcess *process, MlirOperation op,
                                  int64_t id, XlaLiteral **value,
                                  MlirOperation *sender) {
  XlaRendezvous *r = process->rendezvous;
  Message *message = NULL;
  pthread_mutex_lock(&r->mutex);
  Channel *channel = takeEnd(process, op, id, false);
  if (channel &&
      (channel->first || waitAs(r, stateOf(process), ActivityAwaiting))) {
    message = channel->first;
    if (message)
      channel->first = message->next;
  }
  pthread_mutex_unlock(&r->mutex);
  if (!message)
    return failure();
  *value = message->value;
  *sender = message->sender;
  free(message);
  return success();
}

//===- rendezvous.c - Where processes of a run meet -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/rendezvous_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void destroyChannel(XlaChannel *channel) {
  while (channel->first) {
    XlaChannelMessage *next = channel->first->next;
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
    XlaChannel *next = r->channels->next;
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

int xlaProcessMemberOf(const XlaProcess *process, int m) {
  return process->rendezvous->firsts[process->grid] + m;
}

int xlaProcessPlaceOf(const XlaProcess *process) {
  return process->replica * xlaProcessGetGrid(process).partitions +
         process->partition;
}

XlaProcessState *xlaProcessStateOf(const XlaProcess *process) {
  return &process->rendezvous
              ->states[xlaProcessMemberOf(process, xlaProcessPlaceOf(process))];
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

void xlaRendezvousStop(XlaRendezvous *r) {
  atomic_store(&r->stopped, true);
  pthread_cond_broadcast(&r->condition);
}

bool xlaProcessIsStopped(const XlaProcess *process) {
  return process->rendezvous && atomic_load(&process->rendezvous->stopped);
}

/// When nobody runs, those who wait do so for ever.
static void checkDeadlock(XlaRendezvous *r) {
  enum { most = 8 };
  if (r->running || r->finished == r->nProcesses || atomic_load(&r->stopped))
    return;
  for (int i = 0, reported = 0; i < r->nProcesses && reported < most; ++i) {
    const XlaProcessState *state = &r->states[i];
    if (state->activity == XlaActivityFinished)
      continue;
    ++reported;
    if (state->activity == XlaActivitySending)
      xlaOpInvalid(state->op, "deadlock",
                   "of %s waits for an 'xla.recv' on channel %lld, which does "
                   "not come",
                   XLA_STATE_NAME(state), (long long)state->channel->id);
    else if (state->activity == XlaActivityAwaiting)
      xlaOpInvalid(state->op, "deadlock",
                   "of %s waits for an 'xla.send' on channel %lld, which does "
                   "not come",
                   XLA_STATE_NAME(state), (long long)state->channel->id);
    else
      xlaMeetingReport(r, state);
  }
  xlaRendezvousStop(r);
}

bool xlaRendezvousWait(XlaRendezvous *r, XlaProcessState *state,
                       XlaActivity activity) {
  state->activity = activity;
  --r->running;
  checkDeadlock(r);
  while (state->activity == activity && !atomic_load(&r->stopped))
    pthread_cond_wait(&r->condition, &r->mutex);
  if (state->activity != activity)
    return true;
  state->activity = XlaActivityRunning;
  ++r->running;
  return false;
}

void xlaRendezvousWake(XlaRendezvous *r, XlaProcessState *state) {
  state->activity = XlaActivityRunning;
  ++r->running;
  pthread_cond_broadcast(&r->condition);
}

void xlaProcessFinish(const XlaProcess *process, bool hasFailed) {
  XlaRendezvous *r = process->rendezvous;
  if (!r)
    return;
  pthread_mutex_lock(&r->mutex);
  XlaProcessState *state = xlaProcessStateOf(process);
  state->activity = XlaActivityFinished;
  --r->running;
  ++r->finished;
  if (hasFailed && !atomic_load(&r->stopped)) {
    r->failed = xlaProcessMemberOf(process, xlaProcessPlaceOf(process));
    xlaRendezvousStop(r);
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

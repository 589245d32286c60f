//===- channels.c - Values from one process to another --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/rendezvous_internal.h"

#include <stdlib.h>

/// The channel `id` of `process`; made if it is not there. NULL without memory.
static XlaChannel *channelOf(const XlaProcess *process, int64_t id) {
  XlaRendezvous *r = process->rendezvous;
  int place = r->nGrids > 1 ? xlaProcessPlaceOf(process) : -1;
  XlaChannel *channel = r->channels;
  while (channel && !(channel->id == id && channel->place == place))
    channel = channel->next;
  if (channel || !(channel = calloc(1, sizeof *channel)))
    return channel;
  *channel = (XlaChannel){.next = r->channels,
                          .id = id,
                          .place = place,
                          .sender = -1,
                          .receiver = -1};
  r->channels = channel;
  return channel;
}

/// Takes one end of the channel, which others must not have.
static XlaChannel *takeEnd(const XlaProcess *process, MlirOperation op,
                           int64_t id, bool sends) {
  XlaRendezvous *r = process->rendezvous;
  int self = xlaProcessMemberOf(process, xlaProcessPlaceOf(process));
  XlaChannel *channel = channelOf(process, id);
  if (!channel) {
    xlaOpNoMemory(op);
    return NULL;
  }
  int *end = sends ? &channel->sender : &channel->receiver;
  if (*end >= 0 && *end != self) {
    xlaOpInvalid(op, "channel", "of %s uses channel %lld, on which %s %s",
                 XLA_STATE_NAME(&r->states[self]), (long long)id,
                 XLA_STATE_NAME(&r->states[*end]),
                 sends ? "sends" : "receives");
    return NULL;
  }
  *end = self;
  XlaProcessState *state = &r->states[self];
  state->op = op;
  state->channel = channel;
  return channel;
}

MlirLogicalResult xlaProcessReceive(const XlaProcess *process, MlirOperation op,
                                    int64_t id) {
  XlaRendezvous *r = process->rendezvous;
  pthread_mutex_lock(&r->mutex);
  XlaChannel *channel = takeEnd(process, op, id, false);
  if (channel) {
    ++channel->ready;
    XlaProcessState *sender =
        channel->sender >= 0 ? &r->states[channel->sender] : NULL;
    if (sender && sender->activity == XlaActivitySending &&
        sender->channel == channel)
      xlaRendezvousWake(r, sender);
  }
  pthread_mutex_unlock(&r->mutex);
  return channel ? success() : failure();
}

static MlirLogicalResult sendLocked(const XlaProcess *process, MlirOperation op,
                                    int64_t id, XlaChannelMessage *message) {
  XlaRendezvous *r = process->rendezvous;
  XlaChannel *channel = takeEnd(process, op, id, true);
  if (!channel ||
      (!channel->ready &&
       !xlaRendezvousWait(r, xlaProcessStateOf(process), XlaActivitySending)))
    return failure();
  --channel->ready;
  if (channel->last && channel->first)
    channel->last->next = message;
  else
    channel->first = message;
  channel->last = message;
  XlaProcessState *receiver = &r->states[channel->receiver];
  if (receiver->activity == XlaActivityAwaiting && receiver->channel == channel)
    xlaRendezvousWake(r, receiver);
  return success();
}

MlirLogicalResult xlaProcessSend(const XlaProcess *process, MlirOperation op,
                                 int64_t id, XlaLiteral *value) {
  XlaRendezvous *r = process->rendezvous;
  XlaChannelMessage *message = calloc(1, sizeof *message);
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
  XlaChannelMessage *message = NULL;
  pthread_mutex_lock(&r->mutex);
  XlaChannel *channel = takeEnd(process, op, id, false);
  if (channel &&
      (channel->first ||
       xlaRendezvousWait(r, xlaProcessStateOf(process), XlaActivityAwaiting))) {
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

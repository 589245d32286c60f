//===- meetings.c - Operations between processes --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/rendezvous_internal.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// What processes wait for
//===----------------------------------------------------------------------===//

static const char *opName(MlirOperation op) {
  return xlaOpGetInfo(xlaOpGetKind(op))->name;
}

static MlirType operandType(MlirOperation op, intptr_t i) {
  return mlirValueGetType(mlirOperationGetOperand(op, i));
}

/// In what `a` and `b` differ; an empty text: in nothing.
static void compareOps(const XlaProcessState *a, const XlaProcessState *b,
                       XlaText *difference) {
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

static bool sameMembers(const XlaProcessState *a, const XlaProcessState *b) {
  return a->nMembers == b->nMembers &&
         !memcmp(a->members, b->members,
                 (size_t)a->nMembers * sizeof *a->members);
}

/// Whether both wait for each other at operations that fit: the same one, or
/// that of another executable.
static bool waitTogether(const XlaProcessState *a, const XlaProcessState *b) {
  XlaText difference;
  if (b->activity != XlaActivityMeeting || !sameMembers(a, b))
    return false;
  compareOps(a, b, &difference);
  return !*difference.chars;
}

void xlaMeetingReport(const XlaRendezvous *r, const XlaProcessState *state) {
  int first = r->firsts[state->place.grid];
  for (int m = 0; m < state->nMembers; ++m) {
    const XlaProcessState *other = &r->states[first + state->members[m]];
    if (other == state || waitTogether(state, other))
      continue;
    if (other->activity == XlaActivityFinished)
      xlaOpInvalid(state->op, "deadlock", "of %s waits for %s, which has ended",
                   XLA_STATE_NAME(state), XLA_STATE_NAME(other));
    else
      xlaOpInvalid(
          state->op, "deadlock", "of %s waits for %s, which waits in 'xla.%s'",
          XLA_STATE_NAME(state), XLA_STATE_NAME(other), opName(other->op));
    return;
  }
  xlaOpInvalid(state->op, "deadlock", "of %s waits for others",
               XLA_STATE_NAME(state));
}

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

static bool expects(const XlaProcessState *state, int member) {
  for (int m = 0; m < state->nMembers; ++m)
    if (state->members[m] == member)
      return true;
  return false;
}

/// Whether `other` waits for `state` at an operation that fits, in `*fits`.
/// Fails if it waits at one that does not.
static MlirLogicalResult compareStates(XlaRendezvous *r,
                                       const XlaProcessState *state,
                                       const XlaProcessState *other,
                                       bool *fits) {
  XlaText difference;
  *fits = false;
  if (other->activity != XlaActivityMeeting)
    return success();
  bool same = sameMembers(state, other);
  if (!same && !expects(other, xlaProcessPlaceOf(&state->place)))
    return success();
  compareOps(state, other, &difference);
  if (!*difference.chars && !same)
    snprintf(difference.chars, sizeof difference.chars, "has other groups");
  *fits = !*difference.chars;
  if (*fits)
    return success();
  xlaOpInvalid(state->op, "meeting", "of %s meets that of %s, which %s",
               XLA_STATE_NAME(state), XLA_STATE_NAME(other), difference.chars);
  xlaOpInvalid(other->op, "meeting", "is where %s waits",
               XLA_STATE_NAME(other));
  xlaRendezvousStop(r);
  return failure();
}

/// Whether all members are there, in `*complete`. The first that is not will
/// look at those behind it when it comes.
static MlirLogicalResult
checkMembers(XlaRendezvous *r, const XlaProcessState *state, bool *complete) {
  int first = r->firsts[state->place.grid];
  *complete = true;
  for (int m = 0; m < state->nMembers && *complete; ++m) {
    const XlaProcessState *other = &r->states[first + state->members[m]];
    if (other != state && failed(compareStates(r, state, other, complete)))
      return failure();
  }
  return success();
}

static MlirLogicalResult meet(XlaRendezvous *r, XlaProcessState *state) {
  bool complete;
  if (atomic_load(&r->stopped) || failed(checkMembers(r, state, &complete)))
    return failure();
  if (!complete)
    return xlaRendezvousWait(r, state, XlaActivityMeeting) ? success()
                                                           : failure();
  int first = r->firsts[state->place.grid];
  for (int m = 0; m < state->nMembers; ++m) {
    XlaProcessState *other = &r->states[first + state->members[m]];
    other->met = true;
    other->parted = 0;
    if (other != state)
      xlaRendezvousWake(r, other);
  }
  return success();
}

MlirLogicalResult xlaProcessMeet(const XlaProcess *process, MlirOperation op,
                                 int nMembers, const int *members,
                                 const XlaLiteral *const *operands,
                                 const XlaLiteral *const **all) {
  XlaRendezvous *r = process->rendezvous;
  XlaProcessState *state = xlaProcessStateOf(process);
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
    all[m] = r->states[xlaProcessMemberOf(process, members[m])].operands;
  pthread_mutex_unlock(&r->mutex);
  return result;
}

void xlaProcessPart(const XlaProcess *process) {
  XlaRendezvous *r = process->rendezvous;
  XlaProcessState *state = xlaProcessStateOf(process);
  pthread_mutex_lock(&r->mutex);
  XlaProcessState *first =
      &r->states[xlaProcessMemberOf(process, state->members[0])];
  if (++first->parted == state->nMembers) {
    for (int m = 0; m < state->nMembers; ++m) {
      XlaProcessState *other =
          &r->states[xlaProcessMemberOf(process, state->members[m])];
      other->met = false;
      if (other != state)
        xlaRendezvousWake(r, other);
    }
  } else {
    // Others still read what this process may be about to free: that the run
    // was stopped does not matter.
    state->activity = XlaActivityParting;
    --r->running;
    while (state->activity == XlaActivityParting)
      pthread_cond_wait(&r->condition, &r->mutex);
  }
  pthread_mutex_unlock(&r->mutex);
}

//===- event.c - Events ---------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include <stdlib.h>

XlaEvent *xlaPjrtEventHappened(XlaStatus status) {
  XlaEvent *event = xlaEventCreate();
  if (event)
    xlaEventSet(event, status);
  else
    xlaStatusDestroy(status);
  return event;
}

PJRT_Error *xlaPjrt_Event_Destroy(PJRT_Event_Destroy_Args *args) {
  xlaEventRelease(xlaPjrtEventGet(args->event));
  return NULL;
}

PJRT_Error *xlaPjrt_Event_IsReady(PJRT_Event_IsReady_Args *args) {
  XlaEvent *event = xlaPjrtEventGet(args->event);
  xlaEventExpect(event);
  args->is_ready = xlaEventHasHappened(event);
  return NULL;
}

PJRT_Error *xlaPjrt_Event_Error(PJRT_Event_Error_Args *args) {
  return xlaPjrtErrorOf(xlaEventGetStatus(xlaPjrtEventGet(args->event)));
}

PJRT_Error *xlaPjrt_Event_Await(PJRT_Event_Await_Args *args) {
  return xlaPjrtErrorOf(xlaEventWait(xlaPjrtEventGet(args->event)));
}

/// Whom to tell.
typedef struct Listener {
  XlaEventListener base;
  PJRT_Event_OnReadyCallback callback;
  void *user;
} Listener;

static void tell(XlaStatus status, void *user) {
  Listener *listener = user;
  listener->callback(xlaPjrtErrorOf(status), listener->user);
}

PJRT_Error *xlaPjrt_Event_OnReady(PJRT_Event_OnReady_Args *args) {
  if (!args->callback)
    return xlaPjrtInvalid("PJRT_Event_OnReady: the callback is NULL");
  XlaEvent *event = xlaPjrtEventGet(args->event);
  // JAX listens to the end of every run, and does not wait for that.
  if (xlaEventIsExpected(event))
    xlaEventLook(event);
  if (xlaEventHasHappened(event)) {
    args->callback(xlaPjrtErrorOf(xlaEventGetStatus(event)), args->user_arg);
    return NULL;
  }
  Listener *listener = malloc(sizeof *listener);
  if (!listener)
    return xlaPjrtNoMemory();
  *listener = (Listener){.base = {.callback = tell,
                                  .user = listener,
                                  .canWait = !xlaEventIsExpected(event)},
                         .callback = args->callback,
                         .user = args->user_arg};
  xlaEventListen(event, &listener->base);
  return NULL;
}

PJRT_Error *xlaPjrt_Event_Create(PJRT_Event_Create_Args *args) {
  XlaEvent *event = xlaEventCreate();
  if (!event)
    return xlaPjrtNoMemory();
  args->event = xlaPjrtEvent(event);
  return NULL;
}

PJRT_Error *xlaPjrt_Event_Set(PJRT_Event_Set_Args *args) {
  XlaEvent *event = xlaPjrtEventGet(args->event);
  if (xlaEventHasHappened(event))
    return xlaPjrtError(PJRT_Error_Code_FAILED_PRECONDITION,
                        "PJRT_Event_Set: the event has been set before");
  xlaEventSet(event, xlaPjrtStatus(args->error_code, args->error_message,
                                   args->error_message_size));
  return NULL;
}

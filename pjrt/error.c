//===- error.c - Errors ---------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct PJRT_Error {
  PJRT_Error_Code code;
  size_t size;
  char *message;
};

static char noMemoryMessage[] = "out of memory";
static PJRT_Error noMemory = {PJRT_Error_Code_RESOURCE_EXHAUSTED,
                              sizeof noMemoryMessage - 1, noMemoryMessage};

PJRT_Error *xlaPjrtNoMemory(void) { return &noMemory; }

PJRT_Error *xlaPjrtError(PJRT_Error_Code code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *message;
  int size = vasprintf(&message, format, arguments);
  va_end(arguments);
  if (size < 0)
    return &noMemory;
  PJRT_Error *error = malloc(sizeof *error);
  if (!error) {
    free(message);
    return &noMemory;
  }
  *error = (PJRT_Error){code, (size_t)size, message};
  return error;
}

//===----------------------------------------------------------------------===//
// Statuses
//===----------------------------------------------------------------------===//

static PJRT_Error_Code codeOf(XlaStatusCode code) {
  switch (code) {
  case XLA_STATUS_OK:
    return PJRT_Error_Code_OK;
  case XLA_STATUS_INVALID_ARGUMENT:
    return PJRT_Error_Code_INVALID_ARGUMENT;
  case XLA_STATUS_NOT_FOUND:
    return PJRT_Error_Code_NOT_FOUND;
  case XLA_STATUS_OUT_OF_MEMORY:
    return PJRT_Error_Code_RESOURCE_EXHAUSTED;
  case XLA_STATUS_UNIMPLEMENTED:
    return PJRT_Error_Code_UNIMPLEMENTED;
  case XLA_STATUS_DEVICE_LOST:
    return PJRT_Error_Code_UNAVAILABLE;
  case XLA_STATUS_DEADLINE_EXCEEDED:
    return PJRT_Error_Code_DEADLINE_EXCEEDED;
  case XLA_STATUS_DATA_LOSS:
    return PJRT_Error_Code_DATA_LOSS;
  case XLA_STATUS_INTERNAL:
    return PJRT_Error_Code_INTERNAL;
  }
  return PJRT_Error_Code_UNKNOWN;
}

PJRT_Error *xlaPjrtErrorOf(XlaStatus status) {
  if (!status)
    return NULL;
  return xlaPjrtError(codeOf(xlaStatusCode(status)), "%s",
                      xlaStatusMessage(status));
}

PJRT_Error *xlaPjrtErrorTake(XlaStatus status) {
  PJRT_Error *error = xlaPjrtErrorOf(status);
  xlaStatusDestroy(status);
  return error;
}

XlaStatus xlaPjrtStatus(PJRT_Error_Code code, const char *message,
                        size_t size) {
  if (code == PJRT_Error_Code_OK)
    return NULL;
  XlaStatusCode found = XLA_STATUS_INTERNAL; // for what xlac has no word
  for (XlaStatusCode i = XLA_STATUS_INVALID_ARGUMENT; i < XLA_STATUS_INTERNAL;
       ++i)
    if (codeOf(i) == code)
      found = i;
  return xlaStatusCreate(found, "%.*s", message ? (int)(size & 0xffff) : 0,
                         message ? message : "");
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

void xlaPjrt_Error_Destroy(PJRT_Error_Destroy_Args *args) {
  if (!args->error || args->error == &noMemory)
    return;
  free(args->error->message);
  free(args->error);
}

void xlaPjrt_Error_Message(PJRT_Error_Message_Args *args) {
  args->message = args->error ? args->error->message : "";
  args->message_size = args->error ? args->error->size : 0;
}

PJRT_Error *xlaPjrt_Error_GetCode(PJRT_Error_GetCode_Args *args) {
  args->code = args->error->code;
  return NULL;
}

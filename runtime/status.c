//===- status.c - What went wrong, in a pointer ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct XlaStatusDetails {
  XlaStatusCode code;
  int line;
  const char *file;
  const char *message; ///< behind the struct, in the same allocation
};

static const struct XlaStatusDetails noMemoryForStatus = {
    XLA_STATUS_OUT_OF_MEMORY, __LINE__, __FILE__,
    "out of memory, also for the message that says where"};

XlaStatus xlaStatusCreateAt(const char *file, int line, XlaStatusCode code,
                            const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  size_t size = length < 0 ? 1 : (size_t)length + 1;
  struct XlaStatusDetails *details = malloc(sizeof *details + size);
  if (details) {
    char *message = (char *)(details + 1);
    message[0] = '\0';
    vsnprintf(message, size, format, again);
    *details = (struct XlaStatusDetails){code, line, file, message};
  }
  va_end(again);
  return details ? details : &noMemoryForStatus;
}

XlaStatus xlaStatusCopy(XlaStatus status) {
  return status
             ? xlaStatusCreateAt(xlaStatusFile(status), xlaStatusLine(status),
                                 xlaStatusCode(status), "%s",
                                 xlaStatusMessage(status))
             : NULL;
}

XlaStatusCode xlaStatusCode(XlaStatus status) {
  return status ? status->code : XLA_STATUS_OK;
}

const char *xlaStatusMessage(XlaStatus status) {
  return status ? status->message : "ok";
}

const char *xlaStatusFile(XlaStatus status) {
  return status ? status->file : "";
}

int xlaStatusLine(XlaStatus status) { return status ? status->line : 0; }

const char *xlaStatusCodeName(XlaStatusCode code) {
  switch (code) {
  case XLA_STATUS_OK:
    return "ok";
  case XLA_STATUS_INVALID_ARGUMENT:
    return "invalid argument";
  case XLA_STATUS_NOT_FOUND:
    return "not found";
  case XLA_STATUS_OUT_OF_MEMORY:
    return "out of memory";
  case XLA_STATUS_UNIMPLEMENTED:
    return "unimplemented";
  case XLA_STATUS_DEVICE_LOST:
    return "device lost";
  case XLA_STATUS_DEADLINE_EXCEEDED:
    return "deadline exceeded";
  case XLA_STATUS_DATA_LOSS:
    return "data loss";
  case XLA_STATUS_INTERNAL:
    return "internal";
  }
  return "unknown code";
}

void xlaStatusDestroy(XlaStatus status) {
  if (status != &noMemoryForStatus)
    free((void *)status);
}

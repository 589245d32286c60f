//===- exit.c - How tools end ---------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/exit.h"

#include "xlac/tools/common/progress.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

XlaToolCode xlaToolError(XlaToolCode code, const char *format, ...) {
  va_list arguments;
  fflush(stdout);
  xlaToolProgressHide();
  fprintf(stderr, "%s: ", program_invocation_short_name);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return code;
}

XlaToolCode xlaToolCodeOf(XlaStatusCode code) {
  switch (code) {
  case XLA_STATUS_OK:
    return XlaToolCodeOk;
  case XLA_STATUS_INVALID_ARGUMENT:
  case XLA_STATUS_NOT_FOUND:
  case XLA_STATUS_DATA_LOSS:
    return XlaToolCodeWrong;
  case XLA_STATUS_OUT_OF_MEMORY:
  case XLA_STATUS_UNIMPLEMENTED:
  case XLA_STATUS_DEADLINE_EXCEEDED:
    return XlaToolCodeRefused;
  case XLA_STATUS_DEVICE_LOST:
  case XLA_STATUS_INTERNAL:
    break;
  }
  return XlaToolCodeFailed;
}

XlaToolCode xlaToolStatusError(XlaStatus status, const char *what) {
  XlaToolCode code = xlaToolCodeOf(xlaStatusCode(status));
  xlaToolError(code, "%s%s%s", what ? what : "", what ? ": " : "",
               xlaStatusMessage(status));
  xlaStatusDestroy(status);
  return code;
}

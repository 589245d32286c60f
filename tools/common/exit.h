//===- exit.h - How tools end ------------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_EXIT_H
#define XLAC_TOOLS_COMMON_EXIT_H

#include "xlac/runtime/status.h"

/// Exit codes of tools, from functions too.
typedef enum XlaToolCode {
  XlaToolCodeOk = 0,
  XlaToolCodeDiffers = 1, ///< a result is not the one that is expected
  XlaToolCodeWrong = 2,   ///< the input or the command line is wrong
  /// Not supported, or more memory or time than there is.
  XlaToolCodeRefused = 3,
  XlaToolCodeFailed = 4, ///< this compiler, or the device, failed
} XlaToolCode;

/// Prints `tool: message` and a newline on stderr, and returns `code`.
XlaToolCode xlaToolError(XlaToolCode code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// The exit code of what ended in a status with `code`.
XlaToolCode xlaToolCodeOf(XlaStatusCode code);

/// Prints `tool: what: message of status`, or without `what` if it is NULL, and
/// destroys `status`. Returns the exit code of it, which must not be OK.
XlaToolCode xlaToolStatusError(XlaStatus status, const char *what);

#endif // XLAC_TOOLS_COMMON_EXIT_H

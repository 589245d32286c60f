//===- status.h - What went wrong, in a pointer -------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the runtime that can fail return an XlaStatus and write their
// outputs last; outputs are zeroed on entry. OK is NULL, so success costs
// nothing and reads `if (status)`.
//
// A status is owned by whoever received it: return it, or destroy it.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_STATUS_H
#define XLAC_RUNTIME_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/// What kind of failure a status is.
typedef enum XlaStatusCode {
  XLA_STATUS_OK,
  XLA_STATUS_INVALID_ARGUMENT,  ///< the caller passed something impossible
  XLA_STATUS_NOT_FOUND,         ///< a file, symbol or device is not there
  XLA_STATUS_OUT_OF_MEMORY,     ///< of the machine, or over a given limit
  XLA_STATUS_UNIMPLEMENTED,     ///< valid, but this version cannot do it
  XLA_STATUS_DEVICE_LOST,       ///< the device stopped answering
  XLA_STATUS_DEADLINE_EXCEEDED, ///< it took longer than was allowed
  XLA_STATUS_DATA_LOSS,         ///< a file is damaged, or reading it failed
  XLA_STATUS_INTERNAL,          ///< a bug in this project
} XlaStatusCode;

/// NULL is OK.
typedef const struct XlaStatusDetails *XlaStatus;

/// A failed status with a printf-style message and the caller's source line.
/// Never gives NULL: without memory for it, gives a fixed OUT_OF_MEMORY status.
#define xlaStatusCreate(code, ...)                                             \
  xlaStatusCreateAt(__FILE__, __LINE__, code, __VA_ARGS__)
XlaStatus xlaStatusCreateAt(const char *file, int line, XlaStatusCode code,
                            const char *format, ...)
    __attribute__((format(printf, 4, 5), returns_nonnull));

/// Another one of the same code and message; OK for OK.
XlaStatus xlaStatusCopy(XlaStatus status);

/// The parts of a status. OK has code XLA_STATUS_OK, the message "ok", the file
/// "" and line 0. Strings live as long as the status.
XlaStatusCode xlaStatusCode(XlaStatus status);
const char *xlaStatusMessage(XlaStatus status);
const char *xlaStatusFile(XlaStatus status);
int xlaStatusLine(XlaStatus status);

/// "invalid argument", "not found", ..; "unknown code" for any other number.
const char *xlaStatusCodeName(XlaStatusCode code);

/// Frees `status`; does nothing for OK.
void xlaStatusDestroy(XlaStatus status);

/// Returns from the enclosing function, which returns an XlaStatus, when
/// `expression` is not OK.
#define XLA_RETURN_IF_ERROR(expression)                                        \
  do {                                                                         \
    XlaStatus xlaStatusOfExpression = (expression);                            \
    if (xlaStatusOfExpression)                                                 \
      return xlaStatusOfExpression;                                            \
  } while (0)

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_STATUS_H

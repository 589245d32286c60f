//===- message.h - Diagnostics become statuses --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to clients. Several threads run programs of one context at once:
// each hears the errors that it makes itself.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CLIENT_MESSAGE_H
#define XLAC_LOWERING_CLIENT_MESSAGE_H

#include "mlir-c/IR.h"
#include "xlac/runtime/status.h"

#include <stdbool.h>

/// The first error of what a thread does.
typedef struct XlaMessage {
  XlaStatusCode code;
  char text[1500];
  struct XlaMessage *outer;
} XlaMessage;

/// From now on messages hear of errors in `context`, as long as it lives.
void xlaMessageAttach(MlirContext context);

/// From here to xlaMessageEnd `message` hears the errors of this thread, and of
/// those that mlirExtRunOnStack makes for it.
void xlaMessageBegin(XlaMessage *message);
/// OK if `done`, or what was heard.
XlaStatus xlaMessageEnd(XlaMessage *message, bool done);

#endif // XLAC_LOWERING_CLIENT_MESSAGE_H

//===- message.c - Diagnostics become statuses ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/message.h"

#include "mlir-c/Diagnostics.h"
#include "xlac/dialect/error.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/dialect/place.h"

#include <stdio.h>

/// "file:3:5: name: ", as far as there are such.
static void appendPlace(MlirLocation location, XlaIrLine *line) {
  XlaPlace place = xlaPlaceGet(location);
  char numbers[48];
  snprintf(numbers, sizeof numbers, ":%d:%d: ", place.line, place.column);
  if (place.file.length) {
    xlaIrLineAppend(place.file, line);
    xlaIrLineAppend(mlirStringRefCreateFromCString(numbers), line);
  }
  if (place.name.length) {
    xlaIrLineAppend(place.name, line);
    xlaIrLineAppend(mlirStringRefCreateFromCString(": "), line);
  }
}

static MlirLogicalResult keep(MlirDiagnostic diagnostic, void *data) {
  (void)data;
  XlaMessage *message = mlirExtGetThreadData();
  if (!message)
    return mlirLogicalResultFailure(); // another handler's
  if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError ||
      message->text[0])
    return mlirLogicalResultSuccess();
  XlaIrLine line = {message->text, sizeof message->text, 0};
  message->code = xlaDiagnosticGetCode(diagnostic);
  appendPlace(xlaDiagnosticGetPlace(diagnostic), &line);
  mlirDiagnosticPrint(diagnostic, xlaIrLineAppend, &line);
  return mlirLogicalResultSuccess();
}

void xlaMessageAttach(MlirContext context) {
  mlirContextAttachDiagnosticHandler(context, keep, NULL, NULL);
}

void xlaMessageBegin(XlaMessage *message) {
  message->outer = mlirExtGetThreadData();
  message->text[0] = 0;
  message->code = XLA_STATUS_OUT_OF_MEMORY;
  mlirExtSetThreadData(message);
}

XlaStatus xlaMessageEnd(XlaMessage *message, bool done) {
  mlirExtSetThreadData(message->outer);
  if (done)
    return NULL;
  return xlaStatusCreate(message->code, "%s",
                         message->text[0] ? message->text : "out of memory");
}

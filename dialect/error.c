//===- error.c - What kind of error a diagnostic is -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/error.h"
#include "xlac/dialect/ir.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/// Names of locations that are kinds of errors begin so.
static const char prefix[] = "xla.error.";

MlirLocation xlaErrorLocation(MlirLocation location, XlaStatusCode code) {
  char name[64];
  snprintf(name, sizeof name, "%s%s", prefix, xlaStatusCodeName(code));
  return mlirLocationNameGet(mlirLocationGetContext(location),
                             mlirStringRefCreateFromCString(name), location);
}

/// The name of a kind around `location`, its first letter; NULL if none.
static const char *kindOf(MlirLocation location, size_t *length) {
  if (!mlirLocationIsAName(location))
    return NULL;
  MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(location));
  if (name.length < sizeof prefix - 1 ||
      memcmp(name.data, prefix, sizeof prefix - 1) != 0)
    return NULL;
  *length = name.length - (sizeof prefix - 1);
  return name.data + sizeof prefix - 1;
}

XlaStatusCode xlaDiagnosticGetCode(MlirDiagnostic diagnostic) {
  size_t length;
  const char *kind = kindOf(mlirDiagnosticGetLocation(diagnostic), &length);
  for (int code = XLA_STATUS_OK; kind && code <= XLA_STATUS_INTERNAL; ++code) {
    const char *text = xlaStatusCodeName((XlaStatusCode)code);
    if (strlen(text) == length && !memcmp(text, kind, length))
      return (XlaStatusCode)code;
  }
  return XLA_STATUS_INTERNAL;
}

MlirLocation xlaDiagnosticGetPlace(MlirDiagnostic diagnostic) {
  size_t length;
  MlirLocation location = mlirDiagnosticGetLocation(diagnostic);
  return kindOf(location, &length) ? mlirLocationNameGetChildLoc(location)
                                   : location;
}

void xlaDiagnosticGetText(MlirDiagnostic diagnostic, char *text, size_t size) {
  XlaIrLine line = {text, size, 0};
  text[0] = 0;
  mlirDiagnosticPrint(diagnostic, xlaIrLineAppend, &line);
}

MlirLogicalResult xlaErrorEmit(MlirLocation location, XlaStatusCode code,
                               const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  mlirEmitError(xlaErrorLocation(location, code), text);
  return mlirLogicalResultFailure();
}

MlirLogicalResult xlaErrorEmitStatus(MlirLocation location, const char *what,
                                     XlaStatus status) {
  xlaErrorEmit(location, xlaStatusCode(status), "%s: %s", what,
               xlaStatusMessage(status));
  xlaStatusDestroy(status);
  return mlirLogicalResultFailure();
}

MlirLogicalResult xlaErrorNoMemory(MlirLocation location) {
  return xlaErrorEmit(location, XLA_STATUS_OUT_OF_MEMORY, "ran out of memory");
}

//===----------------------------------------------------------------------===//
// Listening
//===----------------------------------------------------------------------===//

static MlirLogicalResult hear(MlirDiagnostic diagnostic, void *user) {
  XlaErrorListener *listener = user;
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError &&
      listener->code == XLA_STATUS_OK)
    listener->code = xlaDiagnosticGetCode(diagnostic);
  return mlirLogicalResultFailure(); // not handled: the next one hears it too
}

void xlaErrorListenerBegin(MlirContext context, XlaErrorListener *listener) {
  *listener = (XlaErrorListener){.context = context, .code = XLA_STATUS_OK};
  listener->handler =
      mlirContextAttachDiagnosticHandler(context, hear, listener, NULL);
}

XlaStatusCode xlaErrorListenerEnd(XlaErrorListener *listener) {
  mlirContextDetachDiagnosticHandler(listener->context, listener->handler);
  return listener->code == XLA_STATUS_OK ? XLA_STATUS_INTERNAL : listener->code;
}

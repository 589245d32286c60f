//===- error.h - What kind of error a diagnostic is --------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A diagnostic says where and what; tools and clients also have to know whose
// fault it is, since a refusal ("not supported"), a wrong program and a failure
// of this compiler end in different exit codes and statuses. Errors that are
// emitted here carry a status code in their location, as a name around it. All
// others, MLIR's own included, are failures of this compiler: INTERNAL.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_ERROR_H
#define XLAC_DIALECT_ERROR_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "xlac/runtime/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Emits an error of kind `code` at `location`, and fails. The format is
/// printf's.
MlirLogicalResult xlaErrorEmit(MlirLocation location, XlaStatusCode code,
                               const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// Emits "what: message of `status`" with the status' code, destroys it and
/// fails.
MlirLogicalResult xlaErrorEmitStatus(MlirLocation location, const char *what,
                                     XlaStatus status);
/// OUT_OF_MEMORY with the message "ran out of memory".
MlirLogicalResult xlaErrorNoMemory(MlirLocation location);

/// `location` for an error of kind `code`.
MlirLocation xlaErrorLocation(MlirLocation location, XlaStatusCode code);
/// The kind of an error; INTERNAL where its location has none.
XlaStatusCode xlaDiagnosticGetCode(MlirDiagnostic diagnostic);

/// Where it is, without its kind.
MlirLocation xlaDiagnosticGetPlace(MlirDiagnostic diagnostic);

/// What it says, cut to `size` bytes with the 0 behind it.
void xlaDiagnosticGetText(MlirDiagnostic diagnostic, char *text, size_t size);

/// Hears the errors of a context, which go on to the handlers before it.
typedef struct XlaErrorListener {
  MlirContext context;
  MlirDiagnosticHandlerID handler;
  XlaStatusCode code; ///< of the first error, OK before
} XlaErrorListener;

/// From here to xlaErrorListenerEnd errors are heard. `listener` must stay
/// where it is in between.
void xlaErrorListenerBegin(MlirContext context, XlaErrorListener *listener);
/// Ends it, and returns the kind of the first error; INTERNAL if there was
/// none, for what failed without a word.
XlaStatusCode xlaErrorListenerEnd(XlaErrorListener *listener);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_ERROR_H

//===- diagnostics.c - Messages about programs ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/diagnostics.h"
#include "xlac/dialect/error.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/place.h"
#include "xlac/tools/common/exit.h"
#include "xlac/tools/common/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Programs are parsed from memory, which MLIR calls "-".
static bool isInProgram(const XlaPlace *place) {
  return mlirStringRefEqual(place->file, mlirStringRefCreateFromCString("-"));
}

void xlaDiagnosticsPrintLocation(const XlaProgram *program,
                                 MlirLocation location) {
  XlaPlace place = xlaPlaceGet(location);
  if (!place.file.length) {
    fprintf(stderr, "%s: ", program->name);
    return;
  }
  if (isInProgram(&place))
    place.file = mlirStringRefCreateFromCString(program->name);
  fprintf(stderr, "%.*s:%d:%d: ", (int)place.file.length, place.file.data,
          place.line, place.column);
}

/// The line of the program and a mark; lines with large constants are left out.
static void printLine(const XlaProgram *program, const XlaPlace *place) {
  enum { longest = 200 };
  if (!isInProgram(place))
    return;
  if (program->format != XlaModuleFormatMlirText &&
      program->format != XlaModuleFormatHloText)
    return;
  const char *at = program->text, *end = at + program->length;
  for (int line = place->line; line > 1 && at; --line) {
    at = memchr(at, '\n', (size_t)(end - at));
    at = at ? at + 1 : NULL;
  }
  if (!at || at == end)
    return;
  const char *stop = memchr(at, '\n', (size_t)(end - at));
  int length =
      (int)((stop ? stop : end) - at > longest ? longest + 1
                                               : (stop ? stop : end) - at);
  int column = place->column;
  if (length > longest || column < 1 || column > length + 1)
    return;
  fprintf(stderr, "%.*s\n", length, at);
  for (int i = 0; i < column - 1; ++i)
    fputc(at[i] == '\t' ? '\t' : ' ', stderr);
  fputs("^\n", stderr);
}

static void printText(MlirStringRef text, void *userData) {
  (void)userData;
  fwrite(text.data, 1, text.length, stderr);
}

void xlaDiagnosticsText(MlirDiagnostic diagnostic, char *text, size_t size) {
  XlaIrLine out = {text, size, 0};
  XlaPlace place = xlaPlaceGet(mlirDiagnosticGetLocation(diagnostic));
  char line[48];
  text[0] = 0;
  if (place.file.length) {
    snprintf(line, sizeof line, "%d:%d: ", place.line, place.column);
    xlaIrLineAppend(mlirStringRefCreateFromCString(line), &out);
  }
  mlirDiagnosticPrint(diagnostic, xlaIrLineAppend, &out);
}

static const char *severityText(MlirDiagnosticSeverity severity) {
  switch (severity) {
  case MlirDiagnosticError:
    return "error";
  case MlirDiagnosticWarning:
    return "warning";
  case MlirDiagnosticNote:
    return "note";
  case MlirDiagnosticRemark:
    break;
  }
  return "remark";
}

static void findDialects(MlirStringRef text, void *found) {
  static const char start[] = "Available dialects: ";
  if (text.length >= sizeof start - 1 &&
      !memcmp(text.data, start, sizeof start - 1))
    *(bool *)found = true;
}

/// MLIR lists all its dialects where an operation's is unknown.
static bool isListOfDialects(MlirDiagnostic note) {
  bool found = false;
  mlirDiagnosticPrint(note, findDialects, &found);
  return found;
}

static void print(const XlaProgram *program, MlirDiagnostic diagnostic) {
  MlirLocation location = mlirDiagnosticGetLocation(diagnostic);
  xlaDiagnosticsPrintLocation(program, location);
  fprintf(stderr, "%s: ", severityText(mlirDiagnosticGetSeverity(diagnostic)));
  mlirDiagnosticPrint(diagnostic, printText, NULL);
  fputc('\n', stderr);
  XlaPlace place = xlaPlaceGet(location);
  printLine(program, &place);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i) {
    MlirDiagnostic note = mlirDiagnosticGetNote(diagnostic, i);
    if (!isListOfDialects(note))
      print(program, note);
  }
}

static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *userData) {
  fflush(stdout);
  xlaToolProgressHide();
  print(userData, diagnostic);
  return mlirLogicalResultSuccess();
}

void xlaDiagnosticsAttach(const XlaProgram *program) {
  mlirContextAttachDiagnosticHandler(program->context, handle, (void *)program,
                                     NULL);
}

static MlirLogicalResult printHeading(MlirDiagnostic diagnostic,
                                      void *userData) {
  XlaDiagnosticsHeading *heading = userData;
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError &&
      !heading->printed) {
    bool refused =
        xlaToolCodeOf(xlaDiagnosticGetCode(diagnostic)) == XlaToolCodeRefused;
    heading->printed = true;
    xlaToolError(XlaToolCodeRefused, "%s %s the program:", heading->device,
                 refused ? "is left out, because it refuses" : "failed on");
  }
  // The handler below prints the diagnostic itself.
  return mlirLogicalResultFailure();
}

void xlaDiagnosticsHeadingBegin(const XlaProgram *program, const char *device,
                                XlaDiagnosticsHeading *heading) {
  *heading =
      (XlaDiagnosticsHeading){.context = program->context, .device = device};
  heading->handler = mlirContextAttachDiagnosticHandler(
      program->context, printHeading, heading, NULL);
}

void xlaDiagnosticsHeadingEnd(XlaDiagnosticsHeading *heading) {
  mlirContextDetachDiagnosticHandler(heading->context, heading->handler);
}

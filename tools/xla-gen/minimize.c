//===- minimize.c - Smaller programs with the same bug --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-gen/minimize.h"

#include "mlir-c/Diagnostics.h"
#include "xlac/dialect/ir.h"
#include "xlac/tools/common/clock.h"
#include "xlac/tools/common/program.h"
#include "xlac/tools/common/progress.h"
#include "xlac/tools/xla-gen/minimize_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Minimizer {
  XlaProgram program; // as given; its context serves all
  char *text;         // the smallest so far
  char *command;
  char path[64]; // of candidates
  int tests;
  double start,
      shown; ///< when it began, and when it was last said how far it is
} Minimizer;

//===----------------------------------------------------------------------===//
// Testing
//===----------------------------------------------------------------------===//

/// `test` with `path` for each {}. To be freed; NULL without memory.
static char *commandFor(const char *test, const char *path) {
  size_t room = 1;
  for (const char *at = test; *at; ++at)
    room += strncmp(at, "{}", 2) ? 1 : strlen(path);
  char *command = malloc(room), *end = command;
  for (const char *at = test; command && *at; ++at) {
    if (strncmp(at, "{}", 2) != 0) {
      *end++ = *at;
      continue;
    }
    memcpy(end, path, strlen(path));
    end += strlen(path);
    ++at;
  }
  if (command)
    *end = '\0';
  return command;
}

static bool writeText(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  bool written = file && fputs(text, file) >= 0;
  return file && fclose(file) == 0 && written;
}

static void showProgress(Minimizer *m) {
  double now = xlaToolNow();
  if (now - m->start < XLA_TOOL_PATIENCE || now - m->shown < XLA_TOOL_REFRESH)
    return;
  m->shown = now;
  xlaToolProgressShow("%d programs tried, the smallest has %zu bytes, %.0f s",
                      m->tests, strlen(m->text), now - m->start);
}

/// Whether the program still shows the bug.
static bool shows(Minimizer *m, const char *text) {
  ++m->tests;
  showProgress(m);
  if (!writeText(m->path, text))
    return false;
  fflush(stdout);
  int status = system(m->command); // NOLINT: the user's command
  return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static MlirModule parse(const Minimizer *m, const char *text) {
  return mlirModuleCreateParse(m->program.context,
                               mlirStringRefCreateFromCString(text));
}

/// The text of a module that verifies, with a NUL. To be freed; NULL if it does
/// not, or without memory.
static char *textOf(MlirModule module) {
  size_t length = 0;
  MlirOperation op = mlirModuleGetOperation(module);
  char *text = mlirOperationVerify(op) ? xlaIrPrint(op, &length) : NULL;
  char *ended = text ? realloc(text, length + 1) : NULL;
  if (ended)
    ended[length] = '\0';
  else
    free(text);
  return ended;
}

/// Keeps `text`, of which it takes ownership, if that shows the bug.
static bool keep(Minimizer *m, char *text) {
  if (!text || !strcmp(text, m->text) || !shows(m, text)) {
    free(text);
    return false;
  }
  free(m->text);
  m->text = text;
  return true;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static bool tryStep(Minimizer *m, const XlaGenStep *step, intptr_t from,
                    intptr_t to) {
  MlirModule module = parse(m, m->text);
  char *text = NULL;
  if (step->apply(mlirModuleGetOperation(module), from, to)) {
    xlaGenRemoveUnused(mlirModuleGetOperation(module));
    text = textOf(module);
  }
  mlirModuleDestroy(module);
  if (text && step->one && strlen(text) >= strlen(m->text)) {
    free(text);
    return false;
  }
  return keep(m, text);
}

static intptr_t places(const Minimizer *m, const XlaGenStep *step) {
  MlirModule module = parse(m, m->text);
  intptr_t n = step->count(mlirModuleGetOperation(module));
  mlirModuleDestroy(module);
  return n;
}

/// Applies a step at as many places as possible: at many at once first, the
/// last ones first.
static bool runStep(Minimizer *m, const XlaGenStep *step) {
  bool progress = false;
  intptr_t n = places(m, step);
  for (intptr_t size = step->one && n ? 1 : n; size > 0; size /= 2)
    for (intptr_t to = n; to > 0; to -= size) {
      if (!tryStep(m, step, to > size ? to - size : 0, to))
        continue;
      progress = true;
      n = places(m, step);
      to = to < n + size ? to : n + size;
    }
  return progress;
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Whether the number at `at` is a dimension: between < or x, and x.
static bool isDimension(const char *text, const char *at, size_t length) {
  return at > text && (at[-1] == '<' || at[-1] == 'x') && at[length] == 'x';
}

/// Whether it is an item of a list of integers: behind `: ` or `, `.
static bool isItem(const char *text, const char *at) {
  return at > text + 1 && at[-1] == ' ' && (at[-2] == ':' || at[-2] == ',');
}

/// The text with dimensions `size`, and `items` of lists too, as `smaller`.
static char *resized(const char *text, long size, long smaller, bool items) {
  char *made = malloc(4 * strlen(text) + 1), *end = made;
  for (const char *at = text; made && *at;) {
    size_t length = 0;
    while (isDigit(at[length]))
      ++length;
    bool starts = length && (at == text || !isDigit(at[-1]));
    if (starts && strtol(at, NULL, 10) == size &&
        (isDimension(text, at, length) || (items && isItem(text, at)))) {
      end += sprintf(end, "%ld", smaller);
      at += length;
    } else {
      length += !length;
      memcpy(end, at, length);
      end += length;
      at += length;
    }
  }
  if (made)
    *end = '\0';
  return made;
}

static bool tryResize(Minimizer *m, long size, long smaller, bool items) {
  char *text = resized(m->text, size, smaller, items);
  MlirModule module = text ? parse(m, text) : (MlirModule){NULL};
  free(text);
  if (mlirModuleIsNull(module))
    return false;
  text = textOf(module);
  mlirModuleDestroy(module);
  return keep(m, text);
}

static bool shrinkDimension(Minimizer *m, long size) {
  const long sizes[] = {1, 2, size / 2, size - 1};
  for (int i = 0; i < 4; ++i)
    for (int items = 0; items < 2; ++items)
      if (sizes[i] > 0 && sizes[i] < size &&
          tryResize(m, size, sizes[i], items))
        return true;
  return false;
}

/// The largest first.
static bool shrinkDimensions(Minimizer *m) {
  bool progress = false;
  for (long below = 1 << 30;;) {
    long size = 1;
    for (const char *at = m->text; *at; ++at)
      if (isDigit(*at) && at > m->text && !isDigit(at[-1])) {
        char *end;
        long number = strtol(at, &end, 10);
        if (number > size && number < below &&
            isDimension(m->text, at, (size_t)(end - at)))
          size = number;
      }
    if (size == 1)
      return progress;
    while (shrinkDimension(m, size) && size > 2)
      progress = true;
    below = size;
  }
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

/// What does not verify is not a candidate.
static MlirLogicalResult swallow(MlirDiagnostic diagnostic, void *data) {
  (void)diagnostic;
  (void)data;
  return mlirLogicalResultSuccess();
}

static XlaToolCode minimize(Minimizer *m) {
  m->start = xlaToolNow();
  m->text = textOf(m->program.module);
  if (!m->text)
    return xlaToolError(XlaToolCodeRefused, "out of memory");
  if (!shows(m, m->text))
    return xlaToolError(XlaToolCodeWrong,
                        "%s: --test fails for the program as it is",
                        m->program.name);
  MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(
      m->program.context, swallow, NULL, NULL);
  bool progress;
  do {
    progress = false;
    for (const XlaGenStep *step = xlaGenSteps; step->name; ++step)
      progress |= runStep(m, step);
    progress |= shrinkDimensions(m);
  } while (progress);
  mlirContextDetachDiagnosticHandler(m->program.context, handler);
  xlaToolProgressHide();
  printf("%s", m->text);
  fprintf(stderr, "xla-gen: %d programs tried\n", m->tests);
  return XlaToolCodeOk;
}

XlaToolCode xlaGenMinimize(const char *path, const char *test) {
  Minimizer m = {.path = "/tmp/xla-gen-XXXXXX.mlir"};
  XlaToolCode code =
      xlaProgramRead(path, /*verbose=*/false, NULL, NULL, &m.program);
  int file = code == XlaToolCodeOk ? mkstemps(m.path, 5) : -1;
  if (code == XlaToolCodeOk && file < 0)
    code = xlaToolError(XlaToolCodeRefused, "%s: %s", m.path, strerror(errno));
  if (file >= 0) {
    close(file);
    m.command = commandFor(test, m.path);
    code = m.command ? minimize(&m)
                     : xlaToolError(XlaToolCodeRefused, "out of memory");
    unlink(m.path);
  }
  free(m.command);
  free(m.text);
  xlaProgramDestroy(&m.program);
  return code;
}

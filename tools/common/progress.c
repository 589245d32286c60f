//===- progress.c - A line that says what takes so long -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/progress.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

/// Whether the terminal shows the line now: state of the terminal's, so that
/// there is one for all who print.
static atomic_bool isShown;

/// Removes what is right of the cursor.
#define ERASE "\033[K"

bool xlaToolProgressIsSeen(void) { return isatty(STDERR_FILENO); }

void xlaToolProgressShow(const char *format, ...) {
  char text[200];
  va_list arguments;
  if (!xlaToolProgressIsSeen())
    return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  atomic_store(&isShown, true);
  // The cursor stays in front: what others print stands where it should.
  fprintf(stderr, "\r%s: %.60s" ERASE "\r", program_invocation_short_name,
          text);
  fflush(stderr);
}

void xlaToolProgressHide(void) {
  if (atomic_exchange(&isShown, false))
    fputs("\r" ERASE, stderr);
}

//===- progress.h - A line that says what takes so long ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last line of the terminal that stderr is; where it is none, nothing is
// shown. A process has one such line.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_PROGRESS_H
#define XLAC_TOOLS_COMMON_PROGRESS_H

#include <stdbool.h>

/// Before this many seconds nobody wonders; then the line is written anew as
/// often.
#define XLA_TOOL_PATIENCE 2.0
#define XLA_TOOL_REFRESH 0.5

/// Whether stderr is a terminal.
bool xlaToolProgressIsSeen(void);
/// Shows `tool: text` in place of what was shown.
void xlaToolProgressShow(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
/// Removes the line, before something else is printed.
void xlaToolProgressHide(void);

#endif // XLAC_TOOLS_COMMON_PROGRESS_H

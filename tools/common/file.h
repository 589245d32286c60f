//===- file.h - Files of any size and kind -----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_FILE_H
#define XLAC_TOOLS_COMMON_FILE_H

#include "xlac/tools/common/exit.h"
#include <stdbool.h>
#include <stddef.h>

/// The MiB that programs may have in a file, and where they may never end: in a
/// device or a pipe.
#define XLA_TOOL_FILE_MIB 4096
#define XLA_TOOL_STREAM_MIB 256

/// Reads all of the file at `path` ("-": standard input), which messages call
/// `name`: `*length` bytes with a NUL behind them, 64-byte aligned, to be freed
/// also on failure. Wrong if it cannot be read; Refused if it is larger than
/// the limits above or than memory. Prints a line on failure.
XlaToolCode xlaToolFileRead(const char *path, const char *name, char **text,
                            size_t *length);

/// Maps the file at `path` if that is a regular one of some MiB: its pages are
/// read when they are looked at, and there is no NUL behind it. False, without
/// a message, if it is not mapped. To be unmapped. Nobody may write to the file
/// until then: what reads a page that has gone is killed by SIGBUS.
bool xlaToolFileMap(const char *path, char **bytes, size_t *length);
void xlaToolFileUnmap(char *bytes, size_t length);
/// Whether both paths are of one file, which is there.
bool xlaToolFileIsSame(const char *path, const char *other);

#endif // XLAC_TOOLS_COMMON_FILE_H

//===- about.h - What tools say of themselves --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_ABOUT_H
#define XLAC_TOOLS_COMMON_ABOUT_H

#include <stdbool.h>

/// Prints "xla-run of xlac 0.1.0, with LLVM 22.1.8".
void xlaToolPrintVersion(void);

/// For tools whose command line LLVM reads: prints the version if `argv` asks
/// for it, and returns true; prints `banner` if it asks for help, which LLVM
/// then continues.
bool xlaToolAnswer(int argc, char **argv, const char *banner);

#endif // XLAC_TOOLS_COMMON_ABOUT_H

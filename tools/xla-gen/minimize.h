//===- minimize.h - Smaller programs with the same bug -----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_XLA_GEN_MINIMIZE_H
#define XLAC_TOOLS_XLA_GEN_MINIMIZE_H

#include "xlac/tools/common/exit.h"

/// Prints the program of the file at `path`, in the dialect xla, without what
/// can be left out or made smaller while the shell command `test` ends with 0,
/// in which `{}` stands for the path of a program. Results, operations, inputs,
/// dimensions and constants become fewer and smaller; each step is tried on its
/// own. Wrong if `test` fails on the program as it is.
XlaToolCode xlaGenMinimize(const char *path, const char *test);

#endif // XLAC_TOOLS_XLA_GEN_MINIMIZE_H

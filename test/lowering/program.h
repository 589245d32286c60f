//===- program.h - Programs on all devices ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_LOWERING_PROGRAM_H
#define XLAC_TEST_LOWERING_PROGRAM_H

#include "xlac/test/lowering/machine.h"

/// What was seen of the two compilations of a program.
typedef struct ProgramSeen {
  XlaCompileStats stats; ///< on the host
  int aliases; ///< outputs in the memory of an input, if all are donated
} ProgramSeen;

/// Runs @main of `text` on random inputs on all devices, with inputs donated
/// and not. Fails the test unless all results are the evaluator's. @main has at
/// most 8 arguments and 8 results.
ProgramSeen programCompare(const Machine *machine, const char *text);

#endif // XLAC_TEST_LOWERING_PROGRAM_H

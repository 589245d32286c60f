//===- random_program.h - Random programs -------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs in the dialect's text that verify and finish: elementwise operations
// with and without broadcasts, movement, reductions and what surrounds them in
// softmax and norms, loops, branches, calls, tuples, custom calls of one
// operand that they give back, and barriers.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_UNIT_RANDOM_PROGRAM_H
#define XLAC_TEST_UNIT_RANDOM_PROGRAM_H

#include <stdint.h>

/// The state must not be 0.
typedef struct RandomProgram {
  uint64_t state;
} RandomProgram;

/// A number below `n`, the next of the sequence.
unsigned randomBelow(RandomProgram *random, unsigned n);

/// A module with a function @main on up to 8 arrays. The same text for the same
/// seed (not 0). To be freed; NULL if there is no memory.
char *randomProgramCreate(uint64_t seed);

#endif // XLAC_TEST_UNIT_RANDOM_PROGRAM_H

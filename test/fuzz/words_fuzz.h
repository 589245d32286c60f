//===- words_fuzz.h - Any text where tools look at words --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_FUZZ_WORDS_FUZZ_H
#define XLAC_TEST_FUZZ_WORDS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Blanks the unknown places in `data`, and looks for its first line among the
/// others; traps after a message where that does something else. Whether there
/// was a place, or a word like the first.
bool wordsFuzz(const uint8_t *data, size_t size);

#endif // XLAC_TEST_FUZZ_WORDS_FUZZ_H

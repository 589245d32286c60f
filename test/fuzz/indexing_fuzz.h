//===- indexing_fuzz.h - Any text as an indexing map --------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_FUZZ_INDEXING_FUZZ_H
#define XLAC_TEST_FUZZ_INDEXING_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Checks one text; traps after a message where something is wrong. Whether it
/// is a map.
bool indexingFuzz(const uint8_t *data, size_t size);

#endif // XLAC_TEST_FUZZ_INDEXING_FUZZ_H

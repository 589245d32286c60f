//===- hlo_fuzz.h - Any bytes as a program in HLO -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_FUZZ_HLO_FUZZ_H
#define XLAC_TEST_FUZZ_HLO_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Reads `data` as HLO text, and as a protocol buffer; traps after a message
/// where that fails without an error, or succeeds with one. Whether it is a
/// program.
bool hloFuzz(const uint8_t *data, size_t size);

#endif // XLAC_TEST_FUZZ_HLO_FUZZ_H

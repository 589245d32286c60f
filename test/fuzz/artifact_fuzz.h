//===- artifact_fuzz.h - Any bytes as an artifact -------------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_FUZZ_ARTIFACT_FUZZ_H
#define XLAC_TEST_FUZZ_ARTIFACT_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Reads a portable artifact or a file of jax.export, and imports what was
/// read. Traps unless what fails says why, and only that. Whether it was read.
bool xlaArtifactFuzz(const uint8_t *data, size_t size);

#endif // XLAC_TEST_FUZZ_ARTIFACT_FUZZ_H

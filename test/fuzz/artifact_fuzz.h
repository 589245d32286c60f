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

typedef enum XlaArtifactOutcome {
  XlaArtifactOutcomeRefused,
  XlaArtifactOutcomeRead,    ///< but not written again
  XlaArtifactOutcomeWritten, ///< and read, perhaps as another program
  XlaArtifactOutcomeSame,    ///< written, and read as the same program
} XlaArtifactOutcome;

/// Reads a portable artifact or a file of jax.export, writes what was read as
/// an artifact, which must be read again, and imports it. Traps unless what
/// fails says why, and only that.
XlaArtifactOutcome xlaArtifactFuzz(const uint8_t *data, size_t size);

#endif // XLAC_TEST_FUZZ_ARTIFACT_FUZZ_H

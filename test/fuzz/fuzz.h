//===- fuzz.h - What the targets share ------------------------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_FUZZ_FUZZ_H
#define XLAC_TEST_FUZZ_FUZZ_H

#include "require.h"

#include "mlir-c/IR.h"

#include <stddef.h>
#include <stdint.h>

/// What libFuzzer, and run_inputs.c, call.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct XlaFuzz {
  MlirContext context;
  int64_t errors; ///< that it was told of since xlaFuzzBegin
} XlaFuzz;

/// A context with the dialects that programs come in. It serves as many inputs
/// as this says, as it keeps the types and names of all of them; then there is
/// a new one.
XlaFuzz *xlaFuzzBegin(int inputsAContext);

/// Calls `run` on a stack of XLA_STACK_BYTES: this one if the process's limit
/// is that large (`ulimit -s 65536` saves a thread an input).
void xlaFuzzRun(void (*run)(void *), void *data);

#endif // XLAC_TEST_FUZZ_FUZZ_H

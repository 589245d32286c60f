//===- failing_alloc.h - Allocations that fail on demand ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs linked with --wrap (see CMakeLists.txt): the project's
// allocations come here, those inside libraries do not. Left out is what mlir-c
// allocates for operation states, without a check.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_SUPPORT_FAILING_ALLOC_H
#define XLAC_TEST_SUPPORT_FAILING_ALLOC_H

/// Lets the allocation `number` from now on fail, counted from 1; 0: none.
void failingAllocSet(int number);
/// How many there were since then.
int failingAllocCount(void);

#endif // XLAC_TEST_SUPPORT_FAILING_ALLOC_H

//===- process.h - Which process this is --------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_PROCESS_H
#define XLAC_RUNTIME_PROCESS_H

#ifdef __cplusplus
extern "C" {
#endif

/// A number that a child of fork does not share with its parent, if that has
/// asked for its own before: what threads, locks and devices belong to. Asks
/// the system for nothing, as getpid does. Any thread may call it.
int xlaProcessGetNumber(void);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_PROCESS_H

//===- clock.h - How long things take -----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_CLOCK_H
#define XLAC_RUNTIME_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/// Milliseconds of a clock that only goes forward; from when on is not said.
double xlaClockMilliseconds(void);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_CLOCK_H

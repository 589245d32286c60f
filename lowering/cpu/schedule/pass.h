//===- pass.h - The CPU schedule as a pass ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_SCHEDULE_PASS_H
#define XLAC_LOWERING_CPU_SCHEDULE_PASS_H

#ifdef __cplusplus
extern "C" {
#endif

/// Makes `--xla-cpu-schedule` usable in pipelines. Options: vector-bits,
/// threads, stack-bytes, allow-alloc (XlaCpuScheduleOptions). Once a process.
void xlaCpuSchedulePassRegister(void);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_SCHEDULE_PASS_H

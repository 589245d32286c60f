//===- schedule_nest.h - Threads, rows and tiles of a group -------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to lowering/cpu.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_SCHEDULE_NEST_H
#define XLAC_LOWERING_CPU_SCHEDULE_NEST_H

#include "xlac/lowering/cpu/schedule_emit.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes the loop nest of `group` before its last op; its ops are left for the
/// caller to erase. `atTop`: not inside another loop, so threads may be used.
MlirLogicalResult xlaSchedGroupEmit(XlaSchedGroup *group,
                                    const XlaCpuScheduleOptions *options,
                                    bool atTop);

/// Is the buffer a memref.alloc?
bool xlaSchedIsAlloc(MlirValue root);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_SCHEDULE_NEST_H

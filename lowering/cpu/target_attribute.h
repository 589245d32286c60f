//===- target_attribute.h - The CPU that a module is for ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attribute of a module
//
//   xla.target = {cpu = "x86-64-v3", threads = 2 : i64}
//
// says what passes choose for. Both keys may be left out, and so may `triple`,
// the kind of machine; without any of it, or without the attribute, it is the
// one above, with caches of 32 KiB, 1 MiB and 32 MiB: never the machine at
// hand, so that passes print the same everywhere. That one is "host".
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_TARGET_ATTRIBUTE_H
#define XLAC_LOWERING_CPU_TARGET_ATTRIBUTE_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "xlac/lowering/cpu/target.h"
#include "xlac/passes/target.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The target of `module`; to be destroyed. Fails with a diagnostic where the
/// attribute has another form, or LLVM knows no such processor.
MlirLogicalResult xlaCpuTargetFromModule(MlirOperation module,
                                         XlaCpuTarget **target);
/// Gives `module` the attribute.
void xlaCpuTargetAttach(MlirOperation module, MlirStringRef cpu,
                        int64_t threads);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_TARGET_ATTRIBUTE_H

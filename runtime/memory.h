//===- memory.h - How much memory there is ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_MEMORY_H
#define XLAC_RUNTIME_MEMORY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The bytes that a program may take, because the kernel promises more memory
/// than there is and kills who uses it: four fifths of the machine's memory, or
/// of what the process's control groups (versions 1 and 2) leave it, whichever
/// is less. INT64_MAX if nothing is known.
int64_t xlaMemoryLimit(void);

/// The least memory limit, in bytes, of the control groups in `list` (the form
/// of /proc/self/cgroup) and those above them, whose files are below `root`
/// (as /sys/fs/cgroup). INT64_MAX if there is none.
int64_t xlaMemoryGroupLimit(const char *list, const char *root);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_MEMORY_H

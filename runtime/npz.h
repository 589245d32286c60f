//===- npz.h - Arrays in numpy's archives ---------------------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// numpy.savez and savez_compressed write zip archives (PKWARE's APPNOTE) of
// .npy files, stored or deflated. They are read here and not by a library for
// zip, because few of their fields matter and none is trusted; zlib inflates.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_NPZ_H
#define XLAC_RUNTIME_NPZ_H

#include "xlac/runtime/npy.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The names of the arrays in the archive at `path`, in the file's order and
/// without `.npy`; to be freed by xlaNpzFreeList. Fails: NOT_FOUND, DATA_LOSS
/// (no archive, or damaged), UNIMPLEMENTED (encrypted, in parts),
/// OUT_OF_MEMORY.
XlaStatus xlaNpzList(const char *path, size_t *n, char ***names);
void xlaNpzFreeList(size_t n, char **names);

/// Reads the array `name` of the archive at `path` as xlaNpyRead does. Also
/// fails: NOT_FOUND if it has no such array.
XlaStatus xlaNpzRead(const char *path, const char *name, size_t byteLimit,
                     XlaNpy *array);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_NPZ_H

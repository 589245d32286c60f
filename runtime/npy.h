//===- npy.h - Arrays in numpy's files ----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes .npy files, versions 1, 2 and 3 of the format that
// numpy.lib.format documents. Files are not trusted: a size is checked before
// memory is asked for, and a damaged file gives a status that names it.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_NPY_H
#define XLAC_RUNTIME_NPY_H

#include "xlac/runtime/status.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// numpy's own limit.
#define XLA_NPY_MAX_RANK 64

/// An array in memory: row-major without gaps, in the machine's byte order.
///
/// | kind | itemSize   | elements                                             |
/// |------|------------|------------------------------------------------------|
/// | b    | 1          | bool, 0 or 1                                         |
/// | i    | 1, 2, 4, 8 | signed integers                                      |
/// | u    | 1, 2, 4, 8 | unsigned integers                                    |
/// | f    | 2, 4, 8    | IEEE floating point                                  |
/// | c    | 8, 16      | complex, real part first                             |
/// | V    | 1, 2       | raw bytes: how ml_dtypes' bfloat16, float8_*, int4 ..
/// travel |
typedef struct XlaNpy {
  char kind;
  int itemSize; ///< bytes of an element
  int rank;
  int64_t dims[XLA_NPY_MAX_RANK]; ///< elements, outermost dimension first
  void *data;                     ///< aligned to 64 bytes; never NULL
  size_t byteCount;               ///< of `data`
} XlaNpy;

/// Reads the file at `path` into `*array`, whose data is to be freed by
/// xlaNpyDestroy. Fortran order is converted to row-major, big-endian elements
/// to the machine's order, bools other than 0 to 1; what follows the array in
/// the file is ignored, as numpy does. Data of more than `byteLimit` bytes is
/// refused before any is read (SIZE_MAX: no limit).
/// Fails: NOT_FOUND (no such file, or not readable), DATA_LOSS (not an .npy
/// file, damaged, truncated, or an I/O error), UNIMPLEMENTED (another element
/// type or version), OUT_OF_MEMORY. `*array` is zero then.
XlaStatus xlaNpyRead(const char *path, size_t byteLimit, XlaNpy *array);

/// The same for a file's content in memory; `name` stands for the path in
/// messages.
XlaStatus xlaNpyParse(const char *name, const void *bytes, size_t size,
                      size_t byteLimit, XlaNpy *array);

/// Writes `array`, which stays the caller's, as version 1 to `path`.
/// Fails: INVALID_ARGUMENT (kind, itemSize, dims and byteCount do not fit
/// together), NOT_FOUND (the file cannot be created), DATA_LOSS (writing fails;
/// part of the file may be there).
XlaStatus xlaNpyWrite(const char *path, const XlaNpy *array);

/// Frees the data and zeroes `*array`.
void xlaNpyDestroy(XlaNpy *array);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_NPY_H

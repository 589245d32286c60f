//===- npy_internal.h - The text in front of an .npy array --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to npy.c. The header is a Python dictionary of three entries:
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_NPY_INTERNAL_H
#define XLAC_RUNTIME_NPY_INTERNAL_H

#include "xlac/runtime/npy.h"
#include <stdbool.h>

typedef struct XlaNpyHeader {
  char byteOrder; ///< '<', '>' or '|'
  char kind;
  int itemSize;
  bool fortranOrder;
  int rank;
  int64_t dims[XLA_NPY_MAX_RANK];
} XlaNpyHeader;

/// Reads the `size` bytes of the dictionary's text. Fails as xlaNpyRead does.
XlaStatus xlaNpyHeaderParse(const char *name, const char *text, size_t size,
                            XlaNpyHeader *header);

/// Whether an element of this kind can have this size.
bool xlaNpyHasElementType(char kind, int itemSize);

#endif // XLAC_RUNTIME_NPY_INTERNAL_H

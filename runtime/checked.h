//===- checked.h - Sizes that cannot wrap around ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes come from files and users. Every size that is computed from one goes
// through these functions.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_CHECKED_H
#define XLAC_RUNTIME_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// `*out = a * b` and `*out = a + b`; false, with `*out` 0, when it overflows.
static inline bool xlaCheckedMul(size_t a, size_t b, size_t *out) {
  if (!__builtin_mul_overflow(a, b, out))
    return true;
  *out = 0;
  return false;
}

static inline bool xlaCheckedAdd(size_t a, size_t b, size_t *out) {
  if (!__builtin_add_overflow(a, b, out))
    return true;
  *out = 0;
  return false;
}

/// `value` rounded up to a multiple of `alignment`, a power of two.
static inline bool xlaCheckedAlign(size_t value, size_t alignment,
                                   size_t *out) {
  if (!xlaCheckedAdd(value, alignment - 1, out))
    return false;
  *out &= ~(alignment - 1);
  return true;
}

/// The bytes of an array with `rank` dimensions and elements of `itemSize`
/// bytes; rank 0 is one element. False, with `*out` 0, when a dimension is
/// negative or the product of those that are not 0 exceeds PTRDIFF_MAX: an
/// empty array with dimensions [0, 2^40, 2^40] is refused as well, because its
/// strides overflow.
static inline bool xlaCheckedByteCount(int rank, const int64_t *dims,
                                       size_t itemSize, size_t *out) {
  size_t count = itemSize;
  bool empty = false;
  *out = 0;
  for (int i = 0; i < rank; ++i) {
    if (dims[i] < 0)
      return false;
    empty |= dims[i] == 0;
    if (dims[i] != 0 && !xlaCheckedMul(count, (size_t)dims[i], &count))
      return false;
  }
  if (count > PTRDIFF_MAX)
    return false;
  *out = empty ? 0 : count;
  return true;
}

#endif // XLAC_RUNTIME_CHECKED_H

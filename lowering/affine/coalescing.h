//===- coalescing.h - What lanes touch at once --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. Memory is read and written in lines. Of those that the
// lanes of a vector, or the threads of a subgroup, touch with one access, they
// use a part: all of it where they lie beside each other.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_AFFINE_COALESCING_H
#define XLAC_LOWERING_AFFINE_COALESCING_H

#include "xlac/lowering/affine/statement.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Lanes are numbered along dimensions, the last of which is the innermost: of
/// `sizes`, and `strides` elements from one to the next. Each accesses `width`
/// elements, `step` apart.
typedef struct XlaSchedLaneMap {
  int64_t lanes;
  int n;
  int64_t sizes[XLA_SCHED_MAX_DIMS], strides[XLA_SCHED_MAX_DIMS];
  int64_t width, step;
} XlaSchedLaneMap;

typedef struct XlaSchedCoalescing {
  int64_t lanes;   ///< as many as there are iterations for
  int64_t stride;  ///< elements from a lane to the next
  int64_t run;     ///< elements beside each other, from the first on
  int64_t used;    ///< bytes of different elements
  int64_t touched; ///< bytes of the lines that these are in
} XlaSchedCoalescing;

/// What the first lanes do with elements of `bytes` bytes and lines of `line`,
/// one of which begins with an element. Lanes times width are 1024 at most, or
/// fewer lanes are looked at.
XlaSchedCoalescing xlaSchedCoalesce(const XlaSchedLaneMap *map, int64_t bytes,
                                    int64_t line);
/// For reports, on stderr.
void xlaSchedPutCoalescing(const XlaSchedCoalescing *coalescing);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_AFFINE_COALESCING_H

//===- pool.h - Host memory that is used again --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers of executions: outputs and the scratch memory. A fresh page
// costs a fault and zeroing by the kernel, several times the price of writing
// to it, so that blocks given back are kept and handed out again.
//
// A pool may be used from several threads at once.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_POOL_H
#define XLAC_RUNTIME_POOL_H

#include "xlac/runtime/status.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Blocks start at a multiple of this many bytes: a cache line, and the widest
/// vector register.
#define XLA_POOL_ALIGNMENT 64

typedef struct XlaPool XlaPool;

/// Limits of a pool.
typedef struct XlaPoolOptions {
  /// Most bytes in use at once, counted as asked for; 0: no limit. Beyond it
  /// xlaPoolAllocate fails instead of the machine running out of memory.
  size_t liveLimit;
  /// Most bytes of blocks that are kept while unused; 0: none are kept.
  size_t idleLimit;
} XlaPoolOptions;

/// What a pool holds and has done.
typedef struct XlaPoolStatistics {
  size_t liveBytes;  ///< of blocks in use, as asked for
  size_t peakBytes;  ///< the largest liveBytes so far
  size_t idleBytes;  ///< kept, not in use
  size_t liveBlocks; ///< in use
  size_t allocated;  ///< blocks handed out so far
  size_t reused;     ///< how many of these came from the kept ones
} XlaPoolStatistics;

/// A pool that owns no memory yet. Fails: OUT_OF_MEMORY.
XlaStatus xlaPoolCreate(XlaPoolOptions options, XlaPool **pool);

/// `byteCount` bytes, aligned to XLA_POOL_ALIGNMENT, with any content. Owned
/// by the caller until xlaPoolFree. 0 bytes give a block of their own.
/// Fails: OUT_OF_MEMORY, also beyond the pool's limit.
XlaStatus xlaPoolAllocate(XlaPool *pool, size_t byteCount, void **block);

/// Gives a block of any pool back to it; NULL does nothing.
void xlaPoolFree(void *block);

/// Returns all unused memory to the system.
void xlaPoolTrim(XlaPool *pool);

XlaPoolStatistics xlaPoolGetStatistics(XlaPool *pool);

/// Lets go of the pool. Blocks in use stay valid: outputs may outlive what
/// computed them, and the last one that is given back frees the rest.
/// NULL does nothing.
void xlaPoolDestroy(XlaPool *pool);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_POOL_H

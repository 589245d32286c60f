//===- emit.h - State while writing a shader ----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to lowering/vulkan. A kernel function's linalg ops are read as
// *statements* with strided accesses (lowering/affine/statement.h); runs of
// them that share parallel dimensions, *groups*, become one dispatch. What a
// statement uses from outside, scalars of the function, is cloned to the
// shader's beginning.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_VULKAN_SCHEDULE_EMIT_H
#define XLAC_LOWERING_VULKAN_SCHEDULE_EMIT_H

#include "xlac/dialect/error.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/lowering/affine/build.h"
#include "xlac/lowering/affine/cluster.h"
#include "xlac/lowering/vulkan/schedule/schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /// Consecutive elements of 32 bits that one load or store takes: a vector of
  /// four, or (xlaVulkanWidth) of four pairs.
  XLA_VULKAN_WIDTH = 4,
  XLA_VULKAN_MAX_WIDTH = 8,
  XLA_VULKAN_MAX_CARRIED = 128, ///< values that a loop carries
};

//===----------------------------------------------------------------------===//
// Memory of a kernel
//===----------------------------------------------------------------------===//

/// A memref.alloc or memref.global with its place.
typedef struct XlaVulkanPlace {
  const void *key; ///< the alloc's result, or the global's operation
  int64_t offset;
} XlaVulkanPlace;

/// What all shaders of a kernel share.
typedef struct XlaVulkanMemoryMap {
  XlaVulkanSchedule *schedule;
  intptr_t n, capacity;
  XlaVulkanPlace *places;
} XlaVulkanMemoryMap;

void xlaVulkanMemoryMapFree(XlaVulkanMemoryMap *map);
/// The offset of a memref.alloc in the kernel's scratch, or -1 after a
/// diagnostic.
int64_t xlaVulkanScratchOf(XlaVulkanMemoryMap *map, MlirValue alloc);

//===----------------------------------------------------------------------===//
// A shader
//===----------------------------------------------------------------------===//

/// A binding, or several that follow each other in memory, of one buffer.
typedef struct XlaVulkanBuffer {
  MlirValue root; ///< argument, memref.alloc or memref.get_global
  MlirType element;
  int lanes; ///< elements of a load: 1, 4, or 8 as four integers of 64 bits
  int64_t window; ///< loads' worth of each binding but the last
  int nWindows;
  intptr_t first; ///< binding
  MlirValue own;  ///< the workgroup's memory in place of bindings, or null
} XlaVulkanBuffer;

/// A value of 64 bits (or an index) that a shader has in 32: its range, which
/// reaches beyond 2^31 if the 32 bits are those of an unsigned number.
typedef struct XlaVulkanNarrow {
  MlirValue key, value;
  int64_t low, high;
} XlaVulkanNarrow;

typedef struct XlaVulkanEmit {
  XlaVulkanMemoryMap *memory;
  XlaVulkanShaderBuilder shader;
  XlaIr top; ///< where scalars of the function go: before everything else
  XlaIr ir;
  XlaAffineNest nest; ///< dimensions: numbers of threads, and loops
  intptr_t nBuffers, bufferCapacity;
  XlaVulkanBuffer *buffers;
  intptr_t bindingCapacity; ///< of which shader.nArguments are in use
  XlaVulkanBinding *bindings;
  /// Values of the kernel function and what became of them in the shader, as
  /// MlirValue's ptr.
  XlaPointerMap values;
  intptr_t nNarrow, narrowCapacity;
  XlaVulkanNarrow *narrow;
  /// Iterations of the loops around the present place, and of all loops so far,
  /// as far as they are known.
  int64_t around, iterations;
  bool failed; ///< a diagnostic was emitted
} XlaVulkanEmit;

/// Begins the shader of a dispatch. Ended by one of the two below.
void xlaVulkanEmitBegin(XlaVulkanEmit *e, XlaVulkanMemoryMap *memory,
                        MlirLocation location, const uint32_t groupSize[3]);
/// Threads of a dispatch that an index can count.
int64_t xlaVulkanMostThreads(const XlaVulkanSchedule *schedule);
/// Iterations of a loop that an index can count, in three nested ones at most.
int64_t xlaVulkanMostTrips(const XlaVulkanSchedule *schedule);
/// Appends the dispatch of a shader that was written without failure.
MlirLogicalResult xlaVulkanEmitEnd(XlaVulkanEmit *e, const uint32_t groups[3]);
void xlaVulkanEmitDiscard(XlaVulkanEmit *e);
/// A diagnostic of kind `code` at `location`; sets `failed`.
void xlaVulkanEmitFail(XlaVulkanEmit *e, MlirLocation location,
                       XlaStatusCode code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void xlaVulkanEmitNoMemory(XlaVulkanEmit *e);

/// What became of `key`, or null.
MlirValue xlaVulkanBound(const XlaVulkanEmit *e, MlirValue key);
void xlaVulkanBind(XlaVulkanEmit *e, MlirValue key, MlirValue value);

//===----------------------------------------------------------------------===//
// Buffers (memory.c), and loads and stores (access.c)
//===----------------------------------------------------------------------===//

/// How `root` is bound for loads of `lanes` elements; binds it if it is not
/// yet. NULL after a failure. Valid until the next call.
XlaVulkanBuffer *xlaVulkanBufferOf(XlaVulkanEmit *e, MlirValue root, int lanes);

/// Element `index` of the buffer `root`, counted from its beginning, where the
/// index is not affine.
MlirValue xlaVulkanLoad(XlaVulkanEmit *e, MlirValue root, MlirValue index);
void xlaVulkanStore(XlaVulkanEmit *e, MlirValue root, MlirValue index,
                    MlirValue value);
/// `lanes` consecutive elements, 1 or what xlaVulkanIsWide allows, from element
/// `at` of the nest on: a multiple of `lanes`, term by term.
void xlaVulkanLoadLanes(XlaVulkanEmit *e, MlirValue root, int lanes,
                        MlirAffineExpr at, MlirValue *values);
void xlaVulkanStoreLanes(XlaVulkanEmit *e, MlirValue root, int lanes,
                         MlirAffineExpr at, const MlirValue *values);

/// Follows views from `view` to an argument, alloc or global; `*start` is the
/// operand that gives the view's offset, or null if its type does.
MlirValue xlaVulkanRoot(MlirValue view, MlirValue *start);
/// Can the buffer be accessed by vectors of `lanes` elements?
bool xlaVulkanIsWide(const XlaVulkanSchedule *schedule, MlirValue root,
                     int lanes);
/// The widest access that pays: 8 on processors, where each thread of a
/// subgroup loads one component after the other, and 4 elsewhere.
int xlaVulkanWidth(const XlaVulkanInfo *info);
/// Threads of a workgroup whose threads have nothing in common.
uint32_t xlaVulkanGroupSize(const XlaVulkanInfo *info);
/// Bytes of an element in a workgroup's memory: 4 at least.
int64_t xlaVulkanOwnBytes(MlirType element);
/// Elements of the buffer `root`.
int64_t xlaVulkanElements(MlirValue root);

//===----------------------------------------------------------------------===//
// Code (body.c)
//===----------------------------------------------------------------------===//

/// A scalar of the kernel: what the map says, or a clone of what computes it at
/// the shader's beginning. Null after a diagnostic.
MlirValue xlaVulkanValue(XlaVulkanEmit *e, MlirValue value);
/// Clones `op` to `e->ir` with the values that the map holds.
void xlaVulkanClone(XlaVulkanEmit *e, MlirOperation op);
/// Clones the ops of `block` but its terminator.
void xlaVulkanCloneBlock(XlaVulkanEmit *e, MlirBlock block);

/// Computes `op` in 32 bits, if its range allows that; false if not
/// (narrow.c).
bool xlaVulkanNarrowOp(XlaVulkanEmit *e, MlirOperation op);
void xlaVulkanSetNarrow(XlaVulkanEmit *e, MlirValue key, MlirValue value,
                        int64_t low, int64_t high);
/// A narrow value in its own type, or null.
MlirValue xlaVulkanWiden(XlaVulkanEmit *e, MlirValue key);

/// A loop over [lower, upper) in steps, carrying `n` values in `carry`, as
/// several nested ones where it is long. `body` writes at `e->ir` and replaces
/// the carried values by their next ones.
void xlaVulkanLoop(XlaVulkanEmit *e, MlirValue lower, MlirValue upper,
                   int64_t step, int n, MlirValue *carry,
                   void (*body)(XlaVulkanEmit *e, MlirValue index,
                                MlirValue *carry, void *user),
                   void *user);

/// Arithmetic on indices that folds constants: a + b * c.
MlirValue xlaVulkanAddScaled(XlaIr *ir, MlirValue a, MlirValue b, int64_t c);

//===----------------------------------------------------------------------===//
// Dispatches
//===----------------------------------------------------------------------===//

/// Rewrites reductions with few results in two steps (split.c), but for
/// the `n` operations `whole`.
MlirLogicalResult xlaVulkanSplitReductions(XlaVulkanSchedule *schedule, int n,
                                           const MlirOperation *whole);

/// A dispatch for a group of statements, whose shared dimensions come first
/// (group.c). `statements` may be changed.
MlirLogicalResult xlaVulkanEmitGroup(XlaVulkanMemoryMap *memory,
                                     XlaSchedGroup *group);
/// A dispatch for statements with the attribute XLA_SCHED_TILED: a workgroup
/// has a point of their first dimensions, its threads share the others, and
/// wait for each other before a statement that reads what an earlier one wrote
/// to the workgroup's memory (tiles.c).
MlirLogicalResult xlaVulkanEmitTiles(XlaVulkanMemoryMap *memory,
                                     XlaSchedGroup *group);
/// A dispatch for a loop nest without carried values, or for a single store
/// (nest.c).
MlirLogicalResult xlaVulkanEmitNest(XlaVulkanMemoryMap *memory,
                                    MlirOperation op);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_VULKAN_SCHEDULE_EMIT_H

//===- memory.h - What arrays lie in ------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to clients. A kind of memory is a table of hooks; only its own file
// knows what `data` is. All is asked for in one order, but allocating and
// freeing: freed memory may be allocated again while what was asked for before
// still uses it, so that a hook that does not keep to that order waits.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CLIENT_MEMORY_H
#define XLAC_LOWERING_CLIENT_MEMORY_H

#include "xlac/lowering/array.h"

#include <stdatomic.h>

typedef struct XlaMemoryKind {
  /// The host reads and writes `data` itself.
  bool isShared;
  XlaStatus (*allocate)(XlaClient *client, size_t bytes, void **data);
  void (*free)(XlaClient *client, void *data);
  /// Copies between host and device; returns when the host's part is done.
  XlaStatus (*write)(XlaClient *client, void *data, size_t offset,
                     const void *from, size_t bytes);
  XlaStatus (*read)(XlaClient *client, const void *data, size_t offset,
                    size_t bytes, void *to);
  /// Runs on memories of the executable's shapes. `*number` is what `wait` gets
  /// to wait for the end of it; 0 if it has ended.
  XlaStatus (*run)(XlaLoadedExecutable *executable, void *const *inputs,
                   void *const *outputs, uint64_t *number);
  XlaStatus (*wait)(XlaClient *client, uint64_t number);
  XlaMemoryStatistics (*statistics)(XlaClient *client);
} XlaMemoryKind;

/// In memory_host.c: of the CPU and the interpreter.
extern const XlaMemoryKind xlaMemoryHost;
/// In memory_vulkan.c.
extern const XlaMemoryKind xlaMemoryVulkan;

/// Memory that arrays and executions share. Reference counted.
typedef struct XlaMemory {
  atomic_int references;
  atomic_int holds; ///< xlaArrayHold's
  XlaClient *client;
  size_t bytes;
  void *data;
  /// Of the caller, who gets it back by `release`; it must not be changed
  /// unless it was given.
  bool isForeign, isGiven;
  void (*release)(void *user);
  void *user;
} XlaMemory;

XlaStatus xlaMemoryCreate(XlaClient *client, size_t bytes, XlaMemory **memory);
XlaMemory *xlaMemoryRetain(XlaMemory *memory);
void xlaMemoryRelease(XlaMemory *memory); ///< NULL is allowed
/// Whether a program may overwrite it, once all that was asked for before is
/// done.
bool xlaMemoryIsWritable(const XlaMemory *memory);

/// An array without memory, with a reference and an event that has not
/// happened. NULL on failure, with `*status`: INVALID_ARGUMENT for what is NULL
/// or no shape of an array, OUT_OF_MEMORY.
XlaArray *xlaArrayBegin(XlaClient *client, const XlaShape *shape,
                        XlaStatus *status);
/// An array of a valid shape in `memory`; takes a reference to that and to
/// `event`, also on failure. NULL without memory.
XlaArray *xlaArrayMake(XlaClient *client, const XlaShape *shape,
                       XlaMemory *memory, XlaEvent *event);
/// Gives a new array its memory, with a reference.
void xlaArraySetMemory(XlaArray *array, XlaMemory *memory);
/// What it is made by is not in the order of its own client: who uses it waits
/// for its event.
void xlaArraySetUnordered(XlaArray *array);
/// It comes from elsewhere, and is not there yet.
bool xlaArrayIsPending(const XlaArray *array);
/// Begins to copy `from`, whose memory is `source`, to memory that is there,
/// and says so by `event`. Takes the references to all memories and to `event`.
XlaStatus xlaArrayCopyTo(XlaArray *from, XlaMemory *source, XlaMemory *target,
                         XlaEvent *event);
/// Where an array is in its client's list of promises (promise.c).
typedef struct XlaPromiseLinks {
  XlaArray *next, **at; ///< NULL: it is in none
  XlaEvent *before;     ///< happens first; or NULL
} XlaPromiseLinks;
XlaPromiseLinks *xlaArrayGetPromiseLinks(XlaArray *array);
/// Nobody has it any more, which is unordered.
void xlaPromiseForget(XlaArray *array);
/// Its memory with a reference; NULL if it has been deleted.
XlaMemory *xlaArrayGetMemory(XlaArray *array);
/// Takes its memory out of it, which deletes it; NULL if it had none.
XlaMemory *xlaArrayTakeMemory(XlaArray *array);

/// Why what is made of `array` fails, as a new status; OK if it does not, as
/// far as is known.
XlaStatus xlaArrayFailure(XlaArray *array);

#endif // XLAC_LOWERING_CLIENT_MEMORY_H

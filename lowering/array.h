//===- array.h - Arrays on a device, and programs that run on them -*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array lives on a client's device, in memory that programs read and write
// without copies. What makes arrays returns before it is done: an array is
// handed on at once, to other programs too, and has an event for when its
// elements are there. Work of a client is done in the order in which it was
// asked for. If a program fails, so do the arrays that it was to make, and
// those made of them.
//
//   XlaArray *x, *y;
//   status = xlaArrayFromHost(client, XLA_SHAPE(F32, 2, 3), &(XlaHostArray){
//                                 .data = values}, &x);
//   for (int i = 0; i < 10; ++i) {
//     status = xlaLoadedExecutableExecute(step, &(XlaExecution){
//                  .nInputs = 1, .inputs = &x, .nOutputs = 1, .outputs = &y});
//     xlaArrayRelease(x);
//     x = y;
//   }
//   status = xlaArrayRead(x, 0, sizeof values, values, NULL);
//
// examples/steps.c is a whole one. Any thread may call these functions at any
// time; an array may be deleted while programs that were asked for before are
// still to read it.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_ARRAY_H
#define XLAC_LOWERING_ARRAY_H

#include "xlac/lowering/client.h"
#include "xlac/runtime/event.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An array of static shape, dense and row-major, with the elements as literals
/// have them (dialect/literal.h). Reference counted.
typedef struct XlaArray XlaArray;

//===----------------------------------------------------------------------===//
// From the host
//===----------------------------------------------------------------------===//

/// For how long an array of the host must stay as it is.
typedef enum XlaHostUse {
  /// As long as the call lasts.
  XlaHostUseCall,
  /// Until `release` is called, which is when it has been copied.
  XlaHostUseTransfer,
  /// Until `release` is called, which is when nothing uses the array any more:
  /// where host and device share memory, it is the array, without a copy.
  XlaHostUseShared,
  /// The same, and it may be overwritten: the array may be donated.
  XlaHostUseGiven,
} XlaHostUse;

typedef struct XlaHostArray {
  const void *data;
  /// Bytes from an element to the next, a dimension each, of any sign; NULL: it
  /// is dense and row-major.
  const int64_t *byteStrides;
  XlaHostUse use;
  /// Called with `user` as `use` says, on any thread, exactly once, also if the
  /// call fails; NULL: not called.
  void (*release)(void *user);
  void *user;
} XlaHostArray;

/// Makes an array of what the host has. Fails: INVALID_ARGUMENT for NULL or a
/// dynamic shape, OUT_OF_MEMORY of the device.
XlaStatus xlaArrayFromHost(XlaClient *client, const XlaShape *shape,
                           const XlaHostArray *host, XlaArray **array);
/// An array with any elements.
XlaStatus xlaArrayCreate(XlaClient *client, const XlaShape *shape,
                         XlaArray **array);
/// An array that failed for `why`, which is taken: what is made of it fails
/// likewise.
XlaStatus xlaArrayCreateFailed(XlaClient *client, const XlaShape *shape,
                               XlaStatus why, XlaArray **array);
/// The same elements on another device, or in other memory of the same one.
XlaStatus xlaArrayCopy(XlaArray *array, XlaClient *client, XlaArray **copy);

/// The same array as one of another client: in the same memory where both work
/// in that of the host, else a copy. As long as it lives the memory is not
/// changed.
XlaStatus xlaArrayShare(XlaArray *array, XlaClient *client, XlaArray **shared);
/// The same, but `array` is deleted, and its memory may be changed where
/// nothing else has it: it is there once all that was asked of its client
/// before is done. What fails leaves `array` as it is.
XlaStatus xlaArrayMove(XlaArray *array, XlaClient *client, XlaArray **moved);

/// An array whose elements are still to come: it may be handed on at once. Its
/// maker keeps the promise, else what was asked for it waits until the client
/// ends, which fails it.
XlaStatus xlaArrayPromise(XlaClient *client, const XlaShape *shape,
                          XlaArray **array);
/// A promise of the array's memory, which it loses, with the elements that it
/// has: what is asked for it waits until the promise is kept.
XlaStatus xlaArrayPromiseMemory(XlaArray *array, XlaArray **promise);
/// Copies `byteCount` bytes of elements of a promise, from `offset` on, before
/// it returns. Fails: INVALID_ARGUMENT for bytes that the array does not have,
/// and if it has been deleted.
XlaStatus xlaArrayFill(XlaArray *promise, size_t offset, size_t byteCount,
                       const void *data);
/// All elements are there, or `why` not, which is taken. Only the first call
/// for a promise counts, of this one or the next.
void xlaArrayKeep(XlaArray *promise, XlaStatus why);
/// They are copies of another array's, of the same shape, once that is there.
/// Fails: INVALID_ARGUMENT for another shape, and if the other one has been
/// deleted.
XlaStatus xlaArrayKeepWith(XlaArray *promise, XlaArray *array);

XlaArray *xlaArrayRetain(XlaArray *array);
/// With the last reference the array is deleted. NULL is allowed.
void xlaArrayRelease(XlaArray *array);

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

XlaClient *xlaArrayGetClient(const XlaArray *array);
const XlaShape *xlaArrayGetShape(const XlaArray *array);
/// Of all elements.
size_t xlaArrayGetByteCount(const XlaArray *array);
/// Happens when the elements are there. Borrowed.
XlaEvent *xlaArrayGetEvent(const XlaArray *array);

/// Gives the memory back when nothing that was asked for before needs it. All
/// that is asked for afterwards fails with INVALID_ARGUMENT.
void xlaArrayDelete(XlaArray *array);
bool xlaArrayIsDeleted(XlaArray *array);

//===----------------------------------------------------------------------===//
// To the host
//===----------------------------------------------------------------------===//

/// Copies `byteCount` bytes from `offset` on to `data`, dense and row-major. If
/// `done` is NULL it returns when they are there. Else it may return before,
/// and gives an event, to be released, after which `data` is the caller's
/// again. Fails: INVALID_ARGUMENT for bytes that the array does not have, and
/// as the array did.
XlaStatus xlaArrayRead(XlaArray *array, size_t offset, size_t byteCount,
                       void *data, XlaEvent **done);

/// The memory itself, where host and device share it, else NULL. The elements
/// are there after the array's event. It stays as it is until xlaArrayUnhold,
/// also if the array is deleted or donated, which makes a copy then. Every call
/// that does not give NULL asks for one xlaArrayUnhold.
const void *xlaArrayHold(XlaArray *array);
void xlaArrayUnhold(XlaArray *array);

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// What an executable takes and gives: the arrays in its arguments and results,
/// tuples flattened, tokens left out. One with arrays of unknown or dynamic
/// size runs on literals only, and has none.
bool xlaLoadedExecutableRunsOnArrays(const XlaLoadedExecutable *executable);
intptr_t xlaLoadedExecutableGetNumInputs(const XlaLoadedExecutable *executable);
intptr_t
xlaLoadedExecutableGetNumOutputs(const XlaLoadedExecutable *executable);
const XlaShape *
xlaLoadedExecutableGetInputShape(const XlaLoadedExecutable *executable,
                                 intptr_t index);
const XlaShape *
xlaLoadedExecutableGetOutputShape(const XlaLoadedExecutable *executable,
                                  intptr_t index);
/// Whether an execution deletes the input and may use its memory for a result.
bool xlaLoadedExecutableIsDonated(const XlaLoadedExecutable *executable,
                                  intptr_t index);

typedef struct XlaExecution {
  intptr_t nInputs;
  XlaArray *const *inputs; ///< of the client, and of these shapes
  /// Numbers of inputs that are kept although the program says that they are
  /// donated.
  intptr_t nKept;
  const intptr_t *kept;
  intptr_t nOutputs;
  XlaArray **outputs; ///< gets a reference each
  XlaEvent **done;    ///< gets an event, to be released; NULL: none is wanted
} XlaExecution;

/// Begins an execution and returns; what fails later fails in the outputs and
/// `done`. Fails at once, with all outputs NULL: INVALID_ARGUMENT for a wrong
/// number, client, shape or a deleted array, OUT_OF_MEMORY, UNIMPLEMENTED for
/// an executable that runs on literals only.
///
/// A function of the host that a program calls may call it, and wait for what
/// comes: it runs the program before it returns, out of the client's order if
/// that client is busy with another one. What was asked for after the program
/// that calls the function is no input: it is behind it.
XlaStatus xlaLoadedExecutableExecute(XlaLoadedExecutable *executable,
                                     const XlaExecution *execution);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Of the arrays of a client, in bytes.
typedef struct XlaMemoryStatistics {
  size_t usedBytes;     ///< in arrays, and what running programs work with
  size_t peakBytes;     ///< the most so far
  size_t reservedBytes; ///< kept for arrays to come
  size_t limitBytes;    ///< what there can be; 0 if that is not known
  size_t nArrays;       ///< memories in use
} XlaMemoryStatistics;
XlaMemoryStatistics xlaClientGetMemoryStatistics(XlaClient *client);

/// Waits until all that was asked for is done. Of clients that share arrays all
/// are waited for before one is destroyed; nothing may be asked for afterwards.
void xlaClientFinish(XlaClient *client);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_ARRAY_H

//===- bind.c - Programs get inputs and outputs ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is recorded for certain memory is kept, for the last few sets of inputs
// and outputs. Arrays come and go, their memory stays: a binding is known by
// the numbers of the slots that it was recorded for.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/clock.h"
#include "xlac/runtime/vulkan/program_internal.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Arrays that do not fit
//===----------------------------------------------------------------------===//

/// "input 3", in a buffer of the caller.
#define NAME(i)                                                                \
  (i) < program->nInputs ? "input" : "output",                                 \
      (long long)((i) < program->nInputs ? (i) : (i) - program->nInputs)

static const XlaVulkanArray *arrayOf(const XlaVulkanProgram *program,
                                     intptr_t i) {
  return i < program->nInputs ? program->inputs[i]
                              : program->outputs[i - program->nInputs];
}

static XlaStatus checkArray(const XlaVulkanProgram *program, intptr_t i) {
  const XlaVulkanArray *array = arrayOf(program, i);
  if (!array)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "%s %lld of the run is NULL", NAME(i));
  if (array->device != program->device)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "%s %lld of the run is on another device", NAME(i));
  if (array->bytes < program->bytes[i])
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "%s %lld of the run has %lld bytes, and the program "
                           "needs %lld",
                           NAME(i), (long long)array->bytes,
                           (long long)program->bytes[i]);
  // Pieces may be longer than the program knows of, not shorter.
  if (array->pieceBytes && array->pieceBytes < program->bytes[i] &&
      (!program->pieceBytes || array->pieceBytes < program->pieceBytes))
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "%s %lld of the run consists of pieces of %lld "
                           "bytes, and the program takes %lld",
                           NAME(i), (long long)array->pieceBytes,
                           (long long)program->pieceBytes);
  return NULL;
}

/// An array of the run, to find those that are there several times.
typedef struct Entry {
  const XlaVulkanArray *array;
  intptr_t number;
} Entry;

static int compare(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  if (x->array != y->array)
    return (uintptr_t)x->array < (uintptr_t)y->array ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

/// Whether the entries of one array are inputs only, or an output and its
/// aliased input.
static bool maySame(const XlaVulkanProgram *program, const Entry *entries,
                    intptr_t n) {
  intptr_t last = entries[n - 1].number - program->nInputs;
  if (n == 1 || last < 0 || entries[0].array->bytes == 0)
    return true;
  return n == 2 && program->aliases[last] == entries[0].number;
}

/// Outputs are no other output or input, but their aliased one.
static XlaStatus checkDistinct(const XlaVulkanProgram *program) {
  intptr_t n = program->nInputs + program->nOutputs;
  Entry *entries = calloc((size_t)n + 1, sizeof *entries);
  if (!entries)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for a list of %lld arrays", (long long)n);
  for (intptr_t i = 0; i < n; ++i)
    entries[i] = (Entry){arrayOf(program, i), i};
  qsort(entries, (size_t)n, sizeof *entries, compare);
  XlaStatus status = NULL;
  for (intptr_t i = 0, end; !status && i < n; i = end) {
    for (end = i + 1; end < n && entries[end].array == entries[i].array;)
      ++end;
    if (!maySame(program, &entries[i], end - i))
      status = xlaStatusCreate(
          XLA_STATUS_INVALID_ARGUMENT,
          "%s %lld of the run is %s %lld too, in whose memory it cannot be",
          NAME(entries[end - 1].number), NAME(entries[i].number));
  }
  free(entries);
  return status;
}

//===----------------------------------------------------------------------===//
// Looking up
//===----------------------------------------------------------------------===//

/// Calls for the slots that hold what the program needs of the arrays, in
/// order, as long as `each` returns true; whether it always did.
static bool walkSlots(const XlaVulkanProgram *program,
                      bool (*each)(uint64_t number, void *user), void *user) {
  for (intptr_t i = 0; i < program->nInputs + program->nOutputs; ++i) {
    const XlaVulkanArray *array = arrayOf(program, i);
    int64_t left = program->bytes[i];
    for (intptr_t k = 0; left > 0 && k < array->n; ++k) {
      if (!each(array->pieces[k]->number, user))
        return false;
      left = array->pieceBytes ? left - array->pieceBytes : 0;
    }
  }
  return true;
}

typedef struct Key {
  uint64_t hash;
  intptr_t n;
} Key;

static bool addToKey(uint64_t number, void *user) {
  Key *key = user;
  key->hash = (key->hash ^ number) * UINT64_C(0x9E3779B97F4A7C15);
  key->hash ^= key->hash >> 29;
  ++key->n;
  return true;
}

typedef struct Cursor {
  XlaVulkanBinding *binding;
  intptr_t next;
} Cursor;

static bool isNext(uint64_t number, void *user) {
  Cursor *cursor = user;
  return cursor->binding->slots[cursor->next++] == number;
}

static bool setNext(uint64_t number, void *user) {
  Cursor *cursor = user;
  cursor->binding->slots[cursor->next++] = number;
  return true;
}

/// The binding for the arrays of the run, or NULL.
static XlaVulkanBinding *find(XlaVulkanProgram *program, const Key *key) {
  for (int i = 0; i < XlaVulkanBindingsMax; ++i) {
    XlaVulkanBinding *binding = &program->bindings[i];
    Cursor cursor = {binding, 0};
    if (binding->tick && binding->hash == key->hash &&
        binding->nSlots == key->n && walkSlots(program, isNext, &cursor))
      return binding;
  }
  return NULL;
}

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

/// Makes the command buffers that a binding lacks.
static XlaStatus makeCommands(XlaVulkanProgram *program,
                              XlaVulkanBinding *binding) {
  size_t n = program->nRuns ? (size_t)program->nRuns : 1;
  if (!binding->runs)
    binding->runs = calloc(n, sizeof(VkCommandBuffer));
  if (!binding->runs)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for %zu runs",
                           n);
  for (intptr_t i = 0; i < program->nRuns; ++i)
    if (program->runs[i].isBound && !binding->runs[i])
      XLA_RETURN_IF_ERROR(xlaVulkanCommandsAllocate(
          program->device, program->commandPool, 1, &binding->runs[i]));
  return NULL;
}

static XlaStatus setSlots(XlaVulkanProgram *program, XlaVulkanBinding *binding,
                          const Key *key) {
  if (key->n > binding->capacity) {
    uint64_t *grown =
        realloc(binding->slots, (size_t)key->n * sizeof *binding->slots);
    if (!grown)
      return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                             "no memory for a list of %lld buffers",
                             (long long)key->n);
    binding->slots = grown;
    binding->capacity = key->n;
  }
  Cursor cursor = {binding, 0};
  (void)walkSlots(program, setNext, &cursor);
  binding->nSlots = key->n;
  binding->hash = key->hash;
  return NULL;
}

/// Records all that is bound; the device does not use the binding.
static XlaStatus record(XlaVulkanProgram *program, XlaVulkanBinding *binding,
                        const Key *key) {
  binding->sets.n = program->bound.n;
  binding->sets.nDescriptors = program->bound.nDescriptors;
  binding->sets.listBytes = program->bound.listBytes;
  XLA_RETURN_IF_ERROR(setSlots(program, binding, key));
  XLA_RETURN_IF_ERROR(makeCommands(program, binding));
  XLA_RETURN_IF_ERROR(xlaVulkanSetsWrite(program, true, &binding->sets));
  for (intptr_t i = 0; i < program->nRuns; ++i)
    if (program->runs[i].isBound)
      XLA_RETURN_IF_ERROR(
          xlaVulkanProgramRecord(program, i, &binding->sets, binding->runs[i]));
  return NULL;
}

/// Records for the arrays of the run in place of what has not been used for
/// longest.
static XlaStatus bindAnew(XlaVulkanProgram *program, const Key *key) {
  double start = xlaClockMilliseconds();
  XlaVulkanBinding *oldest = &program->bindings[0];
  for (int i = 1; i < XlaVulkanBindingsMax; ++i)
    if (program->bindings[i].tick < oldest->tick)
      oldest = &program->bindings[i];
  XLA_RETURN_IF_ERROR(checkDistinct(program));
  XLA_RETURN_IF_ERROR(xlaVulkanDeviceWait(program->device, oldest->number));
  oldest->tick = 0; // until it is whole
  XLA_RETURN_IF_ERROR(record(program, oldest, key));
  program->binding = oldest;
  program->stats.recordMs += xlaClockMilliseconds() - start;
  ++program->stats.nRecorded;
  return NULL;
}

XlaStatus xlaVulkanProgramBind(XlaVulkanProgram *program,
                               XlaVulkanArray *const *inputs,
                               XlaVulkanArray *const *outputs) {
  program->inputs = inputs;
  program->outputs = outputs;
  program->binding = NULL;
  for (intptr_t i = 0; i < program->nInputs + program->nOutputs; ++i)
    XLA_RETURN_IF_ERROR(checkArray(program, i));
  Key key = {0};
  (void)walkSlots(program, addToKey, &key);
  program->binding = find(program, &key);
  if (!program->binding)
    XLA_RETURN_IF_ERROR(bindAnew(program, &key));
  program->binding->tick = ++program->tick;
  return NULL;
}

void xlaVulkanBindingDestroy(XlaVulkanProgram *program,
                             XlaVulkanBinding *binding) {
  xlaVulkanSetsDestroy(program, &binding->sets);
  free(binding->runs);
  free(binding->slots);
}

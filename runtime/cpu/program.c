//===- program.c - Running compiled programs on the CPU -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/cpu/program.h"

#include "xlac/runtime/cpu/spread.h"
#include "xlac/runtime/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { pageBytes = 4096, hugePageBytes = 2 << 20 };

/// Memory that there is wherever this code itself has room.
enum { smallBytes = 1 << 20 };

/// What one run works in. A program keeps as many as there have been runs at
/// the same time.
typedef struct State {
  struct State *next; // of those that no run has
  char *memory;       // arena and scratch, one after the other
  XlaCpuSlot slots[]; // all that the entry gets
} State;

struct XlaCpuProgram {
  XlaCpuProgramInfo info;
  char *constants;
  pthread_mutex_t lock; // of `idle`
  State *idle;
};

static void set(XlaCpuSlot *slot, void *address) {
  slot->allocated = slot->aligned = address;
}

/// Rounds up to whole pages, so that the parts of the memory share none.
static int64_t pages(int64_t bytes) {
  return (bytes + pageBytes - 1) / pageBytes * pageBytes;
}

static size_t stateBytes(const XlaCpuProgramInfo *info) {
  return (size_t)(pages(info->arenaBytes) + pages(info->scratchBytes));
}

/// Whole pages of zeros; NULL without memory.
static char *map(size_t bytes) {
  bytes = bytes ? bytes : pageBytes;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  if (bytes >= hugePageBytes) // fewer page faults and TLB misses; only a hint
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

static void unmap(char *memory, size_t bytes) {
  if (memory)
    munmap(memory, bytes ? bytes : pageBytes);
}

static void destroyState(const XlaCpuProgram *program, State *state) {
  unmap(state->memory, stateBytes(&program->info));
  free(state);
}

static XlaStatus createState(const XlaCpuProgram *program, State **state) {
  const XlaCpuProgramInfo *info = &program->info;
  size_t bytes = stateBytes(info);
  size_t nSlots = (size_t)(info->nInputs + info->nOutputs) + 4;
  *state = NULL;
  // To ask for the limit takes longer than the rest.
  if (bytes > smallBytes && bytes > (size_t)xlaMemoryLimit())
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "a program needs %zu bytes, more than four fifths "
                           "of the memory that there is",
                           bytes);
  State *made = calloc(1, sizeof *made + nSlots * sizeof *made->slots);
  if (made)
    made->memory = map(bytes);
  if (!made || !made->memory) {
    free(made);
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for a program's %zu bytes", bytes);
  }
  XlaCpuSlot *after = made->slots + info->nInputs + info->nOutputs;
  set(&after[0], program->constants);
  set(&after[1], made->memory);
  set(&after[3], made->memory + pages(info->arenaBytes));
  *state = made;
  return NULL;
}

XlaStatus xlaCpuProgramCreate(const XlaCpuProgramInfo *info,
                              XlaCpuProgram **program) {
  *program = NULL;
  XlaCpuProgram *made = calloc(1, sizeof *made);
  if (made) {
    made->info = *info;
    made->constants = map((size_t)pages(info->constantBytes));
  }
  if (!made || !made->constants) {
    free(made);
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for a program's %lld bytes of constants",
                           (long long)info->constantBytes);
  }
  pthread_mutex_init(&made->lock, NULL);
  XlaStatus status = createState(made, &made->idle);
  if (status)
    xlaCpuProgramDestroy(made);
  else
    *program = made;
  return status;
}

void xlaCpuProgramDestroy(XlaCpuProgram *program) {
  if (!program)
    return;
  for (State *state = program->idle, *next; state; state = next) {
    next = state->next;
    destroyState(program, state);
  }
  unmap(program->constants, (size_t)pages(program->info.constantBytes));
  pthread_mutex_destroy(&program->lock);
  free(program);
}

void *xlaCpuProgramGetConstants(XlaCpuProgram *program) {
  return program->constants;
}

/// A state that no run has; a new one only where more runs overlap than ever
/// before.
static XlaStatus takeState(XlaCpuProgram *program, State **state) {
  pthread_mutex_lock(&program->lock);
  *state = program->idle;
  if (*state)
    program->idle = (*state)->next;
  pthread_mutex_unlock(&program->lock);
  return *state ? NULL : createState(program, state);
}

static void giveBack(XlaCpuProgram *program, State *state) {
  pthread_mutex_lock(&program->lock);
  state->next = program->idle;
  program->idle = state;
  pthread_mutex_unlock(&program->lock);
}

XlaStatus xlaCpuProgramRun(XlaCpuProgram *program, const void *const *inputs,
                           void *const *outputs, void *context) {
  const XlaCpuProgramInfo *info = &program->info;
  State *state;
  XlaStatus status = takeState(program, &state);
  if (!state)
    return status;
  XlaCpuSlot *slots = state->slots;
  for (intptr_t i = 0; i < info->nInputs; ++i)
    set(&slots[i], (void *)inputs[i]);
  for (intptr_t i = 0; i < info->nOutputs; ++i)
    set(&slots[info->nInputs + i], outputs[i]);
  set(&slots[info->nInputs + info->nOutputs + 2], context);
  xlaCpuSpreadStay();
  info->entry(slots);
  giveBack(program, state);
  return NULL;
}

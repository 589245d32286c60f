//===- program.c - Running compiled programs on the CPU -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/cpu/program.h"

#include "xlac/runtime/cpu/spread.h"
#include "xlac/runtime/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { pageBytes = 4096, hugePageBytes = 2 << 20 };

struct XlaCpuProgram {
  XlaCpuProgramInfo info;
  char *memory; // constants, arena and scratch, one after the other
  size_t memoryBytes;
  XlaCpuSlot *slots;
};

static void set(XlaCpuSlot *slot, void *address) {
  slot->allocated = slot->aligned = address;
}

/// Rounds up to whole pages, so that the parts of the memory share none.
static int64_t pages(int64_t bytes) {
  return (bytes + pageBytes - 1) / pageBytes * pageBytes;
}

XlaStatus xlaCpuProgramCreate(const XlaCpuProgramInfo *info,
                              XlaCpuProgram **program) {
  *program = NULL;
  XlaCpuProgram *made = calloc(1, sizeof *made);
  int64_t constants = pages(info->constantBytes);
  int64_t arena = pages(info->arenaBytes);
  size_t bytes = (size_t)(constants + arena + pages(info->scratchBytes));
  size_t nSlots = (size_t)(info->nInputs + info->nOutputs) + 4;
  if (bytes > (size_t)xlaMemoryLimit()) {
    free(made);
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "a program needs %zu bytes, more than four fifths "
                           "of the memory that there is",
                           bytes);
  }
  if (made) {
    made->info = *info;
    made->slots = calloc(nSlots, sizeof *made->slots);
    made->memoryBytes = bytes ? bytes : pageBytes;
    void *memory = mmap(NULL, made->memoryBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    made->memory = memory == MAP_FAILED ? NULL : memory;
  }
  if (!made || !made->slots || !made->memory) {
    xlaCpuProgramDestroy(made);
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for a program's %zu bytes", bytes);
  }
  if (bytes >= hugePageBytes) // fewer page faults and TLB misses; only a hint
    (void)madvise(made->memory, made->memoryBytes, MADV_HUGEPAGE);
  XlaCpuSlot *after = made->slots + info->nInputs + info->nOutputs;
  set(&after[0], made->memory);
  set(&after[1], made->memory + constants);
  set(&after[3], made->memory + constants + arena);
  *program = made;
  return NULL;
}

void xlaCpuProgramDestroy(XlaCpuProgram *program) {
  if (!program)
    return;
  if (program->memory)
    munmap(program->memory, program->memoryBytes);
  free(program->slots);
  free(program);
}

void *xlaCpuProgramGetConstants(XlaCpuProgram *program) {
  return program->memory;
}

void xlaCpuProgramRun(XlaCpuProgram *program, const void *const *inputs,
                      void *const *outputs, void *context) {
  const XlaCpuProgramInfo *info = &program->info;
  XlaCpuSlot *slots = program->slots;
  for (intptr_t i = 0; i < info->nInputs; ++i)
    set(&slots[i], (void *)inputs[i]);
  for (intptr_t i = 0; i < info->nOutputs; ++i)
    set(&slots[info->nInputs + i], outputs[i]);
  set(&slots[info->nInputs + info->nOutputs + 2], context);
  xlaCpuSpreadStay();
  info->entry(slots);
}

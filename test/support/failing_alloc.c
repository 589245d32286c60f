//===- failing_alloc.c - Allocations that fail on demand ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/failing_alloc.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

static int failing, allocations;

void failingAllocSet(int number) {
  failing = number;
  allocations = 0;
}

int failingAllocCount(void) { return allocations; }

static bool fails(void) { return ++allocations == failing; }

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
void *__real_mmap(void *at, size_t size, int protection, int flags, int file,
                  off_t offset);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
int __wrap_asprintf(char **text, const char *format, ...);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file,
                  off_t offset);

void *__wrap_malloc(size_t size) {
  return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
  return fails() ? NULL : __real_calloc(count, size);
}

// mlir-c's, where it is linked.
void mlirOperationStateAddResults(void) __attribute__((weak));
void mlirOperationStateAddOperands(void) __attribute__((weak));
void mlirOperationStateAddOwnedRegions(void) __attribute__((weak));
void mlirOperationStateAddSuccessors(void) __attribute__((weak));
void mlirOperationStateAddAttributes(void) __attribute__((weak));

static bool isIn(uintptr_t address, void (*function)(void)) {
  enum { functionBytes = 512 };
  return function && address - (uintptr_t)function < functionBytes;
}

/// These do not check what they allocate.
static bool isOfStates(uintptr_t caller) {
  return isIn(caller, mlirOperationStateAddResults) ||
         isIn(caller, mlirOperationStateAddOperands) ||
         isIn(caller, mlirOperationStateAddOwnedRegions) ||
         isIn(caller, mlirOperationStateAddSuccessors) ||
         isIn(caller, mlirOperationStateAddAttributes);
}

void *__wrap_realloc(void *block, size_t size) {
  bool checked = !isOfStates((uintptr_t)__builtin_return_address(0));
  return checked && fails() ? NULL : __real_realloc(block, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

char *__wrap_strdup(const char *text) {
  return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t size) {
  return fails() ? NULL : __real_strndup(text, size);
}

/// Leaves `*text` undefined when it fails, as POSIX allows.
int __wrap_asprintf(char **text, const char *format, ...) {
  static char undefined;
  *text = &undefined;
  if (fails())
    return -1;
  va_list arguments;
  va_start(arguments, format);
  int written = vasprintf(text, format, arguments);
  va_end(arguments);
  return written;
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file,
                  off_t offset) {
  return fails() ? MAP_FAILED
                 : __real_mmap(at, size, protection, flags, file, offset);
}

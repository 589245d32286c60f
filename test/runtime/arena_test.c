//===- arena_test.c - Host memory that is used again ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/arena.h"
#include "xlac/runtime/checked.h"
#include "xlac/test/support/unit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static XlaArena *createArena(size_t liveLimit, size_t idleLimit) {
  XlaArena *arena = NULL;
  assert_null(xlaArenaCreate(
      (XlaArenaOptions){.liveLimit = liveLimit, .idleLimit = idleLimit},
      &arena));
  assert_non_null(arena);
  return arena;
}

static void *allocate(XlaArena *arena, size_t byteCount) {
  void *block = NULL;
  XlaStatus status = xlaArenaAllocate(arena, byteCount, &block);
  assert_null(status);
  assert_non_null(block);
  assert_int_equal((uintptr_t)block % XLA_ARENA_ALIGNMENT, 0);
  return block;
}

static void sizesUpToAMegabyteHoldTheirBytes(void **state) {
  XlaArena *arena = createArena(0, SIZE_MAX);
  for (size_t size = 0; size < 1u << 20; size += 1 + size / 7) {
    unsigned char *block = allocate(arena, size);
    memset(block, 0xa5, size);
    xlaArenaFree(block);
  }
  for (int log2 = 5; log2 < 21; ++log2)
    for (size_t step = 4; step < 8; ++step)
      for (size_t size = (step << log2) / 4 - 1, i = 0; i < 3; ++i, ++size) {
        unsigned char *block = allocate(arena, size);
        memset(block, 0x5a, size);
        xlaArenaFree(block);
      }
  xlaArenaDestroy(arena);
}

static void blocksAreUsedAgain(void **state) {
  XlaArena *arena = createArena(0, 1 << 20);
  void *first = allocate(arena, 1000);
  void *second = allocate(arena, 1000);
  assert_ptr_not_equal(first, second);
  xlaArenaFree(first);
  assert_ptr_equal(allocate(arena, 990), first);
  XlaArenaStatistics statistics = xlaArenaGetStatistics(arena);
  assert_int_equal(statistics.allocated, 3);
  assert_int_equal(statistics.reused, 1);
  assert_int_equal(statistics.liveBytes, 1990);
  assert_int_equal(statistics.peakBytes, 2000);
  assert_int_equal(statistics.idleBytes, 0);
  xlaArenaFree(first);
  xlaArenaFree(second);
  assert_true(xlaArenaGetStatistics(arena).idleBytes >= 2000);
  xlaArenaTrim(arena);
  assert_int_equal(xlaArenaGetStatistics(arena).idleBytes, 0);
  xlaArenaDestroy(arena);
}

static void idleLimitHolds(void **state) {
  XlaArena *arena = createArena(0, 3000);
  void *blocks[4];
  for (int i = 0; i < 4; ++i)
    blocks[i] = allocate(arena, 1024);
  for (int i = 0; i < 4; ++i)
    xlaArenaFree(blocks[i]);
  assert_int_equal(xlaArenaGetStatistics(arena).idleBytes, 2048);
  xlaArenaDestroy(arena);
  arena = createArena(0, 0);
  xlaArenaFree(allocate(arena, 1));
  assert_int_equal(xlaArenaGetStatistics(arena).idleBytes, 0);
  xlaArenaDestroy(arena);
}

static void expectOutOfMemory(XlaArena *arena, size_t byteCount,
                              const char *message) {
  void *block = &block;
  XlaStatus status = xlaArenaAllocate(arena, byteCount, &block);
  assert_int_equal(xlaStatusCode(status), XLA_STATUS_OUT_OF_MEMORY);
  assert_string_equal(xlaStatusMessage(status), message);
  assert_null(block);
  xlaStatusDestroy(status);
}

static void liveLimitHolds(void **state) {
  XlaArena *arena = createArena(100, 0);
  void *block = allocate(arena, 60);
  expectOutOfMemory(
      arena, 41,
      "a buffer of 41 bytes beside 60 in use exceeds the limit of 100");
  void *rest = allocate(arena, 40);
  xlaArenaFree(block);
  expectOutOfMemory(
      arena, SIZE_MAX,
      "a buffer of 18446744073709551615 bytes exceeds the address space");
  expectOutOfMemory(
      arena, 61,
      "a buffer of 61 bytes beside 40 in use exceeds the limit of 100");
  xlaArenaFree(rest);
  assert_int_equal(xlaArenaGetStatistics(arena).liveBytes, 0);
  xlaArenaDestroy(arena);
}

static void hugeSizesFail(void **state) {
  XlaArena *arena = createArena(0, 0);
  for (int i = 0; i < 200; ++i) {
    void *block = NULL;
    XlaStatus status = xlaArenaAllocate(arena, SIZE_MAX - (size_t)i, &block);
    assert_int_equal(xlaStatusCode(status), XLA_STATUS_OUT_OF_MEMORY);
    xlaStatusDestroy(status);
    status = xlaArenaAllocate(arena, PTRDIFF_MAX - (size_t)i, &block);
    assert_int_equal(xlaStatusCode(status), XLA_STATUS_OUT_OF_MEMORY);
    assert_null(block);
    xlaStatusDestroy(status);
  }
  assert_int_equal(xlaArenaGetStatistics(arena).liveBytes, 0);
  xlaArenaDestroy(arena);
}

static void blocksOutliveTheArena(void **state) {
  XlaArena *arena = createArena(0, 1 << 20);
  char *kept = allocate(arena, 100);
  xlaArenaFree(allocate(arena, 5000));
  xlaArenaDestroy(arena);
  memset(kept, 1, 100);
  xlaArenaFree(kept); // LeakSanitizer sees whether the arena goes with it
  xlaArenaFree(NULL);
  xlaArenaDestroy(NULL);
}

static void *useFromAThread(void *argument) {
  XlaArena *arena = argument;
  unsigned char *blocks[16] = {NULL};
  unsigned seed = (unsigned)(uintptr_t)&blocks;
  intptr_t wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    unsigned char **block = &blocks[i % 16];
    if (*block)
      wrong += (*block)[0] != i % 16;
    xlaArenaFree(*block);
    XlaStatus status = xlaArenaAllocate(arena, 1 + (size_t)rand_r(&seed) % 9000,
                                        (void **)block);
    if (status)
      return (void *)1;
    (*block)[0] = (unsigned char)(i % 16);
  }
  for (int i = 0; i < 16; ++i)
    xlaArenaFree(blocks[i]);
  return (void *)wrong;
}

static void threadsShareAnArena(void **state) {
  XlaArena *arena = createArena(0, 1 << 18);
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, useFromAThread, arena),
                     0);
  for (int i = 0; i < 4; ++i) {
    void *wrong = NULL;
    assert_int_equal(pthread_join(threads[i], &wrong), 0);
    assert_null(wrong);
  }
  XlaArenaStatistics statistics = xlaArenaGetStatistics(arena);
  assert_int_equal(statistics.liveBytes, 0);
  assert_int_equal(statistics.allocated, 80000);
  assert_in_range(statistics.idleBytes, 1, 1 << 18);
  xlaArenaDestroy(arena);
}

static void byteCountsAreChecked(void **state) {
  size_t size = 1;
  assert_true(xlaCheckedByteCount(0, NULL, 4, &size));
  assert_int_equal(size, 4);
  assert_true(xlaCheckedByteCount(2, (int64_t[]){3, 5}, 8, &size));
  assert_int_equal(size, 120);
  assert_true(xlaCheckedByteCount(2, (int64_t[]){0, INT64_MAX}, 1, &size));
  assert_int_equal(size, 0);
  assert_false(xlaCheckedByteCount(1, (int64_t[]){-1}, 1, &size));
  assert_false(
      xlaCheckedByteCount(2, (int64_t[]){1ll << 32, 1ll << 32}, 1, &size));
  assert_false(xlaCheckedByteCount(2, (int64_t[]){1ll << 62, 2}, 1, &size));
  assert_false(
      xlaCheckedByteCount(3, (int64_t[]){0, 1ll << 40, 1ll << 40}, 1, &size));
  assert_int_equal(size, 0);
  assert_true(xlaCheckedAlign(65, 64, &size));
  assert_int_equal(size, 128);
  assert_false(xlaCheckedAlign(SIZE_MAX, 64, &size));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizesUpToAMegabyteHoldTheirBytes),
      cmocka_unit_test(blocksAreUsedAgain),
      cmocka_unit_test(idleLimitHolds),
      cmocka_unit_test(liveLimitHolds),
      cmocka_unit_test(hugeSizesFail),
      cmocka_unit_test(blocksOutliveTheArena),
      cmocka_unit_test(threadsShareAnArena),
      cmocka_unit_test(byteCountsAreChecked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

//===- pool_test.c - Host memory that is used again ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/checked.h"
#include "xlac/runtime/pool.h"
#include "xlac/test/support/unit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static XlaPool *createArena(size_t liveLimit, size_t idleLimit) {
  XlaPool *pool = NULL;
  assert_null(xlaPoolCreate(
      (XlaPoolOptions){.liveLimit = liveLimit, .idleLimit = idleLimit}, &pool));
  assert_non_null(pool);
  return pool;
}

static void *allocate(XlaPool *pool, size_t byteCount) {
  void *block = NULL;
  XlaStatus status = xlaPoolAllocate(pool, byteCount, &block);
  assert_null(status);
  assert_non_null(block);
  assert_int_equal((uintptr_t)block % XLA_POOL_ALIGNMENT, 0);
  return block;
}

static void sizesUpToAMegabyteHoldTheirBytes(void **state) {
  XlaPool *pool = createArena(0, SIZE_MAX);
  for (size_t size = 0; size < 1u << 20; size += 1 + size / 7) {
    unsigned char *block = allocate(pool, size);
    memset(block, 0xa5, size);
    xlaPoolFree(block);
  }
  for (int log2 = 5; log2 < 21; ++log2)
    for (size_t step = 4; step < 8; ++step)
      for (size_t size = (step << log2) / 4 - 1, i = 0; i < 3; ++i, ++size) {
        unsigned char *block = allocate(pool, size);
        memset(block, 0x5a, size);
        xlaPoolFree(block);
      }
  xlaPoolDestroy(pool);
}

static void blocksAreUsedAgain(void **state) {
  XlaPool *pool = createArena(0, 1 << 20);
  void *first = allocate(pool, 1000);
  void *second = allocate(pool, 1000);
  assert_ptr_not_equal(first, second);
  xlaPoolFree(first);
  assert_ptr_equal(allocate(pool, 990), first);
  XlaPoolStatistics statistics = xlaPoolGetStatistics(pool);
  assert_int_equal(statistics.allocated, 3);
  assert_int_equal(statistics.reused, 1);
  assert_int_equal(statistics.liveBytes, 1990);
  assert_int_equal(statistics.peakBytes, 2000);
  assert_int_equal(statistics.idleBytes, 0);
  xlaPoolFree(first);
  xlaPoolFree(second);
  assert_true(xlaPoolGetStatistics(pool).idleBytes >= 2000);
  xlaPoolTrim(pool);
  assert_int_equal(xlaPoolGetStatistics(pool).idleBytes, 0);
  xlaPoolDestroy(pool);
}

static void idleLimitHolds(void **state) {
  XlaPool *pool = createArena(0, 3000);
  void *blocks[4];
  for (int i = 0; i < 4; ++i)
    blocks[i] = allocate(pool, 1024);
  for (int i = 0; i < 4; ++i)
    xlaPoolFree(blocks[i]);
  assert_int_equal(xlaPoolGetStatistics(pool).idleBytes, 2048);
  xlaPoolDestroy(pool);
  pool = createArena(0, 0);
  xlaPoolFree(allocate(pool, 1));
  assert_int_equal(xlaPoolGetStatistics(pool).idleBytes, 0);
  xlaPoolDestroy(pool);
}

static void expectOutOfMemory(XlaPool *pool, size_t byteCount,
                              const char *message) {
  void *block = &block;
  XlaStatus status = xlaPoolAllocate(pool, byteCount, &block);
  assert_int_equal(xlaStatusCode(status), XLA_STATUS_OUT_OF_MEMORY);
  assert_string_equal(xlaStatusMessage(status), message);
  assert_null(block);
  xlaStatusDestroy(status);
}

static void liveLimitHolds(void **state) {
  XlaPool *pool = createArena(100, 0);
  void *block = allocate(pool, 60);
  expectOutOfMemory(
      pool, 41,
      "a buffer of 41 bytes beside 60 in use exceeds the limit of 100");
  void *rest = allocate(pool, 40);
  xlaPoolFree(block);
  expectOutOfMemory(
      pool, SIZE_MAX,
      "a buffer of 18446744073709551615 bytes exceeds the address space");
  expectOutOfMemory(
      pool, 61,
      "a buffer of 61 bytes beside 40 in use exceeds the limit of 100");
  xlaPoolFree(rest);
  assert_int_equal(xlaPoolGetStatistics(pool).liveBytes, 0);
  xlaPoolDestroy(pool);
}

static void hugeSizesFail(void **state) {
  XlaPool *pool = createArena(0, 0);
  for (int i = 0; i < 200; ++i) {
    void *block = NULL;
    XlaStatus status = xlaPoolAllocate(pool, SIZE_MAX - (size_t)i, &block);
    assert_int_equal(xlaStatusCode(status), XLA_STATUS_OUT_OF_MEMORY);
    xlaStatusDestroy(status);
    status = xlaPoolAllocate(pool, PTRDIFF_MAX - (size_t)i, &block);
    assert_int_equal(xlaStatusCode(status), XLA_STATUS_OUT_OF_MEMORY);
    assert_null(block);
    xlaStatusDestroy(status);
  }
  assert_int_equal(xlaPoolGetStatistics(pool).liveBytes, 0);
  xlaPoolDestroy(pool);
}

static void blocksOutliveTheArena(void **state) {
  XlaPool *pool = createArena(0, 1 << 20);
  char *kept = allocate(pool, 100);
  xlaPoolFree(allocate(pool, 5000));
  xlaPoolDestroy(pool);
  memset(kept, 1, 100);
  xlaPoolFree(kept); // LeakSanitizer sees whether the pool goes with it
  xlaPoolFree(NULL);
  xlaPoolDestroy(NULL);
}

static void *useFromAThread(void *argument) {
  XlaPool *pool = argument;
  unsigned char *blocks[16] = {NULL};
  unsigned seed = (unsigned)(uintptr_t)&blocks;
  intptr_t wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    unsigned char **block = &blocks[i % 16];
    if (*block)
      wrong += (*block)[0] != i % 16;
    xlaPoolFree(*block);
    XlaStatus status =
        xlaPoolAllocate(pool, 1 + (size_t)rand_r(&seed) % 9000, (void **)block);
    if (status)
      return (void *)1;
    (*block)[0] = (unsigned char)(i % 16);
  }
  for (int i = 0; i < 16; ++i)
    xlaPoolFree(blocks[i]);
  return (void *)wrong;
}

static void threadsShareAnArena(void **state) {
  XlaPool *pool = createArena(0, 1 << 18);
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, useFromAThread, pool),
                     0);
  for (int i = 0; i < 4; ++i) {
    void *wrong = NULL;
    assert_int_equal(pthread_join(threads[i], &wrong), 0);
    assert_null(wrong);
  }
  XlaPoolStatistics statistics = xlaPoolGetStatistics(pool);
  assert_int_equal(statistics.liveBytes, 0);
  assert_int_equal(statistics.allocated, 80000);
  assert_in_range(statistics.idleBytes, 1, 1 << 18);
  xlaPoolDestroy(pool);
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

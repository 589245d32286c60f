//===- no_memory_test.c - Every allocation fails once ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of the runtime.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/npy.h"
#include "xlac/runtime/pool.h"
#include "xlac/test/support/failing_alloc.h"
#include "xlac/test/support/unit.h"

#include <string.h>

static XlaStatus readFortranOrder(void) {
  static const char header[] =
      "\x93NUMPY\x01\0@\0{'descr': '<i2', 'fortran_order': True, "
      "'shape': (2, 2), }      abcdefgh";
  XlaNpy array;
  XlaStatus status =
      xlaNpyParse("t.npy", header, sizeof header - 1, SIZE_MAX, &array);
  if (!status)
    assert_memory_equal(array.data, "abefcdgh", 8);
  xlaNpyDestroy(&array);
  return status;
}

static XlaStatus usePool(void) {
  XlaPool *pool = NULL;
  XLA_RETURN_IF_ERROR(xlaPoolCreate((XlaPoolOptions){0}, &pool));
  void *first = NULL, *second = NULL;
  XlaStatus status = xlaPoolAllocate(pool, 10, &first);
  if (!status)
    status = xlaPoolAllocate(pool, 100, &second);
  xlaPoolFree(first);
  xlaPoolFree(second);
  assert_int_equal(xlaPoolGetStatistics(pool).liveBytes, 0);
  xlaPoolDestroy(pool);
  return status;
}

/// Runs `use` with its 1st, 2nd, .. allocation failing until it succeeds.
static void failEach(XlaStatus (*use)(void), int expected) {
  int failures = 0;
  for (;; ++failures) {
    failingAllocSet(failures + 1);
    XlaStatus status = use();
    if (!status)
      break;
    assert_int_equal(xlaStatusCode(status), XLA_STATUS_OUT_OF_MEMORY);
    xlaStatusDestroy(status);
  }
  failingAllocSet(0);
  assert_int_equal(failures, expected);
}

static void npy(void **state) { failEach(readFortranOrder, 3); }

static void pool(void **state) { failEach(usePool, 3); }

static void statusWithoutMemory(void **state) {
  failingAllocSet(1);
  XlaStatus status = xlaStatusCreate(XLA_STATUS_INTERNAL, "lost %d", 1);
  failingAllocSet(0);
  assert_int_equal(xlaStatusCode(status), XLA_STATUS_OUT_OF_MEMORY);
  assert_non_null(strstr(xlaStatusMessage(status), "out of memory"));
  xlaStatusDestroy(status);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(npy),
      cmocka_unit_test(pool),
      cmocka_unit_test(statusWithoutMemory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

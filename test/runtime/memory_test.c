//===- memory_test.c - How much memory there is ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/memory.h"
#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const folders[] = {"a", "a/b", "memory", "memory/c"};

static void writeFile(const char *root, const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", root, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static int64_t limitOf(const char *root, const char *list) {
  char path[256];
  snprintf(path, sizeof path, "%s/list", root);
  writeFile(root, "list", list);
  return xlaMemoryGroupLimit(path, root);
}

static void theLeastOfAGroupAndThoseAboveItCounts(void **state) {
  char root[] = "/tmp/xlac-memory-test-XXXXXX", path[256];
  assert_non_null(mkdtemp(root));
  for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i) {
    snprintf(path, sizeof path, "%s/%s", root, folders[i]);
    assert_int_equal(mkdir(path, 0700), 0);
  }
  writeFile(root, "memory.max", "max\n");
  writeFile(root, "a/memory.max", "3000\n");
  writeFile(root, "a/b/memory.max", "5000\n");
  writeFile(root, "memory/memory.limit_in_bytes", "9223372036854771712\n");
  writeFile(root, "memory/c/memory.limit_in_bytes", "700\n");
  assert_int_equal(limitOf(root, "0::/a/b\n"), 3000);
  assert_int_equal(limitOf(root, "0::/a\n"), 3000);
  assert_int_equal(limitOf(root, "0::/\n"), INT64_MAX);
  assert_int_equal(limitOf(root, "0::/not/there\n"), INT64_MAX);
  assert_int_equal(limitOf(root, "3:cpu:/a\n4:memory:/c\n0::/\n"), 700);
  assert_int_equal(limitOf(root, "4:memory,cpu:/not/there\n"),
                   9223372036854771712);
  assert_int_equal(limitOf(root, "nothing\n:\n"), INT64_MAX);
  assert_int_equal(xlaMemoryGroupLimit("/not/there", root), INT64_MAX);
  static const char *const files[] = {"list",
                                      "memory.max",
                                      "a/memory.max",
                                      "a/b/memory.max",
                                      "memory/memory.limit_in_bytes",
                                      "memory/c/memory.limit_in_bytes"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    snprintf(path, sizeof path, "%s/%s", root, files[i]);
    unlink(path);
  }
  for (size_t i = sizeof folders / sizeof *folders; i-- > 0;) {
    snprintf(path, sizeof path, "%s/%s", root, folders[i]);
    rmdir(path);
  }
  assert_int_equal(rmdir(root), 0);
  (void)state;
}

static void isBelowTheMachines(void **state) {
  int64_t bytes =
      (int64_t)sysconf(_SC_PHYS_PAGES) * (int64_t)sysconf(_SC_PAGESIZE);
  assert_true(xlaMemoryLimit() > 0);
  assert_true(xlaMemoryLimit() <= bytes / 5 * 4);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(theLeastOfAGroupAndThoseAboveItCounts),
      cmocka_unit_test(isBelowTheMachines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

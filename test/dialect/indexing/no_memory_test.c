//===- no_memory_test.c - Symbolic tiles and failing allocations ----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles are made again and again, and each time another allocation fails: there
// is no tile then, and a reason, or the same one.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/unit.h"

#include "xlac/dialect/indexing/symbolic_tile.h"
#include "xlac/dialect/ir.h"
#include "xlac/test/support/failing_alloc.h"

#include <string.h>

static const char map[] =
    "(d0, d1)[s0]{rt0} -> (d0 floordiv 8, (d0 mod 8) * 16 + d1 + rt0, s0 * 2), "
    "domain: d0 in [0, 63], d1 in [0, 15], s0 in [0, 6], rt0 in [0, 7]";

/// The text of the tile and of why sizes do not fit, or of why there is none.
static void describe(const XlaIndexingMap *of, char text[2048]) {
  static const int64_t sizes[] = {12, 16};
  char message[256];
  XlaIrLine line = {text, 2048, 0};
  text[0] = 0;
  XlaSymbolicTile *tile = xlaSymbolicTileCreate(of, message);
  if (tile) {
    xlaSymbolicTilePrint(tile, "\n", NULL, NULL, xlaIrLineAppend, &line);
    assert_null(xlaSymbolicTileFind(tile, sizes, message));
  }
  xlaIrLineAppend(mlirStringRefCreateFromCString(message), &line);
  xlaSymbolicTileDestroy(tile);
}

static void eachAllocation(void **state) {
  MlirContext context = mlirContextCreate();
  char message[256], right[2048], text[2048];
  XlaIndexingMap *of = xlaIndexingMapParse(
      context, mlirStringRefCreateFromCString(map), message);
  assert_non_null(of);
  failingAllocSet(0);
  describe(of, right);
  int n = failingAllocCount();
  assert_true(n > 20);
  assert_non_null(strstr(right, "8 mod t0 = 0"));
  for (int i = 1; i <= n; ++i) {
    failingAllocSet(i);
    describe(of, text);
    failingAllocSet(0);
    if (strcmp(text, right) != 0 && !strstr(text, "out of memory"))
      fail_msg("without allocation %d of %d:\n%s", i, n, text);
  }
  xlaIndexingMapRelease(of);
  mlirContextDestroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(eachAllocation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

//===- map_test.c - Indexing maps -----------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/uses.h"
#include "xlac/test/dialect/indexing/fixture.h"

#include "mlir-c/IR.h"
#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <string.h>

/// `text` simplified is `expected`, which cannot be simplified further. False
/// if it is something else.
static bool checkSimplified(MlirContext context, const char *text,
                            const char *expected) {
  Text got;
  XlaIndexingMap *map = mapParse(context, text);
  XlaIndexingMap *simple =
      xlaIndexingMapSimplify(map, XlaIndexingPointsReplace);
  assert_non_null(simple);
  bool same = !strcmp(mapText(simple, XlaIndexingFormatLine, &got), expected);
  if (!same)
    print_error("%s\nbecame   %s\nexpected %s\n", text, got.chars, expected);
  XlaIndexingMap *again =
      xlaIndexingMapSimplify(simple, XlaIndexingPointsReplace);
  if (!xlaIndexingMapEqual(simple, again))
    fail_msg("%s\nagain    %s", expected,
             mapText(again, XlaIndexingFormatLine, &got));
  xlaIndexingMapRelease(again);
  xlaIndexingMapRelease(simple);
  xlaIndexingMapRelease(map);
  return same;
}

static void simplifies(void **state) {
  static const char *const cases[][2] = {
#define CASE(from, to)                                                         \
  {                                                                            \
    from, to                                                                   \
  }
#include "xlac/test/dialect/indexing/cases.def"
  };
  bool passed = true;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    passed &= checkSimplified(*(MlirContext *)*state, cases[i][0], cases[i][1]);
  assert_true(passed);
}

/// `text` inverted is `expected`, and back; "" where there is no inverse.
static void inverts(void **state) {
  static const char *const cases[][2] = {
      // Slices and pads
      {"(d0, d1, d2) -> (d0 + 5, d1 * 7 + 3, d2 * 2), domain: d0 in [0, 4], "
       "d1 in [0, 2], d2 in [0, 24]",
       "(d0, d1, d2) -> (d0 - 5, (d1 - 3) floordiv 7, d2 floordiv 2), domain: "
       "d0 in [5, 9], d1 in [3, 17], d2 in [0, 48], "
       "(d1 - 3) mod 7 in [0, 0], d2 mod 2 in [0, 0]"},
      // Transposes and reverses
      {"(d0, d1, d2) -> (d2, -d0 + 16, d1), domain: d0 in [0, 16], d1 in "
       "[0, 8], d2 in [0, 3]",
       "(d0, d1, d2) -> (-d1 + 16, d2, d0), domain: d0 in [0, 3], d1 in "
       "[0, 16], d2 in [0, 8]"},
      // Reshapes of specification 001
      {"(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]",
       "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]"},
      {"(d0, d1, d2) -> (d0 * 2 + d1 floordiv 2, d2 + (d1 mod 2) * 4), "
       "domain: d0 in [0, 1], d1 in [0, 3], d2 in [0, 3]",
       "(d0, d1) -> (d0 floordiv 2, d1 floordiv 4 + (d0 mod 2) * 2, d1 mod 4), "
       "domain: d0 in [0, 3], d1 in [0, 7]"},
      {"(d0, d1, d2) -> (d0 floordiv 8, d0 mod 8, d1 * 4 + d2), domain: d0 in "
       "[0, 31], d1 in [0, 2], d2 in [0, 3]",
       "(d0, d1, d2) -> (d0 * 8 + d1, d2 floordiv 4, d2 mod 4), domain: d0 in "
       "[0, 3], d1 in [0, 7], d2 in [0, 11]"},
      // A dimension that no result tells, and one that two results tell
      {"(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, 1]", ""},
      {"(d0, d1) -> (d0 + d1), domain: d0 in [0, 3], d1 in [0, 3]", ""},
      {"(d0, d1) -> (d0 + d1, d1), domain: d0 in [0, 3], d1 in [0, 3]",
       "(d0, d1) -> (d0 - d1, d1), domain: d0 in [0, 6], d1 in [0, 3], "
       "d0 - d1 in [0, 3]"},
      {"(d0, d1) -> (d0, 0), domain: d0 in [0, 3], d1 in [2, 2]",
       "(d0, d1) -> (d0, 2), domain: d0 in [0, 3], d1 in [0, 0]"},
      {"(d0) -> (d0, d0), domain: d0 in [0, 3]",
       "(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, 3], "
       "d0 - d1 in [0, 0]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Text got = {0};
    XlaIndexingMap *map = mapParse(*(MlirContext *)*state, cases[i][0]);
    XlaIndexingMap *inverse = xlaIndexingMapInvert(map);
    if (inverse)
      mapText(inverse, XlaIndexingFormatLine, &got);
    if (strcmp(got.chars, cases[i][1]) != 0)
      fail_msg("the inverse of %s\nis       %s\nexpected %s", cases[i][0],
               got.chars, cases[i][1]);
    xlaIndexingMapRelease(inverse);
    xlaIndexingMapRelease(map);
  }
}

/// From inputs to outputs, as specification 001 prints it.
static void transposes(void **state) {
  static const char *const cases[][2] = {
      {"(d0, d1, d2) -> (d1), domain: d0 in [0, 9], d1 in [0, 19], d2 in "
       "[0, 29]",
       "(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 19], s0 in [0, 9], s1 "
       "in [0, 29]"},
      {"(d0)[s0] -> (s0, d0), domain: d0 in [0, 9], s0 in [0, 255]",
       "(d0, d1) -> (d1), domain: d0 in [0, 255], d1 in [0, 9]"},
      {"(d0) -> (), domain: d0 in [0, 9]",
       "()[s0] -> (s0), domain: s0 in [0, 9]"},
      {"(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], d1 in "
       "[0, 127], d2 in [0, 63], s0 in [0, 255]",
       "(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], d1 in "
       "[0, 127], d2 in [0, 255], s0 in [0, 63]"},
      {"(d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, 3], d1 in "
       "[0, 127], d2 in [0, 63], s0 in [0, 255]",
       "(d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, 3], d1 in "
       "[0, 255], d2 in [0, 63], s0 in [0, 127]"},
      {"(d0, d1, d2) -> (d0, d1 - 5, d2), domain: d0 in [0, 1], d1 in "
       "[5, 15], d2 in [0, 6]",
       "(d0, d1, d2) -> (d0, d1 + 5, d2), domain: d0 in [0, 1], d1 in "
       "[0, 10], d2 in [0, 6]"},
      {"(d0, d1)[s0] -> (d0, d1 + s0), domain: d0 in [0, 1023], d1 in [0, 2], "
       "s0 in [0, 511]",
       "(d0, d1)[s0] -> (d0, d1 - s0), domain: d0 in [0, 1023], d1 in "
       "[0, 513], s0 in [0, 511], d1 - s0 in [0, 2]"},
      {"(d0, d1){rt0} -> (d0 + rt0, d1), domain: d0 in [0, 3], d1 in [0, 4], "
       "rt0 in [0, 7]",
       "(d0, d1){rt0} -> (d0 - rt0, d1), domain: d0 in [0, 10], d1 in [0, 4], "
       "rt0 in [0, 7], d0 - rt0 in [0, 3]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Text got = {0};
    XlaIndexingMap *map = mapParse(*(MlirContext *)*state, cases[i][0]);
    XlaIndexingMap *transpose = xlaIndexingMapTranspose(map);
    if (transpose)
      mapText(transpose, XlaIndexingFormatLine, &got);
    if (strcmp(got.chars, cases[i][1]) != 0)
      fail_msg("%s\ngives    %s\nexpected %s", cases[i][0], got.chars,
               cases[i][1]);
    xlaIndexingMapRelease(transpose);
    xlaIndexingMapRelease(map);
  }
}

/// Whether a view with strides shows what the map reads.
static void isStrided(void **state) {
  static const struct {
    bool is;
    const char *text;
  } cases[] = {
      {true,
       "(d0, d1) -> (d1, d0 * 2 + 5), domain: d0 in [0, 9], d1 in [0, 3]"},
      {true, "(d0) -> (0, d0, 7), domain: d0 in [2, 9]"},
      {true, "() -> (), domain:"},
      // Reshapes, and a slice of one dimension before them
      {true, "(d0, d1) -> (d0 * 4 + d1), domain: d0 in [0, 2], d1 in [0, 3]"},
      {true, "(d0, d1) -> (d0 * 8 + d1 * 2 + 3), domain: d0 in [0, 2], d1 in "
             "[0, 3]"},
      {true,
       "(d0) -> (d0 floordiv 8, (d0 floordiv 2) mod 4, d0 mod 2), domain: "
       "d0 in [0, 31]"},
      {true, "(d0) -> (d0 mod 8, d0 floordiv 8), domain: d0 in [0, 31]"},
      {true, "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 4]"},
      // Rows of 3 of 4, a diagonal, backwards, what windows overlap
      {true, "(d0, d1) -> (d0 * 4 + d1), domain: d0 in [0, 2], d1 in [0, 2]"},
      {true, "(d0) -> (d0, d0), domain: d0 in [0, 3]"},
      {true, "(d0) -> (d0, d0 mod 2), domain: d0 in [0, 3]"},
      {true, "(d0) -> (-d0 + 3), domain: d0 in [0, 3]"},
      {true, "(d0, d1) -> (d0 + d1), domain: d0 in [0, 3], d1 in [0, 3]"},
      // Cut unevenly, or not from 0 on
      {false, "(d0) -> (d0 floordiv 6, d0 mod 4), domain: d0 in [0, 23]"},
      {false, "(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 29]"},
      {false, "(d0, d1) -> (d0 floordiv 8, d0 mod 4 + d1), domain: d0 in "
              "[4, 31], d1 in [0, 3]"},
      {false, "(d0, d1) -> ((d0 + d1) mod 8), domain: d0 in [0, 7], d1 in "
              "[0, 7]"},
      {false, "(d0) -> ((d0 + 1) floordiv 8, (d0 + 1) mod 8), domain: d0 in "
              "[0, 31]"},
      {false, "(d0)[s0] -> (d0, s0), domain: d0 in [0, 3], s0 in [0, 1]"},
      {false, "(d0) -> (d0), domain: d0 in [0, 8], d0 mod 2 in [0, 0]"},
      {false, "KNOWN EMPTY"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    XlaIndexingMap *map = mapParse(*(MlirContext *)*state, cases[i].text);
    if (xlaIndexingMapIsStrided(map) != cases[i].is)
      fail_msg("%s: expected %d", cases[i].text, cases[i].is);
    xlaIndexingMapRelease(map);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simplifies), cmocka_unit_test(inverts),
      cmocka_unit_test(transposes), cmocka_unit_test(isStrided)};
  return cmocka_run_group_tests(tests, contextSetUp, contextTearDown);
}

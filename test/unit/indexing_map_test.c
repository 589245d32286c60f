//===- indexing_map_test.c - Indexing maps --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/map.h"

#include "mlir-c/IR.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

typedef struct Text {
  size_t n;
  char chars[4096];
} Text;

static void append(MlirStringRef part, void *data) {
  Text *text = data;
  assert_true(text->n + part.length < sizeof text->chars);
  memcpy(text->chars + text->n, part.data, part.length);
  text->n += part.length;
  text->chars[text->n] = 0;
}

static XlaIndexingMap *parse(MlirContext context, const char *text) {
  char message[256];
  XlaIndexingMap *map = xlaIndexingMapParse(
      context, mlirStringRefCreateFromCString(text), message);
  if (!map)
    fail_msg("%s\n%s", text, message);
  return map;
}

static const char *print(const XlaIndexingMap *map, XlaIndexingFormat format,
                         Text *text) {
  text->n = 0;
  text->chars[0] = 0;
  xlaIndexingMapPrint(map, format, append, text);
  return text->chars;
}

/// `text` simplified is `expected`, which cannot be simplified further. False
/// if it is something else.
static bool checkSimplified(MlirContext context, const char *text,
                            const char *expected) {
  Text got;
  XlaIndexingMap *map = parse(context, text);
  XlaIndexingMap *simple = xlaIndexingMapSimplify(map);
  assert_non_null(simple);
  bool same = !strcmp(print(simple, XlaIndexingFormatLine, &got), expected);
  if (!same)
    print_error("%s\nbecame   %s\nexpected %s\n", text, got.chars, expected);
  XlaIndexingMap *again = xlaIndexingMapSimplify(simple);
  if (!xlaIndexingMapEqual(simple, again))
    fail_msg("%s\nagain    %s", expected,
             print(again, XlaIndexingFormatLine, &got));
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
#include "indexing_cases.def"
  };
  bool passed = true;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    passed &= checkSimplified(*(MlirContext *)*state, cases[i][0], cases[i][1]);
  assert_true(passed);
}

static MlirContext context;

static int setUp(void **state) {
  context = mlirContextCreate();
  *state = &context;
  return 0;
}

static int tearDown(void **state) {
  (void)state;
  mlirContextDestroy(context);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(simplifies)};
  return cmocka_run_group_tests(tests, setUp, tearDown);
}

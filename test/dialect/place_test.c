//===- place_test.c - What locations come down to -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/unit.h"

#include "xlac/dialect/place.h"

#include <string.h>

static void expect(MlirContext context, const char *text, const char *name,
                   const char *file, int line, int column) {
  MlirAttribute attribute =
      mlirAttributeParseGet(context, mlirStringRefCreateFromCString(text));
  assert_false(mlirAttributeIsNull(attribute));
  XlaPlace place = xlaPlaceGet(mlirLocationFromAttribute(attribute));
  assert_int_equal(place.name.length, strlen(name));
  assert_memory_equal(place.name.data, name, strlen(name));
  assert_int_equal(place.file.length, strlen(file));
  assert_memory_equal(place.file.data, file, strlen(file));
  assert_int_equal(place.line, line);
  assert_int_equal(place.column, column);
}

static void places(void **state) {
  (void)state;
  MlirContext context = mlirContextCreate();
  expect(context, "loc(unknown)", "", "", 0, 0);
  expect(context, "loc(\"f.py\":3:5)", "", "f.py", 3, 5);
  expect(context, "loc(\"f.py\":3:5 to :9)", "", "f.py", 3, 5);
  expect(context, "loc(\"only\")", "only", "", 0, 0);
  expect(context, "loc(\"outer\"(\"inner\"(\"f.py\":3:5)))", "outer", "f.py", 3,
         5);
  expect(context, "loc(\"add\"(callsite(\"g\"(\"g.py\":1:2) at \"f.py\":3:5)))",
         "add", "g.py", 1, 2);
  expect(context, "loc(fused[\"a\", \"b.py\":4:1, \"c.py\":5:1])", "a", "b.py",
         4, 1);
  mlirContextDestroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(places)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

//===- abi_test.c - pjrt/api.h is what XLA's header is --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/api.h"
#include "xlac/test/support/unit.h"

#include <string.h>

// What differs does not build.
#define PJRT_SIZE(type, size)                                                  \
  _Static_assert(sizeof(type) == (size), "size of " #type);
#define PJRT_OFFSET(type, field, offset)                                       \
  _Static_assert(offsetof(type, field) == (offset), #type "." #field);
#define PJRT_VALUE(name, value) _Static_assert((name) == (value), #name);
#include "abi.def"
#undef PJRT_SIZE
#undef PJRT_OFFSET
#undef PJRT_VALUE

/// The fields of the table in the order of XLA's.
static const char *const expected[] = {
#define PJRT_SIZE(type, size)
#define PJRT_OFFSET(type, field, offset) #type "." #field,
#define PJRT_VALUE(name, value)
#include "abi.def"
};

/// No function of the table is missing in XLA's, nor the other way round.
static void tableHasTheSameFunctions(void **state) {
  static const char *const ours[] = {
#define PJRT_ERROR_FUNCTION(name, last, fields) "PJRT_Api.PJRT_" #name,
#define PJRT_FUNCTION(name, forked, object, last, fields)                      \
  "PJRT_Api.PJRT_" #name,
#include "xlac/pjrt/api.def"
  };
  size_t n = 0;
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i)
    if (!strncmp(expected[i], "PJRT_Api.PJRT_", 14))
      assert_string_equal(expected[i], ours[n++]);
  assert_int_equal(n, sizeof ours / sizeof *ours);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(tableHasTheSameFunctions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

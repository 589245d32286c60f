//===- literal_splat_test.c - Memory that holds one value many times ------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/literal_splat.h"
#include "xlac/test/support/unit.h"

#include <stdint.h>

enum { Count = 5 * 1000 * 1000 + 3 };

static void elements(void **state) {
  (void)state;
  const int64_t element = 0x0123456789abcdef;
  int64_t *data = xlaSplatMap(Count * sizeof element, &element, sizeof element);
  assert_non_null(data);
  for (int64_t i = 0; i < Count; ++i)
    if (data[i] != element)
      fail_msg("element %lld is %llx", (long long)i, (long long)data[i]);
  xlaSplatUnmap(data);
}

/// The same place in other segments keeps its value.
static void written(void **state) {
  (void)state;
  const unsigned char element = 7;
  enum { Bytes = 1 << 25, Segment = 1 << 21 };
  unsigned char *data = xlaSplatMap(Bytes, &element, 1),
                *other = xlaSplatMap(Bytes, &element, 1);
  assert_non_null(data);
  assert_non_null(other);
  data[Segment + 5] = 9;
  for (int i = 0; i < Bytes / Segment; ++i)
    assert_int_equal(data[i * Segment + 5], i == 1 ? 9 : 7);
  assert_int_equal(other[Segment + 5], 7);
  xlaSplatUnmap(data);
  assert_int_equal(other[5], 7);
  xlaSplatUnmap(other);
}

static void refused(void **state) {
  (void)state;
  const char element[3] = {1, 2, 3};
  assert_null(xlaSplatMap(1000, element, 1));            // little
  assert_null(xlaSplatMap((size_t)3 << 24, element, 3)); // across segments
  assert_null(xlaSplatMap((size_t)1 << 50, element, 1)); // too many mappings
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements),
      cmocka_unit_test(written),
      cmocka_unit_test(refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

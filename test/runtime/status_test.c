//===- status_test.c - Statuses -------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/status.h"
#include "xlac/test/support/unit.h"

#include <string.h>

static void okIsNull(void **state) {
  assert_int_equal(xlaStatusCode(NULL), XLA_STATUS_OK);
  assert_string_equal(xlaStatusMessage(NULL), "ok");
  assert_string_equal(xlaStatusFile(NULL), "");
  assert_int_equal(xlaStatusLine(NULL), 0);
  xlaStatusDestroy(NULL);
}

static void keepsCodeMessageAndPlace(void **state) {
  XlaStatus status =
      xlaStatusCreate(XLA_STATUS_NOT_FOUND, "no %s among %d", "device", 3);
  int line = __LINE__ - 1;
  assert_non_null(status);
  assert_int_equal(xlaStatusCode(status), XLA_STATUS_NOT_FOUND);
  assert_string_equal(xlaStatusMessage(status), "no device among 3");
  assert_non_null(strstr(xlaStatusFile(status), "status_test.c"));
  assert_in_range(xlaStatusLine(status), line - 1, line);
  xlaStatusDestroy(status);
}

static void longAndEmptyMessages(void **state) {
  XlaStatus status = xlaStatusCreate(XLA_STATUS_INTERNAL, "%*d", 100000, 7);
  assert_int_equal(strlen(xlaStatusMessage(status)), 100000);
  assert_int_equal(xlaStatusMessage(status)[99999], '7');
  xlaStatusDestroy(status);
  status = xlaStatusCreate(XLA_STATUS_INTERNAL, "%s", "");
  assert_string_equal(xlaStatusMessage(status), "");
  xlaStatusDestroy(status);
}

static XlaStatus failIf(int number, int at) {
  return number == at ? xlaStatusCreate(XLA_STATUS_DATA_LOSS, "at %d", number)
                      : NULL;
}

static XlaStatus threeSteps(int failing, int *done) {
  for (int i = 0; i < 3; ++i) {
    XLA_RETURN_IF_ERROR(failIf(i, failing));
    ++*done;
  }
  return NULL;
}

static void returnIfErrorStopsAtTheFirst(void **state) {
  int done = 0;
  assert_null(threeSteps(-1, &done));
  assert_int_equal(done, 3);
  done = 0;
  XlaStatus status = threeSteps(1, &done);
  assert_string_equal(xlaStatusMessage(status), "at 1");
  assert_int_equal(done, 1);
  xlaStatusDestroy(status);
}

static void codesHaveNames(void **state) {
  for (int i = XLA_STATUS_OK; i <= XLA_STATUS_INTERNAL; ++i)
    for (int j = XLA_STATUS_OK; j < i; ++j)
      assert_string_not_equal(xlaStatusCodeName((XlaStatusCode)i),
                              xlaStatusCodeName((XlaStatusCode)j));
  assert_string_equal(xlaStatusCodeName(XLA_STATUS_DEVICE_LOST), "device lost");
  assert_string_equal(
      xlaStatusCodeName((XlaStatusCode)(XLA_STATUS_INTERNAL + 1)),
      "unknown code");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(okIsNull),
      cmocka_unit_test(keepsCodeMessageAndPlace),
      cmocka_unit_test(longAndEmptyMessages),
      cmocka_unit_test(returnIfErrorStopsAtTheFirst),
      cmocka_unit_test(codesHaveNames),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

//===- error_test.c - Tests of dialect/error.h ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/unit.h"

#include "xlac/dialect/error.h"
#include "xlac/dialect/ir.h"

#include <string.h>

/// What a handler below the listener gets.
typedef struct Heard {
  int count;
  char place[80], text[80];
} Heard;

static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *user) {
  Heard *heard = user;
  ++heard->count;
  XlaIrLine place = {heard->place, sizeof heard->place, 0};
  heard->place[0] = 0;
  mlirLocationPrint(xlaDiagnosticGetPlace(diagnostic), xlaIrLineAppend, &place);
  xlaDiagnosticGetText(diagnostic, heard->text, sizeof heard->text);
  return mlirLogicalResultSuccess();
}

static MlirLocation at(MlirContext context) {
  return mlirLocationFileLineColGet(
      context, mlirStringRefCreateFromCString("f.mlir"), 3, 7);
}

static void everyKindIsKept(void **state) {
  MlirContext context = mlirContextCreate();
  Heard heard = {0};
  mlirContextAttachDiagnosticHandler(context, handle, &heard, NULL);
  for (int code = XLA_STATUS_INVALID_ARGUMENT; code <= XLA_STATUS_INTERNAL;
       ++code) {
    XlaErrorListener listener;
    xlaErrorListenerBegin(context, &listener);
    xlaErrorEmit(at(context), (XlaStatusCode)code, "code %d", code);
    xlaErrorEmit(at(context), XLA_STATUS_DATA_LOSS, "what follows from it");
    assert_int_equal(xlaErrorListenerEnd(&listener), code);
  }
  assert_int_equal(heard.count, 2 * XLA_STATUS_INTERNAL);
  assert_string_equal(heard.place, "loc(\"f.mlir\":3:7)");
  assert_string_equal(heard.text, "what follows from it");
  mlirContextDestroy(context);
}

static void otherErrorsAreOurs(void **state) {
  MlirContext context = mlirContextCreate();
  Heard heard = {0};
  XlaErrorListener listener;
  mlirContextAttachDiagnosticHandler(context, handle, &heard, NULL);
  xlaErrorListenerBegin(context, &listener);
  mlirEmitError(at(context), "of MLIR");
  assert_int_equal(listener.code, XLA_STATUS_INTERNAL);
  assert_int_equal(xlaErrorListenerEnd(&listener), XLA_STATUS_INTERNAL);
  // A name that only looks like a kind.
  xlaErrorListenerBegin(context, &listener);
  mlirEmitError(
      mlirLocationNameGet(context,
                          mlirStringRefCreateFromCString("xla.error.not this"),
                          at(context)),
      "of somebody");
  assert_int_equal(xlaErrorListenerEnd(&listener), XLA_STATUS_INTERNAL);
  // No error at all: something failed without a word.
  xlaErrorListenerBegin(context, &listener);
  assert_int_equal(listener.code, XLA_STATUS_OK);
  assert_int_equal(xlaErrorListenerEnd(&listener), XLA_STATUS_INTERNAL);
  mlirContextDestroy(context);
}

static void statusesBecomeErrors(void **state) {
  MlirContext context = mlirContextCreate();
  Heard heard = {0};
  XlaErrorListener listener;
  mlirContextAttachDiagnosticHandler(context, handle, &heard, NULL);
  xlaErrorListenerBegin(context, &listener);
  xlaErrorEmitStatus(at(context), "the program failed",
                     xlaStatusCreate(XLA_STATUS_DEVICE_LOST, "gone"));
  assert_int_equal(xlaErrorListenerEnd(&listener), XLA_STATUS_DEVICE_LOST);
  assert_string_equal(heard.text, "the program failed: gone");
  mlirContextDestroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everyKindIsKept),
      cmocka_unit_test(otherErrorsAreOurs),
      cmocka_unit_test(statusesBecomeErrors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

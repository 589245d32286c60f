//===- encode_test.c - Operations as bytes --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/test/support/unit.h"

#include "mlir-c/RegisterEverything.h"

#include <stdlib.h>
#include <string.h>

static MlirContext createContext(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  return context;
}

static char *encode(MlirContext context, const char *text, size_t *length) {
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  char *bytes = xlaIrEncode(mlirModuleGetOperation(module), length);
  assert_non_null(bytes);
  mlirModuleDestroy(module);
  return bytes;
}

/// All of them differ, and no two differ in more than one thing.
static const char *const texts[] = {
    "func.func @f(%a: index, %b: index) -> index {\n"
    "  %c = arith.addi %a, %b : index\n"
    "  return %c : index }",
    "func.func @g(%a: index, %b: index) -> index {\n"
    "  %c = arith.addi %a, %b : index\n"
    "  return %c : index }",
    "func.func @f(%a: index, %b: index) -> index {\n"
    "  %c = arith.addi %b, %a : index\n"
    "  return %c : index }",
    "func.func @f(%a: index, %b: index) -> index {\n"
    "  %c = arith.addi %a, %b : index\n"
    "  return %a : index }",
    "func.func @f(%a: index, %b: index) -> index {\n"
    "  %c = arith.muli %a, %b : index\n"
    "  return %c : index }",
    "func.func @f(%a: index, %b: index) -> index {\n"
    "  %c = arith.addi %a, %b overflow<nsw> : index\n"
    "  return %c : index }",
    "func.func @f(%a: i64, %b: i64) -> i64 {\n"
    "  %c = arith.addi %a, %b : i64\n"
    "  return %c : i64 }",
    "func.func @f(%a: index, %b: index) -> index attributes {x} {\n"
    "  %c = arith.addi %a, %b : index\n"
    "  return %c : index }",
    "func.func @f(%a: index, %b: index) -> index {\n"
    "  cf.br ^x\n"
    "^x:\n"
    "  %c = arith.addi %a, %b : index\n"
    "  return %c : index }",
    "func.func @f(%a: i1, %b: index) -> index {\n"
    "  cf.cond_br %a, ^x, ^y\n"
    "^x:\n  return %b : index\n"
    "^y:\n  %c = arith.addi %b, %b : index\n  return %c : index }",
    "func.func @f(%a: i1, %b: index) -> index {\n"
    "  cf.cond_br %a, ^y, ^x\n"
    "^x:\n  return %b : index\n"
    "^y:\n  %c = arith.addi %b, %b : index\n  return %c : index }",
    "func.func @f(%a: i1) {\n"
    "  scf.if %a {\n    scf.if %a { }\n  }\n  return }",
    "func.func @f(%a: i1) {\n"
    "  scf.if %a { }\n  scf.if %a { }\n  return }",
    "func.func @f(%a: i1) {\n"
    "  scf.if %a {\n    scf.if %a { } else { }\n  }\n  return }",
    "func.func @f(%a: i1) {\n"
    "  scf.if %a {\n    scf.if %a { }\n  } else { }\n  return }"};

enum { nTexts = sizeof texts / sizeof *texts };

static void equalBytesAreEqualOperations(void **state) {
  (void)state;
  MlirContext contexts[2] = {createContext(), createContext()};
  char *bytes[2][nTexts];
  size_t lengths[2][nTexts];
  for (int i = 0; i < 2 * nTexts; ++i) {
    // In another order each, so that addresses say nothing.
    int text = i < nTexts ? i : 2 * nTexts - 1 - i;
    bytes[i / nTexts][text] =
        encode(contexts[i / nTexts], texts[text], &lengths[i / nTexts][text]);
  }
  for (int i = 0; i < nTexts; ++i)
    for (int k = 0; k < nTexts; ++k) {
      bool isEqual = lengths[0][i] == lengths[1][k] &&
                     !memcmp(bytes[0][i], bytes[1][k], lengths[0][i]);
      if (isEqual != (i == k))
        fail_msg("%s\n%s\n%s", isEqual ? "equal:" : "not equal:", texts[i],
                 texts[k]);
    }
  for (int i = 0; i < 2 * nTexts; ++i)
    free(bytes[i / nTexts][i % nTexts]);
  mlirContextDestroy(contexts[0]);
  mlirContextDestroy(contexts[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equalBytesAreEqualOperations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

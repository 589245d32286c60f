//===- shared_test.c - Functions that programs have in common -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/shared.h"
#include "xlac/test/lowering/cpu/cpu_fixture.h"
#include "xlac/test/support/unit.h"

#include <pthread.h>
#include <stdio.h>

/// A program in which f(n) calls `helper`, which gives n * factor.
static void write(char *text, size_t size, const char *helper, int factor) {
  snprintf(text, size,
           "func.func @f(%%n: index) -> index {\n"
           "  %%r = call @%s(%%n) : (index) -> index\n"
           "  return %%r : index\n"
           "}\n"
           "func.func private @%s(%%n: index) -> index {\n"
           "  %%c = arith.constant %d : index\n"
           "  %%r = arith.muli %%n, %%c : index\n"
           "  return %%r : index\n"
           "}\n",
           helper, helper, factor);
}

static XlaCpuCode *compile(CpuFixture *fixture, const char *helper,
                           int factor) {
  char text[1000];
  write(text, sizeof text, helper, factor);
  XlaCpuCode *code = cpuFixtureCompile(fixture, text, NULL);
  if (!code)
    fail_msg("%s", fixture->error);
  return code;
}

static int64_t run(XlaCpuCode *code, int64_t n) {
  int64_t (*f)(int64_t) = (int64_t (*)(int64_t))xlaCpuCodeLookup(code, "f");
  assert_non_null(f);
  return f(n);
}

static XlaCpuShared takeFrom(CpuFixture *fixture, const char *text) {
  XlaCpuShared shared;
  MlirModule module = mlirModuleCreateParse(
      fixture->context, mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  assert_true(mlirLogicalResultIsSuccess(
      xlaCpuSharedTake(module, fixture->target, true, &shared)));
  mlirModuleDestroy(module);
  return shared;
}

/// What it takes out of a module, whose text it gets.
static XlaCpuShared take(CpuFixture *fixture, const char *helper, int factor) {
  char text[1000];
  write(text, sizeof text, helper, factor);
  return takeFrom(fixture, text);
}

static void functionsAreShared(void **state) {
  XlaCpuShared one = take(*state, "xla.gemm.a", 3);
  XlaCpuShared same = take(*state, "xla.gemm.a", 3);
  XlaCpuShared other = take(*state, "xla.gemm.a", 4);
  XlaCpuShared none = take(*state, "scale", 3);
  assert_int_equal(one.n, 1);
  assert_string_equal(one.symbols[0].name, "xla.gemm.a");
  assert_ptr_equal(one.symbols[0].address, same.symbols[0].address);
  assert_memory_equal(one.hash, same.hash, sizeof one.hash);
  assert_ptr_not_equal(one.symbols[0].address, other.symbols[0].address);
  assert_memory_not_equal(one.hash, other.hash, sizeof one.hash);
  assert_int_equal(none.n, 0);
  xlaCpuSharedRelease(&one);
  xlaCpuSharedRelease(&other);
  assert_int_equal(((int64_t (*)(int64_t))same.symbols[0].address)(5), 15);
  xlaCpuSharedRelease(&same);
  xlaCpuSharedRelease(&none);
}

/// The same name in two programs is two functions, and outlives the first.
static void programsKeepTheirs(void **state) {
  XlaCpuCode *three = compile(*state, "xla.gemm.b", 3);
  XlaCpuCode *again = compile(*state, "xla.gemm.b", 3);
  XlaCpuCode *four = compile(*state, "xla.gemm.b", 4);
  assert_int_equal(run(three, 7), 21);
  xlaCpuCodeDestroy(three);
  assert_int_equal(run(again, 8), 24);
  assert_int_equal(run(four, 9), 36);
  xlaCpuCodeDestroy(again);
  xlaCpuCodeDestroy(four);
}

/// xla.gemm.times(n) is n * factor, xla.gemm.plus(n) twice that, by calls;
/// xla.gemm.early calls what comes after it, xla.gemm.log a function of others.
static XlaCpuShared takeCallers(CpuFixture *fixture, int factor) {
  char text[2000];
  snprintf(text, sizeof text,
           "func.func private @xla.gemm.early(%%n: index) -> index {\n"
           "  %%r = call @xla.gemm.times(%%n) : (index) -> index\n"
           "  return %%r : index\n"
           "}\n"
           "func.func private @log()\n"
           "func.func private @xla.gemm.log() {\n"
           "  call @log() : () -> ()\n"
           "  return\n"
           "}\n"
           "func.func private @xla.gemm.times(%%n: index) -> index {\n"
           "  %%c = arith.constant %d : index\n"
           "  %%r = arith.muli %%n, %%c : index\n"
           "  return %%r : index\n"
           "}\n"
           "func.func private @xla.gemm.plus(%%n: index) -> index {\n"
           "  %%a = call @xla.gemm.times(%%n) : (index) -> index\n"
           "  %%b = call @xla.gemm.times(%%n) : (index) -> index\n"
           "  %%r = arith.addi %%a, %%b : index\n"
           "  return %%r : index\n"
           "}\n",
           factor);
  return takeFrom(fixture, text);
}

/// A function that calls others is shared with them, and keeps them.
static void callersAreShared(void **state) {
  XlaCpuShared one = takeCallers(*state, 3);
  XlaCpuShared other = takeCallers(*state, 5);
  assert_int_equal(one.n, 2);
  assert_string_equal(one.symbols[0].name, "xla.gemm.times");
  assert_string_equal(one.symbols[1].name, "xla.gemm.plus");
  // Their texts are the same.
  assert_ptr_not_equal(one.symbols[1].address, other.symbols[1].address);
  assert_int_equal(((int64_t (*)(int64_t))one.symbols[1].address)(7), 42);
  assert_int_equal(((int64_t (*)(int64_t))other.symbols[1].address)(7), 70);
  xlaCpuSharedRelease(&other);
  for (int i = 10; i < 100; ++i) { // until nothing else is kept
    XlaCpuShared shared = takeCallers(*state, i);
    xlaCpuSharedRelease(&shared);
  }
  assert_int_equal(((int64_t (*)(int64_t))one.symbols[1].address)(8), 48);
  XlaCpuShared same = takeCallers(*state, 3);
  assert_ptr_equal(one.symbols[1].address, same.symbols[1].address);
  xlaCpuSharedRelease(&one);
  xlaCpuSharedRelease(&same);
}

/// More than are kept.
static void manyComeAndGo(void **state) {
  XlaCpuCode *first = compile(*state, "xla.gemm.c", 0);
  for (int i = 1; i < 100; ++i) {
    XlaCpuShared shared = take(*state, "xla.gemm.c", i);
    assert_int_equal(((int64_t (*)(int64_t))shared.symbols[0].address)(2),
                     2 * i);
    xlaCpuSharedRelease(&shared);
  }
  assert_int_equal(run(first, 5), 0);
  xlaCpuCodeDestroy(first);
}

static void *work(void *unused) {
  CpuFixture fixture;
  cpuFixtureInit(&fixture, &(XlaCpuTargetOptions){.threads = 1});
  for (int i = 0; i < 12; ++i) {
    XlaCpuCode *code = compile(&fixture, "xla.gemm.d", i % 3);
    if (run(code, 11) != 11 * (i % 3))
      return "wrong";
    xlaCpuCodeDestroy(code);
  }
  cpuFixtureDestroy(&fixture);
  return NULL;
}

static void threadsShare(void **state) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, work, NULL), 0);
  for (int i = 0; i < 3; ++i) {
    void *failure;
    pthread_join(threads[i], &failure);
    assert_null(failure);
  }
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(functionsAreShared),
      cmocka_unit_test(programsKeepTheirs),
      cmocka_unit_test(callersAreShared),
      cmocka_unit_test(manyComeAndGo),
      cmocka_unit_test(threadsShare),
  };
  return cmocka_run_group_tests(tests, cpuFixtureSetUp, cpuFixtureTearDown);
}

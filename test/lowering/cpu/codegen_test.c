//===- codegen_test.c - Memref functions become callable code -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/cpu/cpu_fixture.h"
#include "xlac/test/support/unit.h"

#include "mlir-c/RegisterEverything.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int setUp(void **state) {
  static CpuFixture fixture;
  cpuFixtureInit(&fixture, &(XlaCpuTargetOptions){.threads = 2});
  *state = &fixture;
  return 0;
}

static int tearDown(void **state) {
  cpuFixtureDestroy(*state);
  return 0;
}

static void *compileOne(void **state, const char *text, const char *name,
                        XlaCpuCode **code) {
  CpuFixture *fixture = *state;
  *code =
      cpuFixtureCompile(fixture, text, &(XlaCpuCodegenOptions){.verify = true});
  if (!*code)
    print_message("%s\n", fixture->error);
  assert_non_null(*code);
  void *function = xlaCpuCodeLookup(*code, name);
  assert_non_null(function);
  return function;
}

static void expectError(void **state, const char *text, const char *part) {
  CpuFixture *fixture = *state;
  XlaCpuCode *code = cpuFixtureCompile(fixture, text, NULL);
  assert_null(code);
  if (!strstr(fixture->error, part))
    fail_msg("\"%s\" does not contain \"%s\"", fixture->error, part);
}

static void targetDescribesTheHost(void **state) {
  const XlaCpuTarget *target = ((CpuFixture *)*state)->target;
  assert_true(target->vectorBits == 128 || target->vectorBits == 256 ||
              target->vectorBits == 512);
  assert_in_range(target->l1Bytes, 8 << 10, 1 << 20);
  assert_true(target->l1Bytes <= target->l2Bytes);
  assert_true(target->l2Bytes <= target->l3Bytes);
  assert_int_equal(target->threads, 2);
  assert_int_equal(xlaCpuTargetLanes(target, 32), target->vectorBits / 32);
  assert_int_equal(xlaCpuTargetLanes(target, 1024), 1);
}

static void targetsByName(void **state) {
  static const struct {
    const char *cpu;
    int vectorBits;
    bool hasFma, hasF16;
  } levels[] = {{"x86-64", 128, false, false},
                {"x86-64-v2", 128, false, false},
                {"x86-64-v3", 256, true, true},
                {"haswell", 256, true, true},
                {"x86-64-v4", 512, true, true}};
  for (size_t i = 0; i < sizeof levels / sizeof *levels; ++i) {
    XlaCpuTargetOptions options = {.cpu = levels[i].cpu, .threads = 5};
    XlaCpuTarget *target;
    XlaStatus status = xlaCpuTargetCreate(&options, &target);
    // A processor without it refuses the code.
    if (xlaStatusCode(status) == XLA_STATUS_UNIMPLEMENTED) {
      assert_non_null(strstr(xlaStatusMessage(status), "cannot run here"));
      xlaStatusDestroy(status);
      continue;
    }
    assert_null(status);
    assert_int_equal(target->vectorBits, levels[i].vectorBits);
    assert_int_equal(target->hasFma, levels[i].hasFma);
    assert_int_equal(target->hasF16, levels[i].hasF16);
    assert_int_equal(target->threads, 5);
    assert_false(target->isForeign);
    xlaCpuTargetDestroy(target);
  }
}

static void unknownTargetsAreRefused(void **state) {
  static const XlaCpuTargetOptions wrong[] = {{.cpu = "pentium-9"},
                                              {.triple = "toaster-linux-gnu"},
                                              {.cpu = "+avx2"},
                                              {.threads = -1},
                                              {.threads = 1025}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    XlaCpuTarget *target;
    XlaStatus status = xlaCpuTargetCreate(&wrong[i], &target);
    assert_int_equal(xlaStatusCode(status), XLA_STATUS_INVALID_ARGUMENT);
    assert_null(target);
    xlaStatusDestroy(status);
  }
}

/// The machine of an ELF file.
static int machineOf(const XlaCpuObject *object) {
  assert_true(object->size > 64 && !memcmp(object->data, "\177ELF", 4));
  return (unsigned char)object->data[18] | (unsigned char)object->data[19] << 8;
}

static void codeForOtherMachinesIsAssembled(void **state) {
  static const struct {
    const char *triple, *cpu;
    int machine;
  } machines[] = {{"aarch64-linux-gnu", "cortex-a76", 183},
                  {"riscv64-linux-gnu", "spacemit-x60", 243}};
  for (size_t i = 0; i < sizeof machines / sizeof *machines; ++i) {
    CpuFixture fixture;
    cpuFixtureInit(&fixture,
                   &(XlaCpuTargetOptions){.triple = machines[i].triple,
                                          .cpu = machines[i].cpu,
                                          .threads = 2});
    MlirModule module = mlirModuleCreateParse(
        fixture.context,
        mlirStringRefCreateFromCString(
            "func.func @f(%x: memref<64xf32>, %y: memref<64xbf16>) {\n"
            "  %c0 = arith.constant 0 : index\n"
            "  %v = vector.load %x[%c0] : memref<64xf32>, vector<8xf32>\n"
            "  %e = math.exp %v : vector<8xf32>\n"
            "  %b = arith.truncf %e : vector<8xf32> to vector<8xbf16>\n"
            "  vector.store %b, %y[%c0] : memref<64xbf16>, vector<8xbf16>\n"
            "  return\n}\n"));
    XlaCpuObject object;
    assert_true(fixture.target->isForeign);
    assert_int_equal(fixture.target->vectorBits, 128);
    assert_true(mlirLogicalResultIsSuccess(
        xlaCpuEmitObject(module, fixture.target, NULL, NULL, &object)));
    assert_int_equal(machineOf(&object), machines[i].machine);
    xlaCpuObjectDestroy(&object);
    mlirModuleDestroy(module);
    cpuFixtureDestroy(&fixture);
  }
}

static void memrefsArePointers(void **state) {
  XlaCpuCode *code;
  void (*f)(float *, float *, intptr_t) = compileOne(
      state,
      "func.func @f(%a: memref<4x8xf32> {llvm.noalias}, %b: memref<4x8xf32>,"
      "             %n: index) {\n"
      "  affine.for %i = 0 to 4 { affine.for %j = 0 to 8 {\n"
      "    %x = affine.load %a[%i, %j] : memref<4x8xf32>\n"
      "    %k = arith.index_cast %n : index to i32\n"
      "    %y = arith.sitofp %k : i32 to f32\n"
      "    %z = arith.addf %x, %y : f32\n"
      "    affine.store %z, %b[3 - %i, %j] : memref<4x8xf32>\n"
      "  } } return }",
      "f", &code);
  float a[32], b[32];
  for (int i = 0; i < 32; ++i)
    a[i] = (float)i;
  f(a, b, 7);
  for (int i = 0; i < 32; ++i)
    assert_true(b[(3 - i / 8) * 8 + i % 8] == a[i] + 7);
  xlaCpuCodeDestroy(code);
}

static void multiplyAndAddAreNotFused(void **state) {
  XlaCpuCode *code;
  float (*f)(float, float, float) =
      compileOne(state,
                 "func.func @f(%a: f32, %b: f32, %c: f32) -> f32 {\n"
                 "  %m = arith.mulf %a, %b : f32\n"
                 "  %s = arith.addf %m, %c : f32\n"
                 "  return %s : f32 }",
                 "f", &code);
  // The product's low bits are lost in rounding: an FMA would keep 2^-24.
  float x = 1 + ldexpf(1, -12);
  assert_true(f(x, x, -(1 + ldexpf(1, -11))) == 0);
  xlaCpuCodeDestroy(code);
}

static void vectorsWithTails(void **state) {
  XlaCpuCode *code;
  void (*f)(float *, float *) = compileOne(
      state,
      "func.func @f(%a: memref<37xf32>, %b: memref<37xf32>) {\n"
      "  %c0 = arith.constant 0 : index\n  %c16 = arith.constant 16 : index\n"
      "  %n = arith.constant 37 : index\n  %z = arith.constant 0.0 : f32\n"
      "  scf.for %i = %c0 to %n step %c16 {\n"
      "    %v = vector.transfer_read %a[%i], %z : memref<37xf32>, "
      "vector<16xf32>\n"
      "    %w = arith.addf %v, %v : vector<16xf32>\n"
      "    vector.transfer_write %w, %b[%i] : vector<16xf32>, memref<37xf32>\n"
      "  }\n  return }",
      "f", &code);
  float a[37], b[38];
  for (int i = 0; i < 37; ++i)
    a[i] = (float)i - 7;
  b[37] = 42;
  f(a, b);
  for (int i = 0; i < 37; ++i)
    assert_true(b[i] == 2 * a[i]);
  assert_true(b[37] == 42);
  xlaCpuCodeDestroy(code);
}

static void parallelLoops(void **state) {
  XlaCpuCode *code;
  void (*f)(int32_t *) = compileOne(
      state,
      "func.func private @cell(%x: index) -> i32 {\n"
      "  %y = arith.index_cast %x : index to i32\n"
      "  %z = arith.muli %y, %y : i32\n  return %z : i32 }\n"
      "func.func @f(%a: memref<1000xi32>) {\n"
      "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
      "  %n = arith.constant 1000 : index\n"
      "  scf.parallel (%i) = (%c0) to (%n) step (%c1) {\n"
      "    %s = memref.alloca() : memref<1xi32>\n"
      "    %v = func.call @cell(%i) : (index) -> i32\n"
      "    memref.store %v, %s[%c0] : memref<1xi32>\n"
      "    %w = memref.load %s[%c0] : memref<1xi32>\n"
      "    memref.store %w, %a[%i] : memref<1000xi32>\n"
      "  }\n"
      "  scf.forall (%i) in (1000) {\n"
      "    %w = memref.load %a[%i] : memref<1000xi32>\n"
      "    %x = arith.addi %w, %w : i32\n"
      "    memref.store %x, %a[%i] : memref<1000xi32>\n"
      "  }\n  return }",
      "f", &code);
  int32_t a[1000];
  for (int repeat = 0; repeat < 20; ++repeat) {
    memset(a, -1, sizeof a);
    f(a);
    for (int i = 0; i < 1000; ++i)
      assert_int_equal(a[i], 2 * i * i);
  }
  assert_null(xlaCpuCodeLookup(code, "cell"));
  assert_null(xlaCpuCodeLookup(code, "nothing"));
  xlaCpuCodeDestroy(code);
}

static void stridedCopies(void **state) {
  XlaCpuCode *code;
  void (*f)(float *, float *) = compileOne(
      state,
      "func.func @f(%a: memref<6x50xf32>, %b: memref<3x50x2xf32>) {\n"
      "  %s = memref.subview %a[1, 2] [3, 37] [2, 1] : memref<6x50xf32> to "
      "memref<3x37xf32, strided<[100, 1], offset: 52>>\n"
      "  %t = memref.subview %b[0, 5, 1] [3, 37, 1] [1, 1, 1] : "
      "memref<3x50x2xf32> to memref<3x37xf32, strided<[100, 2], offset: 11>>\n"
      "  memref.copy %s, %t : memref<3x37xf32, strided<[100, 1], offset: 52>> "
      "to memref<3x37xf32, strided<[100, 2], offset: 11>>\n"
      "  %u = memref.subview %a[0, 0] [1, 37] [1, 1] : memref<6x50xf32> to "
      "memref<1x37xf32, strided<[50, 1]>>\n"
      "  %v = memref.subview %a[1, 2] [1, 37] [1, 1] : memref<6x50xf32> to "
      "memref<1x37xf32, strided<[50, 1], offset: 52>>\n"
      "  memref.copy %v, %u : memref<1x37xf32, strided<[50, 1], offset: 52>> "
      "to memref<1x37xf32, strided<[50, 1]>>\n"
      "  return }",
      "f", &code);
  float a[300], b[300] = {0};
  for (int i = 0; i < 300; ++i)
    a[i] = (float)i;
  f(a, b);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 50; ++j)
      for (int k = 0; k < 2; ++k) {
        bool in = k == 1 && j >= 5 && j < 42;
        float expected = in ? (float)((1 + 2 * i) * 50 + 2 + j - 5) : 0;
        assert_true(b[(i * 50 + j) * 2 + k] == expected);
      }
  for (int j = 0; j < 50; ++j)
    assert_true(a[j] == (float)(j < 37 ? 52 + j : j));
  xlaCpuCodeDestroy(code);
}

static int32_t addOne(int32_t x) { return x + 1; }

static void givenSymbols(void **state) {
  CpuFixture *fixture = *state;
  XlaCpuSymbol symbol = {"xlac_test_add_one", (void *)(uintptr_t)addOne};
  const char *text = "func.func private @xlac_test_add_one(i32) -> i32\n"
                     "func.func @f(%a: i32) -> i32 {\n"
                     "  %b = func.call @xlac_test_add_one(%a) : (i32) -> i32\n"
                     "  return %b : i32 }";
  XlaCpuCode *code = cpuFixtureCompile(
      fixture, text,
      &(XlaCpuCodegenOptions){.nSymbols = 1, .symbols = &symbol});
  assert_non_null(code);
  int32_t (*f)(int32_t) = xlaCpuCodeLookup(code, "f");
  assert_int_equal(f(41), 42);
  xlaCpuCodeDestroy(code);
  expectError(state, text, "xlac_test_add_one");
}

/// exp of f64 is a call of libm's function, whatever the program calls its own.
static void privateNamesDoNotShadowLibraries(void **state) {
  XlaCpuCode *code;
  double (*f)(double) =
      compileOne(state,
                 "func.func private @exp(%a: f64) -> f64 {\n"
                 "  %b = arith.addf %a, %a : f64\n  return %b : f64 }\n"
                 "func.func @f(%a: f64) -> f64 {\n"
                 "  %b = math.exp %a : f64\n"
                 "  %c = func.call @exp(%a) : (f64) -> f64\n"
                 "  %d = arith.subf %b, %c : f64\n  return %d : f64 }",
                 "f", &code);
  assert_true(fabs(f(3) - (exp(3) - 6)) < 1e-12);
  xlaCpuCodeDestroy(code);
}

static unsigned seen;

static void see(XlaCpuStage stage, const char *data, size_t size, void *user) {
  static const char *const marks[] = {"arith.addf", "arith.addf", "llvm.fadd",
                                      "define",     "define",     "\177ELF"};
  assert_non_null(memmem(data, size, marks[stage], strlen(marks[stage])));
  seen |= 1u << stage;
}

static void observersAndStatistics(void **state) {
  CpuFixture *fixture = *state;
  MlirModule module = mlirModuleCreateParse(
      fixture->context,
      mlirStringRefCreateFromCString("func.func @f(%a: f32) -> f32 {\n"
                                     "  %b = arith.addf %a, %a : f32\n"
                                     "  return %b : f32 }"));
  XlaCpuCodegenOptions options = {.observed = (1u << XLA_CPU_STAGE_COUNT) - 1,
                                  .observe = see};
  XlaCpuCodegenStats stats;
  XlaCpuObject object;
  assert_true(mlirLogicalResultIsSuccess(
      xlaCpuEmitObject(module, fixture->target, &options, &stats, &object)));
  mlirModuleDestroy(module);
  assert_int_equal(seen, options.observed);
  assert_int_equal(stats.objectBytes, object.size);
  assert_true(stats.mlirMs > 0 && stats.codegenMs > 0);
  char *error;
  XlaCpuCode *code =
      xlaCpuCodeLink(object.data, object.size, 0, NULL, NULL, &error);
  assert_non_null(code);
  float (*f)(float) = xlaCpuCodeLookup(code, "f");
  assert_true(f(4) == 8);
  xlaCpuCodeDestroy(code);
  code = xlaCpuCodeLink(object.data, 40, 0, NULL, "f", &error);
  assert_null(code);
  assert_non_null(error);
  free(error);
  xlaCpuObjectDestroy(&object);
  for (int i = 0; i < XLA_CPU_STAGE_COUNT; ++i)
    assert_non_null(xlaCpuStageName(i));
  assert_null(xlaCpuStageName(XLA_CPU_STAGE_COUNT));
}

static XlaCpuObject emitText(CpuFixture *fixture, const XlaCpuTarget *target,
                             const char *text) {
  XlaCpuObject object;
  MlirModule module = mlirModuleCreateParse(
      fixture->context, mlirStringRefCreateFromCString(text));
  assert_true(mlirLogicalResultIsSuccess(
      xlaCpuEmitObject(module, target, NULL, NULL, &object)));
  mlirModuleDestroy(module);
  return object;
}

/// The passes of code generation run again and again.
static void objectsDoNotDependOnThoseBefore(void **state) {
  static const char *const texts[] = {
      "func.func @f(%a: memref<64xf32>) {\n"
      "  affine.parallel (%i) = (0) to (64) {\n"
      "    %x = affine.load %a[%i] : memref<64xf32>\n"
      "    %y = math.exp %x : f32\n"
      "    affine.store %y, %a[%i] : memref<64xf32>\n"
      "  }\n  return }",
      ("func.func private @g(%a: vector<4xf32>) -> vector<4xf32> {\n"
       "  %c = arith.constant dense<[0., 1., 2., 3.]> : vector<4xf32>\n"
       "  %b = arith.addf %a, %c : vector<4xf32>\n"
       "  return %b : vector<4xf32> }\n"
       "func.func @f(%a: vector<4xf32>) -> vector<4xf32> {\n"
       "  %b = call @g(%a) : (vector<4xf32>) -> vector<4xf32>\n"
       "  return %b : vector<4xf32> }"),
      "func.func @f(%a: f64, %b: f64) -> f64 {\n"
      "  %c = arith.remf %a, %b : f64\n  return %c : f64 }"};
  enum { n = sizeof texts / sizeof *texts };
  CpuFixture *fixture = *state;
  XlaCpuObject alone[n];
  for (int i = 0; i < n; ++i) {
    XlaCpuTarget *fresh;
    assert_null(
        xlaCpuTargetCreate(&(XlaCpuTargetOptions){.threads = 2}, &fresh));
    alone[i] = emitText(fixture, fresh, texts[i]);
    xlaCpuTargetDestroy(fresh);
  }
  for (int i = 0; i < n * n; ++i) {
    int k = i < n ? i : (i * i + i / n) % n;
    XlaCpuObject object = emitText(fixture, fixture->target, texts[k]);
    assert_int_equal(object.size, alone[k].size);
    assert_memory_equal(object.data, alone[k].data, object.size);
    xlaCpuObjectDestroy(&object);
  }
  for (int i = 0; i < n; ++i)
    xlaCpuObjectDestroy(&alone[i]);
}

typedef struct Task {
  const XlaCpuTarget *target;
  int successes;
} Task;

/// Ten compilations in a context of their own.
static void *compileAlone(void *argument) {
  Task *task = argument;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  for (int i = 0; i < 10; ++i) {
    MlirModule module = mlirModuleCreateParse(
        context, mlirStringRefCreateFromCString(
                     "func.func @f(%a: memref<64xf32>) {\n"
                     "  affine.parallel (%i) = (0) to (64) {\n"
                     "    %x = affine.load %a[%i] : memref<64xf32>\n"
                     "    %y = math.exp %x : f32\n"
                     "    affine.store %y, %a[%i] : memref<64xf32>\n"
                     "  }\n  return }"));
    XlaCpuCode *code = NULL;
    if (mlirModuleIsNull(module) ||
        mlirLogicalResultIsFailure(
            xlaCpuCompileModule(module, task->target, NULL, NULL, &code)))
      break;
    float a[64] = {0, 1};
    void (*f)(float *) = (void (*)(float *))xlaCpuCodeLookup(code, "f");
    f(a);
    task->successes += a[0] == 1 && fabsf(a[1] - 2.7182818f) < 1e-6f;
    xlaCpuCodeDestroy(code);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return NULL;
}

static void threadsCompileAtOnce(void **state) {
  Task tasks[4];
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) {
    tasks[i] = (Task){((CpuFixture *)*state)->target, 0};
    assert_int_equal(pthread_create(&threads[i], NULL, compileAlone, &tasks[i]),
                     0);
  }
  for (int i = 0; i < 4; ++i) {
    pthread_join(threads[i], NULL);
    assert_int_equal(tasks[i].successes, 10);
  }
}

static void errorsAreDiagnostics(void **state) {
  expectError(state,
              "func.func @f() {\n"
              "  %a = memref.alloc() : memref<4xf32>\n  return }",
              "memref.alloc reached code generation");
  expectError(state, "func.func @f(%i: i1, %a: memref<?xf32>) { return }",
              "argument 1 is a memref of dynamic shape");
  expectError(state, "func.func @f(%a: memref<4xf32, strided<[?]>>) { return }",
              "argument 0 is a memref of dynamic shape or strides");
  expectError(state,
              "func.func @f() {\n"
              "  %b = tensor.empty() : tensor<4xf32>\n"
              "  return }",
              "tensor.empty is not of a dialect that code generation takes");
  expectError(state,
              "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
              "  return %a : tensor<4xf32> }",
              "an argument is a tensor; code is generated for memrefs");
  expectError(state,
              "func.func @f() {\n"
              "  %b = arith.constant dense<1.0> : tensor<4xf32>\n"
              "  return }",
              "arith.constant gives a tensor; code is generated for memrefs");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(targetDescribesTheHost),
      cmocka_unit_test(targetsByName),
      cmocka_unit_test(unknownTargetsAreRefused),
      cmocka_unit_test(codeForOtherMachinesIsAssembled),
      cmocka_unit_test(memrefsArePointers),
      cmocka_unit_test(multiplyAndAddAreNotFused),
      cmocka_unit_test(vectorsWithTails),
      cmocka_unit_test(parallelLoops),
      cmocka_unit_test(stridedCopies),
      cmocka_unit_test(givenSymbols),
      cmocka_unit_test(privateNamesDoNotShadowLibraries),
      cmocka_unit_test(observersAndStatistics),
      cmocka_unit_test(objectsDoNotDependOnThoseBefore),
      cmocka_unit_test(threadsCompileAtOnce),
      cmocka_unit_test(errorsAreDiagnostics),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}

//===- arrays_test.c - Executables on arrays of a device ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/vulkan/arrays.h"
#include "xlac/test/runtime/vulkan/device_fixture.h"
#include "xlac/test/support/unit.h"

#include "mlir-c/RegisterEverything.h"
#include "xlac/dialect/dialect.h"
#include "xlac/lowering/executable_internal.h"
#include "xlac/lowering/vulkan/executable.h"

#include <pthread.h>
#include <string.h>

enum { N = 600, Threads = 4, Steps = 12 };

/// A step of training: what it donates comes back changed.
static const char step[] =
    "func.func @main(%w: tensor<600xi32> {xla.donated}, %x: tensor<600xi32>) "
    "-> (tensor<600xi32>, tensor<i32>) {\n"
    "  %zero = xla.constant dense<0> : tensor<i32>\n"
    "  %p = xla.multiply %x, %x : tensor<600xi32>\n"
    "  %loss = xla.reduce(%p, %zero) ({\n"
    "  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
    "    %s = xla.add %a, %b : tensor<i32>\n"
    "    xla.return %s : tensor<i32>\n"
    "  }) {dimensions = array<i64: 0>} : (tensor<600xi32>, tensor<i32>) -> "
    "tensor<i32>\n"
    "  %n = xla.subtract %w, %x : tensor<600xi32>\n"
    "  return %n, %loss : tensor<600xi32>, tensor<i32>\n}\n";

/// The host decides how often x is reversed and added to itself.
static const char loop[] =
    "func.func @main(%x: tensor<600xi32>, %n: tensor<i32>) -> "
    "tensor<600xi32> {\n"
    "  %zero = xla.constant dense<0> : tensor<i32>\n"
    "  %one = xla.constant dense<1> : tensor<i32>\n"
    "  %r:2 = xla.while(%zero, %x) ({\n"
    "  ^bb0(%i: tensor<i32>, %y: tensor<600xi32>):\n"
    "    %c = xla.compare %i, %n {comparison_direction = \"LT\"} : "
    "(tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    xla.return %c : tensor<i1>\n"
    "  }, {\n"
    "  ^bb0(%i: tensor<i32>, %y: tensor<600xi32>):\n"
    "    %k = xla.add %i, %one : tensor<i32>\n"
    "    %v = xla.reverse %y {dimensions = array<i64: 0>} : tensor<600xi32>\n"
    "    %z = xla.add %y, %v : tensor<600xi32>\n"
    "    %s = xla.sort(%z) ({\n"
    "    ^bb1(%a: tensor<i32>, %b: tensor<i32>):\n"
    "      %l = xla.compare %a, %b {comparison_direction = \"GT\"} : "
    "(tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "      xla.return %l : tensor<i1>\n"
    "    }) {dimension = 0} : (tensor<600xi32>) -> tensor<600xi32>\n"
    "    xla.return %k, %s : tensor<i32>, tensor<600xi32>\n"
    "  }) : (tensor<i32>, tensor<600xi32>) -> (tensor<i32>, "
    "tensor<600xi32>)\n"
    "  return %r#1 : tensor<600xi32>\n}\n";

typedef struct Programs {
  MlirContext context;
  XlaVulkanDevice *device;
  XlaExecutable *step, *loop;
  XlaLiteral *w, *x, *n;   ///< inputs
  XlaLiteral *last, *loss; ///< after all steps
  XlaLiteral *looped;      ///< of w
} Programs;

static XlaExecutable *compile(Programs *p, const char *text) {
  MlirModule module =
      mlirModuleCreateParse(p->context, mlirStringRefCreateFromCString(text));
  assert_non_null(module.ptr);
  XlaCompileOptions options = {.vulkan = p->device};
  XlaExecutable *executable = NULL;
  assert_true(mlirLogicalResultIsSuccess(xlaExecutableCompile(
      module, mlirStringRefCreateFromCString("main"), &options, &executable)));
  mlirModuleDestroy(module);
  return executable;
}

static XlaLiteral *count(int64_t n, int first, int stride) {
  XlaShape shape = {.elementType = XlaElementTypeS32, .rank = n > 1};
  shape.dims[0] = n;
  XlaLiteral *literal = xlaLiteralCreateArray(&shape);
  assert_non_null(literal);
  for (int64_t i = 0; i < n; ++i)
    xlaLiteralSet(literal, i, (XlaScalar){.s = first + stride * i % 17});
  return literal;
}

/// What runs on literals give.
static void expect(Programs *p) {
  XlaLiteral *value = xlaLiteralRetain(p->w), *results[2];
  for (int i = 0; i < Steps; ++i) {
    const XlaLiteral *inputs[] = {value, p->x};
    assert_true(mlirLogicalResultIsSuccess(
        xlaExecutableRunLiterals(p->step, 2, inputs, 2, results)));
    xlaLiteralRelease(value);
    value = results[0];
    xlaLiteralRelease(p->loss);
    p->loss = results[1];
  }
  p->last = value;
  const XlaLiteral *inputs[] = {p->w, p->n};
  assert_true(mlirLogicalResultIsSuccess(
      xlaExecutableRunLiterals(p->loop, 2, inputs, 1, &p->looped)));
}

static bool same(XlaVulkanArray *array, const XlaLiteral *expected) {
  char data[N * 4];
  size_t bytes = xlaLiteralGetByteCount(expected);
  XlaStatus status = xlaVulkanArrayRead(array, 0, (int64_t)bytes, data);
  bool isSame = !status && !memcmp(data, xlaLiteralGetData(expected), bytes);
  xlaStatusDestroy(status);
  return isSame;
}

typedef struct Worker {
  Programs *programs;
  pthread_t thread;
  int nWrong;
} Worker;

/// Steps in place, without waits, and loops on what is changed meanwhile.
static void *work(void *user) {
  Worker *worker = user;
  Programs *p = worker->programs;
  XlaVulkanArray *w = vulkanArrayFrom(p->device, p->w), *copy = NULL;
  XlaVulkanArray *x = vulkanArrayFrom(p->device, p->x);
  XlaVulkanArray *n = vulkanArrayFrom(p->device, p->n);
  XlaVulkanArray *looped = NULL, *loss = NULL;
  uint64_t number = 0;
  XlaStatus status = xlaVulkanArrayCreate(p->device, (int64_t)N * 4, &copy);
  if (!status)
    status = xlaVulkanArrayCreate(p->device, (int64_t)N * 4, &looped);
  if (!status)
    status = xlaVulkanArrayCopy(w, copy, &number);
  for (int i = 0; !status && i < Steps; ++i) {
    xlaVulkanArrayDestroy(loss);
    status = xlaVulkanArrayCreate(p->device, 4, &loss);
    XlaVulkanArray *in[] = {w, x}, *out[] = {w, loss};
    if (!status)
      status = xlaVulkanExecutableRunArrays(p->step->program, in, out, &number);
  }
  XlaVulkanArray *in[] = {copy, n};
  if (!status)
    status =
        xlaVulkanExecutableRunArrays(p->loop->program, in, &looped, &number);
  worker->nWrong += status || !same(w, p->last) || !same(loss, p->loss) ||
                    !same(looped, p->looped);
  xlaStatusDestroy(status);
  XlaVulkanArray *all[] = {w, copy, x, n, looped, loss};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    xlaVulkanArrayDestroy(all[i]);
  return NULL;
}

static void threads(void **state) {
  Programs p = {.device = vulkanDevice(state)};
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  xlaDialectRegister(registry);
  p.context = mlirContextCreateWithRegistry(registry, true);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(p.context);
  mlirRegisterAllLLVMTranslations(p.context);
  p.step = compile(&p, step);
  p.loop = compile(&p, loop);
  assert_int_equal(xlaExecutableGetAliasedInput(p.step, 0), 0);
  p.w = count(N, -3, 5);
  p.x = count(N, -7, 3);
  p.n = count(1, 7, 0);
  expect(&p);
  Worker workers[Threads];
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < Threads; ++i) {
      workers[i] = (Worker){.programs = &p};
      assert_int_equal(
          pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < Threads; ++i) {
      pthread_join(workers[i].thread, NULL);
      assert_int_equal(workers[i].nWrong, 0);
    }
  }
  xlaExecutableDestroy(p.step);
  xlaExecutableDestroy(p.loop);
  XlaLiteral *all[] = {p.w, p.x, p.n, p.last, p.loss, p.looped};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    xlaLiteralRelease(all[i]);
  mlirContextDestroy(p.context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads)};
  return cmocka_run_group_tests(tests, vulkanDeviceSetup, vulkanDeviceTeardown);
}

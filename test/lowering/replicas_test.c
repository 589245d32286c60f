//===- replicas_test.c - Executables that run at the same time ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What who runs several executables of one program does and sees: one on the
// CPU and, where there is one, one on a Vulkan device meet.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/machine.h"
#include "xlac/test/support/unit.h"

#include "mlir-c/Diagnostics.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { nReplicas = 3 };

typedef struct State {
  Machine machine;
  char text[2000]; ///< of diagnostics, all in one
} State;

/// A replica on its thread.
typedef struct Replica {
  XlaExecutable *executable;
  XlaProcess process;
  float in, out;
  bool ran;
  pthread_t thread;
} Replica;

static void *runReplica(void *data) {
  Replica *r = data;
  const void *inputs[] = {&r->in};
  void *outputs[] = {&r->out};
  xlaExecutableSetProcess(r->executable, &r->process);
  r->ran = mlirLogicalResultIsSuccess(
      xlaExecutableRun(r->executable, inputs, outputs));
  xlaProcessFinish(&r->process, !r->ran);
  return NULL;
}

/// Runs all once; replica `i` gets `first` + i.
static void runAll(Replica *replicas, float first) {
  XlaGrid grid = {NULL, nReplicas, 1};
  XlaRendezvous *rendezvous = xlaRendezvousCreate(1, &grid);
  assert_non_null(rendezvous);
  for (int i = 0; i < nReplicas; ++i) {
    replicas[i].process = (XlaProcess){rendezvous, 0, i, 0};
    replicas[i].in = first + (float)i;
    replicas[i].out = 0;
    assert_int_equal(
        pthread_create(&replicas[i].thread, NULL, runReplica, &replicas[i]), 0);
  }
  for (int i = 0; i < nReplicas; ++i)
    pthread_join(replicas[i].thread, NULL);
  xlaRendezvousDestroy(rendezvous);
}

static MlirModule parse(State *s, const char *body) {
  char text[2000];
  snprintf(text, sizeof text,
           "func.func @main(%%x: tensor<f32>) -> tensor<f32> {\n%s}\n", body);
  MlirModule module = mlirModuleCreateParse(
      s->machine.context, mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  return module;
}

static void compileAll(State *s, MlirModule module, Replica *replicas) {
  for (int i = 0; i < nReplicas; ++i) {
    XlaCompileOptions options = {.isParallel = true,
                                 .vulkan = i == 1 ? s->machine.vulkan : NULL};
    assert_true(mlirLogicalResultIsSuccess(
        xlaExecutableCompile(module, mlirStringRefCreateFromCString("main"),
                             &options, &replicas[i].executable)));
  }
}

static void destroyAll(MlirModule module, Replica *replicas) {
  for (int i = 0; i < nReplicas; ++i)
    xlaExecutableDestroy(replicas[i].executable);
  mlirModuleDestroy(module);
}

/// In the order of the replicas, and as often as they run.
static void testMeets(void **state) {
  Replica replicas[nReplicas];
  MlirModule module =
      parse(*state, "%two = xla.constant dense<2.0> : tensor<f32>\n"
                    "%y = xla.multiply %x, %two : tensor<f32>\n"
                    "%0 = xla.all_reduce(%y) ({\n"
                    "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
                    "  %s = xla.subtract %a, %b : tensor<f32>\n"
                    "  xla.return %s : tensor<f32>\n"
                    "}) : tensor<f32>\n"
                    "%id = xla.replica_id : () -> tensor<ui32>\n"
                    "%n = xla.convert %id : (tensor<ui32>) -> tensor<f32>\n"
                    "%1 = xla.add %0, %n : tensor<f32>\n"
                    "return %1 : tensor<f32>\n");
  compileAll(*state, module, replicas);
  for (int round = 0; round < 3; ++round) {
    runAll(replicas, (float)round);
    for (int i = 0; i < nReplicas; ++i) {
      assert_true(replicas[i].ran);
      assert_float_equal(replicas[i].out, -2 * round - 6 + i, 0);
    }
  }
  destroyAll(module, replicas);
}

static void append(MlirStringRef text, void *data) {
  State *s = data;
  size_t n = strlen(s->text), left = sizeof s->text - n - 1;
  size_t length = text.length < left ? text.length : left;
  memcpy(s->text + n, text.data, length);
  s->text[n + length] = 0;
}

static MlirLogicalResult keep(MlirDiagnostic diagnostic, void *data) {
  mlirDiagnosticPrint(diagnostic, append, data);
  return mlirLogicalResultSuccess();
}

/// One ends before the others, which would wait for it.
static void testEnds(void **state) {
  State *s = *state;
  Replica replicas[nReplicas];
  MlirModule module =
      parse(s, "%id = xla.replica_id : () -> tensor<ui32>\n"
               "%two = xla.constant dense<2> : tensor<ui32>\n"
               "%is = xla.compare %id, %two {comparison_direction = \"EQ\"} : "
               "(tensor<ui32>, tensor<ui32>) -> tensor<i1>\n"
               "%0 = xla.if(%is) ({\n"
               "  xla.return %x : tensor<f32>\n"
               "}, {\n"
               "  %s = xla.cross_replica_sum %x : tensor<f32>\n"
               "  xla.return %s : tensor<f32>\n"
               "}) : (tensor<i1>) -> tensor<f32>\n"
               "return %0 : tensor<f32>\n");
  compileAll(s, module, replicas);
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(s->machine.context, keep, s, NULL);
  s->text[0] = 0;
  runAll(replicas, 1);
  mlirContextDetachDiagnosticHandler(s->machine.context, handler);
  assert_false(replicas[0].ran);
  assert_false(replicas[1].ran);
  assert_true(replicas[2].ran);
  assert_float_equal(replicas[2].out, 3, 0);
  assert_non_null(strstr(s->text, "waits for replica 2, which has ended"));
  destroyAll(module, replicas);
}

/// Without a place a program is alone, and has nobody to send to.
static void testAlone(void **state) {
  State *s = *state;
  MlirModule module =
      parse(s, "%r = xla.recv {channel_id = 1} : () -> tuple<tensor<f32>, "
               "tensor<ui32>>\n"
               "%s = xla.send %x {channel_id = 1} : (tensor<f32>) -> "
               "tuple<tensor<f32>, tensor<ui32>>\n"
               "xla.send_done %s : (tuple<tensor<f32>, tensor<ui32>>) -> ()\n"
               "%0 = xla.recv_done %r : (tuple<tensor<f32>, tensor<ui32>>) -> "
               "tensor<f32>\n"
               "return %0 : tensor<f32>\n");
  Replica replica = {.in = 7};
  assert_true(mlirLogicalResultIsSuccess(
      xlaExecutableCompile(module, mlirStringRefCreateFromCString("main"), NULL,
                           &replica.executable)));
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(s->machine.context, keep, s, NULL);
  s->text[0] = 0;
  runReplica(&replica);
  mlirContextDetachDiagnosticHandler(s->machine.context, handler);
  assert_false(replica.ran);
  assert_non_null(strstr(s->text, "has no other process to transfer with"));
  XlaGrid grid = {NULL, 1, 1};
  replica.process.rendezvous = xlaRendezvousCreate(1, &grid);
  runReplica(&replica);
  assert_true(replica.ran);
  assert_float_equal(replica.out, 7, 0);
  xlaRendezvousDestroy(replica.process.rendezvous);
  xlaExecutableDestroy(replica.executable);
  mlirModuleDestroy(module);
}

static int setUp(void **state) {
  static State s;
  *state = &s;
  bool done = machineSetUp(&s.machine);
  mlirContextEnableMultithreading(s.machine.context, true);
  return done ? 0 : -1;
}

static int tearDown(void **state) {
  State *s = *state;
  return machineTearDown(&s->machine) ? 0 : -1;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testMeets),
      cmocka_unit_test(testEnds),
      cmocka_unit_test(testAlone),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}

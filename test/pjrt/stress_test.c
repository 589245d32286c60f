//===- stress_test.c - The plugin under many threads ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Made to be run under the sanitizers: what frameworks may do while programs
// run, from several threads at once.
//
//===----------------------------------------------------------------------===//

#include "stress.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

typedef struct Worker {
  PJRT_LoadedExecutable *shared, *donating;
  int number;
} Worker;

static void *work(void *data) {
  const Worker *worker = data;
  atomic_int counted = 0;
  int nListened = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    nListened +=
        chain(worker->shared, (float)(worker->number + round), 1, &counted);
    nListened += chain(worker->donating, (float)round, 2, &counted);
    if (round % 20 == worker->number) { // a program of its own
      PJRT_LoadedExecutable *own = compile(3 + worker->number, "");
      nListened += chain(own, 0, 3 + worker->number, &counted);
      CALL(LoadedExecutable_Destroy, .executable = own);
    }
  }
  // Every event is told of, without another call.
  while (atomic_load(&counted) < nListened)
    sched_yield();
  return NULL;
}

static void threadsShareAll(void **state) {
  pthread_t threads[THREADS];
  Worker workers[THREADS];
  PJRT_LoadedExecutable *shared = compile(1, "");
  PJRT_LoadedExecutable *donating =
      compile(2, "{tf.aliasing_output = 0 : i32}");
  for (int i = 0; i < THREADS; ++i) {
    workers[i] = (Worker){shared, donating, i};
    assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], NULL);
  CALL(LoadedExecutable_Destroy, .executable = shared);
  CALL(LoadedExecutable_Destroy, .executable = donating);
  assert_int_equal(atomic_load(&failures), 0);
}

/// Programs of some microseconds, which may run beside who asks for them: every
/// event is told of, though nobody calls anything afterwards.
static void aheadOfAll(void **state) {
  static const char text[] =
      "func.func @main(%x: tensor<64xf32>)"
      "    -> (tensor<64x64xf32>, tensor<64xf32>) {"
      "  %y = stablehlo.broadcast_in_dim %x, dims = [0]"
      "    : (tensor<64xf32>) -> tensor<64x64xf32>"
      "  %z = stablehlo.dot %y, %y"
      "    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>"
      "  %w = stablehlo.tanh %z : tensor<64x64xf32>"
      "  return %w, %x : tensor<64x64xf32>, tensor<64xf32>"
      "}";
  enum { nSteps = 300 };
  PJRT_LoadedExecutable *executable = compileText(text, sizeof text - 1);
  float values[SIZE] = {0};
  atomic_int counted = 0;
  int nListened = 0;
  PJRT_Buffer *x = put(values), *outputs[2];
  for (int i = 0; i < nSteps; ++i) {
    PJRT_Event *done = NULL;
    execute(executable, x, outputs, &done);
    if (done) {
      CALL(Event_OnReady, .event = done, .callback = count,
           .user_arg = &counted);
      CALL(Event_Destroy, .event = done);
      ++nListened;
    }
    destroy(outputs[0]);
    destroy(outputs[1]);
  }
  while (atomic_load(&counted) < nListened)
    sched_yield();
  assert_int_equal(nListened, nSteps);
  destroy(x);
  CALL(LoadedExecutable_Destroy, .executable = executable);
  assert_int_equal(atomic_load(&failures), 0);
}

static void executablesGoWhileTheyRun(void **state) {
  pthread_t threads[THREADS];
  PJRT_LoadedExecutable *executable = compile(1, "");
  for (int i = 0; i < THREADS; ++i)
    assert_int_equal(
        pthread_create(&threads[i], NULL, runUntilDeleted, executable), 0);
  usleep(20000);
  CALL(LoadedExecutable_Delete, .executable = executable);
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], NULL);
  CALL(LoadedExecutable_Destroy, .executable = executable);
  assert_int_equal(atomic_load(&failures), 0);
}

/// Runs and reads a buffer that others use too, until it is gone.
static void *useUntilDeleted(void *data) {
  void **both = data;
  PJRT_Buffer *x = both[1], *outputs[2], **list = outputs;
  PJRT_Buffer *const *inputs = &x;
  for (;;) {
    float got[SIZE] = {0};
    PJRT_Error *error = api->PJRT_LoadedExecutable_Execute(
        ARGS(LoadedExecutable_Execute, .executable = both[0],
             .argument_lists = &inputs, .num_devices = 1, .num_args = 1,
             .output_lists = &list));
    if (error) {
      api->PJRT_Error_Destroy(ARGS(Error_Destroy, .error = error));
      return NULL;
    }
    PJRT_Buffer_ToHostBuffer_Args *read =
        ARGS(Buffer_ToHostBuffer, .src = outputs[0], .dst = got,
             .dst_size = sizeof got);
    if (expect(api->PJRT_Buffer_ToHostBuffer(read))) {
      CALL(Event_Await, .event = read->event);
      CALL(Event_Destroy, .event = read->event);
      for (int i = 0; i < SIZE; ++i)
        if (got[i] != (float)(i + 1))
          atomic_fetch_add(&failures, 1);
    }
    destroy(outputs[0]);
    destroy(outputs[1]);
  }
}

/// What is asked for before a buffer is deleted has its values.
static void buffersGoWhileTheyAreUsed(void **state) {
  float values[SIZE];
  for (int i = 0; i < SIZE; ++i)
    values[i] = (float)i;
  PJRT_LoadedExecutable *executable = compile(1, "");
  for (int round = 0; round < ROUNDS; ++round) {
    pthread_t threads[THREADS];
    PJRT_Buffer *x = put(values), *outputs[2];
    void *both[2] = {executable, x};
    for (int i = 0; i < THREADS; ++i)
      assert_int_equal(pthread_create(&threads[i], NULL, useUntilDeleted, both),
                       0);
    for (int i = 0; i < round; ++i) { // are in flight when it goes
      execute(executable, x, outputs, NULL);
      destroy(outputs[0]);
      destroy(outputs[1]);
    }
    CALL(Buffer_Delete, .buffer = x);
    for (int i = 0; i < THREADS; ++i)
      pthread_join(threads[i], NULL);
    destroy(x);
  }
  CALL(LoadedExecutable_Destroy, .executable = executable);
  assert_int_equal(atomic_load(&failures), 0);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(threadsShareAll),
      cmocka_unit_test(aheadOfAll),
      cmocka_unit_test(executablesGoWhileTheyRun),
      cmocka_unit_test(buffersGoWhileTheyAreUsed),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}

//===- stress_test.c - The plugin under many threads ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Made to be run under the sanitizers: what frameworks may do while programs
// run, from several threads at once.
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/plugin.h"
#include "xlac/test/support/unit.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 6, ROUNDS = 40, STEPS = 8, SIZE = 64 };

static const PJRT_Api *api;
static PJRT_Client *client;
static PJRT_Device *device;
static atomic_int failures; ///< asserts of cmocka are for the main thread

#define ARGS(name, ...)                                                        \
  (&(PJRT_##name##_Args){.struct_size = sizeof(PJRT_##name##_Args),            \
                         __VA_ARGS__})
#define CALL(name, ...) expect(api->PJRT_##name(ARGS(name, __VA_ARGS__)))

static bool expect(PJRT_Error *error) {
  if (!error)
    return true;
  PJRT_Error_Message_Args *text = ARGS(Error_Message, .error = error);
  api->PJRT_Error_Message(text);
  fprintf(stderr, "%.*s\n", (int)text->message_size, text->message);
  api->PJRT_Error_Destroy(ARGS(Error_Destroy, .error = error));
  atomic_fetch_add(&failures, 1);
  return false;
}

static PJRT_LoadedExecutable *compileText(const char *text, size_t size) {
  PJRT_Program program = {.struct_size = sizeof program,
                          .code = (char *)text,
                          .code_size = size,
                          .format = "mlir",
                          .format_size = 4};
  PJRT_Client_Compile_Args *args =
      ARGS(Client_Compile, .client = client, .program = &program);
  return expect(api->PJRT_Client_Compile(args)) ? args->executable : NULL;
}

/// y = x + n and a sum; x is donated where `mark` says so.
static PJRT_LoadedExecutable *compile(int n, const char *mark) {
  char text[700];
  int size = snprintf(
      text, sizeof text,
      "func.func @main(%%x: tensor<64xf32> %s)"
      "    -> (tensor<64xf32>, tensor<f32>) {"
      "  %%n = stablehlo.constant dense<%d.0> : tensor<64xf32>"
      "  %%zero = stablehlo.constant dense<0.0> : tensor<f32>"
      "  %%y = stablehlo.add %%x, %%n : tensor<64xf32>"
      "  %%sum = stablehlo.reduce(%%x init: %%zero) applies stablehlo.add"
      "      across dimensions = [0]"
      "    : (tensor<64xf32>, tensor<f32>) -> tensor<f32>"
      "  return %%y, %%sum : tensor<64xf32>, tensor<f32>"
      "}",
      mark, n);
  return compileText(text, (size_t)size);
}

static PJRT_Buffer *put(const float *values) {
  static const int64_t dims[1] = {SIZE};
  PJRT_Client_BufferFromHostBuffer_Args *args =
      ARGS(Client_BufferFromHostBuffer, .client = client, .data = values,
           .type = PJRT_Buffer_Type_F32, .dims = dims, .num_dims = 1,
           .device = device);
  if (!expect(api->PJRT_Client_BufferFromHostBuffer(args)))
    return NULL;
  CALL(Event_Destroy, .event = args->done_with_host_buffer);
  return args->buffer;
}

static void execute(PJRT_LoadedExecutable *executable, PJRT_Buffer *input,
                    PJRT_Buffer **outputs, PJRT_Event **done) {
  PJRT_Buffer *const *inputs = &input;
  PJRT_ExecuteOptions options = {.struct_size = sizeof options};
  outputs[0] = outputs[1] = NULL;
  CALL(LoadedExecutable_Execute, .executable = executable, .options = &options,
       .argument_lists = &inputs, .num_devices = 1, .num_args = 1,
       .output_lists = &outputs, .device_complete_events = done);
}

static void destroy(PJRT_Buffer *buffer) {
  CALL(Buffer_Destroy, .buffer = buffer);
}

static void count(PJRT_Error *error, void *user) {
  expect(error);
  atomic_fetch_add((atomic_int *)user, 1);
}

/// Steps that nobody waits for, whose inputs go as soon as they are asked for,
/// in all the ways that there are. Gives how often `counted` will be.
static int chain(PJRT_LoadedExecutable *executable, float begin, int step,
                 atomic_int *counted) {
  float values[SIZE], got[SIZE];
  for (int i = 0; i < SIZE; ++i)
    values[i] = begin;
  PJRT_Buffer *x = put(values), *outputs[2];
  int nListened = 0;
  for (int i = 0; i < STEPS; ++i) {
    PJRT_Event *done = NULL;
    execute(executable, x, outputs, i % 2 ? &done : NULL);
    if (done) {
      CALL(Event_OnReady, .event = done, .callback = count,
           .user_arg = counted);
      CALL(Event_Destroy, .event = done);
      ++nListened;
    }
    if (i % 3 == 0)
      CALL(Buffer_Delete, .buffer = x);
    destroy(x);
    destroy(outputs[1]);
    x = outputs[0];
  }
  PJRT_Buffer_ToHostBuffer_Args *read =
      ARGS(Buffer_ToHostBuffer, .src = x, .dst = got, .dst_size = sizeof got);
  if (expect(api->PJRT_Buffer_ToHostBuffer(read))) {
    destroy(x); // what is being read stays
    CALL(Event_Await, .event = read->event);
    CALL(Event_Destroy, .event = read->event);
    for (int i = 0; i < SIZE; ++i)
      if (got[i] != begin + (float)(STEPS * step))
        atomic_fetch_add(&failures, 1);
  }
  return nListened;
}

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

/// An executable that goes while its runs are asked for gives values or an
/// error.
static void *runUntilDeleted(void *data) {
  float values[SIZE] = {0};
  PJRT_Buffer *x = put(values), *outputs[2];
  for (bool goesOn = true; goesOn;) {
    PJRT_Buffer *const *inputs = &x;
    PJRT_Buffer **list = outputs;
    PJRT_Error *error = api->PJRT_LoadedExecutable_Execute(ARGS(
        LoadedExecutable_Execute, .executable = data, .argument_lists = &inputs,
        .num_devices = 1, .num_args = 1, .output_lists = &list));
    goesOn = !error;
    if (error) {
      api->PJRT_Error_Destroy(ARGS(Error_Destroy, .error = error));
    } else {
      destroy(outputs[0]);
      destroy(outputs[1]);
    }
  }
  destroy(x);
  return NULL;
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

/// A child that does nothing with the plugin ends well, while threads run here.
static void childrenEnd(void **state) {
  pthread_t thread;
  PJRT_LoadedExecutable *executable = compile(1, "");
  assert_int_equal(pthread_create(&thread, NULL, runUntilDeleted, executable),
                   0);
  for (int i = 0; i < 10; ++i) {
    int status;
    pid_t child = fork();
    if (child == 0)
      _exit(7);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  }
  CALL(LoadedExecutable_Delete, .executable = executable);
  pthread_join(thread, NULL);
  CALL(LoadedExecutable_Destroy, .executable = executable);
}

/// What a child does until it ends or is ended: threads that run without end.
static int runInChild(const char *how) {
  pthread_t thread;
  PJRT_LoadedExecutable *executable = compile(1, "");
  for (int i = 0; i < THREADS; ++i)
    if (pthread_create(&thread, NULL, runUntilDeleted, executable))
      return 1;
  if (!strcmp(how, "exit")) { // as a framework does, with work under way
    usleep(20000);
    exit(atomic_load(&failures) ? 1 : 7);
  }
  puts("runs");
  fflush(stdout);
  for (;;)
    pause();
}

/// Begins a child that does what `how` says; gives what it prints.
static pid_t begin(const char *how, FILE **text) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    signal(SIGINT, SIG_DFL); // which shells ignore in what they do beside
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    execl("/proc/self/exe", "stress_test", how, (char *)NULL);
    _exit(1);
  }
  close(ends[1]);
  *text = fdopen(ends[0], "r");
  assert_non_null(*text);
  return child;
}

/// A process may end or be ended at any time, whatever runs in it.
static void processesEndWhileTheyRun(void **state) {
  static const int signals[] = {0, SIGTERM, SIGKILL, SIGINT};
  for (size_t i = 0; i < 8; ++i) {
    int wanted = signals[i % 4], status;
    FILE *text;
    pid_t child = begin(wanted ? "run" : "exit", &text);
    char line[8];
    if (wanted) {
      assert_non_null(fgets(line, sizeof line, text));
      usleep(1000 * (useconds_t)i);
      assert_int_equal(kill(child, wanted), 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (wanted)
      assert_true(WIFSIGNALED(status) && WTERMSIG(status) == wanted);
    else
      assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    fclose(text);
  }
}

static int setUp(void **state) {
  api = GetPjrtApi();
  PJRT_Client_Create_Args *made = ARGS(Client_Create, .num_options = 0);
  if (!expect(api->PJRT_Client_Create(made)))
    return 1;
  client = made->client;
  PJRT_Client_LookupDevice_Args *found =
      ARGS(Client_LookupDevice, .client = client, .id = 0);
  expect(api->PJRT_Client_LookupDevice(found));
  device = found->device;
  return 0;
}

static int tearDown(void **state) {
  return CALL(Client_Destroy, .client = client) ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc > 1)
    return setUp(NULL) ? 1 : runInChild(argv[1]);
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(threadsShareAll),
      cmocka_unit_test(aheadOfAll),
      cmocka_unit_test(executablesGoWhileTheyRun),
      cmocka_unit_test(childrenEnd),
      cmocka_unit_test(processesEndWhileTheyRun),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}

//===- process_test.c - The plugin and other processes --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Made to be run under the sanitizers: processes that are forked, end and are
// ended while programs run.
//
//===----------------------------------------------------------------------===//

#include "stress.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/// What only threads that a child lacks know of is not lost memory.
static bool isChild;
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return isChild; }

/// A child that says nothing of what is to be said here.
static pid_t forkQuietly(void) {
  fflush(NULL);
  pid_t child = fork();
  isChild = child == 0;
  return child;
}

static void endChild(int how) {
  if (how == 0)
    _exit(7);
  if (how == 1)
    exit(7); // and does what is left to do then
  for (;;)
    pause();
}

/// A child that does nothing with the plugin ends well, however it does, while
/// threads run here.
static void childrenEnd(void **state) {
  pthread_t thread;
  PJRT_LoadedExecutable *executable = compile(1, "");
  assert_int_equal(pthread_create(&thread, NULL, runUntilDeleted, executable),
                   0);
  for (int i = 0; i < 10; ++i) {
    int status;
    pid_t child = forkQuietly();
    if (child == 0)
      endChild(i % 3);
    if (i % 3 == 2)
      assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (i % 3 == 2)
      assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    else
      assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  }
  CALL(LoadedExecutable_Delete, .executable = executable);
  pthread_join(thread, NULL);
  CALL(LoadedExecutable_Destroy, .executable = executable);
  assert_int_equal(atomic_load(&failures), 0);
}

/// Whether a call fails as the device is another process's.
static bool isRefused(PJRT_Error *error) {
  if (!error)
    return false;
  PJRT_Error_Message_Args *text = ARGS(Error_Message, .error = error);
  api->PJRT_Error_Message(text);
  bool isSo = memmem(text->message, text->message_size, "forked", 6) != NULL;
  api->PJRT_Error_Destroy(ARGS(Error_Destroy, .error = error));
  return isSo;
}

/// What a child does with what its parent has made: programs do not run there,
/// and all can be given back.
static int useInChild(PJRT_LoadedExecutable *executable, PJRT_Buffer *x) {
  PJRT_Buffer *outputs[2], **list = outputs;
  PJRT_Buffer *const *inputs = &x;
  for (int i = 0; i < STEPS; ++i)
    if (!isRefused(api->PJRT_LoadedExecutable_Execute(
            ARGS(LoadedExecutable_Execute, .executable = executable,
                 .argument_lists = &inputs, .num_devices = 1, .num_args = 1,
                 .output_lists = &list))))
      return 1;
  destroy(x);
  CALL(LoadedExecutable_Destroy, .executable = executable);
  CALL(Client_Destroy, .client = client);
  return atomic_load(&failures) ? 1 : 7;
}

static void childrenAreRefused(void **state) {
  float values[SIZE] = {0};
  atomic_int counted = 0;
  PJRT_LoadedExecutable *executable = compile(1, "");
  assert_int_equal(chain(executable, 0, 1, &counted), STEPS / 2);
  PJRT_Buffer *x = put(values);
  int status;
  pid_t child = forkQuietly();
  if (child == 0)
    exit(useInChild(executable, x));
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  destroy(x);
  assert_int_equal(chain(executable, 0, 1, &counted), STEPS / 2); // goes on
  CALL(LoadedExecutable_Destroy, .executable = executable);
  while (atomic_load(&counted) < STEPS)
    sched_yield();
  assert_int_equal(atomic_load(&failures), 0);
}

static atomic_bool isOver;

typedef struct Shared {
  PJRT_LoadedExecutable *executable;
  PJRT_Executable *program;
  PJRT_Buffer *x;
  PJRT_Device *device;
  PJRT_Event *never; ///< happens when all is over
} Shared;

/// Takes locks of all that is shared, over and over.
static void *takeLocks(void *data) {
  const Shared *s = data;
  atomic_int counted = 0;
  int nListened = 0;
  while (!atomic_load(&isOver)) {
    for (int i = 0; i < ROUNDS; ++i)
      CALL(Buffer_UnsafePointer, .buffer = s->x);
    nListened += chain(s->executable, 0, 1, &counted);
    CALL(Device_MemoryStats, .device = s->device);
    CALL(Executable_GetCostAnalysis, .executable = s->program);
    CALL(Event_OnReady, .event = s->never, .callback = count,
         .user_arg = &counted);
    ++nListened;
  }
  while (atomic_load(&counted) < nListened)
    sched_yield();
  return NULL;
}

#define REFUSES(name, ...) isRefused(api->PJRT_##name(ARGS(name, __VA_ARGS__)))

/// Everything that waits for a lock or a thread is refused, and what looks or
/// gives back goes on. Ends with the number of what does not.
static int callInChild(const Shared *s) {
  static const int64_t dims[1] = {SIZE};
  float values[SIZE];
  PJRT_Program program = {.struct_size = sizeof program, .format = "mlir"};
  PJRT_Buffer *outputs[2], **list = outputs;
  PJRT_Buffer *const *inputs = &s->x;
  alarm(600); // a child that hangs is ended by a signal, which is seen
  if (!REFUSES(LoadedExecutable_Execute, .executable = s->executable,
               .argument_lists = &inputs, .num_devices = 1, .num_args = 1,
               .output_lists = &list))
    return 1;
  if (!REFUSES(Buffer_UnsafePointer, .buffer = s->x) ||
      !REFUSES(Buffer_ToHostBuffer, .src = s->x, .dst = values,
               .dst_size = sizeof values) ||
      !REFUSES(Buffer_CopyToDevice, .buffer = s->x, .dst_device = s->device))
    return 2;
  if (!REFUSES(Client_BufferFromHostBuffer, .client = client, .data = values,
               .type = PJRT_Buffer_Type_F32, .dims = dims, .num_dims = 1,
               .device = s->device) ||
      !REFUSES(Client_Compile, .client = client, .program = &program) ||
      !REFUSES(Client_Create, .num_options = 0))
    return 3;
  if (!REFUSES(Event_Await, .event = s->never) ||
      !REFUSES(Event_OnReady, .event = s->never, .callback = count) ||
      !REFUSES(Event_Set, .event = s->never))
    return 4;
  if (!REFUSES(Device_MemoryStats, .device = s->device) ||
      !REFUSES(Executable_GetCostAnalysis, .executable = s->program))
    return 5;
  bool looks = CALL(Buffer_IsDeleted, .buffer = s->x) &&
               CALL(LoadedExecutable_IsDeleted, .executable = s->executable) &&
               CALL(Event_IsReady, .event = s->never) &&
               CALL(Client_PlatformName, .client = client);
  bool ends = CALL(Event_Destroy, .event = s->never) &&
              CALL(Buffer_Delete, .buffer = s->x) &&
              CALL(Buffer_Destroy, .buffer = s->x) &&
              CALL(LoadedExecutable_Destroy, .executable = s->executable) &&
              CALL(Client_Destroy, .client = client);
  return looks && ends ? 7 : 6;
}

/// A child that is forked while threads have locks does not wait for these.
static void childrenWaitForNoLock(void **state) {
  enum { nChildren = 20 };
  pthread_t threads[THREADS];
  float values[SIZE] = {0};
  Shared s = {.executable = compile(1, ""), .x = put(values)};
  PJRT_LoadedExecutable_GetExecutable_Args *program =
      ARGS(LoadedExecutable_GetExecutable, .loaded_executable = s.executable);
  PJRT_Buffer_Device_Args *found = ARGS(Buffer_Device, .buffer = s.x);
  PJRT_Event_Create_Args *never = ARGS(Event_Create, .event = NULL);
  assert_true(expect(api->PJRT_LoadedExecutable_GetExecutable(program)));
  assert_true(expect(api->PJRT_Buffer_Device(found)));
  assert_true(expect(api->PJRT_Event_Create(never)));
  s.program = program->executable;
  s.device = found->device;
  s.never = never->event;
  for (int i = 0; i < THREADS; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, takeLocks, &s), 0);
  for (int i = 0; i < nChildren; ++i) {
    int status;
    pid_t child = forkQuietly();
    if (child == 0)
      exit(callInChild(&s));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_false(WIFSIGNALED(status)); // else it hung
    assert_int_equal(WEXITSTATUS(status), 7);
  }
  atomic_store(&isOver, true);
  CALL(Event_Set, .event = s.never);
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], NULL);
  CALL(Event_Destroy, .event = s.never);
  CALL(Executable_Destroy, .executable = s.program);
  destroy(s.x);
  CALL(LoadedExecutable_Destroy, .executable = s.executable);
  assert_int_equal(atomic_load(&failures), 0);
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
    execl("/proc/self/exe", "process_test", how, (char *)NULL);
    _exit(1);
  }
  close(ends[1]);
  *text = fdopen(ends[0], "r");
  assert_non_null(*text);
  return child;
}

/// A process may end or be ended at any time, whatever runs in it, and others
/// go on.
static void processesEndWhileTheyRun(void **state) {
  static const int signals[] = {0, SIGTERM, SIGKILL, SIGINT};
  atomic_int counted = 0;
  int nListened = 0;
  PJRT_LoadedExecutable *executable = compile(1, "");
  for (size_t i = 0; i < 8; ++i) {
    int wanted = signals[i % 4], status;
    FILE *text;
    pid_t child = begin(wanted ? "run" : "exit", &text);
    char line[8];
    if (wanted) {
      assert_non_null(fgets(line, sizeof line, text));
      nListened += chain(executable, 0, 1, &counted);
      assert_int_equal(kill(child, wanted), 0);
    }
    nListened += chain(executable, 1, 1, &counted);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (wanted)
      assert_true(WIFSIGNALED(status) && WTERMSIG(status) == wanted);
    else
      assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    fclose(text);
  }
  CALL(LoadedExecutable_Destroy, .executable = executable);
  while (atomic_load(&counted) < nListened)
    sched_yield();
  assert_int_equal(atomic_load(&failures), 0);
}

int main(int argc, char **argv) {
  if (argc > 1)
    return setUp(NULL) ? 1 : runInChild(argv[1]);
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(childrenEnd),
      cmocka_unit_test(childrenAreRefused),
      cmocka_unit_test(childrenWaitForNoLock),
      cmocka_unit_test(processesEndWhileTheyRun),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}

//===- process_test.c - Which process this is -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/unit.h"

#include "xlac/runtime/process.h"
#include "xlac/runtime/worker.h"

#include <sys/wait.h>
#include <unistd.h>

/// A child of each generation has another number than all before it.
static int compareInChildren(const int *numbers, int n) {
  int own = xlaProcessGetNumber(), status;
  for (int i = 0; i < n; ++i)
    if (numbers[i] == own)
      return 1;
  if (n == 3)
    return 7;
  int all[4] = {0};
  for (int i = 0; i < n; ++i)
    all[i] = numbers[i];
  all[n] = own;
  pid_t child = fork();
  if (child == 0)
    _exit(compareInChildren(all, n + 1));
  return waitpid(child, &status, 0) == child && WIFEXITED(status)
             ? WEXITSTATUS(status)
             : 2;
}

static void childrenHaveOthers(void **state) {
  int own = xlaProcessGetNumber();
  assert_int_equal(compareInChildren(NULL, 0), 7);
  assert_int_equal(xlaProcessGetNumber(), own);
}

static void run(void *data) { ++*(int *)data; }

/// Whether a worker of the parent's refuses tasks.
static int useInChild(XlaWorker *worker) {
  int n = 0;
  XlaStatus status = xlaWorkerPost(worker, run, &n);
  bool isRefused = xlaStatusCode(status) == XLA_STATUS_INTERNAL &&
                   !xlaWorkerTryEnter(worker) && !xlaWorkerIsOurs(worker);
  xlaStatusDestroy(status);
  xlaWorkerDestroy(worker);
  return isRefused ? 7 : 1;
}

static void childrenHaveNoWorkers(void **state) {
  XlaWorker *worker;
  int n = 0, status;
  assert_null(xlaWorkerCreate("test", &worker));
  assert_null(xlaWorkerPost(worker, run, &n));
  pid_t child = fork();
  if (child == 0)
    _exit(useInChild(worker));
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  xlaWorkerDestroy(worker);
  assert_int_equal(n, 1);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(childrenHaveOthers),
      cmocka_unit_test(childrenHaveNoWorkers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

//===- event_test.c - Events, and threads that work one task after another ===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/event.h"
#include "xlac/runtime/worker.h"
#include "xlac/test/support/unit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/// What callbacks were told, in order.
typedef struct Heard {
  int n;
  XlaStatusCode codes[4];
} Heard;

static void hear(XlaStatus status, void *user) {
  Heard *heard = user;
  heard->codes[heard->n++ & 3] = xlaStatusCode(status);
}

static void happensOnce(void **state) {
  XlaEvent *event = xlaEventCreate();
  Heard heard = {0};
  assert_false(xlaEventHasHappened(event));
  assert_null(xlaEventGetStatus(event));
  assert_true(xlaEventWhenHappened(event, hear, &heard));
  assert_int_equal(heard.n, 0);
  xlaEventSet(event, xlaStatusCreate(XLA_STATUS_DEVICE_LOST, "gone"));
  assert_int_equal(heard.n, 1);
  xlaEventSet(event, xlaStatusCreate(XLA_STATUS_INTERNAL, "again"));
  xlaEventSet(event, NULL);
  assert_true(xlaEventWhenHappened(event, hear, &heard));
  assert_int_equal(heard.n, 2);
  for (int i = 0; i < 2; ++i)
    assert_int_equal(heard.codes[i], XLA_STATUS_DEVICE_LOST);
  assert_string_equal(xlaStatusMessage(xlaEventWait(event)), "gone");
  xlaEventRelease(event);
}

static void givenUp(void **state) {
  XlaEvent *event = xlaEventCreate();
  Heard heard = {0};
  assert_true(xlaEventWhenHappened(event, hear, &heard));
  xlaEventRelease(xlaEventRetain(event));
  assert_int_equal(heard.n, 0);
  xlaEventRelease(event);
  assert_int_equal(heard.n, 1);
  assert_int_equal(heard.codes[0], XLA_STATUS_INTERNAL);
  xlaEventRelease(NULL);
}

/// A listener of the caller's own, which knows more than a status.
typedef struct Named {
  XlaEventListener base;
  char name;
  char *names; ///< of those that were called
} Named;

static void addName(XlaStatus status, void *user) {
  Named *named = user;
  *strchr(named->names, 0) = named->name;
}

static void listen(XlaEvent *event, char name, char *names) {
  Named *named = malloc(sizeof *named);
  *named = (Named){{.callback = addName, .user = named, .canWait = name >= 'a'},
                   name,
                   names};
  xlaEventListen(event, &named->base);
}

static void callsInOrder(void **state) {
  XlaEvent *event = xlaEventCreate();
  char names[8] = "";
  listen(event, 'a', names);
  listen(event, 'b', names);
  assert_string_equal(names, "");
  xlaEventSet(event, NULL);
  assert_string_equal(names, "ab");
  listen(event, 'c', names);
  xlaEventSet(event, NULL);
  assert_string_equal(names, "abc");
  xlaEventRelease(event);
  event = xlaEventCreate();
  listen(event, 'd', names);
  xlaEventRelease(event); // given up
  assert_string_equal(names, "abcd");
}

static void tellsLater(void **state) {
  XlaEvent *event = xlaEventCreate();
  char names[8] = "";
  listen(event, 'a', names);
  listen(event, 'b', names);
  xlaEventSetQuietly(event, NULL);
  assert_true(xlaEventHasHappened(event));
  assert_string_equal(names, "");
  listen(event, 'c', names); // it has happened
  assert_string_equal(names, "c");
  xlaEventTell(event);
  xlaEventTell(event);
  assert_string_equal(names, "cab");
  xlaEventRelease(event);
}

static void tellsWhoCannotWait(void **state) {
  XlaEvent *event = xlaEventCreate();
  char names[8] = "";
  listen(event, 'a', names);
  listen(event, 'B', names);
  xlaEventSetQuietly(event, NULL);
  assert_string_equal(names, "aB");
  xlaEventTell(event);
  assert_string_equal(names, "aB");
  xlaEventRelease(event);
}

static void tellsBefore(void **state) {
  XlaEvent *event = xlaEventCreate();
  char names[8] = "";
  listen(event, 'a', names);
  xlaEventTell(event);
  assert_string_equal(names, "");
  xlaEventSetQuietly(event, NULL);
  assert_string_equal(names, "a");
  xlaEventRelease(event);
  event = xlaEventCreate();
  listen(event, 'b', names);
  xlaEventSetQuietly(event, xlaStatusCreate(XLA_STATUS_DEVICE_LOST, "gone"));
  xlaEventRelease(event); // nobody has told
  assert_string_equal(names, "ab");
}

static void *await(void *event) {
  XlaStatusCode code = xlaStatusCode(xlaEventWait(event));
  xlaEventRelease(event);
  return (void *)(intptr_t)code;
}

static void isExpected(void **state) {
  XlaEvent *event = xlaEventCreate();
  assert_false(xlaEventIsExpected(event));
  xlaEventLook(event);
  xlaEventSetNear(event);
  xlaEventLook(event); // ends, though it does not happen
  assert_false(xlaEventHasHappened(event));
  assert_false(xlaEventIsExpected(event));
  xlaEventSet(event, NULL);
  assert_null(xlaEventWait(event));
  assert_true(xlaEventIsExpected(event));
  xlaEventRelease(event);
}

static void wakeAll(bool isNear) {
  enum { n = 8 };
  pthread_t threads[n];
  XlaEvent *event = xlaEventCreate();
  if (isNear)
    xlaEventSetNear(event);
  for (int i = 0; i < n; ++i)
    pthread_create(&threads[i], NULL, await, xlaEventRetain(event));
  xlaEventSet(event, xlaStatusCreate(XLA_STATUS_NOT_FOUND, "nothing"));
  xlaEventRelease(event);
  for (int i = 0; i < n; ++i) {
    void *code;
    pthread_join(threads[i], &code);
    assert_int_equal((intptr_t)code, XLA_STATUS_NOT_FOUND);
  }
}

static void wakesAll(void **state) {
  wakeAll(false);
  wakeAll(true);
}

/// Tasks say when they ran.
typedef struct Log {
  atomic_int n, wrong;
} Log;

typedef struct Entry {
  Log *log;
  int number;
} Entry;

static void enter(void *data) {
  Entry *entry = data;
  if (atomic_fetch_add(&entry->log->n, 1) != entry->number)
    atomic_fetch_add(&entry->log->wrong, 1);
  if (entry->number % 100 == 0)
    usleep(1000);
}

static void inOrder(void **state) {
  enum { n = 1000 };
  static Entry entries[n];
  Log log = {0};
  XlaWorker *worker;
  assert_null(xlaWorkerCreate("order", &worker));
  for (int i = 0; i < n; ++i) {
    entries[i] = (Entry){&log, i};
    if (i % 7 == 0 && xlaWorkerTryEnter(worker)) {
      assert_false(xlaWorkerTryEnter(worker));
      enter(&entries[i]);
      xlaWorkerLeave(worker);
    } else if (i / 50 % 2) {
      assert_null(xlaWorkerPostShort(worker, enter, &entries[i]));
    } else {
      assert_null(xlaWorkerPost(worker, enter, &entries[i]));
    }
  }
  xlaWorkerDestroy(worker);
  assert_int_equal(log.n, n);
  assert_int_equal(log.wrong, 0);
  xlaWorkerDestroy(NULL);
}

static void say(void *data) { xlaEventSet(data, NULL); }

/// Of long tasks there is nothing to be done later.
static void idle(void **state) {
  Log log = {0};
  Entry entries[] = {{&log, 0}, {&log, 1}};
  XlaWorker *worker;
  XlaEvent *event = xlaEventCreate();
  assert_null(xlaWorkerCreate("idle", &worker));
  xlaWorkerSetIdle(worker, say, event);
  assert_null(xlaWorkerPostShort(worker, enter, &entries[0]));
  assert_null(xlaWorkerPost(worker, enter, &entries[1]));
  assert_null(xlaEventWait(event));
  xlaWorkerDestroy(worker);
  xlaEventRelease(event);
  assert_int_equal(log.n, 2);

  event = xlaEventCreate();
  log.n = 0;
  assert_null(xlaWorkerCreate("busy", &worker));
  xlaWorkerSetIdle(worker, say, event);
  assert_null(xlaWorkerPost(worker, enter, &entries[0]));
  xlaWorkerDestroy(worker);
  assert_false(xlaEventHasHappened(event));
  xlaEventRelease(event);
}

typedef struct Seen {
  XlaEvent *event;
  bool hasHappened;
} Seen;

static void see(void *data) {
  Seen *seen = data;
  seen->hasHappened = xlaEventHasHappened(seen->event);
}

/// What is long does not keep what is due from who waits for it.
static void idleBeforeLong(void **state) {
  Log log = {0};
  Entry entry = {&log, 0};
  XlaWorker *worker;
  Seen seen = {.event = xlaEventCreate()};
  assert_null(xlaWorkerCreate("idle", &worker));
  xlaWorkerSetIdle(worker, say, seen.event);
  assert_null(xlaWorkerPostShort(worker, enter, &entry));
  assert_null(xlaWorkerPost(worker, see, &seen));
  xlaWorkerDestroy(worker);
  assert_true(seen.hasHappened);
  xlaEventRelease(seen.event);
}

/// What is due, as it is done.
typedef struct Due {
  XlaEvent *begun, *mayEnd;
} Due;

static void doDue(void *data) {
  Due *due = data;
  xlaEventSet(due->begun, NULL);
  xlaEventWait(due->mayEnd);
}

static void nothing(void *data) {}

/// What is due is done as a task is: nobody enters beside it.
static void idleAlone(void **state) {
  XlaWorker *worker;
  Due due = {xlaEventCreate(), xlaEventCreate()};
  assert_null(xlaWorkerCreate("idle", &worker));
  xlaWorkerSetIdle(worker, doDue, &due);
  assert_null(xlaWorkerPostShort(worker, nothing, NULL));
  assert_null(xlaEventWait(due.begun));
  assert_false(xlaWorkerTryEnter(worker));
  xlaEventSet(due.mayEnd, NULL);
  xlaWorkerDestroy(worker);
  xlaEventRelease(due.begun);
  xlaEventRelease(due.mayEnd);
}

typedef struct Visit {
  atomic_bool isIn;
  atomic_int n, wrong;
} Visit;

static void countVisit(void *data) {
  Visit *visit = data;
  atomic_fetch_add(&visit->wrong, atomic_load(&visit->isIn));
  atomic_fetch_add(&visit->n, 1);
}

/// What is due waits for who has entered, and is done after.
static void idleAfterEntered(void **state) {
  XlaWorker *worker;
  Visit visit = {0};
  assert_null(xlaWorkerCreate("idle", &worker));
  xlaWorkerSetIdle(worker, countVisit, &visit);
  for (int i = 0; i < 100; ++i) {
    int before = atomic_load(&visit.n);
    assert_null(xlaWorkerPostShort(worker, nothing, NULL));
    while (!xlaWorkerTryEnter(worker))
      sched_yield();
    atomic_store(&visit.isIn, true);
    usleep(200); // so that what should wait would come
    atomic_store(&visit.isIn, false);
    xlaWorkerLeave(worker);
    while (atomic_load(&visit.n) == before)
      sched_yield();
  }
  xlaWorkerDestroy(worker);
  assert_int_equal(visit.wrong, 0);
}

typedef struct Asked {
  const XlaWorker *about;
  bool isCurrent;
} Asked;

static void ask(void *data) {
  Asked *asked = data;
  asked->isCurrent = xlaWorkerIsCurrent(asked->about);
}

/// Who has entered one worker and then another is within a task of both; that
/// one's own tasks are not.
static void isWithinBoth(void **state) {
  XlaWorker *outer, *inner;
  assert_null(xlaWorkerCreate("outer", &outer));
  assert_null(xlaWorkerCreate("inner", &inner));
  assert_true(xlaWorkerTryEnter(outer));
  assert_false(xlaWorkerIsCurrent(inner));
  assert_true(xlaWorkerTryEnter(inner));
  assert_true(xlaWorkerIsCurrent(inner));
  assert_true(xlaWorkerIsCurrent(outer));
  xlaWorkerLeave(inner);
  assert_false(xlaWorkerIsCurrent(inner));
  assert_true(xlaWorkerIsCurrent(outer));
  Asked asked[] = {{outer, true}, {inner, false}};
  for (int i = 0; i < 2; ++i)
    assert_null(xlaWorkerPost(inner, ask, &asked[i]));
  xlaWorkerDestroy(inner);
  assert_false(asked[0].isCurrent);
  assert_true(asked[1].isCurrent);
  xlaWorkerLeave(outer);
  assert_false(xlaWorkerIsCurrent(outer));
  xlaWorkerDestroy(outer);
}

static void postedWhileEntered(void **state) {
  Log log = {0};
  Entry entry = {&log, 0};
  XlaWorker *worker;
  assert_null(xlaWorkerCreate("entered", &worker));
  assert_true(xlaWorkerTryEnter(worker));
  assert_null(xlaWorkerPost(worker, enter, &entry));
  usleep(10000);
  assert_int_equal(log.n, 0);
  xlaWorkerLeave(worker);
  xlaWorkerDestroy(worker);
  assert_int_equal(log.n, 1);
}

/// A child has no threads: it says so, and ends.
static void forked(void **state) {
  XlaWorker *worker;
  assert_null(xlaWorkerCreate("forked", &worker));
  assert_null(xlaWorkerPost(worker, nothing, NULL));
  pid_t child = fork();
  if (child == 0) {
    XlaStatus status = xlaWorkerPost(worker, nothing, NULL);
    bool isTold = xlaStatusCode(status) == XLA_STATUS_INTERNAL;
    xlaStatusDestroy(status);
    bool entered = xlaWorkerTryEnter(worker);
    xlaWorkerDestroy(worker);
    _exit(isTold && !entered ? 0 : 1);
  }
  int code = -1;
  waitpid(child, &code, 0);
  assert_int_equal(code, 0);
  xlaWorkerDestroy(worker);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(isExpected),   cmocka_unit_test(happensOnce),
      cmocka_unit_test(givenUp),      cmocka_unit_test(callsInOrder),
      cmocka_unit_test(tellsLater),   cmocka_unit_test(tellsWhoCannotWait),
      cmocka_unit_test(tellsBefore),  cmocka_unit_test(wakesAll),
      cmocka_unit_test(inOrder),      cmocka_unit_test(postedWhileEntered),
      cmocka_unit_test(idle),         cmocka_unit_test(idleBeforeLong),
      cmocka_unit_test(idleAlone),    cmocka_unit_test(idleAfterEntered),
      cmocka_unit_test(isWithinBoth), cmocka_unit_test(forked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

//===- profiler.c - PJRT's extension for profilers ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface has sessions of a process, not of a client: they are in a list
// of the process. While it is empty, events cost a look at a number.
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/profiler.h"
#include "xlac/runtime/clock.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/// More events are counted, not kept.
enum { EventsMax = 1 << 20 };

struct PLUGIN_Profiler {
  XlaPjrtProfile profile;
  double start; ///< as xlaClockMilliseconds
  size_t room, nameRoom;
  uint8_t *bytes;
  size_t size;
  bool isOn;
  PLUGIN_Profiler *next; ///< of those that are on
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; ///< of the sessions
static PLUGIN_Profiler *sessions;
static atomic_int counts[XlaPjrtPlatformCount];

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// Makes `*room` at least n + 1; false without memory.
static bool grow(void **list, size_t *room, size_t n, size_t bytes) {
  if (n < *room)
    return true;
  size_t wanted = 2 * *room + 64;
  void *grown = realloc(*list, wanted * bytes);
  if (!grown)
    return false;
  *list = grown;
  *room = wanted;
  return true;
}

/// The number of a name, which is added if it is new; false without memory.
static bool nameOf(PLUGIN_Profiler *session, const char *name, size_t *number) {
  XlaPjrtProfile *profile = &session->profile;
  for (size_t i = profile->nNames; i > 0; --i)
    if (!strcmp(profile->names[i - 1], name)) {
      *number = i - 1;
      return true;
    }
  if (!grow((void **)&profile->names, &session->nameRoom, profile->nNames,
            sizeof *profile->names))
    return false;
  char *copy = strdup(name);
  if (!copy)
    return false;
  *number = profile->nNames;
  profile->names[profile->nNames++] = copy;
  return true;
}

static void add(PLUGIN_Profiler *session, const XlaTraceEvent *event,
                int device) {
  XlaPjrtProfile *profile = &session->profile;
  XlaPjrtSpan span = {.line = (int)event->kind,
                      .device = device,
                      .begin = event->begin - session->start,
                      .end = event->end - session->start,
                      .bytes = event->bytes};
  if (span.begin < 0) // began before the session did
    span.begin = 0;
  if (span.end < 0)
    return;
  if (profile->n >= EventsMax || !nameOf(session, event->name, &span.name) ||
      !grow((void **)&profile->spans, &session->room, profile->n,
            sizeof *profile->spans))
    ++profile->nMissed;
  else
    profile->spans[profile->n++] = span;
}

bool xlaPjrtIsTraced(void *device) {
  const PJRT_Device *of = device;
  return atomic_load_explicit(&counts[of->client->platform],
                              memory_order_relaxed) > 0;
}

void xlaPjrtTrace(const XlaTraceEvent *event, void *device) {
  const PJRT_Device *of = device;
  pthread_mutex_lock(&lock);
  for (PLUGIN_Profiler *session = sessions; session; session = session->next)
    if (session->profile.platform == of->client->platform)
      add(session, event, of->description->id);
  pthread_mutex_unlock(&lock);
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

/// An error of a profiler is one of PJRT.
static PLUGIN_Profiler_Error *errorOf(PJRT_Error *error) {
  return (PLUGIN_Profiler_Error *)error;
}

/// The sizes of arguments mean nothing: XLA's caller does not set them.
#define CHECK_PROFILER(args)                                                   \
  do {                                                                         \
    if (!(args) || !(args)->profiler)                                          \
      return errorOf(                                                          \
          xlaPjrtInvalid("the arguments or the profiler are NULL"));           \
    if (xlaPjrtIsForked())                                                     \
      return errorOf(xlaPjrtRefuseForked("the profiler"));                     \
  } while (0)

static void destroyError(PLUGIN_Profiler_Error_Destroy_Args *args) {
  if (args)
    xlaPjrt_Error_Destroy(
        &(PJRT_Error_Destroy_Args){.error = (PJRT_Error *)args->error});
}

static void readMessage(PLUGIN_Profiler_Error_Message_Args *args) {
  if (!args || !args->error)
    return;
  PJRT_Error_Message_Args message = {.error = (const PJRT_Error *)args->error};
  xlaPjrt_Error_Message(&message);
  args->message = message.message;
  args->message_size = message.message_size;
}

static PLUGIN_Profiler_Error *
readCode(PLUGIN_Profiler_Error_GetCode_Args *args) {
  if (!args || !args->error)
    return errorOf(xlaPjrtInvalid("there is no error"));
  PJRT_Error_GetCode_Args code = {.error = (const PJRT_Error *)args->error};
  PJRT_Error *error = xlaPjrt_Error_GetCode(&code);
  args->code = (int)code.code;
  return errorOf(error);
}

static PLUGIN_Profiler_Error *create(PLUGIN_Profiler_Create_Args *args,
                                     XlaPjrtPlatform platform) {
  if (!args)
    return errorOf(xlaPjrtInvalid("the arguments are NULL"));
  args->profiler = calloc(1, sizeof *args->profiler);
  if (!args->profiler)
    return errorOf(xlaPjrtNoMemory());
  args->profiler->profile.platform = platform;
  return NULL;
}

static PLUGIN_Profiler_Error *createCpu(PLUGIN_Profiler_Create_Args *args) {
  return create(args, XlaPjrtPlatformCpu);
}

static PLUGIN_Profiler_Error *createVulkan(PLUGIN_Profiler_Create_Args *args) {
  return create(args, XlaPjrtPlatformVulkan);
}

/// What was collected before is gone.
static void clear(PLUGIN_Profiler *session) {
  for (size_t i = 0; i < session->profile.nNames; ++i)
    free(session->profile.names[i]);
  free(session->profile.names);
  free(session->profile.spans);
  free(session->bytes);
  session->profile = (XlaPjrtProfile){.platform = session->profile.platform};
  session->room = session->nameRoom = session->size = 0;
  session->bytes = NULL;
}

/// Takes the session out of the list; under the lock.
static void end(PLUGIN_Profiler *session) {
  if (!session->isOn)
    return;
  PLUGIN_Profiler **at = &sessions;
  while (*at != session)
    at = &(*at)->next;
  *at = session->next;
  session->isOn = false;
  atomic_fetch_sub(&counts[session->profile.platform], 1);
}

static PLUGIN_Profiler_Error *stop(PLUGIN_Profiler_Stop_Args *args) {
  CHECK_PROFILER(args);
  pthread_mutex_lock(&lock);
  end(args->profiler);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static PLUGIN_Profiler_Error *start(PLUGIN_Profiler_Start_Args *args) {
  CHECK_PROFILER(args);
  PLUGIN_Profiler *session = args->profiler;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  pthread_mutex_lock(&lock);
  end(session);
  clear(session);
  session->start = xlaClockMilliseconds();
  session->profile.startNs = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
  session->next = sessions;
  sessions = session;
  session->isOn = true;
  atomic_fetch_add(&counts[session->profile.platform], 1);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static PLUGIN_Profiler_Error *destroy(PLUGIN_Profiler_Destroy_Args *args) {
  if (xlaPjrtIsForked())
    return NULL;
  CHECK_PROFILER(args);
  pthread_mutex_lock(&lock);
  end(args->profiler);
  pthread_mutex_unlock(&lock);
  clear(args->profiler);
  free(args->profiler);
  return NULL;
}

/// Callers ask twice, and copy the bytes, or once, and read the profiler's.
static PLUGIN_Profiler_Error *collect(PLUGIN_Profiler_CollectData_Args *args) {
  CHECK_PROFILER(args);
  PLUGIN_Profiler *session = args->profiler;
  pthread_mutex_lock(&lock);
  bool isOn = session->isOn;
  if (!isOn && !session->bytes)
    session->bytes = xlaPjrtProfileWrite(&session->profile, &session->size);
  pthread_mutex_unlock(&lock);
  if (isOn)
    return errorOf(xlaPjrtError(PJRT_Error_Code_FAILED_PRECONDITION,
                                "the profiler has not been stopped"));
  if (!session->bytes)
    return errorOf(xlaPjrtNoMemory());
  if (args->buffer)
    memcpy(args->buffer, session->bytes, session->size);
  else
    args->buffer = session->bytes;
  args->buffer_size_in_bytes = session->size;
  return NULL;
}

#define TABLE(createOf)                                                        \
  {.struct_size = sizeof(PLUGIN_Profiler_Api),                                 \
   .error_destroy = destroyError,                                              \
   .error_message = readMessage,                                               \
   .error_get_code = readCode,                                                 \
   .create = createOf,                                                         \
   .destroy = destroy,                                                         \
   .start = start,                                                             \
   .stop = stop,                                                               \
   .collect_data = collect}
static PLUGIN_Profiler_Api cpuTable = TABLE(createCpu);
static PLUGIN_Profiler_Api vulkanTable = TABLE(createVulkan);

#define EXTENSION(table)                                                       \
  {.base = {sizeof(PJRT_Profiler_Extension), PJRT_Extension_Type_Profiler,     \
            &xlaPjrtLayouts.base},                                             \
   .profiler_api = &table}
PJRT_Profiler_Extension xlaPjrtProfilers[XlaPjrtPlatformCount] = {
    [XlaPjrtPlatformCpu] = EXTENSION(cpuTable),
    [XlaPjrtPlatformVulkan] = EXTENSION(vulkanTable)};

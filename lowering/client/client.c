//===- client.c - Devices that compile and run ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/internal.h"

#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/lowering/client/message.h"
#include "xlac/runtime/clock.h"
#include "xlac/runtime/memory.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static XlaStatus openVulkan(XlaClient *client, const char *name) {
  intptr_t number = 0;
  char after;
  if (name[6] &&
      (sscanf(name + 6, ":%td%c", &number, &after) != 1 || number < 0))
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "\"%.60s\" is no device; vulkan:N is one", name);
  return xlaVulkanDeviceOpen(NULL, number, &client->vulkan);
}

static XlaStatus openDevice(XlaClient *client, const char *name) {
  if (!name || !strcmp(name, "cpu"))
    return NULL;
  client->interpreter = !strcmp(name, "interpreter");
  if (client->interpreter)
    return NULL;
  if (!strncmp(name, "vulkan", 6))
    return openVulkan(client, name);
  return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                         "\"%.60s\" is no device; there are cpu, interpreter, "
                         "vulkan and vulkan:N",
                         name);
}

XlaStatus xlaClientMissing(const char *what) {
  return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT, "the %s is NULL", what);
}

/// Arrays that are given back are kept up to so much: fresh memory costs more
/// than most programs that write to it.
static const size_t idleLimit = (size_t)1 << 30;

static void releaseRuns(void *client) { xlaClientReleaseRuns(client); }

static XlaStatus createMemory(XlaClient *client) {
  XlaPoolOptions options = {.liveLimit = (size_t)xlaMemoryLimit(),
                            .idleLimit = idleLimit};
  client->kind = client->vulkan ? &xlaMemoryVulkan : &xlaMemoryHost;
  XLA_RETURN_IF_ERROR(xlaPoolCreate(options, &client->pool));
  XLA_RETURN_IF_ERROR(xlaWorkerCreate("xlac-run", &client->worker));
  xlaWorkerSetIdle(client->worker, releaseRuns, client);
  return xlaWorkerCreate("xlac-wait", &client->waiter);
}

static int countProcessors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

static void close(XlaClient *client) {
  xlaEventRelease(client->last);
  xlaWorkerDestroy(client->worker);
  xlaWorkerDestroy(client->waiter);
  xlaPoolDestroy(client->pool);
  xlaContextsDestroy(&client->contexts);
  xlaTurnDestroy(&client->turn);
  pthread_mutex_destroy(&client->promiseLock);
  pthread_cond_destroy(&client->fewerDeferred);
  xlaCpuTargetDestroy(client->target);
  xlaVulkanDeviceClose(client->vulkan);
  free(client);
}

XlaStatus xlaClientCreate(const XlaClientOptions *options, XlaClient **client) {
  static const XlaClientOptions defaults = {0};
  if (!client)
    return xlaClientMissing("place for a client");
  *client = NULL;
  if (!options)
    options = &defaults;
  XlaClient *made = calloc(1, sizeof *made);
  if (!made)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for a client");
  xlaTurnInit(&made->turn);
  pthread_mutex_init(&made->promiseLock, NULL);
  pthread_cond_init(&made->fewerDeferred, NULL);
  xlaContextsInit(&made->contexts);
  made->pace.clock = xlaClockMilliseconds;
  made->options = *options;
  made->processors = countProcessors();
  made->options.device = made->options.cpu = NULL; // the caller's
  XlaStatus status = openDevice(made, options->device);
  XlaCpuTargetOptions target = {.cpu = options->cpu,
                                .threads = options->threads};
  if (!status && !made->interpreter)
    status = xlaCpuTargetCreate(&target, &made->target);
  if (!status)
    status = createMemory(made);
  if (status) {
    close(made);
    return status;
  }
  made->context = xlaBuilderCreateContext();
  xlaMessageAttach(made->context);
  *client = made;
  return NULL;
}

void xlaClientFinish(XlaClient *client) {
  if (!client)
    return;
  xlaPromisesEnd(client);
  xlaWorkerDestroy(client->worker);
  xlaWorkerDestroy(client->waiter);
  client->worker = client->waiter = NULL;
  xlaClientReleaseRuns(client);
}

void xlaClientDestroy(XlaClient *client) {
  if (!client)
    return;
  // What was asked for is done before the device goes.
  xlaClientFinish(client);
  mlirContextDestroy(client->context);
  close(client);
}

MlirContext xlaClientGetContext(const XlaClient *client) {
  return client->context;
}

//===----------------------------------------------------------------------===//
// Tracing
//===----------------------------------------------------------------------===//

double xlaClientTraceBegin(const XlaClient *client) {
  const XlaClientOptions *options = &client->options;
  return options->isTraced && options->isTraced(options->traceUser)
             ? xlaClockMilliseconds()
             : 0;
}

void xlaClientTraceEnd(const XlaClient *client, XlaTraceKind kind,
                       const char *name, double begin, size_t bytes) {
  if (begin == 0)
    return;
  XlaTraceEvent event = {kind, name, begin, xlaClockMilliseconds(), bytes};
  client->options.trace(&event, client->options.traceUser);
}

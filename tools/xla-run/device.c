//===- device.c - What programs run on ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/diagnostics.h"
#include "xlac/tools/xla-run/run.h"

#include <stdio.h>
#include <string.h>

XlaToolCode xlaRunOpenOnly(XlaRun *run, const char *number, char why[512]) {
  (void)run;
  if (!number)
    return XlaToolCodeOk;
  snprintf(why, 512, "there is only one, without a number");
  return XlaToolCodeWrong;
}

const XlaRunDevice *const xlaRunDevices[] = {&xlaRunInterpreter, &xlaRunCpu,
                                             &xlaRunVulkan, NULL};

static const XlaRunDevice *unknown(const char *text) {
  const char *names[8] = {"all"};
  for (int i = 0; xlaRunDevices[i] && i < 6; ++i)
    names[i + 1] = xlaRunDevices[i]->name;
  xlaToolUnknown("device", text, names);
  return NULL;
}

const XlaRunDevice *xlaRunDeviceFind(const char *text) {
  size_t length = strcspn(text, ":");
  for (const XlaRunDevice *const *at = xlaRunDevices; *at; ++at)
    if (strlen((*at)->name) == length && !memcmp((*at)->name, text, length))
      return *at;
  return unknown(text);
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

#define MAX_NAMES 64

/// The stages of reading a program and of the devices that `options` ask for,
/// each once, ended by NULL.
static void listStages(const XlaRunOptions *options,
                       const char *names[MAX_NAMES]) {
  int count = 0;
  names[count++] = "parse";
  names[count++] = "import";
  bool all = !strcmp(options->call.device, "all");
  for (const XlaRunDevice *const *at = xlaRunDevices; *at; ++at) {
    if (!all && *at != xlaRunDeviceFind(options->call.device))
      continue;
    for (const char *const *stage = (*at)->stages; *stage; ++stage) {
      int i = 0;
      while (i < count && strcmp(names[i], *stage) != 0)
        ++i;
      if (i == count && count < MAX_NAMES - 1)
        names[count++] = *stage;
    }
  }
  names[count] = NULL;
}

XlaToolCode xlaRunCheckStages(const XlaRunOptions *options) {
  const char *names[MAX_NAMES];
  char list[1024] = "";
  size_t length = 0;
  bool all = !strcmp(options->call.device, "all");
  listStages(options, names);
  for (int i = 0; names[i] && length < sizeof list; ++i)
    length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                               i ? ", " : "", names[i]);
  for (int i = 0; i < options->printAfter.count; ++i) {
    const char *wanted = options->printAfter.items[i];
    int at = 0;
    while (names[at] && strcmp(names[at], wanted) != 0)
      ++at;
    if (!names[at])
      return xlaToolError(XlaToolCodeWrong,
                          "--print-ir-after=%.60s: %s has %s stage; the "
                          "stages are: %s",
                          wanted, all ? "no device" : options->call.device,
                          all ? "such a" : "no such", list);
  }
  return XlaToolCodeOk;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static XlaToolCode compile(XlaRun *run, const XlaRunDevice *device,
                           MlirOperation function, void **executable,
                           bool *leftOut) {
  XlaDiagnosticsHeading heading;
  if (leftOut)
    xlaDiagnosticsHeadingBegin(&run->program, device->name, &heading);
  XlaToolCode code = device->compile(run, run->program.module, function,
                                     xlaRunCustomCall, false, executable);
  if (leftOut) {
    xlaDiagnosticsHeadingEnd(&heading);
    *leftOut = code == XlaToolCodeRefused && heading.printed;
  }
  return code;
}

XlaToolCode xlaRunCompileOnly(XlaRun *run, const XlaRunDevice *device,
                              MlirOperation function) {
  void *executable = NULL;
  xlaRunStagesSetDevice(run->stages, device->name);
  xlaToolClockEnter(run->clock, "compiling for", device->name, false);
  XlaToolCode code = compile(run, device, function, &executable, NULL);
  if (code == XlaToolCodeOk)
    device->destroy(executable);
  return code;
}

XlaToolCode xlaRunAlone(XlaRun *run, const XlaRunDevice *device,
                        void *executable, intptr_t nInputs,
                        const XlaLiteral *const *inputs, intptr_t nResults,
                        XlaLiteral **results) {
  XlaGrid grid = {NULL, 1, 1};
  XlaRunProcess process = {run->program.module,
                           executable,
                           nInputs,
                           inputs,
                           nResults,
                           results,
                           run->feed};
  return xlaRunProcesses(run, device, 1, &grid, &process);
}

XlaToolCode xlaRunOnDevice(XlaRun *run, const XlaRunDevice *device,
                           MlirOperation function, intptr_t nInputs,
                           const XlaLiteral *const *inputs, intptr_t nResults,
                           XlaLiteral **results, bool *leftOut) {
  void *executable = NULL;
  char row[40];
  run->device = device;
  xlaRunStagesSetDevice(run->stages, device->name);
  xlaToolClockEnter(run->clock, "compiling for", device->name, false);
  XlaToolCode code = compile(run, device, function, &executable, leftOut);
  if (code != XlaToolCodeOk)
    return leftOut && *leftOut ? XlaToolCodeOk : code;
  xlaToolClockEnter(run->clock, "running on", device->name,
                    device->watchesClock);
  double start = xlaToolNow();
  code =
      xlaRunAlone(run, device, executable, nInputs, inputs, nResults, results);
  snprintf(row, sizeof row, "%s: run", device->name);
  xlaRunStagesAddRow(run->stages, row, 1e3 * (xlaToolNow() - start), "ms");
  device->destroy(executable);
  return code;
}

//===----------------------------------------------------------------------===//
// Devices that are asked for
//===----------------------------------------------------------------------===//

/// The first one's results are the measure.
static XlaToolCode runOnAll(XlaRun *run, XlaRunOn runOn, void *data) {
  XlaToolCode code = runOn(xlaRunDevices[0], NULL, data);
  int compared = 0;
  for (int i = 1; xlaRunDevices[i] && code <= XlaToolCodeDiffers; ++i) {
    const XlaRunDevice *device = xlaRunDevices[i];
    char why[512];
    bool leftOut = false;
    XlaToolCode one = device->open(run, NULL, why);
    if (one == XlaToolCodeFailed)
      return xlaToolError(one, "device %s: %s", device->name, why);
    if (one != XlaToolCodeOk) {
      fprintf(stderr, "xla-run: %s is left out: %s\n", device->name, why);
      continue;
    }
    one = runOn(device, &leftOut, data);
    code = one > code ? one : code;
    compared += !leftOut;
  }
  if (code == XlaToolCodeOk && !compared)
    return xlaToolError(XlaToolCodeRefused,
                        "no device but %s ran the program: nothing was "
                        "compared",
                        xlaRunDevices[0]->name);
  return code;
}

XlaToolCode xlaRunOnDevices(XlaRun *run, XlaRunOn runOn, void *data) {
  const char *name = run->options.call.device;
  if (!strcmp(name, "all"))
    return runOnAll(run, runOn, data);
  const XlaRunDevice *device = xlaRunDeviceFind(name);
  if (!device)
    return XlaToolCodeWrong;
  const char *colon = strchr(name, ':');
  char why[512];
  XlaToolCode code = device->open(run, colon ? colon + 1 : NULL, why);
  return code == XlaToolCodeOk ? runOn(device, NULL, data)
                               : xlaToolError(code, "device %s: %s", name, why);
}

//===- device.c - What programs run on ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-run/run.h"

#include <stdio.h>
#include <string.h>

static const char *notBuilt(const char *number) {
  (void)number;
  return "not in this build";
}

static const XlaRunDevice vulkan = {
    "vulkan", "compiled to compute shaders; vulkan:N is device N",
    notBuilt, NULL,
    NULL,     NULL,
};

const XlaRunDevice *const xlaRunDevices[] = {&xlaRunInterpreter, &xlaRunCpu,
                                             &vulkan, NULL};

static const XlaRunDevice *unknown(const char *text) {
  const char *names[8] = {"all"};
  for (int i = 0; xlaRunDevices[i] && i < 6; ++i)
    names[i + 1] = xlaRunDevices[i]->name;
  const char *similar = xlaToolSuggest(text, names);
  xlaToolError(XlaToolCodeWrong, "unknown device \"%.60s\"%s%s%s", text,
               similar ? "; did you mean " : "; see --help",
               similar ? similar : "", similar ? "?" : "");
  return NULL;
}

const XlaRunDevice *xlaRunDeviceFind(const char *text) {
  size_t length = strcspn(text, ":");
  for (const XlaRunDevice *const *at = xlaRunDevices; *at; ++at)
    if (strlen((*at)->name) == length && !memcmp((*at)->name, text, length))
      return *at;
  return unknown(text);
}

XlaToolCode xlaRunOnDevice(XlaRun *run, const XlaRunDevice *device,
                           MlirOperation function, intptr_t nInputs,
                           const XlaLiteral *const *inputs, intptr_t nResults,
                           XlaLiteral **results) {
  void *executable = NULL;
  char row[40];
  XlaToolCode code = device->compile(run, run->program.module, function,
                                     xlaRunCustomCall, &executable);
  if (code != XlaToolCodeOk)
    return code;
  double start = xlaRunNow();
  code = device->execute(run, executable, nInputs, inputs, nResults, results);
  snprintf(row, sizeof row, "%s: run", device->name);
  xlaRunStagesAddRow(run->stages, row, 1e3 * (xlaRunNow() - start), "ms");
  device->destroy(executable);
  return code;
}

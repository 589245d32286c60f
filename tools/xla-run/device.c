//===- device.c - What programs run on ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

//===----------------------------------------------------------------------===//
// The interpreter
//===----------------------------------------------------------------------===//

static const char *interpreterWhyNot(const char *number) {
  return number ? "there is only one interpreter" : NULL;
}

/// Four fifths of the machine's memory: the kernel promises more than it has.
static int64_t memoryLimit(void) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? (int64_t)pages / 5 * 4 * size : 0;
}

static XlaToolCode interpreterCompile(XlaRun *run, MlirOperation function,
                                      void **executable) {
  (void)run;
  *executable = function.ptr;
  return XlaToolCodeOk;
}

static XlaToolCode interpreterExecute(XlaRun *run, void *executable,
                                      intptr_t nInputs,
                                      const XlaLiteral *const *inputs,
                                      intptr_t nResults, XlaLiteral **results) {
  double timeout = run->options.timeout;
  if (timeout > 0) {
    timeout -= xlaRunNow() - run->start;
    timeout = timeout > 1e-3 ? timeout : 1e-3;
  }
  XlaEvaluatorOptions options = {.maxBytes = memoryLimit(),
                                 .timeoutSeconds = timeout,
                                 .customCall = xlaRunCustomCall,
                                 .userData = run};
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(run->program.module), &options);
  if (!evaluator)
    return xlaToolError(XlaToolCodeFailed, "out of memory");
  MlirLogicalResult result =
      xlaEvaluatorRun(evaluator, (MlirOperation){executable}, nInputs, inputs,
                      nResults, results);
  xlaEvaluatorDestroy(evaluator);
  return mlirLogicalResultIsSuccess(result) ? XlaToolCodeOk : XlaToolCodeFailed;
}

static void interpreterDestroy(void *executable) { (void)executable; }

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

static const char *notBuilt(const char *number) {
  (void)number;
  return "not in this build";
}

const XlaRunDevice xlaRunDevices[] = {
    {"interpreter", "the reference evaluator, op by op", interpreterWhyNot,
     interpreterCompile, interpreterExecute, interpreterDestroy},
    {"cpu", "compiled to machine code", notBuilt, NULL, NULL, NULL},
    {"vulkan", "compiled to compute shaders; vulkan:N is device N", notBuilt,
     NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};

static const XlaRunDevice *unknown(const char *text) {
  const char *names[8] = {"all"};
  for (int i = 0; xlaRunDevices[i].name && i < 6; ++i)
    names[i + 1] = xlaRunDevices[i].name;
  const char *similar = xlaToolSuggest(text, names);
  xlaToolError(XlaToolCodeWrong, "unknown device \"%.60s\"%s%s%s", text,
               similar ? "; did you mean " : "; see --help",
               similar ? similar : "", similar ? "?" : "");
  return NULL;
}

const XlaRunDevice *xlaRunDeviceFind(const char *text) {
  size_t length = strcspn(text, ":");
  for (const XlaRunDevice *device = xlaRunDevices; device->name; ++device)
    if (strlen(device->name) == length && !memcmp(device->name, text, length))
      return device;
  return unknown(text);
}

XlaToolCode xlaRunOnDevice(XlaRun *run, const XlaRunDevice *device,
                           MlirOperation function, intptr_t nInputs,
                           const XlaLiteral *const *inputs, intptr_t nResults,
                           XlaLiteral **results) {
  void *executable = NULL;
  char stage[40];
  XlaToolCode code = device->compile(run, function, &executable);
  if (code != XlaToolCodeOk)
    return code;
  xlaRunStagesRestart(run->stages);
  code = device->execute(run, executable, nInputs, inputs, nResults, results);
  snprintf(stage, sizeof stage, "run on %s", device->name);
  xlaRunStagesRecord(stage, (MlirOperation){NULL}, run->stages);
  device->destroy(executable);
  return code;
}

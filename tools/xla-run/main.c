//===- main.c - xla-run: runs a program -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/entry.h"
#include "xlac/formats/module.h"
#include "xlac/passes/replicas.h"
#include "xlac/tools/common/file.h"
#include "xlac/tools/common/input.h"
#include "xlac/tools/xla-run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static XlaToolCode checkCounts(const XlaRun *run,
                               const XlaProgramValues *results) {
  int expected = run->options.expected.count;
  char types[400];
  if (expected && expected != results->leafCount)
    return xlaToolError(XlaToolCodeWrong,
                        "--expected-output is given for %d of %lld results: "
                        "%s; one each is needed",
                        expected, (long long)results->leafCount,
                        xlaProgramValuesText(results, types, sizeof types));
  return xlaCallOptionsCheckOutputs(&run->options.call, results);
}

/// Runs on one more device and compares with the reference's results.
static XlaToolCode runAndCompare(XlaRun *run, const XlaRunDevice *device,
                                 MlirOperation function,
                                 const XlaProgramValues *inputs,
                                 const XlaProgramValues *expected,
                                 bool *leftOut) {
  const XlaLiteral *const *items = (const XlaLiteral *const *)inputs->items;
  XlaProgramValues got;
  XlaRunFeed *before;
  XlaToolCode code = xlaRunFeedBegin(run, &before);
  if (code != XlaToolCodeOk)
    return code;
  code = xlaProgramValuesCreate(&run->program, function, true, &got);
  if (code == XlaToolCodeOk)
    code = xlaRunOnDevice(run, device, function, inputs->count, items,
                          got.count, got.items, leftOut);
  if (code == XlaToolCodeOk && !*leftOut)
    code = xlaRunValuesAgree(run, device, function, inputs, &got, expected,
                             before);
  xlaRunFeedEnd(run, before);
  if (code == XlaToolCodeDiffers)
    xlaRunFindDifference(run, device, function, inputs->count, items);
  xlaProgramValuesDestroy(&got);
  return code;
}

/// A function, what it takes and what it gave on the first device.
typedef struct Job {
  XlaRun *run;
  MlirOperation function;
  const XlaProgramValues *inputs;
  XlaProgramValues *results;
} Job;

static XlaToolCode runOn(const XlaRunDevice *device, bool *leftOut,
                         void *data) {
  const Job *job = data;
  return leftOut
             ? runAndCompare(job->run, device, job->function, job->inputs,
                             job->results, leftOut)
             : xlaRunOnDevice(job->run, device, job->function,
                              job->inputs->count,
                              (const XlaLiteral *const *)job->inputs->items,
                              job->results->count, job->results->items, NULL);
}

static XlaToolCode writeOutputs(const XlaRun *run,
                                const XlaProgramValues *results) {
  const XlaLiteral **leaves = xlaProgramValuesGetLeaves(results);
  XlaToolCode code = leaves ? xlaLiteralsWrite(results->leafCount, leaves,
                                               &run->options.call.outputs,
                                               run->options.call.printsAll)
                            : xlaToolError(XlaToolCodeRefused, "out of memory");
  free(leaves);
  return code;
}

static XlaToolCode writeFeed(const XlaRun *run) {
  intptr_t written = 0;
  XlaToolCode code = xlaRunFeedWrite(run, run->feed, &written);
  return code == XlaToolCodeOk ? xlaRunFeedsCheck(run, 1, &run->feed, written)
                               : code;
}

/// Runs one function; the checks in it decide, then the expected outputs.
static XlaToolCode runEntry(XlaRun *run, MlirOperation function,
                            bool writesOutputs) {
  if (xlaRunIsTogether(run))
    return xlaRunTogether(run, function, writesOutputs);
  if (run->options.call.machine.cpu.triple)
    return xlaRunCompileOnly(run, &xlaRunCpu, function);
  XlaProgramValues inputs = {.count = 0}, results = {.count = 0};
  int64_t failedBefore = run->checksFailed;
  XlaToolCode code =
      xlaProgramValuesCreate(&run->program, function, false, &inputs);
  if (code == XlaToolCodeOk)
    code = xlaProgramValuesCreate(&run->program, function, true, &results);
  if (code == XlaToolCodeOk && writesOutputs)
    code = checkCounts(run, &results);
  if (code == XlaToolCodeOk)
    code = xlaProgramValuesRead(
        function, xlaProgramGetInputs(&run->program, &run->options.call.inputs),
        run->options.call.hasSeed ? &run->options.call.seed : NULL, &inputs);
  run->feed = xlaRunFeedCreate(&run->options.infeeds);
  if (code == XlaToolCodeOk && !run->feed)
    code = xlaToolError(XlaToolCodeRefused, "out of memory");
  if (code == XlaToolCodeOk)
    code =
        xlaRunOnDevices(run, runOn, &(Job){run, function, &inputs, &results});
  xlaToolClockSetQuiet(run->clock, true);
  if (code <= XlaToolCodeDiffers) {
    XlaToolCode fed = writeFeed(run);
    code = fed == XlaToolCodeOk ? code : fed;
  }
  xlaRunFeedDestroy(run->feed);
  run->feed = NULL;
  if (code <= XlaToolCodeDiffers && writesOutputs) {
    XlaToolCode written = writeOutputs(run, &results);
    code = written == XlaToolCodeOk ? code : written;
  }
  xlaToolClockSetQuiet(run->clock, false);
  if (code == XlaToolCodeOk && writesOutputs)
    code =
        xlaRunValuesCompareExpected(run, "", &run->options.expected, &results);
  if (code == XlaToolCodeOk && run->checksFailed != failedBefore)
    code = XlaToolCodeDiffers;
  xlaProgramValuesDestroy(&inputs);
  xlaProgramValuesDestroy(&results);
  return code;
}

/// --check: one function or all that need no input.
static XlaToolCode runChecks(XlaRun *run) {
  MlirOperation function = {NULL}, entry = {NULL};
  int passed = 0, failed = 0;
  XlaToolCode worst = XlaToolCodeOk;
  const char *wanted =
      run->options.call.entry ? run->options.call.entry : "main";
  MlirStringRef name = mlirStringRefCreateFromCString(wanted);
  while (!mlirOperationIsNull(
      function = xlaProgramNextFunction(&run->program, function)))
    if (mlirStringRefEqual(xlaFunctionGetName(function), name))
      entry = function;
  if (mlirOperationIsNull(entry) && run->options.call.entry)
    return xlaProgramFindEntry(&run->program, wanted, &entry);
  while (!mlirOperationIsNull(
      function = xlaProgramNextFunction(&run->program, function))) {
    bool chosen =
        mlirOperationIsNull(entry)
            ? xlaFunctionIsPublic(function) &&
                  !mlirFunctionTypeGetNumInputs(xlaFunctionGetType(function))
            : mlirOperationEqual(function, entry);
    if (!chosen)
      continue;
    XlaToolCode code = runEntry(run, function, false);
    if (code != XlaToolCodeOk) {
      MlirStringRef failing = xlaFunctionGetName(function);
      xlaToolError(code, "@%.*s failed", (int)failing.length, failing.data);
    }
    *(code == XlaToolCodeOk ? &passed : &failed) += 1;
    worst = code > worst ? code : worst;
  }
  if (!passed && !failed)
    return xlaToolError(XlaToolCodeWrong,
                        "%s: has no @main and no public function without "
                        "arguments to check",
                        run->program.name);
  if (run->options.call.programs.count == 1)
    printf("%d passed, %d failed\n", passed, failed);
  return worst;
}

/// What was made for several partitions, as XLA compiles programs, may need
/// them all.
static void suggestPartitions(const XlaRun *run) {
  int64_t n = xlaModuleGetCount(mlirModuleGetOperation(run->program.module),
                                "xla.num_partitions");
  if (n > 1 && !xlaRunIsTogether(run))
    fprintf(stderr,
            "xla-run: the program is for %lld partitions; --partitions=%lld "
            "runs as many of it\n",
            (long long)n, (long long)n);
}

/// Whether results go where the program is, whose bytes they may have.
static bool writesOverProgram(const XlaRun *run) {
  const XlaToolValues *outputs[] = {&run->options.call.outputs,
                                    &run->options.outfeeds};
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < outputs[k]->count; ++i) {
      const char *path = outputs[k]->items[i];
      if (*path == '@' &&
          xlaToolFileIsSame(run->options.call.program, path + 1))
        return true;
    }
  return false;
}

static XlaToolCode runProgram(XlaRun *run) {
  MlirOperation function;
  if (run->options.selfTest)
    return xlaRunSelfTest(run);
  if (strcmp(run->options.call.device, "all") != 0 &&
      !xlaRunDeviceFind(run->options.call.device))
    return XlaToolCodeWrong;
  XlaToolCode code = xlaRunCheckStages(&run->options);
  if (code != XlaToolCodeOk)
    return code;
  code = xlaRunOpenLibraries(run);
  if (code != XlaToolCodeOk)
    return code;
  xlaToolClockEnter(run->clock, "reading", "the program", false);
  XlaModuleReadOptions read = {.refersToBytes = !writesOverProgram(run)};
  code =
      xlaProgramReadWith(run->options.call.program, run->options.call.verbose,
                         run->options.call.entry, &run->options.call.inputs,
                         &read, xlaRunStagesRecord, run->stages, &run->program);
  if (code != XlaToolCodeOk)
    return code;
  if (run->options.call.hasSeed)
    xlaProgramSetSeed(&run->program, run->options.call.seed);
  if (run->options.check)
    return runChecks(run);
  code = xlaProgramFindEntry(&run->program, run->options.call.entry, &function);
  if (code == XlaToolCodeOk)
    code = runEntry(run, function, true);
  if (code > XlaToolCodeDiffers)
    suggestPartitions(run);
  return code;
}

/// One program from its file to its results. What it took is given back, but
/// for the device.
static XlaToolCode runOne(XlaRun *run, const char *path) {
  run->options.call.program = path;
  run->checksFailed = 0;
  run->clock = xlaToolClockStart(run->options.call.timeout);
  run->stages = xlaRunStagesCreate(&run->options);
  XlaToolCode code = XlaToolCodeRefused, finished = XlaToolCodeOk;
  if (run->clock && run->stages) {
    if (run->options.call.programs.count > 1)
      xlaToolClockSetSubject(run->clock, path);
    code = runProgram(run);
    finished = xlaRunStagesFinish(run->stages, code != XlaToolCodeOk);
  } else {
    xlaToolError(code, "could not start: out of memory");
  }
  return code == XlaToolCodeOk ? finished : code;
}

static void freeOne(XlaRun *run) {
  xlaProgramDestroy(&run->program);
  xlaRunCloseLibraries(run);
  xlaToolClockStop(run->clock);
  xlaRunStagesDestroy(run->stages);
}

static XlaToolCode closeDevice(XlaRun *run) {
  XlaToolCode code = xlaToolVulkanClose(run->vulkan);
  run->vulkan = NULL;
  return code;
}

/// --check of several programs. They share a device for as long as nothing
/// fails on it and the validation layer has no say.
static XlaToolCode runSeveral(XlaRun *run) {
  const XlaToolValues *programs = &run->options.call.programs;
  XlaToolCode worst = XlaToolCodeOk;
  int passed = 0;
  for (int i = 0; i < programs->count; ++i) {
    const char *path = programs->items[i];
    XlaToolCode code = runOne(run, path), closed = XlaToolCodeOk;
    if (code == XlaToolCodeFailed || run->options.call.validate ||
        i + 1 == programs->count)
      closed = closeDevice(run);
    freeOne(run);
    code = code == XlaToolCodeOk ? closed : code;
    if (code == XlaToolCodeOk)
      printf("PASS %s\n", path);
    else
      printf("FAIL %s: exit code %d\n", path, code);
    fflush(stdout); // the next program may end the process
    passed += code == XlaToolCodeOk;
    worst = code > worst ? code : worst;
  }
  printf("%d passed, %d failed\n", passed, programs->count - passed);
  return worst;
}

typedef struct Main {
  XlaRun run;
  XlaToolCode code;
} Main;

static void runMain(void *data) {
  Main *state = data;
  XlaRun *run = &state->run;
  if (run->options.call.programs.count > 1) {
    state->code = runSeveral(run);
    return;
  }
  state->code = runOne(run, run->options.call.program);
  XlaToolCode closed = closeDevice(run);
  if (state->code == XlaToolCodeOk)
    state->code = closed;
  freeOne(run);
}

int main(int argc, char **argv) {
  XlaToolArguments arguments;
  Main state = {.code = XlaToolCodeOk};
  bool done;
  xlaToolsInit();
  pthread_mutex_init(&state.run.mutex, NULL);
  state.code =
      xlaRunOptionsParse(argc, argv, &arguments, &state.run.options, &done);
  if (state.code == XlaToolCodeOk && !done &&
      !mlirExtRunOnStack(XLA_STACK_BYTES, runMain, &state))
    state.code =
        xlaToolError(XlaToolCodeRefused, "could not start: out of memory");
  xlaToolArgumentsDestroy(&arguments);
  pthread_mutex_destroy(&state.run.mutex);
  return xlaToolsEnd((int)state.code);
}

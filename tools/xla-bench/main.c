//===- main.c - xla-bench: measures a program -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/tools/common/input.h"
#include "xlac/tools/xla-bench/bench.h"

#include <string.h>

typedef struct Bench {
  XlaBenchOptions options;
  XlaProgram program;
  XlaBenchCall call;
  const XlaBenchDevice *device;
  XlaBenchReport report;
  XlaBenchPeaks peaks;
  XlaToolClock *clock;
  XlaToolCode code;
} Bench;

static XlaToolCode compile(Bench *bench, XlaBenchExecutable *executable) {
  xlaToolClockEnter(bench->clock, "compiling for", bench->device->name, false);
  double begin = xlaToolNow();
  XlaToolCode code = bench->device->compile(&bench->call, executable);
  executable->compileSeconds = xlaToolNow() - begin;
  return code;
}

static XlaToolCode callOnce(void *user) {
  Bench *bench = user;
  return bench->device->run(&bench->report.warm, &bench->call);
}

/// Between the two compilations nothing of the first one may be reused but what
/// a process keeps.
static XlaToolCode measure(Bench *bench) {
  XlaBenchReport *report = &bench->report;
  XlaToolCode code = compile(bench, &report->cold);
  bench->device->destroy(&report->cold);
  if (code == XlaToolCodeOk)
    code = compile(bench, &report->warm);
  xlaToolClockEnter(bench->clock, "measuring on", bench->device->name, false);
  if (code == XlaToolCodeOk)
    code = xlaBenchMeasure(callOnce, bench, bench->options.minTime,
                           &report->times);
  if (code == XlaToolCodeOk && bench->device->fetch &&
      bench->options.call.outputs.count)
    code = bench->device->fetch(&report->warm, &bench->call);
  if (code == XlaToolCodeOk)
    xlaToolClockSetQuiet(bench->clock, true);
  if (code == XlaToolCodeOk)
    code = xlaBenchCallWriteOutputs(&bench->call, &bench->options.call);
  bench->device->destroy(&report->warm);
  return code;
}

static XlaToolCode run(Bench *bench) {
  const XlaBenchOptions *options = &bench->options;
  XlaBenchReport *report = &bench->report;
  XlaToolCode code = XlaToolCodeOk;
  bench->device = xlaBenchDeviceFind(options->call.device);
  if (!bench->device)
    return XlaToolCodeWrong;
  xlaToolClockEnter(bench->clock, "reading", "the program", false);
  code = xlaProgramReadFor(options->call.program, options->call.verbose,
                           options->call.entry, &options->call.inputs, NULL,
                           NULL, &bench->program);
  if (code == XlaToolCodeOk)
    code = xlaBenchCallCreate(&bench->program, options, &bench->call);
  if (code == XlaToolCodeOk)
    xlaErrorListenerBegin(bench->program.context, &bench->call.errors);
  if (code == XlaToolCodeOk)
    code = xlaBenchDeviceOpen(options, &bench->call);
  if (code == XlaToolCodeOk)
    code = measure(bench);
  if (code != XlaToolCodeOk)
    return code;
  report->program = options->call.program;
  report->device = options->call.device;
  report->work = xlaBenchCountWork(&bench->call);
  if (options->peaks) {
    xlaToolClockEnter(bench->clock, "measuring", "the machine's limits", false);
    xlaToolClockSetQuiet(bench->clock, false);
    code = xlaBenchMeasurePeaks(bench->program.context, bench->call.target,
                                &bench->peaks);
    if (code != XlaToolCodeOk)
      return code;
    report->peaks = &bench->peaks;
  }
  xlaToolClockSetQuiet(bench->clock, true);
  if (!options->json || strcmp(options->json, "-") != 0)
    xlaBenchPrintReport(report);
  return options->json ? xlaBenchWriteJson(report, options->json) : code;
}

static void runBench(void *data) {
  Bench *bench = data;
  bench->code = run(bench);
  XlaToolCode closed = xlaToolVulkanClose(bench->call.vulkan);
  if (bench->code == XlaToolCodeOk)
    bench->code = closed;
  xlaBenchCallDestroy(&bench->call);
  xlaProgramDestroy(&bench->program);
}

int main(int argc, char **argv) {
  XlaToolArguments arguments;
  Bench bench = {.code = XlaToolCodeOk};
  bool done;
  xlaToolsInit();
  bench.code =
      xlaBenchOptionsParse(argc, argv, &arguments, &bench.options, &done);
  if (bench.code == XlaToolCodeOk && !done) {
    bench.clock = xlaToolClockStart(bench.options.call.timeout);
    if (!bench.clock || !mlirExtRunOnStack(XLA_STACK_BYTES, runBench, &bench))
      bench.code =
          xlaToolError(XlaToolCodeRefused, "could not start: out of memory");
  }
  xlaToolClockStop(bench.clock);
  xlaToolArgumentsDestroy(&arguments);
  return xlaToolsEnd((int)bench.code);
}

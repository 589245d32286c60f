//===- together.c - Several processes from a command line -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs one after the other, their replicas one after the other, the
// partitions of each one after the other: in this order values are given on the
// command line, and results printed.
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinTypes.h"
#include "xlac/tools/common/diagnostics.h"
#include "xlac/tools/xla-run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A program, with what its processes have in common.
typedef struct Member {
  const XlaProgram *program;
  XlaProgram own; // that `program` points to, unless it is the first
  MlirOperation function;
  intptr_t nInputs, nOutputs; // arrays
} Member;

/// What the processes give on a device.
typedef struct Outputs {
  XlaProgramValues *results;
  XlaRunFeed **feeds;
} Outputs;

typedef struct Together {
  XlaRun *run;
  int nMembers, nProcesses, each; // each: processes of a program
  Member *members;
  const XlaProgram **others; // of --with
  XlaGrid *grids;
  XlaRunProcess *processes;
  XlaProgramValues *inputs; // by process, as all that follows
  Outputs first, other;     // of the first device, and of the next one
} Together;

static XlaToolCode outOfMemory(void) {
  return xlaToolError(XlaToolCodeRefused, "out of memory");
}

bool xlaRunIsTogether(const XlaRun *run) {
  return run->options.replicas > 1 || run->options.partitions > 1 ||
         run->options.with.count;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static XlaToolCode readPrograms(Together *t, MlirOperation function) {
  const XlaToolValues *with = &t->run->options.with;
  t->members[0].program = &t->run->program;
  t->members[0].function = function;
  for (int g = 1; g < t->nMembers; ++g) {
    Member *member = &t->members[g];
    member->program = &member->own;
    xlaToolClockEnter(t->run->clock, "reading", with->items[g - 1], false);
    XlaToolCode code =
        xlaProgramRead(with->items[g - 1], t->run->options.call.verbose, NULL,
                       NULL, &member->own);
    if (code == XlaToolCodeOk && t->run->options.call.hasSeed)
      xlaProgramSetSeed(&member->own, t->run->options.call.seed);
    if (code == XlaToolCodeOk)
      code = xlaProgramFindEntry(&member->own, NULL, &member->function);
    if (code != XlaToolCodeOk)
      return code;
  }
  for (int g = 1; g < t->nMembers; ++g)
    t->others[g - 1] = t->members[g].program;
  t->run->others = t->others;
  t->run->nOthers = t->nMembers - 1;
  for (int g = 0; g < t->nMembers; ++g) {
    t->grids[g] =
        (XlaGrid){t->nMembers > 1 ? t->members[g].program->name : NULL,
                  t->run->options.replicas, t->run->options.partitions};
    mlirContextEnableMultithreading(t->members[g].program->context, true);
  }
  return XlaToolCodeOk;
}

static XlaProcess placeOf(const Together *t, int process) {
  int partitions = t->run->options.partitions;
  return (XlaProcess){.grid = process / t->each,
                      .replica = process % t->each / partitions,
                      .partition = process % partitions};
}

/// "replica 1 of b.mlir" for lines about a process.
static const char *nameOf(const Together *t, int process,
                          XlaProcessName *name) {
  XlaProcess place = placeOf(t, process);
  const char *program = t->grids[place.grid].name;
  char partition[40] = "";
  if (t->run->options.partitions > 1)
    snprintf(partition, sizeof partition, ", partition %d", place.partition);
  if (t->each == 1)
    snprintf(name->chars, sizeof name->chars, "%.190s", program);
  else
    snprintf(name->chars, sizeof name->chars, "replica %d%s%s%.120s",
             place.replica, partition, program ? " of " : "",
             program ? program : "");
  return name->chars;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The values of --infeed go to the first program's processes in equal parts.
static XlaToolCode createFeed(const Together *t, int process,
                              XlaRunFeed **feed) {
  XlaToolValues given = t->run->options.infeeds;
  if (given.count % t->each)
    return xlaToolError(XlaToolCodeWrong,
                        "--infeed is given %d times for %d processes",
                        given.count, t->each);
  given.count = process < t->each ? given.count / t->each : 0;
  if (given.count)
    given.items += process * given.count;
  *feed = xlaRunFeedCreate(&given);
  return *feed ? XlaToolCodeOk : outOfMemory();
}

/// Makes room for what a device gives, and fills the feeds.
static XlaToolCode createOutputs(const Together *t, Outputs *outputs) {
  size_t n = (size_t)t->nProcesses;
  XlaToolCode code = XlaToolCodeOk;
  outputs->results = calloc(n, sizeof *outputs->results);
  outputs->feeds = calloc(n, sizeof(XlaRunFeed *));
  if (!outputs->results || !outputs->feeds)
    return outOfMemory();
  for (int i = 0; i < t->nProcesses && code == XlaToolCodeOk; ++i) {
    const Member *member = &t->members[i / t->each];
    code = xlaProgramValuesCreate(member->program, member->function, true,
                                  &outputs->results[i]);
    if (code == XlaToolCodeOk)
      code = createFeed(t, i, &outputs->feeds[i]);
  }
  return code;
}

static void destroyOutputs(const Together *t, Outputs *outputs) {
  for (int i = 0; i < t->nProcesses; ++i) {
    if (outputs->results)
      xlaProgramValuesDestroy(&outputs->results[i]);
    if (outputs->feeds)
      xlaRunFeedDestroy(outputs->feeds[i]);
  }
  free(outputs->results);
  free(outputs->feeds);
  *outputs = (Outputs){0};
}

static XlaToolCode createValues(Together *t) {
  XlaToolCode code = createOutputs(t, &t->first);
  if (code != XlaToolCodeOk || !t->first.results)
    return code;
  for (int i = 0; i < t->nProcesses && code == XlaToolCodeOk; ++i) {
    Member *member = &t->members[i / t->each];
    code = xlaProgramValuesCreate(member->program, member->function, false,
                                  &t->inputs[i]);
    member->nInputs = t->inputs[i].leafCount;
    member->nOutputs = t->first.results[i].leafCount;
  }
  return code;
}

/// The values of an option that are those of `process`: given for each, or once
/// for all processes of a program.
static XlaToolValues sliceOf(const Together *t, const XlaToolValues *given,
                             bool isInput, int process) {
  intptr_t once = 0, before = 0, sharedBefore = 0, size = 0;
  for (int i = 0; i <= process; ++i) {
    const Member *member = &t->members[i / t->each];
    size = isInput ? member->nInputs : member->nOutputs;
    before += i < process ? size : 0;
    sharedBefore += i < process && i % t->each == t->each - 1 ? size : 0;
  }
  for (int g = 0; g < t->nMembers; ++g)
    once += isInput ? t->members[g].nInputs : t->members[g].nOutputs;
  intptr_t start = given->count == once ? sharedBefore : before;
  intptr_t left = given->count > start ? given->count - start : 0;
  if (!left)
    return (XlaToolValues){.count = 0};
  return (XlaToolValues){(int)(left < size ? left : size),
                         given->items + start};
}

/// Whether there are `given` values for all, or once for each program.
static XlaToolCode checkCount(const Together *t, const XlaToolValues *given,
                              bool isInput, const char *option, bool mayLack) {
  intptr_t once = 0;
  for (int g = 0; g < t->nMembers; ++g)
    once += isInput ? t->members[g].nInputs : t->members[g].nOutputs;
  intptr_t all = once * t->each;
  if (given->count == all || given->count == once ||
      (mayLack && given->count < all))
    return XlaToolCodeOk;
  return xlaToolError(
      XlaToolCodeWrong,
      "--%s is given %d times for %lld %s of %d process%s; "
      "%lld, or %lld for all to have the same, are needed",
      option, given->count, (long long)once, isInput ? "inputs" : "results",
      t->each, t->each == 1 ? "" : "es", (long long)all, (long long)once);
}

static XlaToolCode readInputs(Together *t) {
  const XlaCallOptions *call = &t->run->options.call;
  XlaToolCode code = checkCount(t, &call->inputs, true, "input", call->hasSeed);
  for (int i = 0; i < t->nProcesses && code == XlaToolCodeOk; ++i) {
    XlaToolValues given = sliceOf(t, &call->inputs, true, i);
    // Replicas get random inputs of their own.
    uint64_t seed = call->seed + 0x9E3779B97F4A7C15u * (uint64_t)i;
    code = xlaProgramValuesRead(t->members[i / t->each].function, &given,
                                call->hasSeed ? &seed : NULL, &t->inputs[i]);
  }
  return code;
}

static XlaToolCode writeOutputs(Together *t) {
  const XlaToolValues *outputs = &t->run->options.call.outputs;
  intptr_t written = 0;
  for (int i = 0; i < t->nProcesses; ++i) {
    XlaProcessName name;
    XlaToolValues given = sliceOf(t, outputs, false, i);
    const XlaLiteral **leaves = xlaProgramValuesGetLeaves(&t->first.results[i]);
    if (!leaves)
      return outOfMemory();
    XlaToolCode code = XlaToolCodeOk;
    if (!outputs->count)
      printf("%s:\n", nameOf(t, i, &name));
    code = xlaRunFeedWrite(t->run, t->first.feeds[i], &written);
    // No outputs at all, and none for this process, are not the same.
    if (code == XlaToolCodeOk && (!outputs->count || given.count))
      code = xlaLiteralsWrite(t->first.results[i].leafCount, leaves, &given,
                              t->run->options.call.printsAll);
    free(leaves);
    if (code != XlaToolCodeOk)
      return code;
  }
  return xlaRunFeedsCheck(t->run, t->nProcesses, t->first.feeds, written);
}

static XlaToolCode compareExpected(Together *t) {
  XlaToolCode code = XlaToolCodeOk;
  for (int i = 0; i < t->nProcesses && code <= XlaToolCodeDiffers; ++i) {
    XlaProcessName name;
    char whose[220];
    XlaToolValues given = sliceOf(t, &t->run->options.expected, false, i);
    snprintf(whose, sizeof whose, "%s: ", nameOf(t, i, &name));
    XlaToolCode one = xlaRunValuesCompareExpected(t->run, whose, &given,
                                                  &t->first.results[i]);
    code = one > code ? one : code;
  }
  return code;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Compiles for every process. With `leftOut`, as XlaRunOn.
static XlaToolCode compileAll(Together *t, const XlaRunDevice *device,
                              bool *leftOut) {
  XlaDiagnosticsHeading heading;
  XlaToolCode code = XlaToolCodeOk;
  xlaToolClockEnter(t->run->clock, "compiling for", device->name, false);
  if (leftOut)
    xlaDiagnosticsHeadingBegin(&t->run->program, device->name, &heading);
  for (int i = 0; i < t->nProcesses && code == XlaToolCodeOk; ++i) {
    const Member *member = &t->members[i / t->each];
    t->processes[i].module = member->program->module;
    code = device->compile(t->run, member->program->module, member->function,
                           xlaRunCustomCall, t->each > 1,
                           &t->processes[i].executable);
  }
  if (leftOut) {
    xlaDiagnosticsHeadingEnd(&heading);
    *leftOut = code == XlaToolCodeRefused;
  }
  return code;
}

static XlaToolCode execute(Together *t, const XlaRunDevice *device,
                           const Outputs *outputs) {
  char row[40];
  for (int i = 0; i < t->nProcesses; ++i) {
    XlaRunProcess *process = &t->processes[i];
    process->nInputs = t->inputs[i].count;
    process->inputs = (const XlaLiteral *const *)t->inputs[i].items;
    process->nResults = outputs->results[i].count;
    process->results = outputs->results[i].items;
    process->feed = outputs->feeds[i];
  }
  xlaToolClockEnter(t->run->clock, "running on", device->name,
                    device->watchesClock);
  double start = xlaToolNow();
  XlaToolCode code =
      xlaRunProcesses(t->run, device, t->nMembers, t->grids, t->processes);
  snprintf(row, sizeof row, "%s: run", device->name);
  xlaRunStagesAddRow(t->run->stages, row, 1e3 * (xlaToolNow() - start), "ms");
  return code;
}

static XlaToolCode compare(const Together *t, const XlaRunDevice *device) {
  XlaToolCode code = XlaToolCodeOk;
  for (int i = 0; i < t->nProcesses && code <= XlaToolCodeDiffers; ++i) {
    XlaProcessName name;
    char whose[260];
    snprintf(whose, sizeof whose, "%s: %s", device->name, nameOf(t, i, &name));
    XlaToolCode one = xlaRunValuesCompare(t->run, whose, &t->other.results[i],
                                          &t->first.results[i], 0, NULL);
    if (one <= XlaToolCodeDiffers) {
      XlaToolCode fed = xlaRunFeedsCompare(t->run, whose, t->other.feeds[i],
                                           t->first.feeds[i]);
      one = fed > one ? fed : one;
    }
    code = one > code ? one : code;
  }
  return code;
}

/// Is an XlaRunOn. Code for another machine is only looked at.
static XlaToolCode runOn(const XlaRunDevice *device, bool *leftOut,
                         void *data) {
  Together *t = data;
  XlaToolCode code = leftOut ? createOutputs(t, &t->other) : XlaToolCodeOk;
  t->run->device = device;
  xlaRunStagesSetDevice(t->run->stages, device->name);
  if (code == XlaToolCodeOk)
    code = compileAll(t, device, leftOut);
  if (code == XlaToolCodeOk && !t->run->options.call.machine.cpu.triple)
    code = execute(t, device, leftOut ? &t->other : &t->first);
  for (int i = 0; i < t->nProcesses; ++i) {
    device->destroy(t->processes[i].executable);
    t->processes[i].executable = NULL;
  }
  if (code == XlaToolCodeOk && leftOut)
    code = compare(t, device);
  destroyOutputs(t, &t->other);
  return leftOut && *leftOut ? XlaToolCodeOk : code;
}

static XlaToolCode runAll(Together *t, MlirOperation function,
                          bool writesOutputs) {
  const XlaRunOptions *options = &t->run->options;
  XlaToolCode code = readPrograms(t, function);
  if (code == XlaToolCodeOk)
    code = createValues(t);
  if (code == XlaToolCodeOk && writesOutputs && options->call.outputs.count &&
      !xlaOutputsAreNone(&options->call.outputs))
    code = checkCount(t, &options->call.outputs, false, "output", false);
  if (code == XlaToolCodeOk && writesOutputs && options->expected.count)
    code = checkCount(t, &options->expected, false, "expected-output", false);
  if (code == XlaToolCodeOk)
    code = readInputs(t);
  if (code != XlaToolCodeOk)
    return code;
  int64_t failedBefore = t->run->checksFailed;
  code = xlaRunOnDevices(t->run, runOn, t);
  xlaToolClockSetQuiet(t->run->clock, true);
  // Nothing was computed by code for another machine.
  writesOutputs &= !options->call.machine.cpu.triple;
  if (code <= XlaToolCodeDiffers && writesOutputs) {
    XlaToolCode written = writeOutputs(t);
    code = written == XlaToolCodeOk ? code : written;
  }
  if (code == XlaToolCodeOk && writesOutputs)
    code = compareExpected(t);
  if (code == XlaToolCodeOk && t->run->checksFailed != failedBefore)
    code = XlaToolCodeDiffers;
  return code;
}

static void destroy(Together *t) {
  for (int i = 0; t->inputs && i < t->nProcesses; ++i)
    xlaProgramValuesDestroy(&t->inputs[i]);
  destroyOutputs(t, &t->first);
  t->run->nOthers = 0;
  t->run->others = NULL;
  free(t->others);
  for (int g = 1; t->members && g < t->nMembers; ++g)
    xlaProgramDestroy(&t->members[g].own);
  free(t->members);
  free(t->grids);
  free(t->inputs);
  free(t->processes);
}

XlaToolCode xlaRunTogether(XlaRun *run, MlirOperation function,
                           bool writesOutputs) {
  int each = run->options.replicas * run->options.partitions;
  Together t = {.run = run, .nMembers = 1 + run->options.with.count};
  if ((int64_t)each * t.nMembers > XLA_MAX_PROCESSES)
    return xlaToolError(XlaToolCodeWrong,
                        "%d programs of %d replicas and %d partitions are more "
                        "than %d processes",
                        t.nMembers, run->options.replicas,
                        run->options.partitions, XLA_MAX_PROCESSES);
  t.each = each;
  t.nProcesses = each * t.nMembers;
  size_t n = (size_t)t.nProcesses;
  t.members = calloc((size_t)t.nMembers, sizeof *t.members);
  t.others = calloc((size_t)t.nMembers, sizeof *t.others);
  t.grids = calloc((size_t)t.nMembers, sizeof *t.grids);
  t.inputs = calloc(n, sizeof *t.inputs);
  t.processes = calloc(n, sizeof *t.processes);
  XlaToolCode code = t.members && t.others && t.grids && t.inputs && t.processes
                         ? runAll(&t, function, writesOutputs)
                         : outOfMemory();
  destroy(&t);
  return code;
}

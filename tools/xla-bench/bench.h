//===- bench.h - The parts of xla-bench --------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_XLA_BENCH_BENCH_H
#define XLAC_TOOLS_XLA_BENCH_BENCH_H

#include "xlac/dialect/error.h"
#include "xlac/tools/common/call_options.h"
#include "xlac/tools/common/clock.h"
#include "xlac/tools/common/program.h"
#include "xlac/tools/common/values.h"
#include "xlac/tools/common/vulkan.h"

/// What the command line asks for.
typedef struct XlaBenchOptions {
  XlaCallOptions call;
  XlaToolValues donated;
  double minTime; ///< seconds
  const char *json;
  bool peaks;
} XlaBenchOptions;

/// Reads the command line. `*done` says that it only asked for help.
/// `arguments` owns what options point to.
XlaToolCode xlaBenchOptionsParse(int argc, char **argv,
                                 XlaToolArguments *arguments,
                                 XlaBenchOptions *options, bool *done);

//===----------------------------------------------------------------------===//
// call.c
//===----------------------------------------------------------------------===//

/// A call with everything in place.
typedef struct XlaBenchCall {
  const XlaProgram *program;
  MlirOperation function;
  XlaProgramValues inputs, outputs;
  /// 64-byte aligned, a block for each leaf; an output may be an input.
  void **inputData, **outputData;
  intptr_t nDonated;
  intptr_t *donated;        ///< leaves of the inputs
  XlaVulkanDevice *vulkan;  ///< NULL until it is used
  XlaVulkanInfo vulkanInfo; ///< as --machine has it
  bool unfused;
  XlaCpuTarget *target;    ///< of --cpu and --threads; NULL until it is used
  XlaErrorListener errors; ///< of the program's context
} XlaBenchCall;

/// Finds the entry and reads the inputs. `*call` is to be destroyed in every
/// case.
XlaToolCode xlaBenchCallCreate(const XlaProgram *program,
                               const XlaBenchOptions *options,
                               XlaBenchCall *call);
/// Gives an output the memory of an input of the same size.
void xlaBenchCallAlias(XlaBenchCall *call, intptr_t output, intptr_t input);
/// Writes what is in `outputData`.
XlaToolCode xlaBenchCallWriteOutputs(const XlaBenchCall *call,
                                     const XlaCallOptions *options);
void xlaBenchCallDestroy(XlaBenchCall *call);

//===----------------------------------------------------------------------===//
// device.c
//===----------------------------------------------------------------------===//

/// A part of the compilation.
typedef struct XlaBenchStage {
  const char *name;
  double seconds;
} XlaBenchStage;

#define XLA_BENCH_MAX_STAGES 16

/// A compiled program.
typedef struct XlaBenchExecutable {
  void *handle;
  bool isWarm; ///< has run; inputs are on the device
  double compileSeconds;
  int nStages;
  XlaBenchStage stages[XLA_BENCH_MAX_STAGES];
  intptr_t nKernels;      ///< 0 where there are none
  int64_t temporaryBytes; ///< beside inputs and outputs
} XlaBenchExecutable;

/// What programs are measured on.
typedef struct XlaBenchDevice {
  const char *name;
  const char *description;
  XlaToolCode (*compile)(XlaBenchCall *call, XlaBenchExecutable *executable);
  /// Leaves the results in `outputData`, or on the device.
  XlaToolCode (*run)(XlaBenchExecutable *executable, XlaBenchCall *call);
  /// Gets them from there into `outputData`; NULL: they are there.
  XlaToolCode (*fetch)(XlaBenchExecutable *executable, XlaBenchCall *call);
  void (*destroy)(XlaBenchExecutable *executable);
} XlaBenchDevice;

/// All devices, ended by one without a name.
extern const XlaBenchDevice xlaBenchDevices[];
/// The device that `text` names, NULL after a message.
const XlaBenchDevice *xlaBenchDeviceFind(const char *text);
/// Makes it ready: a number after a colon chooses one of several.
XlaToolCode xlaBenchDeviceOpen(const XlaBenchOptions *options,
                               XlaBenchCall *call);

//===----------------------------------------------------------------------===//
// measure.c
//===----------------------------------------------------------------------===//

/// Times of a call in seconds.
typedef struct XlaBenchTimes {
  double first; ///< of the very first call
  double min, median;
  int64_t iterations; ///< that were measured
  double cores;       ///< CPU time by wall clock while measuring
} XlaBenchTimes;

/// Calls until it is warm, then measures for `minTime` seconds and at least
/// five calls; calls of a few microseconds are measured several at a time.
XlaToolCode xlaBenchMeasure(XlaToolCode (*call)(void *user), void *user,
                            double minTime, XlaBenchTimes *times);

//===----------------------------------------------------------------------===//
// work.c
//===----------------------------------------------------------------------===//

/// What a program has to do at least.
typedef struct XlaBenchWork {
  int64_t bytes; ///< of inputs, read once, and outputs, written once
  double flops;  ///< of its contractions; negative if unknown, because some are
                 ///< in loops or branches
} XlaBenchWork;

XlaBenchWork xlaBenchCountWork(const XlaBenchCall *call);

//===----------------------------------------------------------------------===//
// peaks.c
//===----------------------------------------------------------------------===//

/// The machine's limits, on all CPUs that this process may use. 0: unknown.
typedef struct XlaBenchPeaks {
  double copyGBs;   ///< memory read plus memory written, of a copy
  double fmaGFlops; ///< f32 fused multiply-adds, two operations each
  int threads;
} XlaBenchPeaks;

/// Takes about half a second. `context` has all dialects.
XlaToolCode xlaBenchMeasurePeaks(MlirContext context,
                                 const XlaCpuTarget *target,
                                 XlaBenchPeaks *peaks);

//===----------------------------------------------------------------------===//
// report.c
//===----------------------------------------------------------------------===//

/// What is printed.
typedef struct XlaBenchReport {
  const char *program, *device;
  /// The first and the second compilation in this process.
  XlaBenchExecutable cold, warm;
  XlaBenchTimes times;
  XlaBenchWork work;
  const XlaBenchPeaks *peaks; ///< NULL: not measured
} XlaBenchReport;

void xlaBenchPrintReport(const XlaBenchReport *report);
XlaToolCode xlaBenchWriteJson(const XlaBenchReport *report, const char *path);

#endif // XLAC_TOOLS_XLA_BENCH_BENCH_H

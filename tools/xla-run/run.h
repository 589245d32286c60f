//===- run.h - The parts of xla-run ------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_XLA_RUN_RUN_H
#define XLAC_TOOLS_XLA_RUN_RUN_H

#include "xlac/dialect/error.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/foreign.h"
#include "xlac/lowering/executable.h"
#include "xlac/tools/common/call_options.h"
#include "xlac/tools/common/clock.h"
#include "xlac/tools/common/compare.h"
#include "xlac/tools/common/program.h"
#include "xlac/tools/common/values.h"
#include "xlac/tools/common/vulkan.h"
#include <pthread.h>

typedef struct XlaRunDevice XlaRunDevice;
typedef struct XlaRunStages XlaRunStages;
typedef struct XlaRunFeed XlaRunFeed;
typedef struct XlaRunPlace XlaRunPlace;

/// What the command line asks for.
typedef struct XlaRunOptions {
  XlaCallOptions call;
  XlaToolValues expected;
  double relative, absolute; ///< negative: as xlaToleranceDefault
  bool check, stats;
  int replicas, partitions; ///< of every program
  XlaToolValues with;       ///< programs that run together with the first
  XlaToolValues infeeds, outfeeds;
  XlaToolValues customCalls; ///< shared libraries
  XlaFusionReport report;
  const char *selfTest; ///< NULL: not asked for; "": of all devices
  const char *dump;
  XlaToolValues printAfter;
} XlaRunOptions;

/// One run of the tool.
typedef struct XlaRun {
  XlaRunOptions options;
  XlaProgram program;
  XlaRunStages *stages;
  XlaToolClock *clock;
  /// Checks of the program itself (check.expect_*) that failed.
  int64_t checksFailed;
  /// For what replicas share: the counter above, and lines on stderr.
  pthread_mutex_t mutex;
  XlaVulkanDevice *vulkan;    ///< NULL until it is used
  const XlaRunDevice *device; ///< that the program runs on
  XlaRunFeed *feed;           ///< of the run of one process that goes on
  int nOthers;                ///< programs of --with that run
  const XlaProgram **others;
  int nLibraries; ///< of --custom-calls
  XlaForeignLibrary **libraries;
} XlaRun;

//===----------------------------------------------------------------------===//
// options.c
//===----------------------------------------------------------------------===//

/// Reads the command line. `*done` says that it only asked for help.
/// `arguments` owns what options point to.
XlaToolCode xlaRunOptionsParse(int argc, char **argv,
                               XlaToolArguments *arguments,
                               XlaRunOptions *options, bool *done);

//===----------------------------------------------------------------------===//
// device.c: what programs run on
//===----------------------------------------------------------------------===//

/// Arguments and results are those of the function, tuples and tokens included.
struct XlaRunDevice {
  const char *name;
  const char *description;
  /// What `compile` shows the program after (xlaRunStagesShow), in order, ended
  /// by NULL.
  const char *const *stages;
  /// Makes the device ready. `number` is what followed a colon, or NULL. On
  /// failure `why` says why it cannot be used.
  XlaToolCode (*open)(XlaRun *run, const char *number, char why[512]);
  /// Prepares `function`, which is at the top of `module`, for `execute`, as
  /// one of several replicas or partitions if it `isParallel`. Fails after a
  /// diagnostic for programs that the device does not support.
  XlaToolCode (*compile)(XlaRun *run, MlirModule module, MlirOperation function,
                         XlaCustomCallHook customCall, bool isParallel,
                         void **executable);
  /// Runs at `place`; `results` gets a new reference for each result. A failure
  /// comes with diagnostics, unless another process failed first. Several
  /// threads may run executables, each its own.
  XlaToolCode (*execute)(XlaRun *run, void *executable,
                         const XlaRunPlace *place, intptr_t nInputs,
                         const XlaLiteral *const *inputs, intptr_t nResults,
                         XlaLiteral **results);
  void (*destroy)(void *executable);
  /// Whether `execute` itself fails when the time limit passes, saying where.
  bool watchesClock;
};

/// All devices, ended by NULL. The first is the reference that --device=all
/// compares the others with.
extern const XlaRunDevice *const xlaRunDevices[];

/// interpreter.c, cpu.c and vulkan.c.
extern const XlaRunDevice xlaRunInterpreter, xlaRunCpu, xlaRunVulkan;

/// `open` of devices of which there is one.
XlaToolCode xlaRunOpenOnly(XlaRun *run, const char *number, char why[512]);
/// `compile`, `execute` and `destroy` of devices whose executable is an
/// XlaExecutable; `vulkan` is NULL for the CPU. `addRows` adds to --stats.
XlaToolCode xlaRunCompile(XlaRun *run, MlirModule module,
                          MlirOperation function, XlaCustomCallHook customCall,
                          bool isParallel, XlaVulkanDevice *vulkan,
                          void (*addRows)(XlaRun *run,
                                          const XlaCompileStats *stats),
                          void **executable);
XlaToolCode xlaRunExecute(XlaRun *run, void *executable,
                          const XlaRunPlace *place, intptr_t nInputs,
                          const XlaLiteral *const *inputs, intptr_t nResults,
                          XlaLiteral **results);
void xlaRunDestroy(void *executable);
/// The XlaExecutable of what xlaRunCompile gave.
XlaExecutable *xlaRunGetExecutable(void *executable);

/// Where a program runs: which process it is, and what it is fed by; NULL:
/// there are no feeds.
struct XlaRunPlace {
  XlaProcess process;
  XlaRunFeed *feed;
};

/// Hears of every operation of the entry function and its results.
typedef void (*XlaRunObserve)(MlirOperation op, intptr_t nResults,
                              const XlaLiteral *const *results, void *data);

typedef struct XlaRunSum XlaRunSum;

/// Which of the ways to be inexact a run takes, see vary.c.
typedef struct XlaRunVariation {
  int number;
  uint64_t random;
  XlaRunSum *sums; ///< that run, the innermost first; xlaRunVariationFree
} XlaRunVariation;

/// Runs `function` on the reference evaluator at `place`, or alone with no
/// feeds if that is NULL; `observe` and `variation` may be NULL.
XlaToolCode xlaRunInterpret(XlaRun *run, MlirModule module,
                            MlirOperation function, const XlaRunPlace *place,
                            XlaCustomCallHook customCall, intptr_t nInputs,
                            const XlaLiteral *const *inputs, intptr_t nResults,
                            XlaLiteral **results, XlaRunObserve observe,
                            void *data, XlaRunVariation *variation);

/// The device that `text` names, NULL after a message. A number after a colon
/// chooses one of several.
const XlaRunDevice *xlaRunDeviceFind(const char *text);

/// Refuses --print-ir-after of a stage that no device asked for has.
XlaToolCode xlaRunCheckStages(const XlaRunOptions *options);

/// Compiles a function of the program, for what is seen of that.
XlaToolCode xlaRunCompileOnly(XlaRun *run, const XlaRunDevice *device,
                              MlirOperation function);

/// Executes what `device` compiled of a function of the program, as one process
/// with `run->feed`: what it sends, it may receive itself.
XlaToolCode xlaRunAlone(XlaRun *run, const XlaRunDevice *device,
                        void *executable, intptr_t nInputs,
                        const XlaLiteral *const *inputs, intptr_t nResults,
                        XlaLiteral **results);

/// Compiles and executes a function of the program. With `leftOut`, a program
/// that the device does not support is no failure: it says so on stderr and in
/// `*leftOut`.
XlaToolCode xlaRunOnDevice(XlaRun *run, const XlaRunDevice *device,
                           MlirOperation function, intptr_t nInputs,
                           const XlaLiteral *const *inputs, intptr_t nResults,
                           XlaLiteral **results, bool *leftOut);

/// Runs on `device`, which is open. With `leftOut` it compares with what it
/// gave without; a program that the device does not support is no failure then,
/// but said on stderr and in `*leftOut`.
typedef XlaToolCode (*XlaRunOn)(const XlaRunDevice *device, bool *leftOut,
                                void *data);
/// Calls `runOn` for the device of --device, or for all, the reference first
/// and without `leftOut`.
XlaToolCode xlaRunOnDevices(XlaRun *run, XlaRunOn runOn, void *data);

//===----------------------------------------------------------------------===//
// feeds.c: what xla.infeed takes and xla.outfeed gives
//===----------------------------------------------------------------------===//

/// What one process is fed with: `texts`, of --infeed, which may be NULL, or
/// what xlaRunFeedAdd adds. NULL without memory. May be used by several
/// threads.
XlaRunFeed *xlaRunFeedCreate(const XlaToolValues *texts);
void xlaRunFeedDestroy(XlaRunFeed *feed);
/// Adds an array to give, and takes over its only reference, also on failure,
/// which is a lack of memory.
bool xlaRunFeedAdd(XlaRunFeed *feed, XlaLiteral *array);

/// From here to xlaRunFeedEnd `run->feed` is a new one, with all values of
/// --infeed; `*before` gets that which was there. Nothing is changed on
/// failure.
XlaToolCode xlaRunFeedBegin(XlaRun *run, XlaRunFeed **before);
void xlaRunFeedEnd(XlaRun *run, XlaRunFeed *before);

/// What was sent out, borrowed, and how many arrays these are.
const XlaLiteral *const *xlaRunFeedGetOut(const XlaRunFeed *feed, intptr_t *n);

/// What the hooks do.
MlirLogicalResult xlaRunFeedIn(MlirOperation op, intptr_t n,
                               const XlaShape *shapes, XlaLiteral **arrays,
                               XlaRunFeed *feed);
MlirLogicalResult xlaRunFeedOut(MlirOperation op, intptr_t n,
                                const XlaLiteral *const *arrays,
                                XlaRunFeed *feed);

/// Writes what was sent out where --outfeed says, after `*written` arrays of
/// other processes, and counts on.
XlaToolCode xlaRunFeedWrite(const XlaRun *run, const XlaRunFeed *feed,
                            intptr_t *written);
/// Fails if values of --infeed are left, or files of --outfeed.
XlaToolCode xlaRunFeedsCheck(const XlaRun *run, intptr_t n,
                             XlaRunFeed *const *feeds, intptr_t written);

//===----------------------------------------------------------------------===//
// processes.c: replicas, partitions and programs that run together
//===----------------------------------------------------------------------===//

/// One of several that run at the same time.
typedef struct XlaRunProcess {
  MlirModule module; ///< of the program
  void *executable;  ///< its own, of the device
  intptr_t nInputs;
  const XlaLiteral *const *inputs; ///< its own: no other process reads them
  intptr_t nResults;
  XlaLiteral **results; ///< gets a new reference for each
  XlaRunFeed *feed;     ///< NULL: there is none
} XlaRunProcess;

/// Runs the processes of all `grids`, in the order of xlaRendezvousCreate, each
/// on a thread. The contexts of all modules must be ready for several threads
/// (mlirContextEnableMultithreading) if there is more than one.
XlaToolCode xlaRunProcesses(XlaRun *run, const XlaRunDevice *device, int nGrids,
                            const XlaGrid *grids,
                            const XlaRunProcess *processes);

//===----------------------------------------------------------------------===//
// parallel.c: programs that run others at the same time
//===----------------------------------------------------------------------===//

/// Runs a custom call of the target interpreter.run_parallel, on the device
/// that runs it.
MlirLogicalResult xlaRunParallel(XlaRun *run, MlirOperation op,
                                 intptr_t nOperands,
                                 const XlaLiteral *const *operands,
                                 intptr_t nResults, XlaLiteral **results);

//===----------------------------------------------------------------------===//
// together.c: what the command line says of them
//===----------------------------------------------------------------------===//

/// Whether the command line asks for more than one process.
bool xlaRunIsTogether(const XlaRun *run);
/// Runs `function` of the first program as all its replicas, and the programs
/// of --with beside it; then, if `writesOutputs`, writes their results, process
/// by process, and compares them with those expected.
XlaToolCode xlaRunTogether(XlaRun *run, MlirOperation function,
                           bool writesOutputs);

//===----------------------------------------------------------------------===//
// difference.c: where devices part
//===----------------------------------------------------------------------===//

/// Names the operation of `function` that `device` computes differently from
/// the interpreter, though its operands are equal.
void xlaRunFindDifference(XlaRun *run, const XlaRunDevice *device,
                          MlirOperation function, intptr_t nInputs,
                          const XlaLiteral *const *inputs);

//===----------------------------------------------------------------------===//
// vary.c: other right results
//===----------------------------------------------------------------------===//

enum { XLA_RUN_VARIATIONS = 11 };

/// What stands in place of an operand or a result in this variation; NULL: what
/// is there.
XlaLiteral *xlaRunVary(MlirOperation op, bool isResult, const XlaLiteral *value,
                       XlaRunVariation *variation);

/// Results that the function may have as well, as devices round. Returns how
/// many there are, which are to be destroyed; 0 if the user said how close
/// results must be. `feeds`, which may be NULL, get what the runs were fed by,
/// to be destroyed too. `observe` hears of each run, one after the other.
int xlaRunVariations(XlaRun *run, MlirOperation function, intptr_t nInputs,
                     const XlaLiteral *const *inputs,
                     XlaProgramValues variations[XLA_RUN_VARIATIONS],
                     XlaRunFeed *feeds[XLA_RUN_VARIATIONS],
                     XlaRunObserve observe, void *data);

//===----------------------------------------------------------------------===//
// vary_sum.c: sums that overflow on the way
//===----------------------------------------------------------------------===//

/// Keeps an operand, a float array, of `op` if that is a sum of floats.
void xlaRunSumAdd(MlirOperation op, const XlaLiteral *operand,
                  XlaRunVariation *variation);
/// Ends `op`, if it is such a sum: what it gives with NaN where terms of both
/// signs overflow; NULL if it is none, or without memory.
XlaLiteral *xlaRunSumEnd(MlirOperation op, const XlaLiteral *result,
                         XlaRunVariation *variation);
/// Frees what `variation` has kept of operations that did not end.
void xlaRunVariationFree(XlaRunVariation *variation);

//===----------------------------------------------------------------------===//
// check.c: what programs check themselves
//===----------------------------------------------------------------------===//

/// Runs custom calls of the targets check.expect_* (counts those that fail, and
/// reports what differs), interpreter.run_parallel, interpreter.print, Sharding
/// (which does nothing) and of functions of the libraries of --custom-calls.
/// Others are an error. An XlaCustomCallHook on an XlaRun.
MlirLogicalResult xlaRunCustomCall(MlirOperation op, MlirStringRef target,
                                   intptr_t nOperands,
                                   const XlaLiteral *const *operands,
                                   intptr_t nResults, XlaLiteral **results,
                                   void *run);
/// The same without the checks.
MlirLogicalResult xlaRunIgnoreCheck(MlirOperation op, MlirStringRef target,
                                    intptr_t nOperands,
                                    const XlaLiteral *const *operands,
                                    intptr_t nResults, XlaLiteral **results,
                                    void *run);

/// The program that `op` is in, or was before it was compiled.
const XlaProgram *xlaRunProgramOf(const XlaRun *run, MlirOperation op);

/// Opens the libraries of --custom-calls, closes them.
XlaToolCode xlaRunOpenLibraries(XlaRun *run);
void xlaRunCloseLibraries(XlaRun *run);

//===----------------------------------------------------------------------===//
// values.c: comparing results
//===----------------------------------------------------------------------===//

/// Compares with `given`, of --expected-output: Differs after saying where.
/// `whose` stands in front.
XlaToolCode xlaRunValuesCompareExpected(XlaRun *run, const char *whose,
                                        const XlaToolValues *given,
                                        const XlaProgramValues *values);
/// Compares with the values that the reference computed, and may have computed
/// as well. Says where they differ, unless `device` is NULL.
XlaToolCode xlaRunValuesCompare(XlaRun *run, const char *device,
                                const XlaProgramValues *got,
                                const XlaProgramValues *expected,
                                int nVariations,
                                const XlaProgramValues *variations);
/// The same of what feeds were sent, without variations.
XlaToolCode xlaRunFeedsCompare(XlaRun *run, const char *device,
                               const XlaRunFeed *got,
                               const XlaRunFeed *expected);

//===----------------------------------------------------------------------===//
// stages.c: what happens on the way
//===----------------------------------------------------------------------===//

XlaRunStages *xlaRunStagesCreate(const XlaRunOptions *options);
void xlaRunStagesDestroy(XlaRunStages *stages);
/// What follows belongs to `device`, which is kept, not copied; NULL: to none.
/// --dump has a folder for each device.
void xlaRunStagesSetDevice(XlaRunStages *stages, const char *device);
/// What follows, until it is heard again, is not what the user asked for:
/// nothing is shown or counted.
void xlaRunStagesSetQuiet(XlaRunStages *stages, bool quiet);
/// What is to be told of the fusions of `program` (its address): once a device,
/// not of each replica.
XlaFusionReport xlaRunStagesTakeReport(XlaRunStages *stages,
                                       const void *program);
/// Whether somebody wants to see the program after stages.
bool xlaRunStagesAreSeen(const XlaRunStages *stages);
/// The program after `stage`, for --dump and --print-ir-after: a file's content
/// and the end of its name, ".mlir". An observer of XlaCompileOptions.
void xlaRunStagesShow(const char *stage, const char *suffix, const char *data,
                      size_t size, void *stages);
/// The stage of reading `stage` has ended: its time is that since the last one.
/// Is an XlaProgramStage.
void xlaRunStagesRecord(const char *stage, MlirOperation module, void *stages);
/// A row of --stats: a name (copied), a number and its unit, "ms" or "bytes".
void xlaRunStagesAddRow(XlaRunStages *stages, const char *name, double number,
                        const char *unit);
/// Prints the table of --stats on stderr; fails if a file could not be written
/// or, unless the run failed before, a stage to print after did not occur.
XlaToolCode xlaRunStagesFinish(XlaRunStages *stages, bool failed);

/// The same, at first strictly, since other results that are right take the
/// interpreter several runs; and of what `run->feed` was sent with what
/// `expectedOut` was, unless that is NULL. Says where they differ.
XlaToolCode xlaRunValuesAgree(XlaRun *run, const XlaRunDevice *device,
                              MlirOperation function,
                              const XlaProgramValues *inputs,
                              const XlaProgramValues *got,
                              const XlaProgramValues *expected,
                              const XlaRunFeed *expectedOut);

//===----------------------------------------------------------------------===//
// self_test.c: built-in programs
//===----------------------------------------------------------------------===//

/// What the programs of a self-test ended in.
typedef struct XlaRunCounts {
  int right, wrong, refused, failed;
} XlaRunCounts;
/// Counts a program that ended so; the word for it in a table.
const char *xlaRunCountsAdd(XlaRunCounts *counts, XlaToolCode code);

/// Runs built-in programs on the devices asked for, and prints a table for each
/// and how fast it is.
XlaToolCode xlaRunSelfTest(XlaRun *run);
/// Runs `module` on the interpreter and on `device`, and compares. What is
/// refused or fails says why in `why`.
XlaToolCode xlaRunTestModule(XlaRun *run, const XlaRunDevice *device,
                             MlirModule module, char why[512]);
/// self_test_programs.c: programs that are compared.
void xlaRunTestPrograms(XlaRun *run, const XlaRunDevice *device,
                        MlirContext context, XlaRunCounts *counts);
/// self_test_speed.c: programs of some size, compared and timed.
XlaToolCode xlaRunTestSpeed(XlaRun *run, const XlaRunDevice *device,
                            MlirContext context, XlaRunCounts *counts);

#endif // XLAC_TOOLS_XLA_RUN_RUN_H

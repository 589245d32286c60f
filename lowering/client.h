//===- client.h - Compiling and running computations from C ------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A client is a device with a context. Programs are built in that context with
// dialect/builder.h, compiled, and run on literals:
//
//   XlaClient *client;
//   XlaStatus status = xlaClientCreate(&(XlaClientOptions){"cpu"}, &client);
//   .. XlaBuilder *b = xlaBuilderCreate(xlaClientGetContext(client), "f"); ..
//   XlaLoadedExecutable *executable;
//   status = xlaClientCompile(client, computation, &executable);
//   status = xlaLoadedExecutableRun(executable, 1, &input, &output);
//
// examples/layer.c is a whole one. Errors are statuses, whose messages hold
// what the compiler or the device said. Several threads may run a client's
// executables at once, the same one too; everything else is for one thread at a
// time, while nothing runs.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CLIENT_H
#define XLAC_LOWERING_CLIENT_H

#include "xlac/dialect/builder.h"
#include "xlac/lowering/executable.h"
#include "xlac/passes/partition/partition.h"
#include "xlac/runtime/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum XlaTraceKind {
  XlaTraceKindRun, ///< of a program, from its start to when its results are
                   ///< there
  XlaTraceKindFromHost,
  XlaTraceKindToHost,
  XlaTraceKindCompile,
  XlaTraceKindCount
} XlaTraceKind;

/// Something that took a time.
typedef struct XlaTraceEvent {
  XlaTraceKind kind;
  const char *name;  ///< of the program, or what was copied
  double begin, end; ///< as xlaClockMilliseconds
  size_t bytes;      ///< of a copy
} XlaTraceEvent;

/// Zero-initialised is the default.
typedef struct XlaClientOptions {
  /// "cpu" (also NULL), "interpreter" for the reference evaluator, "vulkan" for
  /// the best Vulkan device or "vulkan:N" for device N of
  /// xla-run --list-devices.
  const char *device;
  /// The processor that code is generated for, and the threads of parallel
  /// loops; NULL and 0 as in XlaCpuTargetOptions.
  const char *cpu;
  int threads;
  XlaCustomCallHook customCall; ///< NULL: custom calls are errors
  const char *customCallTarget; ///< the only one that it runs; NULL: all. Kept
  void *user;                   ///< what hooks get
  /// Where arrays of xla.infeed come from and those of xla.outfeed go to; NULL:
  /// nowhere, which is an error of the run that gets there.
  XlaInfeedHook infeed;
  XlaOutfeedHook outfeed;
  /// Which numbers xla.rng_uniform and xla.rng_normal draw, in every program;
  /// 0: those of the seed that the module states, or 0.
  int64_t seed;
  /// Whether somebody wants to know what is done with arrays, and who then gets
  /// it, on any thread; NULL: nobody.
  bool (*isTraced)(void *traceUser);
  void (*trace)(const XlaTraceEvent *event, void *traceUser);
  void *traceUser;
} XlaClientOptions;

typedef struct XlaClient XlaClient;

/// Opens the device. INVALID_ARGUMENT for other words than those above,
/// NOT_FOUND and UNIMPLEMENTED as xlaVulkanDeviceOpen gives them, and what
/// xlaCpuTargetCreate says of `cpu`. `options` may be NULL.
XlaStatus xlaClientCreate(const XlaClientOptions *options, XlaClient **client);
/// After its executables, computations and builders. NULL is allowed.
void xlaClientDestroy(XlaClient *client);
/// Where builders for this client work. Lives as long as the client.
MlirContext xlaClientGetContext(const XlaClient *client);

/// A computation compiled for a client's device.
typedef struct XlaLoadedExecutable XlaLoadedExecutable;

/// INVALID_ARGUMENT if an argument is NULL or `computation` of another context,
/// UNIMPLEMENTED if the device cannot do what it asks for (the message says
/// which op), INTERNAL if this compiler failed.
XlaStatus xlaClientCompile(XlaClient *client, const XlaComputation *computation,
                           XlaLoadedExecutable **executable);
/// The same for the function `entry` of any module of the client's context,
/// with one result. Copied. If the function takes arrays of unknown size, as
/// jax.export writes them, the module is StableHLO as xlaStableHloParse gives
/// it (passes/import/stablehlo.h; the context must allow unregistered
/// dialects), and it is compiled when it runs: see xlaExecutableCompile.
XlaStatus xlaClientCompileModule(XlaClient *client, MlirModule module,
                                 const char *entry,
                                 XlaLoadedExecutable **executable);
/// A program as people have it (formats/module.h lists the forms), but for
/// MLIR's own bytecode, whose reader trusts it.
typedef struct XlaClientProgram {
  const char *bytes;
  size_t size;
  const char *name;  ///< of its file, for messages; NULL: "program"
  const char *entry; ///< the function; NULL: main, or the only public one
  /// If not NULL, the bytes stay as they are until it is called with `user`,
  /// which happens once, also on failure, and in any thread: large constants of
  /// artifacts refer to them then (formats/module.h).
  void (*release)(void *user);
  /// It will run on arrays (lowering/array.h), not on literals: what only those
  /// need is thrown away, which is most of its memory. Tokens that it takes and
  /// gives are arrays pred[0] then (passes/import/tokens.h).
  bool forArrays;
  /// Gets the function as it was read, to look at its attributes. NULL: not
  /// called.
  void (*read)(MlirOperation function, void *user);
  /// Gets what it has become for several devices, to change it. NULL: not
  /// called.
  void (*partitioned)(MlirOperation function, const XlaPartition *partition,
                      void *user);
  /// Gets the program in xla after fusion, and its function, to look at, not to
  /// change; not where sizes are not known yet, nor of the interpreter. NULL:
  /// not called.
  void (*prepared)(MlirModule module, MlirOperation entry, void *user);
  /// As in XlaCompileOptions.
  const XlaKeptCode *kept;
  void (*keep)(const XlaKeptCode *code, void *user);
  void *user; ///< of `release`, `read`, `partitioned`, `prepared` and `keep`
  /// It is for so many devices (passes/partition/partition.h), whose parts of
  /// arrays, of unknown size too, it takes and gives. Of a replica and a
  /// partition xlaLoadedExecutableGetPartition gives NULL unless the program
  /// needs it. 0 counts as 1; where both are 0, a program of several devices
  /// takes and gives whole arrays.
  int replicas, partitions;
} XlaClientProgram;

/// Compiles it in a context of its own, so that several threads may compile at
/// once, and while programs run. It may have any number of results, and inputs
/// that it says are donated (`jax.buffer_donor`, `tf.aliasing_output`,
/// `xla.donated`) may be overwritten: lowering/array.h. Fails: INVALID_ARGUMENT
/// for what is no program or breaks a rule, with its place; UNIMPLEMENTED for
/// what is not supported; INTERNAL if this compiler failed.
XlaStatus xlaClientCompileProgram(XlaClient *client,
                                  const XlaClientProgram *program,
                                  XlaLoadedExecutable **executable);
void xlaLoadedExecutableDestroy(XlaLoadedExecutable *executable);
/// What its inputs and outputs are of the devices; NULL if the program is that
/// of one device. Lives as long as the executable.
const XlaPartition *
xlaLoadedExecutableGetPartition(const XlaLoadedExecutable *executable);
/// The name of the program's module, else that of the function. Lives as long
/// as the executable.
const char *xlaLoadedExecutableGetName(const XlaLoadedExecutable *executable);

/// Runs on a literal for each parameter, of its type, and gives the result as a
/// new reference. Inputs are borrowed. Parameters of unknown size take any, for
/// which the program is compiled at its first run; those of the last
/// XLA_EXECUTABLE_SIZES sizes are kept. INVALID_ARGUMENT if number or types are
/// wrong or the program asserts other sizes; UNIMPLEMENTED if a shape does not
/// follow from sizes (the message says at which op); DEVICE_LOST, OUT_OF_MEMORY
/// .. with the device's message if running fails.
XlaStatus xlaLoadedExecutableRun(XlaLoadedExecutable *executable,
                                 intptr_t nInputs,
                                 const XlaLiteral *const *inputs,
                                 XlaLiteral **output);

/// The same for any number of results; xlaClientCompileProgram's may have
/// others than one.
XlaStatus xlaLoadedExecutableRunAll(XlaLoadedExecutable *executable,
                                    intptr_t nInputs,
                                    const XlaLiteral *const *inputs,
                                    intptr_t nOutputs, XlaLiteral **outputs);
/// Of the function, tuples counted as one.
intptr_t
xlaLoadedExecutableGetNumResults(const XlaLoadedExecutable *executable);

XlaClient *xlaLoadedExecutableGetClient(const XlaLoadedExecutable *executable);
/// The executable behind it, to run on plain memory without allocations, or to
/// see what the compilation took; NULL for the interpreter. Lives as long as
/// the loaded one.
XlaExecutable *
xlaLoadedExecutableGetExecutable(const XlaLoadedExecutable *executable);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CLIENT_H

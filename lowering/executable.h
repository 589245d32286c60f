//===- executable.h - From a program to something that runs ------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole way, for the CPU or a Vulkan device: prepare (legalize, fuse),
// assign buffers, emit the host program and kernels, schedule, generate code,
// link.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_EXECUTABLE_H
#define XLAC_LOWERING_EXECUTABLE_H

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/lowering/cpu/kept.h"
#include "xlac/lowering/cpu/target.h"
#include "xlac/lowering/stats.h"
#include "xlac/passes/prepare.h"
#include "xlac/runtime/vulkan/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Zero-initialised is the default.
typedef struct XlaCompileOptions {
  /// NULL: the host, created for this compilation. The executable of a foreign
  /// target cannot run: its code is for `observe`.
  const XlaCpuTarget *target;
  /// Runs the program there, and only its control flow on the host. It must
  /// live as long as the executable. NULL: all runs on the CPU.
  XlaVulkanDevice *vulkan;
  /// Schedules for a device of this kind and with these limits, none of which
  /// must be beyond those of `vulkan`; NULL: for that itself. For tests.
  const XlaVulkanInfo *vulkanInfo;
  bool unfused; ///< every operation is a kernel of its own; for tests
  /// Tells on stderr which kernels there are, and why arrays go through memory
  /// between them; not of what is unfused.
  XlaFusionReport report;
  bool verify; ///< run MLIR's and LLVM's verifiers between steps
  /// Gets the program after every stage: "prepared" (xla, fused), "linalg"
  /// (kernels on memrefs), "affine" (nests), then the stages of codegen.h:
  /// "math", "lowered", "llvm", "optimized" as text, "object" as bytes. For
  /// Vulkan "prepared", "host", "linalg", then those of vulkan/kernels.h:
  /// "affine", "spirv", and each "shader" as bytes. NULL: not called.
  void (*observe)(const char *stage, const char *suffix, const char *data,
                  size_t size, void *user);
  void *user;
  /// Gets the program that "prepared" names, and its function `entry`, to look
  /// at, not to change. NULL: not called.
  void (*prepared)(MlirModule module, MlirOperation entry, void *user);
  void *preparedUser;
  /// Machine code of an earlier compilation, used if it is of the same; and who
  /// gets that of this one; of the CPU, and not with `observe`. NULL: none,
  /// nobody.
  const XlaKeptCode *kept;
  void (*keep)(const XlaKeptCode *code, void *user);
  void *keepUser;
  /// Runs xla.custom_call on literals; NULL: custom calls are errors.
  XlaCustomCallHook customCall;
  const char *customCallTarget; ///< the only one that it runs; NULL: all. Kept
  void *customCallUser;
  /// Where arrays of xla.infeed come from and those of xla.outfeed go to, and
  /// what both get; NULL: nowhere, which is an error of the run that gets
  /// there.
  XlaInfeedHook infeed;
  XlaOutfeedHook outfeed;
  void *feedUser;
  /// Several replicas or partitions run it, each an executable of its own:
  /// xlaExecutableSetProcess says which one this is. Otherwise what operations
  /// between replicas give is that of one, which is alone.
  bool isParallel;
  /// Inputs (numbered as those of the executable) that may be overwritten, as
  /// if their arguments had the attribute xla.donated; see buffers.h.
  intptr_t nDonated;
  const intptr_t *donated;
} XlaCompileOptions;

typedef struct XlaExecutable XlaExecutable;

/// How many sizes of inputs an executable of a function of unknown sizes keeps
/// programs for.
enum { XLA_EXECUTABLE_SIZES = 16 };

/// Compiles the function `entry` of `module`, which is not changed and must
/// live as long as the executable if that has custom calls, infeeds, outfeeds
/// or operations between replicas. On failure a diagnostic was emitted and
/// `*out` is NULL.
///
/// If the function takes arrays of which neither size nor bound is known
/// (`tensor<?x4xf32>`), `module` is StableHLO as xlaStableHloParse gives it.
/// Such an executable is only a copy of it: it is compiled when it runs on
/// literals, or is asked for, with inputs of sizes that are new to it.
/// `target`, `vulkan` and what `user`, `customCallUser` and `feedUser` point to
/// must live as long as the executable.
MlirLogicalResult xlaExecutableCompile(MlirModule module, MlirStringRef entry,
                                       const XlaCompileOptions *options,
                                       XlaExecutable **out);
void xlaExecutableDestroy(XlaExecutable *executable);

/// Whether it is an executable of unknown sizes. It has no inputs and outputs
/// that could be asked for, and does not run on plain memory.
bool xlaExecutableIsUnbounded(const XlaExecutable *executable);

/// The executable for inputs of these shapes, one for each array in the
/// arguments, tuples flattened: to run on plain memory, or to compile ahead of
/// a run. It belongs to `executable`, and lives as long, but at most until
/// XLA_EXECUTABLE_SIZES other shapes have been asked for or run on: that which
/// has not been used for longest goes. One that is there is found without
/// allocations. `executable` itself if it is not unbounded; `inputs` is not
/// read then. On failure a diagnostic was emitted and `*specialized` is NULL:
/// where the number or the shapes do not fit the function, an assertion of the
/// program on its sizes fails, or a shape does not follow from the sizes of
/// inputs, which is an error at its operation. One call at a time, as with
/// runs.
MlirLogicalResult xlaExecutableSpecialize(XlaExecutable *executable,
                                          intptr_t nInputs,
                                          const XlaShape *inputs,
                                          XlaExecutable **specialized);

/// What the compilation took; of an executable of unknown sizes, the last one.
const XlaCompileStats *xlaExecutableGetStats(const XlaExecutable *executable);

/// Inputs and outputs as the compiled program has them: tuples are flattened
/// into their leaves, in order. Arrays with dynamic dimensions are those of
/// their bounds, with anything beyond their sizes, which follow after all
/// arrays as s32 scalars, in order.
intptr_t xlaExecutableGetNumInputs(const XlaExecutable *executable);
intptr_t xlaExecutableGetNumOutputs(const XlaExecutable *executable);
const XlaShape *xlaExecutableGetInputShape(const XlaExecutable *executable,
                                           intptr_t index);
const XlaShape *xlaExecutableGetOutputShape(const XlaExecutable *executable,
                                            intptr_t index);

/// The donated input whose memory can be that of output `index`, so that what
/// it holds is changed in place; -1 if there is none. No two outputs have the
/// same one.
intptr_t xlaExecutableGetAliasedInput(const XlaExecutable *executable,
                                      intptr_t index);

/// The place of the runs from now on among those that run at the same time,
/// each on a thread of its own: where they meet for operations between
/// replicas, and what sends and recvs lead through. Who runs them calls
/// xlaProcessFinish after a run; `process` is copied, its rendezvous must live
/// as long as the runs. Until it is called the executable is alone, and
/// transfers are errors.
void xlaExecutableSetProcess(XlaExecutable *executable,
                             const XlaProcess *process);

/// Runs on dense row-major arrays of the shapes above, 64-byte aligned for
/// speed. Outputs must not overlap inputs or each other, but an output may be
/// exactly its aliased input, which is lost then; if it is not, the input is
/// copied there first and kept. Allocates nothing but the
/// literals of custom calls, infeeds and outfeeds, and the memory of runs that
/// overlap for the first time. Several threads may run one executable at once:
/// on the CPU each in memory of its own; where it has calls, or a device has
/// memory of its own, they take turns. Fails if
/// one of these did, after which the outputs have no meaning, or with a
/// diagnostic if a Vulkan device did, or if an array with elements is NULL. On
/// such a device inputs may be NULL, for those of the last run, and outputs
/// NULL, to leave them there.
MlirLogicalResult xlaExecutableRun(XlaExecutable *executable,
                                   const void *const *inputs,
                                   void *const *outputs);

/// The same on literals, whose tuples are flattened and formed again by the
/// types of the source function. `nInputs` and `nOutputs` count its arguments
/// and results; `outputs` gets new references. Their memory is used again by
/// later runs when they are released, and may outlive the executable. One of
/// unknown sizes is compiled for those of `inputs`, if they are not kept.
MlirLogicalResult xlaExecutableRunLiterals(XlaExecutable *executable,
                                           intptr_t nInputs,
                                           const XlaLiteral *const *inputs,
                                           intptr_t nOutputs,
                                           XlaLiteral **outputs);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_EXECUTABLE_H

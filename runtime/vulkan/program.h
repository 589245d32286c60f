//===- program.h - Running compiled programs on Vulkan ------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program is a list of *steps* (dispatches of shaders, copies), cut into
// *runs*: straight sequences between which the host decides how to go on. Its
// inputs and outputs are arrays of the device (array.h), other ones each time;
// all other memory is its own. Descriptors are written and command buffers
// recorded for the inputs and outputs that it gets, with barriers only between
// steps of which one writes what the other touches; what was recorded for the
// last XlaVulkanBindingsMax sets of them is kept. Running it on one of these
// submits command buffers, and allocates nothing.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_VULKAN_PROGRAM_H
#define XLAC_RUNTIME_VULKAN_PROGRAM_H

#include "xlac/runtime/vulkan/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A compute shader whose bindings are storage buffers 0, 1, .. of descriptor
/// set 0, or reached by addresses. It has neither push constants nor
/// specialization constants.
typedef struct XlaVulkanShader {
  const uint32_t *words; ///< SPIR-V
  size_t nWords;
  const char *entry; ///< the entry point's name
  const char *name;  ///< which fusion it is, for debuggers and messages
  intptr_t nBindings;
  /// Bindings are addresses: storage buffer 0, the only one, is a list of them,
  /// of 64 bits each. Their ranges start at multiples of
  /// XlaVulkanAddressAlignment and may have any length.
  bool usesAddresses;
} XlaVulkanShader;

enum {
  XlaVulkanSpansMax = 4096,       ///< of a dispatch
  XlaVulkanDescriptorsMax = 64,   ///< storage buffers of a shader
  XlaVulkanAddressAlignment = 16, ///< of what a shader has the address of
  /// Sets of inputs and outputs that a program keeps what it recorded for. They
  /// are the same if they lie in the same memory. Another one takes the place
  /// of that which was not used for longest, when the device is done with it.
  XlaVulkanBindingsMax = 8,
};

typedef enum XlaVulkanMemory {
  XlaVulkanMemoryInput,    ///< input `index`
  XlaVulkanMemoryOutput,   ///< output `index`
  XlaVulkanMemoryConstant, ///< the constants
  XlaVulkanMemoryArena,
  XlaVulkanMemoryScratch,
} XlaVulkanMemory;

/// A range of memory, in bytes. Storage buffers start at multiples of the
/// device's offsetAlignment and are no longer than its maxBufferRange. Memory
/// of 0 bytes is never bound.
typedef struct XlaVulkanSpan {
  XlaVulkanMemory memory;
  intptr_t index;
  int64_t offset, bytes;
} XlaVulkanSpan;

/// A dispatch of `shader`, or (if it is negative) a copy of bytes from
/// `spans[0]` to `spans[1]`, which are equally long and do not overlap.
typedef struct XlaVulkanStep {
  intptr_t shader;
  uint32_t groups[3]; ///< all at least 1, within the device's maxGroupCount
  intptr_t nSpans;    ///< the shader's bindings
  const XlaVulkanSpan *spans;
  /// A bit (1 << i) for each span that the step may write; the others are only
  /// read. Those from 64 on have theirs in `moreWritten`, 64 a word; NULL: they
  /// are only read.
  uint64_t written;
  const uint64_t *moreWritten;
} XlaVulkanStep;

/// Whether a dispatch may write a span of its own.
static inline bool xlaVulkanStepWrites(const XlaVulkanStep *step,
                                       intptr_t span) {
  if (span < 64)
    return step->written >> span & 1;
  return step->moreWritten &&
         (step->moreWritten[span / 64 - 1] >> span % 64 & 1);
}

typedef struct XlaVulkanProgram XlaVulkanProgram;

/// Values of `bytes` bytes from `offset` on in the constants' memory.
typedef struct XlaVulkanConstant {
  int64_t offset, bytes;
  const void *data; ///< read while the program is made
} XlaVulkanConstant;

/// What the compiler made; copied as far as it is needed. Sizes in bytes.
typedef struct XlaVulkanProgramInfo {
  intptr_t nShaders;
  const XlaVulkanShader *shaders;
  intptr_t nSteps;
  const XlaVulkanStep *steps;
  intptr_t nRuns;
  const intptr_t *runs; ///< nRuns + 1 positions in `steps`: run r is
                        ///< runs[r] .. runs[r + 1] - 1
  intptr_t nInputs, nOutputs;
  const int64_t *inputBytes, *outputBytes;
  /// By output: the input, at least as long, in whose memory it may be, so that
  /// what that holds is changed in place; the steps find the input's elements
  /// in the output. -1: there is none. No two outputs have the same. NULL: no
  /// output has one.
  const intptr_t *aliases;
  int64_t constantBytes, arenaBytes, scratchBytes;
  intptr_t nConstants;
  const XlaVulkanConstant *constants; ///< what of `constantBytes` has values
  /// Memory of more bytes, but constants, consists of pieces of so many: a
  /// power of two, at least 256. A bound range lies in one piece. One that a
  /// shader has the address of lies in one, or begins with one, and the list
  /// has the addresses of all that it has bytes for. 0: nothing has pieces.
  int64_t pieceBytes;
  /// The host's part, which calls xlaVulkanProgramLaunch, -Load and -Set on its
  /// argument; NULL: run 0 is all.
  void (*entry)(XlaVulkanProgram *program, void *user);
} XlaVulkanProgramInfo;

/// Compiles the shaders (through the device's pipeline cache), allocates, and
/// records what touches no input or output. Fails: OUT_OF_MEMORY (says how many
/// bytes of what were asked for; that inputs and outputs do not fit in any
/// case, too), DEVICE_LOST, INVALID_ARGUMENT for what contradicts itself or the
/// device's limits, INTERNAL where the driver refuses a shader (names it).
XlaStatus xlaVulkanProgramCreate(XlaVulkanDevice *device,
                                 const XlaVulkanProgramInfo *info,
                                 XlaVulkanProgram **program);
/// Waits for its runs.
void xlaVulkanProgramDestroy(XlaVulkanProgram *program);

/// Runs the program, after all work that was asked for before: what it needs
/// need not be finished. `*number` is when it is (xlaVulkanDeviceWait); without
/// an `entry` it waits for nothing, but for the device to be done with what was
/// recorded for other arrays if these are new to the program. `user` is handed
/// to `entry`. On failure `*number` is when the device is done with what was
/// begun, and the outputs have no meaning.
///
/// Arrays have at least the bytes of the inputs and outputs, and pieces at
/// least as long as `pieceBytes`, if they have several; an array may be several
/// inputs, and an output its aliased input, which is lost then. An aliased
/// output that is another array gets a copy of the input first. All else that
/// is the same array is INVALID_ARGUMENT, as is one of another device. They may
/// be destroyed when the call has returned.
///
/// Several threads may run a program at once; those of one with an `entry` take
/// turns.
XlaStatus xlaVulkanProgramRun(XlaVulkanProgram *program,
                              XlaVulkanArray *const *inputs,
                              XlaVulkanArray *const *outputs, void *user,
                              uint64_t *number);

/// The same on memory of the host is these three, by one thread at a time. The
/// arrays are the program's own then, made when they are first asked for, which
/// may fail with OUT_OF_MEMORY. Data stays in them, so that the second can be
/// repeated, or timed alone.
XlaStatus xlaVulkanProgramWriteInputs(XlaVulkanProgram *program,
                                      const void *const *inputs);
/// Waits until the device has finished. `user` is handed to `entry`.
XlaStatus xlaVulkanProgramExecute(XlaVulkanProgram *program, void *user);
XlaStatus xlaVulkanProgramReadOutputs(XlaVulkanProgram *program,
                                      void *const *outputs);

/// For `entry`: appends run `run`. After a failure, which the run returns, it
/// does nothing.
void xlaVulkanProgramLaunch(XlaVulkanProgram *program, intptr_t run);
/// For `entry`: waits for all runs so far and copies the span to `data`.
/// Writes zeros after a failure, so that loops end.
void xlaVulkanProgramLoad(XlaVulkanProgram *program, const XlaVulkanSpan *span,
                          void *data);
/// For `entry`: the same in the other direction, in order with the runs.
void xlaVulkanProgramStore(XlaVulkanProgram *program, const XlaVulkanSpan *span,
                           const void *data);

/// For `entry`: writes a scalar, the lowest bytes of `value`, in order with the
/// runs, and waits for nothing. The span has 1, 2, 4 or 8 bytes, starts at a
/// multiple of 4, and shares the 4 bytes there with nothing.
void xlaVulkanProgramSet(XlaVulkanProgram *program, const XlaVulkanSpan *span,
                         int64_t value);

/// What it took, so far, and what was made.
typedef struct XlaVulkanProgramStats {
  double pipelineMs, recordMs; ///< wall clock
  int64_t deviceBytes;         ///< of its memory, with its inputs and outputs
  intptr_t nBarriers, nDispatches;
  intptr_t nRecorded; ///< sets of inputs and outputs that were recorded for
} XlaVulkanProgramStats;
/// Not while it runs.
const XlaVulkanProgramStats *
xlaVulkanProgramGetStats(const XlaVulkanProgram *program);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_VULKAN_PROGRAM_H

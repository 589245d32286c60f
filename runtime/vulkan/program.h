//===- program.h - Running compiled programs on Vulkan ------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program is a list of *steps* (dispatches of shaders, copies), cut into
// *runs*: straight sequences between which the host decides how to go on. Where
// everything lies is known when the program is made: memory is allocated,
// descriptors are written and each run's command buffer is recorded then, with
// barriers only between steps of which one writes what the other touches.
// Running it submits command buffers, and allocates nothing.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_VULKAN_PROGRAM_H
#define XLAC_RUNTIME_VULKAN_PROGRAM_H

#include "xlac/runtime/vulkan/device.h"

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
  XlaVulkanSpansMax = 64,         ///< of a dispatch: XlaVulkanStep.written
  XlaVulkanAddressAlignment = 16, ///< of what a shader has the address of
};

typedef enum XlaVulkanMemory {
  XlaVulkanMemoryInput,    ///< input `index`
  XlaVulkanMemoryOutput,   ///< output `index`
  XlaVulkanMemoryConstant, ///< the constants
  XlaVulkanMemoryArena,
  XlaVulkanMemoryScratch,
  XlaVulkanMemoryAddresses, ///< the program's own
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
  /// read.
  uint64_t written;
} XlaVulkanStep;

typedef struct XlaVulkanProgram XlaVulkanProgram;

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
  int64_t constantBytes, arenaBytes, scratchBytes;
  const void *constants; ///< `constantBytes` of them
  /// Memory of more bytes, but constants, consists of pieces of so many: a
  /// power of two, at least 256. A bound range lies in one piece. One that a
  /// shader has the address of lies in one, or begins with one, and the list
  /// has the addresses of all that it has bytes for. 0: nothing has pieces.
  int64_t pieceBytes;
  /// The host's part, which calls xlaVulkanProgramLaunch, -Load and -Set on its
  /// argument; NULL: run 0 is all.
  void (*entry)(XlaVulkanProgram *program, void *user);
} XlaVulkanProgramInfo;

/// Compiles the shaders (through the device's pipeline cache), allocates and
/// records. Fails: OUT_OF_MEMORY (says how many bytes of what were asked for),
/// DEVICE_LOST, INVALID_ARGUMENT for what contradicts itself or the device's
/// limits, INTERNAL where the driver refuses a shader (names it).
XlaStatus xlaVulkanProgramCreate(XlaVulkanDevice *device,
                                 const XlaVulkanProgramInfo *info,
                                 XlaVulkanProgram **program);
void xlaVulkanProgramDestroy(XlaVulkanProgram *program);

/// A run of a program is these three. Data stays on the device between them, so
/// that the second can be repeated, or timed alone.
XlaStatus xlaVulkanProgramWriteInputs(XlaVulkanProgram *program,
                                      const void *const *inputs);
/// Waits until the device has finished. `user` is handed to `entry`.
XlaStatus xlaVulkanProgramExecute(XlaVulkanProgram *program, void *user);
XlaStatus xlaVulkanProgramReadOutputs(XlaVulkanProgram *program,
                                      void *const *outputs);

/// For `entry`: appends run `run`. After a failure, which Execute returns, it
/// does nothing.
void xlaVulkanProgramLaunch(XlaVulkanProgram *program, intptr_t run);
/// For `entry`: waits for all runs so far and copies the span to `data`.
/// Writes zeros after a failure, so that loops end.
void xlaVulkanProgramLoad(XlaVulkanProgram *program, const XlaVulkanSpan *span,
                          void *data);
/// For `entry`: the same in the other direction.
void xlaVulkanProgramStore(XlaVulkanProgram *program, const XlaVulkanSpan *span,
                           const void *data);

/// For `entry`: writes a scalar, the lowest bytes of `value`, in order with the
/// runs, and waits for nothing. The span has 1, 2, 4 or 8 bytes, starts at a
/// multiple of 4, and shares the 4 bytes there with nothing.
void xlaVulkanProgramSet(XlaVulkanProgram *program, const XlaVulkanSpan *span,
                         int64_t value);

/// What creating took, and what it made.
typedef struct XlaVulkanProgramStats {
  double pipelineMs, recordMs; ///< wall clock
  int64_t deviceBytes;
  intptr_t nBarriers, nDispatches;
} XlaVulkanProgramStats;
const XlaVulkanProgramStats *
xlaVulkanProgramGetStats(const XlaVulkanProgram *program);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_VULKAN_PROGRAM_H

//===- device.h - Vulkan devices ----------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loader (libvulkan.so.1) is opened when the first device is asked for, so
// that programs which never use Vulkan do not need it. Every failure, a missing
// loader or driver included, is a status that says what to do; after one, also
// after DEVICE_LOST, devices can be opened again.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_VULKAN_DEVICE_H
#define XLAC_RUNTIME_VULKAN_DEVICE_H

#include "xlac/runtime/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Best first: the order in which a device is picked.
typedef enum XlaVulkanKind {
  XlaVulkanKindDiscrete,
  XlaVulkanKindIntegrated,
  XlaVulkanKindVirtual,
  XlaVulkanKindOther,
  XlaVulkanKindSoftware,
} XlaVulkanKind;

/// "discrete GPU", "integrated GPU", ..
const char *xlaVulkanKindName(XlaVulkanKind kind);

/// What a device is and can do, as far as this project uses it. Features that
/// are true here are enabled on devices that xlaVulkanDeviceOpen opens. Sizes
/// are in bytes.
typedef struct XlaVulkanInfo {
  char name[256];   ///< "NVIDIA H100", "llvmpipe (LLVM 15.0.6, 256 bits)"
  char driver[256]; ///< "llvmpipe, Mesa 22.3.6 (LLVM 15.0.6)"
  XlaVulkanKind kind;
  uint32_t apiVersion; ///< VK_API_VERSION_1_3, ..
  /// Why it cannot be used ("has no compute queue"), or NULL.
  const char *whyNot;

  // Arithmetic, and access of storage buffers, in types beside f32 and i32.
  bool f16, f64, i8, i16, i64;
  bool storage8, storage16;
  /// Shaders reach memory by addresses of 64 bits (bufferDeviceAddress), and
  /// compute these.
  bool addresses;
  /// What the shader may demand of floats (SPIR-V's execution modes).
  bool denormPreserve16, denormPreserve32, denormPreserve64;
  bool signedZeroInfNan16, signedZeroInfNan32, signedZeroInfNan64;
  bool roundToEven16, roundToEven32, roundToEven64;

  uint32_t subgroupSize; ///< threads of a subgroup
  /// In compute shaders, and subgroups are full and of that size.
  bool subgroupArithmetic, subgroupBallot, subgroupShuffle;

  uint32_t maxGroupCount[3], maxGroupSize[3], maxGroupInvocations;
  int64_t sharedBytes;    ///< workgroup memory
  uint32_t maxBindings;   ///< storage buffers of a shader
  int64_t maxBufferRange; ///< of one binding
  /// Elements of an array that indices of 32 bits reach: 2^31 - 1; less lets
  /// small arrays be treated as large ones.
  int64_t maxElements;
  int64_t maxAllocation;   ///< of one piece of memory
  int64_t offsetAlignment; ///< of a binding's offset, a power of two
  int64_t memoryBytes;     ///< of the largest device-local heap
  bool isUnified;          ///< the host can write all of it directly
} XlaVulkanInfo;

/// Any function of Vulkan, to be cast to its own type.
typedef void (*XlaVulkanFunction)(void);

/// Zero-initialised is the default.
typedef struct XlaVulkanOptions {
  /// Turns the Khronos validation layer on, with synchronization checks; fails
  /// with NOT_FOUND where it is not installed. What it says goes to `message`.
  bool validate;
  /// Gets every message of the validation layer; NULL: they are counted only.
  void (*message)(const char *text, void *user);
  void *user;
  /// Folder for pipelines compiled by the driver; NULL: $XLAC_CACHE_DIR, else
  /// $XDG_CACHE_HOME/xlac, else $HOME/.cache/xlac. "" keeps nothing. A damaged
  /// or foreign file is ignored and replaced.
  const char *cacheFolder;
  /// For tests and tracers: is told every function of Vulkan that is looked up
  /// ("vkQueueSubmit") and gives what is called in its place, `found` for no
  /// change. NULL: none is replaced.
  XlaVulkanFunction (*replace)(const char *name, XlaVulkanFunction found,
                               void *user);
} XlaVulkanOptions;

/// All devices, `*n` of them, in the order of XlaVulkanKind (then the
/// driver's) and behind them those that cannot be used, so that number 0 is the
/// default. `options` may be NULL. NOT_FOUND, with the reason and a
/// remedy, where there is no loader or no device. Free `*infos` with free().
XlaStatus xlaVulkanEnumerate(const XlaVulkanOptions *options,
                             XlaVulkanInfo **infos, intptr_t *n);

typedef struct XlaVulkanDevice XlaVulkanDevice;

/// Opens device `number` of xlaVulkanEnumerate. NOT_FOUND if there is no such
/// device, UNIMPLEMENTED if it lacks what programs need (names it).
XlaStatus xlaVulkanDeviceOpen(const XlaVulkanOptions *options, intptr_t number,
                              XlaVulkanDevice **device);
/// Also writes the pipeline cache. Programs and arrays on the device must
/// be destroyed before. Gives the number of warnings and errors that the
/// validation layer has reported in all: it tells only now what was never
/// destroyed. NULL does nothing.
int64_t xlaVulkanDeviceClose(XlaVulkanDevice *device);

const XlaVulkanInfo *xlaVulkanDeviceGetInfo(const XlaVulkanDevice *device);
/// The pieces that memory consists of where one does not hold it: a power of
/// two. 0 on devices without addresses, whose arrays lie in one.
int64_t xlaVulkanPieceBytes(const XlaVulkanInfo *info);

/// Work of a device is done in one queue: runs of programs and transfers get
/// the next number, from 1, when they are submitted, by any thread, and see
/// what those before them have written. Waits until the device has finished
/// `number`, and so all before it. Fails: INVALID_ARGUMENT for a number that
/// was never given, DEVICE_LOST. Any thread may wait.
XlaStatus xlaVulkanDeviceWait(XlaVulkanDevice *device, uint64_t number);
/// The last number that the device has finished; does not wait. It stays as it
/// is when the device is lost, which waiting tells.
uint64_t xlaVulkanDeviceReached(XlaVulkanDevice *device);

/// Warnings and errors that the validation layer has reported so far.
int64_t xlaVulkanDeviceGetMessageCount(const XlaVulkanDevice *device);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_VULKAN_DEVICE_H

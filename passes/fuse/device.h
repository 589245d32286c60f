//===- device.h - What fusing weighs on a device ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_FUSE_DEVICE_H
#define XLAC_PASSES_FUSE_DEVICE_H

#include "mlir-c/IR.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Times in nanoseconds, of the whole device; ratios matter, not the figures.
typedef struct XlaFusionDevice {
  const char *name;
  double perOp;       ///< an element, times the operation's cost
  double perTerm;     ///< of a matrix product: a multiplication and an addition
  double perByte;     ///< read from memory or written
  double perCached;   ///< byte that was read or written shortly before
  double perComputed; ///< element that no view with strides shows
  double perKernel;   ///< its launch
  int64_t cache;      ///< bytes that stay in it; 0: that is not weighed
  int64_t windowBytes; ///< of rows that a thread keeps (windows.h); 0: none
  int64_t tileBytes;   ///< of tiles that a workgroup keeps; 0: none
  int maxBuffers;      ///< operands and results of a kernel, at most
  int productTile;     ///< rows or columns of a product that share a load
  int scoreRows;       ///< rows of attention that share a load of keys; 0: none
  bool runsAtOnce;     ///< windows of a scatter are applied by threads at once
} XlaFusionDevice;

/// "cpu": two cores with vectors of 512 bits; "llvmpipe": Vulkan on these;
/// "gpu": a graphics card. NULL for any other name.
const XlaFusionDevice *xlaFusionDeviceGet(const char *name);
/// That of the module's attribute xla.target; "cpu" where it names no device.
const XlaFusionDevice *xlaFusionDeviceOfTarget(MlirOperation module);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_FUSE_DEVICE_H

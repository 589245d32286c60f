//===- device.c - What fusing weighs on a device --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/device.h"
#include "xlac/passes/target.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stddef.h>
#include <string.h>

const XlaFusionDevice *xlaFusionDeviceGet(const char *name) {
  static const XlaFusionDevice devices[] = {
      // 16 lanes at 3.5 GHz, 200 GFLOP/s of products and 22 GB/s a core, and 2
      // MiB of cache, of which rows that are kept take a part, as of the stack;
      // a loop on several threads
      {"cpu", 0.009, 0.005, 0.022, 0.005, 0.3, 500, 1 << 21, 1 << 17, 0, 240,
       4096, 64, false},
      // 41 billion vector operations, 25 GFLOP/s of products, 10 GB/s, loads of
      // 0.44 ns an element
      {"llvmpipe", 0.024, 0.08, 0.1, 0.055, 0, 20000, 0, 0, 0, 60, 32, 64,
       true},
      // 5 trillion operations, of products as many multiply-adds, 500 GB/s
      {"gpu", 0.0002, 0.0002, 0.002, 0.0005, 0, 5000, 0, 0, 1 << 15, 60, 64, 64,
       true},
  };
  for (size_t i = 0; i < sizeof devices / sizeof *devices; ++i)
    if (!strcmp(name, devices[i].name))
      return &devices[i];
  return NULL;
}

const XlaFusionDevice *xlaFusionDeviceOfTarget(MlirOperation module) {
  MlirAttribute device = xlaTargetGetDevice(module);
  if (mlirAttributeIsNull(device) || !mlirAttributeIsAString(device))
    return xlaFusionDeviceGet("cpu");
  bool isSoftware =
      mlirStringRefEqual(mlirStringAttrGetValue(device),
                         mlirStringRefCreateFromCString("llvmpipe"));
  return xlaFusionDeviceGet(isSoftware ? "llvmpipe" : "gpu");
}

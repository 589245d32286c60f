//===- pass.c - The CPU schedule as a pass --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule/pass.h"

#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/lowering/cpu/schedule/kernels.h"

enum { VectorBits, Threads, StackBytes, AllowAlloc, OptionCount };

static const MlirExtPassOption optionTable[OptionCount] = {
    [VectorBits] = {"vector-bits", "width of a vector register",
                    MlirExtPassOptionInt, "512"},
    [Threads] = {"threads", "chunks of a parallel loop at most",
                 MlirExtPassOptionInt, "1"},
    [StackBytes] = {"stack-bytes", "scratch memory of a thread",
                    MlirExtPassOptionInt, "262144"},
    [AllowAlloc] = {"allow-alloc",
                    "keep intermediates that no scratch can hold",
                    MlirExtPassOptionBool, NULL},
};

static MlirLogicalResult run(MlirOperation module,
                             MlirExtPassOptionValues values, void *userData) {
  XlaCpuScheduleOptions options = xlaCpuScheduleOptionsDefault();
  options.vectorBits = (int32_t)mlirExtPassOptionGetInt(values, VectorBits);
  options.threads = (int32_t)mlirExtPassOptionGetInt(values, Threads);
  options.stackBytes = mlirExtPassOptionGetInt(values, StackBytes);
  options.allowAlloc = mlirExtPassOptionGetBool(values, AllowAlloc);
  return xlaCpuScheduleKernels(module, &options);
}

void xlaCpuSchedulePassRegister(void) {
  static const char *const dialects[] = {"arith", "memref", "scf", "vector",
                                         NULL};
  static const MlirExtPassDefinition definition = {
      .name = "xla-cpu-schedule",
      .description = "turn kernel functions of linalg ops on memrefs into "
                     "vectorized, parallel loops",
      .nOptions = OptionCount,
      .options = optionTable,
      .dependentDialects = dialects,
      .run = run,
  };
  mlirExtPassRegister(&definition);
}

//===- lower.h - From memref functions to the llvm dialect -----*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation's part inside MLIR; codegen.h describes what it accepts.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_LOWER_H
#define XLAC_LOWERING_CPU_LOWER_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "xlac/lowering/cpu/target.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a module contains, and so which passes it needs.
typedef struct XlaCpuModuleUse {
  bool parallel;    ///< scf.parallel, scf.forall, omp
  bool vector;      ///< any vector op
  bool transfer;    ///< vector.transfer_read, vector.transfer_write
  bool affine;      ///< any affine op
  bool view;        ///< memref.subview, reinterpret_cast, expand_shape ..
  bool floorDivide; ///< arith ops that only arith-expand lowers
  bool atomic;      ///< memref ops that only expand-ops lowers
} XlaCpuModuleUse;

/// Checks that `module` has no tensors, static memrefs in its signatures, and
/// allocates nothing, gives private functions internal linkage, and fills
/// `use`. Emits a diagnostic at each offending op.
MlirLogicalResult xlaCpuInspectModule(MlirModule module, XlaCpuModuleUse *use);

/// Makes `module` ready for the passes down to the llvm dialect: copies,
/// functions of math and floats that the target lacks become what it has, and
/// functions that are called at one place move there; then xlaCpuInspectModule.
MlirLogicalResult xlaCpuPrepareModule(MlirModule module,
                                      const XlaCpuTarget *target,
                                      XlaCpuModuleUse *use);

/// Replaces each memref.copy between views that are not contiguous by loops,
/// where upstream calls a slow runtime function, and each of a large array by
/// loops on all threads of the target.
void xlaCpuExpandCopies(MlirOperation root, const XlaCpuTarget *target);

/// Makes host programs of thousands of steps easy for LLVM: loads of a pointer
/// from the table that a program is called with, and views of it, move to where
/// they are used first, and many copies in a row are not optimized. Emits a
/// diagnostic without memory.
MlirLogicalResult xlaCpuSimplifyHost(MlirOperation module);

/// Whether only the module of a func.func can call it.
bool xlaCpuIsPrivate(MlirOperation function);

/// Moves each private function of one block to the only place that calls it,
/// where that is in no loop or branch and the only call of its function. Emits
/// a diagnostic without memory.
MlirLogicalResult xlaCpuInlineOnlyCalls(MlirOperation module);

/// Runs the passes down to the llvm dialect.
MlirLogicalResult xlaCpuLowerToLLVMDialect(MlirModule module,
                                           const XlaCpuModuleUse *use,
                                           const XlaCpuTarget *target,
                                           bool verify);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_LOWER_H

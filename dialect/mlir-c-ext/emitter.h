//===- emitter.h - Objects of many modules -----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_MLIR_C_EXT_EMITTER_H
#define XLAC_DIALECT_MLIR_C_EXT_EMITTER_H

#include "mlir-c/Support.h"
#include "llvm-c/TargetMachine.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Makes objects of LLVM modules, one after the other, by passes that are set
/// up once.
typedef struct MlirExtEmitter MlirExtEmitter;

/// Takes `machine`.
MlirExtEmitter *mlirExtEmitterCreate(LLVMTargetMachineRef machine);
/// NULL is allowed.
void mlirExtEmitterDestroy(MlirExtEmitter *emitter);
/// The machine, which stays the emitter's.
LLVMTargetMachineRef mlirExtEmitterGetMachine(const MlirExtEmitter *emitter);
/// The object file of `module`, which is changed on the way and must have the
/// machine's layout of data; it lives until the next one. NULL if the machine
/// makes no objects. After an error that `module`'s context reports, the
/// emitter is only good for being destroyed.
MlirStringRef mlirExtEmitterRun(MlirExtEmitter *emitter, LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_MLIR_C_EXT_EMITTER_H

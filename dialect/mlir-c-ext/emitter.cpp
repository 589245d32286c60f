//===- emitter.cpp - Objects of many modules ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's C interface sets up the passes of code generation for each module,
// more than a hundred of them, which for a small one takes as long as to run
// them. That they can run again, with the same result, is what llc's option
// -compile-twice tests.
//
//===----------------------------------------------------------------------===//

#include "emitter.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

struct MlirExtEmitter {
  // In this order: the passes use what is above them.
  std::unique_ptr<llvm::TargetMachine> machine;
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream{object};
  std::unique_ptr<llvm::legacy::PassManager> passes; ///< of the first module on
};

MlirExtEmitter *mlirExtEmitterCreate(LLVMTargetMachineRef machine) {
  auto *emitter = new MlirExtEmitter;
  emitter->machine.reset(reinterpret_cast<llvm::TargetMachine *>(machine));
  return emitter;
}

void mlirExtEmitterDestroy(MlirExtEmitter *emitter) { delete emitter; }

LLVMTargetMachineRef mlirExtEmitterGetMachine(const MlirExtEmitter *emitter) {
  return reinterpret_cast<LLVMTargetMachineRef>(emitter->machine.get());
}

MlirStringRef mlirExtEmitterRun(MlirExtEmitter *emitter, LLVMModuleRef module) {
  if (!emitter->passes) {
    auto passes = std::make_unique<llvm::legacy::PassManager>();
    if (emitter->machine->addPassesToEmitFile(
            *passes, emitter->stream, nullptr,
            llvm::CodeGenFileType::ObjectFile))
      return mlirStringRefCreate(nullptr, 0);
    emitter->passes = std::move(passes);
  }
  emitter->object.clear();
  emitter->passes->run(*llvm::unwrap(module));
  return mlirStringRefCreate(emitter->object.data(), emitter->object.size());
}

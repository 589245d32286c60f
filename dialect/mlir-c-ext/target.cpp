//===- target.cpp - Processors by name ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's C interface creates machines for any processor name, and neither says
// whether it knows the name nor what features follow from it.
//
//===----------------------------------------------------------------------===//

#include "ext.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>

struct MlirExtCpu {
  std::unique_ptr<llvm::MCSubtargetInfo> info;
};

MlirExtCpu *mlirExtCpuCreate(const char *triple, const char *cpu,
                             const char *features) {
  std::string message;
  llvm::Triple parsed(triple);
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(parsed, message);
  if (!target)
    return nullptr;
  // An unknown name makes LLVM print a warning, so it is looked up first.
  std::unique_ptr<llvm::MCSubtargetInfo> plain(
      target->createMCSubtargetInfo(parsed, "", ""));
  if (!plain || (*cpu && !plain->isCPUStringValid(cpu)))
    return nullptr;
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target->createMCSubtargetInfo(parsed, cpu, features));
  return info ? new MlirExtCpu{std::move(info)} : nullptr;
}

void mlirExtCpuDestroy(MlirExtCpu *cpu) { delete cpu; }

bool mlirExtCpuHasFeature(const MlirExtCpu *cpu, const char *feature) {
  for (const llvm::SubtargetFeatureKV &known :
       cpu->info->getAllProcessorFeatures())
    if (llvm::StringRef(known.Key) == feature)
      return cpu->info->getFeatureBits().test(known.Value);
  return false;
}

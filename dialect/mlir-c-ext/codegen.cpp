//===- codegen.cpp - What LLVM's code generation must not do --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM 22.1's last pass on x86, x86-compress-evex, makes one instruction of a
// mask of signs (vpmovb2m and its like) and its move to a general register, and
// deletes the mask. It takes a mask for dead that an instruction reads which
// also writes it, or that another block reads, and takes registers that the new
// instruction does not have (llvm/llvm-project issues 198197 and 191304, mended
// after that release).
//
//===----------------------------------------------------------------------===//

#include "ext.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"

using namespace llvm;

namespace {

/// Puts a second use, that generates no code, after each mask of signs: the
/// pass keeps masks of two uses.
class KeepMasks : public MachineFunctionPass {
public:
  static char ID;
  KeepMasks() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "Keep masks of signs"; }

  bool runOnMachineFunction(MachineFunction &function) override {
    const TargetInstrInfo *info = function.getSubtarget().getInstrInfo();
    bool changed = false;
    for (MachineBasicBlock &block : function)
      for (MachineInstr &instruction : block) {
        StringRef name = info->getName(instruction.getOpcode());
        if (!name.starts_with("VPMOV") || !name.contains("2MZ"))
          continue;
        BuildMI(block, std::next(instruction.getIterator()),
                instruction.getDebugLoc(), info->get(TargetOpcode::FAKE_USE))
            .addReg(instruction.getOperand(0).getReg());
        changed = true;
      }
    return changed;
  }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
};

char KeepMasks::ID = 0;

Pass *createKeepMasks() { return new KeepMasks(); }

} // namespace

void mlirExtKeepMasks(void) {
  static PassInfo info("Keep masks of signs", "xlac-keep-masks", &KeepMasks::ID,
                       createKeepMasks, false, false);
  static bool isRegistered =
      (PassRegistry::getPassRegistry()->registerPass(info), true);
  static RegisterTargetPassConfigCallback callback(
      [](TargetMachine &machine, legacy::PassManagerBase &,
         TargetPassConfig *config) {
        if (machine.getTargetTriple().isX86())
          config->insertPass(&PatchableFunctionID, &KeepMasks::ID);
      });
  (void)isRegistered;
}

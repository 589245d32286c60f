//===- prepare.c - From a program to what lowering takes ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/prepare.h"
#include "xlac/passes/expand/scan.h"
#include "xlac/passes/expand/scatter.h"
#include "xlac/passes/expand/top_k.h"
#include "xlac/passes/fuse/outline.h"
#include "xlac/passes/passes.h"

#include "mlir-c/Pass.h"
#include "mlir-c/Rewrite.h"
#include "mlir-c/Transforms.h"

/// Folding and removal of what is dead. The canonicalizer would also collect
/// the patterns of every loaded dialect, which takes longer than all else here;
/// the operations of xla have none that a legalized program needs.
static MlirLogicalResult fold(MlirModule module) {
  MlirContext context = mlirModuleGetContext(module);
  MlirRewritePatternSet patterns = mlirRewritePatternSetCreate(context);
  MlirFrozenRewritePatternSet none = mlirFreezeRewritePattern(patterns);
  MlirGreedyRewriteDriverConfig config = mlirGreedyRewriteDriverConfigCreate();
  MlirLogicalResult result =
      mlirApplyPatternsAndFoldGreedily(module, none, config);
  mlirGreedyRewriteDriverConfigDestroy(config);
  mlirFrozenRewritePatternSetDestroy(none);
  mlirRewritePatternSetDestroy(patterns); // freezing only emptied it
  return result;
}

static MlirLogicalResult mergeEqual(MlirModule module) {
  MlirPassManager manager = mlirPassManagerCreate(mlirModuleGetContext(module));
  mlirPassManagerAddOwnedPass(manager, mlirCreateTransformsCSE());
  MlirLogicalResult result =
      mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module));
  mlirPassManagerDestroy(manager);
  return result;
}

static MlirLogicalResult prepare(MlirModule module, MlirStringRef entry,
                                 const XlaFusionDevice *device, bool fuses,
                                 XlaFusionReport report) {
  MlirOperation op = mlirModuleGetOperation(module);
  MlirExtPassOptionValues none = {NULL};
  XlaFusionOptions fusion = {device, true, report};
  if (mlirLogicalResultIsFailure(xlaPassLegalize(op, none, &entry)) ||
      mlirLogicalResultIsFailure(xlaScanSplit(op, device)) ||
      (device->runsAtOnce &&
       (mlirLogicalResultIsFailure(xlaScatterSort(op, INT32_MAX)) ||
        mlirLogicalResultIsFailure(xlaTopKSortAll(op)))) ||
      mlirLogicalResultIsFailure(fold(module)) ||
      mlirLogicalResultIsFailure(mergeEqual(module)))
    return mlirLogicalResultFailure();
  return fuses ? xlaPassFuse(op, none, &fusion) : xlaOutlineComputations(op);
}

MlirLogicalResult xlaPrepareForLowering(MlirModule module, MlirStringRef entry,
                                        const XlaFusionDevice *device,
                                        XlaFusionReport report) {
  return prepare(module, entry, device, true, report);
}

MlirLogicalResult xlaPrepareUnfused(MlirModule module, MlirStringRef entry,
                                    const XlaFusionDevice *device) {
  return prepare(module, entry, device, false, XlaFusionReportNone);
}

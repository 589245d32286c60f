//===- spill.c - Intermediates that no thread can hold --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the schedule knows how long rows are, and how many lie in the lanes of a
// vector: it is tried on a copy of kernels that could have too much.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/spill.h"
#include "xlac/dialect/error.h"
#include "xlac/dialect/ir.h"
#include "xlac/lowering/affine/statement.h"
#include "xlac/lowering/cpu/schedule/kernels.h"
#include "xlac/lowering/cpu/scratch.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// The intermediates of a kernel.
typedef struct Spill {
  MlirOperation kernel;
  MlirValue *allocs;
  bool *stays; ///< of each: the schedule leaves it
  int n;
} Spill;

static MlirBlock bodyOf(MlirOperation function) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
}

static MlirStringRef numberName(void) {
  return mlirStringRefCreateFromCString("xla.number");
}

/// Collects the allocs, and whether all of them together may be too large.
static bool collect(Spill *spill, int64_t limit, bool *isLarge) {
  int64_t bytes = 0;
  MlirBlock body = bodyOf(spill->kernel);
  int room = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    room += xlaIrIsOp(op, "memref.alloc");
  spill->allocs = calloc((size_t)room + 1, sizeof *spill->allocs);
  spill->stays = calloc((size_t)room + 1, sizeof *spill->stays);
  if (!spill->allocs || !spill->stays)
    return false;
  *isLarge = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (xlaIrIsOp(op, "memref.alloc")) {
      spill->allocs[spill->n++] = mlirOperationGetResult(op, 0);
      *isLarge |= !xlaCpuAddBytes(op, &bytes) || bytes > limit ||
                  xlaSchedCountBlocks(mlirOperationGetResult(op, 0)) > 0;
    }
  return true;
}

static MlirWalkResult findLeft(MlirOperation op, void *data) {
  Spill *spill = data;
  MlirAttribute number =
      mlirOperationGetDiscardableAttributeByName(op, numberName());
  if (!mlirAttributeIsNull(number))
    spill->stays[mlirIntegerAttrGetValueInt(number)] = true;
  return MlirWalkResultAdvance;
}

/// Finds what the schedule leaves.
static MlirLogicalResult rehearse(Spill *spill, const XlaCpuTarget *target) {
  MlirContext context = mlirOperationGetContext(spill->kernel);
  XlaCpuScheduleOptions options = xlaCpuScheduleOptionsForTarget(target);
  options.allowAlloc = true;
  for (int i = 0; i < spill->n; ++i)
    mlirOperationSetDiscardableAttributeByName(
        mlirOpResultGetOwner(spill->allocs[i]), numberName(),
        xlaIrI64Attr(context, i));
  MlirOperation copy = mlirOperationClone(spill->kernel);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(spill->kernel),
                                     spill->kernel, copy);
  MlirLogicalResult result = xlaCpuScheduleFunction(copy, &options);
  mlirOperationWalk(copy, findLeft, spill, MlirWalkPreOrder);
  mlirOperationDestroy(copy);
  for (int i = 0; i < spill->n; ++i)
    mlirOperationRemoveDiscardableAttributeByName(
        mlirOpResultGetOwner(spill->allocs[i]), numberName());
  return result;
}

/// Puts alloc `i` where its attribute xla.memory says it may be, if it does.
static bool intoResult(Spill *spill, int i) {
  MlirOperation alloc = mlirOpResultGetOwner(spill->allocs[i]);
  MlirAttribute number = mlirOperationGetDiscardableAttributeByName(
      alloc, mlirStringRefCreateFromCString("xla.memory"));
  if (mlirAttributeIsNull(number))
    return false;
  MlirValue argument = mlirBlockGetArgument(bodyOf(spill->kernel),
                                            mlirIntegerAttrGetValueInt(number));
  mlirValueReplaceAllUsesOfWith(spill->allocs[i], argument);
  mlirOperationDestroy(alloc);
  return true;
}

static MlirLogicalResult replace(Spill *spill, int64_t *scratchBytes) {
  int nKept = 0, nSpilled = 0;
  for (int i = 0; i < spill->n; ++i) {
    if (spill->stays[i] && intoResult(spill, i))
      continue;
    if (spill->stays[i])
      ++nSpilled;
    else
      spill->allocs[nKept++] = spill->allocs[i];
  }
  return nSpilled ? xlaCpuAddScratch(spill->kernel, 0, nKept, spill->allocs,
                                     scratchBytes)
                  : mlirLogicalResultSuccess();
}

MlirLogicalResult xlaCpuSpill(MlirOperation kernel, const XlaCpuTarget *target,
                              int64_t *scratchBytes) {
  Spill spill = {.kernel = kernel};
  XlaCpuScheduleOptions options = xlaCpuScheduleOptionsForTarget(target);
  bool isLarge;
  MlirLogicalResult result = mlirLogicalResultSuccess();
  if (!collect(&spill, options.stackBytes, &isLarge))
    result = xlaErrorNoMemory(mlirOperationGetLocation(kernel));
  else if (isLarge)
    result = rehearse(&spill, target);
  if (mlirLogicalResultIsSuccess(result) && isLarge)
    result = replace(&spill, scratchBytes);
  free(spill.allocs);
  free(spill.stays);
  return result;
}

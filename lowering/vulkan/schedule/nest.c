//===- nest.c - Loop nests over threads -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The outer loops of a nest without carried values are independent of each
// other, unless they are marked (XLA_KERNEL_IN_ORDER): a thread takes one point
// of theirs.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/kernel.h"
#include "xlac/lowering/vulkan/schedule/emit.h"

#include <stdlib.h>
#include <string.h>

typedef struct Nest {
  int n;
  MlirValue variables[XLA_SCHED_MAX_DIMS];
  int64_t lower[XLA_SCHED_MAX_DIMS], step[XLA_SCHED_MAX_DIMS];
  int64_t trips[XLA_SCHED_MAX_DIMS];
  MlirBlock body; ///< null: a single operation
} Nest;

static bool isPlainLoop(MlirOperation op, Nest *nest) {
  int64_t upper, span;
  int d = nest->n;
  MlirAttribute inOrder = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString(XLA_KERNEL_IN_ORDER));
  if (!xlaIrIsOp(op, "scf.for") || mlirOperationGetNumResults(op) != 0 ||
      !mlirAttributeIsNull(inOrder) || d == XLA_SCHED_MAX_DIMS ||
      !xlaIrReadInt(mlirOperationGetOperand(op, 0), &nest->lower[d]) ||
      !xlaIrReadInt(mlirOperationGetOperand(op, 1), &upper) ||
      !xlaIrReadInt(mlirOperationGetOperand(op, 2), &nest->step[d]) ||
      nest->step[d] < 1 || __builtin_sub_overflow(upper, nest->lower[d], &span))
    return false;
  span = span > 0 ? span : 0;
  nest->trips[d] = span / nest->step[d] + (span % nest->step[d] != 0);
  return true;
}

/// The only loop in `block`, where everything else is pure; or null.
static MlirOperation onlyLoop(MlirBlock block) {
  MlirOperation found = {NULL}, end = mlirBlockGetTerminator(block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       op.ptr && !mlirOperationEqual(op, end);
       op = mlirOperationGetNextInBlock(op)) {
    if (xlaIrIsOp(op, "scf.for") && !found.ptr)
      found = op;
    else if (!xlaIrHasPrefix(op, "arith."))
      return (MlirOperation){NULL};
  }
  return found;
}

/// Collects the outer loops. Those after the first are taken as long as nothing
/// but scalars surrounds them.
static void readNest(MlirOperation op, Nest *nest) {
  memset(nest, 0, sizeof *nest);
  while (op.ptr && isPlainLoop(op, nest)) {
    nest->body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
    nest->variables[nest->n++] = mlirBlockGetArgument(nest->body, 0);
    op = onlyLoop(nest->body);
  }
}

/// Scalars between the loops: all threads compute them.
static void cloneBetween(XlaVulkanEmit *e, MlirOperation op, const Nest *nest) {
  for (int d = 0; d + 1 < nest->n; ++d) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
    op = onlyLoop(block);
    for (MlirOperation inside = mlirBlockGetFirstOperation(block); inside.ptr;
         inside = mlirOperationGetNextInBlock(inside))
      if (!mlirOperationEqual(inside, op) && !xlaIrIsOp(inside, "scf.yield"))
        xlaVulkanClone(e, inside);
  }
}

static void setVariables(XlaVulkanEmit *e, const Nest *nest, MlirValue id) {
  XlaIr *ir = &e->ir;
  for (int d = nest->n; d-- > 0;) {
    MlirValue size = xlaIrConstantIndex(ir, nest->trips[d]);
    MlirValue trip = d ? xlaIrBinary(ir, "arith.remui", id, size) : id;
    if (d)
      id = xlaIrBinary(ir, "arith.divui", id, size);
    MlirValue value = xlaVulkanAddScaled(
        ir, xlaIrConstantIndex(ir, nest->lower[d]), trip, nest->step[d]);
    xlaVulkanBind(e, nest->variables[d], value);
  }
}

MlirLogicalResult xlaVulkanEmitNest(XlaVulkanMemoryMap *memory,
                                    MlirOperation op) {
  Nest nest;
  XlaVulkanEmit e;
  uint32_t groups[3] = {1, 1, 1}, size[3] = {1, 1, 1};
  int64_t n = 1;
  const int64_t most = xlaVulkanMostThreads(memory->schedule);
  readNest(op, &nest);
  bool fits = true;
  for (int d = 0; d < nest.n; ++d)
    fits &= !__builtin_mul_overflow(n, nest.trips[d], &n) && n <= most;
  if (n == 0)
    return mlirLogicalResultSuccess();
  const XlaVulkanInfo *info = memory->schedule->info;
  if (n > 1)
    size[0] = xlaVulkanGroupSize(info);
  fits = fits && xlaVulkanGrid(info, (n + size[0] - 1) / size[0], groups);
  xlaVulkanEmitBegin(&e, memory, mlirOperationGetLocation(op), size);
  if (!fits)
    xlaVulkanEmitFail(
        &e, mlirOperationGetLocation(op), XLA_STATUS_UNIMPLEMENTED,
        "a loop nest has more iterations than %s has threads", info->name);
  if (nest.n && !e.failed) {
    MlirValue id =
        xlaVulkanAddScaled(&e.ir, xlaVulkanThreadId(&e.ir, 0),
                           xlaVulkanFlatGroupId(&e.ir, groups), size[0]);
    XlaIr then;
    MlirValue inside =
        xlaIrCmpI(&e.ir, "ult", id, xlaIrConstantIndex(&e.ir, n));
    XlaIr outer = e.ir;
    xlaIrIf(&outer, inside, &then, NULL);
    e.ir = then;
    setVariables(&e, &nest, id);
    cloneBetween(&e, op, &nest);
    xlaVulkanCloneBlock(&e, nest.body);
    e.ir = outer;
    e.shader.ir = outer;
  } else if (!e.failed) {
    xlaVulkanClone(&e, op);
    e.shader.ir = e.ir;
  }
  if (!e.failed)
    return xlaVulkanEmitEnd(&e, groups);
  xlaVulkanEmitDiscard(&e);
  return mlirLogicalResultFailure();
}

//===- nest.c - Threads, rows and tiles of a group ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule/nest.h"
#include "xlac/dialect/error.h"

#include "mlir-c/Diagnostics.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Where a view begins that is known only when the program runs.
static MlirValue offsetOf(XlaIr *ir, MlirValue view) {
  MlirType types[2 + 2 * XLA_SCHED_MAX_DIMS];
  MlirType type = mlirValueGetType(view);
  intptr_t rank = mlirShapedTypeGetRank(type);
  types[0] = mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), 0, NULL,
                               (MlirAttribute){NULL}, (MlirAttribute){NULL});
  for (intptr_t i = 0; i < 1 + 2 * rank; ++i)
    types[1 + i] = mlirIndexTypeGet(ir->context);
  MlirOperation metadata =
      xlaIrCreate(ir, "memref.extract_strided_metadata", 1, &view, 2 + 2 * rank,
                  types, 0, NULL, 0, NULL);
  return mlirOperationGetResult(metadata, 1);
}

/// A view of that type that an earlier nest of the block has made, or null.
static MlirValue earlierFlat(const XlaIr *ir, MlirValue root, MlirType flat) {
  int left = 64; // uses that are looked at
  for (MlirOpOperand use = mlirValueGetFirstUse(root);
       !mlirOpOperandIsNull(use) && left--;
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation view = mlirOpOperandGetOwner(use);
    if (xlaIrIsOp(view, "memref.reinterpret_cast") &&
        mlirBlockEqual(mlirOperationGetBlock(view), ir->block) &&
        mlirOperationIsBeforeInBlock(view, ir->before) &&
        mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(view, 0)), flat))
      return mlirOperationGetResult(view, 0);
  }
  return (MlirValue){NULL};
}

static MlirValue makeFlat(XlaIr *ir, MlirValue root) {
  MlirType type = mlirValueGetType(root);
  int64_t strides[XLA_SCHED_MAX_DIMS], offset, extent = 1;
  mlirMemRefTypeGetStridesAndOffset(type, strides, &offset);
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (rank == 1 && mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return root;
  bool isDynamic = mlirShapedTypeIsDynamicStrideOrOffset(offset);
  for (intptr_t d = 0; d < rank; ++d)
    if (!isDynamic || strides[d] > 0) // of views it is only a bound
      extent += (mlirShapedTypeGetDimSize(type, d) - 1) * strides[d];
  MlirValue operands[2] = {root, {NULL}};
  MlirAttribute layout = {NULL};
  int64_t first = 0;
  if (isDynamic) {
    first = offset;
    operands[1] = offsetOf(ir, root);
    layout = xlaIrParseAttr(ir->context, "strided<[1], offset: ?>");
  } else {
    extent += offset;
  }
  MlirType flat =
      mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), 1, &extent, layout,
                        mlirMemRefTypeGetMemorySpace(type));
  MlirValue earlier = {NULL};
  if (!isDynamic)
    earlier = earlierFlat(ir, root, flat);
  if (earlier.ptr)
    return earlier;
  XlaIrAttr attrs[] = {
      {"static_offsets", mlirDenseI64ArrayGet(ir->context, 1, &first)},
      {"static_sizes", mlirDenseI64ArrayGet(ir->context, 1, &extent)},
      {"static_strides", mlirDenseI64ArrayGet(ir->context, 1, (int64_t[]){1})},
      {"operandSegmentSizes",
       mlirDenseI32ArrayGet(ir->context, 4, (int32_t[]){1, isDynamic, 0, 0})}};
  return xlaIrOp(ir, "memref.reinterpret_cast", flat, 1 + isDynamic, operands,
                 4, attrs);
}

static MlirLogicalResult makeFlats(XlaSchedEmit *e, XlaIr *ir) {
  int count = 0;
  for (int s = 0; s < e->n.group->nStatements; ++s)
    count += e->n.group->statements[s].nIns + e->n.group->statements[s].nOuts;
  e->flats = calloc((size_t)count + 1, sizeof *e->flats);
  if (!e->flats)
    return mlirLogicalResultFailure();
  for (int s = 0; s < e->n.group->nStatements; ++s) {
    const XlaSchedStatement *statement = &e->n.group->statements[s];
    for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
      MlirValue root = statement->accesses[i].root;
      bool seen = false;
      for (int k = 0; k < e->nFlats; ++k)
        seen |= mlirValueEqual(e->flats[k].root, root);
      for (int k = 0; k < e->nScratches; ++k)
        seen |= mlirValueEqual(e->scratches[k].root, root);
      if (seen)
        continue;
      e->flats[e->nFlats].root = root;
      e->flats[e->nFlats++].flat = makeFlat(ir, root);
    }
  }
  return mlirLogicalResultSuccess();
}

MlirValue xlaSchedAlloca(XlaIr *ir, MlirType element, int64_t size) {
  MlirType type = mlirMemRefTypeGet(element, 1, &size, (MlirAttribute){NULL},
                                    (MlirAttribute){NULL});
  XlaIrAttr attrs[] = {
      {"alignment", xlaIrI64Attr(ir->context, 64)},
      {"operandSegmentSizes",
       mlirDenseI32ArrayGet(ir->context, 2, (int32_t[]){0, 0})}};
  return xlaIrOp(ir, "memref.alloca", type, 0, NULL, 2, attrs);
}

//===----------------------------------------------------------------------===//
// Rows and tiles
//===----------------------------------------------------------------------===//

static void clusters(XlaSchedEmit *e) {
  xlaSchedClustersEmit(&e->n, e->fromCluster, e->toCluster);
  xlaSchedFlush(&e->n);
}

void xlaSchedTilesEmit(XlaSchedEmit *e, const XlaSchedLanesOf *part) {
  int dim = e->n.vecShared;
  int64_t n = e->n.group->statements->sizes[dim], lanes = e->n.lanes;
  int64_t full = n / lanes * lanes;
  XlaIr outside = e->n.at[2];
  if (full > lanes || part) {
    XlaSchedRange range = part ? part->range : xlaSchedWhole(e, full);
    xlaSchedFor(&e->n, range.lower, range.upper, lanes, 0, NULL, &e->n.iv[dim]);
    e->n.at[1] = e->n.at[2];
    clusters(e);
    xlaSchedLeave(&e->n, outside);
  } else {
    e->n.iv[dim] = xlaAffineConstant(&e->nest, 0);
    e->n.at[1] = e->n.at[2];
    clusters(e);
  }
  xlaSchedForget(&e->n, 1);
  if (n == full)
    return;
  XlaIr then = e->n.at[2];
  if (part && part->isLast.ptr) {
    xlaAffineIf(&e->nest, &e->n.at[2], 1, &part->isLast, &then, NULL);
    e->n.at[2] = then;
  }
  for (int64_t at = full; at < n; at += e->n.lanes) {
    e->n.iv[dim] = xlaAffineConstant(&e->nest, at);
    e->n.lanes = xlaSchedPiece(&e->n, n - at);
    e->n.at[1] = e->n.at[2];
    clusters(e);
    xlaSchedForget(&e->n, 1);
  }
  e->n.lanes = lanes;
  e->n.at[2] = outside;
}

void xlaSchedPoint(XlaSchedEmit *e, const XlaSchedLanesOf *lanes) {
  XlaIr saved[2] = {e->n.at[0], e->n.at[1]};
  e->n.at[0] = e->n.at[1] = e->n.at[2];
  if (e->n.vecShared >= 0)
    xlaSchedColumnsEmit(e, lanes);
  else
    clusters(e);
  xlaSchedForget(&e->n, 0);
  e->n.at[0] = saved[0];
  e->n.at[1] = saved[1];
}

/// Rows from dimension `d` on, one loop each.
static void emitRowLoops(XlaSchedEmit *e, int d, int nRows,
                         const XlaSchedLanesOf *lanes) {
  if (d == nRows) {
    xlaSchedPoint(e, lanes);
    return;
  }
  XlaIr outside = e->n.at[2];
  XlaSchedRange rows = xlaSchedWhole(e, e->n.group->statements->sizes[d]);
  e->n.at[0] = e->n.at[1] = outside;
  xlaSchedFor(&e->n, rows.lower, rows.upper, 1, 0, NULL, &e->n.iv[d]);
  emitRowLoops(e, d + 1, nRows, lanes);
  xlaSchedLeave(&e->n, outside);
}

void xlaSchedRowIndices(XlaSchedEmit *e, MlirAffineExpr row, int nRows) {
  for (int d = nRows; d-- > 0;) {
    int64_t size = e->n.group->statements->sizes[d];
    if (d == 0) {
      e->n.iv[d] = row;
      break;
    }
    e->n.iv[d] = xlaAffineName(&e->nest, &e->n.at[2], xlaExprModulo(row, size));
    row = xlaAffineName(&e->nest, &e->n.at[2], xlaExprOver(row, size));
  }
}

/// Rows of all row dimensions together, numbered in order.
static void emitNumberedRows(XlaSchedEmit *e, int nRows, XlaSchedRange rows) {
  XlaIr outside = e->n.at[2];
  MlirAffineExpr row;
  e->n.at[0] = e->n.at[1] = outside;
  xlaSchedFor(&e->n, rows.lower, rows.upper, 1, 0, NULL, &row);
  xlaSchedRowIndices(e, row, nRows);
  xlaSchedPoint(e, NULL);
  xlaSchedLeave(&e->n, outside);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

XlaSchedRange xlaSchedWhole(const XlaSchedEmit *e, int64_t n) {
  return (XlaSchedRange){xlaSchedBound(&e->n, 0), xlaSchedBound(&e->n, n)};
}

XlaSchedRange xlaSchedChunk(const XlaSchedEmit *e, MlirAffineExpr t,
                            int64_t chunks, int64_t size, int64_t n) {
  MlirAffineExpr lower = xlaExprScale(t, size);
  XlaAffineBound upper = xlaAffineBound(xlaExprShift(lower, size));
  if (chunks * size > n)
    upper = xlaAffineBoundAnd(upper, xlaAffineConstant(&e->nest, n));
  return (XlaSchedRange){xlaAffineBound(lower), upper};
}

static void emitSerial(XlaSchedEmit *e) {
  emitRowLoops(e, 0, e->schedule.nRows, NULL);
}

static void emitParallel(XlaSchedEmit *e) {
  const XlaSchedule *s = &e->schedule;
  MlirAffineExpr t;
  XlaIr body = xlaAffineParallel(&e->nest, &e->n.at[2], s->chunks, &t);
  xlaSchedMakeScratch(e, &body);
  e->n.at[0] = e->n.at[1] = e->n.at[2] = body;
  if (s->splitsLanes) {
    int64_t n = e->n.group->statements->sizes[e->n.vecShared];
    XlaSchedLanesOf lanes = {.range =
                                 xlaSchedChunk(e, t, s->chunks, s->chunk,
                                               n / e->n.lanes * e->n.lanes)};
    if (n % e->n.lanes)
      lanes.isLast = xlaExprShift(t, 1 - s->chunks);
    emitRowLoops(e, 0, s->nRows, &lanes);
  } else {
    emitNumberedRows(e, s->nRows,
                     xlaSchedChunk(e, t, s->chunks, s->chunk, s->rows));
  }
  xlaAffineClose(&e->nest, &e->n.at[2], 0, NULL);
}

//===----------------------------------------------------------------------===//
// A group
//===----------------------------------------------------------------------===//

static MlirLogicalResult emitGroup(XlaSchedEmit *e) {
  const XlaSchedGroup *group = e->n.group;
  const XlaSchedule *s = &e->schedule;
  XlaIr ir = xlaIrBefore(group->statements[group->nStatements - 1].op);
  if (mlirLogicalResultIsFailure(makeFlats(e, &ir)))
    return mlirLogicalResultFailure();
  e->n.at[0] = e->n.at[1] = e->n.at[2] = ir;
  // In the function's first block: an alloca in a loop would grow the stack.
  MlirOperation func = xlaSchedFunction(e);
  XlaIr entry = xlaIrBefore(mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(func, 0))));
  if (s->transposed >= 0)
    return xlaSchedTransposeEmit(e, entry);
  if (s->chunks > 1) {
    emitParallel(e);
  } else {
    e->entry = entry;
    xlaSchedMakeScratch(e, &entry);
    emitSerial(e);
  }
  return mlirLogicalResultSuccess();
}

MlirOperation xlaSchedFunction(const XlaSchedEmit *e) {
  MlirOperation func = e->n.group->statements->op;
  while (!xlaIrIsOp(func, "func.func"))
    func = mlirOperationGetParentOperation(func);
  return func;
}

MlirLogicalResult xlaSchedGroupEmit(XlaSchedGroup *group,
                                    const XlaCpuScheduleOptions *options,
                                    bool atTop) {
  XlaSchedEmit e = {.n = {.device = &xlaSchedCpu, .group = group},
                    .options = options};
  e.nest.context = mlirOperationGetContext(group->statements->op);
  e.n.affine = &e.nest;
  e.n.values = &e.values;
  xlaSchedNestBegin(&e.n);
  MlirLogicalResult result = xlaSchedChoose(&e, atTop);
  if (mlirLogicalResultIsSuccess(result)) {
    if (options->report)
      xlaSchedReport(&e);
    result = emitGroup(&e);
  }
  xlaSchedNestFree(&e.n);
  xlaPointerMapClear(&e.values);
  free(e.scratches);
  free(e.flats);
  free(e.tiles);
  MlirLocation location = mlirOperationGetLocation(group->statements->op);
  if (e.nest.isFull)
    return xlaErrorEmit(location, XLA_STATUS_UNIMPLEMENTED,
                        "a kernel has more indices than the %d that a nest of "
                        "loops may have",
                        XLA_AFFINE_MAX_LOOPS);
  return e.n.failed || mlirLogicalResultIsFailure(result)
             ? xlaErrorNoMemory(location)
             : result;
}

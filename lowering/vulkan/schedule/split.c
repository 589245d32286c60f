//===- split.c - Few long sums become many short ones ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reduction with fewer results than a device has threads is done in two
// steps: a dimension that it reduces over is cut into segments, whose results
// go to memory of the kernel's own,
//
//   part[s, ..] = neutral + in[s * length + k, ..]
//   rest[0, ..] = neutral + in[segments * length + k, ..]    if any are left
//   out[..] += part[s, ..]
//   out[..] += rest[0, ..]
//
// which also keeps loops below XLA_VULKAN_MAX_ITERATIONS.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/error.h"
#include "xlac/lowering/linalg/generic.h"
#include "xlac/lowering/vulkan/schedule/emit.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/Diagnostics.h"

#include <stdlib.h>
#include <string.h>

enum {
  maxRank = 64,
  /// Elements that a segment has at least, over all results of a subgroup.
  minSegment = 16384,
  /// Iterations of a thread, at most.
  maxTrips = 16384,
};

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

/// How a reduction is cut.
typedef struct Split {
  MlirOperation op;
  XlaSchedStatement statement;
  XlaSchedReducer *reducers;
  int dim; ///< of the op
  int64_t segments, length, rest;
} Split;

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// Reductions that run in subgroups have work for them where there are results
/// or, lying side by side, blocks of results.
static int64_t tasksOf(const XlaVulkanInfo *info,
                       const XlaSchedStatement *statement, bool *isRow) {
  int64_t results = 1;
  *isRow = false;
  for (int d = 0; d < statement->nDims; ++d) {
    if (!statement->reduction[d])
      results *= statement->sizes[d];
    for (int i = 0; i < statement->nIns; ++i)
      *isRow |=
          statement->reduction[d] && statement->accesses[i].strides[d] == 1;
  }
  int64_t block = (int64_t)xlaVulkanWidth(info) *
                  (info->subgroupSize ? info->subgroupSize : 1);
  return *isRow ? results : (results + block - 1) / block;
}

/// The dimension to cut: the longest.
static int longest(const XlaSchedStatement *statement) {
  int best = -1;
  for (int d = 0; d < statement->nDims; ++d)
    if (statement->reduction[d] &&
        (best < 0 || statement->sizes[d] > statement->sizes[best]))
      best = d;
  return best;
}

/// `n` or a number of segments near it, `least` or more, that leaves no rest of
/// `size`.
static int64_t withoutRest(int64_t size, int64_t n, int64_t least) {
  for (int64_t by = 0; by <= n / 4; ++by) {
    if (n - by >= least && size % (n - by) == 0)
      return n - by;
    if (n + by <= size / 2 && size % (n + by) == 0)
      return n + by;
  }
  return n;
}

static bool choose(const XlaVulkanInfo *info, Split *split) {
  const XlaSchedStatement *statement = &split->statement;
  int d = longest(statement);
  bool isRow;
  if (statement->isEmpty || d < 0 || !statement->body.ptr)
    return false;
  int64_t wanted = info->kind == XlaVulkanKindSoftware ? 64 : 1024;
  int64_t tasks = tasksOf(info, statement, &isRow);
  int64_t volume = xlaSchedVolume(statement, 0, statement->nDims);
  int64_t inside = 1;
  for (int k = 0; k < statement->nDims; ++k)
    inside *= statement->reduction[k] ? statement->sizes[k] : 1;
  int64_t n = tasks * 2 <= wanted ? xlaVulkanCeilDiv(wanted, tasks) : 1;
  if (n > volume / tasks / minSegment)
    n = volume / tasks / minSegment;
  // The loops' limit goes before.
  int64_t block = (int64_t)xlaVulkanWidth(info) *
                  (info->subgroupSize ? info->subgroupSize : 1);
  int64_t least = xlaVulkanCeilDiv(inside, isRow ? maxTrips * block : maxTrips);
  n = n < least ? least : n;
  if (n > statement->sizes[d] / 2)
    n = statement->sizes[d] / 2;
  if (n < 2)
    return false;
  n = withoutRest(statement->sizes[d], n, least < 2 ? 2 : least);
  split->dim = statement->original[d];
  split->length = statement->sizes[d] / n;
  if (isRow && split->length > block) // every segment begins aligned
    split->length = split->length / block * block;
  split->segments = statement->sizes[d] / split->length;
  split->rest = statement->sizes[d] - split->segments * split->length;
  return true;
}

/// Can the combination change its order, and is nothing known of positions?
static bool isSplittable(Split *split) {
  const XlaSchedStatement *statement = &split->statement;
  for (int d = 0; d < statement->nDims; ++d)
    if (statement->indexed[d])
      return false;
  for (int i = 0; i < statement->nIns; ++i)
    if (statement->accesses[i].dynamicOffset ||
        mlirShapedTypeGetRank(mlirValueGetType(statement->accesses[i].view)) >=
            maxRank - 1)
      return false;
  return xlaSchedReducersRead(statement, split->reducers);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static MlirAffineMap mapOf(const Split *split, intptr_t i) {
  MlirAttribute maps =
      mlirOperationGetAttributeByName(split->op, str("indexing_maps"));
  return mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
}

static int64_t countOf(const Split *split, bool isRest) {
  return isRest ? 1 : split->segments;
}

/// Input `i` with its segments as a dimension of their own, or what is left of
/// it as one segment; the map (of one more dimension, the segment, in front) in
/// `*map`.
static MlirValue cutInput(const Split *split, XlaIr *ir, intptr_t i,
                          bool isRest, MlirAffineMap *map) {
  MlirAffineMap old = mapOf(split, i);
  MlirValue view = mlirOperationGetOperand(split->op, i);
  MlirType type = mlirValueGetType(view);
  int64_t oldStrides[maxRank], sizes[maxRank], strides[maxRank], offset;
  MlirAffineExpr exprs[maxRank];
  mlirMemRefTypeGetStridesAndOffset(type, oldStrides, &offset);
  intptr_t n = 0, rank = mlirAffineMapGetNumResults(old);
  bool isCut = false;
  for (intptr_t r = 0; r < rank; ++r) {
    intptr_t d = mlirAffineDimExprGetPosition(mlirAffineMapGetResult(old, r));
    sizes[n] = mlirShapedTypeGetDimSize(type, r);
    if (d == split->dim) {
      isCut = true;
      if (isRest)
        offset += split->segments * split->length * oldStrides[r];
      sizes[n] = countOf(split, isRest);
      strides[n] = split->length * oldStrides[r];
      exprs[n++] = mlirAffineDimExprGet(ir->context, 0);
      sizes[n] = isRest ? split->rest : split->length;
    }
    strides[n] = oldStrides[r];
    exprs[n++] = mlirAffineDimExprGet(ir->context, d + 1);
  }
  *map = mlirAffineMapGet(ir->context, mlirAffineMapGetNumDims(old) + 1, 0, n,
                          exprs);
  return isCut ? xlaKernelReinterpret(ir, view, (MlirValue){NULL}, offset, n,
                                      sizes, strides)
               : view;
}

/// Are the segments' results in the combiner's type, which is the wider one?
/// Preds, i1 while they are combined, are i8 in memory.
static bool isWider(const XlaSchedReducer *reducer) {
  return reducer->widen && !mlirTypeIsAInteger(reducer->carried);
}

/// memref.alloc of the results of `count` segments for output `o`.
static MlirValue allocate(const Split *split, XlaIr *ir, int o, int64_t count) {
  MlirType out = mlirValueGetType(
      mlirOperationGetOperand(split->op, split->statement.nIns + o));
  int64_t sizes[maxRank] = {count};
  intptr_t rank = mlirShapedTypeGetRank(out);
  for (intptr_t r = 0; r < rank; ++r)
    sizes[1 + r] = mlirShapedTypeGetDimSize(out, r);
  const XlaSchedReducer *reducer = &split->reducers[o];
  MlirType element =
      isWider(reducer) ? reducer->carried : xlaIrElementType(out);
  MlirType type = mlirMemRefTypeGet(
      element, 1 + rank, sizes, mlirAttributeGetNull(), mlirAttributeGetNull());
  return xlaLinalgAlloc(ir, type);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static void insert(XlaIr *ir, MlirOperation op) {
  mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, op);
}

static void setMaps(XlaIr *ir, MlirOperation op, intptr_t n,
                    const MlirAttribute *maps) {
  mlirOperationSetAttributeByName(op, str("indexing_maps"),
                                  mlirArrayAttrGet(ir->context, n, maps));
}

/// Lets the accumulators of `op`, a copy of the reduction, be of the combiner's
/// type.
static void widen(MlirOperation op, const Split *split) {
  XlaSchedStatement copy = split->statement;
  XlaSchedReducer *reducers = calloc((size_t)copy.nOuts + 1, sizeof *reducers);
  copy.body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  if (reducers && xlaSchedReducersRead(&copy, reducers))
    for (int o = 0; o < copy.nOuts; ++o) {
      MlirValue acc = mlirBlockGetArgument(copy.body, copy.nIns + o);
      MlirOperation yield = mlirBlockGetTerminator(copy.body);
      if (!isWider(&reducers[o]))
        continue;
      MlirOperation back =
          mlirOpResultGetOwner(mlirOperationGetOperand(yield, o));
      mlirOperationSetOperand(yield, o, reducers[o].carriedOut);
      mlirOperationDestroy(back);
      MlirOperation wide = mlirOpResultGetOwner(reducers[o].carriedIn);
      mlirValueReplaceAllUsesOfWith(reducers[o].carriedIn, acc);
      mlirOperationDestroy(wide);
      mlirBlockArgumentSetType(acc, reducers[o].carried);
    }
  free(reducers);
}

/// part[s, ..] = neutral + in[s * length + k, ..], or that of the rest.
static void emitParts(const Split *split, XlaIr *ir, bool isRest,
                      MlirValue *parts) {
  const XlaSchedStatement *statement = &split->statement;
  intptr_t n = statement->nIns + statement->nOuts;
  MlirAttribute *maps = calloc((size_t)n + 1, sizeof *maps);
  MlirOperation op = mlirOperationClone(split->op);
  MlirAttribute kinds =
      mlirOperationGetAttributeByName(op, str("iterator_types"));
  intptr_t nDims = mlirArrayAttrGetNumElements(kinds);
  MlirAttribute parallel = xlaLinalgIterators(ir->context, 1, NULL);
  MlirAttribute types[1 + XLA_SCHED_MAX_DIMS] = {
      mlirArrayAttrGetElement(parallel, 0)};
  for (intptr_t d = 0; d < nDims; ++d)
    types[1 + d] = mlirArrayAttrGetElement(kinds, d);
  for (int i = 0; maps && i < statement->nIns; ++i) {
    MlirAffineMap map;
    mlirOperationSetOperand(op, i, cutInput(split, ir, i, isRest, &map));
    maps[i] = mlirAffineMapAttrGet(map);
  }
  for (int o = 0; maps && o < statement->nOuts; ++o) {
    MlirAffineMap old = mapOf(split, statement->nIns + o);
    MlirAffineExpr exprs[maxRank] = {mlirAffineDimExprGet(ir->context, 0)};
    intptr_t rank = mlirAffineMapGetNumResults(old);
    for (intptr_t r = 0; r < rank; ++r)
      exprs[1 + r] = mlirAffineDimExprGet(
          ir->context,
          1 + mlirAffineDimExprGetPosition(mlirAffineMapGetResult(old, r)));
    const XlaSchedReducer *reducer = &split->reducers[o];
    parts[o] = allocate(split, ir, o, countOf(split, isRest));
    MlirValue neutral = xlaSchedNeutral(ir, reducer, reducer->carried);
    if (!isWider(reducer))
      neutral = xlaSchedNarrow(
          ir, reducer, xlaIrElementType(mlirValueGetType(parts[o])), neutral);
    xlaLinalgFill(ir, neutral, parts[o]);
    mlirOperationSetOperand(op, statement->nIns + o, parts[o]);
    maps[statement->nIns + o] = mlirAffineMapAttrGet(
        mlirAffineMapGet(ir->context, nDims + 1, 0, rank + 1, exprs));
  }
  widen(op, split);
  if (maps)
    setMaps(ir, op, n, maps);
  mlirOperationSetAttributeByName(
      op, str("iterator_types"),
      mlirArrayAttrGet(ir->context, nDims + 1, types));
  insert(ir, op);
  free(maps);
}

/// out[..] += part[s, ..]; false if there is no memory.
static bool emitSum(const Split *split, XlaIr *ir, int o, MlirValue parts) {
  const XlaSchedReducer *reducer = &split->reducers[o];
  MlirValue out = mlirOperationGetOperand(split->op, split->statement.nIns + o);
  MlirType element = xlaIrElementType(mlirValueGetType(out));
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(out));
  MlirAffineExpr exprs[maxRank];
  bool isReduction[maxRank] = {true};
  for (intptr_t r = 0; r <= rank; ++r)
    exprs[r] = mlirAffineDimExprGet(ir->context, r);
  MlirAffineMap maps[2] = {
      mlirAffineMapGet(ir->context, rank + 1, 0, rank + 1, exprs),
      mlirAffineMapGet(ir->context, rank + 1, 0, rank, exprs + 1)};
  MlirBlock block = mlirBlockCreate(
      2, (MlirType[]){xlaIrElementType(mlirValueGetType(parts)), element},
      (MlirLocation[]){ir->location, ir->location});
  XlaIr inside = xlaIrIn(*ir, block);
  MlirValue part = mlirBlockGetArgument(block, 0);
  if (!isWider(reducer))
    part = xlaSchedWiden(&inside, reducer, part);
  MlirValue sum =
      xlaSchedWiden(&inside, reducer, mlirBlockGetArgument(block, 1));
  sum = xlaSchedCombine(&inside, reducer, sum, part);
  sum = xlaSchedNarrow(&inside, reducer, element, sum);
  xlaIrCreate(&inside, "linalg.yield", 1, &sum, 0, NULL, 0, NULL, 0, NULL);
  return xlaLinalgGeneric(ir, 1, 1, (MlirValue[]){parts, out}, maps, rank + 1,
                          isReduction, block)
      .ptr;
}

/// Replaces the reduction. The first step goes before `front`, so that what
/// fills the results stays beside the second.
static MlirLogicalResult apply(const Split *split, MlirOperation front) {
  int n = split->statement.nOuts, nSteps = split->rest ? 2 : 1;
  MlirValue *parts = calloc((size_t)nSteps * (size_t)n + 1, sizeof *parts);
  if (!parts) {
    xlaErrorNoMemory(mlirOperationGetLocation(split->op));
    return mlirLogicalResultFailure();
  }
  XlaIr first = xlaIrBefore(front), second = xlaIrBefore(split->op);
  for (int i = 0; i < nSteps; ++i)
    emitParts(split, &first, i, parts + i * n);
  bool hasMemory = true;
  for (int i = 0; i < nSteps; ++i)
    for (int o = 0; o < n; ++o)
      hasMemory &= emitSum(split, &second, o, parts[i * n + o]);
  free(parts);
  if (!hasMemory) {
    xlaErrorNoMemory(mlirOperationGetLocation(split->op));
    return mlirLogicalResultFailure();
  }
  mlirOperationDestroy(split->op);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult splitOne(const XlaVulkanInfo *info, MlirOperation op,
                                  MlirOperation front) {
  Split split = {.op = op};
  MlirLogicalResult result = xlaSchedStatementRead(op, &split.statement);
  if (mlirLogicalResultIsSuccess(result)) {
    split.reducers =
        calloc((size_t)split.statement.nOuts + 1, sizeof *split.reducers);
    if (split.reducers && choose(info, &split) && isSplittable(&split))
      result = apply(&split, front);
  }
  free(split.reducers);
  free(split.statement.accesses);
  return result;
}

static bool isOneOf(MlirOperation op, int n, const MlirOperation *ops) {
  for (int i = 0; i < n; ++i)
    if (mlirOperationEqual(op, ops[i]))
      return true;
  return false;
}

MlirLogicalResult xlaVulkanSplitReductions(XlaVulkanSchedule *schedule, int n,
                                           const MlirOperation *whole) {
  MlirBlock body =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(schedule->function, 0));
  MlirOperation front = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next; op.ptr;
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    bool isFill = xlaIrIsOp(op, "linalg.fill");
    if (xlaIrIsOp(op, "linalg.generic")) {
      if (!isOneOf(op, n, whole) &&
          mlirLogicalResultIsFailure(
              splitOne(schedule->info, op, front.ptr ? front : op)))
        return mlirLogicalResultFailure();
      front.ptr = NULL;
    } else if (isFill && !front.ptr) {
      front = op;
    } else if (!isFill) {
      front.ptr = NULL;
    }
  }
  return mlirLogicalResultSuccess();
}

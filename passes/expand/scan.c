//===- scan.c - Scans -----------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/scan.h"

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/flatten.h"
#include "xlac/passes/passes.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// How a kind of device cuts lines.
typedef struct Cut {
  int64_t lines;       ///< so many are enough as they are
  int64_t length;      ///< of a line that is not worth it
  int64_t blocks;      ///< wanted, of all lines
  int64_t least, most; ///< elements of a block
} Cut;

/// A few vectors of lines for each core, which the nearest cache holds;
/// rounding adds up along a block.
static const Cut cpuCut = {64, 8192, 1024, 64, 256};
/// A line is a thread's.
static const Cut gpuCut = {4096, 256, 16384, 32, 256};

/// The elements of a block, or 0: the line stays. If there is a divisor of the
/// line about as long, nothing is left over.
static int64_t blockOf(const Cut *cut, int64_t lines, int64_t size) {
  if (!lines || lines >= cut->lines || size < cut->length)
    return 0;
  int64_t block = cut->least;
  while (block < cut->most && size / block > cut->blocks / lines)
    block *= 2;
  for (int64_t k = 0; k <= block / 2; ++k) {
    if (size % (block + k) == 0)
      return block + k;
    if (size % (block - k) == 0)
      return block - k;
  }
  return block;
}

//===----------------------------------------------------------------------===//
// A scan
//===----------------------------------------------------------------------===//

bool xlaScanCreate(XlaIr *ir, MlirOperation owner, const MlirValue *operands,
                   intptr_t n, int dimension, bool isReverse,
                   MlirValue *results) {
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  if (!types)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(operands[i]);
  MlirOperation copy = mlirOperationClone(owner);
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
  XlaIrAttr attrs[] = {{"dimension", xlaIrI64Attr(ir->context, dimension)},
                       {"reverse", mlirBoolAttrGet(ir->context, isReverse)}};
  MlirOperation scan = xlaIrCreate(ir, "xla.associative_scan", n, operands, n,
                                   types, 1 + isReverse, attrs, 1, &region);
  for (intptr_t i = 0; i < n; ++i)
    results[i] = mlirOperationGetResult(scan, i);
  free(types);
  return true;
}

//===----------------------------------------------------------------------===//
// A scan in blocks
//===----------------------------------------------------------------------===//

/// A scan that is being cut; the blocks are `block` elements of `nBlocks`.
typedef struct Split {
  XlaIr *ir;
  MlirOperation owner; ///< of the computation
  const Cut *cut;
  intptr_t n;
  int dimension;
  bool isReverse;
  XlaShape shape;
  int64_t block, nBlocks, rest;
} Split;

/// Elements [from, from + count) of dimension `d`.
static MlirValue part(const Split *s, MlirValue array, int d, int64_t from,
                      int64_t count) {
  XlaShape shape = xlaArrayShape(array);
  int64_t starts[XLA_MAX_RANK] = {0};
  starts[d] = from;
  shape.dims[d] = from + count;
  return xlaArraySlice(s->ir, array, starts, shape.dims, NULL);
}

/// Dimension `dimension` of `array` as two of sizes `a` and `b`, or, if `b` is
/// 0, it and the next as one of size `a`.
static MlirValue regroup(const Split *s, MlirValue array, int64_t a,
                         int64_t b) {
  XlaShape shape = xlaArrayShape(array);
  int64_t dims[XLA_MAX_RANK];
  int d = s->dimension, rank = shape.rank + (b ? 1 : -1);
  size_t behind = (size_t)(shape.rank - d - (b ? 1 : 2)) * sizeof *dims;
  memcpy(dims, shape.dims, sizeof dims);
  memcpy(dims + d + (b ? 2 : 1), shape.dims + d + (b ? 1 : 2), behind);
  dims[d] = a;
  if (b)
    dims[d + 1] = b;
  return xlaArrayReshape(s->ir, array, rank, dims);
}

/// `totals`, of the lines in front, of size 1 along dimension `d`, combined
/// with all elements of `parts` along it. `values` has room for 2 n.
static bool carry(const Split *s, int d, const MlirValue *totals,
                  const MlirValue *parts, MlirValue *values,
                  MlirValue *results) {
  MlirRegion region = mlirOperationGetRegion(s->owner, 0);
  XlaShape shape = xlaArrayShape(parts[0]);
  int64_t dims[XLA_MAX_RANK], at[XLA_MAX_RANK];
  for (int k = 0, n = 0; k < shape.rank; ++k)
    if (k != d) {
      dims[n] = shape.dims[k];
      at[n++] = k;
    }
  for (intptr_t i = 0; i < s->n; ++i) {
    MlirValue total = xlaArrayReshape(s->ir, totals[i], shape.rank - 1, dims);
    values[i + (s->isReverse ? s->n : 0)] =
        xlaArrayBroadcast(s->ir, total, shape.rank, shape.dims, at);
    values[i + (s->isReverse ? 0 : s->n)] = parts[i];
  }
  return xlaRegionInline(s->ir, region, &shape, values, results);
}

static bool build(Split *s, const MlirValue *operands, MlirValue *results);

/// The scans of the blocks, and of their totals.
static bool scanBlocks(const Split *s, const MlirValue *operands,
                       MlirValue *local, MlirValue *totals) {
  int d = s->dimension;
  for (intptr_t i = 0; i < s->n; ++i) {
    MlirValue whole = part(s, operands[i], d, s->isReverse ? s->rest : 0,
                           s->nBlocks * s->block);
    totals[i] = regroup(s, whole, s->nBlocks, s->block);
  }
  if (!xlaScanCreate(s->ir, s->owner, totals, s->n, d + 1, s->isReverse, local))
    return false;
  for (intptr_t i = 0; i < s->n; ++i)
    totals[i] =
        regroup(s, part(s, local[i], d + 1, s->isReverse ? 0 : s->block - 1, 1),
                s->nBlocks, 0);
  Split outer = *s;
  return build(&outer, totals, totals);
}

/// All blocks but the first get the totals in front of them; `results` are all.
static bool carryBlocks(const Split *s, const MlirValue *local,
                        const MlirValue *totals, MlirValue *room,
                        MlirValue *results) {
  int d = s->dimension;
  int64_t others = s->nBlocks - 1, first = s->isReverse ? others : 0;
  MlirValue *sums = room, *parts = room + s->n, *values = room + 2 * s->n;
  for (intptr_t i = 0; i < s->n; ++i) {
    MlirValue sum = part(s, totals[i], d, s->isReverse, others);
    sums[i] = regroup(s, sum, others, 1);
    parts[i] = part(s, local[i], d, !s->isReverse, others);
  }
  if (!carry(s, d + 1, sums, parts, values, parts))
    return false;
  for (intptr_t i = 0; i < s->n; ++i) {
    MlirValue pieces[2];
    pieces[s->isReverse] = part(s, local[i], d, first, 1);
    pieces[!s->isReverse] = parts[i];
    results[i] = regroup(s, xlaArrayConcatenate(s->ir, 2, pieces, d),
                         s->nBlocks * s->block, 0);
  }
  return true;
}

/// Adds to the results what is shorter than a block, with the last total.
static bool carryRest(const Split *s, const MlirValue *operands,
                      const MlirValue *totals, MlirValue *room,
                      MlirValue *results) {
  int d = s->dimension;
  MlirValue *sums = room, *parts = room + s->n, *values = room + 2 * s->n;
  int64_t from = s->isReverse ? 0 : s->nBlocks * s->block;
  for (intptr_t i = 0; i < s->n; ++i) {
    sums[i] = part(s, totals[i], d, s->isReverse ? 0 : s->nBlocks - 1, 1);
    parts[i] = part(s, operands[i], d, from, s->rest);
  }
  if (!xlaScanCreate(s->ir, s->owner, parts, s->n, d, s->isReverse, values))
    return false;
  for (intptr_t i = 0; i < s->n; ++i)
    parts[i] = values[i];
  if (!carry(s, d, sums, parts, values, parts))
    return false;
  for (intptr_t i = 0; i < s->n; ++i) {
    MlirValue pieces[2];
    pieces[s->isReverse] = results[i];
    pieces[!s->isReverse] = parts[i];
    results[i] = xlaArrayConcatenate(s->ir, 2, pieces, d);
  }
  return true;
}

static bool buildBlocks(const Split *s, const MlirValue *operands,
                        MlirValue *results) {
  enum { arrays = 7 }; // local, totals, room for 4, made
  size_t n = (size_t)s->n;
  MlirValue *room = calloc(arrays * n, sizeof *room);
  MlirValue *local = room, *totals = room + n, *made = room + 6 * n;
  bool done = room && scanBlocks(s, operands, local, totals) &&
              carryBlocks(s, local, totals, room + 2 * n, made) &&
              (!s->rest || carryRest(s, operands, totals, room + 2 * n, made));
  if (done)
    memcpy(results, made, n * sizeof *results);
  free(room);
  return done;
}

/// The scan of `operands`, in blocks if that is worth it; they may be the
/// results' place. False without memory.
static bool build(Split *s, const MlirValue *operands, MlirValue *results) {
  int64_t lines = 1;
  s->shape = xlaArrayShape(operands[0]);
  for (int d = 0; d < s->shape.rank; ++d)
    if (d != s->dimension)
      lines *= s->shape.dims[d];
  int64_t size = s->shape.dims[s->dimension];
  s->block = s->shape.rank < XLA_MAX_RANK ? blockOf(s->cut, lines, size) : 0;
  if (!s->block)
    return xlaScanCreate(s->ir, s->owner, operands, s->n, s->dimension,
                         s->isReverse, results);
  s->nBlocks = size / s->block;
  s->rest = size % s->block;
  return buildBlocks(s, operands, results);
}

//===----------------------------------------------------------------------===//
// All scans
//===----------------------------------------------------------------------===//

static MlirLogicalResult split(MlirOperation op, const Cut *cut) {
  XlaIr ir = xlaIrBefore(op);
  Split s = {.ir = &ir,
             .owner = op,
             .cut = cut,
             .n = mlirOperationGetNumOperands(op),
             .dimension = (int)xlaOpGetI64(op, "dimension", 0),
             .isReverse = xlaOpIsTrue(op, "reverse")};
  if (!xlaRegionIsElementwise(mlirOperationGetRegion(op, 0)))
    return success();
  MlirValue *values = malloc((size_t)s.n * sizeof *values);
  for (intptr_t i = 0; values && i < s.n; ++i)
    values[i] = mlirOperationGetOperand(op, i);
  if (!values || !build(&s, values, values)) {
    free(values);
    return xlaOpNoMemory(op);
  }
  for (intptr_t i = 0; i < s.n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), values[i]);
  mlirOperationDestroy(op);
  free(values);
  return success();
}

static bool isScan(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindAssociativeScan;
}

MlirLogicalResult xlaScanSplit(MlirOperation op,
                               const XlaFusionDevice *device) {
  XlaIrOps found = xlaIrCollect(op, MlirWalkPostOrder, isScan);
  MlirLogicalResult result = found.failed ? xlaOpNoMemory(op) : success();
  for (intptr_t i = 0; !failed(result) && i < found.n; ++i)
    result = split(found.ops[i], device->runsAtOnce ? &gpuCut : &cpuCut);
  free(found.ops);
  return result;
}

MlirLogicalResult xlaPassSplitScans(MlirOperation module,
                                    MlirExtPassOptionValues options,
                                    void *userData) {
  (void)options;
  (void)userData;
  return xlaScanSplit(module, xlaFusionDeviceOfTarget(module));
}

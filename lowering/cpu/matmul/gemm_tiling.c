//===- gemm_tiling.c - Choosing the loops of a matrix product -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/gemm.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/lowering/cpu/pointer.h"

#include <stdio.h>
#include <string.h>

static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
static int64_t roundUp(int64_t a, int64_t b) { return ceilDiv(a, b) * b; }
static int64_t clamp(int64_t x, int64_t low, int64_t high) {
  return x < low ? low : x > high ? high : x;
}

/// Matrices whose element count leaves these bounds do not fit into memory;
/// capping keeps the estimates below free of overflow.
static int64_t capped(int64_t x) { return min64(x, INT64_C(1) << 20); }

int64_t xlaCpuGemmTypeBytes(MlirType element) {
  int64_t bits = mlirTypeIsAInteger(element)
                     ? (int64_t)mlirIntegerTypeGetWidth(element)
                     : (int64_t)mlirFloatTypeGetWidth(element);
  return bits / 8;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Registers for mr * nv sums, nv vectors of B and a broadcast of A: 32
/// registers with AVX-512 and on AArch64, 16 else.
static void chooseTile(XlaCpuGemmTiling *tiling, const XlaCpuTarget *target,
                       int64_t bytes) {
  tiling->lanes = xlaCpuTargetLanes(target, (int)(8 * bytes));
  if (target->vectorBits == 512) {
    tiling->mr = 8;
    tiling->nv = 2;
  } else {
    bool many = !strncmp(target->triple, "aarch64", 7);
    tiling->mr = 4;
    tiling->nv = many ? 5 : target->vectorBits == 256 ? 3 : 2;
  }
  // A narrow C is one narrow panel.
  tiling->nv = clamp(ceilDiv(tiling->op.n, tiling->lanes), 1, tiling->nv);
  tiling->nr = tiling->nv * tiling->lanes;
}

/// A panel of A takes half of the first cache, a block of A a quarter of the
/// second, and a block of B a part of the third that leaves room for others.
static void chooseBlocks(XlaCpuGemmTiling *tiling, const XlaCpuTarget *target,
                         const XlaCpuGemmTypes *types) {
  int64_t bytes = xlaCpuGemmTypeBytes(types->packed);
  const XlaCpuMatmul *op = &tiling->op;
  int64_t kc = target->l1Bytes / 2 / (tiling->mr * bytes);
  tiling->kc = clamp(kc / 16 * 16, 128, 1024);
  // A last block of a few k costs a pass over C: spread k evenly.
  int64_t k = max64(op->k, 1);
  tiling->kc = roundUp(ceilDiv(k, ceilDiv(k, tiling->kc)), 8);
  tiling->kc = min64(tiling->kc, k);
  tiling->mc = clamp(target->l2Bytes / 4 / (tiling->kc * bytes), 32, 512);
  tiling->mc = roundUp(min64(tiling->mc, max64(op->m, 1)), tiling->mr);
  int64_t block = min64(2 << 20, target->l3Bytes / (2 * target->threads));
  tiling->nc = clamp(block / (tiling->kc * bytes), 4 * tiling->nr, 4096);
  tiling->nc = roundUp(min64(tiling->nc, max64(op->n, 1)), tiling->nr);
}

static XlaCpuGemmPack packing(int64_t first, int64_t last) {
  return last == 1    ? XLA_CPU_GEMM_ROWS
         : first == 1 ? XLA_CPU_GEMM_COLUMNS
                      : XLA_CPU_GEMM_STRIDED;
}

static void choosePacking(XlaCpuGemmTiling *tiling, const XlaCpuTarget *target,
                          const XlaCpuGemmTypes *types) {
  const XlaCpuMatmul *op = &tiling->op;
  int64_t bytes = xlaCpuGemmTypeBytes(types->sum);
  tiling->lhsPack = packing(op->lhsM, op->lhsK);
  tiling->rhsPack = packing(op->rhsK, op->rhsN);
  // The micro-kernel reads A through any strides: packing pays where A is read
  // often and its rows would fight for the same cache lines.
  bool small = capped(op->m) * capped(op->k) * bytes <= target->l1Bytes / 2;
  if (mlirTypeEqual(types->lhs, types->sum) &&
      (small || (tiling->lhsPack == XLA_CPU_GEMM_ROWS && op->k <= 256)))
    tiling->lhsPack = XLA_CPU_GEMM_DIRECT;
  // B is read once for each mr rows of A.
  if (mlirTypeEqual(types->rhs, types->sum) && op->rhsN == 1 &&
      op->m <= 2 * tiling->mr)
    tiling->rhsPack = XLA_CPU_GEMM_DIRECT;
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

/// A core of 3 GHz that adds a vector of products in a cycle, and reads a
/// matrix that it needs once from its caches, or from memory.
static double nanosecondsOf(const XlaCpuGemmTiling *tiling,
                            const XlaCpuTarget *target,
                            const XlaCpuGemmTypes *types) {
  const XlaCpuMatmul *op = &tiling->op;
  double matrices = (double)op->n * (double)op->k * (double)tiling->batches;
  double sums = (double)op->m * (double)op->n * (double)tiling->batches;
  double compute = sums * (double)op->k /
                   (double)(tiling->lanes * xlaCpuGemmPerSum(types)) / 3;
  double bytes = matrices * (double)xlaCpuGemmTypeBytes(types->rhs);
  double speed = bytes > (double)target->l3Bytes / 2 ? 12 : 80;
  double read = tiling->path == XLA_CPU_GEMM_NEST ? 0 : bytes / speed;
  double epilogue = sums / (double)tiling->lanes * op->epilogueWeight * 0.25;
  return epilogue + (compute > read ? compute : read);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

static void chooseSplit(XlaCpuGemmTiling *tiling, const XlaCpuTarget *target) {
  const XlaCpuMatmul *op = &tiling->op;
  tiling->threads = xlaCpuUsefulThreads(
      tiling->nanoseconds, target->serialNanoseconds, target->threads);
  int64_t threads = tiling->threads;
  int64_t columns = ceilDiv(op->n, tiling->nr),
          rows = ceilDiv(op->m, tiling->mr);
  if (tiling->batches >= 2 * threads || tiling->batches % threads == 0) {
    tiling->split = XLA_CPU_GEMM_SPLIT_BATCH;
    tiling->chunk = ceilDiv(tiling->batches, threads);
    return;
  }
  // Splitting rows packs B once for each thread, so columns go first.
  bool byColumns = columns >= 2 * threads || columns >= rows;
  tiling->split = byColumns ? XLA_CPU_GEMM_SPLIT_N : XLA_CPU_GEMM_SPLIT_M;
  tiling->chunk = byColumns ? ceilDiv(columns, threads) * tiling->nr
                            : ceilDiv(rows, threads) * tiling->mr;
  int64_t pieces = ceilDiv(byColumns ? op->n : op->m, max64(tiling->chunk, 1));
  tiling->threads = (int)max64(pieces, 1);
}

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

/// Bytes of sums that a thread holds back until they are complete.
enum { heldBytes = 4 << 20 };

static void sizeScratch(XlaCpuGemmTiling *tiling,
                        const XlaCpuGemmTypes *types) {
  const XlaCpuMatmul *op = &tiling->op;
  int64_t bytes = xlaCpuGemmTypeBytes(types->sum);
  int64_t depth = ceilDiv(tiling->kc, xlaCpuGemmPerSum(types));
  int64_t rows = tiling->split == XLA_CPU_GEMM_SPLIT_M ? tiling->chunk : op->m;
  tiling->sumBytes = tiling->mr * tiling->nr * bytes;
  if (tiling->path != XLA_CPU_GEMM_NEST) {
    int64_t held = tiling->finish ? op->m * roundUp(op->n, tiling->nr) : 0;
    tiling->sumBytes = held * bytes;
    tiling->lhsBytes = tiling->rhsBytes = 0;
  } else {
    if (tiling->blocked) {
      rows = roundUp(max64(rows, 1), tiling->mr);
      int64_t columns = heldBytes / bytes / rows / tiling->nr * tiling->nr;
      tiling->nc = min64(tiling->nc, max64(columns, 4 * tiling->nr));
      tiling->sumBytes = rows * tiling->nc * bytes;
    }
    tiling->lhsBytes = tiling->lhsPack == XLA_CPU_GEMM_DIRECT
                           ? 0
                           : tiling->mc * (roundUp(depth, 16) + 16) * bytes;
    tiling->rhsBytes = tiling->rhsPack == XLA_CPU_GEMM_DIRECT
                           ? depth * tiling->nr * bytes
                           : depth * tiling->nc * bytes;
  }
  tiling->sumBytes = roundUp(tiling->sumBytes, 64);
  tiling->lhsBytes = roundUp(tiling->lhsBytes, 64);
  tiling->rhsBytes = roundUp(tiling->rhsBytes, 64);
  tiling->slabBytes = tiling->sumBytes + tiling->lhsBytes + tiling->rhsBytes;
}

//===----------------------------------------------------------------------===//
// The tiling
//===----------------------------------------------------------------------===//

/// C^T = B^T A^T: a column becomes a row. The result is one vector, so that its
/// rows may be read as columns.
static void transpose(XlaCpuMatmul *op) {
  XlaCpuMatmul t = *op;
  t.lhs = op->rhs;
  t.rhs = op->lhs;
  memcpy(t.lhsBatch, op->rhsBatch, sizeof t.lhsBatch);
  memcpy(t.rhsBatch, op->lhsBatch, sizeof t.rhsBatch);
  t.m = op->n;
  t.n = op->m;
  t.lhsM = op->rhsN;
  t.lhsK = op->rhsK;
  t.rhsK = op->lhsK;
  t.rhsN = op->lhsM;
  t.lhsUnsigned = op->rhsUnsigned;
  t.rhsUnsigned = op->lhsUnsigned;
  *op = t;
}

bool xlaCpuMatmulIsTransposed(const XlaCpuMatmul *matmul) {
  return matmul->n == 1 && matmul->m > 1 && matmul->resultM == 1;
}

XlaCpuGemmTiling xlaCpuGemmTiling(const XlaCpuMatmul *matmul,
                                  const XlaCpuTarget *target) {
  XlaCpuGemmTiling tiling = {.op = *matmul, .batches = 1};
  tiling.transposed = xlaCpuMatmulIsTransposed(matmul);
  if (tiling.transposed)
    transpose(&tiling.op);
  const XlaCpuMatmul *op = &tiling.op;
  for (intptr_t i = 0; i < op->batchRank; ++i)
    tiling.batches *= op->batch[i];
  XlaCpuGemmTypes types = xlaCpuGemmTypes(op, target);
  int64_t bytes = xlaCpuGemmTypeBytes(types.sum);
  chooseTile(&tiling, target, bytes);
  chooseBlocks(&tiling, target, &types);
  if (op->m <= XLA_CPU_GEMM_FEW && op->rhsN == 1)
    tiling.path = XLA_CPU_GEMM_VECTOR_ROWS;
  else if (op->m == 1 && op->rhsK == 1 && op->lhsK == 1)
    tiling.path = XLA_CPU_GEMM_VECTOR_COLUMNS;
  choosePacking(&tiling, target, &types);
  tiling.finish = op->epilogue || !mlirTypeEqual(types.result, types.sum);
  tiling.blocked =
      tiling.finish && tiling.path == XLA_CPU_GEMM_NEST && op->k > tiling.kc;
  tiling.nanoseconds = nanosecondsOf(&tiling, target, &types);
  chooseSplit(&tiling, target);
  sizeScratch(&tiling, &types);
  return tiling;
}

int64_t xlaCpuMatmulScratchBytes(const XlaCpuMatmul *matmul,
                                 const XlaCpuTarget *target) {
  XlaCpuGemmTiling tiling = xlaCpuGemmTiling(matmul, target);
  return tiling.slabBytes * tiling.threads;
}

int xlaCpuMatmulThreads(const XlaCpuMatmul *matmul,
                        const XlaCpuTarget *target) {
  return xlaCpuGemmTiling(matmul, target).threads;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// What the target adds in pairs, or null.
static MlirType pairType(const XlaCpuGemmTypes *types,
                         const XlaCpuTarget *target) {
  MlirType none = {NULL};
  if (mlirTypeIsABF16(types->lhs) && mlirTypeIsABF16(types->rhs))
    return target->hasBf16Pairs && mlirTypeIsAF32(types->sum) ? types->lhs
                                                              : none;
  if ((!target->hasI16Pairs && !target->hasI16Sums) ||
      !mlirTypeIsAInteger(types->sum) ||
      mlirIntegerTypeGetWidth(types->sum) != 32 ||
      mlirIntegerTypeGetWidth(types->lhs) > (types->lhsUnsigned ? 8 : 16) ||
      mlirIntegerTypeGetWidth(types->rhs) > (types->rhsUnsigned ? 8 : 16))
    return none;
  return mlirIntegerTypeGet(types->context, 16);
}

static void nameOf(MlirType type, bool isUnsigned, char name[8]) {
  if (mlirTypeIsAInteger(type))
    snprintf(name, 8, "%c%u", isUnsigned ? 'u' : 'i',
             mlirIntegerTypeGetWidth(type));
  else
    snprintf(name, 8, "%sf%u", mlirTypeIsABF16(type) ? "b" : "",
             mlirFloatTypeGetWidth(type));
}

XlaCpuGemmTypes xlaCpuGemmTypes(const XlaCpuMatmul *op,
                                const XlaCpuTarget *target) {
  XlaCpuGemmTypes types = {.context = mlirTypeGetContext(op->lhs),
                           .lhs = xlaIrElementType(op->lhs),
                           .rhs = xlaIrElementType(op->rhs),
                           .result = xlaIrElementType(op->result),
                           .lhsUnsigned = op->lhsUnsigned,
                           .rhsUnsigned = op->rhsUnsigned,
                           .fma = target->hasFma};
  MlirType product = mlirTypeIsNull(op->product) ? types.result : op->product;
  if (mlirTypeIsAInteger(product))
    types.sum = mlirIntegerTypeGet(
        types.context, mlirIntegerTypeGetWidth(product) > 32 ? 64 : 32);
  else
    types.sum = mlirTypeIsAF64(product) ? mlirF64TypeGet(types.context)
                                        : mlirF32TypeGet(types.context);
  nameOf(types.lhs, types.lhsUnsigned, types.lhsName);
  nameOf(types.rhs, types.rhsUnsigned, types.rhsName);
  nameOf(types.sum, false, types.sumName);
  MlirType pair = pairType(&types, target);
  types.paired = !mlirTypeIsNull(pair);
  types.addsPairs = !mlirTypeIsAInteger(types.sum) || target->hasI16Pairs;
  types.packed = types.paired ? pair : types.sum;
  nameOf(types.packed, false, types.packedName);
  return types;
}

MlirType xlaCpuGemmVector(MlirType element, int64_t lanes) {
  return lanes ? mlirVectorTypeGet(1, &lanes, element) : element;
}

MlirValue xlaCpuGemmExtend(XlaIr *ir, const XlaCpuGemmTypes *types,
                           MlirValue value, bool isUnsigned) {
  MlirType from = mlirValueGetType(value);
  MlirType to = xlaIrWithElement(from, types->sum);
  if (mlirTypeEqual(from, to))
    return value;
  if (!mlirTypeIsAInteger(types->sum))
    return xlaIrCast(ir, "arith.extf", value, to);
  if (xlaCpuGemmTypeBytes(xlaIrElementType(from)) >
      xlaCpuGemmTypeBytes(types->sum))
    return xlaIrCast(ir, "arith.trunci", value, to);
  return xlaIrCast(ir, isUnsigned ? "arith.extui" : "arith.extsi", value, to);
}

MlirValue xlaCpuGemmToPacked(XlaIr *ir, const XlaCpuGemmTypes *types,
                             MlirValue value, bool isUnsigned) {
  MlirType from = mlirValueGetType(value);
  MlirType to = xlaIrWithElement(from, types->packed);
  if (!types->paired)
    return xlaCpuGemmExtend(ir, types, value, isUnsigned);
  if (mlirTypeEqual(from, to))
    return value;
  return xlaIrCast(ir, isUnsigned ? "arith.extui" : "arith.extsi", value, to);
}

int64_t xlaCpuGemmPerSum(const XlaCpuGemmTypes *types) {
  return types->paired ? 2 : 1;
}

MlirValue xlaCpuGemmPackedDepth(XlaIr *ir, const XlaCpuGemmTypes *types,
                                MlirValue k) {
  if (!types->paired)
    return k;
  return xlaCpuDiv(ir, xlaCpuAdd(ir, k, xlaIrConstantIndex(ir, 1)),
                   xlaIrConstantIndex(ir, 2));
}

static MlirValue intrinsic(XlaIr *ir, const char *name, MlirType type, int n,
                           const MlirValue *operands) {
  const int32_t segments[] = {n, 0};
  XlaIrAttr attrs[] = {
      {"intrin", xlaIrStringAttr(ir->context, name)},
      {"operandSegmentSizes", mlirDenseI32ArrayGet(ir->context, 2, segments)},
      {"op_bundle_sizes", mlirDenseI32ArrayGet(ir->context, 0, NULL)}};
  return xlaIrOp(ir, "llvm.call_intrinsic", type, n, operands, 3, attrs);
}

MlirValue xlaCpuGemmPackedMulAdd(XlaIr *ir, const XlaCpuGemmTypes *types,
                                 MlirValue a, MlirValue b, MlirValue sum) {
  if (!types->paired)
    return xlaCpuGemmMulAdd(ir, types, a, b, sum);
  MlirType type = mlirValueGetType(sum);
  MlirType pairs =
      xlaCpuGemmVector(types->packed, 2 * mlirShapedTypeGetDimSize(type, 0));
  MlirValue operands[] = {sum, xlaIrCast(ir, "vector.bitcast", a, pairs),
                          xlaIrCast(ir, "vector.bitcast", b, pairs)};
  if (types->addsPairs)
    return intrinsic(ir,
                     mlirTypeIsAInteger(types->sum)
                         ? "llvm.x86.avx512.vpdpwssd.512"
                         : "llvm.x86.avx512bf16.dpbf16ps.512",
                     type, 3, operands);
  int64_t lanes = mlirShapedTypeGetDimSize(type, 0);
  MlirValue both = intrinsic(ir,
                             lanes == 16  ? "llvm.x86.avx512.pmaddw.d.512"
                             : lanes == 8 ? "llvm.x86.avx2.pmadd.wd"
                                          : "llvm.x86.sse2.pmadd.wd",
                             type, 2, operands + 1);
  return xlaCpuGemmAdd(ir, types, sum, both);
}

MlirValue xlaCpuGemmAdd(XlaIr *ir, const XlaCpuGemmTypes *types, MlirValue a,
                        MlirValue b) {
  bool integer = mlirTypeIsAInteger(types->sum);
  return xlaIrBinary(ir, integer ? "arith.addi" : "arith.addf", a, b);
}

MlirValue xlaCpuGemmMulAdd(XlaIr *ir, const XlaCpuGemmTypes *types, MlirValue a,
                           MlirValue b, MlirValue sum) {
  // Without the instruction an FMA is a call of libm.
  if (!mlirTypeIsAInteger(types->sum) && types->fma)
    return xlaIrOp(ir, "math.fma", mlirValueGetType(a), 3,
                   (MlirValue[]){a, b, sum}, 0, NULL);
  bool integer = mlirTypeIsAInteger(types->sum);
  MlirValue product =
      xlaIrBinary(ir, integer ? "arith.muli" : "arith.mulf", a, b);
  return xlaCpuGemmAdd(ir, types, product, sum);
}

MlirValue xlaCpuGemmZero(XlaIr *ir, const XlaCpuGemmTypes *types,
                         int64_t lanes) {
  MlirType type = xlaCpuGemmVector(types->sum, lanes);
  return mlirTypeIsAInteger(types->sum) ? xlaIrConstantInt(ir, type, 0)
                                        : xlaIrConstantFloat(ir, type, 0);
}

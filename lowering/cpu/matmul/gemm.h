//===- gemm.h - The parts of a matrix product ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by matmul.c and the files that emit its parts.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_MATMUL_GEMM_H
#define XLAC_LOWERING_CPU_MATMUL_GEMM_H

#include "xlac/lowering/cpu/matmul/matmul.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How A and B come to the micro-kernel.
typedef enum XlaCpuGemmPack {
  XLA_CPU_GEMM_DIRECT,  ///< read where they lie
  XLA_CPU_GEMM_ROWS,    ///< packed; the last stride (k of A, n of B) is 1
  XLA_CPU_GEMM_COLUMNS, ///< packed; the first stride (m of A, k of B) is 1
  XLA_CPU_GEMM_STRIDED, ///< packed element by element
} XlaCpuGemmPack;

typedef enum XlaCpuGemmPath {
  XLA_CPU_GEMM_NEST,           ///< BLIS's loops
  XLA_CPU_GEMM_VECTOR_ROWS,    ///< m = 1, rows of B are contiguous
  XLA_CPU_GEMM_VECTOR_COLUMNS, ///< m = 1, columns of B are contiguous
} XlaCpuGemmPath;

/// What one thread takes.
typedef enum XlaCpuGemmSplit {
  XLA_CPU_GEMM_SPLIT_BATCH,
  XLA_CPU_GEMM_SPLIT_N,
  XLA_CPU_GEMM_SPLIT_M,
} XlaCpuGemmSplit;

/// Everything that follows from shape, types and target. Sizes in elements.
typedef struct XlaCpuGemmTiling {
  XlaCpuMatmul op; ///< as given, or transposed where that is the better order
  bool transposed; ///< `op` has lhs and rhs exchanged
  XlaCpuGemmPath path;
  XlaCpuGemmPack lhsPack, rhsPack;
  bool finish;  ///< sums go to scratch, then through epilogue and conversion
  bool blocked; ///< with `finish`: k takes several blocks
  int64_t batches;
  int64_t lanes;      ///< of a vector of sums
  int64_t mr, nv, nr; ///< micro-tile: mr rows of nv vectors, nr = nv * lanes
  int64_t mc, nc, kc; ///< blocks
  int threads;
  XlaCpuGemmSplit split;
  int64_t chunk; ///< batches, columns or rows of a thread
  /// Scratch of a thread, in bytes: sums, packed A, packed B.
  int64_t sumBytes, lhsBytes, rhsBytes, slabBytes;
  double nanoseconds; ///< estimated, of one core
} XlaCpuGemmTiling;

XlaCpuGemmTiling xlaCpuGemmTiling(const XlaCpuMatmul *matmul,
                                  const XlaCpuTarget *target);

/// Tells on stderr what was chosen for the product of kernel `name`, and why.
void xlaCpuGemmReport(const XlaCpuGemmTiling *tiling, const char *name);

/// Element types and their use in emitted code.
typedef struct XlaCpuGemmTypes {
  MlirContext context;
  MlirType lhs, rhs, result, sum;
  bool lhsUnsigned, rhsUnsigned;
  bool fma;
  /// Panels hold two neighbours in k in the place of a sum, of type `packed`,
  /// and the micro-kernel adds both products at once. Else `packed` is `sum`.
  bool paired;
  bool addsPairs; ///< in the instruction that multiplies; else by another
  MlirType packed;
  char lhsName[8], rhsName[8], sumName[8], packedName[8];
} XlaCpuGemmTypes;

XlaCpuGemmTypes xlaCpuGemmTypes(const XlaCpuMatmul *matmul,
                                const XlaCpuTarget *target);
/// `value` (scalar or vector) of an operand as sums are.
MlirValue xlaCpuGemmExtend(XlaIr *ir, const XlaCpuGemmTypes *types,
                           MlirValue value, bool isUnsigned);
/// The same as panels have them.
MlirValue xlaCpuGemmToPacked(XlaIr *ir, const XlaCpuGemmTypes *types,
                             MlirValue value, bool isUnsigned);
/// How many elements of panels take the place of a sum.
int64_t xlaCpuGemmPerSum(const XlaCpuGemmTypes *types);
/// The length in sums of a panel of `k` elements.
MlirValue xlaCpuGemmPackedDepth(XlaIr *ir, const XlaCpuGemmTypes *types,
                                MlirValue k);
/// `sum + a * b` on vectors of sums that hold elements of panels.
MlirValue xlaCpuGemmPackedMulAdd(XlaIr *ir, const XlaCpuGemmTypes *types,
                                 MlirValue a, MlirValue b, MlirValue sum);
/// `sum + a * b` on vectors or scalars of sums.
MlirValue xlaCpuGemmMulAdd(XlaIr *ir, const XlaCpuGemmTypes *types, MlirValue a,
                           MlirValue b, MlirValue sum);
MlirValue xlaCpuGemmAdd(XlaIr *ir, const XlaCpuGemmTypes *types, MlirValue a,
                        MlirValue b);
/// A vector of zeros, or a scalar zero for `lanes` 0.
MlirValue xlaCpuGemmZero(XlaIr *ir, const XlaCpuGemmTypes *types,
                         int64_t lanes);
int64_t xlaCpuGemmTypeBytes(MlirType element);
MlirType xlaCpuGemmVector(MlirType element, int64_t lanes);

enum { XLA_CPU_GEMM_FEW = 4 }; ///< rows of A that stream B together
/// Bytes of a function's name, and of one that has another's in it.
enum { XLA_CPU_GEMM_NAME = 96, XLA_CPU_GEMM_LONG_NAME = 272 };

/// Where the first element of an operand's part is in the operand, for its
/// prologue; of type index.
typedef struct XlaCpuGemmOrigin {
  MlirValue batch, free, term;
  const MlirValue *extras;
} XlaCpuGemmOrigin;

enum { XLA_CPU_GEMM_ORIGIN_ARGS = 3 }; ///< and the extras

/// Puts the arguments of an origin behind the `n` of a function with a
/// prologue, into `types` or `values`: gives their number.
intptr_t xlaCpuGemmOriginTypes(const XlaCpuMatmul *op,
                               const XlaCpuMatmulPrologue *prologue,
                               MlirContext context, MlirType *types,
                               intptr_t n);
intptr_t xlaCpuGemmOriginValues(const XlaCpuMatmul *op,
                                const XlaCpuMatmulPrologue *prologue,
                                const XlaCpuGemmOrigin *origin,
                                MlirValue *values, intptr_t n);
/// The origin among the arguments of the function that `ir` is in, of which
/// `values` gets those from `n` on.
XlaCpuGemmOrigin xlaCpuGemmOriginArguments(
    const XlaCpuMatmul *op, const XlaCpuMatmulPrologue *prologue, XlaIr *ir,
    intptr_t n, MlirValue values[XLA_CPU_MATMUL_MAX_EXTRAS]);

/// Each makes its function once in a module and gives its name.
///
/// kernel(a, lhsM, lhsK, b, rhsK, c, resultM, k, rows, accumulate: i1):
/// mr x nr sums to `c`, or added to what is there. Rows of A from `rows` on
/// repeat the last one. Strides and `k` count sums, where panels hold pairs.
void xlaCpuGemmKernel(MlirBlock module, MlirLocation location,
                      const XlaCpuGemmTiling *tiling,
                      const XlaCpuGemmTypes *types,
                      char name[XLA_CPU_GEMM_NAME]);
/// packB(b, rhsK, rhsN, to, k, columns): one panel of k x nr elements, zeros
/// from `columns` on; of pairs, [k / 2][nr][2], with zeros after an odd k. With
/// a prologue it is one of the product's function `user`, and the arguments of
/// XlaCpuGemmOrigin follow.
void xlaCpuGemmPackRhs(MlirBlock module, MlirLocation location,
                       const XlaCpuGemmTiling *tiling,
                       const XlaCpuGemmTypes *types, const char *user,
                       char name[XLA_CPU_GEMM_LONG_NAME]);
/// packA(a, lhsM, lhsK, to, stride, rows, k): rows tiles of mr rows: each row
/// `stride` sums long (ROWS, STRIDED), or [k][mr] (COLUMNS), of pairs
/// [k / 2][mr][2]. Prologues as of packB.
void xlaCpuGemmPackLhs(MlirBlock module, MlirLocation location,
                       const XlaCpuGemmTiling *tiling,
                       const XlaCpuGemmTypes *types, const char *user,
                       char name[XLA_CPU_GEMM_LONG_NAME]);
/// vector(a, lhsM, lhsK, b, stride, c, resultM, n, k): c[m, n] = sum of a[m, k]
/// * b[k, n] for the tiling's few m; `stride` is rhsK (VECTOR_ROWS) or rhsN
/// (VECTOR_COLUMNS). Prologues as of packB, but that a is in memory.
void xlaCpuGemmVectorKernel(MlirBlock module, MlirLocation location,
                            const XlaCpuGemmTiling *tiling,
                            const XlaCpuGemmTypes *types, const char *user,
                            char name[XLA_CPU_GEMM_LONG_NAME]);

/// Arguments of a nest, in order: pointers, strides and sizes of the part, and
/// where its first element is in the product. Extras follow.
typedef enum XlaCpuGemmNestArg {
  XLA_CPU_GEMM_A,
  XLA_CPU_GEMM_B,
  XLA_CPU_GEMM_C,
  XLA_CPU_GEMM_SUMS,
  XLA_CPU_GEMM_PACKED_A,
  XLA_CPU_GEMM_PACKED_B,
  XLA_CPU_GEMM_NEST_POINTERS,
  XLA_CPU_GEMM_LHS_M = XLA_CPU_GEMM_NEST_POINTERS,
  XLA_CPU_GEMM_LHS_K,
  XLA_CPU_GEMM_RHS_K,
  XLA_CPU_GEMM_RHS_N,
  XLA_CPU_GEMM_RESULT_M,
  XLA_CPU_GEMM_M,
  XLA_CPU_GEMM_N,
  XLA_CPU_GEMM_K,
  XLA_CPU_GEMM_BATCH,
  XLA_CPU_GEMM_ROW,
  XLA_CPU_GEMM_COLUMN,
  XLA_CPU_GEMM_NEST_ARGS
} XlaCpuGemmNestArg;

/// The nest of a thread's part, for the product's function `user`.
void xlaCpuGemmNest(MlirBlock module, MlirLocation location,
                    const XlaCpuGemmTiling *tiling,
                    const XlaCpuGemmTypes *types, const char *user,
                    char name[XLA_CPU_GEMM_LONG_NAME]);

/// What storing a tile of sums needs; numbers are of type index.
typedef struct XlaCpuGemmStore {
  MlirValue sums, sumStride; ///< whole vectors are read
  MlirValue result, resultStride;
  MlirValue rows, columns;      ///< of the tile that exist
  MlirValue accumulate;         ///< i1: add to the result; null: overwrite
  MlirValue batch, row, column; ///< of the tile's first element
  const MlirValue *extras;
} XlaCpuGemmStore;

/// Writes a tile of sums to the result, with epilogue and conversion where the
/// tiling has them.
void xlaCpuGemmStoreTile(XlaIr *ir, const XlaCpuGemmTiling *tiling,
                         const XlaCpuGemmTypes *types,
                         const XlaCpuGemmStore *store);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_MATMUL_GEMM_H

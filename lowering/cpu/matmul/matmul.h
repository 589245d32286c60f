//===- matmul.h - Matrix products on the CPU ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits C[b,m,n] = sum over k of A[b,m,k] * B[b,k,n] as a function. Large
// products run BLIS's loop nest (Van Zee and van de Geijn, "BLIS: A Framework
// for Rapidly Instantiating BLAS Functionality", 2015): blocks of B and A are
// packed into panels that stay in the caches, and a micro-kernel keeps a tile
// of C in registers. Vector times matrix streams the matrix once instead.
//
// The micro-kernel, the packing functions and, without an epilogue, the loop
// nest do not depend on the shape: a module has one of each per element type,
// and another product adds little more than a call.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_MATMUL_MATMUL_H
#define XLAC_LOWERING_CPU_MATMUL_MATMUL_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "xlac/dialect/ir.h"
#include "xlac/lowering/affine/contraction.h"
#include "xlac/lowering/cpu/target.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { XLA_CPU_MATMUL_MAX_BATCH = 16 };

/// Applied to the finished sums just before they are converted to the result's
/// type and stored. `sums` is a vector of f32, f64, i32 or i64: lane i belongs
/// to row `row` and column `column + i` of batch element `batch` (index
/// values, `batch` counts all batch dimensions in row-major order), or, with
/// xlaCpuMatmulIsTransposed, to row `row + i` and column `column`. Only the
/// first `valid` lanes (an index) are stored; the others hold anything, and
/// nothing may be read for them, nor written. `extras` are the values of the
/// extra arguments. Returns a vector of as many lanes, of the sums' or the
/// result's element type. What it reads of the result's memory is what lies
/// where the lanes will be stored, from before.
typedef MlirValue (*XlaCpuMatmulEpilogue)(XlaIr *ir, MlirValue sums,
                                          MlirValue batch, MlirValue row,
                                          MlirValue column, MlirValue valid,
                                          const MlirValue *extras, void *user);

/// Which elements of an operand are wanted: one, or `lanes` of them along its
/// free dimension (rows of A, columns of B) or along the terms. `batch`, `free`
/// and `term` are where the first one is.
typedef struct XlaCpuMatmulPlace {
  int64_t lanes; ///< 0: a scalar
  bool alongTerms;
  MlirValue batch, free, term;
  MlirValue mask; ///< others are 0, and nothing is read for them; null: all
} XlaCpuMatmulPlace;

/// Computes elements of an operand, of its element type, which then lies
/// nowhere in memory.
typedef MlirValue (*XlaCpuMatmulCompute)(XlaIr *ir,
                                         const XlaCpuMatmulPlace *place,
                                         const MlirValue *extras, void *user);

typedef struct XlaCpuMatmulPrologue {
  XlaCpuMatmulCompute compute; ///< NULL: none
  void *user;
  int weight; ///< instructions of a vector of elements, about
} XlaCpuMatmulPrologue;

/// A product. Strides count elements; batch dimension i of the result has size
/// batch[i]. Fill it by hand or with xlaCpuMatmulInit.
typedef struct XlaCpuMatmul {
  MlirType lhs, rhs, result; ///< memrefs of static shape and strides
  /// Element type of the product, where an epilogue makes a result of another
  /// one: sums are at least as precise. Null: the result's.
  MlirType product;
  intptr_t batchRank;
  int64_t batch[XLA_CPU_MATMUL_MAX_BATCH];
  int64_t lhsBatch[XLA_CPU_MATMUL_MAX_BATCH]; ///< strides of the batch
  int64_t rhsBatch[XLA_CPU_MATMUL_MAX_BATCH];
  int64_t resultBatch[XLA_CPU_MATMUL_MAX_BATCH];
  int64_t m, n, k;
  int64_t lhsM, lhsK; ///< strides of a row and of a column of A
  int64_t rhsK, rhsN;
  int64_t resultM; ///< the stride of a row of C; that of a column is 1
  bool lhsUnsigned, rhsUnsigned; ///< how integers narrower than C extend

  /// In place of an operand; its strides then only say which elements it is
  /// best to compute together: those along a stride of 1.
  XlaCpuMatmulPrologue lhsPrologue, rhsPrologue;
  XlaCpuMatmulEpilogue epilogue; ///< NULL: none
  int epilogueWeight; ///< instructions of a vector for one of sums, about
  void *user;
  intptr_t nExtras;       ///< at most XLA_CPU_MATMUL_MAX_EXTRAS
  const MlirType *extras; ///< types of further arguments, for both
} XlaCpuMatmul;

#define XLA_CPU_MATMUL_MAX_EXTRAS 64

/// Describes a contraction of arrays of these memref types: element types f64,
/// f32, f16, bf16 or signless integers of 8 to 64 bits. False if several row,
/// column or contracting dimensions are not one dimension in memory (merging
/// strides), or a row of the result is not contiguous.
bool xlaCpuMatmulInit(XlaCpuMatmul *matmul, const XlaContraction *contraction,
                      MlirType lhs, MlirType rhs, MlirType result);

/// Bytes of scratch memory, aligned to 64, that the function needs for all of
/// its threads together; may be 0.
int64_t xlaCpuMatmulScratchBytes(const XlaCpuMatmul *matmul,
                                 const XlaCpuTarget *target);

/// Whether vectors lie along rows: the result is one column.
bool xlaCpuMatmulIsTransposed(const XlaCpuMatmul *matmul);

/// Threads that the function runs on.
int xlaCpuMatmulThreads(const XlaCpuMatmul *matmul, const XlaCpuTarget *target);

/// Appends to the module's body
/// `func.func private @name(%lhs, %rhs, %result, %scratch: memref<SIZExi8>,
/// %extras...)` and what it calls; SIZE is xlaCpuMatmulScratchBytes. The
/// operands are the memref types of `matmul`, but the scratch memory again in
/// place of what a prologue computes. Result and scratch must not
/// overlap anything else, but for what an epilogue reads in place. f16 and bf16
/// are summed in f32, integers of up to 32 bits modulo 2^32. Sums are FMAs
/// where the target has them; their order depends on the shape and the target,
/// not on the number of threads. Where the target adds products of bf16 in
/// pairs, subnormal elements, products and sums count as zero.
void xlaCpuMatmulEmit(const XlaCpuMatmul *matmul, const XlaCpuTarget *target,
                      MlirBlock moduleBody, MlirLocation location,
                      const char *name);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_MATMUL_MATMUL_H

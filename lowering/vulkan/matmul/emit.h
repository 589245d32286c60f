//===- emit.h - Parts of shaders of matrix products ---------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering/vulkan/matmul. Loops, loads and stores are affine;
// numbers of threads and their digits are values of the shader's top level, and
// so dimensions.
//
// Positions count *units*: single elements, or vectors of 4 where a buffer is
// bound as such. A dimension that vectors lie along has a quarter of its
// positions.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_VULKAN_MATMUL_EMIT_H
#define XLAC_LOWERING_VULKAN_MATMUL_EMIT_H

#include "xlac/lowering/affine/build.h"
#include "xlac/lowering/vulkan/matmul/matmul.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /// Elements of a block in workgroup memory that a thread copies.
  XLA_MATMUL_MAX_COPIES = 64,
  /// No driver unrolls loops of more iterations.
  XLA_MATMUL_LONGEST = 64,
};

typedef enum MatmulArray {
  MatmulLhs,
  MatmulRhs,
  MatmulResult,
} MatmulArray;

/// A tile along the rows or the columns.
typedef struct MatmulTiles {
  const XlaContractionDims *dims;
  int width;            ///< elements of a unit along these dimensions
  int64_t size;         ///< units of all tiles together
  int64_t tile;         ///< units of a workgroup's tile
  int64_t n;            ///< tiles
  MlirAffineExpr first; ///< the workgroup's first unit
} MatmulTiles;

typedef struct MatmulEmitter {
  const XlaVulkanMatmul *op;
  const XlaVulkanMatmulTiling *tiling;
  const XlaVulkanInfo *info;
  MlirType sum; ///< of the accumulators
  MlirValue memref[3];
  int unit[3]; ///< elements of a unit of each buffer: 1 or 4
  MatmulTiles rows, columns;
  XlaAffineNest nest;
  bool isInside;                ///< not at the shader's top level
  MlirAffineExpr column, other; ///< the thread in its workgroup
  /// With loops: XLA_MATMUL_LONGEST, in a form that drivers do not know.
  MlirAffineExpr longest;
  MlirAffineExpr batch, chunk; ///< the workgroup's
  MlirAffineExpr base[3];      ///< unit of each array at which the batch begins
  MlirValue tile;              ///< private memory for the sums, or null
} MatmulEmitter;

MlirType xlaMatmulSumType(const XlaVulkanMatmul *op);

MlirAffineExpr xlaMatmulConstant(const MatmulEmitter *e, int64_t value);
/// `a` floordiv and mod `b`, of numbers that are not negative: at the top level
/// new dimensions, by unsigned operations, which are cheaper.
MlirAffineExpr xlaMatmulDivide(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr a,
                               int64_t b);
MlirAffineExpr xlaMatmulRemainder(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr a,
                                  int64_t b);
/// The smaller of `a` and `b`. Where `isInside` that is `a`, if it is no
/// constant: loops end in time.
MlirAffineExpr xlaMatmulAtMost(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr a,
                               int64_t b);
/// `a` as a dimension, computed here once.
MlirAffineExpr xlaMatmulName(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr a);

int64_t xlaMatmulStride(const XlaContractionDim *dim, MatmulArray array);
/// Where `index` along `dims` lies in an array, in units of it. `index` counts
/// `width` positions of the innermost dimension as one.
MlirAffineExpr xlaMatmulPosition(MatmulEmitter *e, XlaIr *ir,
                                 const XlaContractionDims *dims,
                                 MatmulArray array, MlirAffineExpr index,
                                 int width);

/// What a unit of 4 elements is stored as: `*n` words of the type.
MlirType xlaMatmulWordType(const MatmulEmitter *e, MlirType element,
                           int64_t *n);
/// Elements, already of the sums' type, that a unit consists of.
void xlaMatmulLoad(const MatmulEmitter *e, XlaIr *ir, MatmulArray array,
                   MlirAffineExpr position, MlirValue *elements);
/// An element of the sums' type in memory of the shader's own, and back.
MlirValue xlaMatmulLoadSum(const MatmulEmitter *e, XlaIr *ir, MlirValue memory,
                           MlirAffineExpr at);
void xlaMatmulStoreSum(const MatmulEmitter *e, XlaIr *ir, MlirValue sum,
                       MlirValue memory, MlirAffineExpr at);
/// a * b + c.
MlirValue xlaMatmulFma(const MatmulEmitter *e, XlaIr *ir, MlirValue a,
                       MlirValue b, MlirValue c);
MlirValue xlaMatmulSum(const MatmulEmitter *e, XlaIr *ir, MlirValue a,
                       MlirValue b);
MlirValue xlaMatmulZero(const MatmulEmitter *e, XlaIr *ir);
/// A sum as an element of the result.
MlirValue xlaMatmulToResult(const MatmulEmitter *e, XlaIr *ir, MlirValue sum);

/// `n` as a loop's end, for tilings with loops in a form that drivers do not
/// know: they would unroll the loop.
XlaAffineBound xlaMatmulEnd(const MatmulEmitter *e, int64_t n);

/// A loop from `lower` to `upper`, of at most `trips` iterations, that carries
/// `n` sums. `body` replaces them.
typedef void (*MatmulBody)(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr index,
                           MlirValue *sums, void *user);
void xlaMatmulLoop(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr lower,
                   XlaAffineBound upper, int64_t step, int64_t trips,
                   intptr_t n, MlirValue *sums, MatmulBody body, void *user);

/// The sums of a thread's tile, in rows, by each kind of staging.
void xlaMatmulSums(MatmulEmitter *e, XlaIr *ir, MlirValue *sums);
void xlaMatmulStagedSums(MatmulEmitter *e, XlaIr *ir, MlirValue *sums);
/// Stores the tile, after adding those of the workgroup's slices. May leave
/// `ir` inside of a condition.
void xlaMatmulStore(MatmulEmitter *e, XlaIr *ir, MlirValue *sums);
/// Elements of workgroup memory that xlaMatmulStagedSums needs.
int64_t xlaMatmulBlockElements(const XlaVulkanMatmul *op,
                               const XlaVulkanMatmulTiling *tiling);

/// The first unit of a thread's part of a tile, and how many units lie between
/// its parts.
typedef struct MatmulPart {
  MlirAffineExpr first;
  int64_t step;
} MatmulPart;
/// Unit `i` of the part, moved to the last one where it would lie outside.
MlirAffineExpr xlaMatmulUnit(MatmulEmitter *e, XlaIr *ir,
                             const MatmulTiles *tiles, const MatmulPart *part,
                             int64_t i);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_VULKAN_MATMUL_EMIT_H

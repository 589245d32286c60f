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

/// Input i of the parts is array MatmulInput + i.
typedef enum MatmulArray {
  MatmulLhs,
  MatmulRhs,
  MatmulResult,
  MatmulInput,
} MatmulArray;

enum { XLA_MATMUL_MAX_ARRAYS = MatmulInput + XLA_CONTRACTION_MAX_INPUTS };

/// Where an element, or a unit, is in each of the arrays of a side: an operand,
/// or what it is computed from; or the product with what its epilogue reads and
/// writes.
typedef struct MatmulPlace {
  MlirAffineExpr at[XLA_MATMUL_MAX_ARRAYS];
} MatmulPlace;

/// A tile along the rows or the columns.
typedef struct MatmulTiles {
  const XlaContractionDims *dims;
  int width;            ///< elements of a unit along these dimensions
  int64_t size;         ///< units of all tiles together
  int64_t tile;         ///< units of a workgroup's tile
  int64_t n;            ///< tiles
  MlirAffineExpr first; ///< the workgroup's first unit
  MlirAffineExpr start; ///< the same before the last tile is shifted inwards
} MatmulTiles;

typedef struct MatmulEmitter {
  const XlaVulkanMatmul *op;
  const XlaVulkanMatmulTiling *tiling;
  const XlaVulkanInfo *info;
  MlirType sum;                            ///< of the accumulators
  MlirValue memref[XLA_MATMUL_MAX_ARRAYS]; ///< null: not used
  /// Elements of a unit of each buffer: 1 or 4. An operand that is computed has
  /// no buffer, but units.
  int unit[XLA_MATMUL_MAX_ARRAYS];
  MatmulTiles rows, columns;
  XlaAffineNest nest;
  bool isInside;                ///< not at the shader's top level
  bool isOfChunks;              ///< the shader adds sums of chunks
  bool failed;                  ///< memory ran out
  MlirAffineExpr column, other; ///< the thread in its workgroup
  /// With loops: XLA_MATMUL_LONGEST, in a form that drivers do not know.
  MlirAffineExpr longest;
  MlirAffineExpr batch, chunk; ///< the workgroup's
  MlirAffineExpr extra;        ///< at least 0 in workgroups that count
  MatmulPlace base[3];         ///< of each side, at which the batch begins
  MlirValue tile;              ///< private memory for the sums, or null
  /// Of each operand, where it is not null: the inputs that are the same for
  /// all terms, of each unit that a thread loads.
  MlirValue (*same[2])[XLA_CONTRACTION_MAX_INPUTS][4];
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
/// The arrays of a side (MatmulLhs, MatmulRhs or MatmulResult).
int xlaMatmulArrays(const MatmulEmitter *e, MatmulArray side,
                    MatmulArray arrays[XLA_MATMUL_MAX_ARRAYS]);
/// The array of an operand that most is loaded of.
MatmulArray xlaMatmulMainArray(const XlaVulkanMatmul *op, MatmulArray side);
/// Where `index` along `dims` lies, in units of each array. `index` counts
/// `width` positions of the innermost dimension as one.
MatmulPlace xlaMatmulPosition(MatmulEmitter *e, XlaIr *ir,
                              const XlaContractionDims *dims, MatmulArray side,
                              MlirAffineExpr index, int width);
MatmulPlace xlaMatmulAdd(const MatmulEmitter *e, MatmulArray side,
                         const MatmulPlace *a, const MatmulPlace *b);
/// `scale * index` steps along `dim`, and `shift` more.
MatmulPlace xlaMatmulStep(const MatmulEmitter *e, MatmulArray side,
                          const XlaContractionDim *dim, MlirAffineExpr index,
                          int64_t scale, int64_t shift);
/// The place as dimensions, computed here once.
MatmulPlace xlaMatmulNamePlace(MatmulEmitter *e, XlaIr *ir, MatmulArray side,
                               const MatmulPlace *place);

/// What a unit of 4 elements is stored as: `*n` words of the type.
MlirType xlaMatmulWordType(const MatmulEmitter *e, MlirType element,
                           int64_t *n);
/// Elements, already of the sums' type, that a unit of an operand consists of:
/// unit `unit` in `e->same`.
void xlaMatmulLoad(MatmulEmitter *e, XlaIr *ir, MatmulArray side,
                   const MatmulPlace *place, intptr_t unit,
                   MlirValue *elements);
/// Loads into `e->same` what does not change along the terms, of a unit.
void xlaMatmulLoadSame(MatmulEmitter *e, XlaIr *ir, MatmulArray side,
                       const MatmulPlace *place, intptr_t unit);
/// The elements of an input for a unit of its side, as they lie in memory.
void xlaMatmulLoadInput(const MatmulEmitter *e, XlaIr *ir, MatmulArray array,
                        MatmulArray side, const MatmulPlace *place,
                        MlirValue *elements);
/// Elements of an operand with a prologue, as they would lie in memory.
void xlaMatmulCompute(MatmulEmitter *e, XlaIr *ir, MatmulArray side,
                      const MatmulPlace *place, intptr_t unit,
                      MlirValue *elements);
/// Stores a unit of the product, of elements of the result's type: what the
/// epilogue makes of it, where there is one.
void xlaMatmulStoreUnit(MatmulEmitter *e, XlaIr *ir, const MatmulPlace *place,
                        const MlirValue *elements);
/// The dimension that the elements of a unit lie along; NULL: a unit is one.
const XlaContractionDim *xlaMatmulAlong(const MatmulEmitter *e,
                                        MatmulArray side);
/// Whether an epilogue reads anything where it writes the product: then only
/// one thread may compute an element.
bool xlaMatmulIsInPlace(const MatmulEmitter *e);
/// Whether this shader has the epilogue, if there is one: not where sums of
/// chunks come first.
bool xlaMatmulHasEpilogue(const MatmulEmitter *e);
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
/// Adds what is at least 0 where no other thread has unit `i` of the part, as
/// itself: 0 to 2 expressions. Gives their number.
int xlaMatmulIsOwn(const MatmulTiles *tiles, const MatmulPart *part, int64_t i,
                   MlirAffineExpr *exprs);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_VULKAN_MATMUL_EMIT_H

//===- bounded_internal.h - Arrays of bounds beside their sizes ---*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes. An array with dynamic dimensions becomes one of its
// bounds, with anything beyond the sizes, and an s32 scalar for each dynamic
// dimension. bounded.c does control flow and signatures, movement.c, reshape.c,
// slices.c and scatter.c what moves elements, batch_norm.c, convolution.c,
// sums.c, triangular.c and windows.c what combines several, values.c has what
// all need.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_DYNAMIC_BOUNDED_INTERNAL_H
#define XLAC_PASSES_DYNAMIC_BOUNDED_INTERNAL_H

#include "xlac/dialect/op.h"
#include "xlac/dialect/ops/indexed_windows.h"
#include "xlac/dialect/ops/window.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/dynamic/sizes.h"

/// What stands for one value of the program.
typedef struct XlaBounded {
  struct XlaBounded *previous;   // of all, for freeing
  MlirValue array;               // of a static type
  XlaShape shape;                // bounds, and which dimensions are dynamic
  MlirValue sizes[XLA_MAX_RANK]; // s32 scalars; null: static
} XlaBounded;

typedef struct XlaBounding {
  XlaPointerMap values; // of old values: XlaBounded *
  XlaBounded *last;
  XlaIrOps dead; // old operations, to be destroyed in reverse
} XlaBounding;

/// One operation that is being replaced; new ones are built before it.
typedef struct XlaBoundedOp {
  XlaBounding *pass;
  MlirOperation op;
  XlaOpKind kind;
  XlaIr ir;
} XlaBoundedOp;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

MlirLogicalResult xlaBoundedNoMemory(MlirOperation op);
/// That `op` cannot be compiled with sizes that only a run tells.
MlirLogicalResult xlaBoundedUnsupported(MlirOperation op, const char *why);

/// What stands for `value`, which may be static.
XlaBounded xlaBoundedGet(const XlaBounding *pass, MlirValue value);
XlaBounded xlaBoundedOperand(const XlaBoundedOp *b, intptr_t index);
bool xlaBoundedIsDynamic(const XlaBounding *pass, MlirValue value);
/// `made` stands for `old` from now on.
MlirLogicalResult xlaBoundedSet(XlaBounding *pass, MlirOperation op,
                                MlirValue old, const XlaBounded *made);
/// The same for result `index`; a static one replaces it.
MlirLogicalResult xlaBoundedSetResult(const XlaBoundedOp *b, intptr_t index,
                                      const XlaBounded *made);
/// The bounds and dynamic dimensions of result `index`.
XlaShape xlaBoundedResultShape(const XlaBoundedOp *b, intptr_t index);

/// Bounds `op`, which was built in front of the operation, with operands and
/// results of the same kinds, by `bound`, and uses its results instead.
MlirLogicalResult xlaBoundedInstead(const XlaBoundedOp *b, MlirOperation op,
                                    MlirLogicalResult (*bound)(XlaBoundedOp *));

/// The same operation on the arrays that stand for its operands.
MlirOperation xlaBoundedClone(XlaBoundedOp *b);

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

MlirValue xlaBoundedNumber(XlaIr *ir, int64_t number);
/// The size of dimension `d`, a constant if it is static.
MlirValue xlaBoundedSize(XlaIr *ir, const XlaBounded *value, int64_t d);
MlirValue xlaBoundedAdd(XlaIr *ir, MlirValue size, int64_t number);
/// A pred of `a`'s shape.
MlirValue xlaBoundedCompare(XlaIr *ir, const char *direction, MlirValue a,
                            MlirValue b);

typedef enum XlaBoundedRelation {
  XlaBoundedEqual,
  XlaBoundedAtMost
} XlaBoundedRelation;

/// Fails the run with `message` and `label` at the operation unless `a` and `b`
/// are so related; nothing if that is plain. Of the message's two %d the first
/// becomes `a`, the second `b`.
__attribute__((format(printf, 6, 7))) MlirLogicalResult
xlaBoundedCheck(XlaBoundedOp *b, XlaBoundedRelation relation, MlirValue x,
                MlirValue y, const char *label, const char *message, ...);

/// The size of dimension `d` of the first `n` operands, in which they must
/// agree: null if it is static in all.
MlirLogicalResult xlaBoundedAgree(XlaBoundedOp *b, intptr_t n, int d,
                                  const char *label, MlirValue *size);

/// Operand 0 with the least sizes of the first `n` operands: what is there is
/// so in each, even if they do not agree and the run is going to fail.
XlaBounded xlaBoundedLeast(XlaBoundedOp *b, intptr_t n);

/// Which elements are there, in the dimensions of `dims` (bits) that are
/// dynamic: a pred array.
MlirValue xlaBoundedMask(XlaIr *ir, const XlaBounded *value, uint32_t dims);
/// `value` with the scalar `filler` in place of what is not there.
MlirValue xlaBoundedFill(XlaIr *ir, const XlaBounded *value, uint32_t dims,
                         MlirValue filler);

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The hooks of families.def: one for each family that takes dynamic sizes when
/// compiled.
MlirLogicalResult xlaBoundedElementwise(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedMovement(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedDynamicSlice(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedDimensionSize(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedGather(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedScatter(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedReduce(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedReduceWindow(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedConvolution(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedBatchNorm(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedDot(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedSelectAndScatter(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedTopK(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedFft(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedCollective(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedSort(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedTriangular(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedControlFlow(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedCall(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedTuple(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedNone(XlaBoundedOp *b);

// Parts of them.

/// How many windows fit into `size` elements of dimension `d`, of the size
/// `windowSize`, or of their own if that is null. False if numbers are too
/// large.
bool xlaBoundedCountWindows(XlaIr *ir, const XlaWindow *window, int d,
                            MlirValue size, MlirValue windowSize,
                            MlirValue *count);
/// What a gather or scatter needs but of what single windows take: as many
/// coordinates as there are, and batching dimensions of the same sizes.
MlirLogicalResult xlaBoundedWindowsAgree(XlaBoundedOp *b,
                                         const XlaIndexedWindows *windows,
                                         const XlaBounded *operand,
                                         const XlaBounded *indices);
MlirLogicalResult xlaBoundedMap(XlaBoundedOp *b);
MlirLogicalResult xlaBoundedReshape(XlaBoundedOp *b);

#endif // XLAC_PASSES_DYNAMIC_BOUNDED_INTERNAL_H

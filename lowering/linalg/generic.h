//===- generic.h - Building the body of a kernel ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. A kernel under construction knows the memrefs of some
// tensor values, its *buffers*: the operands, the results once they are
// written, and intermediates. A *generic* is one linalg.generic: an iteration
// space and a body into which operations are inlined from the value wanted back
// to buffers.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_GENERIC_H
#define XLAC_LOWERING_LINALG_GENERIC_H

#include "xlac/dialect/ir.h"
#include "xlac/lowering/linalg/build.h"
#include "xlac/lowering/linalg/index_expr.h"
#include "xlac/lowering/linalg/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A tensor value that lies in memory. Without a function under construction
/// (analysis) the memref is null.
typedef struct XlaKernelBuffer {
  MlirValue value, memref;
  bool isComputed; ///< the kernel itself writes it
} XlaKernelBuffer;

/// The tile of a workgroup: `sizes` elements of the results along each
/// dimension, and the loop over tiles there, or -1 where one is all.
typedef struct XlaKernelTile {
  int rank, nLoops;
  int64_t sizes[XLA_MAX_RANK];
  int loops[XLA_MAX_RANK];
} XlaKernelTile;

/// A value that is kept while the kernel goes over blocks of rows, dimension 0,
/// of its results (windows.h): of each block the rows that its readers need.
typedef struct XlaKernelRows {
  MlirValue value;
  bool isMeasured; ///< what is read is noted in `lower` and `upper`
  bool isFar;      ///< some of it is at no rows beside the reader's
  bool isUneven;   ///< some is at rows that do not go along with the reader's
  /// Rows that are read, from the reader's on; none: lower > upper.
  int64_t lower, upper;
  /// Where they lie, `rows` of each of `blocks`; null: not yet, or not kept.
  MlirValue memory;
  int64_t first, blocks, step, rows; ///< of xlaSpaceInitBlocks
  /// Or a workgroup's tile of it, of `sizes`, that begins at `low` from the
  /// tile of the results on.
  const XlaKernelTile *tile;
  int64_t low[XLA_MAX_RANK], sizes[XLA_MAX_RANK];
  bool wraps[XLA_MAX_RANK]; ///< beyond one end of the array comes the other
} XlaKernelRows;

/// A kernel under construction, or (without a block) under analysis.
typedef struct XlaKernel {
  MlirOperation op;
  MlirModule module;
  const char *name;
  const XlaKernelDevice *device; ///< or NULL
  XlaIr ir; ///< where the function's operations go; null block: analysis only
  intptr_t nBuffers, bufferCapacity;
  XlaKernelBuffer *buffers;
  intptr_t nGlobals; ///< memref.globals made for constants
  MlirOperation *globals;
  intptr_t nStarts; ///< of dynamic slices, see index_expr.h
  XlaStart *starts;
  intptr_t nRows; ///< values whose rows may be kept
  XlaKernelRows *rows;
} XlaKernel;

/// Fails, with a diagnostic unless the kernel is only analysed: then there is
/// an answer without memory.
MlirLogicalResult xlaKernelNoMemory(const XlaKernel *kernel);

/// The buffer of `value`, or NULL.
const XlaKernelBuffer *xlaKernelGetBuffer(const XlaKernel *kernel,
                                          MlirValue value);
/// False after a diagnostic if there is no memory.
bool xlaKernelAddBuffer(XlaKernel *kernel, MlirValue value, MlirValue memref);
/// The same for what the kernel writes.
bool xlaKernelAddComputed(XlaKernel *kernel, MlirValue value, MlirValue memref);
/// Makes a constant with more than one value a buffer in read-only memory.
MlirLogicalResult xlaKernelAddConstant(XlaKernel *kernel, MlirOperation op);

/// The shape of a value whose type has been checked to be an array's.
XlaShape xlaKernelShapeOf(MlirValue value);

/// The memref of a value read by `index`: its loops are the dimensions of the
/// view, and `*map` their indices in the space. `start`, if not null, is the
/// position of the first element, an `index` in place of the index's offsets.
MlirValue xlaKernelView(XlaIr *ir, MlirValue memref, const XlaShape *shape,
                        const XlaSpace *space, const XlaIndex *index,
                        MlirValue start, MlirAffineMap *map);

/// memref.reinterpret_cast: sizes and strides from element `offset` on, or from
/// the index `start` on if that is not null.
MlirValue xlaKernelReinterpret(XlaIr *ir, MlirValue memref, MlirValue start,
                               int64_t offset, intptr_t rank,
                               const int64_t *sizes, const int64_t *strides);

/// A view of the first element of `memref` as an array of `sizes`, for operands
/// that only say how long loops are.
MlirValue xlaKernelShapeOnly(XlaIr *ir, MlirValue memref, int rank,
                             const int64_t *sizes);

/// The scalar of a value at an index that has been emitted before.
typedef struct XlaGenericMemo {
  MlirValue value;
  XlaIndex index;
  MlirValue scalar;
  intptr_t previous; ///< number of the last one of this value, from 1; or 0
} XlaGenericMemo;

/// Below and from iteration `at` of a loop on, elements come from elsewhere.
typedef struct XlaGenericCut {
  int loop;
  int64_t at;
} XlaGenericCut;

/// The iterations at which a pad has elements, of loops that it steps through.
typedef struct XlaGenericLattice {
  int n;
  int loops[XLA_MAX_RANK];
  int64_t first[XLA_MAX_RANK], step[XLA_MAX_RANK];
} XlaGenericLattice;

enum { XLA_GENERIC_MAX_PADS = 8 };

/// What a generic takes pads for that have padding between their elements. All
/// of a box may be written as if they were padding, and then the iterations at
/// which one has elements, once more.
typedef struct XlaGenericPads {
  int n; ///< that are padding in all of the space
  MlirOperation padding[XLA_GENERIC_MAX_PADS];
  int nKept; ///< that are read at several places: not looked at
  MlirOperation kept[XLA_GENERIC_MAX_PADS];
} XlaGenericPads;

/// A loop nest over a space, in the making.
struct XlaGeneric {
  XlaKernel *kernel;
  XlaSpace space;
  MlirBlock block; ///< null: analysis only
  XlaIr ir;        ///< in the body
  bool isOutside;  ///< scalars of the function itself, without a linalg op
  bool isInLoops;  ///< of scf, whose variables are no symbols of affine
  intptr_t nInputs, capacity;
  MlirValue *inputs;
  MlirAffineMap *maps;
  intptr_t nMemo, memoCapacity;
  XlaGenericMemo *memo;
  XlaPointerMap lastMemo; ///< of each value, from 1
  XlaIndexExprs exprs;
  XlaIndexSplit split;
  bool needsSplit;
  bool isStart; ///< what is read says where a dynamic slice begins
  bool isFull;  ///< the space cannot be split further
  bool mayCut, needsCut;
  bool isSmall; ///< choices are cheaper than cuts
  XlaGenericCut cut;
  XlaGenericPads pads;
  MlirOperation pad;         ///< that can be written alone, or null
  XlaGenericLattice lattice; ///< of that
  bool beginsAgain;          ///< what was assumed of a pad is wrong
  const XlaKernelTile *tile; ///< of a workgroup, or NULL
  MlirAttribute within;      ///< the iterations that do something; null: all
};

/// Begins a generic over `domain`, splitting its space as inlining each of
/// `values`, arrays of the domain's shape, needs. Failure comes with a
/// diagnostic. Free with xlaGenericFree in any case.
MlirLogicalResult xlaGenericBegin(XlaGeneric *generic, XlaKernel *kernel,
                                  const XlaShape *domain, intptr_t n,
                                  const MlirValue *values);
/// Whether a generic may be cut.
typedef enum XlaGenericCuts {
  XlaGenericCutsNone,
  XlaGenericCutsFew, ///< of concatenates with many operands: the array is small
  XlaGenericCutsAll,
} XlaGenericCuts;

/// The same over a part of the space. It also succeeds, of no use but to be
/// freed, with `needsCut` where two boxes read other operands of a concatenate
/// or pad, and with a `pad` that is to be written alone, if `cuts` allows that.
/// `pads`, if not null, is what is known of these.
MlirLogicalResult xlaGenericBeginBox(XlaGeneric *generic, XlaKernel *kernel,
                                     const XlaSpace *box, XlaGenericCuts cuts,
                                     const XlaGenericPads *pads, intptr_t n,
                                     const MlirValue *values);
/// A generic whose scalars are computed in the function itself.
void xlaGenericBeginOutside(XlaGeneric *generic, XlaKernel *kernel);
void xlaGenericFree(XlaGeneric *generic);

/// Adds an operand that is read by `map`; its element as in memory. Null after
/// a diagnostic.
MlirValue xlaGenericAddInput(XlaGeneric *generic, MlirValue view,
                             MlirAffineMap map);
/// The element of `value` at `index`, in a register; null after a diagnostic.
MlirValue xlaGenericScalar(XlaGeneric *generic, MlirValue value,
                           const XlaIndex *index);
/// The same for operations that read others' elements: false after a
/// diagnostic, or if the space must be split first. In analysis (without a
/// block) `*scalar` stays as it is.
bool xlaGenericRead(XlaGeneric *generic, MlirValue value, const XlaIndex *index,
                    MlirValue *scalar);
/// Makes `scalar` the element of `value` at `index`. False after a diagnostic.
bool xlaGenericBind(XlaGeneric *generic, MlirValue value, const XlaIndex *index,
                    MlirValue scalar);
/// An operand of `op`, whose result is read at `index`: as xlaGenericRead.
bool xlaGenericReadOperand(XlaGeneric *generic, MlirOperation op,
                           intptr_t operand, const XlaIndex *index,
                           MlirValue *scalar);
/// The results of a scalar region (of reduce, map) for arguments `args`.
/// Values from outside of the region are read as scalars.
MlirLogicalResult xlaGenericRegion(XlaGeneric *generic, MlirRegion region,
                                   const MlirValue *args, MlirValue *results);

/// Ends the generic: a linalg.generic that writes `yields` (of memory type) to
/// `outputs`. `isReduction` has an entry a loop, or is NULL; then the yields
/// are those of the next element. Block arguments for the outputs must exist
/// already if `hasOutputArguments`. Failure comes with a diagnostic.
MlirLogicalResult
xlaGenericEnd(XlaGeneric *generic, intptr_t nOutputs, const MlirValue *outputs,
              const MlirAffineMap *maps, const MlirValue *yields,
              const bool *isReduction, bool hasOutputArguments);

/// Whether the op is computed in a body from scalars of its operands.
bool xlaIsInlined(MlirOperation op);

/// Calls `buffer` for every buffer that the generic reads,
/// with its index: what xlaGenericBegin saw of its values, in analysis. The
/// index and the shape of a reshaped buffer are those of the reshape's result;
/// an index of rank -1 says that any element may be read.
void xlaGenericForEachRead(const XlaGeneric *generic,
                           void (*buffer)(MlirValue value,
                                          const XlaShape *shape,
                                          const XlaIndex *index, void *data),
                           void *data);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LINALG_GENERIC_H

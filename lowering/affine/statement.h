//===- statement.h - A linalg op as strided accesses --------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scheduler's view of linalg ops. A *statement* is one op: iteration
// dimensions and, for each operand, the buffer it lies in and one stride per
// dimension. A *group* is a run of statements that become one loop nest: their
// dimensions are reordered so that the first `nShared` ones are parallel, mean
// the same in all statements, and address disjoint parts of every buffer that
// the group writes. Internal to lowering.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_AFFINE_STATEMENT_H
#define XLAC_LOWERING_AFFINE_STATEMENT_H

#include "xlac/dialect/ir.h"

#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  XLA_SCHED_MAX_DIMS = 32,
  XLA_SCHED_MAX_OPERANDS = 64, ///< of a map in a body
};

/// Of memref.alloc, the size of its dimension 0: iterations of a loop over that
/// have a part of it each, and read it at other places than they write it.
#define XLA_SCHED_BLOCKS "xla.blocks"
/// Of linalg.generic, how many of its loops, the first ones, are workgroups.
#define XLA_SCHED_TILED "xla.tiled"
/// Of memref.alloc, a unit attribute: each of these workgroups has a memory of
/// its own, so that what is written there has no stride along their loops.
#define XLA_SCHED_WORKGROUP "xla.workgroup"
/// Of linalg.generic, a set: iterations outside of it do nothing.
#define XLA_SCHED_WITHIN "xla.within"

/// Where one operand of a statement lies, in elements from the start of `root`.
typedef struct XlaSchedAccess {
  MlirValue view; ///< the operand
  MlirValue root; ///< the argument or alloc that `view` looks into
  MlirType element;
  int64_t offset;
  bool dynamicOffset; ///< `offset` is 0 and the view's own must be added
  int64_t strides[XLA_SCHED_MAX_DIMS];
  /// Set by xlaSchedLink: the number of its statement, and the accesses of the
  /// same root in the order of statements, all and those that write.
  int statement;
  const struct XlaSchedAccess *first, *next, *firstWrite, *nextWrite;
} XlaSchedAccess;

/// One linalg op. Dimensions of size 1 are dropped. Outputs that dimensions of
/// reductions index get what the accumulators beside them are after every
/// iteration: those are in order then.
typedef struct XlaSchedStatement {
  MlirOperation op;
  MlirBlock body; ///< null for linalg.fill, whose value is operand 0
  int nIns, nOuts;
  int nScanned; ///< of the outs, the last ones: indexed by reductions
  XlaSchedAccess *accesses; ///< ins, then outs (a fill has no in)
  int nDims;
  int64_t sizes[XLA_SCHED_MAX_DIMS];
  bool reduction[XLA_SCHED_MAX_DIMS];
  bool indexed[XLA_SCHED_MAX_DIMS]; ///< read by linalg.index
  int original[XLA_SCHED_MAX_DIMS]; ///< position in the op
  bool isEmpty;                     ///< some dimension is 0: nothing to do
} XlaSchedStatement;

/// Consecutive statements in one loop nest.
typedef struct XlaSchedGroup {
  XlaSchedStatement *statements;
  int nStatements;
  int nShared; ///< leading dimensions of every statement
} XlaSchedGroup;

/// Is `op` a linalg op that becomes a statement?
bool xlaSchedIsStatement(MlirOperation op);

/// Reads `op`; failure comes with a diagnostic. Free `statement->accesses`.
MlirLogicalResult xlaSchedStatementRead(MlirOperation op,
                                        XlaSchedStatement *statement);

/// Whether `op` computes lanes as it computes scalars: arith, math,
/// linalg.index.
bool xlaSchedIsLaneOp(MlirOperation op);
/// Whether `op` is an operation of affine that bodies may have: affine.apply,
/// or affine.load of at most one dimension.
bool xlaSchedIsAffine(MlirOperation op);
/// Whether the body consists of lane operations.
bool xlaSchedIsArithmetic(const XlaSchedStatement *statement);

/// Follows views up to the buffer they look into.
MlirValue xlaSchedRoot(MlirValue view);
/// Is the buffer a memref.alloc?
bool xlaSchedIsAlloc(MlirValue root);
/// Its attribute XLA_SCHED_BLOCKS, or 0.
int64_t xlaSchedCountBlocks(MlirValue root);
/// Whether it has the attribute XLA_SCHED_WORKGROUP.
bool xlaSchedIsOfWorkgroup(MlirValue root);
/// The most of those of all that the statements write.
int64_t xlaSchedMostBlocks(const XlaSchedStatement *statements, int n);
/// The first and last element of an access that one iteration of the `fixed`
/// dimensions, a bit each, has: as that of their iterations 0.
void xlaSchedBounds(const XlaSchedStatement *statement,
                    const XlaSchedAccess *access, uint64_t fixed, int64_t *low,
                    int64_t *high);

/// The statement's dimension that a linalg.index of its body means, or -1: it
/// has size 1.
int xlaSchedIndexDim(const XlaSchedStatement *statement, MlirOperation index);
/// Has the statement a reduction dimension?
bool xlaSchedReduces(const XlaSchedStatement *statement);
/// How many accumulators the statement has.
int xlaSchedAccumulators(const XlaSchedStatement *statement);
/// Does the body use operand `i`, or the accumulator beside an output?
bool xlaSchedIsRead(const XlaSchedStatement *statement, int i);

/// Number of iterations of dims [from, to).
int64_t xlaSchedVolume(const XlaSchedStatement *statement, int from, int to);

/// Do `a` and `b` address the same element at equal indices of the first
/// `nDims` dimensions, and depend on no further one?
bool xlaSchedSameAccess(const XlaSchedAccess *a, int aDims,
                        const XlaSchedAccess *b, int bDims);

/// Puts dimension order[i] at position i for all i < nDims.
void xlaSchedPermute(XlaSchedStatement *statement, const int *order);

/// Merges dimension d + 1 into d. The caller has checked xlaSchedMergeable.
void xlaSchedMerge(XlaSchedStatement *statement, int d);
bool xlaSchedMergeable(const XlaSchedStatement *statement, int d);

/// Links the accesses of the statements, of which those that xlaSchedShare gets
/// are a part. False without memory.
bool xlaSchedLink(XlaSchedStatement *statements, int nStatements);
/// Can the statements become one nest? They are linked. Sets the shared
/// dimensions' positions of statement s in `shared[s * XLA_SCHED_MAX_DIMS ..]`
/// and their number. False where an order of memory accesses would change.
bool xlaSchedShare(const XlaSchedStatement *statements, int nStatements,
                   int *shared, int *nShared);
/// Orders the statement's dimensions: the `nShared` shared ones, in order; then
/// other parallel ones, and those of reductions.
void xlaSchedShareFirst(XlaSchedStatement *statement, const int *shared,
                        int nShared);
/// Merges shared dimensions that are contiguous in every access of the group.
void xlaSchedMergeShared(XlaSchedGroup *group);

/// For reports, on stderr: the sizes of dimensions [from, to), as 64x100, and
/// the type of a value.
void xlaSchedPutSizes(const XlaSchedStatement *statement, int from, int to);
void xlaSchedPutType(MlirValue value);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_AFFINE_STATEMENT_H

//===- flatten.h - Functions without calls and tuples -------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_FLATTEN_H
#define XLAC_PASSES_FLATTEN_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"

/// Writes the body of `function` anew, with every operation in a form of which
/// lowering knows one only:
///  - callees in place of calls; recursion is an error;
///  - the leaves of tuples in place of tuples, in order, in the function's
///    signature too (arguments' attributes go to all their leaves); tokens are
///    no leaves, as what has effects keeps its order;
///  - xla.case without operands for branches in place of if and conditional;
///  - no operations between replicas, of which there is one unless the module
///    has XLA_PARALLEL; then they stay, and their computations use nothing from
///    outside;
///  - custom calls in place of send, recv and recv_done;
///  - dot_general in place of dot, and in place of a map elementwise operations
///    on whole arrays, or a loop over elements;
///  - no encodings but bounds: layouts are dropped.
/// On failure a diagnostic has been emitted and `function` is as it was.
MlirLogicalResult xlaFlattenFunction(MlirOperation module,
                                     MlirOperation function);

/// A unit attribute of a module that several replicas or partitions run.
#define XLA_PARALLEL "xla.parallel"

/// Attributes of custom calls that had tuples or tokens: the types of all
/// operands and results, whose arrays they have in place of them.
#define XLA_CALL_OPERANDS "xla.call_operands"
#define XLA_CALL_RESULTS "xla.call_results"

/// What transfers call: with the arrays that are sent, without anything, and
/// with the arrays that came as results.
#define XLA_SEND "xlac.send"
#define XLA_RECV "xlac.recv"
#define XLA_RECV_DONE "xlac.recv_done"
/// Attributes of these calls: the channel, and of XLA_RECV_DONE the type of the
/// value that has those arrays.
#define XLA_CHANNEL "xla.channel"
#define XLA_CHANNEL_TYPE "xla.channel_type"

/// Puts in place of `map`, which nothing uses yet, what xlaRegionInline builds;
/// leaves it without memory, or if it has dynamic sizes. A loop runs over the
/// elements below `sizes` alone, s32 scalars by dimension, of which null ones
/// are all; NULL: over all elements. The value that takes its result's place.
MlirValue xlaMapExpand(MlirOperation map, const MlirValue *sizes);

/// Whether a region of scalars consists of elementwise operations and
/// constants.
bool xlaRegionIsElementwise(MlirRegion region);
/// Applies a region of scalars to every element of arrays of `shape`'s
/// dimensions: `arguments` take the places of the region's, `results` get what
/// it returns. Elementwise operations are built on the arrays, others in a loop
/// over elements, where the region must return less than XLA_LOOP_MAX_STATE
/// values. False without memory; `results`
/// is as it was then.
bool xlaRegionInline(const XlaIr *ir, MlirRegion region, const XlaShape *shape,
                     const MlirValue *arguments, MlirValue *results);

/// Copies the operations of a region of one block to `ir`: `arguments` take the
/// places of its own, `results` get what it returns. The operation that the
/// region belongs to exists.
void xlaRegionCopyBody(XlaIr *ir, MlirRegion region, const MlirValue *arguments,
                       MlirValue *results);

#endif // XLAC_PASSES_FLATTEN_H

//===- flatten_internal.h - What a function is written anew with --*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes. Values of the old function stand for lists of leaves in
// the new one: flatten.c keeps them, and goes through blocks; flatten_ops.c
// writes each operation.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_FLATTEN_INTERNAL_H
#define XLAC_PASSES_FLATTEN_INTERNAL_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/passes/flatten.h"

/// Regions and calls in each other, and operations after inlining.
enum { xlaFlattenMaxDepth = 1000, xlaFlattenMaxOperations = 4 << 20 };

typedef struct XlaLeaves {
  struct XlaLeaves *previous; // of all lists, for freeing
  intptr_t size;
  MlirValue values[];
} XlaLeaves;

struct XlaFlatten;

/// How values of some types are written as arrays of others: retype.c.
typedef struct XlaRetype {
  /// The types that stand for `type`, two at most, and their number; 0 where it
  /// stays.
  int (*getTypes)(const struct XlaFlatten *r, MlirType type, MlirType types[2]);
  /// Values of such a type, as programs take and give them, as leaves and back.
  void (*enter)(XlaIr *ir, MlirValue value, MlirValue leaves[2]);
  MlirValue (*leave)(XlaIr *ir, const MlirValue *leaves, MlirType type);
  /// Whether `op`, of xla, is left to `emit`; it stays on leaves otherwise.
  bool (*isWritten)(MlirOperation op);
  MlirLogicalResult (*emit)(struct XlaFlatten *r, MlirOperation op, XlaIr *ir);
} XlaRetype;

typedef struct XlaFlatten {
  MlirContext context;
  MlirSymbolTable symbols;
  XlaPointerMap leaves; // of old values: XlaLeaves *
  XlaPointerMap active; // functions that are being inlined
  XlaLeaves *last;
  MlirLocation callSite;   // null outside of calls
  const XlaRetype *retype; // or NULL
  bool computes;           // inside of a computation: for `retype`
  bool isParallel;         // several replicas or partitions run
  MlirBlock entry;         // the new function's
  MlirValue ids[2];        // replica_id and partition_id, or null
  int depth;
  int64_t nOperations;
} XlaFlatten;

/// Says so at `op`.
MlirLogicalResult xlaFlattenNoMemory(MlirOperation op);
/// How many arrays a value of `type` has; tokens are none.
intptr_t xlaFlattenLeafCount(const XlaFlatten *r, MlirType type);
/// Writes the types of `type`'s leaves to `types`.
MlirLogicalResult xlaFlattenLeafTypes(const XlaFlatten *r, MlirOperation op,
                                      MlirType type, MlirType **types);
/// The types of all results' leaves, for the caller to free. NULL after a
/// diagnostic.
MlirType *xlaFlattenResultTypes(const XlaFlatten *r, MlirOperation op,
                                intptr_t *size);
/// Without values; freed with `r`. NULL without memory.
XlaLeaves *xlaFlattenNewLeaves(XlaFlatten *r, intptr_t size);
/// Frees all lists, and what maps to them.
void xlaFlattenFree(XlaFlatten *r);
/// Maps an old value to `size` new ones.
MlirLogicalResult xlaFlattenBind(XlaFlatten *r, MlirOperation op, MlirValue old,
                                 intptr_t size, const MlirValue *values);
/// NULL if it has none yet.
const XlaLeaves *xlaFlattenLeavesOf(const XlaFlatten *r, MlirValue old);
/// The leaves of operands `from` .. `to`, for the caller to free; NULL after a
/// diagnostic.
MlirValue *xlaFlattenGather(const XlaFlatten *r, MlirOperation op,
                            intptr_t from, intptr_t to, intptr_t *size);
/// Maps the results of `op` to `values`, in order.
MlirLogicalResult xlaFlattenBindResults(XlaFlatten *r, MlirOperation op,
                                        const MlirValue *values);
/// Everything but the terminator.
MlirLogicalResult xlaFlattenBody(XlaFlatten *r, MlirBlock block, XlaIr *ir);
/// Region `index` of `op` in `into`. With `arguments` its block has arguments;
/// without they have been mapped to values outside.
MlirLogicalResult xlaFlattenRegion(XlaFlatten *r, MlirOperation op,
                                   intptr_t index, bool arguments,
                                   MlirRegion into, const XlaIr *ir);
/// An operation like `op`, which has no regions, on other operands.
MlirOperation xlaFlattenCopy(MlirOperation op, XlaIr *ir, intptr_t nOperands,
                             const MlirValue *operands, intptr_t nResults,
                             const MlirType *results);
/// The operation with its regions, on leaves.
MlirLogicalResult xlaFlattenEmitSame(XlaFlatten *r, MlirOperation op,
                                     XlaIr *ir);
/// Operations between replicas, and send, recv and what waits for them.
MlirLogicalResult xlaFlattenEmitCollective(XlaFlatten *r, MlirOperation op,
                                           XlaIr *ir);
MlirLogicalResult xlaFlattenEmitTransfer(XlaFlatten *r, MlirOperation op,
                                         XlaIr *ir);
/// Refuses computations that have effects where nothing keeps their order, or
/// use outer values where these are not at hand.
MlirLogicalResult xlaFlattenCheckRegions(MlirOperation function);
/// Writes `op` at `ir` and maps its results.
MlirLogicalResult xlaFlattenOp(XlaFlatten *r, MlirOperation op, XlaIr *ir);

#endif // XLAC_PASSES_FLATTEN_INTERNAL_H

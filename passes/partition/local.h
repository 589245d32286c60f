//===- local.h - What one of several devices does -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes/partition. Where no device needs what another one has, but
// in manual computations, the program of all devices is that of one of them,
// with parts in the place of whole arrays, once for each.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_PARTITION_LOCAL_H
#define XLAC_PASSES_PARTITION_LOCAL_H

#include "xlac/passes/partition/job.h"

/// A program that becomes one of parts. What has no sharding here is whole on
/// every device.
typedef struct XlaLocal {
  XlaPartitionJob *job;
  MlirOperation function;  ///< a copy, with calls put in
  MlirBlock body;          ///< of the copy
  XlaPointerMap shardings; ///< of values: addresses
  XlaPointerMap inside;    ///< values in manual computations
  XlaPointerMap starts;    ///< of parts: values, by sharding and dimension
  MlirOperation first;     ///< of the body, behind where parts begin
  intptr_t nCut;           ///< operations with results that are cut
  bool isChanged;
} XlaLocal;

/// What one device does, as a function in no module, to be destroyed, from how
/// arguments and results lie by `job`, which has been run; null, without a
/// diagnostic, where devices need each other, or it would be too much code.
MlirOperation xlaPartitionMakeLocal(XlaPartitionJob *job);

/// The first block of region `i`.
static inline MlirBlock xlaLocalBlock(MlirOperation op, intptr_t i) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
}

/// Whether it is in a manual computation.
bool xlaLocalIsInside(const XlaLocal *l, MlirValue value);
/// Whether an operand is.
bool xlaLocalHasInside(const XlaLocal *l, MlirOperation op);

/// As long as it is NULL, a value is whole.
const XlaSharding *xlaLocalGet(const XlaLocal *l, MlirValue value);
bool xlaLocalSet(XlaLocal *l, MlirValue value, const XlaSharding *s);

/// Decides how all values of the block lie that nothing is said of: first as
/// what they are made of, then as what is made of them (local_assign.c).
bool xlaLocalAssign(XlaLocal *l);
/// Gives operations results of parts; false where that cannot be done
/// (local_rewrite.c).
bool xlaLocalRewrite(XlaLocal *l);

/// The row of the table for an operation of StableHLO or CHLO; Invalid for
/// others (local_rules.c).
XlaOpKind xlaLocalKind(MlirOperation op);
/// Loops and branches, which hand on what their regions do.
bool xlaLocalHandsOn(MlirOperation op);
/// Which dimension of the results each of operand `k` is; -1: it has to be
/// whole.
void xlaLocalDimensions(MlirOperation op, intptr_t k, int *to);
/// How operand `k` lies where results lie as `s`; NULL: whole, or it cannot.
const XlaSharding *xlaLocalOfOperand(XlaLocal *l, MlirOperation op, intptr_t k,
                                     const XlaSharding *s);
/// Whether parts of results, cut as `s` says, can be made of parts.
bool xlaLocalAllows(MlirOperation op, const XlaSharding *s);
/// Whether it says how its result lies, which is its operand; `*s` is NULL if
/// not in every dimension.
bool xlaLocalIsConstraint(XlaLocal *l, MlirOperation op, const XlaSharding **s);
/// Result `i` of what ends a manual computation, and operand `i` of what begins
/// one; NULL of anything else.
const XlaSharding *xlaLocalOfExit(XlaLocal *l, MlirOperation op, intptr_t i);
const XlaSharding *xlaLocalOfEntry(XlaLocal *l, MlirOperation op, intptr_t i);

#endif // XLAC_PASSES_PARTITION_LOCAL_H

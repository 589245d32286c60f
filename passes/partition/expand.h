//===- expand.h - A program for every device at once ------------ -*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes/partition. A value of the program has a value for every
// device; they are one where devices agree.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_PARTITION_EXPAND_H
#define XLAC_PASSES_PARTITION_EXPAND_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/passes/import/result.h"
#include "xlac/passes/partition/partition.h"
#include "xlac/passes/partition/sharding.h"

typedef struct XlaExpandValue {
  /// By device; NULL of values in regions and functions that are copied.
  MlirValue *values;
  /// How it lies, where it is an array of all devices and something says so.
  const XlaSharding *sharding;
  MlirValue *parts; ///< its parts by that, if they are at hand
} XlaExpandValue;

/// Memory that lives as long as the expansion.
typedef struct XlaExpandMemory XlaExpandMemory;

typedef struct XlaExpansion {
  MlirOperation module;
  MlirContext context;
  int replicas, partitions, nDevices;
  XlaPointerMap numbers; ///< of `values`, from 1 on, by values of the program
  XlaExpandValue *values;
  intptr_t nValues, capacity;
  MlirSymbolTable symbols; ///< of the module; null before it is asked
  XlaPointerMap kinds;     ///< of functions, see xlaExpandKindOf
  XlaPointerMap effects;   ///< of functions, see xlaExpandHasEffects
  XlaExpandMemory *memory;
  int depth;       ///< of calls
  int kindDepth;   ///< of regions and calls that are asked for their kind
  int nOperations; ///< that have been read, or made, so far
  int nManual;     ///< manual computations around
  int nPropagated; ///< operations in what is copied
  /// Which devices want what is made, of type i1: NULL for all. What others get
  /// does not count, but it must end.
  const MlirValue *active;
  XlaImportResult result;  ///< of an error
  XlaPartition *partition; ///< what is told
} XlaExpansion;

/// What operations do that operations in them, and what is called, do too.
typedef enum XlaExpandKind {
  XlaExpandKindUnknown,
  XlaExpandKindPlain,
  XlaExpandKindLoops,   ///< may not end
  XlaExpandKindDevices, ///< is not the same for every device
} XlaExpandKind;
/// Devices of what is nested too deep, where calls are not followed.
XlaExpandKind xlaExpandKindOf(XlaExpansion *x, MlirOperation op);
/// The function that a symbol names; null without one with a body.
MlirOperation xlaExpandCallee(XlaExpansion *x, MlirOperation op);

/// Whether it calls the host, which sees how often (effects.c).
bool xlaExpandHasEffects(XlaExpansion *x, MlirOperation op);
/// Whether two devices, whose operands are the same, call it together.
bool xlaExpandSharesEffects(const XlaExpansion *x, MlirOperation op, int a,
                            int b);

// These return false, or NULL, after an error.

void *xlaExpandAllocate(XlaExpansion *x, size_t n, size_t size);
/// Takes it.
const XlaSharding *xlaExpandKeep(XlaExpansion *x, XlaSharding *sharding);
bool xlaExpandNoMemory(XlaExpansion *x, MlirOperation op);
bool xlaExpandUnsupported(XlaExpansion *x, MlirOperation op, const char *what);
bool xlaExpandInvalid(XlaExpansion *x, MlirOperation op, const char *what);

/// What a value has become. It stays where it is until the next definition.
XlaExpandValue *xlaExpandGet(XlaExpansion *x, MlirOperation op,
                             MlirValue value);
MlirValue *xlaExpandOperand(XlaExpansion *x, MlirOperation op, intptr_t i);
/// `values` is kept as it is.
bool xlaExpandDefine(XlaExpansion *x, MlirValue value, MlirValue *values,
                     const XlaSharding *sharding, MlirValue *parts);
bool xlaExpandIsUniform(const XlaExpansion *x, const MlirValue *values);

/// Everything in a block but its terminator, and one of these operations.
bool xlaExpandBlock(XlaExpansion *x, MlirBlock block, XlaIr *ir);
bool xlaExpandOp(XlaExpansion *x, MlirOperation op, XlaIr *ir);
/// The first block of an operation of one region; null of any other.
MlirBlock xlaExpandBodyOf(MlirOperation op);
/// Counts an operation that is read or made, as those of functions are at each
/// call; false after an error if there are too many.
bool xlaExpandCount(XlaExpansion *x, MlirOperation op);
/// A copy of one whose devices need nothing of each other, for each device with
/// operands of its own (copy.c).
bool xlaExpandCopy(XlaExpansion *x, MlirOperation op, XlaIr *ir);
/// Puts an operation at the end of the block into a branch that is taken where
/// `active`; `*op` is what gives its results then.
bool xlaExpandGuard(XlaExpansion *x, XlaIr *ir, MlirValue active,
                    MlirOperation *op);
/// Manual computations: as an operation of Shardy, and whether a custom call is
/// the bound of one, and what that does; whether a function is called between
/// two bounds, as Shardy names it (manual.c).
bool xlaExpandManual(XlaExpansion *x, MlirOperation op, XlaIr *ir);
bool xlaExpandIsBound(MlirOperation op);
bool xlaExpandBound(XlaExpansion *x, MlirOperation op, XlaIr *ir);
bool xlaExpandIsManualBody(MlirOperation function);
/// Whether it is a custom call of this target.
bool xlaExpandIsCallTo(MlirOperation op, const char *target);
/// Operations between devices, and their numbers (collective.c).
bool xlaExpandIsCollective(MlirOperation op);
bool xlaExpandCollective(XlaExpansion *x, MlirOperation op, XlaIr *ir);
/// Whether it asks how its operand lies, and what says so (inspect.c).
bool xlaExpandIsInspection(MlirOperation op);
bool xlaExpandInspect(XlaExpansion *x, MlirOperation op);
/// Whether it is to be made for parts, and what does that (call_parts.c).
bool xlaExpandIsCallOfParts(MlirOperation op);
bool xlaExpandCallParts(XlaExpansion *x, MlirOperation op, XlaIr *ir);
/// Loops and branches that have such in them (loop.c, branch.c).
bool xlaExpandWhile(XlaExpansion *x, MlirOperation op, XlaIr *ir);
bool xlaExpandCase(XlaExpansion *x, MlirOperation op, XlaIr *ir);

// Values by device (by_device.c).

/// Each made by the operation `name` of two of i1, once for equal ones.
bool xlaExpandCombine(XlaExpansion *x, XlaIr *ir, const char *name,
                      const MlirValue *a, const MlirValue *b, MlirValue **made);
/// Whether any of them is true.
MlirValue xlaExpandAny(const XlaExpansion *x, XlaIr *ir,
                       const MlirValue *values);
/// values[d] stays where predicates[d], and becomes others[d] elsewhere.
bool xlaExpandChoose(XlaExpansion *x, MlirOperation op, XlaIr *ir,
                     const MlirValue *predicates, MlirValue *values,
                     const MlirValue *others);
/// What the end of a block of `op` hands on: `n` values, each by device.
MlirValue *xlaExpandEnd(XlaExpansion *x, MlirOperation op, MlirBlock block,
                        intptr_t n);

/// The part of `value` at these coordinates; the array of parts in row-major
/// order of their coordinates.
MlirValue xlaExpandSlice(XlaIr *ir, MlirValue value, const XlaSharding *s,
                         const int *coordinates);
/// The sizes of parts of an array of `type`, where they are known; false if
/// they are not of one size.
bool xlaExpandDivide(const XlaSharding *s, MlirType type, int64_t *dims);
bool xlaExpandSplit(XlaExpansion *x, MlirOperation op, XlaIr *ir,
                    const XlaExpandValue *value, const XlaSharding *s,
                    MlirValue *parts);
bool xlaExpandJoin(XlaExpansion *x, MlirOperation op, XlaIr *ir,
                   const MlirValue *parts, const XlaSharding *s,
                   MlirValue *whole);

// Operations of xla.
MlirValue xlaExpandConcatenate(XlaIr *ir, intptr_t n, const MlirValue *values,
                               int64_t dimension);
/// Part `part` of `nParts` along a dimension.
MlirValue xlaExpandPartAlong(XlaIr *ir, MlirValue value, int64_t dimension,
                             int64_t nParts, int part);
MlirValue xlaExpandNumber(XlaIr *ir, MlirType type, int64_t number);
MlirValue xlaExpandSelect(XlaIr *ir, MlirValue predicate, MlirValue a,
                          MlirValue b);

static inline bool xlaExpandSame(MlirValue a, MlirValue b) {
  return mlirValueEqual(a, b);
}
/// The first device that has, in each of `n` arrays of a value for each device,
/// the same as `device`.
int xlaExpandFirstAlike(intptr_t n, const MlirValue *const *arrays, int device);

#endif // XLAC_PASSES_PARTITION_EXPAND_H

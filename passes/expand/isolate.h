//===- isolate.h - Computations without outer values --------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host runs operations between replicas by themselves, without what else
// the program has.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_ISOLATE_H
#define XLAC_PASSES_EXPAND_ISOLATE_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#include <stdbool.h>

/// What xlaIsolateAsCall calls. Its attribute XLA_BETWEEN_OP is the text of a
/// function that has the operation only, and takes what the call does.
#define XLA_BETWEEN "xlac.between"
#define XLA_BETWEEN_OP "xla.between"
/// Says that the computation draws random numbers: the call's first operand is
/// how many blocks were taken before, a ui64, its first result how many after.
#define XLA_BETWEEN_DRAWS "xla.draws"

/// Copies constants from outside into the regions of `op`, an operation between
/// replicas, that use them. If these use other values from outside, puts a
/// call of XLA_BETWEEN in its place, which takes them after the operands. Fails
/// without memory, with a diagnostic.
MlirLogicalResult xlaIsolate(MlirOperation op);

/// Puts a call of XLA_BETWEEN in place of `op`, also if it uses nothing from
/// outside: its computation runs for one element after the other, as the
/// evaluator does it. With XLA_BETWEEN_DRAWS if it `draws`; the number of
/// blocks is 0 until who counts them says otherwise.
MlirLogicalResult xlaIsolateOrdered(MlirOperation op, bool draws);
/// Whether `op` is a call that has XLA_BETWEEN_DRAWS.
bool xlaIsolatedDraws(MlirOperation op);

/// As xlaIsolate where constants are all that there may be, as after it.
MlirLogicalResult xlaIsolateConstants(MlirOperation op);

/// The type that an operation between replicas had, or has, a value with.
typedef MlirType (*XlaIsolateTypeOf)(MlirValue value, const void *user);

/// A call of XLA_BETWEEN in front of `op` and in place of its results, whose
/// function takes values of the types that `typeOf` tells. Null without memory,
/// after a diagnostic.
MlirOperation xlaIsolateAsCall(MlirOperation op, XlaIsolateTypeOf typeOf,
                               const void *user);

/// The operation that `call` stands for, as it is in `*module`, which the
/// caller destroys: the only one of its function, whose arguments it uses, of
/// one that draws all but the first.
/// Null if there is none; a program may call XLA_BETWEEN itself.
MlirOperation xlaIsolatedOp(MlirOperation call, MlirModule *module);

#endif // XLAC_PASSES_EXPAND_ISOLATE_H

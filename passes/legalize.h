//===- legalize.h - The form of programs that lowering takes ------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A legal module has one function. It and the branches and bodies inside it are
// single blocks of operations of xla on static arrays without encodings, where
//  - there are no calls, tuples, tokens, if, conditional, dot, map,
//    rng_uniform, rng_normal and rng_bit_generator;
//  - xla.case has the index as its only operand;
//  - elementwise operations have operands of their result's dimensions;
//  - reshapes, broadcasts, transposes, iotas, reductions and elementwise
//    operations have no result dimensions of size 1 but in reshapes, so that
//    what differs only in those fuses. (xla-simplify does this; the verifier
//    does not insist.)
// The rules of algebra.h have been applied.
// Dynamic dimensions whose sizes follow from constants are static.
// Unsigned, pred and complex elements stay what they are.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_LEGALIZE_H
#define XLAC_PASSES_LEGALIZE_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The function named `entry`; for an empty name @main, or the only public
/// function.
/// Null after a diagnostic at `module`.
MlirOperation xlaFindEntry(MlirOperation module, MlirStringRef entry);

/// Checks that `function` is as above; a diagnostic at the first operation that
/// is not, naming what it is or the type it has.
MlirLogicalResult xlaLegalVerify(MlirOperation function);

/// Takes dimensions of size 1 out of elementwise operations and reductions,
/// removes converts that do nothing, and simplifies movement.
void xlaSimplify(MlirOperation function);

/// Puts one operation, or none, in place of reshapes, transposes, broadcasts,
/// slices, reverses, pads, concatenations .. that follow each other, where
/// composed indexing maps say that it moves the same elements. Every bit of
/// every result stays. Arrays of dynamic sizes and those with layouts are left
/// as they are. Unused operations of these kinds are deleted. Doing it again
/// changes nothing.
void xlaSimplifyIndexing(MlirOperation function);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_LEGALIZE_H

//===- computation.h - Programs that a builder has built ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A computation is a verified function of parameters and one result, as
// xlaBuilderBuild makes it. It is closed: all that it uses are its parameters
// and its own constants. So it can be a whole program, a callee, or the region
// of any number of reduce, while, map .. operations: each gets a copy.
//
// Computations are reference counted, not thread safe, and live in the context
// of their builder, which must outlive them. A NULL computation is allowed
// everywhere and has no parts.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_BUILDER_COMPUTATION_H
#define XLAC_DIALECT_BUILDER_COMPUTATION_H

#include "mlir-c/IR.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XlaComputation XlaComputation;

/// Computations may be used within others to this depth.
#define XLA_COMPUTATION_MAX_DEPTH 100
/// And have at most so many operations, with those of regions.
#define XLA_COMPUTATION_MAX_OPERATIONS 1000000

/// A further reference to `computation`, to be released.
XlaComputation *xlaComputationRetain(const XlaComputation *computation);
/// Drops a reference; NULL is allowed. Builders that used the computation keep
/// what they need.
void xlaComputationRelease(XlaComputation *computation);

/// The builder's name. Lives as long as the computation; NULL gives "".
const char *xlaComputationGetName(const XlaComputation *computation);
MlirContext xlaComputationGetContext(const XlaComputation *computation);
intptr_t xlaComputationGetNumParameters(const XlaComputation *computation);
/// Null if there is no such parameter.
MlirType xlaComputationGetParameterType(const XlaComputation *computation,
                                        intptr_t number);
MlirType xlaComputationGetResultType(const XlaComputation *computation);

/// A module whose public function @main is the computation, with the functions
/// that it calls; verified. The caller destroys it. Null, with a diagnostic,
/// when memory runs out.
MlirModule xlaComputationCreateModule(const XlaComputation *computation);
/// That module as text, which xla-run, xla-opt and xla-bench read. The caller
/// frees it; NULL when memory runs out.
char *xlaComputationPrint(const XlaComputation *computation);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_BUILDER_COMPUTATION_H

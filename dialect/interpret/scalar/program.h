//===- program.h - Regions of scalars as instructions ------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a reduce or a sort runs once an element. If it consists of
// elementwise operations on scalars, it is translated once into instructions
// over numbered slots, which run without looking anything up. Every value is
// rounded to its element type, so the results are those of running the region,
// bit by bit.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_SCALAR_PROGRAM_H
#define XLAC_DIALECT_INTERPRET_SCALAR_PROGRAM_H

#include "xlac/dialect/interpret/evaluator.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XlaScalarProgram XlaScalarProgram;

/// Translates a verified region of one block that ends in xla.return and whose
/// values are all scalars: arguments, elementwise operations, constants, and
/// reshapes, transposes and broadcasts from scalar to scalar. Outer values are
/// constants or have a value in `evaluator` (may be NULL) now. NULL if the
/// region is of another kind or memory is lacking.
XlaScalarProgram *xlaScalarProgramCreate(MlirRegion region,
                                         XlaEvaluator *evaluator);
void xlaScalarProgramDestroy(XlaScalarProgram *program);

/// Numbers of the region's arguments and results.
intptr_t xlaScalarProgramGetArgumentCount(const XlaScalarProgram *program);
intptr_t xlaScalarProgramGetResultCount(const XlaScalarProgram *program);
/// Operations that one run executes.
int64_t xlaScalarProgramGetLength(const XlaScalarProgram *program);

/// Runs once. `args` are values of the arguments' element types, as
/// xlaScalarLoad gives them; `results` may be `args`.
void xlaScalarProgramRun(XlaScalarProgram *program, const XlaScalar *args,
                         XlaScalar *results);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_SCALAR_PROGRAM_H

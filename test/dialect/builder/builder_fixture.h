//===- builder_fixture.h - Checking what builders build -----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_DIALECT_BUILDER_BUILDER_FIXTURE_H
#define XLAC_TEST_DIALECT_BUILDER_BUILDER_FIXTURE_H

#include "xlac/test/support/unit.h"

#include "xlac/lowering/client.h"

/// Clients of a group of tests: the interpreter, and the CPU on top.
int builderSetUp(void **state);
int builderTearDown(void **state);
MlirContext builderContext(void);

/// A new builder.
XlaBuilder *builderNew(const char *name);
/// Ends a builder whose computation must be right.
XlaComputation *builderEnd(XlaBuilder *b, XlaOp root);

/// Ends a builder without parameters: its result must be an array of `shape`
/// with `values` (of pred 0 and 1), on the interpreter. Numbers must agree to
/// 1e-5 of their size, NaN with NaN, and -0 with -0.
void builderExpect(XlaBuilder *b, XlaOp root, const XlaShape *shape,
                   const double *values);
/// The same, compiled for the CPU too.
void builderExpectCompiled(XlaBuilder *b, XlaOp root, const XlaShape *shape,
                           const double *values);
#define VALUES(...)                                                            \
  (const double[]) { __VA_ARGS__ }

/// Ends a builder that must have failed with a message that contains `text`,
/// and must fail to build.
void builderExpectError(XlaBuilder *b, const char *text);

/// (a, b) -> a + b of scalars of `elementType`.
XlaComputation *builderSum(XlaElementType elementType);

#endif // XLAC_TEST_DIALECT_BUILDER_BUILDER_FIXTURE_H

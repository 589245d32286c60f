//===- algebra_fixture.h - Programs before and after rules --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_PASSES_SIMPLIFY_ALGEBRA_ALGEBRA_FIXTURE_H
#define XLAC_TEST_PASSES_SIMPLIFY_ALGEBRA_ALGEBRA_FIXTURE_H

#include "xlac/dialect/literal.h"
#include "xlac/passes/simplify/algebra/internal.h"

#include "xlac/test/support/unit.h"

/// `*state` is an MlirContext that knows xla and func.
int algebraSetUp(void **state);
int algebraTearDown(void **state);

/// An element of `type`: one of its special values, or random bits.
XlaScalar algebraElement(XlaElementType type, uint64_t *random);

/// Evaluates `function` of `before`, and the one of its name in `after`, on
/// inputs that `seed` makes; fails the test where results differ.
void algebraCompare(MlirOperation before, MlirOperation after,
                    MlirOperation function, uint64_t seed);

/// Evaluates a function of `module` on `inputs`; false on failure.
bool algebraEvaluate(MlirOperation module, MlirStringRef name, intptr_t nInputs,
                     XlaLiteral *const *inputs, intptr_t nResults,
                     XlaLiteral **results);

/// The first element in which two literals differ, or -1.
int64_t algebraDifference(const XlaLiteral *a, const XlaLiteral *b);

#endif // XLAC_TEST_PASSES_SIMPLIFY_ALGEBRA_ALGEBRA_FIXTURE_H

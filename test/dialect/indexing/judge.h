//===- judge.h - What maps of operations are tested by ------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation is taken out of its program and run by the reference evaluator,
// again and again, each time with one element of one operand changed. What then
// changes in the results must be what the indexing maps name.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_DIALECT_INDEXING_JUDGE_H
#define XLAC_TEST_DIALECT_INDEXING_JUDGE_H

#include "xlac/dialect/op.h"

/// Whether all maps of `op` are known, and its arrays have at most
/// `maxElements` elements.
bool isJudgeable(MlirOperation op, int64_t maxElements);

/// Judges `op` for all results, all operands and what its regions capture, in a
/// run of `nReplicas`. Fails the test where an element of a result changes that
/// no map names, where the maps of both directions disagree, and, if `isExact`,
/// unless the maps of an operation have more by design, where one is named that
/// nothing changes. Says how many pairs of arrays were judged.
int judgeOperation(MlirOperation op, int nReplicas, bool isExact);

#endif // XLAC_TEST_DIALECT_INDEXING_JUDGE_H

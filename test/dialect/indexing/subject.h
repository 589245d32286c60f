//===- subject.h - One operation on its own -----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TEST_DIALECT_INDEXING_SUBJECT_H
#define XLAC_TEST_DIALECT_INDEXING_SUBJECT_H

#include "xlac/dialect/literal.h"
#include "xlac/dialect/op.h"

enum { maxInputs = 12, maxReplicas = 4 };

/// A function that consists of one operation: its arguments are the operands,
/// and what regions capture.
typedef struct Subject {
  MlirModule module;
  MlirOperation function, op;
  XlaOpKind kind;
  int nReplicas;
  intptr_t nInputs, nResults;
  XlaShape inputs[maxInputs], results[maxInputs];
} Subject;

/// Values of all replicas.
typedef XlaLiteral *Values[maxReplicas][maxInputs];

Subject subjectCreate(MlirOperation op, int nReplicas);
void subjectDestroy(Subject *subject);
/// Runs it; fails the test if it does not run.
void subjectRun(const Subject *subject, const Values inputs, Values results);

uint64_t randomNext(uint64_t *state);
/// Whether operand `input` says where something is.
bool subjectIsPosition(const Subject *subject, intptr_t input);
/// Any element that the operand may have, but for those of cholesky (which
/// makes definite matrices of its operand as a whole).
XlaScalar subjectRandomElement(const Subject *subject, intptr_t input,
                               uint64_t *state);
XlaLiteral *subjectRandomInput(const Subject *subject, intptr_t input,
                               uint64_t *state);
/// A copy of `from` with another element at `linear`.
XlaLiteral *subjectPerturb(const Subject *subject, intptr_t input,
                           const XlaLiteral *from, int64_t linear,
                           uint64_t *state);
void valuesRelease(Values values, intptr_t n);

#endif // XLAC_TEST_DIALECT_INDEXING_SUBJECT_H

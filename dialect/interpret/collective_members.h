//===- collective_members.h - Who takes part in an operation ------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_COLLECTIVE_MEMBERS_H
#define XLAC_DIALECT_INTERPRET_COLLECTIVE_MEMBERS_H

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/scalar/region.h"
#include "xlac/dialect/op.h"

/// One process in one operation.
typedef struct XlaCollectiveMeeting {
  XlaEvaluator *evaluator;
  MlirOperation op;
  XlaOpKind kind;
  const XlaProcess *process;
  XlaGrid grid;
  int nMembers, own; // own: the position among them
  int source;        // whose operand moves and permutes give; -1: zeros
  int *members;
  const XlaLiteral *const **operands; // by member
  XlaScalarRegion *body;              // NULL: there is none
} XlaCollectiveMeeting;

/// Finds `nMembers`, `members`, `own` and `source` of the process in the
/// operation, from its groups or pairs; the rest but `operands` and `body` is
/// set, and `members` has room for all processes of the grid. Fails after a
/// diagnostic at the operation.
MlirLogicalResult xlaCollectiveFindMembers(XlaCollectiveMeeting *meeting);

#endif // XLAC_DIALECT_INTERPRET_COLLECTIVE_MEMBERS_H

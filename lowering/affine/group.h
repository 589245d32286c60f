//===- group.h - Runs of statements that become one nest ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to lowering. Statements that follow each other are parted into
// groups (statement.h), each as long as the device finds that one nest pays.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_AFFINE_GROUP_H
#define XLAC_LOWERING_AFFINE_GROUP_H

#include "xlac/lowering/affine/statement.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A run that could be a group: statements [0, n), which share loops of
/// `volume` iterations. The first `length` of them, fewer, are one already, of
/// `before` iterations.
typedef struct XlaSchedRun {
  const XlaSchedStatement *statements;
  int length, n;
  int64_t before, volume;
  int nShared;
} XlaSchedRun;

/// What a device makes of statements.
typedef struct XlaSchedGrouper {
  /// Is one nest for the run better than several?
  bool (*pays)(const XlaSchedRun *run, void *user);
  /// Writes the nest of a group, whose shared dimensions come first. The
  /// statements may be changed. Failure comes with a diagnostic.
  MlirLogicalResult (*emit)(XlaSchedGroup *group, void *user);
  void *user;
} XlaSchedGrouper;

/// Parts `statements` into groups and has each written. Failure comes with a
/// diagnostic, at the first statement where memory runs out.
MlirLogicalResult xlaSchedGroups(XlaSchedStatement *statements, int nStatements,
                                 const XlaSchedGrouper *grouper);

/// Does nothing but statements of the group with these numbers (NULL: the first
/// `n`) use the buffer, or views of it?
bool xlaSchedIsPrivate(const XlaSchedGroup *group, const int *numbers, int n,
                       MlirValue buffer);
/// Does the access depend on dimensions that are not shared?
bool xlaSchedIsInner(const XlaSchedGroup *group,
                     const XlaSchedStatement *statement,
                     const XlaSchedAccess *access);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_AFFINE_GROUP_H

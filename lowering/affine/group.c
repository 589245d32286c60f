//===- group.c - Runs of statements that become one nest ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/group.h"
#include "xlac/dialect/error.h"

#include <stdlib.h>

/// Fills and other readers may lie between a statement and one that must join
/// it.
enum { maxBetween = 8 };

static int64_t sharedVolume(const XlaSchedStatement *statement,
                            const int *shared, int nShared) {
  int64_t volume = 1;
  for (int c = 0; c < nShared; ++c)
    volume *= statement->sizes[shared[c]];
  return volume;
}

/// Finds the longest run from statements[0] on that pays; its statements'
/// shared positions are left in `shared`.
static XlaSchedGroup longest(XlaSchedStatement *statements, int nStatements,
                             int *shared, const XlaSchedGrouper *grouper) {
  XlaSchedGroup group = {statements, 1, 0};
  xlaSchedShare(statements, 1, shared, &group.nShared);
  XlaSchedRun run = {.statements = statements, .length = 1};
  run.before = sharedVolume(statements, shared, group.nShared);
  for (run.n = 2; run.n <= nStatements && run.n <= run.length + maxBetween;
       ++run.n) {
    if (!xlaSchedShare(statements, run.n, shared, &run.nShared))
      continue;
    run.volume = sharedVolume(statements, shared, run.nShared);
    if (grouper->pays(&run, grouper->user)) {
      run.length = run.n;
      run.before = run.volume;
    }
  }
  group.nStatements = run.length;
  xlaSchedShare(statements, group.nStatements, shared, &group.nShared);
  return group;
}

MlirLogicalResult xlaSchedGroups(XlaSchedStatement *statements, int nStatements,
                                 const XlaSchedGrouper *grouper) {
  int *shared =
      malloc(((size_t)nStatements + 1) * XLA_SCHED_MAX_DIMS * sizeof *shared);
  MlirLogicalResult result = mlirLogicalResultSuccess();
  if (!shared || !xlaSchedLink(statements, nStatements)) {
    free(shared);
    return xlaErrorNoMemory(mlirOperationGetLocation(statements->op));
  }
  for (int i = 0; i < nStatements && mlirLogicalResultIsSuccess(result);) {
    XlaSchedGroup group =
        longest(statements + i, nStatements - i, shared, grouper);
    for (int s = 0; s < group.nStatements; ++s)
      xlaSchedShareFirst(&group.statements[s], shared + s * XLA_SCHED_MAX_DIMS,
                         group.nShared);
    i += group.nStatements;
    result = grouper->emit(&group, grouper->user);
  }
  free(shared);
  return result;
}

//===----------------------------------------------------------------------===//
// Questions about groups
//===----------------------------------------------------------------------===//

bool xlaSchedIsPrivate(const XlaSchedGroup *group, const int *numbers, int n,
                       MlirValue buffer) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool isMine = xlaIrIsOp(user, "memref.dealloc");
    for (int s = 0; !isMine && s < n; ++s)
      isMine = mlirOperationEqual(
          group->statements[numbers ? numbers[s] : s].op, user);
    if (!isMine && mlirOperationGetNumResults(user) == 1 &&
        mlirValueEqual(xlaSchedRoot(mlirOperationGetResult(user, 0)),
                       xlaSchedRoot(buffer)))
      isMine =
          xlaSchedIsPrivate(group, numbers, n, mlirOperationGetResult(user, 0));
    if (!isMine)
      return false;
  }
  return true;
}

bool xlaSchedIsInner(const XlaSchedGroup *group,
                     const XlaSchedStatement *statement,
                     const XlaSchedAccess *access) {
  for (int d = group->nShared; d < statement->nDims; ++d)
    if (access->strides[d])
      return true;
  return false;
}

//===- rendezvous.h - Where processes of a run meet ---------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replicas and partitions of a program, and programs that run together, are
// processes: each has an evaluator and a thread of its own, and they exchange
// values here. Collective operations meet: each process gives its operands,
// reads those of all, and goes on when all have read. Send and recv transfer a
// value over a channel.
//
// Processes that wait for each other for ever are found at once, because it is
// known who runs, who waits for whom and who has finished: every operation that
// waits then fails with a diagnostic that says what for.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_RENDEZVOUS_H
#define XLAC_DIALECT_INTERPRET_RENDEZVOUS_H

#include "xlac/dialect/literal.h"
#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A run has at most this many processes.
#define XLA_MAX_PROCESSES 1024

typedef struct XlaRendezvous XlaRendezvous;

/// The processes of one program: replicas * partitions of them, at least one.
typedef struct XlaGrid {
  const char *name; ///< of the program, for messages; NULL if there is only one
  int replicas, partitions;
} XlaGrid;

/// The place of one process. Zero-initialised it is alone: a single replica
/// that meets nobody.
typedef struct XlaProcess {
  XlaRendezvous *rendezvous; ///< borrowed
  int grid, replica, partition;
} XlaProcess;

/// For the processes of all `grids`, which are copied, but for the names. NULL
/// if there is no memory, or more than XLA_MAX_PROCESSES.
XlaRendezvous *xlaRendezvousCreate(int nGrids, const XlaGrid *grids);
/// No process may be using it.
void xlaRendezvousDestroy(XlaRendezvous *rendezvous);

/// The grid of `process`; one replica for a process that is alone.
XlaGrid xlaProcessGetGrid(const XlaProcess *process);
/// "replica 1", "replica 1, partition 0 of b.mlir".
typedef struct XlaProcessName {
  char chars[200];
} XlaProcessName;
XlaProcessName xlaProcessGetName(const XlaProcess *process);

/// A process runs until this is called for it, once, whether it succeeded or
/// failed. A failure stops the others: what they wait for fails without a
/// diagnostic.
void xlaProcessFinish(const XlaProcess *process, bool failed);
/// Whether a process has failed. May be called at any time.
bool xlaProcessIsStopped(const XlaProcess *process);
/// The process that failed first, by itself; false if none did.
bool xlaRendezvousGetFailed(XlaRendezvous *rendezvous, XlaProcess *process);

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

/// Waits until all `members` (processes of the grid, numbered replica *
/// partitions + partition, in the order of the group; `process` is one) are at
/// an operation that fits `op`: of the same kind, with the same attributes and
/// types of operands. `all[m]` are then the operands of member m, which may be
/// read, but not retained, until xlaProcessPart. Fails after a diagnostic at
/// `op`, or without if another process failed.
MlirLogicalResult xlaProcessMeet(const XlaProcess *process, MlirOperation op,
                                 int nMembers, const int *members,
                                 const XlaLiteral *const *operands,
                                 const XlaLiteral *const **all);
/// Ends a meeting that succeeded: waits until all members have called it.
void xlaProcessPart(const XlaProcess *process);

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

/// The two ends of a channel are on different programs where several run, and
/// there in processes of the same replica and partition.
/// Says that `op`, an xla.recv, is ready for a value.
MlirLogicalResult xlaProcessReceive(const XlaProcess *process, MlirOperation op,
                                    int64_t channel);
/// Waits until somebody is ready to receive, and gives him `value`, whose only
/// reference is taken over, also on failure.
MlirLogicalResult xlaProcessSend(const XlaProcess *process, MlirOperation op,
                                 int64_t channel, XlaLiteral *value);
/// Waits for the value of the xlaProcessReceive on this channel and gives its
/// only reference; `*sender` is the operation that sent it.
MlirLogicalResult xlaProcessAwait(const XlaProcess *process, MlirOperation op,
                                  int64_t channel, XlaLiteral **value,
                                  MlirOperation *sender);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_RENDEZVOUS_H

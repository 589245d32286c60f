//===- job.h - What makes one program of those of the devices -----*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes/partition.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_PARTITION_JOB_H
#define XLAC_PASSES_PARTITION_JOB_H

#include "xlac/passes/partition/expand.h"

/// A function that becomes one of all devices.
typedef struct XlaPartitionJob {
  XlaExpansion x;
  MlirOperation function;
  MlirBlock body, newBody;
  MlirRegion region;  ///< of the new body, until it has replaced the old one
  intptr_t nIn, nOut; ///< of the program of a device
  bool isWhole;       ///< takes and gives arrays as they are
  /// What each device does on parts, in the place of the function's body; null:
  /// that is on whole arrays. Then `in` and `out` are known.
  MlirOperation local;
  const XlaSharding **in, **out;
  MlirValue *results; ///< of the new function: nResults of them
  intptr_t nResults;
  XlaPartition *partition;
} XlaPartitionJob;

/// What `function` has for its argument or result `i`, in "arg_attrs" or
/// "res_attrs"; null if it has nothing.
MlirAttribute xlaPartitionAttributesOf(const XlaPartitionJob *job,
                                       const char *which, intptr_t i);

// These return false after an error.

/// Where nothing is said of an argument, how the program wants it (wanted.c).
bool xlaPartitionWantArguments(XlaPartitionJob *job);
/// Begins and ends the new body with the parts that devices have (arguments.c).
bool xlaPartitionMakeArguments(XlaPartitionJob *job, XlaIr *ir);
bool xlaPartitionMakeResults(XlaPartitionJob *job, MlirOperation end,
                             XlaIr *ir);
/// Those of what each device does.
bool xlaPartitionMakeLocalArguments(XlaPartitionJob *job);
bool xlaPartitionMakeLocalResults(XlaPartitionJob *job, MlirOperation end);
/// With whole arrays, which each replica has its own of (whole.c).
bool xlaPartitionMakeWholeArguments(XlaPartitionJob *job, XlaIr *ir);
bool xlaPartitionMakeWholeResults(XlaPartitionJob *job, MlirOperation end);

/// Marks the functions of the module that are called (whole.c).
bool xlaPartitionFindCallees(XlaExpansion *x, XlaPointerMap *callees);

/// Makes a body of all devices, and puts it in the place of the function's:
/// then calls of the function no longer fit (partition.c).
bool xlaPartitionRun(XlaPartitionJob *job, int replicas, int partitions);
bool xlaPartitionReplace(XlaPartitionJob *job);
/// Frees everything but the partition.
void xlaPartitionJobClear(XlaPartitionJob *job);

#endif // XLAC_PASSES_PARTITION_JOB_H

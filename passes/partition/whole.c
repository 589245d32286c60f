//===- whole.c - Programs of several devices on whole arrays --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/partition.h"

#include "xlac/dialect/entry.h"
#include "xlac/passes/partition/job.h"
#include "xlac/passes/partition/shardings_of.h"
#include "xlac/passes/passes.h"
#include "xlac/passes/replicas.h"

#include <limits.h>
#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Arguments and results
//===----------------------------------------------------------------------===//

/// Argument `i`, which each replica has its own of.
static bool makeArgument(XlaPartitionJob *job, intptr_t i) {
  XlaExpansion *x = &job->x;
  MlirValue old = mlirBlockGetArgument(job->body, i);
  const XlaSharding *said = NULL;
  MlirValue *values = xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *values);
  if (!values ||
      !xlaShardingOfAttributes(x, job->function,
                               xlaPartitionAttributesOf(job, "arg_attrs", i),
                               mlirValueGetType(old), &said))
    return false;
  for (int d = 0; d < x->nDevices; ++d)
    values[d] =
        mlirBlockGetArgument(job->newBody, d / x->partitions * job->nIn + i);
  return xlaExpandDefine(x, old, values, said, NULL);
}

bool xlaPartitionMakeWholeArguments(XlaPartitionJob *job, XlaIr *ir) {
  (void)ir;
  for (int r = 0; r < job->x.replicas; ++r)
    for (intptr_t i = 0; i < job->nIn; ++i) {
      MlirValue old = mlirBlockGetArgument(job->body, i);
      mlirBlockAddArgument(job->newBody, mlirValueGetType(old),
                           mlirValueGetLocation(old));
    }
  for (intptr_t i = 0; i < job->nIn; ++i)
    if (!makeArgument(job, i))
      return false;
  return true;
}

/// Of what is not the same for all partitions, the first's.
bool xlaPartitionMakeWholeResults(XlaPartitionJob *job, MlirOperation end) {
  XlaExpansion *x = &job->x;
  job->nResults = job->nOut * x->replicas;
  for (intptr_t i = 0; i < job->nOut; ++i) {
    const MlirValue *values = xlaExpandOperand(x, end, i);
    for (int r = 0; values && r < x->replicas; ++r)
      job->results[r * job->nOut + i] = values[r * x->partitions];
    if (!values)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// How many devices a module says that it is for: what JAX writes, or the
/// largest mesh.
static int64_t countPartitions(MlirOperation module) {
  int64_t said = xlaModuleGetCount(module, "mhlo.num_partitions");
  return said > 1 ? said : xlaShardingCountDevices(module);
}

/// More than are taken are refused later.
static int limited(int64_t count) {
  return count > INT_MAX ? INT_MAX : (int)count;
}

static bool isCall(MlirOperation op) {
  return xlaIrIsOp(op, "func.call") || xlaIrIsOp(op, "stablehlo.composite");
}

static bool isFunction(MlirOperation op) {
  return xlaIrIsOp(op, "func.func") && xlaFunctionHasBody(op);
}

bool xlaPartitionFindCallees(XlaExpansion *x, XlaPointerMap *callees) {
  XlaIrOps calls = xlaIrCollect(x->module, MlirWalkPreOrder, isCall);
  bool done = !calls.failed;
  for (intptr_t i = 0; done && i < calls.n; ++i) {
    MlirOperation callee = xlaExpandCallee(x, calls.ops[i]);
    done =
        mlirOperationIsNull(callee) || xlaPointerMapSet(callees, callee.ptr, 1);
  }
  free(calls.ops);
  return done || xlaExpandNoMemory(x, x->module);
}

/// Rewrites the functions of `jobs`, which may call each other: they do as they
/// are before.
static XlaImportResult rewrite(const XlaExpansion *x, XlaPartitionJob *jobs,
                               intptr_t n) {
  int replicas = limited(xlaModuleGetCount(x->module, "mhlo.num_replicas"));
  int partitions = limited(countPartitions(x->module));
  XlaImportResult result = XlaImportResultOk;
  for (intptr_t i = 0; i < 2 * n && result == XlaImportResultOk; ++i) {
    XlaPartitionJob *job = &jobs[i % n];
    if (!(i < n ? xlaPartitionRun(job, replicas, partitions)
                : xlaPartitionReplace(job)))
      result = job->x.result == XlaImportResultOk ? XlaImportResultUnsupported
                                                  : job->x.result;
  }
  return result;
}

/// Rewrites those of `functions` that differ by device and may be called from
/// elsewhere; drops others, which have been put in where they were called.
static XlaImportResult rewriteAll(XlaExpansion *x, const XlaIrOps *functions,
                                  const XlaPointerMap *callees) {
  XlaPartitionJob *jobs = calloc((size_t)functions->n + 1, sizeof *jobs);
  MlirOperation *others =
      xlaExpandAllocate(x, (size_t)functions->n + 1, sizeof *others);
  intptr_t n = 0, nOthers = 0;
  for (intptr_t i = 0; jobs && others && i < functions->n; ++i) {
    MlirOperation function = functions->ops[i];
    if (xlaExpandKindOf(x, function) != XlaExpandKindDevices)
      continue;
    if (xlaFunctionIsPublic(function) ||
        !xlaPointerMapGet(callees, function.ptr))
      jobs[n++] = (XlaPartitionJob){
          .x = {.module = x->module}, .function = function, .isWhole = true};
    else
      others[nOthers++] = function;
  }
  XlaImportResult result =
      jobs && others ? rewrite(x, jobs, n) : XlaImportResultUnsupported;
  for (intptr_t i = 0; i < nOthers && result == XlaImportResultOk; ++i)
    mlirOperationDestroy(others[i]);
  for (intptr_t i = 0; i < n; ++i) {
    xlaPartitionJobClear(&jobs[i]);
    xlaPartitionDestroy(jobs[i].partition);
  }
  if (!jobs)
    xlaExpandNoMemory(x, x->module);
  free(jobs);
  return result;
}

XlaImportResult xlaPartitionWhole(MlirOperation module) {
  if (!xlaPartitionIsNeeded(module))
    return XlaImportResultOk;
  XlaExpansion x = {.module = module,
                    .context = mlirOperationGetContext(module)};
  XlaPointerMap callees = {0};
  XlaIrOps functions = xlaIrCollect(module, MlirWalkPreOrder, isFunction);
  bool done = (!functions.failed || xlaExpandNoMemory(&x, module)) &&
              xlaPartitionFindCallees(&x, &callees);
  XlaImportResult result =
      done ? rewriteAll(&x, &functions, &callees) : XlaImportResultUnsupported;
  xlaModuleRemoveCounts(module, "mhlo.");
  free(functions.ops);
  xlaPointerMapClear(&callees);
  xlaExpansionDestroy(&x);
  return result;
}

MlirLogicalResult xlaPassPartition(MlirOperation module,
                                   MlirExtPassOptionValues options,
                                   void *userData) {
  (void)options;
  (void)userData;
  return xlaPartitionWhole(module) == XlaImportResultOk
             ? mlirLogicalResultSuccess()
             : mlirLogicalResultFailure();
}

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

/// More than are taken are refused as such.
static int limited(int64_t count) {
  return count > XLA_MAX_DEVICES ? XLA_MAX_DEVICES + 1 : (int)count;
}

static bool isCall(MlirOperation op) {
  return xlaIrIsOp(op, "func.call") || xlaIrIsOp(op, "stablehlo.composite");
}

static bool isFunction(MlirOperation op) {
  return xlaIrIsOp(op, "func.func") && xlaFunctionHasBody(op);
}

/// Marks the functions that are called.
static bool findCallees(XlaExpansion *x, XlaPointerMap *callees) {
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

static XlaImportResult rewrite(MlirOperation module, MlirOperation function,
                               int replicas, int partitions) {
  XlaPartitionJob job = {
      .x = {.module = module}, .function = function, .isWhole = true};
  bool done = xlaPartitionRun(&job, replicas, partitions);
  xlaExpansionDestroy(&job.x);
  xlaPartitionDestroy(job.partition);
  return done                                ? XlaImportResultOk
         : job.x.result == XlaImportResultOk ? XlaImportResultUnsupported
                                             : job.x.result;
}

/// Rewrites those of `functions` that differ by device and may be called from
/// elsewhere; drops others, which have been put in where they were called.
static XlaImportResult rewriteAll(XlaExpansion *x, const XlaIrOps *functions,
                                  const XlaPointerMap *callees) {
  MlirOperation module = x->module;
  // As it is before anything is rewritten.
  for (intptr_t i = 0; i < functions->n; ++i)
    xlaExpandKindOf(x, functions->ops[i]);
  int replicas = limited(xlaModuleGetCount(module, "mhlo.num_replicas"));
  int partitions = limited(countPartitions(module));
  for (int pass = 0; pass < 2; ++pass)
    for (intptr_t i = 0; i < functions->n; ++i) {
      MlirOperation function = functions->ops[i];
      bool isEntry = xlaFunctionIsPublic(function) ||
                     !xlaPointerMapGet(callees, function.ptr);
      if (xlaPointerMapGet(&x->kinds, function.ptr) != XlaExpandKindDevices ||
          isEntry == (pass == 1))
        continue;
      XlaImportResult result = XlaImportResultOk;
      if (isEntry)
        result = rewrite(module, function, replicas, partitions);
      else
        mlirOperationDestroy(function);
      if (result != XlaImportResultOk)
        return result;
    }
  return XlaImportResultOk;
}

XlaImportResult xlaPartitionWhole(MlirOperation module) {
  if (!xlaPartitionIsNeeded(module))
    return XlaImportResultOk;
  XlaExpansion x = {.module = module,
                    .context = mlirOperationGetContext(module)};
  XlaPointerMap callees = {0};
  XlaIrOps functions = xlaIrCollect(module, MlirWalkPreOrder, isFunction);
  bool done = (!functions.failed || xlaExpandNoMemory(&x, module)) &&
              findCallees(&x, &callees);
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

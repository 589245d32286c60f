//===- partition.c - Programs of several devices --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/partition.h"

#include "xlac/dialect/entry.h"
#include "xlac/passes/import/stablehlo/custom_call.h"
#include "xlac/passes/partition/job.h"
#include "xlac/passes/partition/local.h"
#include "xlac/passes/partition/shardings_of.h"

#include <stdlib.h>
#include <string.h>

void xlaPartitionDestroy(XlaPartition *partition) {
  if (!partition)
    return;
  for (intptr_t i = 0; partition->outputShardings && i < partition->nOutputs;
       ++i)
    free(partition->outputShardings[i]);
  for (intptr_t i = 0; partition->inputShardings && i < partition->nInputs; ++i)
    free(partition->inputShardings[i]);
  for (intptr_t i = 0; i < partition->nInspected; ++i) {
    free(partition->inspected[i].config);
    free(partition->inspected[i].sharding);
  }
  free(partition->inspected);
  free(partition->inputShardings);
  free(partition->outputShardings);
  free(partition->outputs);
  free(partition);
}

static bool isManual(MlirOperation op) {
  return xlaIrIsOp(op, "sdy.manual_computation") || xlaExpandIsBound(op);
}

bool xlaPartitionIsNeeded(MlirOperation module) {
  XlaIrOps found = xlaIrCollect(module, MlirWalkPreOrder, isManual);
  free(found.ops);
  return found.n > 0;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

MlirAttribute xlaPartitionAttributesOf(const XlaPartitionJob *job,
                                       const char *which, intptr_t i) {
  MlirAttribute all = mlirOperationGetAttributeByName(
      job->function, mlirStringRefCreateFromCString(which));
  return mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all) ||
                 i >= mlirArrayAttrGetNumElements(all)
             ? (MlirAttribute){NULL}
             : mlirArrayAttrGetElement(all, i);
}

static bool isDonated(MlirAttribute dictionary) {
  static const char *const names[] = {"jax.buffer_donor", "tf.aliasing_output",
                                      "xla.donated"};
  bool isSaid = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    MlirAttribute found =
        mlirAttributeIsNull(dictionary) ||
                !mlirAttributeIsADictionary(dictionary)
            ? (MlirAttribute){NULL}
            : mlirDictionaryAttrGetElementByName(
                  dictionary, mlirStringRefCreateFromCString(names[i]));
    isSaid |= !mlirAttributeIsNull(found) &&
              (!mlirAttributeIsABool(found) || mlirBoolAttrGetValue(found));
  }
  return isSaid;
}

/// Every part of a donated argument is one.
static MlirAttribute argumentAttributes(XlaPartitionJob *job) {
  XlaExpansion *x = &job->x;
  intptr_t n = mlirBlockGetNumArguments(job->newBody);
  MlirAttribute *all = xlaExpandAllocate(x, (size_t)n, sizeof *all);
  XlaIrAttr donor = {"jax.buffer_donor", mlirBoolAttrGet(x->context, true)};
  for (intptr_t k = 0; all && k < n; ++k)
    all[k] = xlaIrDictionaryAttr(
        x->context,
        isDonated(xlaPartitionAttributesOf(job, "arg_attrs", k % job->nIn)) ? 1
                                                                            : 0,
        &donor);
  return all ? mlirArrayAttrGet(x->context, n, all) : (MlirAttribute){NULL};
}

static MlirType functionType(XlaPartitionJob *job) {
  XlaExpansion *x = &job->x;
  intptr_t nIn = mlirBlockGetNumArguments(job->newBody);
  MlirType *in = xlaExpandAllocate(x, (size_t)nIn, sizeof *in);
  MlirType *out = xlaExpandAllocate(x, (size_t)job->nResults, sizeof *out);
  if (!in || !out)
    return (MlirType){NULL};
  for (intptr_t i = 0; i < nIn; ++i)
    in[i] = mlirValueGetType(mlirBlockGetArgument(job->newBody, i));
  for (intptr_t i = 0; i < job->nResults; ++i)
    out[i] = mlirValueGetType(job->results[i]);
  return mlirFunctionTypeGet(x->context, nIn, in, job->nResults, out);
}

static void setAttribute(MlirOperation op, const char *name,
                         MlirAttribute attribute) {
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString(name),
                                  attribute);
}

bool xlaPartitionReplace(XlaPartitionJob *job) {
  MlirType type = functionType(job);
  MlirAttribute arguments = argumentAttributes(job);
  if (mlirTypeIsNull(type) || mlirAttributeIsNull(arguments))
    return false;
  setAttribute(job->function, "function_type", mlirTypeAttrGet(type));
  // What is said of whole arrays holds for those of one replica.
  if (!job->isWhole || job->x.replicas > 1) {
    setAttribute(job->function, "arg_attrs", arguments);
    mlirOperationRemoveAttributeByName(
        job->function, mlirStringRefCreateFromCString("res_attrs"));
  }
  mlirRegionTakeBody(mlirOperationGetRegion(job->function, 0), job->region);
  return true;
}

/// Drops functions that have been put in where they were called.
static void eraseInlined(XlaPartitionJob *job) {
  XlaExpansion *x = &job->x;
  MlirOperation next, op = mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(
                          mlirOperationGetRegion(x->module, 0)));
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (xlaIrIsOp(op, "func.func") && !mlirOperationEqual(op, job->function) &&
        xlaPointerMapGet(&x->kinds, op.ptr) == XlaExpandKindDevices)
      mlirOperationDestroy(op);
  }
}

static bool describe(XlaPartitionJob *job) {
  XlaPartition *p = job->partition;
  for (intptr_t i = 0; i < job->nIn; ++i)
    if (!(p->inputShardings[i] = xlaShardingWrite(job->in[i])))
      return xlaExpandNoMemory(&job->x, job->function);
  for (intptr_t i = 0; i < job->nOut; ++i)
    if (!(p->outputShardings[i] = xlaShardingWrite(job->out[i])))
      return xlaExpandNoMemory(&job->x, job->function);
  return true;
}

static bool begin(XlaPartitionJob *job) {
  XlaExpansion *x = &job->x;
  MlirBlock none = {NULL};
  MlirOperation program =
      mlirOperationIsNull(job->local) ? job->function : job->local;
  job->body = xlaFunctionHasBody(program)
                  ? mlirRegionGetFirstBlock(mlirOperationGetRegion(program, 0))
                  : none;
  XlaPartition *p = job->partition = x->partition = calloc(1, sizeof *p);
  if (!p || mlirBlockIsNull(job->body))
    return xlaExpandNoMemory(x, job->function);
  MlirOperation end = mlirBlockGetTerminator(job->body);
  job->nIn = mlirBlockGetNumArguments(job->body);
  job->nOut = mlirOperationIsNull(end) ? 0 : mlirOperationGetNumOperands(end);
  size_t nIn = (size_t)job->nIn, nOut = (size_t)job->nOut;
  size_t n = (size_t)x->nDevices;
  p->nDevices = x->nDevices;
  p->nInputs = job->nIn;
  p->nOutputs = job->nOut;
  p->outputs = calloc(n * nOut + 1, sizeof *p->outputs);
  p->inputShardings = calloc((size_t)job->nIn + 1, sizeof *p->inputShardings);
  p->outputShardings = calloc(nOut + 1, sizeof *p->outputShardings);
  if (!job->in)
    job->in = xlaExpandAllocate(x, nIn, sizeof *job->in);
  if (!job->out)
    job->out = xlaExpandAllocate(x, nOut, sizeof *job->out);
  job->results = xlaExpandAllocate(x, n * nOut, sizeof *job->results);
  return (p->outputs && p->inputShardings && p->outputShardings && job->in &&
          job->out && job->results) ||
         xlaExpandNoMemory(x, job->function);
}

static bool isRagged(MlirOperation op) {
  return xlaExpandIsCallTo(op, "ragged_all_to_all");
}

/// Makes of them what they are made of: sends of parts of one size.
static bool importRagged(XlaPartitionJob *job) {
  XlaIrOps calls = xlaIrCollect(job->x.module, MlirWalkPreOrder, isRagged);
  bool done = !calls.failed || xlaExpandNoMemory(&job->x, job->function);
  for (intptr_t i = 0; done && i < calls.n; ++i) {
    XlaImportResult result = xlaExpandRaggedAllToAll(calls.ops[i]);
    done = result == XlaImportResultOk;
    job->x.result = result;
  }
  free(calls.ops);
  return done;
}

/// Everything of the new body.
static bool make(XlaPartitionJob *job, XlaIr *ir) {
  MlirOperation end = mlirBlockGetTerminator(job->body);
  if (mlirOperationIsNull(end) ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(job->body)))
    return xlaExpandInvalid(&job->x, job->function,
                            "is not of one block that ends");
  if (!xlaFunctionEndsWithResults(job->function))
    return xlaExpandInvalid(&job->x, job->function,
                            "has a body that does not end with its results");
  bool isLocal = !mlirOperationIsNull(job->local);
  bool done = job->isWhole ? xlaPartitionMakeWholeArguments(job, ir)
              : isLocal    ? xlaPartitionMakeLocalArguments(job)
                           : xlaPartitionMakeArguments(job, ir);
  if (!done || !xlaExpandBlock(&job->x, job->body, ir))
    return false;
  done = job->isWhole ? xlaPartitionMakeWholeResults(job, end)
         : isLocal    ? xlaPartitionMakeLocalResults(job, end) && describe(job)
                      : xlaPartitionMakeResults(job, end, ir) && describe(job);
  if (!done)
    return false;
  ir->location = mlirOperationGetLocation(end);
  xlaIrCreate(ir, "func.return", job->nResults, job->results, 0, NULL, 0, NULL,
              0, NULL);
  return true;
}

bool xlaPartitionRun(XlaPartitionJob *job, int replicas, int partitions) {
  XlaExpansion *x = &job->x;
  x->context = mlirOperationGetContext(x->module);
  if (replicas < 1 || partitions < 1 ||
      replicas > XLA_MAX_DEVICES / partitions) {
    xlaOpUnsupported(job->function, NULL,
                     "is for %d replicas of %d partitions; "
                     "there are at most %d devices",
                     replicas, partitions, XLA_MAX_DEVICES);
    x->result = XlaImportResultUnsupported;
    return false;
  }
  x->replicas = replicas;
  x->partitions = partitions;
  x->nDevices = replicas * partitions;
  if (!begin(job))
    return false;
  job->newBody = mlirBlockCreate(0, NULL, NULL);
  job->region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(job->region, job->newBody);
  XlaIr ir = xlaIrAtEnd(x->context, mlirOperationGetLocation(job->function),
                        job->newBody);
  // What is made comes from dialects that are loaded.
  mlirContextGetOrLoadDialect(x->context,
                              mlirStringRefCreateFromCString("xla"));
  mlirContextGetOrLoadDialect(x->context,
                              mlirStringRefCreateFromCString("func"));
  return importRagged(job) && make(job, &ir);
}

void xlaPartitionJobClear(XlaPartitionJob *job) {
  if (!mlirRegionIsNull(job->region))
    mlirRegionDestroy(job->region);
  xlaExpansionDestroy(&job->x);
}

//===----------------------------------------------------------------------===//
// What each device does
//===----------------------------------------------------------------------===//

/// The same as `job`, which has been run, from what each device does on parts;
/// false, without a diagnostic, if that cannot be said.
static bool runLocal(const XlaPartitionJob *job, XlaPartitionJob *local) {
  *local = (XlaPartitionJob){.x = {.module = job->x.module, .nManual = 1},
                             .function = job->function,
                             .local = job->local,
                             .in = job->in,
                             .out = job->out};
  if (mlirOperationIsNull(job->local) ||
      !xlaPartitionRun(local, job->x.replicas, job->x.partitions))
    return false;
  local->partition->isLocal = true;
  // Who asks how arrays lie asks of whole ones.
  local->partition->inspected = job->partition->inspected;
  local->partition->nInspected = job->partition->nInspected;
  job->partition->inspected = NULL;
  job->partition->nInspected = 0;
  return true;
}

static bool isPrivate(MlirOperation op) {
  return xlaIrIsOp(op, "func.func") && !xlaFunctionIsPublic(op);
}

/// Drops functions that nothing calls.
static void eraseUnused(XlaExpansion *x) {
  for (bool isChanged = true; isChanged;) {
    XlaIrOps functions = xlaIrCollect(x->module, MlirWalkPreOrder, isPrivate);
    XlaPointerMap used = {0};
    isChanged = false;
    bool done = !functions.failed && xlaPartitionFindCallees(x, &used);
    for (intptr_t i = 0; i < functions.n && done; ++i)
      if (!xlaPointerMapGet(&used, functions.ops[i].ptr)) {
        mlirOperationDestroy(functions.ops[i]);
        isChanged = true;
      }
    xlaPointerMapClear(&used);
    free(functions.ops);
  }
}

/// The function becomes what each device does.
static void show(XlaPartitionJob *job, MlirOperation local) {
  static const char *const removed[] = {"arg_attrs", "res_attrs"};
  setAttribute(job->function, "function_type",
               xlaOpGetAttr(local, "function_type"));
  for (size_t i = 0; i < sizeof removed / sizeof *removed; ++i)
    mlirOperationRemoveAttributeByName(
        job->function, mlirStringRefCreateFromCString(removed[i]));
  mlirRegionTakeBody(mlirOperationGetRegion(job->function, 0),
                     mlirOperationGetRegion(local, 0));
  eraseUnused(&job->x);
}

static XlaImportResult partition(XlaPartitionJob *job, int replicas,
                                 int partitions, bool isShown,
                                 XlaPartition **partition) {
  XlaPartitionJob local = {0}, *made = job;
  *partition = NULL;
  bool done = xlaPartitionRun(job, replicas, partitions);
  if (done) {
    job->local = xlaPartitionMakeLocal(job);
    made = runLocal(job, &local) ? &local : job;
  }
  if (done && made == &local && isShown) {
    for (intptr_t i = 0; i < made->partition->nOutputs; ++i)
      made->partition->outputs[i] = i;
    show(job, job->local);
  } else if (done) {
    done = xlaPartitionReplace(made);
    if (done)
      eraseInlined(job);
  }
  XlaImportResult result = made->x.result;
  if (done) {
    *partition = made->partition;
    made->partition = NULL;
    result = XlaImportResultOk;
  } else if (result == XlaImportResultOk) {
    result = XlaImportResultUnsupported;
  }
  xlaPartitionDestroy(job->partition);
  xlaPartitionDestroy(local.partition);
  xlaPartitionJobClear(&local);
  if (!mlirOperationIsNull(job->local))
    mlirOperationDestroy(job->local);
  xlaPartitionJobClear(job);
  return result;
}

XlaImportResult xlaPartition(MlirOperation module, MlirOperation function,
                             int replicas, int partitions,
                             XlaPartition **made) {
  XlaPartitionJob job = {.x = {.module = module}, .function = function};
  return partition(&job, replicas, partitions, false, made);
}

XlaImportResult xlaPartitionShown(MlirOperation module, MlirOperation function,
                                  int replicas, int partitions,
                                  XlaPartition **made) {
  XlaPartitionJob job = {.x = {.module = module}, .function = function};
  return partition(&job, replicas, partitions, true, made);
}

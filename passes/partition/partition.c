//===- partition.c - Programs of several devices --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/partition.h"

#include "xlac/dialect/entry.h"
#include "xlac/passes/import/stablehlo/custom_call.h"
#include "xlac/passes/partition/shardings_of.h"
#include "xlac/passes/partition/unknown.h"

#include <stdlib.h>
#include <string.h>

typedef struct Job {
  XlaExpansion x;
  MlirOperation function;
  MlirBlock body, newBody;
  intptr_t nIn, nOut;
  const XlaSharding **in, **out;
  MlirValue *results; ///< of the program: nResults of them
  intptr_t nResults;
  XlaPartition *partition;
} Job;

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
  MlirAttribute name = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("call_target_name"));
  bool isCall = !mlirAttributeIsNull(name) && mlirAttributeIsAString(name) &&
                !strncmp(mlirStringAttrGetValue(name).data, "SPMD", 4);
  return isCall || xlaIrIsOp(op, "sdy.manual_computation");
}

bool xlaPartitionIsNeeded(MlirOperation module) {
  XlaIrOps found = xlaIrCollect(module, MlirWalkPreOrder, isManual);
  free(found.ops);
  return found.n > 0;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static MlirAttribute attributesOf(const Job *job, const char *which,
                                  intptr_t i) {
  MlirAttribute all = mlirOperationGetAttributeByName(
      job->function, mlirStringRefCreateFromCString(which));
  return mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all) ||
                 i >= mlirArrayAttrGetNumElements(all)
             ? (MlirAttribute){NULL}
             : mlirArrayAttrGetElement(all, i);
}

static const XlaSharding *replicated(Job *job, MlirType type) {
  int rank = xlaExpandRank(type);
  XlaSharding *made = xlaShardingCreate(job->x.partitions, rank < 0 ? 0 : rank);
  if (made)
    return xlaExpandKeep(&job->x, made);
  xlaExpandNoMemory(&job->x, job->function);
  return NULL;
}

/// The type of a part; null after an error.
static MlirType partType(Job *job, MlirType type, const XlaSharding *s) {
  int64_t dims[XLA_MAX_RANK];
  if (xlaShardingIsReplicated(s))
    return type;
  if (!xlaExpandDivide(s, type, dims)) {
    xlaExpandUnsupported(&job->x, job->function,
                         "has an argument or result whose parts on the devices "
                         "are not of one size");
    return (MlirType){NULL};
  }
  return mlirRankedTensorTypeGet(
      s->rank, dims, mlirShapedTypeGetElementType(type), (MlirAttribute){NULL});
}

/// The first device of the replica of `device` that has the same part.
static int firstWithPart(const Job *job, const XlaSharding *s, int device) {
  int partitions = job->x.partitions, partition = device % partitions, i = 0;
  while (!xlaShardingIsSamePart(s, i, partition))
    ++i;
  return device - partition + i;
}

/// Argument `i` from the new ones, which are `all` in the order of
/// XlaPartition.
static bool defineArgument(Job *job, intptr_t i, const MlirValue *all,
                           XlaIr *ir) {
  XlaExpansion *x = &job->x;
  size_t n = (size_t)x->nDevices;
  MlirValue *parts = xlaExpandAllocate(x, n, sizeof *parts);
  MlirValue *whole = xlaExpandAllocate(x, n, sizeof *whole);
  const XlaSharding *s = job->in[i];
  if (!parts || !whole)
    return false;
  for (int d = 0; d < x->nDevices; ++d)
    parts[d] = all[d * job->nIn + i];
  if (xlaExpandIsUnknown(mlirValueGetType(parts[0])))
    xlaExpandCheckSame(ir, x->nDevices, parts);
  for (int d = 0; d < x->nDevices; ++d)
    parts[d] = all[firstWithPart(job, s, d) * job->nIn + i];
  return xlaExpandJoin(x, job->function, ir, parts, s, whole) &&
         xlaExpandDefine(x, mlirBlockGetArgument(job->body, i), whole,
                         xlaShardingIsReplicated(s) ? NULL : s, parts);
}

static bool makeArguments(Job *job, XlaIr *ir) {
  XlaExpansion *x = &job->x;
  MlirType *types = xlaExpandAllocate(x, (size_t)job->nIn, sizeof *types);
  MlirValue *all =
      xlaExpandAllocate(x, (size_t)job->nIn * (size_t)x->nDevices, sizeof *all);
  if (!types || !all)
    return false;
  for (intptr_t i = 0; i < job->nIn; ++i) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(job->body, i));
    if (!xlaShardingOfAttributes(x, job->function,
                                 attributesOf(job, "arg_attrs", i), type,
                                 &job->in[i]))
      return false;
    if (!job->in[i] && !(job->in[i] = replicated(job, type)))
      return false;
    types[i] = partType(job, type, job->in[i]);
    if (mlirTypeIsNull(types[i]))
      return false;
  }
  for (intptr_t k = 0; k < job->nIn * x->nDevices; ++k)
    all[k] = mlirBlockAddArgument(job->newBody, types[k % job->nIn],
                                  mlirOperationGetLocation(job->function));
  for (intptr_t i = 0; i < job->nIn; ++i)
    if (!defineArgument(job, i, all, ir))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// `s` without partial sums, cut where sizes can be divided.
static const XlaSharding *divisible(Job *job, const XlaSharding *s,
                                    MlirType type) {
  const XlaSharding *from[XLA_MAX_RANK];
  int dimensions[XLA_MAX_RANK];
  if (xlaExpandRank(type) != s->rank)
    return replicated(job, type);
  for (int d = 0; d < s->rank; ++d) {
    bool divides = !mlirShapedTypeIsDynamicDim(type, d) &&
                   mlirShapedTypeGetDimSize(type, d) % s->tiles[d] == 0;
    from[d] = divides ? s : NULL;
    dimensions[d] = d;
  }
  XlaSharding *made =
      xlaShardingCompose(job->x.partitions, s->rank, from, dimensions);
  if (made)
    return xlaExpandKeep(&job->x, made);
  xlaExpandNoMemory(&job->x, job->function);
  return NULL;
}

/// How result `i` lies.
static const XlaSharding *chooseSharding(Job *job, intptr_t i,
                                         const XlaExpandValue *value,
                                         MlirType type) {
  const XlaSharding *said = NULL;
  if (!xlaShardingOfAttributes(&job->x, job->function,
                               attributesOf(job, "res_attrs", i), type, &said))
    return NULL;
  if (said && !said->isOpen)
    return said;
  return value->sharding ? divisible(job, value->sharding, type)
                         : replicated(job, type);
}

static bool makeResult(Job *job, MlirOperation end, intptr_t i, XlaIr *ir) {
  XlaExpansion *x = &job->x;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(end, i));
  XlaExpandValue *found = xlaExpandGet(x, end, mlirOperationGetOperand(end, i));
  MlirValue *parts = xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *parts);
  if (!found || !parts)
    return false;
  XlaExpandValue value = *found;
  job->out[i] = chooseSharding(job, i, &value, type);
  if (!job->out[i] || mlirTypeIsNull(partType(job, type, job->out[i])) ||
      !xlaExpandSplit(x, job->function, ir, &value, job->out[i], parts))
    return false;
  intptr_t first = job->nResults;
  for (int d = 0; d < x->nDevices; ++d) {
    intptr_t k = first;
    while (k < job->nResults && !xlaExpandSame(job->results[k], parts[d]))
      ++k;
    if (k == job->nResults)
      job->results[job->nResults++] = parts[d];
    job->partition->outputs[d * job->nOut + i] = k;
  }
  return true;
}

static bool makeResults(Job *job, XlaIr *ir) {
  MlirOperation end = mlirBlockGetTerminator(job->body);
  if (mlirOperationIsNull(end) || mlirOperationGetNumOperands(end) != job->nOut)
    return xlaExpandInvalid(&job->x, job->function,
                            "ends with another number of results");
  for (intptr_t i = 0; i < job->nOut; ++i)
    if (!makeResult(job, end, i, ir))
      return false;
  ir->location = mlirOperationGetLocation(end);
  xlaIrCreate(ir, "func.return", job->nResults, job->results, 0, NULL, 0, NULL,
              0, NULL);
  return true;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

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
static MlirAttribute argumentAttributes(Job *job) {
  XlaExpansion *x = &job->x;
  intptr_t n = job->nIn * x->nDevices;
  MlirAttribute *all = xlaExpandAllocate(x, (size_t)n, sizeof *all);
  MlirNamedAttribute donor = mlirNamedAttributeGet(
      mlirIdentifierGet(x->context,
                        mlirStringRefCreateFromCString("jax.buffer_donor")),
      mlirBoolAttrGet(x->context, true));
  for (intptr_t k = 0; all && k < n; ++k)
    all[k] = mlirDictionaryAttrGet(
        x->context,
        isDonated(attributesOf(job, "arg_attrs", k % job->nIn)) ? 1 : 0,
        &donor);
  return all ? mlirArrayAttrGet(x->context, n, all) : (MlirAttribute){NULL};
}

static MlirType functionType(Job *job) {
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

/// Puts the new body in the place of the function, and drops functions that
/// have been put in where they were called.
static bool replace(Job *job, MlirRegion *region) {
  XlaExpansion *x = &job->x;
  MlirBlock top = mlirRegionGetFirstBlock(mlirOperationGetRegion(x->module, 0));
  MlirType type = functionType(job);
  MlirAttribute arguments = argumentAttributes(job);
  if (mlirTypeIsNull(type) || mlirAttributeIsNull(arguments))
    return false;
  XlaIrAttr attributes[] = {
      {"sym_name",
       mlirOperationGetAttributeByName(
           job->function, mlirStringRefCreateFromCString("sym_name"))},
      {"function_type", mlirTypeAttrGet(type)},
      {"arg_attrs", arguments},
      {"sym_visibility", xlaIrStringAttr(x->context, "public")}};
  XlaIr ir =
      xlaIrAtEnd(x->context, mlirOperationGetLocation(job->function), top);
  MlirOperation made =
      xlaIrCreate(&ir, "func.func", 0, NULL, 0, NULL, 4, attributes, 1, region);
  *region = (MlirRegion){NULL};
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(top);
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    bool isInlined =
        xlaIrIsOp(op, "func.func") &&
        xlaPointerMapGet(&x->kinds, op.ptr) == XlaExpandKindDevices;
    if (!mlirOperationEqual(op, made) &&
        (isInlined || mlirOperationEqual(op, job->function)))
      mlirOperationDestroy(op);
  }
  return true;
}

static bool describe(Job *job) {
  XlaPartition *p = job->partition;
  for (intptr_t i = 0; i < job->nIn; ++i)
    if (!(p->inputShardings[i] = xlaShardingWrite(job->in[i])))
      return xlaExpandNoMemory(&job->x, job->function);
  for (intptr_t i = 0; i < job->nOut; ++i)
    if (!(p->outputShardings[i] = xlaShardingWrite(job->out[i])))
      return xlaExpandNoMemory(&job->x, job->function);
  return true;
}

static bool begin(Job *job) {
  XlaExpansion *x = &job->x;
  MlirBlock none = {NULL};
  job->body =
      xlaFunctionHasBody(job->function)
          ? mlirRegionGetFirstBlock(mlirOperationGetRegion(job->function, 0))
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
  job->in = xlaExpandAllocate(x, nIn, sizeof *job->in);
  job->out = xlaExpandAllocate(x, nOut, sizeof *job->out);
  job->results = xlaExpandAllocate(x, n * nOut, sizeof *job->results);
  return (p->outputs && p->inputShardings && p->outputShardings && job->in &&
          job->out && job->results) ||
         xlaExpandNoMemory(x, job->function);
}

static bool isRagged(MlirOperation op) {
  MlirAttribute name = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("call_target_name"));
  return xlaIrIsOp(op, "stablehlo.custom_call") && !mlirAttributeIsNull(name) &&
         mlirAttributeIsAString(name) &&
         mlirStringRefEqual(
             mlirStringAttrGetValue(name),
             mlirStringRefCreateFromCString("ragged_all_to_all"));
}

/// Makes of them what they are made of: sends of parts of one size.
static bool importRagged(Job *job) {
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

static bool expand(Job *job) {
  XlaExpansion *x = &job->x;
  if (!begin(job))
    return false;
  job->newBody = mlirBlockCreate(0, NULL, NULL);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, job->newBody);
  XlaIr ir = xlaIrAtEnd(x->context, mlirOperationGetLocation(job->function),
                        job->newBody);
  // What is made comes from dialects that are loaded.
  mlirContextGetOrLoadDialect(x->context,
                              mlirStringRefCreateFromCString("xla"));
  mlirContextGetOrLoadDialect(x->context,
                              mlirStringRefCreateFromCString("func"));
  bool done = importRagged(job) && makeArguments(job, &ir) &&
              xlaExpandBlock(x, job->body, &ir) && makeResults(job, &ir) &&
              describe(job) && replace(job, &region);
  if (region.ptr)
    mlirRegionDestroy(region);
  return done;
}

XlaImportResult xlaPartition(MlirOperation module, MlirOperation function,
                             int replicas, int partitions,
                             XlaPartition **partition) {
  Job job = {.x = {.module = module,
                   .context = mlirOperationGetContext(module),
                   .replicas = replicas,
                   .partitions = partitions},
             .function = function};
  *partition = NULL;
  if (replicas < 1 || partitions < 1 ||
      replicas > XLA_MAX_DEVICES / partitions) {
    xlaOpUnsupported(function, NULL,
                     "is for %d replicas of %d partitions; "
                     "there are at most %d devices",
                     replicas, partitions, XLA_MAX_DEVICES);
    return XlaImportResultUnsupported;
  }
  job.x.nDevices = replicas * partitions;
  bool done = expand(&job);
  xlaExpansionDestroy(&job.x);
  if (done) {
    *partition = job.partition;
    return XlaImportResultOk;
  }
  xlaPartitionDestroy(job.partition);
  return job.x.result == XlaImportResultOk ? XlaImportResultUnsupported
                                           : job.x.result;
}

//===- compile.c - Programs become executables ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/entry.h"
#include "xlac/dialect/interpret/random.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/formats/module.h"
#include "xlac/lowering/client/message.h"
#include "xlac/lowering/host/buffers.h"
#include "xlac/passes/import/tokens.h"
#include "xlac/passes/legalize.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// What runs on arrays
//===----------------------------------------------------------------------===//

static bool hasDynamic(MlirType type, bool areInputs) {
  intptr_t n = areInputs ? mlirFunctionTypeGetNumInputs(type)
                         : mlirFunctionTypeGetNumResults(type);
  for (intptr_t i = 0; i < n; ++i)
    if (xlaTypeIsDynamic(areInputs ? mlirFunctionTypeGetInput(type, i)
                                   : mlirFunctionTypeGetResult(type, i)))
      return true;
  return false;
}

/// Appends the shapes of the arrays in `type`, and `mark` for each to `marks`.
static void addShapes(MlirType type, XlaShape **next, bool mark, bool **marks) {
  if (mlirTypeIsATuple(type)) {
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
      addShapes(mlirTupleTypeGetType(type, i), next, mark, marks);
  } else if (!xlaTypeIsToken(type)) {
    xlaShapeFromMlir(type, (*next)++, NULL);
    if (marks)
      *(*marks)++ = mark;
  }
}

static int compareSizes(const void *a, const void *b) {
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/// The first of `n` sorted sizes that is not below `size`.
static intptr_t firstOfSize(const size_t *sizes, intptr_t n, size_t size) {
  intptr_t begin = 0;
  while (begin < n) {
    intptr_t middle = begin + (n - begin) / 2;
    if (sizes[middle] < size)
      begin = middle + 1;
    else
      n = middle;
  }
  return begin;
}

/// Leaves to callers what is donated for nothing: an argument for which no
/// result of its device has just as many bytes, as XLA does.
static bool keepUnusable(XlaLoadedExecutable *executable) {
  const XlaPartition *partition = executable->partition;
  intptr_t nDevices = partition ? partition->nDevices : 1;
  intptr_t nIn = executable->nInputs / nDevices;
  intptr_t nOut = partition ? partition->nOutputs : executable->nOutputs;
  size_t *sizes = calloc((size_t)nOut + 1, sizeof *sizes);
  // By the first result of a size: how many of that size are taken.
  intptr_t *nTaken = calloc((size_t)nOut + 1, sizeof *nTaken);
  bool done = sizes && nTaken;
  for (intptr_t k = 0; done && k < nOut; ++k)
    sizes[k] = xlaExecutableByteCount(
        &executable->outputs[partition ? partition->outputs[k] : k]);
  if (done)
    qsort(sizes, (size_t)nOut, sizeof *sizes, compareSizes);
  for (intptr_t i = 0; done && i < nIn; ++i) {
    if (!executable->donated[i])
      continue;
    size_t size = xlaExecutableByteCount(&executable->inputs[i]);
    intptr_t first = firstOfSize(sizes, nOut, size);
    intptr_t k = first + nTaken[first];
    bool isUsable = k < nOut && sizes[k] == size;
    nTaken[first] += isUsable;
    for (intptr_t d = 0; d < nDevices; ++d)
      executable->donated[i + d * nIn] = isUsable;
  }
  free(sizes);
  free(nTaken);
  return done;
}

/// Which arrays executions take and give.
static XlaStatus describe(XlaLoadedExecutable *executable) {
  MlirType type = xlaClientFunctionType(executable);
  bool isUnbounded =
      executable->specializer ||
      (executable->compiled && xlaExecutableIsUnbounded(executable->compiled));
  if (isUnbounded || hasDynamic(type, true) || hasDynamic(type, false))
    return NULL;
  intptr_t nArguments = mlirFunctionTypeGetNumInputs(type);
  for (intptr_t i = 0; i < nArguments; ++i)
    executable->nInputs +=
        xlaTypeCountLeaves(mlirFunctionTypeGetInput(type, i));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i)
    executable->nOutputs +=
        xlaTypeCountLeaves(mlirFunctionTypeGetResult(type, i));
  size_t nIn = (size_t)executable->nInputs + 1;
  size_t nOut = (size_t)executable->nOutputs + 1;
  executable->inputs = malloc(nIn * sizeof *executable->inputs);
  executable->outputs = malloc(nOut * sizeof *executable->outputs);
  executable->donated = malloc(nIn * sizeof *executable->donated);
  executable->aliases = malloc(nOut * sizeof *executable->aliases);
  if (!executable->inputs || !executable->outputs || !executable->donated ||
      !executable->aliases)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for an executable");
  XlaShape *input = executable->inputs, *output = executable->outputs;
  bool *mark = executable->donated;
  for (intptr_t i = 0; i < nArguments; ++i)
    addShapes(mlirFunctionTypeGetInput(type, i), &input,
              xlaBufferIsDonated(executable->function, i), &mark);
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i)
    addShapes(mlirFunctionTypeGetResult(type, i), &output, false, NULL);
  for (intptr_t i = 0; i < executable->nOutputs; ++i)
    executable->aliases[i] =
        executable->compiled
            ? xlaExecutableGetAliasedInput(executable->compiled, i)
            : -1;
  if (!keepUnusable(executable))
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for an executable");
  executable->runsOnArrays = true;
  return NULL;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// What is compiled on a larger stack. The module is the executable's.
typedef struct Job {
  XlaLoadedExecutable *executable;
  const XlaClientProgram *program; ///< to be read first, or NULL
  const char *entry;               ///< NULL: main, or the only public one
  XlaImportResult imported;
  bool done;
} Job;

/// Reads the program; false after a diagnostic.
static bool read(Job *job) {
  XlaLoadedExecutable *executable = job->executable;
  MlirStringRef bytes =
      mlirStringRefCreate(job->program->bytes, job->program->size);
  const char *name = job->program->name ? job->program->name : "program";
  XlaModuleFormat format = xlaModuleDetectFormat(bytes);
  // MLIR's own reader trusts what it reads; a context without dialects of its
  // own refuses it.
  if (format == XlaModuleFormatMlirBytecode)
    format = XlaModuleFormatForeignBytecode;
  XlaModuleReadOptions options = {.refersToBytes = executable->release != NULL};
  if (options.refersToBytes && bytes.length >= XLA_MODULE_LARGE_CONSTANT)
    xlaContextsSpend(&executable->own);
  job->imported = xlaModuleReadWith(executable->context, bytes,
                                    mlirStringRefCreateFromCString(name),
                                    format, &options, &executable->module);
  return job->imported == XlaImportResultOk;
}

/// Makes a program of several devices one of all of them, if it is to take and
/// give their parts; on whole arrays the import makes it one.
static bool partition(Job *job, MlirOperation module, MlirOperation function) {
  const XlaClientProgram *program = job->program;
  if (!program->replicas && !program->partitions)
    return true;
  int replicas = program->replicas ? program->replicas : 1;
  int partitions = program->partitions ? program->partitions : 1;
  if (replicas == 1 && partitions == 1 && !xlaPartitionIsNeeded(module))
    return true;
  job->imported = xlaPartition(module, function, replicas, partitions,
                               &job->executable->partition);
  return job->imported == XlaImportResultOk;
}

/// The function that runs, as the module is now; null after a diagnostic.
static MlirOperation findEntry(Job *job) {
  MlirOperation function = xlaFindEntry(
      mlirModuleGetOperation(job->executable->module),
      mlirStringRefCreateFromCString(job->entry ? job->entry : ""));
  if (mlirOperationIsNull(function))
    job->imported = XlaImportResultInvalid;
  return function;
}

/// Others read how the function ends before it is imported.
static bool checkEnd(Job *job, MlirOperation function) {
  if (xlaFunctionEndsWithResults(function))
    return true;
  xlaOpInvalid(function, NULL, "has a body that does not end with its results");
  job->imported = XlaImportResultInvalid;
  return false;
}

/// Makes the module one of xla, unless it is compiled when sizes are known.
static bool import(Job *job) {
  MlirOperation module = mlirModuleGetOperation(job->executable->module);
  MlirOperation function = findEntry(job);
  if (mlirOperationIsNull(function) || !checkEnd(job, function))
    return false;
  if (job->program->forArrays && !xlaTokensToArrays(function)) {
    job->imported = XlaImportResultUnsupported;
    return false;
  }
  if (job->program->read)
    job->program->read(function, job->program->user);
  if (!partition(job, module, function))
    return false;
  function = findEntry(job); // of several devices it is another
  if (mlirOperationIsNull(function))
    return false;
  if (job->executable->partition && job->program->partitioned)
    job->program->partitioned(function, job->executable->partition,
                              job->program->user);
  if (xlaFunctionIsUnbounded(function))
    return true;
  job->imported = xlaImportStableHlo(module);
  if (job->imported != XlaImportResultOk)
    return false;
  mlirContextSetAllowUnregisteredDialects(job->executable->context, false);
  if (mlirOperationVerify(module))
    return true;
  job->imported = XlaImportResultInvalid;
  return false;
}

static void setSeed(XlaLoadedExecutable *executable) {
  int64_t seed = executable->client->options.seed;
  if (seed)
    mlirOperationSetDiscardableAttributeByName(
        mlirModuleGetOperation(executable->module),
        mlirStringRefCreateFromCString(XLA_SEED_ATTRIBUTE),
        xlaIrI64Attr(executable->context, seed));
}

/// What is said while somebody looks is no message of the compilation.
static void showPrepared(MlirModule module, MlirOperation entry, void *user) {
  const XlaClientProgram *program = user;
  XlaMessage message;
  xlaMessageBegin(&message);
  program->prepared(module, entry, program->user);
  xlaStatusDestroy(xlaMessageEnd(&message, true));
}

static bool compileEntry(const Job *job, MlirStringRef entry) {
  XlaLoadedExecutable *executable = job->executable;
  const XlaClient *client = executable->client;
  if (client->interpreter && xlaFunctionIsUnbounded(executable->function)) {
    executable->specializer = xlaSpecializerCreate(
        executable->module, executable->function, false, NULL);
    return executable->specializer != NULL;
  }
  if (client->interpreter)
    return true;
  XlaCompileOptions options = {.target = client->target,
                               .vulkan = client->vulkan,
                               .customCall = client->options.customCall,
                               .customCallTarget =
                                   client->options.customCallTarget,
                               .customCallUser = client->options.user,
                               .infeed = client->options.infeed,
                               .outfeed = client->options.outfeed,
                               .feedUser = client->options.user};
  if (job->program) {
    options.prepared = job->program->prepared ? showPrepared : NULL;
    options.preparedUser = (void *)job->program;
    options.kept = job->program->kept;
    options.keep = job->program->keep;
    options.keepUser = job->program->user;
  }
  return mlirLogicalResultIsSuccess(xlaExecutableCompile(
      executable->module, entry, &options, &executable->compiled));
}

static void readName(XlaLoadedExecutable *executable) {
  MlirAttribute name =
      xlaOpGetAttr(mlirModuleGetOperation(executable->module), "sym_name");
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name))
    name = xlaOpGetAttr(executable->function, "sym_name");
  XlaIrLine line = {executable->name, sizeof executable->name, 0};
  xlaIrLineAppend(mlirStringAttrGetValue(name), &line);
}

static void compile(void *data) {
  Job *job = data;
  XlaLoadedExecutable *executable = job->executable;
  if (job->program && (!read(job) || !import(job)))
    return;
  executable->function = findEntry(job); // importing may have made another
  if (mlirOperationIsNull(executable->function))
    return;
  readName(executable);
  setSeed(executable);
  job->done = compileEntry(job, mlirStringAttrGetValue(xlaOpGetAttr(
                                    executable->function, "sym_name")));
}

static XlaStatus load(Job *job) {
  XlaMessage message;
  xlaMessageBegin(&message);
  bool ran = mlirExtRunOnStack(XLA_STACK_BYTES, compile, job);
  if (job->imported != XlaImportResultOk)
    message.code = job->imported == XlaImportResultInvalid
                       ? XLA_STATUS_INVALID_ARGUMENT
                       : XLA_STATUS_UNIMPLEMENTED;
  XLA_RETURN_IF_ERROR(xlaMessageEnd(&message, ran && job->done));
  return describe(job->executable);
}

/// Gives back its module and the context that it lies in.
static void giveContext(XlaLoadedExecutable *executable) {
  if (!mlirModuleIsNull(executable->module))
    mlirModuleDestroy(executable->module);
  executable->module = (MlirModule){NULL};
  executable->function = (MlirOperation){NULL};
  executable->context = executable->client->context;
  if (!mlirContextIsNull(executable->own.context))
    xlaContextsGive(&executable->client->contexts, executable->own);
  executable->own.context = (MlirContext){NULL};
  if (executable->release)
    executable->release(executable->releaseUser);
  executable->release = NULL;
}

/// Throws away what only literals and calls to the host need.
static void strip(XlaLoadedExecutable *executable) {
  XlaExecutable *compiled = executable->compiled;
  if (!executable->runsOnArrays || !compiled || compiled->calls.count)
    return;
  giveContext(executable);
  compiled->context = executable->context; // errors are said there
  compiled->nArguments = compiled->nResults = 0;
}

static XlaLoadedExecutable *create(XlaClient *client) {
  XlaLoadedExecutable *executable = calloc(1, sizeof *executable);
  if (!executable)
    return NULL;
  atomic_init(&executable->references, 1);
  atomic_init(&executable->nanoseconds, -1);
  executable->client = client;
  executable->context = client->context;
  return executable;
}

static XlaStatus noMemory(void) {
  return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                         "no memory for an executable");
}

/// Takes `made`.
static XlaStatus finish(XlaLoadedExecutable *made,
                        const XlaClientProgram *program, const char *entry,
                        XlaLoadedExecutable **executable) {
  Job job = {made, program, entry, XlaImportResultOk, false};
  XlaStatus status = load(&job);
  if (status) {
    xlaLoadedExecutableRelease(made);
    return status;
  }
  if (program && program->forArrays)
    strip(made);
  *executable = made;
  return NULL;
}

/// Compiles a module of the client's context, which it takes.
static XlaStatus takeModule(XlaClient *client, MlirModule module,
                            const char *entry,
                            XlaLoadedExecutable **executable) {
  XlaLoadedExecutable *made = create(client);
  if (!made) {
    mlirModuleDestroy(module);
    return noMemory();
  }
  made->module = module;
  return finish(made, NULL, entry, executable);
}

static XlaStatus checkCompile(const XlaClient *client,
                              XlaLoadedExecutable **executable) {
  if (!executable)
    return xlaClientMissing("place for an executable");
  *executable = NULL;
  return client ? NULL : xlaClientMissing("client");
}

XlaStatus xlaClientCompileProgram(XlaClient *client,
                                  const XlaClientProgram *program,
                                  XlaLoadedExecutable **executable) {
  XlaStatus status = checkCompile(client, executable);
  if (!program || !program->bytes) {
    if (program && program->release)
      program->release(program->user);
    return status ? status : xlaClientMissing("program");
  }
  XlaLoadedExecutable *made = status ? NULL : create(client);
  if (!made) {
    if (program->release)
      program->release(program->user);
    return status ? status : noMemory();
  }
  made->release = program->release;
  made->releaseUser = program->user;
  made->own = xlaContextsTake(&client->contexts, program->size);
  made->context = made->own.context;
  return finish(made, program, program->entry, executable);
}

XlaStatus xlaClientCompileModule(XlaClient *client, MlirModule module,
                                 const char *entry,
                                 XlaLoadedExecutable **executable) {
  XLA_RETURN_IF_ERROR(checkCompile(client, executable));
  if (!entry)
    return xlaClientMissing("name of the entry");
  if (mlirModuleIsNull(module) ||
      !mlirContextEqual(mlirModuleGetContext(module), client->context))
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "there is no module, or it is of another context "
                           "than the client's");
  MlirOperation source = mlirModuleGetOperation(module);
  MlirOperation function =
      xlaModuleFindFunction(source, mlirStringRefCreateFromCString(entry));
  if (mlirOperationIsNull(function))
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "the module has no function @%.100s", entry);
  intptr_t nResults = mlirFunctionTypeGetNumResults(
      mlirTypeAttrGetValue(xlaOpGetAttr(function, "function_type")));
  if (nResults != 1)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "@%.100s has %lld results, must have one", entry,
                           (long long)nResults);
  return takeModule(client, mlirModuleFromOperation(mlirOperationClone(source)),
                    entry, executable);
}

XlaStatus xlaClientCompile(XlaClient *client, const XlaComputation *computation,
                           XlaLoadedExecutable **executable) {
  XLA_RETURN_IF_ERROR(checkCompile(client, executable));
  if (!computation ||
      !mlirContextEqual(xlaComputationGetContext(computation), client->context))
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "there is no computation, or it is of another "
                           "context than the client's");
  XlaMessage message;
  xlaMessageBegin(&message);
  MlirModule module = xlaComputationCreateModule(computation);
  if (mlirModuleIsNull(module)) // what was built breaks a rule
    message.code = XLA_STATUS_INVALID_ARGUMENT;
  XLA_RETURN_IF_ERROR(xlaMessageEnd(&message, !mlirModuleIsNull(module)));
  return takeModule(client, module, "main", executable);
}

void xlaLoadedExecutableRelease(XlaLoadedExecutable *executable) {
  if (!executable || atomic_fetch_sub(&executable->references, 1) != 1)
    return;
  xlaExecutableDestroy(executable->compiled);
  xlaSpecializerDestroy(executable->specializer);
  xlaPartitionDestroy(executable->partition);
  giveContext(executable);
  free(executable->inputs);
  free(executable->outputs);
  free(executable->donated);
  free(executable->aliases);
  free(executable);
}

void xlaLoadedExecutableDestroy(XlaLoadedExecutable *executable) {
  xlaLoadedExecutableRelease(executable);
}

const XlaPartition *
xlaLoadedExecutableGetPartition(const XlaLoadedExecutable *executable) {
  return executable->partition;
}

XlaClient *xlaLoadedExecutableGetClient(const XlaLoadedExecutable *executable) {
  return executable->client;
}

const char *xlaLoadedExecutableGetName(const XlaLoadedExecutable *executable) {
  return executable->name;
}

XlaExecutable *
xlaLoadedExecutableGetExecutable(const XlaLoadedExecutable *executable) {
  return executable ? executable->compiled : NULL;
}

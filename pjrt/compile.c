//===- compile.c - From a program to an executable ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/callback.h"
#include "xlac/pjrt/profiler.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/ir.h"
#include "xlac/runtime/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// What is known of an executable
//===----------------------------------------------------------------------===//

void xlaPjrtExecutableRelease(PJRT_Executable *executable) {
  if (!executable || atomic_fetch_sub(&executable->references, 1) != 1)
    return;
  for (size_t i = 0; executable->layouts && i < executable->nOutputs; ++i)
    xlaPjrtLayoutDestroy(executable->layouts[i]);
  for (size_t i = 0; executable->inputLayouts && i < executable->nInputs; ++i)
    xlaPjrtLayoutDestroy(executable->inputLayouts[i]);
  free(executable->layouts);
  free(executable->inputLayouts);
  xlaPjrtShardingsDestroy(&executable->inputShardings);
  xlaPjrtShardingsDestroy(&executable->outputShardings);
  free(executable->types);
  free(executable->dims);
  free(executable->ranks);
  free(executable->outputKinds);
  free(executable->orders.all);
  free(executable->memoryKinds);
  free(executable->memoryKindSizes);
  free(executable->program);
  free(executable->options);
  free(executable->analysis.optimized);
  free((void *)executable->code.data);
  pthread_mutex_destroy(&executable->lock);
  free(executable);
}

uint64_t xlaPjrtHash(uint64_t hash, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ at[i]) * 0x100000001b3u;
  return hash;
}

static char *copyBytes(const char *bytes, size_t size) {
  char *copy = malloc(size + 1);
  if (copy && size)
    memcpy(copy, bytes, size);
  return copy;
}

static PJRT_Executable *create(XlaPjrtPlatform platform, const char *program,
                               size_t programSize, const char *options,
                               size_t optionsSize) {
  PJRT_Executable *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  atomic_init(&made->references, 1);
  pthread_mutex_init(&made->lock, NULL);
  made->platform = platform;
  made->program = copyBytes(program, programSize);
  made->programSize = programSize;
  made->options = copyBytes(options, optionsSize);
  made->optionsSize = optionsSize;
  const char *word = xlaPjrtPlatformWord(platform), *version = xlaPjrtVersion();
  uint64_t hash = xlaPjrtHash(XLA_PJRT_HASH, version, strlen(version));
  hash = xlaPjrtHash(hash, word, strlen(word));
  hash = xlaPjrtHash(hash, &programSize, sizeof programSize);
  hash = xlaPjrtHash(hash, program, programSize);
  hash = xlaPjrtHash(hash, options, optionsSize);
  snprintf(made->fingerprint, sizeof made->fingerprint, "%016llx",
           (unsigned long long)hash);
  if (made->program && made->options)
    return made;
  xlaPjrtExecutableRelease(made);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Its outputs and memory
//===----------------------------------------------------------------------===//

static int64_t byteCount(const XlaShape *shape) {
  int64_t n;
  return xlaShapeGetElementCount(shape, &n)
             ? n * xlaElementTypeGetInfo(shape->elementType)->bytes
             : 0;
}

size_t xlaPjrtOutputNumber(const XlaLoadedExecutable *loaded, size_t nOutputs,
                           size_t device, size_t i) {
  const XlaPartition *partition = xlaLoadedExecutableGetPartition(loaded);
  return partition ? (size_t)partition->outputs[device * nOutputs + i] : i;
}

static const XlaShape *outputShape(const PJRT_Executable *e,
                                   const XlaLoadedExecutable *loaded,
                                   size_t i) {
  return xlaLoadedExecutableGetOutputShape(
      loaded, (intptr_t)xlaPjrtOutputNumber(loaded, e->nOutputs, 0, i));
}

XlaPjrtMemoryKind xlaPjrtOutputKind(const PJRT_Executable *e, size_t i) {
  return i < e->nOutputKinds ? e->outputKinds[i] : XlaPjrtMemoryKindDevice;
}

static bool describeOutputs(PJRT_Executable *e,
                            const XlaLoadedExecutable *loaded) {
  const XlaPartition *partition = xlaLoadedExecutableGetPartition(loaded);
  size_t n = (size_t)(partition ? partition->nOutputs
                                : xlaLoadedExecutableGetNumOutputs(loaded));
  e->nOutputs = n;
  for (size_t i = 0; i < n; ++i)
    e->nDims += (size_t)outputShape(e, loaded, i)->rank;
  e->types = calloc(n + 1, sizeof *e->types);
  e->dims = calloc(e->nDims + 1, sizeof *e->dims);
  e->ranks = calloc(n + 1, sizeof *e->ranks);
  e->memoryKinds = calloc(n + 1, sizeof *e->memoryKinds);
  e->memoryKindSizes = calloc(n + 1, sizeof *e->memoryKindSizes);
  e->layouts = calloc(n + 1, sizeof *e->layouts);
  if (!e->types || !e->dims || !e->ranks || !e->memoryKinds ||
      !e->memoryKindSizes || !e->layouts)
    return false;
  int64_t *dims = e->dims;
  for (size_t i = 0; i < n; ++i) {
    const XlaPjrtOrder *order = xlaPjrtOutputOrder(e, i);
    const XlaShape *stored = outputShape(e, loaded, i);
    XlaShape own = order ? xlaPjrtOrderShape(order, stored) : *stored;
    const XlaShape *shape = &own;
    e->types[i] = xlaPjrtType(shape->elementType);
    e->ranks[i] = (size_t)shape->rank;
    for (int d = 0; d < shape->rank; ++d)
      *dims++ = shape->dims[d];
    e->memoryKinds[i] = xlaPjrtMemoryKindName(xlaPjrtOutputKind(e, i));
    e->memoryKindSizes[i] = strlen(e->memoryKinds[i]);
    e->layouts[i] = xlaPjrtLayoutCreate(shape->rank, order);
    if (!e->layouts[i])
      return false;
    e->outputBytes += byteCount(shape);
  }
  return true;
}

static bool describeInputs(PJRT_Executable *e,
                           const XlaLoadedExecutable *loaded) {
  const XlaPartition *partition = xlaLoadedExecutableGetPartition(loaded);
  e->nInputs = (size_t)(partition ? partition->nInputs
                                  : xlaLoadedExecutableGetNumInputs(loaded));
  e->inputLayouts = calloc(e->nInputs + 1, sizeof *e->inputLayouts);
  if (!e->inputLayouts)
    return false;
  for (intptr_t i = 0; i < (intptr_t)e->nInputs; ++i) {
    const XlaShape *shape = xlaLoadedExecutableGetInputShape(loaded, i);
    e->inputBytes += byteCount(shape);
    e->inputLayouts[i] =
        xlaPjrtLayoutCreate(shape->rank, xlaPjrtInputOrder(e, (size_t)i));
    if (!e->inputLayouts[i])
      return false;
  }
  return true;
}

static PJRT_Error *describeShardings(PJRT_Executable *e,
                                     const XlaPartition *partition) {
  if (!partition)
    return NULL;
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtShardingsWrite(
      partition->nInputs, partition->inputShardings, &e->inputShardings));
  return xlaPjrtShardingsWrite(partition->nOutputs, partition->outputShardings,
                               &e->outputShardings);
}

static void describeMemory(PJRT_Executable *e,
                           const XlaLoadedExecutable *loaded) {
  const XlaExecutable *compiled = xlaLoadedExecutableGetExecutable(loaded);
  if (!compiled || xlaExecutableIsUnbounded(compiled))
    return;
  const XlaCompileStats *stats = xlaExecutableGetStats(compiled);
  bool isVulkan = e->platform == XlaPjrtPlatformVulkan;
  e->codeBytes =
      stats->constantBytes + (isVulkan ? stats->vulkan.shaderBytes
                                       : (int64_t)stats->codegen.objectBytes);
  e->temporaryBytes = stats->arenaBytes + stats->scratchBytes;
  for (size_t i = 0; i < e->nOutputs; ++i) {
    intptr_t input = xlaExecutableGetAliasedInput(
        compiled, (intptr_t)xlaPjrtOutputNumber(loaded, e->nOutputs, 0, i));
    if (input >= 0)
      e->aliasBytes += byteCount(outputShape(e, loaded, i));
  }
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// A copy of the code for serialization; none without memory.
static void keepCode(const XlaKeptCode *code, void *user) {
  PJRT_Executable *executable = user;
  free((void *)executable->code.data);
  executable->code = *code;
  executable->code.data = copyBytes(code->data, code->size);
}

/// Without memory there are no orders, which is an error at the end.
static void checkApplied(PJRT_Executable *e, bool isApplied) {
  if (isApplied)
    return;
  free(e->orders.all);
  e->orders.all = NULL;
}

/// Which memories results are for, and in which order arrays lie there.
static void readMain(MlirOperation function, void *user) {
  PJRT_Executable *e = user;
  xlaPjrtOrdersRead(function, &e->orders);
  if (e->orders.isAnyOther && !e->orders.isUnknown &&
      e->nReplicas * e->nPartitions == 1)
    checkApplied(e, xlaPjrtOrdersApply(function, &e->orders));
  MlirAttribute type = xlaOpGetAttr(function, "function_type");
  intptr_t n = mlirFunctionTypeGetNumResults(mlirTypeAttrGetValue(type));
  e->outputKinds = calloc((size_t)n + 1, sizeof *e->outputKinds);
  e->nOutputKinds = e->outputKinds ? (size_t)n : 0;
  for (size_t i = 0; i < e->nOutputKinds; ++i)
    e->isOfUnknownKind |=
        !xlaPjrtMemoryKindOfResult(function, (intptr_t)i, &e->outputKinds[i]);
}

static void readPartitioned(MlirOperation function,
                            const XlaPartition *partition, void *user) {
  PJRT_Executable *e = user;
  if (e->orders.isAnyOther && !e->orders.isUnknown &&
      e->nReplicas * e->nPartitions > 1)
    checkApplied(e, xlaPjrtOrdersApplyToAll(function, &e->orders, partition));
}

static void releaseProgram(void *user) { xlaPjrtExecutableRelease(user); }

static void showPrepared(MlirModule module, MlirOperation entry, void *user) {
  xlaPjrtAnalysePrepared(module, entry, user);
}

static PJRT_Error *checkOrders(const PJRT_Executable *executable) {
  const XlaPjrtOrders *orders = &executable->orders;
  if (!orders->all)
    return xlaPjrtNoMemory();
  if (orders->isUnknown)
    return xlaPjrtUnimplemented("an argument or a result of the program has a "
                                "layout that is no order of its dimensions, or "
                                "unknown sizes and another than row-major");
  return NULL;
}

/// Who asks how arrays lie is told so when the program is compiled, not when
/// that is read again.
static PJRT_Error *tellInspected(const XlaPartition *partition) {
  for (intptr_t i = 0; partition && i < partition->nInspected; ++i) {
    const XlaInspected *inspected = &partition->inspected[i];
    char error[1000];
    if (!xlaPjrtTell(inspected->config, inspected->sharding, error,
                     sizeof error))
      return xlaPjrtError(PJRT_Error_Code_INTERNAL,
                          "a function that asks how an array lies failed: %s",
                          error);
  }
  return NULL;
}

/// Makes code of the program, and sees what it takes and gives.
static PJRT_Error *load(PJRT_LoadedExecutable *made, const XlaKeptCode *kept) {
  PJRT_Executable *executable = made->executable;
  XlaClientProgram source = {.bytes = executable->program,
                             .size = executable->programSize,
                             .release = releaseProgram,
                             .forArrays = true,
                             .read = readMain,
                             .partitioned = readPartitioned,
                             .prepared = showPrepared,
                             .kept = kept,
                             .keep = keepCode,
                             .user = executable,
                             .replicas = (int)executable->nReplicas,
                             .partitions = (int)executable->nPartitions};
  double begin = xlaClockMilliseconds();
  PJRT_Device *first = made->devices[0]; // it runs the program for all
  if (!first)
    return xlaPjrtInvalid("the program is for no device");
  atomic_fetch_add(&executable->references, 1); // until releaseProgram
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtErrorTake(
      xlaClientCompileProgram(first->xla, &source, &made->loaded)));
  snprintf(executable->name, sizeof executable->name, "%s",
           xlaLoadedExecutableGetName(made->loaded));
  XlaTraceEvent event = {XlaTraceKindCompile, executable->name, begin,
                         xlaClockMilliseconds(), 0};
  if (xlaPjrtIsTraced(first))
    xlaPjrtTrace(&event, first);
  if (executable->isOfUnknownKind)
    return xlaPjrtInvalid("a result is for a kind of memory that there is not");
  XLA_PJRT_RETURN_IF_ERROR(checkOrders(executable));
  if (!executable->outputKinds || !describeInputs(executable, made->loaded) ||
      !describeOutputs(executable, made->loaded))
    return xlaPjrtNoMemory();
  XLA_PJRT_RETURN_IF_ERROR(describeShardings(
      executable, xlaLoadedExecutableGetPartition(made->loaded)));
  describeMemory(executable, made->loaded);
  return kept ? NULL
              : tellInspected(xlaLoadedExecutableGetPartition(made->loaded));
}

/// What is deleted and not used any more, to be destroyed; or NULL.
static XlaLoadedExecutable *takeUnused(PJRT_LoadedExecutable *loaded) {
  if (!loaded->isDeleted || loaded->users)
    return NULL;
  XlaLoadedExecutable *code = loaded->loaded;
  loaded->loaded = NULL;
  return code;
}

static void unload(PJRT_LoadedExecutable *loaded) {
  pthread_mutex_lock(&loaded->lock);
  loaded->isDeleted = true;
  XlaLoadedExecutable *code = takeUnused(loaded);
  pthread_mutex_unlock(&loaded->lock);
  xlaLoadedExecutableDestroy(code);
}

XlaLoadedExecutable *xlaPjrtLoadedTake(PJRT_LoadedExecutable *loaded) {
  pthread_mutex_lock(&loaded->lock);
  XlaLoadedExecutable *code = loaded->isDeleted ? NULL : loaded->loaded;
  loaded->users += code != NULL;
  pthread_mutex_unlock(&loaded->lock);
  return code;
}

void xlaPjrtLoadedGive(PJRT_LoadedExecutable *loaded) {
  pthread_mutex_lock(&loaded->lock);
  --loaded->users;
  XlaLoadedExecutable *code = takeUnused(loaded);
  pthread_mutex_unlock(&loaded->lock);
  xlaLoadedExecutableDestroy(code);
}

static void destroy(PJRT_LoadedExecutable *loaded) {
  if (!loaded)
    return;
  unload(loaded);
  pthread_mutex_destroy(&loaded->lock);
  xlaPjrtExecutableRelease(loaded->executable);
  free(loaded->devices);
  free(loaded);
}

static PJRT_Error *assign(PJRT_Client *client,
                          const XlaPjrtCompileOptions *asked,
                          PJRT_LoadedExecutable *made) {
  made->nDevices = (size_t)(asked->nReplicas * asked->nPartitions);
  made->devices = calloc(made->nDevices + 1, sizeof(PJRT_Device *));
  if (!made->devices)
    return xlaPjrtNoMemory();
  for (size_t i = 0; i < made->nDevices; ++i) {
    int64_t number = asked->devices[i];
    if (number < 0 || (size_t)number >= client->n)
      return xlaPjrtInvalid("the program is for device %lld; there are %zu",
                            (long long)number, client->n);
    made->devices[i] = &client->devices[number];
    for (size_t k = 0; k < i; ++k)
      if (made->devices[k] == made->devices[i])
        return xlaPjrtInvalid("the program is for device %lld twice",
                              (long long)number);
  }
  return NULL;
}

PJRT_Error *xlaPjrtCompile(PJRT_Client *client, const char *program,
                           size_t programSize, const char *options,
                           size_t optionsSize, const XlaKeptCode *kept,
                           PJRT_LoadedExecutable **loaded) {
  XlaPjrtCompileOptions asked;
  XLA_PJRT_RETURN_IF_ERROR(
      xlaPjrtCompileOptionsRead(options, optionsSize, &asked));
  PJRT_LoadedExecutable *made = calloc(1, sizeof *made);
  if (!made)
    return xlaPjrtNoMemory();
  pthread_mutex_init(&made->lock, NULL);
  PJRT_Error *error = assign(client, &asked, made);
  if (!error) {
    made->executable =
        create(client->platform, program, programSize, options, optionsSize);
    error = made->executable ? NULL : xlaPjrtNoMemory();
  }
  if (!error) {
    made->executable->nReplicas = (size_t)asked.nReplicas;
    made->executable->nPartitions = (size_t)asked.nPartitions;
    error = load(made, kept);
  }
  if (error)
    destroy(made);
  else
    *loaded = made;
  return error;
}

static PJRT_Error *checkProgram(const PJRT_Program *program) {
  if (!program)
    return xlaPjrtInvalid("there is no program");
  if (program->struct_size < PJRT_SIZE_UP_TO(PJRT_Program, format_size))
    return xlaPjrtInvalid("the program is of another version of PJRT's C API, "
                          "%zu bytes long",
                          program->struct_size);
  if ((!program->code && program->code_size) || !program->format)
    return xlaPjrtInvalid("there is no program");
  size_t size = program->format_size;
  // The content says which form it is.
  if ((size == 4 && !memcmp(program->format, "mlir", 4)) ||
      (size == 3 && !memcmp(program->format, "hlo", 3)))
    return NULL;
  return xlaPjrtUnimplemented("the program's format is \"%.*s\"; mlir and hlo "
                              "are read",
                              (int)(size & 0xff), program->format);
}

PJRT_Error *xlaPjrt_Client_Compile(PJRT_Client_Compile_Args *args) {
  XLA_PJRT_RETURN_IF_ERROR(checkProgram(args->program));
  return xlaPjrtCompile(args->client, args->program->code,
                        args->program->code_size, args->compile_options,
                        args->compile_options_size, NULL, &args->executable);
}

static PJRT_Error *compileFor(PJRT_Client *client, PJRT_Compile_Args *args) {
  PJRT_LoadedExecutable *loaded = NULL;
  PJRT_Error *error = xlaPjrtCompile(
      client, args->program->code, args->program->code_size,
      args->compile_options, args->compile_options_size, NULL, &loaded);
  if (!loaded)
    return error;
  args->executable = loaded->executable;
  atomic_fetch_add(&args->executable->references, 1);
  destroy(loaded);
  return NULL;
}

/// What a client makes, without what runs it.
PJRT_Error *xlaPjrt_Compile(PJRT_Compile_Args *args) {
  XLA_PJRT_RETURN_IF_ERROR(checkProgram(args->program));
  // Callers name a client that they have, whatever the topology is.
  if (args->client &&
      xlaPjrtTopologyEqual(args->client->topology, args->topology))
    return compileFor(args->client, args);
  PJRT_Client *client;
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtClientOpen(args->topology, &client));
  PJRT_Error *error = compileFor(client, args);
  xlaPjrtClientDestroy(client);
  return error;
}

PJRT_Error *
xlaPjrt_LoadedExecutable_Destroy(PJRT_LoadedExecutable_Destroy_Args *args) {
  destroy(args->executable);
  return NULL;
}

PJRT_Error *
xlaPjrt_LoadedExecutable_Delete(PJRT_LoadedExecutable_Delete_Args *args) {
  unload(args->executable);
  return NULL;
}

PJRT_Error *
xlaPjrt_LoadedExecutable_IsDeleted(PJRT_LoadedExecutable_IsDeleted_Args *args) {
  args->is_deleted = atomic_load(&args->executable->isDeleted);
  return NULL;
}

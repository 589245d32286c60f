//===- target.c - The CPU that code is generated for ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/target.h"
#include "xlac/dialect/mlir-c-ext/emitter.h"
#include "xlac/dialect/mlir-c-ext/ext.h"

#include "mlir-c/RegisterEverything.h"
#include "llvm-c/Core.h"
#include "llvm-c/Target.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maxIdle = 4 };

struct XlaCpuEmitters {
  pthread_mutex_t lock;
  int n;
  MlirExtEmitter *idle[maxIdle];
};

static int affinityCount(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  // A machine of more than CPU_SETSIZE CPUs fails here.
  if (sched_getaffinity(0, sizeof set, &set))
    return 1;
  int count = CPU_COUNT(&set);
  return count > 0 ? count : 1;
}

/// The first line of /sys/devices/system/cpu/cpu0/cache/index`index`/`name`.
static bool readCacheFile(int index, const char *name, char line[32]) {
  char path[96];
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s",
           index, name);
  FILE *file = fopen(path, "r");
  if (!file)
    return false;
  bool read = fgets(line, 32, file) != NULL;
  fclose(file);
  return read;
}

/// "32K" in bytes; 0 where it is not such a number.
static int64_t parseSize(const char *text) {
  char *end;
  long long value = strtoll(text, &end, 10);
  if (value <= 0 || value > (1ll << 40))
    return 0;
  return *end == 'K' ? value << 10 : *end == 'M' ? value << 20 : value;
}

static void readCaches(XlaCpuTarget *target) {
  int64_t sizes[4] = {0, 32 << 10, 512 << 10, 0};
  for (int i = 0; i < 8; ++i) {
    char type[32], level[32], size[32];
    if (!readCacheFile(i, "type", type) || !readCacheFile(i, "level", level) ||
        !readCacheFile(i, "size", size))
      break;
    int at = atoi(level);
    int64_t bytes = parseSize(size);
    if (*type != 'I' && at >= 1 && at <= 3 && bytes)
      sizes[at] = bytes;
  }
  target->l1Bytes = sizes[1];
  target->l2Bytes = sizes[2];
  target->l3Bytes = sizes[3] ? sizes[3] : sizes[2];
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static char *copyAndDispose(char *message) {
  char *copy = strdup(message);
  LLVMDisposeMessage(message);
  return copy;
}

static XlaStatus noMemory(void) {
  return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for a CPU");
}

/// What `options` leave to the environment.
static XlaStatus readEnvironment(XlaCpuTargetOptions *options) {
  const char *cpu = getenv("XLAC_CPU"), *threads = getenv("XLAC_THREADS");
  if (!options->cpu && cpu && *cpu)
    options->cpu = cpu;
  if (options->cpu && !strcmp(options->cpu, "host"))
    options->cpu = NULL;
  if (options->threads > 0 || !threads || !*threads)
    return NULL;
  char *end;
  long n = strtol(threads, &end, 10);
  if (*end || n < 1 || n > XLA_CPU_MAX_THREADS)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "XLAC_THREADS=%.40s is no number from 1 to %d",
                           threads, XLA_CPU_MAX_THREADS);
  options->threads = (int)n;
  return NULL;
}

static bool initializeTargets(const XlaCpuTargetOptions *options) {
  mlirRegisterAllPasses();
  mlirExtKeepMasks();
  if (!options->triple)
    return !LLVMInitializeNativeTarget() && !LLVMInitializeNativeAsmPrinter();
  LLVMInitializeAllTargetInfos();
  LLVMInitializeAllTargets();
  LLVMInitializeAllTargetMCs();
  LLVMInitializeAllAsmPrinters();
  return true;
}

static XlaStatus setNames(const XlaCpuTargetOptions *options,
                          XlaCpuTarget *target) {
  char *message = NULL;
  bool host = !options->cpu && !options->triple;
  target->isForeign = options->triple != NULL;
  target->triple = copyAndDispose(
      options->triple ? LLVMNormalizeTargetTriple(options->triple)
                      : LLVMGetDefaultTargetTriple());
  if (!target->triple)
    return noMemory();
  if (LLVMGetTargetFromTriple(target->triple, &target->llvm, &message)) {
    XlaStatus status = xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                                       "no code can be generated for "
                                       "\"%.100s\": %.300s",
                                       target->triple, message);
    LLVMDisposeMessage(message);
    return status;
  }
  target->cpu = host ? copyAndDispose(LLVMGetHostCPUName())
                     : strdup(options->cpu ? options->cpu : "");
  target->features = options->features ? strdup(options->features)
                     : host ? copyAndDispose(LLVMGetHostCPUFeatures())
                            : strdup("");
  return target->cpu && target->features ? NULL : noMemory();
}

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

/// An instruction set that code for `cpu` may use, and this processor lacks.
/// LLVM lists the host's as "+avx2,-avx512f,..".
static bool findMissing(const MlirExtCpu *cpu, char name[64]) {
  char *features = LLVMGetHostCPUFeatures();
  bool found = false;
  for (const char *item = features; *item && !found;) {
    size_t n = strcspn(item, ",");
    if (*item == '-' && n > 1 && n <= 64) {
      memcpy(name, item + 1, n - 1);
      name[n - 1] = 0;
      found = mlirExtCpuHasFeature(cpu, name);
    }
    item += n + (item[n] == ',');
  }
  LLVMDisposeMessage(features);
  return found;
}

static void setFeatures(const MlirExtCpu *cpu, XlaCpuTarget *target) {
  bool arm = !strncmp(target->triple, "aarch64", 7);
  bool wide = mlirExtCpuHasFeature(cpu, "avx512f") &&
              mlirExtCpuHasFeature(cpu, "avx512vl");
  target->vectorBits = wide                                ? 512
                       : mlirExtCpuHasFeature(cpu, "avx2") ? 256
                                                           : 128;
  target->hasFma = arm || !strncmp(target->triple, "riscv", 5) ||
                   mlirExtCpuHasFeature(cpu, "fma");
  target->hasF16 = arm || wide || mlirExtCpuHasFeature(cpu, "f16c");
}

/// Instructions that are used on the widest vectors only. Intel's processors
/// add pairs of bf16 more slowly than single products of f32 (240 beside 360
/// GFLOP/s on two cores of family 6, model 167), AMD's twice as fast.
static void setPairs(const MlirExtCpu *cpu, XlaCpuTarget *target) {
  bool wide = target->vectorBits == 512;
  target->hasBf16Pairs = wide && !strncmp(target->cpu, "znver", 5) &&
                         mlirExtCpuHasFeature(cpu, "avx512bf16");
  target->hasI16Pairs = wide && mlirExtCpuHasFeature(cpu, "avx512vnni");
  target->hasI16Sums =
      !strncmp(target->triple, "x86_64", 6) &&
      mlirExtCpuHasFeature(cpu, wide                        ? "avx512bw"
                                : target->vectorBits == 256 ? "avx2"
                                                            : "sse2");
}

static XlaStatus describe(const XlaCpuTargetOptions *options,
                          XlaCpuTarget *target) {
  char missing[64];
  MlirExtCpu *cpu =
      mlirExtCpuCreate(target->triple, target->cpu, target->features);
  if (!cpu)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "LLVM knows no processor \"%.100s\" of %s; `clang "
                           "--print-supported-cpus --target=%s` lists them",
                           target->cpu, target->triple, target->triple);
  setFeatures(cpu, target);
  if (options->vectorBits > 0 && options->vectorBits < target->vectorBits)
    target->vectorBits = options->vectorBits;
  setPairs(cpu, target);
  bool lacks = !target->isForeign && findMissing(cpu, missing);
  mlirExtCpuDestroy(cpu);
  return lacks ? xlaStatusCreate(XLA_STATUS_UNIMPLEMENTED,
                                 "code for %s cannot run here: this processor "
                                 "has no %s",
                                 target->cpu, missing)
               : NULL;
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

static XlaStatus fill(const XlaCpuTargetOptions *given, XlaCpuTarget *target) {
  XlaCpuTargetOptions options = *given;
  if (options.threads < 0 || options.threads > XLA_CPU_MAX_THREADS)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "%d threads are no number from 1 to %d, or 0",
                           options.threads, XLA_CPU_MAX_THREADS);
  XLA_RETURN_IF_ERROR(readEnvironment(&options));
  if (!initializeTargets(&options))
    return xlaStatusCreate(XLA_STATUS_UNIMPLEMENTED,
                           "this LLVM cannot generate code for the host");
  XLA_RETURN_IF_ERROR(setNames(&options, target));
  XLA_RETURN_IF_ERROR(describe(&options, target));
  target->threads = options.threads > 0 ? options.threads : affinityCount();
  target->serialNanoseconds = options.serialNanoseconds > 0
                                  ? options.serialNanoseconds
                                  : XLA_CPU_SERIAL_NANOSECONDS;
  readCaches(target);
  if (options.l1Bytes > 0)
    target->l1Bytes = options.l1Bytes;
  if (options.l2Bytes > 0)
    target->l2Bytes = options.l2Bytes;
  if (options.l3Bytes > 0)
    target->l3Bytes = options.l3Bytes;
  return NULL;
}

XlaStatus xlaCpuTargetCreate(const XlaCpuTargetOptions *options,
                             XlaCpuTarget **out) {
  static const XlaCpuTargetOptions host = {0};
  *out = NULL;
  XlaCpuTarget *target = calloc(1, sizeof *target);
  if (!target)
    return noMemory();
  target->emitters = calloc(1, sizeof *target->emitters);
  if (!target->emitters) {
    free(target);
    return noMemory();
  }
  pthread_mutex_init(&target->emitters->lock, NULL);
  XlaStatus status = fill(options ? options : &host, target);
  if (status)
    xlaCpuTargetDestroy(target);
  else
    *out = target;
  return status;
}

void xlaCpuTargetDestroy(XlaCpuTarget *target) {
  if (!target)
    return;
  for (int i = 0; i < target->emitters->n; ++i)
    mlirExtEmitterDestroy(target->emitters->idle[i]);
  pthread_mutex_destroy(&target->emitters->lock);
  free(target->emitters);
  free(target->triple);
  free(target->cpu);
  free(target->features);
  free(target);
}

int xlaCpuTargetLanes(const XlaCpuTarget *target, int bits) {
  int lanes = bits > 0 ? target->vectorBits / bits : 1;
  return lanes > 0 ? lanes : 1;
}

int xlaCpuUsefulThreads(double nanoseconds, int64_t serialNanoseconds,
                        int threads) {
  if (nanoseconds < (double)serialNanoseconds)
    return 1;
  double most = 2 * nanoseconds / (double)serialNanoseconds;
  return most < (double)threads ? (int)most : threads;
}

MlirExtEmitter *xlaCpuTargetTakeEmitter(const XlaCpuTarget *target) {
  struct XlaCpuEmitters *emitters = target->emitters;
  pthread_mutex_lock(&emitters->lock);
  MlirExtEmitter *emitter = emitters->n ? emitters->idle[--emitters->n] : NULL;
  pthread_mutex_unlock(&emitters->lock);
  return emitter ? emitter
                 : mlirExtEmitterCreate(LLVMCreateTargetMachine(
                       target->llvm, target->triple, target->cpu,
                       target->features, LLVMCodeGenLevelDefault, LLVMRelocPIC,
                       LLVMCodeModelDefault));
}

void xlaCpuTargetGiveEmitter(const XlaCpuTarget *target,
                             MlirExtEmitter *emitter) {
  struct XlaCpuEmitters *emitters = target->emitters;
  pthread_mutex_lock(&emitters->lock);
  bool isKept = emitters->n < maxIdle;
  if (isKept)
    emitters->idle[emitters->n++] = emitter;
  pthread_mutex_unlock(&emitters->lock);
  if (!isKept)
    mlirExtEmitterDestroy(emitter);
}

//===- target.c - The CPU that code is generated for ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/target.h"

#include "mlir-c/RegisterEverything.h"
#include "llvm-c/Core.h"
#include "llvm-c/Target.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// "+name" as an item of the comma-separated `features`. The last mention of a
/// feature counts, as in LLVM.
static bool hasFeature(const char *features, const char *name) {
  size_t length = strlen(name);
  bool found = false;
  for (const char *item = features; *item;) {
    size_t n = strcspn(item, ",");
    if (n == length + 1 && !strncmp(item + 1, name, length))
      found = *item == '+';
    item += n + (item[n] == ',');
  }
  return found;
}

/// Features that `cpu` implies are not listed by LLVM's C API, so that a CPU
/// given by name is classified by the names of the x86-64 levels.
static int widthOfNamedCpu(const char *cpu) {
  if (!strcmp(cpu, "x86-64-v4"))
    return 512;
  return strcmp(cpu, "x86-64-v3") ? 128 : 256;
}

static int vectorBits(const char *features, const char *namedCpu) {
  if (hasFeature(features, "avx512f") && hasFeature(features, "avx512vl"))
    return 512;
  if (hasFeature(features, "avx2"))
    return 256;
  return namedCpu ? widthOfNamedCpu(namedCpu) : 128;
}

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

static char *copyAndDispose(char *message) {
  char *copy = strdup(message);
  LLVMDisposeMessage(message);
  return copy;
}

XlaCpuTarget *xlaCpuTargetCreate(const XlaCpuTargetOptions *options,
                                 char **error) {
  static const XlaCpuTargetOptions host = {0};
  if (!options)
    options = &host;
  *error = NULL;
  mlirRegisterAllPasses();
  if (LLVMInitializeNativeTarget() || LLVMInitializeNativeAsmPrinter()) {
    *error = strdup("this LLVM cannot generate code for the host");
    return NULL;
  }
  XlaCpuTarget *target = calloc(1, sizeof *target);
  if (!target) {
    *error = strdup("out of memory");
    return NULL;
  }
  target->triple = copyAndDispose(LLVMGetDefaultTargetTriple());
  char *message = NULL;
  if (!target->triple) {
    *error = strdup("out of memory");
    xlaCpuTargetDestroy(target);
    return NULL;
  }
  if (LLVMGetTargetFromTriple(target->triple, &target->llvm, &message)) {
    *error = copyAndDispose(message);
    xlaCpuTargetDestroy(target);
    return NULL;
  }
  target->cpu = options->cpu ? strdup(options->cpu)
                             : copyAndDispose(LLVMGetHostCPUName());
  target->features = options->features ? strdup(options->features)
                     : options->cpu ? strdup("")
                                    : copyAndDispose(LLVMGetHostCPUFeatures());
  if (!target->cpu || !target->features) {
    *error = strdup("out of memory");
    xlaCpuTargetDestroy(target);
    return NULL;
  }
  target->vectorBits = vectorBits(target->features, options->cpu);
  if (options->vectorBits > 0 && options->vectorBits < target->vectorBits)
    target->vectorBits = options->vectorBits;
  target->hasFma = target->vectorBits >= 256 ||
                   hasFeature(target->features, "fma") ||
                   !strncmp(target->triple, "aarch64", 7);
  target->hasBf16Pairs =
      target->vectorBits == 512 && hasFeature(target->features, "avx512bf16");
  target->hasI16Pairs =
      target->vectorBits == 512 && hasFeature(target->features, "avx512vnni");
  target->threads = options->threads > 0 ? options->threads : affinityCount();
  readCaches(target);
  if (options->l1Bytes > 0)
    target->l1Bytes = options->l1Bytes;
  if (options->l2Bytes > 0)
    target->l2Bytes = options->l2Bytes;
  if (options->l3Bytes > 0)
    target->l3Bytes = options->l3Bytes;
  return target;
}

void xlaCpuTargetDestroy(XlaCpuTarget *target) {
  if (!target)
    return;
  free(target->triple);
  free(target->cpu);
  free(target->features);
  free(target);
}

int xlaCpuTargetLanes(const XlaCpuTarget *target, int bits) {
  int lanes = bits > 0 ? target->vectorBits / bits : 1;
  return lanes > 0 ? lanes : 1;
}

LLVMTargetMachineRef xlaCpuTargetCreateMachine(const XlaCpuTarget *target,
                                               LLVMCodeGenOptLevel level) {
  return LLVMCreateTargetMachine(target->llvm, target->triple, target->cpu,
                                 target->features, level, LLVMRelocPIC,
                                 LLVMCodeModelDefault);
}

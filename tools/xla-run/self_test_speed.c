//===- self_test_speed.c - How fast is it? --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs with one size: at a small one, which divides nothing, they are
// compared with the reference evaluator, at a large one timed. Inputs stay on
// the device.
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// %1$d stands for the size.
#define ADDITION                                                               \
  "({\n  ^bb0(%%p: tensor<f32>, %%q: tensor<f32>):\n"                          \
  "    %%t = xla.add %%p, %%q : tensor<f32>\n"                                 \
  "    xla.return %%t : tensor<f32>\n  })"
#define ZERO "  %%zero = xla.constant dense<0.0> : tensor<f32>\n"

typedef struct Program {
  const char *name, *text;
  int small, large;
  double bytes; ///< read and written at the large size; 0: not told
  double flops;
} Program;

static const Program programs[] = {
    {"launch of a kernel",
     "func.func @main(%%x: tensor<%1$dxf32>) -> tensor<%1$dxf32> {\n"
     "  %%0 = xla.add %%x, %%x : tensor<%1$dxf32>\n"
     "  return %%0 : tensor<%1$dxf32>\n}\n",
     4, 4, 0, 0},
    {"addition of arrays",
     "func.func @main(%%x: tensor<%1$dxf32>, %%y: tensor<%1$dxf32>)"
     " -> tensor<%1$dxf32> {\n"
     "  %%0 = xla.add %%x, %%y : tensor<%1$dxf32>\n"
     "  return %%0 : tensor<%1$dxf32>\n}\n",
     100003, 8 << 20, 3.0 * (32 << 20), 0},
    {"exponential and tanh",
     "func.func @main(%%x: tensor<%1$dxf32>) -> tensor<%1$dxf32> {\n"
     "  %%0 = xla.tanh %%x : tensor<%1$dxf32>\n"
     "  %%1 = xla.exponential %%0 : tensor<%1$dxf32>\n"
     "  return %%1 : tensor<%1$dxf32>\n}\n",
     100003, 8 << 20, 2.0 * (32 << 20), 0},
    {"sum of an array",
     "func.func @main(%%x: tensor<%1$dxf32>) -> tensor<f32> {\n" ZERO
     "  %%0 = xla.reduce(%%x, %%zero) " ADDITION
     " {dimensions = [0]} : (tensor<%1$dxf32>, tensor<f32>) -> tensor<f32>\n"
     "  return %%0 : tensor<f32>\n}\n",
     100003, 8 << 20, 32 << 20, 0},
    {"sums of columns",
     "func.func @main(%%x: tensor<%1$dx%1$dxf32>) -> tensor<%1$dxf32> {\n" ZERO
     "  %%0 = xla.reduce(%%x, %%zero) " ADDITION
     " {dimensions = [0]} : (tensor<%1$dx%1$dxf32>, tensor<f32>)"
     " -> tensor<%1$dxf32>\n"
     "  return %%0 : tensor<%1$dxf32>\n}\n",
     301, 2048, 4.0 * 2048 * 2048, 0},
    {"transpose",
     "func.func @main(%%x: tensor<%1$dx%1$dxf32>) -> tensor<%1$dx%1$dxf32> {\n"
     "  %%0 = xla.transpose %%x {permutation = [1, 0]} :"
     " (tensor<%1$dx%1$dxf32>) -> tensor<%1$dx%1$dxf32>\n"
     "  return %%0 : tensor<%1$dx%1$dxf32>\n}\n",
     301, 2048, 8.0 * 2048 * 2048, 0},
    {"softmax of rows",
     "func.func @main(%%x: tensor<%1$dx%1$dxf32>) -> tensor<%1$dx%1$dxf32> "
     "{\n" ZERO "  %%e = xla.exponential %%x : tensor<%1$dx%1$dxf32>\n"
     "  %%s = xla.reduce(%%e, %%zero) " ADDITION
     " {dimensions = [1]} : (tensor<%1$dx%1$dxf32>, tensor<f32>)"
     " -> tensor<%1$dxf32>\n"
     "  %%0 = xla.divide %%e, %%s {broadcast_dimensions = [0]} :"
     " (tensor<%1$dx%1$dxf32>, tensor<%1$dxf32>) -> tensor<%1$dx%1$dxf32>\n"
     "  return %%0 : tensor<%1$dx%1$dxf32>\n}\n",
     301, 2048, 8.0 * 2048 * 2048, 0},
    {"matrix product",
     "func.func @main(%%x: tensor<%1$dx%1$dxf32>, %%y: tensor<%1$dx%1$dxf32>)"
     " -> tensor<%1$dx%1$dxf32> {\n"
     "  %%0 = xla.dot %%x, %%y :"
     " (tensor<%1$dx%1$dxf32>, tensor<%1$dx%1$dxf32>)"
     " -> tensor<%1$dx%1$dxf32>\n"
     "  return %%0 : tensor<%1$dx%1$dxf32>\n}\n",
     131, 1024, 0, 2.0 * 1024 * 1024 * 1024},
};
enum { nPrograms = sizeof programs / sizeof *programs };

static MlirModule parse(MlirContext context, const Program *program, int size) {
  char text[2000];
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
  snprintf(text, sizeof text, program->text, size);
#pragma clang diagnostic pop
  return mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
}

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

enum { maxArrays = 4, seconds = 1 };

/// A program with memory for what goes in and out.
typedef struct Call {
  XlaExecutable *executable;
  bool onDevice; ///< inputs are there after the first run, outputs stay
  int nMemory;
  void *memory[2 * maxArrays];
} Call;

static bool allocate(Call *call) {
  intptr_t nInputs = xlaExecutableGetNumInputs(call->executable);
  intptr_t n = nInputs + xlaExecutableGetNumOutputs(call->executable);
  for (intptr_t i = 0; i < n && i < 2 * maxArrays; ++i) {
    const XlaShape *shape =
        i < nInputs
            ? xlaExecutableGetInputShape(call->executable, i)
            : xlaExecutableGetOutputShape(call->executable, i - nInputs);
    int64_t count;
    xlaShapeGetElementCount(shape, &count);
    size_t bytes = ((size_t)count * 4 + 63) / 64 * 64;
    float *data = aligned_alloc(64, bytes);
    if (!data)
      return false;
    call->memory[call->nMemory++] = data;
    for (int64_t k = 0; k < count; ++k)
      data[k] = (float)(k % 17) / 16;
  }
  return true;
}

static bool runOnce(Call *call, bool isFirst) {
  intptr_t nInputs = xlaExecutableGetNumInputs(call->executable);
  const void *const *inputs = (const void *const *)call->memory;
  return mlirLogicalResultIsSuccess(xlaExecutableRun(
      call->executable, call->onDevice && !isFirst ? NULL : inputs,
      call->onDevice ? NULL : call->memory + nInputs));
}

/// The shortest run of about a second; negative if one fails. Short ones are
/// measured a hundred at a time.
static double measure(Call *call) {
  double best = 1e9, end = xlaToolNow() + seconds;
  bool fine = allocate(call) && runOnce(call, true) && runOnce(call, false);
  while (fine && (xlaToolNow() < end || best > 1e8)) {
    int n = best < 1e-4 ? 100 : 1;
    double start = xlaToolNow();
    for (int i = 0; i < n && fine; ++i)
      fine = runOnce(call, false);
    double spent = (xlaToolNow() - start) / n;
    best = spent < best ? spent : best;
  }
  for (int i = 0; i < call->nMemory; ++i)
    free(call->memory[i]);
  return fine ? best : -1;
}

static void printTime(const Program *program, double time) {
  printf("%-25s", program->name);
  if (time < 1e-6)
    printf("%9.0f ns", 1e9 * time);
  else if (time < 1e-3)
    printf("%9.1f us", 1e6 * time);
  else
    printf("%9.2f ms", 1e3 * time);
  if (program->bytes > 0)
    printf("%9.1f GB/s", 1e-9 * program->bytes / time);
  if (program->flops > 0)
    printf("%9.1f GFLOP/s", 1e-9 * program->flops / time);
  printf("\n");
  fflush(stdout);
}

/// Prints a row. Whether the program ran.
static bool timeProgram(XlaRun *run, const XlaRunDevice *device,
                        MlirModule module, const Program *program) {
  void *executable = NULL;
  XlaToolCode code = device->compile(
      run, module,
      xlaModuleFindFunction(mlirModuleGetOperation(module),
                            mlirStringRefCreateFromCString("main")),
      xlaRunIgnoreCheck, false, &executable);
  if (code != XlaToolCodeOk)
    return false;
  Call call = {.executable = xlaRunGetExecutable(executable),
               .onDevice = device == &xlaRunVulkan};
  double time = measure(&call);
  device->destroy(executable);
  if (time >= 0)
    printTime(program, time);
  return time >= 0;
}

XlaToolCode xlaRunTestSpeed(XlaRun *run, const XlaRunDevice *device,
                            MlirContext context, XlaRunCounts *counts) {
  if (device == xlaRunDevices[0])
    return XlaToolCodeOk; // the reference itself
  printf("\nprograms of f32: shortest time, memory read and written, arithmetic"
         "\n");
  for (int i = 0; i < nPrograms && !ferror(stdout); ++i) {
    char why[512] = "";
    MlirModule module = parse(context, &programs[i], programs[i].small);
    XlaToolCode code = xlaRunTestModule(run, device, module, why);
    mlirModuleDestroy(module);
    const char *word = xlaRunCountsAdd(counts, code);
    if (code != XlaToolCodeOk) {
      printf("%-25s%s %s\n", programs[i].name, word, why);
      continue;
    }
    module = parse(context, &programs[i], programs[i].large);
    if (!timeProgram(run, device, module, &programs[i]))
      printf("%-25sdoes not run at its large size\n", programs[i].name);
    mlirModuleDestroy(module);
  }
  return XlaToolCodeOk;
}

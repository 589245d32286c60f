//===- kernels.c - Kernels for Vulkan -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/kernels.h"
#include "xlac/dialect/error.h"

#include "xlac/dialect/op.h"
#include "xlac/lowering/linalg/kernel.h"
#include "xlac/lowering/vulkan/schedule/schedule.h"
#include "xlac/runtime/clock.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

typedef struct Check {
  const XlaVulkanInfo *info;
  bool failed;
} Check;

static MlirWalkResult checkOp(MlirOperation op, void *user) {
  Check *check = user;
  const char *what = xlaVulkanWhyNotOp(op, check->info);
  if (!what)
    return MlirWalkResultAdvance;
  bool hasOperand = mlirOperationGetNumOperands(op) > 0;
  xlaOpUnsupported(op, NULL, "needs %s, which %s lacks (its %s 0 is %s)", what,
                   check->info->name, hasOperand ? "operand" : "result",
                   XLA_TYPE_TEXT(mlirValueGetType(
                       hasOperand ? mlirOperationGetOperand(op, 0)
                                  : mlirOperationGetResult(op, 0))));
  check->failed = true;
  return MlirWalkResultInterrupt;
}

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

typedef struct Label {
  char text[sizeof((XlaVulkanKernel *)0)->label];
  size_t n;
  bool isCut;
} Label;

/// Appends the op's name without its dialect's; ".." where there is no room.
static MlirWalkResult appendName(MlirOperation op, void *user) {
  Label *label = user;
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindInvalid || kind == XlaOpKindFusion ||
      kind == XlaOpKindReturn)
    return MlirWalkResultAdvance;
  const char *name = xlaOpGetInfo(kind)->name;
  size_t room = sizeof label->text - label->n - 4; // for ", .."
  if (strlen(name) + 2 > room) {
    label->isCut = true;
    return MlirWalkResultInterrupt;
  }
  label->n +=
      (size_t)snprintf(label->text + label->n, sizeof label->text - label->n,
                       "%s%s", label->n ? ", " : "", name);
  return MlirWalkResultAdvance;
}

/// Writes the names of a kernel's operations to its function.
static void setLabel(MlirOperation op, MlirModule module, const char *name) {
  Label label = {{0}, 0, false};
  mlirOperationWalk(op, appendName, &label, MlirWalkPreOrder);
  if (label.isCut)
    snprintf(label.text + label.n, sizeof label.text - label.n, "%s..",
             label.n ? ", " : "");
  MlirBlock body = mlirModuleGetBody(module);
  MlirAttribute symbol = xlaIrStringAttr(mlirModuleGetContext(module), name);
  for (MlirOperation f = mlirBlockGetFirstOperation(body); f.ptr;
       f = mlirOperationGetNextInBlock(f))
    if (mlirAttributeEqual(mlirOperationGetAttributeByName(f, str("sym_name")),
                           symbol))
      mlirOperationSetAttributeByName(
          f, str("xla.label"),
          xlaIrStringAttr(mlirModuleGetContext(module), label.text));
}

MlirLogicalResult xlaVulkanEmitKernel(MlirOperation op, MlirModule module,
                                      const char *name, int64_t *scratchBytes,
                                      void *info) {
  Check check = {info, false};
  const XlaKernelDevice device = {
      .runsAtOnce = true, .tileBytes = ((XlaVulkanInfo *)info)->sharedBytes};
  mlirOperationWalk(op, checkOp, &check, MlirWalkPreOrder);
  (void)scratchBytes; // is known when the kernel has been scheduled
  if (check.failed || mlirLogicalResultIsFailure(
                          xlaKernelEmit(op, module, name, &device, NULL)))
    return mlirLogicalResultFailure();
  setLabel(op, module, name);
  return mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// Scheduling
//===----------------------------------------------------------------------===//

static MlirLogicalResult noMemory(MlirModule module) {
  xlaErrorNoMemory(mlirOperationGetLocation(mlirModuleGetOperation(module)));
  return mlirLogicalResultFailure();
}

MlirAttribute xlaVulkanKernelKind(MlirOperation op) {
  MlirAttribute kind = {NULL};
  bool isFunction = xlaIrIsOp(op, "func.func");
  if (isFunction && mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)).ptr)
    kind = mlirOperationGetAttributeByName(op, str("xla.kind"));
  return kind;
}

/// The symbol of a function as a string of its own.
static char *nameOf(MlirOperation function) {
  MlirStringRef name = mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(function, str("sym_name")));
  char *copy = calloc(name.length + 1, 1);
  if (copy)
    memcpy(copy, name.data, name.length);
  return copy;
}

MlirLogicalResult xlaVulkanScheduleKernels(MlirModule module,
                                           const XlaVulkanInfo *info,
                                           bool report, XlaVulkanCode *code) {
  memset(code, 0, sizeof *code);
  MlirBlock body = mlirModuleGetBody(module);
  intptr_t n = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    n += !mlirAttributeIsNull(xlaVulkanKernelKind(op));
  code->kernels = calloc((size_t)n + 1, sizeof *code->kernels);
  if (!code->kernels)
    return noMemory(module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (mlirAttributeIsNull(xlaVulkanKernelKind(op)))
      continue; // a global, or a shader behind the functions
    XlaVulkanKernel *kernel = &code->kernels[code->nKernels++];
    kernel->name = nameOf(op);
    if (!kernel->name)
      return noMemory(module);
    MlirAttribute label = mlirOperationGetAttributeByName(op, str("xla.label"));
    if (!mlirAttributeIsNull(label) && mlirAttributeIsAString(label))
      snprintf(kernel->label, sizeof kernel->label, "%.*s",
               (int)mlirStringAttrGetValue(label).length,
               mlirStringAttrGetValue(label).data);
    kernel->nArguments = mlirBlockGetNumArguments(
        mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
    bool usesAddresses = xlaVulkanNeedsAddresses(op, info);
    XlaVulkanInfo unlimited = xlaVulkanWithAddresses(info);
    XlaVulkanSchedule schedule = {usesAddresses ? &unlimited : info,
                                  module,
                                  op,
                                  kernel,
                                  usesAddresses,
                                  report};
    if (mlirLogicalResultIsFailure(xlaVulkanScheduleKernel(&schedule)))
      return mlirLogicalResultFailure();
  }
  return mlirLogicalResultSuccess();
}

/// Leaves the shaders alone.
static void dropFunctions(MlirModule module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  while (op.ptr) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (!xlaIrIsOp(op, "gpu.module"))
      mlirOperationDestroy(op);
    op = next;
  }
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

static bool sameCode(const XlaVulkanShader *shader,
                     const XlaVulkanWords *words) {
  return shader->nWords == words->nWords &&
         !memcmp(shader->words, words->words,
                 words->nWords * sizeof *words->words);
}

/// The shader with these words, which are taken or freed.
static intptr_t internShader(XlaVulkanCode *code, XlaVulkanWords *words,
                             const XlaVulkanDispatch *dispatch,
                             const char *label) {
  intptr_t i = 0;
  intptr_t nBindings = dispatch->nBindings;
  while (i < code->nShaders && !(code->shaders[i].nBindings == nBindings &&
                                 sameCode(&code->shaders[i], words)))
    ++i;
  if (i < code->nShaders)
    return i;
  size_t size = strlen(words->name) + strlen(label) + 4;
  char *name = *label ? malloc(size) : NULL;
  if (name) { // else the short one does
    snprintf(name, size, "%s (%s)", words->name, label);
    free((void *)(uintptr_t)words->name);
    words->name = name;
  }
  code->shaders[code->nShaders++] =
      (XlaVulkanShader){.words = words->words,
                        .nWords = words->nWords,
                        .entry = XLA_VULKAN_ENTRY,
                        .name = words->name,
                        .nBindings = nBindings,
                        .usesAddresses = dispatch->usesAddresses};
  words->words = NULL;
  words->name = NULL;
  return i;
}

static MlirLogicalResult takeShaders(MlirModule module, XlaVulkanCode *code,
                                     XlaVulkanWords *words, intptr_t n) {
  intptr_t next = 0;
  code->shaders = calloc((size_t)n + 1, sizeof *code->shaders);
  if (!code->shaders)
    return noMemory(module);
  for (intptr_t k = 0; k < code->nKernels; ++k)
    for (intptr_t d = 0; d < code->kernels[k].nDispatches; ++d) {
      XlaVulkanDispatch *dispatch = &code->kernels[k].dispatches[d];
      if (next == n) {
        mlirEmitError(mlirOperationGetLocation(mlirModuleGetOperation(module)),
                      "conversion to SPIR-V lost a shader");
        return mlirLogicalResultFailure();
      }
      dispatch->shader =
          internShader(code, &words[next++], dispatch, code->kernels[k].label);
    }
  return mlirLogicalResultSuccess();
}

static void show(MlirModule module, const XlaVulkanCodeOptions *options) {
  size_t size;
  if (!options->observe)
    return;
  char *text = xlaIrPrint(mlirModuleGetOperation(module), &size);
  if (text)
    options->observe("affine", ".mlir", text, size, options->user);
  free(text);
}

static MlirLogicalResult compile(MlirModule module, const XlaVulkanInfo *info,
                                 const XlaVulkanCodeOptions *options,
                                 XlaVulkanCode *code) {
  double start = xlaClockMilliseconds();
  if (mlirLogicalResultIsFailure(
          xlaVulkanScheduleKernels(module, info, false, code)))
    return mlirLogicalResultFailure();
  dropFunctions(module);
  if (options->verify && !mlirOperationVerify(mlirModuleGetOperation(module)))
    return mlirLogicalResultFailure();
  double scheduled = xlaClockMilliseconds();
  show(module, options);
  XlaVulkanSpirvOptions spirv = {options->verify, options->observe,
                                 options->user};
  XlaVulkanWords *words;
  intptr_t n;
  if (mlirLogicalResultIsFailure(
          xlaVulkanToWords(module, info, &spirv, &words, &n)))
    return mlirLogicalResultFailure();
  MlirLogicalResult result = takeShaders(module, code, words, n);
  xlaVulkanWordsFree(words, n);
  code->scheduleMs = scheduled - start;
  code->spirvMs = xlaClockMilliseconds() - scheduled;
  for (intptr_t i = 0; options->observe && i < code->nShaders; ++i)
    options->observe("shader", ".spv", (const char *)code->shaders[i].words,
                     4 * code->shaders[i].nWords, options->user);
  return result;
}

MlirLogicalResult xlaVulkanCompileKernels(MlirModule module,
                                          const XlaVulkanInfo *info,
                                          const XlaVulkanCodeOptions *options,
                                          XlaVulkanCode *code) {
  static const XlaVulkanCodeOptions none = {0};
  MlirLogicalResult result =
      compile(module, info, options ? options : &none, code);
  if (mlirLogicalResultIsFailure(result))
    xlaVulkanCodeDestroy(code);
  return result;
}

void xlaVulkanCodeDestroy(XlaVulkanCode *code) {
  for (intptr_t k = 0; k < code->nKernels; ++k) {
    XlaVulkanKernel *kernel = &code->kernels[k];
    for (intptr_t d = 0; d < kernel->nDispatches; ++d)
      free(kernel->dispatches[d].bindings);
    free(kernel->dispatches);
    free(kernel->constants);
    free((void *)(uintptr_t)kernel->name);
  }
  for (intptr_t i = 0; i < code->nShaders; ++i) {
    free((void *)(uintptr_t)code->shaders[i].words);
    free((void *)(uintptr_t)code->shaders[i].name);
  }
  free(code->kernels);
  free(code->shaders);
  memset(code, 0, sizeof *code);
}

//===- codegen.c - From functions over memrefs to machine code ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/codegen.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/mlir-c-ext/emitter.h"
#include "xlac/dialect/mlir-c-ext/hash.h"
#include "xlac/lowering/cpu/lower.h"
#include "xlac/lowering/cpu/shared.h"
#include "xlac/runtime/clock.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/RegisterEverything.h"
#include "mlir-c/Target/LLVMIR.h"
#include "llvm-c/Analysis.h"
#include "llvm-c/BitWriter.h"
#include "llvm-c/Core.h"
#include "llvm-c/Transforms/PassBuilder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What vector code needs and no more: loops are already scheduled, and LLVM's
/// standard lists would unroll and duplicate them again.
static const char lightPasses[] =
    "function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,"
    "simplifycfg,loop-mssa(licm),early-cse<memssa>,"
    "instcombine<no-verify-fixpoint>,simplifycfg)";

/// Bytes of an object whose emitter is used again.
enum { maxKept = 1 << 20 };

static const struct {
  const char *name, *suffix;
} stages[XLA_CPU_STAGE_COUNT] = {
    [XLA_CPU_STAGE_INPUT] = {"input", ".mlir"},
    [XLA_CPU_STAGE_MATH] = {"math", ".mlir"},
    [XLA_CPU_STAGE_LOWERED] = {"lowered", ".mlir"},
    [XLA_CPU_STAGE_LLVM] = {"llvm", ".ll"},
    [XLA_CPU_STAGE_OPTIMIZED] = {"optimized", ".ll"},
    [XLA_CPU_STAGE_OBJECT] = {"object", ".o"},
};

const char *xlaCpuStageName(int stage) {
  return stage >= 0 && stage < XLA_CPU_STAGE_COUNT ? stages[stage].name : NULL;
}

const char *xlaCpuStageSuffix(XlaCpuStage stage) {
  return stages[stage].suffix;
}

//===----------------------------------------------------------------------===//
// Observers and clocks
//===----------------------------------------------------------------------===//

/// One compilation.
typedef struct Compilation {
  MlirModule module;
  const XlaCpuTarget *target;
  const XlaCpuCodegenOptions *options;
  XlaCpuCodegenStats *stats;
  double since;        ///< when the running part began, in milliseconds
  XlaCpuShared shared; ///< functions that have been compiled before
  bool isSpent;        ///< LLVM reported an error: its passes are in no state
} Compilation;

/// Ends a part: its time goes to `*slot`.
static void lap(Compilation *c, double *slot) {
  double now = xlaClockMilliseconds();
  *slot = now - c->since;
  c->since = now;
}

static bool isObserved(const Compilation *c, XlaCpuStage stage) {
  return c->options->observe && c->options->observed >> stage & 1;
}

static void observeModule(Compilation *c, XlaCpuStage stage) {
  if (!isObserved(c, stage))
    return;
  size_t length;
  char *text = xlaIrPrint(mlirModuleGetOperation(c->module), &length);
  c->options->observe(stage, text ? text : "", length, c->options->user);
  free(text);
}

static void observeLLVM(Compilation *c, XlaCpuStage stage, LLVMModuleRef llvm) {
  if (!isObserved(c, stage))
    return;
  char *text = LLVMPrintModuleToString(llvm);
  c->options->observe(stage, text, strlen(text), c->options->user);
  LLVMDisposeMessage(text);
}

static MlirLogicalResult fail(Compilation *c, const char *what,
                              const char *message) {
  char *text = NULL;
  if (asprintf(&text, "%s: %s", what, message) < 0)
    text = NULL;
  mlirEmitError(mlirOperationGetLocation(mlirModuleGetOperation(c->module)),
                text ? text : what);
  free(text);
  return mlirLogicalResultFailure();
}

//===----------------------------------------------------------------------===//
// LLVM
//===----------------------------------------------------------------------===//

static void addString(LLVMValueRef function, const char *key,
                      const char *value) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAddAttributeAtIndex(
      function, LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(context, key, (unsigned)strlen(key), value,
                                (unsigned)strlen(value)));
}

/// A private function may be called memcpy or sinf; the library's is then still
/// the one that code generation calls.
static void renameInternal(LLVMValueRef function) {
  size_t size;
  const char *name = LLVMGetValueName2(function, &size);
  char *renamed = NULL;
  if (LLVMGetLinkage(function) != LLVMInternalLinkage ||
      asprintf(&renamed, "%.*s.internal", (int)size, name) < 0)
    return;
  LLVMSetValueName2(function, renamed, strlen(renamed));
  free(renamed);
}

/// LLVM takes the target from the machine for passes but from the function for
/// instruction selection; without the width it prefers 256 bits on many CPUs.
static void setFunctionAttributes(const Compilation *c, LLVMModuleRef llvm) {
  unsigned nounwind =
      LLVMGetEnumAttributeKindForName("nounwind", strlen("nounwind"));
  LLVMContextRef context = LLVMGetModuleContext(llvm);
  char width[16];
  snprintf(width, sizeof width, "%d", c->target->vectorBits);
  for (LLVMValueRef f = LLVMGetFirstFunction(llvm); f;
       f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f))
      continue;
    renameInternal(f);
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, nounwind, 0));
    addString(f, "target-cpu", c->target->cpu);
    addString(f, "target-features", c->target->features);
    addString(f, "prefer-vector-width", width);
  }
}

static MlirLogicalResult runPasses(Compilation *c, LLVMModuleRef llvm,
                                   LLVMTargetMachineRef machine) {
  LLVMPassBuilderOptionsRef builder = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetVerifyEach(builder, c->options->verify);
  LLVMErrorRef error = LLVMRunPasses(
      llvm, c->options->optimizeFully ? "default<O2>" : lightPasses, machine,
      builder);
  LLVMDisposePassBuilderOptions(builder);
  if (!error)
    return mlirLogicalResultSuccess();
  char *message = LLVMGetErrorMessage(error);
  MlirLogicalResult result = fail(c, "LLVM's passes failed", message);
  LLVMDisposeErrorMessage(message);
  return result;
}

static MlirLogicalResult verifyLLVM(Compilation *c, LLVMModuleRef llvm) {
  char *message = NULL;
  MlirLogicalResult result = mlirLogicalResultSuccess();
  if (c->options->verify &&
      LLVMVerifyModule(llvm, LLVMReturnStatusAction, &message))
    result = fail(c, "invalid LLVM IR", message);
  LLVMDisposeMessage(message);
  return result;
}

static MlirLogicalResult emit(Compilation *c, LLVMModuleRef llvm,
                              MlirExtEmitter *emitter, XlaCpuObject *out) {
  MlirStringRef object = mlirExtEmitterRun(emitter, llvm);
  if (!object.data)
    return fail(c, "code generation failed", "LLVM makes no objects of it");
  char *data = malloc(object.length);
  if (!data)
    return fail(c, "code generation failed", "out of memory");
  memcpy(data, object.data, object.length);
  *out = (XlaCpuObject){data, object.length};
  c->stats->objectBytes = object.length;
  if (isObserved(c, XLA_CPU_STAGE_OBJECT))
    c->options->observe(XLA_CPU_STAGE_OBJECT, data, object.length,
                        c->options->user);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult makeObject(Compilation *c, LLVMModuleRef llvm,
                                    MlirExtEmitter *emitter,
                                    XlaCpuObject *out) {
  MlirLogicalResult result =
      runPasses(c, llvm, mlirExtEmitterGetMachine(emitter));
  if (mlirLogicalResultIsSuccess(result))
    observeLLVM(c, XLA_CPU_STAGE_OPTIMIZED, llvm);
  lap(c, &c->stats->optimizeMs);
  if (mlirLogicalResultIsSuccess(result))
    result = emit(c, llvm, emitter, out);
  lap(c, &c->stats->codegenMs);
  return result;
}

/// All that the object depends on, if somebody wants to know.
static void hashInput(const Compilation *c, LLVMModuleRef llvm, uint8_t *hash) {
  // The last is that of what is done here, for kept code of former releases.
  unsigned version[4] = {[3] = 1};
  LLVMGetVersion(&version[0], &version[1], &version[2]);
  const char *passes = c->options->optimizeFully ? "default<O2>" : lightPasses;
  LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(llvm);
  MlirExtBytes pieces[] = {
      {version, sizeof version},
      {c->target->triple, strlen(c->target->triple) + 1},
      {c->target->cpu, strlen(c->target->cpu) + 1},
      {c->target->features, strlen(c->target->features) + 1},
      {passes, strlen(passes) + 1},
      {c->shared.hash, sizeof c->shared.hash},
      {LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer)}};
  mlirExtSha256(sizeof pieces / sizeof *pieces, pieces, hash);
  LLVMDisposeMemoryBuffer(buffer);
}

/// A copy of the kept object if it is of the same; false if there is none.
static bool takeKept(Compilation *c, const uint8_t *hash, XlaCpuObject *out) {
  const XlaKeptCode *kept = c->options->kept;
  if (!kept || memcmp(kept->hash, hash, sizeof kept->hash) != 0)
    return false;
  char *data = malloc(kept->size);
  if (!data)
    return false;
  memcpy(data, kept->data, kept->size);
  *out = (XlaCpuObject){data, kept->size};
  c->stats->objectBytes = kept->size;
  return true;
}

static MlirLogicalResult optimizeAndEmit(Compilation *c, LLVMModuleRef llvm,
                                         MlirExtEmitter *emitter,
                                         XlaCpuObject *out) {
  LLVMTargetDataRef layout =
      LLVMCreateTargetDataLayout(mlirExtEmitterGetMachine(emitter));
  LLVMSetTarget(llvm, c->target->triple);
  LLVMSetModuleDataLayout(llvm, layout);
  LLVMDisposeTargetData(layout);
  setFunctionAttributes(c, llvm);
  observeLLVM(c, XLA_CPU_STAGE_LLVM, llvm);
  MlirLogicalResult result = verifyLLVM(c, llvm);
  XlaKeptCode made = {{0}, NULL, 0};
  if (c->options->kept || c->options->keep)
    hashInput(c, llvm, made.hash);
  lap(c, &c->stats->translateMs);
  bool isKept =
      mlirLogicalResultIsSuccess(result) && takeKept(c, made.hash, out);
  if (!isKept && mlirLogicalResultIsSuccess(result))
    result = makeObject(c, llvm, emitter, out);
  if (c->options->keep && mlirLogicalResultIsSuccess(result)) {
    made.data = out->data;
    made.size = out->size;
    c->options->keep(&made, c->options->keepUser);
  }
  return result;
}

/// LLVM's own reports (inline assembly, stack sizes) become diagnostics.
static void onDiagnostic(LLVMDiagnosticInfoRef info, void *user) {
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
    return;
  Compilation *c = user;
  char *message = LLVMGetDiagInfoDescription(info);
  c->isSpent = true;
  fail(c, "LLVM", message);
  LLVMDisposeMessage(message);
}

static MlirLogicalResult translateAndEmit(Compilation *c, XlaCpuObject *out) {
  mlirRegisterAllLLVMTranslations(mlirModuleGetContext(c->module));
  LLVMContextRef context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(context, onDiagnostic, c);
  LLVMModuleRef llvm =
      mlirTranslateModuleToLLVMIR(mlirModuleGetOperation(c->module), context);
  MlirLogicalResult result;
  if (!llvm) {
    result =
        fail(c, "translation to LLVM IR failed", "an op has no translation");
  } else {
    MlirExtEmitter *emitter = xlaCpuTargetTakeEmitter(c->target);
    result = optimizeAndEmit(c, llvm, emitter, out);
    // The passes keep memory for as much as they have seen.
    if (c->isSpent || out->size > maxKept)
      mlirExtEmitterDestroy(emitter);
    else
      xlaCpuTargetGiveEmitter(c->target, emitter);
    LLVMDisposeModule(llvm);
  }
  LLVMContextDispose(context);
  return result;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

static MlirLogicalResult emitObject(Compilation *c, XlaCpuObject *out) {
  XlaCpuModuleUse use;
  observeModule(c, XLA_CPU_STAGE_INPUT);
  c->since = xlaClockMilliseconds();
  if (mlirLogicalResultIsFailure(
          xlaCpuPrepareModule(c->module, c->target, &use)))
    return mlirLogicalResultFailure();
  lap(c, &c->stats->mathMs);
  observeModule(c, XLA_CPU_STAGE_MATH);
  c->since = xlaClockMilliseconds();
  if (mlirLogicalResultIsFailure(xlaCpuLowerToLLVMDialect(
          c->module, &use, c->target, c->options->verify)))
    return mlirLogicalResultFailure();
  lap(c, &c->stats->mlirMs);
  observeModule(c, XLA_CPU_STAGE_LOWERED);
  c->since = xlaClockMilliseconds();
  return translateAndEmit(c, out);
}

static Compilation begin(MlirModule module, const XlaCpuTarget *target,
                         const XlaCpuCodegenOptions *options,
                         XlaCpuCodegenStats *stats) {
  static const XlaCpuCodegenOptions defaults = {0};
  memset(stats, 0, sizeof *stats);
  return (Compilation){.module = module,
                       .target = target,
                       .options = options ? options : &defaults,
                       .stats = stats};
}

MlirLogicalResult xlaCpuEmitObject(MlirModule module,
                                   const XlaCpuTarget *target,
                                   const XlaCpuCodegenOptions *options,
                                   XlaCpuCodegenStats *stats,
                                   XlaCpuObject *out) {
  XlaCpuCodegenStats unused;
  *out = (XlaCpuObject){NULL, 0};
  Compilation c = begin(module, target, options, stats ? stats : &unused);
  return emitObject(&c, out);
}

void xlaCpuObjectDestroy(XlaCpuObject *object) {
  free(object->data);
  *object = (XlaCpuObject){NULL, 0};
}

/// The name of a function with a body that callers can look up; NULL if none.
static char *firstEntry(MlirModule module) {
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute name = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString("sym_name"));
    MlirAttribute visibility = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString("sym_visibility"));
    if (!xlaIrIsOp(op, "func.func") || !mlirAttributeIsNull(visibility) ||
        mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0))))
      continue;
    MlirStringRef text = mlirStringAttrGetValue(name);
    return strndup(text.data, text.length);
  }
  return NULL;
}

static MlirLogicalResult linkObject(Compilation *c, const XlaCpuObject *object,
                                    const char *entry, XlaCpuCode **out) {
  intptr_t n = c->options->nSymbols;
  XlaCpuSymbol *symbols =
      calloc((size_t)(n + c->shared.n) + 1, sizeof *symbols);
  char *error = NULL;
  if (symbols) {
    if (n)
      memcpy(symbols, c->options->symbols, (size_t)n * sizeof *symbols);
    if (c->shared.n)
      memcpy(symbols + n, c->shared.symbols,
             (size_t)c->shared.n * sizeof *symbols);
    *out = xlaCpuCodeLink(object->data, object->size, n + c->shared.n, symbols,
                          entry, &error);
  }
  free(symbols);
  if (*out)
    return mlirLogicalResultSuccess();
  MlirLogicalResult result =
      fail(c, "linking failed", error ? error : "out of memory");
  free(error);
  return result;
}

MlirLogicalResult xlaCpuCompileModule(MlirModule module,
                                      const XlaCpuTarget *target,
                                      const XlaCpuCodegenOptions *options,
                                      XlaCpuCodegenStats *stats,
                                      XlaCpuCode **out) {
  XlaCpuCodegenStats unused;
  *out = NULL;
  Compilation c = begin(module, target, options, stats ? stats : &unused);
  // Who looks on sees all of it.
  if (!c.options->observe && !c.options->optimizeFully &&
      mlirLogicalResultIsFailure(
          xlaCpuSharedTake(module, target, c.options->verify, &c.shared)))
    return mlirLogicalResultFailure();
  char *entry = firstEntry(module);
  XlaCpuObject object = {NULL, 0};
  MlirLogicalResult result = emitObject(&c, &object);
  if (mlirLogicalResultIsSuccess(result)) {
    result = linkObject(&c, &object, entry, out);
    lap(&c, &c.stats->linkMs);
  }
  if (*out)
    xlaCpuCodeUse(*out, &c.shared);
  else
    xlaCpuSharedRelease(&c.shared);
  xlaCpuObjectDestroy(&object);
  free(entry);
  return result;
}

//===- self_test.c - Does this machine compute rightly? -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation that the generator of random programs knows runs on every
// element type, in a program with inputs of its own, and is compared with the
// reference evaluator. What is found is a row an operation, printed as it goes:
// a driver that crashes does so behind the name of an operation.
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/diagnostics.h"
#include "xlac/tools/common/input.h"
#include "xlac/tools/xla-gen/program.h"
#include "xlac/tools/xla-run/run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// A column of the table.
static const struct {
  const char *name;
  XlaElementType type;
} columns[] = {
    {"pred", XlaElementTypePred},     {"s4", XlaElementTypeS4},
    {"u2", XlaElementTypeU2},         {"s8", XlaElementTypeS8},
    {"u8", XlaElementTypeU8},         {"s16", XlaElementTypeS16},
    {"s32", XlaElementTypeS32},       {"u32", XlaElementTypeU32},
    {"s64", XlaElementTypeS64},       {"u64", XlaElementTypeU64},
    {"f8e5m2", XlaElementTypeF8E5M2}, {"f16", XlaElementTypeF16},
    {"bf16", XlaElementTypeBF16},     {"f32", XlaElementTypeF32},
    {"f64", XlaElementTypeF64},       {"c64", XlaElementTypeC64},
};
enum { nColumns = sizeof columns / sizeof *columns, seed = 1 };

/// Operations of a program: results of some are operands of others. One of
/// complex numbers: of large parts a device gets NaN where the interpreter,
/// which computes in f64, gets an infinity or a number.
static int opsOf(XlaElementType type) {
  return xlaElementTypeIsComplex(type) ? 1 : 4;
}

/// The same of squares and logarithms of any numbers.
static bool isComparable(XlaOpKind kind, XlaElementType type) {
  return !xlaElementTypeIsComplex(type) ||
         (kind != XlaOpKindAtan2 && kind != XlaOpKindPower);
}

/// Sizes of dimensions: whole vectors, parts of them, and none.
static const int64_t extents[] = {1, 2, 5, 16, 33, 64, 129};

//===----------------------------------------------------------------------===//
// One program
//===----------------------------------------------------------------------===//

/// The first error of a program.
static MlirLogicalResult keepFirst(MlirDiagnostic diagnostic, void *user) {
  MlirStringRef *room = user;
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError &&
      !room->data[0])
    xlaDiagnosticsText(diagnostic, (char *)room->data, room->length);
  return mlirLogicalResultSuccess();
}

static XlaToolCode runOn(XlaRun *run, const XlaRunDevice *device,
                         MlirOperation function, const XlaProgramValues *inputs,
                         XlaProgramValues *results) {
  XlaToolCode code =
      xlaProgramValuesCreate(&run->program, function, true, results);
  return code == XlaToolCodeOk
             ? xlaRunOnDevice(run, device, function, inputs->count,
                              (const XlaLiteral *const *)inputs->items,
                              results->count, results->items, NULL)
             : code;
}

/// Runs the function on both, with random inputs.
static XlaToolCode compare(XlaRun *run, const XlaRunDevice *device,
                           MlirOperation function, bool *reached) {
  const uint64_t from = seed;
  XlaToolValues none = {0};
  XlaProgramValues inputs = {.count = 0}, expected = {.count = 0},
                   got = {.count = 0};
  XlaToolCode code =
      xlaProgramValuesCreate(&run->program, function, false, &inputs);
  if (code == XlaToolCodeOk)
    code = xlaProgramValuesRead(function, &none, &from, &inputs);
  if (code == XlaToolCodeOk)
    code = runOn(run, xlaRunDevices[0], function, &inputs, &expected);
  *reached = code == XlaToolCodeOk;
  if (code == XlaToolCodeOk)
    code = runOn(run, device, function, &inputs, &got);
  if (code == XlaToolCodeOk)
    code = xlaRunValuesAgree(run, device, function, &inputs, &got, &expected,
                             NULL);
  xlaProgramValuesDestroy(&inputs);
  xlaProgramValuesDestroy(&expected);
  xlaProgramValuesDestroy(&got);
  return code;
}

XlaToolCode xlaRunTestModule(XlaRun *run, const XlaRunDevice *device,
                             MlirModule module, char why[512]) {
  XlaProgram before = run->program;
  MlirContext context = mlirModuleGetContext(module);
  MlirStringRef room = {why, 512};
  MlirOperation function;
  bool reached = false;
  why[0] = 0;
  run->program = (XlaProgram){
      .name = "self-test", .text = "", .context = context, .module = module};
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, keepFirst, &room, NULL);
  XlaToolCode code = xlaProgramFindEntry(&run->program, "main", &function);
  if (code == XlaToolCodeOk)
    code = compare(run, device, function, &reached);
  // What the interpreter does not compute says nothing of the device.
  if (code == XlaToolCodeRefused && !reached)
    code = XlaToolCodeFailed;
  mlirContextDetachDiagnosticHandler(context, handler);
  run->program = before;
  return code;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

typedef struct Find {
  XlaOpKind kind;
  bool found;
} Find;

static MlirWalkResult find(MlirOperation op, void *user) {
  Find *f = user;
  f->found |= xlaOpGetKind(op) == f->kind;
  return f->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// A program with the operation on the element type; null if it takes none.
static MlirModule makeModule(MlirContext context, XlaOpKind kind,
                             XlaElementType type) {
  XlaGenOptions options = xlaGenOptionsDefault();
  memset(options.allowedOps, 0, sizeof options.allowedOps);
  memset(options.allowedTypes, 0, sizeof options.allowedTypes);
  options.allowedOps[kind] = options.allowedTypes[type] = true;
  options.seed = seed;
  options.ops = opsOf(type);
  options.maxElements = 10000;
  options.nExtents = sizeof extents / sizeof *extents;
  memcpy(options.extents, extents, sizeof extents);
  options.bakesInputs = true;
  MlirModule module = xlaGenModule(context, &options, NULL);
  Find f = {kind, false};
  if (mlirModuleIsNull(module))
    return module;
  mlirOperationWalk(mlirModuleGetOperation(module), find, &f, MlirWalkPreOrder);
  if (f.found)
    return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}

const char *xlaRunCountsAdd(XlaRunCounts *counts, XlaToolCode code) {
  switch (code) {
  case XlaToolCodeOk:
    ++counts->right;
    return "ok";
  case XlaToolCodeDiffers:
    ++counts->wrong;
    return "WRONG";
  case XlaToolCodeRefused:
    ++counts->refused;
    return "no";
  case XlaToolCodeWrong:
  case XlaToolCodeFailed:
    break;
  }
  ++counts->failed;
  return "FAIL";
}

/// The program that showed what is wrong, for whoever looks into it.
static void printCommand(XlaOpKind kind, int column, const char *why) {
  printf("\n  xla-gen --seed=%d --ops=%d --bake --max-elements=10000 "
         "--extents=1,2,5,16,33,64,129 --only=%s --types=%s\n",
         seed, opsOf(columns[column].type), xlaOpGetInfo(kind)->name,
         columns[column].name);
  if (*why)
    printf("  %s\n", why);
}

static void testRow(XlaRun *run, const XlaRunDevice *device,
                    MlirContext context, XlaOpKind kind, XlaRunCounts *counts) {
  printf("%-25s", xlaOpGetInfo(kind)->name);
  xlaToolClockSetSubject(run->clock, xlaOpGetInfo(kind)->name);
  // Nobody waits for what cannot be written.
  for (int c = 0; c < nColumns && !fflush(stdout); ++c) {
    char why[512];
    MlirModule module = isComparable(kind, columns[c].type)
                            ? makeModule(context, kind, columns[c].type)
                            : (MlirModule){NULL};
    if (mlirModuleIsNull(module)) {
      printf("%7s", "");
      continue;
    }
    XlaToolCode code = xlaRunTestModule(run, device, module, why);
    printf("%7s", xlaRunCountsAdd(counts, code));
    if (code != XlaToolCodeOk && code != XlaToolCodeRefused)
      printCommand(kind, c, why);
    mlirModuleDestroy(module);
  }
  printf("\n");
}

static MlirContext createContext(void) {
  MlirDialectRegistry registry = xlaToolsProgramDialects();
  MlirContext context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  return context;
}

static void printDevice(XlaRun *run, const XlaRunDevice *device) {
  XlaCpuTarget *target;
  XlaStatus status =
      xlaCpuTargetCreate(&run->options.call.machine.cpu, &target);
  if (device == &xlaRunVulkan)
    printf("vulkan: %s\n", xlaVulkanDeviceGetInfo(run->vulkan)->name);
  else if (!status)
    printf("%s: code for %s, vectors of %d bits, %d threads\n", device->name,
           *target->cpu ? target->cpu : target->triple, target->vectorBits,
           target->threads);
  xlaStatusDestroy(status);
  xlaCpuTargetDestroy(target);
  printf("ok: as the reference evaluator computes it; no: refused; empty: no "
         "such element type\n");
}

static void printColumns(void) {
  printf("\n%-25s", "operation");
  for (int c = 0; c < nColumns; ++c)
    printf("%7s", columns[c].name);
  printf("\n");
}

/// The worst of what programs ended in.
static XlaToolCode codeOf(const XlaRunCounts *counts) {
  return counts->failed  ? XlaToolCodeFailed
         : counts->wrong ? XlaToolCodeDiffers
                         : XlaToolCodeOk;
}

static XlaToolCode testDevice(XlaRun *run, const XlaRunDevice *device) {
  XlaRunCounts counts = {0};
  MlirContext context = createContext();
  printDevice(run, device);
  xlaRunTestPrograms(run, device, context, &counts);
  mlirContextDestroy(context);
  printColumns();
  for (XlaOpKind kind = 1; kind < XlaOpKindCount && !ferror(stdout); ++kind) {
    if (!xlaGenHasHook(kind))
      continue;
    context = createContext();
    testRow(run, device, context, kind, &counts);
    mlirContextDestroy(context);
  }
  context = createContext();
  xlaToolClockSetSubject(run->clock, "speed");
  XlaToolCode code = xlaRunTestSpeed(run, device, context, &counts);
  mlirContextDestroy(context);
  printf("\n%s: %d programs are right, %d wrong, %d refused, %d failed\n\n",
         device->name, counts.right, counts.wrong, counts.refused,
         counts.failed);
  return code == XlaToolCodeOk ? codeOf(&counts) : code;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

XlaToolCode xlaRunSelfTest(XlaRun *run) {
  const char *wanted = run->options.selfTest;
  const XlaRunDevice *only = *wanted ? xlaRunDeviceFind(wanted) : NULL;
  XlaToolCode worst = XlaToolCodeOk;
  if (*wanted && !only)
    return XlaToolCodeWrong;
  // On a terminal the table itself shows how far it is.
  xlaToolClockSetQuiet(run->clock, isatty(STDOUT_FILENO));
  for (int i = 0; xlaRunDevices[i]; ++i) {
    const XlaRunDevice *device = xlaRunDevices[i];
    const char *colon = strchr(wanted, ':');
    char why[512];
    if (only ? device != only : i == 0)
      continue;
    XlaToolCode code = device->open(run, colon ? colon + 1 : NULL, why);
    if (code == XlaToolCodeOk)
      code = testDevice(run, device);
    else if (only || code == XlaToolCodeFailed)
      xlaToolError(code, "device %s: %s", device->name, why);
    else
      printf("%s is left out: %s\n", device->name, why);
    if (only || code != XlaToolCodeRefused)
      worst = code > worst ? code : worst;
  }
  return worst;
}

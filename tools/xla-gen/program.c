//===- program.c - Random programs ----------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-gen/gen.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maxInputs = 5, maxResults = 8 };

XlaGenOptions xlaGenOptionsDefault(void) {
  XlaGenOptions options = {.seed = 1, .count = 1, .maxElements = 2000};
  for (XlaOpKind kind = 1; kind < XlaOpKindCount; ++kind)
    options.allowedOps[kind] = xlaGenHasHook(kind);
  for (XlaElementType type = 1; type < XlaElementTypeCount; ++type)
    options.allowedTypes[type] = true;
  return options;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static void addFunction(XlaIr *module, const char *name, bool isPublic,
                        MlirType type, MlirRegion body) {
  XlaIrAttr attrs[3] = {
      {"sym_name", xlaIrStringAttr(module->context, name)},
      {"function_type", mlirTypeAttrGet(type)},
      {"sym_visibility", xlaIrStringAttr(module->context, "private")}};
  xlaIrCreate(module, "func.func", 0, NULL, 0, NULL, isPublic ? 2 : 3, attrs, 1,
              &body);
}

/// Most programs have only types that compiled code has, and few of them.
static void choosePalette(XlaGen *gen) {
  static const XlaElementType usual[] = {
      XlaElementTypeF32, XlaElementTypeF32,  XlaElementTypeF32,
      XlaElementTypeS32, XlaElementTypeS32,  XlaElementTypePred,
      XlaElementTypeF16, XlaElementTypeBF16, XlaElementTypeF64,
      XlaElementTypeS8,  XlaElementTypeU8,   XlaElementTypeS16,
      XlaElementTypeU16, XlaElementTypeU32,  XlaElementTypeS64,
      XlaElementTypeU64};
  bool any = !xlaGenBelow(gen, 6), some = false;
  for (XlaElementType type = 1; type < XlaElementTypeCount; ++type) {
    bool isUsual = false;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; ++i)
      isUsual |= usual[i] == type;
    gen->types[type] = gen->options->allowedTypes[type] && (any || isUsual);
    some |= gen->types[type];
  }
  if (!some)
    memcpy(gen->types, gen->options->allowedTypes, sizeof gen->types);
  int n = 1 + xlaGenBelow(gen, 4);
  for (int i = 0; i < n; ++i) {
    XlaElementType type = usual[xlaGenBelow(gen, sizeof usual / sizeof *usual)];
    if (any || !gen->types[type])
      type = xlaGenElementType(gen, ~0u);
    gen->palette[i] = type;
  }
  gen->nPalette = n;
  gen->extent = xlaGenBelow(gen, 3) ? 0 : 2 + xlaGenBelow(gen, 3);
}

static bool isUsed(const XlaGenValue *value) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(value->value));
}

/// What nothing uses, the last values first; the last one in any case.
static int chooseResults(const XlaGen *gen, MlirValue *results) {
  int n = 0;
  for (int i = gen->nValues - 1; i >= 0 && n < maxResults; --i)
    if (i == gen->nValues - 1 || !isUsed(&gen->values[i]))
      results[n++] = gen->values[i].value;
  return n;
}

static MlirType signatureType(MlirContext context,
                              const XlaGenSignature *signature) {
  MlirType inputs[maxInputs], results[maxResults];
  for (int i = 0; i < signature->nInputs; ++i)
    inputs[i] = xlaShapeToMlir(&signature->inputs[i], context);
  for (int i = 0; i < signature->nResults; ++i)
    results[i] = xlaShapeToMlir(&signature->results[i], context);
  return mlirFunctionTypeGet(context, signature->nInputs, inputs,
                             signature->nResults, results);
}

/// The input as a constant that nothing folds into what uses it.
static XlaGenValue baked(XlaGen *gen, int index, const XlaShape *shape) {
  XlaLiteral *literal = xlaGenInput(gen->seed, index, shape);
  MlirAttribute attr = xlaLiteralToAttribute(literal, gen->ir.context);
  xlaLiteralRelease(literal);
  MlirType type = mlirAttributeGetType(attr);
  MlirValue constant = xlaIrOp(&gen->ir, "xla.constant", type, 0, NULL, 1,
                               &(XlaIrAttr){"value", attr});
  return xlaGenValueOf(xlaIrOp(&gen->ir, "xla.optimization_barrier", type, 1,
                               &constant, 0, NULL));
}

/// Adds the program of gen->seed as the function `name`.
static void addProgram(XlaGen *gen, const char *name, bool isPublic,
                       XlaGenSignature *signature) {
  *signature = (XlaGenSignature){.seed = gen->seed};
  choosePalette(gen);
  xlaGenChooseFamilies(gen);
  int nOps = gen->options->ops ? gen->options->ops : 1 + xlaGenBelow(gen, 30);
  int nInputs = 1 + xlaGenBelow(gen, maxInputs);
  MlirType types[maxInputs];
  XlaShape shapes[maxInputs] = {{.rank = 0}};
  for (int i = 0; i < nInputs; ++i) {
    // Some are alike, so that operations of two find them.
    shapes[i] = xlaGenShape(gen, xlaGenElementType(gen, ~0u));
    if (i && xlaGenBelow(gen, 2))
      shapes[i] = shapes[xlaGenBelow(gen, i)];
    types[i] = xlaShapeToMlir(&shapes[i], gen->ir.context);
  }
  MlirBlock block = gen->ir.block;
  bool bakes = gen->options->bakesInputs;
  XlaGenScope scope = xlaGenEnter(gen, bakes ? 0 : nInputs, types, true);
  for (int i = 0; bakes && i < nInputs; ++i)
    xlaGenAdd(gen, baked(gen, i, &shapes[i]));
  gen->depth = 0;
  gen->left = nOps;
  xlaGenStatements(gen, nOps);
  MlirValue results[maxResults];
  signature->nInputs = bakes ? 0 : nInputs;
  memcpy(signature->inputs, shapes, sizeof shapes);
  signature->nResults = chooseResults(gen, results);
  for (int i = 0; i < signature->nResults; ++i)
    signature->results[i] = xlaGenValueOf(results[i]).shape;
  xlaIrCreate(&gen->ir, "func.return", signature->nResults, results, 0, NULL, 0,
              NULL, 0, NULL);
  gen->ir.block = block;
  addFunction(&gen->ir, name, isPublic,
              signatureType(gen->ir.context, signature), scope.region);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// @main, which calls the functions of all programs.
static void addMain(XlaIr module, int count,
                    const XlaGenSignature *signatures) {
  intptr_t nInputs = 0, nResults = 0;
  size_t room = (size_t)count * maxResults + 1;
  MlirType *types = malloc(room * sizeof *types);
  MlirType *resultTypes = malloc(room * sizeof *resultTypes);
  MlirLocation *locations = malloc(room * sizeof *locations);
  MlirValue *results = malloc(room * sizeof *results);
  if (!types || !resultTypes || !locations || !results)
    goto done;
  for (int p = 0; p < count; ++p)
    for (int i = 0; i < signatures[p].nInputs; ++i) {
      types[nInputs] = xlaShapeToMlir(&signatures[p].inputs[i], module.context);
      locations[nInputs++] = module.location;
    }
  MlirBlock block = mlirBlockCreate(nInputs, types, locations);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  XlaIr ir = xlaIrIn(module, block);
  intptr_t at = 0;
  for (int p = 0; p < count; ++p) {
    const XlaGenSignature *signature = &signatures[p];
    char name[40];
    MlirValue arguments[maxInputs];
    MlirType given[maxResults];
    snprintf(name, sizeof name, "p%llu", (unsigned long long)signature->seed);
    for (int i = 0; i < signature->nInputs; ++i)
      arguments[i] = mlirBlockGetArgument(block, at++);
    for (int i = 0; i < signature->nResults; ++i)
      given[i] = xlaShapeToMlir(&signature->results[i], module.context);
    XlaIrAttr callee = {
        "callee", mlirFlatSymbolRefAttrGet(
                      module.context, mlirStringRefCreateFromCString(name))};
    MlirOperation call =
        xlaIrCreate(&ir, "func.call", signature->nInputs, arguments,
                    signature->nResults, given, 1, &callee, 0, NULL);
    for (int i = 0; i < signature->nResults; ++i) {
      resultTypes[nResults] = given[i];
      results[nResults++] = mlirOperationGetResult(call, i);
    }
  }
  xlaIrCreate(&ir, "func.return", nResults, results, 0, NULL, 0, NULL, 0, NULL);
  addFunction(&module, "main", true,
              mlirFunctionTypeGet(module.context, nInputs, types, nResults,
                                  resultTypes),
              region);
done:
  free(types);
  free(resultTypes);
  free(locations);
  free(results);
}

/// Operations that do not verify are dropped, their messages too.
static MlirLogicalResult swallow(MlirDiagnostic diagnostic, void *data) {
  (void)diagnostic;
  (void)data;
  return mlirLogicalResultSuccess();
}

MlirModule xlaGenModule(MlirContext context, const XlaGenOptions *options,
                        XlaGenSignature *signatures) {
  XlaGenSignature *made = signatures;
  XlaGen *gen = malloc(sizeof *gen);
  if (!made)
    made = malloc((size_t)options->count * sizeof *made);
  MlirModule module = {.ptr = NULL};
  if (!gen || !made)
    goto done;
  MlirLocation location = mlirLocationUnknownGet(context);
  mlirContextGetOrLoadDialect(context, mlirStringRefCreateFromCString("xla"));
  mlirContextGetOrLoadDialect(context, mlirStringRefCreateFromCString("func"));
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, swallow, NULL, NULL);
  module = mlirModuleCreateEmpty(location);
  XlaIr ir = xlaIrAtEnd(context, location, mlirModuleGetBody(module));
  for (int i = 0; i < options->count; ++i) {
    char name[40];
    uint64_t seed = options->seed + (uint64_t)i;
    *gen = (XlaGen){.options = options,
                    .ir = ir,
                    .module = mlirModuleGetBody(module),
                    .seed = seed,
                    .random = xlaGenNext(&(uint64_t){~seed}),
                    .varyRandom = seed ^ (uint64_t)options->variation << 48};
    snprintf(name, sizeof name, "p%llu", (unsigned long long)seed);
    bool single = options->count == 1;
    addProgram(gen, single ? "main" : name, single, &made[i]);
  }
  if (options->count != 1)
    addMain(ir, options->count, made);
  mlirContextDetachDiagnosticHandler(context, handler);
done:
  if (made != signatures)
    free(made);
  free(gen);
  return module;
}

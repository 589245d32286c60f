//===- emit.c - Modules of xla from HLO -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/emit.h"
#include "xlac/passes/import/stablehlo.h"
#include "xlac/passes/replicas.h"

#include "xlac/dialect/layout.h"

#include "mlir-c/Diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

bool xlaHloEmitterFail(XlaHloEmitter *emitter, XlaImportResult result,
                       MlirLocation location, const char *message) {
  if (emitter->result == XlaImportResultOk)
    mlirEmitError(location, message);
  emitter->result = result;
  return false;
}

//===----------------------------------------------------------------------===//
// Places and types
//===----------------------------------------------------------------------===//

MlirLocation xlaHloPlaceOf(const XlaHloEmitter *emitter, uint32_t line,
                           uint32_t column) {
  return line ? mlirLocationFileLineColGet(emitter->context, emitter->file,
                                           line, column)
              : mlirLocationUnknownGet(emitter->context);
}

/// The place in the text, called from that in the source which it came from,
/// under the name of the operation that the user wrote.
MlirLocation xlaHloLocation(const XlaHloEmitter *emitter,
                            const XlaHloInstruction *in) {
  MlirLocation place = xlaHloPlaceOf(emitter, in->line, in->column);
  MlirStringRef name = in->name;
  const XlaHloMetadata *metadata = in->metadata;
  if (metadata && metadata->sourceFile.length) {
    MlirLocation source = mlirLocationFileLineColGet(
        emitter->context, metadata->sourceFile, metadata->sourceLine, 0);
    place = in->line ? mlirLocationCallSiteGet(place, source) : source;
  }
  if (metadata && metadata->opName.length &&
      in->opcode != XlaHloOpcodeParameter)
    name = metadata->opName;
  return mlirLocationNameGet(emitter->context, name, place);
}

static MlirType arrayType(MlirContext context, const XlaHloShape *shape,
                          bool withLayout) {
  XlaShape array = xlaHloShapeGetArray(shape);
  if (withLayout && shape->minorToMajor && !array.dynamic) {
    XlaLayout layout = xlaLayoutMake(shape->rank, shape->minorToMajor);
    return xlaShapeToMlirWithLayout(&array, &layout, context);
  }
  return xlaShapeToMlirBounded(&array, context);
}

MlirType xlaHloType(MlirContext context, const XlaHloShape *shape,
                    bool withLayout) {
  if (shape->kind == XlaHloShapeKindToken)
    return xlaTokenTypeGet(context);
  if (shape->kind == XlaHloShapeKindArray)
    return arrayType(context, shape, withLayout);
  MlirType *types = malloc(((size_t)shape->nElements + 1) * sizeof *types);
  if (!types)
    return (MlirType){NULL};
  for (uint32_t i = 0; i < shape->nElements; ++i)
    types[i] = xlaHloType(context, shape->elements[i], withLayout);
  MlirType tuple = mlirTupleTypeGet(context, shape->nElements, types);
  free(types);
  return tuple;
}

void xlaHloLeafTypes(MlirContext context, const XlaHloShape *shape,
                     MlirType *types, intptr_t *n) {
  if (shape->kind != XlaHloShapeKindTuple)
    types[(*n)++] = xlaHloType(context, shape, false);
  for (uint32_t i = 0; i < shape->nElements; ++i)
    xlaHloLeafTypes(context, shape->elements[i], types, n);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A name that no computation has in place of main, which is ENTRY's.
static MlirAttribute makeSymbol(XlaHloEmitter *emitter, MlirStringRef name) {
  const XlaHloModule *program = emitter->program;
  char text[32];
  for (int i = 0; mlirStringRefEqual(name, str("main")) || i; ++i) {
    snprintf(text, sizeof text, "main.%d", i);
    size_t k = 0;
    while (k < program->n &&
           !mlirStringRefEqual(program->computations[k].name, str(text)))
      ++k;
    if (k == program->n) {
      name = str(text);
      break;
    }
  }
  return mlirFlatSymbolRefAttrGet(emitter->context, name);
}

MlirAttribute xlaHloFunction(XlaHloEmitter *emitter, uint32_t computation) {
  XlaHloUse *use = &emitter->uses[computation];
  if (emitter->isInferring)
    return makeSymbol(emitter,
                      emitter->program->computations[computation].name);
  if (!use->isFunction) {
    use->isFunction = true;
    use->symbol =
        makeSymbol(emitter, emitter->program->computations[computation].name);
    emitter->functions[emitter->nFunctions++] = computation;
  }
  return use->symbol;
}

/// A function whose block has the types of `computation`'s parameters: one an
/// leaf or, of ENTRY, one a parameter.
typedef struct Function {
  const XlaHloComputation *computation;
  MlirLocation location;
  MlirRegion region;
  MlirBlock block;
  MlirValue *arguments; ///< leaves
  intptr_t n;
} Function;

static uint64_t countArguments(const XlaHloComputation *computation) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < computation->nParameters; ++i)
    n += computation->instructions[computation->parameters[i]].shape->nLeaves;
  return n;
}

/// The leaves of a tuple, by get_tuple_element; of an array itself, without its
/// layout.
static void takeApart(XlaIr *ir, const XlaHloShape *shape, MlirValue value,
                      MlirValue *leaves, intptr_t *n) {
  if (shape->kind != XlaHloShapeKindTuple) {
    MlirType type = xlaHloType(ir->context, shape, false);
    bool same = mlirTypeEqual(type, mlirValueGetType(value));
    leaves[(*n)++] = same ? value : xlaIrCast(ir, "xla.reshape", value, type);
    return;
  }
  for (uint32_t i = 0; i < shape->nElements; ++i) {
    XlaIrAttr index = {"index", xlaIrI64Attr(ir->context, i)};
    MlirValue element =
        xlaIrOp(ir, "xla.get_tuple_element",
                xlaHloType(ir->context, shape->elements[i], true), 1, &value, 1,
                &index);
    takeApart(ir, shape->elements[i], element, leaves, n);
  }
}

/// The inverse, with layouts.
static MlirValue putTogether(XlaIr *ir, const XlaHloShape *shape,
                             const MlirValue **leaves) {
  MlirType type = xlaHloType(ir->context, shape, true);
  if (shape->kind != XlaHloShapeKindTuple) {
    MlirValue value = *(*leaves)++;
    return mlirTypeEqual(type, mlirValueGetType(value)) || xlaTypeIsToken(type)
               ? value
               : xlaIrCast(ir, "xla.reshape", value, type);
  }
  MlirValue *elements =
      malloc(((size_t)shape->nElements + 1) * sizeof *elements);
  for (uint32_t i = 0; elements && i < shape->nElements; ++i)
    elements[i] = putTogether(ir, shape->elements[i], leaves);
  MlirValue tuple = xlaIrOp(ir, "xla.tuple", type,
                            elements ? shape->nElements : 0, elements, 0, NULL);
  free(elements);
  return tuple;
}

static void addArguments(XlaHloEmitter *emitter, Function *function,
                         bool isEntry) {
  const XlaHloComputation *computation = function->computation;
  XlaIr ir = xlaIrAtEnd(emitter->context, function->location, function->block);
  for (uint32_t i = 0; i < computation->nParameters; ++i) {
    const XlaHloInstruction *parameter =
        &computation->instructions[computation->parameters[i]];
    ir.location = xlaHloLocation(emitter, parameter);
    if (isEntry) {
      MlirType type = xlaHloType(emitter->context, parameter->shape, true);
      MlirValue value =
          mlirBlockAddArgument(function->block, type, ir.location);
      takeApart(&ir, parameter->shape, value, function->arguments,
                &function->n);
      continue;
    }
    intptr_t n = 0;
    MlirType *types =
        malloc(((size_t)parameter->shape->nLeaves + 1) * sizeof *types);
    if (types)
      xlaHloLeafTypes(emitter->context, parameter->shape, types, &n);
    for (intptr_t k = 0; k < n; ++k)
      function->arguments[function->n++] =
          mlirBlockAddArgument(function->block, types[k], ir.location);
    free(types);
  }
}

/// `xla.donated` for the parameters whose memory results may take; null if
/// there are none.
static MlirAttribute argumentAttributes(const XlaHloEmitter *emitter,
                                        intptr_t n) {
  const XlaHloModule *program = emitter->program;
  MlirContext context = emitter->context;
  MlirNamedAttribute donated = mlirNamedAttributeGet(
      mlirIdentifierGet(context, str("xla.donated")), mlirUnitAttrGet(context));
  MlirAttribute *items = malloc(((size_t)n + 1) * sizeof *items);
  if (!items || !program->nDonated) {
    free(items);
    return mlirAttributeGetNull();
  }
  for (intptr_t i = 0; i < n; ++i)
    items[i] = mlirDictionaryAttrGet(context, 0, NULL);
  for (size_t i = 0; i < program->nDonated; ++i)
    if (program->donated[i] >= 0 && program->donated[i] < n)
      items[program->donated[i]] = mlirDictionaryAttrGet(context, 1, &donated);
  MlirAttribute list = mlirArrayAttrGet(context, n, items);
  free(items);
  return list;
}

/// func.return, and the operation func.func around the region.
static bool finishFunction(XlaHloEmitter *emitter, Function *function,
                           bool isEntry, MlirStringRef symbol,
                           const MlirValue *leaves) {
  MlirContext context = emitter->context;
  const XlaHloComputation *computation = function->computation;
  const XlaHloInstruction *root = &computation->instructions[computation->root];
  const XlaHloShape *shape = root->shape;
  XlaIr ir =
      xlaIrAtEnd(context, xlaHloLocation(emitter, root), function->block);
  bool isTuple = shape->kind == XlaHloShapeKindTuple;
  intptr_t nResults = !isEntry  ? shape->nLeaves
                      : isTuple ? shape->nElements
                                : 1;
  intptr_t nArguments = mlirBlockGetNumArguments(function->block);
  size_t count = (size_t)(nResults + nArguments) + 1;
  MlirValue *results = malloc(count * sizeof *results);
  MlirType *types = malloc(count * sizeof *types);
  if (!results || !types) {
    free(results);
    free(types);
    return xlaHloEmitterFail(emitter, XlaImportResultUnsupported,
                             function->location, "out of memory");
  }
  for (intptr_t i = 0; i < nResults; ++i)
    results[i] =
        !isEntry
            ? leaves[i]
            : putTogether(&ir, isTuple ? shape->elements[i] : shape, &leaves);
  xlaIrCreate(&ir, "func.return", nResults, results, 0, NULL, 0, NULL, 0, NULL);
  for (intptr_t i = 0; i < nArguments; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(function->block, i));
  for (intptr_t i = 0; i < nResults; ++i)
    types[nArguments + i] = mlirValueGetType(results[i]);
  MlirAttribute donated = isEntry ? argumentAttributes(emitter, nArguments)
                                  : mlirAttributeGetNull();
  XlaIrAttr attrs[4] = {{"sym_name", mlirStringAttrGet(context, symbol)},
                        {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(
                                              context, nArguments, types,
                                              nResults, types + nArguments))}};
  intptr_t nAttrs = 2;
  if (!isEntry)
    attrs[nAttrs++] =
        (XlaIrAttr){"sym_visibility", xlaIrStringAttr(context, "private")};
  if (!mlirAttributeIsNull(donated))
    attrs[nAttrs++] = (XlaIrAttr){"arg_attrs", donated};
  XlaIr top = xlaIrAtEnd(context, function->location, emitter->body);
  xlaIrCreate(&top, "func.func", 0, NULL, 0, NULL, nAttrs, attrs, 1,
              &function->region);
  free(results);
  free(types);
  return true;
}

static bool emitFunction(XlaHloEmitter *emitter, uint32_t number, bool isEntry,
                         MlirStringRef symbol) {
  const XlaHloComputation *computation =
      &emitter->program->computations[number];
  Function function = {
      .computation = computation,
      .location = mlirLocationNameGet(
          emitter->context, computation->name,
          xlaHloPlaceOf(emitter, computation->line, computation->column)),
      .region = mlirRegionCreate(),
      .block = mlirBlockCreate(0, NULL, NULL),
      .arguments = malloc((countArguments(computation) + 1) *
                          sizeof *function.arguments)};
  mlirRegionAppendOwnedBlock(function.region, function.block);
  XlaHloScope scope = {.emitter = emitter,
                       .computation = computation,
                       .block = function.block,
                       .arguments = function.arguments};
  const MlirValue *root;
  bool made = function.arguments ||
              xlaHloEmitterFail(emitter, XlaImportResultUnsupported,
                                function.location, "out of memory");
  if (made)
    addArguments(emitter, &function, isEntry);
  made = made && xlaHloEmitBody(&scope, &root) &&
         finishFunction(emitter, &function, isEntry, symbol, root);
  if (!made)
    mlirRegionDestroy(function.region);
  xlaHloScopeFree(&scope);
  free(function.arguments);
  return made;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

static bool emitModule(XlaHloEmitter *emitter, XlaHloModule *program) {
  if (!emitter->uses || !emitter->functions)
    return xlaHloEmitterFail(emitter, XlaImportResultUnsupported,
                             xlaHloPlaceOf(emitter, 0, 0), "out of memory");
  // The order is in the place of functions, of which there are none yet.
  if (!xlaHloCheckCalls(emitter, emitter->functions) ||
      !xlaHloInferShapes(emitter, program, emitter->functions))
    return false;
  xlaHloFindSmall(emitter);
  if (!emitFunction(emitter, program->entry, true, str("main")))
    return false;
  // Functions may ask for others.
  for (size_t i = 0; i < emitter->nFunctions; ++i) {
    uint32_t number = emitter->functions[i];
    if (!emitFunction(
            emitter, number, false,
            mlirFlatSymbolRefAttrGetValue(emitter->uses[number].symbol)))
      return false;
  }
  return true;
}

/// What the module says of replicas and meshes; for the import, in its names.
static bool describeModule(XlaHloEmitter *emitter, MlirOperation top) {
  const XlaHloModule *program = emitter->program;
  bool isForeign = emitter->hasParts;
  int64_t nPartitions;
  if (!xlaHloCountPartitions(emitter, &nPartitions))
    return false;
  xlaModuleSetCount(top, isForeign ? "mhlo.num_replicas" : "xla.num_replicas",
                    program->nReplicas);
  xlaModuleSetCount(top,
                    isForeign ? "mhlo.num_partitions" : "xla.num_partitions",
                    nPartitions);
  MlirStringRef words[] = {str(XLA_HLO_MESHES), program->meshes};
  if (isForeign && program->meshes.length)
    mlirOperationSetAttributeByName(
        top, str("mhlo.frontend_attributes"),
        xlaHloShardyTexts(emitter->context, 1, words));
  return true;
}

/// Makes one program of all devices of it.
static bool importParts(XlaHloEmitter *emitter, MlirOperation top) {
  if (emitter->hasParts)
    emitter->result = xlaImportStableHlo(top);
  return emitter->result == XlaImportResultOk;
}

XlaImportResult xlaHloEmit(MlirContext context, XlaHloModule *program,
                           MlirStringRef name, bool keepsFusions,
                           MlirModule *module) {
  // Some operations are StableHLO's until the import has replaced them.
  bool allowed = mlirContextGetAllowUnregisteredDialects(context);
  mlirContextSetAllowUnregisteredDialects(context, true);
  mlirContextGetOrLoadDialect(context, str("xla"));
  mlirContextGetOrLoadDialect(context, str("func"));
  *module = mlirModuleCreateEmpty(
      mlirLocationNameGet(context, program->name.length ? program->name : name,
                          mlirLocationFileLineColGet(context, name, 1, 1)));
  XlaHloEmitter emitter = {.context = context,
                           .file = name,
                           .program = program,
                           .keepsFusions = keepsFusions,
                           .hasParts = xlaHloHasParts(program),
                           .body = mlirModuleGetBody(*module),
                           .uses = calloc(program->n, sizeof *emitter.uses),
                           .functions =
                               malloc(program->n * sizeof *emitter.functions)};
  MlirOperation top = mlirModuleGetOperation(*module);
  bool made = describeModule(&emitter, top) && emitModule(&emitter, program) &&
              importParts(&emitter, top);
  free(emitter.uses);
  free(emitter.functions);
  mlirContextSetAllowUnregisteredDialects(context, allowed);
  if (made && !mlirOperationVerify(mlirModuleGetOperation(*module))) {
    emitter.result = XlaImportResultInvalid;
    made = false;
  }
  if (!made) {
    mlirModuleDestroy(*module);
    *module = (MlirModule){NULL};
  }
  return emitter.result;
}

//===- program.c - Reading programs ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/program.h"
#include "xlac/dialect/interpret/random.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/entry.h"
#include "xlac/dialect/ir.h"
#include "xlac/passes/import/specialize.h"
#include "xlac/tools/common/diagnostics.h"
#include "xlac/tools/common/file.h"
#include "xlac/tools/common/input.h"
#include "xlac/tools/common/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Large artifacts, to whose constants the program may refer, are mapped.
static bool map(XlaProgram *program, const char *path) {
  if (!xlaToolFileMap(path, &program->text, &program->length))
    return false;
  XlaModuleFormat format = xlaModuleDetectFormat(
      mlirStringRefCreate(program->text, program->length));
  program->isMapped =
      format == XlaModuleFormatArtifact || format == XlaModuleFormatExported;
  if (!program->isMapped)
    xlaToolFileUnmap(program->text, program->length);
  return program->isMapped;
}

static XlaToolCode readFile(XlaProgram *program, const char *path,
                            const XlaModuleReadOptions *options) {
  bool isInput = !strcmp(path, "-");
  program->name = isInput ? "<stdin>" : path;
  if (options->refersToBytes && !isInput && map(program, path))
    return XlaToolCodeOk;
  return xlaToolFileRead(path, program->name, &program->text, &program->length);
}

static void releaseText(XlaProgram *program) {
  if (program->isMapped)
    xlaToolFileUnmap(program->text, program->length);
  else
    free(program->text);
  program->text = NULL;
  program->length = 0;
  program->isMapped = false;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static bool contains(const XlaProgram *program, const char *part) {
  return memmem(program->text, program->length, part, strlen(part)) != NULL;
}

static MlirContext createContext(void) {
  MlirDialectRegistry registry = xlaToolsProgramDialects();
  MlirContext context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  // Those of StableHLO's tests, check and interpreter, are not registered; what
  // is left of them after the import is an error.
  mlirContextSetAllowUnregisteredDialects(context, true);
  return context;
}

static void setVerbose(const XlaProgram *program, bool verbose) {
  mlirExtDialectSetVerbose(program->context,
                           mlirStringRefCreateFromCString("xla"), verbose);
}

XlaToolCode xlaProgramCodeOf(XlaImportResult result) {
  return result == XlaImportResultOk        ? XlaToolCodeOk
         : result == XlaImportResultInvalid ? XlaToolCodeWrong
                                            : XlaToolCodeRefused;
}

static XlaToolCode parse(XlaProgram *program, const char *name,
                         const XlaModuleReadOptions *given) {
  XlaModuleReadOptions options = *given;
  options.areMapped = program->isMapped;
  MlirStringRef bytes = mlirStringRefCreate(program->text, program->length);
  program->format = xlaModuleDetectFormat(bytes);
  if (program->format == XlaModuleFormatMlirBytecode &&
      mlirLogicalResultIsFailure(xlaToolsCheckBytecode(
          bytes, mlirStringRefCreateFromCString(program->name))))
    return XlaToolCodeWrong;
  return xlaProgramCodeOf(xlaModuleReadWith(
      program->context, bytes, mlirStringRefCreateFromCString(name),
      program->format, &options, &program->module));
}

static XlaToolCode finishImport(XlaProgram *program, XlaImportResult result) {
  if (result != XlaImportResultOk)
    return xlaProgramCodeOf(result);
  // What is verified here has been before, or comes from the import.
  setVerbose(program, false);
  mlirContextSetAllowUnregisteredDialects(program->context, false);
  return mlirOperationVerify(mlirModuleGetOperation(program->module))
             ? XlaToolCodeOk
             : XlaToolCodeWrong;
}

static XlaToolCode import(XlaProgram *program) {
  return finishImport(
      program, xlaImportStableHlo(mlirModuleGetOperation(program->module)));
}

/// The entry if it takes arrays of unknown size; null if not, or if there is no
/// entry, which is found out later.
static MlirOperation findUnbounded(const XlaProgram *program,
                                   const char *entry) {
  MlirOperation at = {NULL};
  MlirStringRef wanted = mlirStringRefCreateFromCString(entry ? entry : "main");
  bool any = false;
  while (!mlirOperationIsNull(at = xlaProgramNextFunction(program, at))) {
    any |= xlaFunctionIsPublic(at) && xlaFunctionIsUnbounded(at);
    if (mlirStringRefEqual(xlaFunctionGetName(at), wanted))
      return xlaFunctionIsUnbounded(at) ? at : (MlirOperation){NULL};
  }
  if (any && !entry &&
      xlaProgramFindEntry(program, entry, &at) == XlaToolCodeOk)
    return xlaFunctionIsUnbounded(at) ? at : (MlirOperation){NULL};
  return (MlirOperation){NULL};
}

static XlaToolCode specialize(XlaProgram *program, MlirOperation function,
                              const XlaToolValues *inputs) {
  MlirType *types;
  intptr_t n = mlirFunctionTypeGetNumInputs(xlaFunctionGetType(function));
  XlaToolCode code = xlaProgramInputTypes(function, inputs, &types);
  if (code == XlaToolCodeOk)
    code = finishImport(program,
                        xlaSpecialize(mlirModuleGetOperation(program->module),
                                      function, n, types));
  free(types);
  return code;
}

/// Names are those of the program as it was read.
static XlaToolCode orderInputs(XlaProgram *program, const char *entry,
                               const XlaToolValues *given) {
  MlirOperation function;
  XlaToolCode code = xlaProgramFindEntry(program, entry, &function);
  program->hasInputs = true;
  return code == XlaToolCodeOk
             ? xlaInputsCreate(function, given, &program->inputs)
             : code;
}

const XlaToolValues *xlaProgramGetInputs(const XlaProgram *program,
                                         const XlaToolValues *given) {
  return program->hasInputs ? &program->inputs.values : given;
}

XlaToolCode xlaProgramReadFor(const char *path, bool verbose, const char *entry,
                              const XlaToolValues *inputs,
                              XlaProgramStage stage, void *userData,
                              XlaProgram *program) {
  XlaModuleReadOptions options = {.refersToBytes = true};
  return xlaProgramReadWith(path, verbose, entry, inputs, &options, stage,
                            userData, program);
}

XlaToolCode xlaProgramReadWith(const char *path, bool verbose,
                               const char *entry, const XlaToolValues *inputs,
                               const XlaModuleReadOptions *options,
                               XlaProgramStage stage, void *userData,
                               XlaProgram *program) {
  memset(program, 0, sizeof *program);
  XlaToolCode code = readFile(program, path, options);
  if (code != XlaToolCodeOk)
    return code;
  program->context = createContext();
  xlaDiagnosticsAttach(program);
  setVerbose(program, verbose);
  code = parse(program, "-", options);
  bool imported = program->isMapped || contains(program, "stablehlo.") ||
                  contains(program, "check.") || contains(program, "chlo.");
  // Of text, messages show lines.
  if (!options->refersToBytes && program->format != XlaModuleFormatMlirText &&
      program->format != XlaModuleFormatHloText) {
    releaseText(program);
  }
  if (code != XlaToolCodeOk)
    return code;
  MlirOperation module = mlirModuleGetOperation(program->module);
  if (stage)
    stage("parse", module, userData);
  if (inputs && xlaInputsAreNamed(inputs)) {
    code = orderInputs(program, entry, inputs);
    if (code != XlaToolCodeOk)
      return code;
    inputs = &program->inputs.values;
  }
  MlirOperation unbounded =
      inputs ? findUnbounded(program, entry) : (MlirOperation){NULL};
  code = mlirOperationIsNull(unbounded)
             ? import(program)
             : specialize(program, unbounded, inputs);
  if (code == XlaToolCodeOk && stage && imported)
    stage("import", module, userData);
  return code;
}

typedef struct Translation {
  XlaProgram *program;
  XlaToolCode code;
} Translation;

static void parseHere(void *data) {
  Translation *translation = data;
  XlaProgram *program = translation->program;
  program->context = createContext();
  xlaDiagnosticsAttach(program);
  XlaModuleReadOptions options = {.keepsFusions = false};
  translation->code = parse(program, program->name, &options);
}

XlaToolCode xlaProgramToBytecode(const char *name, char **text,
                                 size_t *length) {
  XlaProgram program = {.name = name, .text = *text, .length = *length};
  Translation translation = {&program, XlaToolCodeFailed};
  XlaIrText bytecode = {0};
  if (!mlirExtRunOnStack(XLA_STACK_BYTES, parseHere, &translation))
    translation.code =
        xlaToolError(XlaToolCodeRefused, "no thread to read %s with", name);
  releaseText(&program);
  if (translation.code == XlaToolCodeOk)
    mlirOperationWriteBytecode(mlirModuleGetOperation(program.module),
                               xlaIrTextAppend, &bytecode);
  if (bytecode.isCut && translation.code == XlaToolCodeOk)
    translation.code = xlaToolError(XlaToolCodeRefused, "out of memory");
  xlaProgramDestroy(&program);
  *text = bytecode.data;
  *length = bytecode.size;
  return translation.code;
}

XlaToolCode xlaProgramRead(const char *path, bool verbose,
                           XlaProgramStage stage, void *userData,
                           XlaProgram *program) {
  XlaModuleReadOptions options = {.refersToBytes = false};
  return xlaProgramReadWith(path, verbose, NULL, NULL, &options, stage,
                            userData, program);
}

void xlaProgramDestroy(XlaProgram *program) {
  xlaInputsDestroy(&program->inputs);
  if (!mlirModuleIsNull(program->module))
    mlirModuleDestroy(program->module);
  if (!mlirContextIsNull(program->context))
    mlirContextDestroy(program->context);
  releaseText(program);
  memset(program, 0, sizeof *program);
}

void xlaProgramSetSeed(XlaProgram *program, uint64_t seed) {
  mlirOperationSetDiscardableAttributeByName(
      mlirModuleGetOperation(program->module),
      mlirStringRefCreateFromCString(XLA_SEED_ATTRIBUTE),
      mlirIntegerAttrGet(mlirIntegerTypeGet(program->context, 64),
                         (int64_t)seed));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static MlirAttribute getAttr(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

MlirOperation xlaProgramNextFunction(const XlaProgram *program,
                                     MlirOperation previous) {
  MlirOperation op =
      mlirOperationIsNull(previous)
          ? mlirBlockGetFirstOperation(mlirModuleGetBody(program->module))
          : mlirOperationGetNextInBlock(previous);
  while (!mlirOperationIsNull(op) &&
         (!xlaIrIsOp(op, "func.func") || !xlaFunctionHasBody(op)))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

MlirStringRef xlaFunctionGetName(MlirOperation function) {
  return mlirStringAttrGetValue(getAttr(function, "sym_name"));
}

MlirType xlaFunctionGetType(MlirOperation function) {
  MlirAttribute type = getAttr(function, "function_type");
  return mlirAttributeIsNull(type) || !mlirAttributeIsAType(type)
             ? (MlirType){NULL}
             : mlirTypeAttrGetValue(type);
}

/// What could be meant in place of an entry that is not there.
static XlaToolCode noEntry(const XlaProgram *program, const char *name) {
  char names[400] = "";
  size_t length = 0;
  MlirOperation function = {NULL};
  while (!mlirOperationIsNull(function =
                                  xlaProgramNextFunction(program, function))) {
    MlirStringRef found = xlaFunctionGetName(function);
    if ((name || xlaFunctionIsPublic(function)) &&
        length + found.length + 8 < sizeof names)
      length +=
          (size_t)snprintf(names + length, sizeof names - length, "%s@%.*s",
                           length ? ", " : "", (int)found.length, found.data);
  }
  if (!length)
    return xlaToolError(XlaToolCodeWrong, "%s: has no %sfunction with a body",
                        program->name, name ? "" : "public ");
  if (name)
    return xlaToolError(XlaToolCodeWrong, "%s: has no function @%s, only %s",
                        program->name, name, names);
  return xlaToolError(XlaToolCodeWrong,
                      "%s: has no @main but several public functions: %s; "
                      "choose one with --entry",
                      program->name, names);
}

XlaToolCode xlaProgramFindEntry(const XlaProgram *program, const char *name,
                                MlirOperation *function) {
  // An empty name is that of no function.
  MlirStringRef wanted = mlirStringRefCreateFromCString(name ? name : "");
  if (name && !wanted.length)
    return noEntry(program, name);
  *function =
      xlaModuleFindEntry(mlirModuleGetOperation(program->module), wanted, NULL);
  return mlirOperationIsNull(*function) ? noEntry(program, name)
                                        : XlaToolCodeOk;
}

//===- program_fuzz.c - Any bytes as a program ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is accepted is imported, printed and written as bytecode and read again,
// exported to StableHLO and imported again, run on small inputs, compiled and
// run again if that went well and it is small, and prepared for lowering; none
// of this may crash, and a step that fails must say why. Whoever runs it should
// start with the programs that the build wrote to test/fuzz/corpus, and with
// program.dict. Faults inside MLIR show up here too: text_hazard.c is where to
// refuse them.
//
//===----------------------------------------------------------------------===//

#include "fuzz.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/scalar/scalar.h"
#include "xlac/dialect/ir.h"
#include "xlac/formats/module.h"
#include "xlac/lowering/executable.h"
#include "xlac/passes/import/stablehlo.h"
#include "xlac/passes/prepare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maxBytes = 1 << 24, maxSteps = 200000, maxCompiledOps = 24 };

typedef struct Input {
  MlirStringRef text;
  XlaFuzz *fuzz;
} Input;

static void append(MlirStringRef part, void *userData) {
  FILE *file = userData;
  fwrite(part.data, 1, part.length, file);
}

/// What was written, as text or as bytecode, must be readable.
static void writeAndRead(MlirContext context, MlirModule module,
                         bool asBytecode) {
  MlirOperation top = mlirModuleGetOperation(module);
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  xlaFuzzRequire(file != NULL, "no memory");
  if (asBytecode)
    mlirOperationWriteBytecode(top, append, file);
  else
    mlirOperationPrint(top, append, file);
  fclose(file);
  MlirModule again =
      mlirModuleCreateParse(context, mlirStringRefCreate(text, length));
  if (mlirModuleIsNull(again) && !asBytecode)
    fprintf(stderr, "%s\n", text);
  xlaFuzzRequire(!mlirModuleIsNull(again),
                 "a program that was written is not read");
  mlirModuleDestroy(again);
  free(text);
}

typedef struct Call {
  MlirModule module;
  MlirOperation function;
  intptr_t nInputs, nResults;
  XlaLiteral **inputs, **results;
} Call;

static void release(intptr_t n, XlaLiteral **literals) {
  for (intptr_t i = 0; i < n; ++i) {
    xlaLiteralRelease(literals[i]);
    literals[i] = NULL;
  }
}

/// Small numbers as the value of an argument; NULL for large ones.
static XlaLiteral *makeUp(MlirType type) {
  enum { maxElements = 8 };
  XlaShape shape;
  int64_t count;
  if (mlirTypeIsATuple(type)) {
    intptr_t n = mlirTupleTypeGetNumTypes(type);
    XlaLiteral *elements[maxElements] = {NULL};
    bool complete = n <= maxElements;
    for (intptr_t i = 0; complete && i < n; ++i)
      complete = (elements[i] = makeUp(mlirTupleTypeGetType(type, i))) != NULL;
    if (complete)
      return xlaLiteralTakeTuple(n, elements);
    release(maxElements, elements);
    return NULL;
  }
  if (!xlaShapeFromMlir(type, &shape, NULL) ||
      !xlaShapeGetElementCount(&shape, &count) || count > maxBytes / 64)
    return NULL;
  XlaLiteral *literal = xlaLiteralCreateArray(&shape);
  xlaFuzzRequire(literal != NULL, "no memory");
  for (int64_t i = 0; i < count; ++i)
    xlaLiteralSet(literal, i,
                  xlaScalarConvert(XlaElementTypeS64, shape.elementType,
                                   (XlaScalar){.s = i * 5 % 9 - 2}));
  return literal;
}

static bool evaluate(Call *call, Input *input) {
  XlaEvaluatorOptions options = {.maxBytes = maxBytes, .maxSteps = maxSteps};
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(call->module), &options);
  xlaFuzzRequire(evaluator != NULL, "no memory");
  int64_t before = input->fuzz->errors;
  bool done = mlirLogicalResultIsSuccess(xlaEvaluatorRun(
      evaluator, call->function, call->nInputs,
      (const XlaLiteral *const *)call->inputs, call->nResults, call->results));
  xlaFuzzRequire(done == (input->fuzz->errors == before),
                 "the evaluator fails without an error, or with one succeeds");
  xlaEvaluatorDestroy(evaluator);
  release(call->nResults, call->results);
  return done;
}

static MlirWalkResult countOp(MlirOperation op, void *userData) {
  int *n = userData;
  (void)op;
  return ++*n > maxCompiledOps ? MlirWalkResultInterrupt
                               : MlirWalkResultAdvance;
}

static void compileAndRun(Call *call, Input *input) {
  XlaCompileOptions options = {.verify = true};
  XlaExecutable *executable = NULL;
  MlirStringRef name =
      mlirStringAttrGetValue(xlaOpGetAttr(call->function, "sym_name"));
  int64_t before = input->fuzz->errors;
  bool done = mlirLogicalResultIsSuccess(
      xlaExecutableCompile(call->module, name, &options, &executable));
  xlaFuzzRequire(done == (input->fuzz->errors == before) &&
                     done == (executable != NULL),
                 "the compiler fails without an error, or with one succeeds");
  if (!done)
    return;
  done = mlirLogicalResultIsSuccess(xlaExecutableRunLiterals(
      executable, call->nInputs, (const XlaLiteral *const *)call->inputs,
      call->nResults, call->results));
  xlaFuzzRequire(
      done == (input->fuzz->errors == before),
      "a compiled program fails without an error, or with one succeeds");
  xlaExecutableDestroy(executable);
  release(call->nResults, call->results);
}

static void runFunction(MlirModule module, MlirOperation function,
                        Input *input) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  if (mlirBlockIsNull(block))
    return;
  MlirOperation terminator = mlirBlockGetTerminator(block);
  Call call = {.module = module,
               .function = function,
               .nInputs = mlirBlockGetNumArguments(block),
               .nResults = mlirOperationIsNull(terminator)
                               ? 0
                               : mlirOperationGetNumOperands(terminator)};
  call.inputs = calloc((size_t)call.nInputs + 1, sizeof(XlaLiteral *));
  call.results = calloc((size_t)call.nResults + 1, sizeof(XlaLiteral *));
  xlaFuzzRequire(call.inputs && call.results, "no memory");
  bool made = true;
  for (intptr_t i = 0; made && i < call.nInputs; ++i) {
    call.inputs[i] = makeUp(mlirValueGetType(mlirBlockGetArgument(block, i)));
    made = call.inputs[i] != NULL;
  }
  int nOps = 0;
  mlirOperationWalk(mlirModuleGetOperation(module), countOp, &nOps,
                    MlirWalkPreOrder);
  // What ended soon here does so when it is compiled.
  if (made && evaluate(&call, input) && nOps <= maxCompiledOps)
    compileAndRun(&call, input);
  release(call.nInputs, call.inputs);
  free(call.inputs);
  free(call.results);
}

/// What leaves as StableHLO comes back, or is refused with an error.
static void leaveAndComeBack(MlirContext context, MlirModule module,
                             Input *input) {
  XlaIrText text = {0};
  int64_t before = input->fuzz->errors;
  XlaImportResult left = xlaModuleWrite(
      module, XlaModuleWriteFormatStablehloGeneric, xlaIrTextAppend, &text);
  xlaFuzzRequire((left == XlaImportResultOk) == (input->fuzz->errors == before),
                 "the export fails without an error, or with one succeeds");
  if (left == XlaImportResultOk) {
    xlaIrTextAppend(mlirStringRefCreate("", 1), &text);
    xlaFuzzRequire(!text.isCut, "no memory");
    xlaRepackBoolConstants(text.data, text.size - 1);
    mlirContextSetAllowUnregisteredDialects(context, true);
    MlirModule back = xlaStableHloParse(
        context, mlirStringRefCreate(text.data, text.size - 1),
        mlirStringRefCreateFromCString("-"));
    xlaFuzzRequire(!mlirModuleIsNull(back), "what was exported cannot be read");
    xlaFuzzRequire(xlaImportStableHlo(mlirModuleGetOperation(back)) ==
                       XlaImportResultOk,
                   "what was exported is not imported");
    mlirContextSetAllowUnregisteredDialects(context, false);
    xlaFuzzRequire(mlirOperationVerify(mlirModuleGetOperation(back)),
                   "what came back does not verify");
    mlirModuleDestroy(back);
  }
  free(text.data);
}

static void runModule(MlirContext context, MlirModule module, Input *input) {
  MlirOperation top = mlirModuleGetOperation(module);
  int64_t before = input->fuzz->errors;
  XlaImportResult imported = xlaImportStableHlo(top);
  xlaFuzzRequire((imported == XlaImportResultOk) ==
                     (input->fuzz->errors == before),
                 "the import fails without an error, or with one succeeds");
  if (imported != XlaImportResultOk)
    return;
  mlirContextSetAllowUnregisteredDialects(context, false);
  if (!mlirOperationVerify(top))
    return;
  writeAndRead(context, module, false);
  writeAndRead(context, module, true);
  leaveAndComeBack(context, module, input);
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (xlaIrIsOp(op, "func.func"))
      runFunction(module, op, input);
  before = input->fuzz->errors;
  MlirLogicalResult prepared =
      xlaPrepareForLowering(module, mlirStringRefCreate("", 0),
                            xlaFusionDeviceGet("cpu"), XlaFusionReportNone);
  xlaFuzzRequire(mlirLogicalResultIsSuccess(prepared) ==
                     (input->fuzz->errors == before),
                 "preparing fails without an error, or with one succeeds");
  xlaFuzzRequire(mlirLogicalResultIsFailure(prepared) ||
                     mlirOperationVerify(top),
                 "a prepared program does not verify");
}

static void readAndRun(void *data) {
  Input *input = data;
  // Compiling loads dialects whose parsers do not survive any text.
  input->fuzz = xlaFuzzBegin(1);
  MlirContext context = input->fuzz->context;
  MlirModule module = mlirModuleCreateParse(context, input->text);
  xlaFuzzRequire(mlirModuleIsNull(module) == (input->fuzz->errors != 0),
                 "reading fails without an error, or with one succeeds");
  if (!mlirModuleIsNull(module)) {
    runModule(context, module, input);
    mlirModuleDestroy(module);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int64_t line, column;
  char *text = malloc(size + 1);
  xlaFuzzRequire(text != NULL, "no memory");
  memcpy(text, data, size);
  text[size] = '\0';
  Input input = {mlirStringRefCreate(text, size), NULL};
  // Wrong bytecode is tried in a process of its own (tools/common); here it
  // would be MLIR's reader that is tested.
  bool isBytecode = size >= 4 && !memcmp(text, "ML\xefR", 4);
  if (!isBytecode && !xlaTextFindHazard(input.text, &line, &column)) {
    xlaRepackBoolConstants(text, size);
    xlaFuzzRun(readAndRun, &input);
  }
  free(text);
  return 0;
}

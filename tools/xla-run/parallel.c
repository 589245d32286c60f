//===- parallel.c - Programs that run others at the same time -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// interpreter.run_parallel of StableHLO's tests runs a grid of functions,
// `programs`, a row a replica. Its operands are theirs, one function after the
// other, and so are its results. Infeeds take what the functions of `infeed`
// return, one function an infeed.
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/tools/xla-run/run.h"

#include <stdlib.h>

typedef struct Parallel {
  XlaRun *run;
  MlirOperation op;
  const XlaRunDevice *device;
  MlirModule module;
  MlirOperation *functions; // of the processes
  MlirAttribute programs;
  XlaGrid grid;
  int nProcesses;
  XlaRunProcess *processes;
  XlaLiteral **inputs; // copies of the operands, which threads do not share
  XlaRunFeed *feed;
} Parallel;

static MlirLogicalResult failure(void) { return mlirLogicalResultFailure(); }

static MlirAttribute getConfig(MlirOperation op, const char *name) {
  MlirAttribute config = xlaOpGetAttr(op, "backend_config");
  return mlirAttributeIsNull(config) || !mlirAttributeIsADictionary(config)
             ? mlirAttributeGetNull()
             : mlirDictionaryAttrGetElementByName(
                   config, mlirStringRefCreateFromCString(name));
}

/// The programs run on the device that runs the operation. Compiled code has
/// taken it out of its module.
static void findModule(Parallel *p) {
  MlirOperation at = p->op;
  MlirStringRef name = mlirStringRefCreateFromCString("builtin.module");
  while (!mlirOperationIsNull(at) &&
         !mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(at)), name))
    at = mlirOperationGetParentOperation(at);
  bool isCompiled = mlirOperationIsNull(at);
  p->device = isCompiled ? p->run->device : &xlaRunInterpreter;
  p->module = isCompiled ? xlaRunProgramOf(p->run, p->op)->module
                         : mlirModuleFromOperation(at);
}

static bool isList(MlirAttribute attr) {
  return !mlirAttributeIsNull(attr) && mlirAttributeIsAArray(attr);
}

/// programs = [[@a, @b], [@c, @d]]: rows of one size.
static MlirLogicalResult readGrid(Parallel *p) {
  p->programs = getConfig(p->op, "programs");
  intptr_t rows =
      isList(p->programs) ? mlirArrayAttrGetNumElements(p->programs) : 0;
  intptr_t columns = 0;
  for (intptr_t i = 0; i < rows; ++i) {
    MlirAttribute row = mlirArrayAttrGetElement(p->programs, i);
    intptr_t n = isList(row) ? mlirArrayAttrGetNumElements(row) : 0;
    if (!n || (i && n != columns))
      return xlaOpInvalid(p->op, NULL,
                          "row %lld of programs has %lld functions",
                          (long long)i, (long long)n);
    columns = n;
  }
  if (!rows || rows > XLA_MAX_PROCESSES || columns > XLA_MAX_PROCESSES ||
      rows * columns > XLA_MAX_PROCESSES)
    return xlaOpInvalid(p->op, NULL,
                        "must have programs, rows of functions for at most %d "
                        "processes",
                        XLA_MAX_PROCESSES);
  p->grid = (XlaGrid){NULL, (int)rows, (int)columns};
  p->nProcesses = (int)(rows * columns);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult findFunction(const Parallel *p, MlirAttribute symbol,
                                      MlirOperation *function) {
  if (!mlirAttributeIsAFlatSymbolRef(symbol))
    return xlaOpInvalid(p->op, NULL, "has an entry that is no function's name");
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(symbol);
  *function = xlaModuleFindFunction(mlirModuleGetOperation(p->module), name);
  return mlirOperationIsNull(*function)
             ? xlaOpInvalid(p->op, NULL,
                            "runs @%.*s, which is not in the module",
                            (int)name.length, name.data)
             : mlirLogicalResultSuccess();
}

/// Gives each function its operands and results.
static MlirLogicalResult assign(Parallel *p, intptr_t nOperands,
                                intptr_t nResults, XlaLiteral **results) {
  intptr_t in = 0, out = 0;
  for (int i = 0; i < p->nProcesses; ++i) {
    MlirAttribute row =
        mlirArrayAttrGetElement(p->programs, i / p->grid.partitions);
    XlaRunProcess *process = &p->processes[i];
    MlirAttribute symbol = mlirArrayAttrGetElement(row, i % p->grid.partitions);
    if (mlirLogicalResultIsFailure(findFunction(p, symbol, &p->functions[i])))
      return failure();
    MlirType type = xlaFunctionGetType(p->functions[i]);
    process->module = p->module;
    process->feed = p->feed;
    process->nInputs = mlirFunctionTypeGetNumInputs(type);
    process->nResults = mlirFunctionTypeGetNumResults(type);
    process->inputs = (const XlaLiteral *const *)p->inputs + in;
    process->results = results + out;
    in += process->nInputs;
    out += process->nResults;
    if (in > nOperands || out > nResults)
      break;
  }
  if (in == nOperands && out == nResults)
    return mlirLogicalResultSuccess();
  return xlaOpInvalid(p->op, NULL,
                      "has %lld operands and %lld results, its programs %lld "
                      "and %lld",
                      (long long)nOperands, (long long)nResults, (long long)in,
                      (long long)out);
}

/// Runs a function of `infeed` and adds what it returns to the feed.
static MlirLogicalResult fillFeed(Parallel *p, MlirOperation function) {
  XlaProgramValues values;
  MlirLogicalResult result = failure();
  XlaToolCode code =
      xlaProgramValuesCreate(&p->run->program, function, true, &values);
  if (code == XlaToolCodeOk)
    code =
        xlaRunInterpret(p->run, p->module, function, NULL, xlaRunCustomCall, 0,
                        NULL, values.count, values.items, NULL, NULL, NULL);
  if (code == XlaToolCodeOk) {
    const XlaLiteral **leaves = xlaProgramValuesGetLeaves(&values);
    bool enough = leaves != NULL;
    for (intptr_t i = 0; enough && i < values.leafCount; ++i) {
      XlaLiteral *copy = xlaLiteralCopy(leaves[i]);
      enough = copy && xlaRunFeedAdd(p->feed, copy);
    }
    free(leaves);
    result = enough ? mlirLogicalResultSuccess() : xlaOpNoMemory(p->op);
  }
  xlaProgramValuesDestroy(&values);
  return result;
}

static MlirLogicalResult fillFeeds(Parallel *p) {
  MlirAttribute infeed = getConfig(p->op, "infeed");
  for (intptr_t i = 0;
       isList(infeed) && i < mlirArrayAttrGetNumElements(infeed); ++i) {
    MlirOperation function;
    if (mlirLogicalResultIsFailure(
            findFunction(p, mlirArrayAttrGetElement(infeed, i), &function)) ||
        mlirLogicalResultIsFailure(fillFeed(p, function)))
      return failure();
  }
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult copyInputs(Parallel *p, intptr_t n,
                                    const XlaLiteral *const *operands) {
  for (intptr_t i = 0; i < n; ++i) {
    p->inputs[i] = xlaLiteralCopy(operands[i]);
    if (!p->inputs[i])
      return xlaOpNoMemory(p->op);
  }
  return mlirLogicalResultSuccess();
}

static XlaToolCode compileAll(Parallel *p) {
  XlaToolCode code = XlaToolCodeOk;
  for (int i = 0; i < p->nProcesses && code == XlaToolCodeOk; ++i)
    code =
        p->device->compile(p->run, p->module, p->functions[i], xlaRunCustomCall,
                           p->nProcesses > 1, &p->processes[i].executable);
  return code;
}

static MlirLogicalResult runAll(Parallel *p) {
  intptr_t written = INTPTR_MAX / 2; // --outfeed is for the program itself
  mlirContextEnableMultithreading(mlirOperationGetContext(p->op), true);
  XlaToolCode code = compileAll(p);
  if (code == XlaToolCodeOk)
    code = xlaRunProcesses(p->run, p->device, 1, &p->grid, p->processes);
  if (code == XlaToolCodeOk)
    code = xlaRunFeedWrite(p->run, p->feed, &written);
  return code == XlaToolCodeOk ? mlirLogicalResultSuccess() : failure();
}

MlirLogicalResult xlaRunParallel(XlaRun *run, MlirOperation op,
                                 intptr_t nOperands,
                                 const XlaLiteral *const *operands,
                                 intptr_t nResults, XlaLiteral **results) {
  Parallel p = {.run = run, .op = op};
  findModule(&p);
  if (mlirLogicalResultIsFailure(readGrid(&p)))
    return failure();
  p.processes = calloc((size_t)p.nProcesses, sizeof *p.processes);
  p.functions = calloc((size_t)p.nProcesses, sizeof *p.functions);
  p.inputs = calloc((size_t)nOperands + 1, sizeof *p.inputs);
  p.feed = xlaRunFeedCreate(NULL);
  MlirLogicalResult result = p.processes && p.functions && p.inputs && p.feed
                                 ? copyInputs(&p, nOperands, operands)
                                 : xlaOpNoMemory(op);
  if (mlirLogicalResultIsSuccess(result))
    result = assign(&p, nOperands, nResults, results);
  if (mlirLogicalResultIsSuccess(result))
    result = fillFeeds(&p);
  if (mlirLogicalResultIsSuccess(result))
    result = runAll(&p);
  for (intptr_t i = 0; p.inputs && i < nOperands; ++i)
    xlaLiteralRelease(p.inputs[i]);
  free(p.inputs);
  for (int i = 0; p.processes && i < p.nProcesses; ++i)
    p.device->destroy(p.processes[i].executable);
  free(p.processes);
  free(p.functions);
  xlaRunFeedDestroy(p.feed);
  return result;
}

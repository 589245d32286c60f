//===- difference.c - Where devices part ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device computes a whole function, so its intermediate values are not there
// to look at. The function is cut behind an operation, whose results it then
// returns: what such a prefix gives is compared with what the interpreter saw.
// A binary search finds a prefix that differs behind one that does not; from
// there the operands are followed to an operation that differs though none of
// its operands does.
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/ir.h"
#include "xlac/tools/common/diagnostics.h"
#include "xlac/tools/xla-run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// An operation at the top of the function, its results by the interpreter, at
/// first those of variation 0, which is none, and what is known of the
/// device's.
typedef struct Step {
  MlirOperation op;
  intptr_t nResults;
  XlaLiteral **results[1 + XLA_RUN_VARIATIONS];
  enum { Unknown, Equal, Different, Failed } state;
} Step;

typedef struct Search {
  XlaRun *run;
  const XlaRunDevice *device;
  MlirOperation function;
  intptr_t nInputs;
  const XlaLiteral *const *inputs;
  intptr_t count, capacity;
  Step *steps;
  int nVariations;
  intptr_t next; ///< step of a variation
  bool outOfMemory;
} Search;

//===----------------------------------------------------------------------===//
// The interpreter's values
//===----------------------------------------------------------------------===//

static bool keep(Search *search, Step *step, int variation,
                 const XlaLiteral *const *results) {
  XlaLiteral **kept = calloc((size_t)step->nResults + 1, sizeof *kept);
  step->results[variation] = kept;
  search->outOfMemory |= !kept;
  for (intptr_t i = 0; kept && i < step->nResults; ++i)
    kept[i] = xlaLiteralRetain(results[i]);
  return kept != NULL;
}

static void observe(MlirOperation op, intptr_t nResults,
                    const XlaLiteral *const *results, void *data) {
  Search *search = data;
  if (search->count == search->capacity) {
    intptr_t capacity = search->capacity ? 2 * search->capacity : 64;
    Step *steps = realloc(search->steps, (size_t)capacity * sizeof *steps);
    if (!steps) {
      search->outOfMemory = true;
      return;
    }
    search->steps = steps;
    search->capacity = capacity;
  }
  Step *step = &search->steps[search->count];
  *step = (Step){.op = op, .nResults = nResults};
  if (keep(search, step, 0, results))
    ++search->count;
}

/// The same for variation number nVariations.
static void observeVariation(MlirOperation op, intptr_t nResults,
                             const XlaLiteral *const *results, void *data) {
  Search *search = data;
  (void)nResults;
  if (search->next == search->count) {
    search->next = 0;
    ++search->nVariations;
  }
  Step *step = &search->steps[search->next++];
  if (mlirOperationEqual(step->op, op) &&
      search->nVariations <= XLA_RUN_VARIATIONS)
    keep(search, step, search->nVariations, results);
}

static bool interpret(Search *search) {
  XlaProgramValues results, others[XLA_RUN_VARIATIONS];
  XlaRunPlace place = {.feed = xlaRunFeedCreate(&search->run->options.infeeds)};
  XlaToolCode code = xlaProgramValuesCreate(&search->run->program,
                                            search->function, true, &results);
  if (code == XlaToolCodeOk)
    code = xlaRunInterpret(search->run, search->run->program.module,
                           search->function, &place, xlaRunIgnoreCheck,
                           search->nInputs, search->inputs, results.count,
                           results.items, observe, search, NULL);
  xlaRunFeedDestroy(place.feed);
  xlaProgramValuesDestroy(&results);
  if (code != XlaToolCodeOk || search->outOfMemory)
    return false;
  search->next = search->count;
  int n =
      xlaRunVariations(search->run, search->function, search->nInputs,
                       search->inputs, others, NULL, observeVariation, search);
  search->nVariations = n;
  while (n)
    xlaProgramValuesDestroy(&others[--n]);
  return !search->outOfMemory;
}

//===----------------------------------------------------------------------===//
// Prefixes
//===----------------------------------------------------------------------===//

/// The function of `module` that has the place of `function` in its own.
static MlirOperation samePlace(MlirModule module, MlirOperation function) {
  MlirOperation at =
      mlirBlockGetFirstOperation(mlirOperationGetBlock(function));
  MlirOperation copy = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationEqual(at, function);
       at = mlirOperationGetNextInBlock(at))
    copy = mlirOperationGetNextInBlock(copy);
  return copy;
}

/// Removes what follows `op`, from the end, so that nothing is used when it
/// goes.
static void removeBehind(MlirOperation op) {
  for (;;) {
    MlirOperation last = op, next;
    while (!mlirOperationIsNull(next = mlirOperationGetNextInBlock(last)))
      last = next;
    if (mlirOperationEqual(last, op))
      return;
    mlirOperationDestroy(last);
  }
}

/// Makes `function` return the results of its operation number `index`, and
/// removes what follows.
static void cutBehind(MlirOperation function, intptr_t index) {
  MlirContext context = mlirOperationGetContext(function);
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (intptr_t i = 0; i < index; ++i)
    op = mlirOperationGetNextInBlock(op);
  intptr_t n = mlirOperationGetNumResults(op);
  MlirValue *values = malloc(((size_t)n + 1) * sizeof *values);
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  MlirType type = xlaFunctionGetType(function);
  intptr_t nInputs = mlirFunctionTypeGetNumInputs(type);
  MlirType *inputs = malloc(((size_t)nInputs + 1) * sizeof *inputs);
  if (values && types && inputs) {
    for (intptr_t i = 0; i < nInputs; ++i)
      inputs[i] = mlirFunctionTypeGetInput(type, i);
    for (intptr_t i = 0; i < n; ++i) {
      values[i] = mlirOperationGetResult(op, i);
      types[i] = mlirValueGetType(values[i]);
    }
    removeBehind(op);
    XlaIr ir = xlaIrAtEnd(context, mlirOperationGetLocation(function), block);
    xlaIrCreate(&ir, "func.return", n, values, 0, NULL, 0, NULL, 0, NULL);
    mlirOperationSetAttributeByName(
        function, mlirStringRefCreateFromCString("function_type"),
        mlirTypeAttrGet(
            mlirFunctionTypeGet(context, nInputs, inputs, n, types)));
    mlirOperationRemoveAttributeByName(
        function, mlirStringRefCreateFromCString("res_attrs"));
  }
  free(values);
  free(types);
  free(inputs);
}

/// Runs the function up to operation `index` on the device and compares.
static void runPrefix(Search *search, intptr_t index) {
  Step *step = &search->steps[index];
  MlirModule module = mlirModuleFromOperation(
      mlirOperationClone(mlirModuleGetOperation(search->run->program.module)));
  MlirOperation function = samePlace(module, search->function);
  XlaProgramValues results;
  void *executable = NULL;
  cutBehind(function, index);
  XlaToolCode code =
      xlaProgramValuesCreate(&search->run->program, function, true, &results);
  if (code == XlaToolCodeOk)
    code = search->device->compile(search->run, module, function,
                                   xlaRunIgnoreCheck, false, &executable);
  if (code == XlaToolCodeOk) {
    XlaRunFeed *before;
    code = xlaRunFeedBegin(search->run, &before);
    if (code == XlaToolCodeOk) {
      code =
          xlaRunAlone(search->run, search->device, executable, search->nInputs,
                      search->inputs, results.count, results.items);
      xlaRunFeedEnd(search->run, before);
    }
    search->device->destroy(executable);
  }
  if (code == XlaToolCodeOk) {
    XlaProgramValues expected[1 + XLA_RUN_VARIATIONS];
    for (int v = 0; v <= search->nVariations; ++v) {
      expected[v] = results;
      expected[v].items = step->results[v];
    }
    code = xlaRunValuesCompare(search->run, NULL, &results, expected,
                               search->nVariations, expected + 1);
  }
  step->state = code == XlaToolCodeOk        ? Equal
                : code == XlaToolCodeDiffers ? Different
                                             : Failed;
  xlaProgramValuesDestroy(&results);
  mlirModuleDestroy(module);
}

static bool differs(Search *search, intptr_t index) {
  if (search->steps[index].state == Unknown)
    runPrefix(search, index);
  return search->steps[index].state == Different;
}

//===----------------------------------------------------------------------===//
// Searching
//===----------------------------------------------------------------------===//

/// The number of the operation at the top that defines `value`; -1 for
/// arguments.
static intptr_t definition(const Search *search, MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return -1;
  MlirOperation op = mlirOpResultGetOwner(value);
  for (intptr_t i = 0; i < search->count; ++i)
    if (mlirOperationEqual(search->steps[i].op, op))
      return i;
  return -1;
}

/// An operation that differs and feeds `index`; -1 if there is none.
static intptr_t differingOperand(Search *search, intptr_t index) {
  MlirOperation op = search->steps[index].op;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    intptr_t from = definition(search, mlirOperationGetOperand(op, i));
    if (from >= 0 && differs(search, from))
      return from;
  }
  return -1;
}

/// A returned operation that differs even when nothing follows it; -1: none.
static intptr_t differingResult(Search *search) {
  MlirOperation terminator = mlirBlockGetTerminator(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(search->function, 0)));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(terminator); ++i) {
    intptr_t from = definition(search, mlirOperationGetOperand(terminator, i));
    if (from >= 0 && differs(search, from))
      return from;
  }
  return -1;
}

static void report(const Search *search, intptr_t index) {
  MlirOperation op = search->steps[index].op;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  xlaDiagnosticsPrintLocation(&search->run->program,
                              mlirOperationGetLocation(op));
  fprintf(stderr, "%s: '%.*s' is the first operation that differs\n",
          search->device->name, (int)name.length, name.data);
}

static void find(Search *search) {
  intptr_t high = differingResult(search), low = -1, from;
  if (high < 0) {
    fprintf(stderr,
            "xla-run: %s: no operation differs when nothing follows it\n",
            search->device->name);
    return;
  }
  while (high - low > 1) {
    intptr_t middle = low + (high - low) / 2;
    if (differs(search, middle))
      high = middle;
    else
      low = middle;
  }
  while ((from = differingOperand(search, high)) >= 0)
    high = from;
  report(search, high);
}

void xlaRunFindDifference(XlaRun *run, const XlaRunDevice *device,
                          MlirOperation function, intptr_t nInputs,
                          const XlaLiteral *const *inputs) {
  Search search = {.run = run,
                   .device = device,
                   .function = function,
                   .nInputs = nInputs,
                   .inputs = inputs};
  xlaToolClockEnter(run->clock, "looking for what differs on", device->name,
                    false);
  xlaRunStagesSetQuiet(run->stages, true);
  if (interpret(&search))
    find(&search);
  xlaRunStagesSetQuiet(run->stages, false);
  for (intptr_t i = 0; i < search.count; ++i)
    for (int v = 0; v <= XLA_RUN_VARIATIONS; ++v) {
      XlaLiteral **kept = search.steps[i].results[v];
      for (intptr_t j = 0; kept && j < search.steps[i].nResults; ++j)
        xlaLiteralRelease(kept[j]);
      free(kept);
    }
  free(search.steps);
}

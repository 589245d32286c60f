//===- evaluator.c - The meaning of programs ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/error.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"
#include "xlac/dialect/dynamic.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/dialect/result_internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct XlaEvaluator {
  MlirOperation module;
  XlaEvaluatorOptions options;
  XlaPointerMap environment; // from values to owned literals
  XlaPointerMap callees;     // from symbol attributes to functions
  XlaPointerMap positions;   // of operations in blocks
  XlaLiteralMeter *meter;    // of what it made
  int64_t inputBytes;
  int64_t steps;
  int depth;             // of calls
  int nesting;           // of calls and regions
  uint64_t drawn;        // blocks of random bits
  double deadline;       // CLOCK_MONOTONIC seconds; 0: none
  const XlaShape *sizes; // of the running operation's results; NULL: its types'
};

/// Regions may nest this deep beyond the calls: each level takes stack.
enum { maxRegionDepth = 1000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

//===----------------------------------------------------------------------===//
// The environment
//===----------------------------------------------------------------------===//

static XlaLiteral *lookup(const XlaPointerMap *environment, MlirValue value) {
  return (XlaLiteral *)xlaPointerMapGet(environment, value.ptr);
}

/// Takes over the reference to `literal`, also on failure.
static bool bind(XlaPointerMap *environment, MlirValue value,
                 XlaLiteral *literal) {
  XlaLiteral *before = lookup(environment, value);
  if (!xlaPointerMapSet(environment, value.ptr, (intptr_t)literal)) {
    xlaLiteralRelease(literal);
    return false;
  }
  xlaLiteralRelease(before);
  return true;
}

static void unbind(XlaPointerMap *environment, MlirValue value) {
  bind(environment, value, NULL);
}

static void clearEnvironment(XlaPointerMap *environment) {
  for (size_t i = 0; i < environment->capacity; ++i)
    xlaLiteralRelease((XlaLiteral *)environment->values[i]);
  xlaPointerMapClear(environment);
}

const XlaLiteral *xlaEvaluatorGetValue(XlaEvaluator *evaluator,
                                       MlirValue value) {
  return lookup(&evaluator->environment, value);
}

bool xlaEvaluatorSetValue(XlaEvaluator *evaluator, MlirValue value,
                          const XlaLiteral *literal) {
  return bind(&evaluator->environment, value, xlaLiteralRetain(literal));
}

//===----------------------------------------------------------------------===//
// Creation and limits
//===----------------------------------------------------------------------===//

XlaEvaluator *xlaEvaluatorCreate(MlirOperation module,
                                 const XlaEvaluatorOptions *options) {
  XlaEvaluator *evaluator = calloc(1, sizeof *evaluator);
  XlaLiteralMeter *meter = xlaLiteralMeterCreate();
  if (!evaluator || !meter) {
    free(evaluator);
    free(meter);
    return NULL;
  }
  evaluator->meter = meter;
  evaluator->module = module;
  evaluator->options = *options;
  if (!evaluator->options.maxCallDepth)
    evaluator->options.maxCallDepth = 1000;
  if (options->timeoutSeconds > 0)
    evaluator->deadline =
        now() + options->timeoutSeconds - options->spentSeconds;
  return evaluator;
}

void xlaEvaluatorDestroy(XlaEvaluator *evaluator) {
  if (!evaluator)
    return;
  clearEnvironment(&evaluator->environment);
  xlaPointerMapClear(&evaluator->callees);
  xlaPointerMapClear(&evaluator->positions);
  xlaLiteralMeterRelease(evaluator->meter);
  free(evaluator);
}

const XlaEvaluatorOptions *
xlaEvaluatorGetOptions(const XlaEvaluator *evaluator) {
  return &evaluator->options;
}

MlirLogicalResult xlaEvaluatorStep(XlaEvaluator *evaluator, MlirOperation op,
                                   int64_t steps) {
  int64_t before = evaluator->steps;
  evaluator->steps += steps;
  if (evaluator->options.maxSteps &&
      evaluator->steps > evaluator->options.maxSteps)
    return evaluator->options.quiet
               ? failure()
               : xlaOpUnsupported(op, NULL,
                                  "takes more than %lld steps to evaluate",
                                  (long long)evaluator->options.maxSteps);
  // The clock, and the others, are looked at once in about 4,096 steps.
  if (before >> 12 == evaluator->steps >> 12)
    return success();
  if (xlaProcessIsStopped(&evaluator->options.process))
    return failure();
  if (evaluator->deadline > 0 && now() > evaluator->deadline)
    return xlaOpUnsupported(op, NULL,
                            "was running when the time limit of %g s passed",
                            evaluator->options.timeoutSeconds);
  return success();
}

static int64_t usedBytes(const XlaEvaluator *evaluator) {
  return evaluator->inputBytes + xlaLiteralMeterGetBytes(evaluator->meter);
}

static MlirLogicalResult beyondLimit(const XlaEvaluator *evaluator,
                                     MlirOperation op, const char *what) {
  if (!evaluator->options.quiet)
    xlaOpUnsupported(
        op, NULL,
        "needs %s beside %lld bytes in use, more than the memory limit "
        "of %lld bytes",
        what, (long long)usedBytes(evaluator),
        (long long)evaluator->options.maxBytes);
  return failure();
}

MlirLogicalResult xlaEvaluatorReserve(XlaEvaluator *evaluator, MlirOperation op,
                                      const XlaShape *shape) {
  int64_t count, limit = evaluator->options.maxBytes;
  bool known = xlaShapeGetElementCount(shape, &count);
  int bytes = xlaElementTypeGetInfo(shape->elementType)->bytes;
  if (!known || (limit && count > (limit - usedBytes(evaluator)) / bytes))
    return beyondLimit(evaluator, op, XLA_SHAPE_TEXT(shape));
  return xlaEvaluatorStep(evaluator, op, count);
}

MlirLogicalResult xlaEvaluatorCount(XlaEvaluator *evaluator, MlirOperation op,
                                    XlaLiteral *literal) {
  if (!literal)
    return xlaOpNoMemory(op);
  xlaLiteralSetMeter(literal, evaluator->meter);
  if (evaluator->options.maxBytes &&
      usedBytes(evaluator) > evaluator->options.maxBytes)
    return beyondLimit(evaluator, op, "memory");
  return success();
}

XlaLiteral *xlaEvaluatorCreateArray(XlaEvaluator *evaluator, MlirOperation op,
                                    const XlaShape *shape) {
  if (failed(xlaEvaluatorReserve(evaluator, op, shape)))
    return NULL;
  XlaLiteral *literal = xlaLiteralCreateArray(shape);
  if (literal)
    xlaLiteralSetMeter(literal, evaluator->meter);
  else
    xlaErrorEmit(mlirOperationGetLocation(op), XLA_STATUS_OUT_OF_MEMORY,
                 "no memory for %s", XLA_SHAPE_TEXT(shape));
  return literal;
}

XlaLiteral *xlaEvaluatorCreateResult(XlaEvaluator *evaluator, MlirOperation op,
                                     intptr_t index) {
  XlaShape shape;
  const char *reason;
  if (evaluator->sizes)
    return xlaEvaluatorCreateArray(evaluator, op, &evaluator->sizes[index]);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, index));
  if (!xlaShapeFromMlir(type, &shape, &reason)) {
    xlaOpError(op, NULL, "result %lld, %s, %s", (long long)index,
               XLA_TYPE_TEXT(type), reason);
    return NULL;
  }
  return xlaEvaluatorCreateArray(evaluator, op, &shape);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Small counts use the stack, larger ones the heap.
typedef struct LiteralList {
  XlaLiteral *small[8];
  XlaLiteral **items;
} LiteralList;

static bool listInit(LiteralList *list, intptr_t n) {
  memset(list, 0, sizeof *list);
  list->items = n <= 8 ? list->small : calloc((size_t)n, sizeof *list->items);
  return list->items != NULL;
}

static void listFree(LiteralList *list) {
  if (list->items != list->small)
    free(list->items);
}

static MlirLogicalResult gatherOperands(XlaEvaluator *evaluator,
                                        MlirOperation op, XlaLiteral **items) {
  for (intptr_t i = 0, n = mlirOperationGetNumOperands(op); i < n; ++i) {
    const XlaLiteral *value =
        xlaEvaluatorGetValue(evaluator, mlirOperationGetOperand(op, i));
    if (!value)
      return xlaOpError(op, NULL, "operand %lld has no value", (long long)i);
    items[i] = (XlaLiteral *)value;
  }
  return success();
}

static MlirLogicalResult runFunction(XlaEvaluator *evaluator, MlirOperation op,
                                     MlirOperation function, intptr_t nArgs,
                                     const XlaLiteral *const *args,
                                     intptr_t nResults, XlaLiteral **results);

/// The function that a call names. Symbol attributes are unique, so one search
/// a name is enough.
static MlirOperation lookupCallee(XlaEvaluator *evaluator,
                                  MlirAttribute callee) {
  intptr_t known = xlaPointerMapGet(&evaluator->callees, callee.ptr);
  if (known)
    return (MlirOperation){(void *)known};
  MlirOperation function =
      xlaEvaluatorLookup(evaluator, mlirFlatSymbolRefAttrGetValue(callee));
  xlaPointerMapSet(&evaluator->callees, callee.ptr, (intptr_t)function.ptr);
  return function;
}

/// func.call and xla.call.
static MlirLogicalResult runCall(XlaEvaluator *evaluator, MlirOperation op,
                                 const XlaLiteral *const *operands,
                                 XlaLiteral **results) {
  MlirAttribute callee = xlaOpGetAttr(op, "callee");
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(callee);
  MlirOperation function = lookupCallee(evaluator, callee);
  if (mlirOperationIsNull(function))
    return xlaOpInvalid(op, NULL, "calls @%.*s, which is not in the module",
                        (int)name.length, name.data);
  if (evaluator->depth >= evaluator->options.maxCallDepth)
    return xlaOpUnsupported(op, NULL, "nests calls more than %d deep",
                            evaluator->options.maxCallDepth);
  return runFunction(evaluator, op, function, mlirOperationGetNumOperands(op),
                     operands, mlirOperationGetNumResults(op), results);
}

static bool isOp(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            mlirStringRefCreateFromCString(name));
}

static MlirLogicalResult evaluate(XlaEvaluator *evaluator, MlirOperation op,
                                  XlaOpKind kind,
                                  const XlaLiteral *const *operands,
                                  XlaLiteral **results) {
  const XlaShape *outer = evaluator->sizes;
  XlaShape *sizes = NULL;
  MlirLogicalResult result = success();
  if (xlaOpHasDynamicSizes(op, kind)) {
    sizes = calloc((size_t)mlirOperationGetNumResults(op) + 1, sizeof *sizes);
    result =
        sizes ? xlaOpInferSizes(op, kind, operands, sizes) : xlaOpNoMemory(op);
  }
  evaluator->sizes = sizes;
  if (mlirLogicalResultIsSuccess(result))
    result =
        xlaOpGetInfo(kind)->evaluate(evaluator, op, kind, operands, results);
  evaluator->sizes = outer;
  free(sizes);
  return result;
}

static MlirLogicalResult dispatch(XlaEvaluator *evaluator, MlirOperation op,
                                  const XlaLiteral *const *operands,
                                  XlaLiteral **results) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindCall || isOp(op, "func.call"))
    return runCall(evaluator, op, operands, results);
  if (kind == XlaOpKindInvalid)
    return xlaOpUnsupported(op, NULL,
                            "is not an operation that can be evaluated");
  return evaluate(evaluator, op, kind, operands, results);
}

/// dispatch with what options.vary puts in the place of operands and results.
static MlirLogicalResult
dispatchVaried(XlaEvaluator *evaluator, MlirOperation op, intptr_t nOperands,
               XlaLiteral **operands, intptr_t nResults, XlaLiteral **results) {
  const XlaEvaluatorOptions *options = &evaluator->options;
  LiteralList varied;
  if (!listInit(&varied, nOperands))
    return xlaOpNoMemory(op);
  for (intptr_t i = 0; i < nOperands; ++i) {
    varied.items[i] = options->vary(op, false, operands[i], options->userData);
    if (varied.items[i])
      operands[i] = varied.items[i];
  }
  MlirLogicalResult result =
      dispatch(evaluator, op, (const XlaLiteral *const *)operands, results);
  for (intptr_t i = 0; i < nOperands; ++i)
    xlaLiteralRelease(varied.items[i]);
  listFree(&varied);
  for (intptr_t i = 0; mlirLogicalResultIsSuccess(result) && i < nResults;
       ++i) {
    XlaLiteral *other = options->vary(op, true, results[i], options->userData);
    if (!other)
      continue;
    xlaLiteralRelease(results[i]);
    results[i] = other;
  }
  return result;
}

static MlirLogicalResult runOp(XlaEvaluator *evaluator, MlirOperation op,
                               bool observed) {
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  intptr_t nResults = mlirOperationGetNumResults(op);
  LiteralList operands, results;
  if (failed(xlaEvaluatorStep(evaluator, op, 1)))
    return failure();
  if (!listInit(&operands, nOperands))
    return xlaOpNoMemory(op);
  if (!listInit(&results, nResults)) {
    listFree(&operands);
    return xlaOpNoMemory(op);
  }
  MlirLogicalResult result = gatherOperands(evaluator, op, operands.items);
  if (mlirLogicalResultIsSuccess(result))
    result =
        evaluator->options.vary
            ? dispatchVaried(evaluator, op, nOperands, operands.items, nResults,
                             results.items)
            : dispatch(evaluator, op, (const XlaLiteral *const *)operands.items,
                       results.items);
  if (mlirLogicalResultIsSuccess(result) && observed &&
      evaluator->options.observe)
    evaluator->options.observe(op, nResults,
                               (const XlaLiteral *const *)results.items,
                               evaluator->options.userData);
  for (intptr_t i = 0; i < nResults; ++i) {
    if (failed(result))
      xlaLiteralRelease(results.items[i]);
    else if (!bind(&evaluator->environment, mlirOperationGetResult(op, i),
                   results.items[i]))
      result = xlaOpNoMemory(op);
  }
  listFree(&operands);
  listFree(&results);
  return result;
}

/// The position of an operation in its block, from 1; 0 without memory. Asking
/// MLIR writes to the program, which other threads may run.
static intptr_t position(XlaEvaluator *evaluator, MlirOperation op) {
  intptr_t known = xlaPointerMapGet(&evaluator->positions, op.ptr), n = 0;
  if (known)
    return known;
  for (MlirOperation each =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
       !mlirOperationIsNull(each); each = mlirOperationGetNextInBlock(each))
    if (!xlaPointerMapSet(&evaluator->positions, each.ptr, ++n))
      return 0;
  return xlaPointerMapGet(&evaluator->positions, op.ptr);
}

/// Whether anything behind `op` in its block, or within that, uses `value`.
static bool isUsedAfter(XlaEvaluator *evaluator, MlirOperation op,
                        MlirValue value) {
  MlirBlock block = mlirOperationGetBlock(op);
  intptr_t here = position(evaluator, op);
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    while (!mlirBlockEqual(mlirOperationGetBlock(user), block))
      user = mlirOperationGetParentOperation(user);
    if (!here || position(evaluator, user) > here)
      return true;
  }
  return false;
}

/// Gives up large operands that `op` was the last to use. Small ones are not
/// worth the search; those from outside the block may be used when it runs
/// again.
static void forgetOperands(XlaEvaluator *evaluator, MlirOperation op) {
  enum { large = 1 << 16 };
  for (intptr_t i = 0, n = mlirOperationGetNumOperands(op); i < n; ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    const XlaLiteral *literal = xlaEvaluatorGetValue(evaluator, value);
    MlirBlock home = mlirValueIsABlockArgument(value)
                         ? mlirBlockArgumentGetOwner(value)
                         : mlirOperationGetBlock(mlirOpResultGetOwner(value));
    if (literal && mlirBlockEqual(home, mlirOperationGetBlock(op)) &&
        xlaLiteralGetMemory(literal) >= large &&
        !isUsedAfter(evaluator, op, value))
      unbind(&evaluator->environment, value);
  }
}

static void forget(XlaEvaluator *evaluator, MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    unbind(&evaluator->environment, mlirBlockGetArgument(block, i));
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      unbind(&evaluator->environment, mlirOperationGetResult(op, i));
}

/// Runs a block up to its terminator, whose operands are the results.
static MlirLogicalResult runBlock(XlaEvaluator *evaluator, MlirBlock block,
                                  intptr_t nArgs, const XlaLiteral *const *args,
                                  intptr_t nResults, XlaLiteral **results,
                                  bool observed) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  MlirOperation terminator = mlirBlockGetTerminator(block);
  MlirLogicalResult result = success();
  if (evaluator->nesting >= evaluator->options.maxCallDepth + maxRegionDepth)
    return xlaOpUnsupported(terminator, NULL, "nests calls and regions %d deep",
                            evaluator->nesting);
  ++evaluator->nesting;
  for (intptr_t i = 0; i < nArgs; ++i)
    if (!bind(&evaluator->environment, mlirBlockGetArgument(block, i),
              xlaLiteralRetain(args[i])))
      result = xlaOpNoMemory(terminator);
  for (; mlirLogicalResultIsSuccess(result) &&
         !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op)) {
    result = runOp(evaluator, op, observed);
    forgetOperands(evaluator, op);
  }
  intptr_t given = mlirOperationGetNumOperands(terminator);
  if (mlirLogicalResultIsSuccess(result) && given != nResults)
    result = xlaOpError(terminator, NULL, "returns %lld values, %lld are used",
                        (long long)given, (long long)nResults);
  for (intptr_t i = 0; mlirLogicalResultIsSuccess(result) && i < nResults;
       ++i) {
    const XlaLiteral *value =
        xlaEvaluatorGetValue(evaluator, mlirOperationGetOperand(terminator, i));
    if (value)
      results[i] = xlaLiteralRetain(value);
    else
      result = xlaOpError(terminator, NULL, "operand %lld has no value",
                          (long long)i);
  }
  forget(evaluator, block);
  --evaluator->nesting;
  return result;
}

MlirLogicalResult xlaEvaluatorRunRegion(XlaEvaluator *evaluator,
                                        MlirRegion region, intptr_t nArgs,
                                        const XlaLiteral *const *args,
                                        intptr_t nResults,
                                        XlaLiteral **results) {
  return runBlock(evaluator, mlirRegionGetFirstBlock(region), nArgs, args,
                  nResults, results, false);
}

/// A recursive call finds its block's values bound; they are set aside
/// meanwhile.
static MlirLogicalResult runFunction(XlaEvaluator *evaluator, MlirOperation op,
                                     MlirOperation function, intptr_t nArgs,
                                     const XlaLiteral *const *args,
                                     intptr_t nResults, XlaLiteral **results) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  if (mlirBlockIsNull(block))
    return xlaOpInvalid(op, NULL, "runs a function without a body");
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(block)))
    return xlaOpError(function, NULL,
                      "has several blocks; programs are straight lines and "
                      "regions");
  MlirOperation terminator = mlirBlockGetTerminator(block);
  if (mlirOperationIsNull(terminator))
    return xlaOpInvalid(function, NULL, "is not ended by func.return");
  if (!xlaIrIsOp(terminator, "func.return"))
    return xlaOpInvalid(terminator, NULL, "stands in place of func.return");
  if (mlirBlockGetNumArguments(block) != nArgs)
    return xlaOpInvalid(
        op, NULL, "gives %lld arguments, the function takes %lld",
        (long long)nArgs, (long long)mlirBlockGetNumArguments(block));
  XlaPointerMap outer = evaluator->environment;
  evaluator->environment = (XlaPointerMap){0};
  ++evaluator->depth;
  MlirLogicalResult result = runBlock(evaluator, block, nArgs, args, nResults,
                                      results, evaluator->depth == 1);
  --evaluator->depth;
  clearEnvironment(&evaluator->environment);
  evaluator->environment = outer;
  return result;
}

static MlirLogicalResult checkInputs(MlirOperation function, intptr_t nInputs,
                                     const XlaLiteral *const *inputs) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  MlirContext context = mlirOperationGetContext(function);
  if (mlirBlockIsNull(block) || mlirBlockGetNumArguments(block) != nInputs)
    return success(); // runFunction says so
  for (intptr_t i = 0; i < nInputs; ++i) {
    MlirType given = xlaLiteralGetType(inputs[i], context);
    MlirType type = mlirValueGetType(mlirBlockGetArgument(block, i));
    if (!xlaLiteralFits(inputs[i], type))
      return xlaOpInvalid(function, NULL, "takes %s as argument %lld, gets %s",
                          XLA_TYPE_TEXT(type), (long long)i,
                          XLA_TYPE_TEXT(given));
  }
  return success();
}

MlirLogicalResult xlaEvaluatorRun(XlaEvaluator *evaluator,
                                  MlirOperation function, intptr_t nInputs,
                                  const XlaLiteral *const *inputs,
                                  intptr_t nResults, XlaLiteral **results) {
  memset(results, 0, (size_t)nResults * sizeof *results);
  MlirLogicalResult result = checkInputs(function, nInputs, inputs);
  evaluator->inputBytes = 0;
  evaluator->drawn = 0;
  for (intptr_t i = 0; i < nInputs; ++i)
    evaluator->inputBytes += xlaLiteralGetMemory(inputs[i]);
  if (mlirLogicalResultIsSuccess(result))
    result = runFunction(evaluator, function, function, nInputs, inputs,
                         nResults, results);
  for (intptr_t i = 0; failed(result) && i < nResults; ++i) {
    xlaLiteralRelease(results[i]);
    results[i] = NULL;
  }
  return result;
}

uint64_t xlaEvaluatorDraw(XlaEvaluator *evaluator, uint64_t blocks) {
  evaluator->drawn += blocks;
  return evaluator->drawn - blocks;
}

MlirOperation xlaEvaluatorLookup(XlaEvaluator *evaluator, MlirStringRef name) {
  return xlaModuleFindFunction(evaluator->module, name);
}

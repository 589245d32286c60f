//===- minimize_steps.c - Steps that make programs smaller ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-gen/minimize_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/literal.h"
#include "xlac/dialect/op.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Lists of operations
//===----------------------------------------------------------------------===//

typedef struct Ops {
  intptr_t n, capacity;
  MlirOperation *items;
  bool (*wanted)(MlirOperation op);
} Ops;

static MlirWalkResult collect(MlirOperation op, void *data) {
  Ops *ops = data;
  if (!ops->wanted(op))
    return MlirWalkResultAdvance;
  if (ops->n == ops->capacity) {
    intptr_t capacity = ops->capacity ? 2 * ops->capacity : 256;
    MlirOperation *grown =
        realloc(ops->items, (size_t)capacity * sizeof *grown);
    if (!grown)
      return MlirWalkResultInterrupt; // fewer places, which is not wrong
    ops->items = grown;
    ops->capacity = capacity;
  }
  ops->items[ops->n++] = op;
  return MlirWalkResultAdvance;
}

/// All that are wanted, those in regions before their parents. To be freed.
static Ops find(MlirOperation module, bool (*wanted)(MlirOperation op)) {
  Ops ops = {.wanted = wanted};
  mlirOperationWalk(module, collect, &ops, MlirWalkPostOrder);
  return ops;
}

static intptr_t countOf(MlirOperation module, bool (*wanted)(MlirOperation)) {
  Ops ops = find(module, wanted);
  free(ops.items);
  return ops.n;
}

static bool isFunction(MlirOperation op) { return xlaIrIsOp(op, "func.func"); }

static bool isCall(MlirOperation op) {
  return xlaIrIsOp(op, "func.call") || xlaIrIsOp(op, "xla.call");
}

static bool isConstant(MlirOperation op) {
  return xlaIrIsOp(op, "xla.constant");
}

static bool hasResults(MlirOperation op) {
  return mlirOperationGetNumResults(op) > 0;
}

/// Operations of programs but constants.
static bool isComputation(MlirOperation op) {
  return hasResults(op) && !isConstant(op) && (xlaOpGetKind(op) || isCall(op));
}

//===----------------------------------------------------------------------===//
// What is not used
//===----------------------------------------------------------------------===//

static bool isUnused(MlirOperation op) {
  if (!hasResults(op) || (!xlaOpGetKind(op) && !isCall(op)) ||
      xlaIrIsOp(op, "xla.custom_call"))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirOperationGetResult(op, i))))
      return false;
  return true;
}

static bool isCalled(const Ops *calls, MlirOperation function) {
  MlirStringRef name =
      mlirStringAttrGetValue(xlaOpGetAttr(function, "sym_name"));
  for (intptr_t i = 0; i < calls->n; ++i)
    if (mlirStringRefEqual(mlirFlatSymbolRefAttrGetValue(
                               xlaOpGetAttr(calls->items[i], "callee")),
                           name))
      return true;
  return false;
}

static bool removeFunctions(MlirOperation module) {
  Ops functions = find(module, isFunction), calls = find(module, isCall);
  bool changed = false;
  for (intptr_t i = 0; i < functions.n; ++i) {
    bool isPrivate =
        xlaOpAttrIs(functions.items[i], "sym_visibility", "private");
    if (!isPrivate || isCalled(&calls, functions.items[i]))
      continue;
    mlirOperationDestroy(functions.items[i]);
    changed = true;
  }
  free(functions.items);
  free(calls.items);
  return changed;
}

void xlaGenRemoveUnused(MlirOperation module) {
  bool changed;
  do {
    // One may be inside of another: the last first, parents come later.
    Ops ops = find(module, isUnused);
    changed = ops.n > 0;
    for (intptr_t i = 0; i < ops.n; ++i)
      mlirOperationDestroy(ops.items[i]);
    free(ops.items);
    changed |= removeFunctions(module);
  } while (changed);
}

//===----------------------------------------------------------------------===//
// Results and arguments of functions
//===----------------------------------------------------------------------===//

static MlirOperation mainOf(MlirOperation module) {
  return xlaModuleFindFunction(module, mlirStringRefCreateFromCString("main"));
}

static MlirBlock bodyOf(MlirOperation function) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
}

/// States the type that the body of `function` has now.
static void restate(MlirOperation function) {
  static const char attribute[] = "function_type";
  MlirBlock body = bodyOf(function);
  MlirOperation end = mlirBlockGetTerminator(body);
  intptr_t nInputs = mlirBlockGetNumArguments(body);
  intptr_t nResults = mlirOperationGetNumOperands(end);
  MlirType *types =
      malloc(((size_t)nInputs + (size_t)nResults + 1) * sizeof *types);
  if (!types)
    return;
  for (intptr_t i = 0; i < nInputs; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(body, i));
  for (intptr_t i = 0; i < nResults; ++i)
    types[nInputs + i] = mlirValueGetType(mlirOperationGetOperand(end, i));
  MlirType type =
      mlirFunctionTypeGet(mlirOperationGetContext(function), nInputs, types,
                          nResults, types + nInputs);
  mlirOperationSetInherentAttributeByName(
      function, mlirStringRefCreateFromCString(attribute),
      mlirTypeAttrGet(type));
  free(types);
}

static intptr_t countResults(MlirOperation module) {
  MlirOperation function = mainOf(module);
  if (mlirOperationIsNull(function))
    return 0;
  return mlirOperationGetNumOperands(mlirBlockGetTerminator(bodyOf(function)));
}

/// Keeps one at least.
static bool dropResults(MlirOperation module, intptr_t from, intptr_t to) {
  MlirOperation function = mainOf(module);
  MlirOperation end = mlirBlockGetTerminator(bodyOf(function));
  intptr_t n = mlirOperationGetNumOperands(end), kept = 0;
  MlirValue *values = malloc((size_t)n * sizeof *values);
  for (intptr_t i = 0; values && i < n; ++i)
    if (i < from || i >= to)
      values[kept++] = mlirOperationGetOperand(end, i);
  if (kept) {
    mlirOperationSetOperands(end, kept, values);
    restate(function);
  }
  free(values);
  return kept > 0 && kept < n;
}

static bool isInMain(MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  return isComputation(op) && xlaOpAttrIs(parent, "sym_name", "main");
}

static intptr_t countInMain(MlirOperation module) {
  return countOf(module, isInMain);
}

/// The results of one operation become those of the program.
static bool returnEarlier(MlirOperation module, intptr_t from, intptr_t to) {
  Ops ops = find(module, isInMain);
  MlirOperation function = mainOf(module);
  intptr_t n = from < ops.n ? mlirOperationGetNumResults(ops.items[from]) : 0;
  MlirValue *values = malloc(((size_t)n + 1) * sizeof *values);
  XlaShape shape;
  bool arrays = n > 0 && values && to == from + 1;
  for (intptr_t i = 0; arrays && i < n; ++i) {
    values[i] = mlirOperationGetResult(ops.items[from], i);
    arrays = xlaShapeFromMlir(mlirValueGetType(values[i]), &shape, NULL);
  }
  if (arrays) {
    mlirOperationSetOperands(mlirBlockGetTerminator(bodyOf(function)), n,
                             values);
    restate(function);
  }
  free(values);
  free(ops.items);
  return arrays;
}

static intptr_t countArguments(MlirOperation module) {
  MlirOperation function = mainOf(module);
  return mlirOperationIsNull(function)
             ? 0
             : mlirBlockGetNumArguments(bodyOf(function));
}

/// Those that nothing uses.
static bool dropArguments(MlirOperation module, intptr_t from, intptr_t to) {
  MlirOperation function = mainOf(module);
  MlirBlock body = bodyOf(function);
  bool changed = false;
  for (intptr_t i = to - 1; i >= from; --i)
    if (mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirBlockGetArgument(body, i)))) {
      mlirBlockEraseArgument(body, (unsigned)i);
      changed = true;
    }
  if (changed)
    restate(function);
  return changed;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static intptr_t countComputations(MlirOperation module) {
  return countOf(module, isComputation);
}

/// The first operand with the type of a result takes its place.
static bool passOperands(MlirOperation module, intptr_t from, intptr_t to) {
  Ops ops = find(module, isComputation);
  bool changed = false;
  for (intptr_t k = from; k < to && k < ops.n; ++k) {
    MlirOperation op = ops.items[k];
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j) {
        MlirValue result = mlirOperationGetResult(op, i);
        MlirValue operand = mlirOperationGetOperand(op, j);
        if (!mlirTypeEqual(mlirValueGetType(result), mlirValueGetType(operand)))
          continue;
        mlirValueReplaceAllUsesOfWith(result, operand);
        changed = true;
        break;
      }
  }
  free(ops.items);
  return changed;
}

static MlirAttribute numbers(MlirType type, double number) {
  XlaShape shape;
  if (!xlaShapeFromMlir(type, &shape, NULL))
    return mlirAttributeGetNull();
  XlaLiteral *literal = xlaLiteralCreateArray(&shape);
  XlaScalar value = {.f = {number, 0}};
  if (!xlaElementTypeGetInfo(shape.elementType)->exponentBits)
    value = (XlaScalar){.s = (int64_t)number};
  for (int64_t i = 0; literal && i < xlaLiteralGetElementCount(literal); ++i)
    xlaLiteralSet(literal, i, value);
  MlirAttribute attr = mlirAttributeGetNull();
  if (literal)
    attr = xlaLiteralToAttribute(literal, mlirTypeGetContext(type));
  xlaLiteralRelease(literal);
  return attr;
}

/// Ones in place of results.
static bool useConstants(MlirOperation module, intptr_t from, intptr_t to) {
  Ops ops = find(module, isComputation);
  bool changed = false;
  for (intptr_t k = from; k < to && k < ops.n; ++k) {
    XlaIr ir = xlaIrBefore(ops.items[k]);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(ops.items[k]); ++i) {
      MlirValue result = mlirOperationGetResult(ops.items[k], i);
      MlirAttribute value = numbers(mlirValueGetType(result), 1);
      if (mlirAttributeIsNull(value))
        continue;
      mlirValueReplaceAllUsesOfWith(
          result, xlaIrOp(&ir, "xla.constant", mlirValueGetType(result), 0,
                          NULL, 1, &(XlaIrAttr){"value", value}));
      changed = true;
    }
    if (xlaIrIsOp(ops.items[k], "xla.custom_call") && changed)
      mlirOperationDestroy(ops.items[k]);
  }
  free(ops.items);
  return changed;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static intptr_t countConstants(MlirOperation module) {
  return countOf(module, isConstant);
}

static bool setConstants(MlirOperation module, intptr_t from, intptr_t to,
                         MlirAttribute (*change)(MlirAttribute value)) {
  Ops ops = find(module, isConstant);
  bool changed = false;
  for (intptr_t k = from; k < to && k < ops.n; ++k) {
    MlirAttribute value = xlaOpGetAttr(ops.items[k], "value");
    MlirAttribute other = change(value);
    if (mlirAttributeIsNull(other) || mlirAttributeEqual(value, other))
      continue;
    mlirOperationSetAttributeByName(
        ops.items[k], mlirStringRefCreateFromCString("value"), other);
    changed = true;
  }
  free(ops.items);
  return changed;
}

/// `value` with element `index` everywhere; null if there is none.
static MlirAttribute spread(MlirAttribute value, int64_t index) {
  XlaLiteral *literal = xlaLiteralFromAttribute(value);
  MlirAttribute attr = mlirAttributeGetNull();
  if (!literal)
    return attr;
  XlaLiteral *same = xlaLiteralCreateArray(xlaLiteralGetShape(literal));
  bool exists = same && index < xlaLiteralGetElementCount(literal);
  for (int64_t i = 0; exists && i < xlaLiteralGetElementCount(same); ++i)
    xlaLiteralCopyElement(same, i, literal, index);
  if (exists)
    attr = xlaLiteralToAttribute(same, mlirAttributeGetContext(value));
  xlaLiteralRelease(same);
  xlaLiteralRelease(literal);
  return attr;
}

enum { elementsTried = 12 };

static intptr_t countElements(MlirOperation module) {
  return elementsTried * countConstants(module);
}

/// One of the first elements everywhere.
static bool spreadElement(MlirOperation module, intptr_t from, intptr_t to) {
  Ops ops = find(module, isConstant);
  bool changed = false;
  if (to == from + 1 && from / elementsTried < ops.n) {
    MlirOperation op = ops.items[from / elementsTried];
    MlirAttribute value =
        spread(xlaOpGetAttr(op, "value"), from % elementsTried);
    if (!mlirAttributeIsNull(value)) {
      mlirOperationSetAttributeByName(
          op, mlirStringRefCreateFromCString("value"), value);
      changed = true;
    }
  }
  free(ops.items);
  return changed;
}

static bool isFoldable(MlirOperation op) {
  if (!isComputation(op) || !xlaOpGetKind(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (mlirValueIsABlockArgument(operand) ||
        !isConstant(mlirOpResultGetOwner(operand)))
      return false;
  }
  return mlirOperationGetNumOperands(op) > 0;
}

static intptr_t countFoldable(MlirOperation module) {
  return countOf(module, isFoldable);
}

/// The interpreter's results in place of an operation on constants.
static bool foldOne(MlirOperation op) {
  enum { most = 16 };
  MlirAttribute operands[most];
  MlirExtFoldResult results[most];
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  intptr_t nResults = mlirOperationGetNumResults(op);
  if (nOperands > most || nResults > most)
    return false;
  for (intptr_t i = 0; i < nOperands; ++i)
    operands[i] = xlaOpGetAttr(
        mlirOpResultGetOwner(mlirOperationGetOperand(op, i)), "value");
  if (mlirLogicalResultIsFailure(
          xlaFoldOperation(op, nOperands, operands, results)))
    return false;
  XlaIr ir = xlaIrBefore(op);
  for (intptr_t i = 0; i < nResults; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    mlirValueReplaceAllUsesOfWith(
        result, xlaIrOp(&ir, "xla.constant", mlirValueGetType(result), 0, NULL,
                        1, &(XlaIrAttr){"value", results[i].attribute}));
  }
  return true;
}

static bool fold(MlirOperation module, intptr_t from, intptr_t to) {
  Ops ops = find(module, isFoldable);
  bool changed = false;
  for (intptr_t k = from; k < to && k < ops.n; ++k)
    changed |= foldOne(ops.items[k]);
  free(ops.items);
  return changed;
}

static MlirAttribute ones(MlirAttribute value) {
  return numbers(mlirAttributeGetType(value), 1);
}

static bool useOnes(MlirOperation module, intptr_t from, intptr_t to) {
  return setConstants(module, from, to, ones);
}

const XlaGenStep xlaGenSteps[] = {
    {"results", countResults, dropResults, false},
    {"earlier results", countInMain, returnEarlier, true},
    {"constants for operations", countComputations, useConstants, false},
    {"operands for operations", countComputations, passOperands, false},
    {"arguments", countArguments, dropArguments, false},
    {"ones", countConstants, useOnes, false},
    {"splats", countElements, spreadElement, true},
    {"folding", countFoldable, fold, false},
    {NULL, NULL, NULL, false},
};

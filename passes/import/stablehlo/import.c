//===- import.c - Programs in StableHLO -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"
#include "xlac/passes/import/stablehlo/program.h"
#include "xlac/passes/import/tokens.h"
#include "xlac/passes/partition/partition.h"
#include "xlac/passes/replicas.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/dynamic.h"
#include "xlac/passes/passes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool equals(MlirStringRef a, const char *b) {
  return a.length == strlen(b) && !memcmp(a.data, b, a.length);
}

/// What follows `prefix` in `name`; empty if that is not how it starts.
static MlirStringRef after(MlirStringRef name, const char *prefix) {
  size_t length = strlen(prefix);
  if (name.length <= length || memcmp(name.data, prefix, length) != 0)
    return mlirStringRefCreate(NULL, 0);
  return mlirStringRefCreate(name.data + length, name.length - length);
}

static MlirStringRef opName(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op));
}

static XlaImportResult outOfMemory(MlirOperation op) {
  xlaOpNoMemory(op);
  return XlaImportResultInvalid;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Dynamic and quantized tensors get their message here: to the verifier they
/// would be mistakes.
static XlaImportResult checkType(MlirOperation op, const char *what, intptr_t i,
                                 MlirType type, bool dynamic) {
  XlaShape shape;
  const char *reason;
  if (mlirTypeIsATuple(type) || xlaTypeIsToken(type) ||
      (dynamic ? xlaShapeFromMlirBounded : xlaShapeFromMlir)(type, &shape,
                                                             &reason))
    return XlaImportResultOk;
  xlaOpError(op, NULL, "is not supported yet for %s %lld, %s, which %s", what,
             (long long)i, XLA_TYPE_TEXT(type), reason);
  return XlaImportResultUnsupported;
}

/// `dynamic`: dimensions may be, if they are bounded.
static XlaImportResult checkTypes(MlirOperation op, bool dynamic) {
  XlaImportResult result = XlaImportResultOk;
  for (intptr_t i = 0;
       i < mlirOperationGetNumOperands(op) && result == XlaImportResultOk; ++i)
    result =
        checkType(op, "operand", i,
                  mlirValueGetType(mlirOperationGetOperand(op, i)), dynamic);
  for (intptr_t i = 0;
       i < mlirOperationGetNumResults(op) && result == XlaImportResultOk; ++i)
    result =
        checkType(op, "result", i,
                  mlirValueGetType(mlirOperationGetResult(op, i)), dynamic);
  return result;
}

static XlaImportResult checkNumbers(MlirOperation op, intptr_t nOperands,
                                    intptr_t nResults) {
  if (mlirOperationGetNumOperands(op) == nOperands &&
      mlirOperationGetNumResults(op) == nResults)
    return XlaImportResultOk;
  xlaOpError(op, NULL, "has %lld operands and %lld results, not %lld and %lld",
             (long long)mlirOperationGetNumOperands(op),
             (long long)mlirOperationGetNumResults(op), (long long)nOperands,
             (long long)nResults);
  return XlaImportResultInvalid;
}

XlaImportResult xlaImportCheckArrays(MlirOperation op, intptr_t nOperands,
                                     intptr_t nResults) {
  XlaImportResult result = checkNumbers(op, nOperands, nResults);
  return result == XlaImportResultOk ? checkTypes(op, false) : result;
}

XlaImportResult xlaImportCheckOperands(MlirOperation op, intptr_t n) {
  XlaImportResult result = checkNumbers(op, n, 1);
  MlirType type;
  for (intptr_t i = 0; i <= n && result == XlaImportResultOk; ++i) {
    type = mlirValueGetType(i < n ? mlirOperationGetOperand(op, i)
                                  : mlirOperationGetResult(op, 0));
    if (mlirTypeIsATuple(type) || xlaTypeIsToken(type)) {
      xlaOpError(op, NULL, "has %s where an array must be",
                 XLA_TYPE_TEXT(type));
      return XlaImportResultInvalid;
    }
    if (i < n || !mlirTypeIsARankedTensor(type) || !xlaTypeIsUnbounded(type))
      result = checkType(op, i < n ? "operand" : "result", i < n ? i : 0, type,
                         false);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

XlaImportResult xlaImportReplace(MlirOperation op, const char *name,
                                 intptr_t nKept, intptr_t nExtra,
                                 const MlirValue *extra, intptr_t nAttrs,
                                 const XlaIrAttr *attrs) {
  intptr_t nResults = mlirOperationGetNumResults(op);
  intptr_t nRegions = mlirOperationGetNumRegions(op);
  MlirValue *operands =
      malloc(((size_t)(nKept + nExtra) + 1) * sizeof *operands);
  MlirType *results = malloc(((size_t)nResults + 1) * sizeof *results);
  MlirRegion *regions = malloc(((size_t)nRegions + 1) * sizeof *regions);
  bool enough = operands && results && regions;
  if (enough) {
    for (intptr_t i = 0; i < nKept; ++i)
      operands[i] = mlirOperationGetOperand(op, i);
    for (intptr_t i = 0; i < nExtra; ++i)
      operands[nKept + i] = extra[i];
    for (intptr_t i = 0; i < nResults; ++i)
      results[i] = mlirValueGetType(mlirOperationGetResult(op, i));
    for (intptr_t i = 0; i < nRegions; ++i) {
      regions[i] = mlirRegionCreate();
      mlirRegionTakeBody(regions[i], mlirOperationGetRegion(op, i));
    }
    XlaIr ir = xlaIrBefore(op);
    MlirOperation created =
        xlaIrCreate(&ir, name, nKept + nExtra, operands, nResults, results,
                    nAttrs, attrs, nRegions, regions);
    for (intptr_t i = 0; i < nResults; ++i)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                    mlirOperationGetResult(created, i));
  }
  free(operands);
  free(results);
  free(regions);
  if (!enough)
    return outOfMemory(op);
  mlirOperationDestroy(op);
  return XlaImportResultOk;
}

XlaImportResult xlaImportPut(MlirOperation op, MlirValue value) {
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType stated = mlirValueGetType(result);
  MlirType type = mlirValueGetType(value);
  bool follows = xlaTypeIsUnbounded(stated) && xlaTypeRefines(type, stated);
  if (!follows && !xlaTypeEqualIgnoringLayout(stated, type)) {
    xlaOpError(op, NULL, "is stated as %s, its operands give %s",
               XLA_TYPE_TEXT(stated), XLA_TYPE_TEXT(type));
    return XlaImportResultInvalid;
  }
  mlirValueReplaceAllUsesOfWith(result, value);
  mlirOperationDestroy(op);
  return XlaImportResultOk;
}

/// The same with all operands.
static XlaImportResult replace(MlirOperation op, const char *name,
                               intptr_t nExtra, const MlirValue *extra,
                               intptr_t nAttrs, const XlaIrAttr *attrs) {
  return xlaImportReplace(op, name, mlirOperationGetNumOperands(op), nExtra,
                          extra, nAttrs, attrs);
}

XlaImportResult xlaImportAs(MlirOperation op, XlaOpKind kind) {
  const XlaOpInfo *target = xlaOpGetInfo(kind);
  XlaImportedAttrs attrs;
  char name[128];
  XlaImportResult result = xlaImportAttributes(op, target, &attrs);
  if (result == XlaImportResultOk)
    result = xlaImportInferResults(op, kind, mlirOperationGetNumOperands(op),
                                   &attrs);
  if (result == XlaImportResultOk)
    result = checkTypes(op, xlaOpTakesDynamic(kind));
  if (result != XlaImportResultOk)
    return result;
  snprintf(name, sizeof name, "xla.%s", target->name);
  return replace(op, name, 0, NULL, attrs.count, attrs.items);
}

/// What a check compares with and how, gathered from its attributes.
typedef struct Check {
  MlirOperation op;
  MlirAttribute expected; ///< of the forms _const
  intptr_t n;
  MlirNamedAttribute tolerances[8];
} Check;

static XlaImportResult addCheckAttr(MlirStringRef name, MlirAttribute value,
                                    void *data) {
  Check *check = data;
  if (xlaImportIsAnnotation(name))
    return XlaImportResultOk;
  if (equals(name, "value")) {
    check->expected = value;
    return XlaImportResultOk;
  }
  if (check->n == 8) {
    xlaOpError(check->op, NULL, "has more than 8 attributes");
    return XlaImportResultInvalid;
  }
  check->tolerances[check->n++] = mlirNamedAttributeGet(
      mlirIdentifierGet(mlirOperationGetContext(check->op), name), value);
  return XlaImportResultOk;
}

static XlaImportResult importCheck(MlirOperation op, MlirStringRef name) {
  MlirContext context = mlirOperationGetContext(op);
  Check check = {.op = op};
  MlirValue expected;
  intptr_t nExtra = 0;
  XlaImportResult result = xlaImportForEachAttribute(op, addCheckAttr, &check);
  if (result == XlaImportResultOk)
    result = checkTypes(op, true);
  if (result != XlaImportResultOk)
    return result;
  bool isConst =
      name.length > 6 && !memcmp(name.data + name.length - 6, "_const", 6);
  if (isConst) {
    if (mlirAttributeIsNull(check.expected) ||
        !mlirAttributeIsAElements(check.expected)) {
      xlaOpError(op, NULL, "has no dense 'value' to compare with");
      return XlaImportResultInvalid;
    }
    XlaIr ir = xlaIrBefore(op);
    expected =
        xlaIrOp(&ir, "xla.constant", mlirAttributeGetType(check.expected), 0,
                NULL, 1, &(XlaIrAttr){"value", check.expected});
    nExtra = 1;
    name.length -= 6;
  }
  XlaIrAttr attrs[3] = {
      {"call_target_name", mlirStringAttrGet(context, name)},
      {"has_side_effect", mlirBoolAttrGet(context, 1)},
      {"backend_config",
       mlirDictionaryAttrGet(context, check.n, check.tolerances)},
  };
  return replace(op, "xla.custom_call", nExtra, &expected, check.n ? 3 : 2,
                 attrs);
}

XlaImportResult xlaImportOperand(MlirOperation op) {
  if (mlirOperationGetNumOperands(op) == 1 &&
      mlirOperationGetNumResults(op) == 1)
    return xlaImportPut(op, mlirOperationGetOperand(op, 0));
  xlaOpError(op, NULL, "must have an operand and a result");
  return XlaImportResultInvalid;
}

XlaImportResult xlaImportCrossReplicaSum(MlirOperation op) {
  return xlaImportAs(op, XlaOpKindCrossReplicaSum);
}

/// Functions may end in it too.
XlaImportResult xlaImportReturn(MlirOperation op) {
  if (xlaIrIsOp(mlirOperationGetParentOperation(op), "func.func"))
    return replace(op, "func.return", 0, NULL, 0, NULL);
  return xlaImportAs(op, XlaOpKindReturn);
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// Operations in the program's order: those with regions before these, to give
/// block arguments their types, and all after their regions.
typedef struct OpList {
  intptr_t count, capacity;
  struct OpVisit {
    MlirOperation op;
    bool enters;
  } *items;
} OpList;

static bool visit(OpList *list, MlirOperation op, bool enters) {
  if (list->count == list->capacity) {
    intptr_t capacity = list->capacity ? 2 * list->capacity : 256;
    struct OpVisit *items =
        realloc(list->items, (size_t)capacity * sizeof *items);
    if (!items)
      return false;
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count++] = (struct OpVisit){op, enters};
  return true;
}

/// False without memory.
static bool collect(OpList *list, MlirOperation op) {
  intptr_t nRegions = mlirOperationGetNumRegions(op);
  if (nRegions && !visit(list, op, true))
    return false;
  for (intptr_t r = 0; r < nRegions; ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (MlirOperation inner = mlirBlockGetFirstOperation(block);
           !mlirOperationIsNull(inner);
           inner = mlirOperationGetNextInBlock(inner))
        if (!collect(list, inner))
          return false;
  return visit(list, op, false);
}

/// Whether the import says what becomes of an operation: of one of StableHLO's
/// dialects, or of one that nobody knows.
static bool isForeign(MlirOperation op, MlirStringRef name) {
  return after(name, "stablehlo.").length || after(name, "chlo.").length ||
         after(name, "sdy.").length ||
         !mlirContextIsRegisteredOperation(mlirOperationGetContext(op), name);
}

static XlaImportResult import(MlirOperation op) {
  MlirStringRef name = opName(op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!xlaImportValueType(mlirOperationGetResult(op, i)))
      return outOfMemory(op);
  // Arguments of the blocks around come later.
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!xlaImportValueType(mlirOperationGetOperand(op, i)))
      return outOfMemory(op);
  if (!isForeign(op, name)) {
    xlaImportRemoveAnnotations(op);
    return !equals(name, "func.func") || xlaImportFunction(op)
               ? XlaImportResultOk
               : outOfMemory(op);
  }
  if (after(name, "check.expect_").length ||
      equals(name, "interpreter.run_parallel") ||
      equals(name, "interpreter.print"))
    return importCheck(op, name);
  XlaImportResult refined = xlaImportRefineResults(op, name);
  if (refined != XlaImportResultOk)
    return refined;
  if (equals(name, "interpreter.probe")) // writes its operand to a file
    return xlaImportOperand(op);
  if (after(name, "sdy.").length)
    return xlaImportShardy(op);
  return xlaImportForeign(op, name);
}

/// Meshes say where things are, and have been asked by now.
static void removeMeshes(MlirOperation module) {
  MlirOperation next, op = mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(
                          mlirOperationGetRegion(module, 0)));
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (equals(opName(op), "sdy.mesh"))
      mlirOperationDestroy(op);
  }
}

/// `folds`: what operands are computed of sizes is.
static XlaImportResult importModule(MlirOperation module, bool folds) {
  enum { maxErrors = 10 };
  OpList list = {0};
  XlaImportResult worst = XlaImportResultOk;
  // Operations of a dialect that is not loaded would stay unregistered.
  MlirContext context = mlirOperationGetContext(module);
  mlirContextGetOrLoadDialect(context, mlirStringRefCreateFromCString("xla"));
  mlirContextGetOrLoadDialect(context, mlirStringRefCreateFromCString("func"));
  worst = xlaPartitionWhole(module);
  if (worst != XlaImportResultOk)
    return worst;
  xlaModuleRenameCounts(module, "mhlo.", "xla.");
  xlaImportTakeBranches(module);
  worst = xlaImportRecompose(module);
  if (!collect(&list, module))
    worst = outOfMemory(module);
  // Operations see the arguments of blocks around them, so these come first.
  for (intptr_t i = 0; i < list.count; ++i)
    if (list.items[i].enters && !xlaImportBlockArguments(list.items[i].op))
      worst = outOfMemory(list.items[i].op);
  for (intptr_t i = 0, errors = 0; i < list.count && errors < maxErrors; ++i) {
    if (list.items[i].enters) {
      xlaImportRefineArguments(list.items[i].op);
      continue;
    }
    if (folds)
      xlaImportFoldOperands(list.items[i].op);
    XlaImportResult result = import(list.items[i].op);
    errors += result != XlaImportResultOk;
    // A program that is wrong as well as unsupported is wrong.
    if (result == XlaImportResultInvalid || worst == XlaImportResultOk)
      worst = result;
  }
  free(list.items);
  removeMeshes(module);
  if (worst == XlaImportResultOk &&
      mlirLogicalResultIsFailure(xlaOpLeaveOutDefaults(module)))
    worst = XlaImportResultInvalid;
  return worst;
}

XlaImportResult xlaImportStableHlo(MlirOperation module) {
  return importModule(module, false);
}

XlaImportResult xlaImportFolding(MlirOperation module) {
  return importModule(module, true);
}

MlirLogicalResult xlaPassImportStablehlo(MlirOperation module,
                                         MlirExtPassOptionValues options,
                                         void *userData) {
  (void)options;
  (void)userData;
  return xlaImportStableHlo(module) == XlaImportResultOk
             ? mlirLogicalResultSuccess()
             : mlirLogicalResultFailure();
}

//===- draft.c - Operations in the making ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/builder/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void xlaDraftBegin(XlaDraft *draft, XlaBuilder *b, const char *function,
                   XlaOpKind kind) {
  *draft =
      (XlaDraft){.b = xlaBuilderBegin(b, function) ? b : NULL, .kind = kind};
}

/// Whether there is still something to do.
static bool isAlive(const XlaDraft *draft) {
  return draft->b && !draft->b->failed;
}

/// Room for one more entry of a list; false after an error.
static bool grow(XlaDraft *draft, void **list, intptr_t n, intptr_t *capacity,
                 size_t size) {
  if (n < *capacity)
    return true;
  intptr_t more = *capacity ? 2 * *capacity : 4;
  void *grown = realloc(*list, (size_t)more * size);
  if (!grown) {
    xlaBuilderFail(draft->b, "out of memory");
    return false;
  }
  *list = grown;
  *capacity = more;
  return true;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

void xlaDraftOperand(XlaDraft *draft, XlaOp op) {
  if (!isAlive(draft))
    return;
  MlirValue value = xlaBuilderGetValue(draft->b, op);
  if (!mlirValueIsNull(value) &&
      grow(draft, (void **)&draft->operands, draft->nOperands,
           &draft->operandCapacity, sizeof *draft->operands))
    draft->operands[draft->nOperands++] = value;
}

void xlaDraftOperands(XlaDraft *draft, const char *name, const XlaOp *ops,
                      intptr_t n) {
  if (!isAlive(draft) || !xlaBuilderCheckList(draft->b, name, ops, n))
    return;
  for (intptr_t i = 0; i < n; ++i)
    xlaDraftOperand(draft, ops[i]);
}

void xlaDraftAttr(XlaDraft *draft, const char *name, MlirAttribute value) {
  if (isAlive(draft) && draft->nAttrs < XlaDraftMaxAttrs)
    draft->attrs[draft->nAttrs++] = (XlaIrAttr){name, value};
}

void xlaDraftInts(XlaDraft *draft, const char *name, const int64_t *values,
                  intptr_t n) {
  if (isAlive(draft) && xlaBuilderCheckList(draft->b, name, values, n))
    xlaDraftAttr(draft, name,
                 mlirDenseI64ArrayGet(draft->b->context, n, values));
}

void xlaDraftMaybeInts(XlaDraft *draft, const char *name, const int64_t *values,
                       intptr_t n) {
  if (values)
    xlaDraftInts(draft, name, values, n);
}

void xlaDraftOptionalInts(XlaDraft *draft, const char *name,
                          const int64_t *values, intptr_t n) {
  if (n)
    xlaDraftInts(draft, name, values, n);
}

void xlaDraftInt(XlaDraft *draft, const char *name, int64_t value) {
  if (isAlive(draft))
    xlaDraftAttr(draft, name, xlaIrI64Attr(draft->b->context, value));
}

void xlaDraftBool(XlaDraft *draft, const char *name, bool value) {
  if (isAlive(draft))
    xlaDraftAttr(draft, name, mlirBoolAttrGet(draft->b->context, value));
}

void xlaDraftString(XlaDraft *draft, const char *name, const char *value) {
  if (isAlive(draft))
    xlaDraftAttr(draft, name, xlaIrStringAttr(draft->b->context, value));
}

void xlaDraftResult(XlaDraft *draft, MlirType type) {
  if (!isAlive(draft))
    return;
  if (mlirTypeIsNull(type)) {
    xlaBuilderFail(draft->b, "the type of the result is null");
    return;
  }
  if (grow(draft, (void **)&draft->results, draft->nResults,
           &draft->resultCapacity, sizeof *draft->results))
    draft->results[draft->nResults++] = type;
}

void xlaDraftResultShape(XlaDraft *draft, const XlaShape *shape) {
  if (isAlive(draft) && xlaBuilderCheckShape(draft->b, shape))
    xlaDraftResult(draft, xlaShapeToMlir(shape, draft->b->context));
}

bool xlaBuilderCheckComputation(XlaBuilder *b,
                                const XlaComputation *computation) {
  if (!computation)
    return xlaBuilderFail(b, "a computation is NULL");
  if (!mlirContextEqual(xlaComputationGetContext(computation), b->context))
    return xlaBuilderFail(b, "the computation '%.100s' is of another context",
                          computation->name);
  if (computation->depth >= XLA_COMPUTATION_MAX_DEPTH)
    return xlaBuilderFail(b,
                          "the computation '%.100s' is nested %d deep, "
                          "deeper would be too deep",
                          computation->name, computation->depth);
  if (b->nOperations + computation->nOperations >
      XLA_COMPUTATION_MAX_OPERATIONS)
    return xlaBuilderFail(b,
                          "with the computation '%.100s' there would be "
                          "more than %d operations",
                          computation->name, XLA_COMPUTATION_MAX_OPERATIONS);
  return true;
}

void xlaDraftRegion(XlaDraft *draft, const XlaComputation *computation,
                    bool flatten) {
  if (!isAlive(draft) || !xlaBuilderCheckComputation(draft->b, computation) ||
      !grow(draft, (void **)&draft->regions, draft->nRegions,
            &draft->regionCapacity, sizeof *draft->regions))
    return;
  XlaBuilder *b = draft->b;
  MlirRegion region =
      xlaComputationCloneRegion(computation, flatten, &b->callees);
  if (mlirRegionIsNull(region)) {
    xlaBuilderFail(b, "out of memory");
    return;
  }
  draft->regions[draft->nRegions++] = region;
  b->nOperations += computation->nOperations;
  if (b->depth < computation->depth)
    b->depth = computation->depth;
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

static bool infer(const XlaDraft *draft, MlirLocation location,
                  XlaOpView *view) {
  XlaBuilder *b = draft->b;
  MlirType *types = malloc(((size_t)draft->nOperands + 1) * sizeof *types);
  if (!types)
    return xlaBuilderFail(b, "out of memory");
  for (intptr_t i = 0; i < draft->nOperands; ++i)
    types[i] = mlirValueGetType(draft->operands[i]);
  *view = (XlaOpView){.kind = draft->kind,
                      .context = b->context,
                      .location = location,
                      .nOperands = draft->nOperands,
                      .operands = types,
                      .attributes = xlaIrDictionaryAttr(
                          b->context, draft->nAttrs, draft->attrs),
                      .nRegions = draft->nRegions,
                      .regions = draft->regions,
                      .nStatedResults = draft->nResults,
                      .statedResults = draft->results};
  MlirDiagnosticHandlerID handler = xlaBuilderCatch(b);
  bool inferred = mlirLogicalResultIsSuccess(xlaOpInfer(view));
  xlaBuilderCatchEnd(b, handler);
  free(types);
  if (!inferred)
    xlaBuilderFail(b, "'xla.%s' op is not valid",
                   xlaOpGetInfo(draft->kind)->name);
  return inferred;
}

/// Results that were stated keep their layouts.
static void keepLayouts(const XlaDraft *draft, XlaOpView *view) {
  for (intptr_t i = 0; i < draft->nResults && i < view->nResults; ++i)
    if (xlaTypeEqualIgnoringLayout(draft->results[i], view->results[i]))
      view->results[i] = draft->results[i];
}

static MlirOperation create(XlaDraft *draft) {
  XlaBuilder *b = draft->b;
  XlaOpView view = {.results = NULL};
  MlirOperation op = {NULL};
  MlirLocation location = xlaBuilderLocation(b);
  if (b->nOperations >= XLA_COMPUTATION_MAX_OPERATIONS) {
    xlaBuilderFail(b, "there are %d operations, more would be too many",
                   XLA_COMPUTATION_MAX_OPERATIONS);
    return op;
  }
  if (infer(draft, location, &view)) {
    keepLayouts(draft, &view);
    char name[64];
    snprintf(name, sizeof name, "xla.%s", xlaOpGetInfo(draft->kind)->name);
    XlaIr ir = xlaIrAtEnd(b->context, location, b->block);
    op = xlaIrCreate(&ir, name, draft->nOperands, draft->operands,
                     view.nResults, view.results, draft->nAttrs, draft->attrs,
                     draft->nRegions, draft->regions);
    draft->nRegions = 0;
    ++b->nOperations;
  }
  free(view.results);
  return op;
}

void xlaDraftDestroy(XlaDraft *draft) {
  for (intptr_t i = 0; i < draft->nRegions; ++i)
    mlirRegionDestroy(draft->regions[i]);
  free(draft->operands);
  free(draft->regions);
  free(draft->results);
}

/// One value of all results.
static XlaOp packResults(XlaBuilder *b, MlirOperation op) {
  intptr_t n = mlirOperationGetNumResults(op);
  MlirValue *values = malloc(((size_t)n + 1) * sizeof *values);
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  XlaOp tuple = {0};
  if (values && types) {
    for (intptr_t i = 0; i < n; ++i) {
      values[i] = mlirOperationGetResult(op, i);
      types[i] = mlirValueGetType(values[i]);
    }
    XlaIr ir = xlaIrAtEnd(b->context, mlirOperationGetLocation(op), b->block);
    ++b->nOperations;
    tuple = xlaBuilderAddValue(
        b, xlaIrOp(&ir, "xla.tuple", mlirTupleTypeGet(b->context, n, types), n,
                   values, 0, NULL));
  } else {
    xlaBuilderFail(b, "out of memory");
  }
  free(values);
  free(types);
  return tuple;
}

static XlaOp finish(XlaDraft *draft, bool tuple) {
  XlaOp result = {0};
  if (isAlive(draft)) {
    MlirOperation op = create(draft);
    if (!mlirOperationIsNull(op))
      result = mlirOperationGetNumResults(op) == 1 && !tuple
                   ? xlaBuilderAddValue(draft->b, mlirOperationGetResult(op, 0))
                   : packResults(draft->b, op);
  }
  xlaDraftDestroy(draft);
  return result;
}

XlaOp xlaDraftFinish(XlaDraft *draft) { return finish(draft, false); }

XlaOp xlaDraftFinishTuple(XlaDraft *draft) { return finish(draft, true); }

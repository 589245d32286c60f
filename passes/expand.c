//===- expand.c - Operations as several others ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand.h"

#include "xlac/dialect/evaluator.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/passes.h"

#include <stdlib.h>

typedef MlirLogicalResult (*Expander)(XlaIr *ir, MlirOperation op,
                                      MlirValue *results);

static const struct {
  XlaOpKind kind;
  Expander expand;
} expanders[] = {
    {XlaOpKindBatchNormTraining, xlaExpandBatchNorm},
    {XlaOpKindBatchNormInference, xlaExpandBatchNorm},
    {XlaOpKindBatchNormGrad, xlaExpandBatchNorm},
    {XlaOpKindConvolution, xlaExpandConvolution},
    {XlaOpKindReduceWindow, xlaExpandReduceWindow},
    {XlaOpKindSelectAndScatter, xlaExpandSelectAndScatter},
};

static Expander findExpander(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  for (size_t i = 0; i < sizeof expanders / sizeof *expanders; ++i)
    if (expanders[i].kind == kind)
      return expanders[i].expand;
  return NULL;
}

/// Operations on constants are folded here: their parts, folded later, would be
/// rounded elsewhere.
static bool fold(XlaIr *ir, MlirOperation op, MlirValue *results) {
  enum { most = 5 };
  MlirAttribute operands[most];
  MlirExtFoldResult folded[most] = {0};
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  intptr_t nResults = mlirOperationGetNumResults(op);
  if (nOperands > most || nResults > most)
    return false;
  for (intptr_t i = 0; i < nOperands; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!mlirValueIsAOpResult(operand) ||
        xlaOpGetKind(mlirOpResultGetOwner(operand)) != XlaOpKindConstant)
      return false;
    operands[i] = xlaOpGetAttr(mlirOpResultGetOwner(operand), "value");
  }
  if (failed(xlaFoldOperation(op, nOperands, operands, folded)))
    return false;
  for (intptr_t i = 0; i < nResults; ++i)
    results[i] = xlaIrOp(ir, "xla.constant",
                         mlirValueGetType(mlirOperationGetResult(op, i)), 0,
                         NULL, 1, &(XlaIrAttr){"value", folded[i].attribute});
  return true;
}

static MlirLogicalResult expand(MlirOperation op) {
  intptr_t n = mlirOperationGetNumResults(op);
  MlirValue *results = calloc((size_t)n + 1, sizeof *results);
  if (!results)
    return xlaOpError(op, NULL, "could not be expanded: out of memory");
  XlaIr ir = xlaIrBefore(op);
  MlirLogicalResult result =
      fold(&ir, op, results) ? success() : findExpander(op)(&ir, op, results);
  if (!failed(result)) {
    for (intptr_t i = 0; i < n; ++i)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), results[i]);
    mlirOperationDestroy(op);
  }
  free(results);
  return result;
}

static bool isExpanded(MlirOperation op) { return findExpander(op) != NULL; }

MlirLogicalResult xlaExpand(MlirOperation function) {
  XlaIrOps found = xlaIrCollect(function, MlirWalkPostOrder, isExpanded);
  MlirLogicalResult result =
      found.failed
          ? xlaOpError(function, NULL, "could not be expanded: out of memory")
          : success();
  for (intptr_t i = 0; !failed(result) && i < found.n; ++i)
    result = expand(found.ops[i]);
  free(found.ops);
  return result;
}

MlirLogicalResult xlaPassExpand(MlirOperation module,
                                MlirExtPassOptionValues options,
                                void *userData) {
  (void)options;
  (void)userData;
  return xlaExpand(module);
}

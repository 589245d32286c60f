//===- expand.c - Operations as several others ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/expand.h"

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/passes.h"

#include <stdlib.h>
#include <string.h>

typedef MlirLogicalResult (*Expander)(XlaIr *ir, MlirOperation op,
                                      MlirValue *results);

static Expander ownExpander(XlaOpKind kind) {
  static const Expander expanders[XlaOpKindCount] = {
#define XLA_EXPANDER(Operation, Function)                                      \
  [XlaOpKind##Operation] = xlaExpand##Function,
#include "xlac/passes/expand/expand.def"
  };
  return expanders[kind];
}

static Expander findExpander(MlirOperation op) {
  Expander own = ownExpander(xlaOpGetKind(op));
  return own ? own : xlaExpandFormula;
}

bool xlaExpandHas(XlaOpKind kind) {
  return ownExpander(kind) || xlaExpansionFind(kind, XlaElementTypeInvalid);
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
    return xlaOpNoMemory(op);
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

static bool hasExpansion(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  XlaShape shape;
  intptr_t n = mlirOperationGetNumOperands(op);
  if (ownExpander(kind))
    return true;
  if (!xlaExpansionFind(kind, XlaElementTypeInvalid))
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  return n && xlaShapeFromMlir(type, &shape, NULL) &&
         mlirTypeEqual(type, xlaTypeWithoutLayout(type)) &&
         xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, n - 1)),
                          &shape, NULL) &&
         xlaExpansionFind(kind, shape.elementType);
}

MlirLogicalResult xlaExpandKinds(MlirOperation function,
                                 const bool wanted[XlaOpKindCount]) {
  XlaIrOps found = xlaIrCollect(function, MlirWalkPostOrder, hasExpansion);
  MlirLogicalResult result = found.failed ? xlaOpNoMemory(function) : success();
  for (intptr_t i = 0; !failed(result) && i < found.n; ++i)
    if (wanted[xlaOpGetKind(found.ops[i])])
      result = expand(found.ops[i]);
  free(found.ops);
  return result;
}

MlirLogicalResult xlaExpand(MlirOperation function) {
  bool wanted[XlaOpKindCount] = {false};
  for (XlaOpKind kind = 1; kind < XlaOpKindCount; ++kind)
    wanted[kind] =
        ownExpander(kind) || xlaOpGetInfo(kind)->devices == XlaOpDevicesFormula;
  return xlaExpandKinds(function, wanted);
}

/// Reads names separated by commas.
static MlirLogicalResult readKinds(MlirOperation module, MlirStringRef names,
                                   bool wanted[XlaOpKindCount]) {
  for (size_t at = 0, n; at < names.length; at += n + 1) {
    const char *name = names.data + at;
    const char *comma = memchr(name, ',', names.length - at);
    n = comma ? (size_t)(comma - name) : names.length - at;
    XlaOpKind kind = xlaOpKindFromName(name, n);
    if (kind == XlaOpKindInvalid || !xlaExpandHas(kind))
      return xlaOpError(module, NULL,
                        "has option ops=%.*s, but '%.*s' is no operation that "
                        "can be written as others",
                        (int)names.length, names.data, (int)n, name);
    wanted[kind] = true;
  }
  return success();
}

MlirLogicalResult xlaPassExpand(MlirOperation module,
                                MlirExtPassOptionValues options,
                                void *userData) {
  (void)userData;
  MlirStringRef names = mlirExtPassOptionGetString(options, 0);
  bool wanted[XlaOpKindCount] = {false};
  if (!names.length)
    return xlaExpand(module);
  return failed(readKinds(module, names, wanted))
             ? failure()
             : xlaExpandKinds(module, wanted);
}

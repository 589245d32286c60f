//===- isolate.c - Computations without outer values ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/isolate.h"

#include "xlac/dialect/interpret/random.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/arrays.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Values from outside
//===----------------------------------------------------------------------===//

/// Operands of an operation, then what its regions use from outside. In front
/// of them, of one that draws, the number of blocks that were taken.
typedef struct Isolation {
  MlirOperation op;
  MlirValue taken; ///< null: it does not draw
  intptr_t n, capacity;
  MlirValue *values;
  XlaIsolateTypeOf typeOf;
  const void *user;
  bool failed; ///< memory ran out
} Isolation;

static bool isOuter(MlirOperation op, MlirValue value) {
  MlirOperation at = mlirBlockGetParentOperation(xlaIrBlockOf(value));
  while (!mlirOperationIsNull(at) && !mlirOperationEqual(at, op))
    at = mlirOperationGetParentOperation(at);
  return mlirOperationIsNull(at);
}

static bool isConstant(MlirValue value) {
  return mlirValueIsAOpResult(value) &&
         xlaOpGetKind(mlirOpResultGetOwner(value)) == XlaOpKindConstant;
}

static void add(Isolation *isolation, MlirValue value) {
  if (isolation->n == isolation->capacity) {
    intptr_t capacity = 2 * isolation->capacity + 16;
    MlirValue *grown =
        realloc(isolation->values, (size_t)capacity * sizeof *grown);
    if (!grown) {
      isolation->failed = true;
      return;
    }
    isolation->values = grown;
    isolation->capacity = capacity;
  }
  isolation->values[isolation->n++] = value;
}

static void addOnce(Isolation *isolation, MlirValue value) {
  for (intptr_t i = mlirOperationGetNumOperands(isolation->op) +
                    !mlirValueIsNull(isolation->taken);
       i < isolation->n; ++i)
    if (mlirValueEqual(isolation->values[i], value))
      return;
  add(isolation, value);
}

static MlirWalkResult isolate(MlirOperation inner, void *data) {
  Isolation *isolation = data;
  if (mlirOperationEqual(inner, isolation->op))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(inner); ++i) {
    MlirValue value = mlirOperationGetOperand(inner, i);
    if (!isOuter(isolation->op, value))
      continue;
    if (!isConstant(value)) {
      addOnce(isolation, value);
      continue;
    }
    MlirOperation copy = mlirOperationClone(mlirOpResultGetOwner(value));
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(inner), inner,
                                        copy);
    mlirOperationSetOperand(inner, i, mlirOperationGetResult(copy, 0));
  }
  return isolation->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Lists what `op` uses, constants in its regions aside, after `taken`, if that
/// is not null; false after a diagnostic. The caller frees `values`.
static bool list(MlirOperation op, XlaIsolateTypeOf typeOf, const void *user,
                 MlirValue taken, Isolation *isolation) {
  *isolation =
      (Isolation){.op = op, .taken = taken, .typeOf = typeOf, .user = user};
  if (!mlirValueIsNull(taken))
    add(isolation, taken);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    add(isolation, mlirOperationGetOperand(op, i));
  mlirOperationWalk(op, isolate, isolation, MlirWalkPostOrder);
  if (isolation->failed)
    xlaOpNoMemory(op);
  return !isolation->failed;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

typedef struct Replacement {
  const Isolation *isolation;
  MlirBlock block; ///< whose arguments take the places of values
} Replacement;

static MlirWalkResult replace(MlirOperation inner, void *data) {
  const Replacement *r = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(inner); ++i)
    for (intptr_t k = 0; k < r->isolation->n; ++k)
      if (mlirValueEqual(mlirOperationGetOperand(inner, i),
                         r->isolation->values[k]))
        mlirOperationSetOperand(inner, i, mlirBlockGetArgument(r->block, k));
  return MlirWalkResultAdvance;
}

static MlirType ownType(MlirValue value, const void *user) {
  (void)user;
  return mlirValueGetType(value);
}

static MlirType typeAt(const Isolation *isolation, intptr_t i) {
  return isolation->typeOf(isolation->values[i], isolation->user);
}

/// A function that has a copy of the operation only.
static MlirOperation createFunction(const Isolation *isolation) {
  MlirOperation op = isolation->op, copy = mlirOperationClone(op);
  MlirContext context = mlirOperationGetContext(op);
  MlirLocation location = mlirOperationGetLocation(op);
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  for (intptr_t i = 0; i < isolation->n; ++i)
    mlirBlockAddArgument(block, typeAt(isolation, i), location);
  mlirBlockAppendOwnedOperation(block, copy);
  mlirOperationWalk(copy, replace, &(Replacement){isolation, block},
                    MlirWalkPostOrder);
  XlaIr ir = xlaIrAtEnd(context, location, block);
  xlaIrCreate(&ir, "func.return", 0, NULL, 0, NULL, 0, NULL, 0, NULL);
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString("func.func"), location);
  MlirType *types = malloc(((size_t)isolation->n + 1) * sizeof *types);
  MlirOperation function = {NULL};
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  if (types) {
    for (intptr_t i = 0; i < isolation->n; ++i)
      types[i] = typeAt(isolation, i);
    XlaIrAttr attrs[] = {
        {"sym_name", xlaIrStringAttr(context, "between")},
        {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(
                              context, isolation->n, types, 0, NULL))}};
    for (int i = 0; i < 2; ++i) {
      MlirNamedAttribute attr = mlirNamedAttributeGet(
          mlirIdentifierGet(context,
                            mlirStringRefCreateFromCString(attrs[i].name)),
          attrs[i].value);
      mlirOperationStateAddAttributes(&state, 1, &attr);
    }
  }
  function = mlirOperationCreate(&state);
  free(types);
  if (types)
    return function;
  mlirOperationDestroy(function);
  return (MlirOperation){NULL};
}

/// With the locations, so that what goes wrong is said at the operation.
static MlirAttribute textOf(MlirOperation function) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  XlaIrText text = {.data = NULL};
  mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  mlirOpPrintingFlagsPrintGenericOpForm(flags);
  mlirOpPrintingFlagsUseLocalScope(flags);
  mlirOperationPrintWithFlags(function, flags, xlaIrTextAppend, &text);
  mlirOpPrintingFlagsDestroy(flags);
  MlirAttribute attr = {NULL};
  if (!text.isCut)
    attr = mlirStringAttrGet(mlirOperationGetContext(function),
                             mlirStringRefCreate(text.data, text.size));
  free(text.data);
  return attr;
}

static MlirOperation createCall(const Isolation *isolation) {
  MlirOperation op = isolation->op, call = {NULL};
  MlirOperation function = createFunction(isolation);
  MlirAttribute text = {NULL};
  if (!mlirOperationIsNull(function))
    text = textOf(function);
  bool draws = !mlirValueIsNull(isolation->taken);
  intptr_t n = mlirOperationGetNumResults(op);
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  if (!mlirOperationIsNull(function))
    mlirOperationDestroy(function);
  if (types && !mlirAttributeIsNull(text)) {
    XlaIr ir = xlaIrBefore(op);
    XlaIrAttr attrs[] = {
        {"call_target_name", xlaIrStringAttr(ir.context, XLA_BETWEEN)},
        {XLA_BETWEEN_OP, text},
        {XLA_BETWEEN_DRAWS, mlirUnitAttrGet(ir.context)}};
    if (draws)
      types[0] = mlirValueGetType(isolation->taken);
    for (intptr_t i = 0; i < n; ++i)
      types[draws + i] = mlirValueGetType(mlirOperationGetResult(op, i));
    call = xlaIrCreate(&ir, "xla.custom_call", isolation->n, isolation->values,
                       n + draws, types, 2 + draws, attrs, 0, NULL);
    for (intptr_t i = 0; i < n; ++i)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                    mlirOperationGetResult(call, draws + i));
  } else {
    xlaOpNoMemory(op);
  }
  free(types);
  return call;
}

MlirOperation xlaIsolateAsCall(MlirOperation op, XlaIsolateTypeOf typeOf,
                               const void *user) {
  Isolation isolation;
  MlirOperation call = {NULL};
  if (list(op, typeOf, user, (MlirValue){NULL}, &isolation))
    call = createCall(&isolation);
  free(isolation.values);
  return call;
}

MlirLogicalResult xlaIsolate(MlirOperation op) {
  Isolation isolation;
  bool done = list(op, ownType, NULL, (MlirValue){NULL}, &isolation);
  if (done && isolation.n > mlirOperationGetNumOperands(op)) {
    done = !mlirOperationIsNull(createCall(&isolation));
    if (done)
      mlirOperationDestroy(op);
  }
  free(isolation.values);
  return done ? success() : failure();
}

/// The seed goes along: the operation leaves the module that has it.
static void keepSeed(MlirOperation op) {
  MlirType type = mlirIntegerTypeGet(mlirOperationGetContext(op), 64);
  mlirOperationSetDiscardableAttributeByName(
      op, mlirStringRefCreateFromCString(XLA_SEED_ATTRIBUTE),
      mlirIntegerAttrGet(type, (int64_t)xlaRngGetSeed(op)));
}

MlirLogicalResult xlaIsolateOrdered(MlirOperation op, bool draws) {
  Isolation isolation;
  XlaIr ir = xlaIrBefore(op);
  MlirValue taken = {NULL};
  if (draws) {
    keepSeed(op);
    taken = xlaArrayNumber(&ir, XlaElementTypeU64, 0);
  }
  bool done = list(op, ownType, NULL, taken, &isolation) &&
              !mlirOperationIsNull(createCall(&isolation));
  if (done)
    mlirOperationDestroy(op);
  free(isolation.values);
  return done ? success() : failure();
}

bool xlaIsolatedDraws(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindCustomCall &&
         !mlirAttributeIsNull(xlaOpGetAttr(op, XLA_BETWEEN_OP)) &&
         !mlirAttributeIsNull(xlaOpGetAttr(op, XLA_BETWEEN_DRAWS));
}

MlirLogicalResult xlaIsolateConstants(MlirOperation op) {
  Isolation isolation;
  bool done = list(op, ownType, NULL, (MlirValue){NULL}, &isolation);
  if (done && isolation.n > mlirOperationGetNumOperands(op)) {
    xlaOpError(op, NULL, "uses a value from outside in its computation");
    done = false;
  }
  free(isolation.values);
  return done ? success() : failure();
}

MlirOperation xlaIsolatedOp(MlirOperation call, MlirModule *module) {
  MlirAttribute target = {NULL}, text = xlaOpGetAttr(call, XLA_BETWEEN_OP);
  if (xlaOpGetKind(call) == XlaOpKindCustomCall)
    target = xlaOpGetAttr(call, "call_target_name");
  *module = (MlirModule){NULL};
  if (mlirAttributeIsNull(target) || mlirAttributeIsNull(text) ||
      !mlirAttributeIsAString(text) ||
      !mlirStringRefEqual(mlirStringAttrGetValue(target),
                          mlirStringRefCreateFromCString(XLA_BETWEEN)))
    return (MlirOperation){NULL};
  *module = mlirModuleCreateParse(mlirOperationGetContext(call),
                                  mlirStringAttrGetValue(text));
  if (mlirModuleIsNull(*module))
    return (MlirOperation){NULL};
  MlirOperation function =
      mlirBlockGetFirstOperation(mlirModuleGetBody(*module));
  return mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
}

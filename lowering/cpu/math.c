//===- math.c - Transcendental functions without calls for each element ---===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/math.h"
#include "xlac/dialect/error.h"
#include "xlac/lowering/math/ops.h"

#include "mlir-c/Diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Functions of f64 whose upstream lowering is missing or inaccurate: libm's.
static const struct {
  const char *op, *libm;
} ofDouble[] = {
    {"math.expm1", "expm1"}, {"math.log1p", "log1p"}, {"math.sinh", "sinh"},
    {"math.cosh", "cosh"},   {"math.erf", "erf"},     {"math.tan", "tan"},
    {"math.asin", "asin"},   {"math.acos", "acos"},   {"math.atan", "atan"},
    {"math.atan2", "atan2"}, {"math.cbrt", "cbrt"},
};

static const char *libmOf(MlirOperation op) {
  for (size_t i = 0; i < sizeof ofDouble / sizeof *ofDouble; ++i)
    if (xlaIrIsOp(op, ofDouble[i].op))
      return ofDouble[i].libm;
  return NULL;
}

//===----------------------------------------------------------------------===//
// Calls of libm
//===----------------------------------------------------------------------===//

/// Declares `name` on `element`; false where another function has the name.
static bool declareIn(MlirBlock module, MlirLocation location, const char *name,
                      intptr_t arity, MlirType element) {
  MlirType inputs[2] = {element, element};
  MlirContext context = mlirLocationGetContext(location);
  MlirAttribute type =
      mlirTypeAttrGet(mlirFunctionTypeGet(context, arity, inputs, 1, &element));
  for (MlirOperation op = mlirBlockGetFirstOperation(module);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute symbol = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString("sym_name"));
    if (mlirAttributeIsNull(symbol) || !mlirAttributeIsAString(symbol) ||
        !mlirStringRefEqual(mlirStringAttrGetValue(symbol),
                            mlirStringRefCreateFromCString(name)))
      continue;
    MlirAttribute has = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString("function_type"));
    return xlaIrIsOp(op, "func.func") && mlirAttributeEqual(has, type) &&
           mlirBlockIsNull(
               mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
  }
  XlaIr ir = xlaIrAtEnd(context, location, module);
  XlaIrAttr attrs[] = {{"sym_name", xlaIrStringAttr(context, name)},
                       {"sym_visibility", xlaIrStringAttr(context, "private")},
                       {"function_type", type}};
  MlirRegion region = mlirRegionCreate();
  xlaIrCreate(&ir, "func.func", 0, NULL, 0, NULL, 3, attrs, 1, &region);
  return true;
}

static V callScalar(XlaIr *ir, const char *name, intptr_t arity, const V *x) {
  XlaIrAttr callee = {
      "callee", mlirFlatSymbolRefAttrGet(ir->context,
                                         mlirStringRefCreateFromCString(name))};
  return xlaIrOp(ir, "func.call", mlirValueGetType(x[0]), arity, x, 1, &callee);
}

/// libm's `name` of `arity` arguments (1 or 2) on each lane, in the arguments'
/// type: f64 or a vector of rank 1. It must be declared.
static V callLanes(XlaIr *ir, const char *name, intptr_t arity, const V *x) {
  MlirType type = mlirValueGetType(x[0]);
  if (!mlirTypeIsAVector(type))
    return callScalar(ir, name, arity, x);
  MlirType element = xlaIrElementType(type);
  const int64_t dynamic = INT64_MIN; // the marker of a position that is a value
  XlaIrAttr position = {"static_position",
                        mlirDenseI64ArrayGet(ir->context, 1, &dynamic)};
  XlaIr body;
  MlirOperation loop =
      xlaIrFor(ir, xlaIrConstantIndex(ir, 0),
               xlaIrConstantIndex(ir, mlirShapedTypeGetDimSize(type, 0)),
               xlaIrConstantIndex(ir, 1), 1, x, &body);
  V lane = mlirBlockGetArgument(body.block, 0), arguments[2];
  for (intptr_t i = 0; i < arity; ++i)
    arguments[i] = xlaIrOp(&body, "vector.extract", element, 2,
                           (V[]){x[i], lane}, 1, &position);
  V value = callScalar(&body, name, arity, arguments);
  value = xlaIrOp(&body, "vector.insert", type, 3,
                  (V[]){value, mlirBlockGetArgument(body.block, 1), lane}, 1,
                  &position);
  xlaIrYield(&body, 1, &value);
  return mlirOperationGetResult(loop, 0);
}

//===----------------------------------------------------------------------===//
// Rewriting ops
//===----------------------------------------------------------------------===//

static V shapeCast(XlaIr *ir, V value, MlirType type) {
  return mlirTypeEqual(mlirValueGetType(value), type)
             ? value
             : xlaIrCast(ir, "vector.shape_cast", value, type);
}

/// Vectors of any rank become vectors of rank 1.
static MlirType flatType(MlirType type) {
  if (!mlirTypeIsAVector(type))
    return type;
  int64_t lanes = 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    lanes *= mlirShapedTypeGetDimSize(type, i);
  return mlirVectorTypeGet(1, &lanes, mlirShapedTypeGetElementType(type));
}

typedef struct Expansion {
  MlirBlock module;
  bool failed;
  MlirOperation *ops;
  size_t count, capacity;
} Expansion;

static bool declare(Expansion *state, MlirOperation op, const char *name,
                    intptr_t arity, MlirType element) {
  if (!mlirBlockIsNull(state->module) &&
      declareIn(state->module, mlirOperationGetLocation(op), name, arity,
                element))
    return true;
  char text[128];
  snprintf(text, sizeof text,
           mlirBlockIsNull(state->module)
               ? "libm's %s cannot be declared outside of a module"
               : "libm's %s is needed, but the name is taken",
           name);
  mlirEmitError(mlirOperationGetLocation(op), text);
  state->failed = true;
  return false;
}

static bool isSmallFloat(MlirType element) {
  return mlirTypeIsAF16(element) || mlirTypeIsABF16(element);
}

/// The value that replaces `op` on f64, or null where it stays.
static V expandDouble(Expansion *state, MlirOperation op) {
  XlaIr ir = xlaIrBefore(op);
  const char *libm = libmOf(op);
  intptr_t arity = mlirOperationGetNumOperands(op);
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  V x[2] = {{NULL}};
  if (!libm || !declare(state, op, libm, arity, xlaIrElementType(type)))
    return (V){NULL};
  for (intptr_t i = 0; i < arity; ++i)
    x[i] = shapeCast(&ir, mlirOperationGetOperand(op, i), flatType(type));
  return shapeCast(&ir, callLanes(&ir, libm, arity, x), type);
}

/// The same on f32 and smaller floats.
static V expand(const XlaMathFunction *function, MlirOperation op,
                const XlaCpuTarget *target) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType element = xlaIrElementType(type), flat = flatType(type);
  bool small = isSmallFloat(element);
  if (!small && !mlirTypeIsAF32(element))
    return (V){NULL};
  XlaIr ir = xlaIrBefore(op);
  XlaMath m = {.ir = ir,
               .type = xlaIrWithElement(flat, mlirF32TypeGet(ir.context)),
               .bits =
                   xlaIrWithElement(flat, mlirIntegerTypeGet(ir.context, 32)),
               .hasFma = target->hasFma};
  V x[2] = {{NULL}};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    x[i] = shapeCast(&m.ir, mlirOperationGetOperand(op, i), flat);
    if (small)
      x[i] = xlaIrCast(&m.ir, "arith.extf", x[i], m.type);
  }
  V value = function->unary ? function->unary(&m, x[0])
                            : function->binary(&m, x[0], x[1]);
  if (small)
    value = xlaIrCast(&m.ir, "arith.truncf", value, flat);
  return shapeCast(&m.ir, value, type);
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  Expansion *state = user;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (name.length <= 5 || memcmp(name.data, "math.", 5) != 0)
    return MlirWalkResultAdvance;
  if (state->count == state->capacity) {
    size_t capacity = 2 * state->capacity + 64;
    MlirOperation *ops = realloc(state->ops, capacity * sizeof *ops);
    if (!ops) {
      xlaErrorNoMemory(mlirOperationGetLocation(op));
      state->failed = true;
      return MlirWalkResultInterrupt;
    }
    state->ops = ops;
    state->capacity = capacity;
  }
  state->ops[state->count++] = op;
  return MlirWalkResultAdvance;
}

/// The body of the module that `op` is or lies in; null if none.
static MlirBlock enclosingModule(MlirOperation op) {
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op))
    if (xlaIrIsOp(op, "builtin.module"))
      return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  return (MlirBlock){NULL};
}

MlirLogicalResult xlaCpuExpandMath(MlirOperation root,
                                   const XlaCpuTarget *target) {
  Expansion state = {.module = enclosingModule(root)};
  mlirOperationWalk(root, collect, &state, MlirWalkPreOrder);
  for (size_t i = 0; i < state.count && !state.failed; ++i) {
    MlirOperation op = state.ops[i];
    const XlaMathFunction *function = xlaMathFind(op);
    bool f64 = mlirOperationGetNumOperands(op) > 0 &&
               mlirTypeIsAF64(xlaIrElementType(
                   mlirValueGetType(mlirOperationGetOperand(op, 0))));
    V value = function && f64 ? expandDouble(&state, op)
              : function      ? expand(function, op, target)
                              : (V){NULL};
    if (mlirValueIsNull(value))
      continue;
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
    mlirOperationDestroy(op);
  }
  free(state.ops);
  return state.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

//===- math.c - Transcendental functions without calls for each element ---===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/math.h"
#include "xlac/dialect/error.h"
#include "xlac/lowering/math/ops.h"

#include <stdlib.h>
#include <string.h>

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
  bool failed;
  MlirOperation *ops;
  size_t count, capacity;
} Expansion;

static bool isSmallFloat(MlirType element) {
  return mlirTypeIsAF16(element) || mlirTypeIsABF16(element);
}

/// The value that replaces `op`, or null where it stays. f16 and bf16 are
/// computed in f32.
static V expand(const XlaMathFunction *function, MlirOperation op,
                const XlaCpuTarget *target) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType element = xlaIrElementType(type), flat = flatType(type);
  bool small = isSmallFloat(element), wide = mlirTypeIsAF64(element);
  if (!small && !wide && !mlirTypeIsAF32(element))
    return (V){NULL};
  XlaIr ir = xlaIrBefore(op);
  MlirType computed =
      wide ? mlirF64TypeGet(ir.context) : mlirF32TypeGet(ir.context);
  MlirType bits = mlirIntegerTypeGet(ir.context, wide ? 64 : 32);
  XlaMath m = {.ir = ir,
               .type = xlaIrWithElement(flat, computed),
               .bits = xlaIrWithElement(flat, bits),
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
  if ((name.length <= 5 || memcmp(name.data, "math.", 5) != 0) &&
      !xlaCpuIsDivision(op))
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

MlirLogicalResult xlaCpuExpandMath(MlirOperation root,
                                   const XlaCpuTarget *target) {
  Expansion state = {0};
  mlirOperationWalk(root, collect, &state, MlirWalkPreOrder);
  for (size_t i = 0; i < state.count && !state.failed; ++i) {
    MlirOperation op = state.ops[i];
    const XlaMathFunction *function = xlaMathFind(op);
    V value = function               ? expand(function, op, target)
              : xlaCpuIsDivision(op) ? xlaCpuDivide(op)
                                     : (V){NULL};
    if (mlirValueIsNull(value))
      continue;
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
    mlirOperationDestroy(op);
  }
  free(state.ops);
  return state.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

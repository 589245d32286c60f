//===- combiner.c - Combiners of reductions -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/combiner.h"

#include <math.h>
#include <string.h>

typedef enum Neutral {
  NeutralZero,
  NeutralNegativeZero,
  NeutralOne,
  NeutralOnes,
  NeutralSignedMax,
  NeutralSignedMin,
  NeutralInfinity,
  NeutralNegativeInfinity,
  NeutralNan,
} Neutral;

/// The commutative ops: their vector.reduction and their neutral element.
static const struct {
  const char *op, *kind;
  Neutral neutral;
} combiners[] = {
    {"arith.addf", "add", NeutralNegativeZero},
    {"arith.addi", "add", NeutralZero},
    {"arith.mulf", "mul", NeutralOne},
    {"arith.muli", "mul", NeutralOne},
    {"arith.maximumf", "maximumf", NeutralNegativeInfinity},
    {"arith.minimumf", "minimumf", NeutralInfinity},
    {"arith.maxnumf", "maxnumf", NeutralNan},
    {"arith.minnumf", "minnumf", NeutralNan},
    {"arith.maxsi", "maxsi", NeutralSignedMin},
    {"arith.minsi", "minsi", NeutralSignedMax},
    {"arith.maxui", "maxui", NeutralZero},
    {"arith.minui", "minui", NeutralOnes},
    {"arith.andi", "and", NeutralOnes},
    {"arith.ori", "or", NeutralZero},
    {"arith.xori", "xor", NeutralZero},
};
enum { nCombiners = sizeof combiners / sizeof *combiners };

static int combinerIndex(const char *name) {
  for (int i = 0; i < nCombiners; ++i)
    if (!strcmp(combiners[i].op, name))
      return i;
  return -1;
}

/// The only use of `value`, or null.
static MlirOperation onlyUser(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use) ||
      !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return (MlirOperation){NULL};
  return mlirOpOperandGetOwner(use);
}

/// acc -> [widen] -> combiner -> [narrow] -> yield operand `i`, each value used
/// once, so that nothing else sees the accumulator.
static bool readReducer(const XlaSchedStatement *statement, int i,
                        XlaSchedReducer *reducer) {
  static const char *const wraps[][2] = {{"arith.extf", "arith.truncf"},
                                         {"arith.trunci", "arith.extui"}};
  MlirValue acc = mlirBlockGetArgument(statement->body, statement->nIns + i);
  MlirOperation yield = mlirBlockGetTerminator(statement->body);
  MlirValue value = mlirOperationGetOperand(yield, i);
  *reducer = (XlaSchedReducer){
      .carriedIn = acc, .carriedOut = value, .carried = mlirValueGetType(acc)};
  MlirOperation user = onlyUser(acc);
  for (int w = 0; user.ptr && w < 2; ++w)
    if (xlaIrIsOp(user, wraps[w][0])) {
      MlirValue inner = mlirOperationGetResult(user, 0);
      MlirOperation combiner = onlyUser(inner);
      if (!combiner.ptr || mlirOperationGetNumResults(combiner) != 1)
        return false;
      MlirValue outer = mlirOperationGetResult(combiner, 0);
      MlirOperation back = onlyUser(outer);
      if (!back.ptr || !xlaIrIsOp(back, wraps[w][1]) ||
          !mlirValueEqual(mlirOperationGetResult(back, 0), value) ||
          !mlirTypeEqual(mlirValueGetType(outer), mlirValueGetType(inner)))
        return false;
      reducer->carriedIn = inner;
      reducer->carriedOut = value = outer;
      reducer->carried = mlirValueGetType(inner);
      reducer->widen = wraps[w][0];
      reducer->narrow = wraps[w][1];
      // An i8 pred survives trunci to i1 and back; a wider integer does not
      // survive other truncations.
      if (w == 1 && mlirIntegerTypeGetWidth(reducer->carried) != 1)
        return false;
      user = combiner;
      break;
    }
  if (!user.ptr || mlirOperationGetNumResults(user) != 1 ||
      !mlirValueEqual(mlirOperationGetResult(user, 0), value) ||
      mlirOperationGetNumOperands(user) != 2)
    return false;
  if (!onlyUser(value).ptr)
    return false;
  for (int c = 0; c < nCombiners; ++c)
    if (xlaIrIsOp(user, combiners[c].op))
      reducer->combiner = combiners[c].op;
  return reducer->combiner != NULL;
}

bool xlaSchedReducersRead(const XlaSchedStatement *statement,
                          XlaSchedReducer *reducers) {
  bool all = !statement->nScanned;
  int n = statement->nOuts - statement->nScanned;
  for (int i = 0; i < n; ++i)
    all &= readReducer(statement, i, &reducers[i]);
  if (all)
    return true;
  // One unknown combiner may read the other accumulators: none is reassociated.
  for (int i = 0; i < n; ++i) {
    MlirValue acc = mlirBlockGetArgument(statement->body, statement->nIns + i);
    reducers[i] =
        (XlaSchedReducer){.carriedIn = acc,
                          .carriedOut = mlirOperationGetOperand(
                              mlirBlockGetTerminator(statement->body), i),
                          .carried = mlirValueGetType(acc)};
  }
  return false;
}

bool xlaSchedIsConversion(const XlaSchedStatement *statement,
                          const XlaSchedReducer *reducers, MlirOperation op) {
  MlirOperation yield = mlirBlockGetTerminator(statement->body);
  if (mlirOperationGetNumResults(op) != 1)
    return false;
  MlirValue result = mlirOperationGetResult(op, 0);
  for (int i = 0; i < xlaSchedAccumulators(statement); ++i)
    if ((reducers[i].widen && mlirValueEqual(result, reducers[i].carriedIn)) ||
        (reducers[i].narrow &&
         mlirValueEqual(result, mlirOperationGetOperand(yield, i))))
      return true;
  return false;
}

MlirValue xlaSchedNeutral(XlaIr *ir, const XlaSchedReducer *reducer,
                          MlirType type) {
  bool isFloat = mlirTypeIsAFloat(reducer->carried);
  unsigned width = isFloat ? 0 : mlirIntegerTypeGetWidth(reducer->carried);
  int64_t top = width ? (int64_t)(UINT64_C(1) << (width - 1)) : 0;
  switch (combiners[combinerIndex(reducer->combiner)].neutral) {
  case NeutralZero:
    return xlaIrConstantInt(ir, type, 0);
  case NeutralNegativeZero:
    return xlaIrConstantFloat(ir, type, -0.0);
  case NeutralOne:
    return isFloat ? xlaIrConstantFloat(ir, type, 1)
                   : xlaIrConstantInt(ir, type, 1);
  case NeutralOnes:
    return xlaIrConstantInt(ir, type, -1);
  case NeutralSignedMax:
    return xlaIrConstantInt(ir, type, width == 64 ? INT64_MAX : top - 1);
  case NeutralSignedMin:
    return xlaIrConstantInt(ir, type, width == 64 ? INT64_MIN : -top);
  case NeutralInfinity:
    return xlaIrConstantFloat(ir, type, INFINITY);
  case NeutralNegativeInfinity:
    return xlaIrConstantFloat(ir, type, -INFINITY);
  case NeutralNan:
    return xlaIrConstantFloat(ir, type, NAN);
  }
  return xlaIrConstantInt(ir, type, 0);
}

MlirValue xlaSchedCombine(XlaIr *ir, const XlaSchedReducer *reducer,
                          MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, reducer->combiner, a, b);
}

MlirValue xlaSchedAcross(XlaIr *ir, const XlaSchedReducer *reducer,
                         MlirValue vector) {
  if (!mlirTypeIsAVector(mlirValueGetType(vector)))
    return vector;
  char text[64] = "#vector.kind<";
  strcat(text, combiners[combinerIndex(reducer->combiner)].kind);
  strcat(text, ">");
  // Without reassoc a float sum becomes a chain of scalar additions.
  XlaIrAttr attrs[2] = {
      {"kind", xlaIrParseAttr(ir->context, text)},
      {"fastmath", xlaIrParseAttr(ir->context, "#arith.fastmath<reassoc>")}};
  bool chained = !strcmp(reducer->combiner, "arith.addf") ||
                 !strcmp(reducer->combiner, "arith.mulf");
  // Without a first summand of its own it would be 0, to which -0 is lost.
  MlirValue operands[] = {
      vector,
      chained ? xlaSchedNeutral(ir, reducer, reducer->carried) : vector};
  return xlaIrOp(ir, "vector.reduction", reducer->carried, chained ? 2 : 1,
                 operands, chained ? 2 : 1, attrs);
}

MlirValue xlaSchedWiden(XlaIr *ir, const XlaSchedReducer *reducer,
                        MlirValue v) {
  if (!reducer->widen)
    return v;
  return xlaIrCast(ir, reducer->widen, v,
                   xlaIrWithElement(mlirValueGetType(v), reducer->carried));
}

MlirValue xlaSchedNarrow(XlaIr *ir, const XlaSchedReducer *reducer,
                         MlirType element, MlirValue v) {
  if (!reducer->narrow)
    return v;
  return xlaIrCast(ir, reducer->narrow, v,
                   xlaIrWithElement(mlirValueGetType(v), element));
}

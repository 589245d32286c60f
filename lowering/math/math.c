//===- math.c - The functions that have formulas --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/math/ops.h"

static const XlaMathFunction functions[] = {
    {"math.exp", xlaMathExp, NULL, true},
    {"math.exp2", xlaMathExp2, NULL, true},
    {"math.expm1", xlaMathExpm1, NULL, true},
    {"math.log", xlaMathLog, NULL, true},
    {"math.log1p", xlaMathLog1p, NULL, true},
    {"math.tanh", xlaMathTanh, NULL, true},
    {"math.sinh", xlaMathSinh, NULL, false},
    {"math.cosh", xlaMathCosh, NULL, true},
    {"math.erf", xlaMathErf, NULL, true},
    {"math.sin", xlaMathSin, NULL, true},
    {"math.cos", xlaMathCos, NULL, true},
    {"math.tan", xlaMathTan, NULL, true},
    {"math.asin", xlaMathAsin, NULL, false},
    {"math.acos", xlaMathAcos, NULL, false},
    {"math.atan", xlaMathAtan, NULL, false},
    {"math.atan2", NULL, xlaMathAtan2, true},
    {"math.cbrt", xlaMathCbrt, NULL, true},
    {"math.rsqrt", xlaMathRsqrt, NULL, false},
    {"math.powf", NULL, xlaMathPow, true},
};

const XlaMathFunction *xlaMathFind(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (mlirStringRefEqual(name,
                           mlirStringRefCreateFromCString(functions[i].op)))
      return &functions[i];
  return NULL;
}

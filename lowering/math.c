//===- math.c - The functions that have formulas --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/math_ops.h"

static const XlaMathFunction functions[] = {
    {"math.exp", xlaMathExp, NULL},     {"math.exp2", xlaMathExp2, NULL},
    {"math.expm1", xlaMathExpm1, NULL}, {"math.log", xlaMathLog, NULL},
    {"math.log1p", xlaMathLog1p, NULL}, {"math.tanh", xlaMathTanh, NULL},
    {"math.sinh", xlaMathSinh, NULL},   {"math.cosh", xlaMathCosh, NULL},
    {"math.erf", xlaMathErf, NULL},     {"math.sin", xlaMathSin, NULL},
    {"math.cos", xlaMathCos, NULL},     {"math.tan", xlaMathTan, NULL},
    {"math.asin", xlaMathAsin, NULL},   {"math.acos", xlaMathAcos, NULL},
    {"math.atan", xlaMathAtan, NULL},   {"math.atan2", NULL, xlaMathAtan2},
    {"math.cbrt", xlaMathCbrt, NULL},   {"math.rsqrt", xlaMathRsqrt, NULL},
    {"math.powf", NULL, xlaMathPow},
};

const XlaMathFunction *xlaMathFind(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (mlirStringRefEqual(name,
                           mlirStringRefCreateFromCString(functions[i].op)))
      return &functions[i];
  return NULL;
}

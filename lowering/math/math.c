//===- math.c - The functions that have formulas --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/math/ops.h"

static const XlaMathFunction functions[] = {
#define XLA_MATH_UNARY(function, Formula, ...)                                 \
  {"math." #function, xlaMath##Formula, NULL},
#define XLA_MATH_BINARY(function, Formula, ...)                                \
  {"math." #function, NULL, xlaMath##Formula},
#include "xlac/lowering/math/functions.def"
};

const XlaMathFunction *xlaMathFind(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (mlirStringRefEqual(name,
                           mlirStringRefCreateFromCString(functions[i].op)))
      return &functions[i];
  return NULL;
}

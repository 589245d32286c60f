//===- by_device.c - Values that devices have each of ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/tokens.h"
#include "xlac/passes/partition/expand.h"

#include <string.h>

static MlirValue logical(XlaIr *ir, const char *name, MlirValue a,
                         MlirValue b) {
  MlirValue operands[] = {a, b};
  return mlirValueEqual(a, b)
             ? a
             : xlaIrOp(ir, name, mlirValueGetType(a), 2, operands, 0, NULL);
}

bool xlaExpandCombine(XlaExpansion *x, XlaIr *ir, const char *name,
                      const MlirValue *a, const MlirValue *b,
                      MlirValue **made) {
  MlirValue *results =
      xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *results);
  *made = results;
  if (!results)
    return false;
  const MlirValue *const arrays[] = {a, b};
  for (int d = 0; d < x->nDevices; ++d) {
    int k = xlaExpandFirstAlike(2, arrays, d);
    results[d] = k < d ? results[k] : logical(ir, name, a[d], b[d]);
  }
  return true;
}

MlirValue xlaExpandAny(const XlaExpansion *x, XlaIr *ir,
                       const MlirValue *values) {
  MlirValue any = values[0];
  for (int d = 1; d < x->nDevices; ++d) {
    if (xlaExpandFirstAlike(1, &values, d) == d)
      any = logical(ir, "xla.or", any, values[d]);
  }
  return any;
}

bool xlaExpandChoose(XlaExpansion *x, MlirOperation op, XlaIr *ir,
                     const MlirValue *predicates, MlirValue *values,
                     const MlirValue *others) {
  MlirValue *results =
      xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *results);
  if (!results)
    return false;
  const MlirValue *const arrays[] = {predicates, values, others};
  for (int d = 0; d < x->nDevices; ++d) {
    int k = xlaExpandFirstAlike(3, arrays, d);
    if (xlaImportIsToken(mlirValueGetType(values[d]))) {
      results[d] = values[d]; // operations stay in their order without
      continue;
    }
    if (k == d && !mlirTypeIsARankedTensor(mlirValueGetType(values[d])))
      return xlaExpandUnsupported(x, op,
                                  "has a value that is no array where "
                                  "devices go different ways");
    results[d] = k < d
                     ? results[k]
                     : xlaExpandSelect(ir, predicates[d], values[d], others[d]);
  }
  memcpy(values, results, (size_t)x->nDevices * sizeof *results);
  return true;
}

MlirValue *xlaExpandEnd(XlaExpansion *x, MlirOperation op, MlirBlock block,
                        intptr_t n) {
  MlirOperation end = mlirBlockGetTerminator(block);
  size_t nDevices = (size_t)x->nDevices;
  MlirValue *values =
      xlaExpandAllocate(x, (size_t)n * nDevices, sizeof *values);
  if (!values)
    return NULL;
  if (mlirOperationIsNull(end) || mlirOperationGetNumOperands(end) != n) {
    xlaExpandInvalid(x, op,
                     "has a region that ends with another number of "
                     "values");
    return NULL;
  }
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue *found = xlaExpandOperand(x, end, i);
    if (!found)
      return NULL;
    memcpy(values + (size_t)i * nDevices, found, nDevices * sizeof *values);
  }
  return values;
}

//===- split.c - Functions without complex numbers ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/complex/split.h"
#include "xlac/passes/complex/complex.h"

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/expand.h"
#include "xlac/passes/retype.h"

static int getTypes(const XlaFlatten *r, MlirType type, MlirType types[2]) {
  (void)r;
  if (!xlaTypeIsComplex(type))
    return 0;
  types[0] = types[1] = xlaComplexPartType(type);
  return 2;
}

static void enter(XlaIr *ir, MlirValue value, MlirValue leaves[2]) {
  XlaComplex parts = xlaComplexSplit(ir, value);
  leaves[0] = parts.re;
  leaves[1] = parts.im;
}

static MlirValue leave(XlaIr *ir, const MlirValue *leaves, MlirType type) {
  return xlaComplexJoin(ir, (XlaComplex){leaves[0], leaves[1]}, type);
}

/// Pairs and what bits of them are need more dimensions than complex numbers.
enum { maxRank = XLA_MAX_RANK - 3 };

typedef struct Search {
  bool found;
  MlirOperation high; ///< has too many dimensions
} Search;

static void lookAt(Search *search, MlirOperation op, MlirValue value) {
  if (!xlaTypeIsComplex(mlirValueGetType(value)))
    return;
  search->found = true;
  if (mlirShapedTypeGetRank(mlirValueGetType(value)) > maxRank)
    search->high = op;
}

static MlirWalkResult look(MlirOperation op, void *user) {
  Search *search = user;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    lookAt(search, op, mlirOperationGetResult(op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    lookAt(search, op, mlirOperationGetOperand(op, i));
  return search->high.ptr ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

MlirLogicalResult xlaSplitComplex(MlirOperation function) {
  Search search = {.found = false};
  mlirOperationWalk(function, look, &search, MlirWalkPreOrder);
  if (search.high.ptr)
    return xlaOpUnsupported(search.high, NULL,
                            "is not supported yet for complex numbers in more "
                            "than %d dimensions",
                            maxRank);
  if (!search.found)
    return success();
  // It selects by a computation of whole numbers.
  static const bool others[XlaOpKindCount] = {[XlaOpKindSelectAndScatter] =
                                                  true};
  if (failed(xlaExpandKinds(function, others)))
    return failure();
  static const XlaRetype parts = {.getTypes = getTypes,
                                  .enter = enter,
                                  .leave = leave,
                                  .isWritten = xlaComplexIsSplit,
                                  .emit = xlaComplexEmit};
  return xlaRetypeFunction(function, &parts);
}

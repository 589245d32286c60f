//===- scatter_sort.c - Scatters as sorted ones ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/scatter.h"
#include "xlac/passes/expand/scatter_internal.h"

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/fuse/device.h"
#include "xlac/passes/passes.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

/// Sorts vectors of integers together, by the first.
static MlirOperation sortVectors(XlaIr *ir, intptr_t n,
                                 const MlirValue *vectors) {
  MlirType type = mlirValueGetType(vectors[0]);
  XlaShape scalar = {.elementType = xlaArrayShape(vectors[0]).elementType};
  MlirType element = xlaShapeToMlir(&scalar, ir->context);
  MlirLocation at[] = {ir->location, ir->location, ir->location, ir->location};
  MlirBlock block = mlirBlockCreate(
      2 * n, (MlirType[]){element, element, element, element}, at);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  XlaIr inside = xlaIrIn(*ir, block);
  MlirValue before =
      xlaArrayCompare(&inside, "LT", mlirBlockGetArgument(block, 0),
                      mlirBlockGetArgument(block, 1));
  xlaIrCreate(&inside, "xla.return", 1, &before, 0, NULL, 0, NULL, 0, NULL);
  XlaIrAttr attrs[] = {{"dimension", xlaIrI64Attr(ir->context, 0)},
                       {"is_stable", mlirBoolAttrGet(ir->context, true)}};
  return xlaIrCreate(ir, "xla.sort", n, vectors, n, (MlirType[]){type, type}, 2,
                     attrs, 1, &region);
}

/// Sorts `places` together with their numbers: in one word where both have
/// room, of which the parts are computed where they are used.
static void sortPlaces(const XlaScatter *s, MlirValue places, MlirValue *sorted,
                       MlirValue *order) {
  XlaIr *ir = s->ir;
  MlirValue numbers = xlaArrayIota(ir, s->counter, 1, &s->nRows, 0);
  int bits = 0, room = xlaElementTypeGetInfo(s->counter)->bits - 1;
  while (INT64_C(1) << bits < s->nRows)
    ++bits;
  if (bits >= room || s->nPlaces >= INT64_C(1) << (room - bits)) {
    MlirOperation sort = sortVectors(ir, 2, (MlirValue[]){places, numbers});
    *sorted = mlirOperationGetResult(sort, 0);
    *order = mlirOperationGetResult(sort, 1);
    return;
  }
  MlirValue by = xlaArrayInteger(ir, places, (uint64_t)bits);
  MlirValue words = xlaIrBinary(
      ir, "xla.or", xlaIrBinary(ir, "xla.shift_left", places, by), numbers);
  words = mlirOperationGetResult(sortVectors(ir, 1, &words), 0);
  *sorted = xlaIrBinary(ir, "xla.shift_right_logical", words, by);
  *order = xlaIrBinary(ir, "xla.and", words,
                       xlaArrayInteger(ir, words, (UINT64_C(1) << bits) - 1));
}

/// The inputs' dimensions with places first.
static void orderInputs(const XlaScatter *s, int64_t *order) {
  int n = 0;
  for (int columns = 0; columns < 2; ++columns)
    for (int d = 0; d < s->input.rank; ++d)
      if (s->isColumn[d] == columns)
        order[n++] = d;
}

/// The rank of the scatter of rows: without columns it is of elements.
static int rankOf(const XlaScatter *s) {
  int rank = 1;
  for (int d = 0; d < s->input.rank; ++d)
    if (s->isColumn[d])
      rank = 2;
  return rank;
}

static MlirValue matrix(const XlaScatter *s, MlirValue x, const int64_t *order,
                        int64_t rows) {
  const int64_t dims[2] = {rows, s->nColumns};
  return xlaArrayReshape(s->ir, xlaArrayTranspose(s->ir, x, order), rankOf(s),
                         dims);
}

/// A matrix as an array of the inputs' dimensions.
static MlirValue fromMatrix(const XlaScatter *s, MlirValue x,
                            const int64_t *order) {
  int64_t dims[XLA_MAX_RANK], back[XLA_MAX_RANK];
  for (int i = 0; i < s->input.rank; ++i) {
    dims[i] = s->input.dims[order[i]];
    back[order[i]] = i;
  }
  return xlaArrayTranspose(
      s->ir, xlaArrayReshape(s->ir, x, s->input.rank, dims), back);
}

/// The scatter of rows; `operands` are inputs, places and updates.
static MlirOperation scatterRows(const XlaScatter *s, const MlirValue *operands,
                                 MlirType *types) {
  XlaIr *ir = s->ir;
  const int64_t zero = 0, one = 1;
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(s->op, 0));
  for (intptr_t i = 0; i < s->n; ++i) {
    XlaShape shape = xlaArrayShape(operands[i]);
    shape.elementType =
        xlaArrayShape(mlirOperationGetResult(s->op, i)).elementType;
    types[i] = xlaShapeToMlir(&shape, ir->context);
  }
  XlaIrAttr attrs[] = {
      {"update_window_dims",
       mlirDenseI64ArrayGet(ir->context, rankOf(s) - 1, &one)},
      {"inserted_window_dims", mlirDenseI64ArrayGet(ir->context, 1, &zero)},
      {"scatter_dims_to_operand_dims",
       mlirDenseI64ArrayGet(ir->context, 1, &zero)},
      {"index_vector_dim", xlaIrI64Attr(ir->context, 1)},
      {"indices_are_sorted", mlirBoolAttrGet(ir->context, true)}};
  return xlaIrCreate(ir, "xla.scatter", 2 * s->n + 1, operands, s->n, types, 5,
                     attrs, 1, &region);
}

static MlirLogicalResult sortScatter(MlirOperation op, int64_t most) {
  XlaScatter s;
  int64_t inputs[XLA_MAX_RANK], updates[XLA_MAX_RANK];
  XlaIr ir = xlaIrBefore(op);
  xlaScatterRead(&s, op, &ir);
  xlaScatterPlan(&s, true, most);
  if (!s.nColumns || !s.nPlaces || !s.nRows)
    return success(); // nothing is to be done
  orderInputs(&s, inputs);
  xlaScatterOrderUpdates(&s, updates);
  intptr_t n = 2 * s.n + 1;
  MlirValue *operands = malloc((size_t)n * sizeof *operands), sorted, order;
  MlirType *types = malloc((size_t)s.n * sizeof *types);
  if (!operands || !types) {
    free(operands);
    free(types);
    return xlaOpNoMemory(op);
  }
  sortPlaces(&s, xlaScatterPlaces(&s), &sorted, &order);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue x = mlirOperationGetOperand(op, i);
    operands[i] =
        i < s.n ? matrix(&s, x, inputs, s.nPlaces)
        : i == s.n
            ? sorted
            : xlaArrayTake(&ir, matrix(&s, x, updates, s.nRows), order, 0);
  }
  MlirOperation made = scatterRows(&s, operands, types);
  for (intptr_t i = 0; i < s.n; ++i)
    mlirValueReplaceAllUsesOfWith(
        mlirOperationGetResult(op, i),
        fromMatrix(&s, mlirOperationGetResult(made, i), inputs));
  mlirOperationDestroy(op);
  free(operands);
  free(types);
  return success();
}

static bool needsSort(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindScatter &&
         xlaScatterGetForm(op) == XlaScatterFormNone;
}

MlirLogicalResult xlaScatterSort(MlirOperation op, int64_t most) {
  XlaIrOps found = xlaIrCollect(op, MlirWalkPostOrder, needsSort);
  MlirLogicalResult result = found.failed ? xlaOpNoMemory(op) : success();
  for (intptr_t i = 0; !failed(result) && i < found.n; ++i)
    result = sortScatter(found.ops[i], most);
  free(found.ops);
  return result;
}

MlirLogicalResult xlaPassSortScatters(MlirOperation module,
                                      MlirExtPassOptionValues options,
                                      void *userData) {
  (void)userData;
  return xlaFusionDeviceOfTarget(module)->runsAtOnce
             ? xlaScatterSort(module, mlirExtPassOptionGetInt(options, 0))
             : success();
}

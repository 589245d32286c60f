//===- order.c - Layouts other than row-major -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that says so takes and gives arrays in other layouts. To the device
// these are row-major arrays whose dimensions are in another order, which the
// program transposes where it begins and ends, and fuses with what is there;
// only the buffer knows of the other dimensions.
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool xlaPjrtOrderEqual(const XlaPjrtOrder *a, const XlaPjrtOrder *b) {
  bool isOther = a && a->isOther;
  if (isOther != (b && b->isOther))
    return false;
  return !isOther ||
         !memcmp(a->minorToMajor, b->minorToMajor, sizeof a->minorToMajor);
}

XlaShape xlaPjrtOrderShape(const XlaPjrtOrder *order, const XlaShape *stored) {
  XlaShape shape = *stored;
  for (int i = 0; order->isOther && i < shape.rank; ++i)
    shape.dims[order->minorToMajor[i]] = stored->dims[shape.rank - 1 - i];
  return shape;
}

//===----------------------------------------------------------------------===//
// Of buffers
//===----------------------------------------------------------------------===//

PJRT_Error *xlaPjrtBufferSetOrder(PJRT_Buffer *buffer,
                                  const XlaPjrtOrder *order) {
  if (!order || !order->isOther)
    return NULL;
  XlaPjrtView *view = calloc(1, sizeof *view);
  if (!view)
    return xlaPjrtNoMemory();
  view->order = *order;
  view->shape = xlaPjrtOrderShape(order, xlaArrayGetShape(buffer->array));
  for (int i = 0; i < view->shape.rank; ++i)
    view->minorToMajor[i] = order->minorToMajor[i];
  buffer->view = view;
  return NULL;
}

const XlaShape *xlaPjrtBufferShape(const PJRT_Buffer *buffer) {
  return buffer->view ? &buffer->view->shape : xlaArrayGetShape(buffer->array);
}

const XlaPjrtOrder *xlaPjrtBufferOrder(const PJRT_Buffer *buffer) {
  return buffer->view ? &buffer->view->order : NULL;
}

//===----------------------------------------------------------------------===//
// Of programs
//===----------------------------------------------------------------------===//

/// Reads "{0,1}"; false for what is no order of `rank` dimensions.
static bool parse(MlirStringRef text, int rank, XlaPjrtOrder *order) {
  uint32_t seen = 0;
  size_t at = 1;
  if (text.length < 2 || text.data[0] != '{' ||
      text.data[text.length - 1] != '}')
    return false;
  for (int i = 0; i < rank; ++i) {
    int dim = 0;
    if (i && text.data[at++] != ',')
      return false;
    if (!isdigit((unsigned char)text.data[at]))
      return false;
    while (isdigit((unsigned char)text.data[at]) && dim < rank)
      dim = 10 * dim + text.data[at++] - '0';
    if (dim >= rank || seen >> dim & 1)
      return false;
    seen |= 1u << dim;
    order->minorToMajor[i] = (uint8_t)dim;
    order->isOther |= dim != rank - 1 - i;
  }
  return at == text.length - 1;
}

/// The order that `attributes`, a list, give array `i` of `type`. False for one
/// that there is not; `*isFree` if the compiler shall choose it.
static bool readOrder(MlirOperation function, const char *attributes,
                      intptr_t i, MlirType type, XlaPjrtOrder *order,
                      bool *isFree) {
  MlirAttribute all = xlaOpGetAttr(function, attributes), said = {NULL};
  if (!mlirAttributeIsNull(all) && mlirAttributeIsAArray(all) &&
      i < mlirArrayAttrGetNumElements(all) &&
      mlirAttributeIsADictionary(mlirArrayAttrGetElement(all, i)))
    said = mlirDictionaryAttrGetElementByName(
        mlirArrayAttrGetElement(all, i),
        mlirStringRefCreateFromCString("mhlo.layout_mode"));
  if (mlirAttributeIsNull(said))
    return true;
  if (!mlirAttributeIsAString(said))
    return false;
  MlirStringRef text = mlirStringAttrGetValue(said);
  *isFree = mlirStringRefEqual(text, mlirStringRefCreateFromCString("auto"));
  if (*isFree ||
      mlirStringRefEqual(text, mlirStringRefCreateFromCString("default")))
    return true;
  return mlirTypeIsARankedTensor(type) &&
         mlirShapedTypeGetRank(type) <= XLA_MAX_RANK &&
         parse(text, (int)mlirShapedTypeGetRank(type), order) &&
         (!order->isOther || mlirShapedTypeHasStaticShape(type));
}

/// The type whose dimension i is dimension `dims[i]` of `type`.
static MlirType permuted(MlirType type, const int64_t *dims) {
  int64_t sizes[XLA_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i)
    sizes[i] = mlirShapedTypeGetDimSize(type, dims[i]);
  return mlirRankedTensorTypeGet(rank, sizes,
                                 mlirShapedTypeGetElementType(type),
                                 mlirRankedTensorTypeGetEncoding(type));
}

static MlirValue transpose(XlaIr *ir, MlirValue value, MlirType type,
                           const int64_t *dims) {
  XlaIrAttr attribute = {
      "permutation",
      mlirDenseI64ArrayGet(ir->context, mlirShapedTypeGetRank(type), dims)};
  MlirOperation op = xlaIrCreate(ir, "stablehlo.transpose", 1, &value, 1, &type,
                                 1, &attribute, 0, NULL);
  return mlirOperationGetResult(op, 0);
}

/// The dimensions from major to minor, and where each of them is among these.
static void readDims(const XlaPjrtOrder *order, intptr_t rank, int64_t *dims,
                     int64_t *places) {
  for (intptr_t i = 0; i < rank; ++i) {
    dims[i] = order->minorToMajor[rank - 1 - i];
    places[dims[i]] = i;
  }
}

static MlirType storeArgument(MlirBlock body, intptr_t i,
                              const XlaPjrtOrder *order) {
  int64_t dims[XLA_MAX_RANK], places[XLA_MAX_RANK];
  MlirValue argument = mlirBlockGetArgument(body, i);
  MlirType type = mlirValueGetType(argument);
  readDims(order, mlirShapedTypeGetRank(type), dims, places);
  XlaIr ir = xlaIrBefore(mlirBlockGetFirstOperation(body));
  MlirValue whole = transpose(&ir, argument, type, places);
  MlirOperation op = mlirOpResultGetOwner(whole);
  MlirType stored = permuted(type, dims);
  mlirValueSetType(argument, stored);
  mlirValueReplaceAllUsesOfWith(argument, whole);
  mlirOperationSetOperand(op, 0, argument);
  return stored;
}

static MlirType storeResult(MlirOperation end, intptr_t i,
                            const XlaPjrtOrder *order) {
  int64_t dims[XLA_MAX_RANK], places[XLA_MAX_RANK];
  MlirValue result = mlirOperationGetOperand(end, i);
  MlirType type = mlirValueGetType(result);
  readDims(order, mlirShapedTypeGetRank(type), dims, places);
  MlirType stored = permuted(type, dims);
  XlaIr ir = xlaIrBefore(end);
  mlirOperationSetOperand(end, i, transpose(&ir, result, stored, dims));
  return stored;
}

void xlaPjrtOrdersRead(MlirOperation function, XlaPjrtOrders *orders) {
  MlirType type = mlirTypeAttrGetValue(xlaOpGetAttr(function, "function_type"));
  intptr_t nIn = mlirFunctionTypeGetNumInputs(type);
  intptr_t nOut = mlirFunctionTypeGetNumResults(type);
  orders->nInputs = (size_t)nIn;
  orders->nOutputs = (size_t)nOut;
  orders->all = calloc((size_t)(nIn + nOut) + 1, sizeof *orders->all);
  for (intptr_t i = 0; orders->all && i < nIn + nOut; ++i) {
    bool isInput = i < nIn, isFree = false;
    MlirType own = isInput ? mlirFunctionTypeGetInput(type, i)
                           : mlirFunctionTypeGetResult(type, i - nIn);
    orders->isUnknown |=
        !readOrder(function, isInput ? "arg_attrs" : "res_attrs",
                   isInput ? i : i - nIn, own, &orders->all[i], &isFree);
    if (isFree && !isInput)
      xlaPjrtOrderChoose(function, i - nIn, orders, &orders->all[i]);
    orders->isAnyOther |= orders->all[i].isOther;
  }
}

bool xlaPjrtOrdersApply(MlirOperation function, const XlaPjrtOrders *orders) {
  MlirType type = mlirTypeAttrGetValue(xlaOpGetAttr(function, "function_type"));
  size_t n = orders->nInputs + orders->nOutputs;
  MlirType *types = malloc((n + 1) * sizeof *types);
  if (!types)
    return false;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  MlirOperation end = mlirBlockGetTerminator(body);
  for (size_t i = 0; i < orders->nInputs; ++i)
    types[i] = orders->all[i].isOther
                   ? storeArgument(body, (intptr_t)i, &orders->all[i])
                   : mlirFunctionTypeGetInput(type, (intptr_t)i);
  for (size_t i = orders->nInputs; i < n; ++i) {
    intptr_t result = (intptr_t)(i - orders->nInputs);
    types[i] = orders->all[i].isOther
                   ? storeResult(end, result, &orders->all[i])
                   : mlirFunctionTypeGetResult(type, result);
  }
  MlirType changed = mlirFunctionTypeGet(
      mlirOperationGetContext(function), (intptr_t)orders->nInputs, types,
      (intptr_t)orders->nOutputs, types + orders->nInputs);
  mlirOperationSetAttributeByName(
      function, mlirStringRefCreateFromCString("function_type"),
      mlirTypeAttrGet(changed));
  free(types);
  return true;
}

bool xlaPjrtOrdersApplyToAll(MlirOperation function,
                             const XlaPjrtOrders *orders,
                             const XlaPartition *partition) {
  MlirType type = mlirTypeAttrGetValue(xlaOpGetAttr(function, "function_type"));
  size_t nIn = (size_t)mlirFunctionTypeGetNumInputs(type);
  size_t nOut = (size_t)mlirFunctionTypeGetNumResults(type);
  size_t nResults = (size_t)partition->nDevices * orders->nOutputs;
  XlaPjrtOrders all = {.nInputs = nIn,
                       .nOutputs = nOut,
                       .all = calloc(nIn + nOut + 1, sizeof *all.all)};
  if (!all.all)
    return false;
  for (size_t i = 0; i < nIn; ++i)
    all.all[i] = orders->all[i % orders->nInputs];
  for (size_t i = 0; i < nResults; ++i) // one is of one result's parts only
    all.all[nIn + (size_t)partition->outputs[i]] =
        orders->all[orders->nInputs + i % orders->nOutputs];
  bool done = xlaPjrtOrdersApply(function, &all);
  free(all.all);
  return done;
}

const XlaPjrtOrder *xlaPjrtInputOrder(const PJRT_Executable *e, size_t i) {
  const XlaPjrtOrders *orders = &e->orders;
  return orders->isAnyOther && i < orders->nInputs ? &orders->all[i] : NULL;
}

const XlaPjrtOrder *xlaPjrtOutputOrder(const PJRT_Executable *e, size_t i) {
  const XlaPjrtOrders *orders = &e->orders;
  return orders->isAnyOther && i < orders->nOutputs
             ? &orders->all[orders->nInputs + i]
             : NULL;
}

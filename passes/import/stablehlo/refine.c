//===- refine.c - Sizes that follow ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results without sizes get them before their operation is imported, where its
// import reads them. Those of operations that become one of xla as they are
// follow by the rules of that (dynamic.c).
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/dynamic/sizes.h"

#include <stdlib.h>
#include <string.h>

static bool equals(MlirStringRef a, const char *b) {
  return mlirStringRefEqual(a, mlirStringRefCreateFromCString(b));
}

static bool startsWith(MlirStringRef name, const char *prefix) {
  size_t length = strlen(prefix);
  return name.length > length && !memcmp(name.data, prefix, length);
}

//===----------------------------------------------------------------------===//
// One result
//===----------------------------------------------------------------------===//

/// Gives result `i` these sizes; those that it states must be the same.
static XlaImportResult setSizes(MlirOperation op, intptr_t i, intptr_t rank,
                                const int64_t *dims) {
  MlirValue result = mlirOperationGetResult(op, i);
  MlirType stated = mlirValueGetType(result);
  if (!mlirTypeIsARankedTensor(stated) || !xlaTypeIsUnbounded(stated))
    return XlaImportResultOk;
  for (intptr_t d = 0; d < rank; ++d)
    if (dims[d] < 0) {
      xlaOpError(op, NULL, "has %lld as size %lld of result %lld",
                 (long long)dims[d], (long long)d, (long long)i);
      return XlaImportResultInvalid;
    }
  MlirType type = mlirRankedTensorTypeGet(
      rank, dims, mlirShapedTypeGetElementType(stated), mlirAttributeGetNull());
  if (!xlaTypeRefines(type, stated)) {
    xlaOpError(op, NULL, "is stated to give %s as result %lld, not %s",
               XLA_TYPE_TEXT(stated), (long long)i, XLA_TYPE_TEXT(type));
    return XlaImportResultInvalid;
  }
  mlirValueSetType(result, type);
  return XlaImportResultOk;
}

/// The sizes in operand `index`, which are known after folding, are those of
/// result `i`.
static XlaImportResult readSizes(MlirOperation op, intptr_t i, intptr_t index) {
  XlaI64List sizes;
  if (index < 0 || index >= mlirOperationGetNumOperands(op) ||
      !xlaConstantGetIntegers(mlirOperationGetOperand(op, index), &sizes))
    return XlaImportResultOk; // an error where it is imported
  return setSizes(op, i, sizes.size, sizes.values);
}

static bool shapeOf(MlirValue value, XlaShape *shape) {
  return xlaShapeFromMlir(mlirValueGetType(value), shape, NULL);
}

/// All results have the sizes of operand 0.
static XlaImportResult likeOperand(MlirOperation op) {
  XlaShape shape;
  XlaImportResult result = XlaImportResultOk;
  if (!mlirOperationGetNumOperands(op) ||
      !shapeOf(mlirOperationGetOperand(op, 0), &shape))
    return result;
  for (intptr_t i = 0;
       i < mlirOperationGetNumResults(op) && result == XlaImportResultOk; ++i)
    result = setSizes(op, i, shape.rank, shape.dims);
  return result;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// A reshape that leaves out one size.
static XlaImportResult refineReshape(MlirOperation op) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  int64_t dims[XLA_MAX_RANK], count, known = 1;
  int unknown = -1;
  XlaShape operand;
  intptr_t rank =
      mlirTypeIsARankedTensor(type) ? mlirShapedTypeGetRank(type) : 0;
  if (mlirOperationGetNumOperands(op) != 1 || rank > XLA_MAX_RANK ||
      !shapeOf(mlirOperationGetOperand(op, 0), &operand) ||
      !xlaShapeGetElementCount(&operand, &count))
    return XlaImportResultOk;
  for (int d = 0; d < rank; ++d) {
    dims[d] = mlirShapedTypeGetDimSize(type, d);
    if (mlirShapedTypeIsDynamicSize(dims[d]) && unknown >= 0)
      return XlaImportResultOk;
    if (mlirShapedTypeIsDynamicSize(dims[d]))
      unknown = d;
    else if (__builtin_mul_overflow(known, dims[d], &known))
      return XlaImportResultOk;
  }
  if (unknown < 0 || known <= 0 || count % known)
    return XlaImportResultOk;
  dims[unknown] = count / known;
  return setSizes(op, 0, rank, dims);
}

/// real_dynamic_slice(x, start, start + sizes, strides), as jax.export writes a
/// dynamic_slice: what only a run knows is where it starts.
static XlaImportResult refineSlice(MlirOperation op) {
  XlaI64List sizes, strides;
  if (mlirOperationGetNumOperands(op) != 4)
    return XlaImportResultOk;
  MlirValue start = mlirOperationGetOperand(op, 1);
  MlirValue limit = mlirOperationGetOperand(op, 2);
  if (!mlirValueIsAOpResult(limit) ||
      xlaOpGetKind(mlirOpResultGetOwner(limit)) != XlaOpKindAdd)
    return XlaImportResultOk;
  MlirOperation add = mlirOpResultGetOwner(limit);
  bool first = mlirValueEqual(mlirOperationGetOperand(add, 0), start);
  if ((!first && !mlirValueEqual(mlirOperationGetOperand(add, 1), start)) ||
      !xlaConstantGetIntegers(mlirOperationGetOperand(add, first), &sizes) ||
      !xlaConstantGetIntegers(mlirOperationGetOperand(op, 3), &strides) ||
      sizes.size != strides.size)
    return XlaImportResultOk;
  for (int d = 0; d < sizes.size; ++d) {
    if (strides.values[d] < 1 || sizes.values[d] < 0)
      return XlaImportResultOk;
    sizes.values[d] = sizes.values[d] / strides.values[d] +
                      (sizes.values[d] % strides.values[d] != 0);
  }
  return setSizes(op, 0, sizes.size, sizes.values);
}

/// Whether chlo's broadcast says where the dimensions of operands go.
static bool hasDimensions(MlirOperation op) {
  return !mlirAttributeIsNull(mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("broadcast_dimensions")));
}

/// chlo.broadcast_*: the last dimensions of operands belong together, and those
/// of size 1 are repeated.
static XlaImportResult refineBroadcast(MlirOperation op) {
  XlaShape all = {.rank = 0}, shape;
  intptr_t n = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < n; ++i) {
    if (!shapeOf(mlirOperationGetOperand(op, i), &shape))
      return XlaImportResultOk;
    all.rank = shape.rank > all.rank ? shape.rank : all.rank;
  }
  for (int d = 0; d < all.rank; ++d)
    all.dims[d] = 1;
  for (intptr_t i = 0; i < n; ++i) {
    shapeOf(mlirOperationGetOperand(op, i), &shape);
    if (shape.rank && shape.rank < all.rank && hasDimensions(op))
      return XlaImportResultOk;
    for (int d = 0; d < shape.rank; ++d) {
      int64_t *size = &all.dims[all.rank - shape.rank + d];
      if (*size == 1)
        *size = shape.dims[d];
      else if (shape.dims[d] != 1 && shape.dims[d] != *size) {
        xlaOpError(op, NULL, "operand %lld is %s, which does not broadcast",
                   (long long)i, XLA_SHAPE_TEXT(&shape));
        return XlaImportResultInvalid;
      }
    }
  }
  return setSizes(op, 0, all.rank, all.dims);
}

/// chlo.top_k: k along the last dimension.
static XlaImportResult refineTopK(MlirOperation op) {
  XlaShape shape;
  MlirAttribute k =
      mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("k"));
  if (mlirOperationGetNumOperands(op) != 1 || mlirAttributeIsNull(k) ||
      !mlirAttributeIsAInteger(k) ||
      !shapeOf(mlirOperationGetOperand(op, 0), &shape) || !shape.rank)
    return XlaImportResultOk;
  shape.dims[shape.rank - 1] = mlirIntegerAttrGetValueInt(k);
  XlaImportResult result = XlaImportResultOk;
  for (intptr_t i = 0;
       i < mlirOperationGetNumResults(op) && result == XlaImportResultOk; ++i)
    result = setSizes(op, i, shape.rank, shape.dims);
  return result;
}

/// A custom call may say which of its operands are the sizes of its results.
/// Where these are the last, they are taken away: nothing else reads them.
static XlaImportResult refineCustomCall(MlirOperation op) {
  MlirAttribute indices = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("indices_of_shape_operands"));
  intptr_t n = mlirOperationGetNumResults(op);
  intptr_t nOperands = mlirOperationGetNumOperands(op), kept = nOperands - n;
  XlaImportResult result = XlaImportResultOk;
  if (mlirAttributeIsNull(indices) || !mlirAttributeIsADenseElements(indices) ||
      mlirElementsAttrGetNumElements(indices) != n || kept < 0 ||
      !mlirTypeEqual(
          mlirShapedTypeGetElementType(mlirAttributeGetType(indices)),
          mlirIntegerTypeGet(mlirOperationGetContext(op), 64)))
    return result;
  bool areLast = true;
  for (intptr_t i = 0; i < n && result == XlaImportResultOk; ++i) {
    int64_t index = mlirDenseElementsAttrGetInt64Value(indices, i);
    areLast &= index == kept + i;
    result = readSizes(op, i, index);
  }
  MlirValue operands[64];
  if (result != XlaImportResultOk || !areLast || kept > 64)
    return result;
  for (intptr_t i = 0; i < kept; ++i)
    operands[i] = mlirOperationGetOperand(op, i);
  mlirOperationSetOperands(op, kept, operands);
  return result;
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

/// The first number of a list of segments, or the number, that `op` states.
static int64_t numberOf(MlirOperation op, const char *name) {
  MlirAttribute attr =
      mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
  if (mlirAttributeIsNull(attr))
    return -1;
  if (mlirAttributeIsADenseI32Array(attr))
    return mlirDenseArrayGetNumElements(attr)
               ? mlirDenseI32ArrayGetElement(attr, 0)
               : -1;
  return mlirAttributeIsAInteger(attr) ? mlirIntegerAttrGetValueInt(attr) : -1;
}

/// The region of a chlo.scan takes parts of its inputs, without the dimension
/// that is scanned, and the carries.
static void refineScanArguments(MlirOperation op, MlirBlock block) {
  int64_t nInputs = numberOf(op, "operandSegmentSizes");
  int64_t dimension = numberOf(op, "dimension");
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    MlirType old = mlirValueGetType(argument), type;
    XlaShape shape;
    if (!mlirTypeIsARankedTensor(old) || !xlaTypeIsUnbounded(old) ||
        !shapeOf(mlirOperationGetOperand(op, i), &shape))
      continue;
    if (i < nInputs) {
      if (dimension < 0 || dimension >= shape.rank)
        continue; // an error where it is imported
      --shape.rank;
      for (int64_t d = dimension; d < shape.rank; ++d)
        shape.dims[d] = shape.dims[d + 1];
    }
    type = mlirRankedTensorTypeGet(shape.rank, shape.dims,
                                   mlirShapedTypeGetElementType(old),
                                   mlirAttributeGetNull());
    if (xlaTypeRefines(type, old))
      mlirValueSetType(argument, type);
  }
}

/// Outputs are the parts that the region gives at all places; carries are as
/// they start.
static XlaImportResult refineScan(MlirOperation op) {
  int64_t nInputs = numberOf(op, "operandSegmentSizes");
  int64_t nOutputs = numberOf(op, "resultSegmentSizes");
  int64_t dimension = numberOf(op, "dimension");
  int64_t size = numberOf(op, "scan_dim_size");
  intptr_t n = mlirOperationGetNumResults(op);
  XlaImportResult result = XlaImportResultOk;
  MlirOperation end;
  XlaShape shape;
  if (mlirOperationGetNumRegions(op) != 1 ||
      !xlaRegionGetReturn(mlirOperationGetRegion(op, 0), &end) ||
      mlirOperationGetNumOperands(end) != n || nInputs < 0 || dimension < 0 ||
      nInputs + n - nOutputs != mlirOperationGetNumOperands(op))
    return result; // an error where it is imported
  if (nInputs && shapeOf(mlirOperationGetOperand(op, 0), &shape) &&
      dimension < shape.rank)
    size = shape.dims[dimension];
  for (intptr_t i = 0; i < n && result == XlaImportResultOk; ++i) {
    bool isOutput = i < nOutputs;
    if (!shapeOf(isOutput ? mlirOperationGetOperand(end, i)
                          : mlirOperationGetOperand(op, nInputs + i - nOutputs),
                 &shape) ||
        (isOutput &&
         (size < 0 || dimension > shape.rank || shape.rank == XLA_MAX_RANK)))
      continue;
    if (isOutput) {
      for (int64_t d = shape.rank++; d > dimension; --d)
        shape.dims[d] = shape.dims[d - 1];
      shape.dims[dimension] = size;
    }
    result = setSizes(op, i, shape.rank, shape.dims);
  }
  return result;
}

static bool needsSizes(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (xlaTypeIsUnbounded(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

XlaImportResult xlaImportRefineResults(MlirOperation op, MlirStringRef name) {
  static const char *const alike[] = {"stablehlo.reduce_precision",
                                      "interpreter.probe"};
  if (!needsSizes(op))
    return XlaImportResultOk;
  for (size_t i = 0; i < sizeof alike / sizeof *alike; ++i)
    if (equals(name, alike[i]))
      return likeOperand(op);
  if (xlaIrHasPrefix(op, "sdy.") && mlirOperationGetNumOperands(op) == 1 &&
      !mlirOperationGetNumRegions(op))
    return likeOperand(op);
  if (equals(name, "stablehlo.custom_call"))
    return refineCustomCall(op);
  if (equals(name, "stablehlo.reshape"))
    return refineReshape(op);
  if (equals(name, "stablehlo.real_dynamic_slice"))
    return refineSlice(op);
  if (equals(name, "stablehlo.rng"))
    return readSizes(op, 0, 2);
  if (equals(name, "chlo.top_k"))
    return refineTopK(op);
  if (startsWith(name, "chlo.broadcast_"))
    return refineBroadcast(op);
  if (equals(name, "chlo.scan"))
    return refineScan(op);
  if (startsWith(name, "chlo.") && !equals(name, "chlo.ragged_dot"))
    return likeOperand(op);
  return XlaImportResultOk;
}

void xlaImportRefineArguments(MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    if (mlirBlockIsNull(block) || mlirBlockGetNumArguments(block) != n)
      continue;
    if (xlaIrIsOp(op, "chlo.scan")) {
      refineScanArguments(op, block);
      continue;
    }
    for (intptr_t i = 0; i < n; ++i) {
      MlirValue argument = mlirBlockGetArgument(block, i);
      MlirType stated = mlirValueGetType(argument);
      MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
      if (xlaTypeIsUnbounded(stated) && xlaTypeRefines(type, stated))
        mlirValueSetType(argument, type);
    }
  }
}

//===----------------------------------------------------------------------===//
// What is computed of sizes
//===----------------------------------------------------------------------===//

/// Whether `value` is a small array of integers that is computed.
static bool mayBeSize(MlirValue value) {
  XlaShape shape;
  int64_t count;
  if (!mlirValueIsAOpResult(value) || !shapeOf(value, &shape))
    return false;
  XlaOpKind kind = xlaOpGetKind(mlirOpResultGetOwner(value));
  bool isWhole = shape.elementType == XlaElementTypePred ||
                 xlaElementTypeIsInteger(shape.elementType);
  return kind != XlaOpKindInvalid && kind != XlaOpKindConstant && isWhole &&
         xlaShapeGetElementCount(&shape, &count) && count <= XLA_MAX_LIST;
}

void xlaImportFoldOperands(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!mayBeSize(operand))
      continue;
    MlirAttribute value = xlaConstantFold(operand);
    if (mlirAttributeIsNull(value) ||
        !mlirTypeEqual(mlirAttributeGetType(value), mlirValueGetType(operand)))
      continue;
    // Where it is computed, so that what follows in the block may use it.
    XlaIr ir = xlaIrBefore(mlirOpResultGetOwner(operand));
    MlirValue folded = xlaIrOp(&ir, "xla.constant", mlirValueGetType(operand),
                               0, NULL, 1, &(XlaIrAttr){"value", value});
    mlirValueReplaceAllUsesOfWith(operand, folded);
  }
}

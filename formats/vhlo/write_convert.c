//===- write_convert.c - Attributes of VHLO's operations ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/formats/vhlo/writer.h"

#include <stdlib.h>
#include <string.h>

MlirAttribute xlaVhloFindAttribute(MlirOperation op, const char *name) {
  MlirStringRef key = mlirStringRefCreateFromCString(name);
  MlirAttribute found = mlirAttributeGetNull();
  if (!xlaIrHasPrefix(op, "func.") && !xlaIrHasPrefix(op, "builtin."))
    found = mlirDictionaryAttrGetElementByName(
        mlirExtOperationGetInherentAttributes(op), key);
  return mlirAttributeIsNull(found) ? mlirOperationGetAttributeByName(op, key)
                                    : found;
}

//===----------------------------------------------------------------------===//
// What StableHLO leaves out
//===----------------------------------------------------------------------===//

/// The attribute of a text, made once.
static MlirAttribute getUsual(XlaVhloWriter *writer, XlaVhloUsual usual,
                              const char *text) {
  if (mlirAttributeIsNull(writer->usual[usual]))
    writer->usual[usual] = xlaIrParseAttr(writer->context, text);
  return writer->usual[usual];
}

/// The number of dimensions that windows have: all of the first operand, but
/// for batch and feature of a convolution.
static int64_t windowRank(MlirOperation op) {
  MlirType type = mlirOperationGetNumOperands(op)
                      ? mlirValueGetType(mlirOperationGetOperand(op, 0))
                      : (MlirType){NULL};
  if (mlirTypeIsNull(type) || !mlirTypeIsARankedTensor(type))
    return 0;
  int64_t rank = mlirShapedTypeGetRank(type);
  bool isConvolution = xlaIrIsOp(op, "stablehlo.convolution") ||
                       xlaIrIsOp(op, "stablehlo.dynamic_conv");
  rank -= isConvolution ? 2 : 0;
  return rank < 0 ? 0 : rank > XLA_MAX_RANK ? XLA_MAX_RANK : rank;
}

/// So much of each dimension of a window.
static MlirAttribute splat(XlaVhloWriter *writer, int64_t value,
                           bool isPadding) {
  int64_t n = windowRank(writer->op), values[2 * XLA_MAX_RANK];
  for (int i = 0; i < 2 * XLA_MAX_RANK; ++i)
    values[i] = value;
  return xlaVhloMakeTensor(writer, n, isPadding ? 2 : -1, values);
}

static MlirAttribute makeBools(XlaVhloWriter *writer, int64_t n,
                               const int *values) {
  MlirType type = mlirRankedTensorTypeGet(
      1, &n, mlirIntegerTypeGet(writer->context, 1), mlirAttributeGetNull());
  return mlirDenseElementsAttrBoolGet(type, n, values);
}

/// Null where StableHLO must say it.
static MlirAttribute makeUsual(XlaVhloWriter *writer,
                               const XlaVhloColumn *column) {
  static const int no[XLA_MAX_RANK] = {0};
  switch (column->usual) {
  case XlaVhloUsualNone:
  case XlaVhloUsualCount:
    break;
  case XlaVhloUsualFalse:
    return mlirBoolAttrGet(writer->context, false);
  case XlaVhloUsualZero:
    return getUsual(writer, column->usual, "0 : i32");
  case XlaVhloUsualMinusOne:
    return xlaIrI64Attr(writer->context, -1);
  case XlaVhloUsualOriginal:
    return getUsual(writer, column->usual, "1 : i32");
  case XlaVhloUsualText:
  case XlaVhloUsualNoText:
    return xlaIrStringAttr(writer->context, "");
  case XlaVhloUsualNoArray:
    return mlirArrayAttrGet(writer->context, 0, NULL);
  case XlaVhloUsualNoDictionary:
    return mlirDictionaryAttrGet(writer->context, 0, NULL);
  case XlaVhloUsualNoTensor:
    return column->form == XlaVhloFormI64s
               ? xlaVhloMakeTensor(writer, 0, -1, NULL)
               : xlaVhloMakeTensor(writer, 0, 0, NULL);
  case XlaVhloUsualOnes:
    return splat(writer, 1, false);
  case XlaVhloUsualZeros:
    return splat(writer, 0, !strcmp(column->name, "padding"));
  case XlaVhloUsualFalses:
    return makeBools(writer, windowRank(writer->op), no);
  case XlaVhloUsualPrecision:
    return getUsual(
        writer, column->usual,
        "[#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]");
  case XlaVhloUsualNoType:
    return getUsual(writer, column->usual,
                    "#stablehlo<comparison_type NOTYPE>");
  case XlaVhloUsualAccuracy:
    return getUsual(writer, column->usual,
                    "#stablehlo.result_accuracy<mode = "
                    "#stablehlo.result_accuracy_mode<DEFAULT>>");
  }
  return mlirAttributeGetNull();
}

//===----------------------------------------------------------------------===//
// Other forms
//===----------------------------------------------------------------------===//

/// array<i64: ..> and array<i1: ..> become tensors.
static MlirAttribute makeList(XlaVhloWriter *writer, MlirAttribute value) {
  bool isBool = mlirAttributeIsADenseBoolArray(value);
  if (!isBool && !mlirAttributeIsADenseI64Array(value))
    return value;
  int64_t numbers[XLA_MAX_LIST];
  int bools[XLA_MAX_LIST];
  intptr_t n = mlirDenseArrayGetNumElements(value);
  if (n > XLA_MAX_LIST) {
    xlaVhloRefuse(writer, "has a list of more than %d numbers", XLA_MAX_LIST);
    return mlirAttributeGetNull();
  }
  for (intptr_t i = 0; i < n; ++i) {
    if (isBool)
      bools[i] = mlirDenseBoolArrayGetElement(value, i);
    else
      numbers[i] = mlirDenseI64ArrayGetElement(value, i);
  }
  return isBool ? makeBools(writer, n, bools)
                : xlaVhloMakeTensor(writer, n, -1, numbers);
}

static MlirAttribute makeSymbol(XlaVhloWriter *writer, MlirAttribute value) {
  if (mlirAttributeIsAFlatSymbolRef(value))
    return mlirStringAttrGet(writer->context,
                             mlirFlatSymbolRefAttrGetValue(value));
  xlaVhloRefuse(writer, "names a function in a way that artifacts have not");
  return mlirAttributeGetNull();
}

static MlirAttribute makeSymbols(XlaVhloWriter *writer, MlirAttribute value) {
  intptr_t n =
      mlirAttributeIsAArray(value) ? mlirArrayAttrGetNumElements(value) : 0;
  MlirAttribute *items = malloc(((size_t)n + 1) * sizeof *items);
  MlirAttribute made = mlirAttributeGetNull();
  bool isMade = items != NULL;
  for (intptr_t i = 0; isMade && i < n; ++i) {
    items[i] = makeSymbol(writer, mlirArrayAttrGetElement(value, i));
    isMade = !mlirAttributeIsNull(items[i]);
  }
  if (isMade)
    made = mlirArrayAttrGet(writer->context, n, items);
  else if (!items)
    xlaVhloNoMemory(writer);
  free(items);
  return made;
}

//===----------------------------------------------------------------------===//
// All attributes
//===----------------------------------------------------------------------===//

/// Null after a message.
static MlirAttribute makeColumn(XlaVhloWriter *writer,
                                const XlaVhloColumn *column) {
  const char *structure = xlaVhloStructureName(column->form);
  MlirAttribute value =
      xlaVhloFindAttribute(writer->op, structure ? structure : column->name);
  if (structure)
    return xlaVhloGetPart(writer, column->form, value, column->name);
  if (mlirAttributeIsNull(value)) {
    value = makeUsual(writer, column);
    if (mlirAttributeIsNull(value))
      xlaVhloRefuse(writer, "lacks attribute '%s', which artifacts have",
                    column->name);
    return value;
  }
  switch (column->form) {
  case XlaVhloFormI64s:
  case XlaVhloFormBools:
    return makeList(writer, value);
  case XlaVhloFormFlag:
    return mlirAttributeIsAUnit(value) ? mlirBoolAttrGet(writer->context, true)
                                       : value;
  case XlaVhloFormSymbol:
    return makeSymbol(writer, value);
  case XlaVhloFormSymbols:
    return makeSymbols(writer, value);
  case XlaVhloFormSame:
  case XlaVhloFormDot:
  case XlaVhloFormAlgorithm:
  case XlaVhloFormGather:
  case XlaVhloFormScatter:
  case XlaVhloFormConv:
  case XlaVhloFormChannel:
  case XlaVhloFormCount:
    break;
  }
  return value;
}

bool xlaVhloFlatten(XlaVhloWriter *writer, const XlaVhloOp *row,
                    XlaIrText *to) {
  for (const XlaVhloColumn *column = row->columns; column->name; ++column) {
    MlirAttribute value = makeColumn(writer, column);
    bool isApi = !strcmp(column->name, "api_version");
    if (mlirAttributeIsNull(value) ||
        !xlaVhloPutAttribute(
            writer, isApi ? XlaVhloCodingApiVersion : XlaVhloCodingVhlo, value,
            to))
      return false;
  }
  return true;
}

bool xlaVhloIsFlattened(const XlaVhloOp *row, MlirStringRef name) {
  for (const XlaVhloColumn *column = row->columns; column->name; ++column) {
    const char *structure = xlaVhloStructureName(column->form);
    if (mlirStringRefEqual(name, mlirStringRefCreateFromCString(
                                     structure ? structure : column->name)))
      return true;
  }
  return false;
}

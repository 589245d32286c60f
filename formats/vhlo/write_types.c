//===- write_types.c - Types that are written -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinTypes.h"
#include "xlac/formats/vhlo/builtin.h"
#include "xlac/formats/vhlo/writer.h"

#include <stdlib.h>
#include <string.h>

enum {
#define XLA_VHLO_TYPE(code, Kind, name) typeCode##Kind = code,
#include "xlac/formats/vhlo/codes.def"
};

/// Types without parts, by their text.
static const struct {
  unsigned code;
  const char *text;
} scalars[] = {
#define XLA_VHLO_SCALAR(code, text) {code, text},
#include "xlac/formats/vhlo/codes.def"
};

/// As much of the text as tells scalars from all other types.
static void printShort(MlirType type, char *chars, size_t size) {
  XlaIrLine line = {chars, size, 0};
  chars[0] = 0;
  mlirTypePrint(type, xlaIrLineAppend, &line);
}

static bool refuse(XlaVhloWriter *writer, MlirType type) {
  char text[200];
  printShort(type, text, sizeof text);
  return xlaVhloRefuse(writer, "has the type %s, which artifacts have not",
                       text);
}

static bool isScalar(MlirType type) {
  return !mlirTypeIsATensor(type) && !mlirTypeIsATuple(type) &&
         !mlirTypeIsAFunction(type) && !mlirTypeIsAComplex(type);
}

static bool writeScalar(XlaVhloWriter *writer, MlirType type, XlaIrText *to) {
  char text[64];
  printShort(type, text, sizeof text);
  for (size_t i = 0; i < sizeof scalars / sizeof *scalars; ++i)
    if (!strcmp(scalars[i].text, text)) {
      xlaVhloPutVarint(to, scalars[i].code);
      return true;
    }
  return refuse(writer, type);
}

static bool putPart(XlaVhloWriter *writer, MlirType type, XlaIrText *to) {
  return xlaVhloPutType(writer, XlaVhloCodingVhlo, type, to);
}

static bool writeTensor(XlaVhloWriter *writer, MlirType type, XlaIrText *to) {
  MlirAttribute encoding = mlirRankedTensorTypeGetEncoding(type);
  bool isEncoded = !mlirAttributeIsNull(encoding);
  xlaVhloPutVarint(to, isEncoded ? typeCodeEncodedTensor : typeCodeTensor);
  if (isEncoded &&
      !xlaVhloPutAttribute(writer, XlaVhloCodingVhlo, encoding, to))
    return false;
  intptr_t rank = mlirShapedTypeGetRank(type);
  xlaVhloPutVarint(to, (uint64_t)rank);
  for (intptr_t i = 0; i < rank; ++i)
    xlaVhloPutSigned(to, mlirShapedTypeGetDimSize(type, i));
  return putPart(writer, mlirShapedTypeGetElementType(type), to);
}

static bool writeTuple(XlaVhloWriter *writer, MlirType type, XlaIrText *to) {
  intptr_t n = mlirTupleTypeGetNumTypes(type);
  xlaVhloPutVarint(to, typeCodeTuple);
  xlaVhloPutVarint(to, (uint64_t)n);
  for (intptr_t i = 0; i < n; ++i)
    if (!putPart(writer, mlirTupleTypeGetType(type, i), to))
      return false;
  return true;
}

static bool writeFunction(XlaVhloWriter *writer, MlirType type, XlaIrText *to) {
  intptr_t nInputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t nResults = mlirFunctionTypeGetNumResults(type);
  xlaVhloPutVarint(to, typeCodeFunction);
  xlaVhloPutVarint(to, (uint64_t)nInputs);
  for (intptr_t i = 0; i < nInputs; ++i)
    if (!putPart(writer, mlirFunctionTypeGetInput(type, i), to))
      return false;
  xlaVhloPutVarint(to, (uint64_t)nResults);
  for (intptr_t i = 0; i < nResults; ++i)
    if (!putPart(writer, mlirFunctionTypeGetResult(type, i), to))
      return false;
  return true;
}

static bool writeVhlo(XlaVhloWriter *writer, MlirType type, XlaIrText *to) {
  if (isScalar(type))
    return writeScalar(writer, type, to);
  if (mlirTypeIsARankedTensor(type))
    return writeTensor(writer, type, to);
  if (mlirTypeIsATuple(type))
    return writeTuple(writer, type, to);
  if (mlirTypeIsAFunction(type))
    return writeFunction(writer, type, to);
  bool isComplex = mlirTypeIsAComplex(type);
  xlaVhloPutVarint(to, isComplex ? typeCodeComplex : typeCodeUnrankedTensor);
  return putPart(writer,
                 isComplex ? mlirComplexTypeGetElementType(type)
                           : mlirShapedTypeGetElementType(type),
                 to);
}

/// Those of numbers in attributes that are not StableHLO's.
static bool writeBuiltin(XlaVhloWriter *writer, MlirType type, XlaIrText *to) {
  XlaBuiltinType code = mlirTypeIsAIndex(type)  ? XlaBuiltinTypeIndex
                        : mlirTypeIsABF16(type) ? XlaBuiltinTypeBF16
                        : mlirTypeIsAF16(type)  ? XlaBuiltinTypeF16
                        : mlirTypeIsAF32(type)  ? XlaBuiltinTypeF32
                        : mlirTypeIsAF64(type)  ? XlaBuiltinTypeF64
                        : mlirTypeIsANone(type) ? XlaBuiltinTypeNone
                                                : XlaBuiltinTypeInteger;
  if (code == XlaBuiltinTypeInteger && !mlirTypeIsAInteger(type))
    return refuse(writer, type);
  xlaVhloPutVarint(to, (unsigned)code);
  // A width, and below it two bits for none, signed and unsigned.
  if (code == XlaBuiltinTypeInteger)
    xlaVhloPutVarint(to, (uint64_t)mlirIntegerTypeGetWidth(type) << 2 |
                             (mlirIntegerTypeIsSigned(type)     ? 1
                              : mlirIntegerTypeIsUnsigned(type) ? 2
                                                                : 0));
  return true;
}

bool xlaVhloIndexType(XlaVhloWriter *writer, XlaVhloCoding coding,
                      MlirType type, uint64_t *index) {
  XlaIrText content = {0};
  if (xlaVhloFindEntry(&writer->types, coding, type.ptr, index))
    return true;
  if (!xlaVhloEnterEntry(writer))
    return false;
  bool written = coding == XlaVhloCodingBuiltin
                     ? writeBuiltin(writer, type, &content)
                     : writeVhlo(writer, type, &content);
  xlaVhloLeaveEntry(writer);
  if (written)
    return xlaVhloAddEntry(writer, &writer->types, coding, type.ptr, &content,
                           index);
  free(content.data);
  return false;
}

bool xlaVhloPutType(XlaVhloWriter *writer, XlaVhloCoding coding, MlirType type,
                    XlaIrText *to) {
  uint64_t index;
  if (!xlaVhloIndexType(writer, coding, type, &index))
    return false;
  xlaVhloPutVarint(to, index);
  return true;
}

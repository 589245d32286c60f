//===- numbers.c - Numbers and arrays of them -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/literal.h"
#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/formats/module.h"
#include "xlac/formats/vhlo/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// So many bits: as a byte, or as a signed number.
static bool readBits(XlaByteCursor *cursor, unsigned width, int64_t *bits) {
  uint8_t byte;
  if (width > 8)
    return xlaByteReadSigned(cursor, bits);
  bool read = xlaByteRead(cursor, &byte);
  *bits = byte;
  return read;
}

bool xlaVhloReadDouble(XlaByteCursor *cursor, double *value) {
  int64_t bits;
  bool read = readBits(cursor, 64, &bits);
  memcpy(value, &bits, sizeof *value);
  return read;
}

/// The value of the float with these bits.
static bool readFloat(XlaVhloReader *reader, XlaByteCursor *cursor,
                      MlirType type, MlirAttribute *attribute) {
  const uint8_t *at = cursor->next;
  XlaShape shape = {.elementType = xlaElementTypeFromMlir(type)};
  int64_t bits;
  if (shape.elementType == XlaElementTypeInvalid)
    return xlaByteUnsupported(reader->source, at,
                              "a number of this type is not supported");
  if (!readBits(cursor, mlirFloatTypeGetWidth(type), &bits))
    return false;
  XlaLiteral *literal = xlaLiteralCreateArray(&shape);
  if (!literal)
    return xlaByteUnsupported(reader->source, NULL, "out of memory");
  memcpy(xlaLiteralGetMutableData(literal), &bits,
         xlaLiteralGetByteCount(literal));
  *attribute = mlirFloatAttrDoubleGet(reader->context, type,
                                      xlaLiteralGet(literal, 0).f.re);
  xlaLiteralRelease(literal);
  return true;
}

bool xlaVhloReadNumber(XlaVhloReader *reader, XlaByteCursor *cursor,
                       MlirType type, MlirAttribute *attribute) {
  const uint8_t *at = cursor->next;
  int64_t bits;
  if (mlirTypeIsAFloat(type))
    return readFloat(reader, cursor, type, attribute);
  bool isInteger = mlirTypeIsAInteger(type);
  if (!isInteger && !mlirTypeIsAIndex(type))
    return xlaByteError(reader->source, at, "the type of a number is none");
  unsigned width = isInteger ? mlirIntegerTypeGetWidth(type) : 64;
  if (!readBits(cursor, width, &bits))
    return false;
  // Bits above the type's say nothing; those of MLIR's signless integers are
  // its sign.
  if (width < 64)
    bits = isInteger && mlirIntegerTypeIsUnsigned(type)
               ? (int64_t)((uint64_t)bits & (((uint64_t)1 << width) - 1))
               : (int64_t)((uint64_t)bits << (64 - width)) >> (64 - width);
  *attribute = width == 1 && mlirIntegerTypeIsSignless(type)
                   ? mlirBoolAttrGet(reader->context, bits != 0)
                   : mlirIntegerAttrGet(type, bits);
  return true;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// The number of elements, which fits into an int64_t with 64 bits each; false
/// if there is none.
static bool countElements(MlirType type, uint64_t *count) {
  *count = 1;
  if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type))
    return false;
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i)
    if (__builtin_mul_overflow(
            *count, (uint64_t)mlirShapedTypeGetDimSize(type, i), count) ||
        *count > INT64_MAX / 128)
      return false;
  return true;
}

/// Element `i` of `n` bools that `size` bytes hold: a byte each, a bit each, or
/// one byte for all. Eight bools in a byte are bits.
static bool getBool(const uint8_t *bytes, uint64_t size, uint64_t n,
                    uint64_t i) {
  if (size == (n + 7) / 8 && size != n)
    return bytes[i / 8] >> i % 8 & 1;
  return bytes[size == 1 ? 0 : i] != 0;
}

/// MLIR wants bits, and bytes of all ones or zeros if all elements are one.
static bool makeBools(XlaVhloReader *reader, const uint8_t *bytes,
                      uint64_t size, MlirType type, uint64_t n,
                      MlirAttribute *attribute) {
  if (size != n && size != (n + 7) / 8 && size != 1)
    return xlaByteError(reader->source, bytes, "%llu bytes for %llu bools",
                        (unsigned long long)size, (unsigned long long)n);
  bool first = n && getBool(bytes, size, n, 0), isSplat = n != 0;
  bool isShort = size == 1 && n > 8;
  for (uint64_t i = 1; i < n && isSplat && !isShort; ++i)
    isSplat = getBool(bytes, size, n, i) == first;
  uint8_t splat = first ? 0xff : 0;
  if (isSplat) {
    *attribute = mlirDenseElementsAttrRawBufferGet(type, 1, &splat);
    return true;
  }
  uint8_t *bits = xlaByteAllocate(reader->source, (n + 7) / 8, 1);
  if (!bits)
    return false;
  for (uint64_t i = 0; i < n; ++i)
    bits[i / 8] |= (uint8_t)(getBool(bytes, size, n, i) << i % 8);
  *attribute = mlirDenseElementsAttrRawBufferGet(type, (n + 7) / 8, bits);
  free(bits);
  return true;
}

/// Where they are in the source, if they are many and as MLIR has them there.
static MlirAttribute referTo(XlaVhloReader *reader, const uint8_t *bytes,
                             uint64_t size, MlirType type, uint64_t n) {
  char name[40];
  XlaElementType element =
      xlaElementTypeFromMlir(mlirShapedTypeGetElementType(type));
  if (!reader->source->outlivesContext || size < XLA_MODULE_LARGE_CONSTANT ||
      element == XlaElementTypeInvalid ||
      xlaElementTypeGetInfo(element)->bits < 8 ||
      size / (uint64_t)xlaElementTypeGetInfo(element)->bytes != n ||
      size % (uint64_t)xlaElementTypeGetInfo(element)->bytes)
    return mlirAttributeGetNull();
  snprintf(name, sizeof name, "uncopied_%zu",
           (size_t)(bytes - reader->source->bytes));
  return mlirExtUncopiedDenseGet(type, mlirStringRefCreateFromCString(name),
                                 bytes, size, reader->source->isMapped);
}

bool xlaVhloReadDense(XlaVhloReader *reader, XlaByteCursor *cursor,
                      MlirType type, MlirAttribute *attribute) {
  const uint8_t *at = cursor->next, *bytes;
  uint64_t size, n;
  if (!countElements(type, &n))
    return xlaByteError(reader->source, at,
                        "elements of what is no array of known size");
  if (!xlaByteReadVarint(cursor, &size) ||
      !xlaByteReadBlob(cursor, size, &bytes))
    return false;
  MlirType element = mlirShapedTypeGetElementType(type);
  if (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1) {
    if (!makeBools(reader, bytes, size, type, n, attribute))
      return false;
  } else {
    *attribute = referTo(reader, bytes, size, type, n);
    if (mlirAttributeIsNull(*attribute))
      *attribute = mlirDenseElementsAttrRawBufferGet(type, size, bytes);
  }
  return !mlirAttributeIsNull(*attribute) ||
         xlaByteError(reader->source, at,
                      "%llu bytes are not those of the array's elements",
                      (unsigned long long)size);
}

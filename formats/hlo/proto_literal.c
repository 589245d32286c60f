//===- proto_literal.c - Constants in HLO's protocol buffers --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A literal has a field for each element type; its elements lie as its layout
// says.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/layout.h"
#include "xlac/formats/hlo/proto.h"

#include <stdlib.h>
#include <string.h>

/// How the elements of a type are written.
typedef enum Form {
  FormVarint, ///< packed or not
  FormFixed,  ///< their bytes, in a field of that type
  FormBytes,  ///< the same, in one string
} Form;

/// The field of xla.LiteralProto of an element type.
static const struct {
  XlaElementType type;
  uint32_t field;
  Form form;
} fields[] = {
    {XlaElementTypePred, 2, FormVarint},
    {XlaElementTypeU8, 3, FormBytes},
    {XlaElementTypeS32, 4, FormVarint},
    {XlaElementTypeS64, 5, FormVarint},
    {XlaElementTypeU32, 6, FormVarint},
    {XlaElementTypeU64, 7, FormVarint},
    {XlaElementTypeF32, 8, FormFixed},
    {XlaElementTypeF64, 9, FormFixed},
    {XlaElementTypeF16, 11, FormBytes},
    {XlaElementTypeC64, 12, FormFixed},
    {XlaElementTypeBF16, 13, FormBytes},
    {XlaElementTypeS8, 15, FormBytes},
    {XlaElementTypeU16, 16, FormBytes},
    {XlaElementTypeS16, 17, FormBytes},
    {XlaElementTypeC128, 18, FormFixed},
    {XlaElementTypeF8E5M2, 19, FormBytes},
    {XlaElementTypeF8E4M3FN, 20, FormBytes},
    {XlaElementTypeS4, 21, FormBytes},
    {XlaElementTypeU4, 22, FormBytes},
    {XlaElementTypeF8E4M3B11FNUZ, 23, FormBytes},
    {XlaElementTypeF8E5M2FNUZ, 24, FormBytes},
    {XlaElementTypeF8E4M3FNUZ, 25, FormBytes},
    {XlaElementTypeS2, 26, FormBytes},
    {XlaElementTypeU2, 27, FormBytes},
    {XlaElementTypeF8E4M3, 28, FormBytes},
    {XlaElementTypeF8E3M4, 29, FormBytes},
    {XlaElementTypeF4E2M1FN, 32, FormBytes},
    {XlaElementTypeF8E8M0FNU, 33, FormBytes},
};

typedef struct Filling {
  XlaElementType type;
  unsigned char *next, *end;
} Filling;

static bool storeNumber(Filling *filling, uint64_t value) {
  int bytes = xlaElementTypeGetInfo(filling->type)->bytes;
  if (filling->end - filling->next < bytes)
    return false;
  if (filling->type == XlaElementTypePred)
    value = value != 0;
  xlaScalarStore(filling->type, filling->next, (XlaScalar){.u = value});
  filling->next += bytes;
  return true;
}

static bool storeBytes(Filling *filling, const void *bytes, size_t n) {
  if ((size_t)(filling->end - filling->next) < n)
    return false;
  memcpy(filling->next, bytes, n);
  filling->next += n;
  return true;
}

/// One field's part of the elements; false if there are too many.
static bool readField(Filling *filling, Form form, const XlaHloField *field) {
  if (field->type == XlaHloWireBytes && form == FormVarint) {
    XlaHloWire wire = xlaHloWireOf(field->bytes);
    uint64_t value;
    while (wire.at < wire.end)
      if (!xlaHloWireReadVarint(&wire, &value) || !storeNumber(filling, value))
        return false;
    return true;
  }
  if (field->type == XlaHloWireBytes)
    return storeBytes(filling, field->bytes.data, field->bytes.length);
  if (form == FormVarint)
    return storeNumber(filling, field->value);
  unsigned char bytes[8];
  size_t n = field->type == XlaHloWireFixed32 ? 4 : 8;
  for (size_t i = 0; i < n; ++i)
    bytes[i] = (unsigned char)(field->value >> (8 * i));
  return storeBytes(filling, bytes, n);
}

/// What is below a byte has its sign again, and no other bits.
static void normalize(XlaElementType type, unsigned char *bytes, int64_t n) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  for (int64_t i = 0; info->bits < 8 && i < n; ++i)
    if (xlaElementTypeIsInteger(type))
      xlaScalarStore(type, &bytes[i], (XlaScalar){.u = bytes[i]});
    else if (type != XlaElementTypePred)
      bytes[i] &= (unsigned char)((1 << info->bits) - 1);
}

static bool readElements(XlaHloProto *p, MlirStringRef message,
                         XlaElementType type, int64_t count,
                         unsigned char *data) {
  size_t row = 0;
  int64_t bytes = count * xlaElementTypeGetInfo(type)->bytes;
  Filling filling = {type, data, data + bytes};
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField field;
  while (row < sizeof fields / sizeof *fields && fields[row].type != type)
    ++row;
  if (row == sizeof fields / sizeof *fields)
    return xlaHloProtoFail(p, XlaImportResultUnsupported,
                           "is not supported yet: constants of %s",
                           xlaElementTypeGetInfo(type)->name);
  bool fits = true;
  while (fits && xlaHloWireNext(&wire, &field))
    if (field.number == fields[row].field)
      fits = readField(&filling, fields[row].form, &field);
  if (!fits || filling.next != filling.end)
    return xlaHloProtoFail(p, XlaImportResultInvalid,
                           "has a constant of other than %lld elements",
                           (long long)count);
  normalize(type, data, count);
  return true;
}

/// Elements in another order than that of literals.
static bool applyLayout(XlaHloProto *p, const XlaHloShape *shape,
                        const XlaShape *array, XlaLiteral **literal) {
  if (!shape->minorToMajor)
    return true;
  XlaLayout layout = xlaLayoutMake(shape->rank, shape->minorToMajor);
  XlaLiteral *image = *literal;
  *literal = xlaLiteralCreateArray(array);
  if (*literal)
    xlaLayoutReadImage(&layout, array, xlaLiteralGetData(image),
                       xlaLiteralGetMutableData(*literal));
  xlaLiteralRelease(image);
  return *literal || xlaHloProtoNoMemory(p);
}

static bool readArray(XlaHloProto *p, MlirStringRef message,
                      const XlaHloShape *shape, XlaLiteral **literal) {
  XlaShape array = xlaHloShapeGetArray(shape);
  int64_t count;
  if (shape->kind != XlaHloShapeKindArray || array.dynamic)
    return xlaHloProtoFail(p, XlaImportResultUnsupported,
                           "is not supported yet: a constant of dynamic size");
  // Each takes a byte at least.
  if (!xlaShapeGetElementCount(&array, &count) ||
      (uint64_t)count > message.length)
    return xlaHloProtoFail(p, XlaImportResultInvalid,
                           "has a constant of fewer elements than its shape");
  *literal = xlaLiteralCreateArray(&array);
  if (!*literal)
    return xlaHloProtoNoMemory(p);
  return readElements(p, message, array.elementType, count,
                      xlaLiteralGetMutableData(*literal)) &&
         applyLayout(p, shape, &array, literal);
}

static bool readLiteral(XlaHloProto *p, MlirStringRef message, int depth,
                        XlaLiteral **literal);

static bool readTuple(XlaHloProto *p, MlirStringRef message, uint32_t wanted,
                      int depth, XlaLiteral **literal) {
  XlaLiteral **elements = calloc((size_t)wanted + 1, sizeof *elements);
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField field;
  uint32_t n = 0;
  bool read = true;
  if (!elements)
    return xlaHloProtoNoMemory(p);
  while (read && xlaHloWireNext(&wire, &field)) {
    if (field.number != 10)
      continue;
    read = n < wanted && readLiteral(p, field.bytes, depth + 1, &elements[n]);
    n += n < wanted;
  }
  if (read && n == wanted) {
    *literal = xlaLiteralTakeTuple(n, elements);
    read = *literal != NULL || xlaHloProtoNoMemory(p);
  } else {
    for (uint32_t i = 0; i < n; ++i)
      xlaLiteralRelease(elements[i]);
    read = xlaHloProtoFail(p, XlaImportResultInvalid,
                           "has a constant of other than %u elements", wanted);
  }
  free(elements);
  return read;
}

static bool readLiteral(XlaHloProto *p, MlirStringRef message, int depth,
                        XlaLiteral **literal) {
  const XlaHloShape *shape = NULL;
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField field;
  *literal = NULL;
  if (depth > XLA_HLO_MAX_NESTING)
    return xlaHloProtoFail(p, XlaImportResultUnsupported,
                           "tuples are nested more than %d deep",
                           XLA_HLO_MAX_NESTING);
  while (xlaHloWireNext(&wire, &field))
    if (field.number == 1 && !xlaHloProtoShape(p, field.bytes, &shape))
      return false;
  if (wire.failed || !shape)
    return xlaHloProtoMalformed(p);
  return shape->kind == XlaHloShapeKindTuple
             ? readTuple(p, message, shape->nElements, depth, literal)
             : readArray(p, message, shape, literal);
}

bool xlaHloProtoLiteral(XlaHloProto *p, MlirStringRef message,
                        XlaLiteral **literal) {
  return readLiteral(p, message, 0, literal);
}

//===- proto_shape.c - Shapes in HLO's protocol buffers -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/proto.h"

#include <stdlib.h>

/// xla.PrimitiveType.
static const struct {
  uint64_t number;
  XlaElementType type;
} types[] = {
    {1, XlaElementTypePred},        {2, XlaElementTypeS8},
    {3, XlaElementTypeS16},         {4, XlaElementTypeS32},
    {5, XlaElementTypeS64},         {6, XlaElementTypeU8},
    {7, XlaElementTypeU16},         {8, XlaElementTypeU32},
    {9, XlaElementTypeU64},         {10, XlaElementTypeF16},
    {11, XlaElementTypeF32},        {12, XlaElementTypeF64},
    {15, XlaElementTypeC64},        {16, XlaElementTypeBF16},
    {18, XlaElementTypeC128},       {19, XlaElementTypeF8E5M2},
    {20, XlaElementTypeF8E4M3FN},   {21, XlaElementTypeS4},
    {22, XlaElementTypeU4},         {23, XlaElementTypeF8E4M3B11FNUZ},
    {24, XlaElementTypeF8E5M2FNUZ}, {25, XlaElementTypeF8E4M3FNUZ},
    {26, XlaElementTypeS2},         {27, XlaElementTypeU2},
    {28, XlaElementTypeF8E4M3},     {29, XlaElementTypeF8E3M4},
    {32, XlaElementTypeF4E2M1FN},   {33, XlaElementTypeF8E8M0FNU},
};

enum { typeTuple = 13, typeToken = 17 };

/// The fields of a shape, before its kind is known.
typedef struct Fields {
  uint64_t type;
  bool hasLayout;
  MlirStringRef layout;
  int64_t dims[XLA_MAX_RANK], dynamic[XLA_MAX_RANK];
  int rank, nDynamic;
} Fields;

/// Moves the list that has been read to at most XLA_MAX_RANK numbers.
static bool takeRank(XlaHloProto *p, int64_t *values, int *n) {
  if (p->numbers.n > XLA_MAX_RANK)
    return xlaHloProtoFail(p, XlaImportResultUnsupported,
                           "arrays have at most %d dimensions", XLA_MAX_RANK);
  *n = (int)p->numbers.n;
  for (int i = 0; i < *n; ++i)
    values[i] = p->numbers.values[i];
  p->numbers.n = 0;
  return true;
}

static bool readFields(XlaHloProto *p, MlirStringRef message, Fields *fields) {
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField field;
  while (xlaHloWireNext(&wire, &field)) {
    if (field.number == 2)
      fields->type = field.value;
    if (field.number == 5) {
      fields->hasLayout = true;
      fields->layout = field.bytes;
    }
  }
  if (wire.failed)
    return xlaHloProtoMalformed(p);
  return xlaHloProtoPushList(p, message, 3) &&
         takeRank(p, fields->dims, &fields->rank) &&
         xlaHloProtoPushList(p, message, 6) &&
         takeRank(p, fields->dynamic, &fields->nDynamic);
}

static bool readLayout(XlaHloProto *p, MlirStringRef message,
                       XlaHloShape *shape) {
  int64_t order[XLA_MAX_RANK];
  int rank;
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField field;
  while (xlaHloWireNext(&wire, &field)) {
    // Tiles, and a tail that is padded to a multiple of more than 1.
    shape->isTiled |=
        field.number == 6 || (field.number == 16 && field.value > 1);
    if (field.number == 9 && (field.value || field.bytes.length))
      return xlaHloProtoFail(p, XlaImportResultUnsupported,
                             "is not supported yet: a sparse layout");
  }
  if (wire.failed)
    return xlaHloProtoMalformed(p);
  if (!xlaHloProtoPushList(p, message, 1) || !takeRank(p, order, &rank))
    return false;
  const char *wrong =
      rank ? xlaHloShapeSetLayout(&p->module->arena, shape, rank, order) : NULL;
  return !wrong || xlaHloProtoFail(p, XlaImportResultInvalid, "%s", wrong);
}

static bool readArray(XlaHloProto *p, const Fields *fields,
                      XlaHloShape *shape) {
  size_t i = 0, n = sizeof types / sizeof *types;
  uint32_t dynamic = 0;
  while (i < n && types[i].number != fields->type)
    ++i;
  if (i == n)
    return xlaHloProtoFail(p, XlaImportResultUnsupported,
                           "is not supported yet: element type number %llu",
                           (unsigned long long)fields->type);
  for (int d = 0; d < fields->nDynamic && d < fields->rank; ++d)
    dynamic |= (uint32_t)(fields->dynamic[d] != 0) << d;
  const char *wrong =
      xlaHloShapeSetArray(&p->module->arena, shape, types[i].type, fields->rank,
                          fields->dims, dynamic);
  if (wrong)
    return xlaHloProtoFail(p, XlaImportResultInvalid, "%s", wrong);
  return !fields->hasLayout || readLayout(p, fields->layout, shape);
}

static bool readShape(XlaHloProto *p, MlirStringRef message, int depth,
                      const XlaHloShape **shape);

static bool readTuple(XlaHloProto *p, MlirStringRef message, int depth,
                      XlaHloShape *shape) {
  const XlaHloShape **elements = NULL;
  size_t n = 0, capacity = 0;
  XlaHloWire wire = xlaHloWireOf(message);
  XlaHloField field;
  bool read = true;
  while (read && xlaHloWireNext(&wire, &field)) {
    if (field.number != 4)
      continue;
    read = xlaHloReserve((void **)&elements, &capacity, n + 1, sizeof *elements)
               ? readShape(p, field.bytes, depth + 1, &elements[n])
               : xlaHloProtoNoMemory(p);
    n += read;
  }
  const char *wrong =
      read ? xlaHloShapeSetTuple(&p->module->arena, shape, n, elements) : NULL;
  free(elements);
  return read &&
         (!wrong || xlaHloProtoFail(p, XlaImportResultInvalid, "%s", wrong));
}

static bool readShape(XlaHloProto *p, MlirStringRef message, int depth,
                      const XlaHloShape **shape) {
  Fields fields = {0};
  if (depth > XLA_HLO_MAX_NESTING)
    return xlaHloProtoFail(p, XlaImportResultUnsupported,
                           "tuples are nested more than %d deep",
                           XLA_HLO_MAX_NESTING);
  XlaHloShape *made = xlaHloArenaTake(&p->module->arena, 1, sizeof *made);
  if (!made)
    return xlaHloProtoNoMemory(p);
  *shape = made;
  if (!readFields(p, message, &fields))
    return false;
  if (fields.type == typeTuple)
    return readTuple(p, message, depth, made);
  if (fields.type != typeToken)
    return readArray(p, &fields, made);
  made->kind = XlaHloShapeKindToken;
  made->nLeaves = 1;
  return true;
}

bool xlaHloProtoShape(XlaHloProto *p, MlirStringRef message,
                      const XlaHloShape **shape) {
  return readShape(p, message, 0, shape);
}

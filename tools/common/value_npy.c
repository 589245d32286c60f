//===- value_npy.c - Values in numpy's files ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/npz.h"
#include "xlac/tools/common/value.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// numpy's kind of an element type; 'V' where numpy has none.
static char kindOf(XlaElementType type) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  bool whole = info->bits >= 8;
  switch (info->typeClass) {
  case XlaTypeClassPred:
    return 'b';
  case XlaTypeClassSigned:
    return whole ? 'i' : 'V';
  case XlaTypeClassUnsigned:
    return whole ? 'u' : 'V';
  case XlaTypeClassComplex:
    return 'c';
  case XlaTypeClassFloat:
    break;
  }
  return info->bits >= 16 && type != XlaElementTypeBF16 ? 'f' : 'V';
}

/// The element type of a file; raw elements are those that are wanted.
static XlaElementType elementTypeOf(const XlaNpy *array,
                                    const XlaShape *wanted) {
  if (array->kind == 'V')
    return wanted && kindOf(wanted->elementType) == 'V' &&
                   xlaElementTypeGetInfo(wanted->elementType)->bytes ==
                       array->itemSize
               ? wanted->elementType
               : XlaElementTypeInvalid;
  for (XlaElementType type = XlaElementTypeInvalid + 1;
       type < XlaElementTypeCount; ++type)
    if (kindOf(type) == array->kind &&
        xlaElementTypeGetInfo(type)->bytes == array->itemSize)
      return type;
  return XlaElementTypeInvalid;
}

static XlaStatus fromNpy(const char *path, const XlaNpy *array,
                         const XlaShape *wanted, XlaLiteral **literal) {
  XlaShape shape = {.elementType = elementTypeOf(array, wanted),
                    .rank = array->rank};
  if (shape.elementType == XlaElementTypeInvalid)
    return xlaStatusCreate(
        XLA_STATUS_INVALID_ARGUMENT,
        "%s holds elements of kind '%c' with %d bytes%s%s", path, array->kind,
        array->itemSize, wanted ? ", not " : "",
        wanted ? xlaElementTypeGetInfo(wanted->elementType)->name : "");
  if (array->rank > XLA_MAX_RANK)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "%s has %d dimensions, more than %d", path,
                           array->rank, XLA_MAX_RANK);
  memcpy(shape.dims, array->dims, (size_t)array->rank * sizeof *shape.dims);
  int64_t count;
  *literal = xlaShapeGetElementCount(&shape, &count)
                 ? xlaLiteralCreateArray(&shape)
                 : NULL;
  if (!*literal || xlaLiteralGetByteCount(*literal) != array->byteCount) {
    xlaLiteralRelease(*literal);
    *literal = NULL;
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "out of memory for %s",
                           path);
  }
  if (array->byteCount)
    memcpy(xlaLiteralGetMutableData(*literal), array->data, array->byteCount);
  // Bits above a small type's are not its own.
  if (xlaElementTypeGetInfo(shape.elementType)->bits < 8)
    for (int64_t i = 0; i < count; ++i)
      xlaLiteralSet(*literal, i, xlaLiteralGet(*literal, i));
  return NULL;
}

/// `FILE.npz:NAME` is an array of an archive.
static XlaStatus readArray(const char *path, XlaNpy *array) {
  const char *member = strstr(path, ".npz:");
  if (!member)
    return xlaNpyRead(path, SIZE_MAX, array);
  char *archive = strndup(path, (size_t)(member - path) + 4);
  if (!archive)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "out of memory for %s",
                           path);
  XlaStatus status = xlaNpzRead(archive, member + 5, SIZE_MAX, array);
  free(archive);
  return status;
}

XlaStatus xlaValueReadNpy(const char *path, const XlaShape *wanted,
                          XlaLiteral **literal) {
  XlaNpy array;
  *literal = NULL;
  XLA_RETURN_IF_ERROR(readArray(path, &array));
  XlaStatus status = fromNpy(path, &array, wanted, literal);
  xlaNpyDestroy(&array);
  return status;
}

XlaStatus xlaValueWriteNpy(const char *path, const XlaLiteral *literal) {
  const XlaShape *shape = xlaLiteralGetShape(literal);
  XlaNpy array = {.kind = kindOf(shape->elementType),
                  .itemSize = xlaElementTypeGetInfo(shape->elementType)->bytes,
                  .rank = shape->rank,
                  .data = (void *)xlaLiteralGetData(literal),
                  .byteCount = xlaLiteralGetByteCount(literal)};
  memcpy(array.dims, shape->dims, (size_t)shape->rank * sizeof *shape->dims);
  return xlaNpyWrite(path, &array);
}

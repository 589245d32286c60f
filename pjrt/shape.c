//===- shape.c - Types, shapes and layouts --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

static const XlaElementType elementTypes[] = {
#define PJRT_TYPE(name, type) XlaElementType##type,
#include "xlac/pjrt/types.def"
};

PJRT_Buffer_Type xlaPjrtType(XlaElementType type) {
  PJRT_Buffer_Type found = PJRT_Buffer_Type_INVALID;
  for (int i = 0; i < (int)(sizeof elementTypes / sizeof *elementTypes); ++i)
    if (elementTypes[i] == type && type != XlaElementTypeInvalid)
      found = i;
  return found;
}

PJRT_Error *xlaPjrtShape(PJRT_Buffer_Type type, size_t nDims,
                         const int64_t *dims, XlaShape *shape) {
  size_t n = sizeof elementTypes / sizeof *elementTypes;
  if ((size_t)type >= n || elementTypes[type] == XlaElementTypeInvalid)
    return xlaPjrtInvalid("type %d is none of arrays", (int)type);
  if (nDims > XLA_MAX_RANK)
    return xlaPjrtUnimplemented("an array has %zu dimensions; %d are the most",
                                nDims, XLA_MAX_RANK);
  if (nDims && !dims)
    return xlaPjrtInvalid("the dimensions are NULL");
  if (!xlaShapeMake(elementTypes[type], (int)nDims, dims, shape))
    return xlaPjrtInvalid("an array has a negative dimension, or more than "
                          "2^62 bytes");
  return NULL;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

static bool isEmpty(const XlaShape *shape) {
  bool empty = false;
  for (int i = 0; i < shape->rank; ++i)
    empty |= shape->dims[i] == 0;
  return empty;
}

/// Strides of dimensions from minor to major.
static PJRT_Error *stridesOfOrder(const PJRT_Buffer_MemoryLayout_Tiled *layout,
                                  const XlaShape *shape, int64_t *strides) {
  uint32_t seen = 0;
  bool empty = isEmpty(shape);
  int64_t stride = xlaElementTypeGetInfo(shape->elementType)->bytes;
  if (layout->num_tiles)
    return xlaPjrtUnimplemented("arrays are not laid out in tiles");
  if (layout->minor_to_major_size != (size_t)shape->rank ||
      (shape->rank && !layout->minor_to_major))
    return xlaPjrtInvalid("a layout is of %zu dimensions, the array has %d",
                          layout->minor_to_major_size, shape->rank);
  for (int i = 0; i < shape->rank; ++i) {
    int64_t dim = layout->minor_to_major[i];
    if (dim < 0 || dim >= shape->rank || seen & 1u << dim)
      return xlaPjrtInvalid("a layout has dimension %lld twice, or has too "
                            "large a one",
                            (long long)dim);
    seen |= 1u << dim;
    strides[dim] = stride;
    // Of an empty array any strides will do; its sizes may be anything.
    if (!empty)
      stride *= shape->dims[dim];
  }
  return NULL;
}

PJRT_Error *xlaPjrtStrides(const PJRT_Buffer_MemoryLayout *layout,
                           const XlaShape *shape, int64_t *strides,
                           bool *isRowMajor) {
  PJRT_Buffer_MemoryLayout_Tiled order = {
      .minor_to_major = xlaPjrtMinorToMajor(shape->rank),
      .minor_to_major_size = (size_t)shape->rank};
  int64_t dense[XLA_MAX_RANK];
  XLA_PJRT_RETURN_IF_ERROR(stridesOfOrder(&order, shape, dense));
  const int64_t *given = dense;
  if (layout && layout->type == PJRT_Buffer_MemoryLayout_Type_Strides) {
    if (layout->strides.num_byte_strides != (size_t)shape->rank ||
        (shape->rank && !layout->strides.byte_strides))
      return xlaPjrtInvalid("there are %zu strides for %d dimensions",
                            layout->strides.num_byte_strides, shape->rank);
    given = layout->strides.byte_strides;
  } else if (layout && layout->type != PJRT_Buffer_MemoryLayout_Type_Tiled) {
    return xlaPjrtInvalid("there is no layout of type %d", (int)layout->type);
  } else if (layout) {
    XLA_PJRT_RETURN_IF_ERROR(stridesOfOrder(&layout->tiled, shape, strides));
    given = strides;
  }
  *isRowMajor = true;
  for (int i = 0; i < shape->rank; ++i) {
    strides[i] = given[i];
    *isRowMajor &=
        strides[i] == dense[i] || shape->dims[i] < 2 || isEmpty(shape);
  }
  return NULL;
}

PJRT_Error *xlaPjrtCheckRowMajor(const PJRT_Buffer_MemoryLayout *layout,
                                 const XlaShape *shape) {
  int64_t strides[XLA_MAX_RANK];
  bool isRowMajor;
  XLA_PJRT_RETURN_IF_ERROR(xlaPjrtStrides(layout, shape, strides, &isRowMajor));
  return isRowMajor ? NULL
                    : xlaPjrtUnimplemented("arrays on devices are row-major");
}

const int64_t *xlaPjrtMinorToMajor(int rank) {
  static const int64_t numbers[XLA_MAX_RANK] = {
      31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
      15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0};
  return numbers + XLA_MAX_RANK - rank;
}

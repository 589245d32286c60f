//===- layout.c - How arrays lie in memory --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/layout.h"

#include "xlac/dialect/array_encoding.h"
#include "xlac/dialect/op.h"

#include "mlir-c/BuiltinTypes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

XlaLayout xlaLayoutMakeDefault(int rank) {
  XlaLayout layout = {.rank = rank};
  for (int i = 0; i < rank; ++i)
    layout.minorToMajor[i] = rank - 1 - i;
  return layout;
}

XlaLayout xlaLayoutMake(int rank, const int64_t *minorToMajor) {
  XlaLayout layout = {.rank = rank};
  if (rank)
    memcpy(layout.minorToMajor, minorToMajor,
           (size_t)rank * sizeof *minorToMajor);
  return layout;
}

XlaLayout xlaLayoutPad(XlaLayout layout, const int64_t *dims,
                       XlaPaddingValue value) {
  layout.padded = true;
  layout.paddingValue = value;
  if (layout.rank)
    memcpy(layout.paddedDimensions, dims, (size_t)layout.rank * sizeof *dims);
  return layout;
}

bool xlaLayoutIsDefault(const XlaLayout *layout) {
  for (int i = 0; i < layout->rank; ++i)
    if (layout->minorToMajor[i] != layout->rank - 1 - i)
      return false;
  return !layout->padded;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

#define REFUSE(...)                                                            \
  do {                                                                         \
    if (message)                                                               \
      snprintf(message, 160, __VA_ARGS__);                                     \
    return false;                                                              \
  } while (0)

static bool checkOrder(const XlaLayout *layout, char *message) {
  uint32_t seen = 0;
  for (int i = 0; i < layout->rank; ++i) {
    int64_t d = layout->minorToMajor[i];
    if (d < 0 || d >= layout->rank || seen >> d & 1)
      REFUSE("minor_to_major %.80s is no order of %d dimensions",
             XLA_LIST_TEXT(layout->minorToMajor, layout->rank), layout->rank);
    seen |= UINT32_C(1) << d;
  }
  return true;
}

bool xlaLayoutCheck(const XlaLayout *layout, const XlaShape *shape,
                    char message[160]) {
  if (layout->rank != shape->rank)
    REFUSE("the layout is of %d dimensions, the array has %d", layout->rank,
           shape->rank);
  if (!checkOrder(layout, message))
    return false;
  if (!layout->padded)
    return true;
  XlaShape padded = *shape;
  for (int i = 0; i < layout->rank; ++i) {
    padded.dims[i] = layout->paddedDimensions[i];
    if (padded.dims[i] < shape->dims[i])
      REFUSE("padded_dimensions[%d] is %lld, the dimension has %lld", i,
             (long long)padded.dims[i], (long long)shape->dims[i]);
  }
  int64_t count;
  if (!xlaShapeGetElementCount(&padded, &count))
    REFUSE("padded_dimensions %.80s make more than 2^62 bytes",
           XLA_LIST_TEXT(layout->paddedDimensions, layout->rank));
  if (layout->paddingValue >= XlaPaddingValueLowest &&
      xlaElementTypeIsComplex(shape->elementType))
    REFUSE("complex numbers have no %s to pad with",
           xlaPaddingValueGetName(layout->paddingValue));
  return true;
}

bool xlaShapeMakeWithLayout(XlaElementType elementType, int rank,
                            const int64_t *dims, const int64_t *minorToMajor,
                            XlaShape *shape, XlaLayout *layout) {
  if (!xlaShapeMake(elementType, rank, dims, shape))
    return false;
  *layout = xlaLayoutMake(rank, minorToMajor);
  return xlaLayoutCheck(layout, shape, NULL);
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

static const int64_t *sizesInMemory(const XlaLayout *layout,
                                    const XlaShape *shape) {
  return layout->padded ? layout->paddedDimensions : shape->dims;
}

int64_t xlaLayoutGetImageCount(const XlaLayout *layout, const XlaShape *shape) {
  XlaShape padded = *shape;
  int64_t count;
  memcpy(padded.dims, sizesInMemory(layout, shape), sizeof padded.dims);
  xlaShapeGetElementCount(&padded, &count);
  return count;
}

int64_t xlaIndexMultiToLinear(const XlaLayout *layout, const XlaShape *shape,
                              const int64_t *index) {
  const int64_t *sizes = sizesInMemory(layout, shape);
  int64_t linear = 0;
  for (int i = layout->rank - 1; i >= 0; --i) {
    int64_t d = layout->minorToMajor[i];
    linear = linear * sizes[d] + index[d];
  }
  return linear;
}

bool xlaIndexLinearToMulti(const XlaLayout *layout, const XlaShape *shape,
                           int64_t linear, int64_t *index) {
  const int64_t *sizes = sizesInMemory(layout, shape);
  bool inside = true;
  for (int i = 0; i < layout->rank; ++i) {
    int64_t d = layout->minorToMajor[i];
    index[d] = linear % sizes[d];
    linear /= sizes[d];
    inside = inside && index[d] < shape->dims[d];
  }
  return inside;
}

//===----------------------------------------------------------------------===//
// Memory images
//===----------------------------------------------------------------------===//

static int elementBytes(const XlaShape *shape) {
  return xlaElementTypeGetInfo(shape->elementType)->bytes;
}

static void copyElements(const XlaLayout *layout, const XlaShape *shape,
                         unsigned char *image, unsigned char *rowMajor,
                         bool toImage) {
  size_t bytes = (size_t)elementBytes(shape);
  int64_t count, index[XLA_MAX_RANK] = {0};
  if (!xlaShapeGetElementCount(shape, &count) || !count)
    return;
  do {
    unsigned char *there =
        image + (size_t)xlaIndexMultiToLinear(layout, shape, index) * bytes;
    memcpy(toImage ? there : rowMajor, toImage ? rowMajor : there, bytes);
    rowMajor += bytes;
  } while (xlaIndexNext(index, shape->dims, shape->rank));
}

void xlaLayoutWriteImage(const XlaLayout *layout, const XlaShape *shape,
                         const void *rowMajor, void *image) {
  size_t bytes = (size_t)elementBytes(shape);
  if (layout->padded) {
    XlaScalar padding =
        xlaPaddingValueGetScalar(layout->paddingValue, shape->elementType);
    unsigned char *to = image;
    for (int64_t i = 0; i < xlaLayoutGetImageCount(layout, shape); ++i)
      xlaScalarStore(shape->elementType, to + (size_t)i * bytes, padding);
  }
  copyElements(layout, shape, image, (unsigned char *)rowMajor, true);
}

void xlaLayoutReadImage(const XlaLayout *layout, const XlaShape *shape,
                        const void *image, void *rowMajor) {
  copyElements(layout, shape, (unsigned char *)image, rowMajor, false);
}

/// The largest finite value of a float format of up to 8 bits, or the least.
static double finiteExtreme(const XlaElementTypeInfo *info, bool highest) {
  double extreme = highest ? -INFINITY : INFINITY;
  for (uint32_t bits = 0; bits < 1u << info->bits; ++bits) {
    double value = xlaFloatDecode(info, bits);
    if (isfinite(value))
      extreme = highest ? fmax(extreme, value) : fmin(extreme, value);
  }
  return extreme;
}

XlaScalar xlaPaddingValueGetScalar(XlaPaddingValue value, XlaElementType type) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  bool isFloat = info->typeClass & (XlaTypeClassFloat | XlaTypeClassComplex);
  bool highest = value == XlaPaddingValueHighest;
  if (value <= XlaPaddingValueOne) {
    bool one = value == XlaPaddingValueOne;
    return isFloat ? (XlaScalar){.f = {one, 0}} : (XlaScalar){.u = one};
  }
  if (isFloat && info->flavor == XlaFloatFlavorIeee)
    return (XlaScalar){.f = {highest ? INFINITY : -INFINITY, 0}};
  if (isFloat)
    return (XlaScalar){.f = {finiteExtreme(info, highest), 0}};
  uint64_t ones = ~UINT64_C(0) >> (64 - info->bits);
  if (info->typeClass != XlaTypeClassSigned)
    return (XlaScalar){.u = highest ? ones : 0};
  int64_t most = (int64_t)(ones >> 1);
  return (XlaScalar){.s = highest ? most : -most - 1};
}

const char *xlaPaddingValueGetName(XlaPaddingValue value) {
  static const char *const names[XlaPaddingValueCount] = {"zero", "one",
                                                          "lowest", "highest"};
  return names[value];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

XlaLayout xlaLayoutFromMlir(MlirType type) {
  XlaLayout layout = xlaLayoutMakeDefault((int)mlirShapedTypeGetRank(type));
  MlirAttribute entries = xlaArrayEncodingGetEntries(type);
  if (mlirAttributeIsNull(entries))
    return layout;
  xlaArrayEncodingGetList(type, "minor_to_major", layout.minorToMajor);
  layout.padded = xlaArrayEncodingGetList(type, "padded_dimensions",
                                          layout.paddedDimensions) >= 0;
  MlirAttribute value = mlirDictionaryAttrGetElementByName(
      entries, mlirStringRefCreateFromCString("padding_value"));
  for (int k = 0; k < XlaPaddingValueCount && !mlirAttributeIsNull(value); ++k)
    if (mlirStringRefEqual(mlirStringAttrGetValue(value),
                           mlirStringRefCreateFromCString(
                               xlaPaddingValueGetName((XlaPaddingValue)k))))
      layout.paddingValue = (XlaPaddingValue)k;
  return layout;
}

MlirType xlaShapeToMlirWithLayout(const XlaShape *shape,
                                  const XlaLayout *layout,
                                  MlirContext context) {
  int64_t dims[XLA_MAX_RANK];
  for (int i = 0; i < shape->rank; ++i)
    dims[i] = xlaShapeIsDynamic(shape, i) ? mlirShapedTypeGetDynamicSize()
                                          : shape->dims[i];
  return mlirRankedTensorTypeGet(
      shape->rank, dims, xlaElementTypeToMlir(shape->elementType, context),
      xlaArrayEncodingGet(shape, layout, context));
}

//===- literal.c - Values of programs -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/literal.h"
#include "xlac/dialect/literal_splat.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/mlir-c-ext/ext.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct XlaLiteralMeter {
  int64_t references, bytes;
};

struct XlaLiteral {
  XlaLiteralKind kind;
  int64_t references;
  XlaShape shape;      // arrays
  int64_t count;       // elements of the array or the tuple
  int elementBytes;    // arrays
  int stride;          // bytes between elements that are read; 0: all are one
  XlaLiteral **tuple;  // tuples
  unsigned char *data; // arrays
  void (*releaseData)(void *data);
  XlaLiteralMeter *meter;
};

static XlaLiteral *create(XlaLiteralKind kind) {
  XlaLiteral *literal = calloc(1, sizeof *literal);
  if (literal) {
    literal->kind = kind;
    literal->references = 1;
  }
  return literal;
}

XlaLiteral *xlaLiteralTakeArray(const XlaShape *shape, void *data,
                                void (*release)(void *data)) {
  int64_t count;
  XlaLiteral *literal;
  if (!xlaShapeGetElementCount(shape, &count) ||
      !(literal = create(XlaLiteralKindArray)))
    return NULL;
  literal->shape = *shape;
  literal->shape.dynamic = 0;
  literal->count = count;
  literal->elementBytes = xlaElementTypeGetInfo(shape->elementType)->bytes;
  literal->stride = literal->elementBytes;
  literal->data = data;
  literal->releaseData = release;
  return literal;
}

XlaLiteral *xlaLiteralCreateArray(const XlaShape *shape) {
  int64_t count;
  if (!xlaShapeGetElementCount(shape, &count))
    return NULL;
  int bytes = xlaElementTypeGetInfo(shape->elementType)->bytes;
  void *data = calloc((size_t)(count ? count : 1), (size_t)bytes);
  XlaLiteral *literal = NULL;
  if (data)
    literal = xlaLiteralTakeArray(shape, data, free);
  if (!literal)
    free(data);
  return literal;
}

XlaLiteral *xlaLiteralTakeTuple(intptr_t n, XlaLiteral **elements) {
  XlaLiteral *literal = create(XlaLiteralKindTuple);
  if (literal)
    literal->tuple = malloc(((size_t)n + 1) * sizeof *elements);
  if (!literal || !literal->tuple) {
    free(literal);
    for (intptr_t i = 0; i < n; ++i)
      xlaLiteralRelease(elements[i]);
    return NULL;
  }
  literal->count = n;
  if (n)
    memcpy(literal->tuple, elements, (size_t)n * sizeof *elements);
  return literal;
}

XlaLiteral *xlaLiteralCreateToken(void) { return create(XlaLiteralKindToken); }

XlaLiteral *xlaLiteralRetain(const XlaLiteral *literal) {
  XlaLiteral *counted = (XlaLiteral *)literal;
  ++counted->references;
  return counted;
}

static int64_t ownMemory(const XlaLiteral *literal) {
  int64_t item = literal->kind == XlaLiteralKindTuple
                     ? (int64_t)sizeof *literal->tuple
                     : literal->stride;
  return literal->count * item + (int64_t)sizeof *literal;
}

XlaLiteralMeter *xlaLiteralMeterCreate(void) {
  XlaLiteralMeter *meter = calloc(1, sizeof *meter);
  if (meter)
    meter->references = 1;
  return meter;
}

void xlaLiteralMeterRelease(XlaLiteralMeter *meter) {
  if (meter && !--meter->references)
    free(meter);
}

int64_t xlaLiteralMeterGetBytes(const XlaLiteralMeter *meter) {
  return meter->bytes;
}

void xlaLiteralSetMeter(XlaLiteral *literal, XlaLiteralMeter *meter) {
  literal->meter = meter;
  ++meter->references;
  meter->bytes += ownMemory(literal);
}

int64_t xlaLiteralGetMemory(const XlaLiteral *literal) {
  int64_t bytes = ownMemory(literal);
  if (literal->kind == XlaLiteralKindTuple)
    for (int64_t i = 0; i < literal->count; ++i)
      bytes += xlaLiteralGetMemory(literal->tuple[i]);
  return bytes;
}

void xlaLiteralRelease(XlaLiteral *literal) {
  if (!literal || --literal->references)
    return;
  if (literal->meter)
    literal->meter->bytes -= ownMemory(literal);
  xlaLiteralMeterRelease(literal->meter);
  if (literal->kind == XlaLiteralKindTuple)
    for (int64_t i = 0; i < literal->count; ++i)
      xlaLiteralRelease(literal->tuple[i]);
  free(literal->tuple);
  if (literal->data)
    literal->releaseData(literal->data);
  free(literal);
}

XlaLiteralKind xlaLiteralGetKind(const XlaLiteral *literal) {
  return literal->kind;
}

const XlaShape *xlaLiteralGetShape(const XlaLiteral *literal) {
  return &literal->shape;
}

int64_t xlaLiteralGetElementCount(const XlaLiteral *literal) {
  return literal->count;
}

size_t xlaLiteralGetByteCount(const XlaLiteral *literal) {
  return (size_t)literal->count * (size_t)literal->elementBytes;
}

const void *xlaLiteralGetData(const XlaLiteral *literal) {
  return literal->data;
}

/// Elements that are one to readers become as many as there are.
static void makeWritable(XlaLiteral *literal) {
  if (literal->stride == literal->elementBytes)
    return;
  if (literal->meter)
    literal->meter->bytes -= ownMemory(literal);
  literal->stride = literal->elementBytes;
  if (literal->meter)
    literal->meter->bytes += ownMemory(literal);
}

void *xlaLiteralGetMutableData(XlaLiteral *literal) {
  makeWritable(literal);
  return literal->data;
}

XlaScalar xlaLiteralGet(const XlaLiteral *literal, int64_t linear) {
  return xlaScalarLoad(literal->shape.elementType,
                       literal->data + linear * literal->stride);
}

void xlaLiteralSet(XlaLiteral *literal, int64_t linear, XlaScalar value) {
  makeWritable(literal);
  xlaScalarStore(literal->shape.elementType,
                 literal->data + linear * literal->elementBytes, value);
}

void xlaLiteralCopyElement(XlaLiteral *to, int64_t toLinear,
                           const XlaLiteral *from, int64_t fromLinear) {
  makeWritable(to);
  memcpy(to->data + toLinear * to->elementBytes,
         from->data + fromLinear * from->stride, (size_t)to->elementBytes);
}

intptr_t xlaLiteralGetTupleSize(const XlaLiteral *literal) {
  return (intptr_t)literal->count;
}

const XlaLiteral *xlaLiteralGetTupleElement(const XlaLiteral *literal,
                                            intptr_t position) {
  return literal->tuple[position];
}

XlaLiteral *xlaLiteralCopy(const XlaLiteral *literal) {
  if (xlaLiteralGetKind(literal) == XlaLiteralKindArray) {
    XlaLiteral *copy = xlaLiteralCreateArray(xlaLiteralGetShape(literal));
    if (copy && xlaLiteralGetByteCount(literal))
      memcpy(xlaLiteralGetMutableData(copy), xlaLiteralGetData(literal),
             xlaLiteralGetByteCount(literal));
    return copy;
  }
  if (literal->kind == XlaLiteralKindToken)
    return xlaLiteralCreateToken();
  intptr_t n = xlaLiteralGetTupleSize(literal), made = 0;
  XlaLiteral **elements = calloc((size_t)n + 1, sizeof *elements);
  XlaLiteral *copy = NULL;
  while (elements && made < n &&
         (elements[made] =
              xlaLiteralCopy(xlaLiteralGetTupleElement(literal, made))))
    ++made;
  if (elements && made == n)
    copy = xlaLiteralTakeTuple(n, elements);
  for (intptr_t i = 0; elements && !copy && made < n && i < made; ++i)
    xlaLiteralRelease(elements[i]);
  free(elements);
  return copy;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Fills every element with the first.
static void splat(XlaLiteral *literal) {
  size_t size = (size_t)literal->elementBytes;
  for (int64_t i = 1; i < literal->count; ++i)
    memcpy(literal->data + (size_t)i * size, literal->data, size);
}

/// MLIR packs non-splat i1 into bits, least significant first.
static void unpackBits(XlaLiteral *literal, const unsigned char *bits) {
  for (int64_t i = 0; i < literal->count; ++i)
    literal->data[i] = bits[i / 8] >> (i % 8) & 1;
}

/// Elements below a byte are stored in a byte each, upper bits as MLIR left
/// them.
static void normalize(XlaLiteral *literal) {
  if (xlaElementTypeGetInfo(literal->shape.elementType)->bits >= 8)
    return;
  for (int64_t i = 0; i < literal->count; ++i)
    xlaLiteralSet(literal, i, xlaLiteralGet(literal, i));
}

static bool readDense(XlaLiteral *literal, MlirAttribute value) {
  const unsigned char *raw = mlirDenseElementsAttrGetRawData(value);
  bool pred = literal->shape.elementType == XlaElementTypePred;
  if (!literal->count)
    return true;
  if (mlirDenseElementsAttrIsSplat(value)) {
    if (pred)
      literal->data[0] = raw[0] != 0;
    else
      memcpy(literal->data, raw, (size_t)literal->elementBytes);
    splat(literal);
  } else if (pred) {
    unpackBits(literal, raw);
  } else {
    memcpy(literal->data, raw, xlaLiteralGetByteCount(literal));
  }
  normalize(literal);
  return true;
}

/// A large splat in little memory; NULL if it is none, or there is none. All of
/// it can be read as data; element by element only the first is, so that no
/// more pages are touched.
static XlaLiteral *mapSplat(const XlaShape *shape, MlirAttribute value) {
  XlaShape one = {.elementType = shape->elementType};
  int64_t count;
  if (!mlirDenseElementsAttrIsSplat(value) ||
      !xlaShapeGetElementCount(shape, &count) || !count)
    return NULL;
  XlaLiteral *element = xlaLiteralCreateArray(&one), *literal = NULL;
  void *data = NULL;
  if (element && readDense(element, value))
    data = xlaSplatMap((size_t)count * (size_t)element->elementBytes,
                       element->data, (size_t)element->elementBytes);
  if (data)
    literal = xlaLiteralTakeArray(shape, data, xlaSplatUnmap);
  if (literal)
    literal->stride = 0;
  if (data && !literal)
    xlaSplatUnmap(data);
  xlaLiteralRelease(element);
  return literal;
}

static bool readResource(XlaLiteral *literal, MlirAttribute value) {
  MlirStringRef raw = mlirExtDenseGetRawData(value);
  if (raw.length != xlaLiteralGetByteCount(literal))
    return false;
  if (raw.length)
    memcpy(literal->data, raw.data, raw.length);
  if (literal->shape.elementType == XlaElementTypePred)
    for (int64_t i = 0; i < literal->count; ++i)
      literal->data[i] = literal->data[i] != 0;
  normalize(literal);
  return true;
}

XlaLiteral *xlaLiteralFromAttribute(MlirAttribute value) {
  XlaShape shape;
  bool dense = mlirAttributeIsADenseElements(value);
  if (!dense && !mlirExtAttributeIsADenseResource(value))
    return NULL;
  if (!xlaShapeFromMlir(mlirAttributeGetType(value), &shape, NULL))
    return NULL;
  XlaLiteral *literal = dense ? mapSplat(&shape, value) : NULL;
  if (literal)
    return literal;
  literal = xlaLiteralCreateArray(&shape);
  if (!literal)
    return NULL;
  if (dense ? readDense(literal, value) : readResource(literal, value))
    return literal;
  xlaLiteralRelease(literal);
  return NULL;
}

/// The bytes of `value` if a literal of it has the same: neither one element
/// for all nor bits, nor bytes with some of them unused. Else none.
static MlirStringRef literalBytes(MlirAttribute value, XlaShape *shape) {
  const MlirStringRef none = {NULL, 0};
  int64_t count;
  if ((!mlirAttributeIsADenseElements(value) &&
       !mlirExtAttributeIsADenseResource(value)) ||
      !xlaShapeFromMlir(mlirAttributeGetType(value), shape, NULL))
    return none;
  MlirStringRef raw = mlirExtDenseGetRawData(value);
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape->elementType);
  return info->bits >= 8 && xlaShapeGetElementCount(shape, &count) &&
                 raw.length / (size_t)info->bytes == (size_t)count &&
                 raw.length % (size_t)info->bytes == 0
             ? raw
             : none;
}

static void keepData(void *data) { (void)data; }

XlaLiteral *xlaLiteralViewAttribute(MlirAttribute value, bool *isView) {
  XlaShape shape;
  MlirStringRef raw = literalBytes(value, &shape);
  if (isView)
    *isView = raw.length > 0;
  return raw.length ? xlaLiteralTakeArray(&shape, (void *)(uintptr_t)raw.data,
                                          keepData)
                    : xlaLiteralFromAttribute(value);
}

/// Copies piece by piece, and gives back the pages of each.
static void copyMapped(MlirStringRef raw, char *data) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), piece = (size_t)1 << 22;
  for (size_t done = 0, n; done < raw.length; done += n) {
    n = raw.length - done < piece ? raw.length - done : piece;
    memcpy(data + done, raw.data + done, n);
    uintptr_t begin = (uintptr_t)(raw.data + done) / page * page;
    uintptr_t end = (uintptr_t)(raw.data + done + n) / page * page;
    if (end > begin)
      madvise((void *)begin, end - begin, MADV_DONTNEED);
  }
}

bool xlaLiteralCopyAttribute(MlirAttribute value, void *data) {
  XlaShape shape;
  MlirStringRef raw = literalBytes(value, &shape);
  if (raw.length) {
    if (mlirExtDenseIsMapped(value))
      copyMapped(raw, data);
    else
      memcpy(data, raw.data, raw.length);
    return true;
  }
  XlaLiteral *literal = xlaLiteralFromAttribute(value);
  if (!literal)
    return false;
  memcpy(data, xlaLiteralGetData(literal), xlaLiteralGetByteCount(literal));
  xlaLiteralRelease(literal);
  return true;
}

XlaLiteral *xlaLiteralFromSplat(MlirAttribute value) {
  XlaShape one;
  if (!mlirAttributeIsADenseElements(value) ||
      !mlirDenseElementsAttrIsSplat(value) ||
      !xlaShapeFromMlir(mlirAttributeGetType(value), &one, NULL))
    return NULL;
  one.rank = 0;
  return xlaLiteralFromAttribute(mlirDenseElementsAttrReshapeGet(
      value, xlaShapeToMlir(&one, mlirAttributeGetContext(value))));
}

MlirAttribute xlaLiteralToAttribute(const XlaLiteral *literal,
                                    MlirContext context) {
  MlirType type = xlaShapeToMlir(&literal->shape, context);
  size_t bytes = xlaLiteralGetByteCount(literal);
  if (literal->shape.elementType == XlaElementTypePred) {
    int *bools = malloc(((size_t)literal->count + 1) * sizeof *bools);
    if (!bools)
      return mlirAttributeGetNull();
    for (int64_t i = 0; i < literal->count; ++i)
      bools[i] = literal->data[i];
    MlirAttribute attr =
        mlirDenseElementsAttrBoolGet(type, literal->count, bools);
    free(bools);
    return attr;
  }
  // One element is a splat to MLIR; equal elements become one as well, which
  // keeps large constants small.
  size_t size = (size_t)literal->elementBytes;
  bool same = literal->count > 0;
  for (int64_t i = 1; same && i < literal->count; ++i)
    same = !memcmp(literal->data, literal->data + (size_t)i * size, size);
  return mlirDenseElementsAttrRawBufferGet(type, same ? size : bytes,
                                           literal->data);
}

MlirType xlaLiteralGetType(const XlaLiteral *literal, MlirContext context) {
  if (literal->kind == XlaLiteralKindToken)
    return xlaTokenTypeGet(context);
  if (literal->kind == XlaLiteralKindArray)
    return xlaShapeToMlir(&literal->shape, context);
  MlirType *types = malloc(((size_t)literal->count + 1) * sizeof *types);
  if (!types)
    return (MlirType){NULL};
  for (int64_t i = 0; i < literal->count; ++i)
    types[i] = xlaLiteralGetType(literal->tuple[i], context);
  MlirType type = mlirTupleTypeGet(context, (intptr_t)literal->count, types);
  free(types);
  return type;
}

//===- array_encoding.c - The attribute #xla.array ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/array_encoding.h"

#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/mlir-c-ext/ext.h"

#include <stdio.h>
#include <string.h>

typedef enum Entry { MinorToMajor, Padded, PaddingValue, Bounds } Entry;
enum { entryCount = Bounds + 1 };
static const char *const entryNames[entryCount] = {
    "minor_to_major", "padded_dimensions", "padding_value", "bounds"};

MlirAttribute xlaArrayEncodingGetEntries(MlirType type) {
  if (!mlirTypeIsARankedTensor(type))
    return mlirAttributeGetNull();
  MlirAttribute encoding = mlirRankedTensorTypeGetEncoding(type);
  return mlirAttributeIsNull(encoding)
             ? encoding
             : mlirExtAttrGetEntries(encoding,
                                     mlirStringRefCreateFromCString("xla"),
                                     mlirStringRefCreateFromCString("array"));
}

static MlirAttribute find(MlirAttribute entries, const char *name) {
  return mlirDictionaryAttrGetElementByName(
      entries, mlirStringRefCreateFromCString(name));
}

/// -1 if `list` is null, else its size; writes up to XLA_MAX_RANK elements.
static intptr_t readList(MlirAttribute list, int64_t *values) {
  if (mlirAttributeIsNull(list))
    return -1;
  intptr_t n = mlirDenseArrayGetNumElements(list);
  for (intptr_t i = 0; i < n && i < XLA_MAX_RANK; ++i)
    values[i] = mlirDenseI64ArrayGetElement(list, i);
  return n;
}

int xlaArrayEncodingGetList(MlirType type, const char *name, int64_t *values) {
  MlirAttribute entries = xlaArrayEncodingGetEntries(type);
  if (mlirAttributeIsNull(entries))
    return -1;
  return (int)readList(find(entries, name), values);
}

MlirAttribute xlaArrayEncodingGet(const XlaShape *shape,
                                  const XlaLayout *layout,
                                  MlirContext context) {
  MlirNamedAttribute entries[entryCount];
  intptr_t n = 0;
#define ADD(entry, value)                                                      \
  entries[n++] = mlirNamedAttributeGet(                                        \
      mlirIdentifierGet(context,                                               \
                        mlirStringRefCreateFromCString(entryNames[entry])),    \
      value)
  if (shape && shape->dynamic) {
    int64_t bounds[XLA_MAX_RANK];
    for (int i = 0; i < shape->rank; ++i)
      bounds[i] = xlaShapeIsDynamic(shape, i) ? shape->dims[i]
                                              : mlirShapedTypeGetDynamicSize();
    ADD(Bounds, mlirDenseI64ArrayGet(context, shape->rank, bounds));
  }
  if (layout) {
    XlaLayout order = *layout;
    order.padded = false;
    if (!xlaLayoutIsDefault(&order))
      ADD(MinorToMajor,
          mlirDenseI64ArrayGet(context, layout->rank, layout->minorToMajor));
    if (layout->padded)
      ADD(Padded, mlirDenseI64ArrayGet(context, layout->rank,
                                       layout->paddedDimensions));
    if (layout->padded && layout->paddingValue != XlaPaddingValueZero)
      ADD(PaddingValue,
          mlirStringAttrGet(context,
                            mlirStringRefCreateFromCString(
                                xlaPaddingValueGetName(layout->paddingValue))));
  }
#undef ADD
  if (!n)
    return mlirAttributeGetNull();
  return mlirExtAttrGet(context, mlirStringRefCreateFromCString("xla"),
                        mlirStringRefCreateFromCString("array"),
                        mlirDictionaryAttrGet(context, n, entries));
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Where errors go.
typedef struct Report {
  void (*emitError)(const char *message, void *errorData);
  void *errorData;
} Report;

#define REFUSE(...)                                                            \
  do {                                                                         \
    char text[256];                                                            \
    snprintf(text, sizeof text, __VA_ARGS__);                                  \
    report.emitError(text, report.errorData);                                  \
    return mlirLogicalResultFailure();                                         \
  } while (0)

static MlirLogicalResult checkPaddingValue(Report report, MlirAttribute value) {
  if (mlirAttributeIsAString(value)) {
    MlirStringRef text = mlirStringAttrGetValue(value);
    for (int k = 0; k < XlaPaddingValueCount; ++k) {
      const char *name = xlaPaddingValueGetName((XlaPaddingValue)k);
      if (mlirStringRefEqual(text, mlirStringRefCreateFromCString(name)))
        return mlirLogicalResultSuccess();
    }
  }
  REFUSE(
      "'padding_value' must be \"zero\", \"one\", \"lowest\" or \"highest\"");
}

/// The elements of one list, which its entry allows whatever the tensor is.
static MlirLogicalResult checkElements(Report report, Entry entry,
                                       MlirAttribute list) {
  int64_t values[XLA_MAX_RANK];
  intptr_t n = readList(list, values);
  if (n > XLA_MAX_RANK)
    REFUSE("'%s' has %lld entries; arrays have at most %d dimensions",
           entryNames[entry], (long long)n, XLA_MAX_RANK);
  uint32_t seen = 0;
  for (intptr_t i = 0; i < n; ++i) {
    int64_t value = values[i];
    bool any = mlirShapedTypeIsDynamicSize(value);
    if (any && entry != Bounds)
      REFUSE("'%s' has ? in place %lld", entryNames[entry], (long long)i);
    if (value < 0 && !any)
      REFUSE("'%s' has %lld in place %lld", entryNames[entry], (long long)value,
             (long long)i);
    if (entry != MinorToMajor)
      continue;
    if (value >= n || seen >> value & 1)
      REFUSE("'minor_to_major' has %lld in place %lld, is no order of %lld "
             "dimensions",
             (long long)value, (long long)i, (long long)n);
    seen |= UINT32_C(1) << value;
  }
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaArrayEncodingVerify(MlirAttribute entries,
                                         void (*emitError)(const char *message,
                                                           void *errorData),
                                         void *errorData) {
  Report report = {emitError, errorData};
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(entries); ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(entries, i);
    MlirStringRef name = mlirIdentifierStr(entry.name);
    Entry k = MinorToMajor;
    while (k < entryCount &&
           !mlirStringRefEqual(name,
                               mlirStringRefCreateFromCString(entryNames[k])))
      ++k;
    if (k == entryCount)
      REFUSE("'%.*s' is not known (entries: minor_to_major, "
             "padded_dimensions, padding_value, bounds)",
             (int)(name.length < 80 ? name.length : 80), name.data);
    if (k != PaddingValue && !mlirAttributeIsADenseI64Array(entry.attribute))
      REFUSE("'%s' must be a list of integers", entryNames[k]);
    if (mlirLogicalResultIsFailure(
            k == PaddingValue ? checkPaddingValue(report, entry.attribute)
                              : checkElements(report, k, entry.attribute)))
      return mlirLogicalResultFailure();
  }
  return mlirLogicalResultSuccess();
}

/// One size in memory and one bound against a dimension of the tensor.
static MlirLogicalResult checkDimension(Report report, intptr_t i, int64_t dim,
                                        const int64_t *padded,
                                        const int64_t *bounds) {
  bool dynamic = mlirShapedTypeIsDynamicSize(dim);
  bool bounded = bounds && !mlirShapedTypeIsDynamicSize(bounds[i]);
  if (bounded && !dynamic)
    REFUSE("'bounds' has %lld for dimension %lld, which is not dynamic",
           (long long)bounds[i], (long long)i);
  int64_t least = bounded ? bounds[i] : dynamic ? 0 : dim;
  if (padded && padded[i] < least)
    REFUSE("'padded_dimensions' has %lld for dimension %lld, of %s%lld",
           (long long)padded[i], (long long)i, bounded ? "at most " : "",
           (long long)least);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaArrayEncodingVerifyTensor(
    MlirAttribute entries, intptr_t rank, const int64_t *dims,
    MlirType elementType,
    void (*emitError)(const char *message, void *errorData), void *errorData) {
  Report report = {emitError, errorData};
  int64_t lists[entryCount][XLA_MAX_RANK];
  bool given[entryCount] = {false};
  for (Entry k = MinorToMajor; k < entryCount; ++k) {
    MlirAttribute list = k == PaddingValue ? mlirAttributeGetNull()
                                           : find(entries, entryNames[k]);
    intptr_t n = readList(list, lists[k]);
    if (n >= 0 && n != rank)
      REFUSE("'%s' has %lld entries, the tensor has rank %lld", entryNames[k],
             (long long)n, (long long)rank);
    given[k] = n >= 0;
  }
  MlirAttribute value = find(entries, entryNames[PaddingValue]);
  if (!mlirAttributeIsNull(value) && !given[Padded])
    REFUSE("'padding_value' needs 'padded_dimensions'");
  if (!mlirAttributeIsNull(value) && mlirTypeIsAComplex(elementType)) {
    MlirStringRef name = mlirStringAttrGetValue(value);
    if (name.length > 4) // not "zero" or "one"
      REFUSE("complex numbers have no %.*s to pad with", (int)name.length,
             name.data);
  }
  if (given[Padded]) {
    XlaShape padded;
    XlaElementType type = xlaElementTypeFromMlir(elementType);
    if (type != XlaElementTypeInvalid &&
        !xlaShapeMake(type, (int)rank, lists[Padded], &padded))
      REFUSE("'padded_dimensions' make more than 2^62 bytes");
  }
  for (intptr_t i = 0; i < rank && (given[Padded] || given[Bounds]); ++i)
    if (mlirLogicalResultIsFailure(checkDimension(
            report, i, dims[i], given[Padded] ? lists[Padded] : NULL,
            given[Bounds] ? lists[Bounds] : NULL)))
      return mlirLogicalResultFailure();
  return mlirLogicalResultSuccess();
}

//===- types.c - Types of VHLO --------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/ir.h"
#include "xlac/formats/vhlo/builtin.h"
#include "xlac/formats/vhlo/reader.h"

#include <stdlib.h>

typedef enum TypeCode {
#define XLA_VHLO_TYPE(code, Kind, name) TypeCode##Kind = code,
#include "xlac/formats/vhlo/codes.def"
} TypeCode;

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

bool xlaVhloBeginEntry(XlaVhloReader *reader, const uint8_t *at,
                       XlaVhloEntries *entries, uint64_t index,
                       const char *what, XlaVhloEntry **entry,
                       XlaByteCursor *content) {
  XlaByteSource *source = reader->source;
  if (index >= entries->n) {
    xlaByteError(source, at, "there is no %s %llu", what,
                 (unsigned long long)index);
    return false;
  }
  *entry = &entries->items[index];
  *content = (XlaByteCursor){source, (*entry)->begin, (*entry)->end};
  if ((*entry)->made) {
    reader->weight += (*entry)->weight;
    return true;
  }
  if ((*entry)->isBeingMade)
    return xlaByteError(source, at, "%s %llu contains itself", what,
                        (unsigned long long)index);
  if (reader->depth == XLA_MAX_NESTING)
    return xlaByteUnsupported(source, at,
                              "attributes or types in each other are nested "
                              "deeper than %d",
                              XLA_MAX_NESTING);
  ++reader->depth;
  (*entry)->isBeingMade = true;
  (*entry)->weight = reader->weight;
  reader->weight = 1;
  return true;
}

bool xlaVhloEndEntry(XlaVhloReader *reader, XlaVhloEntry *entry,
                     const XlaByteCursor *content, bool made) {
  uint64_t weight = reader->weight;
  --reader->depth;
  entry->isBeingMade = false;
  reader->weight += entry->weight;
  entry->weight = weight;
  if (made && weight > XLA_MAX_ALIAS_SIZE)
    return xlaByteUnsupported(reader->source, entry->begin,
                              "an attribute or type that would be more than %d "
                              "in a text",
                              XLA_MAX_ALIAS_SIZE);
  if (made && content->next != content->end)
    return xlaByteError(reader->source, content->next,
                        "%zu bytes are left over of an attribute or type",
                        xlaByteGetLeft(content));
  return made;
}

//===----------------------------------------------------------------------===//
// Types with parts
//===----------------------------------------------------------------------===//

bool xlaVhloReadTypes(XlaVhloReader *reader, XlaByteCursor *cursor, uint64_t *n,
                      MlirType **types) {
  *types = NULL;
  if (!xlaByteReadCount(cursor, "types", n))
    return false;
  *types = xlaByteAllocate(reader->source, *n, sizeof **types);
  bool read = *types != NULL;
  for (uint64_t i = 0; read && i < *n; ++i)
    read = xlaVhloReadType(reader, cursor, &(*types)[i]);
  if (!read) {
    free(*types);
    *types = NULL;
  }
  return read;
}

static bool readComplex(XlaVhloReader *reader, XlaByteCursor *cursor,
                        MlirType *type) {
  const uint8_t *at = cursor->next;
  MlirType element;
  if (!xlaVhloReadType(reader, cursor, &element))
    return false;
  if (!mlirTypeIsAFloat(element))
    return xlaByteError(reader->source, at,
                        "complex numbers of other than floats");
  *type = mlirComplexTypeGet(element);
  return true;
}

static bool readFunction(XlaVhloReader *reader, XlaByteCursor *cursor,
                         MlirType *type) {
  uint64_t nInputs, nResults;
  MlirType *inputs, *results = NULL;
  bool read = xlaVhloReadTypes(reader, cursor, &nInputs, &inputs) &&
              xlaVhloReadTypes(reader, cursor, &nResults, &results);
  if (read)
    *type = mlirFunctionTypeGet(reader->context, (intptr_t)nInputs, inputs,
                                (intptr_t)nResults, results);
  free(inputs);
  free(results);
  return read;
}

static bool readTuple(XlaVhloReader *reader, XlaByteCursor *cursor,
                      MlirType *type) {
  uint64_t n;
  MlirType *types;
  bool read = xlaVhloReadTypes(reader, cursor, &n, &types);
  if (read)
    *type = mlirTupleTypeGet(reader->context, (intptr_t)n, types);
  free(types);
  return read;
}

/// What an operation that runs beside others gives, by its text.
static bool readFuture(XlaVhloReader *reader, XlaByteCursor *cursor,
                       MlirType *type) {
  const uint8_t *at = cursor->next;
  uint64_t n;
  MlirType *types;
  if (!xlaVhloReadTypes(reader, cursor, &n, &types))
    return false;
  XlaIrText text = {0};
  xlaIrTextPrint(&text, "!stablehlo.future<");
  for (uint64_t i = 0; i < n; ++i) {
    xlaIrTextPrint(&text, i ? ", " : "");
    mlirTypePrint(types[i], xlaIrTextAppend, &text);
  }
  xlaIrTextPrint(&text, ">");
  free(types);
  if (!text.isCut)
    *type = mlirTypeParseGet(reader->context,
                             mlirStringRefCreate(text.data, text.size));
  free(text.data);
  return text.isCut
             ? xlaByteUnsupported(reader->source, at, "out of memory")
             : !mlirTypeIsNull(*type) ||
                   xlaByteError(reader->source, at, "a future of no types");
}

static bool readElement(XlaVhloReader *reader, XlaByteCursor *cursor,
                        MlirType *element) {
  const uint8_t *at = cursor->next;
  if (!xlaVhloReadType(reader, cursor, element))
    return false;
  return mlirTypeIsAInteger(*element) || mlirTypeIsAFloat(*element) ||
         mlirTypeIsAIndex(*element) || mlirTypeIsAComplex(*element) ||
         xlaByteError(reader->source, at,
                      "elements of a tensor are no numbers");
}

static bool readShape(XlaVhloReader *reader, XlaByteCursor *cursor, uint64_t *n,
                      int64_t **dims) {
  *dims = NULL;
  if (!xlaByteReadCount(cursor, "dimensions", n))
    return false;
  *dims = xlaByteAllocate(reader->source, *n, sizeof **dims);
  bool read = *dims != NULL;
  for (uint64_t i = 0; read && i < *n; ++i) {
    const uint8_t *at = cursor->next;
    read = xlaByteReadSigned(cursor, &(*dims)[i]);
    if (read && (*dims)[i] < 0 && (*dims)[i] != mlirShapedTypeGetDynamicSize())
      read = xlaByteError(reader->source, at, "a dimension is %lld",
                          (long long)(*dims)[i]);
  }
  return read;
}

static bool readTensor(XlaVhloReader *reader, XlaByteCursor *cursor,
                       bool isEncoded, MlirType *type) {
  MlirAttribute encoding = {NULL};
  MlirType element;
  uint64_t n;
  int64_t *dims = NULL;
  bool read = (!isEncoded || xlaVhloReadAttribute(reader, cursor, &encoding)) &&
              readShape(reader, cursor, &n, &dims) &&
              readElement(reader, cursor, &element);
  if (read) {
    *type = mlirRankedTensorTypeGetChecked(
        xlaByteLocation(reader->source), (intptr_t)n, dims, element, encoding);
    read = !mlirTypeIsNull(*type) ||
           xlaByteError(reader->source, cursor->next, "this is no tensor");
  }
  free(dims);
  return read;
}

static bool readBuffer(XlaVhloReader *reader, XlaByteCursor *cursor,
                       MlirType *type) {
  MlirType element;
  uint64_t n;
  int64_t *dims = NULL;
  bool read = readShape(reader, cursor, &n, &dims) &&
              readElement(reader, cursor, &element);
  if (read) {
    *type = mlirMemRefTypeContiguousGetChecked(xlaByteLocation(reader->source),
                                               element, (intptr_t)n, dims,
                                               mlirAttributeGetNull());
    read = !mlirTypeIsNull(*type) ||
           xlaByteError(reader->source, cursor->next, "this is no buffer");
  }
  free(dims);
  return read;
}

static bool readUnranked(XlaVhloReader *reader, XlaByteCursor *cursor,
                         MlirType *type) {
  MlirType element;
  if (!readElement(reader, cursor, &element))
    return false;
  *type = mlirUnrankedTensorTypeGet(element);
  return true;
}

//===----------------------------------------------------------------------===//
// All types
//===----------------------------------------------------------------------===//

static const char *scalarText(uint64_t code) {
  switch (code) {
#define XLA_VHLO_SCALAR(code, text)                                            \
  case code:                                                                   \
    return text;
#include "xlac/formats/vhlo/codes.def"
  default:
    return NULL;
  }
}

static bool readContent(XlaVhloReader *reader, XlaByteCursor *cursor,
                        MlirType *type) {
  const uint8_t *at = cursor->next;
  uint64_t code;
  if (!xlaByteReadVarint(cursor, &code))
    return false;
  const char *text = scalarText(code);
  if (text) {
    *type = xlaIrParseType(reader->context, text);
    return !mlirTypeIsNull(*type) ||
           xlaByteUnsupported(reader->source, at, "type %s is not known", text);
  }
  switch ((TypeCode)code) {
  case TypeCodeComplex:
    return readComplex(reader, cursor, type);
  case TypeCodeFunction:
    return readFunction(reader, cursor, type);
  case TypeCodeTensor:
    return readTensor(reader, cursor, /*isEncoded=*/false, type);
  case TypeCodeEncodedTensor:
    return readTensor(reader, cursor, /*isEncoded=*/true, type);
  case TypeCodeTuple:
    return readTuple(reader, cursor, type);
  case TypeCodeFuture:
    return readFuture(reader, cursor, type);
  case TypeCodeUnrankedTensor:
    return readUnranked(reader, cursor, type);
  case TypeCodeQuantized:
  case TypeCodeQuantizedPerAxis:
    return xlaByteUnsupported(reader->source, at,
                              "quantized elements are not supported yet");
  case TypeCodeBuffer:
    return readBuffer(reader, cursor, type);
  }
  return xlaByteUnsupported(reader->source, at,
                            "VHLO's type of code %llu is not supported yet",
                            (unsigned long long)code);
}

/// Types of the builtin dialect occur in attributes that are not StableHLO's.
static bool readBuiltin(XlaVhloReader *reader, XlaByteCursor *cursor,
                        MlirType *type) {
  const uint8_t *at = cursor->next;
  uint64_t code, n;
  if (!xlaByteReadVarint(cursor, &code))
    return false;
  MlirContext context = reader->context;
  switch (code) {
  case XlaBuiltinTypeInteger:
    // A width, and above two bits for none, signed and unsigned.
    if (!xlaByteReadVarint(cursor, &n))
      return false;
    if (n >> 2 < 1 || n >> 2 > 64 || (n & 3) > 2)
      return xlaByteUnsupported(reader->source, at,
                                "an integer of %llu bits is not supported",
                                (unsigned long long)(n >> 2));
    *type = (n & 3) == 0 ? mlirIntegerTypeGet(context, (unsigned)(n >> 2))
            : (n & 3) == 1
                ? mlirIntegerTypeSignedGet(context, (unsigned)(n >> 2))
                : mlirIntegerTypeUnsignedGet(context, (unsigned)(n >> 2));
    return true;
  case XlaBuiltinTypeIndex:
    *type = mlirIndexTypeGet(context);
    return true;
  case XlaBuiltinTypeBF16:
    *type = mlirBF16TypeGet(context);
    return true;
  case XlaBuiltinTypeF16:
    *type = mlirF16TypeGet(context);
    return true;
  case XlaBuiltinTypeF32:
    *type = mlirF32TypeGet(context);
    return true;
  case XlaBuiltinTypeF64:
    *type = mlirF64TypeGet(context);
    return true;
  case XlaBuiltinTypeComplex:
    return readComplex(reader, cursor, type);
  case XlaBuiltinTypeNone:
    *type = mlirNoneTypeGet(context);
    return true;
  case XlaBuiltinTypeTensor:
    return readTensor(reader, cursor, /*isEncoded=*/false, type);
  default:
    return xlaByteUnsupported(reader->source, at,
                              "MLIR's type of code %llu is not supported",
                              (unsigned long long)code);
  }
}

/// Operations of Shardy have tokens of StableHLO itself, its only type.
static bool readStablehlo(XlaVhloReader *reader, XlaByteCursor *cursor,
                          MlirType *type) {
  enum { codeToken = 0 };
  const uint8_t *at = cursor->next;
  uint64_t code;
  if (!xlaByteReadVarint(cursor, &code))
    return false;
  if (code != codeToken)
    return xlaByteUnsupported(reader->source, at,
                              "StableHLO's type of code %llu is not supported",
                              (unsigned long long)code);
  *type = xlaIrParseType(reader->context, "!stablehlo.token");
  return !mlirTypeIsNull(*type) ||
         xlaByteUnsupported(reader->source, at, "tokens are not known");
}

static bool readEntry(XlaVhloReader *reader, const XlaVhloEntry *entry,
                      XlaByteCursor *content, MlirType *type) {
  XlaVhloDialect dialect = xlaVhloGetDialect(reader, entry->dialect);
  bool isStablehlo =
      mlirStringRefEqual(reader->dialects[entry->dialect],
                         mlirStringRefCreateFromCString("stablehlo"));
  if (!entry->isText && isStablehlo)
    return readStablehlo(reader, content, type);
  if (entry->isText || dialect == XlaVhloDialectOther) {
    MlirStringRef name = reader->dialects[entry->dialect];
    return xlaByteUnsupported(reader->source, entry->begin,
                              "a type of the dialect '%.*s' is not supported",
                              (int)(name.length < 100 ? name.length : 100),
                              name.data);
  }
  return dialect == XlaVhloDialectVhlo ? readContent(reader, content, type)
                                       : readBuiltin(reader, content, type);
}

bool xlaVhloGetType(XlaVhloReader *reader, const uint8_t *at, uint64_t index,
                    MlirType *type) {
  XlaVhloEntry *entry;
  XlaByteCursor content;
  *type = (MlirType){NULL};
  if (!xlaVhloBeginEntry(reader, at, &reader->types, index, "type", &entry,
                         &content))
    return false;
  if (!entry->made) {
    bool made = readEntry(reader, entry, &content, type);
    if (!xlaVhloEndEntry(reader, entry, &content, made))
      return false;
    entry->made = type->ptr;
  }
  type->ptr = entry->made;
  return true;
}

bool xlaVhloReadType(XlaVhloReader *reader, XlaByteCursor *cursor,
                     MlirType *type) {
  const uint8_t *at = cursor->next;
  uint64_t index;
  *type = (MlirType){NULL};
  return xlaByteReadVarint(cursor, &index) &&
         xlaVhloGetType(reader, at, index, type);
}

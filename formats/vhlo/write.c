//===- write.c - Portable artifacts that are written ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/op.h"
#include "xlac/formats/vhlo/vhlo.h"
#include "xlac/formats/vhlo/writer.h"

#include <stdlib.h>
#include <string.h>

/// The dialects of a file, by their numbers in it.
enum { builtinDialect, vhloDialect, nDialects };

static bool putDialectName(XlaVhloWriter *writer, const char *name,
                           XlaIrText *to) {
  uint64_t index;
  bool put =
      xlaVhloIndexString(writer, mlirStringRefCreateFromCString(name), &index);
  // Without a version of its own.
  xlaVhloPutVarintFlag(to, index, false);
  return put;
}

static bool putDialects(XlaVhloWriter *writer, XlaIrText *to) {
  XlaIrText content = {0};
  uint64_t module = 0;
  xlaVhloPutVarint(&content, nDialects);
  bool put = putDialectName(writer, "builtin", &content) &&
             putDialectName(writer, "vhlo", &content) &&
             xlaVhloIndexString(
                 writer, mlirStringRefCreateFromCString("module"), &module);
  xlaVhloPutVarint(&content, writer->nOpNames + 1);
  xlaVhloPutVarint(&content, builtinDialect);
  xlaVhloPutVarint(&content, 1);
  xlaVhloPutVarintFlag(&content, module, true);
  if (writer->nOpNames) {
    xlaVhloPutVarint(&content, vhloDialect);
    xlaVhloPutVarint(&content, writer->nOpNames);
    xlaVhloPutBytes(&content, writer->opNames.data, writer->opNames.size);
  }
  xlaVhloPutSection(to, XlaBytecodeSectionDialect, &content);
  free(content.data);
  return put;
}

/// Lengths, in groups of one dialect each.
static void putLengths(const XlaVhloWrittenEntries *entries, XlaIrText *to) {
  for (size_t i = 0, end; i < entries->n; i = end) {
    bool isBuiltin = entries->items[i].isBuiltin;
    for (end = i;
         end < entries->n && entries->items[end].isBuiltin == isBuiltin;)
      ++end;
    xlaVhloPutVarint(to, isBuiltin ? builtinDialect : vhloDialect);
    xlaVhloPutVarint(to, end - i);
    // Each has a code, and is no text.
    for (size_t k = i; k < end; ++k)
      xlaVhloPutVarintFlag(to, entries->items[k].length, true);
  }
}

/// `*begin` is where the attributes are in `to`.
static void putEntries(XlaVhloWriter *writer, XlaIrText *to, size_t *begin) {
  const XlaIrText *attributes = &writer->attributes.content;
  const XlaIrText *types = &writer->types.content;
  XlaIrText offsets = {0};
  xlaVhloPutByte(to, XlaBytecodeSectionEntry);
  xlaVhloPutVarint(to, attributes->size + writer->attributes.blobBytes +
                           types->size);
  *begin = to->size;
  xlaVhloPutBytes(to, attributes->data, attributes->size);
  xlaVhloPutBytes(to, types->data, types->size);
  xlaVhloPutVarint(&offsets, writer->attributes.n);
  xlaVhloPutVarint(&offsets, writer->types.n);
  putLengths(&writer->attributes, &offsets);
  putLengths(&writer->types, &offsets);
  xlaVhloPutSection(to, XlaBytecodeSectionOffset, &offsets);
  to->isCut |=
      attributes->isCut || types->isCut || writer->attributes.blobs.isCut;
  free(offsets.data);
}

/// A count, and what is counted.
static void putCounted(XlaIrText *to, XlaBytecodeSection id, uint64_t n,
                       const XlaIrText *items) {
  XlaIrText content = {0};
  xlaVhloPutVarint(&content, n);
  xlaVhloPutBytes(&content, items->data, items->size);
  content.isCut |= items->isCut;
  xlaVhloPutSection(to, id, &content);
  free(content.data);
}

/// Lengths from the last to the first, then the characters.
static void putStrings(const XlaVhloWriter *writer, XlaIrText *to) {
  XlaIrText rest = {0};
  const char *lengths = writer->stringLengths.data;
  bool isCut = writer->strings.isCut || writer->stringLengths.isCut;
  for (uint64_t i = isCut ? 0 : writer->nStrings; i--;) {
    size_t length;
    memcpy(&length, lengths + i * sizeof length, sizeof length);
    xlaVhloPutVarint(&rest, length);
  }
  xlaVhloPutBytes(&rest, writer->strings.data, writer->strings.size);
  rest.isCut |= isCut;
  putCounted(to, XlaBytecodeSectionString, writer->nStrings, &rest);
  free(rest.data);
}

/// The file without large constants, which are to be put into the attributes
/// that begin at `*attributes`.
static bool putFile(XlaVhloWriter *writer, MlirOperation module, XlaIrText *to,
                    size_t *attributes) {
  static const char producer[] = "StableHLO_v" XLA_VHLO_VERSION;
  XlaIrText ir = {0};
  xlaVhloPutBytes(to, "ML\xefR", 4);
  xlaVhloPutVarint(to, xlaBytecodeNewest);
  xlaVhloPutBytes(to, producer, sizeof producer);
  // All others come from the operations.
  bool put = xlaVhloWriteModule(writer, module, &ir) && putDialects(writer, to);
  if (put) {
    putEntries(writer, to, attributes);
    xlaVhloPutSection(to, XlaBytecodeSectionIr, &ir);
    putStrings(writer, to);
    putCounted(to, XlaBytecodeSectionProperties, writer->nProperties,
               &writer->properties);
    to->isCut |= writer->opNames.isCut;
  }
  free(ir.data);
  return put;
}

static void clearEntries(XlaVhloWrittenEntries *entries) {
  free(entries->content.data);
  free(entries->blobs.data);
  free(entries->items);
  for (int i = 0; i < XlaVhloCodingCount; ++i)
    xlaPointerMapClear(&entries->indices[i]);
}

static void clear(XlaVhloWriter *writer) {
  clearEntries(&writer->attributes);
  clearEntries(&writer->types);
  free(writer->strings.data);
  free(writer->stringLengths.data);
  free(writer->properties.data);
  free(writer->opNames.data);
  xlaPointerMapClear(&writer->stringIndices);
  xlaPointerMapClear(&writer->opNameIndices);
}

/// The file, and large constants from where they are.
static void emit(const XlaVhloWriter *writer, const XlaIrText *file,
                 size_t attributes, MlirStringCallback callback,
                 void *userData) {
  const XlaIrText *blobs = &writer->attributes.blobs;
  XlaVhloBlob blob;
  size_t from = 0;
  for (size_t i = 0; i < blobs->size; i += sizeof blob) {
    memcpy(&blob, blobs->data + i, sizeof blob);
    size_t to = attributes + blob.at;
    callback(mlirStringRefCreate(file->data + from, to - from), userData);
    callback(blob.bytes, userData);
    from = to;
  }
  callback(mlirStringRefCreate(file->data + from, file->size - from), userData);
}

XlaImportResult xlaVhloWrite(MlirOperation module, MlirStringCallback callback,
                             void *userData) {
  XlaVhloWriter writer = {.context = mlirOperationGetContext(module),
                          .op = module};
  XlaIrText file = {0};
  size_t attributes = 0;
  bool put = putFile(&writer, module, &file, &attributes);
  bool noMemory = writer.noMemory || (put && file.isCut);
  if (noMemory)
    xlaOpNoMemory(module);
  put = put && !noMemory;
  if (put)
    emit(&writer, &file, attributes, callback, userData);
  clear(&writer);
  free(file.data);
  return put ? XlaImportResultOk : XlaImportResultUnsupported;
}

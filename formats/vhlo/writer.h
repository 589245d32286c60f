//===- writer.h - Parts of an artifact that is written ------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the files of this folder. Functions that write return false after a
// message at the operation that is being written, or once memory has run out,
// which ends the writing.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_VHLO_WRITER_H
#define XLAC_FORMATS_VHLO_WRITER_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/formats/vhlo/reader.h"

/// How an attribute or type is coded, and as what. An attribute of MLIR may be
/// in an artifact in several of these ways.
typedef enum XlaVhloCoding {
  XlaVhloCodingVhlo,
  XlaVhloCodingBuiltin,
  XlaVhloCodingApiVersion, ///< VHLO's, of an integer
  XlaVhloCodingOfOp,       ///< the builtin dictionary of VHLO's attributes
  XlaVhloCodingCount,
} XlaVhloCoding;

/// An attribute or a type in the file: so many bytes of the content.
typedef struct XlaVhloWritten {
  size_t length;
  bool isBuiltin;
} XlaVhloWritten;

/// The elements of a large constant, which are not copied: they follow after so
/// many bytes of the content.
typedef struct XlaVhloBlob {
  size_t at;
  MlirStringRef bytes;
} XlaVhloBlob;

/// Attributes or types, in the order in which they were first needed, those
/// that an entry consists of before it.
typedef struct XlaVhloWrittenEntries {
  XlaIrText content; ///< without blobs
  XlaIrText blobs;   ///< of XlaVhloBlob
  size_t blobBytes;  ///< of all of them
  size_t n, capacity;
  XlaVhloWritten *items;
  XlaPointerMap indices[XlaVhloCodingCount]; ///< and 1, by what was written
} XlaVhloWrittenEntries;

typedef struct XlaVhloWriter {
  MlirContext context;
  MlirOperation op; ///< that is being written
  bool noMemory;
  int depth; ///< of attributes and types in each other
  uint64_t nStrings;
  XlaIrText strings;       ///< each with a 0 behind it
  XlaIrText stringLengths; ///< of size_t
  XlaPointerMap stringIndices;
  XlaVhloWrittenEntries attributes, types;
  MlirStringRef blob; ///< what the content of the next entry ends with
  uint64_t nProperties;
  XlaIrText properties;
  uint64_t nOpNames;
  XlaIrText opNames; ///< of VHLO's, as the section has them
  XlaPointerMap opNameIndices;
  MlirAttribute usual[XlaVhloUsualCount]; ///< made when they are asked for
} XlaVhloWriter;

/// Says at the operation that is being written what artifacts have not. False.
__attribute__((format(printf, 2, 3))) bool
xlaVhloRefuse(XlaVhloWriter *writer, const char *format, ...);
/// Says that there is no memory. False.
bool xlaVhloNoMemory(XlaVhloWriter *writer);

// Bytes as bytes.h reads them (write_bytes.c). Memory that runs out is noticed
// once, at the end.

void xlaVhloPutByte(XlaIrText *to, uint8_t byte);
void xlaVhloPutBytes(XlaIrText *to, const void *bytes, size_t size);
void xlaVhloPutVarint(XlaIrText *to, uint64_t value);
void xlaVhloPutVarintFlag(XlaIrText *to, uint64_t value, bool flag);
void xlaVhloPutSigned(XlaIrText *to, int64_t value);
/// `content` as section `id`.
void xlaVhloPutSection(XlaIrText *to, XlaBytecodeSection id,
                       const XlaIrText *content);

/// The index of a string, of which one copy is kept (write_entries.c).
bool xlaVhloIndexString(XlaVhloWriter *writer, MlirStringRef string,
                        uint64_t *index);
bool xlaVhloPutString(XlaVhloWriter *writer, MlirStringRef string,
                      XlaIrText *to);
/// The index of an entry that was written before; else false.
bool xlaVhloFindEntry(const XlaVhloWrittenEntries *entries,
                      XlaVhloCoding coding, const void *key, uint64_t *index);
/// Adds an entry of `content`, which is freed.
bool xlaVhloAddEntry(XlaVhloWriter *writer, XlaVhloWrittenEntries *entries,
                     XlaVhloCoding coding, const void *key, XlaIrText *content,
                     uint64_t *index);
/// Around what makes an entry's content, whose parts may be entries. The first
/// says so if they are nested too deep.
bool xlaVhloEnterEntry(XlaVhloWriter *writer);
void xlaVhloLeaveEntry(XlaVhloWriter *writer);

/// The index of an attribute, which is added if it is new
/// (write_attributes.c).
bool xlaVhloIndexAttribute(XlaVhloWriter *writer, XlaVhloCoding coding,
                           MlirAttribute attribute, uint64_t *index);
bool xlaVhloPutAttribute(XlaVhloWriter *writer, XlaVhloCoding coding,
                         MlirAttribute attribute, XlaIrText *to);
/// The same of types (write_types.c).
bool xlaVhloIndexType(XlaVhloWriter *writer, XlaVhloCoding coding,
                      MlirType type, uint64_t *index);
bool xlaVhloPutType(XlaVhloWriter *writer, XlaVhloCoding coding, MlirType type,
                    XlaIrText *to);
/// The same of locations (write_locations.c); those of kinds that are not known
/// here become unknown ones.
bool xlaVhloPutLocation(XlaVhloWriter *writer, MlirLocation location,
                        XlaIrText *to);
/// The content of a location's entry.
bool xlaVhloWriteLocation(XlaVhloWriter *writer, MlirLocation location,
                          XlaIrText *content);
/// The content of the entry of one of StableHLO's attributes, known by its text
/// (write_foreign.c).
bool xlaVhloWriteForeign(XlaVhloWriter *writer, MlirAttribute attribute,
                         XlaIrText *content);

/// An attribute of an operation, inherent or not; null if there is none.
MlirAttribute xlaVhloFindAttribute(MlirOperation op, const char *name);
/// The attributes of the operation that is being written, as its row has them,
/// as indices into `to` (write_convert.c).
bool xlaVhloFlatten(XlaVhloWriter *writer, const XlaVhloOp *row, XlaIrText *to);
/// Whether an attribute of StableHLO's is in one of those of the row.
bool xlaVhloIsFlattened(const XlaVhloOp *row, MlirStringRef name);
/// The part `name` of a structure, as VHLO has it, of `value`, or of one that
/// is missing, if that is null (write_structures.c). Null after a message.
MlirAttribute xlaVhloGetPart(XlaVhloWriter *writer, XlaVhloForm form,
                             MlirAttribute value, const char *name);
/// A tensor of i64, `columns` < 0: of rank 1.
MlirAttribute xlaVhloMakeTensor(XlaVhloWriter *writer, int64_t rows,
                                int64_t columns, const int64_t *values);

/// The operations, as the section has them (write_ir.c).
bool xlaVhloWriteModule(XlaVhloWriter *writer, MlirOperation module,
                        XlaIrText *to);

#endif // XLAC_FORMATS_VHLO_WRITER_H

//===- reader.h - Parts of an artifact ------------------------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the files of this folder. Functions that read return false after a
// message.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_VHLO_READER_H
#define XLAC_FORMATS_VHLO_READER_H

#include "xlac/formats/bytes.h"
#include "xlac/formats/vhlo/ops.h"

/// The sections of bytecode, by their numbers.
typedef enum XlaBytecodeSection {
  XlaBytecodeSectionString,
  XlaBytecodeSectionDialect,
  XlaBytecodeSectionEntry,  ///< attributes and types
  XlaBytecodeSectionOffset, ///< how many, and how long they are
  XlaBytecodeSectionIr,
  XlaBytecodeSectionResource,
  XlaBytecodeSectionResourceOffset,
  XlaBytecodeSectionDialectVersions,
  XlaBytecodeSectionProperties,
  XlaBytecodeSectionCount,
} XlaBytecodeSection;

typedef enum XlaVhloDialect {
  XlaVhloDialectVhlo,
  XlaVhloDialectBuiltin,
  XlaVhloDialectOther,
} XlaVhloDialect;

/// An attribute or a type, made when it is asked for.
typedef struct XlaVhloEntry {
  const uint8_t *begin, *end;
  const void *made; ///< of MlirAttribute or MlirType; null: not yet
  uint64_t weight;  ///< attributes and types in it, as often as they are
  uint32_t dialect; ///< which of the file's
  bool isText;      ///< as MLIR prints it
  bool isBeingMade; ///< to find what contains itself
} XlaVhloEntry;

typedef struct XlaVhloEntries {
  uint64_t n;
  XlaVhloEntry *items;
} XlaVhloEntries;

/// A name of an operation.
typedef struct XlaVhloOpName {
  const XlaVhloOp *op; ///< null: not of the table
  MlirStringRef dialect, name;
} XlaVhloOpName;

typedef struct XlaVhloReader {
  XlaByteSource *source;
  MlirContext context;
  const uint8_t *begin; ///< of the artifact, which alignments count from
  uint64_t version;     ///< of the bytecode
  XlaByteCursor sections[XlaBytecodeSectionCount]; ///< null if not there
  uint64_t nStrings;
  MlirStringRef *strings;
  uint64_t nDialects;
  MlirStringRef *dialects;
  uint64_t nOpNames;
  XlaVhloOpName *opNames;
  XlaVhloEntries attributes, types;
  uint64_t nProperties;
  XlaByteCursor *properties;
  int depth;       ///< of attributes and types in each other
  uint64_t weight; ///< of the entry that is being made, so far
  MlirAttribute usual[XlaVhloUsualCount]; ///< made when they are asked for
} XlaVhloReader;

/// Versions of the bytecode from which on it has something.
enum {
  xlaBytecodeDialectVersions = 1,
  xlaBytecodeLazyRegions = 2,
  xlaBytecodeUseLists = 3,
  xlaBytecodeElidedLocations = 4,
  xlaBytecodeProperties = 5,
  xlaBytecodeNewest = 6,
};

/// The tables of a file: all but its operations (container.c).
bool xlaVhloReadContainer(XlaVhloReader *reader, MlirStringRef bytes);
void xlaVhloReaderDestroy(XlaVhloReader *reader);
/// A section's number and content, which is left out of `cursor`.
bool xlaVhloReadSection(XlaVhloReader *reader, XlaByteCursor *cursor,
                        uint8_t *id, XlaByteCursor *content);
/// The string that an index names.
bool xlaVhloReadString(XlaVhloReader *reader, XlaByteCursor *cursor,
                       MlirStringRef *string);

/// The attribute or type that an index at `cursor` names, as StableHLO has it
/// (attributes.c, types.c).
bool xlaVhloReadAttribute(XlaVhloReader *reader, XlaByteCursor *cursor,
                          MlirAttribute *attribute);
bool xlaVhloReadType(XlaVhloReader *reader, XlaByteCursor *cursor,
                     MlirType *type);
/// The same of a number that was read at `at`.
bool xlaVhloGetAttribute(XlaVhloReader *reader, const uint8_t *at,
                         uint64_t index, MlirAttribute *attribute);
bool xlaVhloGetType(XlaVhloReader *reader, const uint8_t *at, uint64_t index,
                    MlirType *type);
/// A list of them, to be freed.
bool xlaVhloReadAttributes(XlaVhloReader *reader, XlaByteCursor *cursor,
                           uint64_t *n, MlirAttribute **attributes);
bool xlaVhloReadTypes(XlaVhloReader *reader, XlaByteCursor *cursor, uint64_t *n,
                      MlirType **types);
/// Where an entry's content is; marks it as being made. The caller calls
/// xlaVhloEndEntry in every case that this gave true.
bool xlaVhloBeginEntry(XlaVhloReader *reader, const uint8_t *at,
                       XlaVhloEntries *entries, uint64_t index,
                       const char *what, XlaVhloEntry **entry,
                       XlaByteCursor *content);
bool xlaVhloEndEntry(XlaVhloReader *reader, XlaVhloEntry *entry,
                     const XlaByteCursor *content, bool made);
XlaVhloDialect xlaVhloGetDialect(const XlaVhloReader *reader, uint32_t dialect);
/// The location that an index names.
bool xlaVhloReadLocation(XlaVhloReader *reader, XlaByteCursor *cursor,
                         MlirLocation *location);

/// A builtin attribute behind its code (builtin.c), one that is a location
/// (locations.c).
bool xlaVhloReadBuiltin(XlaVhloReader *reader, XlaByteCursor *cursor,
                        uint64_t code, MlirAttribute *attribute);
bool xlaVhloReadBuiltinLocation(XlaVhloReader *reader, XlaByteCursor *cursor,
                                uint64_t code, MlirAttribute *attribute);
/// An attribute of Shardy, in its own code, as that of its text; and what its
/// operations have as properties, in their order (shardy.c).
bool xlaVhloReadShardy(XlaVhloReader *reader, XlaByteCursor *cursor,
                       MlirAttribute *attribute);
typedef struct XlaVhloShardyOp {
  const char *name;
  const char *attributes[4]; ///< NULL behind the last one
  uint64_t nRegions;
} XlaVhloShardyOp;
/// NULL: not supported.
const XlaVhloShardyOp *xlaVhloFindShardy(MlirStringRef name);
/// Groups of devices along the axes of a mesh, and their parts (meshes.c).
bool xlaVhloReadSubAxis(XlaVhloReader *reader, XlaByteCursor *cursor,
                        MlirAttribute *attribute);
bool xlaVhloReadAxis(XlaVhloReader *reader, XlaByteCursor *cursor,
                     MlirAttribute *attribute);
bool xlaVhloReadMeshGroups(XlaVhloReader *reader, XlaByteCursor *cursor,
                           MlirAttribute *attribute);
bool xlaVhloReadMeshAxis(XlaVhloReader *reader, XlaByteCursor *cursor,
                         MlirAttribute *attribute);
bool xlaVhloReadMesh(XlaVhloReader *reader, XlaByteCursor *cursor,
                     MlirAttribute *attribute);
/// The value of an attribute of `type`: a number of as many bits as that has
/// (numbers.c).
bool xlaVhloReadNumber(XlaVhloReader *reader, XlaByteCursor *cursor,
                       MlirType type, MlirAttribute *attribute);
/// A double.
bool xlaVhloReadDouble(XlaByteCursor *cursor, double *value);
/// The elements of an array of `type`, as bytes.
bool xlaVhloReadDense(XlaVhloReader *reader, XlaByteCursor *cursor,
                      MlirType type, MlirAttribute *attribute);
/// Signed integers, in text with `, ` between them, the smallest one as `?`;
/// at most XLA_MAX_LIST.
bool xlaVhloReadIntegerText(XlaByteCursor *cursor, char *text, size_t size);

/// An attribute by its text; false after a message that it is none.
bool xlaVhloParseAttribute(XlaVhloReader *reader, const uint8_t *at,
                           const char *text, MlirAttribute *attribute);

/// The attributes of an operation, as many as its row has, in its order; null
/// where there is none.
typedef struct XlaVhloValues {
  const uint8_t *at; ///< where the operation is
  const XlaVhloOp *op;
  MlirAttribute items[XLA_VHLO_MAX_ATTRIBUTES];
} XlaVhloValues;

/// Those that StableHLO's operation has (convert.c): at most
/// XLA_VHLO_MAX_ATTRIBUTES are put into `attributes`.
bool xlaVhloConvert(XlaVhloReader *reader, const XlaVhloValues *values,
                    intptr_t *n, MlirNamedAttribute *attributes);
/// A structure's attribute (structures.c); null if it says nothing.
bool xlaVhloBuildStructure(XlaVhloReader *reader, const XlaVhloValues *values,
                           XlaVhloForm form, MlirAttribute *attribute);
/// The integers of a tensor of i64 or of bools.
bool xlaVhloGetIntegers(XlaVhloReader *reader, const XlaVhloValues *values,
                        int column, XlaI64List *list);

/// The section of operations, as an operation (ir.c).
bool xlaVhloReadModule(XlaVhloReader *reader, MlirOperation *module);

#endif // XLAC_FORMATS_VHLO_READER_H

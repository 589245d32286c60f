//===- ir.c - Operations in bytecode --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions are read without recursion. A value's number counts all values of the
// region that it is in, and of those around that up to one that is isolated, in
// the order of their definitions; regions say first how many they have.
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/vhlo/make.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/dialect.h"
#include "xlac/formats/vhlo/reader.h"

#include <stdlib.h>
#include <string.h>

/// What bytecode says an operation has, by bits of a byte.
enum {
  hasAttributes = 1,
  hasResults = 2,
  hasOperands = 4,
  hasSuccessors = 8,
  hasRegions = 16,
  hasUseLists = 32,
  hasProperties = 64,
};

/// A region that is being read.
typedef struct Frame {
  MlirOperation op;  ///< null: around the module
  intptr_t region;   ///< which of the operation's
  uint64_t nRegions; ///< from this one on
  MlirBlock block;
  uint64_t nOps; ///< left in the block
  XlaByteCursor cursor;
  bool hasSection;     ///< the cursor is its own; else that of the frame below
  size_t scope;        ///< the outermost frame whose values it may use
  uint64_t firstValue; ///< number of its first value
  uint64_t nValues;    ///< that it says to have
  size_t firstDefined; ///< where those that are defined so far are
} Frame;

typedef struct Ir {
  XlaVhloReader *reader;
  XlaByteSource *source;
  size_t nFrames;
  Frame *frames; ///< XLA_MAX_NESTING
  size_t nDefined, capacity;
  MlirValue *defined; ///< of all frames
  MlirOperation module;
} Ir;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool define(Ir *ir, Frame *frame, const uint8_t *at, MlirValue value) {
  if (ir->nDefined - frame->firstDefined >= frame->nValues)
    return xlaByteError(ir->source, at,
                        "a region has more values than it says: %llu",
                        (unsigned long long)frame->nValues);
  if (ir->nDefined == ir->capacity) {
    size_t capacity = 2 * ir->capacity + 64;
    MlirValue *defined = realloc(ir->defined, capacity * sizeof *defined);
    if (!defined)
      return xlaByteUnsupported(ir->source, NULL, "out of memory");
    ir->defined = defined;
    ir->capacity = capacity;
  }
  ir->defined[ir->nDefined++] = value;
  return true;
}

/// Values of the frames below end where those of the next one begin.
static bool findValue(Ir *ir, const uint8_t *at, uint64_t number,
                      MlirValue *value) {
  size_t low = ir->frames[ir->nFrames - 1].scope, high = ir->nFrames;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (ir->frames[middle].firstValue <= number)
      low = middle;
    else
      high = middle;
  }
  const Frame *frame = &ir->frames[low];
  size_t end =
      low + 1 < ir->nFrames ? ir->frames[low + 1].firstDefined : ir->nDefined;
  uint64_t index = number - frame->firstValue;
  if (number < frame->firstValue || index >= frame->nValues)
    return xlaByteError(ir->source, at, "there is no value %llu here",
                        (unsigned long long)number);
  if (index >= end - frame->firstDefined)
    return xlaByteError(ir->source, at,
                        "value %llu is used before it is defined",
                        (unsigned long long)number);
  *value = ir->defined[frame->firstDefined + index];
  return true;
}

/// In which order uses of `nValues` values were listed in the writer's memory:
/// for some of them numbers, or pairs of these. It changes no program.
static bool skipUseLists(Ir *ir, XlaByteCursor *cursor, uint64_t nValues) {
  uint64_t nLists = 1, value, n, number;
  bool isPairs;
  const uint8_t *at = cursor->next;
  if (nValues != 1 && !xlaByteReadCount(cursor, "orders of uses", &nLists))
    return false;
  for (; nLists; --nLists) {
    if ((nValues != 1 && !xlaByteReadVarint(cursor, &value)) ||
        !xlaByteReadVarintFlag(cursor, &n, &isPairs))
      return false;
    if (n > xlaByteGetLeft(cursor))
      return xlaByteError(ir->source, at, "an order of too many uses");
    for (; n; --n)
      if (!xlaByteReadVarint(cursor, &number))
        return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Regions and blocks
//===----------------------------------------------------------------------===//

static bool readArgument(Ir *ir, Frame *frame, MlirBlock block) {
  XlaByteCursor *cursor = &frame->cursor;
  const uint8_t *at = cursor->next;
  MlirLocation location = mlirLocationUnknownGet(ir->reader->context);
  MlirType type;
  bool hasLocation = true;
  uint64_t index;
  if (ir->reader->version >= xlaBytecodeElidedLocations) {
    if (!xlaByteReadVarintFlag(cursor, &index, &hasLocation) ||
        !xlaVhloGetType(ir->reader, at, index, &type))
      return false;
  } else if (!xlaVhloReadType(ir->reader, cursor, &type)) {
    return false;
  }
  if (hasLocation && !xlaVhloReadLocation(ir->reader, cursor, &location))
    return false;
  return define(ir, frame, at, mlirBlockAddArgument(block, type, location));
}

/// A block's arguments, and how many operations it has.
static bool readBlock(Ir *ir, Frame *frame) {
  XlaByteCursor *cursor = &frame->cursor;
  const uint8_t *at = cursor->next;
  bool hasArguments;
  uint8_t ordersUses = 0;
  uint64_t n = 0;
  if (!xlaByteReadVarintFlag(cursor, &frame->nOps, &hasArguments) ||
      (hasArguments && !xlaByteReadCount(cursor, "arguments", &n)))
    return false;
  if (mlirBlockIsNull(frame->block) && (n || frame->nOps != 1))
    return xlaByteError(ir->source, at, "is not one module");
  for (uint64_t i = 0; i < n; ++i)
    if (!readArgument(ir, frame, frame->block))
      return false;
  if (hasArguments && ir->reader->version >= xlaBytecodeUseLists &&
      !xlaByteRead(cursor, &ordersUses))
    return false;
  return !ordersUses || skipUseLists(ir, cursor, n);
}

/// Begins the region that the frame is at.
static bool beginRegion(Ir *ir, Frame *frame) {
  XlaByteCursor *cursor = &frame->cursor;
  const uint8_t *at = cursor->next;
  uint64_t nBlocks;
  frame->nOps = 0;
  ir->nDefined = frame->firstDefined;
  if (!xlaByteReadVarint(cursor, &nBlocks))
    return false;
  if (!nBlocks)
    return true;
  if (nBlocks > 1)
    return xlaByteUnsupported(ir->source, at,
                              "regions of several blocks are not supported");
  if (!xlaByteReadCount(cursor, "values", &frame->nValues))
    return false;
  frame->block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(frame->op, frame->region),
                             frame->block);
  return readBlock(ir, frame);
}

/// A frame for the regions of `op`, which is the last one that was read.
static bool pushFrame(Ir *ir, const XlaVhloReadOp *op, MlirOperation made) {
  Frame *below = &ir->frames[ir->nFrames - 1];
  if (ir->nFrames == XLA_MAX_NESTING)
    return xlaByteUnsupported(ir->source, op->at,
                              "regions are nested deeper than %d",
                              XLA_MAX_NESTING);
  Frame *frame = &ir->frames[ir->nFrames++];
  *frame = (Frame){.op = made,
                   .nRegions = op->nRegions,
                   .cursor = below->cursor,
                   .hasSection = op->isIsolated &&
                                 ir->reader->version >= xlaBytecodeLazyRegions,
                   .scope = op->isIsolated ? ir->nFrames - 1 : below->scope,
                   .firstValue =
                       op->isIsolated ? 0 : below->firstValue + below->nValues,
                   .firstDefined = ir->nDefined};
  if (frame->hasSection) {
    uint8_t id;
    if (!xlaVhloReadSection(ir->reader, &below->cursor, &id, &frame->cursor))
      return false;
    if (id != XlaBytecodeSectionIr)
      return xlaByteError(ir->source, op->at,
                          "section %d in place of a region's", id);
  }
  return beginRegion(ir, frame);
}

/// The next region of the operation, or what is behind it.
static bool endRegion(Ir *ir) {
  Frame *frame = &ir->frames[ir->nFrames - 1];
  if (--frame->nRegions) {
    ++frame->region;
    frame->nValues = 0;
    return beginRegion(ir, frame);
  }
  ir->nDefined = frame->firstDefined;
  --ir->nFrames;
  if (!frame->hasSection)
    frame[-1].cursor = frame->cursor;
  else if (frame->cursor.next != frame->cursor.end)
    return xlaByteError(ir->source, frame->cursor.next,
                        "%zu bytes are left over of a region",
                        xlaByteGetLeft(&frame->cursor));
  return true;
}

//===----------------------------------------------------------------------===//
// Reading an operation
//===----------------------------------------------------------------------===//

static bool readName(Ir *ir, XlaByteCursor *cursor, XlaVhloReadOp *op) {
  uint64_t index;
  op->at = cursor->next;
  if (!xlaByteReadVarint(cursor, &index))
    return false;
  if (index >= ir->reader->nOpNames)
    return xlaByteError(ir->source, op->at, "there is no operation's name %llu",
                        (unsigned long long)index);
  op->name = &ir->reader->opNames[index];
  return true;
}

static bool readProperties(Ir *ir, XlaByteCursor *cursor, XlaVhloReadOp *op) {
  const uint8_t *at = cursor->next;
  uint64_t index;
  if (ir->reader->version < xlaBytecodeProperties)
    return xlaByteError(ir->source, at, "properties in a version without them");
  if (!xlaByteReadVarint(cursor, &index))
    return false;
  if (index >= ir->reader->nProperties)
    return xlaByteError(ir->source, at, "there are no properties %llu",
                        (unsigned long long)index);
  op->properties = ir->reader->properties[index];
  return true;
}

static bool readOperands(Ir *ir, XlaByteCursor *cursor, XlaVhloReadOp *op) {
  if (!xlaByteReadCount(cursor, "operands", &op->nOperands))
    return false;
  op->operands =
      xlaByteAllocate(ir->source, op->nOperands, sizeof *op->operands);
  for (uint64_t i = 0; op->operands && i < op->nOperands; ++i) {
    const uint8_t *at = cursor->next;
    uint64_t number;
    if (!xlaByteReadVarint(cursor, &number) ||
        !findValue(ir, at, number, &op->operands[i]))
      return false;
  }
  return op->operands != NULL;
}

/// All of an operation but its regions.
static bool readOp(Ir *ir, XlaByteCursor *cursor, XlaVhloReadOp *op) {
  if (!readName(ir, cursor, op) || !xlaByteRead(cursor, &op->mask) ||
      !xlaVhloReadLocation(ir->reader, cursor, &op->location))
    return false;
  if (op->mask & hasSuccessors)
    return xlaByteUnsupported(ir->source, op->at,
                              "jumps between blocks are not supported");
  if (op->mask & 0x80)
    return xlaByteError(ir->source, op->at,
                        "an operation has what bytecode has not");
  if ((op->mask & hasAttributes) &&
      !xlaVhloReadAttribute(ir->reader, cursor, &op->dictionary))
    return false;
  if ((op->mask & hasAttributes) && !mlirAttributeIsADictionary(op->dictionary))
    return xlaByteError(ir->source, op->at,
                        "the attributes of an operation are no dictionary");
  return (!(op->mask & hasProperties) || readProperties(ir, cursor, op)) &&
         (!(op->mask & hasResults) ||
          xlaVhloReadTypes(ir->reader, cursor, &op->nResults, &op->results)) &&
         (!(op->mask & hasOperands) || readOperands(ir, cursor, op)) &&
         (!(op->mask & hasUseLists) ||
          skipUseLists(ir, cursor, op->nResults)) &&
         (!(op->mask & hasRegions) ||
          xlaByteReadVarintFlag(cursor, &op->nRegions, &op->isIsolated));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool equals(MlirStringRef a, const char *b) {
  return a.length == strlen(b) && !memcmp(a.data, b, a.length);
}

/// Whether its result is its operand.
static bool isIdentity(const XlaVhloReadOp *op) {
  return op->nOperands == 1 && op->nResults == 1 &&
         mlirTypeEqual(mlirValueGetType(op->operands[0]), op->results[0]);
}

/// Whether it is a conversion between the types of VHLO and those of Shardy's
/// operations, which are one here.
static bool isConversion(const XlaVhloReadOp *op) {
  return !op->nRegions && equals(op->name->dialect, "builtin") &&
         equals(op->name->name, "unrealized_conversion_cast") && isIdentity(op);
}

/// An operation that is left out.
static bool skip(Ir *ir, Frame *frame, const XlaVhloReadOp *op) {
  --frame->nOps;
  for (uint64_t i = 0; i < op->nResults; ++i)
    if (!define(ir, frame, op->at, op->operands[i]))
      return false;
  return true;
}

/// The operation, which is the module where there is no block yet.
static bool make(Ir *ir, const Frame *frame, XlaVhloReadOp *op,
                 MlirOperation *made) {
  bool isMade = xlaVhloMake(ir->reader, op, frame->op,
                            xlaByteGetLeft(&frame->cursor), made);
  if (mlirBlockIsNull(frame->block))
    ir->module = *made;
  return isMade;
}

/// An operation, with what it defines and a frame for its regions.
static bool nextOp(Ir *ir) {
  Frame *frame = &ir->frames[ir->nFrames - 1];
  XlaVhloReadOp op = {0};
  MlirOperation made = {NULL};
  bool read = readOp(ir, &frame->cursor, &op);
  bool isSkipped = read && !mlirBlockIsNull(frame->block) && isConversion(&op);
  if (read)
    read = isSkipped ? skip(ir, frame, &op) : make(ir, frame, &op, &made);
  free(op.operands);
  free(op.results);
  if (!read || isSkipped)
    return read;
  if (mlirOperationIsNull(made))
    return xlaByteUnsupported(ir->source, NULL, "out of memory");
  --frame->nOps;
  if (!mlirBlockIsNull(frame->block))
    mlirBlockAppendOwnedOperation(frame->block, made);
  for (uint64_t i = 0; i < op.nResults; ++i)
    if (!define(ir, frame, op.at, mlirOperationGetResult(made, (intptr_t)i)))
      return false;
  return !op.nRegions || pushFrame(ir, &op, made);
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

static bool readAll(Ir *ir) {
  Frame *top = &ir->frames[0];
  *top = (Frame){.cursor = ir->reader->sections[XlaBytecodeSectionIr]};
  ir->nFrames = 1;
  if (!readBlock(ir, top))
    return false;
  while (ir->nFrames > 1 || top->nOps) {
    bool read = ir->frames[ir->nFrames - 1].nOps ? nextOp(ir) : endRegion(ir);
    if (!read)
      return false;
  }
  return top->cursor.next == top->cursor.end ||
         xlaByteError(ir->source, top->cursor.next,
                      "%zu bytes are left over behind the module",
                      xlaByteGetLeft(&top->cursor));
}

bool xlaVhloReadModule(XlaVhloReader *reader, MlirOperation *module) {
  Ir ir = {.reader = reader, .source = reader->source};
  ir.frames =
      xlaByteAllocate(reader->source, XLA_MAX_NESTING, sizeof *ir.frames);
  bool read = ir.frames && readAll(&ir);
  free(ir.frames);
  free(ir.defined);
  if (!read && !mlirOperationIsNull(ir.module)) {
    mlirOperationDestroy(ir.module);
    ir.module = (MlirOperation){NULL};
  }
  *module = ir.module;
  return read;
}

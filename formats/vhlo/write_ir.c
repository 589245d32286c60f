//===- write_ir.c - Operations that are written ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions are numbered as ir.c reads them.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/formats/vhlo/writer.h"

#include <stdlib.h>

/// What bytecode says an operation has, by bits of a byte.
enum {
  hasAttributes = 1,
  hasResults = 2,
  hasOperands = 4,
  hasRegions = 16,
  hasProperties = 64,
};

typedef struct Ir {
  XlaVhloWriter *writer;
  XlaPointerMap numbers; ///< of values, and 1
  int depth;             ///< of regions
} Ir;

static bool writeRegion(Ir *ir, MlirRegion region, uint64_t first,
                        XlaIrText *to);

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool define(Ir *ir, MlirValue value, uint64_t *next) {
  return xlaPointerMapSet(&ir->numbers, value.ptr, (intptr_t)++*next) ||
         xlaVhloNoMemory(ir->writer);
}

/// Numbers from `*next` on, which counts on.
static bool numberBlock(Ir *ir, MlirBlock block, uint64_t *next) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    if (!define(ir, mlirBlockGetArgument(block, i), next))
      return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      if (!define(ir, mlirOperationGetResult(op, i), next))
        return false;
  return true;
}

static bool writeOperands(Ir *ir, MlirOperation op, XlaIrText *to) {
  intptr_t n = mlirOperationGetNumOperands(op);
  xlaVhloPutVarint(to, (uint64_t)n);
  for (intptr_t i = 0; i < n; ++i) {
    intptr_t number =
        xlaPointerMapGet(&ir->numbers, mlirOperationGetOperand(op, i).ptr);
    if (!number)
      return xlaVhloRefuse(ir->writer, "uses a value that is not defined");
    xlaVhloPutVarint(to, (uint64_t)number - 1);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The index of the operation's name, behind `builtin.module`.
static bool putName(XlaVhloWriter *writer, const XlaVhloOp *row,
                    XlaIrText *to) {
  intptr_t index = xlaPointerMapGet(&writer->opNameIndices, row);
  if (!index) {
    uint64_t number;
    index = (intptr_t)++writer->nOpNames;
    if (!xlaPointerMapSet(&writer->opNameIndices, row, index))
      return xlaVhloNoMemory(writer);
    if (!xlaVhloIndexString(writer, mlirStringRefCreateFromCString(row->name),
                            &number))
      return false;
    // The lowest bit says that it is registered.
    xlaVhloPutVarintFlag(&writer->opNames, number, true);
  }
  xlaVhloPutVarint(to, (uint64_t)index);
  return true;
}

/// Properties are numbered; the first ones are the module's.
static bool putProperties(XlaVhloWriter *writer, XlaIrText *content,
                          XlaIrText *to) {
  xlaVhloPutVarint(to, writer->nProperties++);
  xlaVhloPutVarint(&writer->properties, content->size);
  xlaVhloPutBytes(&writer->properties, content->data, content->size);
  bool whole = !content->isCut;
  free(content->data);
  return whole || xlaVhloNoMemory(writer);
}

/// Attributes that are in no property; those that an operation of StableHLO
/// should not have change what it does.
static bool collectOthers(XlaVhloWriter *writer, const XlaVhloOp *row,
                          intptr_t *n, MlirNamedAttribute *others) {
  MlirOperation op = writer->op;
  *n = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(op); ++i) {
    MlirNamedAttribute named = mlirOperationGetDiscardableAttribute(op, i);
    if (!xlaVhloIsFlattened(row, mlirIdentifierStr(named.name)))
      others[(*n)++] = named;
  }
  if (xlaIrHasPrefix(op, "func."))
    return true;
  MlirAttribute inherent = mlirExtOperationGetInherentAttributes(op);
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(inherent); ++i) {
    MlirStringRef name =
        mlirIdentifierStr(mlirDictionaryAttrGetElement(inherent, i).name);
    if (!xlaVhloIsFlattened(row, name))
      return xlaVhloRefuse(
          writer, "has attribute '%.*s', which artifacts have not",
          (int)(name.length < 100 ? name.length : 100), name.data);
  }
  return true;
}

static bool writeOthers(XlaVhloWriter *writer, const XlaVhloOp *row,
                        uint8_t *mask, XlaIrText *to) {
  intptr_t n = mlirOperationGetNumDiscardableAttributes(writer->op);
  MlirNamedAttribute *others = malloc(((size_t)n + 1) * sizeof *others);
  if (!others)
    return xlaVhloNoMemory(writer);
  bool written = collectOthers(writer, row, &n, others);
  if (written && n) {
    *mask |= hasAttributes;
    written = xlaVhloPutAttribute(
        writer, XlaVhloCodingOfOp,
        mlirDictionaryAttrGet(writer->context, n, others), to);
  }
  free(others);
  return written;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool writeResults(XlaVhloWriter *writer, XlaIrText *to) {
  intptr_t n = mlirOperationGetNumResults(writer->op);
  xlaVhloPutVarint(to, (uint64_t)n);
  for (intptr_t i = 0; i < n; ++i)
    if (!xlaVhloPutType(writer, XlaVhloCodingVhlo,
                        mlirValueGetType(mlirOperationGetResult(writer->op, i)),
                        to))
      return false;
  return true;
}

/// What follows the name, the mask and the location.
static bool writeParts(Ir *ir, const XlaVhloOp *row, uint8_t *mask,
                       XlaIrText *to) {
  XlaVhloWriter *writer = ir->writer;
  MlirOperation op = writer->op;
  if (!writeOthers(writer, row, mask, to))
    return false;
  if (row->columns->name) {
    XlaIrText properties = {0};
    *mask |= hasProperties;
    if (!xlaVhloFlatten(writer, row, &properties)) {
      free(properties.data);
      return false;
    }
    if (!putProperties(writer, &properties, to))
      return false;
  }
  if (mlirOperationGetNumResults(op)) {
    *mask |= hasResults;
    if (!writeResults(writer, to))
      return false;
  }
  if (mlirOperationGetNumOperands(op)) {
    *mask |= hasOperands;
    if (!writeOperands(ir, op, to))
      return false;
  }
  *mask |= mlirOperationGetNumRegions(op) ? hasRegions : 0;
  return true;
}

/// The values of a function are counted from 0, and its region is a section.
static bool writeRegions(Ir *ir, MlirOperation op, uint64_t next,
                         XlaIrText *to) {
  intptr_t n = mlirOperationGetNumRegions(op);
  bool isIsolated = xlaIrIsOp(op, "func.func");
  XlaIrText section = {0};
  xlaVhloPutVarintFlag(to, (uint64_t)n, isIsolated);
  bool written = true;
  for (intptr_t i = 0; written && i < n; ++i)
    written = writeRegion(ir, mlirOperationGetRegion(op, i),
                          isIsolated ? 0 : next, isIsolated ? &section : to);
  if (written && isIsolated)
    xlaVhloPutSection(to, XlaBytecodeSectionIr, &section);
  free(section.data);
  return written;
}

/// `next` is the number of the first value of a region of the operation.
static bool writeOp(Ir *ir, MlirOperation op, uint64_t next, XlaIrText *to) {
  XlaVhloWriter *writer = ir->writer;
  const XlaVhloOp *row =
      xlaVhloOpOfTarget(mlirIdentifierStr(mlirOperationGetName(op)));
  writer->op = op;
  if (!row || mlirOperationGetNumSuccessors(op))
    return xlaVhloRefuse(
        writer, xlaIrHasPrefix(op, "chlo.")
                    ? "is not in portable artifacts, where composites stand "
                      "for such, but of arrays without bounds alone"
                    : "is not in portable artifacts");
  XlaIrText parts = {0};
  uint8_t mask = 0;
  if (!writeParts(ir, row, &mask, &parts)) {
    free(parts.data);
    return false;
  }
  bool written = putName(writer, row, to);
  xlaVhloPutByte(to, mask);
  written =
      written && xlaVhloPutLocation(writer, mlirOperationGetLocation(op), to);
  to->isCut |= parts.isCut;
  xlaVhloPutBytes(to, parts.data, parts.size);
  free(parts.data);
  return written && (!(mask & hasRegions) || writeRegions(ir, op, next, to));
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static bool writeArguments(XlaVhloWriter *writer, MlirBlock block,
                           XlaIrText *to) {
  intptr_t n = mlirBlockGetNumArguments(block);
  xlaVhloPutVarint(to, (uint64_t)n);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    uint64_t type;
    if (!xlaVhloIndexType(writer, XlaVhloCodingVhlo, mlirValueGetType(argument),
                          &type))
      return false;
    xlaVhloPutVarintFlag(to, type, true);
    if (!xlaVhloPutLocation(writer, mlirValueGetLocation(argument), to))
      return false;
  }
  // There is no order of uses.
  xlaVhloPutByte(to, 0);
  return true;
}

static bool writeBlock(Ir *ir, MlirBlock block, uint64_t next, XlaIrText *to) {
  uint64_t n = 0;
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    ++n;
  bool hasArguments = mlirBlockGetNumArguments(block) != 0;
  xlaVhloPutVarintFlag(to, n, hasArguments);
  if (hasArguments && !writeArguments(ir->writer, block, to))
    return false;
  for (op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    if (!writeOp(ir, op, next, to))
      return false;
  return true;
}

static bool writeRegion(Ir *ir, MlirRegion region, uint64_t first,
                        XlaIrText *to) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  uint64_t next = first;
  xlaVhloPutVarint(to, !mlirBlockIsNull(block));
  if (mlirBlockIsNull(block))
    return true;
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(block)))
    return xlaVhloRefuse(ir->writer, "has a region of several blocks");
  if (ir->depth == XLA_MAX_NESTING)
    return xlaVhloRefuse(ir->writer,
                         "has regions that are nested deeper than "
                         "%d",
                         XLA_MAX_NESTING);
  if (!numberBlock(ir, block, &next))
    return false;
  xlaVhloPutVarint(to, next - first);
  ++ir->depth;
  bool written = writeBlock(ir, block, next, to);
  --ir->depth;
  return written;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// Optional names: 0, or an index and 1 in the lowest bit.
static bool writeModuleNames(XlaVhloWriter *writer, XlaIrText *to) {
  static const char *const names[] = {"sym_name", "sym_visibility"};
  XlaIrText content = {0};
  bool written = true;
  for (int i = 0; written && i < 2; ++i) {
    MlirAttribute name = xlaVhloFindAttribute(writer->op, names[i]);
    uint64_t index = 0;
    bool isThere = !mlirAttributeIsNull(name);
    written = !isThere ||
              xlaVhloIndexAttribute(writer, XlaVhloCodingBuiltin, name, &index);
    xlaVhloPutVarintFlag(&content, index, isThere);
  }
  if (written)
    return putProperties(writer, &content, to);
  free(content.data);
  return false;
}

static bool writeModule(Ir *ir, MlirOperation module, XlaIrText *to) {
  XlaVhloWriter *writer = ir->writer;
  intptr_t n = mlirOperationGetNumDiscardableAttributes(module);
  XlaIrText section = {0};
  writer->op = module;
  // A block of an operation, which is number 0 of the names.
  xlaVhloPutVarintFlag(to, 1, false);
  xlaVhloPutVarint(to, 0);
  xlaVhloPutByte(to, hasProperties | hasRegions | (n ? hasAttributes : 0));
  if (!xlaVhloPutLocation(writer, mlirOperationGetLocation(module), to))
    return false;
  if (n) {
    MlirNamedAttribute *items = malloc((size_t)n * sizeof *items);
    if (!items)
      return xlaVhloNoMemory(writer);
    for (intptr_t i = 0; i < n; ++i)
      items[i] = mlirOperationGetDiscardableAttribute(module, i);
    MlirAttribute all = mlirDictionaryAttrGet(writer->context, n, items);
    free(items);
    if (!xlaVhloPutAttribute(writer, XlaVhloCodingBuiltin, all, to))
      return false;
  }
  if (!writeModuleNames(writer, to))
    return false;
  xlaVhloPutVarintFlag(to, 1, true);
  bool written =
      writeRegion(ir, mlirOperationGetRegion(module, 0), 0, &section);
  if (written)
    xlaVhloPutSection(to, XlaBytecodeSectionIr, &section);
  free(section.data);
  return written;
}

bool xlaVhloWriteModule(XlaVhloWriter *writer, MlirOperation module,
                        XlaIrText *to) {
  Ir ir = {.writer = writer};
  bool written = writeModule(&ir, module, to);
  xlaPointerMapClear(&ir.numbers);
  return written;
}

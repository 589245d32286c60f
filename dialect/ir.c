//===- ir.c - Building operations over mlir-c in a line each --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

XlaIr xlaIrAtEnd(MlirContext context, MlirLocation location, MlirBlock block) {
  return (XlaIr){context, location, block, {NULL}};
}

XlaIr xlaIrBefore(MlirOperation op) {
  return (XlaIr){mlirOperationGetContext(op), mlirOperationGetLocation(op),
                 mlirOperationGetBlock(op), op};
}

XlaIr xlaIrIn(XlaIr ir, MlirBlock block) {
  return xlaIrAtEnd(ir.context, ir.location, block);
}

MlirBlock xlaIrBlockOf(MlirValue value) {
  return mlirValueIsABlockArgument(value)
             ? mlirBlockArgumentGetOwner(value)
             : mlirOperationGetBlock(mlirOpResultGetOwner(value));
}

MlirOperation xlaIrInlineBefore(MlirOperation op, MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(block, i),
                                  mlirOperationGetOperand(op, i));
  MlirOperation end = mlirBlockGetTerminator(block);
  for (MlirOperation next, inner = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(inner, end); inner = next) {
    next = mlirOperationGetNextInBlock(inner);
    mlirOperationMoveBefore(inner, op);
  }
  return end;
}

void xlaIrReplaceByBlock(MlirOperation op, MlirBlock block) {
  MlirOperation end = xlaIrInlineBefore(op, block);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetOperand(end, i));
  mlirOperationDestroy(op);
}

static MlirOperation insert(XlaIr *ir, MlirOperationState *state) {
  MlirOperation op = mlirOperationCreate(state);
  if (ir->before.ptr)
    mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, op);
  else
    mlirBlockAppendOwnedOperation(ir->block, op);
  return op;
}

static MlirNamedAttribute named(MlirContext context, const XlaIrAttr *attr) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, str(attr->name)),
                               attr->value);
}

MlirOperation xlaIrCreate(XlaIr *ir, const char *name, intptr_t nOperands,
                          const MlirValue *operands, intptr_t nResults,
                          const MlirType *results, intptr_t nAttrs,
                          const XlaIrAttr *attrs, intptr_t nRegions,
                          MlirRegion *regions) {
  MlirOperationState state = mlirOperationStateGet(str(name), ir->location);
  mlirOperationStateAddOperands(&state, nOperands, operands);
  mlirOperationStateAddResults(&state, nResults, results);
  mlirOperationStateAddOwnedRegions(&state, nRegions, regions);
  return xlaIrCreateState(ir, &state, nAttrs, attrs);
}

MlirOperation xlaIrCreateState(XlaIr *ir, MlirOperationState *state,
                               intptr_t nAttrs, const XlaIrAttr *attrs) {
  for (intptr_t i = 0; i < nAttrs; ++i) {
    MlirNamedAttribute attr = named(ir->context, &attrs[i]);
    mlirOperationStateAddAttributes(state, 1, &attr);
  }
  return insert(ir, state);
}

MlirValue xlaIrOp(XlaIr *ir, const char *name, MlirType result,
                  intptr_t nOperands, const MlirValue *operands,
                  intptr_t nAttrs, const XlaIrAttr *attrs) {
  return mlirOperationGetResult(xlaIrCreate(ir, name, nOperands, operands, 1,
                                            &result, nAttrs, attrs, 0, NULL),
                                0);
}

MlirValue xlaIrUnary(XlaIr *ir, const char *name, MlirValue a) {
  return xlaIrOp(ir, name, mlirValueGetType(a), 1, &a, 0, NULL);
}

MlirValue xlaIrBinary(XlaIr *ir, const char *name, MlirValue a, MlirValue b) {
  return xlaIrOp(ir, name, mlirValueGetType(a), 2, (MlirValue[]){a, b}, 0,
                 NULL);
}

MlirValue xlaIrCast(XlaIr *ir, const char *name, MlirValue a, MlirType type) {
  return xlaIrOp(ir, name, type, 1, &a, 0, NULL);
}

static MlirValue constant(XlaIr *ir, MlirType type, MlirAttribute element) {
  MlirAttribute value = mlirTypeIsAShaped(type)
                            ? mlirDenseElementsAttrSplatGet(type, element)
                            : element;
  return xlaIrOp(ir, "arith.constant", type, 0, NULL, 1,
                 &(XlaIrAttr){"value", value});
}

MlirValue xlaIrConstantInt(XlaIr *ir, MlirType type, int64_t value) {
  return constant(ir, type, mlirIntegerAttrGet(xlaIrElementType(type), value));
}

MlirValue xlaIrConstantFloat(XlaIr *ir, MlirType type, double value) {
  return constant(
      ir, type,
      mlirFloatAttrDoubleGet(ir->context, xlaIrElementType(type), value));
}

MlirValue xlaIrConstantZero(XlaIr *ir, MlirType type) {
  return mlirTypeIsAFloat(xlaIrElementType(type))
             ? xlaIrConstantFloat(ir, type, 0)
             : xlaIrConstantInt(ir, type, 0);
}

MlirValue xlaIrConstantIndex(XlaIr *ir, int64_t value) {
  return xlaIrConstantInt(ir, mlirIndexTypeGet(ir->context), value);
}

/// The position of `name` in `names`, which follow the dialect's enum.
static int64_t predicateNumber(const char *const *names, int count,
                               const char *name) {
  for (int i = 0; i < count; ++i)
    if (!strcmp(names[i], name))
      return i;
  return -1; // the op's verifier reports it
}

static MlirValue compare(XlaIr *ir, const char *op, int64_t predicate,
                         MlirValue a, MlirValue b) {
  MlirType i1 = mlirIntegerTypeGet(ir->context, 1);
  return xlaIrOp(
      ir, op, xlaIrWithElement(mlirValueGetType(a), i1), 2, (MlirValue[]){a, b},
      1, &(XlaIrAttr){"predicate", xlaIrI64Attr(ir->context, predicate)});
}

MlirValue xlaIrCmpI(XlaIr *ir, const char *predicate, MlirValue a,
                    MlirValue b) {
  static const char *const names[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                      "sge", "ult", "ule", "ugt", "uge"};
  return compare(ir, "arith.cmpi", predicateNumber(names, 10, predicate), a, b);
}

MlirValue xlaIrCmpF(XlaIr *ir, const char *predicate, MlirValue a,
                    MlirValue b) {
  static const char *const names[] = {
      "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
      "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
  return compare(ir, "arith.cmpf", predicateNumber(names, 16, predicate), a, b);
}

MlirValue xlaIrSelect(XlaIr *ir, MlirValue c, MlirValue a, MlirValue b) {
  return xlaIrOp(ir, "arith.select", mlirValueGetType(a), 3,
                 (MlirValue[]){c, a, b}, 0, NULL);
}

MlirOperation xlaIrFor(XlaIr *ir, MlirValue lower, MlirValue upper,
                       MlirValue step, intptr_t nInits, const MlirValue *inits,
                       XlaIr *body) {
  MlirRegion region = mlirRegionCreate();
  MlirType index = mlirValueGetType(lower);
  MlirBlock block = mlirBlockCreate(1, &index, &ir->location);
  mlirRegionAppendOwnedBlock(region, block);
  MlirOperationState state =
      mlirOperationStateGet(str("scf.for"), ir->location);
  mlirOperationStateAddOperands(&state, 3, (MlirValue[]){lower, upper, step});
  mlirOperationStateAddOperands(&state, nInits, inits);
  for (intptr_t i = 0; i < nInits; ++i) {
    MlirType type = mlirValueGetType(inits[i]);
    mlirBlockAddArgument(block, type, ir->location);
    mlirOperationStateAddResults(&state, 1, &type);
  }
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  MlirOperation op = insert(ir, &state);
  *body = xlaIrIn(*ir, block);
  return op;
}

void xlaIrYield(XlaIr *ir, intptr_t n, const MlirValue *values) {
  xlaIrCreate(ir, "scf.yield", n, values, 0, NULL, 0, NULL, 0, NULL);
}

static MlirRegion closedRegion(XlaIr *ir, XlaIr *inside) {
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  *inside = xlaIrIn(*ir, block);
  xlaIrYield(inside, 0, NULL);
  inside->before = mlirBlockGetTerminator(block);
  return region;
}

MlirOperation xlaIrIf(XlaIr *ir, MlirValue condition, XlaIr *then,
                      XlaIr *otherwise) {
  MlirRegion regions[2] = {closedRegion(ir, then), {NULL}};
  regions[1] = otherwise ? closedRegion(ir, otherwise) : mlirRegionCreate();
  return xlaIrCreate(ir, "scf.if", 1, &condition, 0, NULL, 0, NULL, 2, regions);
}

MlirValue xlaIrLoad(XlaIr *ir, MlirValue memref, intptr_t rank,
                    const MlirValue *indices) {
  MlirValue operands[1 + 64];
  operands[0] = memref;
  for (intptr_t i = 0; i < rank; ++i)
    operands[1 + i] = indices[i];
  return xlaIrOp(ir, "memref.load", xlaIrElementType(mlirValueGetType(memref)),
                 1 + rank, operands, 0, NULL);
}

void xlaIrStore(XlaIr *ir, MlirValue value, MlirValue memref, intptr_t rank,
                const MlirValue *indices) {
  MlirValue operands[2 + 64];
  operands[0] = value;
  operands[1] = memref;
  for (intptr_t i = 0; i < rank; ++i)
    operands[2 + i] = indices[i];
  xlaIrCreate(ir, "memref.store", 2 + rank, operands, 0, NULL, 0, NULL, 0,
              NULL);
}

MlirAttribute xlaIrStringAttr(MlirContext context, const char *text) {
  return mlirStringAttrGet(context, str(text));
}

MlirAttribute xlaIrI64Attr(MlirContext context, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value);
}

MlirAttribute xlaIrDictionaryAttr(MlirContext context, intptr_t n,
                                  const XlaIrAttr *entries) {
  MlirNamedAttribute all[XLA_IR_MAX_ATTRS];
  for (intptr_t i = 0; i < n; ++i)
    all[i] = named(context, &entries[i]);
  return mlirDictionaryAttrGet(context, n, all);
}

MlirAttribute xlaIrParseAttr(MlirContext context, const char *text) {
  return mlirAttributeParseGet(context, str(text));
}

MlirType xlaIrParseType(MlirContext context, const char *text) {
  return mlirTypeParseGet(context, str(text));
}

MlirType xlaIrElementType(MlirType type) {
  return mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type;
}

MlirType xlaIrWithElement(MlirType type, MlirType element) {
  if (!mlirTypeIsAVector(type))
    return element;
  int64_t shape[64];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirVectorTypeGet(rank, shape, element);
}

bool xlaIrIsOp(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            str(name));
}

bool xlaIrHasPrefix(MlirOperation op, const char *prefix) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  size_t n = strlen(prefix);
  return name.length > n && !memcmp(name.data, prefix, n);
}

bool xlaIrHasOneUse(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) &&
         mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

bool xlaIrReadInt(MlirValue value, int64_t *number) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!xlaIrIsOp(op, "arith.constant"))
    return false;
  MlirAttribute attr = mlirOperationGetAttributeByName(op, str("value"));
  if (!mlirAttributeIsAInteger(attr))
    return false;
  *number = mlirIntegerAttrGetValueInt(attr);
  return true;
}

MlirLogicalResult xlaIrError(MlirLocation location, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!mlirLocationIsNull(location))
    mlirEmitError(location, text);
  return mlirLogicalResultFailure();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void xlaIrTextAppend(MlirStringRef part, void *user) {
  XlaIrText *text = user;
  if (text->isCut || !part.length)
    return;
  if (part.length > text->capacity - text->size) {
    size_t capacity = 2 * (text->size + part.length);
    char *data = realloc(text->data, capacity);
    if (!data) {
      text->isCut = true;
      return;
    }
    text->data = data;
    text->capacity = capacity;
  }
  memcpy(text->data + text->size, part.data, part.length);
  text->size += part.length;
}

void xlaIrTextPrint(XlaIrText *text, const char *format, ...) {
  char part[512];
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(part, sizeof part, format, arguments);
  va_end(arguments);
  size_t length = n < 0                  ? 0
                  : n < (int)sizeof part ? (size_t)n
                                         : sizeof part - 1;
  xlaIrTextAppend(mlirStringRefCreate(part, length), text);
}

void xlaIrLineAppend(MlirStringRef part, void *user) {
  XlaIrLine *line = user;
  size_t room = line->size - 1 - line->length;
  size_t n = part.length < room ? part.length : room;
  if (!n)
    return;
  memcpy(line->chars + line->length, part.data, n);
  line->length += n;
  line->chars[line->length] = 0;
}

char *xlaIrPrint(MlirOperation op, size_t *length) {
  XlaIrText text = {0};
  mlirOperationPrint(op, xlaIrTextAppend, &text);
  *length = text.size;
  return text.data;
}

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

typedef struct Collector {
  XlaIrOps found;
  bool (*isWanted)(MlirOperation op);
} Collector;

static MlirWalkResult collect(MlirOperation op, void *user) {
  Collector *collector = user;
  XlaIrOps *found = &collector->found;
  if (collector->isWanted && !collector->isWanted(op))
    return MlirWalkResultAdvance;
  if (found->n == found->capacity) {
    intptr_t capacity = 2 * found->capacity + 64;
    MlirOperation *ops = realloc(found->ops, (size_t)capacity * sizeof *ops);
    if (!ops) {
      found->failed = true;
      return MlirWalkResultInterrupt;
    }
    found->ops = ops;
    found->capacity = capacity;
  }
  found->ops[found->n++] = op;
  return MlirWalkResultAdvance;
}

XlaIrOps xlaIrCollect(MlirOperation root, MlirWalkOrder order,
                      bool (*isWanted)(MlirOperation op)) {
  Collector collector = {.isWanted = isWanted};
  mlirOperationWalk(root, collect, &collector, order);
  return collector.found;
}

//===- encode.c - Operations as bytes -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of 32 bits in the order of a walk. Whatever an operation is made of,
// names, attributes, types, values and blocks, has the number of things seen
// before it; where names, attributes and types are seen first, their texts
// follow, which end with a 0. Texts are what takes long to make, and few differ
// in a function.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/dialect/pointer_map.h"

#include <stdlib.h>

typedef struct Encoder {
  XlaIrText bytes;
  XlaPointerMap numbers; ///< from 1 on
  uint32_t nSeen;
} Encoder;

static void put(Encoder *e, intptr_t number) {
  uint32_t bits = (uint32_t)number;
  xlaIrTextAppend(mlirStringRefCreate((const char *)&bits, sizeof bits),
                  &e->bytes);
}

/// Puts the number of `key`. True if it is new.
static bool putNumber(Encoder *e, const void *key) {
  intptr_t number = xlaPointerMapGet(&e->numbers, key);
  bool isNew = !number;
  if (isNew) {
    number = ++e->nSeen;
    e->bytes.isCut |= !xlaPointerMapSet(&e->numbers, key, number);
  }
  put(e, number);
  return isNew;
}

static void endText(Encoder *e) {
  xlaIrTextAppend(mlirStringRefCreate("", 1), &e->bytes);
}

static void putName(Encoder *e, MlirIdentifier name) {
  if (!putNumber(e, name.ptr))
    return;
  xlaIrTextAppend(mlirIdentifierStr(name), &e->bytes);
  endText(e);
}

static void putAttribute(Encoder *e, MlirAttribute attribute) {
  if (!putNumber(e, attribute.ptr))
    return;
  mlirAttributePrint(attribute, xlaIrTextAppend, &e->bytes);
  endText(e);
}

/// A value that is made here.
static void putResult(Encoder *e, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  putNumber(e, value.ptr);
  if (!putNumber(e, type.ptr))
    return;
  mlirTypePrint(type, xlaIrTextAppend, &e->bytes);
  endText(e);
}

static void putOperation(Encoder *e, MlirOperation op);

static void putBlock(Encoder *e, MlirBlock block) {
  intptr_t n = mlirBlockGetNumArguments(block);
  putNumber(e, block.ptr);
  put(e, n);
  for (intptr_t i = 0; i < n; ++i)
    putResult(e, mlirBlockGetArgument(block, i));
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    putOperation(e, op);
  put(e, 0); // in the place of a name
}

static void putRegion(Encoder *e, MlirRegion region) {
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    putBlock(e, block);
  put(e, 0); // in the place of a block
}

static void putOperation(Encoder *e, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  putName(e, mlirOperationGetName(op));
  putAttribute(e, mlirExtOperationGetAttributes(op));
  put(e, n);
  for (intptr_t i = 0; i < n; ++i)
    putNumber(e, mlirOperationGetOperand(op, i).ptr);
  n = mlirOperationGetNumResults(op);
  put(e, n);
  for (intptr_t i = 0; i < n; ++i)
    putResult(e, mlirOperationGetResult(op, i));
  n = mlirOperationGetNumSuccessors(op);
  put(e, n);
  for (intptr_t i = 0; i < n; ++i)
    putNumber(e, mlirOperationGetSuccessor(op, i).ptr);
  n = mlirOperationGetNumRegions(op);
  put(e, n);
  for (intptr_t i = 0; i < n; ++i)
    putRegion(e, mlirOperationGetRegion(op, i));
}

char *xlaIrEncode(MlirOperation op, size_t *length) {
  Encoder e = {.nSeen = 0};
  putOperation(&e, op);
  xlaPointerMapClear(&e.numbers);
  if (e.bytes.isCut) {
    free(e.bytes.data);
    return NULL;
  }
  *length = e.bytes.size;
  return e.bytes.data;
}

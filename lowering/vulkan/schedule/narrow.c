//===- narrow.c - Indices in 32 bits --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels compute indices in i64, which many devices lack and most do slowly.
// Where the range of such a value shows that 32 bits hold it, the shader has
// only that; it is widened when something else asks for it.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/emit.h"

#include <stdlib.h>
#include <string.h>

static const XlaVulkanNarrow *find(const XlaVulkanEmit *e, MlirValue key) {
  for (intptr_t i = e->nNarrow; i-- > 0;)
    if (mlirValueEqual(e->narrow[i].key, key))
      return &e->narrow[i];
  return NULL;
}

void xlaVulkanSetNarrow(XlaVulkanEmit *e, MlirValue key, MlirValue value,
                        int64_t low, int64_t high) {
  for (intptr_t i = 0; i < e->nNarrow; ++i)
    if (mlirValueEqual(e->narrow[i].key, key)) {
      e->narrow[i] = (XlaVulkanNarrow){key, value, low, high};
      return;
    }
  if (e->nNarrow == e->narrowCapacity) {
    intptr_t capacity = 2 * e->narrowCapacity + 16;
    XlaVulkanNarrow *narrow =
        realloc(e->narrow, (size_t)capacity * sizeof *narrow);
    if (!narrow) {
      xlaVulkanEmitNoMemory(e);
      return;
    }
    e->narrow = narrow;
    e->narrowCapacity = capacity;
  }
  e->narrow[e->nNarrow++] = (XlaVulkanNarrow){key, value, low, high};
}

static MlirType intType(const XlaVulkanEmit *e, unsigned bits) {
  return mlirIntegerTypeGet(e->ir.context, bits);
}

MlirValue xlaVulkanWiden(XlaVulkanEmit *e, MlirValue key) {
  const XlaVulkanNarrow *narrow = find(e, key);
  if (!narrow || mlirTypeIsAIndex(mlirValueGetType(key)))
    return (MlirValue){NULL};
  bool isUnsigned = narrow->high > INT32_MAX;
  return xlaIrCast(&e->ir, isUnsigned ? "arith.extui" : "arith.extsi",
                   narrow->value, mlirValueGetType(key));
}

static unsigned widthOf(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
}

/// The operand in 32 bits, if it fits those of a signed number.
static const XlaVulkanNarrow *signedOperand(XlaVulkanEmit *e, MlirOperation op,
                                            intptr_t i) {
  const XlaVulkanNarrow *narrow = find(e, mlirOperationGetOperand(op, i));
  return narrow && narrow->high <= INT32_MAX ? narrow : NULL;
}

//===----------------------------------------------------------------------===//
// What makes narrow values
//===----------------------------------------------------------------------===//

static bool narrowConstant(XlaVulkanEmit *e, MlirOperation op) {
  MlirAttribute attr = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("value"));
  if (!mlirAttributeIsAInteger(attr))
    return false;
  int64_t value = mlirIntegerAttrGetValueInt(attr);
  if (value < INT32_MIN || value > INT32_MAX)
    return false;
  xlaVulkanSetNarrow(e, mlirOperationGetResult(op, 0),
                     xlaIrConstantInt(&e->ir, intType(e, 32), value), value,
                     value);
  return true;
}

static bool narrowExtension(XlaVulkanEmit *e, MlirOperation op) {
  MlirValue operand = mlirOperationGetOperand(op, 0);
  bool isSigned = xlaIrIsOp(op, "arith.extsi");
  unsigned bits = widthOf(operand);
  if (bits != 8 && bits != 16 && bits != 32)
    return false;
  MlirValue value = xlaVulkanValue(e, operand);
  if (bits < 32)
    value = xlaIrCast(&e->ir, isSigned ? "arith.extsi" : "arith.extui", value,
                      intType(e, 32));
  int64_t half = INT64_C(1) << (bits - 1);
  xlaVulkanSetNarrow(e, mlirOperationGetResult(op, 0), value,
                     isSigned ? -half : 0, isSigned ? half - 1 : 2 * half - 1);
  return true;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/// The range of a binary operation's result; false if the operation is none of
/// those that keep their meaning in 32 bits.
static bool rangeOf(MlirOperation op, const XlaVulkanNarrow *a,
                    const XlaVulkanNarrow *b, int64_t *low, int64_t *high) {
  if (xlaIrIsOp(op, "arith.addi")) {
    *low = a->low + b->low;
    *high = a->high + b->high;
  } else if (xlaIrIsOp(op, "arith.subi")) {
    *low = a->low - b->high;
    *high = a->high - b->low;
  } else if (xlaIrIsOp(op, "arith.muli")) {
    int64_t p = a->low * b->low, q = a->low * b->high;
    int64_t r = a->high * b->low, s = a->high * b->high;
    *low = least(least(p, q), least(r, s));
    *high = most(most(p, q), most(r, s));
  } else if (xlaIrIsOp(op, "arith.maxsi")) {
    *low = most(a->low, b->low);
    *high = most(a->high, b->high);
  } else if (xlaIrIsOp(op, "arith.minsi")) {
    *low = least(a->low, b->low);
    *high = least(a->high, b->high);
  } else {
    return false;
  }
  return *low >= INT32_MIN && *high <= INT32_MAX;
}

/// An unsigned number of 32 bits, clamped to what a signed one holds.
static bool narrowClamp(XlaVulkanEmit *e, MlirOperation op) {
  const XlaVulkanNarrow *a = find(e, mlirOperationGetOperand(op, 0));
  const XlaVulkanNarrow *b = find(e, mlirOperationGetOperand(op, 1));
  if (!a || !b || a->low < 0 || b->low < 0)
    return false;
  int64_t low = least(a->low, b->low), high = least(a->high, b->high);
  MlirValue value = xlaIrBinary(&e->ir, "arith.minui", a->value, b->value);
  xlaVulkanSetNarrow(e, mlirOperationGetResult(op, 0), value, low, high);
  return true;
}

static bool narrowBinary(XlaVulkanEmit *e, MlirOperation op) {
  if (xlaIrIsOp(op, "arith.minui"))
    return narrowClamp(e, op);
  const XlaVulkanNarrow *a = signedOperand(e, op, 0);
  const XlaVulkanNarrow *b = signedOperand(e, op, 1);
  int64_t low, high;
  if (!a || !b || !rangeOf(op, a, b, &low, &high))
    return false;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  MlirValue value = xlaIrBinary(&e->ir, name.data, a->value, b->value);
  xlaVulkanSetNarrow(e, mlirOperationGetResult(op, 0), value, low, high);
  return true;
}

//===----------------------------------------------------------------------===//
// What uses them
//===----------------------------------------------------------------------===//

static bool useNarrow(XlaVulkanEmit *e, MlirOperation op) {
  // The sign does not matter to what is truncated, nor to an index of 32 bits.
  bool isSigned =
      xlaIrIsOp(op, "arith.sitofp") ||
      (xlaIrIsOp(op, "arith.index_cast") && e->memory->schedule->usesAddresses);
  const XlaVulkanNarrow *operand =
      isSigned ? signedOperand(e, op, 0)
               : find(e, mlirOperationGetOperand(op, 0));
  MlirValue result = mlirOperationGetResult(op, 0), value;
  if (!operand || widthOf(mlirOperationGetOperand(op, 0)) != 64)
    return false;
  MlirType type = mlirValueGetType(result);
  if (xlaIrIsOp(op, "arith.trunci"))
    value = widthOf(result) == 32 ? operand->value
            : widthOf(result) < 32
                ? xlaIrCast(&e->ir, "arith.trunci", operand->value, type)
                : (MlirValue){NULL};
  else if (xlaIrIsOp(op, "arith.index_cast") || xlaIrIsOp(op, "arith.sitofp"))
    value = xlaIrCast(&e->ir, mlirIdentifierStr(mlirOperationGetName(op)).data,
                      operand->value, type);
  else
    return false;
  if (!value.ptr)
    return false;
  xlaVulkanBind(e, result, value);
  return true;
}

static bool narrowIndex(XlaVulkanEmit *e, MlirOperation op) {
  const XlaVulkanNarrow *operand = find(e, mlirOperationGetOperand(op, 0));
  if (!operand ||
      !mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetOperand(op, 0))))
    return false;
  XlaVulkanNarrow copy = *operand;
  xlaVulkanSetNarrow(e, mlirOperationGetResult(op, 0), copy.value, copy.low,
                     copy.high);
  return true;
}

bool xlaVulkanNarrowOp(XlaVulkanEmit *e, MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 ||
      mlirOperationGetNumOperands(op) > 2)
    return false;
  if (useNarrow(e, op))
    return true;
  if (widthOf(mlirOperationGetResult(op, 0)) != 64)
    return false;
  if (xlaIrIsOp(op, "arith.constant"))
    return narrowConstant(e, op);
  if (xlaIrIsOp(op, "arith.extsi") || xlaIrIsOp(op, "arith.extui"))
    return narrowExtension(e, op);
  if (xlaIrIsOp(op, "arith.index_cast"))
    return narrowIndex(e, op);
  return mlirOperationGetNumOperands(op) == 2 && narrowBinary(e, op);
}

//===- values.c - What stands for arrays of dynamic size ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/dynamic/bounded_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

MlirLogicalResult xlaBoundedNoMemory(MlirOperation op) {
  return xlaOpNoMemory(op);
}

MlirLogicalResult xlaBoundedUnsupported(MlirOperation op, const char *why) {
  for (intptr_t i = 0, n = mlirOperationGetNumOperands(op),
                m = mlirOperationGetNumResults(op);
       i < n + m; ++i) {
    MlirType type = mlirValueGetType(i < n ? mlirOperationGetOperand(op, i)
                                           : mlirOperationGetResult(op, i - n));
    if (xlaTypeIsDynamic(type))
      return xlaOpUnsupported(
          op, "legal",
          "has a value of type %s, whose size is known only when "
          "the program runs: not supported yet in compiled "
          "programs%s",
          XLA_TYPE_TEXT(type), why);
  }
  return xlaOpUnsupported(
      op, "legal",
      "has a value whose size is known only when the program "
      "runs: not supported yet in compiled programs%s",
      why);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool xlaBoundedIsDynamic(const XlaBounding *pass, MlirValue value) {
  return xlaPointerMapGet(&pass->values, value.ptr) != 0;
}

XlaBounded xlaBoundedGet(const XlaBounding *pass, MlirValue value) {
  const XlaBounded *known =
      (const XlaBounded *)xlaPointerMapGet(&pass->values, value.ptr);
  if (known)
    return *known;
  XlaBounded plain = {.array = value};
  xlaShapeFromMlir(mlirValueGetType(value), &plain.shape, NULL);
  return plain;
}

XlaBounded xlaBoundedOperand(const XlaBoundedOp *b, intptr_t index) {
  return xlaBoundedGet(b->pass, mlirOperationGetOperand(b->op, index));
}

MlirLogicalResult xlaBoundedSet(XlaBounding *pass, MlirOperation op,
                                MlirValue old, const XlaBounded *made) {
  XlaBounded *kept = malloc(sizeof *kept);
  if (!kept)
    return xlaBoundedNoMemory(op);
  *kept = *made;
  kept->previous = pass->last;
  pass->last = kept;
  return xlaPointerMapSet(&pass->values, old.ptr, (intptr_t)kept)
             ? success()
             : xlaBoundedNoMemory(op);
}

MlirLogicalResult xlaBoundedSetResult(const XlaBoundedOp *b, intptr_t index,
                                      const XlaBounded *made) {
  MlirValue old = mlirOperationGetResult(b->op, index);
  if (xlaTypeIsDynamic(mlirValueGetType(old)))
    return xlaBoundedSet(b->pass, b->op, old, made);
  mlirValueReplaceAllUsesOfWith(old, made->array);
  return success();
}

XlaShape xlaBoundedResultShape(const XlaBoundedOp *b, intptr_t index) {
  XlaShape shape = {.rank = 0};
  xlaShapeFromMlirBounded(
      mlirValueGetType(mlirOperationGetResult(b->op, index)), &shape, NULL);
  return shape;
}

MlirOperation xlaBoundedClone(XlaBoundedOp *b) {
  MlirOperation copy = mlirOperationClone(b->op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); ++i)
    mlirOperationSetOperand(copy, i, xlaBoundedOperand(b, i).array);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(copy); ++i) {
    XlaShape shape = xlaBoundedResultShape(b, i);
    if (shape.dynamic)
      mlirValueSetType(mlirOperationGetResult(copy, i),
                       xlaShapeToMlir(&shape, b->ir.context));
  }
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(b->op), b->op,
                                      copy);
  return copy;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

MlirValue xlaBoundedNumber(XlaIr *ir, int64_t number) {
  return xlaArrayNumber(ir, XlaElementTypeS32, (double)number);
}

MlirValue xlaBoundedSize(XlaIr *ir, const XlaBounded *value, int64_t d) {
  return value->sizes[d].ptr ? value->sizes[d]
                             : xlaBoundedNumber(ir, value->shape.dims[d]);
}

MlirValue xlaBoundedAdd(XlaIr *ir, MlirValue size, int64_t number) {
  if (!number)
    return size;
  return xlaIrBinary(ir, "xla.add", size, xlaBoundedNumber(ir, number));
}

MlirValue xlaBoundedCompare(XlaIr *ir, const char *direction, MlirValue a,
                            MlirValue b) {
  XlaShape shape = xlaArrayShape(a);
  shape.elementType = XlaElementTypePred;
  return xlaIrOp(ir, "xla.compare", xlaShapeToMlir(&shape, ir->context), 2,
                 (MlirValue[]){a, b}, 1,
                 &(XlaIrAttr){"comparison_direction",
                              xlaIrStringAttr(ir->context, direction)});
}

/// The number that `size` is a constant of.
static bool isConstant(MlirValue size, int64_t *number) {
  MlirOperation op = mlirValueIsAOpResult(size) ? mlirOpResultGetOwner(size)
                                                : (MlirOperation){NULL};
  if (mlirOperationIsNull(op) || xlaOpGetKind(op) != XlaOpKindConstant)
    return false;
  MlirAttribute value = xlaOpGetAttr(op, "value");
  if (!mlirAttributeIsADenseElements(value))
    return false;
  *number = mlirDenseElementsAttrGetInt32Value(value, 0);
  return true;
}

/// Whether the relation holds whatever the program computes.
static bool isPlain(XlaBoundedRelation relation, MlirValue x, MlirValue y) {
  int64_t a, b;
  if (mlirValueEqual(x, y))
    return true;
  if (!isConstant(x, &a) || !isConstant(y, &b))
    return false;
  return relation == XlaBoundedEqual ? a == b : a <= b;
}

MlirLogicalResult xlaBoundedCheck(XlaBoundedOp *b, XlaBoundedRelation relation,
                                  MlirValue x, MlirValue y, const char *label,
                                  const char *message, ...) {
  char text[512];
  va_list arguments;
  if (isPlain(relation, x, y))
    return success();
  va_start(arguments, message);
  vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  MlirContext context = b->ir.context;
  XlaIrAttr attrs[] = {
      {"call_target_name", xlaIrStringAttr(context, relation == XlaBoundedEqual
                                                        ? XLA_CHECK_EQUAL
                                                        : XLA_CHECK_AT_MOST)},
      {"has_side_effect", mlirBoolAttrGet(context, true)},
      {"xla.op", mlirStringAttrGet(
                     context, mlirIdentifierStr(mlirOperationGetName(b->op)))},
      {"xla.label", xlaIrStringAttr(context, label)},
      {"xla.message", xlaIrStringAttr(context, text)}};
  xlaIrCreate(&b->ir, "xla.custom_call", 2, (MlirValue[]){x, y}, 0, NULL,
              sizeof attrs / sizeof *attrs, attrs, 0, NULL);
  return success();
}

MlirLogicalResult xlaBoundedAgree(XlaBoundedOp *b, intptr_t n, int d,
                                  const char *label, MlirValue *size) {
  *size = (MlirValue){NULL};
  for (int pass = 0; pass < 2; ++pass)
    for (intptr_t i = 0; i < n; ++i) {
      XlaBounded operand = xlaBoundedOperand(b, i);
      if ((operand.sizes[d].ptr == NULL) != pass || (pass && !size->ptr))
        continue;
      MlirValue own = xlaBoundedSize(&b->ir, &operand, d);
      if (!size->ptr)
        *size = own;
      else if (failed(xlaBoundedCheck(b, XlaBoundedEqual, *size, own, label,
                                      "dimension %d is %%d of other operands, "
                                      "%%d of operand %lld",
                                      d, (long long)i)))
        return failure();
    }
  return success();
}

XlaBounded xlaBoundedLeast(XlaBoundedOp *b, intptr_t n) {
  XlaBounded least = xlaBoundedOperand(b, 0);
  for (intptr_t i = 1; i < n; ++i) {
    XlaBounded other = xlaBoundedOperand(b, i);
    for (int d = 0; d < least.shape.rank; ++d) {
      MlirValue own = least.sizes[d], size = other.sizes[d];
      if (mlirValueIsNull(own))
        least.sizes[d] = size;
      else if (!mlirValueIsNull(size) && !mlirValueEqual(own, size))
        least.sizes[d] = xlaIrBinary(&b->ir, "xla.minimum", own, size);
    }
  }
  return least;
}

MlirValue xlaBoundedMask(XlaIr *ir, const XlaBounded *value, uint32_t dims) {
  MlirValue mask = {NULL};
  XlaShape shape = value->shape;
  shape.elementType = XlaElementTypeS32;
  MlirType type = xlaShapeToMlir(&shape, ir->context);
  for (int d = 0; d < shape.rank; ++d) {
    if (!(dims >> d & 1) || !value->sizes[d].ptr)
      continue;
    MlirValue index =
        xlaIrOp(ir, "xla.iota", type, 0, NULL, 1,
                &(XlaIrAttr){"iota_dimension", xlaIrI64Attr(ir->context, d)});
    MlirValue size =
        xlaArrayBroadcast(ir, value->sizes[d], shape.rank, shape.dims, NULL);
    MlirValue isThere = xlaBoundedCompare(ir, "LT", index, size);
    mask = mask.ptr ? xlaIrBinary(ir, "xla.and", mask, isThere) : isThere;
  }
  return mask;
}

MlirValue xlaBoundedFill(XlaIr *ir, const XlaBounded *value, uint32_t dims,
                         MlirValue filler) {
  MlirValue mask = xlaBoundedMask(ir, value, dims);
  if (!mask.ptr)
    return value->array;
  MlirValue filled =
      xlaArrayBroadcast(ir, filler, value->shape.rank, value->shape.dims, NULL);
  return xlaIrOp(ir, "xla.select", mlirValueGetType(value->array), 3,
                 (MlirValue[]){mask, value->array, filled}, 0, NULL);
}

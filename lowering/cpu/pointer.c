//===- pointer.c - Building loads and stores through pointers -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/pointer.h"

#include "mlir-c/Dialect/LLVM.h"

#include <string.h>

MlirType xlaCpuPtrType(MlirContext context) {
  return mlirLLVMPointerTypeGet(context, 0);
}

static MlirAttribute i32Attr(MlirContext context, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), value);
}

static int64_t elementBytes(MlirType type) {
  MlirType element = xlaIrElementType(type);
  if (mlirTypeIsAInteger(element))
    return ((int64_t)mlirIntegerTypeGetWidth(element) + 7) / 8;
  return mlirTypeIsAFloat(element)
             ? ((int64_t)mlirFloatTypeGetWidth(element) + 7) / 8
             : 8;
}

/// LLVM's pointers move by integers, not by `index`; also of vectors.
static MlirValue toI64(XlaIr *ir, MlirValue index) {
  MlirType i64 = mlirIntegerTypeGet(ir->context, 64);
  int64_t constant;
  if (xlaIrReadInt(index, &constant))
    return xlaIrConstantInt(ir, i64, constant);
  return xlaIrCast(ir, "arith.index_cast", index,
                   xlaIrWithElement(mlirValueGetType(index), i64));
}

MlirValue xlaCpuPtrAdd(XlaIr *ir, MlirValue pointer, MlirType element,
                       MlirValue index) {
  index = toI64(ir, index);
  const int32_t dynamic =
      INT32_MIN; // the marker of an index that is an operand
  XlaIrAttr attrs[] = {
      {"elem_type", mlirTypeAttrGet(element)},
      {"rawConstantIndices", mlirDenseI32ArrayGet(ir->context, 1, &dynamic)}};
  return xlaIrOp(ir, "llvm.getelementptr", xlaCpuPtrType(ir->context), 2,
                 (MlirValue[]){pointer, index}, 2, attrs);
}

MlirValue xlaCpuPtrOfMemRef(XlaIr *ir, MlirValue memref) {
  MlirType type = mlirValueGetType(memref);
  int64_t strides[64], offset = 0;
  if (mlirShapedTypeGetRank(type) <= 64)
    (void)mlirMemRefTypeGetStridesAndOffset(type, strides, &offset);
  MlirValue address =
      xlaIrOp(ir, "memref.extract_aligned_pointer_as_index",
              mlirIndexTypeGet(ir->context), 1, &memref, 0, NULL);
  MlirValue pointer = xlaIrCast(ir, "llvm.inttoptr", toI64(ir, address),
                                xlaCpuPtrType(ir->context));
  return offset ? xlaCpuPtrAdd(ir, pointer, xlaIrElementType(type),
                               xlaIrConstantIndex(ir, offset))
                : pointer;
}

MlirValue xlaCpuPtrLoad(XlaIr *ir, MlirValue pointer, MlirType type) {
  XlaIrAttr attr = {"alignment", xlaIrI64Attr(ir->context, elementBytes(type))};
  return xlaIrOp(ir, "llvm.load", type, 1, &pointer, 1, &attr);
}

void xlaCpuPtrStore(XlaIr *ir, MlirValue value, MlirValue pointer) {
  XlaIrAttr attr = {
      "alignment",
      xlaIrI64Attr(ir->context, elementBytes(mlirValueGetType(value)))};
  xlaIrCreate(ir, "llvm.store", 2, (MlirValue[]){value, pointer}, 0, NULL, 1,
              &attr, 0, NULL);
}

MlirValue xlaCpuPtrMaskedLoad(XlaIr *ir, MlirValue pointer, MlirType type,
                              MlirValue mask) {
  XlaIrAttr attr = {"alignment", i32Attr(ir->context, elementBytes(type))};
  MlirValue operands[] = {pointer, mask, xlaIrConstantZero(ir, type)};
  return xlaIrOp(ir, "llvm.intr.masked.load", type, 3, operands, 1, &attr);
}

MlirValue xlaCpuPtrGather(XlaIr *ir, MlirValue pointer, MlirType type,
                          MlirValue indices, MlirValue mask) {
  const int32_t dynamic = INT32_MIN;
  const int64_t lanes = mlirShapedTypeGetDimSize(type, 0);
  XlaIrAttr place[] = {
      {"elem_type", mlirTypeAttrGet(xlaIrElementType(type))},
      {"rawConstantIndices", mlirDenseI32ArrayGet(ir->context, 1, &dynamic)}};
  MlirValue pointers =
      xlaIrOp(ir, "llvm.getelementptr",
              mlirVectorTypeGet(1, &lanes, xlaCpuPtrType(ir->context)), 2,
              (MlirValue[]){pointer, toI64(ir, indices)}, 2, place);
  XlaIrAttr attr = {"alignment", i32Attr(ir->context, elementBytes(type))};
  MlirValue operands[] = {pointers, mask, xlaIrConstantZero(ir, type)};
  return xlaIrOp(ir, "llvm.intr.masked.gather", type, 3, operands, 1, &attr);
}

void xlaCpuPtrMaskedStore(XlaIr *ir, MlirValue value, MlirValue pointer,
                          MlirValue mask) {
  XlaIrAttr attr = {
      "alignment", i32Attr(ir->context, elementBytes(mlirValueGetType(value)))};
  xlaIrCreate(ir, "llvm.intr.masked.store", 3,
              (MlirValue[]){value, pointer, mask}, 0, NULL, 1, &attr, 0, NULL);
}

void xlaCpuPtrPrefetchWrite(XlaIr *ir, MlirValue pointer) {
  XlaIrAttr attrs[] = {{"rw", i32Attr(ir->context, 1)},
                       {"hint", i32Attr(ir->context, 3)},
                       {"cache", i32Attr(ir->context, 1)}};
  xlaIrCreate(ir, "llvm.intr.prefetch", 1, &pointer, 0, NULL, 3, attrs, 0,
              NULL);
}

MlirValue xlaCpuLaneMask(XlaIr *ir, int64_t lanes, MlirValue count) {
  int32_t numbers[64];
  for (int64_t i = 0; i < lanes; ++i)
    numbers[i] = (int32_t)i;
  MlirType i32 = mlirIntegerTypeGet(ir->context, 32);
  MlirType type = mlirVectorTypeGet(1, &lanes, i32);
  MlirAttribute value = mlirDenseElementsAttrInt32Get(type, lanes, numbers);
  MlirValue iota = xlaIrOp(ir, "arith.constant", type, 0, NULL, 1,
                           &(XlaIrAttr){"value", value});
  // Counts beyond the lanes must not wrap in 32 bits.
  MlirValue bounded = xlaCpuMin(ir, count, xlaIrConstantIndex(ir, lanes));
  MlirValue narrow = xlaIrCast(ir, "arith.index_cast", bounded, i32);
  return xlaIrCmpI(ir, "slt", iota,
                   xlaIrCast(ir, "vector.broadcast", narrow, type));
}

MlirValue xlaCpuShuffle(XlaIr *ir, MlirValue a, MlirValue b, intptr_t n,
                        const int64_t *lanes) {
  int64_t shape = n;
  MlirType type =
      mlirVectorTypeGet(1, &shape, xlaIrElementType(mlirValueGetType(a)));
  XlaIrAttr attr = {"mask", mlirDenseI64ArrayGet(ir->context, n, lanes)};
  return xlaIrOp(ir, "vector.shuffle", type, 2, (MlirValue[]){a, b}, 1, &attr);
}

static bool isConstant(MlirValue value, int64_t number) {
  int64_t constant;
  return xlaIrReadInt(value, &constant) && constant == number;
}

MlirValue xlaCpuAdd(XlaIr *ir, MlirValue a, MlirValue b) {
  if (isConstant(a, 0))
    return b;
  return isConstant(b, 0) ? a : xlaIrBinary(ir, "arith.addi", a, b);
}

MlirValue xlaCpuSub(XlaIr *ir, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, "arith.subi", a, b);
}

MlirValue xlaCpuMul(XlaIr *ir, MlirValue a, MlirValue b) {
  if (isConstant(a, 0) || isConstant(b, 1))
    return a;
  return isConstant(b, 0) || isConstant(a, 1)
             ? b
             : xlaIrBinary(ir, "arith.muli", a, b);
}

MlirValue xlaCpuMin(XlaIr *ir, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, "arith.minsi", a, b);
}

MlirValue xlaCpuDiv(XlaIr *ir, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, "arith.divui", a, b);
}

MlirValue xlaCpuRem(XlaIr *ir, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, "arith.remui", a, b);
}

MlirValue xlaCpuRoundDown(XlaIr *ir, MlirValue a, MlirValue b) {
  return xlaCpuSub(ir, a, xlaCpuRem(ir, a, b));
}

MlirValue xlaCpuLoop(XlaIr *ir, MlirValue lower, MlirValue upper,
                     MlirValue step, XlaIr *body) {
  xlaIrFor(ir, lower, upper, step, 0, NULL, body);
  return mlirBlockGetArgument(body->block, 0);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static bool isDefined(MlirBlock moduleBody, MlirStringRef name) {
  MlirStringRef key = mlirStringRefCreateFromCString("sym_name");
  for (MlirOperation op = mlirBlockGetFirstOperation(moduleBody);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute symbol = mlirOperationGetAttributeByName(op, key);
    if (!mlirAttributeIsNull(symbol) &&
        mlirStringRefEqual(mlirStringAttrGetValue(symbol), name))
      return true;
  }
  return false;
}

bool xlaCpuBeginFunction(MlirBlock moduleBody, MlirLocation location,
                         const char *name, intptr_t nInputs,
                         const MlirType *inputs, XlaIr *body) {
  if (isDefined(moduleBody, mlirStringRefCreateFromCString(name)))
    return false;
  MlirContext context = mlirLocationGetContext(location);
  XlaIr ir = xlaIrAtEnd(context, location, moduleBody);
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  for (intptr_t i = 0; i < nInputs; ++i)
    mlirBlockAddArgument(block, inputs[i], location);
  mlirRegionAppendOwnedBlock(region, block);
  MlirType type = mlirFunctionTypeGet(context, nInputs, inputs, 0, NULL);
  XlaIrAttr attrs[] = {{"sym_name", xlaIrStringAttr(context, name)},
                       {"sym_visibility", xlaIrStringAttr(context, "private")},
                       {"function_type", mlirTypeAttrGet(type)}};
  xlaIrCreate(&ir, "func.func", 0, NULL, 0, NULL, 3, attrs, 1, &region);
  *body = xlaIrIn(ir, block);
  return true;
}

void xlaCpuReturn(XlaIr *body) {
  xlaIrCreate(body, "func.return", 0, NULL, 0, NULL, 0, NULL, 0, NULL);
}

void xlaCpuCall(XlaIr *ir, const char *name, intptr_t n,
                const MlirValue *operands) {
  MlirAttribute callee = mlirFlatSymbolRefAttrGet(
      ir->context, mlirStringRefCreateFromCString(name));
  xlaIrCreate(ir, "func.call", n, operands, 0, NULL, 1,
              &(XlaIrAttr){"callee", callee}, 0, NULL);
}

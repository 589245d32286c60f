//===- legalize_half.c - f16 and bf16 are carried as i16 ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPIR-V has no bf16, devices may lack f16, and how a device rounds to f16 and
// whether it keeps denormals is its own choice.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/legalize.h"

#include "mlir-c/Diagnostics.h"

#include <string.h>

static bool isHalf(MlirType type) {
  MlirType scalar = xlaVulkanScalarType(type);
  return mlirTypeIsAF16(scalar) || mlirTypeIsABF16(scalar);
}

static MlirType carrier(MlirType type) {
  MlirType i16 = mlirIntegerTypeGet(mlirTypeGetContext(type), 16);
  return xlaVulkanWithScalar(type, i16);
}

/// A half as f32: its bits are read from the i16 that will carry it.
static V extend(XlaIr *ir, V x) {
  MlirType half = mlirValueGetType(x);
  bool isBrain = mlirTypeIsABF16(xlaVulkanScalarType(half));
  XlaMath m = xlaVulkanMath(
      *ir, xlaVulkanWithScalar(half, mlirF32TypeGet(ir->context)));
  V bits = xlaIrCast(&m.ir, "arith.bitcast", x, carrier(half));
  bits = xlaIrCast(&m.ir, "arith.extui", bits, m.bits);
  return isBrain ? xlaMathFromBF16(&m, bits) : xlaMathFromF16(&m, bits);
}

static V truncate(XlaIr *ir, V x, MlirType half) {
  bool isBrain = mlirTypeIsABF16(xlaVulkanScalarType(half));
  XlaMath m = xlaVulkanMath(*ir, mlirValueGetType(x));
  V bits = isBrain ? xlaMathToBF16(&m, x) : xlaMathToF16(&m, x);
  bits = xlaIrCast(&m.ir, "arith.trunci", bits, carrier(half));
  return xlaIrCast(&m.ir, "arith.bitcast", bits, half);
}

static V convert(MlirOperation op, void *user, bool *failed) {
  (void)user;
  bool up = xlaIrIsOp(op, "arith.extf");
  if (!up && !xlaIrIsOp(op, "arith.truncf"))
    return (V){NULL};
  XlaIr ir = xlaIrBefore(op);
  V x = mlirOperationGetOperand(op, 0);
  MlirType from = mlirValueGetType(x);
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!isHalf(up ? from : to))
    return (V){NULL};
  if (up) {
    V wide = extend(&ir, x);
    return mlirTypeIsAF64(xlaVulkanScalarType(to))
               ? xlaIrCast(&ir, "arith.extf", wide, to)
               : wide;
  }
  if (mlirTypeIsAF32(xlaVulkanScalarType(from)))
    return truncate(&ir, x, to);
  mlirEmitError(mlirOperationGetLocation(op),
                "f64 is rounded to 16 bits by way of f32 on Vulkan");
  *failed = true;
  return (V){NULL};
}

/// Ops that move halves, whose types alone change.
static bool isMovement(MlirOperation op) {
  static const char *const names[] = {
      "arith.select", "arith.bitcast", "arith.constant", "gpu.func",
      "gpu.shuffle",  "gpu.return",    "gpu.module"};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (xlaIrIsOp(op, names[i]))
      return true;
  return (name.length > 7 && (!memcmp(name.data, "vector.", 7) ||
                              !memcmp(name.data, "memref.", 7))) ||
         (name.length > 4 && !memcmp(name.data, "scf.", 4));
}

static bool usesHalves(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (isHalf(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (isHalf(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

/// arith and math on halves are done in f32, and rounded.
static V compute(MlirOperation op, void *user, bool *failed) {
  (void)user;
  if (isMovement(op) || !usesHalves(op))
    return (V){NULL};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  intptr_t nResults = mlirOperationGetNumResults(op);
  bool known =
      name.length > 6 && nResults == 1 &&
      (!memcmp(name.data, "arith.", 6) || !memcmp(name.data, "math.", 5));
  if (!known) {
    mlirEmitError(mlirOperationGetLocation(op),
                  "f16 and bf16 are not lowered here for Vulkan");
    *failed = true;
    return (V){NULL};
  }
  XlaIr ir = xlaIrBefore(op);
  MlirOperation wide = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    V x = mlirOperationGetOperand(op, i);
    if (isHalf(mlirValueGetType(x)))
      mlirOperationSetOperand(wide, i, extend(&ir, x));
  }
  mlirBlockInsertOwnedOperationBefore(ir.block, op, wide);
  V result = mlirOperationGetResult(wide, 0);
  MlirType half = mlirValueGetType(result);
  if (!isHalf(half))
    return result;
  mlirValueSetType(result,
                   xlaVulkanWithScalar(half, mlirF32TypeGet(ir.context)));
  return truncate(&ir, result, half);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static void retype(V value) {
  MlirType type = mlirValueGetType(value);
  if (isHalf(type))
    mlirValueSetType(value, carrier(type));
}

/// The bits of a constant of halves, as one of their carriers.
static void retypeConstant(MlirOperation op, MlirType type) {
  MlirStringRef name = mlirStringRefCreateFromCString("value");
  MlirAttribute value = mlirOperationGetAttributeByName(op, name);
  MlirType i16 = carrier(type);
  bool isScalar = !mlirTypeIsAShaped(type);
  if (isScalar) {
    MlirType one =
        mlirRankedTensorTypeGet(0, NULL, type, (MlirAttribute){NULL});
    value = mlirDenseElementsAttrSplatGet(one, value);
    i16 = mlirRankedTensorTypeGet(0, NULL, i16, (MlirAttribute){NULL});
  }
  int64_t count = mlirElementsAttrGetNumElements(value);
  if (mlirDenseElementsAttrIsSplat(value))
    count = 1;
  value = mlirDenseElementsAttrRawBufferGet(
      i16, (size_t)count * 2, mlirDenseElementsAttrGetRawData(value));
  if (isScalar)
    value = mlirElementsAttrGetValue(value, 0, NULL);
  mlirOperationSetAttributeByName(op, name, value);
}

static void retypeFunction(MlirOperation op) {
  MlirStringRef name = mlirStringRefCreateFromCString("function_type");
  MlirType type =
      mlirTypeAttrGetValue(mlirOperationGetAttributeByName(op, name));
  enum { most = 64 };
  MlirType inputs[most];
  intptr_t n = mlirFunctionTypeGetNumInputs(type);
  for (intptr_t i = 0; i < n && i < most; ++i) {
    inputs[i] = mlirFunctionTypeGetInput(type, i);
    if (isHalf(inputs[i]))
      inputs[i] = carrier(inputs[i]);
  }
  if (n <= most)
    mlirOperationSetAttributeByName(
        op, name,
        mlirTypeAttrGet(mlirFunctionTypeGet(mlirOperationGetContext(op), n,
                                            inputs, 0, NULL)));
}

static V retypeAll(MlirOperation op, void *user, bool *failed) {
  (void)user;
  (void)failed;
  if (xlaIrIsOp(op, "gpu.func"))
    retypeFunction(op);
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
         block.ptr; block = mlirBlockGetNextInRegion(block))
      for (intptr_t j = 0; j < mlirBlockGetNumArguments(block); ++j)
        retype(mlirBlockGetArgument(block, j));
  if (xlaIrIsOp(op, "arith.constant") &&
      isHalf(mlirValueGetType(mlirOperationGetResult(op, 0))))
    retypeConstant(op, mlirValueGetType(mlirOperationGetResult(op, 0)));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    retype(mlirOperationGetResult(op, i));
  if (!xlaIrIsOp(op, "arith.bitcast"))
    return (V){NULL};
  V x = mlirOperationGetOperand(op, 0);
  bool same = mlirTypeEqual(mlirValueGetType(x),
                            mlirValueGetType(mlirOperationGetResult(op, 0)));
  return same ? x : (V){NULL};
}

MlirLogicalResult xlaVulkanCarryHalves(MlirOperation root) {
  if (mlirLogicalResultIsFailure(xlaVulkanRewriteAll(root, convert, NULL)) ||
      mlirLogicalResultIsFailure(xlaVulkanRewriteAll(root, compute, NULL)))
    return mlirLogicalResultFailure();
  return xlaVulkanRewriteAll(root, retypeAll, NULL);
}

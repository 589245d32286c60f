//===- zero.c - Values that drivers do not see ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mesa's code generator for processors (gallivm: lp_build_add, _mul, _div)
// takes x + 0 for x, x * 0 and 0 / x for 0, and x / 0 for anything, whatever
// the shader's modes say: -0 keeps its sign and NaN is lost. So zeros that
// arithmetic may meet are computed, from a number of workgroups that no device
// allows. Operands that a driver may find to be zero, as a loop's index that
// begins there, go through an exclusive or with such a zero.
//
// It also takes an integer of 64 bits that becomes a float and an integer again
// for itself, although the float has fewer digits: such floats go through an
// exclusive or too.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/legalize/legalize.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <math.h>

static bool isOneOf(MlirOperation op, const char *const *names, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (xlaIrIsOp(op, names[i]))
      return true;
  return false;
}

static bool isArithmetic(MlirOperation op) {
  static const char *const names[] = {"arith.addf", "arith.subf", "arith.mulf",
                                      "arith.divf", "math.fma"};
  return isOneOf(op, names, sizeof names / sizeof *names);
}

/// Whether a constant comes to arithmetic through it.
static bool passesConstants(MlirOperation op) {
  static const char *const names[] = {"scf.for", "vector.broadcast",
                                      "vector.from_elements", "vector.insert"};
  return isOneOf(op, names, sizeof names / sizeof *names);
}

static MlirAttribute valueOf(MlirOperation constant) {
  return mlirOperationGetAttributeByName(
      constant, mlirStringRefCreateFromCString("value"));
}

/// Lane `i` of a constant of f32 or f64.
static double laneOf(MlirAttribute value, intptr_t i) {
  if (mlirAttributeIsAFloat(value))
    return mlirFloatAttrGetValueDouble(value);
  if (mlirDenseElementsAttrIsSplat(value))
    i = 0;
  return mlirTypeIsAF64(xlaVulkanScalarType(mlirAttributeGetType(value)))
             ? mlirDenseElementsAttrGetDoubleValue(value, i)
             : (double)mlirDenseElementsAttrGetFloatValue(value, i);
}

/// 0 as a driver cannot know it, in 32 bits.
static V hiddenBits(XlaIr *ir) {
  MlirType i32 = mlirIntegerTypeGet(ir->context, 32);
  XlaIrAttr x = {"dimension", xlaIrParseAttr(ir->context, "#gpu<dim x>")};
  V groups = xlaIrOp(ir, "gpu.grid_dim", mlirIndexTypeGet(ir->context), 0, NULL,
                     1, &x);
  return xlaIrBinary(ir, "arith.shrui",
                     xlaIrCast(ir, "arith.index_cast", groups, i32),
                     xlaIrConstantInt(ir, i32, 31));
}

/// The same as a float, with the sign of `like`.
static V hiddenZero(XlaIr *ir, double like, MlirType element) {
  MlirType i32 = mlirIntegerTypeGet(ir->context, 32);
  V bits = hiddenBits(ir);
  if (signbit(like))
    bits = xlaIrBinary(ir, "arith.ori", bits,
                       xlaIrConstantInt(ir, i32, INT32_MIN));
  V zero = xlaIrCast(ir, "arith.bitcast", bits, mlirF32TypeGet(ir->context));
  return mlirTypeIsAF64(element) ? xlaIrCast(ir, "arith.extf", zero, element)
                                 : zero;
}

static bool isComputedFloat(MlirType element) {
  return mlirTypeIsAF32(element) || mlirTypeIsAF64(element);
}

/// The constant with its zeros hidden, or null where it has none.
static V hide(XlaIr *ir, MlirOperation constant) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(constant, 0));
  MlirType element = xlaVulkanScalarType(type);
  MlirAttribute value = valueOf(constant);
  V lanes[4];
  intptr_t n = mlirTypeIsAVector(type) ? mlirShapedTypeGetDimSize(type, 0) : 1;
  bool any = false;
  if (!isComputedFloat(element) || n > 4)
    return (V){NULL};
  for (intptr_t i = 0; i < n; ++i)
    any |= laneOf(value, i) == 0;
  if (!any)
    return (V){NULL};
  for (intptr_t i = 0; i < n; ++i) {
    double lane = laneOf(value, i);
    lanes[i] = lane == 0 ? hiddenZero(ir, lane, element)
                         : xlaIrConstantFloat(ir, element, lane);
  }
  return mlirTypeIsAVector(type)
             ? xlaIrOp(ir, "vector.from_elements", type, n, lanes, 0, NULL)
             : lanes[0];
}

/// Hides what operand `i` is, a float.
static void hideOperand(MlirOperation op, intptr_t i) {
  XlaIr ir = xlaIrBefore(op);
  V value = mlirOperationGetOperand(op, i);
  MlirType type = mlirValueGetType(value), element = xlaVulkanScalarType(type);
  unsigned width = mlirTypeIsAF64(element) ? 64 : 32;
  MlirType scalar = mlirIntegerTypeGet(ir.context, width);
  MlirType bits = xlaVulkanWithScalar(type, scalar);
  V zero = hiddenBits(&ir);
  if (width == 64)
    zero = xlaIrCast(&ir, "arith.extui", zero, scalar);
  if (mlirTypeIsAVector(type))
    zero = xlaIrCast(&ir, "vector.broadcast", zero, bits);
  value = xlaIrBinary(&ir, "arith.xori",
                      xlaIrCast(&ir, "arith.bitcast", value, bits), zero);
  mlirOperationSetOperand(op, i, xlaIrCast(&ir, "arith.bitcast", value, type));
}

static bool isWideInteger(MlirOperation op) {
  MlirType type =
      xlaVulkanScalarType(mlirValueGetType(mlirOperationGetResult(op, 0)));
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 64;
}

/// Hides the zeros of a constant, and in arithmetic all that may be one.
static void hideZeros(MlirOperation op, intptr_t i) {
  V operand = mlirOperationGetOperand(op, i);
  MlirOperation constant;
  if (xlaVulkanDefinedBy(operand, "arith.constant", &constant)) {
    XlaIr ir = xlaIrBefore(op);
    V value = hide(&ir, constant);
    if (value.ptr)
      mlirOperationSetOperand(op, i, value);
  } else if (isArithmetic(op) && xlaVulkanIsKnown(operand) &&
             isComputedFloat(xlaVulkanScalarType(mlirValueGetType(operand)))) {
    hideOperand(op, i);
  }
}

static V rewrite(MlirOperation op, void *user, bool *failed) {
  (void)user;
  (void)failed;
  if ((xlaIrIsOp(op, "arith.fptoui") || xlaIrIsOp(op, "arith.fptosi")) &&
      isWideInteger(op))
    hideOperand(op, 0);
  if (isArithmetic(op) || passesConstants(op))
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      hideZeros(op, i);
  xlaVulkanMarkKnown(op);
  return (V){NULL};
}

static V unmark(MlirOperation op, void *user, bool *failed) {
  (void)user;
  (void)failed;
  xlaVulkanUnmarkKnown(op);
  return (V){NULL};
}

MlirLogicalResult xlaVulkanHideZeros(MlirOperation root) {
  MlirLogicalResult result = xlaVulkanRewriteAll(root, rewrite, NULL);
  return mlirLogicalResultIsSuccess(result)
             ? xlaVulkanRewriteAll(root, unmark, NULL)
             : result;
}

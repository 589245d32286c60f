//===- bits.c - Integer ops that SPIR-V lacks or leaves open --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/legalize/legalize.h"

#include <string.h>

static V number(XlaIr *ir, V like, int64_t value) {
  return xlaIrConstantInt(ir, mlirValueGetType(like), value);
}

static unsigned widthOf(V x) {
  MlirType scalar = xlaVulkanScalarType(mlirValueGetType(x));
  return mlirTypeIsAInteger(scalar) ? mlirIntegerTypeGetWidth(scalar) : 0;
}

/// x - (x / y) y: OpSRem and OpSMod are undefined for negative numbers.
static V signedRemainder(XlaIr *ir, V x, V y) {
  V q = xlaIrBinary(ir, "arith.divsi", x, y);
  return xlaIrBinary(ir, "arith.subi", x, xlaIrBinary(ir, "arith.muli", q, y));
}

/// From 32 to 64 bits without OpSConvert: Mesa 22.3.6 takes a comparison of its
/// result with a constant for always true or always false.
static V signExtend(XlaIr *ir, V x, MlirType wide) {
  V bits = xlaIrCast(ir, "arith.extui", x, wide);
  V top = number(ir, bits, INT64_C(1) << 31);
  return xlaIrBinary(ir, "arith.subi", xlaIrBinary(ir, "arith.xori", bits, top),
                     top);
}

static V absolute(XlaIr *ir, V x) {
  V zero = number(ir, x, 0);
  return xlaIrSelect(ir, xlaIrCmpI(ir, "slt", x, zero),
                     xlaIrBinary(ir, "arith.subi", zero, x), x);
}

/// `name` of i64: Vulkan counts bits in 32 of them.
static V countHalves(XlaIr *ir, const char *name, V x) {
  MlirType wide = mlirValueGetType(x);
  MlirType type =
      xlaVulkanWithScalar(wide, mlirIntegerTypeGet(ir->context, 32));
  V low = xlaIrCast(ir, "arith.trunci", x, type);
  V high =
      xlaIrCast(ir, "arith.trunci",
                xlaIrBinary(ir, "arith.shrui", x, number(ir, x, 32)), type);
  V ofLow = xlaIrUnary(ir, name, low), ofHigh = xlaIrUnary(ir, name, high);
  V sum = xlaIrBinary(ir, "arith.addi", ofLow, ofHigh);
  V count = sum;
  if (!strcmp(name, "math.ctlz")) // 32 of an empty high half
    count = xlaIrSelect(ir, xlaIrCmpI(ir, "eq", high, number(ir, high, 0)), sum,
                        ofHigh);
  return xlaIrCast(ir, "arith.extui", count, wide);
}

/// Upstream has no conversion for math.ctpop.
static V countOnes(XlaIr *ir, V x) {
  return widthOf(x) == 64 ? countHalves(ir, "spirv.BitCount", x)
                          : xlaIrUnary(ir, "spirv.BitCount", x);
}

/// The bits below the lowest one that is set.
static V trailingZeros(XlaIr *ir, V x) {
  V below = xlaIrBinary(ir, "arith.subi", x, number(ir, x, 1));
  V others = xlaIrBinary(ir, "arith.xori", x, number(ir, x, -1));
  return countOnes(ir, xlaIrBinary(ir, "arith.andi", below, others));
}

static V copySign(XlaIr *ir, V x, V sign) {
  XlaMath m = xlaVulkanMath(*ir, mlirValueGetType(x));
  int64_t top =
      mlirTypeIsAF64(xlaVulkanScalarType(m.type)) ? INT64_MIN : INT32_MIN;
  V size = bitwise(&m, "arith.andi", toBits(&m, x), integer(&m, ~top));
  V mark = bitwise(&m, "arith.andi", toBits(&m, sign), integer(&m, top));
  return fromBits(&m, bitwise(&m, "arith.ori", size, mark));
}

/// GLSL's minimum and maximum of integers are those of 32 bits.
static V wideExtreme(MlirOperation op, XlaIr *ir, V x, V y) {
  static const struct {
    const char *op, *predicate;
  } rows[] = {{"arith.minsi", "slt"},
              {"arith.minui", "ult"},
              {"arith.maxsi", "sgt"},
              {"arith.maxui", "ugt"}};
  for (int i = 0; i < 4; ++i)
    if (xlaIrIsOp(op, rows[i].op) && widthOf(x) == 64)
      return xlaIrSelect(ir, xlaIrCmpI(ir, rows[i].predicate, x, y), x, y);
  return (V){NULL};
}

static V expand(MlirOperation op, void *user, bool *failed) {
  (void)user;
  (void)failed;
  intptr_t n = mlirOperationGetNumOperands(op);
  if (n < 1 || n > 2 || mlirOperationGetNumResults(op) != 1)
    return (V){NULL};
  XlaIr ir = xlaIrBefore(op);
  V x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, n - 1);
  if (xlaIrIsOp(op, "arith.remsi"))
    return signedRemainder(&ir, x, y);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (xlaIrIsOp(op, "arith.extsi") && widthOf(x) == 32)
    return signExtend(&ir, x, type);
  if (xlaIrIsOp(op, "math.absi"))
    return absolute(&ir, x);
  if (xlaIrIsOp(op, "math.cttz"))
    return trailingZeros(&ir, x);
  if (xlaIrIsOp(op, "math.ctpop"))
    return countOnes(&ir, x);
  if (xlaIrIsOp(op, "math.ctlz") && widthOf(x) == 64)
    return countHalves(&ir, "math.ctlz", x);
  if (xlaIrIsOp(op, "math.copysign"))
    return copySign(&ir, x, y);
  return wideExtreme(op, &ir, x, y);
}

MlirLogicalResult xlaVulkanExpandIntegers(MlirOperation root) {
  return xlaVulkanRewriteAll(root, expand, NULL);
}

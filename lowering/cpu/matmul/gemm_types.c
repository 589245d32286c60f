//===- gemm_types.c - Element types of a matrix product -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/gemm.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/lowering/cpu/pointer.h"

#include <stdio.h>

int64_t xlaCpuGemmTypeBytes(MlirType element) {
  int64_t bits = mlirTypeIsAInteger(element)
                     ? (int64_t)mlirIntegerTypeGetWidth(element)
                     : (int64_t)mlirFloatTypeGetWidth(element);
  return bits / 8;
}

/// What the target adds in pairs, or null.
static MlirType pairType(const XlaCpuGemmTypes *types,
                         const XlaCpuTarget *target) {
  MlirType none = {NULL};
  if (mlirTypeIsABF16(types->lhs) && mlirTypeIsABF16(types->rhs))
    return target->hasBf16Pairs && mlirTypeIsAF32(types->sum) ? types->lhs
                                                              : none;
  if ((!target->hasI16Pairs && !target->hasI16Sums) ||
      !mlirTypeIsAInteger(types->sum) ||
      mlirIntegerTypeGetWidth(types->sum) != 32 ||
      mlirIntegerTypeGetWidth(types->lhs) > (types->lhsUnsigned ? 8 : 16) ||
      mlirIntegerTypeGetWidth(types->rhs) > (types->rhsUnsigned ? 8 : 16))
    return none;
  return mlirIntegerTypeGet(types->context, 16);
}

static void nameOf(MlirType type, bool isUnsigned, char name[8]) {
  if (mlirTypeIsAInteger(type))
    snprintf(name, 8, "%c%u", isUnsigned ? 'u' : 'i',
             mlirIntegerTypeGetWidth(type));
  else
    snprintf(name, 8, "%sf%u", mlirTypeIsABF16(type) ? "b" : "",
             mlirFloatTypeGetWidth(type));
}

XlaCpuGemmTypes xlaCpuGemmTypes(const XlaCpuMatmul *op,
                                const XlaCpuTarget *target) {
  XlaCpuGemmTypes types = {.context = mlirTypeGetContext(op->lhs),
                           .lhs = xlaIrElementType(op->lhs),
                           .rhs = xlaIrElementType(op->rhs),
                           .result = xlaIrElementType(op->result),
                           .lhsUnsigned = op->lhsUnsigned,
                           .rhsUnsigned = op->rhsUnsigned,
                           .fma = target->hasFma};
  MlirType product = mlirTypeIsNull(op->product) ? types.result : op->product;
  if (mlirTypeIsAInteger(product))
    types.sum = mlirIntegerTypeGet(
        types.context, mlirIntegerTypeGetWidth(product) > 32 ? 64 : 32);
  else
    types.sum = mlirTypeIsAF64(product) ? mlirF64TypeGet(types.context)
                                        : mlirF32TypeGet(types.context);
  nameOf(types.lhs, types.lhsUnsigned, types.lhsName);
  nameOf(types.rhs, types.rhsUnsigned, types.rhsName);
  nameOf(types.sum, false, types.sumName);
  MlirType pair = pairType(&types, target);
  types.paired = !mlirTypeIsNull(pair);
  types.addsPairs = !mlirTypeIsAInteger(types.sum) || target->hasI16Pairs;
  types.packed = types.paired ? pair : types.sum;
  nameOf(types.packed, false, types.packedName);
  return types;
}

MlirType xlaCpuGemmVector(MlirType element, int64_t lanes) {
  return lanes ? mlirVectorTypeGet(1, &lanes, element) : element;
}

MlirValue xlaCpuGemmExtend(XlaIr *ir, const XlaCpuGemmTypes *types,
                           MlirValue value, bool isUnsigned) {
  MlirType from = mlirValueGetType(value);
  MlirType to = xlaIrWithElement(from, types->sum);
  if (mlirTypeEqual(from, to))
    return value;
  if (!mlirTypeIsAInteger(types->sum))
    return xlaIrCast(ir, "arith.extf", value, to);
  if (xlaCpuGemmTypeBytes(xlaIrElementType(from)) >
      xlaCpuGemmTypeBytes(types->sum))
    return xlaIrCast(ir, "arith.trunci", value, to);
  return xlaIrCast(ir, isUnsigned ? "arith.extui" : "arith.extsi", value, to);
}

MlirValue xlaCpuGemmToPacked(XlaIr *ir, const XlaCpuGemmTypes *types,
                             MlirValue value, bool isUnsigned) {
  MlirType from = mlirValueGetType(value);
  MlirType to = xlaIrWithElement(from, types->packed);
  if (!types->paired)
    return xlaCpuGemmExtend(ir, types, value, isUnsigned);
  if (mlirTypeEqual(from, to))
    return value;
  return xlaIrCast(ir, isUnsigned ? "arith.extui" : "arith.extsi", value, to);
}

int64_t xlaCpuGemmPerSum(const XlaCpuGemmTypes *types) {
  return types->paired ? 2 : 1;
}

MlirValue xlaCpuGemmPackedDepth(XlaIr *ir, const XlaCpuGemmTypes *types,
                                MlirValue k) {
  if (!types->paired)
    return k;
  return xlaCpuDiv(ir, xlaCpuAdd(ir, k, xlaIrConstantIndex(ir, 1)),
                   xlaIrConstantIndex(ir, 2));
}

static MlirValue intrinsic(XlaIr *ir, const char *name, MlirType type, int n,
                           const MlirValue *operands) {
  const int32_t segments[] = {n, 0};
  XlaIrAttr attrs[] = {
      {"intrin", xlaIrStringAttr(ir->context, name)},
      {"operandSegmentSizes", mlirDenseI32ArrayGet(ir->context, 2, segments)},
      {"op_bundle_sizes", mlirDenseI32ArrayGet(ir->context, 0, NULL)}};
  return xlaIrOp(ir, "llvm.call_intrinsic", type, n, operands, 3, attrs);
}

MlirValue xlaCpuGemmPackedMulAdd(XlaIr *ir, const XlaCpuGemmTypes *types,
                                 MlirValue a, MlirValue b, MlirValue sum) {
  if (!types->paired)
    return xlaCpuGemmMulAdd(ir, types, a, b, sum);
  MlirType type = mlirValueGetType(sum);
  MlirType pairs =
      xlaCpuGemmVector(types->packed, 2 * mlirShapedTypeGetDimSize(type, 0));
  MlirValue operands[] = {sum, xlaIrCast(ir, "vector.bitcast", a, pairs),
                          xlaIrCast(ir, "vector.bitcast", b, pairs)};
  if (types->addsPairs)
    return intrinsic(ir,
                     mlirTypeIsAInteger(types->sum)
                         ? "llvm.x86.avx512.vpdpwssd.512"
                         : "llvm.x86.avx512bf16.dpbf16ps.512",
                     type, 3, operands);
  int64_t lanes = mlirShapedTypeGetDimSize(type, 0);
  MlirValue both = intrinsic(ir,
                             lanes == 16  ? "llvm.x86.avx512.pmaddw.d.512"
                             : lanes == 8 ? "llvm.x86.avx2.pmadd.wd"
                                          : "llvm.x86.sse2.pmadd.wd",
                             type, 2, operands + 1);
  return xlaCpuGemmAdd(ir, types, sum, both);
}

MlirValue xlaCpuGemmAdd(XlaIr *ir, const XlaCpuGemmTypes *types, MlirValue a,
                        MlirValue b) {
  bool integer = mlirTypeIsAInteger(types->sum);
  return xlaIrBinary(ir, integer ? "arith.addi" : "arith.addf", a, b);
}

MlirValue xlaCpuGemmMulAdd(XlaIr *ir, const XlaCpuGemmTypes *types, MlirValue a,
                           MlirValue b, MlirValue sum) {
  // Without the instruction an FMA is a call of libm.
  if (!mlirTypeIsAInteger(types->sum) && types->fma)
    return xlaIrOp(ir, "math.fma", mlirValueGetType(a), 3,
                   (MlirValue[]){a, b, sum}, 0, NULL);
  bool integer = mlirTypeIsAInteger(types->sum);
  MlirValue product =
      xlaIrBinary(ir, integer ? "arith.muli" : "arith.mulf", a, b);
  return xlaCpuGemmAdd(ir, types, product, sum);
}

MlirValue xlaCpuGemmZero(XlaIr *ir, const XlaCpuGemmTypes *types,
                         int64_t lanes) {
  MlirType type = xlaCpuGemmVector(types->sum, lanes);
  return mlirTypeIsAInteger(types->sum) ? xlaIrConstantInt(ir, type, 0)
                                        : xlaIrConstantFloat(ir, type, 0);
}

//===----------------------------------------------------------------------===//
// Places of prologues
//===----------------------------------------------------------------------===//

intptr_t xlaCpuGemmOriginTypes(const XlaCpuMatmul *op,
                               const XlaCpuMatmulPrologue *prologue,
                               MlirContext context, MlirType *types,
                               intptr_t n) {
  if (!prologue->compute)
    return n;
  for (int i = 0; i < XLA_CPU_GEMM_ORIGIN_ARGS; ++i)
    types[n++] = mlirIndexTypeGet(context);
  for (intptr_t i = 0; i < op->nExtras; ++i)
    types[n++] = op->extras[i];
  return n;
}

intptr_t xlaCpuGemmOriginValues(const XlaCpuMatmul *op,
                                const XlaCpuMatmulPrologue *prologue,
                                const XlaCpuGemmOrigin *origin,
                                MlirValue *values, intptr_t n) {
  if (!prologue->compute)
    return n;
  values[n++] = origin->batch;
  values[n++] = origin->free;
  values[n++] = origin->term;
  for (intptr_t i = 0; i < op->nExtras; ++i)
    values[n++] = origin->extras[i];
  return n;
}

XlaCpuGemmOrigin xlaCpuGemmOriginArguments(
    const XlaCpuMatmul *op, const XlaCpuMatmulPrologue *prologue, XlaIr *ir,
    intptr_t n, MlirValue values[XLA_CPU_MATMUL_MAX_EXTRAS]) {
  if (!prologue->compute)
    return (XlaCpuGemmOrigin){.batch = {NULL}};
  XlaCpuGemmOrigin origin = {mlirBlockGetArgument(ir->block, n),
                             mlirBlockGetArgument(ir->block, n + 1),
                             mlirBlockGetArgument(ir->block, n + 2), values};
  for (intptr_t i = 0; i < op->nExtras; ++i)
    values[i] =
        mlirBlockGetArgument(ir->block, n + XLA_CPU_GEMM_ORIGIN_ARGS + i);
  return origin;
}

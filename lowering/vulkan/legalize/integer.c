//===- integer.c - Integers of 8, 16 and 64 bits --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/legalize/legalize.h"

#include <string.h>

/// The width of i8 and i16, 0 of all else (i1 as well).
static unsigned narrowWidth(MlirType type) {
  MlirType scalar = xlaVulkanScalarType(type);
  unsigned width =
      mlirTypeIsAInteger(scalar) ? mlirIntegerTypeGetWidth(scalar) : 0;
  return width == 8 || width == 16 ? width : 0;
}

static MlirType widened(MlirType type) {
  MlirType i32 = mlirIntegerTypeGet(mlirTypeGetContext(type), 32);
  return xlaVulkanWithScalar(type, i32);
}

static V number(XlaIr *ir, V like, int64_t value) {
  return xlaIrConstantInt(ir, mlirValueGetType(like), value);
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

/// What the bits above a value are.
typedef enum Above { AboveAny, AboveZero, AboveSign } Above;

/// The i32 that a narrow value was truncated from.
static V wideSource(V x) {
  MlirOperation op;
  V none = {NULL};
  if (!xlaVulkanDefinedBy(x, "arith.trunci", &op))
    return none;
  V source = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(source);
  return mlirTypeEqual(type, widened(mlirValueGetType(x))) ? source : none;
}

/// A narrow `x` as i32; others stay.
static V widen(XlaIr *ir, V x, Above above) {
  MlirType narrow = mlirValueGetType(x);
  unsigned width = narrowWidth(narrow);
  if (!width)
    return x;
  const char *extension = above == AboveSign ? "arith.extsi" : "arith.extui";
  V source = wideSource(x);
  MlirOperation op;
  if (!source.ptr)
    return xlaIrCast(ir, extension, x, widened(narrow));
  bool isExtended =
      xlaVulkanDefinedBy(source, extension, &op) &&
      narrowWidth(mlirValueGetType(mlirOperationGetOperand(op, 0))) == width;
  if (above == AboveAny || isExtended)
    return source;
  if (above == AboveZero)
    return xlaIrBinary(ir, "arith.andi", source,
                       number(ir, source, (INT64_C(1) << width) - 1));
  V by = number(ir, source, 32 - width);
  return xlaIrBinary(ir, "arith.shrsi",
                     xlaIrBinary(ir, "arith.shli", source, by), by);
}

static V narrow(XlaIr *ir, V x, MlirType type) {
  return xlaIrCast(ir, "arith.trunci", x, type);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// How an op looks at its operands, and at i32 computes what it would narrow.
static const struct {
  const char *op;
  Above first, others;
} computing[] = {
    {"arith.addi", AboveAny, AboveAny},
    {"arith.subi", AboveAny, AboveAny},
    {"arith.muli", AboveAny, AboveAny},
    {"arith.andi", AboveAny, AboveAny},
    {"arith.ori", AboveAny, AboveAny},
    {"arith.xori", AboveAny, AboveAny},
    {"arith.select", AboveAny, AboveAny},
    {"arith.shli", AboveAny, AboveZero},
    {"arith.shrui", AboveZero, AboveZero},
    {"arith.shrsi", AboveSign, AboveZero},
    {"arith.divui", AboveZero, AboveZero},
    {"arith.divsi", AboveSign, AboveSign},
    {"arith.remui", AboveZero, AboveZero},
    {"arith.remsi", AboveSign, AboveSign},
    {"arith.minui", AboveZero, AboveZero},
    {"arith.minsi", AboveSign, AboveSign},
    {"arith.maxui", AboveZero, AboveZero},
    {"arith.maxsi", AboveSign, AboveSign},
    {"arith.uitofp", AboveZero, AboveZero},
    {"arith.sitofp", AboveSign, AboveSign},
    {"arith.index_cast", AboveSign, AboveSign},
    {"arith.index_castui", AboveZero, AboveZero},
    {"arith.fptoui", AboveAny, AboveAny},
    {"arith.fptosi", AboveAny, AboveAny},
    {"math.absi", AboveSign, AboveSign},
    {"math.ctpop", AboveZero, AboveZero},
    {"gpu.shuffle", AboveAny, AboveAny},
};

static bool isNarrowOp(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (narrowWidth(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (narrowWidth(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

/// Widens the results of `op` in place, truncating them for their users.
static void widenResults(MlirOperation op) {
  XlaIr ir = xlaIrBefore(op);
  ir.before = mlirOperationGetNextInBlock(op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    V result = mlirOperationGetResult(op, i);
    MlirType type = mlirValueGetType(result);
    if (!narrowWidth(type) || mlirTypeIsAMemRef(type))
      continue;
    mlirValueSetType(result, widened(type));
    V value = narrow(&ir, result, type);
    MlirOperation except = mlirOpResultGetOwner(value);
    mlirValueReplaceAllUsesExcept(result, value, 1, &except);
  }
}

static void widenOperands(MlirOperation op, Above first, Above others) {
  XlaIr ir = xlaIrBefore(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    V x = mlirOperationGetOperand(op, i);
    if (!mlirTypeIsAMemRef(mlirValueGetType(x)))
      mlirOperationSetOperand(op, i, widen(&ir, x, i ? others : first));
  }
}

static bool widenComputing(MlirOperation op) {
  for (size_t i = 0; i < sizeof computing / sizeof *computing; ++i)
    if (xlaIrIsOp(op, computing[i].op)) {
      widenOperands(op, computing[i].first, computing[i].others);
      widenResults(op);
      return true;
    }
  return false;
}

static bool widenCompare(MlirOperation op) {
  if (!xlaIrIsOp(op, "arith.cmpi"))
    return false;
  int64_t predicate =
      mlirIntegerAttrGetValueInt(mlirOperationGetAttributeByName(
          op, mlirStringRefCreateFromCString("predicate")));
  bool isSigned = predicate >= 2 && predicate <= 5; // slt, sle, sgt, sge
  Above above = isSigned ? AboveSign : AboveZero;
  widenOperands(op, above, above);
  return true;
}

/// Conversions between integers go through i32, for i64 as well.
static V convert(MlirOperation op) {
  bool isSigned = xlaIrIsOp(op, "arith.extsi");
  bool truncates = xlaIrIsOp(op, "arith.trunci");
  if (!isSigned && !truncates && !xlaIrIsOp(op, "arith.extui"))
    return (V){NULL};
  XlaIr ir = xlaIrBefore(op);
  V x = mlirOperationGetOperand(op, 0);
  MlirType from = mlirValueGetType(x);
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  const char *extension = isSigned ? "arith.extsi" : "arith.extui";
  V wide = widen(&ir, x,
                 truncates  ? AboveAny
                 : isSigned ? AboveSign
                            : AboveZero);
  if (mlirIntegerTypeGetWidth(xlaVulkanScalarType(from)) == 1) {
    return narrowWidth(to)
               ? narrow(&ir, xlaIrCast(&ir, extension, x, widened(to)), to)
               : (V){NULL};
  }
  if (!narrowWidth(from)) {
    MlirType middle = widened(to);
    if (mlirTypeEqual(from, middle))
      return (V){NULL};
    wide = xlaIrCast(&ir, truncates ? "arith.trunci" : extension, x, middle);
  }
  MlirType type = mlirValueGetType(wide);
  if (mlirTypeEqual(type, to))
    return wide;
  unsigned width = mlirIntegerTypeGetWidth(xlaVulkanScalarType(to));
  if (width == 1) { // a truncation would be folded to one of the small type
    V bit = xlaIrBinary(&ir, "arith.andi", wide, number(&ir, wide, 1));
    return xlaIrCmpI(&ir, "ne", bit, number(&ir, bit, 0));
  }
  bool grows = width > 32;
  return xlaIrCast(&ir, grows ? extension : "arith.trunci", wide, to);
}

static V countZeros(MlirOperation op) {
  bool leading = xlaIrIsOp(op, "math.ctlz");
  if (!leading && !xlaIrIsOp(op, "math.cttz"))
    return (V){NULL};
  XlaIr ir = xlaIrBefore(op);
  V x = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(x);
  unsigned width = narrowWidth(type);
  V wide = widen(&ir, x, AboveZero);
  if (leading) {
    wide = xlaIrUnary(&ir, "math.ctlz", wide);
    wide = xlaIrBinary(&ir, "arith.subi", wide, number(&ir, wide, 32 - width));
  } else {
    wide = xlaIrBinary(&ir, "arith.ori", wide,
                       number(&ir, wide, INT64_C(1) << width));
    wide = xlaIrUnary(&ir, "math.cttz", wide);
  }
  return narrow(&ir, wide, type);
}

static V wideConstant(MlirOperation op) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirType wide = widened(type);
  MlirAttribute value = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("value"));
  enum { most = 16 };
  int64_t n =
      mlirTypeIsAShaped(type) ? mlirElementsAttrGetNumElements(value) : 1;
  if (n > most)
    return (V){NULL};
  int32_t elements[most];
  for (int64_t i = 0; i < n; ++i) {
    MlirAttribute element =
        mlirTypeIsAShaped(type)
            ? mlirElementsAttrGetValue(value, 1, (uint64_t[]){(uint64_t)i})
            : value;
    elements[i] = (int32_t)mlirIntegerAttrGetValueInt(element);
  }
  XlaIr ir = xlaIrBefore(op);
  XlaIrAttr attr = {"value",
                    mlirTypeIsAShaped(type)
                        ? mlirDenseElementsAttrInt32Get(wide, n, elements)
                        : mlirIntegerAttrGet(wide, elements[0])};
  return narrow(&ir, xlaIrOp(&ir, "arith.constant", wide, 0, NULL, 1, &attr),
                type);
}

//===----------------------------------------------------------------------===//
// Memory, and ops around regions
//===----------------------------------------------------------------------===//

/// Memory of the shader itself holds i32.
static bool isOwnMemory(V memref) {
  MlirOperation op;
  return xlaVulkanDefinedBy(memref, "memref.alloc", &op) ||
         xlaVulkanDefinedBy(memref, "memref.alloca", &op);
}

static void widenArguments(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    for (intptr_t j = 0; block.ptr && j < mlirBlockGetNumArguments(block);
         ++j) {
      V argument = mlirBlockGetArgument(block, j);
      MlirType type = mlirValueGetType(argument);
      if (!narrowWidth(type))
        continue;
      XlaIr ir = xlaIrBefore(mlirBlockGetFirstOperation(block));
      mlirValueSetType(argument, widened(type));
      V value = narrow(&ir, argument, type);
      MlirOperation except = mlirOpResultGetOwner(value);
      mlirValueReplaceAllUsesExcept(argument, value, 1, &except);
    }
  }
}

static void widenMemory(MlirOperation op) {
  if (xlaIrIsOp(op, "memref.load") &&
      isOwnMemory(mlirOperationGetOperand(op, 0)))
    widenResults(op);
  else if (xlaIrIsOp(op, "memref.store") &&
           isOwnMemory(mlirOperationGetOperand(op, 1)))
    widenOperands(op, AboveAny, AboveAny);
  else if (xlaIrIsOp(op, "memref.alloc") || xlaIrIsOp(op, "memref.alloca")) {
    V memory = mlirOperationGetResult(op, 0);
    if (narrowWidth(mlirValueGetType(memory)))
      mlirValueSetType(memory, widened(mlirValueGetType(memory)));
  }
}

static void widenReduction(MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute kind =
      mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("op"));
  bool isUnsigned =
      mlirAttributeEqual(
          kind, xlaIrParseAttr(context, "#gpu<all_reduce_op minui>")) ||
      mlirAttributeEqual(kind,
                         xlaIrParseAttr(context, "#gpu<all_reduce_op maxui>"));
  Above above = isUnsigned ? AboveZero : AboveSign;
  widenOperands(op, above, above);
  widenResults(op);
}

static V widenOp(MlirOperation op, void *user, bool *failed) {
  (void)user;
  (void)failed;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  bool isScf = name.length > 4 && !memcmp(name.data, "scf.", 4);
  bool isVector = name.length > 7 && !memcmp(name.data, "vector.", 7);
  if (isScf)
    widenArguments(op);
  bool isMemory = name.length > 7 && !memcmp(name.data, "memref.", 7);
  if (isMemory)
    widenMemory(op);
  if (isMemory || !isNarrowOp(op) || widenCompare(op) || widenComputing(op))
    return (V){NULL};
  if (xlaIrIsOp(op, "arith.constant"))
    return wideConstant(op);
  if (xlaIrIsOp(op, "gpu.subgroup_reduce"))
    widenReduction(op);
  if (isScf || isVector) {
    widenOperands(op, AboveAny, AboveAny);
    widenResults(op);
    return (V){NULL};
  }
  V value = convert(op);
  return value.ptr ? value : countZeros(op);
}

/// What is truncated for memory: SPIR-V's own op is not folded, so that no
/// constants of small types come about.
static V seal(MlirOperation op, void *user, bool *failed) {
  (void)user;
  (void)failed;
  if (!xlaIrIsOp(op, "arith.trunci"))
    return (V){NULL};
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  XlaIr ir = xlaIrBefore(op);
  V x = mlirOperationGetOperand(op, 0);
  return narrowWidth(to) ? xlaIrCast(&ir, "spirv.UConvert", x, to) : (V){NULL};
}

MlirLogicalResult xlaVulkanWidenIntegers(MlirOperation root) {
  if (mlirLogicalResultIsFailure(xlaVulkanRewriteAll(root, widenOp, NULL)))
    return mlirLogicalResultFailure();
  return xlaVulkanRewriteAll(root, seal, NULL);
}

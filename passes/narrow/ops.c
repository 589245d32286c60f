//===- ops.c - Operations on narrow types ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/literal.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/narrow/narrow.h"
#include "xlac/passes/retype.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

/// Digits of f32.
enum { f32Digits = 24 };

static MlirType operandType(MlirOperation op, intptr_t i) {
  return mlirValueGetType(mlirOperationGetOperand(op, i));
}

static MlirType resultType(MlirOperation op) {
  return mlirValueGetType(mlirOperationGetResult(op, 0));
}

static XlaElementType elementOf(MlirType array) {
  return xlaElementTypeFromMlir(xlaIrElementType(array));
}

static bool isNarrowFloat(MlirType type) {
  return xlaTypeIsNarrow(type) && xlaElementTypeIsFloat(elementOf(type));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static MlirValue leafOf(const XlaFlatten *r, MlirOperation op, intptr_t i) {
  return xlaFlattenLeavesOf(r, mlirOperationGetOperand(op, i))->values[0];
}

/// A leaf of `type` as what computes takes it.
static MlirValue compute(XlaIr *ir, MlirType type, MlirValue leaf) {
  bool isStored = xlaArrayShape(leaf).elementType == XlaElementTypeU8;
  return isNarrowFloat(type) && isStored
             ? xlaNarrowDecode(ir, elementOf(type), leaf)
             : leaf;
}

/// A leaf of `type` as bits.
static MlirValue store(XlaIr *ir, MlirType type, MlirValue leaf) {
  bool isStored = xlaArrayShape(leaf).elementType == XlaElementTypeU8;
  return isNarrowFloat(type) && !isStored
             ? xlaNarrowEncode(ir, elementOf(type), leaf)
             : leaf;
}

static MlirLogicalResult bind(XlaFlatten *r, MlirOperation op,
                              MlirValue value) {
  return xlaFlattenBindResults(r, op, &value);
}

/// Binds a result of bits as a leaf.
static MlirLogicalResult bindStored(XlaFlatten *r, MlirOperation op, XlaIr *ir,
                                    MlirValue bits) {
  MlirType type = resultType(op);
  return bind(r, op, r->computes ? compute(ir, type, bits) : bits);
}

/// The elements of a constant as bytes or, in computations, values.
static XlaLiteral *read(const XlaFlatten *r, const XlaLiteral *constant) {
  XlaShape shape = *xlaLiteralGetShape(constant);
  bool isFloat = xlaElementTypeIsFloat(shape.elementType);
  shape.elementType = r->computes ? xlaNarrowComputed(shape.elementType)
                                  : xlaNarrowStored(shape.elementType);
  XlaLiteral *made = xlaLiteralCreateArray(&shape);
  if (made && isFloat && !r->computes)
    memcpy(xlaLiteralGetMutableData(made), xlaLiteralGetData(constant),
           xlaLiteralGetByteCount(made));
  else if (made)
    for (int64_t i = 0; i < xlaLiteralGetElementCount(made); ++i)
      xlaLiteralSet(made, i, xlaLiteralGet(constant, i));
  return made;
}

static MlirLogicalResult emitConstant(XlaFlatten *r, MlirOperation op,
                                      XlaIr *ir) {
  bool isSplat;
  XlaLiteral *constant = xlaRetypeReadConstant(op, &isSplat);
  XlaLiteral *made = constant ? read(r, constant) : NULL;
  MlirAttribute value =
      made ? xlaLiteralToAttribute(made, ir->context) : mlirAttributeGetNull();
  xlaLiteralRelease(constant);
  xlaLiteralRelease(made);
  return mlirAttributeIsNull(value)
             ? xlaOpNoMemory(op)
             : bind(r, op, xlaRetypeConstant(ir, op, value, isSplat));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Integers beyond 24 bits, and f64, would be rounded twice.
static MlirValue toFloat(XlaIr *ir, XlaElementType to, MlirValue x) {
  XlaElementType type = xlaArrayShape(x).elementType;
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(to);
  bool isWide = type == XlaElementTypeF64 ||
                (xlaElementTypeIsInteger(type) &&
                 xlaElementTypeGetInfo(type)->bits > f32Digits &&
                 info->flavor == XlaFloatFlavorE8m0);
  return xlaNarrowEncode(ir, to,
                         isWide ? xlaNarrowRoundToOdd(ir, x)
                                : xlaArrayConvert(ir, x, XlaElementTypeF32));
}

/// Floats saturate, integers wrap.
static MlirValue toInteger(XlaIr *ir, XlaElementType to, MlirValue x) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(to);
  bool isFloat = xlaElementTypeIsFloat(xlaArrayShape(x).elementType);
  MlirValue wide = xlaArrayConvert(ir, x, xlaNarrowStored(to));
  if (!isFloat)
    return xlaNarrowWrap(ir, to, wide);
  bool isSigned = info->typeClass == XlaTypeClassSigned;
  int64_t end = INT64_C(1) << (info->bits - isSigned);
  MlirValue most = xlaArrayInteger(ir, wide, (uint64_t)(end - 1));
  MlirValue least = xlaArrayInteger(ir, wide, isSigned ? (uint64_t)-end : 0);
  return xlaIrBinary(ir, "xla.minimum",
                     xlaIrBinary(ir, "xla.maximum", wide, least), most);
}

static MlirLogicalResult emitConvert(XlaFlatten *r, MlirOperation op,
                                     XlaIr *ir) {
  MlirType type = resultType(op);
  XlaElementType to = elementOf(type);
  MlirValue x = compute(ir, operandType(op, 0), leafOf(r, op, 0));
  if (!xlaTypeIsNarrow(type))
    return bind(r, op, xlaArrayConvert(ir, x, to));
  return xlaElementTypeIsFloat(to) ? bindStored(r, op, ir, toFloat(ir, to, x))
                                   : bind(r, op, toInteger(ir, to, x));
}

static MlirLogicalResult emitBitcastConvert(XlaFlatten *r, MlirOperation op,
                                            XlaIr *ir) {
  MlirType from = operandType(op, 0);
  XlaShape result;
  MlirValue made;
  xlaShapeFromMlir(resultType(op), &result, NULL);
  if (!xlaNarrowBitcastConvert(ir, store(ir, from, leafOf(r, op, 0)),
                               elementOf(from), &result, &made))
    return xlaOpUnsupported(op, NULL,
                            "is not supported yet for arrays of %s in more "
                            "than %d dimensions",
                            XLA_TYPE_TEXT(xlaIrElementType(from)),
                            XLA_MAX_RANK - 2);
  return bindStored(r, op, ir, made);
}

/// Between elements and the bytes that they are stored as, whose upper bits may
/// be anything.
static MlirLogicalResult emitBitcast(XlaFlatten *r, MlirOperation op,
                                     XlaIr *ir) {
  MlirType from = operandType(op, 0), to = resultType(op);
  MlirValue x = leafOf(r, op, 0);
  if (xlaTypeIsNarrow(from))
    return bind(r, op, store(ir, from, x));
  return bindStored(r, op, ir, xlaNarrowLowerBits(ir, elementOf(to), x));
}

static MlirLogicalResult emitReducePrecision(XlaFlatten *r, MlirOperation op,
                                             XlaIr *ir) {
  MlirType type = resultType(op);
  return bindStored(r, op, ir,
                    xlaNarrowReducePrecision(
                        ir, elementOf(type), store(ir, type, leafOf(r, op, 0)),
                        xlaOpGetI64(op, "exponent_bits", 0),
                        xlaOpGetI64(op, "mantissa_bits", 0)));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Every narrow float is one of bf16.
static MlirValue factor(XlaIr *ir, MlirType type, MlirType other,
                        MlirValue leaf) {
  MlirValue x = compute(ir, type, leaf);
  bool isSmall = isNarrowFloat(other) || elementOf(other) == XlaElementTypeBF16;
  return isNarrowFloat(type) && isSmall
             ? xlaArrayConvert(ir, x, XlaElementTypeBF16)
             : x;
}

static MlirLogicalResult emitProduct(XlaFlatten *r, MlirOperation op,
                                     XlaIr *ir) {
  MlirType a = operandType(op, 0), b = operandType(op, 1);
  MlirType type = resultType(op), wide = type;
  XlaElementType element = elementOf(type);
  MlirValue operands[2] = {factor(ir, a, b, leafOf(r, op, 0)),
                           factor(ir, b, a, leafOf(r, op, 1))};
  if (isNarrowFloat(type))
    wide = xlaNarrowWith(type, XlaElementTypeF32);
  else if (xlaTypeIsNarrow(type))
    wide = xlaNarrowWith(type, xlaNarrowStored(element) == XlaElementTypeS8
                                   ? XlaElementTypeS32
                                   : XlaElementTypeU32);
  MlirValue sum =
      mlirOperationGetResult(xlaFlattenCopy(op, ir, 2, operands, 1, &wide), 0);
  if (!xlaTypeIsNarrow(type))
    return bind(r, op, sum);
  return isNarrowFloat(type)
             ? bindStored(r, op, ir, xlaNarrowEncode(ir, element, sum))
             : bind(r, op, toInteger(ir, element, sum));
}

//===----------------------------------------------------------------------===//
// All others
//===----------------------------------------------------------------------===//

/// What values were mapped to before they were decoded.
typedef struct Decoded {
  struct Decoded *previous;
  MlirValue value;
  const XlaLeaves *leaves;
} Decoded;

typedef struct Decoding {
  XlaFlatten *r;
  XlaIr *ir;
  Decoded *last;
  bool failed;
} Decoding;

static void decode(Decoding *d, MlirOperation op, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  const XlaLeaves *leaves = xlaFlattenLeavesOf(d->r, value);
  if (!isNarrowFloat(type) || !leaves)
    return; // or defined inside
  MlirValue decoded = compute(d->ir, type, leaves->values[0]);
  if (mlirValueEqual(decoded, leaves->values[0]))
    return;
  Decoded *entry = malloc(sizeof *entry);
  if (!entry) {
    xlaOpNoMemory(op);
    d->failed = true;
    return;
  }
  *entry = (Decoded){d->last, value, leaves};
  d->last = entry;
  d->failed |= failed(xlaFlattenBind(d->r, op, value, 1, &decoded));
}

static MlirWalkResult decodeOperands(MlirOperation op, void *user) {
  Decoding *d = user;
  for (intptr_t i = 0; !d->failed && i < mlirOperationGetNumOperands(op); ++i)
    decode(d, op, mlirOperationGetOperand(op, i));
  return d->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static void restore(Decoding *d) {
  while (d->last) {
    Decoded *previous = d->last->previous;
    // It replaces an entry, for which there is room.
    xlaPointerMapSet(&d->r->leaves, d->last->value.ptr,
                     (intptr_t)d->last->leaves);
    free(d->last);
    d->last = previous;
  }
}

/// Whether results of `op` on integers in range are in range.
static bool staysInRange(MlirOperation op) {
  static const bool stays[XlaOpKindCount] = {
      [XlaOpKindAnd] = true,     [XlaOpKindOr] = true,
      [XlaOpKindXor] = true,     [XlaOpKindMaximum] = true,
      [XlaOpKindMinimum] = true, [XlaOpKindClamp] = true,
      [XlaOpKindSign] = true,    [XlaOpKindRemainder] = true,
      [XlaOpKindSort] = true,    [XlaOpKindTopK] = true,
  };
  return stays[xlaOpGetKind(op)];
}

/// Whether `op` is all that a computation does, and may be wrapped after it:
/// of sums and products of 8 bits the lower ones are right.
static bool isWrappedLater(const XlaFlatten *r, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  XlaOpKind kind = xlaOpGetKind(op);
  return r->computes && (kind == XlaOpKindAdd || kind == XlaOpKindMultiply) &&
         mlirOperationEqual(mlirBlockGetFirstOperation(block), op) &&
         mlirOperationEqual(mlirOperationGetNextInBlock(op),
                            mlirBlockGetTerminator(block));
}

/// Of powers of two these are positive: 0 stands for what f32 has no number
/// for, the least of which does as well. A sum that is 0 is.
static bool neverGivesZero(XlaOpKind kind) {
  return kind == XlaOpKindMultiply || kind == XlaOpKindDivide ||
         kind == XlaOpKindAtan2;
}

static MlirValue withoutZero(XlaIr *ir, MlirValue floats) {
  MlirValue bits =
      xlaArrayCast(ir, "xla.bitcast_convert", floats, XlaElementTypeU32);
  bits = xlaIrBinary(ir, "xla.maximum", bits, xlaArrayInteger(ir, bits, 1));
  return xlaArrayCast(ir, "xla.bitcast_convert", bits, XlaElementTypeF32);
}

/// What was computed as a leaf of `type`.
static MlirValue finish(const XlaFlatten *r, MlirOperation op, XlaIr *ir,
                        MlirType type, MlirValue computed) {
  XlaElementType element = elementOf(type);
  if (element == XlaElementTypeF8E8M0FNU && neverGivesZero(xlaOpGetKind(op)))
    computed = withoutZero(ir, computed);
  if (xlaElementTypeIsFloat(element))
    return r->computes ? computed : xlaNarrowEncode(ir, element, computed);
  return staysInRange(op) || isWrappedLater(r, op)
             ? computed
             : xlaNarrowWrap(ir, element, computed);
}

/// The operation on values that devices compute with.
static MlirLogicalResult emitComputed(XlaFlatten *r, MlirOperation op,
                                      XlaIr *ir) {
  Decoding d = {.r = r, .ir = ir};
  bool computes = r->computes;
  mlirOperationWalk(op, decodeOperands, &d, MlirWalkPreOrder);
  r->computes = true;
  MlirLogicalResult result =
      d.failed ? mlirLogicalResultFailure() : xlaFlattenEmitSame(r, op, ir);
  r->computes = computes;
  restore(&d);
  for (intptr_t i = 0; !failed(result) && i < mlirOperationGetNumResults(op);
       ++i) {
    MlirValue old = mlirOperationGetResult(op, i);
    MlirType type = mlirValueGetType(old);
    MlirValue made = xlaFlattenLeavesOf(r, old)->values[0];
    if (!xlaTypeIsNarrow(type))
      continue;
    made = finish(r, op, ir, type, made);
    result = xlaFlattenBind(r, op, old, 1, &made);
  }
  return result;
}

static MlirLogicalResult emitBitwise(XlaFlatten *r, MlirOperation op, XlaIr *ir,
                                     bool *isDone) {
  MlirValue operands[2] = {{NULL}};
  MlirType type = resultType(op);
  for (intptr_t i = 0; i < 2 && i < mlirOperationGetNumOperands(op); ++i)
    operands[i] = leafOf(r, op, i);
  MlirValue made =
      xlaTypeIsNarrow(type)
          ? xlaNarrowBitwise(ir, xlaOpGetKind(op), elementOf(type), operands)
          : (MlirValue){NULL};
  *isDone = made.ptr;
  return made.ptr ? bind(r, op, xlaNarrowWrap(ir, elementOf(type), made))
                  : success();
}

/// Random bits are the lower ones of more.
static MlirLogicalResult emitBits(XlaFlatten *r, MlirOperation op, XlaIr *ir) {
  MlirType bits = mlirValueGetType(mlirOperationGetResult(op, 1));
  XlaElementType element = elementOf(bits);
  MlirValue state = leafOf(r, op, 0);
  MlirType types[2] = {mlirValueGetType(state),
                       xlaNarrowWith(bits, xlaNarrowStored(element))};
  MlirOperation made = xlaFlattenCopy(op, ir, 1, &state, 2, types);
  MlirValue values[2] = {
      mlirOperationGetResult(made, 0),
      xlaNarrowWrap(ir, element, mlirOperationGetResult(made, 1))};
  return xlaFlattenBindResults(r, op, values);
}

bool xlaNarrowIsWritten(MlirOperation op) {
  static const bool passOn[XlaFamilyCount] = {
      [XlaFamilyAlias] = true,        [XlaFamilyMovement] = true,
      [XlaFamilyDynamicSlice] = true, [XlaFamilyDimensionSize] = true,
      [XlaFamilyGather] = true,       [XlaFamilyControlFlow] = true,
      [XlaFamilyTuple] = true,
  };
  XlaOpKind kind = xlaOpGetKind(op);
  return !passOn[xlaOpGetInfo(kind)->family] && kind != XlaOpKindSelect &&
         kind != XlaOpKindOptimizationBarrier && kind != XlaOpKindReturn &&
         xlaRetypeTouches(op, xlaTypeIsNarrow);
}

MlirLogicalResult xlaNarrowEmit(XlaFlatten *r, MlirOperation op, XlaIr *ir) {
  XlaOpKind kind = xlaOpGetKind(op);
  XlaFamily family = xlaOpGetInfo(kind)->family;
  bool isDone = false;
  if (kind == XlaOpKindConstant)
    return emitConstant(r, op, ir);
  if (kind == XlaOpKindConvert)
    return emitConvert(r, op, ir);
  if (kind == XlaOpKindBitcastConvert)
    return emitBitcastConvert(r, op, ir);
  if (kind == XlaOpKindBitcast)
    return emitBitcast(r, op, ir);
  if (kind == XlaOpKindReducePrecision)
    return emitReducePrecision(r, op, ir);
  if (kind == XlaOpKindDotGeneral || kind == XlaOpKindConvolution)
    return emitProduct(r, op, ir);
  if (kind == XlaOpKindRngBitGenerator)
    return emitBits(r, op, ir);
  if (family == XlaFamilyCall || family == XlaFamilyCollective ||
      family == XlaFamilyTransfer || family == XlaFamilyRandom)
    return xlaRetypeKeep(r, op, ir);
  if (family == XlaFamilyElementwise && failed(emitBitwise(r, op, ir, &isDone)))
    return failure();
  return isDone ? success() : emitComputed(r, op, ir);
}

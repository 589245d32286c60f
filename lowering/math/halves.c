//===- halves.c - f16 and bf16 carried as integers ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/math/halves.h"
#include "xlac/dialect/error.h"
#include "xlac/lowering/math/ops.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The element type of scalars, vectors, tensors, and memrefs of any of them.
static MlirType scalarOf(MlirType type) {
  while (mlirTypeIsAShaped(type))
    type = mlirShapedTypeGetElementType(type);
  return type;
}

static bool isCarried(XlaHalves options, MlirType type) {
  MlirType scalar = scalarOf(type);
  return mlirTypeIsABF16(scalar) ||
         (mlirTypeIsAF16(scalar) && !options.keepsF16);
}

/// `type` with `element` in place of its scalars' type.
static MlirType withScalar(MlirType type, MlirType element) {
  if (!mlirTypeIsAMemRef(type))
    return xlaIrWithElement(type, element);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t sizes[64];
  for (intptr_t i = 0; i < rank; ++i)
    sizes[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirMemRefTypeGet(
      withScalar(mlirShapedTypeGetElementType(type), element), rank, sizes,
      mlirMemRefTypeGetLayout(type), mlirMemRefTypeGetMemorySpace(type));
}

static MlirType carrierOf(MlirType type) {
  return withScalar(type, mlirIntegerTypeGet(mlirTypeGetContext(type), 16));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static XlaMath mathFor(const XlaIr *ir, XlaHalves options, MlirType like) {
  return (XlaMath){.ir = *ir,
                   .type = withScalar(like, mlirF32TypeGet(ir->context)),
                   .bits =
                       withScalar(like, mlirIntegerTypeGet(ir->context, 32)),
                   .isShader = options.isShader};
}

/// A half as f32: its bits are read from the i16 that will carry it.
static V extend(XlaIr *ir, XlaHalves options, V x) {
  MlirType half = mlirValueGetType(x);
  XlaMath m = mathFor(ir, options, half);
  V bits = xlaIrCast(&m.ir, "arith.bitcast", x, carrierOf(half));
  bits = xlaIrCast(&m.ir, "arith.extui", bits, m.bits);
  return mlirTypeIsABF16(scalarOf(half)) ? xlaMathFromBF16(&m, bits)
                                         : xlaMathFromF16(&m, bits);
}

static V truncate(XlaIr *ir, XlaHalves options, V x, MlirType half) {
  XlaMath m = mathFor(ir, options, half);
  V bits = mlirTypeIsABF16(scalarOf(half)) ? xlaMathToBF16(&m, x)
                                           : xlaMathToF16(&m, x);
  bits = xlaIrCast(&m.ir, "arith.trunci", bits, carrierOf(half));
  return xlaIrCast(&m.ir, "arith.bitcast", bits, half);
}

/// What is rewritten, and whether that failed.
typedef struct Rewrite {
  XlaHalves options;
  bool failed;
} Rewrite;

static V fail(Rewrite *r, MlirOperation op, const char *why) {
  xlaErrorEmit(mlirOperationGetLocation(op), XLA_STATUS_INTERNAL, "%s", why);
  r->failed = true;
  return (V){NULL};
}

static V convert(Rewrite *r, MlirOperation op, bool up) {
  XlaIr ir = xlaIrBefore(op);
  V x = mlirOperationGetOperand(op, 0);
  MlirType from = mlirValueGetType(x);
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!isCarried(r->options, up ? from : to))
    return (V){NULL};
  if (up) {
    V wide = extend(&ir, r->options, x);
    return mlirTypeIsAF64(scalarOf(to)) ? xlaIrCast(&ir, "arith.extf", wide, to)
                                        : wide;
  }
  if (mlirTypeIsAF64(scalarOf(from)))
    return fail(r, op, "f64 is rounded to 16 bits by way of f32");
  if (mlirTypeIsAF16(scalarOf(from)))
    x = xlaIrCast(&ir, "arith.extf", x,
                  withScalar(from, mlirF32TypeGet(ir.context)));
  return truncate(&ir, r->options, x, to);
}

static bool isIn(MlirOperation op, const char *dialect) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  size_t length = strlen(dialect);
  return name.length > length && name.data[length] == '.' &&
         !memcmp(name.data, dialect, length);
}

static bool isAny(MlirOperation op, const char *const *names) {
  while (*names && !xlaIrIsOp(op, *names))
    ++names;
  return *names != NULL;
}

static bool usesCarried(const Rewrite *r, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (isCarried(r->options, mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (isCarried(r->options, mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

/// Whether `op` moves values, so that their types alone change.
static bool isMovement(MlirOperation op) {
  static const char *const moving[] = {"arith.select", "arith.bitcast",
                                       "arith.constant", NULL};
  static const char *const computing[] = {
      "vector.fma",          "vector.reduction",    "vector.multi_reduction",
      "vector.outerproduct", "vector.contract",     "vector.scan",
      "memref.atomic_rmw",   "memref.atomic_yield", NULL};
  if (isIn(op, "arith") || isIn(op, "math"))
    return isAny(op, moving);
  return !isAny(op, computing);
}

/// arith and math on halves are done in f32, and rounded.
static V compute(Rewrite *r, MlirOperation op) {
  if (!usesCarried(r, op) || isMovement(op))
    return (V){NULL};
  if (mlirOperationGetNumResults(op) != 1 || isIn(op, "memref"))
    return fail(r, op, "arithmetic on f16 or bf16 is not lowered here");
  XlaIr ir = xlaIrBefore(op);
  MlirOperation wide = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    V x = mlirOperationGetOperand(op, i);
    if (isCarried(r->options, mlirValueGetType(x)))
      mlirOperationSetOperand(wide, i, extend(&ir, r->options, x));
  }
  mlirBlockInsertOwnedOperationBefore(ir.block, op, wide);
  V result = mlirOperationGetResult(wide, 0);
  MlirType half = mlirValueGetType(result);
  if (!isCarried(r->options, half))
    return result;
  mlirValueSetType(result, withScalar(half, mlirF32TypeGet(ir.context)));
  return truncate(&ir, r->options, result, half);
}

static V expand(Rewrite *r, MlirOperation op) {
  if (xlaIrIsOp(op, "arith.extf"))
    return convert(r, op, true);
  return xlaIrIsOp(op, "arith.truncf") ? convert(r, op, false) : compute(r, op);
}

//===----------------------------------------------------------------------===//
// Values and attributes
//===----------------------------------------------------------------------===//

/// The same bits as an attribute of the carrier.
static MlirAttribute carriedConstant(MlirAttribute value, MlirType type) {
  MlirType i16 = carrierOf(type);
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
  return isScalar ? mlirElementsAttrGetValue(value, 0, NULL) : value;
}

static MlirType carriedType(const Rewrite *r, MlirType type) {
  if (!mlirTypeIsAFunction(type))
    return isCarried(r->options, type) ? carrierOf(type) : type;
  intptr_t n = mlirFunctionTypeGetNumInputs(type);
  intptr_t nResults = mlirFunctionTypeGetNumResults(type);
  MlirType *types = malloc(((size_t)(n + nResults) + 1) * sizeof *types);
  if (!types)
    return (MlirType){NULL};
  for (intptr_t i = 0; i < n + nResults; ++i)
    types[i] = carriedType(r, i < n ? mlirFunctionTypeGetInput(type, i)
                                    : mlirFunctionTypeGetResult(type, i - n));
  type = mlirFunctionTypeGet(mlirTypeGetContext(type), n, types, nResults,
                             types + n);
  free(types);
  return type;
}

/// The same with the carrier in place of halves; null without memory.
static MlirAttribute carriedAttribute(const Rewrite *r, MlirAttribute value) {
  if (mlirAttributeIsAType(value)) {
    MlirType type = carriedType(r, mlirTypeAttrGetValue(value));
    return mlirTypeIsNull(type) ? mlirAttributeGetNull()
                                : mlirTypeAttrGet(type);
  }
  bool isConstant =
      mlirAttributeIsADenseElements(value) || mlirAttributeIsAFloat(value);
  MlirType type = isConstant ? mlirAttributeGetType(value) : (MlirType){NULL};
  return isConstant && isCarried(r->options, type)
             ? carriedConstant(value, type)
             : value;
}

/// Types, and constants of such types: of arith.constant, functions,
/// memref.global and llvm.getelementptr.
static void carryAttributes(Rewrite *r, MlirOperation op) {
  static const char *const names[] = {"value", "function_type", "type",
                                      "initial_value", "elem_type"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    MlirStringRef name = mlirStringRefCreateFromCString(names[i]);
    MlirAttribute value = mlirOperationGetAttributeByName(op, name);
    if (mlirAttributeIsNull(value))
      continue;
    MlirAttribute to = carriedAttribute(r, value);
    if (mlirAttributeIsNull(to)) {
      xlaErrorNoMemory(mlirOperationGetLocation(op));
      r->failed = true;
    } else if (!mlirAttributeEqual(to, value)) {
      mlirOperationSetAttributeByName(op, name, to);
    }
  }
}

static void carryValue(const Rewrite *r, V value) {
  MlirType type = mlirValueGetType(value);
  if (isCarried(r->options, type))
    mlirValueSetType(value, carrierOf(type));
}

/// An instruction's operands have its own types.
static void keepOperands(const Rewrite *r, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    V x = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(x);
    if (!isCarried(r->options, type))
      continue;
    // A name that the second step does not change.
    XlaIr ir = xlaIrBefore(op);
    mlirOperationSetOperand(
        op, i,
        xlaIrCast(&ir, "llvm.bitcast",
                  xlaIrCast(&ir, "arith.bitcast", x, carrierOf(type)), type));
  }
}

/// Gives the value that replaces a bitcast between equal types.
static V carry(Rewrite *r, MlirOperation op) {
  if (xlaIrIsOp(op, "llvm.bitcast") || xlaIrIsOp(op, "llvm.call_intrinsic"))
    return (V){NULL};
  carryAttributes(r, op);
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
         block.ptr; block = mlirBlockGetNextInRegion(block))
      for (intptr_t j = 0; j < mlirBlockGetNumArguments(block); ++j)
        carryValue(r, mlirBlockGetArgument(block, j));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    carryValue(r, mlirOperationGetResult(op, i));
  if (!xlaIrIsOp(op, "arith.bitcast"))
    return (V){NULL};
  V x = mlirOperationGetOperand(op, 0);
  bool same = mlirTypeEqual(mlirValueGetType(x),
                            mlirValueGetType(mlirOperationGetResult(op, 0)));
  return same ? x : (V){NULL};
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

static V keep(Rewrite *r, MlirOperation op) {
  if (xlaIrIsOp(op, "llvm.call_intrinsic"))
    keepOperands(r, op);
  return (V){NULL};
}

/// Calls `rewrite` for every op, and replaces those that it gives a value for.
static void rewriteAll(Rewrite *r, MlirOperation root,
                       V (*rewrite)(Rewrite *r, MlirOperation op)) {
  XlaIrOps ops = xlaIrCollect(root, MlirWalkPreOrder, NULL);
  if (ops.failed)
    xlaErrorNoMemory(mlirOperationGetLocation(root));
  r->failed |= ops.failed;
  for (intptr_t i = 0; i < ops.n && !r->failed; ++i) {
    V value = rewrite(r, ops.ops[i]);
    if (!value.ptr || r->failed)
      continue;
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(ops.ops[i], 0), value);
    mlirOperationDestroy(ops.ops[i]);
  }
  free(ops.ops);
}

/// Whether a type of `op` has halves, addresses and globals included.
static bool namesCarried(const Rewrite *r, MlirOperation op) {
  static const char *const names[] = {"type", "elem_type"};
  bool found = false;
  for (size_t i = 0; i < sizeof names / sizeof *names && !found; ++i) {
    MlirAttribute type = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString(names[i]));
    found = !mlirAttributeIsNull(type) && mlirAttributeIsAType(type) &&
            isCarried(r->options, mlirTypeAttrGetValue(type));
  }
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op) && !found; ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    for (; block.ptr && !found; block = mlirBlockGetNextInRegion(block))
      for (intptr_t j = 0; j < mlirBlockGetNumArguments(block); ++j)
        found |= isCarried(r->options,
                           mlirValueGetType(mlirBlockGetArgument(block, j)));
  }
  return found;
}

static MlirWalkResult find(MlirOperation op, void *user) {
  Rewrite *r = user;
  r->failed = usesCarried(r, op) || namesCarried(r, op);
  return r->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

MlirLogicalResult xlaCarryHalves(MlirOperation root, XlaHalves options) {
  Rewrite r = {.options = options};
  // Most programs have none.
  mlirOperationWalk(root, find, &r, MlirWalkPreOrder);
  if (!r.failed)
    return mlirLogicalResultSuccess();
  r.failed = false;
  rewriteAll(&r, root, expand);
  if (!r.failed && !options.isShader)
    rewriteAll(&r, root, keep);
  if (!r.failed)
    rewriteAll(&r, root, carry);
  return r.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

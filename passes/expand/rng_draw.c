//===- rng_draw.c - Random numbers as functions of a counter --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// xla.rng_uniform and rng_normal take blocks of a stream in the order in which
// they run. Here the number of blocks taken becomes a value that goes through
// the function, its loops and branches; the bits are those of
// xla.rng_bit_generator at that place.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/random.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/formula.h"
#include "xlac/passes/expand/isolate.h"
#include "xlac/passes/expand/rng.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

static MlirType typeOf(XlaIr *ir, const XlaShape *shape,
                       XlaElementType element) {
  XlaShape other = *shape;
  other.elementType = element;
  return xlaShapeToMlir(&other, ir->context);
}

static MlirValue cast(XlaIr *ir, const char *name, MlirValue value,
                      XlaElementType element) {
  XlaShape shape;
  xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL);
  return shape.elementType == element
             ? value
             : xlaIrCast(ir, name, value, typeOf(ir, &shape, element));
}

static MlirValue convert(XlaIr *ir, MlirValue value, XlaElementType element) {
  return cast(ir, "xla.convert", value, element);
}

static MlirValue constant(XlaIr *ir, const XlaShape *shape, uint64_t value) {
  MlirType type = typeOf(ir, shape, XlaElementTypeU64);
  MlirAttribute splat = mlirDenseElementsAttrSplatGet(
      type,
      mlirIntegerAttrGet(mlirShapedTypeGetElementType(type), (int64_t)value));
  return xlaIrOp(ir, "xla.constant", type, 0, NULL, 1,
                 &(XlaIrAttr){"value", splat});
}

static MlirValue broadcast(XlaIr *ir, MlirValue scalar, const XlaShape *shape) {
  XlaShape from;
  xlaShapeFromMlir(mlirValueGetType(scalar), &from, NULL);
  return xlaIrOp(ir, "xla.broadcast_in_dim",
                 typeOf(ir, shape, from.elementType), 1, &scalar, 1,
                 &(XlaIrAttr){"broadcast_dimensions",
                              mlirDenseI64ArrayGet(ir->context, 0, NULL)});
}

static MlirValue shiftRight(XlaIr *ir, MlirValue words, uint64_t distance) {
  XlaShape shape;
  xlaShapeFromMlir(mlirValueGetType(words), &shape, NULL);
  return xlaIrBinary(ir, "xla.shift_right_logical", words,
                     constant(ir, &shape, distance));
}

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

/// xla.rng_uniform or rng_normal, over a vector of its elements.
typedef struct Draw {
  XlaIr ir;
  XlaOpKind kind;
  MlirValue parameters[2]; // scalars
  XlaShape result, vector;
  XlaElementType wide; // that floats are computed in
} Draw;

/// `n` words of the stream from block `counter`.
static MlirValue makeWords(Draw *d, uint64_t seed, MlirValue counter,
                           int64_t n) {
  XlaIr *ir = &d->ir;
  XlaShape one = {.rank = 1, .dims = {1}}, three = {.rank = 1, .dims = {3}};
  XlaShape words = {.rank = 1, .dims = {n}};
  MlirValue parts[3] = {constant(ir, &one, seed),
                        xlaIrCast(ir, "xla.reshape", counter,
                                  typeOf(ir, &one, XlaElementTypeU64)),
                        constant(ir, &one, 0)};
  MlirType types[2] = {typeOf(ir, &three, XlaElementTypeU64),
                       typeOf(ir, &words, XlaElementTypeU64)};
  MlirValue state =
      xlaIrOp(ir, "xla.concatenate", types[0], 3, parts, 1,
              &(XlaIrAttr){"dimension", xlaIrI64Attr(ir->context, 0)});
  MlirOperation generator = xlaIrCreate(
      ir, "xla.rng_bit_generator", 1, &state, 2, types, 1,
      &(XlaIrAttr){"rng_algorithm", xlaIrStringAttr(ir->context, "PHILOX")}, 0,
      NULL);
  return mlirOperationGetResult(generator, 1);
}

/// Words `from` up to `to` of a vector.
static MlirValue part(Draw *d, MlirValue words, int64_t from, int64_t to) {
  XlaIr *ir = &d->ir;
  XlaShape shape = {.rank = 1, .dims = {to - from}};
  XlaIrAttr attrs[] = {
      {"start_indices", mlirDenseI64ArrayGet(ir->context, 1, &from)},
      {"limit_indices", mlirDenseI64ArrayGet(ir->context, 1, &to)}};
  return xlaIrOp(ir, "xla.slice", typeOf(ir, &shape, XlaElementTypeU64), 1,
                 &words, 2, attrs);
}

/// A formula in `element` over the elements.
static MlirValue compute(Draw *d, XlaElementType element, const char *text,
                         int n, const MlirValue *inputs) {
  XlaShape shape = d->vector;
  MlirValue result;
  shape.elementType = element;
  xlaFormulaBuild(&d->ir, &shape, text, n, inputs, 1, &result);
  return result;
}

/// The upper bits of words of 64 or 32 bits as numbers in [0, 1).
static MlirValue fraction(Draw *d, MlirValue words) {
  XlaIr *ir = &d->ir;
  bool f64 = d->wide == XlaElementTypeF64;
  if (!f64) {
    // Shifted as 64 bits, so that the lower half alone remains.
    words = convert(ir, words, XlaElementTypeU32);
    words = shiftRight(ir, convert(ir, words, XlaElementTypeU64), 8);
    words = convert(ir, words, XlaElementTypeU32);
  } else {
    words = shiftRight(ir, words, 11);
  }
  MlirValue number = convert(ir, words, d->wide);
  return compute(d, d->wide,
                 f64 ? "x 1.1102230246251565e-16 multiply"
                     : "x 5.9604644775390625e-8 multiply",
                 1, &number);
}

static MlirValue drawUniformFloat(Draw *d, MlirValue words) {
  XlaIr *ir = &d->ir;
  MlirValue narrow[2], inputs[3] = {fraction(d, words)};
  for (int i = 0; i < 2; ++i) {
    narrow[i] = broadcast(ir, d->parameters[i], &d->vector);
    inputs[i + 1] = convert(ir, narrow[i], d->wide);
  }
  MlirValue number = compute(
      d, d->wide, "1 x subtract y multiply z x multiply add", 3, inputs);
  number = convert(ir, number, d->result.elementType);
  MlirValue clamped[3] = {number, narrow[0], narrow[1]};
  return compute(d, d->result.elementType, "x y maximum =r z r le y r select",
                 3, clamped);
}

/// The bits of a number of 64 bits that has the value of `x`.
static MlirValue extend(XlaIr *ir, MlirValue x, bool isSigned) {
  if (!isSigned)
    return convert(ir, x, XlaElementTypeU64);
  return cast(ir, "xla.bitcast_convert", convert(ir, x, XlaElementTypeS64),
              XlaElementTypeU64);
}

static MlirValue drawUniformInteger(Draw *d, MlirValue words) {
  XlaIr *ir = &d->ir;
  XlaTypeClass class = xlaElementTypeGetInfo(d->result.elementType)->typeClass;
  MlirValue a = d->parameters[0], b = d->parameters[1];
  MlirValue least = broadcast(ir, a, &d->vector);
  if (class == XlaTypeClassPred)
    return least;
  bool isSigned = class == XlaTypeClassSigned;
  MlirValue range = xlaIrBinary(ir, "xla.subtract", extend(ir, b, isSigned),
                                extend(ir, a, isSigned));
  MlirValue rest =
      xlaIrBinary(ir, "xla.remainder", words, broadcast(ir, range, &d->vector));
  MlirValue number = xlaIrBinary(
      ir, "xla.add", convert(ir, rest, d->result.elementType), least);
  XlaShape scalar = {.elementType = XlaElementTypePred};
  MlirValue bounds[2] = {a, b};
  MlirValue some = xlaIrOp(
      ir, "xla.compare", xlaShapeToMlir(&scalar, ir->context), 2, bounds, 1,
      &(XlaIrAttr){"comparison_direction", xlaIrStringAttr(ir->context, "LT")});
  MlirValue choices[3] = {broadcast(ir, some, &d->vector), number, least};
  return xlaIrOp(ir, "xla.select", mlirValueGetType(number), 3, choices, 0,
                 NULL);
}

static MlirValue drawNormal(Draw *d, MlirValue words) {
  XlaIr *ir = &d->ir;
  bool f64 = d->wide == XlaElementTypeF64;
  int64_t n = d->vector.dims[0];
  MlirValue first = f64 ? shiftRight(ir, part(d, words, 0, n), 11)
                        : convert(ir, words, XlaElementTypeU32);
  MlirValue second = f64 ? part(d, words, n, 2 * n) : shiftRight(ir, words, 32);
  MlirValue inputs[4] = {convert(ir, first, d->wide), fraction(d, second)};
  for (int i = 0; i < 2; ++i)
    inputs[i + 2] =
        convert(ir, broadcast(ir, d->parameters[i], &d->vector), d->wide);
  return compute(
      d, d->wide,
      f64 ? "x 0.5 add 1.1102230246251565e-16 multiply log -2 multiply sqrt "
            "y 6.283185307179586 multiply cosine multiply v multiply z add"
          : "x 0.5 add 2.3283064365386963e-10 multiply log -2 multiply sqrt "
            "y 6.283185307179586 multiply cosine multiply v multiply z add",
      4, inputs);
}

/// Replaces `op`, unless it is a call, and gives the blocks taken after it.
static MlirValue expandDraw(MlirOperation op, MlirValue counter) {
  if (xlaIsolatedDraws(op)) {
    mlirOperationSetOperand(op, 0, counter);
    return mlirOperationGetResult(op, 0);
  }
  Draw d = {.ir = xlaIrBefore(op), .kind = xlaOpGetKind(op)};
  XlaIr *ir = &d.ir;
  MlirValue old = mlirOperationGetResult(op, 0);
  xlaShapeFromMlir(mlirValueGetType(old), &d.result, NULL);
  d.vector = (XlaShape){.rank = 1};
  xlaShapeGetElementCount(&d.result, &d.vector.dims[0]);
  d.wide = d.result.elementType == XlaElementTypeF64 ? XlaElementTypeF64
                                                     : XlaElementTypeF32;
  for (int i = 0; i < 2; ++i)
    d.parameters[i] = mlirOperationGetOperand(op, i);
  int64_t n = xlaRngWordCount(d.kind, &d.result);
  MlirValue words = makeWords(&d, xlaRngGetSeed(op), counter, n);
  MlirValue numbers = d.kind == XlaOpKindRngNormal ? drawNormal(&d, words)
                      : xlaElementTypeIsFloat(d.result.elementType)
                          ? drawUniformFloat(&d, words)
                          : drawUniformInteger(&d, words);
  numbers =
      xlaIrCast(ir, "xla.reshape", convert(ir, numbers, d.result.elementType),
                mlirValueGetType(old));
  XlaShape scalar = {.rank = 0};
  MlirValue next = xlaIrBinary(ir, "xla.add", counter,
                               constant(ir, &scalar, xlaRngBlockCount(n)));
  mlirValueReplaceAllUsesOfWith(old, numbers);
  mlirOperationDestroy(op);
  return next;
}

//===----------------------------------------------------------------------===//
// The counter's way
//===----------------------------------------------------------------------===//

static MlirWalkResult findDraw(MlirOperation op, void *data) {
  *(bool *)data |= xlaRngIsDraw(op);
  return *(bool *)data ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool containsDraw(MlirOperation op) {
  bool found = false;
  mlirOperationWalk(op, findDraw, &found, MlirWalkPreOrder);
  return found;
}

static MlirLogicalResult threadBlock(MlirBlock block, MlirValue *counter);

/// Ends `block` in a return that has `counter` as another operand.
static MlirLogicalResult addReturned(MlirBlock block, MlirValue counter) {
  MlirOperation old = mlirBlockGetTerminator(block);
  intptr_t n = mlirOperationGetNumOperands(old);
  MlirValue *operands = malloc(((size_t)n + 1) * sizeof *operands);
  if (!operands)
    return xlaOpNoMemory(old);
  for (intptr_t i = 0; i < n; ++i)
    operands[i] = mlirOperationGetOperand(old, i);
  operands[n] = counter;
  XlaIr ir = xlaIrBefore(old);
  xlaIrCreate(&ir, "xla.return", n + 1, operands, 0, NULL, 0, NULL, 0, NULL);
  free(operands);
  mlirOperationDestroy(old);
  return success();
}

/// Makes `op` anew with its regions, the counter as its last result and, of a
/// loop, operand.
static MlirLogicalResult addResult(MlirOperation op, bool loops,
                                   MlirValue *counter) {
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  intptr_t nResults = mlirOperationGetNumResults(op);
  intptr_t nRegions = mlirOperationGetNumRegions(op);
  size_t room = (size_t)(nOperands + nResults + nRegions) + 2;
  MlirValue *operands = malloc(room * sizeof *operands);
  MlirType *types = malloc(room * sizeof *types);
  MlirRegion *regions = malloc(room * sizeof *regions);
  bool enough = operands && types && regions;
  if (enough) {
    for (intptr_t i = 0; i < nOperands; ++i)
      operands[i] = mlirOperationGetOperand(op, i);
    operands[nOperands] = *counter;
    for (intptr_t i = 0; i < nResults; ++i)
      types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
    types[nResults] = mlirValueGetType(*counter);
    for (intptr_t i = 0; i < nRegions; ++i) {
      regions[i] = mlirRegionCreate();
      mlirRegionTakeBody(regions[i], mlirOperationGetRegion(op, i));
    }
    XlaIr ir = xlaIrBefore(op);
    MlirOperation made =
        xlaIrCreate(&ir, loops ? "xla.while" : "xla.case", nOperands + loops,
                    operands, nResults + 1, types, 0, NULL, nRegions, regions);
    for (intptr_t i = 0; i < nResults; ++i)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                    mlirOperationGetResult(made, i));
    *counter = mlirOperationGetResult(made, nResults);
  }
  free(operands);
  free(types);
  free(regions);
  if (!enough)
    return xlaOpNoMemory(op);
  mlirOperationDestroy(op);
  return success();
}

static MlirLogicalResult threadLoop(MlirOperation op, MlirValue *counter) {
  MlirValue inside = {NULL};
  for (intptr_t r = 0; r < 2; ++r)
    inside = mlirBlockAddArgument(
        mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)),
        mlirValueGetType(*counter), mlirOperationGetLocation(op));
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1));
  if (failed(threadBlock(body, &inside)) || failed(addReturned(body, inside)))
    return failure();
  return addResult(op, true, counter);
}

static MlirLogicalResult threadBranches(MlirOperation op, MlirValue *counter) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock branch = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    MlirValue inside = *counter;
    if (failed(threadBlock(branch, &inside)) ||
        failed(addReturned(branch, inside)))
      return failure();
  }
  return addResult(op, false, counter);
}

static MlirLogicalResult threadBlock(MlirBlock block, MlirValue *counter) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    XlaOpKind kind = xlaOpGetKind(op);
    MlirLogicalResult result = success();
    if (xlaRngIsDraw(op))
      *counter = expandDraw(op, *counter);
    else if (!containsDraw(op))
      continue;
    else if (kind == XlaOpKindWhile)
      result = threadLoop(op, counter);
    else if (kind == XlaOpKindCase)
      result = threadBranches(op, counter);
    else
      result = xlaOpError(op, "legal", "draws where legal programs do not");
    if (failed(result))
      return result;
  }
  return success();
}

MlirLogicalResult xlaRngDraw(MlirOperation function) {
  if (!containsDraw(function))
    return success();
  if (failed(xlaRngMoveConditions(function)))
    return failure();
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  XlaIr ir = xlaIrBefore(mlirBlockGetFirstOperation(block));
  XlaShape scalar = {.rank = 0};
  MlirValue counter = constant(&ir, &scalar, 0);
  return threadBlock(block, &counter);
}

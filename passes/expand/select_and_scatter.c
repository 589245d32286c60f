//===- select_and_scatter.c - Gradients of pooling ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which place of its window each source element goes to is found by asking the
// select region place by place, on all windows at once. Then what goes to a
// place, and 0 elsewhere, is spread to where the place lies in the operand and
// added. Places are taken last to first, so that an element gets its sources in
// their order.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/window.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/expand.h"
#include "xlac/passes/flatten.h"

#include "mlir-c/BuiltinAttributes.h"

enum { maxTaps = 64 };

typedef struct Expansion {
  XlaIr *ir;
  MlirOperation op;
  XlaWindow window;
  XlaShape operand, source; // of the operands
  MlirValue padded, valid;  // null if nothing is padded
} Expansion;

static bool isPadded(const XlaWindow *window) {
  for (int d = 0; d < window->rank; ++d)
    if (window->low[d] || window->high[d])
      return true;
  return false;
}

/// The operand and where it is, padded.
static void pad(Expansion *e) {
  int64_t none[XLA_MAX_RANK] = {0};
  XlaElementType type = e->operand.elementType;
  e->padded = mlirOperationGetOperand(e->op, 0);
  if (!isPadded(&e->window))
    return;
  e->padded = xlaArrayPad(e->ir, e->padded, xlaArrayNumber(e->ir, type, 0),
                          e->window.low, e->window.high, none);
  MlirValue all =
      xlaArrayBroadcast(e->ir, xlaArrayNumber(e->ir, XlaElementTypePred, 1),
                        e->operand.rank, e->operand.dims, NULL);
  e->valid =
      xlaArrayPad(e->ir, all, xlaArrayNumber(e->ir, XlaElementTypePred, 0),
                  e->window.low, e->window.high, none);
}

/// Place `index` of all windows.
static MlirValue sliceTap(const Expansion *e, MlirValue array,
                          const int64_t *index) {
  int64_t limits[XLA_MAX_RANK];
  for (int d = 0; d < e->window.rank; ++d)
    limits[d] = index[d] + (e->window.counts[d] - 1) * e->window.strides[d] + 1;
  return xlaArraySlice(e->ir, array, index, limits, e->window.strides);
}

/// A number for every window.
static MlirValue everywhere(const Expansion *e, XlaElementType type,
                            double number) {
  return xlaArrayBroadcast(e->ir, xlaArrayNumber(e->ir, type, number),
                           e->source.rank, e->source.dims, NULL);
}

static MlirValue choose(const Expansion *e, MlirValue pred, MlirValue a,
                        MlirValue b) {
  return xlaIrOp(e->ir, "xla.select", mlirValueGetType(a), 3,
                 (MlirValue[]){pred, a, b}, 0, NULL);
}

/// The number of the place that each window selects; -1 where it has none.
/// False without memory.
static bool selectTaps(const Expansion *e, MlirValue *selected) {
  MlirRegion region = mlirOperationGetRegion(e->op, 0);
  int64_t index[XLA_MAX_RANK] = {0}, tap = 0;
  MlirValue best = {NULL}, found = {NULL};
  do {
    MlirValue pair[2] = {best, sliceTap(e, e->padded, index)}, keep;
    MlirValue here = everywhere(e, XlaElementTypeS32, (double)tap);
    MlirValue valid =
        mlirValueIsNull(e->valid) ? e->valid : sliceTap(e, e->valid, index);
    if (!tap++) {
      best = pair[1];
      found = valid;
      *selected =
          mlirValueIsNull(valid)
              ? here
              : choose(e, valid, here, everywhere(e, XlaElementTypeS32, -1));
      continue;
    }
    if (!xlaRegionInline(e->ir, region, &e->source, pair, &keep))
      return false;
    MlirValue take = xlaIrUnary(e->ir, "xla.not", keep);
    if (!mlirValueIsNull(valid)) {
      MlirValue first = xlaIrUnary(e->ir, "xla.not", found);
      take = xlaIrBinary(e->ir, "xla.or", take, first);
      take = xlaIrBinary(e->ir, "xla.and", take, valid);
      found = xlaIrBinary(e->ir, "xla.or", found, valid);
    }
    best = choose(e, take, pair[1], best);
    *selected = choose(e, take, here, *selected);
  } while (xlaIndexNext(index, e->window.sizes, e->window.rank));
  return true;
}

/// Elements of all windows where their place `index` lies in the operand, and 0
/// around them.
static MlirValue spread(const Expansion *e, MlirValue array,
                        const int64_t *index) {
  int64_t low[XLA_MAX_RANK], high[XLA_MAX_RANK], interior[XLA_MAX_RANK];
  for (int d = 0; d < e->window.rank; ++d) {
    int64_t stride = e->window.strides[d];
    low[d] = index[d] - e->window.low[d];
    interior[d] = stride - 1;
    high[d] =
        e->window.base[d] - low[d] - ((e->window.counts[d] - 1) * stride + 1);
  }
  XlaElementType type = xlaArrayShape(array).elementType;
  return xlaArrayPad(e->ir, array, xlaArrayNumber(e->ir, type, -0.0), low, high,
                     interior);
}

static MlirValue scatterTaps(const Expansion *e, MlirValue selected) {
  XlaShape result = xlaArrayShape(mlirOperationGetResult(e->op, 0));
  XlaElementType type = result.elementType;
  MlirValue source =
      xlaArrayConvert(e->ir, mlirOperationGetOperand(e->op, 1), type);
  MlirValue sum = xlaArrayBroadcast(
      e->ir, xlaArrayConvert(e->ir, mlirOperationGetOperand(e->op, 2), type),
      result.rank, result.dims, NULL);
  MlirValue zero = everywhere(e, type, -0.0); // adding it changes nothing
  int64_t index[XLA_MAX_RANK], taps = 1;
  for (int d = 0; d < e->window.rank; ++d)
    taps *= e->window.sizes[d];
  XlaShape preds = e->source;
  preds.elementType = XlaElementTypePred;
  for (int64_t tap = taps; tap-- > 0;) {
    xlaIndexFromLinear(tap, e->window.sizes, e->window.rank, index);
    MlirValue pair[2] = {selected,
                         everywhere(e, XlaElementTypeS32, (double)tap)};
    MlirValue here =
        xlaIrOp(e->ir, "xla.compare", xlaShapeToMlir(&preds, e->ir->context), 2,
                pair, 1,
                &(XlaIrAttr){"comparison_direction",
                             xlaIrStringAttr(e->ir->context, "EQ")});
    sum = xlaIrBinary(e->ir, "xla.add", sum,
                      spread(e, choose(e, here, source, zero), index));
  }
  return sum;
}

/// Whether the scatter region adds its arguments.
static bool isSum(MlirRegion region) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  MlirOperation op = mlirBlockGetFirstOperation(block);
  MlirOperation terminator = mlirBlockGetTerminator(block);
  if (xlaOpGetKind(op) != XlaOpKindAdd ||
      !mlirOperationEqual(mlirOperationGetNextInBlock(op), terminator) ||
      !mlirValueEqual(mlirOperationGetOperand(terminator, 0),
                      mlirOperationGetResult(op, 0)))
    return false;
  MlirValue a = mlirOperationGetOperand(op, 0),
            b = mlirOperationGetOperand(op, 1),
            x = mlirBlockGetArgument(block, 0),
            y = mlirBlockGetArgument(block, 1);
  return (mlirValueEqual(a, x) && mlirValueEqual(b, y)) ||
         (mlirValueEqual(a, y) && mlirValueEqual(b, x));
}

/// Whether the padded operand is no larger than it should be.
static MlirLogicalResult check(const Expansion *e) {
  double taps = 1, elements = 1;
  for (int d = 0; d < e->window.rank; ++d) {
    taps *= (double)e->window.sizes[d];
    elements *= (double)e->window.base[d] + (double)e->window.low[d] +
                (double)e->window.high[d];
  }
  if (taps <= maxTaps && elements < 4294967296.0 &&
      xlaRegionIsElementwise(mlirOperationGetRegion(e->op, 0)) &&
      isSum(mlirOperationGetRegion(e->op, 1)))
    return success();
  return xlaOpUnsupported(e->op, NULL,
                          "is not supported yet when compiled: windows of %.0f "
                          "elements on %.0f elements; supported are sums over "
                          "windows of at most %d",
                          taps, elements, (int)maxTaps);
}

MlirLogicalResult xlaExpandSelectAndScatter(XlaIr *ir, MlirOperation op,
                                            MlirValue *results) {
  Expansion e = {.ir = ir,
                 .op = op,
                 .operand = xlaArrayShape(mlirOperationGetOperand(op, 0)),
                 .source = xlaArrayShape(mlirOperationGetOperand(op, 1))};
  XlaShape result = xlaArrayShape(mlirOperationGetResult(op, 0));
  int64_t nSource, nResult;
  MlirValue selected;
  xlaWindowSetBase(&e.window, &e.operand);
  xlaWindowRead(op, &xlaSelectAndScatterForm, &e.window);
  xlaShapeGetElementCount(&e.source, &nSource);
  xlaShapeGetElementCount(&result, &nResult);
  if (!nSource || !nResult) {
    MlirValue init =
        xlaArrayConvert(ir, mlirOperationGetOperand(op, 2), result.elementType);
    results[0] = xlaArrayBroadcast(ir, init, result.rank, result.dims, NULL);
    return success();
  }
  if (failed(check(&e)))
    return failure();
  pad(&e);
  if (!selectTaps(&e, &selected))
    return xlaOpNoMemory(op);
  results[0] = scatterTaps(&e, selected);
  return success();
}

//===- select_and_scatter.c - Gradients of pooling ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which place of its window each source element goes to is found by asking the
// select region place by place, on all windows at once. Then, of sums over
// small windows, what goes to a place, and 0 elsewhere, is spread to where the
// place lies in the operand and added. Places are taken last to first, so that
// an element gets its sources in their order. All others are scatters to the
// places. That is for elementwise computations; others are in
// select_and_scatter_loop.c.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/select_and_scatter.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/expand.h"
#include "xlac/passes/expand/taps.h"
#include "xlac/passes/flatten.h"
#include "xlac/passes/loop.h"

#include "mlir-c/BuiltinAttributes.h"

static const int64_t maxPaddedBytes = (int64_t)1 << 32;

typedef struct Expansion {
  XlaIr *ir;
  MlirOperation op;
  XlaWindow window;
  XlaShape operand, source; // of the operands
  XlaElementType counter;   // of their elements, and of taps
  MlirValue elements;       // which there are of the operand; null: all
  MlirValue padded, valid;  // null if nothing is padded, and all there
  bool failed;              // ran out of memory
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
  e->valid = e->elements;
  if (!isPadded(&e->window))
    return;
  e->padded = xlaArrayPad(e->ir, e->padded, xlaArrayNumber(e->ir, type, 0),
                          e->window.low, e->window.high, none);
  MlirValue all = e->elements;
  if (mlirValueIsNull(all))
    all = xlaArrayBroadcast(e->ir, xlaArrayNumber(e->ir, XlaElementTypePred, 1),
                            e->operand.rank, e->operand.dims, NULL);
  e->valid =
      xlaArrayPad(e->ir, all, xlaArrayNumber(e->ir, XlaElementTypePred, 0),
                  e->window.low, e->window.high, none);
}

/// A number for every window.
static MlirValue everywhere(const Expansion *e, XlaElementType type,
                            double number) {
  return xlaArrayBroadcast(e->ir, xlaArrayNumber(e->ir, type, number),
                           e->source.rank, e->source.dims, NULL);
}

//===----------------------------------------------------------------------===//
// Selecting
//===----------------------------------------------------------------------===//

/// What was selected so far: of each window the element, whether there is one
/// (null: always), and its tap.
typedef struct Selection {
  MlirValue best, found, tap;
} Selection;

/// Asks for the elements `next` at tap `here`, which are `valid` (null: all).
static void select(Expansion *e, XlaIr *ir, MlirValue next, MlirValue valid,
                   MlirValue here, Selection *s) {
  MlirValue pair[2] = {s->best, next}, keep;
  if (!xlaRegionInline(ir, mlirOperationGetRegion(e->op, 0), &e->source, pair,
                       &keep)) {
    e->failed = true;
    return;
  }
  MlirValue take = xlaIrUnary(ir, "xla.not", keep);
  if (!mlirValueIsNull(s->found)) {
    take = xlaIrBinary(ir, "xla.or", take, xlaIrUnary(ir, "xla.not", s->found));
    if (!mlirValueIsNull(valid))
      take = xlaIrBinary(ir, "xla.and", take, valid);
    s->found = xlaIrBinary(ir, "xla.or", s->found, take);
  }
  s->best = xlaArraySelect(ir, take, next, s->best);
  s->tap = xlaArraySelect(ir, take, here, s->tap);
}

/// The number of the tap that each window selects; -1 where it has none.
static MlirValue selectUnrolled(Expansion *e) {
  int64_t index[XLA_MAX_RANK] = {0}, tap = 0;
  Selection s = {.best = {NULL}};
  do {
    MlirValue next = xlaTapsSlice(e->ir, &e->window, e->padded, index);
    MlirValue valid = e->valid;
    MlirValue here = everywhere(e, e->counter, (double)tap);
    if (!mlirValueIsNull(valid))
      valid = xlaTapsSlice(e->ir, &e->window, valid, index);
    if (tap++) {
      select(e, e->ir, next, valid, here, &s);
      continue;
    }
    s = (Selection){next, valid, here};
    if (!mlirValueIsNull(valid))
      s.tap = xlaArraySelect(e->ir, valid, here, everywhere(e, e->counter, -1));
  } while (xlaIndexNext(index, e->window.sizes, e->window.rank));
  return s.tap;
}

enum { stateTap, stateBest, stateFound, stateSelected, stateCount };

static void selectTap(XlaIr *ir, MlirValue *state, void *user) {
  Expansion *e = user;
  MlirValue index[XLA_MAX_RANK], tap = state[stateTap], valid = e->valid;
  Selection s = {state[stateBest], state[stateFound], state[stateSelected]};
  xlaTapsIndex(ir, e->window.rank, e->window.sizes, tap, index);
  if (!mlirValueIsNull(valid))
    valid = xlaTapsDynamicSlice(ir, &e->window, valid, index);
  select(e, ir, xlaTapsDynamicSlice(ir, &e->window, e->padded, index), valid,
         xlaArraySplat(ir, tap, s.tap), &s);
  state[stateTap] =
      xlaIrBinary(ir, "xla.add", tap, xlaArrayInteger(ir, tap, 1));
  state[stateBest] = s.best;
  state[stateFound] = s.found;
  state[stateSelected] = s.tap;
}

/// The same for large windows.
static MlirValue selectInLoop(Expansion *e) {
  XlaLoop taps = {stateCount, NULL, selectTap, e,
                  (int64_t)xlaTapsCount(&e->window)};
  MlirValue state[stateCount] = {
      xlaArrayNumber(e->ir, e->counter, 0),
      everywhere(e, e->operand.elementType, 0),
      everywhere(e, XlaElementTypePred, 0),
      everywhere(e, e->counter, -1),
  };
  xlaLoopRun(e->ir, &taps, state);
  return state[stateSelected];
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

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
  for (int64_t tap = taps; tap-- > 0;) {
    xlaIndexFromLinear(tap, e->window.sizes, e->window.rank, index);
    MlirValue here = xlaArrayCompare(e->ir, "EQ", selected,
                                     everywhere(e, e->counter, (double)tap));
    sum = xlaIrBinary(
        e->ir, "xla.add", sum,
        spread(e, xlaArraySelect(e->ir, here, source, zero), index));
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Any computation
//===----------------------------------------------------------------------===//

/// Where in the operand the tap that each window selects lies; -1 where it has
/// none.
static MlirValue placesOf(const Expansion *e, MlirValue selected) {
  XlaIr *ir = e->ir;
  MlirValue zero = everywhere(e, e->counter, 0), place = zero;
  MlirValue tap = xlaIrBinary(ir, "xla.maximum", selected, zero);
  int64_t stride = 1;
  for (int d = e->window.rank - 1; d >= 0; --d) {
    MlirValue size = xlaArrayInteger(ir, tap, (uint64_t)e->window.sizes[d]);
    MlirValue at =
        xlaArrayIota(ir, e->counter, e->source.rank, e->source.dims, d);
    at = xlaIrBinary(ir, "xla.multiply", at,
                     xlaArrayInteger(ir, at, (uint64_t)e->window.strides[d]));
    at = xlaIrBinary(ir, "xla.add", at,
                     xlaIrBinary(ir, "xla.remainder", tap, size));
    at = xlaIrBinary(ir, "xla.subtract", at,
                     xlaArrayInteger(ir, at, (uint64_t)e->window.low[d]));
    at = xlaIrBinary(ir, "xla.multiply", at,
                     xlaArrayInteger(ir, at, (uint64_t)stride));
    place = xlaIrBinary(ir, "xla.add", place, at);
    tap = xlaIrBinary(ir, "xla.divide", tap, size);
    stride *= e->operand.dims[d];
  }
  return xlaArraySelect(ir, xlaArrayCompare(ir, "LT", selected, zero), selected,
                        place);
}

/// A scatter to places, in the order of the windows.
static MlirValue scatterPlaces(Expansion *e, MlirValue selected) {
  XlaIr *ir = e->ir;
  XlaShape result = xlaArrayShape(mlirOperationGetResult(e->op, 0)),
           flat = {.elementType = result.elementType, .rank = 1};
  int64_t nSource = 1, zero = 0;
  flat.dims[0] = 1;
  for (int d = 0; d < result.rank; ++d) {
    flat.dims[0] *= result.dims[d];
    nSource *= e->source.dims[d];
  }
  MlirValue operands[3] = {
      xlaArrayBroadcast(ir,
                        xlaArrayConvert(ir, mlirOperationGetOperand(e->op, 2),
                                        result.elementType),
                        1, flat.dims, NULL),
      xlaArrayReshape(ir, placesOf(e, selected), 1, &nSource),
      xlaArrayReshape(ir,
                      xlaArrayConvert(ir, mlirOperationGetOperand(e->op, 1),
                                      result.elementType),
                      1, &nSource)};
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(e->op, 1));
  MlirAttribute dimension = mlirDenseI64ArrayGet(ir->context, 1, &zero);
  XlaIrAttr attrs[] = {{"inserted_window_dims", dimension},
                       {"scatter_dims_to_operand_dims", dimension},
                       {"index_vector_dim", xlaIrI64Attr(ir->context, 1)}};
  MlirType type = xlaShapeToMlir(&flat, ir->context);
  MlirOperation scatter = xlaIrCreate(ir, "xla.scatter", 3, operands, 1, &type,
                                      3, attrs, 1, &region);
  return xlaArrayReshape(ir, mlirOperationGetResult(scatter, 0), result.rank,
                         result.dims);
}

XlaElementType xlaSelectAndScatterCounter(const XlaWindow *window) {
  double taps = xlaTapsCount(window), elements = 1;
  for (int d = 0; d < window->rank; ++d) {
    double base = (double)window->base[d];
    double padded = base + (double)window->low[d] + (double)window->high[d];
    elements *= padded > base ? padded : base;
  }
  return xlaLoopCounter(taps > INT32_MAX || elements > INT32_MAX ? INT64_MAX
                                                                 : 0);
}

/// Whether the padded operand is no larger than it should be.
static MlirLogicalResult check(const Expansion *e) {
  double bytes = xlaElementTypeGetInfo(e->operand.elementType)->bytes;
  double given = bytes;
  for (int d = 0; d < e->window.rank; ++d) {
    given *= (double)e->window.base[d];
    bytes *= (double)e->window.base[d] + (double)e->window.low[d] +
             (double)e->window.high[d];
  }
  // Large operands may be padded by as much again.
  if (bytes > (double)maxPaddedBytes && bytes > 2 * given)
    return xlaOpUnsupported(e->op, NULL,
                            "is not supported yet when compiled: padded "
                            "operands of %.0f bytes, the most are %lld",
                            bytes, (long long)maxPaddedBytes);
  return success();
}

MlirLogicalResult xlaSelectAndScatterBuild(XlaIr *ir, MlirOperation op,
                                           MlirValue elements,
                                           MlirValue windows,
                                           MlirValue *results) {
  Expansion e = {.ir = ir,
                 .op = op,
                 .elements = elements,
                 .operand = xlaArrayShape(mlirOperationGetOperand(op, 0)),
                 .source = xlaArrayShape(mlirOperationGetOperand(op, 1))};
  XlaShape result = xlaArrayShape(mlirOperationGetResult(op, 0));
  int64_t nSource, nResult;
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
  e.counter = xlaSelectAndScatterCounter(&e.window);
  if (!xlaRegionIsElementwise(mlirOperationGetRegion(op, 0)) ||
      !xlaRegionIsElementwise(mlirOperationGetRegion(op, 1))) {
    results[0] = xlaSelectAndScatterInLoop(ir, op, elements, windows);
    return success();
  }
  if (failed(check(&e)))
    return failure();
  pad(&e);
  bool isSmall = xlaTapsCount(&e.window) <= XLA_TAPS_UNROLLED;
  MlirValue selected = isSmall ? selectUnrolled(&e) : selectInLoop(&e);
  if (e.failed)
    return xlaOpNoMemory(op);
  if (!mlirValueIsNull(windows))
    selected =
        xlaArraySelect(ir, windows, selected, everywhere(&e, e.counter, -1));
  results[0] = isSmall && xlaRegionGetOnly(mlirOperationGetRegion(op, 1),
                                           NULL) == XlaOpKindAdd
                   ? scatterTaps(&e, selected)
                   : scatterPlaces(&e, selected);
  return success();
}

MlirLogicalResult xlaExpandSelectAndScatter(XlaIr *ir, MlirOperation op,
                                            MlirValue *results) {
  MlirValue all = {NULL};
  return xlaSelectAndScatterBuild(ir, op, all, all, results);
}

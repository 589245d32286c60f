//===- convolution.c - Convolutions as matrix products --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of lhs that each position of the window covers, its patch, are
// put side by side, so that one dot_general of patches and kernel is left. The
// dimensions of the patches are batch, position, tap (place in the window) and
// feature: sums run over taps, then features, as the evaluator's do.
//
// Where each feature has kernels of its own (depthwise) there is nothing to sum
// over but the taps: what each of them covers is multiplied and added, element
// by element, and no patches are needed.
//
// Where patches would be too large, or too many slices, there is a contraction
// for each tap or for each position, in a loop; there patches are taken from
// lhs as it is where padding would make it much larger.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/convolution.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/expand.h"
#include "xlac/passes/expand/taps.h"
#include "xlac/passes/loop.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

/// A kernel has at most 256 operands and results, of which one is the patches.
enum { maxSlices = 255, maxOwnTaps = 64 };
static const int64_t maxPatchBytes = (int64_t)1 << 31;

typedef struct Patches {
  XlaIr *ir;
  XlaConvolution c;
  int n;                   // spatial dimensions
  XlaShape lhs;            // padded: batch, spatial dimensions, features
  int64_t positions, taps; // how many
  MlirValue *slices;
} Patches;

static int64_t product(int n, const int64_t *values) {
  int64_t result = 1;
  for (int i = 0; i < n; ++i)
    result *= values[i];
  return result;
}

/// lhs with batch first and features last.
static MlirValue arrangeLhs(Patches *p, MlirValue lhs) {
  int64_t permutation[XLA_MAX_RANK];
  permutation[0] = p->c.lhs.batch;
  permutation[p->n + 1] = p->c.lhs.feature;
  for (int i = 0; i < p->n; ++i)
    permutation[1 + i] = p->c.lhs.spatial.values[i];
  lhs = xlaArrayTranspose(p->ir, lhs, permutation);
  p->lhs = xlaArrayShape(lhs);
  return lhs;
}

/// The same, dilated and padded.
static MlirValue padLhs(Patches *p, MlirValue lhs) {
  const XlaWindow *window = &p->c.window;
  int64_t low[XLA_MAX_RANK] = {0}, high[XLA_MAX_RANK] = {0},
          interior[XLA_MAX_RANK] = {0};
  lhs = arrangeLhs(p, lhs);
  for (int i = 0; i < p->n; ++i) {
    low[1 + i] = window->low[i];
    high[1 + i] = window->high[i];
    interior[1 + i] = window->baseDilations[i] - 1;
  }
  XlaElementType type = xlaArrayShape(lhs).elementType;
  lhs = xlaArrayPad(p->ir, lhs, xlaArrayNumber(p->ir, type, 0), low, high,
                    interior);
  p->lhs = xlaArrayShape(lhs);
  return lhs;
}

/// What one tap covers at all positions, or, `byPosition`, one position at all
/// taps; in the dimensions of lhs.
static MlirValue sliceWindow(Patches *p, MlirValue lhs, const int64_t *index,
                             bool byPosition) {
  const XlaWindow *window = &p->c.window;
  int64_t starts[XLA_MAX_RANK] = {0}, limits[XLA_MAX_RANK],
          strides[XLA_MAX_RANK];
  for (int d = 0; d < p->n + 2; ++d) {
    limits[d] = p->lhs.dims[d];
    strides[d] = 1;
  }
  for (int i = 0; i < p->n; ++i) {
    int64_t step = window->strides[i], hole = window->windowDilations[i];
    int64_t count = byPosition ? window->sizes[i] : window->counts[i];
    starts[1 + i] = index[i] * (byPosition ? step : hole);
    strides[1 + i] = byPosition ? hole : step;
    limits[1 + i] = starts[1 + i] + (count - 1) * strides[1 + i] + 1;
  }
  return xlaArraySlice(p->ir, lhs, starts, limits, strides);
}

/// The same as [batch, position, tap, feature].
static MlirValue slicePatches(Patches *p, MlirValue lhs, const int64_t *index,
                              bool byPosition) {
  int64_t dims[4] = {p->lhs.dims[0], byPosition ? 1 : p->positions,
                     byPosition ? p->taps : 1, p->lhs.dims[p->n + 1]};
  return xlaArrayReshape(p->ir, sliceWindow(p, lhs, index, byPosition), 4,
                         dims);
}

/// [batch, position, tap, feature].
static MlirValue makePatches(Patches *p, MlirValue lhs) {
  const XlaWindow *window = &p->c.window;
  bool byPosition = p->positions < p->taps;
  int64_t index[XLA_MAX_RANK] = {0};
  intptr_t n = 0;
  lhs = padLhs(p, lhs);
  do
    p->slices[n++] = slicePatches(p, lhs, index, byPosition);
  while (xlaIndexNext(index, byPosition ? window->counts : window->sizes,
                      window->rank));
  return xlaArrayConcatenate(p->ir, n, p->slices, byPosition ? 1 : 2);
}

/// rhs as [tap, input feature, output feature].
static MlirValue makeKernel(Patches *p, MlirValue rhs) {
  int64_t permutation[XLA_MAX_RANK], reversed[XLA_MAX_RANK];
  int nReversed = 0;
  for (int i = 0; i < p->n; ++i) {
    permutation[i] = p->c.rhs.spatial.values[i];
    if (p->c.reversed[i])
      reversed[nReversed++] = permutation[i];
  }
  permutation[p->n] = p->c.rhs.feature;
  permutation[p->n + 1] = p->c.rhs.batch;
  if (nReversed)
    rhs = xlaIrOp(
        p->ir, "xla.reverse", mlirValueGetType(rhs), 1, &rhs, 1,
        &(XlaIrAttr){"dimensions", mlirDenseI64ArrayGet(p->ir->context,
                                                        nReversed, reversed)});
  rhs = xlaArrayTranspose(p->ir, rhs, permutation);
  XlaShape shape = xlaArrayShape(rhs);
  int64_t dims[3] = {p->taps, shape.dims[p->n], shape.dims[p->n + 1]};
  return xlaArrayReshape(p->ir, rhs, 3, dims);
}

/// The contraction, [batch, position, output feature], or, in groups, [batch,
/// position, group, output feature].
static MlirValue contract(const Patches *p, MlirOperation op, MlirValue patches,
                          MlirValue kernel, XlaElementType type) {
  int64_t groups = p->c.featureGroups * p->c.batchGroups;
  XlaShape a = xlaArrayShape(patches), b = xlaArrayShape(kernel);
  XlaShape result = {.elementType = type};
  int64_t lhsBatch = 0, rhsBatch = 2, left[2] = {2, 3}, right[2] = {0, 1};
  int64_t out = b.dims[2] / groups;
  if (groups > 1) {
    bool byBatch = p->c.batchGroups > 1;
    int64_t perGroup = a.dims[byBatch ? 0 : 3] / groups;
    int64_t byBatches[5] = {groups, perGroup, a.dims[1], a.dims[2], a.dims[3]};
    int64_t byFeatures[5] = {a.dims[0], a.dims[1], a.dims[2], groups, perGroup};
    int64_t split[4] = {b.dims[0], b.dims[1], groups, out};
    patches =
        xlaArrayReshape(p->ir, patches, 5, byBatch ? byBatches : byFeatures);
    kernel = xlaArrayReshape(p->ir, kernel, 4, split);
    lhsBatch = byBatch ? 0 : 3;
    left[0] = byBatch ? 3 : 2;
    left[1] = 4;
    result.dims[result.rank++] = groups;
  }
  result.dims[result.rank++] = a.dims[0] / p->c.batchGroups;
  result.dims[result.rank++] = a.dims[1];
  result.dims[result.rank++] = out;
  MlirContext context = p->ir->context;
  XlaIrAttr attrs[5] = {
      {"lhs_contracting_dimensions", mlirDenseI64ArrayGet(context, 2, left)},
      {"rhs_contracting_dimensions", mlirDenseI64ArrayGet(context, 2, right)}};
  intptr_t n = 2;
  if (groups > 1) {
    attrs[n++] = (XlaIrAttr){"lhs_batching_dimensions",
                             mlirDenseI64ArrayGet(context, 1, &lhsBatch)};
    attrs[n++] = (XlaIrAttr){"rhs_batching_dimensions",
                             mlirDenseI64ArrayGet(context, 1, &rhsBatch)};
  }
  MlirAttribute precision = xlaOpGetAttr(op, "precision_config");
  if (!mlirAttributeIsNull(precision))
    attrs[n++] = (XlaIrAttr){"precision_config", precision};
  const int64_t order[4] = {1, 2, 0, 3};
  MlirValue sums =
      xlaIrOp(p->ir, "xla.dot_general", xlaShapeToMlir(&result, context), 2,
              (MlirValue[]){patches, kernel}, n, attrs);
  return groups > 1 ? xlaArrayTranspose(p->ir, sums, order) : sums;
}

/// In f32 below that, as a dot_general sums.
static XlaElementType sumType(XlaElementType result) {
  return result == XlaElementTypeF16 || result == XlaElementTypeBF16
             ? XlaElementTypeF32
             : result;
}

//===----------------------------------------------------------------------===//
// In a loop
//===----------------------------------------------------------------------===//
//
// Patches are slices of a padded lhs. Where that would be much larger than lhs,
// they are taken from lhs itself, and are 0 where nothing lies.

typedef struct Loop {
  Patches *p;
  MlirOperation op;
  MlirValue lhs, kernel; // padded, and as makeKernel gives it
  bool byPosition, takes;
  XlaElementType type; // of sums
} Loop;

/// sliceWindow of an index of scalars, as slicePatches gives it.
static MlirValue slicePatch(const Loop *loop, const MlirValue *index) {
  Patches *p = loop->p;
  const XlaWindow *window = &p->c.window;
  int64_t none[XLA_MAX_RANK] = {0}, strides[XLA_MAX_RANK];
  MlirValue starts[XLA_MAX_RANK];
  XlaShape span = p->lhs;
  MlirValue zero = xlaArrayInteger(p->ir, index[0], 0);
  starts[0] = starts[p->n + 1] = zero;
  strides[0] = strides[p->n + 1] = 1;
  for (int i = 0; i < p->n; ++i) {
    int64_t step = window->strides[i], hole = window->windowDilations[i];
    int64_t count = loop->byPosition ? window->sizes[i] : window->counts[i];
    int64_t by = loop->byPosition ? step : hole;
    strides[1 + i] = loop->byPosition ? hole : step;
    span.dims[1 + i] = (count - 1) * strides[1 + i] + 1;
    starts[1 + i] = xlaIrBinary(p->ir, "xla.multiply", index[i],
                                xlaArrayInteger(p->ir, index[i], (uint64_t)by));
  }
  int64_t dims[4] = {p->lhs.dims[0], loop->byPosition ? 1 : p->positions,
                     loop->byPosition ? p->taps : 1, p->lhs.dims[p->n + 1]};
  MlirValue part = xlaArrayDynamicSlice(p->ir, loop->lhs, starts, span.dims);
  part = xlaArraySlice(p->ir, part, none, span.dims, strides);
  return xlaArrayReshape(p->ir, part, 4, dims);
}

/// For each tap or position along spatial dimension `i`, of which the window
/// has `start` as the first: where in lhs it lies, and whether something does.
static MlirValue placesAlong(const Loop *loop, int i, MlirValue start,
                             MlirValue *isThere) {
  const XlaWindow *window = &loop->p->c.window;
  XlaIr *ir = loop->p->ir;
  bool byPosition = loop->byPosition;
  int64_t count = byPosition ? window->sizes[i] : window->counts[i];
  int64_t step = byPosition ? window->windowDilations[i] : window->strides[i];
  XlaElementType type = xlaArrayShape(start).elementType;
  MlirValue at = xlaArrayIota(ir, type, 1, &count, 0);
  at = xlaIrBinary(ir, "xla.multiply", at,
                   xlaArrayInteger(ir, at, (uint64_t)step));
  at = xlaIrBinary(ir, "xla.add", at, xlaArraySplat(ir, start, at));
  at = xlaIrBinary(ir, "xla.subtract", at,
                   xlaArrayInteger(ir, at, (uint64_t)window->low[i]));
  MlirValue hole = xlaArrayInteger(ir, at, (uint64_t)window->baseDilations[i]);
  MlirValue zero = xlaArrayInteger(ir, at, 0);
  MlirValue place = xlaIrBinary(ir, "xla.divide", at, hole);
  MlirValue there[3] = {
      xlaArrayCompare(ir, "GE", at, zero),
      xlaArrayCompare(ir, "LT", place,
                      xlaArrayInteger(ir, at, (uint64_t)window->base[i])),
      xlaArrayCompare(ir, "EQ", xlaIrBinary(ir, "xla.remainder", at, hole),
                      zero)};
  *isThere = xlaIrBinary(ir, "xla.and", there[0],
                         xlaIrBinary(ir, "xla.and", there[1], there[2]));
  return place;
}

/// As slicePatch, from lhs without padding.
static MlirValue takePatch(const Loop *loop, const MlirValue *index) {
  Patches *p = loop->p;
  XlaIr *ir = p->ir;
  const XlaWindow *window = &p->c.window;
  MlirValue part = loop->lhs, isThere[XLA_MAX_RANK], all = {NULL};
  for (int i = 0; i < p->n; ++i) {
    int64_t by =
        loop->byPosition ? window->strides[i] : window->windowDilations[i];
    MlirValue start = xlaIrBinary(ir, "xla.multiply", index[i],
                                  xlaArrayInteger(ir, index[i], (uint64_t)by));
    MlirValue places = placesAlong(loop, i, start, &isThere[i]);
    part = xlaArrayTake(ir, part, places, 1 + i);
  }
  XlaShape shape = xlaArrayShape(part);
  for (int i = 0; i < p->n; ++i) {
    const int64_t along = 1 + i;
    MlirValue here =
        xlaArrayBroadcast(ir, isThere[i], shape.rank, shape.dims, &along);
    all = i ? xlaIrBinary(ir, "xla.and", all, here) : here;
  }
  MlirValue zero =
      xlaArrayBroadcast(ir, xlaArrayNumber(ir, shape.elementType, 0),
                        shape.rank, shape.dims, NULL);
  int64_t dims[4] = {shape.dims[0], loop->byPosition ? 1 : p->positions,
                     loop->byPosition ? p->taps : 1, shape.dims[p->n + 1]};
  return xlaArrayReshape(ir, xlaArraySelect(ir, all, part, zero), 4, dims);
}

/// The contraction for one tap is added to all sums, that for one position is
/// one of them.
static void contractStep(XlaIr *ir, MlirValue *state, void *user) {
  Loop *loop = user;
  Patches *p = loop->p;
  XlaIr *outer = p->ir;
  const XlaWindow *window = &p->c.window;
  MlirValue index[XLA_MAX_RANK], kernel = loop->kernel;
  MlirValue zero = xlaArrayInteger(ir, state[0], 0);
  MlirValue starts[5] = {zero, zero, zero, zero, zero};
  XlaShape shape = xlaArrayShape(kernel);
  p->ir = ir;
  xlaTapsIndex(ir, p->n, loop->byPosition ? window->counts : window->sizes,
               state[0], index);
  if (!loop->byPosition) {
    starts[0] = state[0];
    shape.dims[0] = 1;
    kernel = xlaArrayDynamicSlice(ir, kernel, starts, shape.dims);
    starts[0] = zero;
  }
  starts[1] = state[0];
  MlirValue sums =
      contract(p, loop->op,
               loop->takes ? takePatch(loop, index) : slicePatch(loop, index),
               kernel, loop->type);
  state[1] = loop->byPosition
                 ? xlaArrayDynamicUpdate(ir, state[1], sums, starts)
                 : xlaIrBinary(ir, "xla.add", state[1], sums);
  state[0] =
      xlaIrBinary(ir, "xla.add", state[0], xlaArrayInteger(ir, state[0], 1));
  p->ir = outer;
}

/// The type of positions in a padded lhs, and of taps and positions of windows.
static XlaElementType counterOf(const Patches *p) {
  const XlaWindow *window = &p->c.window;
  int64_t most = p->positions > p->taps ? p->positions : p->taps;
  for (int i = 0; i < p->n; ++i) {
    // Of what is padded it is where the last tap of the last position lies.
    int64_t last = (window->counts[i] - 1) * window->strides[i] +
                   (window->sizes[i] - 1) * window->windowDilations[i];
    int64_t low = window->low[i] < 0 ? -window->low[i] : window->low[i];
    most = last + low > most ? last + low : most;
  }
  return xlaLoopCounter(most);
}

/// Whether there is a step for each position. There are fewer steps that way or
/// the other; those of a position are small where those of a tap, which are taken
/// from lhs, would be as large as what is not padded.
static bool goesByPosition(const Patches *p, bool takes) {
  double bytes = xlaElementTypeGetInfo(p->lhs.elementType)->bytes;
  bytes *= (double)p->lhs.dims[0] * (double)p->lhs.dims[p->n + 1];
  return p->positions < p->taps ||
         (takes && bytes * (double)p->positions > (double)maxPatchBytes);
}

/// `takes`: from lhs without padding.
static MlirValue contractInLoop(Patches *p, MlirOperation op,
                                XlaElementType type, bool takes) {
  MlirValue kernel = makeKernel(p, mlirOperationGetOperand(op, 1));
  MlirValue lhs = takes ? arrangeLhs(p, mlirOperationGetOperand(op, 0))
                        : padLhs(p, mlirOperationGetOperand(op, 0));
  Loop loop = {p, op, lhs, kernel, goesByPosition(p, takes), takes, type};
  int64_t groups = p->c.featureGroups * p->c.batchGroups;
  int64_t dims[4] = {p->lhs.dims[0] / p->c.batchGroups, p->positions};
  int rank = 2;
  if (groups > 1)
    dims[rank++] = groups;
  dims[rank++] = xlaArrayShape(kernel).dims[2] / groups;
  XlaLoop steps = {2, NULL, contractStep, &loop,
                   loop.byPosition ? p->positions : p->taps};
  MlirValue state[2] = {xlaArrayNumber(p->ir, counterOf(p), 0),
                        xlaArrayBroadcast(p->ir, xlaArrayNumber(p->ir, type, 0),
                                          rank, dims, NULL)};
  xlaLoopRun(p->ir, &steps, state);
  return state[1];
}

//===----------------------------------------------------------------------===//
// Depthwise
//===----------------------------------------------------------------------===//

static bool isDepthwise(const Patches *p, const XlaShape *rhs) {
  return p->c.featureGroups > 1 && p->c.batchGroups == 1 &&
         rhs->dims[p->c.rhs.feature] == 1 && p->taps <= maxOwnTaps &&
         rhs->elementType != XlaElementTypePred;
}

/// [batch, spatial dimensions, feature, kernel of the feature]: the sum over
/// taps of what they cover times `kernel`, [tap, 1, output feature].
static MlirValue sumTaps(Patches *p, MlirValue lhs, MlirValue kernel,
                         XlaElementType type) {
  const XlaWindow *window = &p->c.window;
  XlaShape shape = xlaArrayShape(kernel), domain = p->lhs;
  int64_t index[XLA_MAX_RANK] = {0}, from[XLA_MAX_RANK], to[2];
  int64_t features = domain.dims[p->n + 1], t = 0;
  for (int i = 0; i < p->n; ++i)
    domain.dims[1 + i] = window->counts[i];
  domain.dims[domain.rank++] = shape.dims[2] / features;
  for (int d = 0; d < domain.rank; ++d)
    from[d] = d;
  to[0] = p->n + 1;
  to[1] = p->n + 2;
  lhs = xlaArrayConvert(p->ir, lhs, type);
  kernel = xlaArrayConvert(p->ir, kernel, type);
  MlirValue sum = xlaArrayBroadcast(p->ir, xlaArrayNumber(p->ir, type, 0),
                                    domain.rank, domain.dims, NULL);
  do {
    const int64_t starts[3] = {t, 0, 0}, strides[3] = {1, 1, 1};
    const int64_t limits[3] = {++t, 1, shape.dims[2]};
    MlirValue weights = xlaArrayReshape(
        p->ir, xlaArraySlice(p->ir, kernel, starts, limits, strides), 2,
        domain.dims + p->n + 1);
    MlirValue covered =
        xlaArrayBroadcast(p->ir, sliceWindow(p, lhs, index, false), domain.rank,
                          domain.dims, from);
    weights = xlaArrayBroadcast(p->ir, weights, domain.rank, domain.dims, to);
    sum = xlaIrBinary(p->ir, "xla.add", sum,
                      xlaIrBinary(p->ir, "xla.multiply", covered, weights));
  } while (xlaIndexNext(index, window->sizes, window->rank));
  return sum;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Groups become output features again, positions spatial dimensions, in the
/// order of the result.
static MlirValue arrange(const Patches *p, MlirOperation op, MlirValue sums) {
  int64_t permutation[XLA_MAX_RANK], dims[XLA_MAX_RANK];
  XlaShape result = xlaArrayShape(mlirOperationGetResult(op, 0));
  dims[0] = result.dims[p->c.result.batch];
  dims[p->n + 1] = result.dims[p->c.result.feature];
  permutation[p->c.result.batch] = 0;
  permutation[p->c.result.feature] = p->n + 1;
  for (int i = 0; i < p->n; ++i) {
    dims[1 + i] = p->c.window.counts[i];
    permutation[p->c.result.spatial.values[i]] = 1 + i;
  }
  sums = xlaArrayReshape(p->ir, sums, result.rank, dims);
  return xlaArrayTranspose(p->ir, sums, permutation);
}

/// How it is written.
typedef enum Form { FormDepthwise, FormPatches, FormLoop, FormTakes } Form;

/// Chosen by the sizes of the patches, and of the padded lhs.
static Form chooseForm(const Patches *p, MlirOperation op) {
  const XlaWindow *window = &p->c.window;
  XlaShape lhs = xlaArrayShape(mlirOperationGetOperand(op, 0)),
           rhs = xlaArrayShape(mlirOperationGetOperand(op, 1));
  int64_t bytes = xlaElementTypeGetInfo(lhs.elementType)->bytes;
  double patches, padded, given = (double)bytes, positions = 1, taps = 1;
  padded = (double)lhs.dims[p->c.lhs.batch] *
           (double)lhs.dims[p->c.lhs.feature] * (double)bytes;
  patches = padded;
  for (int i = 0; i < p->n; ++i) {
    positions *= (double)window->counts[i];
    taps *= (double)window->sizes[i];
    padded *= (double)window->base[i] * (double)window->baseDilations[i] +
              (double)window->low[i] + (double)window->high[i];
  }
  for (int d = 0; d < lhs.rank; ++d)
    given *= (double)lhs.dims[d];
  patches *= positions * taps;
  double slices = positions < taps ? positions : taps;
  // A large lhs may be padded by as much again.
  if (padded > (double)maxPatchBytes && padded > 2 * given)
    return FormTakes;
  if (isDepthwise(p, &rhs))
    return FormDepthwise;
  return slices > maxSlices || patches > (double)maxPatchBytes ? FormLoop
                                                               : FormPatches;
}

MlirLogicalResult xlaExpandConvolution(XlaIr *ir, MlirOperation op,
                                       MlirValue *results) {
  Patches p = {.ir = ir};
  XlaShape result = xlaArrayShape(mlirOperationGetResult(op, 0));
  int64_t count, nLhs, nRhs;
  XlaShape lhs = xlaArrayShape(mlirOperationGetOperand(op, 0));
  XlaShape rhs = xlaArrayShape(mlirOperationGetOperand(op, 1));
  xlaConvolutionRead(op, &p.c);
  p.n = p.c.window.rank;
  xlaShapeGetElementCount(&result, &count);
  xlaShapeGetElementCount(&lhs, &nLhs);
  xlaShapeGetElementCount(&rhs, &nRhs);
  if (!count || !nRhs || !nLhs) { // no sum has a term but zeros
    results[0] =
        xlaArrayBroadcast(ir, xlaArrayNumber(ir, result.elementType, 0),
                          result.rank, result.dims, NULL);
    return success();
  }
  p.positions = product(p.n, p.c.window.counts);
  p.taps = product(p.n, p.c.window.sizes);
  XlaElementType type = sumType(result.elementType);
  Form form = chooseForm(&p, op);
  switch (form) {
  case FormDepthwise: {
    MlirValue given = padLhs(&p, mlirOperationGetOperand(op, 0));
    MlirValue kernel = makeKernel(&p, mlirOperationGetOperand(op, 1));
    results[0] =
        xlaArrayConvert(ir, arrange(&p, op, sumTaps(&p, given, kernel, type)),
                        result.elementType);
    return success();
  }
  case FormLoop:
  case FormTakes:
    results[0] = xlaArrayConvert(
        ir, arrange(&p, op, contractInLoop(&p, op, type, form == FormTakes)),
        result.elementType);
    return success();
  case FormPatches:
    break;
  }
  p.slices = malloc(maxSlices * sizeof *p.slices);
  if (!p.slices)
    return xlaOpNoMemory(op);
  MlirValue patches = makePatches(&p, mlirOperationGetOperand(op, 0));
  MlirValue kernel = makeKernel(&p, mlirOperationGetOperand(op, 1));
  free(p.slices);
  results[0] =
      arrange(&p, op, contract(&p, op, patches, kernel, result.elementType));
  return success();
}

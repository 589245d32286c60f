//===- convolution.c - Convolutions as matrix products --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dot_general of patches and kernel is left (patches.h).
//
// Where each feature has kernels of its own (depthwise) there is nothing to sum
// over but the taps: what each of them covers is multiplied and added, element
// by element, and no patches are needed. So it is of one feature and one
// kernel, as filters of images and signals are.
//
// Where patches would be too large, or too many slices, there is a contraction
// for each tap or for each position, in a loop; there patches are taken from
// lhs as it is where padding would make it much larger.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/expand.h"
#include "xlac/passes/expand/patches.h"
#include "xlac/passes/expand/taps.h"
#include "xlac/passes/fuse/device.h"
#include "xlac/passes/loop.h"

#include <stdlib.h>

/// A kernel has at most 256 operands and results, of which one is the patches.
enum { maxSlices = 255, maxOwnTaps = 64, maxTapsOfOne = 256 };
static const int64_t maxPatchBytes = (int64_t)1 << 31;

//===----------------------------------------------------------------------===//
// In the order of the specification
//===----------------------------------------------------------------------===//

/// Operands as batch, spatial dimensions, features, the kernel with its
/// features last.
static void order(XlaPatches *p, MlirValue *lhs, MlirValue *rhs) {
  int64_t image[XLA_MAX_RANK], kernel[XLA_MAX_RANK];
  XlaConvolution *c = &p->c;
  image[0] = c->lhs.batch;
  image[p->n + 1] = c->lhs.feature;
  kernel[p->n] = c->rhs.feature;
  kernel[p->n + 1] = c->rhs.batch;
  for (int i = 0; i < p->n; ++i) {
    image[1 + i] = c->lhs.spatial.values[i];
    kernel[i] = c->rhs.spatial.values[i];
    c->lhs.spatial.values[i] = 1 + i;
    c->rhs.spatial.values[i] = i;
  }
  *lhs = xlaArrayTranspose(p->ir, *lhs, image);
  *rhs = xlaArrayTranspose(p->ir, *rhs, kernel);
  c->lhs.batch = 0;
  c->lhs.feature = p->n + 1;
  c->rhs.feature = p->n;
  c->rhs.batch = p->n + 1;
}

/// Batch, positions and features, in any dimensions, as the result has them.
static MlirValue arrange(const XlaPatches *p, MlirOperation op,
                         MlirValue sums) {
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

/// A kernel in the order of the specification with one dimension of taps.
static MlirValue mergeTaps(const XlaPatches *p, MlirValue rhs) {
  XlaShape shape = xlaArrayShape(rhs);
  int64_t dims[3] = {p->taps, shape.dims[p->n], shape.dims[p->n + 1]};
  return xlaArrayReshape(p->ir, rhs, 3, dims);
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
  XlaPatches *p;
  MlirOperation op;
  MlirValue lhs, kernel; // padded if it is, and with what is reversed in order
  XlaElementType type;   // of sums
} Loop;

/// xlaPatchesSlice of an index of scalars, as a patch.
static MlirValue slicePatch(const Loop *loop, const MlirValue *index) {
  const XlaPatches *p = loop->p;
  const XlaWindow *window = &p->c.window;
  int64_t none[XLA_MAX_RANK] = {0}, strides[XLA_MAX_RANK];
  MlirValue starts[XLA_MAX_RANK];
  XlaShape span = p->lhs;
  for (int d = 0; d < span.rank; ++d) {
    starts[d] = xlaArrayInteger(p->ir, index[0], 0);
    strides[d] = 1;
  }
  for (int i = 0; i < p->n; ++i) {
    int64_t d = p->c.lhs.spatial.values[i];
    int64_t step = window->strides[i], hole = window->windowDilations[i];
    int64_t count = p->byPosition ? window->sizes[i] : window->counts[i];
    int64_t by = p->byPosition ? step : hole;
    strides[d] = p->byPosition ? hole : step;
    span.dims[d] = (count - 1) * strides[d] + 1;
    starts[d] = xlaIrBinary(p->ir, "xla.multiply", index[i],
                            xlaArrayInteger(p->ir, index[i], (uint64_t)by));
  }
  MlirValue part = xlaArrayDynamicSlice(p->ir, loop->lhs, starts, span.dims);
  part = xlaArraySlice(p->ir, part, none, span.dims, strides);
  return xlaPatchesOfSlice(p, part);
}

/// For each tap or position along spatial dimension `i`, of which the window
/// has `start` as the first: where in lhs it lies, and whether something does.
static MlirValue placesAlong(const Loop *loop, int i, MlirValue start,
                             MlirValue *isThere) {
  const XlaWindow *window = &loop->p->c.window;
  XlaIr *ir = loop->p->ir;
  bool byPosition = loop->p->byPosition;
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
  const XlaPatches *p = loop->p;
  XlaIr *ir = p->ir;
  const XlaWindow *window = &p->c.window;
  const int64_t *spatial = p->c.lhs.spatial.values;
  MlirValue part = loop->lhs, isThere[XLA_MAX_RANK], all = {NULL};
  for (int i = 0; i < p->n; ++i) {
    int64_t by =
        p->byPosition ? window->strides[i] : window->windowDilations[i];
    MlirValue start = xlaIrBinary(ir, "xla.multiply", index[i],
                                  xlaArrayInteger(ir, index[i], (uint64_t)by));
    MlirValue places = placesAlong(loop, i, start, &isThere[i]);
    part = xlaArrayTake(ir, part, places, (int)spatial[i]);
  }
  XlaShape shape = xlaArrayShape(part);
  for (int i = 0; i < p->n; ++i) {
    MlirValue here =
        xlaArrayBroadcast(ir, isThere[i], shape.rank, shape.dims, &spatial[i]);
    all = i ? xlaIrBinary(ir, "xla.and", all, here) : here;
  }
  MlirValue zero =
      xlaArrayBroadcast(ir, xlaArrayNumber(ir, shape.elementType, 0),
                        shape.rank, shape.dims, NULL);
  return xlaPatchesOfSlice(p, xlaArraySelect(ir, all, part, zero));
}

/// The contraction for one tap is added to all sums, that for one position is
/// one of them.
static void contractStep(XlaIr *ir, MlirValue *state, void *user) {
  Loop *loop = user;
  XlaPatches *p = loop->p;
  XlaIr *outer = p->ir;
  const XlaWindow *window = &p->c.window;
  MlirValue index[XLA_MAX_RANK], kernel = loop->kernel, starts[XLA_MAX_RANK];
  XlaShape shape = xlaArrayShape(kernel);
  const XlaPatchPlaces *at = p->byPosition ? &p->resultAt : &p->kernelAt;
  p->ir = ir;
  xlaTapsIndex(ir, p->n, p->byPosition ? window->counts : window->sizes,
               state[0], index);
  for (int d = 0; d < p->m + 2; ++d)
    starts[d] = xlaArrayInteger(ir, state[0], 0);
  for (int i = 0; i < p->m; ++i) {
    starts[at->spatial[i]] =
        p->form == XlaPatchFormOrdered ? state[0] : index[i];
    if (!p->byPosition)
      shape.dims[at->spatial[i]] = 1;
  }
  if (!p->byPosition)
    kernel = xlaArrayDynamicSlice(ir, kernel, starts, shape.dims);
  MlirValue patch =
      p->isTaken ? takePatch(loop, index) : slicePatch(loop, index);
  MlirValue sums = xlaPatchesContract(p, loop->op, patch, kernel, loop->type);
  state[1] = p->byPosition ? xlaArrayDynamicUpdate(ir, state[1], sums, starts)
                           : xlaIrBinary(ir, "xla.add", state[1], sums);
  state[0] =
      xlaIrBinary(ir, "xla.add", state[0], xlaArrayInteger(ir, state[0], 1));
  p->ir = outer;
}

/// The type of positions in a padded lhs, of its size and holes, and of taps
/// and positions of windows.
static XlaElementType counterOf(const XlaPatches *p) {
  const XlaWindow *window = &p->c.window;
  int64_t most = p->positions > p->taps ? p->positions : p->taps;
  for (int i = 0; i < p->n; ++i) {
    // Of what is padded it is where the last tap of the last position lies.
    int64_t last = (window->counts[i] - 1) * window->strides[i] +
                   (window->sizes[i] - 1) * window->windowDilations[i];
    int64_t low = window->low[i] < 0 ? -window->low[i] : window->low[i];
    most = last + low > most ? last + low : most;
    most = window->base[i] > most ? window->base[i] : most;
    most = window->baseDilations[i] > most ? window->baseDilations[i] : most;
  }
  return xlaLoopCounter(most);
}

static MlirValue contractInLoop(XlaPatches *p, MlirOperation op, MlirValue lhs,
                                MlirValue kernel, XlaElementType type) {
  Loop loop = {p, op, lhs, kernel, type};
  XlaShape result = xlaArrayShape(mlirOperationGetResult(op, 0));
  int64_t dims[XLA_MAX_RANK];
  dims[p->resultAt.batch] = result.dims[p->c.result.batch];
  dims[p->resultAt.feature] = result.dims[p->c.result.feature];
  for (int i = 0; i < p->m; ++i)
    dims[p->resultAt.spatial[i]] = p->counts[i];
  XlaLoop steps = {2, NULL, contractStep, &loop,
                   p->byPosition ? p->positions : p->taps};
  MlirValue state[2] = {xlaArrayNumber(p->ir, counterOf(p), 0),
                        xlaArrayBroadcast(p->ir, xlaArrayNumber(p->ir, type, 0),
                                          p->m + 2, dims, NULL)};
  xlaLoopRun(p->ir, &steps, state);
  return state[1];
}

//===----------------------------------------------------------------------===//
// Depthwise
//===----------------------------------------------------------------------===//

/// Whether processors are to have a kernel of their own for each of an image's
/// features: these lie side by side, and their lanes take one element of the
/// image.
static bool hasLanesOfKernels(const XlaPatches *p, MlirOperation op) {
  MlirOperation module = op;
  while (!mlirOperationIsNull(mlirOperationGetParentOperation(module)))
    module = mlirOperationGetParentOperation(module);
  return p->c.result.feature == p->n + 1 &&
         !xlaFusionDeviceOfTarget(module)->runsAtOnce;
}

static bool isDepthwise(const XlaPatches *p, MlirOperation op,
                        const XlaShape *rhs, double taps) {
  bool isOne = rhs->dims[p->c.rhs.batch] == 1;
  return (p->c.featureGroups > 1 || isOne || hasLanesOfKernels(p, op)) &&
         p->c.batchGroups == 1 && rhs->dims[p->c.rhs.feature] == 1 &&
         taps <= (isOne ? maxTapsOfOne : maxOwnTaps) &&
         rhs->elementType != XlaElementTypePred;
}

/// [batch, spatial dimensions, feature, kernel of the feature]: the sum over
/// taps of what they cover times `kernel`, [tap, 1, output feature].
static MlirValue sumTaps(XlaPatches *p, MlirValue lhs, MlirValue kernel,
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
  p->byPosition = false;
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
    MlirValue covered = xlaArrayBroadcast(p->ir, xlaPatchesSlice(p, lhs, index),
                                          domain.rank, domain.dims, from);
    weights = xlaArrayBroadcast(p->ir, weights, domain.rank, domain.dims, to);
    sum = xlaIrBinary(p->ir, "xla.add", sum,
                      xlaIrBinary(p->ir, "xla.multiply", covered, weights));
  } while (xlaIndexNext(index, window->sizes, window->rank));
  return sum;
}

//===----------------------------------------------------------------------===//
// Which form
//===----------------------------------------------------------------------===//

/// How it is written.
typedef enum Form { FormDepthwise, FormPatches, FormLoop, FormTakes } Form;

/// Chosen by the sizes of the patches, and of the padded lhs.
static Form chooseForm(const XlaPatches *p, MlirOperation op) {
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
  if (isDepthwise(p, op, &rhs, taps))
    return FormDepthwise;
  return slices > maxSlices || patches > (double)maxPatchBytes ? FormLoop
                                                               : FormPatches;
}

static MlirValue writeDepthwise(XlaPatches *p, MlirOperation op,
                                XlaElementType type) {
  MlirValue lhs = mlirOperationGetOperand(op, 0),
            rhs = mlirOperationGetOperand(op, 1);
  order(p, &lhs, &rhs);
  lhs = xlaPatchesPad(p, lhs);
  rhs = mergeTaps(p, xlaPatchesReverse(p, rhs));
  return arrange(p, op, sumTaps(p, lhs, rhs, type));
}

/// The kernel before its window is reversed by an operation of its own, as
/// gradients have it.
static MlirValue beforeReverse(XlaPatches *p, MlirValue rhs) {
  MlirOperation reverse = mlirValueIsAOpResult(rhs) ? mlirOpResultGetOwner(rhs)
                                                    : (MlirOperation){0};
  XlaI64List dimensions;
  int nFound = 0;
  if (mlirOperationIsNull(reverse) ||
      xlaOpGetKind(reverse) != XlaOpKindReverse ||
      !xlaOpGetList(reverse, "dimensions", &dimensions))
    return rhs;
  for (int i = 0; i < dimensions.size; ++i)
    for (int k = 0; k < p->n; ++k)
      nFound += p->c.rhs.spatial.values[k] == dimensions.values[i];
  if (nFound < dimensions.size)
    return rhs;
  for (int i = 0; i < dimensions.size; ++i)
    for (int k = 0; k < p->n; ++k)
      p->c.reversed[k] ^= p->c.rhs.spatial.values[k] == dimensions.values[i];
  return mlirOperationGetOperand(reverse, 0);
}

/// With `slices`, or, if that is NULL, in a loop.
static MlirValue writePatches(XlaPatches *p, MlirOperation op,
                              MlirValue *slices, XlaElementType type) {
  MlirValue lhs = mlirOperationGetOperand(op, 0),
            rhs = mlirOperationGetOperand(op, 1), sums;
  bool isMerged = p->form == XlaPatchFormOrdered;
  rhs = beforeReverse(p, rhs);
  if (isMerged)
    order(p, &lhs, &rhs);
  if (p->isTaken)
    p->lhs = xlaArrayShape(lhs);
  else
    lhs = xlaPatchesPad(p, lhs);
  if (!slices || p->byPosition)
    rhs = xlaPatchesReverse(p, rhs);
  if (isMerged)
    rhs = mergeTaps(p, rhs);
  if (slices)
    sums = xlaPatchesContract(
        p, op, xlaPatchesOfAll(p, lhs, slices), rhs,
        p->form == XlaPatchFormSum // which adds products
            ? type
            : xlaArrayShape(mlirOperationGetResult(op, 0)).elementType);
  else
    sums = contractInLoop(p, op, lhs, rhs, type);
  return isMerged ? arrange(p, op, sums) : sums;
}

MlirLogicalResult xlaExpandConvolution(XlaIr *ir, MlirOperation op,
                                       MlirValue *results) {
  XlaPatches p = {.ir = ir};
  XlaShape result = xlaArrayShape(mlirOperationGetResult(op, 0));
  int64_t count, nLhs, nRhs;
  XlaShape lhs = xlaArrayShape(mlirOperationGetOperand(op, 0));
  XlaShape rhs = xlaArrayShape(mlirOperationGetOperand(op, 1));
  MlirValue *slices = NULL, sums = {NULL};
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
  Form form = chooseForm(&p, op);
  XlaElementType type = sumType(result.elementType);
  p.isTaken = form == FormTakes;
  xlaPatchesBegin(&p, &lhs, &result, maxPatchBytes);
  switch (form) {
  case FormDepthwise:
    sums = writeDepthwise(&p, op, type);
    break;
  case FormLoop:
  case FormTakes:
    sums = writePatches(&p, op, NULL, type);
    break;
  case FormPatches:
    slices = malloc(maxSlices * sizeof *slices);
    if (!slices)
      return xlaOpNoMemory(op);
    sums = writePatches(&p, op, slices, type);
    free(slices);
    break;
  }
  results[0] = xlaArrayConvert(ir, sums, result.elementType);
  return success();
}

//===- convolution.c - Convolutions of arrays with sizes ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Beside the elements windows cover zeros, as they do in padding. Two things
// change the arrays before that:
//  - groups of a dimension with a size follow each other without room between
//    them, in the array of bounds they begin at multiples of what a group has
//    there;
//  - what a kernel with a size covers at all places up to its bound is put side
//    by side, zeros where there is no kernel, so that windows of the bound that
//    follow each other cover the same.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/dynamic/bounded_internal.h"

#include "xlac/dialect/ops/convolution.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

typedef struct Convolution {
  XlaBoundedOp *b;
  XlaConvolution c;
  XlaBounded lhs, rhs, result; // sizes as they are at first
} Convolution;

static MlirValue binary(XlaIr *ir, const char *name, MlirValue x, MlirValue y) {
  return xlaIrBinary(ir, name, x, xlaArraySplat(ir, y, x));
}

static MlirValue withNumber(XlaIr *ir, const char *name, MlirValue x,
                            int64_t y) {
  return binary(ir, name, x, xlaBoundedNumber(ir, y));
}

static MlirValue countUp(XlaIr *ir, int64_t n) {
  return xlaArrayIota(ir, XlaElementTypeS32, 1, &n, 0);
}

static MlirValue isLess(XlaIr *ir, MlirValue x, MlirValue y) {
  return xlaArrayCompare(ir, "LT", x, xlaArraySplat(ir, y, x));
}

/// The parts of `array` at `places` along `d`, zeros where `isThere` does not
/// hold.
static MlirValue take(XlaIr *ir, MlirValue array, int64_t d, MlirValue places,
                      MlirValue isThere) {
  MlirValue taken = xlaArrayTake(ir, array, places, d);
  XlaShape shape = xlaArrayShape(taken);
  MlirValue zero = xlaArrayNumber(ir, shape.elementType, 0);
  return xlaArraySelect(
      ir, xlaArrayBroadcast(ir, isThere, shape.rank, shape.dims, &d), taken,
      xlaArraySplat(ir, zero, taken));
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Dimension `d`, which has a size, with each of `n` groups where the array of
/// bounds has it.
static MlirValue spreadGroups(XlaIr *ir, MlirValue array, int64_t d,
                              MlirValue size, int64_t n) {
  int64_t bound = xlaArrayShape(array).dims[d], most = bound / n;
  MlirValue at = countUp(ir, bound);
  MlirValue own = xlaIrBinary(ir, "xla.divide", size, xlaBoundedNumber(ir, n));
  MlirValue group = withNumber(ir, "xla.divide", at, most);
  MlirValue within = withNumber(ir, "xla.remainder", at, most);
  MlirValue places = xlaIrBinary(
      ir, "xla.add", binary(ir, "xla.multiply", group, own), within);
  return take(ir, array, d, places, isLess(ir, within, own));
}

/// The reverse.
static MlirValue joinGroups(XlaIr *ir, MlirValue array, int64_t d,
                            MlirValue size, int64_t n) {
  int64_t bound = xlaArrayShape(array).dims[d];
  MlirValue at = countUp(ir, bound);
  MlirValue own = xlaIrBinary(ir, "xla.divide", size, xlaBoundedNumber(ir, n));
  own = xlaIrBinary(ir, "xla.maximum", own, xlaBoundedNumber(ir, 1));
  MlirValue group = binary(ir, "xla.divide", at, own);
  MlirValue within = binary(ir, "xla.remainder", at, own);
  MlirValue places = xlaIrBinary(
      ir, "xla.add", withNumber(ir, "xla.multiply", group, bound / n), within);
  return xlaArrayTake(ir, array, places, d);
}

static MlirLogicalResult checkDivides(Convolution *v, MlirValue size, int64_t n,
                                      const char *label, const char *name,
                                      const char *what) {
  if (!size.ptr || n == 1)
    return success();
  XlaIr *ir = &v->b->ir;
  MlirValue rest =
      xlaIrBinary(ir, "xla.remainder", size, xlaBoundedNumber(ir, n));
  return xlaBoundedCheck(v->b, XlaBoundedEqual, rest, xlaBoundedNumber(ir, 0),
                         label,
                         "%s is %lld, of %s %%d elements are left over, must "
                         "be %%d",
                         name, (long long)n, what);
}

static MlirLogicalResult checkGroups(Convolution *v) {
  const char *features = "feature_group_count", *batches = "batch_group_count";
  const char *output = "the output feature dimension of rhs";
  int64_t n = v->c.featureGroups, m = v->c.batchGroups;
  XlaIr *ir = &v->b->ir;
  MlirValue feature = v->lhs.sizes[v->c.lhs.feature];
  MlirValue inner = v->rhs.sizes[v->c.rhs.feature];
  MlirValue kernels = v->rhs.sizes[v->c.rhs.batch];
  if (failed(checkDivides(v, v->lhs.sizes[v->c.lhs.batch], m, "convolution_c10",
                          batches, "the batch dimension of lhs")) ||
      failed(checkDivides(v, feature, n, "convolution_c11", features,
                          "the feature dimension of lhs")) ||
      failed(checkDivides(v, kernels, m, "convolution_c15", batches, output)) ||
      failed(checkDivides(v, kernels, n, "convolution_c16", features, output)))
    return failure();
  if (!feature.ptr && !inner.ptr)
    return success();
  feature = xlaBoundedSize(ir, &v->lhs, v->c.lhs.feature);
  if (n > 1)
    feature = xlaIrBinary(ir, "xla.divide", feature, xlaBoundedNumber(ir, n));
  return xlaBoundedCheck(v->b, XlaBoundedEqual,
                         xlaBoundedSize(ir, &v->rhs, v->c.rhs.feature), feature,
                         "convolution_c14",
                         "the input feature dimension of rhs has size %%d, "
                         "that of lhs in one group %%d");
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// What the last place of a reversed kernel holds is its first.
static MlirValue reverseKernel(XlaIr *ir, MlirValue rhs, int64_t d,
                               MlirValue size) {
  MlirValue last = xlaBoundedAdd(ir, size, -1);
  MlirValue at = countUp(ir, xlaArrayShape(rhs).dims[d]);
  MlirValue places =
      xlaIrBinary(ir, "xla.subtract", xlaArraySplat(ir, last, at), at);
  return take(ir, rhs, d, places, isLess(ir, at, size));
}

/// Spatial dimension `i` of lhs, zeros beyond its size, as what each window
/// covers, one after the other.
static MlirValue coverWindows(Convolution *v, MlirValue lhs, int i,
                              MlirValue size) {
  const XlaWindow *w = &v->c.window;
  XlaIr *ir = &v->b->ir;
  int64_t taps = w->sizes[i], dilation = w->baseDilations[i];
  int64_t end = w->base[i] ? (w->base[i] - 1) * dilation + 1 : 0;
  MlirValue at = countUp(ir, w->counts[i] * taps);
  MlirValue tap = withNumber(ir, "xla.remainder", at, taps);
  MlirValue window = withNumber(ir, "xla.divide", at, taps);
  MlirValue place = xlaIrBinary(
      ir, "xla.add", withNumber(ir, "xla.multiply", window, w->strides[i]),
      withNumber(ir, "xla.multiply", tap, w->windowDilations[i]));
  place = withNumber(ir, "xla.subtract", place, w->low[i]);
  MlirValue isThere = xlaIrBinary(ir, "xla.and", isLess(ir, tap, size),
                                  isLess(ir, place, xlaBoundedNumber(ir, end)));
  MlirValue none = xlaArrayInteger(ir, place, 0);
  isThere = xlaIrBinary(ir, "xla.and", isThere,
                        xlaArrayCompare(ir, "GE", place, none));
  if (dilation > 1) {
    MlirValue rest = withNumber(ir, "xla.remainder", place, dilation);
    isThere = xlaIrBinary(ir, "xla.and", isThere,
                          xlaArrayCompare(ir, "EQ", rest, none));
    place = withNumber(ir, "xla.divide", place, dilation);
  }
  return take(ir, lhs, v->c.lhs.spatial.values[i], place, isThere);
}

static void setList(MlirOperation op, const char *name, int n,
                    const int64_t *values) {
  mlirOperationSetAttributeByName(
      op, mlirStringRefCreateFromCString(name),
      mlirDenseI64ArrayGet(mlirOperationGetContext(op), n, values));
}

/// The attributes of windows that follow each other where kernels have sizes.
static void setWindows(const Convolution *v, MlirOperation op) {
  const XlaWindow *w = &v->c.window;
  int64_t padding[2 * XLA_MAX_RANK], strides[XLA_MAX_RANK], base[XLA_MAX_RANK],
      inner[XLA_MAX_RANK];
  bool any = false;
  MlirAttribute reversed[XLA_MAX_RANK];
  for (int i = 0; i < w->rank; ++i) {
    bool follow = v->rhs.sizes[v->c.rhs.spatial.values[i]].ptr != NULL;
    any |= follow;
    padding[2 * i] = follow ? 0 : w->low[i];
    padding[2 * i + 1] = follow ? 0 : w->high[i];
    strides[i] = follow ? w->sizes[i] : w->strides[i];
    base[i] = follow ? 1 : w->baseDilations[i];
    inner[i] = follow ? 1 : w->windowDilations[i];
    reversed[i] =
        mlirBoolAttrGet(v->b->ir.context, v->c.reversed[i] && !follow);
  }
  if (!any)
    return;
  setList(op, "padding", 2 * w->rank, padding);
  setList(op, "window_strides", w->rank, strides);
  setList(op, "lhs_dilation", w->rank, base);
  setList(op, "rhs_dilation", w->rank, inner);
  mlirOperationSetAttributeByName(
      op, mlirStringRefCreateFromCString("window_reversal"),
      mlirArrayAttrGet(v->b->ir.context, w->rank, reversed));
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

/// Sizes of the result in its spatial dimensions.
static MlirLogicalResult countAll(Convolution *v) {
  for (int i = 0; i < v->c.window.rank; ++i) {
    int64_t from = v->c.lhs.spatial.values[i];
    int64_t to = v->c.result.spatial.values[i];
    MlirValue taps = v->rhs.sizes[v->c.rhs.spatial.values[i]];
    if (!v->lhs.sizes[from].ptr && !taps.ptr)
      continue;
    bool isLarge =
        taps.ptr && v->c.window.counts[i] > INT32_MAX / v->c.window.sizes[i];
    if (isLarge ||
        !xlaBoundedCountWindows(&v->b->ir, &v->c.window, i,
                                xlaBoundedSize(&v->b->ir, &v->lhs, from), taps,
                                &v->result.sizes[to]))
      return xlaBoundedUnsupported(v->b->op, " in windows so large");
    if (!taps.ptr)
      continue;
    if (failed(xlaBoundedCheck(v->b, XlaBoundedAtMost,
                               xlaBoundedNumber(&v->b->ir, 1), taps,
                               "convolution_kernel",
                               "spatial dimension %lld of rhs must have at "
                               "least %%d elements, has %%d",
                               (long long)v->c.rhs.spatial.values[i])) ||
        failed(xlaBoundedCheck(
            v->b, XlaBoundedAtMost, v->result.sizes[to],
            xlaBoundedNumber(&v->b->ir, v->c.window.counts[i]), "dynamic",
            "dimension %lld of result 0 is %%d, its bound is %%d",
            (long long)to)))
      return failure();
  }
  return success();
}

/// An operand with zeros beyond its sizes in the dimensions that are summed
/// over.
static MlirValue fillBeyond(Convolution *v, const XlaBounded *operand,
                            const XlaConvolutionSide *dims) {
  XlaIr *ir = &v->b->ir;
  uint32_t inner = UINT32_C(1) << dims->feature;
  for (int i = 0; i < v->c.window.rank; ++i)
    inner |= UINT32_C(1) << dims->spatial.values[i];
  return xlaBoundedFill(ir, operand, inner,
                        xlaArrayNumber(ir, operand->shape.elementType, 0));
}

static MlirValue makeLhs(Convolution *v) {
  XlaIr *ir = &v->b->ir;
  MlirValue lhs = fillBeyond(v, &v->lhs, &v->c.lhs);
  int64_t batch = v->c.lhs.batch, feature = v->c.lhs.feature;
  if (v->c.featureGroups > 1 && v->lhs.sizes[feature].ptr)
    lhs = spreadGroups(ir, lhs, feature, v->lhs.sizes[feature],
                       v->c.featureGroups);
  if (v->c.batchGroups > 1 && v->lhs.sizes[batch].ptr)
    lhs = spreadGroups(ir, lhs, batch, v->lhs.sizes[batch], v->c.batchGroups);
  for (int i = 0; i < v->c.window.rank; ++i) {
    MlirValue size = v->rhs.sizes[v->c.rhs.spatial.values[i]];
    if (size.ptr)
      lhs = coverWindows(v, lhs, i, size);
  }
  return lhs;
}

static MlirValue makeRhs(Convolution *v) {
  XlaIr *ir = &v->b->ir;
  MlirValue rhs = fillBeyond(v, &v->rhs, &v->c.rhs);
  int64_t kernels = v->c.rhs.batch;
  int64_t groups = v->c.featureGroups * v->c.batchGroups;
  if (groups > 1 && v->rhs.sizes[kernels].ptr)
    rhs = spreadGroups(ir, rhs, kernels, v->rhs.sizes[kernels], groups);
  for (int i = 0; i < v->c.window.rank; ++i) {
    int64_t d = v->c.rhs.spatial.values[i];
    if (v->c.reversed[i] && v->rhs.sizes[d].ptr)
      rhs = reverseKernel(ir, rhs, d, v->rhs.sizes[d]);
  }
  return rhs;
}

MlirLogicalResult xlaBoundedConvolution(XlaBoundedOp *b) {
  Convolution v = {.b = b,
                   .lhs = xlaBoundedOperand(b, 0),
                   .rhs = xlaBoundedOperand(b, 1),
                   .result = {.shape = xlaBoundedResultShape(b, 0)}};
  xlaConvolutionReadSizes(b->op, &v.lhs.shape, &v.rhs.shape, &v.c);
  if (failed(checkGroups(&v)) || failed(countAll(&v)))
    return failure();
  MlirValue *sizes = v.result.sizes, batch = v.lhs.sizes[v.c.lhs.batch];
  MlirValue kernels = v.rhs.sizes[v.c.rhs.batch];
  int64_t groups = v.c.featureGroups * v.c.batchGroups;
  if (batch.ptr && v.c.batchGroups > 1)
    batch = xlaIrBinary(&b->ir, "xla.divide", batch,
                        xlaBoundedNumber(&b->ir, v.c.batchGroups));
  sizes[v.c.result.batch] = batch;
  sizes[v.c.result.feature] = kernels;
  MlirOperation made = xlaBoundedClone(b);
  mlirOperationSetOperand(made, 0, makeLhs(&v));
  mlirOperationSetOperand(made, 1, makeRhs(&v));
  setWindows(&v, made);
  mlirOperationMoveBefore(made, b->op);
  v.result.array = mlirOperationGetResult(made, 0);
  if (groups > 1 && kernels.ptr)
    v.result.array =
        joinGroups(&b->ir, v.result.array, v.c.result.feature, kernels, groups);
  return xlaBoundedSetResult(b, 0, &v.result);
}

//===- convolution.c - Convolutions ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/convolution.h"

#include "xlac/dialect/family.h"
#include "xlac/dialect/ops/products.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

static const XlaWindowForm windowForm = {
    {NULL, NULL, NULL},
    {"window_strides", "convolution_c2", "convolution_c3"},
    {"lhs_dilation", "convolution_c5", "convolution_c6"},
    {"rhs_dilation", "convolution_c7", "convolution_c8"},
    "convolution_c4",
    "convolution_c25"};

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

/// The attributes of a side, and the rules that they follow.
typedef struct SideForm {
  const char *array, *batch, *feature, *spatial;
  const char *countLabel, *uniqueLabel;
} SideForm;

static const SideForm sideForms[3] = {
    {"lhs", "input_batch_dimension", "input_feature_dimension",
     "input_spatial_dimensions", "convolution_c12", "convolution_c13"},
    {"rhs", "kernel_output_feature_dimension", "kernel_input_feature_dimension",
     "kernel_spatial_dimensions", "convolution_c17", "convolution_c18"},
    {"the result", "output_batch_dimension", "output_feature_dimension",
     "output_spatial_dimensions", "convolution_c19", "convolution_c20"},
};

static void readSide(const XlaOpView *view, const SideForm *form, int nSpatial,
                     XlaConvolutionSide *side) {
  side->batch = xlaViewGetI64(view, form->batch, 0);
  side->feature = xlaViewGetI64(view, form->feature, 1);
  if (xlaViewGetList(view, form->spatial, &side->spatial))
    return;
  side->spatial.size = nSpatial;
  for (int i = 0; i < nSpatial; ++i)
    side->spatial.values[i] = 2 + i;
}

static MlirLogicalResult checkDimension(const XlaOpView *view,
                                        const SideForm *form, int rank,
                                        const char *name, int64_t d,
                                        uint64_t *seen) {
  if (d < 0 || d >= rank)
    return xlaViewError(view, form->uniqueLabel,
                        "%s has %lld, %s has %d dimensions", name, (long long)d,
                        form->array, rank);
  if (*seen >> d & 1)
    return xlaViewError(view, form->uniqueLabel,
                        "%s has %lld, which is another dimension of %s too",
                        name, (long long)d, form->array);
  *seen |= 1ull << d;
  return success();
}

static MlirLogicalResult checkSide(const XlaOpView *view, const SideForm *form,
                                   int nSpatial,
                                   const XlaConvolutionSide *side) {
  uint64_t seen = 0;
  int rank = nSpatial + 2;
  if (side->spatial.size != nSpatial)
    return xlaViewError(view, form->countLabel,
                        "%s is %s, %s has %d spatial dimensions", form->spatial,
                        XLA_LIST_TEXT(side->spatial.values, side->spatial.size),
                        form->array, nSpatial);
  if (failed(
          checkDimension(view, form, rank, form->batch, side->batch, &seen)) ||
      failed(checkDimension(view, form, rank, form->feature, side->feature,
                            &seen)))
    return failure();
  for (int i = 0; i < nSpatial; ++i)
    if (failed(checkDimension(view, form, rank, form->spatial,
                              side->spatial.values[i], &seen)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

/// Booleans in the forms [true, false], array<i1: true, false> and
/// dense<..> : tensor<2xi1>. The number of them, or -1 if it is no such list.
static intptr_t readBools(MlirAttribute attr, bool values[XLA_MAX_RANK]) {
  bool array = mlirAttributeIsAArray(attr);
  bool dense = mlirAttributeIsADenseElements(attr);
  if (!array && !dense && !mlirAttributeIsADenseBoolArray(attr))
    return -1;
  if (dense) {
    MlirType type = mlirAttributeGetType(attr);
    MlirType element = mlirShapedTypeGetElementType(type);
    if (mlirShapedTypeGetRank(type) != 1 || !mlirTypeIsAInteger(element) ||
        mlirIntegerTypeGetWidth(element) != 1)
      return -1;
  }
  intptr_t n = array   ? mlirArrayAttrGetNumElements(attr)
               : dense ? (intptr_t)mlirElementsAttrGetNumElements(attr)
                       : mlirDenseArrayGetNumElements(attr);
  for (intptr_t i = 0; i < n && i < XLA_MAX_RANK; ++i) {
    MlirAttribute element =
        array ? mlirArrayAttrGetElement(attr, i) : mlirAttributeGetNull();
    if (array && !mlirAttributeIsABool(element))
      return -1;
    values[i] = array   ? mlirBoolAttrGetValue(element)
                : dense ? mlirDenseElementsAttrGetBoolValue(attr, i)
                        : mlirDenseBoolArrayGetElement(attr, i);
  }
  return n;
}

static MlirLogicalResult checkReversal(const XlaOpView *view, int nSpatial,
                                       bool reversed[XLA_MAX_RANK]) {
  MlirAttribute attr = xlaViewGetAttr(view, "window_reversal");
  memset(reversed, 0, XLA_MAX_RANK * sizeof *reversed);
  if (mlirAttributeIsNull(attr))
    return success();
  intptr_t n = readBools(attr, reversed);
  if (n < 0)
    return xlaViewError(view, "attribute",
                        "attribute 'window_reversal' must be a list of "
                        "booleans, [..] or array<i1: ..>");
  if (n != nSpatial)
    return xlaViewError(view, "convolution_c9",
                        "window_reversal has %lld entries, there are %d "
                        "spatial dimensions",
                        (long long)n, nSpatial);
  return success();
}

static MlirLogicalResult checkDivides(const XlaOpView *view, const char *label,
                                      const char *name, int64_t groups,
                                      const char *what, int64_t size) {
  if (size % groups == 0)
    return success();
  return xlaViewError(view, label, "%s is %lld, %s has size %lld", name,
                      (long long)groups, what, (long long)size);
}

static MlirLogicalResult checkGroups(const XlaOpView *view,
                                     const XlaConvolution *c,
                                     const XlaShape *lhs, const XlaShape *rhs) {
  const char *features = "feature_group_count", *batches = "batch_group_count";
  int64_t n = c->featureGroups, m = c->batchGroups;
  if (n < 1 || m < 1)
    return xlaViewError(view, n < 1 ? "convolution_c21" : "convolution_c22",
                        "%s is %lld, must be at least 1",
                        n < 1 ? features : batches, (long long)(n < 1 ? n : m));
  if (n > 1 && m > 1)
    return xlaViewError(view, "convolution_c23",
                        "feature_group_count is %lld, batch_group_count %lld: "
                        "one must be 1",
                        (long long)n, (long long)m);
  if (failed(checkDivides(view, "convolution_c10", batches, m,
                          "the batch dimension of lhs",
                          lhs->dims[c->lhs.batch])) ||
      failed(checkDivides(view, "convolution_c11", features, n,
                          "the feature dimension of lhs",
                          lhs->dims[c->lhs.feature])) ||
      failed(checkDivides(view, "convolution_c15", batches, m,
                          "the output feature dimension of rhs",
                          rhs->dims[c->rhs.batch])) ||
      failed(checkDivides(view, "convolution_c16", features, n,
                          "the output feature dimension of rhs",
                          rhs->dims[c->rhs.batch])))
    return failure();
  int64_t group = lhs->dims[c->lhs.feature] / n;
  if (rhs->dims[c->rhs.feature] == group)
    return success();
  return xlaViewError(view, "convolution_c14",
                      "the input feature dimension of rhs has size %lld, must "
                      "have that of lhs in one group, %lld",
                      (long long)rhs->dims[c->rhs.feature], (long long)group);
}

static MlirLogicalResult checkKernel(const XlaOpView *view,
                                     const XlaConvolution *c) {
  for (int i = 0; i < c->window.rank; ++i)
    if (c->window.sizes[i] < 1)
      return xlaViewError(view, "convolution_kernel",
                          "spatial dimension %lld of rhs is %lld, must be "
                          "positive",
                          (long long)c->rhs.spatial.values[i],
                          (long long)c->window.sizes[i]);
  return success();
}

static void setDimension(XlaShape *result, int64_t d, int64_t size,
                         bool isDynamic) {
  result->dims[d] = size;
  xlaShapeSetDynamic(result, d, isDynamic);
}

/// Everything but the element types.
static MlirLogicalResult inferShape(const XlaOpView *view, XlaConvolution *c,
                                    const XlaShape *lhs, const XlaShape *rhs,
                                    XlaShape *result) {
  int n = lhs->rank - 2;
  XlaConvolutionSide *sides[3] = {&c->lhs, &c->rhs, &c->result};
  if (n < 0 || lhs->rank != rhs->rank)
    return xlaViewError(view, "convolution_c1",
                        "convolves %s with %s: both must have the same number "
                        "of dimensions, 2 or more",
                        XLA_SHAPE_TEXT(lhs), XLA_SHAPE_TEXT(rhs));
  for (int i = 0; i < 3; ++i) {
    readSide(view, &sideForms[i], n, sides[i]);
    if (failed(checkSide(view, &sideForms[i], n, sides[i])))
      return failure();
  }
  c->window.rank = n;
  for (int i = 0; i < n; ++i) {
    c->window.base[i] = lhs->dims[c->lhs.spatial.values[i]];
    c->window.sizes[i] = rhs->dims[c->rhs.spatial.values[i]];
  }
  c->featureGroups = xlaViewGetI64(view, "feature_group_count", 1);
  c->batchGroups = xlaViewGetI64(view, "batch_group_count", 1);
  if (failed(checkKernel(view, c)) ||
      failed(xlaWindowInfer(view, &windowForm, &c->window)) ||
      failed(checkReversal(view, n, c->reversed)) ||
      failed(checkGroups(view, c, lhs, rhs)) ||
      failed(xlaProductsCheckPrecision(view, "convolution_c24")))
    return failure();
  *result = (XlaShape){.rank = lhs->rank};
  setDimension(result, c->result.batch,
               lhs->dims[c->lhs.batch] / c->batchGroups,
               xlaShapeIsDynamic(lhs, c->lhs.batch));
  setDimension(result, c->result.feature, rhs->dims[c->rhs.batch],
               xlaShapeIsDynamic(rhs, c->rhs.batch));
  for (int i = 0; i < n; ++i)
    setDimension(result, c->result.spatial.values[i], c->window.counts[i],
                 xlaShapeIsDynamic(lhs, c->lhs.spatial.values[i]) ||
                     xlaShapeIsDynamic(rhs, c->rhs.spatial.values[i]));
  return success();
}

MlirLogicalResult xlaConvolutionInfer(XlaOpView *view) {
  XlaShape lhs, rhs, result;
  XlaConvolution convolution;
  if (failed(xlaViewGetBounded(view, 0, &lhs)) ||
      failed(xlaViewGetBounded(view, 1, &rhs)) ||
      failed(inferShape(view, &convolution, &lhs, &rhs, &result)))
    return failure();
  // A builder that states no result gets lhs's element type.
  result.elementType = lhs.elementType;
  if (view->nStatedResults) {
    XlaShape stated;
    if (failed(xlaViewGetStatedBounded(view, 0, &stated)))
      return failure();
    result.elementType = stated.elementType;
  }
  if (failed(xlaProductsCheck(view, "convolution_c27", &lhs, &rhs,
                              result.elementType)))
    return failure();
  return xlaViewAppendChecked(view, NULL, &result);
}

static void getShape(MlirValue value, XlaShape *shape) {
  xlaShapeFromMlirBounded(mlirValueGetType(value), shape, NULL);
}

void xlaConvolutionReadSizes(MlirOperation op, const XlaShape *lhs,
                             const XlaShape *rhs, XlaConvolution *convolution) {
  XlaShape result;
  XlaOpView view = {.kind = xlaOpGetKind(op),
                    .context = mlirOperationGetContext(op),
                    .location = mlirOperationGetLocation(op),
                    .attributes = mlirExtOperationGetInherentAttributes(op)};
  inferShape(&view, convolution, lhs, rhs, &result);
}

void xlaConvolutionRead(MlirOperation op, XlaConvolution *convolution) {
  XlaShape lhs, rhs;
  getShape(mlirOperationGetOperand(op, 0), &lhs);
  getShape(mlirOperationGetOperand(op, 1), &rhs);
  xlaConvolutionReadSizes(op, &lhs, &rhs, convolution);
}

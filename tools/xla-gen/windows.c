//===- windows.c - Random reductions of windows and convolutions ----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/accuracy.h"
#include "xlac/tools/xla-gen/gen.h"

#include "mlir-c/BuiltinAttributes.h"

/// Windows that slide along dimensions.
typedef struct Windows {
  int64_t sizes[XLA_MAX_RANK], strides[XLA_MAX_RANK];
  int64_t dilations[XLA_MAX_RANK], base[XLA_MAX_RANK];
  int64_t padding[2 * XLA_MAX_RANK];
} Windows;

static void chooseWindow(XlaGen *gen, int d, int64_t largest, Windows *w) {
  int64_t size = largest < 4 ? largest : 4;
  w->sizes[d] = xlaGenBelow(gen, 3) ? 1 + xlaGenBelow(gen, size) : 1;
  w->strides[d] = xlaGenBelow(gen, 2) ? 1 : 1 + xlaGenBelow(gen, 3);
  w->dilations[d] = xlaGenBelow(gen, 3) ? 1 : 2;
  w->base[d] = xlaGenBelow(gen, 3) ? 1 : 2;
  for (int end = 0; end < 2; ++end)
    w->padding[2 * d + end] = xlaGenBelow(gen, 2) ? 0 : xlaGenBelow(gen, 3);
}

bool xlaGenReduceWindow(XlaGen *gen, XlaOpKind kind) {
  XlaGenValue x = xlaGenPick(gen, ~0u);
  Windows w;
  XlaOpKind combiner;
  double neutral;
  int rank = x.shape.rank;
  int64_t count = 1;
  if (gen->scalars ||
      !xlaGenCombiner(gen, x.shape.elementType, &combiner, &neutral))
    return false;
  for (int d = 0; d < rank; ++d) {
    chooseWindow(gen, d, x.shape.dims[d], &w);
    count *= w.sizes[d];
  }
  x = xlaGenCombined(gen, combiner, x);
  XlaShape scalar = xlaGenScalar(x.shape.elementType);
  XlaGenValue init = xlaGenNumber(gen, &scalar, neutral);
  if (combiner == XlaOpKindAdd || combiner == XlaOpKindMultiply) {
    x = xlaGenVaryRounding(gen, x,
                           xlaAccuracyUlpsOfSum(scalar.elementType, count));
  } else if (xlaGenTakes(gen, XlaGenLibertyOrder) &&
             xlaElementTypeIsFloat(scalar.elementType)) {
    XlaShape shape = x.shape;
    x = xlaGenWithoutNan(gen, x, xlaGenNumber(gen, &shape, neutral));
  }
  MlirRegion region =
      xlaGenCombination(gen, combiner, mlirValueGetType(init.value));
  XlaGenValue operands[] = {x, init};
  XlaIrAttr attrs[] = {xlaGenList(gen, "window_dimensions", rank, w.sizes),
                       xlaGenList(gen, "window_strides", rank, w.strides),
                       xlaGenList(gen, "base_dilations", rank, w.base),
                       xlaGenList(gen, "window_dilations", rank, w.dilations),
                       xlaGenList(gen, "padding", 2 * rank, w.padding)};
  return xlaGenOp(gen, kind, 2, operands, 5, attrs, 1, &region, NULL, NULL);
}

/// The first of two that is not smaller (or not larger) is selected.
static MlirRegion selection(XlaGen *gen, MlirType type) {
  XlaGenScope scope = xlaGenEnter(gen, 2, (const MlirType[]){type, type}, true);
  MlirBlock block = gen->ir.block;
  MlirValue compared[] = {mlirBlockGetArgument(block, 0),
                          mlirBlockGetArgument(block, 1)};
  XlaIrAttr attr = {
      "comparison_direction",
      xlaIrStringAttr(gen->ir.context, xlaGenBelow(gen, 2) ? "GE" : "LE")};
  MlirOperation op =
      xlaGenRaw(gen, XlaOpKindCompare, 2, compared, 1, &attr, 0, NULL, 0, NULL);
  MlirValue result = mlirOperationGetResult(op, 0);
  return xlaGenLeave(gen, &scope, 1, &result);
}

/// Elements are added up where they are the extreme of a window.
bool xlaGenSelectAndScatter(XlaGen *gen, XlaOpKind kind) {
  const unsigned classes =
      XlaTypeClassSigned | XlaTypeClassUnsigned | XlaTypeClassFloat;
  XlaGenValue x = xlaGenPick(gen, classes);
  Windows w;
  XlaShape source = x.shape, scalar = xlaGenScalar(x.shape.elementType);
  int rank = x.shape.rank;
  int64_t count = 1;
  if (gen->scalars ||
      !(xlaElementTypeGetInfo(scalar.elementType)->typeClass & classes))
    return false;
  for (int d = 0; d < rank; ++d) {
    chooseWindow(gen, d, x.shape.dims[d], &w);
    int64_t padded = x.shape.dims[d] + w.padding[2 * d] + w.padding[2 * d + 1];
    source.dims[d] =
        padded < w.sizes[d] ? 0 : (padded - w.sizes[d]) / w.strides[d] + 1;
    count *= w.sizes[d];
  }
  if (!xlaGenFits(gen, &source))
    return false;
  // What is selected among NaNs depends on the order.
  XlaGenValue operands[] = {xlaGenCalm(gen, x), xlaGenOfShape(gen, &source),
                            xlaGenNumber(gen, &scalar, 0)};
  operands[1] = xlaGenVaryRounding(
      gen, operands[1], xlaAccuracyUlpsOfSum(scalar.elementType, count));
  MlirType type = mlirValueGetType(operands[2].value);
  MlirRegion regions[2] = {selection(gen, type)};
  regions[1] = xlaGenCombination(gen, XlaOpKindAdd, type);
  XlaIrAttr attrs[] = {xlaGenList(gen, "window_dimensions", rank, w.sizes),
                       xlaGenList(gen, "window_strides", rank, w.strides),
                       xlaGenList(gen, "padding", 2 * rank, w.padding)};
  return xlaGenOp(gen, kind, 3, operands, 3, attrs, 2, regions, NULL, NULL);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// Where two dimensions and the spatial ones are in an array, in some order.
typedef struct Layout {
  int64_t first, second, spatial[3];
} Layout;

static Layout chooseLayout(XlaGen *gen, int nSpatial) {
  int64_t order[5];
  for (int i = 0; i < nSpatial + 2; ++i) {
    int j = xlaGenBelow(gen, 3) ? i : xlaGenBelow(gen, i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  Layout layout = {order[0], order[1], {0}};
  for (int i = 0; i < nSpatial; ++i)
    layout.spatial[i] = order[2 + i];
  return layout;
}

static XlaShape shapeOf(XlaElementType type, const Layout *layout, int nSpatial,
                        int64_t first, int64_t second, const int64_t *spatial) {
  XlaShape shape = xlaGenScalar(type);
  shape.rank = nSpatial + 2;
  shape.dims[layout->first] = first;
  shape.dims[layout->second] = second;
  for (int i = 0; i < nSpatial; ++i)
    shape.dims[layout->spatial[i]] = spatial[i];
  return shape;
}

bool xlaGenConvolution(XlaGen *gen, XlaOpKind kind) {
  XlaElementType type = xlaGenElementType(
      gen, XlaTypeClassSigned | XlaTypeClassFloat | XlaTypeClassUnsigned);
  Windows w;
  int n = xlaGenBelow(gen, 4);
  int64_t features = 1 + xlaGenBelow(gen, 3), outputs = 1 + xlaGenBelow(gen, 3);
  int64_t groups = xlaGenBelow(gen, 3) ? 1 : 1 + xlaGenBelow(gen, 3);
  int64_t batchGroups =
      groups > 1 || xlaGenBelow(gen, 4) ? 1 : 1 + xlaGenBelow(gen, 2);
  int64_t batch = batchGroups * (1 + xlaGenBelow(gen, 2)), sizes[3];
  if (!type || gen->scalars)
    return false;
  int64_t count = features;
  for (int i = 0; i < n; ++i) {
    sizes[i] = 1 + xlaGenBelow(gen, 7);
    chooseWindow(gen, i, sizes[i], &w);
    count *= w.sizes[i];
  }
  Layout in = chooseLayout(gen, n), kernel = chooseLayout(gen, n),
         out = chooseLayout(gen, n);
  XlaShape shapes[] = {shapeOf(type, &in, n, batch, features * groups, sizes),
                       shapeOf(type, &kernel, n, features,
                               outputs * groups * batchGroups, w.sizes)};
  if (!xlaGenFits(gen, &shapes[0]) || !xlaGenFits(gen, &shapes[1]))
    return false;
  XlaGenValue operands[2];
  for (int i = 0; i < 2; ++i)
    operands[i] = xlaGenOfShape(gen, &shapes[i]);
  for (int i = 0; i < 2; ++i)
    operands[i] =
        xlaGenVaryRounding(gen, operands[i], xlaAccuracyUlpsOfSum(type, count));
  XlaIrAttr attrs[] = {
      xlaGenList(gen, "window_strides", n, w.strides),
      xlaGenList(gen, "padding", 2 * n, w.padding),
      xlaGenList(gen, "lhs_dilation", n, w.base),
      xlaGenList(gen, "rhs_dilation", n, w.dilations),
      xlaGenInteger(gen, "input_batch_dimension", in.first),
      xlaGenInteger(gen, "input_feature_dimension", in.second),
      xlaGenList(gen, "input_spatial_dimensions", n, in.spatial),
      xlaGenInteger(gen, "kernel_input_feature_dimension", kernel.first),
      xlaGenInteger(gen, "kernel_output_feature_dimension", kernel.second),
      xlaGenList(gen, "kernel_spatial_dimensions", n, kernel.spatial),
      xlaGenInteger(gen, "output_batch_dimension", out.first),
      xlaGenInteger(gen, "output_feature_dimension", out.second),
      xlaGenList(gen, "output_spatial_dimensions", n, out.spatial),
      xlaGenInteger(gen, "feature_group_count", groups),
      xlaGenInteger(gen, "batch_group_count", batchGroups)};
  return xlaGenOp(gen, kind, 2, operands, 15, attrs, 0, NULL, NULL, NULL);
}

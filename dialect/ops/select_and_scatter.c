//===- select_and_scatter.c - Scattering to selected elements -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/select_and_scatter.h"
#include "xlac/dialect/family.h"
#include "xlac/dialect/ops/window.h"
#include "xlac/dialect/result_internal.h"

#include <string.h>

const XlaWindowForm xlaSelectAndScatterForm = {
    {"window_dimensions", "select_and_scatter_c4", "select_and_scatter_c5"},
    {"window_strides", "select_and_scatter_c6", "select_and_scatter_c7"},
    {NULL, NULL, NULL},
    {NULL, NULL, NULL},
    "select_and_scatter_c8",
    "select_and_scatter_c2"};

/// Checks that a region takes two scalars of one type and returns one value.
/// `argument` and `result` get the element types.
static MlirLogicalResult checkRegion(const XlaOpView *view, int region,
                                     const char *label,
                                     XlaElementType *argument,
                                     XlaElementType *result) {
  MlirOperation terminator;
  MlirBlock block = mlirRegionGetFirstBlock(view->regions[region]);
  const char *name = region == xlaSelectRegion ? "select" : "scatter";
  xlaRegionGetReturn(view->regions[region], &terminator);
  intptr_t nArguments = mlirBlockGetNumArguments(block);
  intptr_t nReturned = mlirOperationGetNumOperands(terminator);
  if (nArguments != 2 || nReturned != 1)
    return xlaViewError(view, label,
                        "the %s region takes %lld scalars and returns %lld, "
                        "must take 2 and return 1",
                        name, (long long)nArguments, (long long)nReturned);
  MlirType types[3] = {
      mlirValueGetType(mlirBlockGetArgument(block, 0)),
      mlirValueGetType(mlirBlockGetArgument(block, 1)),
      mlirValueGetType(mlirOperationGetOperand(terminator, 0))};
  XlaShape shapes[3];
  for (int i = 0; i < 3; ++i)
    if (!xlaShapeFromMlir(types[i], &shapes[i], NULL) || shapes[i].rank)
      return xlaViewError(view, label, "the %s region %s %s, not a scalar",
                          name, i == 2 ? "returns" : "takes",
                          XLA_TYPE_TEXT(types[i]));
  if (shapes[0].elementType != shapes[1].elementType)
    return xlaViewError(view, label, "the %s region takes %s and %s", name,
                        XLA_TYPE_TEXT(types[0]), XLA_TYPE_TEXT(types[1]));
  *argument = shapes[0].elementType;
  *result = shapes[2].elementType;
  return success();
}

static MlirLogicalResult checkRegions(const XlaOpView *view,
                                      const XlaShape *operand,
                                      XlaElementType *scattered) {
  XlaElementType argument, result;
  const char *name = xlaElementTypeGetInfo(operand->elementType)->name;
  if (failed(checkRegion(view, xlaSelectRegion, "select_and_scatter_c9",
                         &argument, &result)))
    return failure();
  if (argument != operand->elementType || result != XlaElementTypePred)
    return xlaViewError(
        view, "select_and_scatter_c9",
        "the select region takes %s and returns %s, must take %s and return "
        "pred",
        xlaElementTypeGetInfo(argument)->name,
        xlaElementTypeGetInfo(result)->name, name);
  if (failed(checkRegion(view, xlaScatterRegion, "select_and_scatter_c10",
                         &argument, scattered)))
    return failure();
  if (argument != *scattered ||
      !xlaElementTypeIsPromotable(operand->elementType, *scattered))
    return xlaViewError(
        view, "select_and_scatter_c10",
        "the scatter region takes %s and returns %s, must take and return %s",
        xlaElementTypeGetInfo(argument)->name,
        xlaElementTypeGetInfo(*scattered)->name, name);
  return success();
}

static MlirLogicalResult checkSource(const XlaOpView *view,
                                     const XlaShape *operand,
                                     const XlaShape *source,
                                     const XlaWindow *window) {
  XlaShape wanted = *operand;
  memcpy(wanted.dims, window->counts,
         (size_t)operand->rank * sizeof *wanted.dims);
  if (xlaShapeDimsEqual(source, &wanted))
    return success();
  return xlaViewError(view, "select_and_scatter_c2",
                      "source is %s, the windows are %s",
                      XLA_SHAPE_TEXT(source), XLA_SHAPE_TEXT(&wanted));
}

MlirLogicalResult xlaSelectAndScatterInfer(XlaOpView *view) {
  XlaShape operand, source, init;
  XlaWindow window;
  if (failed(xlaViewGetBounded(view, 0, &operand)) ||
      failed(xlaViewGetBounded(view, 1, &source)) ||
      failed(xlaViewGetBounded(view, 2, &init)))
    return failure();
  if (source.elementType != operand.elementType)
    return xlaViewError(view, "select_and_scatter_c1",
                        "source is %s, operand %s: the element types must be "
                        "the same",
                        XLA_SHAPE_TEXT(&source), XLA_SHAPE_TEXT(&operand));
  if (init.rank || init.elementType != operand.elementType)
    return xlaViewError(view, "select_and_scatter_c3",
                        "the init value is %s, must be a scalar of the "
                        "elements of %s",
                        XLA_SHAPE_TEXT(&init), XLA_SHAPE_TEXT(&operand));
  xlaWindowSetBase(&window, &operand);
  XlaElementType scattered;
  if (failed(xlaWindowInfer(view, &xlaSelectAndScatterForm, &window)) ||
      failed(checkSource(view, &operand, &source, &window)) ||
      failed(checkRegions(view, &operand, &scattered)))
    return failure();
  operand.elementType = scattered;
  xlaViewAppendBounded(view, &operand);
  return success();
}

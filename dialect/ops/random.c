//===- random.c - Types of random bits and numbers ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

/// u64[2], u64[3] of Philox, or u64[2] as the u32[4] of its words.
static bool isState(const XlaShape *state, bool threeFry) {
  if (state->rank != 1)
    return false;
  if (state->elementType == XlaElementTypeU32)
    return state->dims[0] == 4;
  return state->elementType == XlaElementTypeU64 &&
         (state->dims[0] == 2 || (state->dims[0] == 3 && !threeFry));
}

static MlirLogicalResult inferBitGenerator(XlaOpView *view) {
  XlaShape state, bits;
  if (failed(xlaViewGetShape(view, 0, &state)) ||
      failed(xlaViewGetStatedShape(view, 1, &bits)))
    return failure();
  MlirAttribute algorithm = xlaViewGetAttr(view, "rng_algorithm");
  bool threeFry =
      mlirStringRefEqual(mlirStringAttrGetValue(algorithm),
                         mlirStringRefCreateFromCString("THREE_FRY"));
  if (!isState(&state, threeFry))
    return xlaViewError(view, "rng_bit_generator_c2",
                        "the state is %s, must be tensor<2xui64>%s or "
                        "tensor<4xui32>",
                        XLA_SHAPE_TEXT(&state),
                        threeFry ? "" : ", tensor<3xui64>");
  bool wholeBytes = xlaElementTypeGetInfo(bits.elementType)->bits >= 16;
  if (!xlaElementTypeIsInteger(bits.elementType) &&
      !(xlaElementTypeIsFloat(bits.elementType) && wholeBytes))
    return xlaViewError(view, "rng_bit_generator_c3",
                        "gives bits of %s, must be those of an integer, f16, "
                        "bf16, f32 or f64",
                        xlaElementTypeGetInfo(bits.elementType)->name);
  xlaViewAppendShape(view, &state);
  xlaViewAppendShape(view, &bits);
  return success();
}

static bool isDrawn(XlaOpKind kind, XlaElementType type) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  if (xlaElementTypeIsFloat(type))
    return info->bits >= 16;
  return kind == XlaOpKindRngUniform &&
         (info->typeClass == XlaTypeClassPred || info->bits >= 8);
}

static MlirLogicalResult inferDistribution(XlaOpView *view) {
  bool uniform = view->kind == XlaOpKindRngUniform;
  XlaShape result, parameter;
  if (failed(xlaViewGetStatedShape(view, 0, &result)))
    return failure();
  for (int i = 0; i < 2; ++i) {
    if (failed(xlaViewGetShape(view, i, &parameter)))
      return failure();
    if (parameter.rank)
      return xlaViewError(view, uniform ? "rng_uniform_c1" : "rng_normal_c1",
                          "operand %d is %s, must be a scalar", i,
                          XLA_SHAPE_TEXT(&parameter));
    if (parameter.elementType != result.elementType)
      return xlaViewError(view, uniform ? "rng_uniform_c2" : "rng_normal_c2",
                          "operand %d is of %s, the result of %s", i,
                          xlaElementTypeGetInfo(parameter.elementType)->name,
                          xlaElementTypeGetInfo(result.elementType)->name);
  }
  if (!isDrawn(view->kind, result.elementType))
    return xlaViewError(view, uniform ? "rng_uniform_c3" : "rng_normal_c3",
                        "draws %s, must draw %sf16, bf16, f32 or f64",
                        xlaElementTypeGetInfo(result.elementType)->name,
                        uniform ? "pred, integers of 8 bits or more, " : "");
  xlaViewAppendShape(view, &result);
  return success();
}

MlirLogicalResult xlaRandomInfer(XlaOpView *view) {
  return view->kind == XlaOpKindRngBitGenerator ? inferBitGenerator(view)
                                                : inferDistribution(view);
}

//===- fft.c - Fourier transforms -----------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/fft.h"

#include "xlac/dialect/family.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

XlaFftType xlaFftReadType(MlirAttribute attr) {
  static const char *const words[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  int type = 0;
  while (type < XlaFftTypeIrfft &&
         !mlirStringRefEqual(mlirStringAttrGetValue(attr),
                             mlirStringRefCreateFromCString(words[type])))
    ++type;
  return (XlaFftType)type;
}

/// The element type of the result; Invalid if there is none.
static XlaElementType resultType(XlaFftType type, XlaElementType operand) {
  bool wide = operand == XlaElementTypeF64 || operand == XlaElementTypeC128;
  if (type == XlaFftTypeRfft)
    return operand == XlaElementTypeF32 || operand == XlaElementTypeF64
               ? (wide ? XlaElementTypeC128 : XlaElementTypeC64)
               : XlaElementTypeInvalid;
  if (!xlaElementTypeIsComplex(operand))
    return XlaElementTypeInvalid;
  return type == XlaFftTypeIrfft ? xlaElementTypeReal(operand) : operand;
}

MlirLogicalResult xlaFftInfer(XlaOpView *view) {
  XlaShape operand;
  XlaI64List lengths;
  if (failed(xlaViewGetBounded(view, 0, &operand)))
    return failure();
  xlaViewGetList(view, "fft_length", &lengths);
  MlirAttribute typeAttr = xlaViewGetAttr(view, "fft_type");
  XlaFftType type = xlaFftReadType(typeAttr);
  MlirStringRef word = mlirStringAttrGetValue(typeAttr);
  if (lengths.size < 1 || lengths.size > 3)
    return xlaViewError(view, "fft_c3",
                        "transforms %d dimensions, must be 1 to 3",
                        lengths.size);
  if (lengths.size > operand.rank)
    return xlaViewError(view, "fft_c1",
                        "transforms %d dimensions of an operand of rank %d",
                        lengths.size, operand.rank);
  XlaShape result = operand;
  result.elementType = resultType(type, operand.elementType);
  if (result.elementType == XlaElementTypeInvalid)
    return xlaViewError(view, "fft_c2", "%.*s takes %s, not %s",
                        (int)word.length, word.data,
                        type == XlaFftTypeRfft ? "f32 or f64" : "c64 or c128",
                        xlaElementTypeGetInfo(operand.elementType)->name);
  for (int i = 0; i < lengths.size; ++i) {
    int d = operand.rank - lengths.size + i;
    bool last = i == lengths.size - 1;
    int64_t length = lengths.values[i];
    if (xlaShapeIsDynamic(&operand, d))
      return xlaViewError(view, "dynamic",
                          "dimension %d of the operand is dynamic, so it "
                          "cannot be transformed",
                          d);
    int64_t expected =
        last && type == XlaFftTypeIrfft ? xlaFftGetHalf(length) : length;
    if (length < 0 || operand.dims[d] != expected)
      return xlaViewError(
          view, "fft_c4",
          "dimension %d of the operand is %lld, fft_length[%d] %lld asks for "
          "%lld",
          d, (long long)operand.dims[d], i, (long long)length,
          (long long)expected);
    if (last)
      result.dims[d] = type == XlaFftTypeRfft ? xlaFftGetHalf(length) : length;
  }
  xlaViewAppendBounded(view, &result);
  return success();
}

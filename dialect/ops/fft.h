//===- fft.h - Kinds and sizes of Fourier transforms --------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_FFT_H
#define XLAC_DIALECT_OPS_FFT_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The words of fft_type, in their order.
typedef enum XlaFftType {
  XlaFftTypeFft,
  XlaFftTypeIfft,
  XlaFftTypeRfft,
  XlaFftTypeIrfft,
} XlaFftType;

/// What the attribute fft_type of a verified operation says.
XlaFftType xlaFftReadType(MlirAttribute attr);

/// The size that the last dimension has for `length` real numbers.
static inline int64_t xlaFftGetHalf(int64_t length) {
  return length ? length / 2 + 1 : 0;
}

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OPS_FFT_H

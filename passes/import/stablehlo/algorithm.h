//===- algorithm.h - How products of matrices are computed --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XLA's algorithms have names, which xla.dot_general and HLO keep; StableHLO
// takes them apart: what types operands are split into, how many products that
// makes, and what these are summed in.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_STABLEHLO_ALGORITHM_H
#define XLAC_PASSES_IMPORT_STABLEHLO_ALGORITHM_H

#include "mlir-c/Support.h"
#include "xlac/dialect/element_type.h"

#ifdef __cplusplus
extern "C" {
#endif

/// `dot_algorithm<lhs_precision_type = bf16, ..>`, of text that lives longer.
typedef struct XlaDotAlgorithm {
  MlirStringRef lhs, rhs, accumulation; ///< types
  int64_t nProducts;
  bool isImprecise; ///< sums may be of fewer bits in between
} XlaDotAlgorithm;

/// False if `text` is none.
bool xlaDotAlgorithmRead(MlirStringRef text, XlaDotAlgorithm *algorithm);
/// XLA's name, as HLO has it: "dot_bf16_bf16_f32_x3". NULL if it has none.
const char *xlaDotAlgorithmName(const XlaDotAlgorithm *algorithm);
/// Writes the attribute of StableHLO for an algorithm of XLA's, of operands of
/// these types. False if there is none of that name.
bool xlaDotAlgorithmText(MlirStringRef name, XlaElementType lhs,
                         XlaElementType rhs, char *text, size_t size);
/// Whether XLA has an algorithm of that name.
bool xlaDotAlgorithmIs(MlirStringRef name);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_IMPORT_STABLEHLO_ALGORITHM_H

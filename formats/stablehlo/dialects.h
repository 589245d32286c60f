//===- dialects.h - The dialects that programs come in ------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO, its CHLO, and Shardy (sdy) as dialects of MLIR, so that its parser
// reads what their own projects print, and its printer prints the same:
//
//   %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
//        : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
//
// Nothing is verified but the form: the import (passes/import/stablehlo.h) says
// what the operations mean. Their types and attributes, `!stablehlo.token` or
// `#stablehlo.gather<..>`, are OpaqueTypes and OpaqueAttrs of their text, as
// the import reads them. ops.def has the table.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_STABLEHLO_DIALECTS_H
#define XLAC_FORMATS_STABLEHLO_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Adds the dialects stablehlo, chlo and sdy to `registry`.
void xlaStableHloDialectsRegister(MlirDialectRegistry registry);

#ifdef __cplusplus
}
#endif

#endif // XLAC_FORMATS_STABLEHLO_DIALECTS_H

//===- values.h - Values of attributes, for editors ----------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_XLA_LSP_SERVER_VALUES_H
#define XLAC_TOOLS_XLA_LSP_SERVER_VALUES_H

#include "mlir-c/Support.h"

/// Gives `callback` each of the words that may stand behind `line`, up to where
/// somebody types, if these are the words of an attribute:
///
///   %0 = xla.compare %x, %y {comparison_direction = "
///   %0 = stablehlo.compare GE, %x, %y, FLO
///   %0 = stablehlo.dot_general .., precision = [HIGH, DEF
///   .. #stablehlo<fft_type RF
///
/// A word that has been begun does not matter.
void xlaLspListValues(MlirStringRef line, MlirStringCallback callback,
                      void *userData);

#endif // XLAC_TOOLS_XLA_LSP_SERVER_VALUES_H

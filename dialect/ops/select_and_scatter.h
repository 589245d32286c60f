//===- select_and_scatter.h - Regions of select_and_scatter -------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_SELECT_AND_SCATTER_H
#define XLAC_DIALECT_OPS_SELECT_AND_SCATTER_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The numbers of the regions of xla.select_and_scatter.
enum { xlaSelectRegion, xlaScatterRegion };

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OPS_SELECT_AND_SCATTER_H

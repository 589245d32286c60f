//===- reduce.h - Operands of maps --------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_REDUCE_H
#define XLAC_DIALECT_OPS_REDUCE_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether an xla.map applies its region to the elements of an operand, which
/// has the type `operand`; the region takes it as `argument`. Operands of the
/// shape of the first are mapped. Specification 002 allows others after them,
/// static_operands, which the region gets whole.
bool xlaReduceIsMapped(MlirType operand, MlirType argument,
                       const XlaShape *first);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OPS_REDUCE_H

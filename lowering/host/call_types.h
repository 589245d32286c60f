//===- call_types.h - Custom calls with tuples and tokens ---------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that are lowered have the arrays of tuples in place of these, and no
// tokens. Who is called gets what the program was written with.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_HOST_CALL_TYPES_H
#define XLAC_LOWERING_HOST_CALL_TYPES_H

#include "xlac/dialect/literal.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether the custom call `op` has the attributes XLA_CALL_OPERANDS and
/// XLA_CALL_RESULTS, for types whose arrays are its own operands and results: a
/// program may state them as well.
bool xlaCallHasTypes(MlirOperation op);
/// Such a call with operands and results of those types, at the end of `block`,
/// which gets the operands as arguments.
MlirOperation xlaCallWithTypes(MlirOperation op, MlirBlock block);

/// The value of `type` that consists of the arrays from `**next` on, which are
/// retained; `*next` goes behind them. NULL without memory.
XlaLiteral *xlaCallAssemble(MlirType type, const XlaLiteral *const **next);
/// The arrays of `value`, a new reference to each, from `**next` on, which goes
/// behind them. False if they are not those of `type`; NULL is no value.
bool xlaCallTakeApart(MlirType type, const XlaLiteral *value,
                      XlaLiteral ***next);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_HOST_CALL_TYPES_H

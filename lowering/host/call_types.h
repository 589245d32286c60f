//===- call_types.h - Custom calls with tuples and tokens ---------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that are lowered have the arrays of tuples in place of these, no
// tokens, and arrays of bounds and sizes in place of those of dynamic size. Who
// is called gets what the program was written with.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_HOST_CALL_TYPES_H
#define XLAC_LOWERING_HOST_CALL_TYPES_H

#include "xlac/dialect/literal.h"
#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Operands or results of a custom call: arrays, then an s32 for each size that
/// a run tells, in order.
typedef struct XlaCallArrays {
  intptr_t n;
  MlirAttribute types; ///< a list: what the program had, with bounds
} XlaCallArrays;

/// What `op` has, or with `isResult` gives. XLA_BOUNDED_OPERANDS and
/// XLA_BOUNDED_RESULTS name the types unless they do not fit: a program may
/// state them as well. False without memory.
bool xlaCallArraysOf(MlirOperation op, bool isResult, XlaCallArrays *arrays);

/// Whether the custom call `op` has the attributes XLA_CALL_OPERANDS and
/// XLA_CALL_RESULTS, for types with these arrays: a program may state them as
/// well.
bool xlaCallHasTypes(MlirOperation op, const XlaCallArrays *in,
                     const XlaCallArrays *out);
/// A call like `op` with operands and results of the types in two lists, at the
/// end of `block`, which gets the operands as arguments.
MlirOperation xlaCallWithTypes(MlirOperation op, MlirAttribute operands,
                               MlirAttribute results, MlirBlock block);

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

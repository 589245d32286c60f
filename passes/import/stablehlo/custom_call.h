//===- custom_call.h - Custom calls with a known meaning ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes/import/stablehlo.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_STABLEHLO_CUSTOM_CALL_H
#define XLAC_PASSES_IMPORT_STABLEHLO_CUSTOM_CALL_H

#include "xlac/passes/import/stablehlo.h"

enum { XLA_CALL_MAX_OPERANDS = 16 };

/// Entry `name` of the call's configuration; null if there is none.
MlirAttribute xlaCallAttribute(MlirOperation op, const char *name);
/// The integer `name` of the call's configuration; -1 if there is none.
int64_t xlaCallInteger(MlirOperation op, const char *name);
/// Whether the configuration has a flag `name`, of that value.
bool xlaCallFlag(MlirOperation op, const char *name, bool value);
/// Puts `values` in the places of the results, whose types must be theirs.
XlaImportResult xlaCallPutAll(MlirOperation op, const MlirValue *values);
/// Says that such a call is not supported.
XlaImportResult xlaCallUnknownForm(MlirOperation op);

/// A region that calls the function `callee` with a scalar for each of the `n`
/// `operands`, and returns what it gives, of these types.
MlirRegion xlaCallRegion(XlaIr *ir, MlirAttribute callee, intptr_t n,
                         const MlirValue *operands, intptr_t nResults,
                         const MlirType *results);
/// The function that an operation names as its only computation; null if there
/// is none.
MlirAttribute xlaCallComputation(MlirOperation op);

/// If `target` is one of the calls that jax.export writes where sizes are
/// symbolic, `*result` is what became of the call (sized_call.c).
bool xlaImportSizedCall(MlirOperation op, MlirStringRef target,
                        XlaImportResult *result);
/// ApproxTopK of `nOperands` operands: the `k` first, or -1 for what the call
/// says (custom_call.c).
XlaImportResult xlaImportTopK(MlirOperation op, intptr_t nOperands, int64_t k);
/// TopK: as many of the largest along the last dimension of operand 0 as the
/// results have.
XlaImportResult xlaImportLargest(MlirOperation op);

/// ragged_all_to_all, as of JAX, or with the size of the only group as
/// `group_size` (ragged_all_to_all.c): a call of a function that has the call's
/// configuration as this attribute, or what is in that.
#define XLA_RAGGED_ALL_TO_ALL "xla.ragged_all_to_all"
XlaImportResult xlaImportRaggedAllToAll(MlirOperation op);
XlaImportResult xlaExpandRaggedAllToAll(MlirOperation op);
/// Whether `call` is of a function with the attribute `config` and takes and
/// gives what ragged_all_to_all does.
bool xlaIsRaggedAllToAll(MlirOperation call, MlirAttribute config);
/// The same as the first where `op` is not yet in its module, whose block is
/// `functions`.
XlaImportResult xlaImportRaggedInto(MlirOperation op, MlirBlock functions);

/// Whether `target` is a function of LAPACK, as JAX calls it for processors.
bool xlaCallIsLapack(MlirStringRef target);
/// Which to use in the place of one that is not supported.
#define XLA_LAPACK_HINT                                                        \
  "what JAX lowers for xlac calls SciPy's, see docs/jax.md"
/// If `target` is a function of LAPACK, or a factorization that JAX asks XLA's
/// compilers for, `*result` is what became of the call (factors.c).
bool xlaImportFactors(MlirOperation op, MlirStringRef target,
                      XlaImportResult *result);

#endif // XLAC_PASSES_IMPORT_STABLEHLO_CUSTOM_CALL_H

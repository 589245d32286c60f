//===- internal.h - For the files of the export -------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPORT_INTERNAL_H
#define XLAC_PASSES_EXPORT_INTERNAL_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/passes/import/result.h"

#define XLA_EXPORT_MAX_ATTRS 24

/// Attributes as StableHLO has them.
typedef struct XlaExportedAttrs {
  intptr_t count;
  XlaIrAttr items[XLA_EXPORT_MAX_ATTRS];
} XlaExportedAttrs;

/// The attributes that `op`, of xla, gets in StableHLO.
XlaImportResult xlaExportAttributes(MlirOperation op, XlaExportedAttrs *attrs);

/// `type` with StableHLO's tokens and bounds in place of xla's, and without
/// layouts, at any depth of tuples and functions. Null without memory.
MlirType xlaExportType(MlirType type);

/// Unsupported, after "is not supported in StableHLO: .." at `op`.
XlaImportResult xlaExportRefuse(MlirOperation op, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// Invalid, after a diagnostic that memory ran out.
XlaImportResult xlaExportNoMemory(MlirOperation op);

/// Operations that broadcast the operands of `op`, an elementwise one of two,
/// to the dimensions of its result.
XlaImportResult xlaExportBroadcasts(MlirOperation op);

/// Puts `values` in the places of all results of `op`, and removes it.
void xlaExportPut(MlirOperation op, const MlirValue *values);
/// A block that ends in xla.return of the operation `name` of its two
/// arguments, scalars of `type`.
MlirRegion xlaExportBinaryRegion(XlaIr *ir, const char *name,
                                 XlaElementType type);

/// Makes custom calls, as JAX has them, of calls of functions that say they are
/// ragged_all_to_all.
XlaImportResult xlaExportRagged(MlirOperation module);

/// Rows of ops.def write `op` as other operations of xla, which StableHLO has,
/// or as StableHLO's, or leave it: then it is renamed as others are.
#define XLA_EXPORT_OP(Kind, Hook, becomes)                                     \
  XlaImportResult xlaExport##Hook(MlirOperation op);
#include "xlac/passes/export/ops.def"

#endif // XLAC_PASSES_EXPORT_INTERNAL_H

//===- draft.h - Indexing maps under construction -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to dialect/indexing. The dimensions of a draft are those of a
// result; its results are the indices of an operand.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_DRAFT_H
#define XLAC_DIALECT_INDEXING_DRAFT_H

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/map.h"
#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XlaMapDraft {
  MlirContext context;
  intptr_t nDims, nRanges, nRuntimes, nConstraints, nResults;
  XlaInterval dims[XLA_MAX_RANK], ranges[2 * XLA_MAX_RANK];
  XlaRuntimeVariable runtimes[XLA_MAX_RANK];
  XlaIndexingConstraint constraints[4 * XLA_MAX_RANK];
  MlirAffineExpr results[XLA_MAX_RANK];
  /// Of operands that are read in several ways a hook is asked for each, `way`,
  /// and says how many there are.
  intptr_t way, nWays;
  bool isUnread; ///< the operand is not read; there is no map then
} XlaMapDraft;

/// An element of a result of this shape.
void xlaMapDraftInit(XlaMapDraft *draft, MlirContext context,
                     const XlaShape *result);
MlirAffineExpr xlaMapDraftDim(const XlaMapDraft *draft, intptr_t i);
/// A new range variable from 0 to size - 1.
MlirAffineExpr xlaMapDraftAddRange(XlaMapDraft *draft, int64_t size);
/// A new runtime variable from 0 to `most`: element `place` of `value`, by
/// dimensions and range variables; or, if `value` is null, something unknown.
MlirAffineExpr xlaMapDraftAddRuntime(XlaMapDraft *draft, int64_t most,
                                     MlirValue value, intptr_t nPlace,
                                     const MlirAffineExpr *place);
void xlaMapDraftAddResult(XlaMapDraft *draft, MlirAffineExpr expr);
void xlaMapDraftConstrain(XlaMapDraft *draft, MlirAffineExpr expr,
                          int64_t lower, int64_t upper);

/// The simplified map; NULL if there is no memory.
XlaIndexingMap *xlaMapDraftFinish(const XlaMapDraft *draft);

/// Appends the results of operand `operand`'s map to `draft`, whose dimensions
/// are those of result `result` of `op`. False if no map says what is read.
typedef bool (*XlaOperandMapHook)(MlirOperation op, XlaOpKind kind,
                                  intptr_t result, intptr_t operand,
                                  const XlaShape *shape, XlaMapDraft *draft);

bool xlaBatchNormMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                     intptr_t operand, const XlaShape *shape,
                     XlaMapDraft *draft);
bool xlaBitcastMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                   intptr_t operand, const XlaShape *shape, XlaMapDraft *draft);
bool xlaCollectiveMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                      intptr_t operand, const XlaShape *shape,
                      XlaMapDraft *draft);
bool xlaDotMap(MlirOperation op, XlaOpKind kind, intptr_t result,
               intptr_t operand, const XlaShape *shape, XlaMapDraft *draft);
bool xlaDynamicSliceMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                        intptr_t operand, const XlaShape *shape,
                        XlaMapDraft *draft);
bool xlaElementwiseMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                       intptr_t operand, const XlaShape *shape,
                       XlaMapDraft *draft);
bool xlaFftMap(MlirOperation op, XlaOpKind kind, intptr_t result,
               intptr_t operand, const XlaShape *shape, XlaMapDraft *draft);
bool xlaGatherMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                  intptr_t operand, const XlaShape *shape, XlaMapDraft *draft);
bool xlaMovementMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                    intptr_t operand, const XlaShape *shape,
                    XlaMapDraft *draft);
bool xlaRandomMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                  intptr_t operand, const XlaShape *shape, XlaMapDraft *draft);
bool xlaReduceMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                  intptr_t operand, const XlaShape *shape, XlaMapDraft *draft);
bool xlaScanMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                intptr_t operand, const XlaShape *shape, XlaMapDraft *draft);
bool xlaScatterMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                   intptr_t operand, const XlaShape *shape, XlaMapDraft *draft);
bool xlaSortMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                intptr_t operand, const XlaShape *shape, XlaMapDraft *draft);
bool xlaTriangularMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                      intptr_t operand, const XlaShape *shape,
                      XlaMapDraft *draft);
bool xlaWindowMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                  intptr_t operand, const XlaShape *shape, XlaMapDraft *draft);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_DRAFT_H

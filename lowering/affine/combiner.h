//===- combiner.h - Combiners of reductions -----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_AFFINE_COMBINER_H
#define XLAC_LOWERING_AFFINE_COMBINER_H

#include "xlac/lowering/affine/statement.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How one accumulator of a reduction is combined.
typedef struct XlaSchedReducer {
  const char *combiner; ///< name of the commutative op; NULL: unknown
  MlirValue carriedIn;  ///< accumulator as the combiner reads it
  MlirValue carriedOut; ///< what the combiner yields
  MlirType carried;     ///< type of both
  const char *widen;    ///< from the element type to `carried`, or NULL
  const char *narrow;   ///< back
} XlaSchedReducer;

/// Recognises the combiners of `statement`; `reducers` has one entry an output,
/// of which those of accumulators are set. True if all are known, and may be
/// applied in any order.
bool xlaSchedReducersRead(const XlaSchedStatement *statement,
                          XlaSchedReducer *reducers);
/// Does `op` take an accumulator from the element type to the carried one, or
/// back? Loops that carry it do not need that.
bool xlaSchedIsConversion(const XlaSchedStatement *statement,
                          const XlaSchedReducer *reducers, MlirOperation op);
/// The neutral element, of type `reducer->carried` or a vector of it.
MlirValue xlaSchedNeutral(XlaIr *ir, const XlaSchedReducer *reducer,
                          MlirType type);
/// combiner(a, b).
MlirValue xlaSchedCombine(XlaIr *ir, const XlaSchedReducer *reducer,
                          MlirValue a, MlirValue b);
/// All lanes of `vector` combined into a scalar.
MlirValue xlaSchedAcross(XlaIr *ir, const XlaSchedReducer *reducer,
                         MlirValue vector);
/// Element type to carried type and back; identity where they are the same.
MlirValue xlaSchedWiden(XlaIr *ir, const XlaSchedReducer *reducer, MlirValue v);
MlirValue xlaSchedNarrow(XlaIr *ir, const XlaSchedReducer *reducer,
                         MlirType element, MlirValue v);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_AFFINE_COMBINER_H

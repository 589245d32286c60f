//===- build.h - Operations of the linalg dialect -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. Operations on memrefs, which have no results.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_LINALG_BUILD_H
#define XLAC_LOWERING_LINALG_BUILD_H

#include "xlac/dialect/ir.h"

#include "mlir-c/AffineMap.h"

#ifdef __cplusplus
extern "C" {
#endif

/// linalg.fill: every element of `memref` becomes `value`.
MlirOperation xlaLinalgFill(XlaIr *ir, MlirValue value, MlirValue memref);

/// The attribute iterator_types; `isReduction` may be NULL.
MlirAttribute xlaLinalgIterators(MlirContext context, intptr_t nLoops,
                                 const bool *isReduction);

/// linalg.generic of `nIns` operands that are read and `nOuts` that are
/// written, a map each. `body`, which it takes, has an argument for each and
/// ends in linalg.yield. Null, without a diagnostic, if there is no memory.
MlirOperation xlaLinalgGeneric(XlaIr *ir, intptr_t nIns, intptr_t nOuts,
                               const MlirValue *operands,
                               const MlirAffineMap *maps, intptr_t nLoops,
                               const bool *isReduction, MlirBlock body);

/// Opens a loop over `count` tasks, on threads if `isParallel`; gives the
/// number of the task, and in `*body` the point inside.
MlirValue xlaLinalgOpenTasks(XlaIr *ir, int64_t count, bool isParallel,
                             XlaIr *body);
void xlaLinalgCloseTasks(XlaIr *body, bool isParallel);

/// memref.alloc of static shape.
MlirValue xlaLinalgAlloc(XlaIr *ir, MlirType type);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_LINALG_BUILD_H

//===- op_maps_internal.h - Inside of indexing maps of ops --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_OP_MAPS_INTERNAL_H
#define XLAC_DIALECT_INDEXING_OP_MAPS_INTERNAL_H

#include "xlac/dialect/indexing/captured.h"
#include "xlac/dialect/indexing/op_maps.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Fills in the maps of a fusion's operands, for which `reads` has entries.
/// False if there is no memory.
bool xlaFusionGetReads(MlirOperation op, intptr_t result, XlaOpReads *reads);

/// The map from each element of an array to itself; NULL, and Known, if it has
/// no elements.
XlaOpMaps xlaValueGetIdentity(MlirValue value, XlaIndexingMap **map);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_OP_MAPS_INTERNAL_H
